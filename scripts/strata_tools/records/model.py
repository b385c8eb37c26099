"""What is kept of a record: SI base units, samples as arrays, equal texts only once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from strata_tools.records.ceiling import bound
from strata_tools.selection import chosen
from strata_tools.text import all_printable

RENAMED = {"cols": "columns"}
"""Keys of a problem by the names that older records have for them."""


def renamed(problem: dict[str, Any]) -> dict[str, Any]:
    """The problem with the keys that it has in records of today."""
    return {RENAMED.get(key, key): value for key, value in problem.items()}


@dataclass(frozen=True)
class Fom:
    """A figure of merit of one launch: work over the median time."""

    metric: str
    value: float
    unit: str
    better: str
    """higher or lower."""
    interval: tuple[float, float] | None
    """95 % of the median within the launch; None for fewer than 6 samples."""
    best: float
    scope: str
    """job, or device: the slowest one's."""


@dataclass(frozen=True)
class Check:
    """An answer held against what it must be."""

    text: str
    """As `name value, allowed value`."""
    passed: bool


@dataclass(frozen=True)
class Case:
    """One combination of the axes in one launch."""

    label: str
    status: str
    """measured, failed, unavailable or incomplete."""
    reason: str
    axes: dict[str, str]
    sizes: dict[str, Any]
    """Of the problem, by the app's own names."""
    bytes_read: int
    """That one step must read, summed over ranks."""
    bytes_written: int
    flops: int
    memory_bytes: int
    samples: np.ndarray
    """Seconds per step, maximum over ranks, in the order taken."""
    imbalance: float
    """Median over samples of slowest rank over mean of ranks; 1 for one rank."""
    steps: int
    """Timed: samples times steps per sample."""
    median_s: float
    """NaN where nothing was measured."""
    variation: float
    """Standard deviation over mean of the samples."""
    converged: bool
    drift: bool
    foms: tuple[Fom, ...]
    checks: tuple[Check, ...]
    ratios: tuple[tuple[str, float], ...]
    """Label of a control, and the time over its time, paired by round."""
    in_cache: bool | None
    """A cache may hold its data; None in records that do not say."""

    @property
    def bytes(self) -> int:
        """That one step must move, summed over ranks."""
        return self.bytes_read + self.bytes_written

    @property
    def measured(self) -> bool:
        return bool(self.foms) and self.primary.value > 0 and not self.failed_checks

    @property
    def failed_checks(self) -> list[Check]:
        return [check for check in self.checks if not check.passed]

    @property
    def lack(self) -> str:
        """Why it has no figure to go by."""
        if self.failed_checks:
            return f"a check failed: {self.failed_checks[0].text}"
        if self.foms:
            return f"its figure is {self.primary.value:g}"
        return f"{self.status}: {self.reason or 'it has no figure'}"

    @property
    def primary(self) -> Fom:
        """The first figure of the whole job."""
        return next((fom for fom in self.foms if fom.scope == "job"), self.foms[0])


@dataclass(frozen=True)
class Deck:
    """The deck of a run, as it was asked for and as it was run."""

    path: str
    """Empty for the built-in default."""
    sha256: str
    overrides: tuple[str, ...]
    effective: str
    defaults: frozenset[str] = frozenset()
    """Paths of the keys that have their default; none known of records that do not say."""

    @cached_property
    def content(self) -> dict[str, Any]:
        return all_printable(content_of(self.effective))

    @property
    def problem(self) -> dict[str, Any]:
        """What it asks for, without how long to measure it."""
        return renamed(self.content.get("problem") or {})

    def problem_without(self, late: set[str]) -> dict[str, Any]:
        """The problem, without those of the keys `late` that have their default: what a deck
        from before there were such keys asks for."""
        return {
            key: value
            for key, value in self.problem.items()
            if key not in late or f"problem.{key}" not in self.defaults
        }

    @property
    def name(self) -> str:
        return self.path or "built-in deck"


@lru_cache(maxsize=4096)
def content_of(text: str) -> Any:
    """A deck as it stands in its text: JSON, or other YAML."""
    try:
        return json.loads(text)
    except ValueError:
        return yaml.load(text, Loader=_Loader)


class _Loader(yaml.SafeLoader):
    """Without aliases, a few of which make texts of any length."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("has an alias")
        return super().compose_node(parent, index)


@dataclass(frozen=True)
class Place:
    """Where one rank ran."""

    host: str
    device_id: int
    device: str
    pci_id: str
    cpuset: str
    threads: int
    uuid: str = ""
    driver: str = ""
    """Version; empty in records that do not say."""

    @property
    def name(self) -> str:
        return f"{self.host}:{self.device_id}" if self.device_id >= 0 else self.host


@dataclass(frozen=True)
class Record:
    """One launch of one app."""

    path: Path
    id: str
    app: str
    fom_version: int
    version: str
    """Of the suite."""
    git: str
    dirty: bool
    build: dict[str, Any]
    start: str
    """UTC, ISO 8601."""
    tier: str
    system: str
    user_label: str
    job: str
    """Scheduler and job, or empty."""
    command: str
    deck: Deck
    places: tuple[Place, ...]
    ranks: int
    nodes: int
    gpu_aware: str
    ceiling: dict[str, float] | None
    """B/s of the whole job: read, write, copy, triad."""
    energy: dict[str, Any] | None
    energy_reason: str
    valid: bool
    official: bool
    reasons: tuple[str, ...]
    environment: dict[str, str]
    cases: tuple[Case, ...]
    seal: Path | None = None
    """The list of sums that names the file, which is as it was then."""

    @property
    def device(self) -> str:
        return self.places[0].device if self.places else "unknown device"

    @property
    def gpu(self) -> bool:
        return bool(self.places) and self.places[0].device_id >= 0

    @property
    def bandwidth(self) -> float | None:
        """The best of the ceiling, B/s of the whole job."""
        return max(self.ceiling.values()) if self.ceiling else None

    def bound(self, case: Case) -> tuple[float, str] | None:
        """The ceiling of the case's mix of reads and writes, B/s, and its name."""
        return bound(self.ceiling or {}, case.bytes_read, case.bytes_written)

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(place.host for place in self.places))

    @cached_property
    def default_layout(self) -> str | None:
        """The storage order that `default` came to on this device, where the deck says it:
        its layouts begin with `default`, so that the first case has it, if none is left out."""
        layouts = (self.deck.content.get("cases") or {}).get("layout")
        if chosen(self.command.split()) or not layouts or layouts[0] != "default":
            return None
        return next((c.axes["layout"] for c in self.cases if "layout" in c.axes), None)

    def neutral_label(self, case: Case) -> str:
        """The label with `default` for the device's own storage order: comparable between
        devices whose defaults differ."""
        layout = case.axes.get("layout")
        if layout is None or layout != self.default_layout:
            return case.label
        words = case.label.split("/")
        if layout in words:
            words[words.index(layout)] = "default"
        return "/".join(words)
