#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""How often `strata race` errs on this machine: races of a build with itself.

    real_races.py [--races N] [--pairs N] [--slow PERCENT] [--slowed REGEX] [--kind KIND]
                  [--turns WHAT] [--devices N,N...] [--app APP] [--folder DIR]
                  BUILD [-- [DECK] [WORD]...]

Of `alike` races both sides are BUILD as it is: one that claims anything is wrong. In `slowed`
ones the steps of B's cases that REGEX matches take PERCENT longer (STRATA_FAULT=slow): one that
claims these to be slower, and nothing else, is right. PERCENT leaves out what the fault's own
wait for the device takes, which counts where a step takes less than a millisecond. --turns and
what stands after -- are handed to the races. With --devices one race at a time runs on each of
these GPUs.

A line tells of each race, the last ones sum up. Races are kept in DIR; the same command goes on
where it was interrupted. Exit 1 if more than a twentieth of the alike ones claim anything or
fewer than nine tenths of the slowed ones find exactly what was slowed, or if a race fails or
could not have claimed anything.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import queue
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

KINDS = ("alike", "slowed")
LEAST = {"alike": 0.95, "slowed": 0.9}
"""Of the races, that must be right."""
ENDS = {"alike": (0,), "slowed": (0, 10)}
"""Exit codes of a race that has all its pairs: what it finds leaves out runs with a fault."""
CLAIMS = ("faster", "slower")


@dataclass(frozen=True)
class Outcome:
    """A race's claims."""

    claimed: dict[str, str]
    """By case: faster or slower, and the ratio with its interval."""
    cases: list[str]
    unjudged: list[str]
    """Of them those of which nothing can be claimed."""

    def lacks(self, kind: str, slowed: str) -> str:
        """Why the race shows nothing; empty where it shows what it should."""
        if not self.cases:
            return "no case was raced"
        if kind == "slowed" and not any(re.search(slowed, case) for case in self.cases):
            return f"--slowed {slowed} matches none of {', '.join(self.cases)}"
        if self.unjudged:
            return f"nothing can be claimed of {', '.join(self.unjudged)}; give more --pairs"
        return ""

    def is_right(self, kind: str, slowed: str) -> bool:
        wanted = {case for case in self.cases if kind == "slowed" and re.search(slowed, case)}
        found = {case for case, claim in self.claimed.items() if claim.startswith("slower")}
        return found == wanted and len(self.claimed) == len(found)


def outcome(comparison: dict) -> Outcome:
    """Of what `strata compare --json` tells."""
    text = "{verdict} {ratio:.3f} [{ratio_low:.3f}, {ratio_high:.3f}]"
    compared = comparison["compared"]
    claimed = {
        one["case_base"]: text.format(**one) for one in compared if one["verdict"] in CLAIMS
    }
    unjudged = [one["case_base"] for one in compared if one["verdict"].startswith("no claim")]
    return Outcome(claimed, [one["case_base"] for one in compared], unjudged)


def slowed_side(folder: Path, programs: list[Path], fault: str) -> Path:
    """Executables that start the build's with the fault."""
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        script = folder / program.name
        start = f"STRATA_FAULT={shlex.quote(fault)} exec {shlex.quote(str(program))}"
        script.write_text(f'#!/bin/sh\n{start} "$@"\n')
        script.chmod(0o755)
    return folder


def tool(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`strata WORDS`."""
    return subprocess.run(
        [sys.executable, "-m", "strata_tools", *words],
        env=os.environ | environment, check=False, capture_output=True, text=True,
    )  # fmt: skip


class Races:
    """All races of one command."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.folder = options.folder.resolve()
        build = options.build.resolve()
        programs = sorted(build.glob("bin/strata-*")) or sorted(build.glob("strata-*"))
        if not programs:
            sys.exit(f"{build} has no executables of Strata")
        fault = f"slow@{options.slow}:{options.slowed}"
        self.sides = {
            "alike": (build, build),
            "slowed": (build, slowed_side(self.folder / "slowed-side", programs, fault)),
        }
        self.devices: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        for device in options.devices or [None]:
            self.devices.put(device)

    def run(self, kind: str, number: int) -> Outcome:
        """A race on the next free device, made anew or gone on with."""
        device = self.devices.get()
        chosen = {} if device is None else {"CUDA_VISIBLE_DEVICES": device}
        folder = self.folder / f"{kind}-{number:02d}"
        words = ["--app", self.options.app, "--ranks", "1", "--output-dir", str(folder)]
        words += ["--pairs", str(self.options.pairs)] if self.options.pairs else []
        words += ["--turns", self.options.turns] if self.options.turns else []
        force = ["--force"] if kind == "slowed" else []  # a run with a fault is never valid
        more = ["--", *self.options.handed_on] if self.options.handed_on else []
        sides = [str(side) for side in self.sides[kind]]
        try:
            raced = tool("race", *words, *force, *sides, *more, **chosen)
            compared = tool("compare", "--json", *force, str(folder))
        finally:
            self.devices.put(device)
        if raced.returncode not in ENDS[kind] or not compared.stdout.startswith("{"):
            sys.exit(f"{folder}: exit {raced.returncode}\n{raced.stderr}{compared.stderr}")
        found = outcome(json.loads(compared.stdout))
        if lacking := found.lacks(kind, self.options.slowed):
            sys.exit(f"{folder}: {lacking}")
        return found


def sum_up(races: Races, kind: str) -> bool:
    """Runs all of a kind; whether as many are right as must be."""
    count, right = races.options.races, 0
    with ThreadPoolExecutor(len(races.options.devices or [None])) as pool:
        outcomes = pool.map(functools.partial(races.run, kind), range(1, count + 1))
        for number, found in enumerate(outcomes, 1):
            is_right = found.is_right(kind, races.options.slowed)
            right += is_right
            claims = "; ".join(f"{case} {claim}" for case, claim in found.claimed.items())
            word = "right" if is_right else "wrong"
            print(f"{kind} {number}: {word}: {claims or 'no claim'}", flush=True)
    said = "claim nothing" if kind == "alike" else "find exactly what was slowed"
    print(f"{right} of {count} {kind} races {said}")
    return right >= LEAST[kind] * count


def handed_on(words: list[str]) -> tuple[list[str], list[str]]:
    """Own words, and those after --."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("build", type=Path, help="a folder of executables")
    parser.add_argument("--races", type=int, default=20, help="of each kind (20)")
    parser.add_argument("--pairs", type=int, help="of each race (as many as race advises)")
    parser.add_argument("--slow", type=int, default=2, help="per cent (2)")
    parser.add_argument("--slowed", default="^triad/span/", help="cases (^triad/span/)")
    parser.add_argument("--kind", action="append", choices=KINDS, help="of these; or both")
    parser.add_argument("--turns", help="launches or samples, as of race")
    parser.add_argument("--devices", type=lambda text: text.split(","), help="GPUs, by number")
    parser.add_argument("--app", default="stream", help="(stream)")
    parser.add_argument("--folder", type=Path, default=Path("real-races"), help="(real-races)")
    own, rest = handed_on(sys.argv[1:])
    options = parser.parse_args(own)
    options.handed_on = rest
    if options.races < 1:
        parser.error("--races: at least one")
    races = Races(options)
    shares = [sum_up(races, kind) for kind in options.kind or KINDS]
    return 0 if all(shares) else 1


if __name__ == "__main__":
    sys.exit(main())
