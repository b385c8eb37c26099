"""Which launches have their record already."""

from __future__ import annotations

import hashlib
import json
import os
from datetime import datetime
from pathlib import Path

from strata_tools.launch import Build
from strata_tools.machine import system_name
from strata_tools.plan import Launch
from strata_tools.selection import chosen
from strata_tools.suite import Run

Key = tuple[str, int, str, tuple[str, ...], str]
"""App, ranks, hash of the deck's file (none for the built-in one), overrides, label."""


def records_of(launches: list[Launch], results: Path, build: Build) -> list[str | None]:
    """For each launch the file that makes it unnecessary: a valid record below `results` that
    this build left on this system. Repeats are alike, so records are handed out in the order
    of time, each once."""
    records: dict[Key, list[str]] = {}
    system = system_name()
    for app in sorted({launch.run.app for launch in launches}):
        built = build.executable(app).stat().st_mtime
        for path in sorted(results.glob(f"*/{app}/*.json"), key=lambda path: path.name):
            if _start(path) >= built and (key := _key_of_record(path, system)):
                records.setdefault(key, []).append(str(path))
    handed_out = {key: iter(files) for key, files in records.items()}
    return [
        next(handed_out.get(_key_of_run(launch.run), iter(())), None) for launch in launches
    ]


def _key_of_run(run: Run) -> Key:
    assert run.ranks is not None
    sha256 = hashlib.sha256(run.deck.read_bytes()).hexdigest() if run.deck else ""
    return run.app, run.ranks, sha256, run.overrides, os.environ.get("STRATA_LABEL", "")


def _start(path: Path) -> float:
    """When a record's run began at the latest, by its name, which leaves out parts of a second;
    before all builds for a file of another name."""
    try:
        start = datetime.strptime(path.name[:16] + "+0000", "%Y%m%dT%H%M%SZ%z")
    except ValueError:
        return 0
    return start.timestamp() + 1


def _key_of_record(path: Path, system: str) -> Key | None:
    """None for what is no valid record of this system, or one of some of its cases only: a
    suite's launches measure all."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        run = record["run"]
        if not record["validity"]["valid"] or run["system"] != system or chosen(run["cmdline"]):
            return None
        deck = record["deck"]
        sha256 = deck["sha256"] if deck["path"] else ""
        ranks, overrides = record["mpi"]["ranks"], tuple(deck["overrides"])
        key = (record["app"], ranks, sha256, overrides, run.get("user_label", ""))
        hash(key)  # a list in it cannot be looked up
        return key
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
