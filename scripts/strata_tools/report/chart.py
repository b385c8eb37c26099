"""Charts as SVG within the page, in colours that the colour-blind tell apart."""

from __future__ import annotations

import base64
import io
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib import patheffects, ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from strata_tools.report.blocks import Chart

# Okabe and Ito's palette, less its yellow, which is too light for lines on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
GREY = "#6b7280"
BAD = "#D55E00"
HALO = (patheffects.withStroke(linewidth=2.5, foreground="white"),)
"""Around words, where lines pass below them."""
LEGEND_KEY, LEGEND_LETTER, LEGEND_LINE = 0.55, 0.068, 0.19
"""Inches: a key, a letter and a line of a legend."""
LONGEST = 56
"""Letters of a legend's line."""
WIDTH = 4.8
"""Inches: text stays readable where a phone shows the whole width."""

STYLE = {
    "font.size": 9.5,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#9ca3af",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e5e7eb",
    "grid.linewidth": 0.7,
    "axes.labelcolor": "#374151",
    "xtick.color": "#374151",
    "ytick.color": "#374151",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
    "text.parse_math": False,  # names in records may have dollar signs
    "svg.hashsalt": "strata",
    "figure.dpi": 100,
}


@contextmanager
def axes(height: float = 3.4, width: float = WIDTH) -> Iterator[Axes]:
    """Axes to draw on; `finish` makes the chart of them, within the same `with`."""
    with mpl.rc_context(STYLE):
        yield Figure(figsize=(width, height), layout="constrained").add_subplot()


def finish(on: Axes, name: str, alternative: str) -> Chart:
    """`name` tells it from the page's other charts."""
    content = io.BytesIO()
    on.figure.savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    code = base64.b64encode(content.getvalue()).decode("ascii")
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return Chart(slug, f"data:image/svg+xml;base64,{code}", on.figure, alternative)


def sparse(on: Axes, across: ticker.Formatter | None = None) -> None:
    """Few labels on logarithmic axes: at 1, 2 and 5 times powers of ten where there is room;
    `across` writes those of x."""
    for axis, (low, high) in ((on.xaxis, on.get_xlim()), (on.yaxis, on.get_ylim())):
        if axis.get_scale() != "log":
            continue
        near = high / low < 100
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if near else (1,)))
        axis.set_minor_formatter(ticker.NullFormatter())
        axis.set_major_formatter(engineering() if axis is on.yaxis else across or plain())


def engineering() -> ticker.EngFormatter:
    """4 G for 4e9."""
    return ticker.EngFormatter(sep="\u202f")


def plain() -> ticker.Formatter:
    return ticker.StrMethodFormatter("{x:g}")


def legend(on: Axes) -> None:
    """Below the axes, where it covers no point; the chart grows by it."""
    handles, names = on.get_legend_handles_labels()
    labels = [name if len(name) <= LONGEST else f"{name[:LONGEST]}…" for name in names]
    figure = on.figure
    width, height = figure.get_size_inches()
    columns = max(1, int(width / (LEGEND_KEY + LEGEND_LETTER * max(map(len, labels)))))
    figure.set_figheight(height + LEGEND_LINE * math.ceil(len(labels) / columns))
    figure.legend(handles, labels, loc="outside lower left", ncols=columns)


class Styles:
    """Colour and marker of names, the same on all charts of a page: of a kind of names, such as
    variants or apps, each has its own for seven colours, and 56 with the markers."""

    def __init__(self) -> None:
        self._numbers: dict[str, dict[Any, int]] = defaultdict(dict)

    def of(self, kind: str, name: Any) -> dict[str, str]:
        known = self._numbers[kind]
        number = known.setdefault(name, len(known))
        marker = MARKERS[(number // len(COLOURS) + number) % len(MARKERS)]
        return {"color": COLOURS[number % len(COLOURS)], "marker": marker}
