"""`strata submit` on a real Slurm: a job of two ranks, an array, a time limit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest
import slurm_cluster
from conftest import PATIENCE, ROOT

SCHEMA = json.loads((ROOT / "common/report/record.schema.json").read_text())
# Slurm counts in minutes and looks at them every half of one: the warning comes half a minute
# after the controller's start.
SYSTEM = """strata_system: 1
scheduler: slurm
launcher: srun
launcher_options: [--mpi=pmix]
node: {{cores: {cpus}}}
job: {{time_limit_s: {limit_s}, warning_s: 30}}
"""
SHORT = "set: {run.tier: smoke, run.rounds: 1, run.min_time_s: 0, problem.size: 3001}"
LONG = ("set: {run.tier: smoke, run.rounds: 10000, run.min_time_s: 0, run.max_time_s: 60, "
        "run.warmup_s: 0, problem.size: 300011}")  # fmt: skip
ENDED = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL", "OUT_OF_MEMORY"}
"""States of a job that does not go on; others, as SIGNALING, may last a moment only."""


@dataclass(frozen=True)
class Done:
    codes: list[int]
    """Of the job, or of the elements of an array."""
    log: str
    records: list[dict]
    """In the order of their files' names: of time."""
    folders: list[Path]


@pytest.fixture(scope="module")
def cluster() -> Iterator[dict[str, str]]:
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs the executables: run it by scripts/test")
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2 or max(allowed) >= len(allowed):
        pytest.skip("needs two processors or more, and the first: Slurm counts them from 0")
    try:
        with slurm_cluster.running() as environment:
            yield environment
    except slurm_cluster.CannotRunError as reason:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(reason))


@pytest.fixture
def submit(cluster, binaries, tmp_path) -> Callable[..., Done]:
    """Submits runs as a suite deck and waits for their end."""
    cpus = len(os.sched_getaffinity(0))

    def run(runs: str, *options: str, limit_s: int = 600) -> Done:
        (tmp_path / "loop.yaml").write_text(SYSTEM.format(cpus=cpus, limit_s=limit_s))
        (tmp_path / "suite.yaml").write_text(f"strata_suite: 1\nruns:\n{runs}")
        words = ["submit", "suite.yaml", "--system", "loop.yaml", "--output-dir", "out",
                 "--build", str(binaries.parent), *options]  # fmt: skip
        environment = {**cluster, "PYTHONPATH": str(ROOT / "scripts")}
        out = output([sys.executable, "-m", "strata_tools", *words], environment, tmp_path)
        submitted = re.search(r"^Submitted batch job (\d+)$", out, re.MULTILINE)
        assert submitted, out
        codes = codes_at_the_end(submitted[1], cluster)
        folder = tmp_path / "out/loop"
        return Done(
            codes,
            "".join(path.read_text() for path in sorted(folder.glob("jobs/*.log"))),
            [json.loads(path.read_text()) for path in sorted(folder.glob("*/*.json"))],
            sorted(path for path in folder.glob("jobs/*") if path.is_dir()),
        )

    return run


def output(command: list[str], environment: dict[str, str], folder: Path | None = None) -> str:
    done = subprocess.run(
        command, env=environment, cwd=folder, text=True, check=False, timeout=PATIENCE,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def codes_at_the_end(job: str, environment: dict[str, str]) -> list[int]:
    """Waits for a job, or all elements of an array; their exit codes."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        state = output(["scontrol", "show", "job", "--oneliner", job], environment)
        states = re.findall(r" JobState=(\w+) ", state)
        if states and set(states) <= ENDED:
            return [int(code) for code in re.findall(r" ExitCode=(\d+):", state)]
        time.sleep(0.2)
    raise AssertionError(f"job {job} does not end: {state}")


# The first, on a fresh controller: see SYSTEM.
def test_the_time_limit_leaves_an_incomplete_record(submit):
    done = submit(
        f"  - {{app: hexgrad, ranks: 2, {LONG}}}\n  - {{app: hexgrad, {SHORT}}}\n", limit_s=60
    )
    assert done.codes == [9], done.log
    (record,) = done.records
    jsonschema.Draft202012Validator(SCHEMA).validate(record)
    assert not record["validity"]["valid"]
    assert record["validity"]["reasons"][0] == "interrupted"
    assert any(case["samples_s"] for case in record["cases"])
    assert "INCOMPLETE" in done.log
    assert "1 of 2 runs in " in done.log


def test_two_ranks_and_what_a_job_leaves(submit):
    one = submit(f"  - {{app: hexgrad, ranks: 2, {SHORT}}}\n")
    assert one.codes == [0], one.log
    (record,) = one.records
    jsonschema.Draft202012Validator(SCHEMA).validate(record)
    assert record["validity"]["valid"]
    assert (record["mpi"]["ranks"], record["run"]["scheduler"]) == (2, "slurm")
    masks = [place["cpuset"] for place in record["placement"]]
    assert len(set(masks)) == 2, "each rank has cores of its own"
    assert record["environment"]["OMP_PROC_BIND"] == "close"
    (folder,) = one.folders
    assert folder.name == record["run"]["job_id"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS", "decks", "job.sh", "modules.txt", "suite.yaml",
    ]  # fmt: skip
    assert (folder / "job.sh").read_text().startswith("#!/bin/bash -l\n#SBATCH ")
    assert "== preflight: 2 ranks\nhost " in one.log

    again = submit(f"  - {{app: hexgrad, ranks: 2, {SHORT}}}\n")
    assert (again.codes, len(again.records)) == ([0], 1)
    assert "== 1 of 1 is done: " in again.log


def test_elements_of_an_array_share_no_file(submit):
    done = submit(f"  - {{app: hexgrad, ranks: [1, 2], {SHORT}}}\n", "--array")
    assert done.codes == [0, 0], done.log
    runs = {r["run"]["array_index"]: r["mpi"]["ranks"] for r in done.records}
    assert runs == {"1": 1, "2": 2}
    assert [path.name.rpartition("_")[2] for path in done.folders] == ["1", "2"]
