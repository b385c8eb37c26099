"""What an executable says without a run."""

import os
import subprocess

import pytest


@pytest.mark.parametrize("question", ["--list", "--print-deck", "--check-deck", "--version"])
def test_one_rank_of_a_job_answers(binaries, question):
    def answer(**variables):
        done = subprocess.run(
            [binaries / "strata-stream", question], env=os.environ | variables,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stderr == ""
        return done.stdout

    for rank in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
        assert answer(**{rank: "0"}) == answer() != ""
        assert answer(**{rank: "2"}) == ""
