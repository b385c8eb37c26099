"""Writing files."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, text: str, surrogates: str = "replace") -> None:
    """The whole text or nothing: what was there before stays where this fails. `surrogates` is
    what becomes of bytes of file names that are not UTF-8: surrogateescape keeps them."""
    write_bytes(path, text.encode("utf-8", surrogates))


def write_bytes(path: Path, content: bytes) -> None:
    """All of them or nothing, as write()."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
