"""Kinds of small changes of a Python source, each of which a test should notice."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}  # fmt: skip
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any", "minimum": "maximum",
             "maximum": "minimum"}  # fmt: skip


@dataclass(frozen=True)
class Change:
    line: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}  ->  {self.after}"


def of(text: str) -> Iterator[tuple[Change, ast.Module]]:
    """Each change of the source, and the whole of it so changed."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    passive = {
        id(inner) for node in nodes for part in _passive(node) for inner in ast.walk(part)
    }
    for number, node in enumerate(nodes):
        if id(node) in passive:
            continue
        for replacement in _replacements(node):
            changed = copy.deepcopy(tree)
            place = next(n for i, n in enumerate(ast.walk(changed)) if i == number)
            before = ast.unparse(place)
            place.__class__ = replacement.__class__
            place.__dict__ = {**place.__dict__, **vars(replacement)}
            after = ast.unparse(ast.fix_missing_locations(changed) and place)
            line = getattr(node, "iter", node).lineno  # a comprehension has none itself
            yield Change(line, _short(before), _short(after)), changed


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else f"{line[:100]}…"


def _passive(node: ast.AST) -> Iterator[ast.AST]:
    """Parts that no result depends on: annotations, decorators, and what only checkers read."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield from node.decorator_list
    if isinstance(node, ast.FunctionDef) and node.returns:
        yield node.returns
    if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.Assert):
        yield node
    if isinstance(node, ast.Raise):
        yield node
    if isinstance(node, ast.JoinedStr):  # the format of a number, and what a message counts
        yield from (part.format_spec for part in node.values
                    if isinstance(part, ast.FormattedValue) and part.format_spec)  # fmt: skip


def _replacements(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        yield _with(node, op=OPERATORS[type(node.op)]())
    elif isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            ops = [*node.ops[:index], OPERATORS[type(operator)](), *node.ops[index + 1 :]]
            yield _with(node, ops=ops)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        yield ast.Constant(_other(node.value))
    elif isinstance(node, ast.Name) and node.id in FUNCTIONS:
        yield _with(node, id=FUNCTIONS[node.id])
    elif isinstance(node, ast.Attribute) and node.attr in FUNCTIONS:
        yield _with(node, attr=FUNCTIONS[node.attr])
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield _with(node, test=ast.UnaryOp(ast.Not(), copy.deepcopy(node.test)))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=node.ifs[1:])
    elif isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        yield _with(node, value=ast.Constant(None))


def _other(value: bool | float) -> bool | float:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 2 or 1.0


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
