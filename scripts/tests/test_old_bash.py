"""RHEL 8 and SLES 15, and most Cray systems with them, have bash 4.4."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, write_program

from check_files import tracked

SHELL = re.compile(r"#!.*\bbash\b|# shellcheck shell=bash")
NEWER = re.compile(
    r"\b(EPOCHREALTIME|EPOCHSECONDS|SRANDOM|BASH_ARGV0|BASH_MONOSECONDS|GLOBSORT"
    r"|localvar_inherit|assoc_expand_once|patsub_replacement|array_expand_once)\b"
    r"|\bwait\s+-\w*[fp]|\b(?:local|declare|typeset)\s+-\w*I"
    r"|\$\{!?\w+(?:\[[@*]\])?@[UuLKk]\}|\$\{[ |]"
)
"""Variables, options and expansions that came with bash 5."""


def newer_words(text: str) -> list[str]:
    """Of the code; comments may name them."""
    code = (re.sub(r"(^|\s)#.*", "", line) for line in text.splitlines())
    return [match.group(0) for line in code for match in NEWER.finditer(line)]


def shell_files() -> list[Path]:
    """The repository's own, templates of job scripts and the scripts made of them."""
    return [
        path
        for path in tracked(ROOT)
        if path.suffixes[-2:] == [".sh", ".j2"]
        or (path.suffix not in (".png", ".gz") and SHELL.match((ROOT / path).read_text()))
    ]


def test_finds_what_bash_4_has_not():
    words = ["EPOCHREALTIME", "SRANDOM", "wait -p", "local -I", "${x@U}", "${x[@]@k}", "${ "]
    text = (
        "a=$EPOCHREALTIME; b=$SRANDOM; wait -p; local -I; ${x@U} ${x[@]@k} ${ ls; }  # ${x@u}"
    )
    assert newer_words(text) == words
    assert newer_words("local -; wait -n; ${x@Q} ${#x} ${x[-1]} $((1)) ${x:-$SECONDS}") == []


def test_no_shell_file_needs_a_newer_bash():
    files = shell_files()
    names = {str(path) for path in files}
    assert {"scripts/setup", "scripts/lib/common.sh", "scripts/batch/body.sh.j2"} <= names
    assert {"scripts/tests/golden/slurm-gpu.golden.sh", ".ci/run"} <= names
    found = {str(path): newer_words((ROOT / path).read_text()) for path in files}
    assert {path: words for path, words in found.items() if words} == {}


@pytest.fixture
def old_bash(tmp_path) -> dict[str, str]:
    """An environment in which every bash lacks the variables that came with bash 5."""
    file = tmp_path / "old-bash"
    file.write_text("unset EPOCHREALTIME EPOCHSECONDS SRANDOM BASH_ARGV0\n")
    return {**os.environ, "BASH_ENV": str(file)}


def run(environment: dict[str, str], *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command], env=environment, capture_output=True, text=True,
        check=False, timeout=PATIENCE,
    )  # fmt: skip


def test_setup_and_strata_run_in_an_old_bash(old_bash):
    done = run(old_bash, ROOT / "scripts/setup", "python")
    assert (done.returncode, done.stdout) == (0, "")
    ready = r"^setup: ready to python with Python \S+ \(\d+\.\d s\)$"
    assert re.search(ready, done.stderr, re.MULTILINE)
    assert run(old_bash, ROOT / "scripts/strata", "--help").returncode == 0


def test_run_runs_in_an_old_bash(old_bash, tmp_path):
    """Around a setup, a CMake and apps of a few words."""
    scripts = tmp_path / "clone" / "scripts"
    shutil.copytree(ROOT / "scripts/lib", scripts / "lib")
    shutil.copy(ROOT / "scripts/run", scripts / "run")
    write_program(scripts / "setup", "echo STRATA_CXX=c++ STRATA_KOKKOS_DIR=kokkos\n")
    write_program(scripts / "strata", 'echo "strata $*"\n')
    write_program(tmp_path / "bin/cmake", "exit 0\n")
    old_bash["PATH"] = f"{tmp_path}/bin:{os.environ['PATH']}"
    done = run(old_bash, scripts / "run")
    assert (done.returncode, done.stdout) == (
        0, f"strata run --build {tmp_path}/clone/build/run --make\n",
    )  # fmt: skip
    assert re.fullmatch(
        r"run: configure build/run \.\.\. \d+\.\d s\nrun: finished after \d+\.\d s\n",
        done.stderr,
    )
