"""How executables of one build are started: ranks, their devices, the MPI's own words."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

GPU_BACKENDS = ("CUDA", "HIP", "SYCL")
SYSTEM = Path("/sys/devices/system")


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
        text = config.read_text(encoding="utf-8") if config.is_file() else ""
        devices = re.search(r"set\s*\(\s*Kokkos_DEVICES\s+([^)]*)\)", text, re.IGNORECASE)
        words = re.split(r"[;\s]+", devices.group(1).upper()) if devices else []
        return next((name for name in GPU_BACKENDS if name in words), None)

    def _cached(self, name: str) -> str | None:
        cache = self.folder / "CMakeCache.txt"
        text = cache.read_text(encoding="utf-8") if cache.is_file() else ""
        found = re.search(rf"^{name}:[A-Z]+=(.+)$", text, re.MULTILINE)
        return found.group(1) if found else None


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


@dataclass(frozen=True)
class Launcher:
    """Starts ranks on this machine, each bound to its own part of it."""

    mpiexec: str | None
    flavour: str
    """openmpi, hydra (MPICH, Intel MPI and kin), or other: a launcher that knows -n."""
    numa: int
    cores: int
    gpus: int
    """0 where the build drives no GPU."""

    @staticmethod
    def of(build: Build) -> Launcher:
        allowed = os.sched_getaffinity(0)
        mpiexec = build.mpiexec()
        return Launcher(
            mpiexec=mpiexec,
            flavour=_flavour(mpiexec),
            numa=numa_nodes(allowed),
            cores=cores(allowed),
            gpus=cuda_devices() if build.gpu_backend() == "CUDA" else 0,
        )

    def ranks_for_all_devices(self) -> int:
        """One rank per GPU, or per NUMA node where none is driven."""
        return self.gpus or self.numa

    def command(self, ranks: int, program: list[str]) -> list[str]:
        if self.mpiexec is None:
            return program
        return [self.mpiexec, "-n", str(ranks), *self._binding(ranks), *program]

    def _binding(self, ranks: int) -> list[str]:
        dash = {"openmpi": "--", "hydra": "-"}.get(self.flavour)
        if dash is None:
            return []
        if ranks > self.cores:
            return [*(["--oversubscribe"] if dash == "--" else []), f"{dash}bind-to", "none"]
        if ranks == 1:
            return [f"{dash}bind-to", "none"]
        if ranks == self.numa:
            return [f"{dash}map-by", "numa", f"{dash}bind-to", "numa"]
        share = self.cores // ranks
        if dash == "--":
            return ["--map-by", f"slot:pe={share}", "--bind-to", "core"]
        return ["-bind-to", f"core:{share}"]

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


def _flavour(mpiexec: str | None) -> str:
    if mpiexec is None:
        return "other"
    answer = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=False)
    words = answer.stdout + answer.stderr
    if re.search(r"Open MPI|OpenRTE|PRRTE", words):
        return "openmpi"
    return "hydra" if re.search(r"HYDRA|Intel\(R\) MPI", words, re.IGNORECASE) else "other"
