"""Suite decks: which apps to run, on which decks, with how many ranks.

    strata_suite: 1
    runs:
      - {app: stream}                      # its built-in default deck
      - app: hexgrad
        deck: kokkos-2011/hexgrad.yaml     # relative to the suite deck
        ranks: 2                           # auto, unless given: one rank per device
        set: {problem.elements: 100000}    # handed on as --set problem.elements=100000

Read as strictly as the apps read their decks: every problem is found before anything runs.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

FORMAT = "1"
SUITE_KEYS = ("strata_suite", "runs")
RUN_KEYS = ("app", "deck", "ranks", "set")
MAX_RANKS = 1_000_000


class SuiteError(Exception):
    """A suite deck nothing can be run from; `problems` has one line for each reason."""

    def __init__(self, problems: list[str]):
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Run:
    """One launch of one app."""

    app: str
    place: str
    """file:line:column of its entry, for messages."""
    deck: Path | None = None
    """None: the app's built-in default deck."""
    ranks: int | None = None
    """None: one rank per device."""
    overrides: tuple[str, ...] = field(default=())
    """key.path=value each."""

    def deck_arguments(self) -> list[str]:
        words = ["--deck", str(self.deck)] if self.deck else []
        for override in self.overrides:
            words += ["--set", override]
        return words


def read(path: Path) -> list[Run]:
    """The runs of a suite deck in their order; raises SuiteError."""
    return _Reader(path).runs()


class _Reader:
    def __init__(self, path: Path):
        self.path = path
        self.problems: list[str] = []

    def runs(self) -> list[Run]:
        root = self._document()
        runs = []
        entries = self._entries(root, "the suite deck", SUITE_KEYS) if root else {}
        if root and not self.problems:
            self._format(root, entries)
            runs = self._runs(root, entries)
        if self.problems:
            raise SuiteError(self.problems)
        return runs

    def _document(self) -> yaml.Node | None:
        try:
            with self.path.open(encoding="utf-8") as stream:
                root = yaml.compose(stream, Loader=yaml.SafeLoader)
        except OSError as error:
            self.problems.append(f"{self.path}: {error.strerror}")
            return None
        except UnicodeDecodeError:
            self.problems.append(f"{self.path}: is not UTF-8 text")
            return None
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            what = getattr(error, "problem", None) or str(error)
            place = f"{self.path}:{mark.line + 1}:{mark.column + 1}" if mark else f"{self.path}"
            self.problems.append(f"{place}: {what}")
            return None
        if root is None:
            self.problems.append(f"{self.path}: is empty; it must have strata_suite and runs")
        return root

    def _format(self, root: yaml.Node, entries: dict[str, yaml.Node]) -> None:
        node = entries.get("strata_suite")
        if node is None:
            self._problem(root, f"strata_suite is missing; write strata_suite: {FORMAT}")
        elif not _is(node, "int") or node.value != FORMAT:
            self._problem(node, f"strata_suite is {_shown(node)}; this version reads {FORMAT}")

    def _runs(self, root: yaml.Node, entries: dict[str, yaml.Node]) -> list[Run]:
        node = entries.get("runs")
        if node is None:
            self._problem(root, "runs is missing; list at least one run")
        elif not isinstance(node, yaml.SequenceNode) or not node.value:
            self._problem(
                node, f"runs is {_shown(node)}; it must be a list of at least one run"
            )
        else:
            return [self._run(item, f"runs[{i}]") for i, item in enumerate(node.value)]
        return []

    def _run(self, node: yaml.Node, where: str) -> Run:
        entries = self._entries(node, where, RUN_KEYS)
        if isinstance(node, yaml.MappingNode) and "app" not in entries:
            self._problem(node, f"{where}.app is missing")
        return Run(
            app=self._app(entries.get("app"), where),
            place=self._place(node),
            deck=self._deck(entries.get("deck"), where),
            ranks=self._ranks(entries.get("ranks"), where),
            overrides=self._overrides(entries.get("set"), where),
        )

    def _app(self, node: yaml.Node | None, where: str) -> str:
        if node is None:
            return ""
        if not _is(node, "str") or not re.fullmatch(r"[a-z][a-z0-9_-]*", node.value):
            self._problem(node, f"{where}.app is {_shown(node)}; it must be the name of an app")
        return str(node.value)

    def _deck(self, node: yaml.Node | None, where: str) -> Path | None:
        if node is None:
            return None
        if not _is(node, "str"):
            self._problem(node, f"{where}.deck is {_shown(node)}; it must be a file name")
            return None
        deck = self.path.parent / node.value
        if not deck.is_file():
            self._problem(node, f"{where}.deck is {node.value}; there is no file {deck}")
        return deck

    def _ranks(self, node: yaml.Node | None, where: str) -> int | None:
        if node is None or (_is(node, "str") and node.value == "auto"):
            return None
        plain = _is(node, "int") and re.fullmatch(r"[1-9][0-9]*", node.value)
        if not plain or int(node.value) > MAX_RANKS:
            rule = f"it must be auto or between 1 and {MAX_RANKS}"
            self._problem(node, f"{where}.ranks is {_shown(node)}; {rule}")
            return None
        return int(node.value)

    def _overrides(self, node: yaml.Node | None, where: str) -> tuple[str, ...]:
        if node is None:
            return ()
        words = []
        for key, value in self._entries(node, f"{where}.set", None).items():
            if isinstance(value, yaml.ScalarNode):
                words.append(f"{key}={value.value}")
            elif isinstance(value, yaml.SequenceNode) and all(
                isinstance(item, yaml.ScalarNode) for item in value.value
            ):
                words.append(f"{key}=[{', '.join(item.value for item in value.value)}]")
            else:
                self._problem(value, f"{where}.set.{key} must be a value or a list of values")
        return tuple(words)

    def _entries(
        self, node: yaml.Node, where: str, allowed: tuple[str, ...] | None
    ) -> dict[str, yaml.Node]:
        """A mapping's entries; unknown (unless any is allowed), duplicate and merge keys are
        problems."""
        if not isinstance(node, yaml.MappingNode):
            self._problem(node, f"{where} is {_shown(node)}; it must be a mapping")
            return {}
        entries: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else _shown(key)
            if key.tag == "tag:yaml.org,2002:merge":
                self._problem(key, f"merge key '<<' in {where}; write the keys out")
            elif name in entries:
                first = entries[name].start_mark.line + 1
                self._problem(key, f"duplicate key '{name}' in {where} (first on line {first})")
            elif allowed and name not in allowed:
                near = difflib.get_close_matches(name, allowed, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(allowed)}"
                self._problem(key, f"unknown key '{name}' in {where} ({hint})")
            else:
                entries[name] = value
        return entries

    def _problem(self, node: yaml.Node, text: str) -> None:
        self.problems.append(f"{self._place(node)}: {text}")

    def _place(self, node: yaml.Node) -> str:
        return f"{self.path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"


def _is(node: yaml.Node, kind: str) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == f"tag:yaml.org,2002:{kind}"


def _shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return node.value or "empty"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
