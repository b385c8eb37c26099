"""Tidy CSV of every figure, and what the p3-analysis library reads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from strata_tools.files import write
from strata_tools.records import Record
from strata_tools.records.alike import short_commit
from strata_tools.report.book import Book
from strata_tools.report.portability import standings
from strata_tools.text import cell

FIXED = (
    "system", "app", "case", "status", "metric", "scope", "better", "value", "unit", "ci_low",
    "ci_high", "best", "n", "median_s", "cv", "bytes", "flops", "memory_bytes", "converged",
    "drift", "ranks", "nodes", "device", "tier", "valid", "official", "fom_version", "version",
    "git", "dirty", "deck", "deck_sha256", "start_utc", "run_id", "record",
)  # fmt: skip
P3_COLUMNS = ("problem", "application", "platform", "fom", "date")


def tidy(book: Book, path: Path) -> None:
    """One row for each figure of each case of each record, valid or not; cases without a
    figure have one row without value. Axes are columns named axis.NAME."""
    axes = sorted({a for record in book.records for case in record.cases for a in case.axes})
    rows = (row for record in book.records for row in _rows(record, axes))
    _write(path, [*FIXED, *(f"axis.{axis}" for axis in axes)], rows)


def _rows(record: Record, axes: list[str]) -> Iterator[list[Any]]:
    run = [
        record.ranks, record.nodes, record.device, record.tier, record.valid, record.official,
        record.fom_version, record.version, record.git, record.dirty, record.deck.path,
        record.deck.sha256, record.start, record.id, str(record.path),
    ]  # fmt: skip
    for case in record.cases:
        about = [
            len(case.samples), _blank(case.median_s), _blank(case.variation), case.bytes,
            case.flops, case.memory_bytes, case.converged, case.drift,
        ]  # fmt: skip
        values = [case.axes.get(axis, "") for axis in axes]
        head = [record.system, record.app, case.label, case.status]
        if not case.foms:
            yield [*head, *[""] * 8, *about, *run, *values]
        for fom in case.foms:
            low, high = fom.interval or ("", "")
            figure = [
                fom.metric,
                fom.scope,
                fom.better,
                fom.value,
                fom.unit,
                low,
                high,
                _blank(fom.best),
            ]
            yield [*head, *figure, *about, *run, *values]


def _blank(value: float) -> Any:
    return value if math.isfinite(value) else ""


def p3(book: Book, folder: Path) -> list[Path]:
    """Files for p3-analysis, one for each direction, as its functions take one direction: a
    row for each question, variant (application) and device (platform) that was measured. What
    failed or is unavailable is 0 where higher is better, blank where lower is, as the library
    zeroes those."""
    rows: dict[str, list[tuple]] = {"higher": [], "lower": []}
    for one in standings(book, fewest=1):
        problem_name = f"{one.row.app}/{one.row.name}, {book.size_of(one.row)}"
        about = f"{one.row.question.tier}, {short_commit(one.row.commit)}"
        for device in one.efficiencies:
            problem = one.row.by_device[device]
            entry = problem.best(one.variant)
            better = problem.entries[0].better
            missing: Any = 0 if better == "higher" else ""
            value = entry.figure.value if entry else missing
            start = problem.entries[0].series.record.start
            rows[better].append((f"{problem_name}, {about}", one.variant, device, value, start))
    written = []
    for better, found in rows.items():
        if found:
            written.append(folder / f"p3-{better}.csv")
            _write(written[-1], P3_COLUMNS, found)
    return written


def _write(path: Path, headings: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(cell, headings))
    writer.writerows(map(cell, row) for row in rows)
    write(path, text.getvalue())
