"""Which structure to choose: time between two changes, with some number of reads in it.

For apps that measure both how structures are made or changed (kernels `build` and `update`) and
how they are read (`statistics`): a structure that is cheap to change may be dear to read.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from strata_tools import quantity
from strata_tools.report import chart
from strata_tools.report.blocks import Block, Cell, Chart, Section, Table, words
from strata_tools.report.book import Book
from strata_tools.report.series import Entry, Problem, Series
from strata_tools.text import finite

READ = "statistics"
CHANGES = {"update": "a time step", "build": "a build"}
READS = np.logspace(-2, 4, 400)
"""Passes over the structure for each change."""
LINEAR = 5
"""Times the least up to which the scale is: a logarithmic one would have two numbers on it."""


@dataclass(frozen=True)
class Crossover:
    """Structures of one problem, each with its time per change and per reading pass, in s."""

    problem: str
    machine: str
    series: Series
    change: str
    """update or build."""
    times: dict[str, tuple[float, float]]

    @property
    def title(self) -> str:
        return f"{self.problem}, {self.machine}"

    def total(self, structure: str, reads: np.ndarray) -> np.ndarray:
        change, read = self.times[structure]
        return change + reads * read

    def fastest(self) -> list[tuple[float, float, str]]:
        """Ranges of passes per change, each with the structure that is the fastest there; from
        0 to infinity."""
        at, ranges = 0.0, []
        best = min(self.times, key=lambda name: self.times[name])
        while True:
            change, read = self.times[best]
            meets = [
                ((c - change) / (read - r), r, name)
                for name, (c, r) in self.times.items()
                if r < read
            ]
            if not meets:
                return [*ranges, (at, float("inf"), best)]
            end, _, following = min(meets)
            ranges.append((at, end, best))
            at, best = end, following


def crossovers(book: Book) -> list[Crossover]:
    """Of each problem of making or changing, at each place, with the reading of the same."""
    found = []
    for (app, name), at in book.quoted.items():
        for machine, problem in at.items():
            series = problem.own.series
            reading = next((p for p in series.problems if _reads(p, problem)), None)
            if problem.kernel in CHANGES and reading:
                where = f"{app} {name}", book.machine_name(machine)
                for times in _times(problem, reading):
                    if len(times) > 1:
                        found.append(Crossover(*where, series, problem.kernel, times))
    return found


def _reads(reading: Problem, change: Problem) -> bool:
    same = list(reading.identity.values())[1:] == list(change.identity.values())[1:]
    return reading.kernel == READ and same and _size(reading) == _size(change)


def _size(problem: Problem) -> dict:
    entry = problem.own
    asked = entry.series.record.deck.problem
    return {k: v for k, v in entry.case.sizes.items() if k in asked}


def _times(change: Problem, reading: Problem) -> list[dict[str, tuple[float, float]]]:
    """By the axes other than kernel and variant: structure to its two times."""
    groups: dict[tuple, dict[str, dict[str, Entry]]] = defaultdict(lambda: defaultdict(dict))
    for entry in (*change.entries, *reading.entries):
        axes = dict(entry.case.axes)
        kernel, variant = axes.pop(next(iter(axes))), axes.pop("variant", "")
        groups[tuple(axes.items())][variant][kernel] = entry
    deck = change.own.series.record.deck
    asked = finite(deck.problem.get("steps", 1)) if change.kernel == "update" else 1
    steps = asked if asked and asked > 0 else 1
    return [
        {
            name: (kernels[change.kernel].time / steps, kernels[READ].time)
            for name, kernels in structures.items()
            if len(kernels) == 2
        }
        for structures in groups.values()
    ]


def section(book: Book) -> Section | None:
    found = crossovers(book)
    if not found:
        return None
    blocks: list[Block] = []
    for alike in _alike(found):
        blocks += [_chart(book, alike), _table(alike)]
    return Section(
        "crossover",
        "Which structure, for how many reads",
        "Time of one change of the structure and a number of passes that read it, over the "
        "least of all structures: what is right for a list that is read once is not for one "
        "that is read a hundred times. Made of the medians of two kernels; a ratio near 1 is "
        "within what they vary by.",
        blocks,
    )


def _alike(found: list[Crossover]) -> list[list[Crossover]]:
    """Machines on which the same structures follow each other tell the same: one chart."""
    groups: dict[tuple, list[Crossover]] = defaultdict(list)
    for one in found:
        groups[one.problem, tuple(name for _, _, name in one.fastest())].append(one)
    return list(groups.values())


def _chart(book: Book, alike: list[Crossover]) -> Chart:
    one, *others = alike
    totals = {name: one.total(name, READS) for name in one.times}
    least = np.min(list(totals.values()), axis=0)
    with chart.axes() as on:
        for number, (name, total) in enumerate(totals.items()):
            on.plot(
                READS, total / least, label=name, markevery=(10 * number, 80), ms=4,
                **book.styles.of("structure", name),
            )  # fmt: skip
        on.set_xscale("log")
        if max(np.max(total / least) for total in totals.values()) > LINEAR:
            on.set_yscale("log")
        chart.sparse(on)
        on.yaxis.set_major_formatter(chart.plain())
        on.set_xlabel(f"reading passes for {CHANGES[one.change]}")
        on.set_ylabel("time over the least of all structures")
        same = "".join(f"\nthe same order on {other.machine}" for other in others)
        on.set_title(one.title + same, fontsize=9, loc="left")
        chart.legend(on)
        order = ", then ".join(name for _, _, name in one.fastest())
        text = f"{one.title}: {CHANGES[one.change]} and reads; the least are {order}"
        return chart.finish(on, f"crossover {one.title}", text)


def _table(alike: list[Crossover]) -> Table:
    rows = []
    for one in alike:
        for first, last, name in one.fastest():
            change, read = one.times[name]
            link = one.series.name
            rows.append(
                [
                    *words(one.machine, name),
                    Cell(quantity.rounded(first, 2)),
                    Cell("∞" if last == float("inf") else quantity.rounded(last, 2)),
                    Cell(*quantity.scaled(change, "s"), link=link),
                    Cell(*quantity.scaled(read, "s"), link=link),
                ]
            )
    headings = ["system", "fastest", "from passes", "to", alike[0].change, "a pass"]
    return Table(headings, rows, alike[0].problem, words=2)
