#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Whether every job ends, says why, and leaves no half record: jobs that are disturbed.

    kill_campaign.py [--jobs N] [--seed N] [--kind KIND]... [--app APP]... [BUILD]

BUILD is a build folder with the apps, build/test where none is given. Each job is an app on 2
to 4 ranks that meets one disturbance, drawn from the seed:

    kill       SIGKILL for one rank at a random moment
    stop       SIGSTOP for one rank at a random moment
    term       SIGTERM for one rank at a random moment
    term-all   SIGTERM for every rank at a random moment
    term-job   SIGTERM for the launcher at a random moment
    throw      a random allocation of one rank throws
    disk       a random call that writes the record fails, and all after it: disk full, quota,
               read-only, folder gone, input/output error, half a write
    delay      a file system that takes 0.3 s for each of these calls

After each it must have ended within 60 s, with a code of the contract (a launcher's own where
it was the launcher that ended the job), with a reason on standard error, without RESULT
status=PASS unless it has ended well with its whole record, and with no file in the results
that is no record. A launcher that then waits for itself, with no rank left, is ended and
counted: that is its own fault. Every tenth job is launched again in the same folder,
undisturbed, and must pass. Printed is what was found, then how the jobs of each kind ended.
Exit 1 if anything was found.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from disturbed_jobs import PATIENCE, End, Launch, run, to_launcher, to_ranks
from fault_campaign import ROOT, apps, preloading

SHIM = ROOT / "scripts" / "faulty_calls.cpp"
ERRORS = {
    "disk full": errno.ENOSPC, "quota": errno.EDQUOT, "read-only": errno.EROFS,
    "folder gone": errno.ENOENT, "input/output error": errno.EIO, "half a write": 0,
}  # fmt: skip
DELAY_MS = 300
OK, RESULTS, INTERRUPTED = 0, 8, 9
CONTRACT = range(10)
KILLED, TERMINATED = 128 + signal.SIGKILL, 128 + signal.SIGTERM
# The codes of a job that a disturbance has met; of the contract where a kind is not here.
EXPECTED = {
    "kill": {OK, KILLED}, "stop": {OK, INTERRUPTED},
    "term": {OK, INTERRUPTED}, "term-all": {OK, INTERRUPTED},
    "term-job": {OK, 1, INTERRUPTED, TERMINATED},
    "disk": {OK, RESULTS}, "delay": {OK},
}  # fmt: skip
KINDS = ("kill", "stop", "term", "term-all", "term-job", "throw", "disk", "delay")
LAUNCHER_SAYS = re.compile(
    r"^-{60,}\n.*?^-{60,}\n|^\[\S+:\d+\] [^\n]*\n", re.MULTILINE | re.DOTALL
)
"""What Open MPI's mpirun writes of itself, between two lines or behind its host and process."""
LEAVES_TEMPORARY = ("kill", "stop", "throw", "term-job")
"""Disturbances by which rank 0 can be killed while it writes the record."""


@dataclass
class Undisturbed:
    """What a launch does where nobody disturbs it."""

    seconds: float
    calls: int
    """That write its record."""
    allocations: tuple[int, int]
    """Of rank 0, which writes the record, and of the last rank."""


class NothingSeen(SystemExit):
    """The library for faults cannot act on an app."""


@dataclass
class Campaign:
    """The jobs on one build."""

    build: Path
    folder: Path
    known: dict[Launch, Undisturbed] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.shim = self.folder / "faulty_calls.so"
        compiler = os.environ.get("CXX", "c++")
        subprocess.run(
            [compiler, "-std=c++20", "-O1", "-shared", "-fPIC", "-o", self.shim, SHIM, "-ldl"],
            check=True,
        )
        self.output = self.folder / "results"

    def faulty(self, **asked: object) -> dict[str, str]:
        words = {f"FAULTY_{name.upper()}": str(value) for name, value in asked.items()}
        return {**preloading(self.shim), "FAULTY_FOLDER": str(self.output), **words}

    def undisturbed(self, launch: Launch) -> Undisturbed:
        if launch not in self.known:
            counts = []
            for rank in (0, launch.ranks - 1):
                file = self.folder / "counts"
                start = time.monotonic()
                asked = self.faulty(counts=file, rank=rank)
                end = run(launch.command(self.build, self.output), asked)
                if end.code != OK:
                    sys.exit(f"{launch} undisturbed: exit {end.code}\n{end.out}{end.err}")
                seconds = time.monotonic() - start
                counts.append([int(word) for word in file.read_text().split()])
            if not counts[0][0] or not counts[1][1]:
                raise NothingSeen(
                    f"{launch}: {self.shim.name} sees no call, or no allocation, of it, as "
                    "where the C++ library is linked into an executable"
                )
            shutil.rmtree(self.output)
            self.known[launch] = Undisturbed(
                seconds, counts[0][0], (counts[0][1], counts[1][1])
            )
        return self.known[launch]

    def job(self, kind: str, launch: Launch, draw: random.Random) -> tuple[str, End]:
        """One job; returns what was done to it, and its end."""
        usual = self.undisturbed(launch)
        command = launch.command(self.build, self.output)
        after = draw.uniform(0, usual.seconds)
        rank = draw.randrange(launch.ranks)
        if kind in ("kill", "stop", "term"):
            number = getattr(signal, f"SIG{kind.upper()}")
            done = f"{number.name} for rank {rank} after {after:.3f} s"
            return done, run(command, None, after, to_ranks(number, rank))
        if kind in ("term-all", "term-job"):
            disturb = (to_ranks if kind == "term-all" else to_launcher)(signal.SIGTERM)
            return f"SIGTERM after {after:.3f} s", run(command, None, after, disturb)
        if kind == "throw":
            number = draw.randrange(usual.allocations[rank > 0]) + 1
            asked = self.faulty(rank=rank, new=number)
            return f"allocation {number} of rank {rank} throws", run(command, asked)
        if kind == "disk":
            name, number = draw.choice(list(ERRORS.items()))
            call = draw.randrange(usual.calls) + 1
            return f"{name} at call {call}", run(command, self.faulty(call=call, errno=number))
        return "delays", run(command, self.faulty(delay_ms=DELAY_MS))

    def resumed(self, launch: Launch) -> list[str]:
        """What is wrong with the same job in the same folder, undisturbed."""
        again = judge("delay", run(launch.command(self.build, self.output)))
        return [f"launched again: {complaint}" for complaint in again]


def judge(kind: str, end: End) -> list[str]:
    """What is wrong with an end; nothing where all is well."""
    if end.code is None:
        return [f"hung for {PATIENCE} s"]
    found = []
    passed = re.findall(r"^RESULT .* status=PASS .* file=(\S+)$", end.out, re.MULTILINE)
    if bool(passed) != (end.code == OK) and not ended_before(end, passed):
        found.append(f"exit {end.code} " + ("and a PASS" if passed else "without a PASS"))
    if passed and not Path(passed[0]).is_file():
        found.append("a PASS without its record")
    reason = LAUNCHER_SAYS.sub("", end.err).strip()
    begun = end.out or reason  # before its main function a rank heeds no signal
    allowed = EXPECTED.get(kind, CONTRACT)
    if not begun or not end.met:
        allowed = {*allowed, *CONTRACT, TERMINATED}
    if end.hung_launcher:
        allowed = {*allowed, KILLED}
    if end.code not in allowed:
        found.append(f"exit {end.code} is none for this")
    if end.code in (KILLED, TERMINATED):
        reason = end.err.strip()  # whoever is killed leaves it to the launcher
    if kind != "term-job" and end.code not in (OK, INTERRUPTED) and not reason:
        found.append("no reason on standard error")
    return found


def ended_before(end: End, passed: list[str]) -> bool:
    """Whether a job that a signal ended had passed before: all ranks agree before the record is
    written, and whoever is killed on the way out takes nothing back."""
    return (
        end.code in (KILLED, TERMINATED)
        and bool(passed)
        and Path(passed[0]).is_file()
        and Path(passed[0]).stat().st_mtime < end.disturbed
    )


def unreadable(output: Path, kind: str) -> list[str]:
    """Files below the folder that are no records; a killed rank may leave a temporary one."""
    found = []
    for path in output.rglob("*"):
        if path.is_dir() or (
            kind in LEAVES_TEMPORARY
            and path.name.startswith(".strata-")
            and path.suffix == ".tmp"
        ):
            continue
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            whole = list(record)[-1] == "environment"
        except (ValueError, TypeError, IndexError):
            whole = False
        if not whole:
            found.append(f"{path} is no whole record")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build" / "test")
    parser.add_argument("--jobs", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, help="what is drawn from (1)")
    parser.add_argument("--kind", action="append", choices=KINDS, help="of these; or all")
    parser.add_argument("--app", action="append", choices=apps(), help="of these; or all")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    launches = [Launch(a, n, phases=False) for a in options.app or apps() for n in (2, 3, 4)]
    launches += [Launch(a, 2, phases=True) for a in options.app or apps()]
    codes: dict[str, Counter[str]] = {kind: Counter() for kind in options.kind or KINDS}
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(options.build.resolve(), Path(folder))
        for number in range(1, options.jobs + 1):
            kind, launch = draw.choice(list(codes)), draw.choice(launches)
            done, end = campaign.job(kind, launch, draw)
            word = f"{end.code}{' (launcher hung)' if end.hung_launcher else ''}"
            codes[kind][word if end.met else "over before"] += 1
            complaints = judge(kind, end) + unreadable(campaign.output, kind)
            if number % 10 == 0:
                complaints += campaign.resumed(launch) + unreadable(campaign.output, kind)
            shutil.rmtree(campaign.output, ignore_errors=True)
            if complaints:
                found += 1
                text = "\n  ".join([f"job {number}: {launch}, {done}", *complaints])
                print(f"{text}\n{end.out[-500:]}{end.err}", flush=True)
    for kind, counted in codes.items():
        ends = ", ".join(f"{code}: {n}" for code, n in sorted(counted.items()))
        print(f"{kind:8} {sum(counted.values()):5} jobs, by exit code {ends}")
    print(f"{options.jobs} jobs, {found} of them not as they must be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
