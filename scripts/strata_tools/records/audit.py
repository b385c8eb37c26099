"""Whether a record contradicts itself: what it derives is derived again from its samples.

Records come from bidders. A figure that was changed and the samples left, a failed check in a
valid run, an official run of a tree with changes: each is named, and the record left out.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from strata_tools.inference import median_interval
from strata_tools.records.peaks import ROUNDING, peak
from strata_tools.records.rules import interval

SAME = 1e-6
"""Relative difference of numbers that mean the same: texts round them in the seventh digit."""
OFFICIAL = (
    ("run.tier", "official"),
    ("build.type", "Release"),
    ("build.bounds_check", False),
    ("suite.dirty", False),
    ("validity.valid", True),
)
AMOUNTS = {
    "bandwidth": ("bytes",),
    "elements": ("elements", "rows", "bytes"),
    "elements_built": ("elements",),
    "rows_visited": ("elements",),
    "contacts_found": ("contacts",),
    "entries_visited": ("contacts",),
    "rows": ("rows",),
    "matrices": ("matrices",),
}
"""What a figure counts in one step, by metric: bytes of the work, or a size of the problem."""


def contradictions(document: dict[str, Any]) -> Iterator[str]:
    """What a record of the right form says that its other parts deny."""
    validity = document["validity"]
    if validity["official"]:
        for path, wanted in OFFICIAL:
            part, _, key = path.partition(".")
            if document[part][key] != wanted:
                yield f"is official, but {path} is {document[part][key]}"
    if validity["official"] and validity["reasons"]:
        yield f"is official, but has reasons: {', '.join(validity['reasons'])}"
    for case in [*document["cases"], *document.get("ceiling_cases", ())]:
        for fault in _of_case(case):
            yield f"{case['label']} {fault}"
        failed = [check["check"] for check in case["checks"] if check["status"] == "FAIL"]
        if failed and validity["valid"]:
            yield f"is valid, but {failed[0]} of {case['label']} failed"
        if failed and case["status"] != "failed":
            yield f"{case['label']} is {case['status']}, but its {failed[0]} failed"
    yield from _beyond_physics(document)


def _beyond_physics(document: dict[str, Any]) -> Iterator[str]:
    """Rates that the memory of the devices cannot have. Caches can, and smoke runs are in them;
    of older cases nobody knows."""
    places = document["placement"]
    found = peak(places[0]["device"]) if places else None
    if not found or document["run"]["tier"] == "smoke":
        return
    devices = len({(one["host"], one["device_id"], one["pci_id"]) for one in places})
    most, source = found[0] * devices, found[1]
    rates = {f"ceiling.{name}": rate for name, rate in (document["ceiling"] or {}).items()}
    for case in document["cases"]:
        if case["samples_s"] and case.get("in_cache") is False:
            rates[case["label"]] = sum(_moved(case["work"])) / statistics.median(
                case["samples_s"]
            )
    for what, rate in rates.items():
        if isinstance(rate, (int, float)) and rate > most * (1 + ROUNDING):
            yield (
                f"has {rate:.4g} B/s of {what}, where {devices} {places[0]['device']} can move "
                f"{most:.4g} B/s ({source})"
            )


def _of_case(case: dict[str, Any]) -> Iterator[str]:
    for check in case["checks"]:
        value, allowed = check["value"], check["allowed"]
        if check["status"] == "PASS" and (value is None or allowed is None or value > allowed):
            yield f"passed {check['check']} with {value}, where {allowed} is allowed"
    found, samples = case["statistics"], case["samples_s"]
    if not found or not samples:
        return
    if found["n"] != len(samples):
        yield f"has statistics of {found['n']} samples, and {len(samples)} samples"
    for key, value in (("median_s", statistics.median(samples)), ("best_s", min(samples))):
        if not _same(found[key], value):
            yield f"says {key} is {found[key]}, and its samples {value:g}"
    yield from _of_interval(found, samples)
    for fom in case["foms"]:
        yield from _of_figure(fom, case, samples)


def _of_interval(found: dict[str, Any], samples: list[float]) -> Iterator[str]:
    """By order statistics, widened for correlation in records that tell it (lag1)."""
    expected = [interval(np.asarray(samples, dtype=float))]
    if "lag1" not in found:
        expected.append(median_interval(samples))
    if not any(_same_ends(found["ci95"], one) for one in expected):
        yield f"says ci95 is {_ends(found['ci95'])}, and its samples {_ends(expected[0])}"


def _of_figure(
    fom: dict[str, Any], case: dict[str, Any], samples: list[float]
) -> Iterator[str]:
    """Figures are rates: an amount over the median time, and over the best."""
    value, best = fom["value"], fom["best"]
    is_rate = fom["unit"].endswith("/s") and fom["better"] == "higher"
    if not value or not best or not is_rate:
        return
    amount = value * statistics.median(samples)
    if not _same(best * min(samples), amount):
        yield f"has {fom['metric']} of {value:g}, and {best:g} in its best sample"
    times = case["statistics"]["ci95"]
    ends = [amount / time for time in reversed(times)] if times else None
    if not _same_ends(fom["ci95"], ends):
        yield f"has {fom['metric']} in {_ends(fom['ci95'])}, by its times in {_ends(ends)}"
    if fom["scope"] != "job":
        return
    sizes = {**case["problem"], "bytes": sum(_moved(case["work"]))}
    expected = [
        sizes[name] for name in AMOUNTS.get(fom["metric"], ()) if _is_number(sizes, name)
    ]
    if expected and not any(_same(amount, one) for one in expected):
        yield (
            f"has {fom['metric']} of {value:g} {fom['unit']}, where a step of its samples "
            f"makes {expected[0] / statistics.median(samples):g}"
        )


def _moved(work: dict[str, int]) -> tuple[int, int]:
    return work["bytes_read"], work["bytes_written"]


def _is_number(sizes: dict[str, Any], name: str) -> bool:
    return isinstance(sizes.get(name), (int, float))


def _same(one: float | None, other: float) -> bool:
    return one is not None and abs(one - other) <= SAME * abs(other)


def _same_ends(one: Sequence[float] | None, other: Sequence[float] | None) -> bool:
    if not one or not other:
        return not one and not other
    return all(_same(a, b) for a, b in zip(one, other))


def _ends(found: Sequence[float] | None) -> str:
    return " … ".join(f"{end:g}" for end in found) if found else "none"
