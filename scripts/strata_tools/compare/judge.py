"""What is claimed of each pair."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from strata_tools import inference
from strata_tools.compare.pairing import Launches, Pair, Side

FASTER, SLOWER = "faster", "slower"
NO_DIFFERENCE = "no difference shown"
SAME = "no difference: the same launches"


@dataclass(frozen=True)
class Judgement:
    """A pair, its ratio (above 1: better than the base) and what it shows."""

    side: str
    pair: Pair
    base: float
    new: float
    ratio: inference.Ratio
    p: float | None
    """Corrected for all pairs that were tested together."""
    verdict: str
    shown: bool
    """The verdict is a difference."""

    @property
    def launches(self) -> tuple[int, int]:
        return len(self.pair.base.values), len(self.pair.new.values)


def judge(pairs: Sequence[tuple[Side, Pair]]) -> list[Judgement]:
    """All pairs of one command: their tests are corrected together."""
    ratios = [
        inference.compare(pair.base.values, pair.new.values, pair.base.fom.better)
        for _, pair in pairs
    ]
    tested = [ratio.p for ratio in ratios if ratio.p is not None]
    corrected = iter(inference.holm(tested))
    found = []
    for (side, pair), ratio in zip(pairs, ratios):
        p = None if ratio.p is None else next(corrected)
        verdict = _verdict(pair, ratio, p)
        found.append(
            Judgement(
                side=side.name,
                pair=pair,
                base=statistics.median(pair.base.values),
                new=statistics.median(pair.new.values),
                ratio=ratio,
                p=p,
                verdict=verdict,
                shown=verdict in (FASTER, SLOWER),
            )
        )
    return found


def _verdict(pair: Pair, ratio: inference.Ratio, p: float | None) -> str:
    launches = [{record.id for record in one.records} for one in (pair.base, pair.new)]
    if launches[0] == launches[1]:
        return SAME
    if p is None or ratio.interval is None:
        lacking = (max(inference.FEWEST_FOR_CLAIM - len(one), 0) for one in launches)
        return f"no claim: {' + '.join(map(str, lacking))} launches missing"
    low, high = ratio.interval
    if p >= inference.SIGNIFICANCE or low <= 1 <= high:
        return NO_DIFFERENCE
    return FASTER if low > 1 else SLOWER


def spread(launches: Launches) -> tuple[float, float] | None:
    """An interval to round the median by: of the median of launches; of few, their range; of
    one, that within it."""
    values = launches.values
    if len(values) == 1:
        return launches.fom.interval
    return inference.median_interval(values) or (min(values), max(values))


def interleaving(base: Side, new: Side) -> str:
    """A warning where a drift of the machine would look like a difference; or nothing."""
    places = [{(one.system, one.hosts) for one in side.records} for side in (base, new)]
    if not places[0] & places[1] or min(len(base.records), len(new.records)) < 2:
        return ""
    starts = [[record.start for record in side.records] for side in (base, new)]
    if max(starts[0]) < min(starts[1]) or max(starts[1]) < min(starts[0]):
        return (
            f"the launches of {base.name} and {new.name} do not alternate: a drift of the "
            "machine would look like a difference"
        )
    return ""
