"""Sweeps: figures against a size or another number, and where the fastest changes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from strata_tools import quantity
from strata_tools.records.alike import short_commit
from strata_tools.report import chart
from strata_tools.report.blocks import Block, Cell, Section, Table, words
from strata_tools.report.book import Book
from strata_tools.report.series import Entry
from strata_tools.text import finite, grouped

FEWEST_POINTS = 4
MOST_LINES = 7
OR = " or "
WAYS = ("variant", "library", "layout", "parallel", "access", "extents")
"""Axes that a line has its colour by."""


@dataclass(frozen=True)
class Sweep:
    """Lines over one number; what they have in common is in the title."""

    title: str
    axis: str
    lines: dict[str, dict[float, Entry]]

    @property
    def entry(self) -> Entry:
        """One of them."""
        return next(iter(next(iter(self.lines.values())).values()))

    def fastest(self) -> list[tuple[float, float, str]]:
        """Ranges of the axis, each with the line that is the fastest there, or the lines that
        are within their intervals of it, where more than one line was measured."""
        points = sorted({x for line in self.lines.values() for x in line})
        ranges: list[tuple[float, float, str]] = []
        for x in points:
            there = {name: line[x] for name, line in self.lines.items() if x in line}
            if len(there) < 2:
                continue
            winner = _winners(there)
            if ranges and ranges[-1][2] == winner:
                ranges[-1] = (ranges[-1][0], x, winner)
            else:
                ranges.append((x, x, winner))
        return ranges

    def at(self, names: str, x: float) -> Entry:
        """The fastest there of some lines."""
        lines = (self.lines[name] for name in names.split(OR))
        return max((line[x] for line in lines if x in line), key=lambda entry: entry.speed)


def _winners(there: dict[str, Entry]) -> str:
    best = max(there.values(), key=lambda entry: entry.speed)
    alike = [name for name, entry in there.items() if not best.beats(entry)]
    return OR.join(alike)


def sweeps(book: Book) -> list[Sweep]:
    """One for each place, app, build, problem but for its size, and unit with enough points."""
    groups: dict[tuple, list[Entry]] = defaultdict(list)
    for series in book.series:
        for problem in series.problems:
            kind = problem.question.of_any_size()
            groups[series.machine, series.subject, kind, problem.name] += problem.entries
    found = []
    for key, entries in groups.items():
        for axis in _candidates(entries):
            if made := _sweep(book, key, axis, entries):
                found.append(made)
                break
    return _told_apart(found)


def _told_apart(found: list[Sweep]) -> list[Sweep]:
    """Those of one title with the first thing that they differ in too: what is counted, the
    commit, the label or the tier; and a number where only the build does. Charts go by their
    titles."""
    for word in (_ordinate_of, _commit, _label, _tier):
        found = _with(found, word)
    numbers: Counter[str] = Counter()

    def number(sweep: Sweep) -> str:
        numbers[sweep.title] += 1
        return f"build {numbers[sweep.title]}"

    return _with(found, number)


def _with(found: list[Sweep], more: Callable[[Sweep], str]) -> list[Sweep]:
    words: dict[str, list[str]] = defaultdict(list)
    told = [more(sweep) if _times(found, sweep) > 1 else "" for sweep in found]
    for sweep, word in zip(found, told):
        words[sweep.title].append(word)
    return [
        replace(sweep, title=f"{sweep.title}, {word}")
        if word and len(set(words[sweep.title])) > 1
        else sweep
        for sweep, word in zip(found, told)
    ]


def _times(found: list[Sweep], sweep: Sweep) -> int:
    return sum(other.title == sweep.title for other in found)


def _ordinate_of(sweep: Sweep) -> str:
    return _ordinate(sweep.entry)


def _commit(sweep: Sweep) -> str:
    return f"commit {short_commit(sweep.entry.series.subject.commit)}"


def _label(sweep: Sweep) -> str:
    return sweep.entry.series.subject.label


def _tier(sweep: Sweep) -> str:
    return f"tier {sweep.entry.question.tier}"


def _numbers(entry: Entry) -> dict[str, float]:
    """All that an entry has a number for: of the deck, of sizes, of axes."""
    attributes: dict[str, Any] = {
        **entry.series.record.deck.problem,
        **entry.case.sizes,
        **entry.case.axes,
    }
    found = {}
    for name, value in attributes.items():
        if name in entry.series.outcomes or isinstance(value, bool):
            continue
        if (plain := finite(value)) is not None:
            found[name] = plain
    return found


def _candidates(entries: list[Entry]) -> list[str]:
    """Names with enough values: axes of the cases, keys of the deck, what came of them; among
    these the one with the most."""
    values: dict[str, set[float]] = defaultdict(set)
    for entry in entries:
        for name, number in _numbers(entry).items():
            values[name].add(number)
    axes = {axis for entry in entries for axis in entry.case.axes}
    enough = [name for name, numbers in values.items() if len(numbers) >= FEWEST_POINTS]
    asked = {key for entry in entries for key in entry.series.record.deck.problem}
    return sorted(
        enough, key=lambda name: (name not in axes, name not in asked, -len(values[name]), name)
    )


def _sweep(book: Book, key: tuple, axis: str, entries: list[Entry]) -> Sweep | None:
    axis_of = {id(e): _numbers(e)[axis] for e in entries if axis in _numbers(e)}
    lines: dict[tuple, dict[float, Entry]] = defaultdict(dict)
    for entry in entries:
        if id(entry) in axis_of:
            others = tuple(
                (k, v) for k, v in entry.case.axes.items() if k != axis and finite(v) is None
            )
            x = axis_of[id(entry)]
            rival = lines[others].get(x)
            if rival is None or entry.series.record.start > rival.series.record.start:
                lines[others][x] = entry
    long = {line: points for line, points in lines.items() if len(points) >= FEWEST_POINTS}
    if not long:
        return None
    machine, _, kind, name = key
    title = f"{kind.app} {name}, {book.machine_name(machine)}"
    return Sweep(title, axis, dict(zip(_line_names(list(long)), long.values())))


def _line_names(lines: list[tuple]) -> list[str]:
    """By what they differ in."""
    if len(lines) == 1:
        return [dict(lines[0]).get("variant", "measured")]
    common = set.intersection(*(set(line) for line in lines))
    return [" ".join(v for k, v in line if (k, v) not in common) for line in lines]


def section(book: Book) -> Section | None:
    found = sweeps(book)
    if not found:
        return None
    blocks: list[Block] = []
    for sweep in found:
        blocks.append(_chart(book, sweep))
        if ranges := sweep.fastest():
            blocks.append(_crossovers(sweep, ranges))
    return Section(
        "sweeps",
        "Sweeps and crossovers",
        "The primary figure against a size, or another number that decks vary. Below each, "
        "what is the fastest where: a structure that wins at one end may lose at the other.",
        blocks,
    )


def _chart(book: Book, sweep: Sweep):
    unit = _ordinate(sweep.entry)
    app = sweep.entry.series.record.app
    with chart.axes() as on:
        ranked = sorted(
            sweep.lines.items(), key=lambda item: -max(e.figure.value for e in item[1].values())
        )
        for name, line in ranked[:MOST_LINES]:
            xs = sorted(line)
            values = [line[x].figure.value for x in xs]
            style = book.styles.of(app, _style_key(line[xs[0]]))
            on.plot(xs, values, ms=4, label=name, **style)
        numbers = [x for line in sweep.lines.values() for x in line]
        if min(numbers) > 0 and max(numbers) / min(numbers) > 20:
            on.set_xscale("log")
        on.set_yscale("log")
        on.xaxis.set_major_formatter(chart.engineering())
        chart.sparse(on, across=chart.engineering())
        on.set_xlabel(sweep.axis.replace("_", " "))
        on.set_ylabel(unit)
        left = len(ranked) - MOST_LINES
        more = f" (the fastest {MOST_LINES} of {len(ranked)} lines)" if left > 0 else ""
        on.set_title(sweep.title + more, fontsize=9, loc="left")
        chart.legend(on)
        ends = "; ".join(f"{name}: {_ends(line)}" for name, line in ranked[:MOST_LINES])
        text = f"{sweep.title}: {unit} against {sweep.axis}. {ends}"
        return chart.finish(on, f"sweep {sweep.title}", text)


def _style_key(entry: Entry) -> tuple[str, ...]:
    """What a line is of, whatever the kernel and the problem: the same in every panel."""
    axes = entry.case.axes
    return tuple(axes[axis] for axis in WAYS if axis in axes)


def _ends(line: dict[float, Entry]) -> str:
    """In words: from 3.2 GB/s at 1 000 to 4.3 TB/s at 10 000 000."""
    first, last = min(line), max(line)
    return (
        f"from {quantity.shown(line[first].figure.value, line[first].figure.unit)} at "
        f"{_plain(first)} to {quantity.shown(line[last].figure.value, line[last].figure.unit)} "
        f"at {_plain(last)}"
    )


def _ordinate(entry: Entry) -> str:
    """Metric and unit; the unit alone where it says what is counted."""
    counted, unit = entry.metric, entry.figure.unit
    return unit if unit.removesuffix("/s").rstrip("s") in counted else f"{counted}, {unit}"


def _crossovers(sweep: Sweep, ranges: list[tuple[float, float, str]]) -> Table:
    rows = []
    for first, last, name in ranges:
        entry = sweep.at(name, last)
        number, unit = entry.figure.scaled
        rows.append(
            [
                *words(name),
                Cell(_plain(first)),
                Cell(_plain(last)),
                Cell(number, unit, link=entry.series.name, hint=entry.label),
            ]
        )
    return Table(["fastest", f"from {sweep.axis}", "to", "figure there"], rows)


def _plain(number: float) -> str:
    return grouped(number) if number >= 1000 else f"{number:g}"
