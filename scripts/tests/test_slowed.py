"""A run whose kernel the test switch slows down: marked as such, and not compared unasked."""

import json
import os
import subprocess

import pytest

from strata_tools.__main__ import main


@pytest.fixture
def records(binaries, tmp_path):
    """One of strata-stream as it is, one with its copy slowed; both of tier quick."""
    made = []
    for fault in ("", "slow:^copy/"):
        path = tmp_path / f"{len(made)}.json"
        keys = (
            "problem.size=300011", "cases.kernel=[triad,copy]", "cases.variant=[span]",
            "run.min_time_s=0", "run.max_time_s=0.1", "run.warmup_s=0",
        )  # fmt: skip
        words = [word for key in keys for word in ("--set", key)]
        done = subprocess.run(
            [binaries / "strata-stream", *words, "--output", path],
            env={**os.environ, "STRATA_FAULT": fault},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == (6 if fault else 0), done.stderr
        made.append((path, done.stdout))
    return made


def test_a_slowed_run_has_figures_but_is_never_valid(records, capsys):
    path, printed = records[1]
    assert printed.count("\nFOM ") >= 2
    record = json.loads(path.read_text())
    assert record["validity"]["reasons"][0] == "fault_injected"
    assert (record["validity"]["valid"], record["validity"]["official"]) == (False, False)
    assert {case["status"] for case in record["cases"]} == {"measured"}
    paths = [str(path) for path, _ in records]
    assert main(["compare", *paths]) == 11
    assert f"refused: {paths[1]}: is not valid (fault_injected" in capsys.readouterr().out
    assert main(["compare", "--force", *paths]) == 10
    assert f"compared by force: {paths[1]}: is not valid" in capsys.readouterr().out
