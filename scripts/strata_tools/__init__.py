"""The command `scripts/strata`: what is done around the mini-apps' executables."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The top folder of the clone these tools belong to."""
