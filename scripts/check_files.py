#!/usr/bin/env python3
"""Holds every file of the repository against rules that no other tool knows.

    check_files.py [ROOT]      prints file:line for each violation; exit 1 if there is one

Text is UTF-8 with a newline at the end; no header is longer than MAX_HEADER lines, and no
file than MAX_LINES without a reason in LONG_FILES; no folder has more than MAX_SOURCES C++
sources; none names a folder of somebody's machine. A CUDA kernel first waits for the launch
before it (base/cuda/early.hpp): one that does not would read what is still being written.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

MAX_LINES = 400
MAX_HEADER = 300
MAX_SOURCES = 20
# Pattern -> why it may be longer.
LONG_FILES = {
    "results/*": "records are data",
    "miniapps/matvec/README.md": "a third of its lines name the records of its figures",
    "common/array/README.md": "the library in ten minutes; every example is a test",
    "*.golden.*": "expected output is data",
    "*.schema.json": "a schema is one document",
}
BINARY = (".png", ".gz")
MACHINE_PATH = re.compile(r"(?<![\w.~}$/-])/(?:home|root|work|Users|scratch)/\w")
# A kernel with a body, and what a body that waits begins with, after preprocessor lines.
KERNEL = re.compile(r"__global__\b[^;{}]*\{")
WAITS = re.compile(r"\s*(?:#[^\n]*\n\s*)*(?:nvidia::)?await_last_launch\(\);|\s*\}")


def tracked(root: Path) -> list[Path]:
    """Files that git tracks or would add."""
    command = ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = sorted(set(listed.split("\0")) - {""})
    return [Path(name) for name in names if (root / name).is_file()]


def problems_of(name: Path, content: bytes) -> list[str]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return [f"{name}:1: is not UTF-8 text"]
    found = []
    lines = text.splitlines()
    if text and not text.endswith("\n"):
        found.append(f"{name}:{len(lines)}: no newline at the end")
    most = MAX_HEADER if name.suffix == ".hpp" else MAX_LINES
    if len(lines) > most and not any(fnmatch(name.as_posix(), p) for p in LONG_FILES):
        found.append(f"{name}:1: {len(lines)} lines; split it, or say why not in LONG_FILES")
    for number, line in enumerate(lines, start=1):
        if match := MACHINE_PATH.search(line):
            found.append(f"{name}:{number}: {match.group()}... is a path of one machine")
    return found + (early_kernels(name, text) if name.suffix in (".cpp", ".hpp") else [])


def early_kernels(name: Path, text: str) -> list[str]:
    """CUDA kernels that do something before they have waited for the launch before them. Those
    of .cu files are launched without leave to start early."""
    return [
        f"{name}:{text.count(chr(10), 0, kernel.end()) + 1}: a kernel begins with "
        "nvidia::await_last_launch()"
        for kernel in KERNEL.finditer(text)
        if not WAITS.match(text, kernel.end())
    ]


def crowded(names: list[Path]) -> list[str]:
    """Folders with too many C++ sources."""
    sources = Counter(name.parent for name in names if name.suffix in (".cpp", ".hpp", ".cu"))
    return [
        f"{folder}:1: {count} sources; {MAX_SOURCES} at most"
        for folder, count in sources.items()
        if count > MAX_SOURCES
    ]


def violations(root: Path) -> list[str]:
    names = tracked(root)
    of_files = [
        problem
        for name in names
        if name.suffix not in BINARY
        for problem in problems_of(name, (root / name).read_bytes())
    ]
    return crowded(names) + of_files


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[1])
    found = violations(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
