#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""Finds how an NVIDIA GPU's launches are divided best, and what the core's own division loses.

tunings.py [OPTION]... RECORD

Measures strata-stream with every value of cases.tuning, in turn, writes the record, and prints
a table; a record that is there is not measured again. set stands for kernels that only store,
triad for those that load, too, dot and read for sums. The fastest tuning of a kernel is chosen
by every second round and judged by the others, so that the choice does not flatter it: what
the core's own division loses is the median of the paired ratios of those, less 1, with its 95 %
interval. To make a tuning the core's own, change DeviceFor (block, unroll) and DeviceReduce
(block, unroll, blocks_at_once) in common/array/launch/device_loop.hpp, and race the two builds.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from limits import told
from strata_tools.records import rules

ROOT = Path(__file__).resolve().parents[1]
DECK = """\
strata: 1
app: stream
problem: {{{size}}}
cases: {{kernel: [set, triad, dot, read], variant: [span], tuning: [{tunings}]}}
run: {{tier: reference, rounds: {rounds}, min_time_s: 0, max_time_s: {seconds}, warmup_s: 1}}
"""
OWN = "default"
FEWEST_ROUNDS = 2 * rules.FEWEST
"""Half of them must give an interval."""


@dataclass(frozen=True)
class Found:
    """Of one kernel: bandwidth and time over the default's by tuning, fastest first."""

    kernel: str
    lines: tuple[tuple[str, float, float], ...]
    best: str
    loss: float
    interval: tuple[float, float] | None

    def verdict(self) -> str:
        if self.best == OWN:
            return f"{self.kernel}: no tuning is faster than the core's own"
        loss = f"{self.kernel}: the core's own division loses {100 * self.loss:.1f} %"
        if self.interval is None:
            return f"{loss} to {self.best}, by too few rounds for an interval"
        low, high = (100 * edge for edge in self.interval)
        shown = f"{loss} [{low:.1f}, {high:.1f}] to {self.best}"
        if low > 0:
            return shown
        return f"{shown}, {'it is faster' if high < 0 else 'which shows no difference'}"


def offered(executable: Path) -> list[str]:
    """The values of cases.tuning, by the executable's own schema."""
    schema = json.loads(told(executable, "--print-schema"))
    return schema["properties"]["cases"]["properties"]["tuning"]["items"]["enum"]


def measure(
    executable: Path, record: Path, size: int | None, seconds: float, rounds: int
) -> None:
    """Writes the record."""
    deck = DECK.format(
        size=f"size: {size}" if size else "size: auto", tunings=", ".join(offered(executable)),
        seconds=seconds, rounds=rounds,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tunings.yaml"
        path.write_text(deck, encoding="utf-8")
        told(executable, "--deck", str(path), "--quiet", "--output", str(record))


def judge(kernel: str, cases: dict[str, dict]) -> Found:
    """Of the cases of a kernel by tuning."""
    samples = {tuning: np.array(case["samples_s"]) for tuning, case in cases.items()}
    rounds = min(len(times) for times in samples.values())
    own = samples[OWN][:rounds]
    ratios = {tuning: times[:rounds] / own for tuning, times in samples.items()}
    best = min(ratios, key=lambda tuning: (np.median(ratios[tuning][::2]), tuning != OWN))
    judged = 1 / ratios[best][1::2]
    interval = rules.interval(judged)
    lines = sorted(
        (
            (tuning, bandwidth(cases[tuning], samples[tuning]), float(np.median(of)))
            for tuning, of in ratios.items()
        ),
        key=lambda line: line[2],
    )
    return Found(
        kernel, tuple(lines), best, float(np.median(judged)) - 1,
        interval and (interval[0] - 1, interval[1] - 1),
    )  # fmt: skip


def bandwidth(case: dict, samples: np.ndarray) -> float:
    work = case["work"]
    return (work["bytes_read"] + work["bytes_written"]) / float(np.median(samples))


def found_in(record: dict) -> list[Found]:
    """One for each kernel that was measured with the core's own division and another."""
    kernels: dict[str, dict[str, dict]] = defaultdict(dict)
    for case in record["cases"]:
        if case["status"] == "measured" and case["samples_s"]:
            axes = case["axes"]
            kernels[axes["kernel"]][axes.get("tuning", OWN)] = case
    return [
        judge(kernel, cases)
        for kernel, cases in kernels.items()
        if OWN in cases and len(cases) > 1
    ]


def table(found: list[Found]) -> str:
    text = ["| kernel | tuning | bandwidth | time, to the core's own |", "|---|---|---|---|"]
    for one in found:
        text += [
            f"| {one.kernel} | {tuning} | {rate / 1e12:.3f} TB/s | {ratio:.3f} |"
            for tuning, rate, ratio in one.lines
        ]
    return "\n".join([*text, "", *(one.verdict() for one in found)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("record", type=Path, metavar="RECORD")
    parser.add_argument(
        "--executable", type=Path, default=ROOT / "build/run/bin/strata-stream",
        help="strata-stream, as a user would start it (%(default)s)",
    )  # fmt: skip
    parser.add_argument("--size", type=int, help="elements of an array (the app's own)")
    parser.add_argument("--rounds", type=int, default=40, help="at least (%(default)s)")
    parser.add_argument("--seconds", type=float, default=120, help="at most (%(default)s)")
    options = parser.parse_args()
    if options.rounds < FEWEST_ROUNDS:
        parser.error(f"--rounds: {FEWEST_ROUNDS} at least")
    try:
        if not options.record.exists():
            executable = options.executable.absolute()
            measure(executable, options.record, options.size, options.seconds, options.rounds)
        record = json.loads(options.record.read_text(encoding="utf-8"))
        if not record["validity"]["valid"]:
            raise SystemExit(f"{options.record}: it is not valid; remove it to measure again")
        found = found_in(record)
    except (OSError, ValueError, KeyError) as error:
        raise SystemExit(
            f"{options.record}: no record of tunings: {type(error).__name__}: {error}"
        ) from None
    if not found:
        raise SystemExit(
            f"{options.record}: no tuning was measured; they are of an NVIDIA GPU's launches"
        )
    print(table(found))


if __name__ == "__main__":
    main()
