"""Jobs under mpirun that something disturbs, and how they end."""

from __future__ import annotations

import functools
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fault_campaign import MPI, ROOT
from strata_tools.execute import shell_code
from strata_tools.processes import ranks_below

PATIENCE = 60
"""Seconds from the disturbance to the end."""
# Short runs through all phases: warm-up, calibration and rounds, with the ceiling's cases.
PHASES = (
    "run.tier=quick", "run.rounds=6", "run.min_time_s=0", "run.max_time_s=1",
    "run.warmup_s=0.02",
)  # fmt: skip


@dataclass(frozen=True)
class Launch:
    """A job, undisturbed."""

    app: str
    ranks: int
    phases: bool
    """Of all phases, else the smoke deck."""

    def command(self, build: Path, output: Path) -> list[str]:
        program = str(build / "bin" / f"strata-{self.app}")
        deck = ROOT / "miniapps" / self.app / "decks" / "smoke.yaml"
        more = ["--deck", str(deck), "--output-dir", str(output)]
        if self.phases:
            more += [word for setting in PHASES for word in ("--set", setting)]
            more += ["--only", first_labels(program, deck)]
        return ["mpirun", "-n", str(self.ranks), program, *more]


@functools.cache
def first_labels(program: str, deck: Path) -> str:
    """A pattern of the deck's first two cases."""
    listed = subprocess.run(
        [program, "--deck", str(deck), "--list"], capture_output=True, text=True, check=True
    )
    return "^(" + "|".join(listed.stdout.split()[:2]) + ")$"


@dataclass
class End:
    """How a job ended."""

    code: int | None
    """As a shell says it; None where the job had to be killed."""
    seconds: float
    """After the disturbance."""
    out: str
    err: str
    met: bool = True
    """Whether the disturbance found a job that was running."""
    hung_launcher: bool = False
    """It had no rank any more, and had to be killed; `strata run` does so."""
    disturbed: float = 0
    """When, in seconds as files have them."""


Disturbance = Callable[["subprocess.Popen[str]"], bool]


def run(
    command: list[str],
    environment: dict[str, str] | None = None,
    after: float = 0,
    disturb: Disturbance = lambda _: True,
) -> End:
    """Runs the job, disturbs it `after` so many seconds, and waits for its end."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, text=True,
            env=os.environ | MPI | (environment or {}), start_new_session=True,
        )  # fmt: skip
        time.sleep(after)
        met = process.poll() is None and disturb(process)
        start, disturbed, hung_launcher = time.monotonic(), time.time(), False
        try:
            code = shell_code(process.wait(PATIENCE))
        except subprocess.TimeoutExpired:
            ranks = ranks_below(process.pid)
            for one in (*ranks, process.pid):
                _send(one, signal.SIGKILL)
            killed = shell_code(process.wait())
            code, hung_launcher = (None, False) if ranks else (killed, True)
        seconds = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return End(code, seconds, out.read(), err.read(), met, hung_launcher, disturbed)


def to_ranks(number: int, whom: int | None = None) -> Disturbance:
    """A signal for a rank, or for all."""

    def disturb(process: subprocess.Popen[str]) -> bool:
        chosen = [p for p in ranks_below(process.pid) if whom is None or _rank_of(p) == whom]
        return sum(_send(one, number) for one in chosen) > 0

    return disturb


def _send(process: int, number: int) -> bool:
    """Whether the process was still there."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return False
    return True


def to_launcher(number: int) -> Disturbance:
    def disturb(process: subprocess.Popen[str]) -> bool:
        process.send_signal(number)
        return True

    return disturb


def _rank_of(process: int) -> int | None:
    try:
        environment = Path(f"/proc/{process}/environ").read_bytes().decode(errors="replace")
    except OSError:
        return None
    rank = re.search(r"(?:^|\0)(?:OMPI_COMM_WORLD_RANK|PMI_RANK)=(\d+)", environment)
    return int(rank[1]) if rank else None
