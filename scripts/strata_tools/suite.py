"""Suite decks: which apps to run, on which decks, with how many ranks, how often.

    strata_suite: 1
    repeats: 3                             # launches of every run; 1, unless given
    runs:
      - {app: stream}                      # its built-in deck
      - app: hexgrad
        deck: kokkos-2011/hexgrad.yaml     # relative to the suite deck
        ranks: 2                           # auto, unless given: one rank per device
        repeats: 9                         # of this run; where "A is faster" is to be claimed
        set: {problem.size: 100000}        # handed on as --set problem.size=100000; a list
                                           # here is one value: cases.layout: [left, right]
      - app: stream
        sweep:                             # each item a run of its own, in every combination
          problem.size: [1000000, 100000000]
          cases.scalar: [double, float]
      - app: hexgrad                       # strong scaling: the job's size stays
        ranks: [1, 2, 4]                   # or ladder: 1, 2, 4, ... up to all devices
        set: {problem.size: 1000000}
      - app: hexgrad                       # weak scaling: so much for each rank
        ranks: ladder
        per_rank: {problem.size: 1000000}

Repeats are interleaved: every run once, then every run again. On a ladder a rank has the same
cores at every step. Read as strictly as the apps read their decks: every problem is found
before anything runs.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

import yaml

from strata_tools.strict_yaml import InvalidFileError, Reader, has_tag, shown
from strata_tools.text import shortened

FORMAT = "1"
SUITE_KEYS = ("strata_suite", "repeats", "runs")
RUN_KEYS = ("app", "deck", "ranks", "repeats", "set", "sweep", "per_rank")
MAX_RANKS = 1_000_000
MAX_REPEATS = 1000
MAX_LAUNCHES = 100_000
"""Of a suite, a ladder counted once: years of them, and a sweep is soon that long."""
MAX_PER_RANK = Decimal("1e18")
"""Keys of decks have at most 64 bits."""
RANKS_RULE = f"it must be auto, ladder, between 1 and {MAX_RANKS}, or a list of such numbers"


class SuiteError(InvalidFileError):
    """A suite deck nothing can be run from; `problems` has one line for each reason."""


@dataclass(frozen=True)
class Run:
    """One app on one deck with so many ranks."""

    app: str
    place: str
    """file:line:column of its entry, for messages."""
    deck: Path | None = None
    """None: the app's built-in deck."""
    ranks: int | None = None
    """None: one rank per device."""
    overrides: tuple[str, ...] = field(default=())
    """key.path=value each."""
    repeats: int = 1
    per_rank: tuple[tuple[str, Decimal], ...] = ()
    """Key and value of overrides that grow with the ranks."""
    ladder: bool = False
    """Stands for runs on 1, 2, 4, ... ranks up to one per device."""
    top: int | None = None
    """The highest ranks of the ladder it belongs to; None off a ladder."""

    def deck_arguments(self) -> list[str]:
        words = ["--deck", str(self.deck)] if self.deck else []
        for override in self.overrides:
            words += ["--set", override]
        return words


def read(path: Path) -> list[Run]:
    """The runs of a suite deck in their order, sweeps and lists of ranks written out; raises
    SuiteError."""
    return _Reader(path, "the suite deck").runs()


def _app_of(root: yaml.Node) -> str:
    """The app that a deck is of, or nothing for what may be a suite."""
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    values = {k.value: v for k, v in pairs if isinstance(k, yaml.ScalarNode)}
    return shown(values["app"]) if {"strata", "app"} <= values.keys() else ""


class _Reader(Reader):
    repeats = 1
    launches = 0
    """Of the runs read so far."""

    def runs(self) -> list[Run]:
        root = self.document("strata_suite and runs")
        runs = []
        if root and (app := _app_of(root)):
            self.problem(
                root,
                f"this is a deck of strata-{app}, not of a suite; run it by strata-{app} "
                f"--deck {self.path}, or name it in a suite deck: "
                f"runs: [{{app: {app}, deck: ...}}]",
            )
            raise SuiteError(self.problems)
        entries = self.entries(root, self.what, SUITE_KEYS) if root else {}
        misspelt = bool(self.problems)
        if isinstance(root, yaml.MappingNode):
            self.format(root, entries, "strata_suite", FORMAT)
            self.repeats = self._repeats(entries.get("repeats"), "repeats")
            runs = self._runs(root, entries, misspelt)
        if self.problems:
            raise SuiteError(self.problems)
        return runs

    def _runs(
        self, root: yaml.Node, entries: dict[str, yaml.Node], misspelt: bool
    ) -> list[Run]:
        """Of the deck's entries; a misspelt key may be the one that is missing."""
        node = entries.get("runs")
        if node is None:
            if not misspelt:
                self.problem(root, "runs is missing; list at least one run")
            return []
        items = self.items(node, "runs", "a list of at least one run")
        return [run for i, item in enumerate(items) for run in self._run(item, f"runs[{i}]")]

    def _run(self, node: yaml.Node, where: str) -> list[Run]:
        """One entry; several runs where it sweeps or climbs."""
        entries = self.entries(node, where, RUN_KEYS)
        if isinstance(node, yaml.MappingNode) and "app" not in entries:
            self.problem(node, f"{where}.app is missing")
        app = self._app(entries.get("app"), where)
        deck = self._deck(entries.get("deck"), where)
        ranks, ladder = self._ranks(entries.get("ranks"), f"{where}.ranks")
        repeats = self._repeats(entries.get("repeats"), f"{where}.repeats")
        overrides = self._overrides(entries.get("set"), f"{where}.set")
        sweep = self._sweep(entries.get("sweep"), f"{where}.sweep")
        per_rank = self._per_rank(entries.get("per_rank"), f"{where}.per_rank")
        self._each_key_once(entries, where)
        top = max(ranks) if len(ranks) > 1 else None
        if self.launches > MAX_LAUNCHES:
            return []  # said before
        self.launches += math.prod(map(len, sweep)) * max(len(ranks), 1) * repeats
        if self.launches > MAX_LAUNCHES:
            self.problem(
                node,
                f"{where} brings the suite to more than {MAX_LAUNCHES} launches; shorten its "
                "sweep or ranks, or lower its repeats",
            )
            return []
        return [
            Run(app, self.place(node), deck, count, (*overrides, *chosen), repeats, per_rank,
                ladder, top)
            for chosen in itertools.product(*sweep)
            for count in ranks or [None]
        ]  # fmt: skip

    def _app(self, node: yaml.Node | None, where: str) -> str:
        if node is None:
            return ""
        if not has_tag(node, "str") or not re.fullmatch(r"[a-z][a-z0-9_-]*", node.value):
            self.problem(node, f"{where}.app is {shown(node)}; it must be the name of an app")
        return str(node.value)

    def _deck(self, node: yaml.Node | None, where: str) -> Path | None:
        if node is None:
            return None
        if not has_tag(node, "str"):
            self.problem(node, f"{where}.deck is {shown(node)}; it must be a file name")
            return None
        deck = self.path.parent / node.value
        try:
            lack = "" if deck.is_file() else f"there is no file {shortened(str(deck))}"
        except OSError as error:
            lack = f"{error.strerror}; name a file that can be read"
        if lack:
            self.problem(node, f"{where}.deck is {shown(node)}; {lack}")
        return deck

    def _ranks(self, node: yaml.Node | None, where: str) -> tuple[list[int], bool]:
        """The ranks that are listed, if any, and whether to climb to all devices."""
        if node is None or (has_tag(node, "str") and node.value in ("auto", "ladder")):
            return [], node is not None and node.value == "ladder"
        items = {where: node}
        if isinstance(node, yaml.SequenceNode) and node.value:
            items = {f"{where}[{i}]": item for i, item in enumerate(node.value)}
        counts: dict[int, None] = {}
        for place, item in items.items():
            count = self.integer(item, place, 1, MAX_RANKS, RANKS_RULE)
            if count in counts:
                again = "as another is; raise repeats to launch it again"
                self.problem(item, f"{place} is {count}, {again}")
            elif count is not None:
                counts[count] = None
        return list(counts), False

    def _repeats(self, node: yaml.Node | None, where: str) -> int:
        if node is None:
            return self.repeats
        return self.integer(node, where, 1, MAX_REPEATS) or 1

    def _overrides(self, node: yaml.Node | None, where: str) -> tuple[str, ...]:
        if node is None:
            return ()
        words = []
        for key, value in self.entries(node, where, None).items():
            text = _value(value)
            if text is None:
                self.problem(value, f"{where}.{key} must be a value or a list of values")
            else:
                words.append(f"{key}={text}")
        return tuple(words)

    def _sweep(self, node: yaml.Node | None, where: str) -> list[list[str]]:
        """For each key its overrides, one of which is in force at a time."""
        axes = []
        for key, value in (self.entries(node, where, None) if node else {}).items():
            items = self.items(value, f"{where}.{key}", "a list: each item is a run of its own")
            texts = [_value(item) for item in items]
            if None in texts:
                self.problem(value, f"{where}.{key} must list values, or lists of values")
            axes.append([f"{key}={text}" for text in texts])
        return axes

    def _per_rank(self, node: yaml.Node | None, where: str) -> tuple[tuple[str, Decimal], ...]:
        found = []
        for key, value in (self.entries(node, where, None) if node else {}).items():
            number = _decimal(value)
            if number is None:
                self.problem(
                    value,
                    f"{where}.{key} is {shown(value)}; it must be a number above 0 and at most "
                    f"{MAX_PER_RANK}, to be multiplied by the ranks",
                )
            else:
                found.append((key, number))
        return tuple(found)

    def _each_key_once(self, entries: dict[str, yaml.Node], where: str) -> None:
        """`set`, `sweep` and `per_rank` must not speak of one key."""
        seen: dict[str, str] = {}
        for part in ("set", "sweep", "per_rank"):
            node = entries.get(part)
            for key, _ in node.value if isinstance(node, yaml.MappingNode) else []:
                name = shown(key)
                if (first := seen.setdefault(name, part)) != part:
                    self.problem(key, f"{where} has {name} in {first} and in {part}")


def _decimal(node: yaml.Node) -> Decimal | None:
    """A value for each rank; None for what is none. Its exponent is bounded before it is
    counted with: decimals have any."""
    plain = r"[0-9]+(\.[0-9]+)?([eE]\+?[0-9]{1,3})?"
    if not isinstance(node, yaml.ScalarNode) or not re.fullmatch(plain, node.value):
        return None
    number = Decimal(node.value)
    return number if 0 < number <= MAX_PER_RANK else None


def _value(node: yaml.Node) -> str | None:
    """A deck's value in one line; None for what is neither a value nor a list of values."""
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    if isinstance(node, yaml.SequenceNode) and all(
        isinstance(item, yaml.ScalarNode) for item in node.value
    ):
        return f"[{', '.join(item.value for item in node.value)}]"
    return None
