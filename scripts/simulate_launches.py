#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""How often compare and its gate err on launches that are no pairs of a race.

    simulate_launches.py [--runs N]     prints three tables of scripts/README.md: half an hour

Launches differ by 1 %, in the ways of simulate_claims.py; 3 % where the gate's table says so.

many cases   launches in turn, of so many cases: the percentage of comparisons that claim any
             difference where none is, and of those that find the one case that takes 2 % longer
order        one case, nine launches a side, the machine getting slower by a steady drift; the
             same percentages
gate         one case, --fail-below 0.97: the percentage of gates that fail, where the new
             side's figure is that share of the base's
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from simulate_claims import LOSS, NOISE, NOISES, Shares
from strata_tools import inference, relabelling

RUNS = 500
"""Of one case; fewer of many."""
DRAWN = 999
"""Divisions and resamples in place of ten times as many: enough to tell 5 %."""
CASES = ((1, 9), (10, 9), (100, 9), (500, 9), (1, 12), (100, 14), (500, 16))
"""Cases, and launches of each side; the last three are as many as `compare --plan` tells."""
ORDERS = {
    "in turn": "",
    "random": "",
    "one pair swapped": "A" * 8 + "BA" + "B" * 8,
    "one after the other": "A" * 9 + "B" * 9,
}
"""Of nine and nine launches; in turn: ABBA."""
DRIFTS = (0.0, 0.03, 0.10)
GATE = 0.97
GATED = (1, 5, 6, 9, 12, 18)
RATIOS = (1.0, 0.99, 0.97, 0.95)


@dataclass(frozen=True)
class Setting:
    """One cell of the first two tables."""

    noise: str
    cases: int = 1
    launches: int = 9
    order: str = "in turn"
    drift: float = 0.0

    def sides(self, source: np.random.Generator) -> np.ndarray:
        """A or B, by time."""
        count = 2 * self.launches
        if self.order == "random":
            return source.permutation(list("AB" * self.launches))
        order = "ABBA" * self.launches if self.order == "in turn" else ORDERS[self.order]
        return np.array(list(order[:count]))


def simulate(setting: Setting, runs: int) -> Shares:
    """The same on every machine."""
    source = np.random.default_rng(_seed(setting))
    claimed = found = 0
    for _ in range(runs):
        base, new, starts = sides(setting, source)
        claimed += any(claim.shown for claim in _claims(base, new, starts))
        new[:, 0] *= 1 + LOSS
        found += _claims(base, new, starts)[0].shown
    return Shares(claimed / runs, found / runs)


def _claims(
    base: np.ndarray, new: np.ndarray, starts: tuple[list[str], list[str]]
) -> list[inference.Claim]:
    return inference.claims(
        [
            inference.compare(a, b, "lower", launches=0, starts=starts)
            for a, b in zip(base.T, new.T)
        ]
    )


def sides(
    setting: Setting, source: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, tuple[list[str], list[str]]]:
    """Times of both sides' launches, a row for each, and when they started."""
    count = 2 * setting.launches
    first = setting.sides(source) == "A"
    noise = NOISES[setting.noise](source, count, setting.cases)
    times = np.exp(NOISE * noise) * (1 + np.linspace(0, setting.drift, count)[:, None])
    starts = np.array([f"{place:04}" for place in range(count)])
    return times[first], times[~first], (list(starts[first]), list(starts[~first]))


def gates(noise: float, launches: int, ratio: float, runs: int) -> float:
    """Share of gates that fail: no interval, no failure."""
    source = np.random.default_rng(_seed((noise, launches, ratio)))
    failed = 0
    for _ in range(runs):
        base, new = np.exp(noise * source.standard_normal((2, launches)))
        interval = inference.compare(base, new * ratio, "higher").interval
        failed += interval is not None and interval[1] < GATE
    return failed / runs


def _seed(what: object) -> int:
    return zlib.crc32(repr(what).encode())


def runs_of(setting: Setting, runs: int) -> int:
    return max(runs // {1: 1, 10: 2, 100: 5, 500: 5}[setting.cases], 1)


def many_cases() -> Iterator[tuple[str, list[Setting]]]:
    for noise in NOISES:
        yield noise, [Setting(noise, cases, launches) for cases, launches in CASES]


def orders() -> Iterator[tuple[str, list[Setting]]]:
    for order in ORDERS:
        for noise in NOISES:
            row = [Setting(noise, order=order, drift=drift) for drift in DRIFTS]
            yield f"{order} | {noise}", row


def headings() -> list[list[str]]:
    """Of the three tables: two lines of Markdown each."""
    many = [f"{m} case{'s' * (m > 1)}, {n} + {n} launches" for m, n in CASES]
    return [
        _heading(["noise of 1 %", *many]),
        _heading(["order", "noise of 1 %", *(f"drift of {100 * d:.0f} %" for d in DRIFTS)]),
        _heading(["noise", "launches", *(f"ratio {ratio:g}" for ratio in RATIOS)]),
    ]


def _heading(cells: Sequence[str]) -> list[str]:
    return [f"| {' | '.join(cells)} |", "|" + "---|" * len(cells)]


def tables(runs: int) -> Iterator[str]:
    first, second, third = headings()
    for heading, rows in ((first, many_cases()), (second, orders())):
        yield from heading
        for name, settings in rows:
            shares = [simulate(one, runs_of(one, runs)) for one in settings]
            cells = [f"{100 * one.claimed:.1f}, {100 * one.found:.1f}" for one in shares]
            yield f"| {name} | {' | '.join(cells)} |"
        yield ""
    yield from third
    for noise in (0.01, 0.03):
        for launches in GATED:
            cells = [f"{100 * gates(noise, launches, r, runs):.1f}" for r in RATIOS]
            yield f"| {100 * noise:.0f} % | {launches} + {launches} | {' | '.join(cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=RUNS, metavar="N",
        help=f"of one case ({RUNS}); fewer of many",
    )  # fmt: skip
    runs = parser.parse_args().runs
    relabelling.DIVISIONS = inference.RESAMPLES = DRAWN
    for line in tables(runs):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
