"""Records that no machine made: as many as wanted, of any shape, with known differences.

python synthetic.py COUNT FOLDER      to try the report on them by hand
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Callable, Iterable
from copy import deepcopy
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import numpy as np

from strata_tools.inference import median_interval

FIRST = datetime(2026, 1, 1, tzinfo=timezone.utc)
KERNELS = {"triad": (3, 2), "copy": (2, 0), "dot": (2, 2), "add": (3, 1)}
"""Kernel to arrays that it streams, and flops per element."""
BANDWIDTH = 2e11


def case(  # noqa: PLR0913 - keywords that all have defaults
    kernel: str,
    *,
    variant: str = "span",
    layout: str = "left",
    scalar: str = "double",
    access: str = "",
    elements: int = 10**8,
    slow: float = 1.0,
    noise: float = 0.002,
    samples: int = 20,
    relative: Iterable[float] = (),
    source: np.random.Generator,
) -> dict[str, Any]:
    """A measured case: `slow` is its time over what the bandwidth allows, and `relative` that
    of each sample over this, in place of noise."""
    arrays, flops = KERNELS[kernel]
    size = 8 if scalar == "double" else 4
    read, written = (arrays - 1) * size * elements, size * elements
    ideal = (read + written) / BANDWIDTH * slow
    relative = list(relative) or 1 + noise * np.abs(source.standard_normal(samples))
    times = [float(ideal * one) for one in relative]
    axes = {"kernel": kernel, "variant": variant, "layout": layout, "scalar": scalar}
    axes.update({"access": access} if access else {})
    return {
        "label": "/".join(axes.values()),
        "status": "measured",
        "reason": "",
        "axes": axes,
        "problem": {"rows": elements},
        "work": {"bytes_read": read, "bytes_written": written, "flops": flops * elements},
        "memory_bytes": read + written,
        "samples_s": times,
        "inner": 1,
        "rank_min_s": times,
        "rank_mean_s": times,
        "statistics": _statistics(times),
        "converged": True,
        "drift": False,
        "foms": [_fom(times, read + written, scope) for scope in ("job", "device")],
        "checks": [{"check": "max_relative_error", "value": 0, "allowed": 0, "status": "PASS"}],
        "phases": [{"name": "setup", "seconds": 0.1}],
        "ratios": [],
    }


def _statistics(times: list[float]) -> dict[str, Any]:
    ordered, mean = sorted(times), statistics.fmean(times)
    return {
        "n": len(times),
        "median_s": statistics.median(times),
        "best_s": ordered[0],
        "mean_s": mean,
        "p5_s": ordered[0],
        "p95_s": ordered[-1],
        "cv": statistics.stdev(times) / mean,
        "ci95": list(median_interval(times) or ()) or None,
        "outliers": 0,
    }


def _fom(times: list[float], amount: float, scope: str) -> dict[str, Any]:
    between = median_interval(times)
    return {
        "metric": "bandwidth",
        "value": amount / statistics.median(times),
        "unit": "B/s",
        "better": "higher",
        "stat": "median",
        "n": len(times),
        "ci95": [amount / time for time in reversed(between)] if between else None,
        "best": amount / min(times),
        "scope": scope,
    }


def record(  # noqa: PLR0913 - keywords that all have defaults
    *,
    number: int = 0,
    system: str = "alpha",
    host: str = "n001",
    device: str = "Imaginary CPU",
    ranks: int = 1,
    cases: list[dict[str, Any]] | None = None,
    size: Any = 10**8,
    git: str = "0" * 40,
    version: str = "0.1.0",
    tier: str = "official",
) -> dict[str, Any]:
    """A record of strata-stream; `number` makes its run and its noise its own."""
    source = np.random.default_rng(number)
    start = FIRST + timedelta(minutes=number)
    places = [
        {
            "host": host, "rank": rank, "local_rank": rank, "cpuset": str(rank), "numa": 0,
            "threads": 1, "binding": "none", "device_id": -1, "device": device,
            "pci_id": "", "uuid": "", "memory_bytes": 10**12,
        }
        for rank in range(ranks)
    ]  # fmt: skip
    effective = {
        "strata": 1, "app": "stream", "problem": {"size": size},
        "cases": {"kernel": list(KERNELS), "layout": ["left"]}, "run": {"tier": tier},
    }  # fmt: skip
    return deepcopy(
        {
            "schema": 1,
            "suite": {"name": "strata", "version": version, "git": git, "dirty": False},
            "app": "stream",
            "fom_version": 1,
            "build": {
                "type": "Release", "compiler": "GNU 12.2", "flags": "-O3", "cxx": "C++20",
                "kokkos": "4.6.0", "backends": ["OpenMP"], "arch": "native",
                "bounds_check": False, "mpi": "Open MPI",
            },
            "run": {
                "id": f"{start:%Y%m%dT%H%M%SZ}-{number}-{number % 65536:04x}",
                "start_utc": f"{start:%Y-%m-%dT%H:%M:%SZ}",
                "cmdline": ["strata-stream", "--deck", "d.yaml"],
                "user_label": "", "system": system, "scheduler": "none", "job_id": "",
                "array_index": "", "tier": tier,
            },
            "deck": {
                "path": "d.yaml", "sha256": "a" * 64,
                "effective": json.dumps(effective), "overrides": [],
            },
            "placement": places,
            "mpi": {
                "ranks": ranks, "nodes": 1,
                "gpu_aware": {"requested": "auto", "used": "host", "how": "host memory"},
            },
            "ceiling": dict.fromkeys(("read", "write", "copy", "triad"), BANDWIDTH * ranks),
            "cases": [case(kernel, source=source) for kernel in KERNELS]
            if cases is None
            else cases,
            "energy": None,
            "energy_reason": "no counter was readable",
            "validity": {"valid": True, "official": tier == "official", "reasons": []},
            "environment": {},
        }
    )  # fmt: skip


def write(folder: Path, records: Iterable[dict[str, Any]]) -> list[Path]:
    """Each into a file of its own, named by its run."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for one in records:
        paths.append(folder / f"{one['run']['id']}.json")
        paths[-1].write_text(json.dumps(one), encoding="utf-8")
    return paths


def fleet(count: int) -> Iterable[dict[str, Any]]:
    """Launches over four systems of 100 nodes each, eight cases a launch; node n013 of the
    first system is 8 % slow."""
    for number in range(count):
        source = np.random.default_rng(number)
        system, node = number % 4, number // 4 % 100
        slow = (1.08 if (system, node) == (0, 13) else 1.0) + 0.002 * source.standard_normal()
        cases = [
            case(kernel, variant=variant, slow=slow, source=source)
            for kernel in KERNELS
            for variant in ("span", "native")
        ]
        name = ("alpha", "beta", "gamma", "delta")[system]
        yield record(number=number, system=name, host=f"n{node:03}", cases=cases)


def side(folder, launches=9, *, first=0, slow=None, **about):
    """Launches whose numbers are `first`, first + 2, ...: two sides alternate. `slow` has the
    factors of the time of some kernels."""
    for number in range(first, first + 2 * launches, 2):
        source = np.random.default_rng(number)
        drift = 1 + 0.002 * source.standard_normal()
        cases = [
            case(kernel, slow=drift * (slow or {}).get(kernel, 1), source=source)
            for kernel in KERNELS
        ]
        made = record(**{"number": number, "cases": cases, **about})
        write(folder, [made])
    return folder


def asking(key: str, value: Any, *defaults: str) -> Callable[[dict[str, Any]], None]:
    """A change of a record, for `rewrite`: its deck and its cases have that problem."""

    def change(document: dict[str, Any]) -> None:
        effective = json.loads(document["deck"]["effective"])
        effective["problem"][key] = value
        document["deck"].update(effective=json.dumps(effective), defaults=list(defaults))
        for case in document["cases"]:
            case["problem"][key] = value

    return change


def rewrite(folder, change):
    """Changes all records of a folder."""
    for path in folder.glob("*.json"):
        document = json.loads(path.read_text())
        change(document)
        path.write_text(json.dumps(document))
    return folder


if __name__ == "__main__":
    write(Path(sys.argv[2]), fleet(int(sys.argv[1])))
