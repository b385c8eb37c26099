"""What is the same question and the same subject, on the committed records and made ones."""

import json
from dataclasses import replace

import numpy as np
import pytest
import synthetic
from conftest import ROOT
from synthetic import rewrite, side
from test_compare import compare, refusals

from strata_tools.records import gather, read
from strata_tools.records.alike import (
    Question,
    Questions,
    differences,
    machine_of,
    outcomes,
    subject_of,
    unlike_parts,
)


@pytest.fixture(scope="module")
def committed():
    records, _ = gather([ROOT / "results"])
    return {f"{one.system}/{one.app}/{one.id}": one for one in records}


def differing(committed, label, *names):
    """How two committed records' questions of a label differ."""
    questions = Questions(committed.values())
    found = []
    for name in names:
        record = committed[name]
        case = next(one for one in record.cases if one.label == label)
        found.append(questions.of(record, case))
    return differences(*found)


def test_products_of_other_shapes_are_other_questions(committed):
    reasons = differing(
        committed, "matvec/span/right/auto/double",
        "h200/matvec/20261128T081619Z-13470-83bb", "vm/matvec/20261121T130046Z-22545-16c3",
    )  # fmt: skip
    assert reasons == [
        "the decks' problem.columns is 16384 against 5000",
        "the decks' problem.rows is 16384 against 20000",
        "tier official against reference",
    ]


def test_a_factorisation_in_cache_is_another_question(committed):
    reasons = differing(
        committed, "sequence/span/left/device",
        "h200/mgs/20261130T012937Z-1259-9454", "vm/mgs/20261121T125710Z-18368-c4e0",
    )  # fmt: skip
    assert reasons[0] == "the decks' problem.rows is 16777216 against 262144"


def test_builds_of_two_commits_are_two_subjects_of_one_question(committed):
    names = (
        "h200/contact/20261123T165339Z-548-9fc4",
        "h200-x2/contact/20261123T093524Z-9090-b9a5",
    )
    assert differing(committed, "build/ragged", *names) == []
    one, other = (subject_of(committed[name]) for name in names)
    assert (one.device, one.commit[:7], other.commit[:7]) == (
        "NVIDIA H200", "855d308", "76204ed",
    )  # fmt: skip


def test_a_processor_of_other_threads_is_another_machine(committed):
    names = "20261124T150513Z-25549-6fcb", "20261124T150627Z-26331-5963"
    threads = [machine_of(committed[f"xeon-16/stream/{name}"]).threads for name in names]
    assert sorted(threads) == [1, 14]


def question(size=1e9, rows=1e9, ranks=2, tier="official"):
    return Question(
        "stream", (("memory", "auto"), ("size", str(size))), (("rows", rows),), ranks, tier, 1,
        "bandwidth", "0",
    )  # fmt: skip


def test_a_sweep_and_a_ladder_are_one_question_of_any_size():
    assert question().of_any_size() == question(size=5.0, rows=5.0, ranks=7).of_any_size()
    assert question().of_any_size() != question(tier="quick").of_any_size()
    assert question().of_any_size().problem == (("memory", "auto"),)
    assert question().on_any_ranks() == question(ranks=9).on_any_ranks()
    assert question().on_any_ranks() != question(rows=5.0).on_any_ranks()


def test_what_tells_a_question_from_others():
    asked = question(size=2.0, rows=2.0, ranks=3)
    assert asked.beside([question()]) == "problem.size 2.0, ranks 3"
    assert question(rows=2.0).beside([question()]).endswith("rows 2.0")
    assert question().beside([question()]) == ""


def test_a_size_is_apart_only_where_the_decks_ask_for_the_same():
    assert unlike_parts(question(), question()) == ()
    assert unlike_parts(question(), question(rows=5.0)) == ("size",)
    assert unlike_parts(question(), question(size=5.0, rows=5.0, ranks=1)) == (
        "problem", "ranks",
    )  # fmt: skip


def test_a_gpu_has_no_threads_and_no_rank_of_any_number(tmp_path):
    (path,) = synthetic.write(tmp_path, [synthetic.record()])
    record = read(path)
    assert machine_of(record).threads == 1
    on_gpus = tuple(replace(place, device_id=0) for place in record.places)
    assert machine_of(replace(record, places=on_gpus)).threads == 0
    assert machine_of(replace(record, places=())).threads == 0
    subject = subject_of(record).on_any_ranks()
    assert (subject.ranks, subject.nodes) == (0, 0)


def test_sizes_that_differ_by_variant_alone_are_outcomes(tmp_path):
    """Also those that one of the variants has not."""
    document = synthetic.record()
    span, native, copy, _ = document["cases"]
    native["axes"] = {**span["axes"], "variant": "native"}
    native["label"] = "triad/native/left/double"
    native["problem"] = {**span["problem"], "held": 6}
    span["problem"].update(regrown=1, held=5)
    copy["problem"].update(rows=7, other=8)
    (path,) = synthetic.write(tmp_path, [document])
    found = outcomes([read(path)])["stream"]
    assert {"regrown", "held"} <= found
    assert not {"rows", "other"} & found


def changed(device="", threads=0, build=""):
    def change(document):
        for place in document["placement"]:
            place.update(device=device or place["device"], threads=threads or place["threads"])
        if build:
            document["build"]["kokkos"] = build

    return change


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ({"device": "Other CPU"}, "mixes devices: Imaginary CPU, Other CPU"),
        ({"threads": 2}, "mixes threads: 1, 2"),
        ({"build": "4.7.1"}, "mixes builds: kokkos 4.6.0, kokkos 4.7.1"),
    ],
)
def test_launches_of_two_subjects_are_no_side(tmp_path, capsys, what, reason):
    """Five of one and four of another pass as nine of neither."""
    b = rewrite(side(tmp_path / "b", 5, first=1), changed(**what))
    side(b, 4, first=21)
    assert refusals(capsys, side(tmp_path / "a"), b) == {
        f"B {reason}; name each as a side of its own"
    }


def test_a_job_of_two_kinds_of_device_is_of_both(tmp_path):
    document = synthetic.record(ranks=2)
    document["placement"][1]["device"] = "Other CPU"
    synthetic.write(tmp_path, [document])
    (record,) = gather([tmp_path])[0]
    assert machine_of(record).device == "Imaginary CPU and Other CPU"


def test_launches_of_another_tier_are_named_and_not_pooled(tmp_path, capsys):
    b = side(tmp_path / "b", 5, first=1)
    side(b, 4, first=21, tier="quick")
    _, out, _ = compare(capsys, "--json", side(tmp_path / "a"), b)
    found = json.loads(out)
    assert {one["launches_new"] for one in found["compared"]} == {5}
    assert {one["reason"] for one in found["one_side_only"]} == {
        "not measured in A with tier quick"
    }
    quick = side(tmp_path / "c", first=1, tier="quick")
    assert refusals(capsys, tmp_path / "a", quick) == {"tier official against quick"}


def test_launches_that_are_not_valid_are_named_and_not_pooled(tmp_path, capsys):
    b = side(tmp_path / "b", 5, first=1)
    bad = side(tmp_path / "b" / "bad", 4, first=21)
    rewrite(
        bad,
        lambda d: d.update(validity={"valid": False, "official": False, "reasons": ["tool"]}),
    )
    code, out, _ = compare(capsys, "--json", side(tmp_path / "a"), b)
    found = json.loads(out)
    assert (code, {one["launches_new"] for one in found["compared"]}) == (10, {5})
    assert [line.split(": ", 1)[1] for line in found["unfit"]] == ["is not valid (tool)"] * 4


def test_how_a_vendors_library_ran_is_no_part_of_the_problem(tmp_path):
    source = np.random.default_rng(1)
    made = synthetic.case("dot", variant="vendor", source=source)
    made["problem"].update(library_threads=16, library_path="libblas.so.3")
    synthetic.write(tmp_path, [synthetic.record(cases=[made])])
    records = gather([tmp_path])[0]
    assert outcomes(records) == {"stream": {"library_threads", "library_path"}}
    (case,) = records[0].cases
    assert Questions(records).of(records[0], case).sizes == (("rows", 10**8),)
