"""All that a report is made from: series of the records that give figures, and the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from strata_tools.records import Record, Skipped
from strata_tools.report.series import Place, Problem, Series, series_of
from strata_tools.text import counted

PRIMARY = {"stream": "triad", "mgs": "sequence", "matvec": "matvec", "contact": "build"}
"""Of each app the kernel whose figure is the one to quote; hexgrad has one."""


@dataclass(frozen=True)
class Row:
    """A problem on every place that measured it: the one to quote."""

    app: str
    name: str
    at: dict[Place, Problem]


@dataclass(frozen=True)
class Book:
    """All that a report is made from."""

    records: list[Record]
    """Every one that was read."""
    skipped: list[Skipped]
    series: list[Series]
    """Of the records that are valid and worth reading."""
    left_out: list[tuple[Record, str]]
    """Records that give no figure, and why."""

    @cached_property
    def rows(self) -> list[Row]:
        """By app, its primary problem first, then in the order of the decks; where a place has
        measured a problem several times, the official, then the largest, the most varied, the
        latest."""
        found: dict[tuple[str, str], dict[Place, Problem]] = {}
        for one in self.series:
            for problem in one.problems:
                at = found.setdefault((problem.app, problem.name), {})
                rival = at.get(one.place)
                if rival is None or _worth(problem) > _worth(rival):
                    at[one.place] = problem
        made = [Row(app, name, at) for (app, name), at in found.items()]
        apps = dict.fromkeys(row.app for row in made)
        return [row for app in apps for row in _primary_first(r for r in made if r.app == app)]

    @cached_property
    def places(self) -> list[Place]:
        return sorted({one.place for one in self.series})

    def place_name(self, place: Place) -> str:
        """The system; its device and the ranks where it was run on several of them."""
        alike = [other for other in self.places if other.system == place.system]
        words = [place.system]
        if len({other.device for other in alike}) > 1:
            words.append(place.device)
        if sum(other.device == place.device for other in alike) > 1:
            words.append(counted(place.ranks, "rank"))
        return ", ".join(words)


def _primary_first(rows: Iterable[Row]) -> list[Row]:
    """Of one app. Primary is what the kernel of its name has measured, at most places."""
    rows = list(rows)
    first = max(rows, key=lambda r: (r.name.split()[0] == PRIMARY.get(r.app), len(r.at)))
    return [first, *(row for row in rows if row is not first)]


def _worth(problem: Problem) -> tuple:
    entry = problem.own
    return entry.series.official, entry.amount, len(problem.entries), entry.series.record.start


def book(records: list[Record], skipped: list[Skipped]) -> Book:
    """Sorts out what gives figures and what does not."""
    good, left_out = [], []
    for record in records:
        if not record.valid:
            left_out.append((record, f"not valid: {', '.join(record.reasons)}"))
        elif record.tier == "smoke":
            left_out.append((record, "tier smoke measures nothing to go by"))
        else:
            good.append(record)
    return Book(records, skipped, series_of(good), left_out)
