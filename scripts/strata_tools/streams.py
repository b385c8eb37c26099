"""Standard output and error that outlive who reads them."""

from __future__ import annotations

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


def outlive_readers() -> None:
    """From here on the end of `| head` ends no launch, and changes no exit code. Names of files
    that are not UTF-8 come out as they are."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by whoever started this
            continue
        stream.flush()
        sink = _Sink(stream.fileno(), "w", closefd=False)
        errors = "surrogateescape" if name == "stdout" else stream.errors
        buffered = stream.line_buffering
        setattr(
            sys, name, io.TextIOWrapper(sink, stream.encoding, errors, line_buffering=buffered)
        )
