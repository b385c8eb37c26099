"""Medians, intervals, tests and digits against what is known of them."""

import numpy as np
import pytest
from scipy import stats

from strata_tools import inference, quantity


@pytest.mark.parametrize(
    ("count", "interval"),
    [(5, None), (6, (1, 6)), (9, (2, 8)), (20, (6, 15)), (100, (40, 61))],
)
def test_interval_of_the_median_by_order_statistics(count, interval):
    values = list(range(count, 0, -1))
    assert inference.median_interval(values) == interval


def test_ratios_are_turned_so_that_above_one_is_better():
    assert inference.compare([10, 10, 10], [20, 20, 20], "higher").value == 2
    assert inference.compare([10, 10, 10], [20, 20, 20], "lower").value == 0.5


@pytest.mark.parametrize(
    ("count", "interval", "p"), [(5, 0, 0), (6, 1, 0), (8, 1, 0), (9, 1, 1)]
)
def test_few_launches_give_neither_interval_nor_test(count, interval, p):
    ratio = inference.compare(list(range(1, count + 1)), list(range(1, 20)), "higher")
    assert (ratio.interval is not None, ratio.p is not None) == (interval, p)


def test_separate_nines_have_the_least_p():
    ratio = inference.compare(range(1, 10), range(11, 20), "higher")
    assert ratio.least_p == pytest.approx(2 / 48620)  # 2 of C(18, 9) divisions
    assert ratio.p <= 0.0003


def test_the_interval_covers_the_ratio_as_often_as_it_says():
    source = np.random.default_rng(7)
    covered = 0
    for _ in range(200):
        base, new = source.normal(100, 1, 9), source.normal(110, 1, 9)
        low, high = inference.compare(base, new, "higher").interval
        covered += low <= 1.1 <= high
    assert covered >= 180  # 95 % of 200, less four standard deviations of the count


def test_the_same_launches_give_the_same_interval():
    base, new = list(range(1, 10)), list(range(2, 11))
    first = inference.compare(base, new, "higher")
    assert first == inference.compare(base, new, "higher")
    low, high = inference.compare(base, base, "higher").interval
    assert low < 1 < high  # sides are resampled independently


def test_holm_corrects_for_the_number_of_tests():
    assert inference.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert inference.holm([0.9, 0.8]) == [1.0, 1.0]
    assert inference.holm([]) == []


@pytest.mark.parametrize(
    ("value", "interval", "shown"),
    [
        (4.0123e12, (4.007e12, 4.019e12), "4.012 TB/s"),
        (4.0123e12, (3.9e12, 4.1e12), "4.0 TB/s"),
        (4.0123e12, None, "4.01 TB/s"),
        (999.96e9, (999.9e9, 1000e9), "1.000 TB/s"),
        (250e9, (150e9, 350e9), "250 GB/s"),
        (0.0, None, "0 B/s"),
        (float("nan"), None, "– B/s"),
        (2.5e-3, None, "2.50 mB/s"),
    ],
)
def test_digits_follow_the_interval(value, interval, shown):
    assert quantity.shown(value, "B/s", interval) == shown


def test_long_units_stand_apart_from_their_prefix():
    assert quantity.shown(1.07e10, "elements/s") == "10.7 G elements/s"


@pytest.mark.parametrize(
    ("value", "interval", "shown"),
    [(1.0, None, "1.000"), (0.9514, (0.949, 0.953), "0.951"), (17.34, None, "17.3")],
)
def test_ratios_keep_three_digits(value, interval, shown):
    assert quantity.ratio(value, interval) == shown


def test_signed_ranks_are_scipys():
    source = np.random.default_rng(3)
    for count in (9, 10, 17, 40):
        base, new = np.exp(source.normal(size=(2, count)))
        ratio = inference.compare_pairs(base, new, "higher")
        assert ratio.p == pytest.approx(stats.wilcoxon(np.log(new / base)).pvalue)


def test_equal_differences_have_their_mean_rank():
    logs = np.array([1, 1, 2, -3, 4, 5, 6, 7, 8.0])
    ratio = inference.compare_pairs(np.ones(9), 2**logs, "higher")
    orders = stats.PermutationMethod(n_resamples=10**6)  # more than the 512 there are
    assert ratio.p == pytest.approx(stats.wilcoxon(logs, method=orders).pvalue)


def test_pairs_without_a_difference_show_none():
    ratio = inference.compare_pairs([3.0] * 9, [3.0] * 9, "lower")
    assert (ratio.value, ratio.interval, ratio.p) == (1, (1, 1), 1)
    (claim,) = inference.claims([ratio])
    assert not claim.shown


def test_the_estimate_and_interval_of_pairs_are_of_their_means_in_twos():
    """Of six logarithms all 21 means; 95 % leaves out none at either end."""
    logs = [0.0, 1.0, 2.0, 4.0, 8.0, 16.0]
    ratio = inference.compare_pairs([1] * 6, np.exp(logs), "higher")
    assert np.log(ratio.value) == pytest.approx(4)
    assert np.log(ratio.interval) == pytest.approx([0, 16])
    assert ratio.p is None


@pytest.mark.parametrize("count", [9, 10, 13, 20])
def test_the_interval_of_pairs_leaves_out_one_where_the_test_says_so(count):
    source = np.random.default_rng(count)
    outcomes = set()
    for _ in range(300):
        new = np.exp(source.normal(0.6, 1, count))
        ratio = inference.compare_pairs(np.ones(count), new, "higher")
        low, high = ratio.interval
        outcomes.add(low <= 1 <= high)
        assert (low <= 1 <= high) == (ratio.p >= 0.05)
    assert outcomes == {True, False}


@pytest.mark.parametrize(
    ("count", "interval", "p"), [(5, 0, 0), (6, 1, 0), (8, 1, 0), (9, 1, 1)]
)
def test_few_pairs_give_neither_interval_nor_test(count, interval, p):
    ratio = inference.compare_pairs([1] * count, range(1, count + 1), "higher")
    assert (ratio.interval is not None, ratio.p is not None) == (interval, p)


@pytest.mark.parametrize(("cases", "fewest", "advised"), [
    (1, 9, 12), (12, 9, 18), (13, 10, 18), (100, 12, 22),
])  # fmt: skip
def test_pairs_that_many_cases_want(cases, fewest, advised):
    assert (inference.fewest_pairs(cases), inference.advised_pairs(cases)) == (fewest, advised)


def test_fewest_pairs_are_those_that_can_claim():
    for cases in range(1, 200):
        fewest = inference.fewest_pairs(cases)
        for pairs, possible in ((fewest, True), (fewest - 1, False)):
            ratio = inference.compare_pairs([1.0] * pairs, range(2, pairs + 2), "higher")
            claims = inference.claims([ratio] * cases)
            assert all(claim.p is not None and claim.possible for claim in claims) == possible


def test_claims_are_corrected_together():
    one = inference.Ratio(1.1, (1.05, 1.15), 0.04)
    assert [c.shown for c in inference.claims([one])] == [True]
    assert [c.shown for c in inference.claims([one, one])] == [False, False]
    untested = inference.Ratio(1.1, (1.05, 1.15), None)
    assert [c.shown for c in inference.claims([one, untested])] == [True, False]
    around = inference.Ratio(1.1, (0.99, 1.15), 0.001)
    assert not inference.claims([around])[0].shown
