"""The fault campaign: what its table says, and its short form."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

import fault_campaign
from fault_campaign import Campaign

SHORT = ("value@last", "nan@middle", "swap@1", "tail", "value@2@rank1")
# Of these the fault may alter nothing: bools are never NaN, whole numbers neither; all values
# that `set` writes are the same; a sum has no neighbour.
MAY_BE_UNTOUCHED = {"stream": {"set", "copy", "dot", "read"}, "contact": {"statistics"}}


def case(label, status="measured", checks=(), **more):
    checks = [{"check": name, "status": word} for name, word in checks]
    return {"label": label, "status": status, "checks": checks, **more}


def test_the_table_counts_what_was_rejected_and_by_what():
    campaign = Campaign("stream", faults=["value", "swap"])
    bad = [("max_relative_error", "FAIL"), ("other", "PASS")]
    campaign.add("value", case("dot/span/left", "failed", bad))
    campaign.add("value", case("dot/span/right", "failed", bad))
    campaign.add("swap", case("dot/span/left", outcome={"fault": "altered nothing"}))
    campaign.add("value", case("add/view/left", "failed"))
    campaign.add("swap", case("add/view/left", outcome={"spread": "even"}))
    assert campaign.table() == (
        "stream    value  swap\n"
        "dot/span  2/2    *\n"
        "add/view  1/1    0/1\n"
        "rejected by: max_relative_error 2, (an error that says why) 1"
    )
    assert campaign.passed() == ["stream add/view/left passes under swap"]


@pytest.mark.parametrize("app", fault_campaign.apps())
def test_every_fault_is_rejected(binaries, app):
    campaign = Campaign(app)
    for fault in SHORT:
        fault_campaign.inject(campaign, binaries / f"strata-{app}", fault)
    assert campaign.passed() == []
    assert sum(cell.rejected for cell in campaign.cells.values()) > 0
    untouched = {
        kernel.split("/")[0] for (kernel, _), cell in campaign.cells.items() if cell.untouched
    }
    assert untouched <= MAY_BE_UNTOUCHED.get(app, set())


def test_the_command_prints_the_table_and_writes_nothing(binaries):
    status = ["git", "status", "--porcelain"]
    before = subprocess.run(status, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "fault_campaign.py", "--app", "hexgrad", "--fault",
         "half", "--no-sources", binaries.parent],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("hexgrad          half\ngradient/span")
    assert done.stdout.endswith("every fault that was tried is rejected\n")
    after = subprocess.run(status, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert after == before
