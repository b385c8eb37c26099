"""Whether a record contradicts itself: what it derives is derived again from its samples.

Records come from bidders. A figure that was changed and the samples left, a failed check in a
valid run, an official run of a tree with changes: each is named, and the record left out.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

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
    for fom in case["foms"]:
        yield from _of_figure(fom, case, samples)


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
