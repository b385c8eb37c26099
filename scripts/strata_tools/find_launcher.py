"""Which launcher to start ranks with: the one that is told, else that of the job this is in."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

from strata_tools import machine
from strata_tools.launch import Build, Launcher, this_machine

LAUNCHERS = ("mpirun", "srun", "jsrun", "flux", "pals", "aprun")
PMI = {"openmpi": "pmix", "hydra": "pmi2"}
"""What srun must speak to ranks of each MPI."""


class NoLauncherError(Exception):
    """There is nothing to start ranks with; says what to do."""


def find(build: Build, told: str = "auto", nodes: int | None = None) -> Launcher:
    """The launcher `told`, one of LAUNCHERS or auto, on this node and those of its job."""
    gpus = machine.cuda_devices() if build.gpu_backend() == "CUDA" else 0
    facts = this_machine(gpus, nodes or machine.job_nodes())
    program, flavour = program_of(build, told)
    return Launcher(program, flavour, **facts, options=own_options(build, program, flavour))


def program_of(build: Build, told: str) -> tuple[str | None, str]:
    """A launcher's program and flavour; None where an MPI's own is not to be found."""
    name = _of_this_job(build) if told == "auto" else told
    if name == "mpirun":
        mpiexec = build.mpiexec()
        return mpiexec, flavour_of(mpiexec)
    wanted = "mpiexec" if name == "pals" else name
    program = shutil.which(wanted)
    if program is None:
        raise NoLauncherError(
            f"no {wanted} on PATH to start ranks with; load its module, or choose another "
            "launcher with --launcher"
        )
    return program, name


def own_options(build: Build, program: str | None, flavour: str) -> tuple[str, ...]:
    """What srun needs to be told of the build's MPI: else each rank is a job of its own."""
    if flavour != "srun" or program is None:
        return ()
    wanted = PMI.get(flavour_of(build.mpiexec()))
    return (f"--mpi={wanted}",) if wanted in _spoken_by(program) else ()


def _spoken_by(srun: str) -> list[str]:
    listed = subprocess.run([srun, "--mpi=list"], capture_output=True, text=True, check=False)
    return re.findall(r"^\s+(\w+)$", listed.stdout + listed.stderr, re.MULTILINE)


def flavour_of(mpiexec: str | None) -> str:
    if mpiexec is None:
        return "other"
    answer = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=False)
    words = answer.stdout + answer.stderr
    if re.search(r"Open MPI|OpenRTE|PRRTE", words):
        return "openmpi"
    if re.search(r"HYDRA|Intel\(R\) MPI", words, re.IGNORECASE):
        return "hydra"
    return "pals" if "/pals/" in os.path.realpath(mpiexec) else "other"


def _of_this_job(build: Build) -> str:
    """The innermost scheduler this process runs under has the say; without one, or where it
    does not speak to the build's MPI, that MPI's own mpirun."""
    for variable, name in (
        ("FLUX_URI", "flux"),
        ("LSB_JOBID", "jsrun"),
        ("SLURM_JOB_ID", "srun"),
        ("PBS_JOBID", "aprun"),
    ):
        program = shutil.which(name) if os.environ.get(variable) else None
        if program and name == "srun" and not own_options(build, program, "srun"):
            return "mpirun"
        if program:
            return name
    return "mpirun"
