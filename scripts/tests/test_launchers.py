"""What each launcher is told, and which of them is taken."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import PATIENCE, write_program

from strata_tools import find_launcher, machine
from strata_tools.launch import Build, Launcher


def launcher(flavour: str, **facts) -> Launcher:
    known = {"numa": 2, "cores": 64, "gpus": 0, "nodes": 2, "threads_per_core": 2}
    return Launcher(mpiexec=flavour, flavour=flavour, **{**known, **facts})


SRUN = "--nodes=2 --ntasks=8 --ntasks-per-node=4 --cpus-per-task=32 --cpu-bind=cores"
JSRUN = ("--nrs 8 --tasks_per_rs 1 --cpu_per_rs 16 --gpu_per_rs 1 --rs_per_host 4 "
         "--launch_distribution packed --bind packed:16")  # fmt: skip
FLUX = ("run --nodes=2 --ntasks=8 --cores-per-task=16 --setopt=cpu-affinity=per-task "
        "--gpus-per-task=1 --setopt=gpu-affinity=per-task")  # fmt: skip


@pytest.mark.parametrize(
    ("flavour", "words"),
    [
        ("openmpi", "-n 8 --map-by ppr:4:node:pe=16 --bind-to core"),
        ("hydra", "-n 8 -ppn 4 -bind-to core:16"),
        ("srun", SRUN),
        ("jsrun", JSRUN),
        ("flux", FLUX),
        ("pals", "-n 8 --ppn 4 --depth 32 --cpu-bind depth"),
        ("aprun", "-n 8 -N 4 -j 1 -d 16 -cc depth"),
    ],
)
def test_a_rank_per_gpu_on_two_nodes(flavour, words):
    command = launcher(flavour, gpus=4).command(8, ["app"])
    assert command == [flavour, *words.split(), "app"]


@pytest.mark.parametrize("flavour", ["jsrun", "flux"])
def test_no_gpus_are_asked_for_where_none_is_driven(flavour):
    assert "gpu" not in " ".join(launcher(flavour).command(4, ["app"]))


def test_the_sites_options_come_last():
    command = launcher("srun", options=("--mpi=pmix",)).command(1, ["app"])
    assert command[-2:] == ["--mpi=pmix", "app"]


@pytest.mark.parametrize(
    ("ranks", "top", "seats"),
    [
        (4, 4, (2, 2, 32)),  # nodes, ranks on each, cores of each
        (1, 4, (1, 1, 32)),  # a ladder's rank keeps its cores
        (1, 1, (1, 1, 64)),
        (3, 4, (2, 2, 32)),
        (8, 8, (2, 4, 16)),
        (2, 2, (2, 1, 64)),
    ],
)
def test_ranks_fill_nodes_one_after_the_other(ranks, top, seats):
    found = launcher("srun").seats(ranks, top)
    assert (found.nodes, found.per_node, found.cores) == seats


def test_a_rank_keeps_its_gpus_share_of_cores():
    assert launcher("srun", gpus=4).seats(1, 1).cores == 16


def test_a_lone_rank_on_a_ladder_is_bound_to_its_part():
    command = launcher("openmpi", nodes=1, cores=8).command(1, ["app"], top=4)
    assert command[1:-1] == ["-n", "1", "--map-by", "slot:pe=2", "--bind-to", "core"]


def test_srun_is_spared_the_signal_its_step_gets(tmp_path, monkeypatch):
    """srun kills its step when it gets SIGTERM itself."""
    log = tmp_path / "log"
    write_program(tmp_path / "scancel", f'echo "$*" >{log}.new; mv {log}.new {log}\n')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setenv("SLURM_JOB_ID", "12")
    with subprocess.Popen(["sleep", "60"], text=True) as process:
        launcher("srun").pass_on(process, signal.SIGTERM, again=False)
        while not log.exists():
            time.sleep(0.01)
        assert log.read_text() == "--signal=TERM 12\n"
        assert process.poll() is None
        launcher("srun").pass_on(process, signal.SIGTERM, again=True)
        assert process.wait(timeout=PATIENCE) == -signal.SIGTERM


def test_a_signal_reaches_the_ranks_and_not_their_launcher(tmp_path):
    """Open MPI's mpirun leaves ranks a second when it gets SIGTERM itself."""
    shutil.copy(shutil.which("bash") or "", tmp_path / "strata-waits")
    rank = 'trap "echo written; exit 9" TERM; echo ready; while :; do sleep 0.01; done'
    command = ["bash", "-c", f"{tmp_path}/strata-waits -c '{rank}'; echo mpirun saw $?"]
    with subprocess.Popen(command, text=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        launcher("openmpi").pass_on(process, signal.SIGTERM, again=False)
        assert process.communicate(timeout=PATIENCE)[0] == "written\nmpirun saw 9\n"


@pytest.fixture
def site(tmp_path, monkeypatch) -> Path:
    """A machine with every scheduler's launcher, and no job."""
    for variable in ("FLUX_URI", "LSB_JOBID", "SLURM_JOB_ID", "PBS_JOBID"):
        monkeypatch.delenv(variable, raising=False)
    for name in ("jsrun", "flux", "aprun", "mpiexec"):
        write_program(tmp_path / name, "echo 'Open MPI'\n")
    write_program(tmp_path / "srun", "printf 'MPI plugin types are...\\n\\tpmix\\n\\tnone\\n'")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "CMakeCache.txt").write_text(
        f"MPIEXEC_EXECUTABLE:FILEPATH={tmp_path}/mpiexec\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("variable", "flavour", "options"),
    [
        (None, "openmpi", ()),
        ("FLUX_URI", "flux", ()),
        ("LSB_JOBID", "jsrun", ()),
        ("SLURM_JOB_ID", "srun", ("--mpi=pmix",)),
        ("PBS_JOBID", "aprun", ()),
    ],
)
def test_the_job_names_the_launcher(site, monkeypatch, variable, flavour, options):
    if variable:
        monkeypatch.setenv(variable, "1")
    found = find_launcher.find(Build(site), nodes=3)
    assert (found.flavour, found.options, found.nodes) == (flavour, options, 3)


def test_an_srun_that_does_not_speak_to_the_mpi_is_passed_over(site, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    write_program(site / "srun", "printf '\\tnone\\n'\n")
    assert find_launcher.find(Build(site)).flavour == "openmpi"
    assert find_launcher.find(Build(site), "srun").options == ()


def test_pals_is_known_by_its_place(tmp_path):
    mpiexec = write_program(tmp_path / "pals" / "mpiexec", "echo 'mpiexec 1.2'\n")
    assert find_launcher.flavour_of(str(mpiexec)) == "pals"


def test_a_launcher_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(find_launcher.NoLauncherError) as caught:
        find_launcher.find(Build(tmp_path), "pals")
    assert str(caught.value) == (
        "no mpiexec on PATH to start ranks with; load its module, or choose another launcher "
        "with --launcher"
    )


@pytest.mark.parametrize(
    ("variable", "value", "nodes"),
    [
        ("SLURM_JOB_NUM_NODES", "3", 3),
        ("LSB_MCPU_HOSTS", "batch1 1 a 42 b 42", 2),
        ("LSB_MCPU_HOSTS", "a 42 b 42", 2),
        ("LSB_MCPU_HOSTS", "a 1", 1),
        ("PBS_NODEFILE", "a\na\nb\n", 2),
        ("FLUX_URI", "local", 5),
    ],
)
def test_counts_the_nodes_of_a_job(site, monkeypatch, variable, value, nodes):
    write_program(site / "flux", "[[ $* == 'getattr size' ]] && echo 5\n")
    if variable == "PBS_NODEFILE":
        (site / "nodes").write_text(value)
        value = str(site / "nodes")
    monkeypatch.setenv(variable, value)
    assert machine.job_nodes() == nodes


@pytest.mark.parametrize(
    ("host", "variables", "name"),
    [
        ("node-012.site.org", {}, "node"),
        ("123", {}, "123"),
        ("n1", {"SLURM_CLUSTER_NAME": "c"}, "c"),
        ("n1", {"SLURM_CLUSTER_NAME": "c", "STRATA_SYSTEM": "s"}, "s"),
    ],
)
def test_names_the_system_as_records_do(monkeypatch, host, variables, name):
    for variable in ("STRATA_SYSTEM", "SLURM_CLUSTER_NAME"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(machine.socket, "gethostname", lambda: host)
    assert machine.system_name() == name
