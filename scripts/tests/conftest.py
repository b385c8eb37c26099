"""What the tests share: the repository, the built apps, programs that stand in for others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root() -> Path:
    """The top folder of the clone."""
    return ROOT


@pytest.fixture
def binaries() -> Path:
    """The folder of the built executables; scripts/test says where it is."""
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs the executables: run it by scripts/test")
    folder = Path(os.environ["STRATA_BUILD"]) / "bin"
    assert list(folder.glob("strata-*")), f"{folder} has no executables"
    return folder


def write_program(path: Path, text: str) -> Path:
    """An executable bash script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/usr/bin/env bash\n" + text, encoding="utf-8")
    path.chmod(0o755)
    return path
