"""Records that contradict themselves are named and left out."""

import json

import pytest
import synthetic
from conftest import ROOT

from strata_tools import records
from strata_tools.records.audit import contradictions
from strata_tools.records.documents import complete_places
from strata_tools.records.peaks import peak


def times(figure, document):
    """Every figure of it is that many times as good; its samples stay."""
    for case in document["cases"]:
        for fom in case["foms"]:
            fom.update({key: fom[key] * figure for key in ("value", "best")})
            fom["ci95"] = [figure * end for end in fom["ci95"]]


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


def narrower(document):
    document["cases"][0]["statistics"]["ci95"][1] *= 0.999


def narrower_than_correlated(document):
    case = document["cases"][0]
    case["samples_s"].sort()
    case["statistics"]["lag1"] = 0.9


def narrower_figure(document):
    document["cases"][0]["foms"][0]["ci95"][0] *= 1.001


def without_interval(document):
    document["cases"][0]["statistics"]["ci95"] = None


def passed_beyond(document):
    document["cases"][0]["checks"][0]["value"] = 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda document: times(100, document), "where a step of its samples makes 1.99"),
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
        (narrower, "says ci95 is "),
        (narrower_than_correlated, "says ci95 is "),
        (narrower_figure, "has bandwidth in "),
        (without_interval, "says ci95 is none, and its samples 0.0"),
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


def test_figures_that_are_no_rates_are_let_be():
    document = synthetic.record()
    share, missing = document["cases"][0]["foms"]
    share.update(metric="share", value=0.5, best=0.6, unit="1", ci95=None)
    missing.update(value=None, best=None, ci95=None)
    assert list(contradictions(document)) == []


def test_samples_without_statistics_are_let_be():
    document = synthetic.record()
    document["cases"][0].update(statistics=None, foms=[])
    assert list(contradictions(document)) == []


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


def on(device, document, rate):
    """The record, of a device that moved so many times what it can."""
    document["placement"][0].update(device=device, device_id=0)
    document["ceiling"] = dict.fromkeys(("read", "write", "copy", "triad"), rate)
    return document


@pytest.mark.parametrize(
    ("device", "most", "source"),
    [
        ("NVIDIA H200", 4.8e12, "NVIDIA H200 Tensor Core GPU"),
        ("NVIDIA GH200 144G HBM3e", 4.9e12, "NVIDIA GH200 Grace Hopper Superchip"),
        ("NVIDIA H100 80GB HBM3", 3.35e12, "NVIDIA H100 Tensor Core GPU, SXM"),
        ("AMD Instinct MI250X", 1.6384e12, "AMD Instinct MI200 series, for each die"),
    ],
)
def test_no_ceiling_is_above_what_the_memory_is_clocked_at(device, most, source):
    assert list(contradictions(on(device, synthetic.record(), most * 1.04))) == []
    document = on(device, synthetic.record(), most * 1.06)
    assert next(contradictions(document)) == (
        f"has {most * 1.06:.4g} B/s of ceiling.read, where 1 {device} can move "
        f"{most:.4g} B/s ({source})"
    )
    document["run"]["tier"] = "smoke"
    assert "ceiling" not in " ".join(contradictions(document))
    two = on(device, synthetic.record(ranks=2), most * 1.06)
    two["placement"][1].update(device=device, device_id=1)
    assert list(contradictions(two)) == []
    two["placement"][1].update(device_id=0)  # the same one
    assert len(list(contradictions(two))) == 4


def test_no_case_outside_caches_is_above_it_either():
    document = synthetic.record()
    case = document["cases"][0]
    case["work"]["bytes_read"] *= 1000
    case["foms"] = []
    on("NVIDIA H200", document, 1e12)
    assert list(contradictions(document)) == []
    case["in_cache"] = True
    assert list(contradictions(document)) == []
    case["in_cache"] = False
    assert "B/s of triad/span/left/double, where 1 NVIDIA H200" in next(
        contradictions(document)
    )


@pytest.mark.parametrize(
    ("device", "terabytes"),
    [
        ("NVIDIA GH200 480GB", 4.0), ("NVIDIA B200", 8.0), ("NVIDIA H100 NVL", 3.9),
        ("NVIDIA H100 PCIe", 2.0), ("NVIDIA A100-SXM4-80GB", 2.039),
        ("Tesla V100-SXM2-16GB", 0.9), ("AMD Instinct MI325X", 6.0),
        ("AMD Instinct MI300X", 5.3), ("AMD Instinct MI300A", 5.3),
        ("AMD Instinct MI210", 1.6384), ("AMD Instinct MI100", 1.2288),
    ],
)  # fmt: skip
def test_peaks_are_those_of_the_data_sheets(device, terabytes):
    assert peak(device)[0] == pytest.approx(terabytes * 1e12)


def test_devices_of_unknown_peak_have_none():
    assert peak("Imaginary CPU") is None
    assert peak("NVIDIA A100-SXM4-40GB") == (1.555e12, "NVIDIA A100 Tensor Core GPU, 40 GB")


def test_committed_records_do_not_contradict_themselves():
    paths = sorted((ROOT / "results").glob("*/*/*.json"))
    assert len(paths) > 50
    for path in paths:
        document = json.loads(path.read_text())
        complete_places(document)
        assert list(contradictions(document)) == [], path


def test_samples_may_be_whole_numbers_beyond_64_bits(tmp_path):
    (file,) = synthetic.side(tmp_path, launches=1).glob("**/*.json")
    document = json.loads(file.read_text())
    document["cases"][0]["samples_s"][0] = 2**64
    assert all(isinstance(fault, str) for fault in list(contradictions(document)))
