"""The table of limits: its rows, how figures are paired, what is said of what was asked for."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
import yaml
from conftest import ROOT, write_program

import limits

SCRIPT = ROOT / "scripts" / "limits.py"
ROWS = ROOT / "scripts" / "limits"


def record(**samples: list[float]) -> dict:
    work = {"bytes_read": 2 * 10**9, "bytes_written": 10**9, "flops": 10**9}
    return {
        "ceiling": {"read": 4e12},
        "cases": [
            {"label": label.replace("_", "/"), "status": "measured", "samples_s": times,
             "work": work}
            for label, times in samples.items()
        ],
    }  # fmt: skip


def test_a_ratio_is_of_the_same_rounds():
    times = [1e-3, 2e-3, 1e-3, 2e-3, 1e-3, 2e-3]
    of = record(triad_span=times, triad_vendor=[1.1 * time for time in times])
    row = {"core": "triad/span", "peer": "triad/vendor", "ask": {"ratio": 1}}
    found = limits.in_rounds(row, of)
    assert found.core == pytest.approx(2e12)
    assert found.ratio == pytest.approx(1.1)
    assert found.interval == pytest.approx((1.1, 1.1))
    assert limits.verdict(row, found) == "has it"


def test_times_and_ceilings_and_amounts():
    of = record(build_ragged=[4e-3] * 6)
    seconds = {"core": "build/ragged", "unit": "s", "ask": {"most": 3e-3}}
    assert limits.in_rounds(seconds, of).core == pytest.approx(4e-3)
    assert limits.verdict(seconds, limits.in_rounds(seconds, of)) == "missed by 33.3 %"
    nearly = {"core": "build/ragged", "unit": "s", "ask": {"most": 3.9992e-3}}
    assert limits.verdict(nearly, limits.in_rounds(nearly, of)) == "missed by 0.02 %"
    ceiling = {"core": "build/.*", "peer": "ceiling/read", "ask": {"ratio": 0.8}}
    assert limits.in_rounds(ceiling, of).ratio == pytest.approx(3e9 / 4e-3 / 4e12)
    assert limits.in_rounds(ceiling, of).interval == pytest.approx((0.1875, 0.1875))
    shown = limits.line(seconds | {"work": "build"}, limits.in_rounds(seconds, of))
    assert shown.startswith("| build | 4 ms [4 ms, 4 ms] |  |  | ≤ 3 ms |")
    own = {"core": "build/ragged", "unit": "flop/s", "amount": 8e9, "ask": {"least": 2e12}}
    assert limits.in_rounds(own, of).core == pytest.approx(2e12)


def test_launches_take_turns():
    calls = []
    found = limits.in_turn((lambda: calls.append("A") or 1, lambda: calls.append("B") or 2), 3)
    assert calls == ["A", "B", "B", "A", "A", "B"]
    assert found == [(1, 2)] * 3
    figure = limits.of_pairs([1, 1, 2, 1, 1, 1], [7, 8, 14, 7, 7, 7], True)
    assert (figure.ratio, figure.interval) == (7, (7, 8))


def test_a_row_without_its_peer_says_so():
    row = {"work": "triad", "core": "triad/span", "ask": {"ratio": 1}}
    assert limits.line(row, None) == "| triad | | | | ≥ 1 of the peer | peer not given |"


def test_a_misspelt_key_is_refused():
    row = "- {name: a, app: stream, deck: {}, rows: [{work: b, core: c, ask: {leest: 1}}]}"
    with pytest.raises(SystemExit, match="b: ask: no leest; choose from least, most, ratio"):
        limits.blocks_of(row)
    with pytest.raises(SystemExit, match="b: no amout; choose from"):
        limits.blocks_of(row.replace("core: c", "amout: 1").replace("leest", "least"))
    with pytest.raises(SystemExit, match="b: it asks for nothing"):
        limits.blocks_of(row.replace("leest: 1", ""))


def test_a_record_of_another_deck_or_not_valid_is_refused(tmp_path):
    block = {"app": "stream", "deck": {"problem": {"size": 1}}}
    path = tmp_path / "a.json"
    found = {"validity": {"valid": True}, "deck": {"sha256": "0"}}
    path.write_text(json.dumps(found))
    with pytest.raises(SystemExit, match="it is of another deck"):
        limits.measure(tmp_path / "none", block, {}, path)
    path.write_text(json.dumps(found | {"validity": {"valid": False}}))
    with pytest.raises(SystemExit, match="it is not valid"):
        limits.measure(tmp_path / "none", block, {}, path)
    with pytest.raises(SystemExit, match="none: it does not start: No such file"):
        limits.measure(tmp_path / "none", block, {}, tmp_path / "b.json")


def test_times_are_rounded_before_their_unit_is_chosen():
    assert limits.shown(999.6e-6, "s") == "1 ms"
    assert limits.shown(28.2e-6, "s") == "28.2 µs"


def test_a_metric_says_what_a_step_counts():
    of = record(triad_span=[2.0, 4.0, 3.0])
    of["cases"][0]["foms"] = [
        {"metric": "bandwidth", "value": 1},
        {"metric": "lines", "value": 5},
    ]
    of["cases"][0]["statistics"] = {"median_s": 3.0}
    of["ceiling"] = {"read": 10}
    row = {"work": "triad", "core": "triad/span", "metric": "lines", "peer": "ceiling/read"}
    figure = limits.in_rounds(row, of)
    assert (figure.core, figure.peer, figure.ratio) == (5, 10, 0.5)


def test_one_case_has_the_label():
    with pytest.raises(SystemExit, match="0 measured cases have such a label"):
        limits.samples_of(record(triad_span=[1.0]), "triad")


@pytest.mark.parametrize("path", sorted(ROWS.glob("*.yaml")), ids=lambda path: path.stem)
def test_shipped_rows_have_decks_that_the_apps_take(path, binaries, tmp_path):
    names = set()
    for block in limits.blocks_of(path.read_text(encoding="utf-8")):
        names.add(block["name"])
        deck = tmp_path / "deck.yaml"
        deck.write_text(limits.deck_text(block, limits.RUN), encoding="utf-8")
        done = subprocess.run(
            [binaries / f"strata-{block['app']}", "--deck", deck, "--check-deck"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, block["name"] + done.stdout + done.stderr
        for row in block["rows"]:
            assert limits.asked(row), row
    assert len(names) == len(yaml.safe_load(path.read_text(encoding="utf-8")))


def test_measures_and_goes_on(binaries, tmp_path):
    block = {
        "app": "stream", "deck": {
            "problem": {"size": 10000},
            "cases": {"kernel": ["triad"], "variant": ["span", "native"], "layout": ["right"]},
        },
    }  # fmt: skip
    row = {"work": "triad", "core": "triad/span/.*", "peer": "triad/native/.*",
           "ask": {"ratio": 0.01}}  # fmt: skip
    with_peer = row | {"babelstream": "Triad"}
    del with_peer["peer"]
    rows = [
        block | {"name": "small", "rows": [row]},
        block | {"name": "turns", "babelstream": "in turn", "pairs": 2, "rows": [with_peer]},
    ]
    peer = write_program(
        tmp_path / "peer",
        "#!/bin/sh\necho function,num_times,n_elements,sizeof,max_mbytes_per_sec\n"
        "echo Triad,100,10000,8,1000\n",
    )
    (tmp_path / "rows.yaml").write_text(yaml.safe_dump(rows), encoding="utf-8")
    arguments = [
        sys.executable, SCRIPT, "--bin", binaries, "--seconds", "0.5", "--babelstream", peer,
        tmp_path / "rows.yaml", tmp_path / "out",
    ]  # fmt: skip
    starts = []
    for _ in range(2):
        done = subprocess.run(
            [*map(str, arguments)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        lines = (tmp_path / "out" / "limits.md").read_text(encoding="utf-8").splitlines()
        assert len(lines) == 4
        assert all(line.endswith("| ≥ 0.01 of the peer | has it |") for line in lines[2:])
        assert "| 1 GB/s |" in lines[3]
        starts.append(
            json.loads((tmp_path / "out" / "small.json").read_text())["run"]["start_utc"]
        )
    assert starts[0] == starts[1]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "results").glob("*/limits.md")), ids=lambda path: path.parent.name
)
def test_committed_tables_are_those_of_their_records(path):
    """By the rows of today; those whose peers take turns have no records."""
    text = path.read_text(encoding="utf-8")
    records = dict(
        line.split(": ")
        for line in text.split("<!-- records\n")[1].split("\n-->")[0].split("\n")
    )
    rows = re.search(r"scripts/limits/\w+\.yaml", text)[0]
    held = 0
    blocks = limits.blocks_of((ROOT / rows).read_text(encoding="utf-8"))
    assert {*records} <= {block["name"] for block in blocks}
    works = {row["work"] for block in blocks for row in block["rows"]}
    shown = re.findall(r"^\| (.*?) \|", text, re.MULTILINE)
    assert {*shown} <= {"work", *works}
    for block in blocks:
        if block["name"] not in records:
            continue
        of = json.loads((ROOT / "results" / f"{records[block['name']]}.json").read_text())
        for row in block["rows"]:
            assert limits.line(row, limits.in_rounds(row, of)) in text
            held += 1
    assert held >= len(records)
