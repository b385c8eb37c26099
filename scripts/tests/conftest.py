"""What the tests share: the repository, the built apps, programs that stand in for others."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import re
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.scheduler import LoadFileScheduling

from source_faults import on_gpu
from strata_tools.__main__ import main as strata

ROOT = Path(__file__).resolve().parents[2]
# Seconds in which what must come has come: a hang is found so, and a machine that does much
# else beside the tests is not taken for one.
PATIENCE = 300


@pytest.fixture
def root() -> Path:
    """The top folder of the clone."""
    return ROOT


class ByFile(LoadFileScheduling):
    """A worker takes a file at a time; of the faults in sources, an app's tests."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        app = re.search(r"\[(\w+)", nodeid) if "source_faults" in file else None
        return f"{file} {app[1]}" if app else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return ByFile(config, log)


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


@pytest.fixture(scope="session")
def reference_report(tmp_path_factory) -> Path:
    """The report of the reference records, scored with the shipped weights; all workers have
    one."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "reference-report"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "report.html").exists():
            weights = ROOT / "inputs" / "procurement" / "weights.yaml"
            words = ["--weights", str(weights), "--output", str(folder)]
            with contextlib.redirect_stderr(io.StringIO()) as said:
                code = strata(["report", str(ROOT / "results"), *words])
            assert (code, said.getvalue()) == (0, "")
    return folder


def write_program(path: Path, text: str) -> Path:
    """An executable bash script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/usr/bin/env bash\n" + text, encoding="utf-8")
    path.chmod(0o755)
    return path
