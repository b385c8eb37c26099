"""What an executable says without a run."""

import os
import platform
import subprocess

import pytest

from source_faults import on_gpu


def answer(binaries, app, *words, **variables):
    done = subprocess.run(
        [binaries / f"strata-{app}", *words], env=os.environ | variables,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("question", ["--list", "--print-deck", "--check-deck", "--version"])
def test_one_rank_of_a_job_answers(binaries, question):
    for rank in ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"):
        first = answer(binaries, "stream", question, **{rank: "0"})
        assert first == answer(binaries, "stream", question) != ""
        assert answer(binaries, "stream", question, **{rank: "2"}) == ""


def refused(binaries, app, *words):
    done = subprocess.run(
        [binaries / f"strata-{app}", *words], capture_output=True, text=True, check=False
    )
    assert done.stdout == "" or done.stdout.startswith("RESULT")
    return done.returncode, done.stderr


@pytest.mark.parametrize("question", ["--list", "--check-deck"])
def test_an_empty_selection_answers_nothing(binaries, question):
    deck = ["--set", "cases.access=[default]"]
    code, said = refused(binaries, "stream", question, *deck, "--only", "nope")
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


def test_streaming_stores_stand_beside_default_where_no_deck_is_named(binaries, tmp_path):
    """Without them a reader takes a host for a quarter slower; a deck has what it names."""
    deck = tmp_path / "deck.yaml"
    deck.write_text("strata: 1\napp: stream\n", encoding="utf-8")

    def cases(*words):
        return answer(binaries, "stream", "--list", *words).splitlines()

    with_deck, without = cases("--deck", deck), cases()
    if on_gpu(binaries.parent) or platform.machine() != "x86_64":
        assert with_deck == without
        return
    assert set(with_deck) < set(without)
    assert {one.removesuffix("/streaming") for one in set(without) - set(with_deck)} == {
        one for one in with_deck if "/dot/" not in one
    }
    deck.write_text(answer(binaries, "stream", "--print-deck"), encoding="utf-8")
    assert cases("--deck", deck) == without
