#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""Measures the core beside its peers in one job, and says which demanded figures it reaches.

limits.py [OPTION]... ROWS FOLDER

ROWS is a file such as scripts/limits/gpu.yaml: decks, and the figures that are demanded of
each. A deck's record is FOLDER/NAME.json; a record that is there is not measured again. The
vendors' libraries are cases of the same deck, paired by round. BabelStream and arborx_lists.cpp
(see its head) are started in turn with the app, A B, B A, ..., each time anew, and leave no
record; rows whose program is not given say so. FOLDER/limits.md has the table: rates are
medians, a ratio is the core's rate over the peer's of the same round or pair, with its 95 %
interval, and what is demanded is held against the medians. A ceiling is one figure of the
record, so that the interval is that of the core's rate; a row without a peer has the interval
of its own figure. BabelStream tells the fastest of its
times, each of one execution, so that it is compared with the fastest of as many of the app's,
each the mean of one or several.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from strata_tools import inference
from strata_tools.race import babelstream
from strata_tools.race.manifest import RaceError
from strata_tools.records import rules

ROOT = Path(__file__).resolve().parents[1]
RUN = {"tier": "reference", "rounds": 12, "min_time_s": 0, "warmup_s": 0.5}
PAIRS = 9
PAIRED_RUN = {"rounds": 3, "max_time_s": 1, "warmup_s": 0.2}
FASTEST_OF = 50
RUN_OF_FASTEST = {"rounds": FASTEST_OF, "max_time_s": 60, "warmup_s": 0.2}
ROW_KEYS = {"work", "core", "peer", "babelstream", "unit", "amount", "metric", "ask"}
BLOCK_KEYS = {"name", "app", "deck", "rows", "babelstream", "arborx", "pairs"}
DEMANDS = {"ratio", "least", "most"}
HEAD = "| work | core | peer | core / peer | asked | |\n|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Figure:
    """Of a row: what the core and the peer do. Rates, or seconds where the row asks for a
    time. The interval is of the ratio, without a peer of the core's figure."""

    core: float
    peer: float | None = None
    ratio: float | None = None
    interval: tuple[float, float] | None = None


def deck_text(block: dict, run: dict) -> str:
    deck = {"strata": 1, "app": block["app"], **block["deck"]}
    return yaml.safe_dump(deck | {"run": run | deck.get("run", {})}, sort_keys=False)


def blocks_of(text: str) -> list[dict]:
    """The decks and rows of a file; a key that nobody reads ends the program."""
    blocks = yaml.safe_load(text)
    for block in blocks:
        known(block, BLOCK_KEYS, block.get("name", "a deck"))
        for row in block["rows"]:
            known(row, ROW_KEYS, row["work"])
            known(row["ask"], DEMANDS, f"{row['work']}: ask")
            if not row["ask"]:
                raise SystemExit(f"{row['work']}: it asks for nothing")
    return blocks


def known(found: dict, keys: set[str], where: str) -> None:
    if strange := sorted({*found} - keys):
        raise SystemExit(f"{where}: no {strange[0]}; choose from {', '.join(sorted(keys))}")


def measure(executable: Path, block: dict, run: dict, record: Path) -> dict:
    """The record of a deck; ends the program where the run, or a record that is there, is not
    valid or of another deck."""
    text = deck_text(block, run)
    if not record.exists():
        with tempfile.TemporaryDirectory() as folder:
            deck = Path(folder) / "limits.yaml"
            deck.write_text(text, encoding="utf-8")
            told(executable, "--deck", str(deck), "--quiet", "--output", str(record))
    found = json.loads(record.read_text(encoding="utf-8"))
    if not found["validity"]["valid"]:
        raise SystemExit(f"{record}: it is not valid; remove it to measure again")
    if found["deck"]["sha256"] != hashlib.sha256(text.encode()).hexdigest():
        raise SystemExit(f"{record}: it is of another deck; remove it, or name another folder")
    return found


def told(program: Path, *arguments: str) -> str:
    """What it prints; ends the program where it fails."""
    try:
        done = subprocess.run(
            [program, *arguments], capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise SystemExit(f"{program}: it does not start: {error.strerror}") from None
    if done.returncode != 0:
        raise SystemExit(
            f"{program} {' '.join(arguments)}: exit {done.returncode}\n"
            f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
        )
    return done.stdout


def samples_of(record: dict, label: str) -> tuple[np.ndarray, dict]:
    """Of the one measured case whose label the pattern matches whole: samples and the case."""
    found = [
        case
        for case in record["cases"]
        if re.fullmatch(label, case["label"]) and case["status"] == "measured"
    ]
    if len(found) != 1:
        raise SystemExit(f"{label}: {len(found)} measured cases have such a label")
    return np.array(found[0]["samples_s"]), found[0]


def amount_of(row: dict, case: dict) -> float:
    """What is divided by the time: the counted bytes, or flops, what a metric of the case
    counts, or the row's own number."""
    if "amount" in row:
        return float(row["amount"])
    if "metric" in row:
        for fom in case["foms"]:
            if fom["metric"] == row["metric"]:
                return fom["value"] * case["statistics"]["median_s"]
        raise SystemExit(f"{case['label']}: it has no metric {row['metric']}")
    work = case["work"]
    if row.get("unit") == "flop/s":
        return work["flops"]
    return work["bytes_read"] + work["bytes_written"]


def in_rounds(row: dict, record: dict) -> Figure:
    """A row whose peer is a case of the same record, or the ceiling, or none."""
    times, case = samples_of(record, row["core"])
    amount = 1.0 if row.get("unit") == "s" else amount_of(row, case)
    value = float(np.median(times)) if row.get("unit") == "s" else amount / np.median(times)
    figures = times if row.get("unit") == "s" else amount / times
    if "peer" not in row:
        return Figure(float(value), interval=rules.interval(figures))
    if row["peer"].startswith("ceiling/"):
        of = record["ceiling"][row["peer"].removeprefix("ceiling/")]
        return Figure(float(value), of, float(value) / of, rules.interval(figures / of))
    others, other = samples_of(record, row["peer"])
    rounds = min(len(times), len(others))
    share = 1.0 if row.get("unit") == "s" else amount / amount_of(row, other)
    ratios = share * others[:rounds] / times[:rounds]
    peer = (
        np.median(others)
        if row.get("unit") == "s"
        else amount_of(row, other) / np.median(others)
    )
    return Figure(float(value), float(peer), float(np.median(ratios)), rules.interval(ratios))


def in_turn(sides: Sequence, pairs: int = PAIRS) -> list[tuple]:
    """What two functions return, called A B, B A, A B, ..."""
    found = []
    for pair in range(pairs):
        first, second = sides if pair % 2 == 0 else reversed(sides)
        answers = first(), second()
        found.append(answers if pair % 2 == 0 else answers[::-1])
    return found


def of_pairs(core: Sequence[float], peer: Sequence[float], faster_is_less: bool) -> Figure:
    ratios = [
        theirs / ours if faster_is_less else ours / theirs for ours, theirs in zip(core, peer)
    ]
    return Figure(
        statistics.median(core), statistics.median(peer), statistics.median(ratios),
        inference.median_interval(ratios),
    )  # fmt: skip


def beside_babelstream(program: Path, executable: Path, block: dict, folder: Path) -> dict:
    """By row: the best rates of both, of launches in turn."""
    elements = str(block["deck"]["problem"]["size"])

    def ours() -> dict[str, float]:
        record = folder / "babelstream-pair.json"
        record.unlink(missing_ok=True)
        cases = measure(executable, block, RUN | RUN_OF_FASTEST, record)
        record.unlink()
        best = {}
        for row in block["rows"]:
            times, case = samples_of(cases, row["core"])
            if len(times) < FASTEST_OF:
                raise SystemExit(
                    f"{row['core']}: {len(times)} of {FASTEST_OF} samples in "
                    f"{RUN_OF_FASTEST['max_time_s']} s; RUN_OF_FASTEST is to give it more"
                )
            best[row["work"]] = amount_of(row, case) / float(times[:FASTEST_OF].min())
        return best

    def theirs() -> dict[str, float]:
        times = str(FASTEST_OF + 1)  # it leaves out the first
        printed = told(program, "-s", elements, "--csv", "-n", times)
        best = babelstream.read(printed).best
        return {row["work"]: best[row["babelstream"]] for row in block["rows"]}

    pairs = in_turn((ours, theirs), block.get("pairs", PAIRS))
    return {
        row["work"]: of_pairs(
            *zip(*((a[row["work"]], b[row["work"]]) for a, b in pairs)), False
        )
        for row in block["rows"]
    }


def beside_arborx(program: Path, executable: Path, block: dict, folder: Path) -> dict:
    """By row: seconds of both, medians of launches in turn."""
    words = [str(word) for word in block["arborx"]]

    def ours() -> dict[str, float]:
        record = folder / "arborx-pair.json"
        record.unlink(missing_ok=True)
        cases = measure(executable, block, RUN | PAIRED_RUN, record)
        record.unlink()
        return {
            row["work"]: float(np.median(samples_of(cases, row["core"])[0]))
            for row in block["rows"]
        }

    def theirs() -> float:
        found = re.search(r"^seconds (\S+)$", told(program, *words), re.MULTILINE)
        if found is None:
            raise SystemExit(f"{program}: it printed no line `seconds NUMBER`")
        return float(found[1])

    pairs = in_turn((ours, theirs), block.get("pairs", PAIRS))
    return {
        row["work"]: of_pairs([a[row["work"]] for a, _ in pairs], [b for _, b in pairs], True)
        for row in block["rows"]
    }


def asked(row: dict) -> str:
    of = row["ask"]
    unit = row.get("unit", "B/s")
    texts = []
    if "ratio" in of:
        texts.append(f"≥ {of['ratio']:g} of the peer")
    if "least" in of:
        texts.append(f"≥ {shown(float(of['least']), unit)}")
    if "most" in of:
        texts.append(f"≤ {shown(float(of['most']), unit)}")
    return ", ".join(texts)


def shortfalls(row: dict, figure: Figure) -> Iterator[float]:
    """By what part each figure asked for is missed; negative where it is had."""
    of = row["ask"]
    if "ratio" in of and figure.ratio is not None:
        yield 1 - figure.ratio / of["ratio"]
    if "least" in of:
        yield 1 - figure.core / float(of["least"])
    if "most" in of:
        yield figure.core / float(of["most"]) - 1


def verdict(row: dict, figure: Figure) -> str:
    worst = max(shortfalls(row, figure), default=0.0)
    if "ratio" in row["ask"] and figure.ratio is None:
        return "peer not given"
    if worst <= 0:
        return "has it"
    return f"missed by {100 * worst:{'.1f' if worst >= 0.001 else '.1g'}} %"


def shown(value: float, unit: str) -> str:
    if unit == "s":
        for scale, name in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")):
            if value >= 0.9995 * scale or name == "µs":
                return f"{value / scale:.3g} {name}"
    for scale, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1, "")):
        if value >= scale:
            return f"{value / scale:.4g} {prefix}{unit}"
    return f"{value:.3g} {unit}"


def line(row: dict, figure: Figure | None) -> str:
    if figure is None:
        return f"| {row['work']} | | | | {asked(row)} | peer not given |"
    unit = row.get("unit", "B/s")
    core = shown(figure.core, unit)
    peer = "" if figure.peer is None else shown(figure.peer, unit)
    ratio = "" if figure.ratio is None else f"{figure.ratio:.3f}"
    if figure.interval and ratio:
        ratio += f" [{figure.interval[0]:.3f}, {figure.interval[1]:.3f}]"
    elif figure.interval:
        core += f" [{shown(figure.interval[0], unit)}, {shown(figure.interval[1], unit)}]"
    return (
        f"| {row['work']} | {core} | {peer} | {ratio} | {asked(row)} | {verdict(row, figure)} |"
    )


def lines_of(block: dict, options: argparse.Namespace) -> list[str]:
    executable = options.bin / f"strata-{block['app']}"
    for peer, run in (("babelstream", beside_babelstream), ("arborx", beside_arborx)):
        if peer in block:
            program = getattr(options, peer)
            if program is None:
                return [line(row, None) for row in block["rows"]]
            found = run(program, executable, block, options.folder)
            return [line(row, found[row["work"]]) for row in block["rows"]]
    run = RUN | {"max_time_s": options.seconds}
    record = measure(executable, block, run, options.folder / f"{block['name']}.json")
    return [line(row, in_rounds(row, record)) for row in block["rows"]]


def table_of(options: argparse.Namespace) -> str:
    blocks = [
        block
        for block in blocks_of(options.rows.read_text(encoding="utf-8"))
        if re.search(options.only, block["name"])
    ]
    if not blocks:
        raise SystemExit(f"--only {options.only}: no deck has such a name")
    table = HEAD
    for block in blocks:
        table = "\n".join([table, *lines_of(block, options)])
        if not options.only:
            # After each deck, so that a job that is cut off leaves what it has.
            (options.folder / "limits.md").write_text(table + "\n", encoding="utf-8")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", type=Path, metavar="ROWS")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--bin", type=Path, default=ROOT / "build/run/bin", help="of the apps (%(default)s)"
    )
    parser.add_argument("--babelstream", type=Path, help="an executable of BabelStream")
    parser.add_argument("--arborx", type=Path, help="an executable of arborx_lists.cpp")
    parser.add_argument(
        "--seconds", type=float, default=8, help="of a deck, at most (%(default)s)"
    )
    parser.add_argument("--only", default="",
        help="decks whose name this pattern is found in; their table is printed only",
    )  # fmt: skip
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in ("bin", "babelstream", "arborx"):
        if path := getattr(options, name):
            setattr(options, name, path.absolute())  # never a name to be looked up in PATH
    try:
        print(table_of(options))
    except (OSError, ValueError, KeyError, yaml.YAMLError, re.error, RaceError) as error:
        raise SystemExit(f"{type(error).__name__}: {error}") from None


if __name__ == "__main__":
    main()
