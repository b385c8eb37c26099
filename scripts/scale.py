#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Counts what each rank asks of MPI as the ranks grow, without a cluster.

    scale.py [--ranks N]... [--node N] [--strong] [APP]... [BUILD]

Every app runs a short deck on so many ranks of this machine (4, 16 and 64 where none is given),
of one thread each, which see N ranks (4) of the others as their node. A library counts by MPI's
profiling interface: calls, messages, bytes that a rank gives and is given, ranks it meets, peak
memory. Each count is the largest of ranks other than 0, then that of rank 0. Problems grow with
the ranks (weak scaling), or are as large as the first one (--strong).

Counts that grow faster than the logarithm of the ranks are marked `!` and named in the end:
exit 1.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fault_campaign import MPI, ROOT, preloading

COUNTS = ROOT / "scripts" / "mpi_counts.cpp"
# Of each app: the problem of one rank, and the cases, none of which is a control. Grids are of
# two dimensions, where a rank has all its neighbours from 9 ranks on (in three from 27 on).
PROBLEMS = {
    "contact": {"elements": 4096},
    "hexgrad": {"size": 512},
    "matvec": {"rows": 64, "sparse_rows": 512},
    "mgs": {"rows": 512},
    "stream": {"size": 4096},
}
CASES = {
    "contact": "kernel: [build, statistics, update], variant: [dyn_ragged]",
    "hexgrad": "variant: [span]",
    "matvec": "kernel: [matvec, matvec_t, csr, csc], variant: [span], parallel: [row, auto], "
    "stencil: [5pt]",
    "mgs": "algorithm: [sequence, batched, fused, blocked, cholesky2], variant: [span]",
    "stream": "kernel: [triad, dot], variant: [span]",
}
FIXED = {
    "contact": {"deck": "random", "dim": 2, "steps": 4, "brute_rows": 64},
    "matvec": {"columns": 512},
    "mgs": {"columns": 8},
}
SHOWN = ("calls", "messages", "given", "taken", "partners", "peak_kB")
ALLOWED = 1.25
"""Times the logarithm's growth; what a job of few ranks has in its corners is less."""


@dataclass
class Counts:
    """Of one job: a name's largest value of ranks other than 0, and rank 0's."""

    others: dict[str, int]
    first: dict[str, int]


def read(folder: Path, ranks: int) -> Counts:
    """What each rank wrote; the sums over MPI's functions are added."""
    of_ranks = []
    for rank in range(ranks):
        lines = (folder / f"rank.{rank}").read_text(encoding="utf-8").splitlines()
        values = {name: int(value) for name, value in (line.split() for line in lines)}
        of_ranks.append(values)
        for kind in ("calls", "given", "taken"):
            values[kind] = sum(v for name, v in values.items() if name.endswith(f".{kind}"))
        sends = ("Isend.calls", "Issend.calls", "Sendrecv.calls")
        values["messages"] = sum(values.get(name, 0) for name in sends)
    names = {name for values in of_ranks for name in values}
    return Counts(
        {name: max(values.get(name, 0) for values in of_ranks[1:]) for name in names},
        {name: of_ranks[0].get(name, 0) for name in names},
    )


def deck(app: str, ranks: int) -> str:
    """A deck that is as large as so many ranks need."""
    sizes = {name: each * ranks for name, each in PROBLEMS[app].items()}
    entries = (sizes | FIXED.get(app, {})).items()
    problem = ", ".join(f"{name}: {value}" for name, value in entries)
    return (
        f"strata: 1\napp: {app}\nproblem: {{{problem}}}\ncases: {{{CASES[app]}}}\n"
        "run: {tier: smoke, rounds: 1, min_time_s: 0, warmup_s: 0}\n"
    )


@dataclass
class Bench:
    """Where jobs are counted."""

    binaries: Path
    node: int
    """Ranks that see each other as one node."""
    folder: Path

    def __post_init__(self) -> None:
        self.shim = self.folder / "mpi_counts.so"
        command = ["mpicxx", "-std=c++20", "-O1", "-shared", "-fPIC", "-DOMPI_SKIP_MPICXX"]
        subprocess.run([*command, "-o", self.shim, COUNTS], check=True)

    def count(self, app: str, ranks: int, text: str) -> Counts:
        """Of the deck. Ends the program where the job does not pass."""
        counts = self.folder / f"{app}-{ranks}"
        counts.mkdir()
        file = counts / "deck.yaml"
        file.write_text(text, encoding="utf-8")
        asked = {
            "OMP_NUM_THREADS": "1", "STRATA_MPI_COUNTS": counts, "STRATA_MPI_NODE": self.node,
            **preloading(self.shim),
        }  # fmt: skip
        done = subprocess.run(
            ["mpirun", "-n", str(ranks), "env", *(f"{k}={v}" for k, v in asked.items()),
             self.binaries / f"strata-{app}", "--quiet", "--deck", file,
             "--output", counts / "record.json"],
            capture_output=True, text=True, check=False, env=os.environ | MPI,
        )  # fmt: skip
        if done.returncode != 0:
            raise SystemExit(
                f"{counts.name}: exit {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return read(counts, ranks)


def grows(values: Iterable[int], ranks: list[int]) -> bool:
    """Whether a count grows faster than the logarithm of the ranks: beyond what that gives from
    the second number of ranks on, with which all neighbours are there, and by larger steps than
    the one before, which an offset does not explain."""
    points = list(zip(ranks, values, strict=True))
    slopes = [
        (after - before) / math.log(q / p)
        for (p, before), (q, after) in zip(points, points[1:], strict=False)
    ]
    least, most = points[1], zip(points[2:], slopes, slopes[1:], strict=False)
    return any(
        value > ALLOWED * max(1, least[1]) * math.log(p) / math.log(least[0])
        and slope > ALLOWED * max(0, before)
        for (p, value), before, slope in most
    )


def table(app: str, of: dict[int, Counts]) -> tuple[list[str], list[str]]:
    """Lines of Markdown, and the names of the counts of other ranks that grow."""
    ranks = list(of)
    lines, growing = [], []
    for name in SHOWN:
        others = [counts.others.get(name, 0) for counts in of.values()]
        first = [counts.first.get(name, 0) for counts in of.values()]
        marks = ["!" if grows(values, ranks) else "" for values in (others, first)]
        if marks[0]:
            growing.append(name)
        cells = [f"{a:,} ({b:,})" for a, b in zip(others, first, strict=True)]
        lines.append(f"| {app} | {name} | {' | '.join(cells)} | {marks[0]} ({marks[1]}) |")
    return lines, growing


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="*", metavar="APP|BUILD")
    parser.add_argument("--ranks", type=int, action="append", metavar="N")
    parser.add_argument("--node", type=int, default=4, metavar="N")
    parser.add_argument("--strong", action="store_true")
    told = parser.parse_args()
    ranks = sorted(set(told.ranks or (4, 16, 64)))
    if len(ranks) < 3 or ranks[0] < 2:  # what two of them show can be an offset
        parser.error("--ranks: give three numbers of ranks at least, none below 2")
    apps = [word for word in told.words if word in PROBLEMS] or list(PROBLEMS)
    builds = [word for word in told.words if word not in PROBLEMS]
    if len(builds) > 1:
        parser.error(f"{builds[0]} is no app; there are {', '.join(PROBLEMS)}")
    binaries = Path(builds[0] if builds else ROOT / "build" / "test") / "bin"
    grown = []
    print(f"| app | count | {' | '.join(f'{n} ranks' for n in ranks)} | grows |")
    print(f"|---|---|{'---|' * len(ranks)}---|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(binaries, told.node, Path(folder))
        for app in apps:
            of = {
                n: bench.count(app, n, deck(app, ranks[0] if told.strong else n)) for n in ranks
            }
            lines, growing = table(app, of)
            print("\n".join(lines), flush=True)
            grown += [f"{app}: {name}" for name in growing]
    for text in grown:
        print(f"grows faster than the logarithm of the ranks: {text}", file=sys.stderr)
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
