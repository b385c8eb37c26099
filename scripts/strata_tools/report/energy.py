"""Energy, where runs could read a counter."""

from __future__ import annotations

import statistics
from collections import Counter

from strata_tools import quantity
from strata_tools.report.blocks import Block, Cell, Section, Table, Text, words
from strata_tools.report.book import Book
from strata_tools.report.series import Series
from strata_tools.text import counted


def section(book: Book) -> Section:
    """Always there: also to say that nothing was measured, and why."""
    measured = [s for s in book.series if any(record.energy for record in s.records)]
    blocks: list[Block] = []
    if measured:
        headings = [
            "system", "app", "counter", "scope", "energy", "in", "mean power",
            "traffic per joule", "primary figure per watt",
        ]  # fmt: skip
        blocks.append(Table(headings, [_row(book, one) for one in measured], words=4))
    reasons = Counter(r.energy_reason for s in book.series for r in s.records if not r.energy)
    for reason, count in reasons.most_common():
        why = reason or "no reason given"
        blocks.append(Text(f"Not available for {counted(count, 'record')}: {why}."))
    return Section(
        "energy",
        "Energy",
        "Of the measuring rounds, all cases and the ceiling's together, in the counter's "
        "scope: different scopes are never to be compared. Traffic is what the timed steps of "
        "the cases must move; the rest of the rounds counts against it. Per watt is given "
        "where a run measured one case only. Of several launches, the mean.",
        blocks,
    )


def _row(book: Book, series: Series) -> list[Cell]:
    counted_in = [record for record in series.records if record.energy]
    record = counted_in[0]
    energy = record.energy
    assert energy is not None
    joules, seconds = (
        statistics.fmean(one.energy[key] for one in counted_in if one.energy)
        for key in ("joules", "seconds")
    )
    moved = statistics.fmean(
        sum(case.bytes * case.steps for case in one.cases) for one in counted_in
    )
    watts = joules / seconds if seconds else float("nan")
    measured = [entry for entry in series.entries if entry.measured]
    single = Cell("–", hint="several cases in one run")
    if len(measured) == 1:
        text, unit = quantity.scaled(measured[0].figure.value / watts, measured[0].figure.unit)
        single = Cell(text, f"{unit}/W", link=series.name)
    per_joule = moved / joules if joules and moved else float("nan")
    return [
        Cell(book.machine_name(series.machine)),
        Cell(record.app, note=record.deck.name),
        *words(energy["source"], energy["scope"]),
        Cell(*quantity.scaled(joules, "J"), link=series.name),
        Cell(*quantity.scaled(seconds, "s")),
        Cell(*quantity.scaled(watts, "W")),
        Cell(*quantity.scaled(per_joule, "B/J")),
        single,
    ]
