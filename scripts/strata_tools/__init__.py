"""The command `scripts/strata`: what is done around the mini-apps' executables."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The top folder of the clone these tools belong to, or their installation's share/strata."""

BUILD = ROOT / "build" / "run" if (ROOT / "CMakeLists.txt").is_file() else ROOT.parents[1]
"""Where the executables are, unless told: of an installation, below its prefix."""
