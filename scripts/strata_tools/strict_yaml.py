"""YAML read as strictly as the apps read their decks: every problem is found, each with its
place and what would be right."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import yaml

from strata_tools.text import printable, shortened

DEEPEST = 32
"""Nesting of a file that is read."""
LONGEST_SCALAR = 10_000
"""Characters of one value or key: programs take no argument of any length."""


class InvalidFileError(Exception):
    """A file nothing can be done with; `problems` has one line for each reason."""

    def __init__(self, problems: list[str]):
        super().__init__("\n".join(problems))
        self.problems = problems


class _Loader(yaml.SafeLoader):
    """Refuses, at its place, what no reader of ours could use and some would choke on."""

    depth = 0

    def fetch_more_tokens(self) -> None:
        try:
            super().fetch_more_tokens()
        except (ValueError, OverflowError):  # of chr() and int()
            what = "has an escape that is no character, or a version of no YAML; correct it"
            raise _refusal(what, self.get_mark()) from None

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        mark = self.peek_event().start_mark
        if self.depth == DEEPEST:
            raise _refusal(f"is nested more than {DEEPEST} deep; write it flatter", mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def compose_scalar_node(self, anchor: str | None) -> yaml.ScalarNode:
        node = super().compose_scalar_node(anchor)
        if len(node.value) > LONGEST_SCALAR:
            what = f"is a text of {len(node.value)} characters"
            raise _refusal(f"{what}; it must be at most {LONGEST_SCALAR} long", node.start_mark)
        if strange := re.search(r"[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]", node.value):
            what = f"has the character U+{ord(strange[0]):04X} in a text"
            raise _refusal(f"{what}; leave it out", node.start_mark)
        return node


def _refusal(problem: str, mark: yaml.Mark) -> yaml.YAMLError:
    return yaml.composer.ComposerError(None, None, problem, mark)


class Reader:
    """Nodes of one file, and the problems found so far."""

    def __init__(self, path: Path, what: str):
        self.path = path
        self.what = what
        """The kind of file, in messages: "the suite deck"."""
        self.problems: list[str] = []

    def document(self, needs: str) -> yaml.Node | None:
        try:
            text = self.path.read_text(encoding="utf-8")
            root = yaml.compose(text, Loader=_Loader)
        except OSError as error:
            self.problems.append(f"{self.path}: {error.strerror}")
            return None
        except UnicodeDecodeError:
            self.problems.append(f"{self.path}: is not UTF-8 text")
            return None
        except yaml.reader.ReaderError as error:
            before = text[: error.position].split("\n")
            place = f"{self.path}:{len(before)}:{len(before[-1]) + 1}"
            strange = f"U+{error.character:04X}"
            self.problems.append(f"{place}: has the character {strange}; leave it out")
            return None
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            self.problems.append(
                f"{self.path}:{mark.line + 1}:{mark.column + 1}: {printable(error.problem)}"
            )
            return None
        if root is None:
            self.problems.append(f"{self.path}: is empty; it must have {needs}")
        return root

    def format(
        self, root: yaml.Node, entries: dict[str, yaml.Node], key: str, version: str
    ) -> None:
        """Demands the key that names a file's format."""
        node = entries.get(key)
        if node is None:
            self.problem(root, f"{key} is missing; write {key}: {version}")
        elif not has_tag(node, "int") or node.value != version:
            self.problem(node, f"{key} is {shown(node)}; this version reads {version}")

    def entries(
        self, node: yaml.Node, where: str, allowed: tuple[str, ...] | None
    ) -> dict[str, yaml.Node]:
        """A mapping's entries; unknown (unless any is allowed), duplicate and merge keys are
        problems."""
        if not isinstance(node, yaml.MappingNode):
            self.problem(node, f"{where} is {shown(node)}; it must be a mapping")
            return {}
        entries: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = shown(key)
            if key.tag == "tag:yaml.org,2002:merge":
                self.problem(key, f"merge key '<<' in {where}; write the keys out")
            elif not isinstance(key, yaml.ScalarNode) or name != key.value:
                self.problem(key, f"a key in {where} is {name}; it must be a word")
            elif name in entries:
                first = entries[name].start_mark.line + 1
                self.problem(key, f"duplicate key '{name}' in {where} (first on line {first})")
            elif allowed and name not in allowed:
                near = difflib.get_close_matches(name, allowed, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(allowed)}"
                self.problem(key, f"unknown key '{name}' in {where} ({hint})")
            else:
                entries[name] = value
        return entries

    def integer(
        self, node: yaml.Node, where: str, low: int, high: int, rule: str = ""
    ) -> int | None:
        """A plain decimal number; `rule` words what else the key may be."""
        plain = has_tag(node, "int") and re.fullmatch(r"0|[1-9][0-9]*", node.value)
        if not plain or len(node.value) > len(str(high)) or not low <= int(node.value) <= high:
            rule = rule or f"it must be between {low} and {high}"
            self.problem(node, f"{where} is {shown(node)}; {rule}")
            return None
        return int(node.value)

    def text(self, node: yaml.Node, where: str, pattern: str, rule: str) -> str:
        """A value that the pattern matches as a whole; `rule` words the pattern."""
        if not isinstance(node, yaml.ScalarNode) or not re.fullmatch(pattern, node.value):
            self.problem(node, f"{where} is {shown(node)}; it must be {rule}")
            return ""
        return str(node.value)

    def items(self, node: yaml.Node, where: str, rule: str) -> list[yaml.Node]:
        """A list's items; `rule` words what a list of them must be."""
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            self.problem(node, f"{where} is {shown(node)}; it must be {rule}")
            return []
        return list(node.value)

    def problem(self, node: yaml.Node, text: str) -> None:
        self.problems.append(f"{self.place(node)}: {text}")

    def place(self, node: yaml.Node) -> str:
        return f"{self.path}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"


def has_tag(node: yaml.Node, kind: str) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == f"tag:yaml.org,2002:{kind}"


def shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return shortened(node.value) or "empty"
    kind = "list" if isinstance(node, yaml.SequenceNode) else "mapping"
    return f"a {kind}" if node.value else f"an empty {kind}"
