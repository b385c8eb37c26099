"""Reading: the records of files and below folders, each a document that does not contradict
itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Callable

import numpy as np

from strata_tools.records.audit import contradictions
from strata_tools.records.documents import (
    RecordError,
    complete_places,
    document_of,
    require_record,
    require_unicode,
)
from strata_tools.records.model import (
    Case,
    Check,
    Deck,
    Fom,
    Place,
    Record,
    content_of,
    renamed,
)
from strata_tools.records.rules import broken
from strata_tools.records.seals import Seals
from strata_tools.text import all_printable, printable

RACE = "race.json"
"""Beside the records of a race: no record."""
PLACE = tuple(field.name for field in fields(Place))


@dataclass(frozen=True)
class Skipped:
    """A file that is not among the records, and why."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{printable(str(self.path))}: {self.reason}; skipped"


Gathered = tuple[list[Record], list[Skipped]]
"""Records by start, and the files that are none, or not to be relied on."""


def gather(paths: Iterable[Path]) -> Gathered:
    """Every record of the files, and below the folders; a run that is there twice counts once,
    and not at all where its files differ: one of them was altered, nobody knows which; nor one
    that was changed since a list of sums below the folders was made."""
    return gather_each([paths])[0]


def gather_each(groups: Sequence[Iterable[Path]]) -> list[Gathered]:
    """gather() of each group. A run may be in several of them; where its files differ it is in
    none."""
    shared: dict[str, Any] = {}
    gathered = []
    firsts: dict[str, Record] = {}
    altered: dict[str, set[Path]] = defaultdict(set)
    for group in groups:
        records: dict[str, Record] = {}
        paths = list(group)
        seals = Seals(paths)
        skipped = [Skipped(*fault) for fault in seals.faults]
        for path in _files(paths):
            found = _as_sealed(_read_file(path, shared), seals)
            if isinstance(found, Skipped):
                skipped.append(found)
                continue
            first = firsts.setdefault(found.id, found)
            if first is not found and not _same_content(first.path, path):
                altered[found.id] |= {first.path, path}
            mine = records.setdefault(found.id, found)
            if mine is not found and mine.path.resolve() != path.resolve():
                same = f"is the same run as {printable(str(mine.path))} ({found.id})"
                skipped.append(Skipped(path, same))
        gathered.append((records, skipped))
    return [_without(altered, *one) for one in gathered]


def _without(
    altered: dict[str, set[Path]], records: dict[str, Record], skipped: list[Skipped]
) -> Gathered:
    """The records of other runs; of these a line for each file."""
    left = [one for one in records.values() if one.id not in altered]
    for run in sorted(altered.keys() & records.keys()):
        files = {records[run].path, *(one.path for one in skipped if one.path in altered[run])}
        skipped = [one for one in skipped if one.path not in files]
        for path in sorted(files):
            other = printable(str(min(altered[run] - {path})))
            reason = f"differs from {other}, though both are run {run}: remove the altered one"
            skipped.append(Skipped(path, reason))
    return sorted(left, key=lambda one: (one.start, one.id)), skipped


def _as_sealed(found: Record | Skipped, seals: Seals) -> Record | Skipped:
    """With the list that names it; skipped where it is another than then."""
    if isinstance(found, Skipped):
        return found
    try:
        return replace(found, seal=seals.of(found.path))
    except ValueError as reason:
        return Skipped(found.path, str(reason))


def _same_content(first: Path, second: Path) -> bool:
    """Of two files that are records, whatever their spaces and line ends."""
    return first.resolve() == second.resolve() or document_of(first) == document_of(second)


def _read_file(path: Path, shared: dict[str, Any]) -> Record | Skipped:
    try:
        lack = "" if path.is_file() else "is no file" if path.exists() else "does not exist"
    except OSError as error:
        lack = f"cannot be read: {error.strerror}"
    return Skipped(path, lack) if lack else read(path, shared)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    """Files named, and those below folders that are not a race's list of its launches."""
    for path in paths:
        try:
            inside = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        except OSError:  # said when it is read
            inside = [path]
        yield from (one for one in inside if one == path or one.name != RACE)


def read(path: Path, shared: dict[str, Any] | None = None) -> Record | Skipped:
    """One record. `shared` keeps what records have in common, so that it is there once."""
    try:
        document = document_of(path)
        require_record(document)
        complete_places(document)
        _require_consistency(document)
        found = _record(path, _printable(document), {} if shared is None else shared)
        return _judged_again(found)
    except RecordError as reason:
        return Skipped(path, printable(str(reason)))
    except RecursionError:
        return Skipped(path, "is not a record: nested too deeply")


def _printable(document: dict[str, Any]) -> dict[str, Any]:
    """The record without a text that a terminal would obey; the deck keeps its lines."""
    effective = printable(document["deck"]["effective"], "\n\t")
    shown = all_printable(document)
    shown["deck"]["effective"] = effective
    return shown


def _require_consistency(document: dict[str, Any]) -> None:
    found = next(contradictions(document), None)
    if found:
        raise RecordError(f"contradicts itself: {found}")


def _record(path: Path, document: dict[str, Any], shared: dict[str, Any]) -> Record:
    def once(value: Any) -> Any:
        return shared.setdefault(repr(value), value)

    suite, run = document["suite"], document["run"]
    mpi, validity = document["mpi"], document["validity"]
    places = tuple(
        Place(**{field: p.get(field, "") for field in PLACE}) for p in document["placement"]
    )
    scheduler = [run["scheduler"], run["job_id"], run["array_index"]]
    return Record(
        path=path,
        id=run["id"],
        app=once(document["app"]),
        fom_version=document["fom_version"],
        version=once(suite["version"]),
        git=once(suite["git"]),
        dirty=suite["dirty"],
        build=once(document["build"]),
        start=run["start_utc"],
        tier=once(run["tier"]),
        system=once(run["system"] or (places[0].host if places else "unknown")),
        user_label=once(run["user_label"]),
        job=" ".join(word for word in scheduler if word) if run["job_id"] else "",
        command=once(" ".join(run["cmdline"])),
        deck=once(_deck(document["deck"])),
        places=once(places),
        ranks=mpi["ranks"],
        nodes=mpi["nodes"],
        gpu_aware=once(f"{mpi['gpu_aware']['used']}: {mpi['gpu_aware']['how']}"),
        ceiling=_ceiling(document["ceiling"]),
        energy=document["energy"],
        energy_reason=once(document.get("energy_reason", "")),
        valid=validity["valid"],
        official=validity["official"],
        reasons=once(tuple(validity["reasons"])),
        environment=once(document["environment"]),
        cases=tuple(_case(case, mpi["ranks"], once) for case in document["cases"]),
    )


def _judged_again(record: Record) -> Record:
    """Official only by the rules of today: a record may be older than some."""
    words = broken(record) if record.official else ()
    return replace(record, official=not words, reasons=words) if words else record


def _deck(found: dict[str, Any]) -> Deck:
    deck = Deck(
        found["path"],
        found["sha256"],
        tuple(found["overrides"]),
        found["effective"],
        frozenset(found.get("defaults", ())),
    )
    try:
        content = content_of(deck.effective)
    except Exception:  # of many kinds: the YAML library checks no value
        raise RecordError("deck.effective is not YAML") from None
    require_unicode(deck.effective, content)
    _require_mapping("deck.effective", content)
    for part in ("problem", "cases"):
        _require_mapping(f"{part} in deck.effective", content.get(part) or {})
    if not isinstance((content.get("cases") or {}).get("layout") or [], list):
        raise RecordError("cases.layout in deck.effective is not a list")
    return deck


def _require_mapping(what: str, found: Any) -> None:
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise RecordError(f"{what} is not a mapping")


def _ceiling(found: dict[str, Any] | None) -> dict[str, float] | None:
    rates = {name: found[name] for name in ("read", "write", "copy", "triad")} if found else {}
    for name, rate in rates.items():
        if rate is not None and rate < 0:
            raise RecordError(f"ceiling.{name} is {rate:g}, and no rate is below 0")
    return {name: rate for name, rate in rates.items() if rate is not None} or None


def _case(found: dict[str, Any], ranks: int, once: Callable[[Any], Any]) -> Case:
    statistics = found["statistics"] or {}
    samples = np.asarray(found["samples_s"], dtype=float)
    mean = np.asarray(found["rank_mean_s"], dtype=float)
    comparable = ranks > 1 and len(mean) == len(samples) > 0 and bool((mean > 0).all())
    work = found["work"]
    return Case(
        label=once(found["label"]),
        status=once(found["status"]),
        reason=once(found["reason"]),
        axes=once(found["axes"]),
        sizes=once(renamed(found["problem"])),
        bytes_read=work["bytes_read"],
        bytes_written=work["bytes_written"],
        flops=work["flops"],
        memory_bytes=found["memory_bytes"],
        samples=samples,
        imbalance=float(np.median(samples / mean)) if comparable else 1.0,
        steps=len(samples) * found["inner"],
        median_s=_number(statistics.get("median_s")),
        variation=_number(statistics.get("cv")),
        converged=found["converged"],
        drift=found["drift"],
        foms=tuple(_fom(fom) for fom in found["foms"] if fom["value"] is not None),
        checks=tuple(
            Check(
                f"{c['check']} {_text(c['value'])}, allowed {_text(c['allowed'])}",
                c["status"] == "PASS",
            )
            for c in found["checks"]
        ),
        ratios=tuple(
            (r["against"], r["median"]) for r in found["ratios"] if r["median"] is not None
        ),
        in_cache=found.get("in_cache"),
    )


def _fom(found: dict[str, Any]) -> Fom:
    interval = found["ci95"]
    return Fom(
        metric=found["metric"],
        value=found["value"],
        unit=found["unit"],
        better=found["better"],
        interval=(interval[0], interval[1]) if interval else None,
        best=_number(found["best"]),
        scope=found["scope"],
    )


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def _text(value: float | None) -> str:
    return "none" if value is None else f"{value:.2g}"
