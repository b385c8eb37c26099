#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Runs the cases of the apps' smoke decks under NVIDIA's compute-sanitizer, several jobs at
once, and says what it found. Vendors' libraries are left out."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from fault_campaign import MPI, ROOT, apps

TOOLS = ("memcheck", "racecheck", "initcheck")
FOUND = 99
"""Exit code of the sanitizer where it finds anything."""
CHECKED = re.compile(r"^CHECK .*? case=(\S+)", re.MULTILINE)
SUMMARY = re.compile(r"^=+ (?:ERROR|RACECHECK) SUMMARY: (\d+)", re.MULTILINE)
SAYS_NOTHING = re.compile(r"=* *$|=+ (?:Target application returned|COMPUTE-SANITIZER)")


@dataclass(frozen=True)
class Job:
    """Some cases of an app under one tool."""

    tool: str
    app: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    job: Job
    words: str
    """What went wrong; empty where nothing did."""
    ran: bool = True
    """False where this build has none of the cases."""
    log: str = ""


def read(job: Job, code: int | None, log: str, limit: float) -> Outcome:
    """What a job's end says. `code` is None where it did not end within the limit."""
    if code is None:
        return Outcome(job, f"not ended in {limit:g} s", log=log)
    if "reasons=nothing_measured" in log and code != FOUND:
        return Outcome(job, "", ran=False)
    summary = SUMMARY.search(log)
    if code == FOUND:
        return Outcome(job, f"{summary[1] if summary else 'some'} found", log=log)
    if code != 0:
        return Outcome(job, f"exit {code}: {last_words(log)}", log=log)
    if not summary:
        return Outcome(job, "no summary: was it a sanitizer?", log=log)
    return Outcome(job, "", log=log)


def last_words(log: str) -> str:
    """The last line that says more than that it is over."""
    said = [line for line in log.splitlines() if not SAYS_NOTHING.match(line)]
    said = [line for line in said if not SUMMARY.match(line)]
    return said[-1].strip("= ") if said else "nothing said"


def labels(program: Path, deck: Path, more: list[str]) -> list[str]:
    """Of the deck's cases, without those of vendors."""
    listed = subprocess.run(
        [program, "--deck", deck, "--list", *more], capture_output=True, text=True, check=True,
        env=os.environ | MPI,
    )  # fmt: skip
    return [word for word in listed.stdout.split() if "/vendor" not in word and "/" in word]


def jobs_of(options: argparse.Namespace) -> list[Job]:
    """All cases under all tools, at most so many a job, neighbours in different jobs: they take
    about as long as each other."""
    found = []
    for app in options.app or apps():
        deck = ROOT / "miniapps" / app / "decks" / "smoke.yaml"
        all_labels = labels(options.build / "bin" / f"strata-{app}", deck, options.more)
        count = -(-len(all_labels) // options.cases)
        for tool in options.tool or TOOLS:
            found += [Job(tool, app, tuple(all_labels[n::count])) for n in range(count)]
    return found


class Running:
    """Process groups of the jobs under way. A job is known from its start on: an interrupt
    between its start and its entry would leave it, and wait for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.groups: set[int] = set()
        self.ended = False

    def start(self, command: list, environment: dict[str, str]) -> subprocess.Popen[str]:
        """CancelledError once all have been ended."""
        with self.lock:
            if self.ended:
                raise CancelledError
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", env=os.environ | environment, start_new_session=True,
            )  # fmt: skip
            self.groups.add(process.pid)
        return process

    def forget(self, group: int) -> None:
        with self.lock:
            self.groups.discard(group)

    def end_all(self) -> None:
        with self.lock:
            self.ended = True
            for group in self.groups:
                end(group)


RUNNING = Running()


def end(group: int) -> None:
    """Ends a job: the app is the sanitizer's child, and would go on alone."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def run(job: Job, options: argparse.Namespace, device: int) -> Outcome:
    pattern = "^(" + "|".join(re.escape(label) for label in job.labels) + ")$"
    with tempfile.TemporaryDirectory() as output:
        command = [
            options.sanitizer, "--tool", job.tool, "--error-exitcode", str(FOUND),
            options.build / "bin" / f"strata-{job.app}", "--deck",
            ROOT / "miniapps" / job.app / "decks" / "smoke.yaml", "--only", pattern, "--set",
            "run.rounds=1", "--lines", "--output-dir", output, *options.more,
        ]  # fmt: skip
        environment = {"CUDA_VISIBLE_DEVICES": str(device), "OMP_NUM_THREADS": "1"}
        with RUNNING.start(command, MPI | environment) as process:
            code: int | None
            try:
                log, _ = process.communicate(timeout=options.limit)
                code = process.returncode
            except subprocess.TimeoutExpired:
                end(process.pid)
                log, _ = process.communicate()
                code = None
            finally:
                RUNNING.forget(process.pid)
    return read(job, code, log, options.limit)


@contextlib.contextmanager
def ended_by_interrupt(pool: ThreadPoolExecutor) -> Iterator[None]:
    """An interrupt ends the jobs, too, which have sessions of their own."""
    try:
        yield
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        RUNNING.end_all()
        raise


def table(outcomes: list[Outcome]) -> str:
    """By app and tool: cases that were checked, jobs without a find of those that ran."""
    lines = []
    for app, tool in dict.fromkeys((o.job.app, o.job.tool) for o in outcomes):
        of = [o for o in outcomes if (o.job.app, o.job.tool) == (app, tool) and o.ran]
        cases = sum(len(set(CHECKED.findall(o.log))) for o in of)
        clean = sum(not o.words for o in of)
        lines.append(f"{app:8} {tool:9} {cases:4} cases: {clean} of {len(of)} jobs clean")
    return "\n".join(lines)


def devices() -> int:
    """GPUs of this machine; 1 where nvidia-smi does not say."""
    try:
        listed = subprocess.run(
            ["nvidia-smi", "--list-gpus"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 1
    return max(1, len(listed.stdout.splitlines()))


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build" / "run")
    parser.add_argument("--app", action="append", choices=apps(), help="one of them; or all")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="one of them; or all")
    parser.add_argument("--cases", type=int, default=6, metavar="N", help="of a job, at most")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="at once")
    # Twelve of mgs under racecheck took 221 s on four GPUs, three on each.
    parser.add_argument("--limit", type=float, default=1800, metavar="S",
                        help="of a job; jobs that share a GPU take turns")  # fmt: skip
    parser.add_argument("--logs", type=Path, help="a folder for what the jobs printed")
    parser.add_argument("--sanitizer", default="compute-sanitizer", metavar="PROGRAM")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                        help="of the decks")  # fmt: skip
    options = parser.parse_args(arguments)
    if min(options.cases, options.jobs) < 1:
        parser.error("--cases and --jobs are at least 1")
    if not shutil.which(options.sanitizer):
        parser.error(
            f"no program '{options.sanitizer}': it comes with CUDA; name it by --sanitizer"
        )
    options.build = options.build.resolve()
    for app in options.app or apps():
        if not (options.build / "bin" / f"strata-{app}").is_file():
            parser.error(
                f"{options.build} has no bin/strata-{app}: build it, or choose by --app"
            )
    options.more = [word for value in options.set for word in ("--set", value)]
    return options


def main(arguments: list[str] | None = None) -> int:
    options = parsed(arguments)
    jobs = jobs_of(options)
    turns = itertools.cycle(range(devices()))
    outcomes = []
    with ThreadPoolExecutor(options.jobs) as pool, ended_by_interrupt(pool):
        started = [pool.submit(run, job, options, device) for job, device in zip(jobs, turns)]
        for n, future in enumerate(started):
            outcome = future.result()
            outcomes.append(outcome)
            if options.logs:
                options.logs.mkdir(parents=True, exist_ok=True)
                name = f"{outcome.job.app}-{outcome.job.tool}-{n}.log"
                (options.logs / name).write_text(outcome.log, encoding="utf-8")
            if outcome.words:
                job = outcome.job
                print(f"{job.app} {job.tool}: {outcome.words}: {' '.join(job.labels)}",
                      flush=True)  # fmt: skip
    print(table(outcomes))
    bad = any(outcome.words for outcome in outcomes)
    return 1 if bad or not any(outcome.ran for outcome in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())
