"""Per app: each problem on each system, and every case behind a click."""

from __future__ import annotations

from strata_tools import quantity
from strata_tools.report.blocks import Block, Cell, Fold, Section, Table, figure, percent
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Entry, Problem, Series
from strata_tools.text import counted

LEAD = (
    "The fastest that the core did on each problem (variant span; any, in an app that has no "
    "span), the app's primary figure first. Below it its storage order or variant; "
    "its share of the run's own bandwidth ceiling for its mix of reads and writes, by "
    "compulsory traffic, small where arithmetic or latency is the limit; and another variant, "
    "where one is faster by more than 1 %. More than 100 % is marked: a cache held data, or "
    "the ceiling's kernel is the slower one. Where a system has measured a "
    "problem several times, this is the official, else the largest, the most varied, the "
    "latest. Each figure links to its provenance; hover for interval and label."
)
FASTER = 1.01
"""Times the core's speed from which another variant is named."""


def sections(book: Book) -> list[Section]:
    apps = dict.fromkeys(row.app for row in book.rows)
    made = []
    for app in apps:
        rows = [row for row in book.rows if row.app == app]
        lead = f"As {made[0].title} above." if made else LEAD
        made.append(_section(book, app, rows, lead))
    return made


def _section(book: Book, app: str, rows: list[Row], lead: str) -> Section:
    places = [place for place in book.places if any(place in row.at for row in rows)]
    table = Table(
        ["problem", *(book.place_name(place) for place in places)],
        [[_problem(row), *(_summary(row.at.get(place)) for place in places)] for row in rows],
    )
    folds = [_every_case(book, one) for one in book.series if one.record.app == app]
    blocks: list[Block] = [table, *folds]
    return Section(f"app-{app}", f"strata-{app}", lead, blocks)


def _problem(row: Row) -> Cell:
    return Cell(row.name, note=next(iter(row.at.values())).own.metric)


def _summary(problem: Problem | None) -> Cell:
    if problem is None:
        return Cell("–", hint="not measured")
    entry = problem.own
    way = entry.layout or entry.label.partition("/")[2]
    notes = [way, _share(entry), _rival(problem)]
    return figure(
        entry,
        ", ".join(note for note in notes if note),
        flag="warn" if entry.above_ceiling else "",
    )


def _share(entry: Entry) -> str:
    """\"97.1 % of copy\""""
    if not entry.of_ceiling:
        return ""
    share, name = entry.of_ceiling
    return f"{percent(share)} of {name}"


def _rival(problem: Problem) -> str:
    best = problem.best()
    assert best is not None
    gain = best.speed / problem.own.speed
    return f"{best.variant} {gain:.2f}×" if gain > FASTER else ""


def _every_case(book: Book, series: Series) -> Fold:
    headings = [
        "case", "median", "best", "of ceiling", "time / control", "variation", "launches",
        "remarks",
    ]  # fmt: skip
    rows = [_row(entry) for entry in series.entries]
    record = series.record
    summary = (
        f"{series.name}: {book.place_name(series.place)}, {record.deck.name}, "
        f"{counted(len(rows), 'case')}, {counted(len(series.records), 'launch')}, "
        f"{series.standing}"
    )
    return Fold(summary, [Table(headings, rows)])


def _row(entry: Entry) -> list[Cell]:
    if not entry.measured:
        return [Cell(entry.label), *[Cell("–")] * 6, Cell(entry.case.lack, flag="prose")]
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
        Cell(*quantity.scaled(best, entry.figure.unit)),
        Cell(_share(entry) or percent(None), flag="warn" if entry.above_ceiling else ""),
        control,
        Cell(f"{100 * max(case.variation for case in entry.measured):.1f} %"),
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
