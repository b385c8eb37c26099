"""How executables of one build are started: ranks, their devices, each launcher's words."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from strata_tools import machine, processes

GPU_BACKENDS = ("CUDA", "HIP", "SYCL")


@dataclass(frozen=True)
class Build:
    """A build folder, as CMake's cache describes it."""

    folder: Path

    def executable(self, app: str) -> Path:
        return self.folder / "bin" / f"strata-{app}"

    def apps(self) -> list[str]:
        return sorted(path.name[len("strata-") :] for path in self.folder.glob("bin/strata-*"))

    def mpiexec(self) -> str | None:
        """The launcher of the MPI it was built with, else one on PATH."""
        configured = self._cached("MPIEXEC_EXECUTABLE")
        candidates = (configured, "mpirun", "mpiexec")
        return next((found for c in candidates if c and (found := shutil.which(c))), None)

    def gpu_backend(self) -> str | None:
        config = Path(self._cached("Kokkos_DIR") or "") / "KokkosConfigCommon.cmake"
        text = _text(config)
        devices = re.search(r"set\s*\(\s*Kokkos_DEVICES\s+([^)]*)\)", text, re.IGNORECASE)
        words = re.split(r"[;\s]+", devices.group(1).upper()) if devices else []
        return next((name for name in GPU_BACKENDS if name in words), None)

    def is_installed(self) -> bool:
        """Whether it is an installation, which does not tell what it was built with."""
        return not (self.folder / "CMakeCache.txt").is_file()

    def _cached(self, name: str) -> str | None:
        cache = _text(self.folder / "CMakeCache.txt")
        found = re.search(rf"^{name}:[A-Z]+=(.+)$", cache, re.MULTILINE)
        return found.group(1) if found else None


def _text(file: Path) -> str:
    """Empty where there is no such file, or it is in somebody's closed folder."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError:
        return ""


@dataclass(frozen=True)
class Seats:
    """Where the ranks of one launch sit."""

    ranks: int
    top: int
    """Ranks that the cores are divided among; more than `ranks` below the top of a ladder."""
    nodes: int
    per_node: int
    cores: int
    """Of each rank."""


@dataclass(frozen=True)
class Launcher:
    """Starts ranks, each bound to its own part of a node."""

    mpiexec: str | None
    """The launcher's program."""
    flavour: str
    """openmpi, hydra (MPICH, Intel MPI and kin), srun, jsrun, flux, pals, aprun, or other: one
    that knows -n."""
    numa: int
    cores: int
    """Physical ones; all of these are of one node."""
    gpus: int
    """0 where the build drives no GPU."""
    nodes: int = 1
    threads_per_core: int = 1
    options: tuple[str, ...] = ()
    """Handed to the launcher as they are."""

    def devices_per_node(self) -> int:
        return self.gpus or self.numa

    def ranks_for_all_devices(self) -> int:
        """One rank per GPU, or per NUMA node where none is driven."""
        return self.nodes * self.devices_per_node()

    def command(self, ranks: int, program: list[str], top: int | None = None) -> list[str]:
        if self.mpiexec is None:
            return program
        words = FLAVOURS.get(self.flavour, _plain)(self, self.seats(ranks, top or ranks))
        return [self.mpiexec, *words, *self.options, *program]

    def seats(self, ranks: int, top: int) -> Seats:
        """The ranks fill one node after the other."""
        fit = -(-top // self.nodes)
        per_node = min(ranks, fit)
        cores = max(1, self.cores // max(fit, self.gpus))
        return Seats(ranks, top, -(-ranks // per_node), per_node, cores)

    def pass_on(self, process: subprocess.Popen[str], number: int, again: bool) -> None:
        """Hands a signal to the ranks; `again`, if they were given one before. Those of this
        node tell the others, so that no launcher needs to: Open MPI's kills all a second after
        it got SIGTERM itself, which is too soon for a long sample."""
        job = os.environ.get("SLURM_JOB_ID")
        if self.flavour == "srun" and job and not again:
            # srun itself would answer SIGTERM by killing the step before it can write.
            name = signal.Signals(number).name.removeprefix("SIG")
            subprocess.Popen(["scancel", f"--signal={name}", job], stdin=subprocess.DEVNULL)
        elif not again and (ranks := processes.ranks_below(process.pid)):
            for rank in ranks:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(rank, number)
        else:
            process.send_signal(number)

    def environment(self) -> dict[str, str]:
        """This process' environment, with the leave that Open MPI asks of root, and without
        colour where nobody looks: Open MPI gives its ranks a terminal of their own."""
        environment = dict(os.environ)
        if self.flavour == "openmpi" and os.geteuid() == 0:
            environment["OMPI_ALLOW_RUN_AS_ROOT"] = "1"
            environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
        if not sys.stdout.isatty():
            environment["NO_COLOR"] = "1"
        return environment


def _plain(_: Launcher, seats: Seats) -> list[str]:
    return ["-n", str(seats.ranks)]


def _openmpi(on: Launcher, seats: Seats) -> list[str]:
    return ["-n", str(seats.ranks), *_mpirun_binding(on, seats, "--")]


def _hydra(on: Launcher, seats: Seats) -> list[str]:
    return ["-n", str(seats.ranks), *_mpirun_binding(on, seats, "-")]


def _mpirun_binding(on: Launcher, seats: Seats, dash: str) -> list[str]:
    fit = -(-seats.top // on.nodes)
    if fit > on.cores:
        return [*(["--oversubscribe"] if dash == "--" else []), f"{dash}bind-to", "none"]
    if on.nodes > 1:
        if dash == "--":
            place = f"ppr:{seats.per_node}:node:pe={seats.cores}"
            return ["--map-by", place, "--bind-to", "core"]
        return ["-ppn", str(seats.per_node), "-bind-to", f"core:{seats.cores}"]
    if seats.top == 1:
        return [f"{dash}bind-to", "none"]
    if seats.top == on.numa:
        return [f"{dash}map-by", "numa", f"{dash}bind-to", "numa"]
    share = on.cores // seats.top
    if dash == "--":
        return ["--map-by", f"slot:pe={share}", "--bind-to", "core"]
    return ["-bind-to", f"core:{share}"]


def _srun(on: Launcher, seats: Seats) -> list[str]:
    # Said outright, since Slurm 22.05 stopped taking --cpus-per-task from the job. A CPU of
    # Slurm is a hardware thread. No GPU is bound to a task: that would keep ranks from each
    # other's memory (CUDA IPC); every rank sees all of its node and takes its own.
    return [
        f"--nodes={seats.nodes}",
        f"--ntasks={seats.ranks}",
        f"--ntasks-per-node={seats.per_node}",
        f"--cpus-per-task={seats.cores * on.threads_per_core}",
        "--cpu-bind=cores",
    ]


def _jsrun(on: Launcher, seats: Seats) -> list[str]:
    # One resource set per rank.
    gpus = ["--gpu_per_rs", "1"] if on.gpus else []
    return [
        *("--nrs", str(seats.ranks), "--tasks_per_rs", "1"),
        *("--cpu_per_rs", str(seats.cores), *gpus, "--rs_per_host", str(seats.per_node)),
        *("--launch_distribution", "packed", "--bind", f"packed:{seats.cores}"),
    ]


def _flux(on: Launcher, seats: Seats) -> list[str]:
    # Which GPU a task gets is Flux's choice, and need not be the nearest: see the preflight.
    gpus = ["--gpus-per-task=1", "--setopt=gpu-affinity=per-task"] if on.gpus else []
    return [
        "run",
        f"--nodes={seats.nodes}",
        f"--ntasks={seats.ranks}",
        f"--cores-per-task={seats.cores}",
        "--setopt=cpu-affinity=per-task",
        *gpus,
    ]


def _pals(on: Launcher, seats: Seats) -> list[str]:
    depth = str(seats.cores * on.threads_per_core)
    ranks = ["-n", str(seats.ranks), "--ppn", str(seats.per_node)]
    return [*ranks, "--depth", depth, "--cpu-bind", "depth"]


def _aprun(_: Launcher, seats: Seats) -> list[str]:
    ranks = ["-n", str(seats.ranks), "-N", str(seats.per_node)]
    return [*ranks, "-j", "1", "-d", str(seats.cores), "-cc", "depth"]


FLAVOURS: dict[str, Callable[[Launcher, Seats], list[str]]] = {
    "openmpi": _openmpi,
    "hydra": _hydra,
    "srun": _srun,
    "jsrun": _jsrun,
    "flux": _flux,
    "pals": _pals,
    "aprun": _aprun,
}


def this_machine(gpus: int, nodes: int) -> dict[str, int]:
    """The fields of a Launcher that this node answers."""
    allowed = os.sched_getaffinity(0)
    cores = machine.cores(allowed)
    return {
        "numa": machine.numa_nodes(allowed),
        "cores": cores,
        "gpus": gpus,
        "nodes": nodes,
        "threads_per_core": max(1, len(allowed) // cores),
    }
