"""Strata's apps as ReFrame tests; every figure of a job becomes a performance variable.

    export STRATA_BUILD=$PWD/build/run            # its bin/ has the executables
    reframe -c scripts/reframe/strata.py -r --performance-report
    reframe -c scripts/reframe/strata.py -r -n 'Strata.*stream' -S num_tasks=8 \\
        -S deck=$PWD/inputs/procurement/stream.yaml -S arguments=--strict

Give the site's own settings with -C. A test passes on the RESULT line, which an app prints
last, after its answers were checked on all ranks; figures of cases that failed are not there.
"""

# ruff: noqa: RUF012 (ReFrame copies the attributes of a class)
import os
import re
from pathlib import Path

import reframe.utility.sanity as sn
from reframe.core.builtins import (
    parameter,
    run_after,
    run_before,
    sanity_function,
    variable,
)

import reframe as rfm

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(os.environ.get("STRATA_BUILD", ROOT / "build" / "run")).resolve() / "bin"
APPS = sorted(path.name[len("strata-") :] for path in BIN.glob("strata-*"))
if not APPS:
    raise FileNotFoundError(f"{BIN} has no executables; set STRATA_BUILD to a build folder")
PASS = r"^RESULT v=1 app={app} status=PASS "
FOM = (
    r"^FOM v=1 app={app} case=(?P<case>\S+) metric=(?P<metric>\S+) value=(?P<value>\S+) "
    r"unit=(?P<unit>\S+) .*scope=job "
)


@rfm.simple_test
class Strata(rfm.RunOnlyRegressionTest):
    app = parameter(APPS)
    deck = variable(str, value="")
    arguments = variable(str, value="")
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 1
    time_limit = "1h"
    tags = {"strata"}

    @run_after("init")
    def say_what_it_is(self):
        self.descr = f"strata-{self.app}"
        self.executable = str(BIN / f"strata-{self.app}")
        deck = ["--deck", self.deck] if self.deck else []
        self.executable_opts = [*deck, *self.arguments.split(), "--output-dir", "results"]
        self.keep_files = ["results"]

    @sanity_function
    def passed(self):
        return sn.assert_found(PASS.format(app=self.app), self.stdout)

    @run_before("performance")
    def take_all_figures(self):
        text = (Path(self.stagedir) / self.stdout.evaluate()).read_text(encoding="utf-8")
        found = re.finditer(FOM.format(app=self.app), text, re.MULTILINE)
        self.perf_variables = {
            f"{fom['case']}/{fom['metric']}": figure(float(fom["value"]), fom["unit"])
            for fom in found
        }


def figure(value: float, unit: str):
    """A performance variable whose value is known already."""
    return sn.make_performance_function(sn.defer(value), unit)
