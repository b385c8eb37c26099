"""Records that contradict themselves are named and left out."""

import json

import pytest
import synthetic
from conftest import ROOT

from strata_tools import records
from strata_tools.records.audit import contradictions


def times(figure, document):
    """Every figure of it is that many times as good; its samples stay."""
    for case in document["cases"]:
        for fom in case["foms"]:
            fom["value"] *= figure
            fom["best"] *= figure


def fail(document):
    for case in document["cases"]:
        for check in case["checks"]:
            check.update(status="FAIL", value=1)


def dirty(document):
    document["suite"]["dirty"] = True


def debug(document):
    document["build"]["type"] = "Debug"


def checked_bounds(document):
    document["build"]["bounds_check"] = True


def quick(document):
    document["run"]["tier"] = "quick"


def invalid(document):
    document["validity"]["valid"] = False


def reasoned(document):
    document["validity"]["reasons"] = ["size"]


def other_median(document):
    document["cases"][0]["statistics"]["median_s"] *= 0.99


def other_best(document):
    document["cases"][0]["statistics"]["best_s"] *= 0.99


def fewer_samples(document):
    document["cases"][0]["samples_s"].pop()


def other_best_figure(document):
    document["cases"][0]["foms"][1]["best"] *= 2


def passed_beyond(document):
    document["cases"][0]["checks"][0]["value"] = 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda document: times(100, document), "where a step of its samples makes"),
        (lambda document: times(1.00001, document), "where a step of its samples makes"),
        (fail, "is valid, but max_relative_error of triad/span/left/double failed"),
        (dirty, "is official, but suite.dirty is True"),
        (debug, "is official, but build.type is Debug"),
        (checked_bounds, "is official, but build.bounds_check is True"),
        (quick, "is official, but run.tier is quick"),
        (invalid, "is official, but validity.valid is False"),
        (reasoned, "is official, but has reasons: size"),
        (other_median, "says median_s is "),
        (other_best, "says best_s is "),
        (fewer_samples, "has statistics of "),
        (other_best_figure, "in its best sample"),
        (passed_beyond, "passed max_relative_error with 1, where 0 is allowed"),
    ],
)  # fmt: skip
def test_forged_records_are_named_and_left_out(tmp_path, change, words):
    document = synthetic.record()
    assert list(contradictions(document)) == []
    change(document)
    (path,) = synthetic.write(tmp_path, [document])
    found, skipped = records.gather([tmp_path])
    assert found == []
    assert str(skipped[0]).startswith(f"{path}: contradicts itself: ")
    assert words in str(skipped[0])


def test_a_failed_check_of_an_invalid_run_must_leave_no_figure():
    document = synthetic.record()
    document["validity"] = {"valid": False, "official": False, "reasons": ["verification"]}
    fail(document)
    assert "is measured, but its max_relative_error failed" in next(contradictions(document))
    for case in document["cases"]:
        case.update(status="failed", foms=[], reason="wrong")
    assert list(contradictions(document)) == []


def test_ceilings_are_audited_too():
    document = synthetic.record()
    document["ceiling_cases"] = [document["cases"].pop()]
    document["ceiling_cases"][0]["statistics"]["median_s"] *= 2
    assert "says median_s is " in next(contradictions(document))


def test_committed_records_do_not_contradict_themselves():
    paths = sorted((ROOT / "results").glob("*/*/*.json"))
    assert len(paths) > 50
    for path in paths:
        assert list(contradictions(json.loads(path.read_text()))) == [], path
