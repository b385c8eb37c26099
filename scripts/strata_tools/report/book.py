"""All that a report is made from: series of the records that give figures, and the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from strata_tools.primary import is_primary
from strata_tools.records import Record, Skipped
from strata_tools.records.alike import Machine, Question
from strata_tools.report.chart import Styles
from strata_tools.report.series import Problem, Series, series_of
from strata_tools.text import counted, grouped


@dataclass(frozen=True)
class Row:
    """One question and one commit on every machine that measured it."""

    app: str
    name: str
    question: Question
    commit: str
    at: dict[Machine, Problem]

    @cached_property
    def sizes(self) -> dict[str, float]:
        """In the app's own order."""
        mine = dict(self.question.sizes)
        case = next(iter(self.at.values())).own.case
        return {key: mine[key] for key in case.sizes if key in mine}

    @cached_property
    def by_device(self) -> dict[str, Problem]:
        """Each model of device once, under however many names of systems it stands."""
        found: dict[str, Problem] = {}
        for machine, problem in self.at.items():
            rival = found.get(machine.device)
            if rival is None or _worth(problem) > _worth(rival):
                found[machine.device] = problem
        return found

    @property
    def difference(self) -> float:
        """The fastest machine's figure over the slowest's."""
        speeds = [problem.own.speed for problem in self.at.values()]
        return max(speeds) / min(speeds)


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
    styles: Styles = field(default_factory=Styles)

    @cached_property
    def apps(self) -> list[str]:
        return list(dict.fromkeys(one.record.app for one in self.series))

    @cached_property
    def rows(self) -> list[Row]:
        """By app, what most machines have measured first, then the primary kernel's, then in
        the order of the decks. Where a machine has several builds or labels of a commit, the
        official, then the most varied, the latest."""
        found: dict[tuple, Row] = {}
        for problem in self._problems:
            commit = problem.entries[0].series.subject.commit
            key = (problem.app, problem.name, problem.question, commit)
            row = found.setdefault(key, Row(*key, {}))
            _keep_worthier(row.at, problem)
        order = {app: number for number, app in enumerate(self.apps)}
        return sorted(
            found.values(),
            key=lambda row: (order[row.app], -len(row.at), not _is_primary(row.app, row.name)),
        )

    def size_of(self, row: Row) -> str:
        """The sizes that tell the app's problems apart, such as `rows 3 200`; of one size only,
        the first."""
        every = [other.sizes for other in self.rows if other.app == row.app]
        telling = [k for k in row.sizes if len({one[k] for one in every if k in one}) > 1]
        shown = telling or list(row.sizes)[:1]
        return sizes_in_words({key: row.sizes[key] for key in shown})

    @cached_property
    def quoted(self) -> dict[tuple[str, str], dict[Machine, Problem]]:
        """By app and problem, of whatever size: the one to quote of each machine, the official,
        then the largest, the most varied, the latest. These are not alike between machines.
        The app's primary problem is first."""
        found: dict[tuple[str, str], dict[Machine, Problem]] = {}
        for problem in self._problems:
            _keep_worthier(found.setdefault((problem.app, problem.name), {}), problem)
        order = {app: number for number, app in enumerate(self.apps)}
        keys = sorted(found, key=lambda key: (order[key[0]], not _is_primary(*key)))
        return {key: found[key] for key in keys}

    @property
    def _problems(self) -> Iterable[Problem]:
        return (problem for one in self.series for problem in one.problems)

    @cached_property
    def machines(self) -> list[Machine]:
        return sorted({one.machine for one in self.series})

    def machine_name(self, machine: Machine) -> str:
        """The system; of its device, ranks, threads and nodes what tells it from others."""
        alike = [other for other in self.machines if other.system == machine.system]
        words = [machine.system]
        if len({other.device for other in alike}) > 1:
            words.append(machine.device)
        same = [other for other in alike if other.device == machine.device]
        for what in ("rank", "node", "thread"):
            field = f"{what}s"
            mine = getattr(machine, field)
            if mine and len({getattr(other, field) for other in same}) > 1:
                words.append(counted(mine, what))
        return ", ".join(words)


def sizes_in_words(sizes: dict[str, float]) -> str:
    """rows 16 384, columns 16 384; of further indices rows 64 × 64 × 64."""
    words: list[str] = []
    for key, size in sizes.items():
        if key.startswith("size_") and words:
            words[-1] += f" × {grouped(size)}"
        else:
            words.append(f"{key.replace('_', ' ')} {grouped(size)}")
    return ", ".join(words)


def _is_primary(app: str, name: str) -> bool:
    return is_primary(app, name.split(maxsplit=1)[0])


def _keep_worthier(at: dict[Machine, Problem], problem: Problem) -> None:
    rival = at.get(problem.machine)
    if rival is None or _worth(problem) > _worth(rival):
        at[problem.machine] = problem


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
