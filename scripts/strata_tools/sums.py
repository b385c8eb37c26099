"""Lists of SHA-256 sums, in the form that `sha256sum --check` reads."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from pathlib import Path

from strata_tools import files
from strata_tools.text import printable

NAME = "SHA256SUMS"
"""Of a list; several of one folder are SHA256SUMS-2, ... What else begins so signs them."""
_LINE = re.compile(rb"(\\?)([0-9a-f]{64}) [ *](.+)", re.DOTALL)
_ESCAPES = {b"\\": b"\\\\", b"\n": b"\\n", b"\r": b"\\r"}
_CHARACTERS = {escape: character for character, escape in _ESCAPES.items()}


class SumsError(Exception):
    """A list that cannot be made or read; says which, and why."""


def is_list(path: Path) -> bool:
    return bool(re.fullmatch(rf"{NAME}(-\d+)?", path.name)) and path.is_file()


def sum_of(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def make(folder: Path, listed: Iterable[Path]) -> Path:
    """A new list in the folder, of files by their names from there. Raises OSError."""
    names = sorted({os.path.relpath(path.resolve(), folder.resolve()) for path in listed})
    lines = [_line(sum_of(folder / name), os.fsencode(name)) for name in names]
    path = _free(folder)
    files.write_bytes(path, b"".join(lines))
    return path


def _free(folder: Path) -> Path:
    """A name that no list of the folder has: what was said before stays said."""
    path, number = folder / NAME, 1
    while path.exists():
        number += 1
        path = folder / f"{NAME}-{number}"
    return path


def _line(found: str, name: bytes) -> bytes:
    escaped = re.sub(rb"[\\\n\r]", lambda match: _ESCAPES[match.group()], name)
    mark = b"\\" if escaped != name else b""
    return mark + found.encode() + b"  " + escaped + b"\n"


def read(path: Path) -> dict[Path, str]:
    """Sums by file, where it lies. Raises SumsError."""
    shown = printable(str(path))
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise SumsError(f"{shown}: {error.strerror}") from None
    if lines.pop():
        raise SumsError(f"{shown}: is cut off: its last line has no end")
    if not lines:
        raise SumsError(f"{shown}: lists nothing; seal the folder again")
    found = {}
    for number, line in enumerate(lines, start=1):
        if not (match := _LINE.fullmatch(line)):
            raise SumsError(f"{shown}:{number}: is no line of sha256sum's")
        mark, sum_, name = match.groups()
        if mark:
            name = re.sub(rb"\\[\\nr]", lambda found: _CHARACTERS[found.group()], name)
        found[path.parent / os.fsdecode(name)] = sum_.decode()
    return found
