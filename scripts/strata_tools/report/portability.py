"""Performance portability over systems: harmonic mean of efficiencies, 0 if any fails.

The metric of Pennycook, Sewall and Lee (2016), with application efficiency: the speed of a
variant over that of the fastest variant on the same system.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from strata_tools.report import chart
from strata_tools.report.blocks import Block, Cell, Fold, Section, Table
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Place, Problem
from strata_tools.text import counted


@dataclass(frozen=True)
class Standing:
    """How one variant does on one problem, over the places that measured the problem."""

    row: Row
    variant: str
    efficiencies: dict[Place, float]
    """0 where it failed or is not available."""
    not_run: list[Place]

    @property
    def portability(self) -> float | None:
        """None where it was not run everywhere: a blank is no failure."""
        if self.not_run:
            return None
        return harmonic(list(self.efficiencies.values()))


def harmonic(efficiencies: list[float]) -> float:
    """0 if any is 0."""
    return statistics.harmonic_mean(efficiencies) if all(efficiencies) else 0.0


def standings(book: Book, fewest: int = 2) -> list[Standing]:
    """Of every variant on every problem that enough places have measured."""
    found = []
    for row in book.rows:
        if len(row.at) < fewest:
            continue
        measured = [e.variant for p in row.at.values() for e in p.entries]
        failing = [v for place, p in row.at.items() for v in _failing(book, place, p)]
        for variant in dict.fromkeys(v for v in measured + failing if v):
            found.append(_standing(book, row, variant))
    return found


def _standing(book: Book, row: Row, variant: str) -> Standing:
    efficiencies, not_run = {}, []
    for place, problem in row.at.items():
        best, mine = problem.best(), problem.best(variant)
        assert best is not None
        if mine is not None:
            efficiencies[place] = mine.speed / best.speed
        elif variant in _failing(book, place, problem):
            efficiencies[place] = 0.0
        else:
            not_run.append(place)
    return Standing(row, variant, efficiencies, not_run)


def _failing(book: Book, place: Place, problem: Problem) -> set[str]:
    """Variants that were asked for the problem at this place and gave nothing."""
    entries = [
        entry
        for series in book.series
        if series.place == place and series.record.app == problem.app
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
        summary = counted(len({(one.row.app, one.row.name) for one in others}), "other problem")
        blocks.append(Fold(summary, [_table(book, others)]))
    for row in first.values():
        mine = [one for one in primary if one.row is row and one.portability is not None]
        if mine:
            blocks.append(_cascade(mine))
    return Section(
        "portability",
        "Performance portability",
        "Efficiency of a variant is its speed over that of the fastest variant on the same "
        "system; its portability is the harmonic mean over the systems that measured the "
        "problem, and 0 if it fails on any. –: the variant was not run there, and no mean is "
        "made; blank: the problem was not measured there. The cascade adds systems from the "
        "best to the worst: solid the efficiency, dotted the portability so far.",
        blocks,
    )


def _table(book: Book, found: list[Standing]) -> Table:
    places = [p for p in book.places if any(p in one.row.at for one in found)]
    rows = []
    for one in found:
        cells = [_cell(one, place) for place in places]
        total = one.portability
        rows.append(
            [
                Cell(f"{one.row.app}: {one.row.name}"),
                Cell(one.variant),
                Cell(
                    "–" if total is None else f"{total:.2f}", flag="bad" if total == 0 else ""
                ),
                *cells,
            ]
        )
    headings = ["problem", "variant", "portability", *(book.place_name(p) for p in places)]
    return Table(headings, rows, words=2)


def _cell(one: Standing, place: Place) -> Cell:
    if place not in one.efficiencies:
        return Cell("–", hint="not run") if place in one.not_run else Cell("")
    problem = one.row.at[place]
    mine = problem.best(one.variant)
    link = problem.entries[0].series.name
    hint = mine.label if mine else "failed or not available"
    return Cell(f"{one.efficiencies[place]:.2f}", link=link, hint=hint)


def _cascade(found: list[Standing]):
    row = found[0].row
    with chart.axes(height=2.8) as on:
        for number, one in enumerate(found):
            ordered = sorted(one.efficiencies.values(), reverse=True)
            counts = range(1, len(ordered) + 1)
            so_far = [harmonic(ordered[:count]) for count in counts]
            style = {"color": chart.colour(number), "marker": chart.marker(number)}
            on.plot(counts, ordered, label=one.variant, **style)
            on.plot(counts, so_far, ls=":", ms=3, **style)
        on.set_ylim(-0.03, 1.05)
        on.set_xticks(range(1, len(row.at) + 1))
        on.set_xlabel("systems, each variant's best first")
        on.set_ylabel("efficiency, portability")
        on.set_title(f"{row.app}: {row.name}", fontsize=9, loc="left")
        on.legend(loc="lower left")
        words = ", ".join(f"{one.variant} {one.portability:.2f}" for one in found)
        text = f"Cascade of {row.app} {row.name}: portability of {words}"
        return chart.finish(on, f"portability {row.app}", text)
