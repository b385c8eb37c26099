#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Whether every record, however damaged, is read or named: records that are altered at random.

    fuzz_records.py [--tries N] [--seed N] [FILE...]

Each try alters one of the files, by default those of results/, in one to three places: a value
becomes another one, often of another type or out of all bounds, an entry is left out, copied or
renamed, bytes of the text are changed or cut off. What is read of it must be a record or a line
that says why not; those that are read are compared and reported by the hundred, too. Printed is
what ended in an exception, with the try's seed. Exit 1 if anything did.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from strata_tools import RESULTS, records, resume
from strata_tools.__main__ import main as strata

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**400, -0.0, 1e308, 5e-324, 1.5,
    float("nan"), float("inf"), "", "0", "a/b/c", "../x", "\x00", "\ud800", "\u202e",
    "x" * 10**5, [], {}, [[]], [{}], [None], [0.0], {"a": {}}, "2026-01-01T00:00:00Z",
    "yaml: [", "strata: 1",
)  # fmt: skip
TOGETHER = 100
"""Records that are compared and reported at once."""


def places(node: Any) -> list[tuple[Any, Any]]:
    """Every holder and key or index below a node."""
    inner: list[tuple[Any, Any]] = []
    keys = (
        node if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    )
    for key in keys:
        inner.append((node, key))
        inner += places(node[key])
    return inner


def alter_tree(document: Any, draw: random.Random) -> None:
    """Changes one place of it."""
    every = places(document)
    if not every:
        return
    holder, key = draw.choice(every)
    _, other = draw.choice(every)
    way = draw.randrange(6)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, dict):
        holder[str(other)] = holder.pop(key)
    elif way == 2 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif way == 3 and isinstance(holder[key], (int, float)):
        holder[key] *= draw.choice((-1, 0, 0.5, 1.000001, 3, 1e9, 1e-9))
    elif way == 4:
        source, there = draw.choice(every)
        with contextlib.suppress(LookupError):  # left out meanwhile
            holder[key] = json.loads(json.dumps(source[there]))
    else:
        holder[key] = draw.choice(VALUES)


def alter_text(text: bytes, draw: random.Random) -> bytes:
    """Changes some of its bytes, or cuts it off."""
    at = draw.randrange(len(text) + 1)
    if draw.randrange(3) == 0:
        return text[:at]
    return text[:at] + draw.randbytes(draw.randrange(4)) + text[at + draw.randrange(4) :]


def altered(text: bytes, draw: random.Random) -> bytes:
    """A record's text, as of another run, with one to three changes."""
    document = json.loads(text)
    document["run"]["id"] = f"{document['run']['id'][:-4]}{draw.randrange(16**4):04x}"
    for _ in range(draw.randrange(1, 4)):
        alter_tree(document, draw)
    changed = json.dumps(document).encode("utf-8", "surrogatepass")
    return alter_text(changed, draw) if draw.randrange(4) == 0 else changed


def excepted(action: Callable[[], Any]) -> str:
    """The trace of an exception, if there is one."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            action()
    except (Exception, SystemExit):
        return traceback.format_exc()
    return ""


def use(folder: Path) -> str:
    """Compares the records of its folders 0 and 1, and reports them."""
    sides = [str(folder / "0"), str(folder / "1")]
    report = ["report", *sides, "--output", str(folder / "report")]
    return excepted(lambda: strata(["compare", *sides])) + excepted(lambda: strata(report))


def fuzz(sources: list[Path], tries: int, seed: int, folder: Path) -> list[str]:
    """What ended in an exception."""
    texts = [file.read_bytes() for file in sources]
    for side in "01":
        (folder / side).mkdir()
    found, accepted = [], []
    for number in range(tries):
        draw = random.Random(f"{seed}-{number}")
        file = folder / str(number % 2) / f"{number}.json"
        file.write_bytes(altered(draw.choice(texts), draw))
        read: list[Any] = []
        trace = excepted(lambda: read.extend(records.gather([file])[0]))  # noqa: B023 - at once
        trace += excepted(lambda: resume._key_of_record(file, "any"))  # noqa: B023
        if trace:
            found.append(f"try {number} of seed {seed}:\n{trace}")
        if read and not trace:
            accepted.append(file)
        else:
            file.unlink()
        if len(accepted) == TOGETHER or (accepted and number == tries - 1):
            if trace := use(folder):
                found.append(f"tries up to {number} of seed {seed}, together:\n{trace}")
            for used in accepted:
                used.unlink()
            accepted = []
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--tries", type=int, default=100_000, help="how many (100000)")
    parser.add_argument("--seed", type=int, default=1, help="what is drawn from (1)")
    options = parser.parse_args()
    files = options.files or sorted(RESULTS.glob("*/*/*.json"))
    with tempfile.TemporaryDirectory() as folder:
        found = fuzz(files, options.tries, options.seed, Path(folder))
    print("\n".join(found))
    print(f"{options.tries} altered records, {len(found)} exceptions")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
