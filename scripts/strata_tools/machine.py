"""What there is to run on: processors, GPUs, the nodes of a job, the name of the system."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from pathlib import Path

SYSTEM = Path("/sys/devices/system")


def cpu_list(text: str) -> set[int]:
    """The kernel's list format: "0-3,8" is {0, 1, 2, 3, 8}."""
    cpus: set[int] = set()
    for part in text.strip().split(","):
        if part:
            first, _, last = part.partition("-")
            cpus.update(range(int(first), int(last or first) + 1))
    return cpus


def numa_nodes(allowed: set[int], system: Path = SYSTEM) -> int:
    """NUMA nodes with a CPU this process may use; at least one."""
    lists = system.glob("node/node[0-9]*/cpulist")
    return max(1, sum(bool(cpu_list(path.read_text()) & allowed) for path in lists))


def cores(allowed: set[int], system: Path = SYSTEM) -> int:
    """Physical cores among the CPUs this process may use; at least one."""
    siblings = set()
    for cpu in allowed:
        path = system / f"cpu/cpu{cpu}/topology/thread_siblings_list"
        siblings.add(path.read_text().strip() if path.is_file() else str(cpu))
    return max(1, len(siblings))


def cuda_devices() -> int:
    """GPUs visible to a CUDA program started from here."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([device for device in visible.split(",") if device.strip()])
    try:
        listed = subprocess.run(
            ["nvidia-smi", "-L"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0
    return sum(line.startswith("GPU ") for line in listed.stdout.splitlines())


def job_nodes() -> int:
    """Nodes of the batch job this process is in; one where it is in none."""
    environment = os.environ
    if environment.get("FLUX_URI") and shutil.which("flux"):
        answer = subprocess.run(
            ["flux", "getattr", "size"], capture_output=True, text=True, check=False
        )
        return int(answer.stdout) if answer.stdout.strip().isdigit() else 1
    if count := environment.get("SLURM_JOB_NUM_NODES"):
        return int(count)
    if (nodes := environment.get("PBS_NODEFILE")) and Path(nodes).is_file():
        return len(set(Path(nodes).read_text(encoding="utf-8").split())) or 1
    if hosts := environment.get("LSB_MCPU_HOSTS"):
        # "host slots host slots ..."; before compute nodes, jsrun's launch node with one slot
        slots = [int(count) for count in hosts.split()[1::2]]
        return len(slots) - (len(slots) > 1 and slots[0] == 1 and max(slots) > 1)
    return 1


def system_name() -> str:
    """As records have it: system_name() of common/runtime/context.cpp."""
    for variable in ("STRATA_SYSTEM", "SLURM_CLUSTER_NAME"):
        if name := os.environ.get(variable):
            return name
    host = socket.gethostname().partition(".")[0]
    return host.rstrip("0123456789-") or host
