"""Whether a machine that gets slower or faster could be all the difference of two sides.

Launches of one side before those of the other meet another machine. How far their order
confounds the two is measured, and a difference must then be more than the trend within the
sides goes on to.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

IN_TURN = 0.3
"""Correlation of side and order up to which launches were in turn: of strict turns it is below
0.1, of a random order of nine and nine mostly below; of one side after the other 0.87."""


@dataclass(frozen=True)
class Apart:
    """The difference of two sides beyond a steady drift: new less base, of logarithms."""

    low: float
    high: float
    """95 % interval."""
    p: float


def order(base: Sequence[str], new: Sequence[str]) -> float:
    """Correlation of side and place in time, by the launches' starts: 0 in turn, 1 where all
    of base were before all of new, -1 where after. 0 also where all started at once."""
    places = stats.rankdata([*base, *new])
    side = np.repeat([0.0, 1.0], [len(base), len(new)])
    if not places.std() or not side.std():
        return 0.0
    return float(np.corrcoef(side, places)[0, 1])


def in_turn(base: Sequence[str], new: Sequence[str]) -> bool:
    """As far as it can be: of two and two launches even strict turns are half confounded."""
    launches = len(base) + len(new)
    strict = math.sqrt(3 / (launches**2 - 1))
    return abs(order(base, new)) <= max(IN_TURN, strict + 1e-9)


def apart(
    base: Sequence[float], new: Sequence[float], starts: tuple[Sequence[str], Sequence[str]]
) -> Apart:
    """By least squares: a mean of the base, a step to the new side, and a trend by order of
    time, of logarithms. No difference is left where the order does not tell them apart."""
    places = stats.rankdata([*starts[0], *starts[1]])
    side = np.repeat([0.0, 1.0], [len(base), len(new)])
    terms = np.column_stack([np.ones(len(side)), side, places - places.mean()])
    values = np.array([*base, *new])
    freedom = len(values) - terms.shape[1]
    if np.linalg.matrix_rank(terms) < terms.shape[1]:
        return Apart(0.0, 0.0, 1.0)
    weights = np.linalg.pinv(terms)
    fitted = weights @ values
    left = values - terms @ fitted
    error = float(np.sqrt(left @ left / freedom * (weights[1] @ weights[1])))
    step = float(fitted[1])
    reach = float(stats.t.ppf(0.975, freedom)) * error
    p = 2 * float(stats.t.sf(abs(step) / error, freedom)) if error else float(step == 0)
    return Apart(step - reach, step + reach, p)
