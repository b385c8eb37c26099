"""Ceilings by the mix of reads and writes."""

import pytest

from strata_tools.records.ceiling import bound

CEILING = {"read": 4.0, "write": 1.0, "copy": 2.0, "triad": 3.0}


@pytest.mark.parametrize(
    ("moved", "expected"),
    [
        ((7, 0), (4.0, "read")),
        ((0, 7), (1.0, "write")),
        ((7, 7), (2.0, "copy")),
        ((14, 7), (3.0, "triad")),
        ((1000, 9), (4.0, "read")),
        ((1, 3), (1 / ((1 / 1 + 1 / 2) / 2), "write-copy")),
        ((5, 1), (1 / ((1 / 3 + 1 / 4) / 2), "triad-read")),
    ],
)
def test_bound_of_a_mix(moved, expected):
    rate, name = bound(CEILING, *moved)
    assert (pytest.approx(rate), name) == expected


def test_no_bound_of_nothing():
    assert bound(CEILING, 0, 0) is None
    assert bound({**CEILING, "copy": 0.0}, 1, 1) is None
    assert bound({}, 1, 1) is None
