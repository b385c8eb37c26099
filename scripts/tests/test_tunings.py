"""Tunings of launches: what is measured, and what is told of it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from conftest import ROOT

import tunings

SCRIPT = ROOT / "scripts" / "tunings.py"


def case(tuning: str, times: list[float], kernel: str = "triad") -> dict:
    axes = {"kernel": kernel, "variant": "span"}
    if tuning != "default":
        axes["tuning"] = tuning
    return {
        "status": "measured", "axes": axes, "samples_s": times,
        "work": {"bytes_read": 16 * 10**9, "bytes_written": 8 * 10**9},
    }  # fmt: skip


def wavy(centre: float, rounds: int = 40) -> list[float]:
    """Times about a centre, of which no two in a row are alike."""
    return [centre * (1 + 0.002 * ((7 * k) % 5 - 2)) for k in range(rounds)]


def test_a_faster_tuning_is_found_with_what_the_own_one_loses():
    slow = [1.05 * time for time in wavy(0.01)]
    cases = [case("default", slow), case("256x1", wavy(0.01)), case("64x4", wavy(0.02))]
    (found,) = tunings.found_in({"cases": cases})
    assert found.best == "256x1"
    assert found.loss == pytest.approx(0.05)
    assert found.interval[0] > 0
    assert [line[0] for line in found.lines] == ["256x1", "default", "64x4"]
    assert found.lines[0][1] == pytest.approx(2.4e12, rel=0.01)
    assert found.verdict().startswith("triad: the core's own division loses 5.0 % [")
    assert "| triad | default | 2.286 TB/s | 1.000 |" in tunings.table([found])


def test_a_tuning_is_judged_by_other_rounds_than_those_that_chose_it():
    lucky = [time * (0.9 if k % 2 == 0 else 1.01) for k, time in enumerate(wavy(0.01))]
    cases = [case("default", wavy(0.01)), case("256x1", lucky)]
    (found,) = tunings.found_in({"cases": cases})
    assert found.best == "256x1"
    assert found.loss == pytest.approx(-1 / 101)
    assert found.verdict().endswith(" to 256x1, it is faster")


def test_the_own_division_may_be_the_best():
    cases = [case("default", wavy(0.01)), case("256x1", wavy(0.011))]
    (found,) = tunings.found_in({"cases": cases})
    assert found.verdict() == "triad: no tuning is faster than the core's own"


def test_too_few_rounds_give_no_interval():
    cases = [case("default", wavy(0.01, 8)), case("256x1", wavy(0.009, 8))]
    (found,) = tunings.found_in({"cases": cases})
    assert found.verdict().endswith("by too few rounds for an interval")


def test_kernels_without_a_tuning_are_left_out():
    cases = [case("default", wavy(0.01)), case("256x8x2", wavy(0.01), "dot")]
    assert tunings.found_in({"cases": cases}) == []


def test_a_host_has_none(binaries, tmp_path):
    record = tmp_path / "record.json"
    arguments = [
        "--executable", binaries / "strata-stream", "--size", 1000, "--rounds", 12,
        "--seconds", 1, record,
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.endswith("they are of an NVIDIA GPU's launches\n")
    reasons = {case["reason"] for case in json.loads(record.read_text())["cases"]}
    assert "tunings are of an NVIDIA GPU's launches" in reasons
