"""Where every figure comes from: one fold for each series, which figures link to."""

from __future__ import annotations

from strata_tools import quantity
from strata_tools.records import Record
from strata_tools.report.blocks import Block, Fold, Section, Table, Text, words
from strata_tools.report.book import Book
from strata_tools.report.series import Series
from strata_tools.report.standing import standing
from strata_tools.text import counted, printable


def section(book: Book) -> Section:
    return Section(
        "provenance",
        "Provenance",
        "A series is the launches of one app on one deck, alike in system, build, commit, "
        "ranks and label. Figures above link to theirs.",
        [_fold(book, one) for one in book.series],
    )


def _fold(book: Book, series: Series) -> Fold:
    record = series.record
    label = f", {record.user_label}" if record.user_label else ""
    summary = (
        f"{series.name}: {record.app} on {book.place_name(series.place)}{label}, "
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
        )
        for record in series.records
    ]
    return Table(["run", "record", "ranks at", "job", "standing"], rows, words=5)


def _places(record: Record) -> str:
    shown = [f"{p.name} {p.pci_id or 'cores ' + p.cpuset}".strip() for p in record.places[:4]]
    more = f" and {len(record.places) - 4} more" if len(record.places) > 4 else ""
    return "; ".join(shown) + more
