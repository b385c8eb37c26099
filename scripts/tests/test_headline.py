"""The report's first screen: each of its numbers is what `strata compare` says."""

import json
import math
import shutil
import statistics

import synthetic
from conftest import ROOT
from synthetic import side
from test_compare import compare
from test_report import launch, read, report
from test_score import weights

from strata_tools import quantity
from strata_tools.report import headline, score
from strata_tools.report.versus import contest


def made(tmp_path, capsys, *words):
    """The page of a folder, as JSON."""
    code, _, err = report(capsys, *words, "--output", tmp_path / "out")
    assert (code, err) == (0, "")
    return json.loads((tmp_path / "out" / "report.json").read_text())


def section(page, name):
    return next(one for one in page["sections"] if one["name"] == name)


def compared(capsys, base, new):
    return json.loads(compare(capsys, "--json", base, new)[1])["compared"]


def same_facts(facts):
    """Without what depends on the other records that are read: how the side is called, and keys
    of decks that some of them are too old for."""
    return {key: value for key, value in facts.items() if key not in ("side", "problem")}


def sort_key(facts):
    return facts["app"], facts["case_new"], json.dumps(facts["sizes"])


LIKE = {
    "h200 against xeon-16, 14 threads": (("xeon-16", 14), ("h200", None)),
    "h100, 1 rank against xeon-16, 16 threads": (("xeon-16", 16), ("h100", None)),
    "h200 against h100, 1 rank": (("h100", None), ("h200", None)),
}
"""What the committed records let the page compare: base and new, each by system and threads."""


def by_commit(system, threads, folder):
    """The committed records of a system in a folder for each commit."""
    found = {}
    for path in (ROOT / "results" / system).rglob("*.json"):
        record = json.loads(path.read_text())
        if threads is None or record["placement"][0]["threads"] == threads:
            commit = found.setdefault(record["suite"]["git"], folder / record["suite"]["git"])
            commit.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, commit)
    return found


def test_the_first_screen_of_the_committed_records_is_what_compare_says(
    reference_report, tmp_path, capsys
):
    page = json.loads((reference_report / "report.json").read_text())
    assert {one["side"] for one in page["comparisons"]} == set(LIKE)
    *texts, machines, cases, _ = section(page, "faster")["blocks"]
    every = []
    for side_name, both, text, row in zip(
        LIKE, LIKE.values(), texts, machines["rows"], strict=True
    ):
        base, new = (by_commit(*one, tmp_path / side_name / one[0]) for one in both)
        theirs = [
            one
            for commit in sorted(base.keys() & new.keys())
            for one in compared(capsys, base[commit], new[commit])
        ]
        mine = [one for one in page["comparisons"] if one["side"] == side_name]
        assert len(mine) == len(theirs) > 0
        for one, other in zip(sorted(mine, key=sort_key), sorted(theirs, key=sort_key)):
            assert same_facts(one) == same_facts(other)

        ratios = [one["ratio"] for one in theirs]
        every += ratios
        mean = quantity.ratio(statistics.geometric_mean(ratios))
        ends = f"{quantity.ratio(min(ratios))} … {quantity.ratio(max(ratios))}"
        faster, slower = side_name.split(" against ")
        assert text["text"].startswith(
            f"{faster} gave {mean} times the figures of {slower} (geometric mean, {ends}) "
            f"on {len(ratios)} like cases, "
        )
        assert [cell["text"] for cell in row[2:6]] == [
            mean, f"×÷ {math.exp(statistics.stdev(map(math.log, ratios))):.3f}", ends,
            str(len(ratios)),
        ]  # fmt: skip
    expected = sorted(every, key=lambda ratio: -abs(math.log(ratio)))
    shown = [row[1]["text"] for row in cases["rows"]]
    assert shown == [quantity.ratio(ratio) for ratio in expected[: len(shown)]]


def fleet(tmp_path):
    """Nine launches on each of three machines, taken in turn: a is 5 % slower than b in one
    kernel, and c twice as fast as b."""
    slow = {"a": {"copy": 1.05}, "b": {}, "c": dict.fromkeys(synthetic.KERNELS, 0.5)}
    for number, (system, factors) in enumerate(slow.items()):
        side(tmp_path / system, first=number + 100 * number, slow=factors, system=system)
    return tmp_path


def test_claims_intervals_and_order_are_those_of_compare(tmp_path, capsys):
    folder = fleet(tmp_path / "in")
    page = made(tmp_path, capsys, folder)
    for new, base in (("c", "a"), ("c", "b"), ("b", "a")):
        mine = [one for one in page["comparisons"] if one["side"] == f"{new} against {base}"]
        theirs = compared(capsys, folder / base, folder / new)
        assert len(mine) == 4
        for one, other in zip(sorted(mine, key=sort_key), sorted(theirs, key=sort_key)):
            for key in ("ratio", "ratio_low", "ratio_high", "base", "new", "p", "launches_new"):
                assert one[key] == other[key]
    _, _, _, machines, *_ = section(page, "faster")["blocks"]
    assert [[cell["text"] for cell in row[:2]] for row in machines["rows"]] == [
        ["c", "a"], ["c", "b"], ["b", "a"],
    ]  # fmt: skip
    assert machines["rows"][2][-1]["text"] == "1 faster, 3 no difference shown"


def test_every_difference_is_there_the_largest_first(tmp_path, capsys):
    page = made(tmp_path, capsys, fleet(tmp_path / "in"))
    tables = [block for block in section(page, "comparisons")["blocks"] if "table" in block]
    assert [len(table["rows"]) for table in tables] == [4, 4, 4]
    assert tables[2]["rows"][0][0]["text"] == "stream: copy/span/left/double"


def held(tmp_path, records, more=""):
    synthetic.write(tmp_path / "in", records)
    path = weights(tmp_path, f"strata_weights: 1\nbase: alpha\nweights: {{stream: 1}}\n{more}")
    book = read(tmp_path / "in")
    return headline.section(book, contest(book), score.read(path)).blocks


def systems(**slow):
    return [
        launch(n, system=name, cases=[{"kernel": "triad", "slow": factor, "noise": 0}])
        for n, (name, factor) in enumerate(slow.items())
    ]


def test_prices_are_of_the_part_of_a_node_that_ran(tmp_path):
    records = systems(alpha=1, beta=0.25)
    prices = "prices: {alpha: 1000, beta: 16000}\n"
    whole = held(tmp_path, records, prices)[1].rows[0]
    part = held(tmp_path, records, prices + "devices: {beta: 8}")[1].rows[0]
    assert (whole[-1].plain, part[-1].plain) == (
        "0.250 (prices 16,000 and 1,000)", "2.000 (prices 2,000 and 1,000)",
    )  # fmt: skip
    lacking = held(tmp_path, records, "prices: {beta: 5}")[1].rows[0]
    assert lacking[-1].plain == "– (no price of both)"


def test_what_is_not_compared_is_counted_by_its_reasons(tmp_path):
    other = launch(1, system="beta", git="1" * 40, tier="quick")
    blocks = held(tmp_path, [launch(), other])
    assert [block.text for block in blocks] == [
        "No two machines answered the same question by the same commit.",
        "Not compared: 1 pair of cases that two machines have under one name. What tells "
        "them apart: tier × 1, commit × 1; a pair may have several reasons. “Every "
        "comparison” below has them by machine.",
    ]


def test_a_machine_is_not_held_against_itself(tmp_path):
    synthetic.write(tmp_path, [launch(0), launch(1, ranks=2)])
    found = contest(read(tmp_path))
    assert (found.versus, found.unlike) == ([], [])


def test_paper_has_the_provenance(tmp_path, capsys):
    """In tables that are no folds: those are not printed."""
    record = launch()
    record["placement"][0].update(device_id=0, uuid="GPU-1", driver="580.1")
    synthetic.write(tmp_path / "in", [record])
    page = made(tmp_path, capsys, tmp_path / "in")
    tables = {
        one["table"]: one for one in section(page, "provenance")["blocks"] if "table" in one
    }
    shown = {
        name: [cell["text"] for cell in table["rows"][0]] for name, table in tables.items()
    }
    assert shown == {
        "Builds": ["b1", f"strata 0.1.0, {'0' * 40}", "GNU 12.2, C++20", "Release, -O3",
                   "4.6.0, OpenMP", "native", "Open MPI"],
        "Decks": ["d1", "d.yaml", "a" * 64],
        "Devices": ["alpha", "Imaginary CPU", "GPU-1", "580.1"],
        "Series": ["s1", "stream", "alpha", "b1", "d1", "official", "–", "1", "2026-01-01"],
    }  # fmt: skip


def test_alternative_texts_are_whole(reference_report):
    page = json.loads((reference_report / "report.json").read_text())
    charts = [b for s in page["sections"] for b in s["blocks"] if "chart" in b]
    roofline = next(one for one in charts if one["chart"] == "roofline-nvidia-h200")
    assert all(len(one["shows"]) > 20 for one in charts)
    assert roofline["shows"].endswith("flop/s")
