"""A race's side that is a peer's: its figures, held against the cases that measure the same."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from strata_tools.compare.pairing import Launches, Side
from strata_tools.race import babelstream
from strata_tools.race.manifest import Launch, Race, RaceError, Turn
from strata_tools.records import Fom
from strata_tools.text import printable

METRIC = "bandwidth"


def beside(race: Race, sides: list[Side]) -> list[Side]:
    """The sides, that of a peer filled with what it printed, and the best of each launch in
    place of the median on the other. Raises RaceError."""
    names = [side.name for side in sides]
    peer = next((name for name in names if race.peer(name)), None)
    if peer is None:
        return sides
    who = race.peer(peer) or {}
    ours = next(side for side in sides if side.name != peer)
    printed = {
        one: _figures(race.folder / one.file) for one in race.launches if one.side == peer
    }
    theirs = Side(
        peer, Path(race.side(peer)["given"]), read=len(printed),
        peer=printable(f"{who['name']} {who['version']} ({who['implementation']})"),
    )  # fmt: skip
    left = {}
    for key, pools in ours.launches.items():
        for pool in pools:
            found = _beside(race, pool, printed)
            if found.values:
                left.setdefault(key, []).append(_by_best(pool))
                theirs.launches.setdefault(key, []).append(found)
    ours.launches = left
    return [theirs if side.name == peer else ours for side in sides]


def note(side: Side) -> str:
    """What is to be known of a peer's figures."""
    if not side.peer:
        return ""
    return (
        f"{side.name} tells the fastest of its times, checked by itself alone; launches of "
        "both sides are compared by their best"
    )


def _figures(file: Path) -> babelstream.Figures:
    try:
        return babelstream.read(file.read_text(encoding="utf-8", errors="replace"))
    except OSError as error:
        raise RaceError(f"{printable(str(file))}: {error.strerror}") from None
    except RaceError as error:
        raise RaceError(f"{printable(str(file))} {error}") from None


def _beside(race: Race, pool: Launches, printed: dict[Launch, babelstream.Figures]) -> Launches:
    """The peer's launches of a case of strata-stream; empty where it has none of it."""
    case = next(one for one in pool.records[0].cases if one.label == pool.label)
    kernel = babelstream.KERNELS.get(case.axes.get("kernel", ""), "")
    width = babelstream.SCALARS.get(case.axes.get("scalar", ""), 0)
    size = (case.sizes.get("rows"), width)
    found = Launches(pool.app, pool.label, pool.question, pool.fom)
    for launch, figures in printed.items():
        alike = size == (figures.elements, figures.element_bytes)
        if alike and pool.fom.metric == METRIC and kernel in figures.best:
            found.values.append(figures.best[kernel])
            found.turns.append(Turn(race.id, launch.pair, launch.side))
    return found


def _by_best(pool: Launches) -> Launches:
    values = [_fom(pool, index).best for index in range(len(pool.records))]
    return dataclasses.replace(pool, values=values)


def _fom(pool: Launches, index: int) -> Fom:
    cases = pool.records[index].cases
    return next(case.primary for case in cases if case.label == pool.label)
