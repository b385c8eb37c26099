#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Whether every verdict rejects: kernels × variants × faults on the apps' smoke decks.

    fault_campaign.py [--app APP]... [--fault FAULT]... [--no-sources] [BUILD]

BUILD is a build folder with the apps, build/test where none is given. Every case of an app's
smoke deck runs with each fault of its output that STRATA_FAULT knows
(common/verify/fault.hpp), and with each fault in the sources that source_faults.py builds.
Printed is a table for each app: a line for each kernel and variant, a column for each fault
(those in the sources in brackets), and how many of their cases were rejected; then how often
each verdict did so. A fault that alters nothing, such as the exchange of equal values, is not
counted as tried; a star says so. Nothing else is written, but for the build of the sources
inside BUILD. Exit 1 if a case passes under its fault.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import source_faults

ROOT = source_faults.ROOT
# Of one rank, and of one of two.
FAULTS = (
    "value", "value@middle", "value@last", "value@1", "value@2", "value@3", "nan@middle",
    "nan@last", "swap", "swap@middle", "swap@last", "shift", "half", "tail", "skip",
    "value@last@rank1", "half@rank1",
)  # fmt: skip
MPI = {
    "OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
}  # fmt: skip


def preloading(library: Path) -> dict[str, str]:
    """Preloads it before what is preloaded already."""
    others = os.environ.get("LD_PRELOAD", "").split(":")
    return {"LD_PRELOAD": ":".join(filter(None, [str(library), *others]))}


def apps() -> list[str]:
    return sorted(deck.parents[1].name for deck in ROOT.glob("miniapps/*/decks/smoke.yaml"))


@dataclass
class Cell:
    """The cases of a kernel and variant under a fault."""

    rejected: int = 0
    passed: list[str] = field(default_factory=list)
    untouched: int = 0  # the fault altered nothing

    def text(self) -> str:
        tried = self.rejected + len(self.passed)
        star = "*" if self.untouched else ""
        return f"{self.rejected}/{tried}{star}" if tried else star


@dataclass
class Campaign:
    """What has become of all cases of an app."""

    app: str
    cells: dict[tuple[str, str], Cell] = field(default_factory=lambda: defaultdict(Cell))
    verdicts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, fault: str, case: dict) -> None:
        kernel_and_variant = "/".join(case["label"].split("/")[:2])
        cell = self.cells[kernel_and_variant, fault]
        if case["status"] == "failed":
            cell.rejected += 1
            names = {check["check"] for check in case["checks"] if check["status"] == "FAIL"}
            self.verdicts.update(names or {"(an error that says why)"})
        elif case.get("outcome", {}).get("fault") == "altered nothing":
            cell.untouched += 1
        else:
            cell.passed.append(case["label"])

    def passed(self) -> list[str]:
        return [
            f"{self.app} {case} passes under {fault}"
            for (_, fault), cell in self.cells.items()
            for case in cell.passed
        ]

    def table(self) -> str:
        lines = [[self.app, *self.faults]]
        for kernel in dict.fromkeys(kernel for kernel, _ in self.cells):
            cells = [self.cells.get((kernel, fault), Cell()) for fault in self.faults]
            lines.append([kernel, *(cell.text() for cell in cells)])
        widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
        rows = ["  ".join(word.ljust(w) for word, w in zip(line, widths)).rstrip()
                for line in lines]  # fmt: skip
        rejecting = ", ".join(f"{name} {n}" for name, n in self.verdicts.most_common())
        return "\n".join([*rows, f"rejected by: {rejecting}"])


def run(
    binary: Path, environment: dict[str, str], ranks: int = 1, more: tuple[str, ...] = ()
) -> list[dict]:
    """The cases that the app's smoke deck can run here, from the record. Raises RuntimeError
    where there is none."""
    app = binary.name.removeprefix("strata-")
    with tempfile.TemporaryDirectory() as output:
        launch = ["mpirun", "-n", str(ranks)] if ranks > 1 else []
        if ranks > 1:  # where there is one GPU
            more += ("--set", "parallel.share_devices=true")
        done = subprocess.run(
            [*launch, binary, "--deck", "decks/smoke.yaml", "--output-dir", output, *more],
            cwd=ROOT / "miniapps" / app, env={**os.environ, **MPI, **environment},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        records = list(Path(output).rglob("*.json"))
        if len(records) != 1 or done.returncode not in (0, 6):
            raise RuntimeError(
                f"{app} under {environment}: exit {done.returncode}\n{done.stderr}"
            )
        record = json.loads(records[0].read_text(encoding="utf-8"))
    return [case for case in record["cases"] if case["status"] != "unavailable"]


def inject(campaign: Campaign, binary: Path, fault: str) -> None:
    """Runs all cases with a fault of their outputs."""
    ranks = 2 if "@rank" in fault else 1
    campaign.faults.append(fault)
    for case in run(binary, {"STRATA_FAULT": f"{fault}:."}, ranks):
        campaign.add(fault, case)


def reach(campaign: Campaign, binaries: Path, fault: source_faults.SourceFault) -> Counter[str]:
    """Runs all cases with a fault in the sources; returns the verdicts that rejected those that
    it reaches."""
    word = f"({fault.word})"
    campaign.faults.append(word)
    more = tuple(word for setting in fault.sets for word in ("--set", setting))
    if only := source_faults.ONLY.get((fault.app, fault.word)):
        more += ("--only", only)
    before = campaign.verdicts.copy()
    asked = {source_faults.VARIABLE: fault.word}
    for case in run(binaries / f"strata-{fault.app}", asked, fault.ranks, more):
        if re.match(fault.reaches, case["label"]):
            campaign.add(word, case)
    return campaign.verdicts - before


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("build", nargs="?", type=Path, default=ROOT / "build" / "test")
    parser.add_argument("--app", action="append", choices=apps(), help="one of them; or all")
    parser.add_argument("--fault", action="append", help="of STRATA_FAULT, without ':'; or all")
    parser.add_argument("--no-sources", action="store_true", help="no faults in the sources")
    options = parser.parse_args()
    build = options.build.resolve()
    faulty = None if options.no_sources else source_faults.built(build)
    passed = []
    for app in options.app or apps():
        binary = build / "bin" / f"strata-{app}"
        if sound := [case["label"] for case in run(binary, {}) if case["status"] == "failed"]:
            sys.exit(f"without a fault {', '.join(sound)} of {app} fails")
        campaign = Campaign(app)
        for fault in options.fault or FAULTS:
            inject(campaign, binary, fault)
        for fault in source_faults.FAULTS if faulty else ():
            if fault.app == app and fault.is_in(build):
                reach(campaign, faulty, fault)
        print(campaign.table() + "\n", flush=True)
        passed += campaign.passed()
    print("\n".join(passed) if passed else "every fault that was tried is rejected")
    return 1 if passed else 0


if __name__ == "__main__":
    sys.exit(main())
