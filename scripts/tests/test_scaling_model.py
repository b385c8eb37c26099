"""The model of how steps scale: what it takes from counts, and its sums by hand."""

from __future__ import annotations

import csv
import math
import statistics
from collections import defaultdict
from dataclasses import replace

import pytest
from conftest import ROOT

import scaling_model
from scaling_model import Machine, Pair, Words

MACHINE = Machine("m", 2, 1e-5, 1e9, 2e-5, 1e11, 1e-6, 1e-7, 1e10, [])


def test_words_of_a_step_are_half_of_what_two_rounds_more_ask():
    once = {"Allreduce.calls": 10, "Allreduce.given": 80, "Isend.calls": 4, "partners": 2}
    thrice = {
        "Allreduce.calls": 16, "Allreduce.given": 128, "Ibarrier.calls": 2,
        "Isend.calls": 12, "Isend.given": 4000, "Issend.calls": 4, "Allgatherv.calls": 2,
        "Allgatherv.given": 96, "partners": 3,
    }  # fmt: skip
    assert scaling_model.words_of(once, thrice) == Words(
        sums=4, sum_bytes=24, exchanges=2, partners=3, sent=2000, gathers=1, gathered=48
    )


def test_what_every_timed_step_asks_is_left_out():
    assert Words(sums=5, sent=7).less(Words(sums=6, sent=3)) == Words(sent=4)


@pytest.mark.parametrize(
    ("words", "ranks", "seconds"),
    [
        (Words(sums=3), 1, 0),
        (Words(sums=3), 2, 3e-5),
        (Words(sums=3), 16, 3 * (1e-5 + 3e-6)),  # eight nodes
        (Words(sums=1, sum_bytes=1e5), 16, 1e-5 + 3e-6 + 3e-5 + 1e-4),
        (Words(exchanges=1, partners=26, sent=1e6), 2, 2e-5 + 1e-5),  # one partner is there
        (Words(exchanges=1, partners=26, sent=1e6), 64, 2e-5 + 1e-6 + 25e-7 + 1e-4),
        (Words(gathers=1, gathered=48), 1000, 1e-5 + 9e-6 + 48e-7),
    ],
)
def test_the_time_of_words(words, ranks, seconds):
    assert math.isclose(MACHINE.seconds(words, ranks), seconds, abs_tol=1e-12)


def test_messages_grow_like_the_surface_of_a_share():
    step = scaling_model.STEPS["build/dyn_ragged"]
    assert math.isclose(scaling_model.surface(step, 8 * 4096), 4)
    assert scaling_model.surface(scaling_model.STEPS["triad/span"], 1e9) == 1


def test_weak_scaling_keeps_the_work_of_a_rank_and_strong_shares_it():
    pair = Pair("sequence/span", 1e-2, 1.1e-2, 2, 512)
    of = {4: Words(sums=100)}
    weak = scaling_model.predict(MACHINE, of, pair, 2, weak=True)
    strong = scaling_model.predict(MACHINE, of, pair, 2, weak=False)
    assert (weak, strong) == (pytest.approx(1.1e-2), pytest.approx(0.6e-2))
    assert scaling_model.efficiency(MACHINE, of, pair, 2, weak=False) == pytest.approx(5 / 6)


def test_the_committed_machine_names_records_that_are_there():
    machine = Machine.read(ROOT / "results" / "h100" / "scaling.yaml")
    pairs = [scaling_model.pair_of(entry) for entry in machine.measured]
    assert {pair.label for pair in pairs} == set(scaling_model.STEPS)
    assert all(pair.ranks == 2 and pair.more_s >= pair.one_s for pair in pairs)


@pytest.mark.parametrize(("ranks", "stages"), [(2, 1), (3, 2), (4, 2), (16, 4), (64, 4)])
def test_sums_within_a_node_take_the_stages_of_its_ranks(ranks, stages):
    """A node of sixteen ranks, whose sum takes four of them."""
    machine = replace(MACHINE, node_ranks=16, sum_s=4e-6, word_s=1e-6)
    elsewhere = {64: 2e-6}.get(ranks, 0)  # four nodes
    assert math.isclose(machine.seconds(Words(sums=1), ranks), stages * 1e-6 + elsewhere)


def test_a_rank_alone_on_its_node_sums_nothing_there():
    machine = replace(MACHINE, node_ranks=1, word_s=1e-6)
    assert math.isclose(machine.seconds(Words(sums=1), 4), 2e-6)


def test_the_times_of_the_host_are_those_of_its_runs():
    folder = ROOT / "results" / "xeon-16"
    runs = defaultdict(list)
    with (folder / "scaling.csv").open() as file:
        for row in csv.DictReader(file):
            runs[row["case"], int(row["ranks"])].append(float(row["median_s"]))
    for entry in Machine.read(folder / "scaling.yaml").measured:
        pair = scaling_model.pair_of(entry)
        times = [statistics.median(runs[pair.label, n]) for n in (1, pair.ranks)]
        assert [pair.one_s, pair.more_s] == pytest.approx(times, rel=0.01), pair


def test_times_may_stand_with_the_machine(tmp_path):
    machine = Machine.read(ROOT / "results" / "xeon-16" / "scaling.yaml")
    pairs = [scaling_model.pair_of(entry) for entry in machine.measured]
    assert pairs[0] == Pair("triad/span", 5.9e-6, 6.0e-6, 2, 20000)
    assert [pair.label for pair in scaling_model.of_steps(pairs)] == list(scaling_model.STEPS)
    assert {pair.ranks for pair in scaling_model.of_steps(pairs)} == {2}
    figure = tmp_path / "figure.png"
    scaling_model.draw(
        machine, {label: {4: Words()} for label in scaling_model.STEPS}, pairs, figure
    )
    assert figure.stat().st_size > 1000


def test_a_step_is_counted_where_its_app_runs(binaries):
    """The sums of a Gram-Schmidt of 32 columns: 528, one after the other."""
    step = {"triad/span", "sequence/span"}
    few = {label: scaling_model.STEPS[label] for label in scaling_model.STEPS if label in step}
    counts = scaling_model.counted(binaries, few, (4,))
    assert counts["triad/span"][4] == Words()
    assert (counts["sequence/span"][4].sums, counts["sequence/span"][4].sent) == (528, 0)
