"""Lists the SHA-256 sums of a folder's files, to tell later whether one was changed.

The list is SHA256SUMS in the folder, in the form of sha256sum. It proves something where those
who could change the files cannot change the list: sign it by what your site signs with, or
hand it over, or its own sum, which is printed, before the results:

  strata seal results/alpha
  gpg --detach-sign --armor results/alpha/SHA256SUMS
  ssh-keygen -Y sign -f KEY -n strata results/alpha/SHA256SUMS

`strata verify` and `sha256sum --check` hold the files against it. Jobs that `strata submit`
wrote seal by themselves what they leave, in their folder of <system>/jobs. A list is never
written over: the next one is SHA256SUMS-2. Lists, what signs them (SHA256SUMS*) and logs of
schedulers (*.log), which end after the job, are not among the files.

exit codes: 0 ok; 2 command line; 8 not writable; 11 nothing to seal
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from strata_tools import sums
from strata_tools.text import counted, printable

OK, NOT_WRITABLE, NOTHING = 0, 8, 11
LOG = ".log"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, metavar="FOLDER")


def main(arguments: argparse.Namespace) -> int:
    found = sorted(sealable(arguments.folder))
    if not found:
        print(f"{printable(str(arguments.folder))}: has no file to seal", file=sys.stderr)
        return NOTHING
    return seal(arguments.folder, found)


def seal(folder: Path, found: Iterable[Path]) -> int:
    """Lists the files in the folder, and says so; the exit code."""
    found = list(found)
    try:
        path = sums.make(folder, found)
    except OSError as error:
        where = printable(str(error.filename))
        print(f"{where}: {error.strerror}; nothing was sealed", file=sys.stderr)
        return NOT_WRITABLE
    where = printable(str(path))
    print(f"sealed {counted(len(found), 'file')} in {where} (SHA-256 {sums.sum_of(path)})")
    return OK


def sealable(folder: Path) -> Iterator[Path]:
    """Files below it that a list of it may name."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(sums.NAME) and path.suffix != LOG:
            yield path
