"""Strong and weak scaling, from series that differ in the number of ranks alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from strata_tools import quantity
from strata_tools.report import chart
from strata_tools.report.blocks import Cell, Fold, Section, Table, figure, words
from strata_tools.report.book import Book
from strata_tools.report.series import Entry
from strata_tools.text import counted

MOST_LINES = 5
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
        built = (record.git, record.dirty, repr(record.build), record.user_label)
        alike = (record.app, record.device, built)
        for entry in series.entries:
            if entry.measured and entry.better == "higher":
                groups[(*alike, entry.label)][record.ranks].append(entry)
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
    charts = []
    for app in dict.fromkeys(one.app for one in found):
        mine = [one for one in found if one.app == app]
        charts.append(_chart(app, mine))
    return Section(
        "scaling",
        "Scaling",
        "Speed per rank over that of the fewest ranks, one rank per device: strong where the "
        "work is the same in all, weak where it is the same per rank. Only series of one build "
        "on one kind of device are set side by side.",
        [*charts, _table(found) if len(found) <= MOST_ROWS else _folded(found)],
    )


def _chart(app: str, found: list[Ladder]):
    with chart.axes(height=2.8) as on:
        core = [one for one in found if "/span/" in one.label] or found
        drawn = sorted(core, key=lambda one: one.efficiency(max(one.steps)))[:MOST_LINES]
        for number, ladder in enumerate(drawn):
            ranks = sorted(ladder.steps)
            on.plot(
                ranks, [ladder.efficiency(n) for n in ranks], marker=chart.marker(number),
                color=chart.colour(number), label=f"{ladder.label}, {ladder.kind}",
                ls="-" if ladder.kind == "weak" else "--",
            )  # fmt: skip
        every = sorted({n for ladder in drawn for n in ladder.steps})
        on.set_xscale("log", base=2)
        on.set_xticks(every, [str(n) for n in every])
        on.minorticks_off()
        on.axhline(1, color=chart.GREY, lw=1, ls=":")
        on.set_ylim(0, 1.15)
        on.set_xlabel("ranks")
        on.set_ylabel("efficiency")
        more = f" (the worst {len(drawn)} of {len(found)})" if len(found) > len(drawn) else ""
        on.set_title(f"{app}, {found[0].device}{more}", fontsize=9, loc="left")
        on.legend(loc="lower left")
        return chart.finish(on, f"scaling {app}", f"Efficiency of {app} by ranks")


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
