"""Per app: each problem on each system, and every case behind a click."""

from __future__ import annotations

from collections.abc import Iterable

from strata_tools import quantity
from strata_tools.records.alike import short_commit
from strata_tools.report.blocks import (
    Block,
    Cell,
    Fold,
    Section,
    Table,
    figure,
    noise,
    percent,
)
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Entry, Problem, Series
from strata_tools.text import counted

LEAD = (
    "The fastest that the core did on each problem (variant span; any, in an app that has no "
    "span), by the app's primary figure. Lines of one question, of the same problem, size, "
    "tier and commit on several machines, come first and stand together, the largest "
    "difference first: only these figures are comparable. Of a sweep of sizes on one "
    "machine the largest is here. The interval is that of the median "
    "at 95 %; of one launch it is that within the launch, and says nothing of the next. Noise "
    "is the samples' standard deviation over their mean. Of ceiling is the share of the run's "
    "own bandwidth ceiling for its mix of reads and writes, by compulsory traffic, small where "
    "arithmetic or latency is the limit; more than 100 % is marked: a cache held data, or the "
    "ceiling's kernel is the slower one. Another variant is named where it is faster by more "
    "than the intervals. Each figure links to its provenance."
)
HEADINGS = [
    "problem", "machine", "figure", "95 % interval", "noise", "× slowest", "way", "of ceiling",
    "faster variant",
]  # fmt: skip


def sections(book: Book) -> list[Section]:
    made: list[Section] = []
    for app in book.apps:
        rows = [row for row in book.rows if row.app == app]
        if rows:
            lead = f"As {made[0].title} below." if made else LEAD
            made.append(_section(book, app, rows, lead))
    return made


def _section(book: Book, app: str, rows: list[Row], lead: str) -> Section:
    shared = sorted((r for r in rows if len(r.at) > 1), key=lambda row: -row.difference)
    alone = _largest_of_sweeps(row for row in rows if len(row.at) == 1)
    lines = [
        _line(book, row, problem)
        for row in (*shared, *alone)
        for problem in sorted(row.at.values(), key=lambda p: -p.own.speed)
    ]
    table = Table(HEADINGS, lines, words=2)
    folds = [_every_case(book, one) for one in book.series if one.record.app == app]
    blocks: list[Block] = [table, *folds]
    return Section(f"app-{app}", f"strata-{app}", lead, blocks)


def _largest_of_sweeps(rows: Iterable[Row]) -> list[Row]:
    """Of what one machine has measured, by machine; of the sizes of one series the largest."""
    found: dict[tuple[str, str], Row] = {}
    for row in rows:
        (problem,) = row.at.values()
        key = (problem.entries[0].series.name, row.name)
        rival = found.get(key)
        if rival is None or problem.own.amount > next(iter(rival.at.values())).own.amount:
            found[key] = row
    return sorted(found.values(), key=lambda row: min(row.at))


def _line(book: Book, row: Row, problem: Problem) -> list[Cell]:
    entry = problem.own
    over = ""
    if len(row.at) > 1:
        slowest = min(other.own.speed for other in row.at.values())
        over = quantity.ratio(entry.speed / slowest)
    number, unit = entry.figure.scaled
    asked = ", ".join([row.question.tier, f"commit {short_commit(row.commit)}"])
    return [
        Cell(row.name, note=f"{entry.metric}, {book.size_of(row)}"),
        Cell(book.machine_name(problem.machine), note=asked),
        Cell(number, unit, link=entry.series.name, hint=entry.label),
        Cell(entry.figure.between),
        Cell(noise(entry)),
        Cell(over),
        Cell(problem.way, flag="prose"),
        _share(entry),
        Cell(_rival(problem)),
    ]


def _share(entry: Entry) -> Cell:
    """97 %, of copy."""
    if not entry.of_ceiling:
        return Cell(percent(None))
    share, name = entry.of_ceiling
    return Cell(percent(share), note=f"of {name}", flag="warn" if entry.above_ceiling else "")


def _rival(problem: Problem) -> str:
    """Another variant, where it is faster by more than both intervals."""
    best = problem.best()
    assert best is not None
    if not best.beats(problem.own):
        return ""
    return f"{best.variant} {quantity.ratio(best.speed / problem.own.speed)}×"


def _every_case(book: Book, series: Series) -> Fold:
    headings = [
        "case", "median", "95 % interval", "noise", "best", "of ceiling", "time / control",
        "launches", "remarks",
    ]  # fmt: skip
    rows = [_row(entry) for entry in series.entries]
    record = series.record
    summary = (
        f"{series.name}: {book.machine_name(series.machine)}, {record.deck.name}, "
        f"{counted(len(rows), 'case')}, {counted(len(series.records), 'launch')}, "
        f"{series.standing}"
    )
    return Fold(summary, [Table(headings, rows)])


def _row(entry: Entry) -> list[Cell]:
    if not entry.measured:
        return [Cell(entry.label), *[Cell("–")] * 7, Cell(entry.case.lack, flag="prose")]
    best = max(case.primary.best for case in entry.measured)
    if entry.better == "lower":
        best = min(case.primary.best for case in entry.measured)
    against = entry.against
    control = (
        Cell(
            quantity.ratio(against[1]),
            note=_difference(against[0], entry.label),
            hint=f"of times, paired by round: over {against[0]}",
        )
        if against
        else Cell("–")
    )
    return [
        Cell(entry.label),
        figure(entry),
        Cell(entry.figure.between),
        Cell(noise(entry)),
        Cell(*quantity.scaled(best, entry.figure.unit)),
        _share(entry),
        control,
        Cell(str(len(entry.measured))),
        Cell(_remarks(entry), flag="prose"),
    ]


def _difference(control: str, label: str) -> str:
    """The words of a control's label that the case's own has not, else all of them."""
    own = label.split("/")
    return " ".join(word for word in control.split("/") if word not in own) or control


def _remarks(entry: Entry) -> str:
    measured = entry.measured
    lost = len(entry.cases) - len(measured)
    found = [
        entry.above_ceiling,
        "not converged" if not all(case.converged for case in measured) else "",
        "drift" if any(case.drift for case in measured) else "",
        f"no figure in {lost} launches" if lost else "",
    ]
    return ", ".join(word for word in found if word)
