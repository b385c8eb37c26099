"""The page of the papers' figures lists each of them, and what it links to is there."""

from __future__ import annotations

import csv
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "results/papers.md"
ROMAN = {"I": 1, "II": 2, "III": 3}
HAS = {
    ("S1", "Fig"): 6,
    ("S2", "Fig"): 8,
    ("S2", "Table"): 3,
    ("S5", "Fig"): 23,
    ("S5", "Table"): 13,
    ("S5", "Listing"): 7,
    ("S5", "Algorithm"): 1,
}


def listed(page: str) -> dict[tuple[str, str], set[int]]:
    """The numbers of each kind of item in the first column of the page's first table."""
    found: dict[tuple[str, str], set[int]] = {}
    for paper, items in re.findall(r"^\| (S\d), ([^|]*) \|", page, re.MULTILINE):
        for kind, numbers in re.findall(
            r"(Fig|Table|Listing|Algorithm)s? ([\dI]+(?:(?:, | and | to )[\dI]+)*)", items
        ):
            have = found.setdefault((paper, kind), set())
            for first, last in re.findall(r"([\dI]+)(?: to ([\dI]+))?", numbers):
                begin, end = (ROMAN.get(one) or int(one) for one in (first, last or first))
                have.update(range(begin, end + 1))
    return found


def test_ranges_and_lists_are_read() -> None:
    assert listed("| S5, Tables 1 to 3, 12 and 13, Fig 4 | | |\n| S2, Tables I and II | |") == {
        ("S5", "Table"): {1, 2, 3, 12, 13},
        ("S5", "Fig"): {4},
        ("S2", "Table"): {1, 2},
    }


def test_every_figure_table_and_listing_is_listed() -> None:
    found = listed(PAGE.read_text())
    assert found == {item: set(range(1, count + 1)) for item, count in HAS.items()}


def test_what_it_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGE.read_text())
    assert links
    assert [link for link in links if not (PAGE.parent / link).exists()] == []


def millions(row: dict[str, str]) -> list[str]:
    """Cells of the table of counts, of a line of loops.csv."""
    flops = float(row["flops"])
    share = f"{100 * float(row['vector_flops']) / flops:.0f} %"
    columns = ("read_bytes", "written_bytes", "record_read_bytes", "record_written_bytes")
    return [
        row["loop"],
        f"{flops / 1e6:.2f}",
        f"{float(row['record_flops']) / 1e6:.2f}",
        share,
        f"{float(row['first_level_misses']) / 1e6:.2f}",
        *(f"{float(row[column]) / 1e6:.1f}" for column in columns),
    ]


def test_counts_are_those_of_the_file() -> None:
    with (PAGE.parent / "loops.csv").open() as file:
        rows = [f"| {' | '.join(millions(row))} |" for row in csv.DictReader(file)]
    table = re.search(
        r"^\| loop \| operations .*\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text(), re.M
    )
    assert table
    assert table[1].splitlines() == rows


def test_volumes_are_those_of_the_first_launches() -> None:
    with (PAGE.parent / "h200/volumes.csv").open() as file:
        first: dict[str, dict[str, str]] = {}
        for row in csv.DictReader(file):
            first.setdefault(row["launch"], row)
    table = re.search(r"^\| launch \| .*\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text(), re.M)
    assert table
    told = [re.findall(r"([\d.]+) GB", line)[:2] for line in table[1].splitlines()]
    assert len(told) == len(first)
    measured = sorted(
        [float(row["dram__bytes_read"]), float(row["dram__bytes_write"])]
        for row in first.values()
    )
    for cells, values in zip(
        sorted(told, key=lambda cells: float(cells[0])), measured, strict=True
    ):
        for cell, value in zip(cells, values, strict=True):
            decimals = len(cell.partition(".")[2])
            assert f"{value / 1e9:.{decimals}f}" == cell
