#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Changes one thing at a time in the modules that compute figures, and sees their tests fail.

    mutate_tools.py [MODULE]... [--every N] [--at-least PERCENT] [--jobs N]

A mutant is a module with one operator, comparison, number, condition, function (min and max,
any and all) or result changed; mutations.py has the kinds. It is killed where a test of that
module fails, or does not end. What survives is listed by line: a test that is missing, or a
change that changes nothing. Exit code 1 where fewer than PERCENT (85) were killed. With
--every 5 each fifth mutant is tried. All of them take two cores an hour: a run for the night.

Of the report's charts the places of labels and the widths of lines are among the survivors.

mutmut 3 leaves module constants alone, where levels of significance and tables of ceilings are,
and decorated functions; cosmic-ray starts an interpreter and imports scipy for each mutant.
Here each is a fork of a process that has done so.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType

import mutations

SCRIPTS = Path(__file__).resolve().parent
TESTS = {
    "drift": ["drift"],
    "inference": ["planning", "inference", "judge", "drift"],
    "relabelling": ["relabelling"],
    "records.alike": ["alike", "compare"],
    "records.audit": ["audit"],
    "records.ceiling": ["ceiling"],
    "records.peaks": ["audit"],
    "records.rules": ["rules"],
    "compare.judge": ["judge", "gate", "drift"],
    "compare.pairing": ["compare", "pairs", "alike"],
    "report.portability": ["portability", "p3"],
    "report.roofline": ["roofline"],
    "report.score": ["score"],
}
"""Modules of strata_tools, and the tests (scripts/tests/test_NAME.py) that are to kill."""
PATIENCE = 5
"""A mutant's tests may take so many times as long as those of what is not changed, and ..."""
GRACE_S = 20
KILLED, SURVIVED = "killed", "survived"


@dataclass(frozen=True)
class Mutant:
    module: str
    change: mutations.Change
    code: CodeType

    @property
    def place(self) -> str:
        return f"{_source(self.module).relative_to(SCRIPTS.parent)}:{self.change.line}"


class _Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Has the import of one module give the mutant."""

    def __init__(self, name: str, file: Path, code: CodeType):
        self.name, self.file, self.code = name, file, code

    def find_spec(self, name: str, _path: object, _target: object = None):
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.file, loader=self)

    def create_module(self, _spec: object) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.code, module.__dict__)


def _source(module: str) -> Path:
    return SCRIPTS / "strata_tools" / f"{module.replace('.', '/')}.py"


def mutants(module: str) -> Iterator[Mutant]:
    text = _source(module).read_text(encoding="utf-8")
    for change, tree in mutations.of(text):
        yield Mutant(module, change, compile(tree, str(_source(module)), "exec"))


def files_of(module: str) -> list[str]:
    return [str(SCRIPTS / "tests" / f"test_{name}.py") for name in TESTS[module]]


def start(module: str, code: CodeType | None, limit_s: float) -> int:
    """A process that runs the module's tests; exit code 0 where all pass."""
    process = os.fork()
    if process:
        return process
    with contextlib.suppress(BaseException):
        signal.alarm(int(limit_s) + 1)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silence, stream)
        if code is not None:
            name = f"strata_tools.{module}"
            sys.meta_path.insert(0, _Mutated(name, _source(module), code))
        import pytest  # noqa: PLC0415

        words = ["-x", "-q", "-c", str(SCRIPTS / "pytest.ini"), "-p", "no:faulthandler"]
        os._exit(pytest.main([*words, *files_of(module)]))
    os._exit(1)


def seconds_of(module: str) -> float:
    """That its tests take as it is; ends this program where they fail."""
    begin = time.monotonic()
    _, status = os.waitpid(start(module, None, 600), 0)
    if status:
        sys.exit(f"the tests of {module} fail as it is: {' '.join(files_of(module))}")
    return time.monotonic() - begin


def run(tried: Sequence[Mutant], jobs: int) -> dict[str, list[Mutant]]:
    """Those killed, and those that survived."""
    limits = {module: PATIENCE * seconds_of(module) + GRACE_S
              for module in dict.fromkeys(one.module for one in tried)}  # fmt: skip
    found: dict[str, list[Mutant]] = {KILLED: [], SURVIVED: []}
    running: dict[int, Mutant] = {}
    left = list(reversed(tried))
    while left or running:
        while left and len(running) < jobs:
            one = left.pop()
            running[start(one.module, one.code, limits[one.module])] = one
        process, status = os.wait()
        one = running.pop(process)
        found[KILLED if status else SURVIVED].append(one)
        if not status:
            print(f"{one.place}: {one.change}", flush=True)
    return found


def preload() -> None:
    """What takes long to import, and is not to be mutated."""
    for name in ("scipy.stats", "numpy", "jsonschema", "fastjsonschema", "yaml", "jinja2",
                 "matplotlib.pyplot", "pytest"):  # fmt: skip
        importlib.import_module(name)


def table(found: dict[str, list[Mutant]]) -> Iterator[str]:
    yield "| module | mutants | killed | share |"
    yield "|---|---|---|---|"
    everyone = [*found[KILLED], *found[SURVIVED]]
    for module in [*dict.fromkeys(one.module for one in everyone), ""]:
        of = {key: [o for o in ones if module in ("", o.module)] for key, ones in found.items()}
        count = sum(map(len, of.values()))
        share = 100 * len(of[KILLED]) / max(count, 1)
        yield f"| {module or 'all'} | {count} | {len(of[KILLED])} | {share:.1f} % |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    option = parser.add_argument
    option("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(TESTS)}; all")
    option("--every", type=int, default=1, metavar="N", help="try each N-th mutant only")
    option("--at-least", type=float, default=85, metavar="PERCENT", help="killed, or exit 1")
    option("--jobs", type=int, default=os.cpu_count(), metavar="N")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.modules if name not in TESTS]:
        parser.error(f"no tests are known of {', '.join(unknown)}")
    preload()
    tried = [one for name in arguments.modules or TESTS for one in mutants(name)]
    found = run(tried[:: arguments.every], arguments.jobs)
    print("\n".join(["", *table(found)]))
    killed, count = len(found[KILLED]), sum(map(len, found.values()))
    return int(100 * killed < arguments.at_least * count)


if __name__ == "__main__":
    sys.exit(main())
