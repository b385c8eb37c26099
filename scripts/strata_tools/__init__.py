"""The command `scripts/strata`: what is done around the mini-apps' executables."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The top folder of the clone these tools belong to, or their installation's share/strata."""

_INSTALLED = not (ROOT / "CMakeLists.txt").is_file()

BUILD = ROOT.parents[1] if _INSTALLED else ROOT / "build" / "run"
"""Whose bin/ has the executables, unless told: of an installation, its prefix."""

RESULTS = Path("results") if _INSTALLED else ROOT / "results"
"""Where records go, unless told: of an installation, below the current folder."""

RACES = RESULTS.with_name("races")
"""And those of races, which tell of builds, not of a machine."""
