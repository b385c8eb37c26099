"""The command `scripts/strata`: what is done around the mini-apps' executables."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The top folder of the clone these tools belong to, or their installation's share/strata."""

_INSTALLED = not (ROOT / "CMakeLists.txt").is_file()

BUILD = (
    ROOT.parents[1]
    if _INSTALLED
    else Path(os.environ.get("STRATA_BUILD_DIR") or ROOT / "build") / "run"
)
"""Whose bin/ has the executables, unless told: of an installation, its prefix."""

_IN_CLONE = not _INSTALLED and os.access(ROOT / "results", os.W_OK)
RESULTS = ROOT / "results" if _IN_CLONE else Path("results")
"""Where records go, unless told: of an installation, or a clone that cannot be written, below
the current folder."""

RACES = RESULTS.with_name("races")
"""And those of races, which tell of builds, not of a machine."""
