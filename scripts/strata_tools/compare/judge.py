"""What is claimed of each pair."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from strata_tools import drift, inference
from strata_tools.compare.pairing import Launches, Pair, Side
from strata_tools.records import Fom, Record

FASTER, SLOWER = "faster", "slower"
NO_DIFFERENCE = "no difference shown"
SAME = "no difference: the same launches"


@dataclass(frozen=True)
class Judgement:
    """A pair of cases, its ratio (above 1: better than the base) and what it shows."""

    side: str
    pair: Pair
    values: tuple[list[float], list[float]]
    """Of the launches that it was made of, base and new; of pairs, one beside the other."""
    ratio: inference.Ratio
    p: float | None
    """Corrected for all cases that were tested together."""
    verdict: str
    shown: bool
    """The verdict is a difference."""

    @property
    def launches(self) -> tuple[int, int]:
        return len(self.values[0]), len(self.values[1])

    @property
    def count(self) -> str:
        """Of launches: 9 + 9, or 10 pairs."""
        if self.ratio.is_paired:
            return f"{self.launches[0]} pair{'s' if self.launches[0] > 1 else ''}"
        return f"{self.launches[0]} + {self.launches[1]}"

    @property
    def base(self) -> float:
        return statistics.median(self.values[0])

    @property
    def new(self) -> float:
        return statistics.median(self.values[1])

    @property
    def unpaired(self) -> int:
        """Launches of a race that are left out, since those beside them are not there."""
        return len(self.pair.base.values) + len(self.pair.new.values) - sum(self.launches)


def judge(pairs: Sequence[tuple[Side, Pair]]) -> list[Judgement]:
    """All cases of one command: their tests are corrected together."""
    compared = [_ratio(pair) for _, pair in pairs]
    claims = inference.claims([ratio for _, ratio in compared])
    tested = sum(claim.p is not None for claim in claims)
    return [
        Judgement(side.name, pair, values, ratio, claim.p,
                  _verdict(pair, values, ratio, claim, tested), claim.shown)
        for (side, pair), (values, ratio), claim in zip(pairs, compared, claims)
    ]  # fmt: skip


def _ratio(pair: Pair) -> tuple[tuple[list[float], list[float]], inference.Ratio]:
    """By the pairs of a race, where all launches were in one; else as independent ones."""
    better = pair.base.fom.better
    if both := _in_turn(pair):
        base, new = ([one.values[at] for at in ats] for one, ats in zip(_sides(pair), both))
        if all(turn and turn.by_samples for one in _sides(pair) for turn in one.turns):
            return (base, new), inference.compare_pairs(
                base, _by_rounds(pair, both), better, inference.PAIRED_SAMPLES
            )
        return (base, new), inference.compare_pairs(base, new, better)
    values = pair.base.values, pair.new.values
    launches = tuple(tuple(record.id for record in one.records) for one in _sides(pair))
    starts = _starts(pair.base.records, pair.new.records)
    return values, inference.compare(*values, better, launches=launches, starts=starts)


def _sides(pair: Pair) -> tuple[Launches, Launches]:
    return pair.base, pair.new


def _by_rounds(pair: Pair, both: tuple[list[int], list[int]]) -> list[float]:
    """What the new side's figures are beside the base's, by the median over the rounds of what
    its sample took of the base's time; a sample and that of the other side were taken in turn.
    A figure's product, or quotient, with its median time is the work, whatever the noise."""
    sign = -1 if pair.base.fom.better == "higher" else 1
    found = []
    for a, b in zip(*both):
        times = pair.base.samples[a], pair.new.samples[b]
        rounds = min(map(len, times))
        ratio = float(np.median(times[1][:rounds] / times[0][:rounds]))
        medians = float(np.median(times[1]) / np.median(times[0]))
        found.append(pair.new.values[b] * (ratio / medians) ** sign)
    return found


def _starts(base: list[Record], new: list[Record]) -> tuple[list[str], list[str]] | None:
    """Of launches on two sides, where a drift of the same nodes could meet both."""
    places = [{(one.system, one.hosts) for one in side} for side in (base, new)]
    if not places[0] & places[1]:
        return None
    return [one.start for one in base], [one.start for one in new]


def _in_turn(pair: Pair) -> tuple[list[int], list[int]] | None:
    """The launches on the two sides of the same pairs of the same races, by their place in the
    pools."""
    placed: list[dict[tuple[str, int], int]] = []
    sides: list[set[tuple[str, str]]] = []
    for one in _sides(pair):
        turns = [turn for turn in one.turns if turn is not None]
        if len(turns) < len(one.values):
            return None
        placed.append({(turn.race, turn.pair): at for at, turn in enumerate(turns)})
        sides.append({(t.race, t.side) for t in turns})
    both = [place for place in placed[0] if place in placed[1]]
    if not both or sides[0] & sides[1] or not _taken_in_turn(pair):
        return None
    return [placed[0][place] for place in both], [placed[1][place] for place in both]


def _taken_in_turn(pair: Pair) -> bool:
    """Whether the times of launches bear out the order of their pairs, as it is written."""
    starts: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for one in _sides(pair):
        for turn, record in zip(one.turns, one.records):
            if turn is not None:
                starts[turn.race].append((turn.pair, record.start))
    ordered = [[start for _, start in sorted(of_race)] for of_race in starts.values()]
    return all(a <= b for times in ordered for a, b in zip(times, times[1:]))


def _verdict(
    pair: Pair,
    values: tuple[list[float], list[float]],
    ratio: inference.Ratio,
    claim: inference.Claim,
    tested: int,
) -> str:
    launches = [{record.id for record in one.records} for one in _sides(pair)]
    if launches[0] and launches[0] == launches[1]:
        return SAME
    lacking = [max(inference.FEWEST_FOR_CLAIM - len(one), 0) for one in values]
    paired = ratio.is_paired
    if claim.p is None or ratio.interval is None:
        if paired:
            return f"no claim: {lacking[0]} pair{'s' if lacking[0] > 1 else ''} missing"
        return f"no claim: {' + '.join(map(str, lacking))} launches missing"
    if not claim.possible:
        return f"no claim: too few {'pairs' if paired else 'launches'} for {tested} cases"
    if not claim.shown:
        return NO_DIFFERENCE
    return FASTER if ratio.interval[0] > 1 else SLOWER


def spread(values: Sequence[float], fom: Fom) -> tuple[float, float] | None:
    """An interval to round the median by: of the median of launches; of few, their range; of
    one, that within it."""
    if len(values) == 1:
        return fom.interval
    return inference.median_interval(values) or (min(values), max(values))


def interleaving(base: Side, new: Side) -> str:
    """A warning where a drift of the machine would look like a difference; or nothing."""
    starts = _starts(base.records, new.records)
    if not starts or min(map(len, starts)) < 2 or drift.in_turn(*starts):
        return ""
    return (
        f"the launches of {base.name} and {new.name} were not in turn (side and order "
        f"correlate by {abs(drift.order(*starts)):.2f}): a difference is claimed where it is "
        "more than a steady drift makes, and what changed between them would still look like "
        "one"
    )
