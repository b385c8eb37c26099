"""Rules of an official run that a record can be held against, whatever it says of itself.

Records keep every sample, so that rules which were tightened after a run was made are applied
to it all the same. The words are those of the apps.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from strata_tools.inference import left_out
from strata_tools.records.model import Case, Record

ROUNDS = 20
"""Samples of every case."""
GPU_SAMPLE_S = 0.02
"""Of one sample on a GPU, at least."""
HALF_WIDTH = 0.01
"""Half the interval over the median, at most."""
MOST_CORRELATION = 0.9
ALTERNATING = -0.3
"""Correlation at lag 1 below which samples go up and down."""
FEWEST = 6
"""Samples that an interval takes."""


def broken(record: Record) -> tuple[str, ...]:
    """Words of the rules that an official run of these samples would break."""
    measured = [case for case in record.cases if case.status == "measured"]
    found = {
        "not_converged": any(not _converged(case) for case in measured),
        "rounds": any(len(case.samples) < ROUNDS for case in measured),
        "sample_time": record.gpu and any(_sample_s(case) < GPU_SAMPLE_S for case in measured),
    }
    return tuple(word for word, is_broken in found.items() if is_broken)


def _sample_s(case: Case) -> float:
    return case.median_s * case.steps / len(case.samples)


def _converged(case: Case) -> bool:
    found = interval(case.samples)
    return bool(found) and (found[1] - found[0]) / 2 <= HALF_WIDTH * float(
        np.median(case.samples)
    )


def correlation(samples: np.ndarray, lag: int) -> float:
    """Of the ranks of samples that many rounds apart, free of its bias in n."""
    n = len(samples)
    ranks = stats.rankdata(samples) - (n + 1) / 2
    squares = float(ranks @ ranks)
    if n < FEWEST or not squares:
        return 0.0
    return (n * float(ranks[lag:] @ ranks[:-lag]) / squares + 1) / (n - 3)


def interval(samples: np.ndarray) -> tuple[float, float] | None:
    """95 % interval of the median by order statistics; None for fewer than 6 samples.

    They reach further from the median by sqrt((1 + r) / (1 - r)) where samples are correlated
    with later ones by r, r^2, ...; at most to the extremes. common/measure/statistics.hpp says
    why.
    """
    n = len(samples)
    if n < FEWEST:
        return None
    below = left_out(n)
    lag1 = correlation(samples, 1)
    lag2 = max(correlation(samples, 2), 0.0) if lag1 > ALTERNATING else 0.0
    r = min(max(lag1, math.sqrt(lag2), 0.0), MOST_CORRELATION)
    reach = ((n - 1) / 2 - below) * math.sqrt((1 + r) / (1 - r))
    low = max(0, math.floor((n - 1) / 2 - reach))
    ordered = np.sort(samples)
    return float(ordered[low]), float(ordered[n - 1 - low])
