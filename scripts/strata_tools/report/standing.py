"""Whether a launch is official, and why not, in words."""

from __future__ import annotations

from strata_tools.records import Record

RULES = {
    "tier": "tier below official",
    "placement": "ranks shared a device",
    "build_type": "not a Release build",
    "bounds_check": "bounds checks on",
    "dirty_tree": "uncommitted changes",
    "tool": "a profiling tool attached",
}
"""Reasons that records give for not being official, in words; others read well as they are."""


def reason(word: str) -> str:
    return RULES.get(word, word.replace("_", " "))


def standing(record: Record) -> str:
    reasons = ", ".join(map(reason, record.reasons))
    return "official" if record.official else f"not official: {reasons}"
