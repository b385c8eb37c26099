#!/usr/bin/env python3
"""Holds every #include of common/ and miniapps/ against the table of who may include whom.

check_layers.py [ROOT]      prints file:line for each violation; exit 1 if there is one
"""

from __future__ import annotations

import os
import re
import sys
from fnmatch import fnmatch
from pathlib import Path

# A folder of common/ -> the folders, or single headers, that its files may include.
MAY_INCLUDE = {
    "base": (),
    "array": (
        "base/bit_word.hpp",
        "base/cuda/early.hpp",
        "base/kokkos.hpp",
        "base/lanes.hpp",
        "base/types.hpp",
    ),
    "array.hpp": ("array",),
    "ragged.hpp": ("array",),
    "sparse.hpp": ("array",),
    "deck": ("base",),
    "runtime": ("base",),
    "measure": ("base", "runtime"),
    "verify": ("base", "array", "runtime"),
    "report": ("base", "measure", "verify", "runtime"),
    "driver": ("base", "array", "deck", "runtime", "measure", "verify", "report"),
    "testing": ("base", "array", "measure", "driver/miniapp.hpp"),
    "fuzz": ("base", "deck"),
}
MINIAPPS = (
    "base",
    "array",
    "deck",
    "measure/work.hpp",
    "verify",
    "runtime/share.hpp",
    "runtime/mpi/exchange.hpp",
    "runtime/node/host_library.hpp",
    "driver/axis.hpp",
    "driver/miniapp.hpp",
)
MINIAPP_MAIN = (*MINIAPPS, "driver/program.hpp")
TESTS_ALSO = ("testing", "base", "array", "measure")
BENCHMARKS_ALSO = ("base", "measure", "report")
TEST_MAIN_ALSO = ("runtime",)  # it brings MPI up, as driver/program.hpp does for an app's main

# A folder with rooms -> each room, and the rooms, or single headers, of its folder that its
# files may include besides its own. What lies above the rooms, and tests, may include all.
ROOMS = {
    "common/array": {
        "layout": (),
        "access": ("layout",),
        "span": ("layout", "access"),
        "launch": ("layout", "access", "span"),
        "dense": ("layout", "access", "span", "launch"),
        "ragged": ("layout", "access", "span", "launch", "dense"),
        "sparse": ("layout", "access", "span", "launch", "dense"),
    },
    "common/base": {
        "cuda": ("error.hpp", "kokkos.hpp", "types.hpp"),
    },
    "common/runtime": {
        "node": (),
        "mpi": ("node", "share.hpp"),
        "placement": ("node", "mpi"),
    },
    "miniapps/contact": {
        "scene": ("config.hpp",),
        "io": ("scene", "config.hpp"),
        "output": ("scene", "io"),
        "grid": ("scene",),
        "search": ("scene", "grid"),
        "rows": ("scene", "grid", "search"),
        "domain": ("scene", "grid", "search", "rows", "config.hpp"),
        "check": ("scene", "grid", "search", "rows", "domain"),
        "trials": (
            "scene",
            "io",
            "output",
            "grid",
            "search",
            "rows",
            "domain",
            "check",
            "config.hpp",
        ),
        "fuzz": ("io",),
    },
    "miniapps/matvec": {
        "operands": (),
        "kernels": ("operands",),
        "matmul": (),
        "controls": ("kernels/lanes.hpp", "kernels/gpu_time.hpp", "kernels/fastest.hpp"),
        "ranks": ("operands", "kernels"),
        "trials": ("operands", "kernels", "matmul", "controls", "ranks"),
    },
    "miniapps/mgs": {
        "matrix": (),
        "rows": (),
        "tiles": (),
        "fragments": ("tiles",),
        "panels": ("tiles",),
        "wide": ("tiles",),
        "controls": (),
        "trials": ("matrix", "rows", "tiles", "fragments", "panels", "wide", "controls"),
    },
    "miniapps/stream": {
        "kernels": (),
        "trials": ("kernels", "config.hpp"),
        "controls": ("kernels", "trials"),
    },
}

# Made by the build, in no folder of the tree.
GENERATED = {"strata_build.hpp": "common/runtime/context.cpp"}

# Third-party headers -> the only files that may include them.
THIRD_PARTY = {
    "Kokkos_*": ("common/base/kokkos.hpp",),
    "mpi.h": (
        "common/runtime/*.cpp",
        "common/runtime/mpi/mpi_comm.hpp",
        "common/testing/main.cpp",
    ),
    "yaml-cpp/*": (
        "common/deck/document.cpp",
        "common/base/json.cpp",
        "common/*/tests/*",
    ),
    "benchmark/*": ("common/*/google_benchmark.*", "*/benchmarks/*.cpp"),
    "gtest/*": ("*/tests/*", "common/testing/*"),
    "gmock/*": ("*/tests/*", "common/testing/*"),
}

# A folder -> third-party headers that nothing it includes may bring in either.
NEVER_REACHES = {"deck": ("Kokkos_*", "mpi.h")}

INCLUDE = re.compile(r'\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')


class Tree:
    """The sources below common/ and miniapps/, and what each includes."""

    def __init__(self, root: Path):
        self.root = root
        self.files = sorted(
            path.relative_to(root)
            for top in ("common", "miniapps")
            for path in (root / top).rglob("*")
            if path.suffix in (".hpp", ".cpp", ".h", ".cu")
        )
        self.includes = {path: self._read(path) for path in self.files}

    def _read(self, path: Path) -> list[tuple[int, str, bool]]:
        """Line, header, quoted or in angle brackets."""
        text = (self.root / path).read_text(encoding="utf-8")
        found = []
        for number, line in enumerate(text.splitlines(), start=1):
            if match := INCLUDE.match(line):
                found.append((number, match.group(1) or match.group(2), bool(match.group(1))))
        return found

    def resolve(self, path: Path, header: str) -> Path | None:
        """The file that a quoted include means, as the compiler looks it up: beside the file,
        in its miniapp, or in common/."""
        app = (owner(path),) if path.parts[0] == "miniapps" else ()
        for folder in (path.parent, *app, Path("common")):
            candidate = folder / header
            if (self.root / candidate).is_file():
                return Path(os.path.normpath(candidate))
        return None

    def reaches(self, path: Path, seen: set[Path]) -> set[str]:
        """Third-party and standard headers that including `path` brings in."""
        headers: set[str] = set()
        for _, header, quoted in self.includes.get(path, ()):
            target = self.resolve(path, header) if quoted else None
            if target is None:
                headers.add(header)
            elif target not in seen:
                seen.add(target)
                headers |= self.reaches(target, seen)
        return headers


def owner(path: Path) -> Path:
    """common/deck for common/deck/tests/x.cpp, miniapps/stream for what lies below it."""
    return Path(*path.parts[:2])


def room(path: Path) -> str | None:
    """ragged for common/array/ragged/rows.hpp; none for tests and what lies above the rooms."""
    inner = path.parts[2:-1]
    return None if not inner or set(inner) & {"tests", "benchmarks"} else inner[0]


def rooms_apart(path: Path, target: Path) -> str | None:
    """What forbids `path` to include a file of its own folder."""
    here, there = room(path), room(target)
    rooms = ROOMS.get(owner(path).as_posix(), {})
    for name in filter(None, (here, there)):
        if name not in rooms:
            return f"{owner(path) / name} has no row in {Path(__file__).name}"
    inside = target.relative_to(owner(path)).as_posix()
    if here is None or there == here or {there, inside} & set(rooms[here]):
        return None
    lies = f"in {there}" if there else "above the rooms"
    mine = ", ".join(rooms[here]) or "no other"
    return f"lies {lies}; of the rooms of {owner(path)}, {here} may include {mine}"


def allowed(path: Path) -> tuple[str, ...]:
    top, folder = path.parts[:2]
    if top == "miniapps":
        row = MINIAPP_MAIN if path.name == "main.cpp" else MINIAPPS
    else:
        row = MAY_INCLUDE.get(folder, ())
    if path == Path("common/testing/main.cpp"):
        row = (*row, *TEST_MAIN_ALSO)
    if "benchmarks" in path.parts:
        return (*row, *BENCHMARKS_ALSO)
    return (*row, *TESTS_ALSO) if "tests" in path.parts else row


def problem_with(tree: Tree, path: Path, header: str, quoted: bool) -> str | None:
    for pattern, places in THIRD_PARTY.items():
        if fnmatch(header, pattern) and not any(fnmatch(path.as_posix(), p) for p in places):
            return f"only {' and '.join(places)} may include <{header}>"
    if not quoted or GENERATED.get(header) == path.as_posix():
        return None
    target = tree.resolve(path, header)
    if target is None:
        return f'no file "{header}" in {owner(path)} or common'
    if owner(target) == owner(path):
        apart = rooms_apart(path, target)
        return f'"{header}" {apart}' if apart else None
    name = target.relative_to("common").as_posix() if target.parts[0] == "common" else None
    if name and any(name == entry or name.startswith(entry + "/") for entry in allowed(path)):
        return None
    rules = ", ".join(allowed(path)) or "nothing else of ours"
    return f'"{header}" is out of bounds here; {owner(path)} may include {rules}'


def violations(root: Path) -> list[str]:
    tree = Tree(root)
    found = []
    for path in tree.files:
        if path.parts[0] == "common" and path.parts[1] not in MAY_INCLUDE:
            found.append(
                f"{path}:1: common/{path.parts[1]} has no row in {Path(__file__).name}"
            )
            continue
        for line, header, quoted in tree.includes[path]:
            if problem := problem_with(tree, path, header, quoted):
                found.append(f"{path}:{line}: {problem}")
        banned = NEVER_REACHES.get(path.parts[1], ()) if path.parts[0] == "common" else ()
        for header in sorted(tree.reaches(path, {path})) if banned else ():
            if any(fnmatch(header, pattern) for pattern in banned):
                found.append(
                    f"{path}:1: brings in <{header}>, which {owner(path)} must not need"
                )
    return found


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
    found = violations(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
