"""The sides of a race: what the user named, and the executables that stand for it."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strata_tools.launch import Build
from strata_tools.race.babelstream import PREFIX, Peer
from strata_tools.race.manifest import RaceError
from strata_tools.text import printable, shortened

PLACES = (".", "build/run")
"""Below a folder: a build, a prefix or bare executables; the build of a clone."""


@dataclass(frozen=True)
class Contender:
    """One side: an executable for each of its apps, or one of a peer."""

    side: str
    given: str
    build: Build
    """What tells launchers of MPI and devices."""
    programs: dict[str, Path]
    """By app."""
    words: tuple[str, ...] = ()
    """A peer's own."""
    peer: Peer | None = None

    @property
    def is_peer(self) -> bool:
        """Also before it was met."""
        return self.given.startswith(PREFIX)

    def ask(self, app: str, words: list[str]) -> subprocess.CompletedProcess[str]:
        """An executable's answer to a question that measures nothing. Raises RaceError."""
        return _ask(self.side, self.programs[app], words)

    def described(self, apps: list[str]) -> dict[str, Any]:
        """For the manifest."""
        if self.peer:
            command = [str(self.peer.program), *self.words]
            return {
                "given": self.given,
                "peer": {**self.peer.described(), "command": command,
                         "sha256": _sha256(self.peer.program)},
            }  # fmt: skip
        return {
            "given": self.given,
            "executables": {
                app: {"path": str(path), "sha256": _sha256(path)}
                for app, path in self.programs.items()
                if app in apps
            },
        }


def find(side: str, given: str) -> Contender:
    """What stands for the words of a user: an executable, a folder of executables, a build, an
    installation, a clone with its build, or babelstream:PROGRAM. Raises RaceError."""
    if given.startswith(PREFIX):
        return _peer(side, given)
    path = Path(given)
    if path.is_dir():
        return _folder(side, given, path)
    program = _executable(side, path)
    folder = program.parent.parent if program.parent.name == "bin" else program.parent
    return Contender(side, given, Build(folder), {_app_of(side, program): program})


def _peer(side: str, given: str) -> Contender:
    try:
        name, *words = shlex.split(given.removeprefix(PREFIX))
    except ValueError:
        raise RaceError(f"{side}: {shortened(given)} names no program") from None
    program = _executable(side, Path(name))
    return Contender(side, given, Build(program.parent), {"stream": program}, tuple(words))


def _executable(side: str, path: Path) -> Path:
    if not path.is_file() or not os.access(path, os.X_OK):
        lack = "is no executable" if path.exists() else "does not exist"
        raise RaceError(
            f"{side}: {printable(str(path))} {lack}; name an executable, or a folder with "
            f"strata-APP in it, in its bin or its {PLACES[1]}/bin"
        )
    return path.resolve()


def _folder(side: str, given: str, path: Path) -> Contender:
    for place in PLACES:
        for folder in (path / place / "bin", path / place):
            programs = {
                one.name.removeprefix("strata-"): one.resolve()
                for one in sorted(folder.glob("strata-*"))
                if one.is_file() and os.access(one, os.X_OK)
            }
            if programs:
                build = (folder.parent if folder.name == "bin" else folder).resolve()
                return Contender(side, given, Build(build), programs)
    raise RaceError(
        f"{side}: {printable(given)} has no executables strata-APP, nor has its bin or its "
        f"{PLACES[1]}/bin; scripts/run builds them"
    )


def _app_of(side: str, program: Path) -> str:
    """By what it says of itself, whatever its file is called."""
    answer = _ask(side, program, ["--version"])
    if found := re.match(r"strata-([a-z][a-z0-9_-]*) \d", answer.stdout):
        return found[1]
    raise RaceError(
        f"{side}: {printable(str(program))} does not answer --version as Strata's apps do; a "
        f"peer is named as {PREFIX}PROGRAM"
    )


def _ask(side: str, program: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            [str(program), *words], capture_output=True, text=True, check=False,
            errors="replace", stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError as error:
        raise RaceError(
            f"{side}: {printable(str(program))} does not start: {error.strerror}"
        ) from None


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
