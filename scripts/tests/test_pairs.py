"""`strata compare` on launches that were taken in turn: those of a race."""

import json
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
import synthetic
from synthetic import KERNELS
from test_compare import compare

from strata_tools import inference
from strata_tools.compare import judge
from strata_tools.compare.pairing import Launches, Pair

PAIRED = (
    "design: pairs in ABBA order (Hodges-Lehmann ratio and its interval; Wilcoxon's "
    "signed-rank test)"
)
ALONE = (
    "design: independent launches (ratio of medians and its bootstrap interval; test by "
    "relabelling)"
)


def raced(folder, pairs, *, slow=None, drift=0.0, more=None):
    """A race, as it lies in its folder: launches that get slower by a steady drift."""
    source = np.random.default_rng(pairs)
    launches = []
    for pair in range(1, pairs + 1):
        for position, side in enumerate("AB" if pair % 2 else "BA", start=1):
            number = len(launches)
            late = 1 + drift * number / (2 * pairs - 1)
            cases = []
            for kernel in KERNELS:
                own = late * (1 + 0.002 * source.standard_normal())
                own *= (slow or {}).get(kernel, 1) if side == "B" else 1
                cases.append(synthetic.case(kernel, slow=own, noise=1e-5, source=source))
            (path,) = synthetic.write(
                folder / side, [synthetic.record(number=number, cases=cases)]
            )
            launches.append(
                {"pair": pair, "position": position, "side": side, "app": "stream",
                 "seconds": 1.0, "file": f"{side}/{path.name}"}
            )  # fmt: skip
    manifest = {
        "strata_race": 1, "id": folder.name, "order": "ABBA", "pairs": pairs,
        "sides": {name: {"given": f"build/{name}", "executables": {}} for name in "AB"},
        "words": [], "ranks": 1, "apps": ["stream"], "launches": launches,
    } | (more or {})  # fmt: skip
    (folder / "race.json").write_text(json.dumps(manifest))
    return folder


def found(capsys, *words):
    """Kernel to what `compare --json` tells of it."""
    out = compare(capsys, "--json", *words)[1]
    return {one["case_base"].split("/")[0]: one for one in json.loads(out)["compared"]}


def test_pairs_find_what_drift_hides_from_independent_launches(tmp_path, capsys):
    race = raced(tmp_path / "r", 14, slow={"copy": 1.02}, drift=0.1)
    paired = found(capsys, race)
    assert {one["design"] for one in paired.values()} == {"pairs"}
    verdicts = {kernel: one["verdict"] for kernel, one in paired.items()}
    assert verdicts.pop("copy") == "slower"
    assert set(verdicts.values()) == {"no difference shown"}
    assert paired["copy"]["ratio"] == pytest.approx(1 / 1.02, rel=0.005)
    (race / "race.json").unlink()
    alone = found(capsys, race / "A", race / "B")
    assert {one["design"] for one in alone.values()} == {"independent launches"}
    assert {one["verdict"] for one in alone.values()} == {"no difference shown"}


def in_turn(folder, pairs, *, slow):
    """A race whose launches took their samples in turn, on a machine whose speed changes from
    round to round by ten times their own noise; B takes a round more."""
    race = raced(folder, pairs, more={"turns": "samples"})
    source = np.random.default_rng(pairs)
    for files in zip(*(sorted((race / one).glob("*.json")) for one in "AB")):
        speeds = np.exp(0.3 * source.standard_normal(21))
        for side, path in zip("AB", files):
            document = json.loads(path.read_text())
            rounds = 20 + (side == "B")
            for case in document["cases"]:
                kernel = case["axes"]["kernel"]
                time = speeds[:rounds] * (1 + 0.03 * source.standard_normal(rounds))
                time *= slow.get(kernel, 1) if side == "B" else 1
                case.update(synthetic.case(kernel, relative=time, source=source))
            path.write_text(json.dumps(document))
    return race


def test_samples_in_turn_find_what_changes_within_a_launch(tmp_path, capsys):
    race = in_turn(tmp_path / "r", 14, slow={"copy": 1.02})
    paired = found(capsys, race)
    assert {one["design"] for one in paired.values()} == {"pairs by samples"}
    verdicts = {kernel: one["verdict"] for kernel, one in paired.items()}
    assert verdicts.pop("copy") == "slower"
    assert set(verdicts.values()) == {"no difference shown"}
    assert paired["copy"]["ratio"] == pytest.approx(1 / 1.02, rel=0.01)
    assert "design: pairs whose samples were taken in turn" in compare(capsys, race)[1]
    manifest = json.loads((race / "race.json").read_text())
    (race / "race.json").write_text(json.dumps(manifest | {"turns": "launches"}))
    assert {one["verdict"] for one in found(capsys, race).values()} == {"no difference shown"}


@pytest.mark.parametrize(("better", "expected"), [("higher", 1 / 1.25), ("lower", 1.25)])
def test_a_pair_by_rounds_is_of_times_whatever_its_figure(better, expected):
    """B takes 1.25 of A's time in each round; a slow one more moves its median."""
    times = np.array([1.0, 3.0, 2.0]), np.array([1.25, 3.75, 2.5, 50.0])
    power = -1 if better == "higher" else 1
    sides = []
    for one in times:
        side = Launches("stream", "triad", None, SimpleNamespace(better=better))
        side.samples, side.values = [one], [float(np.median(one)) ** power]
        sides.append(side)
    pair = Pair(*sides)
    (new,) = judge._by_rounds(pair, ([0], [0]))
    assert new / sides[0].values[0] == pytest.approx(expected)


def test_the_page_says_which_design_it_had(tmp_path, capsys):
    race = raced(tmp_path / "r", 9)
    lines = compare(capsys, race)[1].splitlines()
    assert lines[:3] == [
        "A = build/A: 9 records (alpha, Imaginary CPU × 1, commit 00000000)",
        "B = build/B: 9 records (alpha, Imaginary CPU × 1, commit 00000000)",
        PAIRED,
    ]
    assert lines[6].split()[:1] == ["case"]
    assert any("  9 pairs   " in line for line in lines)
    assert f"- {PAIRED}" in compare(capsys, "--markdown", race)[1].splitlines()
    assert ",design,launches_base," in compare(capsys, "--csv", race)[1].splitlines()[0]
    (race / "race.json").unlink()
    assert ALONE in compare(capsys, race / "A", race / "B")[1].splitlines()


def test_sides_that_are_named_are_still_pairs(tmp_path, capsys):
    race = raced(tmp_path / "r", 9, slow={"copy": 1.02})
    forwards, backwards = (found(capsys, race / a, race / b) for a, b in ("AB", "BA"))
    verdicts = (forwards["copy"]["verdict"], backwards["copy"]["verdict"])
    assert verdicts == ("slower", "faster")
    assert forwards["copy"]["design"] == "pairs"
    for end in ("ratio_low", "ratio_high"):
        other = backwards["copy"][{"ratio_low": "ratio_high"}.get(end, "ratio_low")]
        assert forwards["copy"][end] == pytest.approx(1 / other)


def test_a_launch_without_its_other_is_left_out(tmp_path, capsys):
    race = raced(tmp_path / "r", 10)
    sorted((race / "B").glob("*.json"))[3].unlink()
    code, out, err = compare(capsys, race)
    assert (code, err.count("does not exist; skipped")) == (10, 1)
    assert "  9 pairs   " in out
    assert "note: launches whose other is not there are left out: up to 1 a case\n" in out


def test_other_launches_beside_those_of_a_race_are_no_pairs(tmp_path, capsys):
    race = raced(tmp_path / "r", 9)
    other = synthetic.record(number=500)
    for case in other["cases"]:
        case["problem"]["rows"] = 10**8
    synthetic.write(race / "B", [other])
    assert {one["design"] for one in found(capsys, race / "A", race / "B").values()} == {
        "independent launches"
    }
    assert found(capsys, race)["copy"]["design"] == "pairs"  # its launches, by race.json


def test_times_that_belie_the_order_are_no_pairs(tmp_path, capsys):
    """All of A, then all of B, whatever race.json says."""
    race = raced(tmp_path / "r", 9, drift=0.1)
    for path in (race / "B").glob("*.json"):
        document = json.loads(path.read_text())
        start = document["run"]["start_utc"]
        document["run"]["start_utc"] = start.replace("2026-01-01", "2026-01-02")
        path.write_text(json.dumps(document))
    out = compare(capsys, race)[1]
    assert ALONE in out.splitlines()
    assert "note: the launches of A and B were not in turn" in out


def test_a_side_against_itself_is_no_pair(tmp_path, capsys):
    race = raced(tmp_path / "r", 9)
    copy = found(capsys, race / "A", race / "A")["copy"]
    assert copy["verdict"] == "no difference: the same launches"


def test_too_few_pairs_claim_nothing(tmp_path, capsys):
    race = raced(tmp_path / "r", 8, slow={"copy": 1.5})
    copy = found(capsys, race)["copy"]
    assert (copy["verdict"], copy["p"]) == ("no claim: 1 pair missing", None)
    code, _, err = compare(capsys, "--fail-below", "0.9", race)
    assert code == 12
    assert err == (
        "gate: stream copy/span/left/double: 0.6672 [0.6648, 0.6692] is below 0.9 (8 pairs)\n"
    )


def test_pairs_that_can_show_nothing_among_so_many_cases_say_so(tmp_path, capsys, monkeypatch):
    race = raced(tmp_path / "r", 9, slow={"copy": 1.5})
    monkeypatch.setattr(inference, "SIGNIFICANCE", 0.015)  # four cases are as a dozen at 5 %
    verdicts = {one["verdict"] for one in found(capsys, race).values()}
    assert verdicts == {"no claim: too few pairs for 4 cases"}


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.pop("launches"),
        lambda d: d.update(strata_race=2),
        lambda d: d["launches"][0].update(side="C"),
        lambda d: d["launches"][0].update(pair="1"),
        lambda d: d["launches"][0].update(position=3),
        lambda d: d["launches"][0].update(file="../x.json"),
        lambda d: d["launches"][0].update(more=1),
        lambda d: d["sides"].pop("B"),
        lambda d: d["sides"]["A"].update(given=1),
    ],
)
def test_a_manifest_that_is_none_is_named(tmp_path, capsys, change):
    race = raced(tmp_path / "r", 2)
    document = json.loads((race / "race.json").read_text())
    change(document)
    (race / "race.json").write_text(json.dumps(document))
    code, out, err = compare(capsys, race)
    assert (code, out, err) == (
        11, "", f"{race}/race.json: is not what `strata race` writes\n",
    )  # fmt: skip
    assert found(capsys, race / "A", race / "B")["copy"]["design"] == "independent launches"


def test_a_copy_of_the_folder_is_the_same_race(tmp_path, capsys):
    race = raced(tmp_path / "r", 9)
    shutil.copytree(race, tmp_path / "deep/er")
    assert found(capsys, tmp_path / "deep/er")["copy"]["design"] == "pairs"
