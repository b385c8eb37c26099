"""Races of a build with itself, on small programs in the place of executables."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
import synthetic
from conftest import ROOT
from test_race import executables, here, template  # noqa: F401 - `here` is a fixture

import real_races
from real_races import outcome


def one(case: str, verdict: str) -> dict:
    numbers = {"ratio": 0.98, "ratio_low": 0.97, "ratio_high": 0.99}
    return {"case_base": case, "verdict": verdict, **numbers}


@pytest.mark.parametrize(
    ("kind", "verdicts", "right"),
    [
        ("alike", ("no difference shown", "no difference shown"), True),
        ("alike", ("no difference shown", "faster"), False),
        ("slowed", ("slower", "no difference shown"), True),
        ("slowed", ("no difference shown", "no difference shown"), False),
        ("slowed", ("slower", "slower"), False),
        ("slowed", ("slower", "faster"), False),
        ("slowed", ("faster", "no difference shown"), False),
    ],
)
def test_only_what_was_slowed_may_be_claimed(kind, verdicts, right):
    cases = ("copy/span/left/double", "triad/span/left/double")
    compared = {"compared": [one(*pair) for pair in zip(cases, verdicts)]}
    assert outcome(compared).is_right(kind, "^copy/") is right


@pytest.mark.parametrize(
    ("kind", "slowed", "verdicts", "lacking"),
    [
        ("alike", "^triad/", ("slower",), ""),
        ("slowed", "^copy/", ("no difference shown",), ""),
        ("slowed", "^triad/", ("slower",), "--slowed ^triad/ matches none of copy/span"),
        ("alike", "^copy/", (), "no case was raced"),
        (
            "alike",
            "^copy/",
            ("no claim: 2 pairs missing",),
            "nothing can be claimed of copy/span",
        ),
    ],
)
def test_a_race_that_can_show_nothing_counts_for_nothing(kind, slowed, verdicts, lacking):
    compared = {"compared": [one("copy/span", verdict) for verdict in verdicts]}
    said = outcome(compared).lacks(kind, slowed)
    assert said.startswith(lacking) if lacking else said == ""


def measured(**slow: float) -> str:
    """A record of two kernels."""
    source = np.random.default_rng(1)
    kernels = ("copy", "triad")
    return template(
        cases=[synthetic.case(k, slow=slow.get(k, 1), source=source) for k in kernels]
    )


def test_both_kinds_are_raced_and_summed_up(here: Path, monkeypatch, capsys):  # noqa: F811
    build = executables(here / "c")
    program = build / "strata-stream"
    fault = '"$here/record${STRATA_FAULT:+_slowed}.json"'
    program.write_text(program.read_text().replace('"$here/record.json"', fault))
    (build / "record.json").write_text(measured())
    (build / "record_slowed.json").write_text(measured(copy=1.03))
    words = "--races 1 --pairs 9 --slow 3 --slowed ^copy/ --folder r --devices 1,2"
    monkeypatch.setattr(sys, "argv", ["real_races.py", *words.split(), str(build)])
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'scripts'}:{os.environ.get('PYTHONPATH', '')}")
    code = real_races.main()
    assert capsys.readouterr().out.splitlines() == [
        "alike 1: right: no claim",
        "1 of 1 alike races claim nothing",
        "slowed 1: right: copy/span/left/double slower 0.971 [0.971, 0.971]",
        "1 of 1 slowed races find exactly what was slowed",
    ]
    assert code == 0
    assert "'slow@3:^copy/'" in (here / "r/slowed-side/strata-stream").read_text()


def test_a_folder_of_another_race_is_no_outcome(here: Path, monkeypatch, capsys):  # noqa: F811
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'scripts'}:{os.environ.get('PYTHONPATH', '')}")
    for name, ends in (("c", 0), ("d", "another race")):
        build = executables(here / name)
        (build / "record.json").write_text(measured())
        with (build / "strata-stream").open("a") as program:
            program.write(f"# {name}\n")
        words = "--races 1 --pairs 9 --kind alike --folder r"
        monkeypatch.setattr(sys, "argv", ["real_races.py", *words.split(), str(build)])
        if ends == 0:
            assert real_races.main() == 0
        else:
            with pytest.raises(SystemExit, match=ends):
                real_races.main()
