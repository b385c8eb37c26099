"""Machines held against each other: what `compare` says of the questions that both answered."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import log
from pathlib import Path

from strata_tools.compare.judge import Judgement, judge
from strata_tools.compare.pairing import Launches, Pair, Side, pair, side
from strata_tools.records import Record
from strata_tools.records.alike import Machine, Question, Subject, unlike_parts
from strata_tools.report.book import Book

Name = tuple[str, str]
"""App and label of a case."""
Answers = dict[Name, set[tuple[Question, str]]]
"""The questions and commits that a machine has measured under each name."""


@dataclass(frozen=True)
class Versus:
    """Two machines; by the mean of the ratios `new` is the faster."""

    base: Machine
    new: Machine
    judgements: list[Judgement]
    """Of the cases that answer one question by one commit; a ratio above 1: new is better."""
    both: int
    """Cases that both machines have under the same name, alike or not."""

    @property
    def ratios(self) -> list[float]:
        return [one.ratio.value for one in self.judgements]

    @property
    def mean(self) -> float:
        """Geometric: the same whichever of the two is the base."""
        return statistics.geometric_mean(self.ratios)

    @property
    def by_difference(self) -> list[Judgement]:
        return sorted(self.judgements, key=lambda one: -abs(log(one.ratio.value)))


@dataclass(frozen=True)
class Unlike:
    """Cases of one name on two machines that are not compared."""

    machines: tuple[Machine, Machine]
    reasons: dict[tuple[str, ...], int]
    """Number of cases by what tells their questions apart."""

    @property
    def cases(self) -> int:
        return sum(self.reasons.values())


@dataclass(frozen=True)
class Contest:
    """All machines of a book, two by two."""

    versus: list[Versus]
    """By size of difference."""
    unlike: list[Unlike]
    """By number of cases."""

    @cached_property
    def reasons(self) -> Counter[str]:
        """Cases by what tells them apart; one may have several reasons."""
        found: Counter[str] = Counter()
        for one in self.unlike:
            for words, number in one.reasons.items():
                found.update(dict.fromkeys(words, number))
        return found


def contest(book: Book) -> Contest:
    """Of machines that differ in more than how many of their devices or threads ran."""
    answers = _answers(book)
    rivals = [
        (a, b)
        for a, b in combinations(book.machines, 2)
        if (a.system, a.device) != (b.system, b.device)
    ]
    pairs = _turned(_pairs(book, rivals))
    sided = [
        (Side(f"{book.machine_name(new)} against {book.machine_name(base)}", Path()), one)
        for (base, new), of in pairs
        for one in of
    ]
    judged = iter(judge(sided))
    versus = [
        Versus(base, new, [next(judged) for _ in of], _names_of_both(answers, base, new))
        for (base, new), of in pairs
    ]
    met = {frozenset(machines): {_name(one.base) for one in of} for machines, of in pairs}
    unlike = [
        Unlike((a, b), reasons)
        for a, b in rivals
        if (reasons := _reasons(answers[a], answers[b], met.get(frozenset((a, b)), set())))
    ]
    return Contest(
        sorted(versus, key=lambda one: -one.mean), sorted(unlike, key=lambda one: -one.cases)
    )


def _names_of_both(answers: dict[Machine, Answers], base: Machine, new: Machine) -> int:
    return len(answers[base].keys() & answers[new].keys())


def _name(one: Launches) -> Name:
    return one.app, one.label


def _answers(book: Book) -> dict[Machine, Answers]:
    found: dict[Machine, Answers] = {machine: defaultdict(set) for machine in book.machines}
    for series in book.series:
        for entry in series.entries:
            if entry.measured:
                name = series.record.app, entry.label
                found[series.machine][name].add((entry.question, series.subject.commit))
    return found


def _pairs(
    book: Book, rivals: Sequence[tuple[Machine, Machine]]
) -> dict[tuple[Machine, Machine], list[Pair]]:
    """Cases of the same question and commit; `compare` finds them, subject by subject."""
    sides: dict[Machine, list[tuple[Subject, Side]]] = defaultdict(list)
    by_subject: dict[Subject, list[Record]] = defaultdict(list)
    for series in book.series:
        by_subject[series.subject] += series.records
    machines = {series.subject: series.machine for series in book.series}
    for subject, records in by_subject.items():
        made = Side("", Path())
        side(made, records, book.series[0].questions, force=False)
        sides[machines[subject]].append((subject, made))
    return {
        (a, b): [
            alike
            for (mine, left) in sides[a]
            for (its, right) in sides[b]
            if mine.commit == its.commit
            for alike in pair(left, right, force=False)[0]
        ]
        for a, b in rivals
    }


def _turned(
    pairs: dict[tuple[Machine, Machine], list[Pair]],
) -> list[tuple[tuple[Machine, Machine], list[Pair]]]:
    """The slower machine first, and none without a case."""
    turned = []
    for (a, b), of in pairs.items():
        if of and sum(map(_log_ratio, of)) < 0:
            turned.append(((b, a), [Pair(one.new, one.base) for one in of]))
        elif of:
            turned.append(((a, b), of))
    return turned


def _log_ratio(one: Pair) -> float:
    ratio = statistics.median(one.new.values) / statistics.median(one.base.values)
    return log(ratio) if one.base.fom.better == "higher" else -log(ratio)


def _reasons(mine: Answers, its: Answers, met: set[Name]) -> dict[tuple[str, ...], int]:
    found = Counter(
        min((_apart(a, b) for a in mine[name] for b in its[name]), key=len)
        for name in mine
        if name in its and name not in met
    )
    return dict(found.most_common())


def _apart(mine: tuple[Question, str], its: tuple[Question, str]) -> tuple[str, ...]:
    commit = ("commit",) if mine[1] != its[1] else ()
    return (*unlike_parts(mine[0], its[0]), *commit)
