"""What `strata report` exports for the p3-analysis library, and what that comes to by it."""

import csv

import pytest
import synthetic
from test_report import launch, report

from strata_tools.__main__ import main
from strata_tools.records import gather
from strata_tools.report import portability
from strata_tools.report.book import book

P3_ANALYSIS = {"span": (1, 1 / 2, 2 / 3), "native": (2 / 3, 1, 4 / 5), "view": (1 / 2, 0, 0)}
"""Efficiencies on the two systems, and performance portability."""


@pytest.fixture(params=["higher", "lower"])
def exported(tmp_path, request):
    """Of three variants on two systems, one failing on the second; and what is better."""

    def system(number, name, slow):
        cases = [
            {"kernel": "triad", "variant": v, "slow": s, "noise": 0} for v, s in slow.items()
        ]
        return launch(number, system=name, device=f"CPU of {name}", cases=cases)

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


def test_the_exported_figures_make_the_reports_efficiencies(exported):
    """The numbers are those of p3-analysis' own functions (application_efficiency and pp of its
    commit bbebc59) for this file. No registry has the library, and it wants Python 3.12."""
    folder, better = exported
    best: dict[str, float] = {}
    with (folder / f"p3-{better}.csv").open() as stream:
        rows = [row for row in csv.DictReader(stream) if float(row["fom"] or 0)]
    rates = {
        (row["application"], row["platform"]): float(row["fom"]) ** (1, -1)[better == "lower"]
        for row in rows
    }
    for (_, platform), rate in rates.items():
        best[platform] = max(rate, best.get(platform, 0))
    mine = portability.standings(book(*gather([folder / "in"])))
    alpha, beta = sorted(best)
    for variant, (on_alpha, on_beta, portable) in P3_ANALYSIS.items():
        (one,) = (one for one in mine if one.variant == variant)
        assert one.efficiencies == pytest.approx({alpha: on_alpha, beta: on_beta})
        assert one.portability == pytest.approx(portable)
        exported_ones = [rates.get((variant, p), 0) / best[p] for p in (alpha, beta)]
        assert exported_ones == pytest.approx([on_alpha, on_beta])
