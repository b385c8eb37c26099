"""What keeps a run from being official, or valid."""

import os
import re
import subprocess

from conftest import ROOT

TRIAD = ["problem.size=30011", "cases.kernel=[triad]", "cases.variant=[span, native]",
         "cases.access=[default]"]  # fmt: skip
"""Data that a cache holds."""


def run(binaries, tmp_path, keys, fault=""):
    words = [word for key in [*TRIAD, *keys] for word in ("--set", key)]
    return subprocess.run(
        [binaries / "strata-stream", *words, "--strict", "--output", tmp_path / "r.json"],
        capture_output=True, text=True, check=False, env={**os.environ, "STRATA_FAULT": fault},
    )  # fmt: skip


def test_no_deck_lowers_the_floors_of_an_official_run(binaries, tmp_path):
    """It takes its second of warm-up a case and its rounds, so far as its time allows."""
    done = run(
        binaries, tmp_path,
        ["run.tier=official", "run.rounds=1", "run.min_time_s=0", "run.max_time_s=0.02",
         "run.warmup_s=0"],
    )  # fmt: skip
    assert done.returncode == 7, done.stderr
    *_, result = done.stdout.splitlines()
    assert "status=FAIL valid=yes official=no " in result
    words = result.partition("reasons=")[2].partition(" ")[0].split(",")
    assert words[:1] == ["size"]
    assert {"not_converged", "rounds", "run_time"} <= set(words)
    assert not {"warm_up", "checks", "no_ceiling", "cache_unknown", "tier"} & set(words)
    assert (
        "warning: not official (size): triad/span/right/double and 1 other: a cache may hold "
        "the data; make the deck's problem larger\n" in done.stdout
    )
    assert "warning: not official (run_time): less than 10 s were measured" in done.stdout


def test_a_ceiling_that_is_wrong_fails_the_run(binaries, tmp_path):
    keys = ["run.min_time_s=0", "run.max_time_s=0.02"]
    done = run(binaries, tmp_path, keys, fault="value:ceiling/copy")
    assert done.returncode == 6, done.stderr
    *_, result = done.stdout.splitlines()
    assert "status=FAIL valid=no official=no reasons=ceiling,fault_injected," in result
    assert "ceiling  not measured: ceiling/copy failed: " in done.stdout


def test_the_readme_has_the_word_of_every_rule():
    source = (ROOT / "common" / "driver" / "validity.cpp").read_text()
    words = set(re.findall(r'Rule\{\s*"(\w+)"', source))
    text = (ROOT / "README.md").read_text()
    rules = text.partition("| word | an official run |")[2].partition("Not valid are runs")
    of_table = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", rules[0], re.M)))
    )
    others = set(re.findall(r"`(\w+)`", rules[2].partition(". The tools")[0]))
    assert len(words) == 20
    assert of_table | others == words
