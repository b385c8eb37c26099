"""Shapes of matrices: what is measured, and what is told of it."""

from __future__ import annotations

import csv
import json
import statistics
import subprocess
import sys

from conftest import ROOT, write_program

import matvec_shapes

SCRIPT = ROOT / "scripts" / "matvec_shapes.py"


def started(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False
    )


def test_shapes_are_of_the_sizes_asked_for():
    found = matvec_shapes.shapes(10**6, 10**7)
    assert all(10**6 <= rows * columns <= 10**7 for rows, columns in found)
    assert {(1, 1000003), (1000003, 7), (1009, 3163)} <= set(found)
    assert len(set(found)) == len(found)


def test_lines_have_medians_and_ratios_paired_by_round():
    def case(variant, samples):
        axes = {"kernel": "matvec", "layout": "left", "variant": variant}
        return {
            "axes": axes, "problem": {"rows": 7, "columns": 31}, "samples_s": samples
        }  # fmt: skip

    span = case("span", [1e-6, 2e-6, 6e-6])
    record = {"cases": [case("native", [2e-6, 2e-6, 3e-6]), span, case("vendor", [])]}
    line = (7, 31, "matvec", "left", 3, "2", "2", "", "1.000", "")
    assert matvec_shapes.lines_of(record) == [line]


def test_measures_writes_a_table_and_draws(binaries, tmp_path):
    arguments = (
        "--executable", binaries / "strata-matvec", "--least", 1000, "--most", 0,
        "--also", 31, 101, tmp_path,
    )  # fmt: skip
    done = started(*map(str, arguments))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 products; ")
    with (tmp_path / "shapes.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    assert [(line["kernel"], line["layout"]) for line in lines] == [
        ("matvec", "left"), ("matvec", "right"), ("matvec_t", "left"), ("matvec_t", "right"),
    ]  # fmt: skip
    record = json.loads((tmp_path / "31-101.json").read_text(encoding="utf-8"))
    of_record = matvec_shapes.lines_of(record)
    assert [list(line.values()) for line in lines] == [[str(x) for x in y] for y in of_record]
    assert (tmp_path / "shapes.png").read_bytes().startswith(b"\x89PNG")
    before = (tmp_path / "31-101.json").stat().st_mtime_ns
    assert started(*map(str, arguments)).returncode == 0
    assert (tmp_path / "31-101.json").stat().st_mtime_ns == before


def test_a_run_that_fails_ends_it_and_leaves_no_record(tmp_path):
    program = write_program(tmp_path / "bad", "echo no >&2; exit 6\n")
    done = started("--executable", program, "--most", "0", "--also", "3", "5", tmp_path / "out")
    assert done.returncode == 1
    assert "3-5: exit 6\nno" in done.stderr
    assert list((tmp_path / "out").iterdir()) == []


def test_the_readme_says_what_the_shapes_show():
    with (ROOT / "results/h200/matvec-shapes.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    text = " ".join((ROOT / "miniapps/matvec/README.md").read_text(encoding="utf-8").split())
    times = [float(line["span/vendor"]) for line in lines]
    worst = lines[times.index(max(times))]
    shape = f"{int(worst['rows']):,} × {int(worst['columns']):,}, in `{worst['layout']}`"
    assert worst["kernel"] == "matvec"
    assert (
        f"Of {len(times)} products {sum(time <= 1 for time in times)} take at most cuBLAS' "
        f"time (the most {max(times):.3f} of it: {shape}, {float(worst['span_us']):.1f} µs)"
        f"; the median is {statistics.median(times):.2f}."
    ) in text
    by_hand = [float(line["span/native"]) for line in lines]
    dear = lines[by_hand.index(max(by_hand))]
    assert (
        f"(the core up to {max(by_hand):.2f} times theirs at {dear['rows']} × "
        f"{dear['columns']}, median {statistics.median(by_hand):.2f})"
    ) in text
    assert max(times) <= 1 / 0.9
    assert sum(time > 1 for time in times) == 1
    front = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    shapes = {(line["rows"], line["columns"]) for line in lines}
    assert (
        f"{len(times)} of {len(shapes)} shapes from one row to one column, one takes longer "
        f"than cuBLAS on an H200: {max(times):.2f} of its time"
    ) in front


def test_nothing_measured_is_said(tmp_path):
    done = started("--most", "0", tmp_path)
    assert done.returncode == 1
    assert done.stderr == f"{tmp_path}: no shape was measured\n"
