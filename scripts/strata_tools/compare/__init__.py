"""Compares runs: ratios of what is alike, with what may be claimed of them.

The first record or folder is the base, each further one is held against it. Cases pair by app,
label, problem (what the deck asks for and the sizes that came of it) and ranks; where two
devices' default storage orders differ, default pairs with default too. Several launches of one
thing are pooled, and a launch's median is one observation: samples within a launch are not
independent. Ratios are turned so that above 1 is better than the base.

There are two designs, and the page says which it had. Launches of a race (`strata race`; name
its folder alone, or its two sides) are compared as pairs in ABBA order: the ratio is the
Hodges-Lehmann estimate of the pairs' ratios, the test Wilcoxon's signed-rank test, the interval
that test's. All others are independent launches: the ratio of medians with its bootstrap
interval, and a test that labels the launches' sides anew. Where such sides were on the same
nodes and not in turn, by the times of their launches, the interval has room for a steady
drift, and a difference must be more than that.

From 9 pairs, or 9 launches on each side, the difference is tested: `faster` or `slower` is said
where the test rejects equality at 5 % over all cases (pairs: corrected by Holm; launches: all
cases labelled at once, by Westfall and Young) and the 95 % interval excludes 1; else `no
difference shown`. With fewer, or too few for so many cases, nothing is claimed; below 6 there
is no interval either. scripts/README.md shows how often this finds what is there, and claims
what is not.

Refused, each with its reason: records that are not valid or of tier smoke, and pairs that
differ in problem, sizes, ranks, precision, tier, meaning of the figure (fom_version), metric or
breaking version of the suite, or whose side mixes systems, devices, threads, commits, builds or
labels. --force compares them and stamps the page. The text of decks and how long they measure
may differ.

exit codes: 0 all compared; 2 command line; 10 something was left out (a file skipped, a pair
refused or, with --fail-below, a case of the base, on one of its problems or numbers of ranks,
not measured on the other side, or with too few launches for an interval); 11 nothing was left
to compare; 12 a ratio's whole interval is below --fail-below, while one that only reaches below
it is warned of. The highest that applies.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from strata_tools.run import positive


def ratio(text: str) -> float:
    """A gate's, of an option."""
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value < 10:
        raise argparse.ArgumentTypeError(f"'{text}' is no ratio such as 0.97")
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "sides", nargs="*", type=Path, metavar="RECORD|FOLDER",
        help="the base first; or the folder of one race",
    )  # fmt: skip
    form = parser.add_mutually_exclusive_group()
    for name in ("markdown", "csv", "json"):
        form.add_argument(
            f"--{name}", dest="form", action="store_const", const=name, help=f"print {name}"
        )
    parser.set_defaults(form="text")
    parser.add_argument(
        "--fail-below",
        type=ratio,
        metavar="RATIO",
        help="regression gate, such as 0.97: exit 12 where a ratio is below",
    )
    parser.add_argument(
        "--plan", metavar="LOSS",
        help="tell how many launches find a loss such as 2%%; with --noise and --cases",
    )  # fmt: skip
    parser.add_argument(
        "--noise", metavar="SHARE", help="by which launches of one thing differ, such as 1%%"
    )
    parser.add_argument(
        "--cases", type=positive, default=1, metavar="N", help="to be compared at once (1)"
    )
    parser.add_argument(
        "--force", action="store_true", help="compare also the unlike; says so on the page"
    )


def main(arguments: argparse.Namespace) -> int:
    # Here, since `strata run` is to do without the packages that it needs.
    from strata_tools.compare import planning, verb  # noqa: PLC0415

    if arguments.plan is not None:
        return planning.main(arguments)
    return verb.main(arguments)
