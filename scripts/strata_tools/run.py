"""Runs the apps that a suite deck lists, one after another, each on all devices.

All decks are checked before the first run, or, where the apps are yet to be built, each
before its own. A run that fails does not keep the others from
running; the exit code is the highest of theirs (77, skipped, counts as none).
"""

from __future__ import annotations

import argparse
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from urllib.parse import unquote

from strata_tools import ROOT, suite
from strata_tools.launch import Build, Launcher, cuda_devices

SIGNAL_LATENCY = 0.1
"""Seconds after which a signal is passed on at the latest."""

OK, INTERNAL, COMMAND_LINE, DECK, PLACEMENT, INTERRUPTED, SKIPPED = 0, 1, 2, 3, 4, 9, 77


@dataclass(frozen=True)
class Outcome:
    """How one run ended."""

    app: str
    ranks: int
    seconds: float
    code: int
    status: str
    """As its RESULT line says, or - without one."""
    record: str
    interrupted: bool
    """A signal ended the suite during this run."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "suite",
        nargs="?",
        type=Path,
        default=ROOT / "inputs" / "quick.yaml",
        help="suite deck (inputs/quick.yaml)",
    )
    parser.add_argument(
        "--build",
        type=Path,
        default=ROOT / "build" / "run",
        metavar="DIR",
        help="build folder whose bin/ has the executables (build/run)",
    )
    parser.add_argument(
        "--output-dir",
        type=Path,
        default=ROOT / "results",
        metavar="DIR",
        help="where the records go (results)",
    )
    parser.add_argument(
        "--make",
        action="store_true",
        help="build each app when its first run comes, so that figures come early",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print the commands, run nothing"
    )


def main(arguments: argparse.Namespace) -> int:
    build = Build(arguments.build.resolve())
    try:
        runs = suite.read(_shortest(arguments.suite))
        if not arguments.make:
            _demand_executables(runs, build)
    except suite.SuiteError as invalid:
        for problem in invalid.problems:
            print(problem, file=sys.stderr)
        count = len(invalid.problems)
        print(
            f"{count} problem{'s' if count > 1 else ''} in the suite deck; nothing was run",
            file=sys.stderr,
        )
        return DECK
    launcher = Launcher.of(build)
    if build.gpu_backend() is None and (idle := cuda_devices()):
        print(
            f"note: {idle} NVIDIA GPU{'s' if idle > 1 else ''} stay idle, since this build's "
            "Kokkos has no CUDA; set Kokkos_ROOT to one that has",
            file=sys.stderr,
        )
    commands = [_command(run, build, launcher, arguments.output_dir) for run in runs]
    if arguments.dry_run:
        for _, command in commands:
            print(shlex.join(command))
        return OK
    if not arguments.make and (code := _check_decks(runs, build)) != OK:
        return code
    if launcher.mpiexec is None and any(ranks > 1 for ranks, _ in commands):
        print("no mpirun found: put that of the build's MPI on PATH", file=sys.stderr)
        return PLACEMENT
    return _run_all(runs, commands, launcher, build if arguments.make else None)


def _shortest(path: Path) -> Path:
    """Relative to the current folder where it lies below it: for messages."""
    resolved, here = path.resolve(), Path.cwd()
    return resolved.relative_to(here) if resolved.is_relative_to(here) else path


def _demand_executables(runs: list[suite.Run], build: Build) -> None:
    known = build.apps()
    if not known:
        raise suite.SuiteError(
            [f"{build.folder}/bin has no executables; scripts/run builds them"]
        )
    problems = [
        f"{run.place}: there is no strata-{run.app} in {build.folder}/bin; there are: "
        f"{', '.join(known)}"
        for run in runs
        if run.app not in known
    ]
    if problems:
        raise suite.SuiteError(problems)


def _command(
    run: suite.Run, build: Build, launcher: Launcher, output: Path
) -> tuple[int, list[str]]:
    ranks = run.ranks or launcher.ranks_for_all_devices()
    program = [
        str(build.executable(run.app)),
        *run.deck_arguments(),
        "--output-dir",
        str(output),
    ]
    return ranks, launcher.command(ranks, program)


def _check_decks(runs: list[suite.Run], build: Build) -> int:
    """Asks each app about its deck; shows what a refused one is told."""
    worst = OK
    for run in runs:
        command = [str(build.executable(run.app)), *run.deck_arguments(), "--check-deck"]
        answer = subprocess.run(
            command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
        )
        if answer.returncode != OK:
            print(f"{run.place}: {run.app} refuses its deck:", file=sys.stderr)
            print((answer.stderr or answer.stdout).rstrip(), file=sys.stderr)
            worst = max(worst, _exit_code(answer.returncode))
    return worst


def _make(run: suite.Run, build: Build) -> int:
    """Builds a run's app and asks it about the deck; shows what went wrong."""
    target = f"strata-{run.app}"
    start = time.monotonic()
    print(f"build {target} ... ", end="", file=sys.stderr, flush=True)
    answer = subprocess.run(
        ["cmake", "--build", str(build.folder), "--target", target],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    print(f"{time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
    if answer.returncode != OK:
        print("\n".join(answer.stdout.splitlines()[-60:]), file=sys.stderr)
        return INTERNAL
    return _check_decks([run], build)


def _run_all(
    runs: list[suite.Run],
    commands: list[tuple[int, list[str]]],
    launcher: Launcher,
    to_make: Build | None,
) -> int:
    outcomes = []
    for number, (run, (ranks, command)) in enumerate(zip(runs, commands), start=1):
        if to_make is not None and (code := _make(run, to_make)) != OK:
            outcomes.append(Outcome(run.app, ranks, 0, code, "-", "-", interrupted=False))
            continue
        print(f"== {number} of {len(runs)}: {shlex.join(command)}", flush=True)
        outcomes.append(_run(run.app, ranks, command, launcher.environment()))
        print(flush=True)
        if outcomes[-1].interrupted:
            break
    _summarise(outcomes, len(runs))
    if outcomes[-1].interrupted:
        return INTERRUPTED
    codes = [outcome.code for outcome in outcomes]
    return max((code for code in codes if code != SKIPPED), default=SKIPPED)


def _run(app: str, ranks: int, command: list[str], environment: dict[str, str]) -> Outcome:
    """One launch, its standard output passed on line by line. It runs in a session of its
    own, so that an interrupt reaches it once, from here; it is waited for, since an app
    writes what it has. A thread of its own reads, since a signal that comes just before a
    blocking read would wait for the app's next line."""
    start = time.monotonic()
    lines: list[str] = []
    signals: list[int] = []
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:

        def pass_on(number: int, _frame: FrameType | None) -> None:
            signals.append(number)
            process.send_signal(number)

        def show() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                print(line, end="", flush=True)
                lines.append(line)

        previous = {n: signal.signal(n, pass_on) for n in (signal.SIGINT, signal.SIGTERM)}
        reader = threading.Thread(target=show)
        reader.start()
        while reader.is_alive():
            reader.join(SIGNAL_LATENCY)
        code = _exit_code(process.wait())
        for number, handler in previous.items():
            signal.signal(number, handler)
    seconds = time.monotonic() - start
    status, record = "-", "-"
    for line in lines:
        if result := re.match(r"RESULT .*\bstatus=(\S+).* file=(\S+)$", line):
            status, record = result.group(1), unquote(result.group(2))
    return Outcome(app, ranks, seconds, code, status, record, interrupted=bool(signals))


def _exit_code(code: int) -> int:
    """A shell's way to say "ended by a signal"."""
    return 128 - code if code < 0 else code


def _summarise(outcomes: list[Outcome], planned: int) -> None:
    rows = [("app", "ranks", "seconds", "status", "exit", "record")]
    rows += [
        (o.app, str(o.ranks), f"{o.seconds:.1f}", o.status, str(o.code), o.record)
        for o in outcomes
    ]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    failed = sum(o.code not in (OK, SKIPPED) for o in outcomes)
    skipped = sum(o.code == SKIPPED for o in outcomes)
    seconds = sum(o.seconds for o in outcomes)
    text = f"{len(outcomes)} of {planned} runs in {seconds:.1f} s: {failed} failed"
    print(text + (f", {skipped} skipped" if skipped else ""), flush=True)
