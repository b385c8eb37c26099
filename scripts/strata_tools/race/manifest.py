"""race.json: what was launched in a race, in which order, beside the launches' records."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from strata_tools import files
from strata_tools.race import LAUNCHES, SAMPLES
from strata_tools.records import RACE as NAME
from strata_tools.text import all_printable, printable

FORMAT = 1
DEPTH = 4
"""A launch's file lies at most so many folders below that of the race."""
SIDES = ("A", "B")


class RaceError(Exception):
    """A race that cannot be run, gone on with or compared; says why."""


class LaunchError(RaceError):
    """A launch that did not give what the race wants; `code` is what the race ends with."""

    def __init__(self, text: str, code: int):
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Launch:
    """One start of one side's executable."""

    pair: int
    """From 1."""
    position: int
    """1 or 2 within the pair."""
    side: str
    app: str
    seconds: float
    file: str
    """Its record, or what a peer printed, below the folder of the race."""


@dataclass(frozen=True)
class Turn:
    """A launch's place in a race."""

    race: str
    pair: int
    side: str
    by_samples: bool = False
    """The launches of its pair ran at once and took their samples in turn; else they ran in
    turn."""


@dataclass
class Race:
    """A race as far as it went."""

    folder: Path
    id: str
    pairs: int
    """As many as were asked for."""
    asked: dict[str, Any]
    """What settles the launches: sides, words, ranks, apps, turns."""
    launches: list[Launch] = field(default_factory=list)
    """In the order of time."""

    def write(self) -> None:
        document = {
            "strata_race": FORMAT, "id": self.id, "order": "ABBA", "pairs": self.pairs,
            **self.asked, "launches": [asdict(one) for one in self.launches],
        }  # fmt: skip
        files.write(self.folder / NAME, json.dumps(document, indent=1) + "\n")

    def side(self, name: str) -> dict[str, Any]:
        """What was launched on it: as `given`, its `executables` by app, or its `peer`."""
        found: dict[str, Any] = self.asked["sides"][name]
        return found

    def peer(self, name: str) -> dict[str, Any] | None:
        """Who a side is that is not Strata's."""
        return self.side(name).get("peer")

    def files(self, side: str) -> list[Path]:
        return [self.folder / one.file for one in self.launches if one.side == side]

    def whole_pairs(self) -> set[int]:
        """Those all of whose launches are there."""
        wanted = 2 * len(self.asked["apps"])
        found = Counter(one.pair for one in self.launches)
        return {pair for pair, count in found.items() if count == wanted}


def is_race(folder: Path) -> bool:
    return (folder / NAME).is_file()


def read(folder: Path) -> Race:
    """Raises RaceError."""
    path = folder / NAME
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return _race(folder, document)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or "is not what `strata race` writes"
        raise RaceError(f"{printable(str(path))}: {reason}") from None


def _race(folder: Path, document: dict[str, Any]) -> Race:
    if document["strata_race"] != FORMAT:
        raise ValueError
    launches = [Launch(**one) for one in document["launches"]]
    asked = {key: document[key] for key in ("sides", "words", "ranks", "apps")}
    asked["turns"] = document.get("turns", LAUNCHES)
    race = Race(folder, str(document["id"]), int(document["pairs"]), asked, launches)
    inside = folder.resolve()
    for one in launches:
        if one.side not in SIDES or one.position not in (1, 2) or not isinstance(one.pair, int):
            raise ValueError
        if not (folder / one.file).resolve().is_relative_to(inside):
            raise ValueError
    for name in SIDES:
        if not isinstance(all_printable(race.side(name))["given"], str):
            raise TypeError
    return race


def turn_of(file: Path) -> Turn | None:
    """The place of a launch by its file, wherever the race's folder was moved to."""
    for folder in list(file.resolve().parents)[:DEPTH]:
        if is_race(folder):
            written = (folder / NAME).stat().st_mtime_ns
            return _turns(folder, written).get(file.resolve())
    return None


@lru_cache(maxsize=64)
def _turns(folder: Path, _written: int) -> dict[Path, Turn]:
    """By file; read again where it was written anew."""
    try:
        race = read(folder)
    except RaceError:
        return {}
    return {
        (folder / one.file).resolve(): Turn(
            race.id, one.pair, one.side, race.asked["turns"] == SAMPLES
        )
        for one in race.launches
    }
