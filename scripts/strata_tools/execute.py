"""One launch: its output passed on, its end told."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from types import FrameType
from urllib.parse import unquote

from strata_tools.launch import Launcher

NO_RESULT = 1
"""Exit code of a launch that ends well by its launcher, yet without a RESULT line."""
SIGNAL_LATENCY = 0.1
"""Seconds after which a signal is passed on at the latest."""


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


def execute(
    app: str, ranks: int, command: list[str], launcher: Launcher, environment: dict[str, str]
) -> Outcome:
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
            launcher.pass_on(process, number, again=bool(signals))
            signals.append(number)

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
        code = shell_code(process.wait())
        for number, handler in previous.items():
            signal.signal(number, handler)
    seconds = time.monotonic() - start
    status, record = "-", "-"
    for line in lines:
        if result := re.match(r"RESULT .*\bstatus=(\S+).* file=(\S+)$", line):
            status, record = result.group(1), unquote(result.group(2))
    if code == 0 and status == "-":  # srun does so when it cannot start the ranks
        print(f"{command[0]} ended without a word of the app", file=sys.stderr)
        code = NO_RESULT
    ended = bool(signals) or status == "INCOMPLETE"
    return Outcome(app, ranks, seconds, code, status, record, interrupted=ended)


def shell_code(code: int) -> int:
    """A shell's way to say "ended by a signal"."""
    return 128 - code if code < 0 else code
