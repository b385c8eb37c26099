"""Standard output and error that outlive who reads them."""

from __future__ import annotations

import codecs
import io
import sys
from typing import Any


class _Sink(io.FileIO):
    """Drops what nobody reads any more. Straight below the text: were a buffer between, an
    interrupt at the end of `write` would have it write all once more."""

    def write(self, data: Any) -> int:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[super().write(rest) :]
        except BrokenPipeError:
            pass
        return len(data)


def _name_or_mark(error: UnicodeError) -> tuple[bytes, int]:
    """Bytes of a file's name as they are; a question mark for what the encoding has not."""
    assert isinstance(error, UnicodeEncodeError)
    left = error.object[error.start : error.end]
    told = (bytes([ord(c) - 0xDC00]) if "\udc80" <= c <= "\udcff" else b"?" for c in left)
    return b"".join(told), error.end


def outlive_readers() -> None:
    """From here on the end of `| head` ends no launch, and changes no exit code; neither does
    what an encoding cannot say. Names of files that are not UTF-8 come out as they are."""
    codecs.register_error("strata", _name_or_mark)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started this
            continue
        stream.flush()
        sink = _Sink(stream.fileno(), "w", closefd=False)
        errors = "strata" if name == "stdout" else stream.errors
        buffered = stream.line_buffering
        setattr(
            sys, name, io.TextIOWrapper(sink, stream.encoding, errors, line_buffering=buffered)
        )
