"""Of each app the kernel whose figure is the one to quote."""

from __future__ import annotations

KERNELS = {"stream": "triad", "mgs": "sequence", "matvec": "matvec", "contact": "build"}


def is_primary(app: str, kernel: str) -> bool:
    """Any kernel is, of an app that has one."""
    return KERNELS.get(app, kernel) == kernel
