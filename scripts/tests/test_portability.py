"""The table and the cascade of performance portability."""

import pytest
import synthetic
from test_report import launch, read

from strata_tools.report import portability
from strata_tools.report.blocks import Chart, Fold
from strata_tools.report.book import book


def system(number, name, **slow):
    """A device of its own, with times of triad's variants over what its memory allows."""
    cases = [{"kernel": "triad", "variant": v, "slow": s, "noise": 0} for v, s in slow.items()]
    return launch(number, system=name, device=f"CPU of {name}", cases=cases)


def fails(record, variant, kernel="triad"):
    """The record with that case failed."""
    (case,) = (
        case
        for case in record["cases"]
        if (case["axes"]["kernel"], case["axes"]["variant"]) == (kernel, variant)
    )
    case.update(status="failed", reason="too far off", foms=[])
    return record


@pytest.fixture
def found(tmp_path):
    """Of three devices. view fails on beta, raw was not run there; gamma alone measured no dot,
    and native's failure in it on alpha is none in triad."""
    alpha = system(0, "alpha", span=1, native=1.5, view=2, raw=1)
    beta = system(1, "beta", span=2, native=1, view=4)
    gamma = system(2, "gamma", span=1, native=1, view=1, raw=1)
    for record in (alpha, beta):
        cases = [
            {"kernel": "dot", "noise": 0},
            {"kernel": "dot", "variant": "native", "slow": 4, "noise": 0},
        ]
        record["cases"] += launch(5, cases=cases)["cases"]
    fails(beta, "view")
    fails(alpha, "native", "dot")
    synthetic.write(tmp_path, [alpha, beta, gamma])
    return portability.section(read(tmp_path))


def texts(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_the_table_has_the_first_problem_of_the_app(found):
    assert found.name == "portability"
    table = found.blocks[0]
    assert table.headings == [
        "problem", "variant", "portability", "CPU of alpha", "CPU of beta", "CPU of gamma",
    ]  # fmt: skip
    assert texts(table) == [
        ["stream: triad", "span", "0.75", "1.00", "0.50", "1.00"],
        ["stream: triad", "native", "0.86", "0.67", "1.00", "1.00"],
        ["stream: triad", "view", "0.00", "0.50", "0.00", "1.00"],
        ["stream: triad", "raw", "–", "1.00", "–", "1.00"],
    ]
    assert table.words == 2


def test_a_zero_is_marked_and_says_why(found):
    span, _, view, raw = found.blocks[0].rows
    assert [row[2].flag for row in (span, view, raw)] == ["", "bad", ""]
    assert view[4].hint == "failed or not available"
    assert (raw[4].hint, raw[4].link) == ("not run", "")
    assert span[4].hint == "triad/span/left/double"
    assert span[4].link != span[3].link


def test_other_problems_are_folded(found):
    fold = found.blocks[1]
    assert isinstance(fold, Fold)
    assert fold.summary == "1 other problem"
    (table,) = fold.blocks
    assert table.headings[3:] == ["CPU of alpha", "CPU of beta"]  # gamma has no dot
    assert texts(table) == [
        ["stream: dot", "span", "1.00", "1.00", "1.00"],
        ["stream: dot", "native", "0.00", "0.00", "0.25"],
    ]


def test_the_cascade_is_of_what_was_run_everywhere(found):
    (chart,) = found.blocks[2:]
    assert isinstance(chart, Chart)
    on = chart.drawing.axes[0]
    solid, dotted = on.lines[::2], on.lines[1::2]
    assert [line.get_label() for line in solid] == ["span", "native", "view"]
    assert [list(line.get_xdata()) for line in solid] == 3 * [[1, 2, 3]]
    assert list(solid[0].get_ydata()) == pytest.approx([1, 1, 1 / 2])
    assert list(dotted[0].get_ydata()) == pytest.approx([1, 1, 3 / 4])
    assert list(solid[2].get_ydata()) == pytest.approx([1, 1 / 2, 0])
    assert list(dotted[2].get_ydata()) == pytest.approx([1, 2 / 3, 0])
    assert {line.get_linestyle() for line in dotted} == {":"}
    assert on.get_ylim() == pytest.approx((-0.03, 1.05))  # all of it is seen
    assert list(on.get_xticks()) == [1, 2, 3]
    assert chart.alternative == (
        "Cascade of stream triad: portability of span 0.75, native 0.86, view 0.00"
    )


def test_there_is_no_section_without_two_devices(tmp_path):
    assert portability.section(book([], [])) is None
    synthetic.write(tmp_path, [system(0, "alpha", span=1, native=1)])
    assert portability.section(read(tmp_path)) is None


def test_there_is_no_cascade_where_nothing_was_run_everywhere(tmp_path):
    synthetic.write(tmp_path, [system(0, "alpha", span=1), system(1, "beta", native=1, view=1)])
    (table,) = portability.section(read(tmp_path)).blocks
    assert [row[1:] for row in texts(table)] == [
        ["span", "–", "1.00", "–"],
        ["native", "–", "–", "1.00"],
        ["view", "–", "–", "1.00"],
    ]
