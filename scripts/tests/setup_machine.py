"""A machine for scripts/setup: a home of its own and, in place of a package manager or a
Kokkos, small ones that say when they are used."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

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
file(WRITE "${CMAKE_BINARY_DIR}/KokkosConfig.cmake"
     "set(Kokkos_DEVICES OPENMP)\n# FLAGS ${CMAKE_CXX_FLAGS}\n")
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
        # One that has PyYAML: making another takes a package registry.
        write_program(home / "bin" / "python3", f'exec {shlex.quote(sys.executable)} "$@"\n')
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
