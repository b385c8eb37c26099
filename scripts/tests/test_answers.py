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


def refused(binaries, app, *words):
    done = subprocess.run(
        [binaries / f"strata-{app}", *words], capture_output=True, text=True, check=False
    )
    assert done.stdout == "" or done.stdout.startswith("RESULT")
    return done.returncode, done.stderr


@pytest.mark.parametrize("question", ["--list", "--check-deck"])
def test_an_empty_selection_answers_nothing(binaries, question):
    code, said = refused(binaries, "stream", question, "--only", "nope")
    assert said == "none of the deck's 10 cases is selected; see --list without --only\n"
    assert code == 2


@pytest.mark.parametrize(
    ("app", "settings", "reason"),
    [
        ("hexgrad", ("size=100", "sweep_from=1000"), "beyond problem.size"),
        ("mgs", ("rows=100000", "sweep_from=16"), "raise problem.sweep_from or lower"),
        ("contact", ("deck=random", "radius=0"), "give a problem.gap above 0"),
    ],
)
def test_what_no_run_can_measure_is_no_good_deck(binaries, app, settings, reason):
    words = [word for one in settings for word in ("--set", f"problem.{one}")]
    code, said = refused(binaries, app, *words, "--check-deck")
    assert reason in said
    assert code == 3
