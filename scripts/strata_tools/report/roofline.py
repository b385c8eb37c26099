"""Rooflines: bandwidth as measured, flops and bytes as the work models count them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from matplotlib.axes import Axes

from strata_tools import quantity
from strata_tools.report import chart
from strata_tools.report.blocks import Chart, Section
from strata_tools.report.book import Book
from strata_tools.report.series import Entry, Problem

LABEL_ROOM = 0.35
"""Decades between points that both are named."""


def section(book: Book) -> Section | None:
    devices: dict[str, list[Problem]] = defaultdict(list)
    for at in book.quoted.values():
        for problem in at.values():
            entry = problem.own
            if entry.case.flops and entry.case.bytes and entry.series.bandwidth:
                devices[entry.series.record.device].append(problem)
    charts = [_chart(book, device, problems) for device, problems in sorted(devices.items())]
    if not charts:
        return None
    return Section(
        "roofline",
        "Roofline of each device",
        "Per device. The slope is the best bandwidth that the runs themselves measured. No "
        "peak of arithmetic is measured: the level line is merely the highest rate found "
        "here, by any variant; points are the core's. Bytes are compulsory traffic, each array "
        "once; what really moves may be more, so that the share of the slope is understated, "
        "if anything. Flops are those that the algorithm does; an app may rate all of its "
        "algorithms by one count instead (mgs does). Kernels without arithmetic (copy, set) "
        "have no place in it.",
        charts,
    )


def _rate(entry: Entry) -> float:
    """flop/s per device."""
    return entry.case.flops / entry.time / entry.series.record.ranks


def _way(entry: Entry) -> str:
    """Kernel and variant."""
    return " ".join(entry.label.split("/")[:2])


def _name(on: Axes, text: str, at: tuple[float, float], right: bool) -> None:
    on.annotate(
        text, at, textcoords="offset points", xytext=(7, -3) if right else (-7, 1),
        ha="left" if right else "right", fontsize=8, path_effects=chart.HALO, zorder=4,
    )  # fmt: skip


def _chart(book: Book, device: str, problems: list[Problem]) -> Chart:
    points = [(problem.app, problem.own) for problem in problems]
    roof = max(e.series.bandwidth / e.series.record.ranks for _, e in points)
    intensity = np.array([e.case.flops / e.case.bytes for _, e in points])
    rate = np.array([_rate(entry) for _, entry in points])
    every = [entry for problem in problems for entry in problem.entries]
    level = max(every, key=_rate)
    highest = _rate(level)
    with chart.axes() as on:
        ends = np.array([intensity.min() / 2, intensity.max() * 2])
        on.loglog(ends, roof * ends, color=chart.GREY, lw=1.5)
        on.axhline(highest, color=chart.GREY, lw=1, ls=":")
        named: list[np.ndarray] = []
        apps = list(dict.fromkeys(app for app, _ in points))
        for app in apps:
            mine = [i for i, (other, _) in enumerate(points) if other == app]
            on.plot(
                intensity[mine], rate[mine], ls="", label=app, ms=6, alpha=0.85, mec="white",
                mew=0.6, **book.styles.of("app", app),
            )  # fmt: skip
            top = max(mine, key=lambda i: rate[i])
            at = np.log10([intensity[top], rate[top]])
            if all(np.abs(at - other).max() > LABEL_ROOM for other in named):
                named.append(at)
                right = 2 * rate[top] < roof * intensity[top] and 20 * intensity[top] < ends[1]
                _name(
                    on, points[top][1].label.split("/")[0], (intensity[top], rate[top]), right
                )
        on.set_ylim(rate.min() / 2, highest * 3)
        chart.sparse(on)
        on.set_xlabel("flop per byte of compulsory traffic")
        on.set_ylabel("flop/s per device")
        slope = quantity.shown(roof, "B/s")
        level_is = f"level: {quantity.shown(highest, 'flop/s')}, {_way(level)}"
        on.set_title(f"{device}\nslope: {slope} measured; {level_is}", fontsize=9, loc="left")
        chart.legend(on)
        words = ", ".join(
            f"{e.label} {quantity.shown(r, 'flop/s')}" for (_, e), r in zip(points, rate)
        )
        text = f"Roofline of {device}, {slope}: {words}"
        return chart.finish(on, f"roofline {device}", text)
