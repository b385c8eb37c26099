"""scripts/setup on machines of all kinds, each made for a test."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest
from conftest import PATIENCE
from setup_machine import Machine, set_aside


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_kokkos_root_wins(machine):
    root = machine.make_kokkos("mine", "SERIAL")
    other = machine.make_kokkos("other", "OPENMP;SERIAL")
    chosen = machine.kokkos_dir(Kokkos_ROOT=root, CMAKE_PREFIX_PATH=other)
    assert chosen == "~/mine/lib/cmake/Kokkos"
    assert machine.apt_calls() == []


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        ("3.4.0", "HOME/mine/lib/cmake/Kokkos is 3.4.0, older than 3.4.1"),
        (None, "none found"),
    ],
)
def test_a_kokkos_root_that_cannot_be_used_is_an_error(machine, version, reason):
    if version:
        machine.make_kokkos("mine", "OPENMP", version)
    done = machine.setup(Kokkos_ROOT=str(machine.home / "mine"))
    assert done.returncode == 1
    assert done.stderr.replace(str(machine.home), "HOME") == (
        f"setup: Kokkos_ROOT is HOME/mine, and it cannot be used: {reason}\n"
    )


def test_an_installed_kokkos_is_found(machine):
    prefix = machine.make_kokkos("opt", "OPENMP;SERIAL")
    assert machine.kokkos_dir(CMAKE_PREFIX_PATH=prefix) == "~/opt/lib/cmake/Kokkos"


@pytest.mark.parametrize("fault", ["serial", "old", "broken"])
def test_an_unusable_installed_kokkos_is_passed_over(machine, fault):
    prefix = machine.make_kokkos(
        "opt",
        "SERIAL" if fault == "serial" else "OPENMP",
        "3.3.0" if fault == "old" else "4.0.0",
    )
    if fault == "broken":
        config = machine.home / "opt/lib/cmake/Kokkos/KokkosConfig.cmake"
        config.write_text('message(FATAL_ERROR "points at a missing folder")\n')
    machine.make_sources()
    chosen = machine.kokkos_dir(CMAKE_PREFIX_PATH=prefix)
    assert re.fullmatch(r"~/my cache/strata/kokkos-9.8.7-\w{12}/lib/cmake/Kokkos", chosen)


def test_kokkos_is_built_from_source_once(machine):
    machine.make_sources()
    first = machine.kokkos_dir()
    assert machine.apt_calls() == ["update", "source"]
    assert machine.cached() == ["kokkos-9.8.7-KEY"]
    done = machine.setup()
    assert machine.kokkos_dir() == first
    assert machine.apt_calls() == ["update", "source"]
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("setup: ready to run with Kokkos 9.8.7 (OPENMP,SERIAL) in ")


def test_a_failed_build_leaves_nothing_behind(machine):
    machine.make_sources()
    switch = machine.home / "broken"
    switch.touch()
    done = machine.setup(BREAK_KOKKOS=str(switch))
    assert done.returncode == 1
    assert "broken on purpose" in done.stderr
    assert machine.cached() == []
    machine.kokkos_dir()
    assert machine.cached() == ["kokkos-9.8.7-KEY"]


def test_a_source_that_cannot_be_had_ends_with_what_to_do(machine):
    """As where a mirror has binary packages only."""
    done = machine.setup()
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "setup: there is no Kokkos, and no source of it; set Kokkos_ROOT to one of 3.4.1 or "
        "newer, built with a threaded or GPU backend"
    )
    assert machine.cached() == []


def test_two_setups_at_once_build_once(machine):
    machine.make_sources()
    command = [str(machine.clone / "scripts" / "setup")]
    both = [
        subprocess.Popen(command, env=machine.environment, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        _, words = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, words
    assert machine.apt_calls() == ["update", "source"]


def test_only_what_is_missing_is_installed(machine):
    path = set_aside(machine, "ninja")
    root = machine.make_kokkos("mine", "OPENMP")
    done = machine.setup(Kokkos_ROOT=root, **path)
    assert done.returncode == 0, done.stderr
    assert machine.apt_calls() == ["update", "install"]
    assert re.search(
        r"install .*--yes .* ninja-build\b", (machine.home / "apt.log").read_text()
    )
    assert "cmake" not in (machine.home / "apt.log").read_text().splitlines()[-1]
    machine.setup(Kokkos_ROOT=root, **path)
    assert machine.apt_calls() == ["update", "install"]


@pytest.mark.skipif(os.geteuid() != 0, reason="packages are installed by root")
def test_what_some_tests_use_is_asked_for_once(machine):
    path = set_aside(machine)
    words = 'source "$1/lib/common.sh"; source "$1/lib/packages.sh"; ensure_test_packages'
    for _ in range(2):
        done = subprocess.run(
            ["bash", "-c", words, "setup", str(machine.clone / "scripts")],
            env=machine.environment | path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert machine.apt_calls() == ["update", "install"]
    assert " slurmctld slurmd slurm-client jube" in (machine.home / "apt.log").read_text()


def test_what_is_missing_is_listed_at_once_where_nothing_can_be_installed(machine):
    path = set_aside(machine, "ninja", "cmake")
    (machine.home / "bin" / "apt-get").unlink()
    done = machine.setup("run", "test", **path)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "setup: these are missing, and this account has no way to install packages:",
        "  cmake            put CMake 3.22 or newer on PATH; Debian, Ubuntu: cmake",
        "  ninja            put ninja on PATH; Debian, Ubuntu: ninja-build",
        "  yaml-cpp         add its prefix to CMAKE_PREFIX_PATH; "
        "Debian, Ubuntu: libyaml-cpp-dev",
        "  benchmark        Google Benchmark: add its prefix to CMAKE_PREFIX_PATH; "
        "Debian, Ubuntu: libbenchmark-dev",
        "  GTest            GoogleTest: add its prefix to CMAKE_PREFIX_PATH; "
        "Debian, Ubuntu: libgtest-dev",
        "  Kokkos           set Kokkos_ROOT to one of 3.4.1 or newer, "
        "built with a threaded or GPU backend",
    ]


def test_a_kokkos_is_asked_for_before_anything_is_made(machine):
    path = set_aside(machine)
    (machine.home / "bin" / "apt-get").unlink()
    done = machine.setup("run", "report", **path)
    assert done.returncode == 1
    assert re.match("setup: no usable Kokkos .*, and no source package to take:", done.stderr)
    assert not machine.cache.exists()


def test_the_python_level_needs_no_compiler(machine):
    path = set_aside(machine, "c++", "g++", "cmake", "ninja", "mpicxx")
    done = machine.setup("--quiet", "--print-env", "python", **path)
    assert (done.returncode, machine.apt_calls()) == (0, [])
    python = re.search(r"^STRATA_PYTHON=(.+)$", done.stdout, re.MULTILINE)
    assert python
    subprocess.run([python.group(1).replace("\\", ""), "-c", "import yaml"], check=True)


def test_an_unknown_level_is_refused(machine):
    done = machine.setup("everything")
    assert done.returncode == 2
    assert done.stderr.startswith("usage: scripts/setup [--quiet] [--print-env] [LEVEL]...\n")


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("CI") != "true", reason="downloads; CI=true runs it")
def test_the_distributions_own_kokkos_builds_and_is_found(machine):
    (machine.home / "bin" / "apt-get").unlink()
    if not shutil.which("apt-get"):
        pytest.skip("no apt-get")
    machine.kokkos_dir()
    assert [re.sub(r"[\d.]+", "VERSION", name) for name in machine.cached()] == [
        "kokkos-VERSION-KEY"
    ]
