"""A Slurm cluster of this one machine, for the time of a test: controller and node daemon on
loopback, everything they write in a temporary folder."""

from __future__ import annotations

import contextlib
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from conftest import PATIENCE

SEARCHED = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
PROGRAMS = ("slurmctld", "slurmd", "sbatch", "srun", "scancel", "sinfo")
# Without munge, cgroups and systemd, none of which a container has. Nobody else can reach the
# daemons, which is what makes auth/none harmless.
CONFIGURATION = """
ClusterName=loopback
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
TmpFS={folder}/tmp
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
KillWait=5
NodeName=node NodeHostname={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=test Nodes=node Default=YES MaxTime=INFINITE State=UP
"""


class CannotRunError(Exception):
    """Why there is no cluster to be had on this machine."""


@contextlib.contextmanager
def running() -> Iterator[dict[str, str]]:
    """The environment in which commands reach the cluster."""
    missing = [name for name in PROGRAMS if not shutil.which(name, path=SEARCHED)]
    if missing:
        raise CannotRunError(f"no {', '.join(missing)}; scripts/setup test installs Slurm")
    folder = Path(tempfile.mkdtemp(prefix="strata-slurm-"))
    # Learns of the end of this process, however it comes, by the end of its input.
    janitor = subprocess.Popen(
        [sys.executable, __file__, str(folder)], stdin=subprocess.PIPE, start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    try:
        environment = _environment(folder)
        daemons = [
            _start(words, folder, environment)
            for words in (["slurmctld", "-D"], ["slurmd", "-D", "-N", "node"])
        ]
        _wait_until_idle(folder, environment, daemons)
        yield environment
    finally:
        assert janitor.stdin is not None
        janitor.stdin.close()
        assert janitor.wait(timeout=PATIENCE) == 0, f"{folder} and its daemons are left"


def _environment(folder: Path) -> dict[str, str]:
    for name in ("state", "spool", "tmp"):
        (folder / name).mkdir()
    (folder / "cgroup.conf").touch()
    controller, node = _free_ports(2)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            folder=folder,
            host=socket.gethostname().partition(".")[0],
            user=getpass.getuser(),
            cpus=len(os.sched_getaffinity(0)),
            controller=controller,
            node=node,
        ),
        encoding="utf-8",
    )
    outer = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "STRATA_"))}
    return {**outer, "SLURM_CONF": str(folder / "slurm.conf"), "PATH": SEARCHED}


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def _start(words: list[str], folder: Path, environment: dict[str, str]) -> subprocess.Popen:
    with (folder / f"{words[0]}.log").open("w") as log:
        return subprocess.Popen(
            words, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL
        )


def _wait_until_idle(
    folder: Path, environment: dict[str, str], daemons: list[subprocess.Popen]
) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and all(one.poll() is None for one in daemons):
        state = subprocess.run(
            ["sinfo", "--noheader", "--format=%t"], env=environment, capture_output=True,
            text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
        if state.stdout.strip() == "idle":
            return
        time.sleep(0.1)
    logs = [path.read_text().splitlines()[-3:] for path in sorted(folder.glob("*.log"))]
    raise CannotRunError(f"Slurm's daemons do not come up: {logs}")


def _clean(folder: Path) -> None:
    """Ends what was started in a cluster: it has the SLURM_CONF."""
    mark = f"SLURM_CONF={folder / 'slurm.conf'}".encode()
    left = True
    while left:
        left = False
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)
                    left = True
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.stdin.read()
    _clean(Path(sys.argv[1]))
