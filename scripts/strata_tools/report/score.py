"""A weighted score of systems against a base one, from weights in a YAML file.

    strata_weights: 1
    base: xeon-16                         # the system that scores 1
    weights: {stream: 2, hexgrad: 1}      # by app, or app/problem as the report names it
    nodes: {h200: 40, xeon-16: 400}       # that are offered; 1 unless given

The form of ATS-5's SSNI: the ratio of nodes, times the weighted geometric mean of the ratios of
figures per node.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import yaml

from strata_tools.report.blocks import Block, Cell, Section, Table, figure
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Place
from strata_tools.strict_yaml import InvalidFileError, Reader, shown

FORMAT = "1"
KEYS = ("strata_weights", "base", "weights", "nodes")
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


def read(path: Path) -> Weights:
    """The weights of a file; raises WeightsError."""
    return _Reader(path, "the weights file").weights()


class _Reader(Reader):
    def weights(self) -> Weights:
        root = self.document("strata_weights, base and weights")
        entries = self.entries(root, self.what, KEYS) if root else {}
        base, weights, nodes = "", {}, {}
        if root and not self.problems:
            self.format(root, entries, "strata_weights", FORMAT)
            base = self._base(root, entries.get("base"))
            weights = self._numbers(entries.get("weights"), "weights")
            nodes = self._numbers(entries.get("nodes"), "nodes")
            if not weights and not self.problems:
                self.problem(root, "weights is missing: give at least one, by app")
        if self.problems:
            raise WeightsError(self.problems)
        return Weights(self.path, base, weights, nodes)

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
    systems = sorted({place.system for place in book.places})
    for name in (weights.base, *weights.nodes):
        if name not in systems:
            known = ", ".join(systems)
            raise WeightsError(
                [f"{weights.path}: no record is of system {name}; there are: {known}"]
            )
    devices = sorted({p.device for p in book.places if p.system == weights.base})
    if len(devices) > 1:
        raise WeightsError(
            [
                f"{weights.path}: base {weights.base} has records of {' and '.join(devices)}; "
                "report on folders that have one of them, or name the systems apart "
                "(STRATA_SYSTEM)"
            ]
        )
    for name in weights.of:
        if _row(book, name) is None:
            known = ", ".join(dict.fromkeys(row.app for row in book.rows))
            raise WeightsError([f"{weights.path}: no record has {name}; there are: {known}"])


def _row(book: Book, name: str) -> Row | None:
    """The app's primary problem, or the one that is named."""
    return next((r for r in book.rows if name in (r.app, f"{r.app}/{r.name}")), None)


def section(book: Book, weights: Weights) -> Section:
    headings = [
        "system",
        "score",
        "nodes / base's",
        *(f"{n} × {w:g}" for n, w in weights.of.items()),
    ]
    rows = [_scored(book, weights, place) for place in book.places]
    blocks: list[Block] = [Table(headings, rows)]
    return Section(
        "score",
        "Weighted score",
        f"Against {weights.base}, by {weights.path.name}: the ratio of nodes times the "
        "weighted geometric mean of the ratios of figures per node. One number hides which app "
        "pays for which: read it last, after the tables that it is made of. Ratios are of "
        "medians; where problem sizes differ (≠), so do the problems.",
        blocks,
    )


def _scored(book: Book, weights: Weights, place: Place) -> list[Cell]:
    nodes = weights.nodes.get(place.system, 1) / weights.nodes.get(weights.base, 1)
    cells, logs = [], []
    for name, weight in weights.of.items():
        row = _row(book, name)
        assert row is not None
        ratio, cell = _ratio(row, weights.base, place)
        cells.append(cell)
        if ratio is not None:
            logs.append(weight * math.log(ratio))
    complete = len(logs) == len(weights.of)
    score = nodes * math.exp(sum(logs) / sum(weights.of.values())) if complete else None
    shown = (
        Cell("–", hint="not everything was measured") if score is None else Cell(_two(score))
    )
    return [Cell(book.place_name(place)), shown, Cell(f"{nodes:.3g}"), *cells]


def _ratio(row: Row, base: str, place: Place) -> tuple[float | None, Cell]:
    bases = sorted(at for at in row.at if at.system == base)
    if not bases or place not in row.at:
        return None, Cell("–", hint="not measured")
    mine, theirs = row.at[place].own, row.at[bases[0]].own
    per_node = [e.speed / e.series.record.nodes for e in (mine, theirs)]
    ratio = per_node[0] / per_node[1]
    alike = mine.case.sizes == theirs.case.sizes
    note = _two(ratio) + (" ×" if alike else " × (≠)")
    return ratio, figure(mine, note)


def _two(value: float) -> str:
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"
