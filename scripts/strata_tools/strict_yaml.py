"""YAML read as strictly as the apps read their decks: every problem is found, each with its
place and what would be right."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

import yaml


class InvalidFileError(Exception):
    """A file nothing can be done with; `problems` has one line for each reason."""

    def __init__(self, problems: list[str]):
        super().__init__("\n".join(problems))
        self.problems = problems


class Reader:
    """Nodes of one file, and the problems found so far."""

    def __init__(self, path: Path, what: str):
        self.path = path
        self.what = what
        """The kind of file, in messages: "the suite deck"."""
        self.problems: list[str] = []

    def document(self, needs: str) -> yaml.Node | None:
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
            name = key.value if isinstance(key, yaml.ScalarNode) else shown(key)
            if key.tag == "tag:yaml.org,2002:merge":
                self.problem(key, f"merge key '<<' in {where}; write the keys out")
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
        if not plain or not low <= int(node.value) <= high:
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
        return node.value or "empty"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
