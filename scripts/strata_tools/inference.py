"""What may be claimed of launches: medians, intervals of their ratio, tests, corrections.

One launch is one observation: its median. Samples within a launch share its memory placement,
clocks and neighbours, and say nothing of the next launch.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

FEWEST_FOR_CLAIM = 9
"""Launches on each side (Google Benchmark's compare.py calls fewer unreliable)."""
FEWEST_FOR_INTERVAL = 6
"""As for samples: below, order statistics bear out no 95 %."""
MOST_FOR_EXACT = 50
SIGNIFICANCE = 0.05
CONFIDENCE = 0.95
RESAMPLES = 9999
SEED = 20190101
"""The same launches give the same interval, on every machine."""


@dataclass(frozen=True)
class Ratio:
    """New over base, turned so that above 1 is better."""

    value: float
    interval: tuple[float, float] | None
    """Bootstrap, percentile, of the ratio of medians; None with too few launches."""
    p: float | None
    """Mann-Whitney U, two-sided; None with too few launches."""


def compare(base: Sequence[float], new: Sequence[float], better: str) -> Ratio:
    """Of the launches' figures of one case on two sides."""
    turned = (base, new) if better == "higher" else (new, base)
    value = statistics.median(turned[1]) / statistics.median(turned[0])
    fewest = min(len(base), len(new))
    interval, p = None, None
    if fewest >= FEWEST_FOR_INTERVAL:
        source = np.random.default_rng(SEED)
        below, above = (_resampled_medians(values, source) for values in turned)
        tails = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)
        low, high = np.quantile(above / below, tails)
        interval = (float(low), float(high))
    if fewest >= FEWEST_FOR_CLAIM:
        p = _mann_whitney(base, new)
    return Ratio(value, interval, p)


def _mann_whitney(base: Sequence[float], new: Sequence[float]) -> float:
    """Exact where there are no ties and not too many orders to count."""
    tied = len({*base, *new}) < len(base) + len(new)
    method = "asymptotic" if tied or max(len(base), len(new)) > MOST_FOR_EXACT else "exact"
    return float(stats.mannwhitneyu(base, new, alternative="two-sided", method=method).pvalue)


def _resampled_medians(values: Sequence[float], source: np.random.Generator) -> np.ndarray:
    drawn = source.integers(len(values), size=(RESAMPLES, len(values)))
    return np.median(np.asarray(values)[drawn], axis=1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that hold for all of the tests together."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """95 % interval of the median by order statistics; None for fewer than 6 values."""
    if len(values) < FEWEST_FOR_INTERVAL:
        return None
    ordered = sorted(values)
    left_out = int(stats.binom.ppf((1 - CONFIDENCE) / 2, len(ordered), 0.5)) - 1
    return ordered[left_out], ordered[-1 - left_out]
