#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""Measures strata-matvec on matrices of many shapes, and draws where it loses to the vendor.

matvec_shapes.py [OPTION]... FOLDER

Rows and columns are 1 to 10^7 in factors of about 3, prime but for 1. A record of each shape,
of both products in both orders, is written into FOLDER as ROWS-COLUMNS.json; shapes that are
there are not measured again. shapes.csv has a line for each product (medians in microseconds,
ratios of times paired by round) and shapes.png the ratios of core and vendor.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import random
import statistics
import subprocess
import time
from pathlib import Path

from matplotlib.cm import ScalarMappable
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

ROOT = Path(__file__).resolve().parents[1]
EDGES = (1, 3, 7, 31, 101, 331, 1009, 3163, 10007, 31607, 100003, 1000003, 10000019)
DECK = """\
strata: 1
app: matvec
problem: {{rows: {rows}, columns: {columns}}}
cases: {{kernel: [matvec, matvec_t], variant: [span, native, vendor], layout: [left, right],
  parallel: [auto]}}
run: {{tier: quick, rounds: 7, min_time_s: 0, max_time_s: 2.5, warmup_s: 0.02}}
"""
COLUMNS = (
    "rows", "columns", "kernel", "layout", "rounds", "span_us", "native_us", "vendor_us",
    "span/native", "span/vendor",
)  # fmt: skip


def shapes(least: int, most: int) -> list[tuple[int, int]]:
    """Rows and columns with `least` to `most` elements, in an order that a limit of time cuts
    off anywhere."""
    found = [(r, c) for r in EDGES for c in EDGES if least <= r * c <= most]
    random.Random(4).shuffle(found)
    return found


def measure(executable: Path, shape: tuple[int, int], record: Path) -> None:
    """Ends the program where a run does not pass."""
    deck = record.with_suffix(".yaml")
    deck.write_text(DECK.format(rows=shape[0], columns=shape[1]), encoding="utf-8")
    done = subprocess.run(
        [executable, "--deck", deck, "--quiet", "--output", record],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    deck.unlink()
    if done.returncode != 0:
        record.unlink(missing_ok=True)
        raise SystemExit(f"{record.stem}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def lines_of(record: dict) -> list[tuple]:
    """A line for each product, with what `COLUMNS` names; empty where a variant is missing."""
    cases: dict[tuple[str, str], dict] = {}
    for case in record["cases"]:
        axes = case["axes"]
        cases.setdefault((axes["kernel"], axes["layout"]), {})[axes["variant"]] = case
    lines = []
    for (kernel, layout), of in sorted(cases.items()):
        span = of["span"]
        times = [
            of.get(variant, {}).get("samples_s") for variant in ("span", "native", "vendor")
        ]
        medians = [f"{1e6 * statistics.median(t):.4g}" if t else "" for t in times]
        ratios = [
            f"{statistics.median(a / b for a, b in zip(times[0], other)):.3f}" if other else ""
            for other in times[1:]
        ]
        shape = span["problem"]["rows"], span["problem"]["columns"]
        lines.append((*shape, kernel, layout, len(times[0]), *medians, *ratios))
    return lines


def draw(lines: list[tuple], peer: str, path: Path) -> None:
    """A square for each shape and product, blue where the core takes less time."""
    norm = TwoSlopeNorm(0, math.log2(0.5), math.log2(2))
    figure = Figure(figsize=(9, 8.4), layout="constrained")
    edges = sorted({edge for line in lines for edge in line[:2]})
    place = {edge: number for number, edge in enumerate(edges)}
    colours = ScalarMappable(norm, "RdBu_r")
    at = COLUMNS.index(f"span/{peer}")
    for on, (kernel, layout) in zip(
        figure.subplots(2, 2).flat,
        [(kernel, layout) for kernel in ("matvec", "matvec_t") for layout in ("left", "right")],
    ):
        for line in lines:
            if line[2:4] == (kernel, layout) and line[at]:
                x, y, ratio = place[line[1]], place[line[0]], float(line[at])
                colour = colours.to_rgba(math.log2(ratio))
                on.fill((x, x + 1, x + 1, x), (y, y, y + 1, y + 1), color=colour)
                letters = "white" if abs(math.log2(ratio)) > 0.6 else "black"
                on.text(
                    x + 0.5, y + 0.5, f"{ratio:.2f}".lstrip("0"),
                    ha="center", va="center", fontsize=6, color=letters,
                )  # fmt: skip
        on.set(title=f"{kernel}, {layout}", xlabel="columns", ylabel="rows", aspect="equal")
        for axis in (on.xaxis, on.yaxis):
            axis.set_ticks([n + 0.5 for n in place.values()], [f"{edge:,}" for edge in place])
            axis.set_tick_params(labelsize=6, length=0)
        on.tick_params("x", rotation=90)
        on.set(xlim=(0, len(edges)), ylim=(0, len(edges)))
    bar = figure.colorbar(colours, ax=figure.axes, shrink=0.6)
    ticks = (0.5, 0.7, 0.9, 1, 1.1, 1.4, 2)
    bar.set_ticks([math.log2(tick) for tick in ticks], labels=[str(tick) for tick in ticks])
    bar.set_label(f"time of span / {peer}")
    figure.savefig(path, dpi=150, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--executable", type=Path, default=ROOT / "build/run/bin/strata-matvec",
        help="strata-matvec, as a user would start it (%(default)s)",
    )  # fmt: skip
    parser.add_argument("--least", type=int, default=1000, help="elements (%(default)s)")
    parser.add_argument("--most", type=int, default=22_000_000, help="elements (%(default)s)")
    parser.add_argument(
        "--also", nargs=2, type=int, action="append", default=[], metavar=("ROWS", "COLUMNS"),
        help="one more shape, measured first; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", type=float, default=math.inf, help="start no shape after this long"
    )
    parser.add_argument(
        "--peer", choices=("native", "vendor"), default="vendor", help="of the picture"
    )
    told = parser.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + told.seconds
    for shape in (*told.also, *shapes(told.least, told.most)):
        record = told.folder / f"{shape[0]}-{shape[1]}.json"
        if time.monotonic() < end and not record.exists():
            measure(told.executable, shape, record)
    lines = sorted(
        line
        for record in told.folder.glob("*-*.json")
        for line in lines_of(json.loads(record.read_text(encoding="utf-8")))
    )
    if not lines:
        raise SystemExit(f"{told.folder}: no shape was measured")
    with (told.folder / "shapes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(lines)
    draw(lines, told.peer, told.folder / "shapes.png")
    lost = [line for line in lines if line[-1] and float(line[-1]) > 1 / 0.9]
    print(f"{len(lines)} products; {len(lost)} take more than 1/0.9 of the vendor's time")


if __name__ == "__main__":
    main()
