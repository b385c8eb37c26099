"""What may be claimed of launches: medians, intervals of their ratio, tests, corrections.

One launch is one observation: its median. Samples within a launch share its memory placement,
clocks and neighbours, and say nothing of the next launch. Launches that were taken in turn are
compared as pairs, others as independent ones.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

FEWEST_FOR_CLAIM = 9
"""Launches on each side (Google Benchmark's compare.py calls fewer unreliable), or pairs."""
FEWEST_FOR_INTERVAL = 6
"""As for samples: below, order statistics bear out no 95 %."""
MOST_FOR_EXACT = 50
SIGNIFICANCE = 0.05
CONFIDENCE = 0.95
RESAMPLES = 9999
SEED = 20190101
"""The same launches give the same interval, on every machine."""
INDEPENDENT, PAIRED = "independent launches", "pairs"


@dataclass(frozen=True)
class Ratio:
    """New over base, turned so that above 1 is better."""

    value: float
    interval: tuple[float, float] | None
    """95 %; None with too few launches or pairs."""
    p: float | None
    """Two-sided; None with too few launches or pairs."""
    least_p: float = 0.0
    """The smallest p that so many launches or pairs can have."""
    design: str = INDEPENDENT


@dataclass(frozen=True)
class Claim:
    """What a ratio shows among those it was tested with."""

    p: float | None
    """Corrected for all of them (Holm)."""
    shown: bool
    """A difference: p is below SIGNIFICANCE and the interval leaves out 1."""
    possible: bool
    """Any p of this design could have shown one among so many tests."""


def compare(base: Sequence[float], new: Sequence[float], better: str) -> Ratio:
    """Of independent launches of one case on two sides: ratio of medians, its percentile
    bootstrap, Mann-Whitney U."""
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
    least = 2 / math.comb(len(base) + len(new), len(base))
    return Ratio(value, interval, p, least)


def compare_pairs(base: Sequence[float], new: Sequence[float], better: str) -> Ratio:
    """Of launches that were taken in turn, base[i] beside new[i]: all is of the logarithms of
    the pairs' ratios. The ratio is the Hodges-Lehmann estimate, its interval that of the
    signed-rank test, which is Wilcoxon's."""
    turned = (base, new) if better == "higher" else (new, base)
    logs = np.log(np.asarray(turned[1], float)) - np.log(np.asarray(turned[0], float))
    count = len(logs)
    means = _walsh_averages(logs)
    interval, p = None, None
    if count >= FEWEST_FOR_INTERVAL:
        sums = _signed_ranks(tuple(range(2, 2 * count + 1, 2)))[::2]
        left_out = int(np.searchsorted(sums, (1 - CONFIDENCE) / 2, side="right"))
        left_out -= 1
        ends = means[left_out], means[-1 - left_out]
        interval = (math.exp(ends[0]), math.exp(ends[1]))
    if count >= FEWEST_FOR_CLAIM:
        p = _wilcoxon(logs)
    middle = (means[(len(means) - 1) // 2] + means[len(means) // 2]) / 2
    return Ratio(math.exp(middle), interval, p, 2.0 ** (1 - count), PAIRED)


def claims(ratios: Sequence[Ratio]) -> list[Claim]:
    """Of all ratios that are looked at together: their tests are corrected together."""
    tested = [ratio.p for ratio in ratios if ratio.p is not None]
    corrected = iter(holm(tested))
    return [
        Claim(p := None if ratio.p is None else next(corrected), _shown(ratio, p),
              ratio.least_p * len(tested) < SIGNIFICANCE)
        for ratio in ratios
    ]  # fmt: skip


def _shown(ratio: Ratio, p: float | None) -> bool:
    if p is None or ratio.interval is None:
        return False
    low, high = ratio.interval
    return p < SIGNIFICANCE and not low <= 1 <= high


def fewest_pairs(cases: int) -> int:
    """Pairs with which one of so many cases can be shown to differ at all."""
    least = math.floor(math.log2(cases / SIGNIFICANCE)) + 2
    return max(least, FEWEST_FOR_CLAIM)


def advised_pairs(cases: int) -> int:
    """With so many 2 % are found in 90 % of races of launches that differ by 1 %, whatever the
    kind of noise (see scripts/simulate_claims.py); even, so that a steady drift cancels."""
    return 12 + 2 * math.ceil(2.5 * math.log10(cases))


def _walsh_averages(values: np.ndarray) -> np.ndarray:
    """The means of all pairs of values, each with itself too, sorted."""
    first, second = _each_with_each(len(values))
    return np.sort((values[first] + values[second]) / 2)


@lru_cache(maxsize=64)
def _each_with_each(count: int) -> tuple[np.ndarray, ...]:
    return np.triu_indices(count)


@lru_cache(maxsize=64)
def _signed_ranks(doubled: tuple[int, ...]) -> np.ndarray:
    """Probabilities that twice the sum of the positive ones of some ranks, given doubled, is at
    most 0, 1, 2, ..., where each is as likely to be negative."""
    chances = np.ones(1)
    for rank in doubled:
        chances = np.convolve(chances, [0.5, *[0.0] * (rank - 1), 0.5])
    return np.cumsum(chances)


def _wilcoxon(differences: np.ndarray) -> float:
    """Exact, also where some are equally large; those of nothing say nothing and are left
    out."""
    differences = differences[differences != 0]
    _, place, counts = np.unique(np.abs(differences), return_inverse=True, return_counts=True)
    doubled = (2 * np.cumsum(counts) - counts + 1)[place]  # equal ones have their mean rank
    above = int(doubled[differences > 0].sum())
    rarer = min(above, int(doubled.sum()) - above)
    return min(1.0, 2 * float(_signed_ranks(tuple(sorted(doubled.tolist())))[rarer]))


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
