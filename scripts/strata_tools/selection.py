"""Which cases of its deck a launch was to measure."""

from __future__ import annotations

from collections.abc import Iterable

OPTIONS = ("--only", "--benchmark_filter")


def chosen(command: Iterable[str]) -> bool:
    """Whether the words of a command choose among the cases."""
    return any(word.partition("=")[0] in OPTIONS for word in command)
