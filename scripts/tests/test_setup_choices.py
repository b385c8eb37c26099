"""scripts/setup: which Python it takes, what it installs from where, and where builds go."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT, write_program

SOURCES = "".join(f'source "$1/lib/{name}.sh"; ' for name in ("common", "packages", "python"))
PYTHON = """
[[ $* != *"sys.version_info < (3, 9)"* || $* != *import* ]] || exit {code}
echo "$(basename "$0") $*" >>"$HOME/log"
"""


@pytest.fixture
def home(tmp_path):
    for name in ("cat", "cut", "sha256sum", "dirname", "rm", "touch", "mkdir", "bash", "env"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to(f"/usr/bin/{name}")
    return tmp_path


def bash(home, words, **environment):
    """Of the libraries, with the programs of this home alone."""
    kept = {"HOME": str(home), "PATH": str(home / "bin")} | environment
    return subprocess.run(
        ["/bin/bash", "-euc", SOURCES + words, "setup", str(ROOT / "scripts")], env=kept,
        capture_output=True, text=True, check=False, cwd=home,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("there", "chosen"),
    [
        ({"python3": 1, "python3.9": 0, "python3.11": 0}, "python3.11"),
        ({"python3": 0, "python3.11": 0}, "python3"),
        ({"python3": 1, "python3.12": 1, "python3.10": 0}, "python3.10"),
    ],
)
def test_a_python_that_is_named_by_its_version_will_do(home, there, chosen):
    """As on RHEL 8, whose python3 is 3.6 beside a python3.11."""
    for name, code in there.items():
        write_program(home / "bin" / name, PYTHON.format(code=code))
    done = bash(home, "levels=(report); python_is_possible; echo $base_python")
    assert (done.stdout, done.stderr) == (f"{home}/bin/{chosen}\n", "")


@pytest.mark.parametrize(
    ("levels", "needs"),
    [("python", False), ("report", False), ("python report", False), ("report python", False),
     ("report run", True), ("run", True), ("lint", True), ("python test", True)],
)  # fmt: skip
def test_only_levels_that_build_need_a_compiler(home, levels, needs):
    done = bash(home, f"needs_compiler {levels} && echo yes || echo no")
    assert done.stdout == ("yes\n" if needs else "no\n")


@pytest.mark.parametrize(
    ("levels", "lists"),
    [("report", ["report"]), ("python report", ["report"]),
     ("test", ["report", "harness", "develop"]), ("lint", ["report", "harness", "develop"])],
)  # fmt: skip
def test_reports_take_no_packages_of_developers(home, levels, lists):
    done = bash(home, f"packages_for {levels}")
    folder = ROOT / "scripts" / "requirements"
    assert done.stdout.splitlines() == [str(folder / f"{name}.txt") for name in lists]


@pytest.mark.parametrize(("wheels", "from_"), [("", ""), ("my wheels", "my wheels")])
def test_packages_come_from_a_folder_of_wheels_where_one_is_named(home, wheels, from_):
    venv = 'mkdir -p "$3/bin"; ln -s "$HOME/bin/python" "$3/bin/python"'
    write_program(home / "bin" / "python", PYTHON.format(code=0))
    write_program(home / "bin" / "python3", f"[[ $2 != venv ]] || {{ {venv}; }}\n")
    (home / "bin" / "ln").symlink_to("/usr/bin/ln")
    (home / "bin" / "basename").symlink_to("/usr/bin/basename")
    words = "base_python=python3; find_environment report || make_environment report"
    done = bash(home, words, STRATA_WHEELS=wheels)
    assert (done.returncode, done.stderr) == (0, "")
    options = f"--no-index --find-links {from_} " if from_ else ""
    assert (home / "log").read_text() == (
        "python -m pip install --quiet --disable-pip-version-check "
        f"{options}--requirement={ROOT}/scripts/requirements/report.txt\n"
    )


def test_a_folder_of_wheels_that_is_not_there_is_named(home):
    done = subprocess.run(
        [ROOT / "scripts/setup", "python"], env={**os.environ, "STRATA_WHEELS": "absent"},
        capture_output=True, text=True, check=False, cwd=home,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (
        2, "setup: STRATA_WHEELS is absent; it must be a folder of Python packages\n",
    )  # fmt: skip


def test_builds_go_where_they_are_told(home):
    done = bash(home, "echo $builds", STRATA_BUILD_DIR="elsewhere")
    assert done.stdout == "elsewhere\n"
    assert bash(home, "echo $builds").stdout == f"{ROOT}/build\n"
    words = 'source "$1/lib/build.sh"; STRATA_CXX=c STRATA_KOKKOS_DIR=k; configure file/run'
    (home / "file").write_text("")
    done = bash(home, words)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "setup: file/run cannot be made; set STRATA_BUILD_DIR to a folder that can be written"
    )


def test_the_tools_find_such_builds(home):
    words = "import strata_tools as s; print(s.BUILD, s.RESULTS)"
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=home, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(ROOT / "scripts"), "STRATA_BUILD_DIR": "elsewhere"},
    )  # fmt: skip
    assert done.stdout == f"elsewhere/run {ROOT}/results\n"


def test_compilers_are_as_many_as_cpus_whatever_openmp_is_told():
    def told(*before, **environment):
        words = f"source '{ROOT}/scripts/lib/common.sh'; source '{ROOT}/scripts/lib/build.sh'"
        done = subprocess.run(
            [*before, "bash", "-c", f'{words}; echo "$CMAKE_BUILD_PARALLEL_LEVEL"'],
            env=os.environ | {"OMP_NUM_THREADS": "1"} | environment,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return int(done.stdout)

    allowed = os.sched_getaffinity(0)
    quota = Path("/sys/fs/cgroup/cpu.max")
    if not quota.exists() or quota.read_text().startswith("max"):
        assert told(CMAKE_BUILD_PARALLEL_LEVEL="") == len(allowed)
    one = ("taskset", "-c", str(min(allowed)))
    assert told(*one, CMAKE_BUILD_PARALLEL_LEVEL="") == 1
    assert told(*one, CMAKE_BUILD_PARALLEL_LEVEL="7") == 7
