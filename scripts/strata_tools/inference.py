"""What may be claimed of launches: medians, intervals of their ratio, tests, corrections.

One launch is one observation: its median. Samples within a launch share its memory placement,
clocks and neighbours, and say nothing of the next launch. Launches that were taken in turn are
compared as pairs, others as independent ones.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

from strata_tools import drift, relabelling

FEWEST_FOR_CLAIM = 9
"""Launches on each side (Google Benchmark's compare.py calls fewer unreliable), or pairs."""
FEWEST_FOR_INTERVAL = 6
"""As for samples: below, order statistics bear out no 95 %."""
SIGNIFICANCE = 0.05
CONFIDENCE = 0.95
RESAMPLES = 9999
SEED = 20190101
"""The same launches give the same interval, on every machine."""
INDEPENDENT, PAIRED = "independent launches", "pairs"
PAIRED_SAMPLES = "pairs by samples"


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
    trial: relabelling.Trial | None = None
    """Of independent launches, to be tested with the other cases."""
    drift_p: float | None = None
    """That a steady drift is all the difference; None of launches in turn."""

    @property
    def is_paired(self) -> bool:
        return self.design in (PAIRED, PAIRED_SAMPLES)


@dataclass(frozen=True)
class Claim:
    """What a ratio shows among those it was tested with."""

    p: float | None
    """Corrected for all of them."""
    shown: bool
    """A difference: p is below SIGNIFICANCE and the interval leaves out 1."""
    possible: bool
    """Any p of this design could have shown one among so many tests."""


def compare(
    base: Sequence[float],
    new: Sequence[float],
    better: str,
    *,
    launches: Hashable = None,
    starts: tuple[Sequence[str], Sequence[str]] | None = None,
) -> Ratio:
    """Of independent launches of one case on two sides: ratio of medians, its percentile
    bootstrap, test by relabelling. `launches` is what they were: cases of the same ones are
    tested together. Those on the same nodes have `starts`: where they were not in turn, the
    interval has room for a drift, and the difference must be more than that."""
    turned = (base, new) if better == "higher" else (new, base)
    value = statistics.median(turned[1]) / statistics.median(turned[0])
    fewest = min(len(base), len(new))
    if fewest < FEWEST_FOR_INTERVAL:
        return Ratio(value, None, None)
    source = np.random.default_rng(SEED)
    below, above = (_resampled_medians(values, source) for values in turned)
    low, high = np.quantile(above / below, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2))
    logs = [tuple(map(math.log, side)) for side in (base, new)]
    drift_p = None
    if starts and not drift.in_turn(*starts):
        apart = drift.apart(*logs, starts)
        ends = (apart.low, apart.high) if better == "higher" else (-apart.high, -apart.low)
        low, high = min(low, np.exp(ends[0])), max(high, np.exp(ends[1]))
        drift_p = apart.p
    interval = (float(low), float(high))
    if fewest < FEWEST_FOR_CLAIM:
        return Ratio(value, interval, None)
    trial = relabelling.Trial(*logs, launches)
    (p,) = relabelling.p_values([trial])
    least = 2 / math.comb(len(base) + len(new), len(base))
    return Ratio(value, interval, max(p, drift_p or 0), least, trial=trial, drift_p=drift_p)


def compare_pairs(
    base: Sequence[float], new: Sequence[float], better: str, design: str = PAIRED
) -> Ratio:
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
        below = int(np.searchsorted(sums, (1 - CONFIDENCE) / 2, side="right")) - 1
        ends = means[below], means[-1 - below]
        interval = (math.exp(ends[0]), math.exp(ends[1]))
    if count >= FEWEST_FOR_CLAIM:
        p = _wilcoxon(logs)
    middle = (means[(len(means) - 1) // 2] + means[len(means) // 2]) / 2
    return Ratio(math.exp(middle), interval, p, 2.0 ** (1 - count), design)


def claims(ratios: Sequence[Ratio]) -> list[Claim]:
    """Of all ratios that are looked at together: their tests are corrected together, pairs by
    Holm, independent launches by relabelling all cases at once, and where both are there,
    each half of what is allowed."""
    trials = [ratio.trial for ratio in ratios if ratio.trial is not None]
    pairs = [ratio.p for ratio in ratios if ratio.p is not None and ratio.trial is None]
    drifts = [ratio.drift_p for ratio in ratios if ratio.drift_p is not None]
    times = 2 if trials and pairs else 1
    of_trials, of_pairs = iter(relabelling.p_values(trials)), iter(holm(pairs))
    of_drifts = iter(holm(drifts))
    found = []
    for ratio in ratios:
        p, possible = None, ratio.least_p < SIGNIFICANCE
        if ratio.trial is not None:
            p = max(next(of_trials), ratio.p or 0)
        elif ratio.p is not None:
            p, possible = next(of_pairs), ratio.least_p * len(pairs) * times < SIGNIFICANCE
        if ratio.drift_p is not None:
            p = max(next(of_drifts), p or 0)
        p = None if p is None else min(1.0, times * p)
        found.append(Claim(p, _shown(ratio, p), possible))
    return found


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


def advised_launches(cases: int) -> int:
    """As advised_pairs(), of launches of each side, in turn and without drift (see
    scripts/simulate_launches.py)."""
    return 12 + 2 * max(0, math.ceil(math.log10(cases) - 1))


def needed(loss: float, noise: float, cases: int) -> tuple[int, int]:
    """Pairs, or launches of each side, that find a loss in 90 % of comparisons where launches
    of one thing differ by so much: the advised ones find twice the noise, and half the loss
    takes four times as many."""
    times = (2 * noise / loss) ** 2
    pairs = max(fewest_pairs(cases), math.ceil(times * advised_pairs(cases)))
    launches = max(FEWEST_FOR_CLAIM, math.ceil(times * advised_launches(cases)))
    return pairs + pairs % 2, launches


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
    below = left_out(len(ordered))
    return ordered[below], ordered[-1 - below]


@lru_cache(maxsize=1024)
def left_out(count: int) -> int:
    """Of so many values, those beyond either end of the 95 % interval of their median."""
    return int(stats.binom.ppf((1 - CONFIDENCE) / 2, count, 0.5)) - 1
