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
from typing import Any

import yaml

from strata_tools.report.blocks import Block, Cell, Section, Table, figure
from strata_tools.report.book import Book, Row
from strata_tools.report.series import Place

FORMAT = 1
KEYS = ("strata_weights", "base", "weights", "nodes")


class WeightsError(Exception):
    """A weights file nothing can be scored by."""


@dataclass(frozen=True)
class Weights:
    path: Path
    base: str
    of: dict[str, float]
    """By app, or app/problem."""
    nodes: dict[str, float]
    """By system."""


def read(path: Path) -> Weights:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WeightsError(f"{path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise WeightsError(f"{path}: is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict) or content.get("strata_weights") != FORMAT:
        raise WeightsError(f"{path}: must be a mapping with strata_weights: {FORMAT}")
    if unknown := sorted(str(key) for key in content if key not in KEYS):
        raise WeightsError(f"{path}: unknown key '{unknown[0]}' (known: {', '.join(KEYS)})")
    if not isinstance(content.get("base"), str):
        raise WeightsError(f"{path}: base is missing: name the system that scores 1")
    weights = _numbers(path, content, "weights")
    if not weights:
        raise WeightsError(f"{path}: weights is missing: give at least one, by app")
    return Weights(path, content["base"], weights, _numbers(path, content, "nodes"))


def _numbers(path: Path, content: dict[str, Any], key: str) -> dict[str, float]:
    found = content.get(key) or {}
    if not isinstance(found, dict):
        raise WeightsError(f"{path}: {key} must be a mapping from names to numbers")
    for name, value in found.items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value <= 0:
            raise WeightsError(f"{path}: {key}.{name} is {value}; it must be above 0")
    return {str(name): float(value) for name, value in found.items()}


def check(weights: Weights, book: Book) -> None:
    """Raises WeightsError for names that the records do not have, or that say too little."""
    systems = sorted({place.system for place in book.places})
    for name in (weights.base, *weights.nodes):
        if name not in systems:
            known = ", ".join(systems)
            raise WeightsError(
                f"{weights.path}: no record is of system {name}; there are: {known}"
            )
    devices = sorted({p.device for p in book.places if p.system == weights.base})
    if len(devices) > 1:
        raise WeightsError(
            f"{weights.path}: base {weights.base} has records of {' and '.join(devices)}; "
            "report on folders that have one of them, or name the systems apart (STRATA_SYSTEM)"
        )
    for name in weights.of:
        if _row(book, name) is None:
            known = ", ".join(dict.fromkeys(row.app for row in book.rows))
            raise WeightsError(f"{weights.path}: no record has {name}; there are: {known}")


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
