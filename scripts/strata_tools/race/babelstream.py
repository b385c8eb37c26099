"""BabelStream as a peer: how it is started, and what it prints.

It tells the fastest of its executions of each kernel, the first left out; a sample of Strata's
is the mean of as many steps as fill the shortest sample allowed.
"""

from __future__ import annotations

import csv
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from strata_tools.launch import Launcher
from strata_tools.race.manifest import RaceError
from strata_tools.text import finite, printable, shortened

NAME = "BabelStream"
PREFIX = "babelstream:"
KERNELS = {
    "copy": "Copy", "scale": "Mul", "add": "Add", "triad": "Triad", "dot": "Dot",
    "nstream": "Nstream",
}  # fmt: skip
"""strata-stream's kernels, by the peer's names; both count the same bytes."""
SCALARS = {"double": 8, "float": 4}
OPTIONS = ("-n", "--numtimes", "--device", "-o", "--only")
"""What a user may hand on, each with a value; the race gives size, precision and form."""
UNITS = {"m": 10**6, "g": 10**9, "t": 10**12, "mi": 2**20, "gi": 2**30, "ti": 2**40}
TRIAL = ("-s", "1024", "-n", "2")
"""For its version: multiples of 1024 suit every model, and of two times it keeps one."""


@dataclass(frozen=True)
class Peer:
    """An executable of BabelStream."""

    program: Path
    words: tuple[str, ...]
    version: str
    implementation: str

    def command(self, elements: str, scalar: str) -> list[str]:
        precision = ["--float"] if scalar == "float" else []
        return [str(self.program), "-s", elements, *precision, "--csv", *self.words]

    def described(self) -> dict[str, str]:
        return {"name": NAME, "version": self.version, "implementation": self.implementation}


@dataclass(frozen=True)
class Figures:
    """What one launch printed."""

    elements: int
    element_bytes: int
    best: dict[str, float]
    """B/s by the peer's name of the kernel."""


def meet(program: Path, words: Sequence[str], launcher: Launcher) -> Peer:
    """Asks the program who it is, by a small run. Raises RaceError."""
    for name, value in zip(words[::2], [*words[1::2], None]):
        if name not in OPTIONS or value is None:
            raise RaceError(
                f"{NAME} is handed {shortened(name)}; it may be given {', '.join(OPTIONS)}, "
                "each with a value: size and precision are those of the other side's cases"
            )
    command = launcher.command(1, [str(program), *words, *TRIAL])
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, errors="replace",
            stdin=subprocess.DEVNULL, env=launcher.environment(),
        )  # fmt: skip
    except OSError as error:
        raise RaceError(f"{printable(str(program))} does not start: {error.strerror}") from None
    found = dict(re.findall(r"^(Version|Implementation): *(.*\S)", answer.stdout, re.MULTILINE))
    if answer.returncode != 0 or "BabelStream" not in answer.stdout or len(found) < 2:
        said = [line for line in (answer.stderr or answer.stdout).splitlines() if line.strip()]
        raise RaceError(
            f"{printable(str(program))} does not answer as {NAME} does (exit code "
            f"{answer.returncode}){': ' if said else ''}{shortened(' '.join(said[-3:]))}"
        )
    version, implementation = (shortened(found[key]) for key in ("Version", "Implementation"))
    return Peer(program, tuple(words), version, implementation)


def read(text: str) -> Figures:
    """The table of `--csv`, or the one for people. Raises RaceError."""
    lines = [line.strip() for line in text.splitlines()]
    by_csv = next((i for i, one in enumerate(lines) if one.startswith("function,")), None)
    figures = _of_people(lines) if by_csv is None else _of_csv(lines[by_csv:])
    if figures is None or not figures.best or not all(figures.best.values()):
        raise RaceError(f"printed no table of {NAME}'s")
    return figures


def _of_csv(lines: list[str]) -> Figures | None:
    heading, *rows = csv.reader(lines)
    unit = next((m for name in heading if (m := _unit(name, r"max_(\w+)_per_sec"))), None)
    if unit is None or not {"n_elements", "sizeof"} <= {*heading}:
        return None
    rate = next(i for i, name in enumerate(heading) if name.startswith("max_"))
    best, sizes = {}, set()
    for row in rows:
        named = dict(zip(heading, row))
        if len(row) == len(heading) and row[0] in KERNELS.values():
            best[row[0]] = unit * (finite(row[rate]) or 0.0)
            sizes.add((named["n_elements"], named["sizeof"]))
    if len(sizes) != 1:
        return None
    elements, width = sizes.pop()
    whole = elements.isdecimal() and width.isdecimal()
    return Figures(int(elements), int(width), best) if whole else None


def _of_people(lines: list[str]) -> Figures | None:
    facts = dict(line.split(": ", 1) for line in lines if ": " in line)
    elements, scalar = facts.get("Number of elements", ""), facts.get("Precision")
    start = next((i for i, line in enumerate(lines) if line.startswith("Function ")), None)
    unit = None if start is None else _unit(lines[start].split()[1], r"(\w+)/s(?:ec)?")
    if unit is None or not elements.isdecimal() or scalar not in SCALARS:
        return None
    rows = (line.split() for line in lines[start + 1 :])
    best = {
        row[0]: unit * (finite(row[1]) or 0.0)
        for row in rows
        if len(row) == 5 and row[0] in KERNELS.values()
    }
    return Figures(int(elements), SCALARS[scalar], best)


def _unit(text: str, pattern: str) -> int | None:
    """Of MB, MBytes, mbytes, GiB and kin, in bytes."""
    if not (found := re.fullmatch(pattern, text)):
        return None
    prefix = re.match(r"([mgt]i?)b(?:ytes)?$", found[1].lower())
    return UNITS[prefix[1]] if prefix else None
