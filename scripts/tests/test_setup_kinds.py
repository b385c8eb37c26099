"""scripts/setup: what is compiled for which processor, and who waits for whom."""

from __future__ import annotations

import fcntl
import re
import socket
import subprocess
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, write_program
from setup_machine import Machine, set_aside


@pytest.fixture
def machine(tmp_path) -> Machine:
    return Machine(tmp_path)


def test_a_kokkos_for_any_processor_is_another_one(machine):
    """The stand-in for Kokkos installs the flags that it was compiled with."""
    machine.make_sources()
    flags = {}
    for native in ("ON", "OFF"):
        folder = machine.kokkos_dir(STRATA_NATIVE=native).replace("~", str(machine.home))
        flags[native] = re.search("FLAGS (.*)", Path(folder, "KokkosConfig.cmake").read_text())[
            1
        ]
    assert flags == {"ON": "-march=native", "OFF": ""}
    assert machine.cached() == ["kokkos-9.8.7-KEY", "kokkos-9.8.7-any-KEY"]
    assert machine.apt_calls() == 2 * ["update", "source"]
    done = machine.setup(STRATA_NATIVE="maybe")
    assert (done.returncode, done.stderr) == (
        2, "setup: STRATA_NATIVE is maybe; it must be ON or OFF\n",
    )  # fmt: skip


def test_what_is_built_for_any_processor_is_configured_so(machine):
    write_program(machine.home / "bin" / "cmake", "echo\n")
    words = 'source "$1/lib/common.sh"; source "$1/lib/build.sh"; step() { echo "$*"; }\n'
    words += "STRATA_CXX=c++ STRATA_KOKKOS_DIR=k; configure build; ls build"
    for native, said in (("ON", ""), ("OFF", " -DSTRATA_NATIVE=OFF"), ("ON", "")):
        done = subprocess.run(
            ["bash", "-euc", words, "run", str(machine.clone / "scripts")], cwd=machine.home,
            env=machine.environment | {"STRATA_NATIVE": native}, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        configured, *left = done.stdout.splitlines()
        assert configured.endswith(f" -DCMAKE_BUILD_TYPE=Release{said}")
        assert left == ["made-with"]  # nothing of the build before
        (machine.home / "build" / "CMakeCache.txt").touch()


@pytest.mark.parametrize("key", ["0123456789ab", "any-0123456789ab"])
def test_cmake_warns_of_a_kokkos_for_one_processor(machine, key):
    place = machine.make_kokkos(f"strata/kokkos-4.5.0-{key}", "OPENMP;SERIAL")
    done = subprocess.run(
        ["cmake", "-S", ROOT, "-B", machine.home / "build", f"-DKokkos_ROOT={place}",
         "-DSTRATA_NATIVE=OFF", "-DCMAKE_DISABLE_FIND_PACKAGE_yaml-cpp=ON"],
        env=machine.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    warned = "CMake Warning at CMakeLists.txt" in done.stderr
    assert warned == (key == "0123456789ab"), done.stderr
    assert ("STRATA_NATIVE=OFF scripts/setup --print-env" in done.stderr) == warned


def locks(machine: Machine, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script that locks `x` and goes on to say so."""
    source = f'source "$1/lib/common.sh"; {words}; locked x && echo "locked by $$"; echo on'
    return subprocess.run(
        ["bash", "-euc", source, "setup", str(machine.clone / "scripts")],
        env=machine.environment | environment, capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip


def test_a_lock_says_who_holds_it(machine):
    done = locks(machine, ":")
    assert (done.returncode, done.stderr) == (0, "")
    pid = done.stdout.split()[2]
    file = machine.cache / "x.lock"
    assert file.read_text() == f"process {pid} on {socket.gethostname()}\n"
    with file.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = locks(machine, "lock_timeout_s=1")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"setup: process {pid} on {socket.gethostname()} has held {file} for more than 1 s; "
        "wait for it, or end it if it hangs\n"
    )


@pytest.mark.parametrize("fault", ["missing", "failing"])
def test_where_files_cannot_be_locked_setup_says_so_and_goes_on(machine, fault):
    if fault == "failing":
        words = "echo 'flock: 10: No locks available' >&2; exit 71\n"
        write_program(machine.home / "bin" / "flock", words)
        done = locks(machine, ":")
        code, said = 71, "flock: 10: No locks available"
    else:
        done = locks(machine, ":", **set_aside(machine, "flock"))
        code, said = 127, "flock: command not found"
    assert (done.returncode, done.stdout) == (0, "on\n")
    first, second = done.stderr.splitlines()
    assert first.endswith(said)
    assert second == (
        f"setup: {machine.cache}/x.lock cannot be locked (flock ends with exit code {code}; "
        "its words are above); going on without: start no other setup meanwhile"
    )
    if fault == "failing":
        machine.make_sources()
        machine.kokkos_dir()
        assert machine.cached() == ["kokkos-9.8.7-KEY"]


def test_a_cache_that_cannot_be_written_is_named(machine):
    machine.cache.parent.write_text("a file")
    done = locks(machine, ":")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == (
        f"setup: {machine.cache}/x.lock cannot be written; set XDG_CACHE_HOME to a folder that "
        "can"
    )
