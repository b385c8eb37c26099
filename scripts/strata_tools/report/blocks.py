"""What pages are built of: sections of tables and charts, whatever they are written in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from matplotlib.figure import Figure

from strata_tools.report.series import Entry

LEAST_NOISE = 0.001
"""Shown as a number."""


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str
    unit: str = ""
    note: str = ""
    """Small, below."""
    link: str = ""
    """Name of the provenance that the figure has."""
    hint: str = ""
    shade: float | None = None
    """0 to 1, for heat maps."""
    flag: str = ""
    """good, warn or bad; prose for text that breaks into lines."""

    @property
    def plain(self) -> str:
        text = f"{self.text} {self.unit}".strip()
        return f"{text} ({self.note})" if self.note else text


@dataclass(frozen=True)
class Table:
    headings: list[str]
    rows: list[list[Cell]]
    caption: str = ""
    words: int = 1
    """Leading columns that hold words; figures are in the others."""


@dataclass(frozen=True)
class Chart:
    name: str
    image: str
    """Data URI of an SVG."""
    drawing: Figure
    alternative: str
    """What it shows, for those who do not see it."""


@dataclass(frozen=True)
class Fold:
    """Blocks that are opened by a click."""

    summary: str
    blocks: list[Block]
    name: str = ""


@dataclass(frozen=True)
class Text:
    text: str
    flag: str = ""
    """headline, or code."""


@dataclass(frozen=True)
class Points:
    texts: list[str]


Block = Union[Table, Chart, Fold, Text, Points]


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    lead: str
    """What is to be read from it, and how it was made."""
    blocks: list[Block] = field(default_factory=list)


def words(*texts: str) -> list[Cell]:
    return [Cell(text) for text in texts]


def figure(entry: Entry | None, note: str = "", **more) -> Cell:
    """A case's primary figure, with the way to its provenance."""
    if entry is None:
        return Cell("–")
    number, unit = entry.figure.scaled
    hint = f"{entry.label}: {entry.figure.basis}"
    return Cell(number, unit, note, link=entry.series.name, hint=hint, **more)


def noise(entry: Entry) -> str:
    """Standard deviation over mean of the samples, the largest of the launches."""
    largest = max(case.variation for case in entry.measured)
    return f"{100 * largest:.1f} %" if largest >= LEAST_NOISE else "< 0.1 %"


def percent(part: float | None) -> str:
    if part is None:
        return "–"
    return "< 1 %" if 0 < part < 0.005 else f"{100 * part:.0f} %"
