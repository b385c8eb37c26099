"""Whether launches that exchange their sides differ as much: the test of all cases at once.

Where two sides are alike, nothing tells which launch was of which: any other division of the
launches would do. The test draws many, and counts those in which any case differs as much as
this one does (Westfall and Young's max-T): p-values that hold for all cases together, whatever
the noise, and however cases of the same launches depend on each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

DIVISIONS = 9999
AT_ONCE = 1000
"""Divisions that are worked on together: so much memory for each case."""
SEED = 19930101
"""The same launches give the same p, on every machine."""
REACH = 2.0
"""Launches further from the middle of a case than so many deviations are drawn in to there."""
TO_SIGMA = 1.4826
"""Of a normal distribution: standard deviation over the median of absolute deviations."""
ROUNDING = 1e-9


@dataclass(frozen=True)
class Trial:
    """The logarithms of the figures of one case: a launch each."""

    base: tuple[float, ...]
    new: tuple[float, ...]
    launches: Hashable = None
    """What they were; cases of the same launches are divided alike."""


def p_values(trials: Sequence[Trial]) -> list[float]:
    """Of all trials together: how often one of all would differ as much as this one."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, one in enumerate(trials):
        groups[one.launches, len(one.base), len(one.new)].append(index)
    observed = np.zeros(len(trials))
    largest = np.zeros(DIVISIONS)
    for number, ((_, *counts), indices) in enumerate(groups.items()):
        figures = np.array([(*trials[i].base, *trials[i].new) for i in indices]).T
        figures = _drawn_in(figures)
        observed[indices] = _differences(_observed(*counts), figures, *counts)[0]
        divisions = _divisions(*counts, number, DIVISIONS)
        for start in range(0, DIVISIONS, AT_ONCE):
            part = slice(start, start + AT_ONCE)
            found = _differences(divisions[part], figures, *counts).max(axis=1)
            largest[part] = np.maximum(largest[part], found)
    largest.sort()
    reached = DIVISIONS - np.searchsorted(largest, observed * (1 - ROUNDING))
    return [float(one) for one in (1 + reached) / (1 + DIVISIONS)]


def _drawn_in(figures: np.ndarray) -> np.ndarray:
    """Of a column for each case, about its median; blind to which side a launch is of."""
    figures = figures - np.median(figures, axis=0)
    reach = REACH * TO_SIGMA * np.median(np.abs(figures), axis=0)
    reach[reach == 0] = np.inf  # most are equal: no deviation is known
    return np.clip(figures, -reach, reach)


def _observed(base: int, new: int) -> np.ndarray:
    """As weights of the launches: the difference of the sides' means is their product."""
    return np.array([[-1 / base] * base + [1 / new] * new])


@lru_cache(maxsize=32)
def _divisions(base: int, new: int, number: int, drawn: int) -> np.ndarray:
    """Others, drawn; those of each group of launches its own."""
    source = np.random.default_rng([SEED, number])
    return source.permuted(np.repeat(_observed(base, new), drawn, axis=0), axis=1)


def _differences(divisions: np.ndarray, figures: np.ndarray, base: int, new: int) -> np.ndarray:
    """For each division a row, and a column for each case: the difference of means, over its
    deviation. That is half the case's own and half that of the cases in the middle: a few
    launches do not tell how much one case varies."""
    differences = divisions @ figures
    centred = figures - figures.mean(axis=0)
    between = differences**2 * base * new / (base + new)
    within = np.maximum((centred**2).sum(axis=0) - between, 0) / (base + new - 2)
    variance = (within + np.median(within, axis=1, keepdims=True)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(differences) / np.sqrt(variance)
    return np.where(np.abs(differences) > ROUNDING, ratios, 0.0)
