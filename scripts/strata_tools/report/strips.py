"""Distribution of samples by node and device: those that are not like the others stand out."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from strata_tools.records import Record
from strata_tools.records.alike import Machine
from strata_tools.report import chart
from strata_tools.report.blocks import Cell, Chart, Section, Table, percent, words
from strata_tools.report.book import Book
from strata_tools.report.series import Entry, Problem

FEWEST_UNITS = 5
"""To call one of them an outlier."""
REACH = 1.5
"""Interquartile ranges beyond the third quartile."""
LEAST = 0.02
"""Slower than the median by less is let be, however alike the others are."""
MOST_ROWS = 20
MOST_DOTS = 60
"""Of one unit: evenly chosen beyond."""


@dataclass(frozen=True)
class Strip:
    """Samples of one case on the units (nodes or devices) of one place."""

    app: str
    place: str
    entry: Entry
    units: dict[str, np.ndarray]
    """Time over the median of the units' medians, slowest unit first."""

    @property
    def medians(self) -> dict[str, float]:
        return {name: float(np.median(samples)) for name, samples in self.units.items()}

    @property
    def outliers(self) -> list[str]:
        medians = self.medians
        if len(medians) < FEWEST_UNITS:
            return []
        quarter, _, upper = statistics.quantiles(medians.values(), n=4, method="inclusive")
        limit = max(upper + REACH * (upper - quarter), 1 + LEAST)
        return [name for name, median in medians.items() if median > limit]


def strips(book: Book) -> list[Strip]:
    """One for the primary problem of each app at each place."""
    found = []
    primary: dict[str, dict[Machine, Problem]] = {}
    for (app, _), at in book.quoted.items():
        primary.setdefault(app, at)
    for app, at in primary.items():
        for machine in book.machines:
            if machine in at:
                entry = at[machine].own
                found.append(Strip(app, book.machine_name(machine), entry, _units(entry)))
    return found


def _units(entry: Entry) -> dict[str, np.ndarray]:
    samples: dict[str, list[np.ndarray]] = defaultdict(list)
    by_label = [
        (record, case)
        for record in entry.series.records
        for case in record.cases
        if case.label == entry.label and case.measured
    ]
    for record, case in by_label:
        samples[_unit(record)].append(case.samples)
    joined = {name: np.concatenate(parts) for name, parts in samples.items()}
    middle = statistics.median(float(np.median(one)) for one in joined.values())
    ordered = sorted(joined, key=lambda name: -float(np.median(joined[name])))
    return {name: joined[name] / middle for name in ordered}


def _unit(record: Record) -> str:
    if len(record.places) == 1:
        return record.places[0].name
    hosts = record.hosts or ("an unknown place",)
    where = hosts[0] if len(hosts) == 1 else f"{hosts[0]} and {len(hosts) - 1} more"
    return f"{where}, {record.ranks} ranks"


def warnings(found: list[Strip]) -> list[str]:
    """For the banner: which units stand out."""
    return [
        f"stands out on {strip.place}: {unit}, {100 * (strip.medians[unit] - 1):.1f} % slower "
        f"than the median of {len(strip.units)} in {strip.app} {strip.entry.label}"
        for strip in found
        for unit in strip.outliers
    ]


def section(found: list[Strip]) -> Section | None:
    if not found:
        return None
    by_place: dict[str, list[Strip]] = defaultdict(list)
    for strip in sorted(found, key=lambda strip: strip.place):
        by_place[strip.place].append(strip)
    blocks = [_chart(place, mine) for place, mine in by_place.items()]
    uneven = _imbalance(found)
    return Section(
        "strips",
        "Samples by node and device",
        "Every dot is a sample of the app's primary case: its time over the median of all "
        "nodes (devices, for one rank) of the system; to the right is slower. The stroke is "
        "the unit's median. A unit stands out, in red and in the banner, where its median is "
        f"more than {REACH} interquartile ranges beyond the third quartile of at least "
        f"{FEWEST_UNITS} units and more than {100 * LEAST:.0f} % slow.",
        [*blocks, *([uneven] if uneven else [])],
    )


def _chart(place: str, mine: list[Strip]) -> Chart:
    rows = []
    for strip in mine:
        out, names = strip.outliers, list(strip.units)
        kept = names if len(names) <= MOST_ROWS else names[: MOST_ROWS - 1]
        rows += [(f"{strip.app}  {name}", strip.units[name], name in out) for name in kept]
        if rest := names[len(kept) :]:
            others = np.concatenate([strip.units[name] for name in rest])
            rows.append((f"{strip.app}  {len(rest)} others, faster", others, False))
    scatter = np.random.default_rng(1)
    with chart.axes(height=0.75 + 0.2 * len(rows)) as on:
        for height, (_, samples, out) in enumerate(reversed(rows)):
            chosen = samples[
                np.linspace(0, len(samples) - 1, min(len(samples), MOST_DOTS)).astype(int)
            ]
            colour = chart.BAD if out else chart.COLOURS[0]
            jitter = scatter.uniform(-0.22, 0.22, len(chosen))
            on.plot(chosen, height + jitter, ".", color=colour, ms=3.5, alpha=0.5, mew=0)
            on.plot(
                [np.median(samples)] * 2, [height - 0.35, height + 0.35], color="black", lw=1.5
            )
        on.set_yticks(range(len(rows)), [name for name, _, _ in reversed(rows)], fontsize=7.5)
        on.set_ylim(-0.6, len(rows) - 0.4)
        on.locator_params(axis="x", nbins=6)
        on.grid(axis="y", visible=False)
        on.set_xlabel("time over the median of the units")
        on.set_title(place, fontsize=9, loc="left")
        stand_out = [name for strip in mine for name in strip.outliers]
        text = f"Samples on {place} by unit; standing out: {', '.join(stand_out) or 'none'}"
        return chart.finish(on, f"strips {place}", text)


def _imbalance(found: list[Strip]) -> Table | None:
    rows = []
    for strip in found:
        if strip.entry.series.record.ranks > 1:
            uneven = statistics.median(case.imbalance for case in strip.entry.measured)
            rows.append(
                [
                    *words(strip.app, strip.place),
                    Cell(f"{uneven:.3f}", link=strip.entry.series.name),
                    Cell(percent(1 - 1 / uneven)),
                ]
            )
    headings = ["app", "system", "slowest rank / mean", "time lost waiting"]
    return Table(headings, rows, "Imbalance of ranks", words=2) if rows else None
