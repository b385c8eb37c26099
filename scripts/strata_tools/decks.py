"""Are the executables there, and do they take their decks?"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

from strata_tools import ROOT, suite
from strata_tools.execute import shell_code
from strata_tools.launch import Build

LINES_OF_A_FAILED_BUILD = 60
NOT_STARTED = 1
"""Exit code of an app that the system does not start."""


def demand_executables(runs: list[suite.Run], build: Build) -> None:
    """Raises SuiteError that names the apps there are."""
    known = build.apps()
    if not known:
        raise suite.SuiteError(
            [f"{build.folder}/bin has no executables; scripts/run builds them"]
        )
    _demand(runs, known, f"in {build.folder}/bin")


def demand_sources(runs: list[suite.Run]) -> None:
    """The same of apps that can be built."""
    folder = ROOT / "miniapps"
    known = sorted(path.parent.name for path in folder.glob("*/CMakeLists.txt"))
    _demand(runs, known, f"to be built from {folder}")


def _demand(runs: list[suite.Run], known: Sequence[str], where: str) -> None:
    problems = [
        f"{run.place}: there is no strata-{run.app} {where}; there are: {', '.join(known)}"
        for run in runs
        if run.app not in known
    ]
    if problems:
        raise suite.SuiteError(list(dict.fromkeys(problems)))


def check(runs: list[suite.Run], build: Build) -> int:
    """Asks each app about its decks; shows what a refused one is told. The highest exit
    code."""
    worst = 0
    questions = {(run.app, *run.deck_arguments()): run for run in reversed(runs)}
    for run in reversed(questions.values()):
        command = [str(build.executable(run.app)), *run.deck_arguments(), "--check-deck"]
        try:
            answer = subprocess.run(
                command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
            )
        except OSError as error:  # the arguments are too long, or it is no program here
            print(
                f"{run.place}: {command[0]} does not start: {error.strerror}", file=sys.stderr
            )
            worst = max(worst, NOT_STARTED)
            continue
        if answer.returncode != 0:
            print(f"{run.place}: {run.app} refuses its deck:", file=sys.stderr)
            print((answer.stderr or answer.stdout).rstrip(), file=sys.stderr)
            worst = max(worst, shell_code(answer.returncode))
    return worst


def make(run: suite.Run, build: Build) -> int:
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
    if answer.returncode != 0:
        lines = answer.stdout.splitlines()[-LINES_OF_A_FAILED_BUILD:]
        print("\n".join(lines), file=sys.stderr)
        return 1
    return check([run], build)
