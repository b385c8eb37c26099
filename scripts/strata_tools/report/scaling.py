"""Strong and weak scaling, from series that differ in the number of ranks alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from strata_tools import quantity
from strata_tools.report import chart
from strata_tools.report.blocks import Cell, Chart, Fold, Section, Table, figure, words
from strata_tools.report.book import Book
from strata_tools.report.series import Entry
from strata_tools.text import counted

MOST_ROWS = 16
ALIKE = 0.01
"""Work per rank, or in all, is the same within this."""


@dataclass(frozen=True)
class Ladder:
    """One case on one kind of device, by ranks."""

    app: str
    device: str
    label: str
    kind: str
    """strong or weak."""
    steps: dict[int, Entry]

    def efficiency(self, ranks: int) -> float:
        """Speed per rank over that of the fewest ranks."""
        fewest = min(self.steps)
        per_rank = {n: self.steps[n].speed / n for n in (ranks, fewest)}
        return per_rank[ranks] / per_rank[fewest]


def ladders(book: Book) -> list[Ladder]:
    groups: dict[tuple, dict[int, list[Entry]]] = defaultdict(lambda: defaultdict(list))
    for series in book.series:
        record = series.record
        subject = series.subject.on_any_ranks()
        for entry in series.entries:
            if entry.measured and entry.better == "higher":
                kind = entry.question.of_any_size()
                key = (record.app, subject.device, subject, kind, entry.label)
                groups[key][record.ranks].append(entry)
    found = []
    for key, by_ranks in groups.items():
        for kind in ("strong", "weak"):
            steps = _steps(by_ranks, kind)
            if len(steps) > 1:
                found.append(Ladder(key[0], key[1], key[-1], kind, steps))
    return found


def _steps(by_ranks: dict[int, list[Entry]], kind: str) -> dict[int, Entry]:
    """Of the largest ladder that starts from one of the entries with the fewest ranks."""
    best: dict[int, Entry] = {}
    for start in by_ranks[min(by_ranks)]:
        ranks = start.series.record.ranks
        steps = {}
        for number, entries in sorted(by_ranks.items()):
            wanted = start.amount * (number / ranks if kind == "weak" else 1)
            alike = [e for e in entries if abs(e.amount / wanted - 1) < ALIKE]
            if alike:
                steps[number] = max(alike, key=lambda e: e.series.record.start)
        best = max(best, steps, key=len)
    return best


def section(book: Book) -> Section | None:
    found = ladders(book)
    if not found:
        return None
    devices = dict.fromkeys(one.device for one in found)
    charts = [
        _chart(book, device, [o for o in found if o.device == device]) for device in devices
    ]
    return Section(
        "scaling",
        "Scaling",
        "Speed per rank over that of the fewest ranks, one rank per device: strong where the "
        "work is the same in all, weak where it is the same per rank. Only series of one build "
        "on one kind of device are set side by side.",
        [*charts, _table(found) if len(found) <= MOST_ROWS else _folded(found)],
    )


def _chart(book: Book, device: str, found: list[Ladder]) -> Chart:
    """The worst ladder of the core in each app: the others are in the table."""
    core = [one for one in found if "/span/" in one.label] or found
    worst: dict[str, Ladder] = {}
    for one in sorted(core, key=lambda one: one.efficiency(max(one.steps))):
        worst.setdefault(one.app, one)
    with chart.axes(height=2.8) as on:
        for app, ladder in worst.items():
            ranks = sorted(ladder.steps)
            on.plot(
                ranks, [ladder.efficiency(n) for n in ranks],
                ls="-" if ladder.kind == "weak" else "--",
                label=f"{app}: {ladder.label}, {ladder.kind}", **book.styles.of("app", app),
            )  # fmt: skip
        every = sorted({n for ladder in worst.values() for n in ladder.steps})
        on.set_xscale("log", base=2)
        on.set_xticks(every, [str(n) for n in every])
        on.minorticks_off()
        on.axhline(1, color=chart.GREY, lw=1, ls=":")
        on.set_ylim(0, 1.15)
        on.set_xlabel("ranks, one device each")
        on.set_ylabel("efficiency of a rank")
        on.set_title(f"{device}: the worst of each app", fontsize=9, loc="left")
        chart.legend(on)
        shown = "; ".join(
            f"{one.app} {one.label}, {one.kind}: "
            + ", ".join(f"{one.efficiency(n):.2f} at {n}" for n in sorted(one.steps))
            for one in worst.values()
        )
        text = f"Efficiency by ranks on {device}, the worst of each app: {shown}"
        return chart.finish(on, f"scaling {device}", text)


def _folded(found: list[Ladder]) -> Fold:
    return Fold(f"All {len(found)} ladders", [_table(found)])


def _table(found: list[Ladder]) -> Table:
    """A line for each ladder: its first and its last step, all efficiencies between."""
    rows = []
    for ladder in found:
        ranks = sorted(ladder.steps)
        first, last = ladder.steps[ranks[0]], ladder.steps[ranks[-1]]
        rows.append(
            [
                *words(ladder.app, ladder.label, ladder.kind),
                figure(
                    first,
                    f"{counted(ranks[0], 'rank')}, {quantity.shown(first.time, 's')} a step",
                ),
                figure(
                    last,
                    f"{counted(ranks[-1], 'rank')}, {quantity.shown(last.time, 's')} a step",
                ),
                Cell(", ".join(f"{ladder.efficiency(n):.3f}" for n in ranks[1:])),
            ]
        )
    headings = ["app", "case", "kind", "base", "last", "efficiency of each step"]
    return Table(headings, rows, words=3)
