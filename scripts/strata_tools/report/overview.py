"""The banner, what it rests on, and the systems at a glance."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass

from strata_tools import quantity
from strata_tools.records import Case, Record
from strata_tools.records.alike import Machine
from strata_tools.report.blocks import (
    Block,
    Cell,
    Fold,
    Points,
    Section,
    Table,
    Text,
    words,
)
from strata_tools.report.book import Book
from strata_tools.report.standing import reason
from strata_tools.text import counted, grouped, printable

CEILINGS = ("read", "write", "copy", "triad")
MOST_FAILURES = 5
"""Named in the banner; the others are counted."""
MOST_LISTS = 3


@dataclass(frozen=True)
class Banner:
    """How far the page can be relied on: good, warn or bad, and why."""

    grade: str
    verdict: str
    facts: list[str]


def banner(book: Book, outliers: list[str]) -> Banner:
    records = len(book.records)
    good = sum(len(one.records) for one in book.series)
    systems = len({place.system for place in book.machines})
    official = sum(record.official for one in book.series for record in one.records)
    invalid = sum(not record.valid for record in book.records)
    cases = [case for s in book.series for record in s.records for case in record.cases]
    drifting = sum(case.drift for case in cases)
    failures = _failures(book)
    unchecked = sum(case.measured and not case.checks for case in cases)
    facts = [
        f"{counted(good, 'record')} from {counted(systems, 'system')} are behind the figures "
        f"below; {grouped(official)} of them official",
        f"{_checks(cases)}; what fails has no figure",
        *failures[:MOST_FAILURES],
    ]
    if len(failures) > MOST_FAILURES:
        facts.append(f"{counted(len(failures) - MOST_FAILURES, 'more case')} failed")
    if unchecked:
        facts.append(f"{counted(unchecked, 'case')} with a figure and without a check of it")
    facts.append(_sealed([record for one in book.series for record in one.records]))
    if good > official:
        reasons = Counter(r for s in book.series for one in s.records for r in one.reasons)
        listed = ", ".join(
            f"{reason(word)} × {number}" for word, number in reasons.most_common()
        )
        facts.append(f"not official because of: {listed}")
    if drifting:
        facts.append(f"{counted(drifting, 'case')} drifted by more than 2 % within a launch")
    if invalid:
        facts.append(f"{counted(invalid, 'record')} not valid: left out, named below")
    if book.skipped:
        facts.append(f"{counted(len(book.skipped), 'file')} skipped: named below")
    facts += outliers
    single = sum(len(one.records) == 1 for one in book.series)
    if single:
        facts.append(
            f"{single} of {len(book.series)} series rest on one launch: how much the next one "
            "would differ is not known"
        )
    if not good:
        return Banner("bad", "Nothing here can be relied on", facts)
    if invalid or book.skipped:
        left_out = counted(records - good + len(book.skipped), "file")
        return Banner("bad", f"{left_out} left out: see why", facts)
    if failures:
        return Banner("bad", f"{counted(len(failures), 'case')} failed: see why", facts)
    verified = "Not every answer verified" if unchecked else "Every answer verified"
    reserves = ["not every run official"] if official < good else []
    reserves += ["nodes or devices stand out"] if outliers else []
    if reserves or unchecked:
        return Banner(
            "warn", "; ".join([verified, *filter(None, [", ".join(reserves)])]), facts
        )
    return Banner("good", f"{verified}, every run official", facts)


def _sealed(records: list[Record]) -> str:
    """What shows that nobody changed them."""
    count = sum(record.seal is not None for record in records)
    if not count:
        return (
            "no record is in a list of sums (strata seal): none shows that it was not changed"
        )
    lists = sorted({printable(str(record.seal)) for record in records if record.seal})
    shown = ", ".join(lists[:MOST_LISTS]) + ", …" * (len(lists) > MOST_LISTS)
    return (
        f"{grouped(count)} of {counted(len(records), 'record')} are as they were when lists of "
        f"sums were made ({shown}); whether those are the first is for their signatures to show"
    )


def basis(banner: Banner) -> Section:
    return Section(
        "basis",
        "What can be relied on",
        "Of all records that were read. What a record derives was derived again from its "
        "samples; one that contradicts itself, or was altered, is named and left out.",
        [Points(banner.facts)],
    )


def _checks(cases: list[Case]) -> str:
    """How many passed, and how many did not."""
    passed = [check.passed for case in cases for check in case.checks]
    if all(passed):
        return f"{counted(len(passed), 'check')} of answers in them passed"
    good = (
        f"{grouped(sum(passed))} of {counted(len(passed), 'check')} of answers in them passed"
    )
    return f"{good}, {grouped(len(passed) - sum(passed))} failed"


def _failures(book: Book) -> list[str]:
    """One line for each case that failed, or a check of it."""
    return [
        f"failed on {book.machine_name(one.machine)}: {record.app} {case.label}: {case.lack}"
        for one in book.series
        for record in one.records
        for case in record.cases
        if case.failed_checks or case.status == "failed"
    ]


def systems(book: Book) -> Section:
    headings = ["system", "devices", *CEILINGS, "launches", "official"]
    rows = []
    for machine in book.machines:
        series = [one for one in book.series if one.machine == machine]
        records = [record for one in series for record in one.records]
        rows.append(
            [
                Cell(book.machine_name(machine)),
                Cell(_devices(machine), flag="prose"),
                *(_ceiling(records, name) for name in CEILINGS),
                Cell(str(len(records))),
                Cell(str(sum(record.official for record in records))),
            ]
        )
    blocks: list[Block] = [Table(headings, rows, words=2)]
    return Section(
        "systems",
        "Systems",
        "What each is, and the bandwidth of the whole job that its own runs measured beside "
        "their cases: the ceiling that the percentages below are of. The median of its "
        "launches, and below it the least and the most of them.",
        blocks + _left_out(book),
    )


def _devices(machine: Machine) -> str:
    threads = counted(machine.threads, "thread") if machine.threads else ""
    each = f", {threads}" + " each" * (machine.ranks > 1) if threads else ""
    nodes = f" on {machine.nodes} nodes" if machine.nodes > 1 else ""
    return f"{machine.ranks} × {machine.device}{each}{nodes}"


def _ceiling(records: list[Record], name: str) -> Cell:
    found = sorted(r.ceiling[name] for r in records if r.ceiling and name in r.ceiling)
    if not found:
        return Cell("–", hint="not measured")
    text, unit = quantity.scaled(statistics.median(found), "B/s")
    if len(found) == 1:
        return Cell(text, unit, note="one launch")
    ends = (found[0], found[-1])
    return Cell(text, unit, note=quantity.between(ends, "B/s", unit))


def _left_out(book: Book) -> list[Block]:
    folds: list[Block] = []
    if book.left_out:
        table = Table(
            ["record", "why it gives no figure"],
            [words(printable(str(record.path)), reason) for record, reason in book.left_out],
            words=2,
        )
        folds.append(Fold(f"{counted(len(book.left_out), 'record')} left out", [table]))
    if book.skipped:
        table = Table(
            ["file", "why it was skipped"],
            [words(printable(str(one.path)), one.reason) for one in book.skipped],
            words=2,
        )
        folds.append(Fold(f"{counted(len(book.skipped), 'file')} skipped", [table]))
    return folds or [Text("No file was skipped, and no record left out.")]
