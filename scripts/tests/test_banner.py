"""What did not pass is never told as passed: by the report's banner, by compare."""

import pytest
import synthetic
from synthetic import rewrite, side
from test_compare import compare
from test_report import launch, read, report

from strata_tools.report import overview


def fail_checks(record, *numbers):
    """Of some of its cases, which keep their figures."""
    for number in numbers:
        record["cases"][number]["checks"][0].update(status="FAIL", value=2.5)
    return record


def test_records_whose_checks_failed_are_left_out_and_named(tmp_path, capsys):
    cases = [{"kernel": kernel} for kernel in ("triad", "copy", "dot")]
    synthetic.write(tmp_path / "in", [fail_checks(launch(cases=cases), 0, 2), launch(1)])
    code, _, err = report(capsys, tmp_path / "in", "--output", tmp_path)
    assert code == 10
    assert (
        "contradicts itself: is valid, but max_relative_error of triad/span/left/double "
        "failed; skipped" in err
    )
    page = (tmp_path / "report.md").read_text()
    assert "- 1 check of answers in them passed" in page
    assert "| copy (bandwidth) |" not in page


@pytest.mark.parametrize(
    ("change", "grade", "verdict"),
    [
        ({}, "good", "Every answer verified, every run official"),
        (
            {"status": "failed", "reason": "no memory", "foms": []},
            "bad",
            "1 case failed: see why",
        ),
        ({"checks": []}, "warn", "Not every answer verified"),
    ],
)
def test_the_banner_is_green_where_every_answer_was_checked(tmp_path, change, grade, verdict):
    record = launch(cases=[{"kernel": "triad"}, {"kernel": "copy"}])
    record["cases"][1].update(change)
    synthetic.write(tmp_path, [record])
    found = overview.banner(read(tmp_path), [])
    assert (found.grade, found.verdict) == (grade, verdict)


def test_a_record_whose_check_failed_is_not_compared(tmp_path, capsys):
    def fail(document):
        document["cases"][0]["checks"][0].update(status="FAIL", value=1)

    a, b = side(tmp_path / "a"), rewrite(side(tmp_path / "b", first=1), fail)
    code, _, err = compare(capsys, a, b)
    assert code == 11
    assert err.count("contradicts itself: is valid, but max_relative_error of ") == 9
