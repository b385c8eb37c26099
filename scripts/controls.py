#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Prints how the controls stand to the core in the committed records, as results/controls.md.

    controls.py >results/controls.md

A line is a case of `span` on one system and one size; in it each control's time over span's,
with the 95 % interval of the ratio of their rounds, from the newest record that has the
control.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CONTROLS = ("native", "view", "vendor", "vector_of_vectors")
HEAD = """# Controls beside the core

Times of the controls over that of `span`, by the newest record here that has the case; in
brackets the 95 % interval, before it the control's algorithm or storage where it is another.
Above 1 the core is faster. `native` is written by hand for the device, `view` is Kokkos as its
users write it, `vendor` a library's. Written by `scripts/controls.py`; a test holds it against
the records.
"""


def committed(root: Path) -> list[Path]:
    """The records that a clone has. Runs leave others in `results`, which git ignores: one that
    is meant to be kept is easily left behind."""
    if not (root / ".git").exists():
        return sorted((root / "results").glob("*/*/*.json"))
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "results"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return sorted(root / name for name in listing.stdout.split("\0") if name.endswith(".json"))


def sizes_of(case: dict) -> tuple[tuple[str, str], ...]:
    """The sizes of a case's problem, by the names of today."""
    renamed = {"cols": "columns"}
    return tuple(
        sorted(
            (renamed.get(key, key), str(value))
            for key, value in (case["problem"] or {}).items()
            if not key.startswith("library")
        )
    )


def newest_cases(paths: Iterable[Path]) -> dict[tuple, tuple[str, dict]]:
    """By system, app, label and sizes: the newest record that has the case, and the case."""
    newest: dict[tuple, tuple[str, str, dict]] = {}
    for path in paths:
        record = json.loads(path.read_text(encoding="utf-8"))
        name = "/".join(path.with_suffix("").parts[-3:])
        start = record["run"]["start_utc"]
        for case in record["cases"]:
            key = (*path.parts[-3:-1], case["label"], sizes_of(case))
            if key not in newest or newest[key][0] < start:
                newest[key] = (start, name, case)
    return {key: (name, case) for key, (_, name, case) in newest.items()}


def against_span(case: dict) -> dict | None:
    """A control's ratio to span, where it has one with an interval."""
    for ratio in case.get("ratios") or []:
        if ratio["against"].split("/")[1] == "span" and ratio.get("ci95"):
            return ratio
    return None


def shown(label: str, ratio: dict) -> str:
    """With the first words of the control's label that are not the core's: its algorithm, its
    storage."""
    control, core = label.split("/"), ratio["against"].split("/")
    others = [control[place] for place in (0, 2) if control[place] != core[place]]
    low, high = ratio["ci95"]
    return " ".join([*others, f"{ratio['median']:.3f} [{low:.3f}, {high:.3f}]"])


def tables(paths: Iterable[Path]) -> str:
    """One for each system and app."""
    rows: dict[tuple[str, str], dict] = defaultdict(lambda: defaultdict(dict))
    for (system, app, label, sizes), (_, case) in newest_cases(paths).items():
        variant = case["axes"].get("variant")
        if variant in CONTROLS and (ratio := against_span(case)):
            rows[system, app][ratio["against"], sizes].setdefault(variant, []).append(
                shown(label, ratio)
            )
    text = [HEAD]
    for (system, app), of in sorted(rows.items()):
        known = [name for name in CONTROLS if any(name in found for found in of.values())]
        text += [f"## {app}, {system}\n", f"| case | size | {' | '.join(known)} |",
                 f"|---|---|{'---|' * len(known)}"]  # fmt: skip
        for (label, sizes), found in sorted(of.items()):
            size = ", ".join(f"{key} {value}" for key, value in sizes)
            cells = [", ".join(found.get(name, [])) for name in known]
            text.append(f"| {label} | {size} | {' | '.join(cells)} |")
        text.append("")
    return "\n".join(text)


if __name__ == "__main__":
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    print(tables(committed(ROOT)), end="")
