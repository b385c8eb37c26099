"""Races two executables: launches them in turn and compares them by pairs.

A, the base, and B are what was built of one or more apps: an executable, a folder of
strata-APP, a build or installation with them in its bin, a clone with build/run. They are
launched in ABBA order (A B, B A, A B, ...), one record each, on the same nodes with the same
ranks, so that what drifts meets both alike; the two launches of a pair give one ratio of each
case. The race ends with their comparison, which `strata compare FOLDER` shows again.

What stands after -- is handed to both sides: a deck's file first, if any, then options such as
--set and --only. Without a deck each app measures its built-in one.

babelstream:PROGRAM as one side names an executable of BabelStream, which is run on the size and
precision of the other side's strata-stream; options of its own stand in one word with it:
"babelstream:omp-stream -n 500". It tells only the fastest of its times, so that launches are
compared by their best. Its answers are checked by itself, not by Strata, and none of its
figures enters a record.

Where launches differ by more than what is looked for, as on a machine that is shared or changes
its clocks, --turns samples starts the two launches of a pair at once, and they take their
samples in turn: one sleeps while the other measures. It is for one rank; both launches hold
their memory at once, and their records, which share the device, are not official.

The folder has race.json (which launch was which), the records and what was printed, in A and
B. A launch that fails ends the race. The same command with the race's --output-dir goes on with
the next pair; more --pairs may be asked for then.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from strata_tools import RACES
from strata_tools.compare import ratio
from strata_tools.run import add_placement, positive

LAUNCHES, SAMPLES = "launches", "samples"
"""What the sides may take in turn."""
EXAMPLES = """examples:
  strata race ../before build/run                      every app that both have, built-in decks
  strata race old/strata-stream new/strata-stream -- inputs/procurement/stream.yaml
  strata race ../before . --app stream --pairs 20 -- --only '^stream/triad/'
  strata race build/run babelstream:omp-stream --app stream --ranks 1

exit codes: those of compare; of a launch that failed; 2 command line, 3 deck, 4 placement,
8 not writable, 9 interrupted
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = EXAMPLES
    parser.usage = "strata race [OPTION]... A B [-- [DECK] [WORD]...]"
    option = parser.add_argument
    option("sides", nargs=2, metavar="SIDE", help="A, the base, and B")
    option("--pairs", type=positive, metavar="N",
           help="launches of each side (12 for one case, 22 for a hundred: 2 %% are found "
           "where launches differ by 1 %%)")  # fmt: skip
    option("--app", action="append", metavar="NAME",
           help="only this of the sides' apps (may be repeated)")  # fmt: skip
    option("--set", action="append", default=[], metavar="KEY.PATH=VALUE",
           help="override one value of the deck, on both sides (may be repeated)")  # fmt: skip
    option("--only", metavar="REGEX", help="only the cases that match, on both sides")
    option("--ranks", type=positive, metavar="N", help="ranks of each launch (one per device)")
    add_placement(parser)
    option("--output-dir", type=Path, metavar="DIR",
           help=f"the race's folder (one of its own in {RACES.name})")  # fmt: skip
    option("--dry-run", action="store_true", help="print the commands, run nothing")
    option("--turns", choices=(LAUNCHES, SAMPLES), default=LAUNCHES,
           help="what the sides take in turn (launches)")  # fmt: skip
    option("--fail-below", type=ratio, metavar="RATIO", help="as of compare")
    option("--force", action="store_true",
           help="go on with launches that are not valid, compare them and say so")  # fmt: skip


def main(arguments: argparse.Namespace) -> int:
    # Here, since `strata run` is to do without the packages that comparing needs.
    from strata_tools.race import verb  # noqa: PLC0415

    return verb.main(arguments)
