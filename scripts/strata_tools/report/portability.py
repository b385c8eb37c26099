"""Performance portability over devices: harmonic mean of efficiencies, 0 if any fails.

The metric of Pennycook, Sewall and Lee (2016), with application efficiency: the speed of a
variant over that of the fastest variant on the same device.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from strata_tools.report import chart
from strata_tools.report.blocks import Block, Cell, Fold, Section, Table
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Problem
from strata_tools.text import counted

FEWEST = 2
"""Devices that a portability is over."""


@dataclass(frozen=True)
class Standing:
    """How one variant does on one question, over the devices that answered it."""

    row: Row
    variant: str
    efficiencies: dict[str, float]
    """By device; 0 where it failed or is not available."""
    not_run: list[str]

    @property
    def portability(self) -> float | None:
        """None where it was not run everywhere, since a blank is no failure, or there is one
        device only."""
        if self.not_run or len(self.efficiencies) < FEWEST:
            return None
        return harmonic(list(self.efficiencies.values()))


def harmonic(efficiencies: list[float]) -> float:
    """0 if any is 0."""
    return statistics.harmonic_mean(efficiencies) if all(efficiencies) else 0.0


def standings(book: Book, fewest: int = FEWEST) -> list[Standing]:
    """Of every variant on every question that enough devices have answered."""
    found = []
    for row in book.rows:
        if len(row.by_device) < fewest:
            continue
        measured = [e.variant for p in row.by_device.values() for e in p.entries]
        failing = [v for p in row.by_device.values() for v in _failing(book, p)]
        for variant in dict.fromkeys(v for v in measured + failing if v):
            found.append(_standing(book, row, variant))
    return found


def _standing(book: Book, row: Row, variant: str) -> Standing:
    efficiencies, not_run = {}, []
    for device, problem in row.by_device.items():
        best, mine = problem.best(), problem.best(variant)
        assert best is not None
        if mine is not None:
            efficiencies[device] = mine.speed / best.speed
        elif variant in _failing(book, problem):
            efficiencies[device] = 0.0
        else:
            not_run.append(device)
    return Standing(row, variant, efficiencies, not_run)


def _failing(book: Book, problem: Problem) -> set[str]:
    """Variants that were asked for the problem on this machine and gave nothing."""
    subject = problem.entries[0].series.subject
    entries = [
        entry
        for series in book.series
        if series.subject == subject and series.record.app == problem.app
        for entry in series.entries
        if problem.identity.items() <= entry.attributes.items()
    ]
    return {e.variant for e in entries} - {e.variant for e in entries if e.measured}


def section(book: Book) -> Section | None:
    found = standings(book)
    if not found:
        return None
    first: dict[str, Row] = {}
    for one in found:
        first.setdefault(one.row.app, one.row)
    primary = [one for one in found if one.row is first[one.row.app]]
    others = [one for one in found if one.row is not first[one.row.app]]
    blocks: list[Block] = [_table(book, primary)]
    if others:
        summary = counted(len({id(one.row) for one in others}), "other problem")
        blocks.append(Fold(summary, [_table(book, others)]))
    for row in first.values():
        mine = [one for one in primary if one.row is row and one.portability is not None]
        if mine:
            blocks.append(_cascade(book, mine))
    return Section(
        "portability",
        "Performance portability",
        "Efficiency of a variant is its speed over that of the fastest variant on the same "
        "device; its portability is the harmonic mean over the devices that measured the same "
        "problem, size, tier and commit, and 0 if it fails on any. A model of device counts "
        "once, however many systems have it. –: the variant was not run there, and no mean is "
        "made; blank: the problem was not measured there. The cascade adds devices from the "
        "best to the worst: solid the efficiency, dotted the portability so far.",
        blocks,
    )


def _table(book: Book, found: list[Standing]) -> Table:
    devices = sorted({device for one in found for device in one.row.by_device})
    rows = []
    for one in found:
        cells = [_cell(one, device) for device in devices]
        total = one.portability
        rows.append(
            [
                Cell(f"{one.row.app}: {one.row.name}", note=book.size_of(one.row)),
                Cell(one.variant),
                Cell(
                    "–" if total is None else f"{total:.2f}", flag="bad" if total == 0 else ""
                ),
                *cells,
            ]
        )
    return Table(["problem", "variant", "portability", *devices], rows, words=2)


def _cell(one: Standing, device: str) -> Cell:
    if device not in one.efficiencies:
        return Cell("–", hint="not run") if device in one.not_run else Cell("")
    problem = one.row.by_device[device]
    mine = problem.best(one.variant)
    link = problem.entries[0].series.name
    hint = mine.label if mine else "failed or not available"
    return Cell(f"{one.efficiencies[device]:.2f}", link=link, hint=hint)


def _cascade(book: Book, found: list[Standing]):
    row = found[0].row
    with chart.axes(height=2.8) as on:
        for one in found:
            ordered = sorted(one.efficiencies.values(), reverse=True)
            counts = range(1, len(ordered) + 1)
            so_far = [harmonic(ordered[:count]) for count in counts]
            style = book.styles.of("variant", one.variant)
            on.plot(counts, ordered, label=one.variant, **style)
            on.plot(counts, so_far, **{**style, "ls": ":", "ms": 3})
        on.set_ylim(-0.03, 1.05)
        on.set_xticks(range(1, len(row.by_device) + 1))
        on.set_xlabel("devices, each variant's best first")
        on.set_ylabel("efficiency, portability")
        on.set_title(f"{row.app}: {row.name}, {book.size_of(row)}", fontsize=9, loc="left")
        chart.legend(on)
        words = ", ".join(f"{one.variant} {one.portability:.2f}" for one in found)
        text = f"Cascade of {row.app} {row.name}: portability of {words}"
        return chart.finish(on, f"portability {row.app}", text)
