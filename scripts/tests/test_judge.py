"""What is claimed of a pair of cases, without files: verdicts, counts, pairs of a race."""

from dataclasses import replace

import numpy as np
import pytest
import synthetic

from strata_tools.compare import judge as judging
from strata_tools.compare.judge import judge, spread
from strata_tools.compare.pairing import Launches, Pair, Side
from strata_tools.race.manifest import Turn
from strata_tools.records import Fom, read


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    (path,) = synthetic.write(tmp_path_factory.mktemp("record"), [synthetic.record()])
    return read(path)


def fom(better="higher"):
    return Fom("bandwidth", 1.0, "B/s", better, (0.9, 1.1), 1.2, "job")


@pytest.fixture
def pool(record):
    """Launches of side A or B, which take turns; those of a race by their pairs."""

    def make(side, values, turns=None, better="higher"):
        turns = turns or [None] * len(values)
        places = [one.pair if one else i for i, one in enumerate(turns)]
        records = [
            replace(record, id=f"{side}{place}", start=f"{2 * place + (side == 'B'):04}")
            for place in places
        ]
        return Launches(
            "stream", "triad", None, fom(better), list(values), records, list(turns)
        )

    return make


def one(pair):
    (found,) = judge([(Side("B", None), pair)])
    return found


def around(value, count, seed=0):
    return value * np.exp(0.001 * np.random.default_rng(seed).standard_normal(count))


@pytest.mark.parametrize(
    ("better", "ratio", "verdict"),
    [
        ("higher", 1.05, "faster"), ("higher", 0.95, "slower"), ("lower", 0.95, "faster"),
        ("lower", 1.05, "slower"), ("higher", 1.0, "no difference shown"),
    ],
)  # fmt: skip
def test_verdicts_follow_the_direction_of_the_figure(pool, better, ratio, verdict):
    sides = (
        pool("A", around(1, 9), better=better),
        pool("B", around(ratio, 9, 1), better=better),
    )
    found = one(Pair(*sides))
    assert (found.verdict, found.shown) == (verdict, verdict in ("faster", "slower"))
    assert (found.launches, found.count, found.unpaired) == ((9, 9), "9 + 9", 0)
    assert (found.base, found.new) == (
        pytest.approx(1, rel=0.002), pytest.approx(ratio, rel=0.002),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("base", "new", "lacking"),
    [(9, 8, "0 + 1"), (8, 9, "1 + 0"), (1, 1, "8 + 8"), (20, 3, "0 + 6")],
)
def test_lacking_launches_are_counted(pool, base, new, lacking):
    found = one(Pair(pool("A", around(1, base)), pool("B", around(2, new))))
    assert found.verdict == f"no claim: {lacking} launches missing"
    assert (found.p, found.shown) == (None, False)


def test_the_same_launches_are_no_difference(pool):
    same = pool("A", around(1, 9))
    assert one(Pair(same, same)).verdict == "no difference: the same launches"


def turns(side, count, race="r", first=1):
    return [Turn(race, first + i, side) for i in range(count)]


@pytest.fixture
def raced(pool):
    def make(base, new, a=None, b=None):
        return Pair(
            pool("A", base, a or turns("A", len(base))),
            pool("B", new, b or turns("B", len(new))),
        )

    return make


def test_launches_of_a_race_are_pairs(raced):
    base = around(1, 9) * np.linspace(1, 3, 9)
    found = one(raced(base, base * around(0.99, 9, 2)))
    assert (found.ratio.design, found.count, found.verdict) == ("pairs", "9 pairs", "slower")
    found = one(raced([1.0], [2.0]))
    assert (found.count, found.verdict) == ("1 pair", "no claim: 8 pairs missing")
    found = one(raced(around(1, 8), around(2, 8)))
    assert found.verdict == "no claim: 1 pair missing"


def test_values_of_pairs_stand_beside_each_other(raced):
    """Whatever the order of the files; what has no other is left out, and counted."""
    order = [Turn("r", pair, "B") for pair in (3, 1, 4)]
    found = one(raced([10.0, 20.0, 30.0], [3.0, 1.0, 4.0], b=order))
    assert found.values == ([10.0, 30.0], [1.0, 3.0])
    assert (found.ratio.design, found.unpaired) == ("pairs", 2)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (turns("A", 9), [*turns("B", 8), None]),
        (turns("A", 9), turns("A", 9)),
        (turns("A", 9), turns("B", 9, race="other")),
        (turns("A", 9), turns("B", 9, first=10)),
    ],
)
def test_launches_that_are_no_pairs_are_independent(raced, a, b):
    found = one(raced(around(1, 9), around(1.1, 9), a=a, b=b))
    assert found.ratio.design == "independent launches"


def test_times_that_belie_the_pairs_make_them_independent(raced):
    pair = raced(around(1, 9), around(1.1, 9))
    assert one(pair).ratio.design == "pairs"
    pair.base.records.reverse()
    assert one(pair).ratio.design == "independent launches"


@pytest.mark.parametrize(
    ("values", "expected"),
    [([5.0], (0.9, 1.1)), ([1.0, 3.0, 2.0], (1.0, 3.0)), (list(range(1, 10)), (2, 8))],
)
def test_what_a_median_is_rounded_by(values, expected):
    assert spread(values, fom()) == expected


@pytest.mark.parametrize(
    ("base", "new", "noted"),
    [("1357", "2468", False), ("1234", "5678", True), ("5678", "1234", True), ("1", "2", False),
     ("12", "34", True), ("13", "24", False)],
)  # fmt: skip
def test_sides_that_were_not_in_turn_are_noted(record, base, new, noted):
    sides = [
        Side(name, None, records=[replace(record, start=one) for one in starts])
        for name, starts in (("A", base), ("B", new))
    ]
    note = judging.interleaving(*sides)
    assert note.startswith("the launches of A and B were not in turn (side ") is noted
    assert bool(note) is noted
