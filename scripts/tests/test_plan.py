"""From a suite deck to launches: sweeps, ladders, weak scaling, interleaved repeats."""

from pathlib import Path

import pytest
from test_suite import problems

from strata_tools import plan, suite
from strata_tools.estimate import Estimate, in_words


def launches(folder: Path, runs: str, devices: int = 6) -> list[str]:
    """Ranks, overrides and repeat of each launch, in their order."""
    path = folder / "s.yaml"
    path.write_text(f"strata_suite: 1\n{runs}")
    return [
        " ".join([str(launch.run.ranks), *launch.run.overrides, f"#{launch.repeat}"])
        for launch in plan.interleaved(plan.settled(suite.read(path), devices))
    ]


def test_a_sweep_is_every_combination(tmp_path):
    runs = (
        "runs:\n  - app: a\n    set: {run.seed: 3}\n"
        "    sweep: {problem.size: [1, 2], cases.layout: [left, [left, right]]}\n"
    )
    assert launches(tmp_path, runs) == [
        "6 run.seed=3 problem.size=1 cases.layout=left #1",
        "6 run.seed=3 problem.size=1 cases.layout=[left, right] #1",
        "6 run.seed=3 problem.size=2 cases.layout=left #1",
        "6 run.seed=3 problem.size=2 cases.layout=[left, right] #1",
    ]


def test_repeats_are_interleaved(tmp_path):
    runs = "repeats: 2\nruns:\n  - {app: a, ranks: 1}\n  - {app: a, ranks: 2, repeats: 3}\n"
    assert launches(tmp_path, runs) == ["1 #1", "2 #1", "1 #2", "2 #2", "2 #3"]


@pytest.mark.parametrize(("devices", "steps"), [(1, [1]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])])
def test_a_ladder_ends_with_all_devices(tmp_path, devices, steps):
    found = launches(tmp_path, "runs: [{app: a, ranks: ladder}]\n", devices)
    assert found == [f"{step} #1" for step in steps]


def test_weak_scaling_multiplies_by_the_ranks(tmp_path):
    runs = "runs: [{app: a, ranks: [1, 3], per_rank: {problem.size: 1e3, problem.part: 0.5}}]\n"
    assert launches(tmp_path, runs) == [
        "1 problem.size=1000 problem.part=0.5 #1",
        "3 problem.size=3000 problem.part=1.5 #1",
    ]


@pytest.mark.parametrize("ranks", ["[1, 2]", "ladder"])
def test_steps_of_a_ladder_know_its_top(tmp_path, ranks):
    path = tmp_path / "s.yaml"
    path.write_text(f"strata_suite: 1\nruns: [{{app: a, ranks: {ranks}}}, {{app: a}}]\n")
    tops = [run.top for run in plan.settled(suite.read(path), 2)]
    assert tops == [2, 2, None]


def test_problems_of_sweeps_and_ladders(tmp_path):
    text = (
        "strata_suite: 1\n"
        "repeats: 0\n"
        "runs:\n"
        "  - {app: a, ranks: [1, 0], repeats: x}\n"
        "  - {app: a, ranks: [], sweep: {k: 1, l: [{m: 1}]}}\n"
        "  - {app: a, set: {k: 1}, sweep: {k: [1]}, per_rank: {k: 1, l: -1}}\n"
        "  - {app: a, ranks: [2, 2]}\n"
    )
    rule = "it must be auto, ladder, between 1 and 1000000, or a list of such numbers"
    assert problems(tmp_path, text) == [
        "s.yaml:2:10: repeats is 0; it must be between 1 and 1000",
        f"s.yaml:4:25: runs[0].ranks[1] is 0; {rule}",
        "s.yaml:4:38: runs[0].repeats is x; it must be between 1 and 1000",
        f"s.yaml:5:21: runs[1].ranks is an empty list; {rule}",
        "s.yaml:5:36: runs[1].sweep.k is 1; it must be a list: each item is a run of its own",
        "s.yaml:5:42: runs[1].sweep.l must list values, or lists of values",
        "s.yaml:6:64: runs[2].per_rank.l is -1; it must be a number above 0 and at most 1E+18, "
        "to be multiplied by the ranks",
        "s.yaml:6:35: runs[2] has k in set and in sweep",
        "s.yaml:6:55: runs[2] has k in set and in per_rank",
        "s.yaml:7:25: runs[3].ranks[1] is 2, as another is; raise repeats to launch it again",
    ]


def test_the_estimate_takes_the_likest_that_is_known():
    runs = [suite.Run("a", "1"), suite.Run("a", "2"), suite.Run("b", "3")]
    one, two, three = [plan.Launch(run, 1) for run in runs]
    estimate = Estimate()
    assert estimate.of([one]) == ""
    estimate.add(one, 10)
    assert estimate.of([one, two, three]) == ", about 30 s left"
    estimate.add(two, 20)
    assert estimate.of([one, two, three]) == ", about 45 s left"


def test_an_estimate_is_as_fine_as_it_is_good():
    words = [in_words(seconds) for seconds in (3.4, 99, 120, 5000, 7200)]
    assert words == ["3 s", "99 s", "2 min", "83 min", "2 h 0 min"]
