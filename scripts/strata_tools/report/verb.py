"""`strata report`: reads, makes the sections, writes the files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from strata_tools.compare.output import as_csv
from strata_tools.files import write
from strata_tools.records import gather
from strata_tools.report import (
    apps,
    crossover,
    energy,
    export,
    headline,
    layouts,
    markdown,
    overview,
    page,
    pictures,
    portability,
    provenance,
    roofline,
    scaling,
    score,
    strips,
    structured,
    sweeps,
)
from strata_tools.report.blocks import Section
from strata_tools.report.book import Book, book
from strata_tools.report.versus import Contest, contest
from strata_tools.text import counted, printable

OK, COMMAND_LINE, NOT_WRITABLE, LEFT_OUT, NOTHING = 0, 2, 8, 10, 11


def main(arguments: argparse.Namespace) -> int:
    try:
        weights = score.read(arguments.weights) if arguments.weights else None
        records, skipped = gather(map(_shortest, arguments.folders))
        for one in skipped:
            print(one, file=sys.stderr)
        read = book(records, skipped)
        for record, reason in read.left_out:
            print(f"{printable(str(record.path))}: {reason}; left out", file=sys.stderr)
        if not read.series:
            where = ", ".join(str(folder) for folder in arguments.folders)
            print(f"no record to report on in {where}", file=sys.stderr)
            return NOTHING
        if weights:
            score.check(weights, read)
    except score.WeightsError as error:
        print(error, file=sys.stderr)
        return COMMAND_LINE
    try:
        for path in _write(read, weights, arguments):
            print(path)
    except pictures.PictureError as error:
        print(error, file=sys.stderr)
        return COMMAND_LINE
    except OSError as error:
        remedy = "name a folder that can be written and has room by --output"
        print(f"{error.filename}: {error.strerror}; {remedy}", file=sys.stderr)
        return NOT_WRITABLE
    return LEFT_OUT if skipped or read.left_out else OK


def _shortest(path: Path) -> Path:
    """Relative to the current folder where it lies below it, so that pages name no machine's
    folders."""
    resolved, here = path.resolve(), Path.cwd()
    return resolved.relative_to(here) if resolved.is_relative_to(here) else path


def _write(
    read: Book, weights: score.Weights | None, arguments: argparse.Namespace
) -> list[Path]:
    folder = arguments.output
    found = strips.strips(read)
    held = contest(read)
    banner = overview.banner(read, strips.warnings(found))
    first = headline.section(read, held, weights)
    sections = [first, overview.basis(banner), *_sections(read, held, weights, found)]
    drawings = pictures.choose(sections, arguments.picture)
    about = (banner, sections, arguments.title, _stamp(read))
    judgements = [one for each in held.versus for one in each.by_difference]
    folder.mkdir(parents=True, exist_ok=True)
    files = {
        folder / "report.html": page.render(*about),
        folder / "report.md": markdown.page(*about),
        folder / "report.json": structured.page(*about, judgements),
        folder / "comparisons.csv": as_csv(judgements),
    }
    for path, text in files.items():
        write(path, text)
    export.tidy(read, folder / "figures.csv")
    pictures.write(drawings)
    return [*files, folder / "figures.csv", *export.p3(read, folder), *drawings]


def _sections(
    read: Book, held: Contest, weights: score.Weights | None, found: list[strips.Strip]
) -> list[Section]:
    made = [
        overview.systems(read),
        headline.details(read, held),
        score.section(read, weights) if weights else None,
        *apps.sections(read),
        roofline.section(read),
        layouts.section(read),
        strips.section(found),
        scaling.section(read),
        sweeps.section(read),
        crossover.section(read),
        portability.section(read),
        energy.section(read),
        provenance.section(read),
    ]
    return [section for section in made if section]


def _stamp(read: Book) -> str:
    """By what it was made from, not by the clock: the same records make the same page."""
    starts = [record.start for record in read.records]
    count = counted(len(read.records), "record")
    return (
        f"From {count} of runs from {min(starts)} to {max(starts)}. "
        "strata-stream is based on a variant of the STREAM benchmark code; its figures are not "
        "STREAM results."
    )
