"""Where every figure comes from: builds, decks and devices, and a fold for each series, which
figures link to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from strata_tools import quantity
from strata_tools.records import Record
from strata_tools.records.alike import commit_of
from strata_tools.report.blocks import Block, Cell, Fold, Section, Table, Text, words
from strata_tools.report.book import Book
from strata_tools.report.series import Series
from strata_tools.report.standing import standing
from strata_tools.text import counted, printable


def section(book: Book) -> Section:
    return Section(
        "provenance",
        "Provenance",
        "A series is the launches of one app on one problem, alike in system, device, ranks, "
        "threads, build, commit, tier and label. Figures above link to theirs; builds, decks "
        "and devices are listed once. Every sample is in the record itself.",
        [
            _builds(book),
            _decks(book),
            _devices(book),
            _series(book),
            *(_fold(book, one) for one in book.series),
        ],
    )


def _numbered(letter: str, values: Iterable[Any]) -> dict[Any, str]:
    """b1, b2, ... in the order of their first use."""
    return {value: f"{letter}{n}" for n, value in enumerate(dict.fromkeys(values), start=1)}


def _build_of(record: Record) -> tuple[str, str]:
    return commit_of(record), repr(record.build)


def _build_names(book: Book) -> dict[Any, str]:
    return _numbered("b", (_build_of(one.record) for one in book.series))


def _deck_of(record: Record) -> tuple[str, str]:
    return record.deck.name, record.deck.sha256


def _deck_names(book: Book) -> dict[Any, str]:
    return _numbered("d", (_deck_of(r) for one in book.series for r in one.records))


def _builds(book: Book) -> Table:
    first = {_build_of(one.record): one.record for one in reversed(book.series)}
    rows = []
    for key, name in _build_names(book).items():
        record, build = first[key], first[key].build
        bounds = ", bounds checks on" if build["bounds_check"] else ""
        rows.append(
            [
                Cell(name),
                Cell(f"strata {record.version}, {key[0]}", flag="prose"),
                Cell(f"{build['compiler']}, {build['cxx']}", flag="prose"),
                Cell(f"{build['type']}, {build['flags']}{bounds}", flag="prose"),
                Cell(f"{build['kokkos']}, {', '.join(build['backends'])}", flag="prose"),
                Cell(build["arch"], flag="prose"),
                Cell(build["mpi"], flag="prose"),
            ]
        )
    headings = ["build", "commit", "compiler", "flags", "Kokkos", "for", "MPI"]
    return Table(headings, rows, "Builds", words=len(headings))


def _decks(book: Book) -> Table:
    rows = [
        [Cell(name), Cell(deck, flag="prose"), Cell(digest, flag="prose")]
        for (deck, digest), name in _deck_names(book).items()
    ]
    return Table(["deck", "file", "SHA-256"], rows, "Decks", words=3)


def _devices(book: Book) -> Table:
    """Each device once, with what of it the records have."""
    found: dict[tuple, None] = {}
    for one in book.series:
        for record in one.records:
            for place in record.places:
                gpu = place.device_id >= 0
                where = place.uuid or place.pci_id if gpu else f"{place.threads} threads a rank"
                found[one.record.system, place.device, where, place.driver or "–"] = None
    rows = [[Cell(text, flag="prose") for text in key] for key in sorted(found)]
    headings = ["system", "device", "which", "driver"]
    return Table(headings, rows, "Devices", words=len(headings))


def _series(book: Book) -> Table:
    builds, decks = _build_names(book), _deck_names(book)
    rows = []
    for one in book.series:
        record = one.record
        used = dict.fromkeys(decks[_deck_of(r)] for r in one.records)
        days = sorted({r.start[:10] for r in one.records})
        rows.append(
            [
                Cell(one.name, link=one.name),
                Cell(record.app),
                Cell(book.machine_name(one.machine), flag="prose"),
                Cell(builds[_build_of(record)]),
                Cell(", ".join(used)),
                Cell(record.tier),
                Cell(record.user_label or "–", flag="prose"),
                Cell(str(len(one.records))),
                Cell(days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"),
            ]
        )
    headings = ["series", "app", "machine", "build", "deck", "tier", "label", "launches", "on"]
    return Table(headings, rows, "Series", words=len(headings))


def _fold(book: Book, series: Series) -> Fold:
    record = series.record
    label = f", {record.user_label}" if record.user_label else ""
    summary = (
        f"{series.name}: {record.app} on {book.machine_name(series.machine)}{label}, "
        f"{record.deck.name}, "
        f"{counted(len(series.entries), 'case')}, {counted(len(series.records), 'launch')}, "
        f"{record.start[:10]}"
    )
    facts = Table(["", ""], [words(name, text) for name, text in _facts(series)], words=2)
    deck = Fold("deck as it was run", [Text(record.deck.effective, flag="code")])
    blocks: list[Block] = [facts, _launches(series), deck]
    return Fold(summary, blocks, name=series.name)


def _facts(series: Series) -> list[tuple[str, str]]:
    record = series.record
    build = record.build
    bounds = ", bounds checks on" if build["bounds_check"] else ""
    mixed = "; paths differ between launches" if len(_commands(series)) > 1 else ""
    return [
        ("suite", f"strata {record.version}, commit {record.git}" + _changes(record)),
        ("meaning of figures", f"fom_version {record.fom_version}"),
        (
            "build",
            f"{build['type']}, {build['compiler']}, {build['cxx']}, {build['flags']}{bounds}",
        ),
        ("Kokkos", f"{build['kokkos']}: {', '.join(build['backends'])}, for {build['arch']}"),
        ("MPI", f"{build['mpi']}; between devices {record.gpu_aware}"),
        ("command", record.command + mixed),
        ("deck", f"{record.deck.name}, SHA-256 {record.deck.sha256}"),
        ("overrides", ", ".join(record.deck.overrides) or "none"),
        ("tier", record.tier),
        ("label", record.user_label or "none"),
        ("ceiling", _ceiling(record)),
        ("environment", ", ".join(f"{k}={v}" for k, v in record.environment.items()) or "none"),
    ]


def _changes(record: Record) -> str:
    return " with uncommitted changes" if record.dirty else ""


def _commands(series: Series) -> set[str]:
    return {record.command for record in series.records}


def _ceiling(record: Record) -> str:
    if not record.ceiling:
        return "not measured"
    rates = (f"{name} {quantity.shown(rate, 'B/s')}" for name, rate in record.ceiling.items())
    return ", ".join(rates) + " (first launch)"


def _launches(series: Series) -> Table:
    rows = [
        words(
            record.id,
            printable(str(record.path)),
            _places(record),
            record.job or "–",
            standing(record),
            printable(str(record.seal)) if record.seal else "–",
        )
        for record in series.records
    ]
    return Table(["run", "record", "ranks at", "job", "standing", "sealed by"], rows, words=6)


def _places(record: Record) -> str:
    shown = [f"{p.name} {p.pci_id or 'cores ' + p.cpuset}".strip() for p in record.places[:4]]
    more = f" and {len(record.places) - 4} more" if len(record.places) > 4 else ""
    return "; ".join(shown) + more
