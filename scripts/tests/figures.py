"""Figures in tables of Markdown, held against the committed records they were taken from.

A comment under a table names the source of each figure, row by row, in lines of three kinds:

    h200/stream/20261121T065515Z-5080-ccd2               the record that the next lines are of
    triad/span/left/double bandwidth                     a case's rate, or `time`, its median
    triad/span/left/double / triad/native/left/double    the times of two cases, paired by round

The first column and columns headed S1 to S5, where the papers' figures stand, have none.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TABLE = re.compile(r"((?:^\|.*\n)+)\n<!-- figures\n((?:[^-].*\n)*)-->", re.MULTILINE)
SCALES = {
    "TB/s": 1e12, "GB/s": 1e9, "G/s": 1e9, "M/s": 1e6, "Tflop/s": 1e12, "Gflop/s": 1e9,
    "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "": 1.0,
}  # fmt: skip
UNIT = "|".join(unit for unit in SCALES if unit)
FIGURE = re.compile(rf"(?<![\w.])(\d+(?:,\d{{3}})*(?:\.\d+)?)(?!\w|[.,]\d)(?: ({UNIT})\b)?")


@dataclass
class Figure:
    """A number as it is written, and where."""

    row: str
    text: str
    unit: str

    def says(self, value: float) -> bool:
        """Whether `value`, in SI base units, is written so to that many digits."""
        digits = self.text.replace(",", "")
        decimals = len(digits.partition(".")[2])
        return f"{value / SCALES[self.unit]:.{decimals}f}" == digits


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def figures(table: str) -> Iterator[Figure]:
    """Left to right, row by row; one without a unit has that of the one before it in its cell,
    or the one that ends its column's heading after a comma."""
    heading, _, *rows = (cells(line) for line in table.splitlines())
    for name, *row in rows:
        for title, cell in zip(heading[1:], row):
            unit = title.rpartition(", ")[2]
            unit = unit if unit in SCALES else ""
            if re.match(r"S\d\b", title):
                continue
            for match in FIGURE.finditer(cell):
                unit = match[2] or unit
                yield Figure(name, match[1], unit)


class Records:
    """The records below `folder`, read once each."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.read: dict[str, dict[str, dict]] = {}

    def case(self, record: str, label: str) -> dict:
        if record not in self.read:
            found = json.loads((self.folder / f"{record}.json").read_text())
            self.read[record] = {case["label"]: case for case in found["cases"]}
        return self.read[record][label]

    def value(self, record: str, words: list[str], unit: str) -> float:
        """What the record has for a line of the comment; a rate in units of time is its
        inverse: seconds an item."""
        case = self.case(record, words[0])
        if words[1] == "/":
            other = self.case(record, words[2])
            assert len(case["samples_s"]) == len(other["samples_s"])
            pairs = zip(case["samples_s"], other["samples_s"])
            return statistics.median(mine / its for mine, its in pairs)
        if words[1] == "time":
            return case["statistics"]["median_s"]
        rates = (fom["value"] for fom in case["foms"] if fom["metric"] == words[1])
        rate = next(rates)
        return 1 / rate if unit.endswith("s") and "/" not in unit else rate


def records_of(markdown: str) -> set[str]:
    """The records that comments name."""
    lines = (line for _, comment in TABLE.findall(markdown) for line in comment.splitlines())
    return {line for line in lines if len(line.split()) == 1}


def lies(markdown: str, records: Records) -> list[str]:
    """A line for every figure that its source has otherwise, and for tables whose comments
    name more or fewer sources than they have figures."""
    found = []
    for table, comment in TABLE.findall(markdown):
        record, sources = "", []
        for words in (line.split() for line in comment.splitlines()):
            if len(words) == 1:
                record = words[0]
            else:
                sources.append((record, words))
        written = list(figures(table))
        if len(written) != len(sources):
            first = table.splitlines()[2].strip("|").partition("|")[0].strip()
            found.append(f"{first}: {len(written)} figures, {len(sources)} sources")
            continue
        for figure, (record, words) in zip(written, sources):
            value = records.value(record, words, figure.unit)
            if not figure.says(value):
                found.append(
                    f"{figure.row}: {figure.text} {figure.unit}".rstrip()
                    + f" is {value:.6g} in {record}: {' '.join(words)}"
                )
    return found
