"""What an array type costs a compiler: each way compiles, is timed, and is told when not."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest


@pytest.fixture
def kokkos() -> Path:
    if "STRATA_KOKKOS_DIR" not in os.environ:
        pytest.skip("needs Kokkos: run it by scripts/test")
    folders = Path(os.environ["STRATA_KOKKOS_DIR"]).parents
    return next(f for f in folders if (f / "include" / "Kokkos_Core.hpp").is_file())


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    script = root / "scripts" / "compile_seconds.py"
    few = ["--instances=2", "--rounds=1", "--flags=-O0 -fopenmp"]
    command = [str(script), *few, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_each_way_has_a_line(root: Path, kokkos: Path) -> None:
    compiler = os.environ["STRATA_CXX"]
    done = run(root, f"--kokkos={kokkos}", compiler, "--ways", "Raw", "Span")
    assert done.returncode == 0, done.stderr
    figure = r"-?\d+\.\d"
    line = rf"{re.escape(compiler)} +(\w+) +{figure} ms \[{figure}, {figure}\]\n"
    assert re.fullmatch(line * 2, done.stdout), done.stdout


def test_no_kokkos_is_told(root: Path, kokkos: Path, tmp_path: Path) -> None:
    done = run(root, f"--kokkos={tmp_path}", os.environ["STRATA_CXX"])
    assert done.returncode == 1
    assert done.stderr == f"nothing compiles; is Kokkos in {tmp_path}?\n"


def test_no_compiler_is_told(root: Path, kokkos: Path) -> None:
    done = run(root, f"--kokkos={kokkos}", "no-such-compiler")
    assert done.returncode == 2
    assert "there is no program 'no-such-compiler'" in done.stderr
