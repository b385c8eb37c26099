"""Suite decks: what is read from good ones, and every word about bad ones."""

from pathlib import Path

import pytest
from conftest import ROOT

from strata_tools import decks, plan, suite
from strata_tools.launch import Build

SUITES = sorted((ROOT / "inputs").glob("*.yaml"))
RANKS = "it must be auto, ladder, between 1 and 1000000, or a list of such numbers"


def problems(folder: Path, text: str) -> list[str]:
    """What is said about a suite deck, without the folder's name."""
    path = folder / "s.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(suite.SuiteError) as caught:
        suite.read(path)
    return [line.replace(f"{folder}/", "") for line in caught.value.problems]


def test_reads_every_key(tmp_path):
    (tmp_path / "decks").mkdir()
    (tmp_path / "decks" / "a.yaml").touch()
    path = tmp_path / "s.yaml"
    path.write_text(
        "strata_suite: 1\n"
        "runs:\n"
        "  - {app: stream}\n"
        "  - app: hexgrad\n"
        "    deck: decks/a.yaml\n"
        "    ranks: 2\n"
        "    set: {problem.elements: 1e5, cases.layout: [left, right]}\n"
    )
    assert suite.read(path) == [
        suite.Run(app="stream", place=f"{path}:3:5"),
        suite.Run(
            app="hexgrad",
            place=f"{path}:4:5",
            deck=tmp_path / "decks" / "a.yaml",
            ranks=2,
            overrides=("problem.elements=1e5", "cases.layout=[left, right]"),
        ),
    ]


def test_hands_deck_and_overrides_to_the_app():
    run = suite.Run("stream", "s.yaml:1:1", Path("a b.yaml"), overrides=("run.seed=2",))
    assert run.deck_arguments() == ["--deck", "a b.yaml", "--set", "run.seed=2"]


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_shipped_suites_are_valid(path):
    assert suite.read(path)


@pytest.mark.parametrize("path", SUITES, ids=lambda path: path.stem)
def test_apps_take_the_decks_of_shipped_suites(path, binaries):
    runs = plan.settled(suite.read(path), devices=4)
    assert decks.check(runs, Build(binaries.parent)) == 0


def test_names_every_problem_at_once(tmp_path):
    text = (
        "strata_suite: 1\n"
        "runs:\n"
        "  - {app: stream, rank: 2}\n"
        "  - {app: Stream, ranks: 010}\n"
        "  - {deck: none.yaml, ranks: 0, ranks: 1}\n"
        "  - stream\n"
        "  - {app: stream, set: {a: {b: 1}}}\n"
    )
    assert problems(tmp_path, text) == [
        "s.yaml:3:19: unknown key 'rank' in runs[0] (did you mean 'ranks'?)",
        "s.yaml:4:11: runs[1].app is Stream; it must be the name of an app",
        f"s.yaml:4:26: runs[1].ranks is 010; {RANKS}",
        "s.yaml:5:33: duplicate key 'ranks' in runs[2] (first on line 5)",
        "s.yaml:5:5: runs[2].app is missing",
        "s.yaml:5:12: runs[2].deck is none.yaml; there is no file none.yaml",
        f"s.yaml:5:30: runs[2].ranks is 0; {RANKS}",
        "s.yaml:6:5: runs[3] is stream; it must be a mapping",
        "s.yaml:7:28: runs[4].set.a must be a value or a list of values",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "s.yaml: is empty; it must have strata_suite and runs"),
        ("- 1\n", "s.yaml:1:1: the suite deck is a list; it must be a mapping"),
        ("runs: [{app: a}]\n", "s.yaml:1:1: strata_suite is missing; write strata_suite: 1"),
        (
            "strata_suite: 2\nruns: [{app: a}]\n",
            "s.yaml:1:15: strata_suite is 2; this version reads 1",
        ),
        ("strata_suite: 1\n", "s.yaml:1:1: runs is missing; list at least one run"),
        (
            "strata_suite: 1\nruns: []\n",
            "s.yaml:2:7: runs is an empty list; it must be a list of at least one run",
        ),
        (
            "strata_suite: 1\nzzz: 1\nruns: [{app: a}]\n",
            "s.yaml:2:1: unknown key 'zzz' in the suite deck "
            "(known: strata_suite, repeats, runs)",
        ),
        (
            "strata_suite: 1\nruns: [{<<: {app: a}, app: b}]\n",
            "s.yaml:2:9: merge key '<<' in runs[0]; write the keys out",
        ),
        ("strata_suite: [1\n", "s.yaml:2:1: expected ',' or ']', but got '<stream end>'"),
    ],
)
def test_names_place_and_remedy(tmp_path, text, problem):
    assert problems(tmp_path, text) == [problem]


def test_all_problems_come_at_once(tmp_path):
    text = "strata_suite: 1\nrepeat: 3\nruns: [{app: a, ranks: []}, {app: a, sweep: {b: []}}]\n"
    assert problems(tmp_path, text) == [
        "s.yaml:2:1: unknown key 'repeat' in the suite deck (did you mean 'repeats'?)",
        "s.yaml:3:24: runs[0].ranks is an empty list; it must be auto, ladder, between 1 and "
        "1000000, or a list of such numbers",
        "s.yaml:3:49: runs[1].sweep.b is an empty list; it must be a list: each item is a run "
        "of its own",
    ]
    assert problems(tmp_path, "strata_suite: 2\n") == [
        "s.yaml:1:15: strata_suite is 2; this version reads 1",
        "s.yaml:1:1: runs is missing; list at least one run",
    ]
    misspelt = problems(tmp_path, "strata_suite: 1\nrun: [{app: a}]\n")
    assert misspelt == [
        "s.yaml:2:1: unknown key 'run' in the suite deck (did you mean 'runs'?)"
    ]


@pytest.mark.parametrize(
    ("value", "program", "reason"),
    [("1", "no program", "Permission denied"), ("x" * 9999, "\n", "Argument list too long")],
)
def test_an_app_that_does_not_start_is_named(tmp_path, capsys, value, program, reason):
    app = tmp_path / "bin" / "strata-a"
    app.parent.mkdir()
    app.write_text(f"#!/bin/sh\n{program}")
    app.chmod(0o755 if program == "\n" else 0o644)
    (tmp_path / "s.yaml").write_text(
        f"strata_suite: 1\nruns: [{{app: a, set: {{k: [{', '.join([value] * 20)}]}}}}]\n"
    )
    assert decks.check(suite.read(tmp_path / "s.yaml"), Build(tmp_path)) == 1
    err = capsys.readouterr().err
    assert err == f"{tmp_path}/s.yaml:2:8: {app} does not start: {reason}\n"


def test_an_apps_deck_is_told_from_a_suites(tmp_path):
    assert problems(tmp_path, "strata: 1\napp: stream\nproblem: {size: 7}\n") == [
        "s.yaml:1:1: this is a deck of strata-stream, not of a suite; run it by strata-stream "
        "--deck s.yaml, or name it in a suite deck: runs: [{app: stream, deck: ...}]"
    ]


def test_a_missing_suite_deck(tmp_path):
    with pytest.raises(suite.SuiteError) as caught:
        suite.read(tmp_path / "none.yaml")
    assert caught.value.problems == [f"{tmp_path}/none.yaml: No such file or directory"]
