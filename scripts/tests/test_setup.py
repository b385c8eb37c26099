"""scripts/setup, each time with a home of its own and, in place of a package manager or a
Kokkos, small ones that say when they are used."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import subprocess
import tarfile
from pathlib import Path

import pytest
from conftest import ROOT, write_program

CONFIG = """
set(Kokkos_DEVICES {devices})
set(Kokkos_CXX_COMPILER c++)
"""
VERSION = """
set(PACKAGE_VERSION {version})
set(PACKAGE_VERSION_COMPATIBLE TRUE)
"""
SOURCE = """
set(Kokkos_VERSION_MAJOR 9)
set(Kokkos_VERSION_MINOR 8)
set(Kokkos_VERSION_PATCH 07)
cmake_minimum_required(VERSION 3.16)
project(Kokkos LANGUAGES NONE)
if(EXISTS "$ENV{BREAK_KOKKOS}")
  message(FATAL_ERROR "broken on purpose")
endif()
file(WRITE "${CMAKE_BINARY_DIR}/KokkosConfig.cmake" "set(Kokkos_DEVICES OPENMP)")
install(FILES "${CMAKE_BINARY_DIR}/KokkosConfig.cmake" DESTINATION lib/cmake/Kokkos)
"""
APT_GET = """
echo "$(basename "$0") $*" >>"$HOME/apt.log"
case " $* " in
  *" source "*) cp "$HOME/trilinos_9.orig.tar.gz" . ;;
  *" install "*ninja-build*) ln -s "$HOME/aside/ninja" "$HOME/bin/ninja" ;;
esac
"""

TOOLS = {
    "ar",
    "as",
    "bash",
    "basename",
    "c++",
    "cat",
    "cmake",
    "cp",
    "cut",
    "date",
    "dirname",
    "env",
    "flock",
    "g++",
    "git",
    "grep",
    "head",
    "ld",
    "ln",
    "ls",
    "make",
    "mkdir",
    "mktemp",
    "mpicc",
    "mpicxx",
    "mpiexec",
    "mpirun",
    "mv",
    "ninja",
    "nproc",
    "paste",
    "python3",
    "ranlib",
    "rm",
    "sed",
    "sha256sum",
    "sort",
    "tail",
    "tar",
    "touch",
    "uname",
}


class Machine:
    """A home folder, a clone in it, and the programs it has."""

    def __init__(self, home: Path):
        self.home = home
        self.clone = home / "a clone"
        self.cache = home / "my cache" / "strata"
        shutil.copytree(
            ROOT / "scripts",
            self.clone / "scripts",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        write_program(home / "bin" / "apt-get", APT_GET)
        write_program(home / "bin" / "apt-cache", "exit 0\n")
        kept = ("HOME", "XDG_CACHE_HOME", "CXX", "CMAKE_PREFIX_PATH")
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name not in kept and not name.startswith("Kokkos")
        } | {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(self.cache.parent),
            "PATH": f"{home}/bin:{os.environ['PATH']}",
        }

    def setup(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.clone / "scripts" / "setup"), *words], env=self.environment | environment,
            capture_output=True, text=True, check=False, cwd=self.home, timeout=600,
        )  # fmt: skip

    def kokkos_dir(self, *words: str, **environment: str) -> str:
        """What setup chooses, from the home folder."""
        done = self.setup("--print-env", *words, **environment)
        assert done.returncode == 0, done.stderr
        quoted = re.search(r"^STRATA_KOKKOS_DIR=(.*)$", done.stdout, re.MULTILINE)
        assert quoted
        command = f"printf %s {quoted.group(1)}"
        shell = ["bash", "-c", command]
        chosen = subprocess.run(shell, capture_output=True, text=True, check=True).stdout
        return chosen.replace(str(self.home), "~")

    def make_kokkos(self, place: str, devices: str, version: str = "4.5.0") -> str:
        config = self.home / place / "lib" / "cmake" / "Kokkos"
        config.mkdir(parents=True)
        (config / "KokkosConfig.cmake").write_text(CONFIG.format(devices=devices))
        (config / "KokkosConfigVersion.cmake").write_text(VERSION.format(version=version))
        return str(self.home / place)

    def make_sources(self) -> None:
        """The `trilinos` source archive that the package manager hands out."""
        folder = self.home / "T" / "packages" / "kokkos"
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(SOURCE)
        with tarfile.open(self.home / "trilinos_9.orig.tar.gz", "w:gz") as tar:
            tar.add(self.home / "T", "T")

    def apt_calls(self) -> list[str]:
        """The package manager's verbs, in order."""
        log = self.home / "apt.log"
        text = log.read_text() if log.exists() else ""
        return re.findall(r"^apt-get .*?\b(update|install|source)\b", text, re.MULTILINE)

    def cached(self) -> list[str]:
        """What the cache holds of Kokkos, without keys and locks."""
        names = (path.name for path in self.cache.glob("kokkos*"))
        return sorted(re.sub(r"[0-9a-f]{12}$", "KEY", n) for n in names if "lock" not in n)


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


def test_two_setups_at_once_build_once(machine):
    machine.make_sources()
    command = [str(machine.clone / "scripts" / "setup")]
    both = [
        subprocess.Popen(command, env=machine.environment, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        _, words = process.communicate(timeout=300)
        assert process.returncode == 0, words
    assert machine.apt_calls() == ["update", "source"]


def locks(machine: Machine, words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A script that locks `x` and goes on to say so."""
    source = f'source "$1/lib/common.sh"; {words}; locked x && echo "locked by $$"; echo on'
    return subprocess.run(
        ["bash", "-euc", source, "setup", str(machine.clone / "scripts")],
        env=machine.environment | environment, capture_output=True, text=True, check=False,
        timeout=60,
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


def set_aside(machine: Machine, *without: str) -> dict[str, str]:
    """A PATH with the tools of this one, less some."""
    aside = machine.home / "aside"
    aside.mkdir()
    for name in TOOLS:
        if found := shutil.which(name):
            (aside / name).symlink_to(found)
    for name in TOOLS - set(without):
        if (aside / name).exists() and not (machine.home / "bin" / name).exists():
            (machine.home / "bin" / name).symlink_to(aside / name)
    return {"PATH": f"{machine.home}/bin"}


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
