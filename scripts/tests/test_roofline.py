"""The roofline's lines and points, read from its chart."""

import pytest
import synthetic
from test_report import launch, read

from strata_tools.report import roofline
from strata_tools.report.book import book


def drawn(records, tmp_path):
    """Of the only device: the axes, and the text."""
    synthetic.write(tmp_path, records)
    section = roofline.section(read(tmp_path))
    (chart,) = section.blocks
    return chart.drawing.axes[0], chart.alternative


def with_ceiling(record, rate):
    record["ceiling"] = dict.fromkeys(record["ceiling"], rate)
    return record


@pytest.fixture
def figures(tmp_path):
    """Of two ranks on one device: triad (2 flops of 24 bytes) in all that the memory has and,
    by another variant, in half of it; dot (2 flops of 16) in twice. Another system of the
    device has a higher ceiling."""
    cases = [{"kernel": "triad", "noise": 0}, {"kernel": "dot", "slow": 2, "noise": 0},
             {"kernel": "triad", "variant": "view", "slow": 0.5, "noise": 0}]  # fmt: skip
    other = [{"kernel": "triad", "slow": 4, "noise": 0}]
    records = [
        with_ceiling(launch(0, cases=cases, ranks=2), 4.2e11),
        with_ceiling(launch(1, cases=other, ranks=2, system="beta"), 5e11),
    ]
    return drawn(records, tmp_path)


RATE = synthetic.BANDWIDTH / 2
"""Bytes per second that a rank moves in triad of span."""


def test_the_slope_is_the_best_bandwidth_of_one_device(figures):
    slope = figures[0].lines[0]
    intensity, rate = slope.get_xdata(), slope.get_ydata()
    assert rate / intensity == pytest.approx([2.5e11] * 2)  # of two ranks
    assert intensity == pytest.approx([1 / 24, 1 / 4])
    assert figures[1].startswith("Roofline of Imaginary CPU, 250 GB/s: ")
    assert "slope: 250 GB/s measured" in figures[0].get_title(loc="left")


def test_the_level_is_the_highest_rate_of_any_variant(figures):
    level = figures[0].lines[1].get_ydata()
    assert list(level) == pytest.approx([2 * RATE / 12] * 2)
    assert "level: 16.7 Gflop/s, triad view" in figures[0].get_title(loc="left")


def test_points_are_the_cores_flops_by_bytes_per_device(figures):
    points = figures[0].lines[2]
    found = sorted(zip(points.get_xdata(), points.get_ydata()))
    assert found == [
        pytest.approx((1 / 12, RATE / 4 / 12)),
        pytest.approx((1 / 12, RATE / 12)),
        pytest.approx((1 / 8, RATE / 2 / 8)),
    ]
    assert figures[0].get_ylim() == pytest.approx((found[0][1] / 2, 3 * 2 * RATE / 12))


def test_the_fastest_of_each_app_is_named(figures):
    (name,) = figures[0].texts
    assert name.get_text() == "triad"
    assert name.xy == pytest.approx((1 / 12, RATE / 12))


def test_the_text_has_each_point(figures):
    for point in ("triad/span/left/double 8.33", "dot/span/left/double 6.25"):
        assert f"{point} Gflop/s" in figures[1]


def test_each_device_has_a_chart(tmp_path):
    other = launch(1, system="beta")
    other["placement"][0].update(device="Another CPU")
    synthetic.write(tmp_path, [launch(), other])
    section = roofline.section(read(tmp_path))
    assert [chart.name for chart in section.blocks] == [
        "roofline-another-cpu", "roofline-imaginary-cpu",
    ]  # fmt: skip


def test_kernels_without_arithmetic_have_no_place(tmp_path):
    synthetic.write(tmp_path / "copy", [launch(cases=[{"kernel": "copy"}])])
    assert roofline.section(read(tmp_path / "copy")) is None
    record = launch()
    record["ceiling"] = None
    synthetic.write(tmp_path / "no", [record])
    assert roofline.section(read(tmp_path / "no")) is None
    assert roofline.section(book([], [])) is None


def of_two_apps(tmp_path, slow):
    """Triad (2 flops of 24 bytes) in all that the memory has, and another app's dot (2 of 16)
    in a share of it."""
    other = launch(1, cases=[{"kernel": "dot", "slow": slow, "noise": 0}])
    other["app"] = "hexgrad"
    return drawn([launch(0, cases=[{"kernel": "triad", "noise": 0}]), other], tmp_path)[0]


def test_each_app_has_its_own_points(tmp_path):
    on = of_two_apps(tmp_path, 4)
    points = {line.get_label(): line.get_xdata().tolist() for line in on.lines[2:]}
    assert points == {"hexgrad": [1 / 8], "stream": [1 / 12]}
    assert len({line.get_marker() for line in on.lines[2:]}) == 2


@pytest.mark.parametrize(("slow", "named"), [(4, ["dot", "triad"]), (1.5, ["dot"])])
def test_a_point_beside_one_that_is_named_is_not(tmp_path, slow, named):
    """Within 0.35 decades in both directions: 1/8 by 1/12 flop per byte is 0.18, and the rates
    are 0.42 and 0.0 apart."""
    assert [name.get_text() for name in of_two_apps(tmp_path, slow).texts] == named


def test_names_are_beside_their_points_and_off_the_slope(tmp_path):
    """On the left where the slope is not near above, or the picture ends on the right."""
    texts = {name.get_text(): name for name in of_two_apps(tmp_path, 4).texts}
    assert {
        text: (name.get_ha(), name.xyann, name.get_fontsize()) for text, name in texts.items()
    } == {"dot": ("right", (-7, 1), 8), "triad": ("right", (-7, 1), 8)}
    far = launch(2, cases=[{"kernel": "triad", "slow": 8, "noise": 0}])
    far["app"] = "matvec"
    wide = launch(3, cases=[{"kernel": "dot", "noise": 0}])
    wide["app"] = "mgs"
    wide["cases"][0]["work"]["flops"] *= 200
    (tmp_path / "wide").mkdir()
    texts = drawn([far, wide], tmp_path / "wide")[0].texts
    assert {name.get_text(): (name.get_ha(), name.xyann) for name in texts} == {
        "triad": ("left", (7, -3)), "dot": ("right", (-7, 1)),
    }  # fmt: skip
