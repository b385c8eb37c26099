#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""How often compare claims a difference that is not there, and finds one that is.

    simulate_claims.py [--runs N]     prints the table of scripts/README.md: some minutes

Launches are simulated, the claims are those of strata_tools.inference. Two sides of so many
cases are launched in ABBA order while the machine gets slower, by a steady drift over the whole
job. What is left differs from launch to launch by 1 % (standard deviation), in a way of these:

    Gauss          each case of each launch on its own
    heavy tails    the same, by Student's t with 3 degrees of freedom
    contaminated   the same, a tenth of the launches by five times as much
    two states     each launch has one of two states, all cases of it alike, a quarter of the
                   launches the slow one; a quarter of the variance is Gauss'
    lasting states two states again, alike in number: one in eight launches changes it

A cell has two percentages: of the runs in which any case was claimed to differ, where none
does; and of those in which a case was claimed to be slower, that takes 2 % more time.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from strata_tools import inference

NOISE = 0.01
LOSS = 0.02
DRIFTS = (0.0, 0.03, 0.05, 0.10)
ALONE, PAIRS = "launches", "pairs"
"""Designs: the first does not know what was launched beside what."""
DESIGNS = ((1, 10, ALONE), (1, 10, PAIRS), (1, 12, PAIRS), (10, 18, PAIRS), (100, 22, PAIRS))
"""Cases, launches of each side, and how they are compared; the last three are as many as
`strata race` takes by itself."""
COMPARE = {ALONE: inference.compare, PAIRS: inference.compare_pairs}
RUNS = 10_000
"""Of one case in pairs; fewer of what takes longer."""

Draw = Callable[[np.random.Generator, int, int], np.ndarray]
"""Deviations of so many launches, in the order of time, and cases: of standard deviation 1."""


def _gauss(source: np.random.Generator, launches: int, cases: int) -> np.ndarray:
    return source.standard_normal((launches, cases))


def _heavy(source: np.random.Generator, launches: int, cases: int) -> np.ndarray:
    return source.standard_t(3, (launches, cases)) / np.sqrt(3)


def _contaminated(source: np.random.Generator, launches: int, cases: int) -> np.ndarray:
    wide = np.where(source.random((launches, cases)) < 0.1, 5.0, 1.0)
    return wide * source.standard_normal((launches, cases)) / np.sqrt(0.9 + 0.1 * 25)


def _states(source: np.random.Generator, launches: int, cases: int) -> np.ndarray:
    slow = source.random((launches, 1)) < 0.25
    return 2.0 * slow + 0.5 * source.standard_normal((launches, cases))


def _lasting(source: np.random.Generator, launches: int, cases: int) -> np.ndarray:
    changes = source.random((launches, 1)) < 0.125
    changes[0] = source.random() < 0.5
    slow = np.cumsum(changes, axis=0) % 2
    return np.sqrt(3) * slow + 0.5 * source.standard_normal((launches, cases))


NOISES: dict[str, Draw] = {
    "Gauss": _gauss, "heavy tails": _heavy, "contaminated": _contaminated,
    "two states": _states, "lasting states": _lasting,
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """One cell of the table, to be simulated."""

    noise: str
    drift: float
    cases: int
    pairs: int
    design: str


@dataclass(frozen=True)
class Shares:
    """Of the runs of a setting."""

    claimed: float
    """Anything, where there is nothing."""
    found: float
    """The case that is slower."""


def simulate(setting: Setting, runs: int) -> Shares:
    """The same on every machine."""
    source = np.random.default_rng(_seed(setting))
    compare = COMPARE[setting.design]
    claimed = found = 0
    for _ in range(runs):
        base, new = sides(setting, source)
        ratios = [compare(a, b, "lower") for a, b in zip(base.T, new.T)]
        claimed += any(claim.shown for claim in inference.claims(ratios))
        ratios[0] = compare(base[:, 0], new[:, 0] * (1 + LOSS), "lower")
        found += inference.claims(ratios)[0].shown and ratios[0].value < 1
    return Shares(claimed / runs, found / runs)


def _seed(setting: Setting) -> int:
    return zlib.crc32(repr(setting).encode())


def sides(setting: Setting, source: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Times of the launches of both sides: a row for each pair, a column for each case."""
    launches = 2 * setting.pairs
    noise = NOISES[setting.noise](source, launches, setting.cases)
    drift = np.linspace(0, setting.drift, launches)[:, None]
    times = np.exp(NOISE * noise) * (1 + drift)
    turns = times.reshape(setting.pairs, 2, setting.cases)
    turns[1::2] = turns[1::2, ::-1].copy()  # B A
    return turns[:, 0], turns[:, 1]


def settings() -> Iterator[list[Setting]]:
    """The rows of the table."""
    for noise in NOISES:
        for drift in DRIFTS:
            yield [Setting(noise, drift, *design) for design in DESIGNS]


def runs_of(setting: Setting, runs: int) -> int:
    """Runs that take a time like that of `runs` of one case in pairs."""
    if setting.design == ALONE:
        return max(runs // 20, 1)
    return max(runs // {1: 1, 10: 2, 100: 8}[setting.cases], 1)


def heading() -> list[str]:
    """Two lines of Markdown."""
    cells = ["noise of 1 %", "drift"]
    for cases, pairs, design in DESIGNS:
        many = f"{cases} cases" if cases > 1 else "1 case"
        sides = f"{pairs} + {pairs}" if design == ALONE else f"{pairs}"
        cells.append(f"{many}, {sides} {design}")
    return [f"| {' | '.join(cells)} |", "|" + "---|" * len(cells)]


def row(settings_of_row: list[Setting], runs: int) -> str:
    shares = [simulate(one, runs_of(one, runs)) for one in settings_of_row]
    first = settings_of_row[0]
    cells = [f"{100 * one.claimed:.1f}, {100 * one.found:.1f}" for one in shares]
    return f"| {first.noise} | {100 * first.drift:.0f} % | {' | '.join(cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--runs", type=int, default=RUNS, metavar="N",
        help=f"of one case in pairs ({RUNS}); fewer of what takes longer",
    )  # fmt: skip
    runs = parser.parse_args().runs
    print("\n".join(heading()))
    for one in settings():
        print(row(one, runs), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
