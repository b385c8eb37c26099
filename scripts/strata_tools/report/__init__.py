"""Reports on runs: one page for people, tables for programs.

Reads every record below the folders and writes into --output: report.html, one file that opens
offline, asks no server for anything and prints with all that its figures rest on; report.md and
report.json, the same for other programs; comparisons.csv, its comparisons as those of `strata
compare --csv`; figures.csv, every figure of every case of every record; p3-higher.csv (and
-lower), for the p3-analysis library: hand its pp() the rows of one problem; a variant without a
row on a platform counts there as failed.

Files that are no record of Strata's are named and skipped: cut off, of other programs, of a
newer format, a run that is there twice; where the two differ, both. Records that are not valid
or of tier smoke are listed, and give no figure. Launches of one problem and tier, alike in
system, device, ranks, nodes, threads, build, commit and STRATA_LABEL, are pooled: their median
is the figure, and its digits follow the interval. Machines are set side by side where problem,
sizes, tier and commit are the same.

exit codes: 0 all went into the report; 2 command line, a weights file that cannot be used, or
a picture that there is none of; 8 the report could not be written; 10 something was left out (a
file skipped, or a record not valid), the report has the rest; 11 no record was left, and there
is no report.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from strata_tools import ROOT


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "folders",
        nargs="*",
        type=Path,
        default=[ROOT / "results"],
        metavar="FOLDER|RECORD",
        help="where the records are (results of this clone)",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "build" / "report",
        metavar="DIR",
        help="where the report goes (build/report of this clone)",
    )
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FILE",
        help="YAML of weights, for a score; inputs/procurement/weights.yaml is one",
    )
    parser.add_argument(
        "--picture",
        type=Path,
        action="append",
        default=[],
        metavar="FILE.png",
        help="write a chart there as well, the one that the file's name names (an unknown name "
        "lists them)",
    )
    parser.add_argument("--title", default="Strata report", help="of the page")


def main(arguments: argparse.Namespace) -> int:
    # Here, since `strata run` is to do without the packages that it needs.
    from strata_tools.report import verb  # noqa: PLC0415

    return verb.main(arguments)
