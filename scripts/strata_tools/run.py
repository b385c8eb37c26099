"""Runs the apps that a suite deck lists, each launch on all devices unless told otherwise.

A suite deck lists runs: app, deck, ranks, overrides, sweeps, ladders of ranks, and how often
each is launched (the keys are below). Launches are interleaved: every
run once, then every run again. All decks are checked before the first launch, or, where the
apps are yet to be built, each before its own. A launch that fails does not keep the others
from running; the exit code is the highest of theirs (77, skipped, counts as none).

At the end stands what this machine gave beside the nearest reference record of results/.

A launch whose valid record of all cases is in the output folder already, left by this build on
this system, is not made again: after an interruption the same command goes on where it was.
"""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from strata_tools import (
    BUILD,
    RESULTS,
    ROOT,
    decks,
    job_folder,
    plan,
    preflight,
    suite,
    summary,
    systems,
)
from strata_tools.estimate import Estimate
from strata_tools.execute import Outcome, Start, execute
from strata_tools.find_launcher import LAUNCHERS, NoLauncherError, find
from strata_tools.launch import Build, Launcher
from strata_tools.machine import cuda_devices
from strata_tools.resume import records_of
from strata_tools.strict_yaml import InvalidFileError

OK, INTERNAL, COMMAND_LINE, DECK, PLACEMENT, NOT_WRITABLE, INTERRUPTED = 0, 1, 2, 3, 4, 8, 9
SKIPPED = 77

EXAMPLES = """examples:
  strata run                                     inputs/quick.yaml, every app on all devices
  strata run my.yaml --dry-run                   the commands, and what is done already
  strata run my.yaml --output-dir results/new    go on there; --fresh to measure all anew
  strata run my.yaml --launcher mpirun           in a job: not its scheduler's own launcher

exit codes: those of the apps; 0 ok, 2 command line, 3 deck, 4 placement, 8 not writable,
9 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = f"{suite.__doc__}\n{EXAMPLES}"
    add_suite(parser)
    option = parser.add_argument
    option("--make", action="store_true",
           help="build each app when its first run comes, so that figures come early; "
           "implies --fresh")  # fmt: skip
    option("--apps", action="store_true",
           help="print the executables that the suite needs, run nothing")  # fmt: skip
    option("--dry-run", action="store_true",
           help="print the commands and check the decks, run nothing")  # fmt: skip
    option("--fresh", action="store_true", help="run also what has its record already")
    option("--lines", action="store_true",
           help="show FOM and CHECK lines at a terminal, as elsewhere")  # fmt: skip
    add_placement(parser)
    option("--index", type=positive, metavar="N",
           help="only the N-th run, with its repeats: an element of a job array")  # fmt: skip
    option("--preflight", action="store_true",
           help="first show who runs where, and stop if ranks cannot be placed")  # fmt: skip
    option("--job-folder", type=Path, metavar="DIR",
           help="keep copies of the suite deck and its decks there, and seal them and the "
           "records (strata seal)")  # fmt: skip


def add_placement(parser: argparse.ArgumentParser) -> None:
    """What starts the ranks, and where: of `run` and `race`."""
    option = parser.add_argument
    option("--launcher", choices=("auto", *LAUNCHERS), default="auto",
           help="what starts the ranks (auto: that of the job this is in, else mpirun)",
           )  # fmt: skip
    option("--system", metavar="NAME",
           help="take cores, devices and launcher from scripts/systems/NAME.yaml, or a file",
           )  # fmt: skip
    option("--nodes", type=positive, metavar="N", help="nodes to use (those of the job)")


def add_suite(parser: argparse.ArgumentParser) -> None:
    """What `run` and `submit` share."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    option = parser.add_argument
    option("suite", nargs="?", type=Path, default=ROOT / "inputs" / "quick.yaml",
           help="suite deck (inputs/quick.yaml)")  # fmt: skip
    option("--build", type=Path, metavar="DIR",
           help="folder whose bin/ has the executables (build/run; where this was installed)",
           )  # fmt: skip
    option("--output-dir", type=Path, default=RESULTS, metavar="DIR",
           help="where the records go (results)")  # fmt: skip


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number above 0")
    return int(text)


@dataclass(frozen=True)
class Session:
    """What all launches share."""

    build: Build
    launcher: Launcher
    output: Path
    job_folder: Path | None
    facts: bool
    """FOM and CHECK lines are shown."""

    def command(self, run: suite.Run) -> list[str]:
        assert run.ranks is not None
        program = [str(self.build.executable(run.app)), *run.deck_arguments()]
        program += ["--output-dir", str(self.output)]
        return self.launcher.command(run.ranks, program, run.top)


def main(arguments: argparse.Namespace) -> int:
    return interruptible(lambda: _run(arguments))


def interruptible(work: Callable[[], int]) -> int:
    """The work's exit code; between launches a signal ends it in order (in a launch, see
    execute)."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = {
        number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        return work()
    except KeyboardInterrupt:
        print("interrupted; the same command goes on where this one was", file=sys.stderr)
        return INTERRUPTED
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _run(arguments: argparse.Namespace) -> int:
    try:
        system = systems.read(systems.find(arguments.system)) if arguments.system else None
        build = Build((arguments.build or (system.build if system else BUILD)).resolve())
        listed = suite.read(shortest(arguments.suite))
        if arguments.apps:
            decks.demand_sources(listed)
            print("\n".join(dict.fromkeys(f"strata-{run.app}" for run in listed)))
            return OK
        if not arguments.make:
            decks.demand_executables(listed, build)
        launcher = launcher_for(build, system, arguments)
    except InvalidFileError as invalid:
        return refuse(invalid)
    except NoLauncherError as missing:
        print(missing, file=sys.stderr)
        return PLACEMENT
    runs = plan.settled(listed, launcher.ranks_for_all_devices())
    index = arguments.index
    if index is not None and index > len(runs):
        print(f"--index is {index}; the suite has {len(runs)} runs", file=sys.stderr)
        return COMMAND_LINE
    if index is not None:
        runs = [runs[index - 1]]
    facts = arguments.lines or not sys.stdout.isatty()
    session = Session(build, launcher, arguments.output_dir, arguments.job_folder, facts)
    return _measure(arguments, runs, session)


def launcher_for(
    build: Build, system: systems.System | None, arguments: argparse.Namespace
) -> Launcher:
    """As the options of add_placement() say; raises NoLauncherError."""
    if system:
        return system.launcher_of(build, arguments.launcher, arguments.nodes or system.nodes)
    return find(build, arguments.launcher, arguments.nodes)


def _measure(arguments: argparse.Namespace, runs: list[suite.Run], session: Session) -> int:
    build, launcher = session.build, session.launcher
    _note_idle_gpus(build)
    launches = plan.interleaved(runs)
    done: list[str | None] = [None] * len(launches)
    if not (arguments.fresh or arguments.make):
        done = records_of(launches, session.output, build)
    to_make = build if arguments.make else None
    if arguments.dry_run:
        for launch, record in zip(launches, done):
            command = shlex.join(session.command(launch.run))
            print(f"# done, {record}: {command}" if record else command)
        return OK if to_make else decks.check(runs, build)
    if to_make is None and (code := decks.check(runs, build)) != OK:
        return code
    if launcher.mpiexec is None and any(run.ranks > 1 for run in runs):
        print("no mpirun found: put that of the build's MPI on PATH", file=sys.stderr)
        return PLACEMENT
    if session.job_folder:
        try:
            job_folder.keep(session.job_folder, arguments.suite, runs)
        except OSError as error:
            return not_writable(error, "--job-folder")
    surroundings = {}
    if arguments.preflight:
        try:
            left = [launch.run for launch, record in zip(launches, done) if not record]
            surroundings = preflight.environments(left, build, launcher)
        except preflight.NoSeatsError as fault:
            print(
                f"preflight ended with exit code {fault.code}; nothing was measured",
                file=sys.stderr,
            )
            return fault.code
    return _run_all(launches, done, session, surroundings, to_make)


def refuse(invalid: InvalidFileError) -> int:
    for problem in invalid.problems:
        print(problem, file=sys.stderr)
    count = len(invalid.problems)
    what = "suite deck" if isinstance(invalid, suite.SuiteError) else "system's description"
    print(
        f"{count} problem{'s' if count > 1 else ''} in the {what}; nothing was run",
        file=sys.stderr,
    )
    return DECK


def not_writable(error: OSError, option: str) -> int:
    print(
        f"{error.filename}: {error.strerror}; name a folder that can be written by {option}",
        file=sys.stderr,
    )
    return NOT_WRITABLE


def shortest(path: Path) -> Path:
    """Relative to the current folder where it lies below it: for messages."""
    resolved, here = path.resolve(), Path.cwd()
    return resolved.relative_to(here) if resolved.is_relative_to(here) else path


def _note_idle_gpus(build: Build) -> None:
    if build.gpu_backend() is None and (idle := cuda_devices()):
        print(
            f"note: {idle} NVIDIA GPU{'s' if idle > 1 else ''} stay idle, since this build's "
            "Kokkos has no CUDA; set Kokkos_ROOT to one that has",
            file=sys.stderr,
        )


def _run_all(
    launches: list[plan.Launch],
    done: list[str | None],
    session: Session,
    surroundings: dict[preflight.Seating, dict[str, str]],
    to_make: Build | None,
) -> int:
    outcomes: list[Outcome] = []
    estimate = Estimate()
    left = [launch for launch, record in zip(launches, done) if not record]
    for number, (launch, record) in enumerate(zip(launches, done), start=1):
        run, ranks, count = launch.run, launch.run.ranks or 1, f"{number} of {len(launches)}"
        if record:
            print(f"== {count} is done: {record}", flush=True)
            continue
        if to_make is not None and (code := decks.make(run, to_make)) != OK:
            outcomes.append(Outcome(run.app, ranks, 0, code, "-", "-", interrupted=False))
            left.pop(0)
            continue
        command = session.command(run)
        print(f"== {count}{estimate.of(left)}: {shlex.join(command)}", flush=True)
        environment = surroundings.get(preflight.seating(run)) or session.launcher.environment()
        outcomes.append(
            execute(
                run.app,
                ranks,
                Start(command, session.launcher, environment, facts=session.facts),
            )
        )
        estimate.add(left.pop(0), outcomes[-1].seconds)
        print(flush=True)
        if outcomes[-1].interrupted:
            break
    there = [record for record in done if record]
    records = len(there)
    for line in summary.lines(Path(name) for name in (*there, *(o.record for o in outcomes))):
        print(line)
    _summarise(outcomes, len(launches), records)
    sealed = OK
    if session.job_folder and outcomes:
        sealed = job_folder.seal(session.job_folder, (one.record for one in outcomes))
    if outcomes and outcomes[-1].interrupted:
        return INTERRUPTED
    codes = [outcome.code for outcome in outcomes] + [sealed] * bool(records or sealed)
    return max((code for code in codes if code != SKIPPED), default=SKIPPED)


def _summarise(outcomes: list[Outcome], planned: int, done: int) -> None:
    rows = [("app", "ranks", "seconds", "status", "exit", "record")]
    rows += [
        (o.app, str(o.ranks), f"{o.seconds:.1f}", o.status, str(o.code), o.record)
        for o in outcomes
    ]
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows if outcomes else []:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    failed = sum(o.code not in (OK, SKIPPED) for o in outcomes)
    skipped = sum(o.code == SKIPPED for o in outcomes)
    seconds = sum(o.seconds for o in outcomes)
    text = f"{len(outcomes)} of {planned} runs in {seconds:.1f} s: {failed} failed"
    text += f", {skipped} skipped" if skipped else ""
    text += f"; {done} done before (--fresh runs them again)" if done else ""
    print(text, flush=True)
