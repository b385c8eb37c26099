#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""Floating-point operations, their share by vectors, and cache misses of the apps' loops.

    loop_counts.py BIN [--loop REGEX] > loops.csv

Runs the executables in folder BIN under valgrind's callgrind, on one thread, and counts samples
of a step each: what their instructions do, and what they miss in simulated caches, those of a
core of a Skylake server (first level 32 KiB of 8 ways, second level 1 MiB of 16 ways) without
prefetching. Operations are additions, multiplications (fused ones are both), divisions, roots,
minima and maxima; a comparison is none. The counts need no counters of a processor, are the
same on every machine that runs the same executables, and are no times. valgrind knows no
AVX-512: compile the executables and Kokkos by -march=haswell.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

TOOL = Path(__file__).with_name("sampled_regions.cpp")
LINE = 64
CACHES = (
    "--cache-sim=yes",
    "--simulate-wb=yes",
    f"--I1=32768,8,{LINE}",
    f"--D1=32768,8,{LINE}",
    f"--LL=1048576,16,{LINE}",
)
FLOATING = re.compile(
    r"v?(?:(fn?m(?:addsub|subadd|add|sub)\d*)|h?add|h?sub|addsub|mul|div|sqrt|min|max)"
    r"([ps])([ds])\b"
)
BITS = {"x": 128, "y": 256, "z": 512}


@dataclass(frozen=True)
class Loop:
    """A case of a mini-app, and its deck."""

    name: str
    case: str
    problem: str
    cases: str

    @property
    def app(self) -> str:
        return self.case.partition("/")[0]


def stream(name: str, variant: str, shape: str) -> Loop:
    """Triad, of S5's sizes, but of fewer ragged rows."""
    label = f"stream/triad/{variant}/right/double" + ("" if shape == "1d" else f"/{shape}")
    axes = f"{{kernel: [triad], variant: [{variant}], layout: [right], shape: [{shape}]}}"
    return Loop(name, label, "{size: 16777216}", axes)


def matmul(name: str, variant: str, layout: str) -> Loop:
    """Of an order of which a matrix is twice as large as the second level."""
    label = f"matvec/matmul/{variant}/{layout}/row/double"
    axes = f"{{kernel: [matmul], variant: [{variant}], layout: [{layout}], parallel: [row]}}"
    return Loop(name, label, "{matmul_order: 512}", axes)


def statistics(name: str, variant: str, order: str = "fresh") -> Loop:
    label = f"contact/statistics/{variant}" + ("" if order == "fresh" else f"/{order}")
    axes = f"{{kernel: [statistics], variant: [{variant}], list_order: [{order}]}}"
    hoss = "{deck: hoss, elements: 1000000, shape: box, capacity: 8}"
    return Loop(name, label, hoss, axes)


LOOPS = (
    stream("triad, 1d: core", "span", "1d"),
    stream("triad, 3d: core", "span", "3d"),
    stream("triad, 3d: nested", "vector_of_vectors", "3d"),
    stream("triad, 4d: core", "span", "4d"),
    stream("triad, 4d: nested", "vector_of_vectors", "4d"),
    stream("triad, ragged: core", "span", "ragged"),
    stream("triad, ragged: nested", "vector_of_vectors", "ragged"),
    matmul("matmul, C × F", "span", "cxf"),
    matmul("matmul, C × C", "span", "right"),
    matmul("matmul, nested", "vector_of_vectors", "right"),
    statistics("statistics: `dyn_ragged`", "dyn_ragged"),
    statistics("statistics: `ragged`", "ragged"),
    statistics("statistics: list, as built", "list"),
    statistics("statistics: list, after a long run", "list", "churned"),
    Loop(
        "gradient, left",
        "hexgrad/gradient/span/left/double-double",
        "{size: 100000}",
        "{variant: [span], layout: [left]}",
    ),
    Loop(
        "Gram-Schmidt, `sequence`",
        "mgs/sequence/span/left/device",
        "{rows: 100000, columns: 32}",
        "{algorithm: [sequence], variant: [span], layout: [left]}",
    ),
    Loop(
        "y = A x, rows",
        "matvec/matvec/span/right/auto/double",
        "{rows: 3200, columns: 3200}",
        "{kernel: [matvec], variant: [span], layout: [right], parallel: [auto]}",
    ),
)


@dataclass
class Counts:
    """Of a step; the record's are of its model of the work."""

    loop: str
    case: str
    instructions: float
    flops: float
    vector_flops: float
    first_level_misses: float
    read_bytes: float
    written_bytes: float
    record_flops: float
    record_read_bytes: float
    record_written_bytes: float


def flops_of(text: str) -> tuple[int, bool]:
    """Of an instruction as objdump writes it: how many, and whether by a vector."""
    found = FLOATING.match(text)
    if not found:
        return 0, False
    fused, packed, kind = found.groups()
    lanes = 1
    if packed == "p":
        register = re.search(r"%([xyz])mm", text)
        assert register, text
        lanes = BITS[register[1]] // (64 if kind == "d" else 32)
    return lanes * (2 if fused else 1), packed == "p"


def floating(listing: str) -> dict[int, tuple[int, bool]]:
    """The instructions of objdump's listing that compute, by their addresses."""
    found = {}
    for address, text in re.findall(r"^ *([0-9a-f]+):\t(\S.*)$", listing, re.MULTILINE):
        flops, by_vector = flops_of(text)
        if flops:
            found[int(address, 16)] = (flops, by_vector)
    return found


def costs(profile: str) -> Iterator[tuple[str, int, dict[str, int]]]:
    """Object, address there and own events of each line of callgrind's file."""
    events: list[str] = []
    where = ""
    lines = iter(profile.splitlines())
    for line in lines:
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("ob="):
            where = line[3:]
        elif line.startswith("calls="):
            next(lines)  # what the call took is counted there
        elif line.startswith("0x"):
            address, _, *numbers = line.split()
            yield where, int(address, 16), dict(zip(events, map(int, numbers)))


def total(profile: str, executable: Path) -> Counter[str]:
    """Events of all lines, and `flops` and `vector_flops` of the executable's instructions."""
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", executable],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    computes = floating(listing)
    sums: Counter[str] = Counter()
    for where, address, events in costs(profile):
        sums.update(events)
        if where == str(executable) and address in computes:
            flops, by_vector = computes[address]
            sums["flops"] += events["Ir"] * flops
            sums["vector_flops"] += events["Ir"] * flops * by_vector
    return sums


@dataclass
class Bench:
    """Executables, and a folder for what runs leave."""

    executables: Path
    folder: Path

    def __post_init__(self) -> None:
        self.tool = self.folder / "sampled_regions.so"
        command = ["c++", "-std=c++20", "-O1", "-shared", "-fPIC", "-o", self.tool, TOOL]
        subprocess.run(command, check=True)

    def run(self, loop: Loop) -> tuple[Path, dict]:
        """Leaves files of callgrind and the tool; gives the executable and the case."""
        executable = (self.executables / f"strata-{loop.app}").resolve()
        deck = self.folder / "deck.yaml"
        deck.write_text(
            f"strata: 1\napp: {loop.app}\nproblem: {loop.problem}\ncases: {loop.cases}\n"
            "run: {tier: smoke, rounds: 1, min_time_s: 0, max_time_s: 1, warmup_s: 0}\n"
        )
        record = self.folder / "record.json"
        for left in (record, self.folder / "regions", self.folder / "profile"):
            left.unlink(missing_ok=True)
        asked = {
            "OMP_NUM_THREADS": "1", "KOKKOS_TOOLS_LIBS": str(self.tool),
            "KOKKOS_PROFILE_LIBRARY": str(self.tool),
            "STRATA_REGIONS": str(self.folder / "regions"),
            "STRATA_REGION": loop.case.partition("/")[2], "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }  # fmt: skip
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--dump-instr=yes",
             "--compress-pos=no", "--compress-strings=no", *CACHES,
             f"--callgrind-out-file={self.folder / 'profile'}",
             executable, "--quiet", "--deck", deck, "--only", f"^{re.escape(loop.case)}$",
             "--output", record],
            capture_output=True, text=True, check=False, env=os.environ | asked,
        )  # fmt: skip
        if done.returncode != 0:
            raise SystemExit(f"{loop.name}: exit {done.returncode}\n{done.stdout}{done.stderr}")
        (case,) = json.loads(record.read_text())["cases"]
        return executable, case

    def count(self, loop: Loop) -> Counts:
        executable, case = self.run(loop)
        counted = self.folder / "regions"
        regions = int(counted.read_text()) if counted.exists() else 0
        if regions == 0:
            raise SystemExit(
                f"{loop.name}: {executable} shows its samples to no tool; build it anew, with a"
                " Kokkos that loads tools"
            )
        sums = total((self.folder / "profile").read_text(), executable)
        work = case["work"]
        if sums["flops"] == 0 < work["flops"]:
            raise SystemExit(f"{loop.name}: {executable} itself computes nothing")

        def of(*events: str) -> float:
            return sum(sums[event] for event in events) / regions

        return Counts(
            loop.name, loop.case, of("Ir"), of("flops"), of("vector_flops"),
            of("D1mr", "D1mw"), LINE * of("DLmr", "DLmw"), LINE * of("DLdmr", "DLdmw"),
            work["flops"], work["bytes_read"], work["bytes_written"],
        )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("executables", type=Path, metavar="BIN")
    parser.add_argument("--loop", default="", metavar="REGEX", help="those whose names match")
    options = parser.parse_args()
    for name in ("valgrind", "objdump", "c++"):
        if shutil.which(name) is None:
            parser.error(f"there is no program '{name}'")
    chosen = [loop for loop in LOOPS if re.search(options.loop, loop.name)]
    for app in sorted({loop.app for loop in chosen}):
        if not (options.executables / f"strata-{app}").exists():
            parser.error(f"{options.executables} has no strata-{app}")
    table = csv.DictWriter(sys.stdout, [field.name for field in fields(Counts)])
    table.writeheader()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.executables, Path(folder))
        for loop in chosen:
            table.writerow(asdict(bench.count(loop)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
