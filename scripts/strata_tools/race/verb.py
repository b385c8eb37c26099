"""`strata race`: plans, launches pair by pair, and ends with the comparison."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from datetime import datetime, timezone
from pathlib import Path

from strata_tools import RACES
from strata_tools.compare import verb as comparison
from strata_tools.find_launcher import NoLauncherError
from strata_tools.race import manifest, plan
from strata_tools.race.manifest import SIDES, LaunchError, Race, RaceError
from strata_tools.race.runner import Runner
from strata_tools.run import (
    COMMAND_LINE,
    OK,
    PLACEMENT,
    interruptible,
    not_writable,
    refuse,
)
from strata_tools.strict_yaml import InvalidFileError
from strata_tools.text import printable


def main(arguments: argparse.Namespace) -> int:
    return interruptible(lambda: _race(arguments))


def _race(arguments: argparse.Namespace) -> int:
    try:
        planned = plan.make(arguments)
        if arguments.dry_run:
            return _show(planned)
        race = _folder(arguments.output_dir, planned)
        Runner(race, planned, arguments.force).run()
    except RaceError as error:
        print(error, file=sys.stderr)
        return error.code if isinstance(error, LaunchError) else COMMAND_LINE
    except NoLauncherError as missing:
        print(missing, file=sys.stderr)
        return PLACEMENT
    except InvalidFileError as invalid:
        return refuse(invalid)
    except OSError as error:
        return not_writable(error, "--output-dir")
    print(f"the race is in {printable(str(race.folder))}", file=sys.stderr, flush=True)
    wanted = {"form": "text", "fail_below": arguments.fail_below, "force": arguments.force}
    return comparison.main(argparse.Namespace(sides=[race.folder], **wanted))


def _show(planned: plan.Plan) -> int:
    for pair in range(1, planned.pairs + 1):
        for app in planned.apps:
            order, words = planned.order(pair), ("FOLDER", ("SIZE", "SCALAR"))
            for side in order:
                turn = planned.turn_words(side, order, "SOCKET")
                both = " &" if turn and side == order[0] else ""
                print(shlex.join(planned.command(side, app, *words, turn)) + both)
    return OK


def _folder(told: Path | None, planned: plan.Plan) -> Race:
    """The race that is to be gone on with, or a new one. Raises RaceError, OSError."""
    if told and manifest.is_race(told):
        race = manifest.read(told.resolve())
        if race.asked != planned.asked():
            raise RaceError(
                f"{printable(str(told))} has another race: its executables, apps, words, "
                "ranks or turns are not these; name another --output-dir"
            )
        race.pairs = max(race.pairs, planned.pairs)
        return race
    name = f"{datetime.now(timezone.utc):%Y%m%dT%H%M%SZ}-{os.getpid()}"
    race = Race((told or RACES / name).resolve(), name, planned.pairs, planned.asked())
    for side in SIDES:
        (race.folder / side).mkdir(parents=True, exist_ok=True)
    return race
