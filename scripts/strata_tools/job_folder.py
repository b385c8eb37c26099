"""What belongs to the records of a job: its decks, beside its script and its modules."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

from strata_tools.suite import Run


def keep(folder: Path, suite: Path, runs: list[Run]) -> None:
    """Copies the suite deck and the decks it names into `folder`, under their own names."""
    (folder / "decks").mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(shutil.SameFileError):  # it is there already
        shutil.copyfile(suite, folder / "suite.yaml")
    for number, deck in enumerate(dict.fromkeys(run.deck for run in runs if run.deck), start=1):
        shutil.copyfile(deck, folder / "decks" / f"{number}-{deck.name}")
