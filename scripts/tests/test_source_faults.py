"""Builds the apps with faults in launches, kernels and messages; their checks must see each.

What a launch leaves out, the loops that fill, spoil and check must not leave out as well.
"""

import os
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

import fault_campaign
import source_faults
from source_faults import FAULTS


@pytest.fixture(scope="module")
def build() -> Path:
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs a configured build: run it by scripts/test")
    return Path(os.environ["STRATA_BUILD"])


@pytest.fixture(scope="module")
def faulty(build) -> Path:
    """The folder of the executables with the faults."""
    return source_faults.built(build)


def test_every_change_has_its_place():
    for name, changes in source_faults.CHANGES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        for before, _ in changes:
            assert text.count(before) == 1, f"{name} no longer says {before!r}"


def test_a_copy_of_earlier_sources_loses_what_they_no_longer_have(tmp_path):
    gone = tmp_path / "common" / "gone.cpp"
    gone.parent.mkdir()
    gone.write_text("neither compiled nor kept\n")
    source_faults.copy_sources(tmp_path)
    assert not gone.exists()
    assert (tmp_path / "CMakeLists.txt").exists()


@pytest.mark.parametrize("app", sorted({fault.app for fault in FAULTS}))
def test_without_a_fault_all_pass(faulty, app):
    cases = fault_campaign.run(faulty / f"strata-{app}", {})
    assert cases
    assert all(case["status"] == "measured" for case in cases)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.app}-{fault.word}")
def test_every_case_that_a_fault_reaches_is_rejected(build, faulty, fault):
    if not fault.is_in(build):
        pytest.skip(f"the fault is one of a {fault.device}")
    campaign = fault_campaign.Campaign(fault.app)
    verdicts = fault_campaign.reach(campaign, faulty, fault)
    assert sum(cell.rejected for cell in campaign.cells.values()) > 0
    assert campaign.passed() == []
    assert set(fault.verdicts) <= set(verdicts)


@pytest.mark.parametrize("word", ["tail", "block"])
def test_contact_makes_no_rows_by_launches_with_a_fault(build, faulty, tmp_path, word):
    """Its rows hold offsets that launches write: it ends before any kernel follows them."""
    if word == "block" and not source_faults.on_gpu(build):
        pytest.skip("a host's loop has no blocks")
    done = subprocess.run(
        [faulty / "strata-contact", "--deck", "decks/smoke.yaml", "--output-dir", tmp_path],
        cwd=ROOT / "miniapps" / "contact", env=os.environ | {source_faults.VARIABLE: word},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 6, done.stderr
    assert "rows of contacts cannot be made by them" in done.stderr
    assert "CHECK" not in done.stdout
    assert "FOM" not in done.stdout
