"""What belongs to the records of a job: its decks, beside its script and its modules, and the
seal of all of these."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterable
from pathlib import Path

from strata_tools import seal as seals
from strata_tools.suite import Run

OF_THE_SCRIPT = ("job.sh", "modules.txt")
SUITE, DECKS = "suite.yaml", "decks"


def keep(folder: Path, suite: Path, runs: list[Run]) -> None:
    """Copies the suite deck and the decks it names into `folder`, under their own names."""
    (folder / DECKS).mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(shutil.SameFileError):  # it is there already
        shutil.copyfile(suite, folder / SUITE)
    for number, deck in enumerate(dict.fromkeys(run.deck for run in runs if run.deck), start=1):
        shutil.copyfile(deck, folder / DECKS / f"{number}-{deck.name}")


def seal(folder: Path, records: Iterable[str]) -> int:
    """Lists the sums of the records that the job made and of what is kept with them. A record
    of an earlier job is in that one's list. The exit code."""
    kept = [folder / name for name in (*OF_THE_SCRIPT, SUITE)]
    kept += [*(folder / DECKS).iterdir(), *map(Path, records)]
    return seals.seal(folder, (path for path in kept if path.is_file()))
