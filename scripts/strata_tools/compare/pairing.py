"""Which launches of two sides are alike, and why the others are not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from strata_tools.race.manifest import Turn, turn_of
from strata_tools.records import Case, Fom, Record
from strata_tools.records.alike import Question, Questions, differences, mixed
from strata_tools.text import printable


@dataclass
class Launches:
    """One case of one side: a figure for each launch of it."""

    app: str
    label: str
    question: Question
    fom: Fom
    """Of the first launch: its unit and direction."""
    values: list[float] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    """None of a peer."""
    turns: list[Turn | None] = field(default_factory=list)
    """The place of each in a race, where it was in one."""
    samples: list[np.ndarray] = field(default_factory=list)
    """Of each launch, seconds a step by round. None of a peer."""

    def fault(self) -> str:
        """What is wrong with it as one pool: a record that is not to be compared, or launches
        of several subjects; or nothing."""
        if bad := next((reason for one in self.records if (reason := unfit(one))), ""):
            return f"has a record that {bad}"
        if found := mixed(self.records):
            return f"mixes {found}; name each as a side of its own"
        return ""


@dataclass
class Side:
    """The records of one argument."""

    name: str
    path: Path
    read: int = 0
    """Records that there are, fit to be compared or not."""
    records: list[Record] = field(default_factory=list)
    launches: dict[tuple[str, str], list[Launches]] = field(default_factory=dict)
    """By app and label; several where the questions differ."""
    neutral: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """By app and label with `default` for the device's own layout: the labels proper."""
    unmeasured: dict[tuple[str, str], str] = field(default_factory=dict)
    """By app and label: why there is no figure in any launch."""
    peer: str = ""
    """Who it is, where its figures are not Strata's."""


@dataclass(frozen=True)
class Pair:
    """Launches of two sides to compare."""

    base: Launches
    new: Launches
    forced: str = ""
    """Why they are unlike, where they are."""


@dataclass(frozen=True)
class Refusal:
    """Cases that are not compared, and why."""

    app: str
    label: str
    reason: str


def side(made: Side, records: Iterable[Record], questions: Questions, force: bool) -> list[str]:
    """Pools records by what they measured; says which of them are not to be compared."""
    refused = []
    for record in records:
        if reason := unfit(record):
            refused.append(f"{printable(str(record.path))}: {reason}")
            if not force:
                continue
        made.records.append(record)
        turn = turn_of(record.path)
        for case in record.cases:
            _pool(made, record, case, questions, turn)
    for key in made.launches:
        made.unmeasured.pop(key, None)
    return refused


def unfit(record: Record) -> str:
    """Why it is not to be compared; or nothing."""
    if not record.valid:
        return f"is not valid ({', '.join(record.reasons)})"
    return "is of tier smoke, which measures nothing to go by" if record.tier == "smoke" else ""


def _pool(
    made: Side, record: Record, case: Case, questions: Questions, turn: Turn | None
) -> None:
    key = (record.app, case.label)
    if not case.measured:
        made.unmeasured.setdefault(key, case.lack)
        return
    question = questions.of(record, case)
    pools = made.launches.setdefault(key, [])
    pool = next((one for one in pools if one.question == question), None)
    if pool is None:
        pool = Launches(record.app, case.label, question, case.primary)
        pools.append(pool)
    pool.values.append(case.primary.value)
    pool.records.append(record)
    pool.turns.append(turn)
    pool.samples.append(case.samples)
    neutral = record.neutral_label(case)
    if neutral != case.label:
        made.neutral.setdefault((record.app, neutral), set()).add(case.label)


def pair(base: Side, new: Side, force: bool) -> tuple[list[Pair], list[Refusal], list[Refusal]]:
    """What to compare, what is refused, and what only one side has measured."""
    pairs, refused = [], []
    met: set[int] = set()
    for (app, label), other in _candidates(base, new):
        left, right = base.launches[app, label], new.launches[app, other]
        alike = [(a, b) for a in left for b in right if a.question == b.question]
        unlike = _unlike(left, right, alike)
        met.update(id(pool) for both in (*alike, *unlike) for pool in both)
        for a, b in alike:
            fault = _fault(base, new, a, b)
            if fault and not force:
                refused.append(Refusal(app, label, fault))
            else:
                pairs.append(Pair(a, b, fault))
        for a, b in unlike:
            reason = "; ".join(differences(a.question, b.question))
            if force:
                pairs.append(Pair(a, b, reason))
            else:
                refused.append(Refusal(app, label, reason))
    return pairs, refused, [*_alone(base, new, met), *_alone(new, base, met)]


def _alone(have: Side, lack: Side, met: set[int]) -> Iterator[Refusal]:
    """What nothing of the other side was held against: `met` has the identities of the rest."""
    for (app, label), pools in have.launches.items():
        theirs = [one.question for one in lack.launches.get((app, label), ())]
        for pool in pools:
            if id(pool) not in met:
                beside = pool.question.beside(theirs)
                reason = f" with {beside}" if beside else _why_missing(app, label, have, lack)
                yield Refusal(app, label, f"not measured in {lack.name}{reason}")


def _candidates(base: Side, new: Side) -> Iterator[tuple[tuple[str, str], str]]:
    """App and label of the base, and the other side's label: the same, or each device's own
    default storage order where these differ."""
    for app, label in base.launches:
        if (app, label) in new.launches:
            yield (app, label), label
    for (app, neutral), labels in base.neutral.items():
        for label in sorted(labels):
            for other in sorted(new.neutral.get((app, neutral), ())):
                if label != other:
                    yield (app, label), other


def _unlike(
    left: list[Launches], right: list[Launches], alike: list[tuple[Launches, Launches]]
) -> list[tuple[Launches, Launches]]:
    """What is left over on both sides, in order, as far as the shorter one goes."""
    taken = {id(one) for both in alike for one in both}
    rest = [[one for one in pools if id(one) not in taken] for pools in (left, right)]
    return list(zip(*rest))


def _fault(base: Side, new: Side, a: Launches, b: Launches) -> str:
    both = ((base, a), (new, b))
    return "; ".join(f"{one.name} {fault}" for one, pool in both if (fault := pool.fault()))


def _why_missing(app: str, label: str, have: Side, lack: Side) -> str:
    if reason := lack.unmeasured.get((app, label)):
        return f" ({reason})"
    scalars = _other_precisions(app, label, have, lack)
    return f" (its precision is {', '.join(scalars)})" if scalars else ""


def _other_precisions(app: str, label: str, have: Side, lack: Side) -> list[str]:
    """Scalars of the other side's cases whose label is this but for the scalar."""
    axes = _axes(have, app, label)
    if "scalar" not in axes:
        return []
    found = defaultdict(list)
    for other_app, other in lack.launches:
        theirs = _axes(lack, other_app, other) if other_app == app else {}
        if {**theirs, "scalar": axes["scalar"]} == axes and theirs != axes:
            found[theirs.get("scalar", "double")].append(other)
    return sorted(found)


def _axes(one: Side, app: str, label: str) -> dict[str, str]:
    record = one.launches[app, label][0].records[0]
    return next(case.axes for case in record.cases if case.label == label)
