"""A weighted score of systems against a base one, from weights in a YAML file.

    strata_weights: 1
    base: xeon-16                         # the system that scores 1
    weights: {stream: 2, hexgrad: 1}      # by app, or app/problem as the report names it
    nodes: {h200: 40, xeon-16: 400}       # that are offered; 1 unless given
    devices: {h200: 4}                    # of a node; unless given, as many as ran on one
    prices: {h200: 200000, xeon-16: 9000} # of a node, in any one currency

The form of ATS-5's SSNI: the ratio of nodes, times the weighted geometric mean of the ratios of
figures per node. Only answers to one question enter it (on any number of ranks), of the same
commit, and of a node only what all of its devices did.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from strata_tools.records.alike import Machine
from strata_tools.report.blocks import Block, Cell, Section, Table, figure
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Problem
from strata_tools.strict_yaml import InvalidFileError, Reader, shown

FORMAT = "1"
KEYS = ("strata_weights", "base", "weights", "nodes", "devices", "prices")
LARGEST = 1e9
"""Weight, or number of nodes: sums of them stay finite."""
NUMBER = r"-?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?"


class WeightsError(InvalidFileError):
    """A weights file nothing can be scored by; `problems` has one line for each reason."""


@dataclass(frozen=True)
class Weights:
    path: Path
    base: str
    of: dict[str, float]
    """By app, or app/problem."""
    nodes: dict[str, float]
    """By system."""
    devices: dict[str, float]
    """Of a node, by system."""
    prices: dict[str, float]
    """Of a node, by system."""

    def price(self, machine: Machine) -> float | None:
        """Of the part of its nodes that ran; None where it is not given."""
        of_node = self.prices.get(machine.system)
        if of_node is None:
            return None
        return of_node * machine.nodes * self.share_of_nodes(machine)

    def share_of_nodes(self, machine: Machine) -> float:
        """Of the devices of its nodes those that ran; 1 unless `devices` tells."""
        there = self.devices.get(machine.system, machine.ranks / machine.nodes)
        return machine.ranks / machine.nodes / there


def read(path: Path) -> Weights:
    """The weights of a file; raises WeightsError."""
    return _Reader(path, "the weights file").weights()


class _Reader(Reader):
    def weights(self) -> Weights:
        root = self.document("strata_weights, base and weights")
        entries = self.entries(root, self.what, KEYS) if root else {}
        base, weights = "", {}
        nodes, devices, prices = {}, {}, {}
        if root and not self.problems:
            self.format(root, entries, "strata_weights", FORMAT)
            base = self._base(root, entries.get("base"))
            weights = self._numbers(entries.get("weights"), "weights")
            nodes, devices, prices = (
                self._numbers(entries.get(name), name)
                for name in ("nodes", "devices", "prices")
            )
            if not weights and not self.problems:
                self.problem(root, "weights is missing: give at least one, by app")
        if self.problems:
            raise WeightsError(self.problems)
        return Weights(self.path, base, weights, nodes, devices, prices)

    def _base(self, root: yaml.Node, node: yaml.Node | None) -> str:
        if node is None:
            self.problem(root, "base is missing: name the system that scores 1")
            return ""
        return self.text(node, "base", r".+", "the name of a system")

    def _numbers(self, node: yaml.Node | None, where: str) -> dict[str, float]:
        found = {}
        for name, value in (self.entries(node, where, None) if node else {}).items():
            try:
                found[name] = float(self.text(value, f"{where}.{name}", NUMBER, "a number"))
            except ValueError:
                continue
            if not 0 < found[name] <= LARGEST:
                rule = f"it must be above 0 and at most {LARGEST:g}"
                self.problem(value, f"{where}.{name} is {shown(value)}; {rule}")
        return found


def check(weights: Weights, book: Book) -> None:
    """Raises WeightsError for names that the records do not have, or that say too little."""
    systems = sorted({place.system for place in book.machines})
    for name in (weights.base, *weights.nodes, *weights.devices, *weights.prices):
        if name not in systems:
            known = ", ".join(systems)
            raise WeightsError(
                [f"{weights.path}: no record is of system {name}; there are: {known}"]
            )
    devices = sorted({p.device for p in book.machines if p.system == weights.base})
    if len(devices) > 1:
        raise WeightsError(
            [
                f"{weights.path}: base {weights.base} has records of {' and '.join(devices)}; "
                "report on folders that have one of them, or name the systems apart "
                "(STRATA_SYSTEM)"
            ]
        )
    for name in weights.of:
        if not _rows(book, name):
            known = ", ".join(book.apps)
            raise WeightsError([f"{weights.path}: no record has {name}; there are: {known}"])


def _rows(book: Book, name: str) -> list[Row]:
    """Of the app's primary problem, or the one that is named; of any size and commit."""
    found = [row for row in book.rows if name in (row.app, f"{row.app}/{row.name}")]
    primary = next((key[1] for key in book.quoted if key[0] == name), None)
    return [row for row in found if primary in (None, row.name)]


def section(book: Book, weights: Weights) -> Section:
    headings = [
        "system",
        "score",
        "nodes / base's",
        *(f"{n} × {w:g}" for n, w in weights.of.items()),
    ]
    rows = [_scored(book, weights, machine) for machine in book.machines]
    blocks: list[Block] = [Table(headings, rows)]
    return Section(
        "score",
        "Weighted score",
        f"Against {weights.base}, by {weights.path.name}: the ratio of nodes times the "
        "weighted geometric mean of the ratios of figures per node. One number hides which app "
        "pays for which: read it last, after the tables that it is made of. Ratios are of "
        "medians, of the same problem, size, tier and commit alone, and of nodes whose devices "
        "all ran; a system that lacks one has no score, and the table says why.",
        blocks,
    )


def _scored(book: Book, weights: Weights, machine: Machine) -> list[Cell]:
    nodes = weights.nodes.get(machine.system, 1) / weights.nodes.get(weights.base, 1)
    cells, logs = [], []
    for name, weight in weights.of.items():
        ratio, cell = _ratio(_rows(book, name), weights, machine)
        cells.append(cell)
        if ratio is not None:
            logs.append(weight * math.log(ratio))
    complete = len(logs) == len(weights.of)
    score = nodes * math.exp(sum(logs) / sum(weights.of.values())) if complete else None
    shown = (
        Cell("–", hint="not everything was measured") if score is None else Cell(_two(score))
    )
    return [Cell(book.machine_name(machine)), shown, Cell(f"{nodes:.3g}"), *cells]


def _ratio(rows: list[Row], weights: Weights, machine: Machine) -> tuple[float | None, Cell]:
    """Of figures per node, that of the base at its best, by a question that both answered."""
    mine = [row for row in rows if machine in row.at]
    if not mine:
        return None, Cell("–", note="not measured")
    if part := _part(weights, machine):
        return None, Cell("–", note=part)
    for row in mine:
        bases = [p for at, p in _bases(rows, row, weights.base) if not _part(weights, at)]
        if bases:
            best = max(map(_per_node, bases))
            ratio = _per_node(row.at[machine]) / best
            return ratio, figure(row.at[machine].own, f"{_two(ratio)} ×")
    return None, Cell("–", note=f"{weights.base} has no figure of the same question and commit")


def _per_node(problem: Problem) -> float:
    return problem.own.speed / problem.machine.nodes


def _bases(rows: list[Row], row: Row, system: str) -> Iterator[tuple[Machine, Problem]]:
    """What the base has of the same work and commit, on any number of ranks."""
    for other in rows:
        same = other.question.on_any_ranks() == row.question.on_any_ranks()
        if same and (other.name, other.commit) == (row.name, row.commit):
            yield from ((at, p) for at, p in sorted(other.at.items()) if at.system == system)


def _part(weights: Weights, machine: Machine) -> str:
    """Why its figure is not one of whole nodes; or nothing."""
    if weights.share_of_nodes(machine) == 1:
        return ""
    there = weights.devices[machine.system]
    return f"{machine.ranks / machine.nodes:g} of a node's {there:g} devices ran"


def _two(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"
