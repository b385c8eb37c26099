#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""What an array type costs a compiler: processor seconds per instantiation of a kernel.

    compile_seconds.py --kokkos PREFIX COMPILER...

Each way in which strata-arraybench sees an array (raw pointers, spans, Kokkos::View and an
mdspan where there is one) is compiled with no kernel and with `--instances` of them, each of a
type of its own; the difference, divided by their number, is the cost of one. Compilers and
ways take turns, `--rounds` times. Printed are medians with their 95 % intervals
by order statistics, or with the extremes of fewer than 6 rounds.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from strata_tools.inference import median_interval

COMMON = Path(__file__).resolve().parents[1] / "common"
WAYS = ("Raw", "Span", "View", "Mdspan")

BEGIN = """
#include "array/benchmarks/ways.hpp"
using namespace strata;
template <class A>
int total(A const& a)
{
  int sum = 0;
  for (index_t i = 0; i < index_t(a.extent(0)); ++i)
    for (index_t j = 0; j < index_t(a.extent(1)); ++j)
      for (index_t k = 0; k < index_t(a.extent(2)); ++k)
        sum += a(i, j, k);
  return sum;
}
"""
ONE = """
int total_{n}(int const* p, index_t x)
{{
  using Way = bench::{way}Way;
  return total(Way::see<int const, LayoutRight, HostSpace, dyn, 3, {n}>(p, x, 3, {n}));
}}
"""


class Compiler:
    """A compiler with its options, and the seconds that it takes."""

    def __init__(self, name: str, options: argparse.Namespace):
        self.name = name
        include = options.kokkos / "include"
        self.command = [name, "-std=c++20", *options.flags.split(), f"-I{COMMON}"]
        self.command += ["-isystem", str(include), "-c", "-o", os.devnull, "-x", "c++"]

    def seconds(self, source: Path) -> float:
        """Processor time, which other work on the machine changes less than the clock's."""
        before = os.times()
        subprocess.run([*self.command, str(source)], check=True)
        after = os.times()
        user = after.children_user - before.children_user
        return user + after.children_system - before.children_system

    def has(self, way: str, folder: Path) -> bool:
        source = folder / "probe.cpp"
        source.write_text(f"{BEGIN}using There = bench::{way}Way;\n", encoding="utf-8")
        probe = [*self.command, "-fsyntax-only", str(source)]
        return subprocess.run(probe, check=False, stderr=subprocess.DEVNULL).returncode == 0


def shown(values: list[float]) -> str:
    low, high = median_interval(values) or (min(values), max(values))
    return f"{1e3 * median(values):8.1f} ms [{1e3 * low:.1f}, {1e3 * high:.1f}]"


def measure(options: argparse.Namespace, folder: Path) -> None:
    sources = {}
    for way in options.ways:
        ones = [ONE.format(n=n, way=way) for n in range(4, 4 + options.instances)]
        sources[way] = folder / f"{way}.cpp"
        sources[way].write_text(BEGIN + "".join(ones), encoding="utf-8")
    none = folder / "none.cpp"
    none.write_text(BEGIN, encoding="utf-8")

    compilers = [Compiler(name, options) for name in options.compilers]
    cases = [(c, way) for c in compilers for way in options.ways if c.has(way, folder)]
    if not cases:
        sys.exit(f"nothing compiles; is Kokkos in {options.kokkos}?")
    found: dict[tuple[Compiler, str], list[float]] = {case: [] for case in cases}
    for _ in range(options.rounds):
        for compiler in compilers:
            rest = compiler.seconds(none)
            for way in options.ways:
                if (compiler, way) in found:
                    seconds = compiler.seconds(sources[way]) - rest
                    found[compiler, way].append(seconds / options.instances)
    for compiler in compilers:
        for way in options.ways:
            seconds = found.get((compiler, way))
            text = shown(seconds) if seconds else "   left out: it does not compile"
            print(f"{compiler.name:12} {way:7} {text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("compilers", nargs="+", metavar="COMPILER")
    parser.add_argument("--kokkos", type=Path, required=True, help="where Kokkos is installed")
    parser.add_argument("--flags", default="-O3 -fopenmp", help="of the compilers")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--instances", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    for name in options.compilers:
        if shutil.which(name) is None:
            parser.error(f"there is no program '{name}'")
    with tempfile.TemporaryDirectory() as folder:
        measure(options, Path(folder))


if __name__ == "__main__":
    main()
