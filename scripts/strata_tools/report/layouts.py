"""What the wrong layout costs: storage order by device, as a heat map."""

from __future__ import annotations

import math
from collections import defaultdict

from strata_tools import quantity
from strata_tools.records.alike import Machine
from strata_tools.report.blocks import Block, Cell, Fold, Section, Table
from strata_tools.report.book import Book
from strata_tools.report.series import Entry, Problem
from strata_tools.text import counted

DARKEST = 10.0
"""Times the best layout's time at which the colour ends."""
NOTABLE = 1.05
"""Times the best layout's time from which a problem is shown at once."""


Lines = dict[str, dict[str, tuple[Entry, float]]]
"""Line to layout to the case and its cost."""


def section(book: Book) -> Section | None:
    tables: list[Block] = []
    for place in book.machines:
        problems = [_costs(book, place, app, name) for app, name in book.quoted]
        if any(problems):
            tables += _tables(book.machine_name(place), [one for one in problems if one])
    if not tables:
        return None
    return Section(
        "layouts",
        "What the wrong layout costs",
        "Time of the same problem in each storage order over that in its best line and order, "
        "on the same device and in the same rounds; everything else on a line is alike. 1.00 "
        "is the best; the darker, the dearer.",
        tables,
    )


def _costs(book: Book, place: Machine, app: str, name: str) -> Lines:
    """Of the series with the most to tell, the best line first."""
    found: Lines = {}
    for series in book.series:
        if series.machine == place and series.record.app == app:
            for problem in series.problems:
                if problem.name == name:
                    found = max(found, _lines(problem), key=lambda d: sum(map(len, d.values())))
    ordered = sorted(found.items(), key=lambda line: min(cost for _, cost in line[1].values()))
    return {f"{app}: {line}": costs for line, costs in ordered}


def _lines(problem: Problem) -> Lines:
    """Cases of the core that differ in nothing but the layout: the lines with the most."""
    groups: dict[tuple, dict[str, Entry]] = defaultdict(dict)
    for entry in problem.entries:
        if entry.variant == "span" and entry.layout:
            others = tuple(item for item in entry.case.axes.items() if item[0] != "layout")
            groups[others][entry.layout] = entry
    most = max(map(len, groups.values()), default=0)
    if most < 2:
        return {}
    kept = {others: found for others, found in groups.items() if len(found) == most}
    fastest = {others: min(e.time for e in found.values()) for others, found in kept.items()}
    best = min(fastest.values())
    common = set.intersection(*(set(others) for others in kept))
    lines = {}
    for others, found in kept.items():
        plain = fastest[others] == best
        own = [] if plain else [v for k, v in others if (k, v) not in common]
        line = " ".join([problem.name, *own])
        lines[line] = {layout: (e, e.time / best) for layout, e in found.items()}
    return lines


def _tables(place: str, problems: list[Lines]) -> list[Block]:
    """Problems where an order costs something, each with all of its lines; the rest folded."""
    dear, cheap = {}, {}
    for lines in problems:
        most = max(cost for costs in lines.values() for _, cost in costs.values())
        (dear if most > NOTABLE else cheap).update(lines)
    blocks: list[Block] = [_table(place, dear)] if dear else []
    if cheap:
        loss = f"{100 * NOTABLE - 100:.0f} %"
        summary = (
            f"{place}: {counted(len(cheap), 'line')} where no order costs more than {loss}"
        )
        blocks.append(Fold(summary, [_table("", cheap)]))
    return blocks


def _table(caption: str, rows: Lines) -> Table:
    layouts = list(dict.fromkeys(layout for found in rows.values() for layout in found))
    made = [
        [Cell(name), *(_cell(*found.get(layout, (None, 0.0))) for layout in layouts)]
        for name, found in rows.items()
    ]
    return Table(["problem", *layouts], made, caption)


def _cell(entry: Entry | None, cost: float) -> Cell:
    if entry is None:
        return Cell("")
    shade = min(math.log(max(cost, 1)) / math.log(DARKEST), 1)
    hint = f"{entry.label}: {quantity.shown(entry.time, 's')} a step; {entry.figure.basis}"
    return Cell(f"{cost:.2f}", link=entry.series.name, hint=hint, shade=shade)
