"""The comparison of an app's whole output with its golden file."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT, write_program

GOLDEN = """\
strata-a #
  build  #
  ranks  #
  devices  #
  memory  #
kernel  layout  best B/s  spread  time/control  verdict
---
sum  left  #  -  #  pass
sum  tiled8  #  -  pass
all  left  # B/s  -  #  pass

FOM v=1 app=a case=sum/left metric=bandwidth value=# unit=B/s best=# scope=job ranks=1
CHECK v=1 app=a case=sum/left check=error value=# allowed=1.4e-14 status=PASS
RESULT v=1 app=a status=PASS valid=yes official=no reasons=# exit=0 file=#
"""
OUTPUT = """\
strata-a 0.1.0 (1234567890ab)
  build    Release, a compiler; [and] Kokkos
  ranks    1 rank x 64 threads on 1 node of here
  devices  1 x Some Processor
  memory   1.5 MiB per rank, of 23 GiB
warning: rank 0 spans NUMA nodes 0-1
kernel  layout  best GB/s   spread  time/control   verdict
----------------------------------------------------------
sum     left       {best}       -         1.081   pass
sum     tiled8    5e-05       -                 pass
all     left   12 GB/s       -         0.993   pass

FOM v=1 app=a case=sum/left metric=bandwidth value={best}e+9 unit=B/s best=2 scope=job ranks=1
CHECK v=1 app=a case=sum/left check=error value=0 allowed=1.4e-14 status={status}
RESULT v=1 app=a status=PASS valid=yes official=no reasons=tier exit=0 file=results/x%20y.json
"""


class Comparison:
    """One golden file, and what an app prints."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.golden = folder / "smoke.golden.out"

    def of(self, output: str, code: int = 0, update: str = "") -> str:
        """What is said about that output; empty for nothing."""
        (self.folder / "printed").write_text(output)
        app = write_program(
            self.folder / "strata-a", f'cat "{self.folder}/printed"\nexit {code}\n'
        )
        words = {"program": app, "golden": self.golden, "found": self.folder / "found"}
        command = [shutil.which("cmake") or "cmake", *(f"-D{k}={v}" for k, v in words.items())]
        done = subprocess.run(
            [*command, "-P", str(ROOT / "common/testing/golden.cmake")],
            capture_output=True, text=True, check=False,
            env={**os.environ, "STRATA_UPDATE_GOLDEN": update},
        )  # fmt: skip
        assert (done.returncode == 0) == (not done.stderr)
        return done.stderr


@pytest.fixture
def comparison(tmp_path) -> Comparison:
    made = Comparison(tmp_path)
    made.golden.write_text(GOLDEN)
    return made


@pytest.mark.parametrize("best", ["4.21", "812.3", "0.5"])
def test_figures_machines_and_builds_may_differ(comparison, best):
    assert comparison.of(OUTPUT.format(best=best, status="PASS")) == ""


@pytest.mark.parametrize("prefix", ["", "M", "G"])
def test_units_without_a_name_may_have_another_prefix(comparison, prefix):
    """Contact's: a faster machine finds 1 G1/s where another finds 999 M1/s."""
    comparison.golden.write_text(GOLDEN.replace("B/s  ", "1/s  "))
    output = OUTPUT.replace("GB/s  ", f"{prefix}1/s  ")
    assert comparison.of(output.format(best="1.0", status="PASS")) == ""


def test_a_word_may_not_and_the_difference_is_shown(comparison):
    said = comparison.of(OUTPUT.format(best="1.0", status="FAIL"))
    assert "STRATA_UPDATE_GOLDEN=1 scripts/test ctest -L golden" in said
    line = "CHECK v=1 app=a case=sum/left check=error value=# allowed=1.4e-14 status="
    assert [text.strip()[:-4] for text in said.splitlines() if "CHECK" in text] == [
        f"-{line}",
        f"+{line}",
    ]
    assert "+++ found" in said


def test_the_file_is_made_on_demand(comparison):
    comparison.golden.unlink()
    output = OUTPUT.format(best="1.0", status="PASS")
    assert "there is no" in comparison.of(output)
    assert comparison.of(output, update="1") == ""
    assert comparison.golden.read_text() == GOLDEN


def test_a_run_that_fails_makes_no_file(comparison):
    comparison.golden.unlink()
    assert "exit code 6" in comparison.of(OUTPUT, code=6, update="1")
    assert not comparison.golden.exists()
