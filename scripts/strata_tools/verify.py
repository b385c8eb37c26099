"""Holds files against the SHA-256 sums that `strata seal` or a job listed.

Names each file that was changed, is missing, or is in no list. Of a folder all lists below it
are read (SHA256SUMS, SHA256SUMS-2, ...), and every file below it should be in one; of a list
that is named only its own files are looked at. That nobody made a new list of changed files is
for its signature to show, by what your site signs with.

exit codes: 0 all as sealed; 2 command line; 10 a file is in no list; 11 no list was found, or
one cannot be read; 12 a file was changed or is missing. The highest that applies.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from strata_tools import sums
from strata_tools.seal import sealable
from strata_tools.text import counted, printable

OK, ADDED, NOTHING, CHANGED = 0, 10, 11, 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="FOLDER|LIST", help="of results, or SHA256SUMS"
    )


def main(arguments: argparse.Namespace) -> int:
    return max(_verify(path) for path in arguments.paths)


def _verify(path: Path) -> int:
    """Says on standard error what is not as it was sealed; the exit code."""
    folder = path.is_dir()
    lists = sorted(one for one in path.rglob(f"{sums.NAME}*") if sums.is_list(one))
    if folder and not lists:
        print(f"{printable(str(path))}: nothing in it is sealed", file=sys.stderr)
        return NOTHING
    codes, known = [OK], set()
    for one in lists if folder else [path]:
        try:
            listed = sums.read(one)
        except sums.SumsError as fault:
            print(fault, file=sys.stderr)
            codes.append(NOTHING)
            continue
        known |= {file.resolve() for file in listed}
        for file, found in listed.items():
            if reason := _fault(file, found):
                where = printable(str(file))
                print(f"{where}: {reason} ({printable(str(one))})", file=sys.stderr)
                codes.append(CHANGED)
    added = sorted(file for file in sealable(path) if file.resolve() not in known)
    for file in added:
        print(f"{printable(str(file))}: is in no list", file=sys.stderr)
        codes.append(ADDED)
    if max(codes) == OK:
        print(f"{printable(str(path))}: {counted(len(known), 'file')} as sealed")
    return max(codes)


def _fault(file: Path, found: str) -> str:
    """What is wrong with a file by its sum; or nothing."""
    try:
        return "" if sums.sum_of(file) == found else "was changed"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
