#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python test "$0" "$@"'
"""Predicts how steps of the apps scale to 10^5 ranks, and draws it.

    scaling_model.py [--build BUILD] MACHINE.yaml [FIGURE.png]

What a step asks of MPI is counted (mpi_counts.cpp): short jobs of 4, 16 and 64 ranks of this
machine make one round and three, and half the difference is a step's, less what every step asks
that is timed. What a word takes is MACHINE's, whose keys `Machine` explains. Printed are the
counts, the predictions of weak and strong scaling, and the records that MACHINE names beside
their predictions. The figure shows the efficiency of both.

The model is LogGP's (Alexandrov et al., SPAA 1995) with two levels, a node and the network:

    sum of n bytes      node.sum_s L(ranks of the job on a node) / L(node.ranks)
                        + L(nodes) (word_s + n / rate) + n / node.sum_rate, L = ceil(log2)
    exchange, k ranks   node.exchange_s + word_s + (k - 1) message_s + n / rate
    gather of n bytes   the sum of no bytes + n ranks / rate

An exchange has its word only where there is a second node, whose network then sets the rate.
A rank's own work takes the time of one rank, over the ranks in strong scaling. Not in the
model: noise, ranks that share a port, work that is uneven, caches that a smaller share fits
into, and what an app computes for its neighbours. Partners are those of the whole job, of which
a step may meet fewer.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from matplotlib.figure import Figure

import scale
from fault_campaign import ROOT

COUNTED = (4, 16, 64)
DRAWN = tuple(2**power for power in range(18))  # to 131,072 ranks


@dataclass(frozen=True)
class Step:
    """A case whose steps are counted, and how large its messages are for other problems."""

    app: str
    cases: str
    each: dict[str, int]
    """The problem of a rank that is counted."""
    fixed: dict[str, object] = field(default_factory=dict)
    surface: bool = False
    """Messages grow like the surface of a rank's share, which has the shape of a cube."""

    def deck(self, ranks: int, rounds: int) -> str:
        sizes = {name: count * ranks for name, count in self.each.items()} | self.fixed
        problem = ", ".join(f"{name}: {value}" for name, value in sizes.items())
        return (
            f"strata: 1\napp: {self.app}\nproblem: {{{problem}}}\ncases: {{{self.cases}}}\n"
            f"run: {{tier: smoke, rounds: {rounds}, min_time_s: 0, warmup_s: 0}}\n"
        )

    def size(self) -> int:
        return next(iter(self.each.values()))


# By the label that records give the case; the first is also what every timed step asks.
STEPS = {
    "triad/span": Step("stream", "kernel: [triad], variant: [span]", {"size": 4096}),
    "gradient/span": Step("hexgrad", "variant: [span], layout: [left]", {"size": 512}),
    "sequence/span": Step(
        "mgs", "algorithm: [sequence], variant: [span], layout: [left]", {"rows": 512},
        {"columns": 32},
    ),
    "cholesky2/span": Step(
        "mgs", "algorithm: [cholesky2], variant: [span], layout: [left]", {"rows": 512},
        {"columns": 32},
    ),
    "build/dyn_ragged": Step(
        "contact", "kernel: [build], variant: [dyn_ragged]", {"elements": 4096},
        {"deck": "random", "brute_rows": 64}, surface=True,
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Words:
    """What a step asks of MPI on one rank."""

    sums: float = 0
    sum_bytes: float = 0
    exchanges: float = 0
    partners: float = 0
    sent: float = 0
    gathers: float = 0
    gathered: float = 0
    """Bytes that each rank gives to all."""

    def less(self, other: Words) -> Words:
        return Words(
            **{name: max(0, getattr(self, name) - getattr(other, name)) for name in vars(self)}
        )


SUMS = ("Allreduce", "Iallreduce", "Exscan")
GATHERS = ("Allgather", "Allgatherv")


def words_of(once: dict[str, int], thrice: dict[str, int]) -> Words:
    """From the counts of a job of one round and of one of three."""

    def each(names: tuple[str, ...], kind: str) -> float:
        keys = [f"{name}.{kind}" for name in names]
        return sum(thrice.get(key, 0) - once.get(key, 0) for key in keys) / 2

    sends = each(("Isend", "Issend", "Sendrecv"), "calls")
    partners = thrice.get("partners", 0) if sends else 0
    return Words(
        sums=each((*SUMS, "Ibarrier"), "calls"),
        sum_bytes=each(SUMS, "given"),
        exchanges=sends / partners if partners else 0,
        partners=partners,
        sent=each(("Isend", "Issend", "Sendrecv"), "given"),
        gathers=each(GATHERS, "calls"),
        gathered=each(GATHERS, "given"),
    )


def stages_of(ranks: int) -> int:
    """Of a tree over them."""
    return math.ceil(math.log2(ranks))


@dataclass(frozen=True)
class Machine:
    """What a word takes: of a node as strata-exchangebench prints it there, its sums and
    exchanges of 1 kB and its rate; of the network as measured or as its maker says."""

    name: str
    node_ranks: int
    sum_s: float
    sum_rate: float
    exchange_s: float
    rate: float
    word_s: float
    message_s: float
    network_rate: float
    measured: list[dict]
    """A case, and records of `one` rank and of `more` with so many times the work, or these
    steps' times `one_s` and `more_s`, the number of `ranks` and a rank's `share`."""

    @staticmethod
    def read(file: Path) -> Machine:
        text = yaml.safe_load(file.read_text(encoding="utf-8"))
        node, network = text["node"], text["network"]
        return Machine(
            text["name"], node["ranks"], float(node["sum_s"]), float(node["sum_rate"]),
            float(node["exchange_s"]),
            float(node["rate"]), float(network["word_s"]), float(network["message_s"]),
            float(network["rate"]), text.get("measured", []),
        )  # fmt: skip

    def seconds(self, words: Words, ranks: int, size: float = 1) -> float:
        """Of a step's words; messages are `size` times as large as counted."""
        if ranks == 1:
            return 0
        nodes = -(-ranks // self.node_ranks)
        rate = self.rate if nodes == 1 else min(self.rate, self.network_rate)
        away = stages_of(nodes) * self.word_s
        here = self.sum_s * stages_of(min(ranks, self.node_ranks))
        here /= max(1, stages_of(self.node_ranks))  # a rank alone on its node has none
        stages = stages_of(nodes)
        elsewhere = self.word_s if nodes > 1 else 0
        partners = min(words.partners, ranks - 1)
        return (
            words.sums * (here + away)
            + words.sum_bytes * (stages / rate + 1 / self.sum_rate)
            + words.exchanges
            * (self.exchange_s + elsewhere + max(0, partners - 1) * self.message_s)
            + words.sent * size / rate
            + words.gathers * (here + away)
            + words.gathered * ranks / rate
        )


def counted(
    binaries: Path, steps: dict[str, Step] = STEPS, counted_on: tuple[int, ...] = COUNTED
) -> dict[str, dict[int, Words]]:
    """The words of every step on so many ranks, less those that each timed step asks."""
    found: dict[str, dict[int, Words]] = {}
    for label, step in steps.items():
        found[label] = {}
        for ranks in counted_on:
            jobs = []
            for rounds in (1, 3):
                with tempfile.TemporaryDirectory() as folder:
                    bench = scale.Bench(binaries, COUNTED[0], Path(folder))
                    deck = step.deck(ranks, rounds)
                    jobs.append(bench.count(step.app, ranks, deck).others)
            found[label][ranks] = words_of(*jobs)
    timed = found[next(iter(steps))]
    return {
        label: {ranks: words.less(timed[ranks]) for ranks, words in of.items()}
        for label, of in found.items()
    }


def surface(step: Step, share: float) -> float:
    """How many times as many bytes a rank with this share sends as the one that is counted."""
    return (share / step.size()) ** (2 / 3) if step.surface else 1


def of_ranks(of: dict[int, Words], ranks: int) -> Words:
    """Those of the next larger number that was counted; beyond, neighbours are all there."""
    return of[min((n for n in of if n >= ranks), default=max(of))]


@dataclass(frozen=True)
class Pair:
    """A step on one rank and on more, as records have it."""

    label: str
    one_s: float
    more_s: float
    ranks: int
    share: float
    """The problem of one rank."""


def pair_of(entry: dict) -> Pair:
    if "one_s" in entry:
        times = float(entry["one_s"]), float(entry["more_s"])
        return Pair(entry["case"], *times, entry["ranks"], entry["share"])

    def read(name: str) -> tuple[dict, dict]:
        record = json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))
        cases = [case for case in record["cases"] if case["label"].startswith(entry["case"])]
        return record, cases[0]

    _, one = read(entry["one"])
    record, more = read(entry["more"])
    size = STEPS[entry["case"]].each
    share = one["problem"].get(next(iter(size)), STEPS[entry["case"]].size())
    medians = [statistics.median(case["samples_s"]) for case in (one, more)]
    return Pair(entry["case"], *medians, record["mpi"]["ranks"], share)


def predict(
    machine: Machine, of: dict[int, Words], pair: Pair, ranks: int, weak: bool
) -> float:
    """Seconds of a step."""
    share = pair.share if weak else pair.share / ranks
    work = pair.one_s if weak else pair.one_s / ranks
    size = surface(STEPS[pair.label], share)
    return work + machine.seconds(of_ranks(of, ranks), ranks, size)


def efficiency(
    machine: Machine, of: dict[int, Words], pair: Pair, ranks: int, weak: bool
) -> float:
    ideal = pair.one_s if weak else pair.one_s / ranks
    return ideal / predict(machine, of, pair, ranks, weak)


def of_steps(pairs: list[Pair]) -> list[Pair]:
    """The first of each step."""
    return list({pair.label: pair for pair in reversed(pairs)}.values())[::-1]


def draw(machine: Machine, counts: dict[str, dict[int, Words]], pairs: list[Pair], file: Path):
    figure = Figure(figsize=(10, 4.2), layout="constrained")
    both = figure.subplots(1, 2, sharey=True)
    for axes, weak in zip(both, (True, False), strict=True):
        colours = {}
        for pair in of_steps(pairs):
            of = counts[pair.label]
            values = [100 * efficiency(machine, of, pair, n, weak) for n in DRAWN]
            (line,) = axes.plot(DRAWN, values, label=pair.label)
            colours[pair.label] = line.get_color()
        for pair in pairs if weak else ():
            measured = 100 * pair.one_s / pair.more_s
            axes.plot(pair.ranks, measured, "o", color=colours[pair.label], mec="black", ms=4)
        axes.set_xscale("log", base=10)
        axes.set_ylim(0, 105)
        axes.grid(alpha=0.3)
        axes.set_xlabel("ranks")
        axes.set_title(
            "weak: each rank's problem stays"
            if weak
            else "strong: one rank's problem is shared"
        )
    both[0].set_ylabel("predicted efficiency, %")
    both[1].legend(loc="upper right", title="dots: measured")
    figure.suptitle(machine.name)
    figure.savefig(file, dpi=110)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("machine", type=Path, metavar="MACHINE.yaml")
    parser.add_argument("figure", type=Path, nargs="?", metavar="FIGURE.png")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "test", metavar="BUILD")
    told = parser.parse_args()
    machine = Machine.read(told.machine)
    pairs = [pair_of(entry) for entry in machine.measured]
    counts = counted(told.build / "bin")

    print("| step | ranks | sums | their bytes | exchanges | partners | bytes | gathers |")
    print("|---|---|---|---|---|---|---|---|")
    for label, of in counts.items():
        for ranks, w in of.items():
            print(
                f"| {label} | {ranks} | {w.sums:g} | {w.sum_bytes:g} | {w.exchanges:g} "
                f"| {w.partners:g} | {w.sent:g} | {w.gathers:g} |"
            )
    print("\n| step | ranks | one rank, ms | measured, ms | predicted, ms | error |")
    print("|---|---|---|---|---|---|")
    for pair in pairs:
        predicted = predict(machine, counts[pair.label], pair, pair.ranks, weak=True)
        print(
            f"| {pair.label} | {pair.ranks} | {1e3 * pair.one_s:.3f} | {1e3 * pair.more_s:.3f} "
            f"| {1e3 * predicted:.3f} | {100 * (predicted / pair.more_s - 1):+.1f} % |"
        )
    shown = (8, 64, 1024, 8192, 131072)
    print(f"\n| step | scaling | {' | '.join(f'{n:,}' for n in shown)} |")
    print(f"|---|---|{'---|' * len(shown)}")
    for pair in of_steps(pairs):
        for weak in (True, False):
            of = counts[pair.label]
            cells = [f"{100 * efficiency(machine, of, pair, n, weak):.1f} %" for n in shown]
            print(f"| {pair.label} | {'weak' if weak else 'strong'} | {' | '.join(cells)} |")
    if told.figure:
        draw(machine, counts, pairs, told.figure)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
