"""Charts as SVG within the page, in colours that the colour-blind tell apart."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager

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


def sparse(on: Axes) -> None:
    """Few labels on logarithmic axes: at 1, 2 and 5 times powers of ten where there is room."""
    for axis, (low, high) in ((on.xaxis, on.get_xlim()), (on.yaxis, on.get_ylim())):
        if axis.get_scale() != "log":
            continue
        near = high / low < 100
        axis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5) if near else (1,)))
        axis.set_minor_formatter(ticker.NullFormatter())
        axis.set_major_formatter(engineering() if axis is on.yaxis else plain())


def engineering() -> ticker.EngFormatter:
    """4 G for 4e9."""
    return ticker.EngFormatter(sep="\u202f")


def plain() -> ticker.Formatter:
    return ticker.StrMethodFormatter("{x:g}")


def colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def marker(number: int) -> str:
    """Together with the colour distinct for 56 lines."""
    return MARKERS[(number // len(COLOURS) + number) % len(MARKERS)]
