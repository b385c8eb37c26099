"""The test of all cases at once, by labelling the sides of launches anew."""

import itertools

import numpy as np
import pytest

from strata_tools import inference, relabelling
from strata_tools.relabelling import Trial


def trials(cases, launches, *, seed=1, noise=0.01, step=0.0):
    """Of the same launches; the first of the cases differs by `step`."""
    source = np.random.default_rng(seed)
    base, new = noise * source.standard_normal((2, cases, launches))
    new[0] += step
    return [Trial(tuple(a), tuple(b), "x") for a, b in zip(base, new)]


def exact(base, new):
    """p of the difference of means over its deviation, of all divisions."""
    values = np.array([*base, *new])
    found = []
    for chosen in itertools.combinations(range(len(values)), len(new)):
        mask = np.isin(range(len(values)), chosen)
        a, b = values[~mask], values[mask]
        spread = ((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum()
        found.append(abs(b.mean() - a.mean()) / np.sqrt(spread))
    own = found[-1]
    return np.mean([one >= own * (1 - 1e-9) for one in found])


@pytest.mark.parametrize("step", [0.0, 0.01, 0.02])
def test_one_case_has_the_p_of_all_its_divisions(step):
    (one,) = trials(1, 6, step=step, noise=0.008, seed=4)
    (p,) = relabelling.p_values([one])
    share = exact(one.base, one.new)
    assert p == pytest.approx(share, abs=4 * np.sqrt(share / relabelling.DIVISIONS) + 1e-4)


def test_a_difference_is_over_its_own_and_the_middle_deviation():
    source = np.random.default_rng(6)
    base, new = source.standard_normal((5, 3)), source.standard_normal((7, 3)) + 1
    found = relabelling._differences(relabelling._observed(5, 7), np.vstack([base, new]), 5, 7)[
        0
    ]
    pooled = (4 * base.var(axis=0, ddof=1) + 6 * new.var(axis=0, ddof=1)) / 10
    deviations = np.sqrt((pooled + np.median(pooled)) / 2)
    assert found == pytest.approx(np.abs(new.mean(axis=0) - base.mean(axis=0)) / deviations)


def test_more_cases_make_the_same_difference_less_telling():
    alone = trials(50, 9, step=0.02)
    p = [relabelling.p_values(alone[:count])[0] for count in (1, 5, 50)]
    assert p == sorted(p)
    assert p[2] > 3 * p[0]


def test_cases_that_are_alike_in_each_launch_count_as_one():
    (one,) = trials(1, 9, step=0.012)
    p = relabelling.p_values([one] * 50)
    assert p == pytest.approx([relabelling.p_values([one])[0]] * 50)


def test_cases_of_other_launches_are_divided_by_themselves():
    (one,) = trials(1, 9, step=0.012)
    others = [Trial(one.base, one.new, name) for name in range(20)]
    p = relabelling.p_values(others)
    assert p[0] > 5 * relabelling.p_values([one])[0]


def test_noise_of_the_other_cases_tells_what_few_launches_do_not():
    """Of two cases that differ alike, one with half the others' noise by chance."""
    many = trials(20, 9, step=0.02)
    assert relabelling.p_values(many)[0] < 0.02
    calm = Trial(tuple(0.1 * x for x in many[1].base), tuple(0.1 * x for x in many[1].new), "x")
    few = Trial(calm.base, tuple(x + 0.003 for x in calm.new), "x")
    assert relabelling.p_values([few])[0] < 0.01
    assert relabelling.p_values([few, *many[2:]])[0] > 0.9


def test_one_launch_far_out_does_not_hide_a_difference():
    (one,) = trials(1, 9, step=0.03)
    far = Trial(one.base, (one.new[0] - 1.0, *one.new[1:]))
    assert relabelling.p_values([far])[0] < 0.05


def test_nothing_differs_from_itself():
    same = Trial((1.0,) * 9, (1.0,) * 9)
    other = Trial((1.0,) * 9, (2.0,) * 9)
    assert relabelling.p_values([same]) == [1.0]
    assert relabelling.p_values([other])[0] < 0.001
    mostly = Trial((1.0,) * 9, (*(1.0,) * 8, 2.0))
    assert relabelling.p_values([mostly])[0] > 0.5
    assert relabelling.p_values([]) == []


def test_launches_far_out_are_drawn_in_to_two_deviations():
    figures = np.array([[0.0], [1.0], [2.0], [3.0], [100.0], [5.0]])
    drawn = relabelling._drawn_in(figures)[:, 0]
    assert drawn == pytest.approx([-2.5, -1.5, -0.5, 0.5, 2 * 1.4826 * 2.0, 2.5])


def test_seldom_claims_what_is_not_there_and_mostly_finds_what_is():
    claimed = found = 0
    for seed in range(60):
        claimed += min(relabelling.p_values(trials(30, 9, seed=seed))) < 0.05
        found += relabelling.p_values(trials(30, 9, seed=seed, step=0.02))[0] < 0.05
    assert claimed <= 9  # 3, and four deviations
    assert found >= 42


def ratio(p_new, **about):
    source = np.random.default_rng(3)
    base = np.exp(0.01 * source.standard_normal(12))
    new = p_new * np.exp(0.01 * source.standard_normal(12))
    return inference.compare(base, new, "higher", **about)


def test_both_designs_at_once_share_what_is_allowed():
    alone = ratio(0.98, launches="x")
    pair = inference.compare_pairs([1.0] * 12, np.linspace(0.9, 1.02, 12), "higher")
    (apart,) = inference.claims([alone])
    together = inference.claims([alone, pair])
    assert together[0].p == pytest.approx(2 * apart.p)
    assert together[1].p == pytest.approx(min(1, 2 * pair.p))
