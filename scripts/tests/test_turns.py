"""`strata race --turns samples`: both launches of a pair at once."""

import re
from pathlib import Path

import pytest
from test_race import here, manifest, race, real_race, spoil  # noqa: F401 - `here` is a fixture

from strata_tools.__main__ import main

HERE = Path()
"""Tests run in the folder of the fixture."""


@pytest.mark.usefixtures("here")
def test_launches_that_take_their_samples_in_turn_run_at_once(capsys, monkeypatch):
    """Each waits for the other, as the apps do."""
    meets = "touch $here/ready; until [[ -e a/ready && -e b/ready ]]; do sleep 0.01; done"
    monkeypatch.setenv("BEFORE", meets)
    code, out, err = race(capsys, "a", "b", "--pairs", 2, "--turns", "samples")
    assert (code, err.splitlines()[1]) == (0, "pair 1 of 2: A B")
    assert "design: pairs whose samples were taken in turn" in out
    told = [(one["pair"], one["position"], one["side"]) for one in manifest(HERE)["launches"]]
    assert told == [(1, 1, "A"), (1, 2, "B"), (2, 1, "B"), (2, 2, "A")]
    assert manifest(HERE)["turns"] == "samples"
    turns = re.findall(r"^(\w) --in-turn (\w+):(\S+)", (HERE / "launches").read_text(), re.M)
    assert sorted(one[:2] for one in turns[:2]) == [("a", "first"), ("b", "second")]
    assert sorted(one[:2] for one in turns[2:]) == [("a", "second"), ("b", "first")]
    assert turns[0][2] == turns[1][2] != turns[2][2] == turns[3][2]
    assert not Path(turns[0][2]).parent.exists()
    assert race(capsys, "a", "b", "--pairs", 2)[2].splitlines()[-1] == (
        "r has another race: its executables, apps, words, ranks or turns are not these; name "
        "another --output-dir"
    )


@pytest.mark.usefixtures("here")
def test_a_side_that_fails_ends_the_one_that_waits_for_it(capsys, monkeypatch):
    waits = (
        'trap "echo RESULT v=1 app=x status=INCOMPLETE exit=9 file=w; exit 9" TERM; '
        "touch ready; while :; do sleep 0.05 & wait; done"
    )
    fails = "until [[ -e ready ]]; do sleep 0.01; done; echo no memory; exit 5"
    monkeypatch.setenv("BEFORE", f"if [[ $here == */b ]]; then {fails}; else {waits}; fi")
    code, out, err = race(capsys, "a", "b", "--pairs", 9, "--turns", "samples")
    assert (code, out) == (5, "")
    assert "pair 1, B: strata-stream ended with exit code 5" in err
    assert manifest(HERE)["launches"] == []


@pytest.mark.usefixtures("here")
def test_a_launch_that_is_not_valid_ends_no_other_where_it_counts(capsys, monkeypatch):
    """With --force. A goes on for a while after B's end, which is that of a failed check."""
    spoil(HERE / "b/record.json")
    program = HERE / "b/strata-stream"
    program.write_text(program.read_text() + "touch ended; exit 6\n")
    waits = "until [[ -e ended ]]; do sleep 0.01; done; sleep 0.3"
    monkeypatch.setenv("BEFORE", f"[[ $here == */b ]] || {{ {waits}; }}")
    words = ("--pairs", 1, "--turns", "samples")
    code, out, _ = race(capsys, "a", "b", *words, "--force")
    assert (code, out[:7], len(manifest(HERE)["launches"])) == (10, "FORCED:", 2)


@pytest.mark.usefixtures("here")
def test_two_at_once_do_not_share_the_free_memory(capsys, monkeypatch):
    monkeypatch.setenv("DECK", "problem: {memory_fraction: 0.6}")
    code, out, err = race(capsys, "a", "b", "--turns", "samples")
    assert (code, out) == (2, "")
    assert err == (
        "strata-stream takes its size from the free memory (problem.memory_fraction), which "
        "two runs at once do not have alike; give --turns samples a size: --set "
        "problem.memory_fraction=unset, and that of the problem\n"
    )
    assert race(capsys, "a", "b", "--pairs", 1)[0] == 0


def test_a_deck_that_is_refused_is_told_before_its_sizes_are_looked_at(binaries, capsys):
    sides = [str(binaries / "strata-stream")] * 2
    code = main(["race", *sides, "--ranks", "1", "--turns", "samples", "--set", "bad=1"])
    assert code == 3
    assert "A: strata-stream refuses what it is to measure:\n" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
def test_a_dry_run_shows_who_takes_turns_without_a_launcher(capsys):
    words = ["--ranks", "1", "--pairs", "2", "--turns", "samples", "--dry-run"]
    assert main(["race", "a", "b", *words]) == 0
    shown = re.findall(r"^\S+/(\w)/strata-stream --in-turn (\w+):SOCKET .*?( &)?$",
                       capsys.readouterr().out, re.M)  # fmt: skip
    assert shown == [
        ("a", "first", " &"), ("b", "second", ""), ("b", "first", " &"), ("a", "second", ""),
    ]  # fmt: skip


def test_real_executables_take_their_samples_in_turn(binaries, tmp_path, capsys):
    """Each case of one side has as many as of the other; a device that is shared is not
    official, and ceilings would only lengthen the rounds."""
    out, records = real_race(binaries, tmp_path / "r", capsys, "--turns", "samples")
    assert out.count("  2 pairs  ") == 2
    for one, other in (records[:2], records[2:]):
        rounds = {len(case["samples_s"]) for side in (one, other) for case in side["cases"]}
        assert len(rounds) == 1
        assert rounds.pop() >= 1
    for record in records:
        assert {"placement", "no_ceiling"} <= set(record["validity"]["reasons"])
        assert record["validity"]["valid"]
