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
    """A signal came meanwhile, and was passed on."""


def attend(
    command: list[str],
    launcher: Launcher,
    environment: dict[str, str],
    log: TextIO | None = None,
    facts: bool = True,
) -> End:
    """Runs a command, its standard output passed on line by line, but for its FOM and CHECK
    lines unless `facts`; a `log` gets it instead, and standard error with it. It runs in a
    session of its own, so that an interrupt reaches it once, from here; it is waited for, since
    an app writes what it has, even where its output cannot be passed on, which is raised then
    (OSError, ValueError). A thread of its own reads, since a signal that comes just before
    a blocking read would wait for a line."""
    lines: list[str] = []
    signals: list[int] = []
    unwritable: list[OSError | ValueError] = []
    # From before it is there: a signal that comes while it starts is for it, too.
    previous = {
        number: signal.signal(number, lambda number, _frame: signals.append(number))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        with subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if log else None,
            text=True,
            errors="replace",
            start_new_session=True,
        ) as process:

            def show() -> None:
                assert process.stdout is not None
                for line in process.stdout:
                    lines.append(line)
                    if unwritable or (line.startswith(FACTS) and not facts):
                        continue
                    try:
                        print(line, end="", flush=True, file=log)
                    except (OSError, ValueError) as error:  # who stops reading stops the ranks
                        unwritable.append(error)

            reader = threading.Thread(target=show)
            reader.start()
            ranks, look = Ranks(process.pid), time.monotonic() + RANKS_LOOKED_AFTER
            passed_on = 0
            while reader.is_alive() or process.poll() is None:
                if reader.is_alive():
                    reader.join(SIGNAL_LATENCY)
                else:  # its output has ended before it
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(SIGNAL_LATENCY)
                for number in signals[passed_on:]:
                    launcher.pass_on(process, number, again=passed_on > 0)
                    passed_on += 1
                if time.monotonic() >= look:
                    look = time.monotonic() + RANKS_LOOKED_AFTER
                    if ranks.gone_s() > LAUNCHER_PATIENCE:
                        _end_launcher(process, log)
                        look = math.inf
            code = shell_code(process.wait())
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
    if unwritable:
        raise unwritable[0]
    return End(code, lines, bool(signals))


def _end_launcher(process: subprocess.Popen[str], log: TextIO | None) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    print(
        f"{process.args[0]} did not end within {LAUNCHER_PATIENCE} s of its last rank: killed",
        file=log or sys.stderr,
    )


def execute(  # noqa: PLR0913 - a launch has so many sides
    app: str,
    ranks: int,
    command: list[str],
    launcher: Launcher,
    environment: dict[str, str],
    *,
    log: TextIO | None = None,
    facts: bool = True,
) -> Outcome:
    """One launch of an app; `log` and `facts` as of attend()."""
    start = time.monotonic()
    end = attend(command, launcher, environment, log, facts)
    seconds, code = time.monotonic() - start, end.code
    status, record = "-", "-"
    for line in end.lines:
        if result := re.match(r"RESULT .*\bstatus=(\S+).* file=(\S+)$", line):
            status, record = result.group(1), unquote(result.group(2))
    if code == 0 and status == "-":  # srun does so when it cannot start the ranks
        print(f"{command[0]} ended without a word of the app", file=log or sys.stderr)
        code = NO_RESULT
    ended = end.signalled or status == "INCOMPLETE"
    return Outcome(app, ranks, seconds, code, status, record, interrupted=ended)


def shell_code(code: int) -> int:
    """A shell's way to say "ended by a signal"."""
    return 128 - code if code < 0 else code
