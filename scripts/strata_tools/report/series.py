"""Records put in order: series of launches of one thing, and the problems that they solve."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from strata_tools import quantity
from strata_tools.inference import median_interval
from strata_tools.records import Case, Record
from strata_tools.records.alike import (
    Machine,
    Question,
    Questions,
    Subject,
    machine_of,
    subject_of,
)
from strata_tools.report.standing import standing
from strata_tools.text import finite

MOST_WAYS = 3
"""Named, of those that are alike."""
AMOUNT_DIGITS = 6
"""To which work per step is equal."""


@dataclass(frozen=True)
class Figure:
    """A median with what it rests on."""

    value: float
    unit: str
    interval: tuple[float, float] | None
    launches: int
    series: Series

    @property
    def scaled(self) -> tuple[str, str]:
        """Figure and unit. What one launch gave is not known to more than three digits,
        however narrow the interval within it: the next one may differ."""
        most = quantity.UNKNOWN_DIGITS if self.launches == 1 else quantity.MANTISSA_DIGITS[1]
        return quantity.scaled(self.value, self.unit, self.interval, most)

    @property
    def basis(self) -> str:
        """What the figure is the median of, in words."""
        if self.launches == 1:
            of = "median of the samples of one launch"
        else:
            of = f"median of {self.launches} launches"
        return f"{of}, 95 % interval {self.between}" if self.interval else of

    @property
    def between(self) -> str:
        """The interval's ends; without the unit where it is the figure's."""
        if not self.interval:
            return "–"
        return quantity.between(self.interval, self.unit, self.scaled[1])


@dataclass
class Entry:
    """One case of a series, in all its launches."""

    series: Series
    label: str
    cases: list[Case] = field(default_factory=list)

    def takes(self, case: Case) -> bool:
        """Whether the case of a launch is one of it."""
        mine = next((one for one in self.cases if one.measured), None)
        if mine is None or not case.measured:
            return True
        asked, record = self.series.questions, self.series.record
        return asked.of(record, mine) == asked.of(record, case)

    @cached_property
    def measured(self) -> list[Case]:
        return [case for case in self.cases if case.measured]

    @property
    def case(self) -> Case:
        """Of the first launch that measured it, else of the first."""
        return self.measured[0] if self.measured else self.cases[0]

    @cached_property
    def attributes(self) -> dict[str, str]:
        """The axes, and the words (not numbers) by which the deck's problem differs."""
        asked = self.series.record.deck.problem
        words = {k: v for k, v in self.case.sizes.items() if k in asked and isinstance(v, str)}
        return {**self.case.axes, **words}

    @cached_property
    def question(self) -> Question:
        return self.series.questions.of(self.series.record, self.case)

    @property
    def variant(self) -> str:
        return self.case.axes.get("variant", "")

    @property
    def layout(self) -> str:
        return self.case.axes.get("layout", "")

    @cached_property
    def time(self) -> float:
        """Seconds per step: median of the launches."""
        return statistics.median(case.median_s for case in self.measured)

    @cached_property
    def figure(self) -> Figure:
        """The primary one."""
        foms = [case.primary for case in self.measured]
        values = [fom.value for fom in foms]
        if len(values) == 1:
            interval = foms[0].interval
        else:
            interval = median_interval(values) or (min(values), max(values))
        return Figure(
            statistics.median(values), foms[0].unit, interval, len(values), self.series
        )

    @property
    def metric(self) -> str:
        """What the primary figure counts, in words."""
        return self.case.primary.metric.replace("_", " ")

    @property
    def better(self) -> str:
        return self.case.primary.better

    @property
    def speed(self) -> float:
        """The primary figure, turned so that more is better."""
        return self.figure.value if self.better == "higher" else 1 / self.figure.value

    def beats(self, other: Entry) -> bool:
        """Whether it is faster by more than what both are known to: their intervals are
        apart."""
        mine, theirs = self.figure.interval, other.figure.interval
        if mine is None or theirs is None or self.speed <= other.speed:
            return False
        return mine[0] > theirs[1] if self.better == "higher" else mine[1] < theirs[0]

    @cached_property
    def of_ceiling(self) -> tuple[float, str] | None:
        """Bytes moved per second, over the run's own ceiling of that mix of reads and writes,
        and that ceiling's name; the ceiling is the median of the launches."""
        bounds = [record.bound(self.case) for record in self.series.records]
        found = [one for one in bounds if one]
        if not found:
            return None
        rate = statistics.median(rate for rate, _ in found)
        return self.case.bytes / self.time / rate, found[0][1]

    @property
    def above_ceiling(self) -> str:
        """Why the share is above 100 %, if it is."""
        if not self.of_ceiling or self.of_ceiling[0] <= 1:
            return ""
        return "above the ceiling" if self.case.in_cache is False else "cache"

    @cached_property
    def against(self) -> tuple[str, float] | None:
        """The control's label, and the time over the control's, paired by round."""
        found = [case.ratios[0] for case in self.measured if case.ratios]
        if not found:
            return None
        return found[0][0], statistics.median(ratio for _, ratio in found)

    @property
    def amount(self) -> float:
        """Of the primary figure's unit, in one step."""
        fom = self.case.primary
        amount = fom.value * self.case.median_s
        return float(f"{amount:.{AMOUNT_DIGITS}g}")


@dataclass
class Problem:
    """Cases of a series that do the same work in different ways."""

    entries: list[Entry]
    name: str = ""
    """Kernel, and what tells it from the app's other problems; sizes are not part of it."""
    identity: dict[str, str] = field(default_factory=dict)
    """The axes that the name is made of."""

    @property
    def app(self) -> str:
        return self.entries[0].series.record.app

    @property
    def question(self) -> Question:
        return self.entries[0].question

    @property
    def machine(self) -> Machine:
        return self.entries[0].series.machine

    @property
    def kernel(self) -> str:
        return next(iter(self.entries[0].case.axes.values()))

    def varies(self, axis: str) -> bool:
        return len({entry.attributes.get(axis) for entry in self.entries}) > 1

    def best(self, *variants: str) -> Entry | None:
        """The fastest of these variants, or of all."""
        chosen = [e for e in self.entries if not variants or e.variant in variants]
        return max(chosen, key=lambda entry: entry.speed, default=None)

    @cached_property
    def own(self) -> Entry:
        """The fastest that the core does, or what there is in place of it."""
        found = self.best("span") or self.best()
        assert found is not None
        return found

    @property
    def way(self) -> str:
        """The storage order, else the label, of the fastest, and those of the same variant
        that are not slower by more than the intervals."""
        own = self.own
        alike = [e for e in self.entries if e.variant == own.variant and not own.beats(e)]
        names = dict.fromkeys(_way(one) for one in (own, *alike))
        return " or ".join(list(names)[:MOST_WAYS]) + (
            " or …" if len(names) > MOST_WAYS else ""
        )


def _way(entry: Entry) -> str:
    return entry.layout or entry.label.partition("/")[2]


@dataclass
class Series:
    """Launches of one subject on one problem of an app."""

    name: str
    """For links: s1, s2, ..."""
    records: list[Record]
    questions: Questions

    @property
    def record(self) -> Record:
        return self.records[0]

    @cached_property
    def machine(self) -> Machine:
        return machine_of(self.record)

    @cached_property
    def subject(self) -> Subject:
        return subject_of(self.record)

    @property
    def outcomes(self) -> set[str]:
        """Sizes that are no part of the problem."""
        return self.questions.outcomes.get(self.record.app, set())

    @cached_property
    def bandwidth(self) -> float | None:
        """B/s of the job, the best of the ceiling; median of the launches."""
        found = [r.bandwidth for r in self.records if r.bandwidth]
        return statistics.median(found) if found else None

    @property
    def official(self) -> bool:
        return all(record.official for record in self.records)

    @property
    def standing(self) -> str:
        """Of the first launch that is not official, if any."""
        return standing(next((r for r in self.records if not r.official), self.record))

    @cached_property
    def entries(self) -> list[Entry]:
        """In the order of the deck; two of a label where launches found different sizes."""
        found: dict[str, list[Entry]] = {}
        for record in self.records:
            for case in record.cases:
                rivals = found.setdefault(case.label, [Entry(self, case.label)])
                entry = next((one for one in rivals if one.takes(case)), None)
                if entry is None:
                    entry = Entry(self, case.label)
                    rivals.append(entry)
                entry.cases.append(case)
        return [entry for rivals in found.values() for entry in rivals]

    @cached_property
    def problems(self) -> list[Problem]:
        groups: dict[Any, list[Entry]] = defaultdict(list)
        for entry in self.entries:
            if entry.measured:
                groups[_problem_key(entry)].append(entry)
        return [Problem(entries) for entries in groups.values()]


def _problem_key(entry: Entry) -> tuple:
    axes = entry.case.axes
    return next(iter(axes.values())), axes.get("scalar"), entry.question


def _name(problems: Sequence[Problem]) -> None:
    """Names an app's problems by the kernel and the axes that belong to the question: those
    that take several values, but never within a problem."""
    axes = {
        axis for problem in problems for entry in problem.entries for axis in entry.attributes
    }
    telling = []
    for axis in sorted(axes):
        values = {problem.own.attributes.get(axis, "") for problem in problems}
        if len(values) > 1 and all(finite(value) is None for value in values):
            telling.append(axis)
    telling = [axis for axis in telling if not any(p.varies(axis) for p in problems)]
    for problem in problems:
        mine = problem.own.attributes
        names = dict.fromkeys([next(iter(mine)), *telling])
        problem.identity = {axis: mine[axis] for axis in names if axis in mine}
        problem.name = " ".join(problem.identity.values())


def series_of(records: Iterable[Record]) -> list[Series]:
    """Ordered by system, device, app, ranks and start."""
    records = list(records)
    questions = Questions(records)
    groups: dict[tuple, list[Record]] = defaultdict(list)
    for record in records:
        groups[subject_of(record), questions.of_run(record)].append(record)
    ordered = sorted(groups.values(), key=lambda g: _series_order(g[0]))
    made = [Series(f"s{n}", group, questions) for n, group in enumerate(ordered, start=1)]
    by_app: dict[str, list[Problem]] = defaultdict(list)
    for one in made:
        by_app[one.record.app] += one.problems
    for problems in by_app.values():
        _name(problems)
    return made


def _series_order(one: Record) -> tuple:
    return one.system, one.device, one.app, one.ranks, one.start
