"""Bandwidth ceilings by the mix of reads and writes, as the apps' own tables take them."""

from __future__ import annotations

from itertools import pairwise

MIXES = (("write", 0.0), ("copy", 1 / 2), ("triad", 2 / 3), ("read", 1.0))
"""Share of reads in the bytes that each ceiling case moves."""
SAME = 0.01
"""Difference of shares below which two mixes are one: a vector beside a matrix, say."""


def bound(
    ceiling: dict[str, float], bytes_read: int, bytes_written: int
) -> tuple[float, str] | None:
    """B/s that work of this mix can reach, and the names of the ceiling cases it is taken from.

    Between two cases it is linear in the time per byte. None where bytes or a case are missing.
    """
    if not bytes_read + bytes_written or not all(ceiling.get(name) for name, _ in MIXES):
        return None
    reads = bytes_read / (bytes_read + bytes_written)
    for name, share in MIXES:
        if abs(reads - share) <= SAME:
            return ceiling[name], name
    for (below, low), (above, high) in pairwise(MIXES):
        if reads < high:
            way = (reads - low) / (high - low)
            time = (1 - way) / ceiling[below] + way / ceiling[above]
            return 1 / time, f"{below}-{above}"
    raise AssertionError("no share of reads is above 1")
