"""One launch: its output passed on, its end told."""

from __future__ import annotations

import contextlib
import math
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TextIO
from urllib.parse import unquote

from strata_tools.launch import Launcher
from strata_tools.processes import Ranks

NO_RESULT = 1
"""Exit code of a launch that ends well by its launcher, yet without a RESULT line."""
FACTS = ("FOM v=", "CHECK v=")
"""How the lines for scripts begin that tables have in other words."""
SIGNAL_LATENCY = 0.1
"""Seconds after which a signal is passed on at the latest."""
RANKS_LOOKED_AFTER = 5
"""Every so many seconds: a look takes a millisecond, which a rank may want."""
LAUNCHER_PATIENCE = 60
"""Seconds for which a launcher may outlive the last rank. Open MPI's mpirun (4.1, PMIx 4.2)
waits for ever for a lock of its own where a rank is killed while it connects to it."""


@dataclass(frozen=True)
class Outcome:
    """How one launch ended."""

    app: str
    ranks: int
    seconds: float
    code: int
    status: str
    """As its RESULT line says, or - without one."""
    record: str
    interrupted: bool
    """A signal ended the suite during this launch, or the launch itself."""


@dataclass(frozen=True)
class End:
    """How a command ended, and what it said."""

    code: int
    """As a shell says it."""
    lines: list[str]
    signalled: bool
    """It was interrupted: a signal came meanwhile, or another command failed."""


@dataclass(frozen=True)
class Start:
    """A command to run, and where what it prints goes: standard output is passed on line by
    line, but for its FOM and CHECK lines unless `facts`; a `log` gets it instead, and standard
    error with it."""

    command: list[str]
    launcher: Launcher
    environment: dict[str, str]
    log: TextIO | None = None
    facts: bool = True


def attend(start: Start) -> End:
    """Runs a command; as attend_all()."""
    return attend_all([start])[0]


def attend_all(starts: Sequence[Start], fine: Sequence[int] = (0,)) -> list[End]:
    """Runs commands at once. Each runs in a session of its own, so that an interrupt reaches it
    once, from here; it is waited for, since an app writes what it has, even where its output
    cannot be passed on, which is raised then (OSError, ValueError). Where one ends with a code
    that is not `fine` the others are interrupted."""
    signals: list[int] = []
    # From before they are there: a signal that comes while they start is for them, too.
    previous = {
        number: signal.signal(number, lambda number, _frame: signals.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    started: list[_Command] = []
    try:
        for start in starts:
            started.append(_Command(start))
        failed = False
        while [one for one in started if one.goes_on(signals)]:
            codes = {shell_code(one.process.poll() or 0) for one in started}
            if not failed and not signals and not codes <= {0, *fine}:
                failed = True
                for one in started:
                    one.pass_on(signal.SIGTERM)
    finally:
        if len(started) < len(starts):
            for one in started:
                one.process.kill()
        for one in started:
            one.reader.join()
            one.process.wait()
        for number, handler in previous.items():
            signal.signal(number, handler)
    for one in started:
        if one.unwritable:
            raise one.unwritable[0]
    return [
        End(shell_code(one.process.wait()), one.lines, bool(signals) or one.was_told())
        for one in started
    ]


class _Command:
    """One that runs. A thread reads what it prints, since a signal that comes just before a
    blocking read would wait for a line."""

    def __init__(self, start: Start) -> None:
        self.start = start
        self.lines: list[str] = []
        self.unwritable: list[OSError | ValueError] = []
        self.process = subprocess.Popen(
            start.command,
            env=start.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if start.log else None,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self.reader = threading.Thread(target=self._show)
        self.reader.start()
        self._ranks = Ranks(self.process.pid)
        self._look = time.monotonic() + RANKS_LOOKED_AFTER
        self._passed_on = self._told = 0

    def _show(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as printed:
            for line in printed:
                self.lines.append(line)
                if self.unwritable or (line.startswith(FACTS) and not self.start.facts):
                    continue
                try:
                    print(line, end="", flush=True, file=self.start.log)
                except (OSError, ValueError) as error:  # who stops reading stops the ranks
                    self.unwritable.append(error)

    def goes_on(self, signals: list[int]) -> bool:
        """Whether it runs yet, after a moment in which signals and launcher were seen to."""
        if not self.reader.is_alive() and self.process.poll() is not None:
            return False
        if self.reader.is_alive():
            self.reader.join(SIGNAL_LATENCY)
        else:  # its output has ended before it
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(SIGNAL_LATENCY)
        for number in signals[self._passed_on :]:
            self._passed_on += 1
            self.pass_on(number)
        if time.monotonic() >= self._look:
            self._look = time.monotonic() + RANKS_LOOKED_AFTER
            if self._ranks.gone_s() > LAUNCHER_PATIENCE:
                self._end_launcher()
                self._look = math.inf
        return True

    def was_told(self) -> bool:
        """A signal was passed on to it."""
        return self._told > 0

    def pass_on(self, number: int) -> None:
        if self.process.poll() is None:
            self.start.launcher.pass_on(self.process, number, again=self._told > 0)
            self._told += 1

    def _end_launcher(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        print(
            f"{self.start.command[0]} did not end within {LAUNCHER_PATIENCE} s of its last "
            "rank: killed",
            file=self.start.log or sys.stderr,
        )


def execute(app: str, ranks: int, start: Start) -> Outcome:
    """One launch of an app."""
    return execute_all(app, ranks, [start])[0]


def execute_all(
    app: str, ranks: int, starts: Sequence[Start], fine: Sequence[int] = (0,)
) -> list[Outcome]:
    """Launches of an app at once; each takes as long as all. `fine` as of attend_all()."""
    begun = time.monotonic()
    ends = attend_all(starts, fine)
    seconds = time.monotonic() - begun
    return [_outcome(app, ranks, seconds, start, end) for start, end in zip(starts, ends)]


def _outcome(app: str, ranks: int, seconds: float, start: Start, end: End) -> Outcome:
    code, status, record = end.code, "-", "-"
    for line in end.lines:
        if result := re.match(r"RESULT .*\bstatus=(\S+).* file=(\S+)$", line):
            status, record = result.group(1), unquote(result.group(2))
    if code == 0 and status == "-":  # srun does so when it cannot start the ranks
        print(
            f"{start.command[0]} ended without a word of the app", file=start.log or sys.stderr
        )
        code = NO_RESULT
    ended = end.signalled or status == "INCOMPLETE"
    return Outcome(app, ranks, seconds, code, status, record, interrupted=ended)


def shell_code(code: int) -> int:
    """A shell's way to say "ended by a signal"."""
    return 128 - code if code < 0 else code
