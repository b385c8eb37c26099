"""What a machine gave, on one screen, beside the nearest reference record of `results/`.

For orientation: the nearest may be of another device or size, which the table says. What may be
claimed is for `strata compare` to say. With the standard library alone, as a suite runs.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strata_tools import ROOT, quantity
from strata_tools.primary import is_primary
from strata_tools.text import printable

HEADINGS = ("app", "case", "figure", "95 % interval", "reference", "its figure", "ratio",
            "differs in")  # fmt: skip
CORE = "span"
"""The variant that is looked at, in an app that has it."""
OF_THE_LIBRARY = ("library_threads", "library_path")


@dataclass(frozen=True)
class Best:
    """The fastest case of the core in an app's primary kernel, of one launch."""

    document: dict[str, Any]
    case: dict[str, Any]

    @property
    def app(self) -> str:
        return self.document["app"]

    @property
    def ranks(self) -> int:
        return self.document["mpi"]["ranks"]

    @property
    def start(self) -> str:
        return self.document["run"]["start_utc"]

    @property
    def fom(self) -> dict[str, Any]:
        return next(fom for fom in self.case["foms"] if fom["scope"] == "job")

    @property
    def question(self) -> tuple:
        """What is answered, in whatever storage order."""
        axes = {k: v for k, v in self.case["axes"].items() if k != "layout"}
        return self.app, tuple(axes.items()), self.fom["metric"]

    @property
    def size(self) -> dict[str, Any]:
        return {k: v for k, v in self.case["problem"].items() if k not in OF_THE_LIBRARY}

    @property
    def place(self) -> dict[str, Any]:
        return self.document["placement"][0]

    @property
    def speed(self) -> float:
        value = self.fom["value"]
        return value if self.fom["better"] == "higher" else 1 / value

    @property
    def shown(self) -> str:
        return quantity.shown(self.fom["value"], self.fom["unit"], self.interval)

    @property
    def interval(self) -> tuple[float, float] | None:
        found = self.fom["ci95"]
        return (found[0], found[1]) if found else None

    @property
    def machine(self) -> str:
        system = self.document["run"]["system"]
        threads = "" if self.place["device_id"] >= 0 else f", {self.place['threads']} threads"
        return printable(f"{system}: {self.ranks} × {self.place['device']}{threads}")


def lines(records: Iterable[Path], references: Iterable[Path] | None = None) -> Iterator[str]:
    """The table; nothing where no record has a figure to show."""
    records = [path.resolve() for path in records]
    mine = _latest(_bests(records))
    if not mine:
        return
    others = committed() if references is None else references
    known = _bests(path for path in others if path.resolve() not in records)
    rows = [_row(one, _nearest(one, known)) for one in mine]
    widths = [max(map(len, column)) for column in zip(HEADINGS, *rows)]
    yield f"{mine[0].machine}, beside the nearest reference records"
    for row in (HEADINGS, *rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def committed() -> list[Path]:
    """The reference records of this clone; where git does not tell, all that lie there."""
    folder = ROOT / "results"
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "results/*.json"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [ROOT / name for name in listed.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        return sorted(folder.rglob("*.json"))


def _bests(paths: Iterable[Path]) -> list[Best]:
    """Of the records that are valid; what cannot be read has none."""
    found = []
    for path in paths:
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            if document["validity"]["valid"] and document["run"]["tier"] != "smoke":
                bests = _of(document)  # what the table asks of them later is asked here
                if all(one.machine and one.place["threads"] > 0 for one in bests):
                    found += bests
        except (OSError, ValueError, KeyError, TypeError, IndexError, StopIteration):
            continue
    return found


def _of(document: dict[str, Any]) -> list[Best]:
    """By question and size the fastest storage order."""
    best: dict[tuple, Best] = {}
    cases = [case for case in document["cases"] if case["status"] == "measured"]
    core = [case for case in cases if case["axes"].get("variant") == CORE]
    for case in core or cases:
        kernel = next(iter(case["axes"].values()))
        if is_primary(document["app"], kernel):
            one = Best(document, case)
            key = (one.question, tuple(one.size.items()))
            rival = best.get(key)
            if rival is None or one.speed > rival.speed:
                best[key] = one
    return list(best.values())


def _latest(found: list[Best]) -> list[Best]:
    """One of each app: of the latest launch the first that its deck lists."""
    apps: dict[str, Best] = {}
    for one in found:
        rival = apps.setdefault(one.app, one)
        if one.start > rival.start:
            apps[one.app] = one
    return list(apps.values())


def _nearest(mine: Best, known: list[Best]) -> Best | None:
    """By device, kind of device, ranks, size, threads; the latest of several."""

    def nearness(other: Best) -> tuple:
        return (
            other.place["device"] == mine.place["device"],
            (other.place["device_id"] >= 0) == (mine.place["device_id"] >= 0),
            other.ranks == mine.ranks,
            other.size == mine.size,
            -abs(math.log(other.place["threads"] / mine.place["threads"])),
            other.start,
        )

    alike = (one for one in known if one.question == mine.question)
    return max(alike, key=nearness, default=None)


def _row(mine: Best, other: Best | None) -> tuple[str, ...]:
    unit = quantity.scaled(mine.fom["value"], mine.fom["unit"], mine.interval)[1]
    between = quantity.between(mine.interval, mine.fom["unit"], unit) if mine.interval else "–"
    shown = mine.app, printable(mine.case["label"]), mine.shown, between
    if other is None:
        return (*shown, "none", "–", "–", "–")
    ratio = quantity.ratio(mine.speed / other.speed)
    return (*shown, other.machine, other.shown, ratio, _differs(mine, other))


def _differs(mine: Best, other: Best) -> str:
    threads = [one.place["threads"] for one in (mine, other) if one.place["device_id"] < 0]
    found = {
        "device": mine.place["device"] != other.place["device"],
        "threads": len(set(threads)) > 1,
        "ranks": mine.ranks != other.ranks,
        "size": mine.size != other.size,
        "tier": mine.document["run"]["tier"] != other.document["run"]["tier"],
        "commit": mine.document["suite"]["git"] != other.document["suite"]["git"],
    }
    return ", ".join(word for word, differs in found.items() if differs) or "nothing"
