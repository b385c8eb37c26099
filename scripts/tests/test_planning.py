"""`strata compare --plan`: how many launches a loss wants."""

import pytest
from test_compare import compare

from strata_tools import inference


@pytest.mark.parametrize(
    ("loss", "noise", "cases", "needed"),
    [
        (0.02, 0.01, 1, (12, 12)),
        (0.02, 0.01, 10, (18, 12)),
        (0.02, 0.01, 100, (22, 14)),
        (0.02, 0.01, 500, (26, 16)),
        (0.02, 0.01, 1000, (28, 16)),
        (0.01, 0.01, 1, (48, 48)),
        (0.04, 0.01, 1, (10, 9)),
        (0.04, 0.01, 500, (16, 9)),
        (0.03, 0.02, 1, (22, 22)),
    ],
)
def test_launches_grow_with_the_square_of_noise_over_loss(loss, noise, cases, needed):
    assert inference.needed(loss, noise, cases) == needed


def test_the_number_of_launches_is_told_beforehand(capsys):
    code, out, err = compare(capsys, "--plan", "2%", "--noise", "0.01", "--cases", "500")
    assert (code, err) == (0, "")
    assert out == (
        "A loss of 2 % in one of 500 cases, where launches of one thing differ by 1 %, is "
        "found in nine of ten comparisons of\n"
        "  26 pairs of a race, whatever the machine's drift: strata race A B --pairs 26\n"
        "  16 + 16 launches in turn, on a machine without drift: strata run, repeats: 16\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--plan", "2%"], "--plan wants --noise too, such as 1%: by how much launches of one "
         "thing differ (standard deviation over mean)"),
        (["--plan", "2", "--noise", "1%"], "--plan is 2; it must be a share such as 2% or "
         "0.02"),
        (["--plan", "2%", "--noise", "x"], "--noise is x; it must be a share such as 2% or "
         "0.02"),
        (["--plan", "0%", "--noise", "1%"], "--plan is 0%; it must be a share such as 2% or "
         "0.02"),
        (["--plan", "2%", "--noise", "1%", "a", "b"], "--plan compares nothing: leave out "
         "a, b"),
    ],
)  # fmt: skip
def test_plans_that_make_no_sense(capsys, words, message):
    assert compare(capsys, *words) == (2, "", message + "\n")
