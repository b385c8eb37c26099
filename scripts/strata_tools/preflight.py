"""Before anything is measured: who would run where (`--report-binding`), and whether threads
may be bound."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

from strata_tools.execute import shell_code
from strata_tools.launch import Build, Launcher
from strata_tools.machine import cpu_list
from strata_tools.suite import Run

BOUND = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores"}
Seating = tuple[int, int]
"""Ranks, and ranks at the top of the ladder."""


class NoSeatsError(Exception):
    """The ranks cannot be placed; `code` is what the app ended with."""

    def __init__(self, code: int):
        super().__init__(code)
        self.code = code


def seating(run: Run) -> Seating:
    assert run.ranks is not None
    return run.ranks, run.top or run.ranks


def environments(
    runs: list[Run], build: Build, launcher: Launcher
) -> dict[Seating, dict[str, str]]:
    """Shows the map of ranks for each number of them; for each, the environment to run in.
    Raises NoSeatsError where an app ends with an error."""
    return {
        seating(run): _environment(run, build, launcher)
        for run in {seating(run): run for run in reversed(runs)}.values()
    }


def _environment(run: Run, build: Build, launcher: Launcher) -> dict[str, str]:
    ranks, top = seating(run)
    program = [str(build.executable(run.app)), *run.deck_arguments(), "--report-binding"]
    environment = launcher.environment()
    print(f"== preflight: {ranks} rank{'s' if ranks > 1 else ''}", flush=True)
    code, report = _answer(launcher.command(ranks, program, top), environment)
    print(report, end="", flush=True)
    if code != 0:
        raise NoSeatsError(shell_code(code))
    gpus = launcher.gpus > 0 or build.gpu_backend() is not None
    return bind_threads(environment, disjoint(report), gpus)


def _answer(command: list[str], environment: dict[str, str]) -> tuple[int, str]:
    """Exit code and standard output. An interrupt that comes while the process starts is heard
    once there is one to end: it would go on alone."""
    heard: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    previous = {n: signal.signal(n, lambda number, _: heard.append(number)) for n in numbers}
    process = None
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number, handler in previous.items():
            signal.signal(number, handler)
        if heard:
            raise KeyboardInterrupt
        report, _ = process.communicate()
    except BaseException:
        if process is not None:
            process.kill()
            process.wait()
        raise
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    return process.returncode, report


def disjoint(report: str) -> bool:
    """Whether no CPU of a host is in the sets of two ranks of a binding report."""
    taken: dict[str, set[int]] = {}
    for host, cpus in re.findall(r"^(\S+) +\d+ +\d+ +([\d,-]+) ", report, re.MULTILINE):
        mine, others = cpu_list(cpus), taken.setdefault(host, set())
        if mine & others:
            return False
        others |= mine
    return bool(taken)


def bind_threads(environment: dict[str, str], apart: bool, gpus: bool) -> dict[str, str]:
    """Binds threads to cores where ranks have cores of their own. Where they share some,
    binding would pile all of them on the same: then OpenMP's wishes are dropped, too."""
    asked = [name for name in BOUND if name in environment]
    if apart:
        return environment if asked or gpus else {**environment, **BOUND}
    if asked:
        print(f"note: {' and '.join(asked)} left out, since ranks share CPUs", file=sys.stderr)
    return {name: value for name, value in environment.items() if name not in BOUND}
