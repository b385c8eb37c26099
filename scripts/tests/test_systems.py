"""Descriptions of systems: what is read from good ones, and every word about bad ones."""

import pytest
from conftest import ROOT

from strata_tools import systems

GOOD = "strata_system: 1\nscheduler: slurm\nnode: {cores: 4}\n"


def problems(folder, text: str) -> list[str]:
    path = folder / "s.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(systems.DescriptionError) as caught:
        systems.read(path)
    return [line.replace(f"{folder}/", "") for line in caught.value.problems]


def test_reads_every_key(tmp_path):
    path = tmp_path / "rivet.yaml"
    path.write_text(
        "strata_system: 1\n"
        "scheduler: pbs\n"
        "launcher: pals\n"
        "launcher_options: [--line-buffer]\n"
        "node: {cores: 64, threads_per_core: 2, numa_nodes: 8, gpus: 4}\n"
        "job:\n"
        "  nodes: 3\n"
        "  time_limit_s: 1200\n"
        "  warning_s: 60\n"
        "  queue: debug\n"
        "  account: me\n"
        "  options: [-l filesystems=home]\n"
        "modules: [a/1, b]\n"
        "environment: {NUMBER: 1, EMPTY: ''}\n"
        "build: build/gpu\n"
    )
    assert systems.read(path) == systems.System(
        name="rivet", scheduler="pbs", cores=64, launcher="pals",
        launcher_options=("--line-buffer",), threads_per_core=2, numa_nodes=8, gpus=4, nodes=3,
        time_limit_s=1200, warning_s=60, queue="debug", account="me",
        options=("-l filesystems=home",), modules=("a/1", "b"),
        environment=(("NUMBER", "1"), ("EMPTY", "")), build=ROOT / "build/gpu",
    )  # fmt: skip


def test_little_is_needed(tmp_path):
    (tmp_path / "s.yaml").write_text(GOOD)
    found = systems.read(tmp_path / "s.yaml")
    assert found == systems.System(name="s", scheduler="slurm", cores=4)


def test_names_every_problem_at_once(tmp_path):
    text = (
        "strata_system: 1\n"
        "scheduler: slurmm\n"
        "lancher: srun\n"
        "node: {core: 4, gpus: -1}\n"
        "job: {nodes: 0, warning_s: 400, time_limit_s: 01:00, account: a b, options: x}\n"
        "modules: gcc\n"
        "environment: {A-B: 1, C: [1]}\n"
    )
    assert problems(tmp_path, text) == [
        "s.yaml:3:1: unknown key 'lancher' in the system's description (did you mean "
        "'launcher'?)"
    ]
    assert problems(tmp_path, text.replace("lancher", "launcher")) == [
        "s.yaml:2:12: scheduler is slurmm; it must be one of slurm, pbs, lsf, flux, shell",
        "s.yaml:6:10: modules is gcc; it must be a list",
        "s.yaml:7:15: a name in environment is A-B; it must be a variable's name",
        "s.yaml:7:26: environment.C is a list; it must be one line of text",
        "s.yaml:4:8: unknown key 'core' in node (did you mean 'cores'?)",
        "s.yaml:4:7: node.cores is missing",
        "s.yaml:4:23: node.gpus is -1; it must be between 0 and 1000",
        "s.yaml:5:14: job.nodes is 0; it must be between 1 and 1000000",
        "s.yaml:5:47: job.time_limit_s is 01:00; it must be between 60 and 31536000",
        "s.yaml:5:63: job.account is a b; it must be one word",
        "s.yaml:5:77: job.options is x; it must be a list",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "s.yaml: is empty; it must have strata_system, scheduler and node"),
        (GOOD.replace("1", "2", 1), "s.yaml:1:16: strata_system is 2; this version reads 1"),
        (GOOD.replace("scheduler: slurm\n", ""), "s.yaml:1:1: scheduler is missing"),
        (
            GOOD + "job: {warning_s: 60, time_limit_s: 100}\n",
            "s.yaml:4:6: job.warning_s is 60; it must be at most half of time_limit_s, 100",
        ),
        (
            GOOD.replace("4", "2, gpus: 4"),
            "s.yaml:3:15: node.cores is 2, and there are 4 ranks",
        ),
        (
            GOOD + "launcher: mpiexec\n",
            "s.yaml:4:11: launcher is mpiexec; it must be one of auto, mpirun, srun, jsrun, "
            "flux, pals, aprun",
        ),
    ],
)
def test_names_place_and_remedy(tmp_path, text, problem):
    assert problems(tmp_path, text) == [problem]


def test_a_name_stands_for_an_example():
    assert systems.find("gpu-node") == ROOT / "scripts/systems/gpu-node.yaml"
    assert systems.read(systems.find("gpu-node")).gpus == 4


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(systems.DescriptionError) as caught:
        systems.find("frontier")
    assert caught.value.problems == [
        "there is no frontier.yaml in scripts/systems (known: cpu-cluster, gpu-node); write "
        "one as the examples there are, or give a file: --system FILE.yaml"
    ]
