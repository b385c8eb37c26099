"""`strata compare`: reads the sides, pairs, judges, prints, and says by its exit code how it
went."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from strata_tools.compare import peers
from strata_tools.compare.judge import Judgement, interleaving, judge
from strata_tools.compare.output import Comparison, render
from strata_tools.compare.pairing import Side, pair, side
from strata_tools.inference import FEWEST_FOR_CLAIM, FEWEST_FOR_INTERVAL
from strata_tools.race import manifest
from strata_tools.race.manifest import RaceError, is_race
from strata_tools.records import gather_each
from strata_tools.records.alike import Questions
from strata_tools.text import counted

OK, COMMAND_LINE, LEFT_OUT, NOTHING, BELOW = 0, 2, 10, 11, 12


def main(arguments: argparse.Namespace) -> int:
    limit = arguments.fail_below
    raced = len(arguments.sides) == 1 and is_race(arguments.sides[0])
    if len(arguments.sides) < 2 and not raced:
        print("compare wants a base and something to hold against it", file=sys.stderr)
        return COMMAND_LINE
    try:
        sides, unfit, skipped = _of_race(arguments) if raced else _sides(arguments)
    except RaceError as error:
        print(error, file=sys.stderr)
        return NOTHING
    if empty := [str(one.path) for one in sides if not one.read]:
        print(f"no record to compare in {', '.join(empty)}", file=sys.stderr)
        return NOTHING
    comparison = _comparison(sides, unfit, arguments.force)
    sys.stdout.write(render(comparison, arguments.form))
    codes = [OK]
    if skipped or unfit or comparison.refused:
        codes.append(LEFT_OUT)
    if not comparison.judgements:
        print("nothing was left to compare", file=sys.stderr)
        codes.append(NOTHING)
    if limit is not None:
        codes.append(_gate(comparison, limit))
    return max(codes)


def _sides(arguments: argparse.Namespace) -> tuple[list[Side], list[str], int]:
    named = [(path, [path]) for path in arguments.sides]
    return _read(named, arguments.force)


def _of_race(arguments: argparse.Namespace) -> tuple[list[Side], list[str], int]:
    """The sides of a race, by its manifest. Raises RaceError."""
    race = manifest.read(arguments.sides[0])
    named = [
        (Path(race.side(name)["given"]), [] if race.peer(name) else race.files(name))
        for name in manifest.SIDES
    ]
    sides, unfit, skipped = _read(named, arguments.force)
    return peers.beside(race, sides), unfit, skipped


def _read(
    named: list[tuple[Path, list[Path]]], force: bool
) -> tuple[list[Side], list[str], int]:
    """Sides by what they are called, and the files and folders of each."""
    sides, unfit, skipped = [], [], 0
    read = []
    for records, left_out in gather_each([paths for _, paths in named]):
        for one in left_out:
            print(one, file=sys.stderr)
        skipped += len(left_out)
        read.append(records)
    questions = Questions(record for records in read for record in records)
    for number, ((path, _), records) in enumerate(zip(named, read)):
        name = chr(ord("A") + number) if number < 26 else f"S{number + 1}"
        sides.append(Side(name, path, len(records)))
        unfit += side(sides[-1], records, questions, force)
    return sides, unfit, skipped


def _comparison(sides: list[Side], unfit: list[str], force: bool) -> Comparison:
    base, others = sides[0], sides[1:]
    pairs, refused, missing, notes = [], [], [], []
    for other in others:
        alike, unlike, alone = pair(base, other, force)
        pairs += [(other, one) for one in alike]
        refused += [(other.name, one) for one in unlike]
        missing += [(other.name, one) for one in alone]
        if {one.id for one in base.records} & {one.id for one in other.records}:
            notes.append(f"some launches are on both sides, {base.name} and {other.name}")
        elif warning := interleaving(base, other):
            notes.append(warning)
    judgements = judge(pairs)
    notes += [note for one in sides if (note := peers.note(one))]
    paired = [one for one in judgements if one.ratio.is_paired]
    if left_out := max((one.unpaired for one in paired), default=0):
        notes.append(f"launches whose other is not there are left out: up to {left_out} a case")
    if any("launches missing" in one.verdict for one in judgements):
        notes.append(
            f"a claim wants {FEWEST_FOR_CLAIM} launches on each side, those of the sides in "
            "turn: scripts/strata run repeats and interleaves them"
        )
    return Comparison(base, others, judgements, refused, missing, unfit, notes, force)


def _gate(comparison: Comparison, limit: float) -> int:
    """Says on standard error what is below the limit, may be, and could not be held against it.

    A ratio is below the limit where all of its interval is. Without intervals a gate would fail
    at random, and pass at random.
    """
    below = undecided = 0
    for one in comparison.judgements:
        if one.ratio.interval is None:
            undecided += 1
            continue
        low, high = one.ratio.interval
        is_below = high < limit
        below += is_below
        if low < limit:
            verdict = "is below" if is_below else "may be below"
            print(
                f"gate: {'' if is_below else 'warning: '}{one.pair.base.app} "
                f"{comparison.case(one)}: {one.ratio.value:.4f} [{low:.4f}, {high:.4f}] "
                f"{verdict} {limit:g} ({_counted(one)})",
                file=sys.stderr,
            )
    if undecided:
        print(
            f"gate: {counted(undecided, 'case')} had too few launches to be held against "
            f"{limit:g}: it takes {FEWEST_FOR_INTERVAL} of each side, or pairs of a race",
            file=sys.stderr,
        )
    lost = [
        refusal
        for side, refusal in comparison.missing
        if refusal.reason.startswith(f"not measured in {side}")
    ]
    for refusal in lost:
        print(f"gate: {refusal.app} {refusal.label}: {refusal.reason}", file=sys.stderr)
    if below:
        return BELOW
    return LEFT_OUT if lost or undecided else OK


def _counted(one: Judgement) -> str:
    return one.count if one.ratio.is_paired else f"{one.count} launches"
