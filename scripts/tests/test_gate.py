"""`strata compare --fail-below`: what fails, what is warned of, what cannot be decided."""

import pytest
from synthetic import side
from test_compare import compare


@pytest.fixture
def gated(tmp_path, capsys):
    """Of two sides with as many launches, the second with slowed kernels: exit code of a gate
    at 0.97, and what it says."""

    def run(launches, slow):
        a = side(tmp_path / "a", launches)
        b = side(tmp_path / "b", launches, first=1, slow=slow)
        code, _, err = compare(capsys, "--fail-below", "0.97", a, b)
        return code, err

    return run


def test_the_gate_fails_where_the_whole_interval_is_below(gated):
    code, err = gated(9, {"copy": 1.05})
    assert code == 12
    assert err.startswith("gate: stream copy/span/left/double: 0.95")
    assert err.endswith("] is below 0.97 (9 + 9 launches)\n")


def test_the_gate_warns_where_the_interval_reaches_below(gated):
    code, err = gated(9, {"copy": 1.0305})
    assert code == 0
    assert err.startswith("gate: warning: stream copy/span/left/double: 0.97")
    assert err.endswith("] may be below 0.97 (9 + 9 launches)\n")


def test_the_gate_is_silent_above(gated):
    assert gated(9, {"copy": 1.02}) == (0, "")


@pytest.mark.parametrize("slow", [1.0, 1.05, 2.0])
def test_the_gate_decides_nothing_of_too_few_launches(gated, slow):
    assert gated(5, {"copy": slow}) == (
        10,
        "gate: 4 cases had too few launches to be held against 0.97: it takes 6 of each side, "
        "or pairs of a race\n",
    )
