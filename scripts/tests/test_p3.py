"""What `strata report` exports for the p3-analysis library, read by that library if there."""

import csv

import pytest
import synthetic
from test_report import launch, report

from strata_tools.__main__ import main
from strata_tools.records import gather
from strata_tools.report import portability
from strata_tools.report.book import book


@pytest.fixture(params=["higher", "lower"])
def exported(tmp_path, request):
    """Of three variants on two systems, one failing on the second; and what is better."""

    def system(number, name, slow):
        cases = [{"kernel": "triad", "variant": v, "slow": s} for v, s in slow.items()]
        return launch(number, system=name, cases=cases)

    second = system(1, "beta", {"span": 2, "native": 1, "view": 4})
    second["cases"][2].update(status="failed", reason="too far off", foms=[])
    records = [system(0, "alpha", {"span": 1, "native": 1.5, "view": 2}), second]
    foms = [fom for record in records for case in record["cases"] for fom in case["foms"]]
    for fom in foms if request.param == "lower" else []:
        fom.update(better="lower", value=1 / fom["value"], best=1 / fom["best"], ci95=None)
    synthetic.write(tmp_path / "in", records)
    assert main(["report", str(tmp_path / "in"), "--output", str(tmp_path)]) == 0
    return tmp_path, request.param


def test_p3_has_a_zero_for_what_failed(tmp_path, capsys):
    record = launch(cases=[{"kernel": "triad"}, {"kernel": "triad", "variant": "view"}])
    record["cases"][1].update(status="failed", reason="too far off", foms=[])
    synthetic.write(tmp_path / "in", [record])
    report(capsys, tmp_path / "in", "--output", tmp_path)
    with (tmp_path / "p3-higher.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == ["problem", "application", "platform", "fom", "date"]
    assert [(row["application"], float(row["fom"]) > 0) for row in rows] == [
        ("span", True),
        ("view", False),
    ]


def test_the_library_comes_to_the_reports_efficiencies(exported):
    """By its own functions: application efficiency, performance portability, cascade plot. No
    package registry has it, so that it is no requirement: to try, pip install a clone of it."""
    why = "needs the p3-analysis library"
    metrics = pytest.importorskip("p3analysis.metrics", reason=why)
    plot = pytest.importorskip("p3analysis.plot", reason=why)
    pandas = pytest.importorskip("pandas")
    folder, better = exported
    table = pandas.read_csv(folder / f"p3-{better}.csv")
    found = metrics.application_efficiency(table, foms=better)
    mine = portability.standings(book(*gather([folder / "in"])))
    expected = {
        (one.variant, place.system): value
        for one in mine
        for place, value in one.efficiencies.items()
    }
    keys = zip(found["application"], found["platform"])
    assert dict(zip(keys, found["app eff"])) == pytest.approx(expected)
    portable = metrics.pp(found)
    theirs = dict(zip(portable["application"], portable["app pp"]))
    assert theirs == pytest.approx({one.variant: one.portability for one in mine})
    plot.cascade(found).save(folder / "cascade.png")
    assert (folder / "cascade.png").stat().st_size > 0
