"""What is alike: two cases that are the same question, two launches of the same subject.

Only answers to one question are set side by side, and only launches of one subject are pooled;
everything that compares, ranks or averages records asks here. A case is a question and a way to
answer it, its label: kernel, variant, layout, precision. Pages put records of two machines side
by side where their commits are the same, so that a change of the code is no difference of the
machines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from strata_tools.records.model import Case, Record
from strata_tools.text import finite

SHORT_COMMIT = 8
"""Digits of a commit in words."""


class Question(NamedTuple):
    """What a launch measures beyond its label: only answers to equal ones are comparable."""

    app: str
    problem: tuple[tuple[str, str], ...]
    """What the deck asks for."""
    sizes: tuple[tuple[str, float], ...]
    """What came of it."""
    ranks: int
    tier: str
    fom_version: int
    metric: str
    release: str
    """The part of the suite's version that a breaking change raises."""

    def beside(self, others: Iterable[Question]) -> str:
        """What tells it from others, such as `problem.size 5, ranks 2`: of the sizes only where
        nothing else does. Empty where it is like all of them."""
        others = list(others)
        for words in (_asked, _sized):
            mine, theirs = words(self), [words(other) for other in others]
            keys = dict.fromkeys(key for one in (mine, *theirs) for key in one)
            told = [k for k in keys if any(mine.get(k) != one.get(k) for one in theirs)]
            if told:
                return ", ".join(f"{key} {mine.get(key, 'absent')}" for key in told)
        return ""

    def on_any_ranks(self) -> Question:
        """The same work, however many ranks share it."""
        return self._replace(ranks=0)

    def of_any_size(self) -> Question:
        """The same but for every number that is asked for and the ranks: a line of a sweep, or
        of a ladder."""
        words = tuple((k, v) for k, v in self.problem if finite(v) is None)
        return self._replace(problem=words, sizes=(), ranks=0)


def _asked(question: Question) -> dict[str, Any]:
    rest = {k: v for k, v in question._asdict().items() if k not in ("problem", "sizes")}
    return {**{f"problem.{key}": value for key, value in question.problem}, **rest}


def _sized(question: Question) -> dict[str, Any]:
    return dict(question.sizes)


def differences(base: Question, new: Question) -> list[str]:
    """Why the answers are not comparable, in words, what weighs most first; empty of equal
    questions."""
    found = []
    if base.app != new.app:
        found.append(f"app {base.app} against {new.app}")
    if base.fom_version != new.fom_version:
        found.append(
            f"fom_version {base.fom_version} against {new.fom_version}: the figures' meaning "
            "has changed"
        )
    if base.release != new.release:
        found.append(
            f"suite version {base.release} against {new.release}: a breaking release lies "
            "between"
        )
    if base.ranks != new.ranks:
        found.append(f"{base.ranks} against {new.ranks} ranks")
    if base.metric != new.metric:
        found.append(f"metric {base.metric} against {new.metric}")
    found += _changed("the decks' problem.", base.problem, new.problem)
    if base.problem == new.problem:
        found += _changed("the size ", base.sizes, new.sizes)
    if base.tier != new.tier:
        found.append(f"tier {base.tier} against {new.tier}")
    return found


def _changed(what: str, base: tuple, new: tuple) -> list[str]:
    left, right = dict(base), dict(new)
    return [
        f"{what}{key} is {left.get(key, 'absent')} against {right.get(key, 'absent')}"
        for key in sorted({**left, **right})
        if left.get(key) != right.get(key)
    ]


PARTS = {
    "problem": "problem",
    "sizes": "size",
    "ranks": "ranks",
    "tier": "tier",
    "fom_version": "meaning of the figure",
    "metric": "metric",
    "release": "breaking release",
}


def unlike_parts(base: Question, new: Question) -> tuple[str, ...]:
    """What differs, by its name alone; a size where the decks ask for the same only."""
    return tuple(
        word
        for field, word in PARTS.items()
        if getattr(base, field) != getattr(new, field)
        and not (field == "sizes" and base.problem != new.problem)
    )


class Questions:
    """Tells the questions of records that are looked at together: which sizes are part of a
    problem, and which keys of decks are younger than some records, only all of them show."""

    def __init__(self, records: Iterable[Record]) -> None:
        records = list(records)
        self.outcomes = outcomes(records)
        """By app: sizes that are no part of the problem."""
        self._late = late_keys(records)

    def of(self, record: Record, case: Case) -> Question:
        """Of a case that was measured."""
        beside = self.outcomes.get(record.app, set())
        numbers = {
            k: v
            for k, v in case.sizes.items()
            if isinstance(v, (int, float)) and k not in beside
        }
        sizes = tuple(sorted(numbers.items()))
        return self.of_run(record)._replace(sizes=sizes, metric=case.primary.metric)

    def of_run(self, record: Record) -> Question:
        """What all cases of a launch have in common: no sizes and no metric."""
        problem = record.deck.problem_without(self._late.get(record.app, set()))
        return Question(
            app=record.app,
            problem=tuple(sorted((k, str(v)) for k, v in problem.items())),
            sizes=(),
            ranks=record.ranks,
            tier=record.tier,
            fom_version=record.fom_version,
            metric="",
            release=_release(record.version),
        )


def _release(version: str) -> str:
    words = version.split(".")
    return ".".join(words[: 2 if words[0] == "0" else 1])


class Machine(NamedTuple):
    """Where a launch was, and how much of it was used."""

    system: str
    device: str
    """Model; of a mixed job all of them."""
    ranks: int
    nodes: int
    threads: int
    """Of each rank on a processor; 0 on a GPU, where the host's threads wait."""


class Subject(NamedTuple):
    """What a launch measured a question on: only launches of equal ones are pooled."""

    system: str
    device: str
    ranks: int
    nodes: int
    threads: str
    commit: str
    build: tuple[tuple[str, str], ...]
    label: str

    def on_any_ranks(self) -> Subject:
        """The same but for how many of its devices there are."""
        return self._replace(ranks=0, nodes=0)


def machine_of(record: Record) -> Machine:
    threads = 0 if record.gpu or not record.places else record.places[0].threads
    return Machine(record.system, _devices(record), record.ranks, record.nodes, threads)


def subject_of(record: Record) -> Subject:
    return Subject(
        system=record.system,
        device=_devices(record),
        ranks=record.ranks,
        nodes=record.nodes,
        threads=" and ".join(map(str, sorted({one.threads for one in record.places}))),
        commit=commit_of(record),
        build=tuple(sorted((key, str(value)) for key, value in record.build.items())),
        label=record.user_label,
    )


def mixed(records: Iterable[Record]) -> str:
    """What several subjects differ in first, such as `devices: H100, H200`; or nothing."""
    subjects = dict.fromkeys(subject_of(record) for record in records)
    for name, values in zip(Subject._fields, zip(*subjects)):
        if len(set(values)) > 1:
            plural = name if name.endswith("s") else f"{name}s"
            return f"{plural}: {', '.join(sorted(set(_told_apart(name, values))))}"
    return ""


def _told_apart(name: str, values: Iterable[Any]) -> list[str]:
    if name == "commit":
        return [short_commit(value) for value in values]
    if name != "build":
        return [str(value) or "none" for value in values]
    builds = [dict(value) for value in values]
    keys = dict.fromkeys(key for build in builds for key in build)
    telling = [key for key in keys if len({build.get(key) for build in builds}) > 1]
    return [
        " ".join(f"{key} {build.get(key, 'absent')}" for key in telling) for build in builds
    ]


def commit_of(record: Record) -> str:
    """A build of changed sources is of a commit of its own."""
    return record.git + ("+changes" if record.dirty else "")


def short_commit(commit: str) -> str:
    digits, plus, changes = commit.partition("+")
    return digits[:SHORT_COMMIT] + plus + changes


def _devices(record: Record) -> str:
    models = sorted({place.device for place in record.places})
    return " and ".join(models) if len(models) > 1 else record.device


def late_keys(records: Iterable[Record]) -> dict[str, set[str]]:
    """By app, the keys of the problem that some records have and others are too old for."""
    found: dict[str, list[set[str]]] = defaultdict(list)
    for record in records:
        found[record.app].append(set(record.deck.problem))
    return {app: set.union(*keys) - set.intersection(*keys) for app, keys in found.items()}


VARIANT_AXES = ("variant", "library")
"""What a case is solved by; a vendor's library is named beside its variant."""
OF_THE_LIBRARY = frozenset(("library_path", "library_threads"))
"""Among the sizes of a case of a vendor's library: how it was solved, not what."""


def outcomes(records: Iterable[Record]) -> dict[str, set[str]]:
    """By app, the sizes that tell of the way a case was solved, not of its problem (regrown
    rows, a library's threads): those that differ between cases that differ in variant only."""
    found: dict[str, set[str]] = {}
    for record in records:
        mine = found.setdefault(record.app, set(OF_THE_LIBRARY))
        alike: dict[tuple, dict[str, Any]] = {}
        for case in record.cases:
            others = tuple(item for item in case.axes.items() if item[0] not in VARIANT_AXES)
            first = alike.setdefault(others, case.sizes)
            if first is not case.sizes:
                keys = first.keys() | case.sizes.keys()
                mine |= {k for k in keys if first.get(k) != case.sizes.get(k)}
    return found
