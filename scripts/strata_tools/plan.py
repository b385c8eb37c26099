"""From a suite's runs to launches on this machine, in their order."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from decimal import Decimal

from strata_tools.suite import Run


@dataclass(frozen=True)
class Launch:
    """One start of a run."""

    run: Run
    """With its ranks known."""
    repeat: int
    """From 1 to the run's repeats."""


def settled(runs: list[Run], devices: int) -> list[Run]:
    """The runs on a machine of so many devices: ladders climbed, ranks and what grows with
    them known."""
    return [
        _with_ranks(step, step.ranks or devices)
        for run in runs
        for step in _climb(run, devices)
    ]


def interleaved(runs: list[Run]) -> list[Launch]:
    """Every run once, then every run again: machines drift, and what is compared must drift
    together."""
    rounds = range(1, max(run.repeats for run in runs) + 1)
    return [Launch(run, repeat) for repeat in rounds for run in runs if repeat <= run.repeats]


def _climb(run: Run, devices: int) -> list[Run]:
    if not run.ladder:
        return [run]
    steps = [1 << i for i in range(devices.bit_length()) if 1 << i < devices] + [devices]
    return [dataclasses.replace(run, ranks=step, ladder=False, top=devices) for step in steps]


def _with_ranks(run: Run, ranks: int) -> Run:
    grown = tuple(f"{key}={_plain(value * ranks)}" for key, value in run.per_rank)
    return dataclasses.replace(run, ranks=ranks, overrides=run.overrides + grown, per_rank=())


def _plain(number: Decimal) -> str:
    return str(int(number)) if number == int(number) else str(number)
