"""The order of launches is measured, and a drift that it lets through is no difference."""

import json

import numpy as np
import pytest
import synthetic
from scipy import stats
from test_compare import compare

from strata_tools import drift, inference


def starts(order):
    """Of the launches of A and B by their order."""
    return tuple(
        [f"{place:03}" for place, side in enumerate(order) if side == name] for name in "AB"
    )


@pytest.mark.parametrize(
    ("order", "correlation", "in_turn"),
    [
        ("ABBA" * 4 + "AB", 0.01, True),
        ("AB" * 9, 0.10, True),
        ("AB" * 2, 0.45, True),
        ("AB", 1.00, True),
        ("AABB", 0.89, False),
        ("AABBAB", 0.49, False),
        ("A" * 9 + "B" * 9, 0.87, False),
        ("B" * 9 + "A" * 9, -0.87, False),
        ("A" * 8 + "BA" + "B" * 8, 0.85, False),
        ("B" + "A" * 8 + "B" * 8 + "A", 0.50, False),
    ],
)
def test_order_is_a_correlation_of_side_and_time(order, correlation, in_turn):
    found = starts(order)
    assert drift.order(*found) == pytest.approx(correlation, abs=0.005)
    assert drift.in_turn(*found) is in_turn


def test_launches_of_one_start_have_no_order():
    assert drift.order(["x"] * 3, ["x"] * 3) == 0


def test_the_step_beside_the_trend_is_that_of_least_squares():
    """Of exact values, step and trend are what they were made of, without a doubt."""
    found = starts("AAABBB")
    values = np.arange(6) * 0.5
    apart = drift.apart(values[:3], values[3:] + 0.25, found)
    assert (apart.low, apart.high) == pytest.approx((0.25, 0.25))


def test_the_step_is_that_of_regressing_what_time_leaves():
    """Frisch and Waugh: of side and figures, each freed of its trend."""
    order = "AABABBABBB"
    values = np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3])
    side, time = np.array([one == "B" for one in order], float), np.arange(10.0)
    freed = [of - np.polyval(np.polyfit(time, of, 1), time) for of in (side, values)]
    expected = stats.linregress(*freed)
    error = expected.stderr * np.sqrt(8 / 7)  # the trend takes a degree of freedom
    apart = drift.apart(values[side == 0], values[side == 1], starts(order))
    reach = stats.t.ppf(0.975, 7) * error
    assert (apart.low, apart.high) == pytest.approx(
        (expected.slope - reach, expected.slope + reach)
    )
    assert apart.p == pytest.approx(2 * stats.t.sf(abs(expected.slope) / error, 7))


def test_a_step_without_noise_is_certain():
    found = starts("AABB")
    assert drift.apart([0.0, 0.0], [0.0, 0.0], found).p == 1
    assert drift.apart([0.0, 1.0], [3.0, 4.0], found).p < 1e-9


def test_the_interval_covers_the_step_as_often_as_it_says():
    source = np.random.default_rng(2)
    order = starts("A" * 9 + "B" * 9)
    covered = claimed = 0
    for _ in range(400):
        values = source.standard_normal(18) + np.linspace(0, 10, 18)
        apart = drift.apart(values[:9], values[9:] + 2, order)
        covered += apart.low <= 2 <= apart.high
        claimed += drift.apart(values[:9], values[9:], order).p < 0.05
    assert 362 <= covered <= 397
    assert 3 <= claimed <= 38


def test_an_order_that_cannot_tell_leaves_nothing():
    apart = drift.apart([1.0, 1.1], [2.0, 2.1], (["1", "1"], ["2", "2"]))
    assert (apart.low, apart.high, apart.p) == (0, 0, 1)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_a_drift_between_the_sides_is_no_difference(better):
    source = np.random.default_rng(5)
    values = np.exp(0.002 * source.standard_normal(18) + np.linspace(0, 0.1, 18))
    order = starts("A" * 9 + "B" * 9)
    blind = inference.compare(values[:9], values[9:], better)
    assert inference.claims([blind])[0].shown
    ratio = inference.compare(values[:9], values[9:], better, starts=order)
    assert ratio.interval[0] < 1 < ratio.interval[1]
    assert ratio.drift_p > 0.05
    assert not inference.claims([ratio])[0].shown
    assert ratio.value == blind.value


def test_a_step_that_is_more_than_the_drift_is_one():
    source = np.random.default_rng(5)
    values = np.exp(0.002 * source.standard_normal(18))
    values[9:] *= 1.05
    order = starts("A" * 9 + "B" * 9)
    for better, ratio in (("higher", 1.05), ("lower", 1 / 1.05)):
        found = inference.compare(values[:9], values[9:], better, starts=order)
        assert inference.claims([found])[0].shown
        assert found.interval[0] < ratio < found.interval[1]
    assert inference.compare(values[:9], values[9:], "lower").drift_p is None


def test_many_cases_of_a_drift_are_corrected_for():
    source = np.random.default_rng(8)
    order = starts("A" * 9 + "B" * 9)
    values = np.exp(0.01 * source.standard_normal((40, 18)) + np.linspace(0, 0.1, 18))
    ratios = [inference.compare(v[:9], v[9:], "lower", starts=order) for v in values]
    assert min(ratio.drift_p for ratio in ratios) < 0.05
    assert not any(claim.shown for claim in inference.claims(ratios))


def drifting(folder, side, first, step):
    for place in range(9):
        number = first + step * place
        source = np.random.default_rng(100 + number)
        slow = 1 + 0.1 * number / 18
        cases = [
            synthetic.case(kernel, slow=slow * (1 + 0.004 * source.standard_normal()),
                           noise=1e-5, source=source)
            for kernel in synthetic.KERNELS
        ]  # fmt: skip
        synthetic.write(folder / side, [synthetic.record(number=number, cases=cases)])
    return folder / side


def test_compare_claims_nothing_of_one_side_after_the_other(tmp_path, capsys):
    sides = [drifting(tmp_path, "a", 0, 1), drifting(tmp_path, "b", 9, 1)]
    code, out, err = compare(capsys, "--json", "--fail-below", "0.97", *sides)
    found = json.loads(out)
    assert {one["verdict"] for one in found["compared"]} == {"no difference shown"}
    assert code == 0
    assert err.count("gate: warning: ") == 4
    (note,) = found["notes"]
    assert note.startswith(
        "the launches of A and B were not in turn (side and order correlate by 0.87): "
    )


def test_compare_looks_past_one_swapped_pair(tmp_path, capsys):
    a, b = drifting(tmp_path, "a", 0, 1), drifting(tmp_path, "b", 9, 1)
    last, first = sorted(a.glob("*"))[-1], sorted(b.glob("*"))[0]
    last.rename(b / last.name)
    first.rename(a / first.name)
    found = json.loads(compare(capsys, "--json", a, b)[1])
    assert {one["verdict"] for one in found["compared"]} == {"no difference shown"}
    assert "(side and order correlate by 0.85)" in found["notes"][0]


def test_sides_of_other_nodes_share_no_drift(tmp_path, capsys):
    a, b = drifting(tmp_path, "a", 0, 1), drifting(tmp_path, "b", 9, 1)
    synthetic.rewrite(b, lambda document: document["placement"][0].update(host="n002"))
    found = json.loads(compare(capsys, "--json", a, b)[1])
    assert {one["verdict"] for one in found["compared"]} == {"slower"}
    assert found["notes"] == []
