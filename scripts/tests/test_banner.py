"""What did not pass is never told as passed: by the report's banner, by compare."""

import pytest
import synthetic
from synthetic import rewrite, side
from test_compare import LABEL, compare
from test_report import launch, read, report

from strata_tools.report import overview


def fail_checks(record, *numbers):
    """Of some of its cases, which keep their figures."""
    for number in numbers:
        record["cases"][number]["checks"][0].update(status="FAIL", value=2.5)
    return record


def test_checks_that_failed_are_no_passed_ones(tmp_path, capsys):
    cases = [{"kernel": kernel} for kernel in ("triad", "copy", "dot")]
    synthetic.write(tmp_path / "in", [fail_checks(launch(cases=cases), 0, 2), launch(1)])
    report(capsys, tmp_path / "in", "--output", tmp_path)
    page = (tmp_path / "report.md").read_text()
    assert "**2 cases failed: see why**" in page
    assert (
        "- 2 of 4 checks of answers in them passed, 2 failed; what fails has no figure\n"
        "- failed on alpha: stream triad/span/left/double: a check failed: max_relative_error "
        "2.5, allowed 0\n"
        "- failed on alpha: stream dot/span/left/double: a check failed: "
    ) in page
    assert "Every answer verified" not in page
    figures = [f"| {kernel} (bandwidth) |" in page for kernel in ("copy", "dot")]
    assert figures == [True, False]


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


def test_a_record_whose_every_check_failed_gives_no_figure(tmp_path, capsys):
    synthetic.write(tmp_path / "in", [fail_checks(launch(), 0)])
    assert report(capsys, tmp_path / "in", "--output", tmp_path)[0] == 0
    page = (tmp_path / "report.html").read_text()
    assert '<div class="banner bad" role="status">' in page
    assert "0 of 1 check of answers in them passed, 1 failed" in page


def test_a_case_whose_check_failed_is_not_compared(tmp_path, capsys):
    def fail(document):
        document["cases"][0]["checks"][0].update(status="FAIL", value=1)

    a, b = side(tmp_path / "a"), rewrite(side(tmp_path / "b", first=1), fail)
    _, out, _ = compare(capsys, a, b)
    reason = "a check failed: max_relative_error 1, allowed 0"
    line = f"on one side only: stream: not measured in B ({reason}): {LABEL}"
    assert line in out.splitlines()
