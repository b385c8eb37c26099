"""What the tests share: the repository, the built apps, programs that stand in for others."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from source_faults import on_gpu

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root() -> Path:
    """The top folder of the clone."""
    return ROOT


ADDRESS_SPACE = 3 << 30
"""Bytes of a process; a ceiling's arrays have an eighteenth of it at most, not four caches."""


@pytest.fixture
def binaries() -> Iterator[Path]:
    """The folder of the built executables; scripts/test says where it is. What a test starts
    has little memory, but for a GPU, which maps more than that."""
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs the executables: run it by scripts/test")
    build = Path(os.environ["STRATA_BUILD"])
    folder = build / "bin"
    assert list(folder.glob("strata-*")), f"{folder} has no executables"
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if not on_gpu(build) and hard == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))
    yield folder
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def write_program(path: Path, text: str) -> Path:
    """An executable bash script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/usr/bin/env bash\n" + text, encoding="utf-8")
    path.chmod(0o755)
    return path
