"""How ranks are mapped to a machine, for each MPI's launcher."""

import os
import sys
from pathlib import Path

import pytest
from conftest import write_program

from strata_tools import find_launcher, launch, machine


def launcher(flavour: str, **machine: int) -> launch.Launcher:
    return launch.Launcher(
        mpiexec="mpirun", flavour=flavour, **{"numa": 2, "cores": 8, "gpus": 0, **machine}
    )


@pytest.mark.parametrize(
    ("flavour", "ranks", "words"),
    [
        ("openmpi", 1, "--bind-to none"),
        ("openmpi", 2, "--map-by numa --bind-to numa"),
        ("openmpi", 3, "--map-by slot:pe=2 --bind-to core"),
        ("openmpi", 9, "--oversubscribe --bind-to none"),
        ("hydra", 1, "-bind-to none"),
        ("hydra", 2, "-map-by numa -bind-to numa"),
        ("hydra", 4, "-bind-to core:2"),
        ("hydra", 9, "-bind-to none"),
        ("other", 2, ""),
    ],
)
def test_binds_each_rank_to_its_part(flavour, ranks, words):
    command = launcher(flavour).command(ranks, ["app", "--list"])
    assert command == ["mpirun", "-n", str(ranks), *words.split(), "app", "--list"]


def test_without_a_launcher_one_rank_runs_by_itself():
    alone = launch.Launcher(mpiexec=None, flavour="other", numa=1, cores=2, gpus=0)
    assert alone.command(1, ["app"]) == ["app"]


def test_one_rank_per_gpu_else_per_numa_node():
    assert launcher("openmpi", gpus=4).ranks_for_all_devices() == 4
    assert launcher("openmpi").ranks_for_all_devices() == 2


def test_counts_what_the_process_may_use(tmp_path):
    for node, cpus in enumerate(("0-3", "4-7", "")):
        path = tmp_path / f"node/node{node}/cpulist"
        path.parent.mkdir(parents=True)
        path.write_text(cpus + "\n")
    for cpu in range(8):
        path = tmp_path / f"cpu/cpu{cpu}/topology/thread_siblings_list"
        path.parent.mkdir(parents=True)
        path.write_text(f"{cpu % 4},{cpu % 4 + 4}\n")
    assert machine.numa_nodes(set(range(8)), tmp_path) == 2
    assert machine.numa_nodes({1, 2}, tmp_path) == 1
    assert machine.cores(set(range(8)), tmp_path) == 4
    assert machine.numa_nodes({0}, tmp_path / "none") == 1


def test_reads_the_kernels_lists():
    assert machine.cpu_list("0-2,8\n") == {0, 1, 2, 8}
    assert machine.cpu_list("\n") == set()


@pytest.mark.parametrize(
    ("words", "flavour"),
    [
        ("mpirun (Open MPI) 4.1.4", "openmpi"),
        ("mpirun (PRRTE) 3.0", "openmpi"),
        ("HYDRA build details:", "hydra"),
        ("Intel(R) MPI Library for Linux* OS", "hydra"),
        ("something else", "other"),
    ],
)
def test_knows_launchers_by_their_words(tmp_path, words, flavour):
    mpiexec = write_program(tmp_path / "mpi exec", f"echo '{words}'\n")
    (tmp_path / "CMakeCache.txt").write_text(f"MPIEXEC_EXECUTABLE:FILEPATH={mpiexec}\n")
    assert find_launcher.find(launch.Build(tmp_path)).flavour == flavour


def test_open_mpi_gets_leave_from_root_only(monkeypatch):
    monkeypatch.delenv("OMPI_ALLOW_RUN_AS_ROOT", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert launcher("openmpi").environment()["OMPI_ALLOW_RUN_AS_ROOT"] == "1"
    assert "OMPI_ALLOW_RUN_AS_ROOT" not in launcher("hydra").environment()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "OMPI_ALLOW_RUN_AS_ROOT" not in launcher("openmpi").environment()


def test_colour_is_for_terminals(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False, raising=False)
    assert launcher("openmpi").environment()["NO_COLOR"] == "1"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert "NO_COLOR" not in launcher("openmpi").environment()


@pytest.mark.parametrize(
    ("devices", "backend"), [("CUDA;SERIAL", "CUDA"), ("OPENMP;SERIAL", None), ("HIP", "HIP")]
)
def test_asks_the_builds_kokkos_for_its_gpu(tmp_path: Path, devices, backend):
    (tmp_path / "KokkosConfigCommon.cmake").write_text(f"SET(Kokkos_DEVICES {devices})\n")
    (tmp_path / "CMakeCache.txt").write_text(f"Kokkos_DIR:PATH={tmp_path}\n")
    assert launch.Build(tmp_path).gpu_backend() == backend


def test_counts_visible_gpus(monkeypatch, tmp_path):
    write_program(tmp_path / "nvidia-smi", "echo 'GPU 0: A'; echo 'GPU 1: A'\n")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert machine.cuda_devices() == 2
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    assert machine.cuda_devices() == 1
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    assert machine.cuda_devices() == 0
