"""From the words of a user to all that settles a race's launches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from strata_tools import inference, systems
from strata_tools.execute import shell_code
from strata_tools.launch import Launcher
from strata_tools.race import SAMPLES, babelstream, contender
from strata_tools.race.contender import Contender
from strata_tools.race.manifest import SIDES, LaunchError, RaceError
from strata_tools.run import PLACEMENT, launcher_for
from strata_tools.text import printable, shortened

OWN_OPTIONS = (
    "--output",
    "--output-dir",
    "--in-turn",
    "--list",
    "--report-binding",
    "--help",
    "--version",
)
"""Of the apps: the race gives the first three, and the others measure nothing."""


@dataclass(frozen=True)
class Plan:
    """All that settles the launches."""

    contenders: dict[str, Contender]
    """By side, as the rest."""
    launchers: dict[str, Launcher]
    apps: list[str]
    words: list[str]
    """Of every launch of an app."""
    ranks: int
    pairs: int
    turns: str
    """LAUNCHES or SAMPLES."""

    @property
    def peer(self) -> str | None:
        """The side that is one."""
        return next((side for side, one in self.contenders.items() if one.peer), None)

    def asked(self) -> dict[str, object]:
        """What a race that is gone on with must have in common with this, as JSON has it."""
        sides = {side: one.described(self.apps) for side, one in self.contenders.items()}
        return {
            "sides": sides, "words": self.words, "ranks": self.ranks, "apps": self.apps,
            "turns": self.turns,
        }  # fmt: skip

    def order(self, pair: int) -> tuple[str, ...]:
        """The sides of a pair, from 1: ABBA. Beside a peer Strata's side begins, since its
        record tells the peer's size."""
        first = SIDES if self.peer != SIDES[0] else SIDES[::-1]
        return first if pair % 2 else first[::-1]

    def turn_words(self, side: str, order: Sequence[str], socket: str) -> list[str]:
        """How an app is told with whom it takes its samples in turn, and whose is the first;
        nothing where launches are."""
        if self.turns != SAMPLES:
            return []
        return ["--in-turn", f"{'first' if side == order[0] else 'second'}:{socket}"]

    def command(
        self, side: str, app: str, folder: str, size: tuple[str, str], turn: Sequence[str] = ()
    ) -> list[str]:
        """Of one launch into the race's folder; `size` is a peer's number of elements, and
        scalar; `turn` are words for one that takes its samples in turn."""
        one = self.contenders[side]
        program = (
            one.peer.command(*size)
            if one.peer
            else [
                str(one.programs[app]),
                *self.words,
                *turn,
                "--output-dir",
                f"{folder}/{side}",
            ]
        )
        return self.launchers[side].command(self.ranks, program)


def make(arguments: argparse.Namespace) -> Plan:
    """Raises RaceError, LaunchError, NoLauncherError, InvalidFileError."""
    found = {name: contender.find(name, given) for name, given in zip(SIDES, arguments.sides)}
    deck, words = _words(arguments)
    ours = [name for name in SIDES if not found[name].is_peer]
    if not ours:
        raise RaceError("A and B are both peers; one side must be Strata's")
    apps = _apps(found, arguments.app, _app_of(deck))
    system = systems.read(systems.find(arguments.system)) if arguments.system else None
    launchers = {name: launcher_for(found[name].build, system, arguments) for name in ours}
    ranks = arguments.ranks or _ranks(launchers)
    if ranks > 1 and any(one.mpiexec is None for one in launchers.values()):
        raise LaunchError("no mpirun found: put that of the builds' MPI on PATH", PLACEMENT)
    for name in SIDES:
        if found[name].is_peer:
            launchers[name] = launchers[ours[0]]
            found[name] = _met(found[name], launchers[name], apps, ranks)
    asking = words
    if arguments.turns == SAMPLES:
        if ranks > 1 or len(ours) < len(SIDES):
            raise RaceError(
                "--turns samples is for --ranks 1 and two sides of Strata's: others cannot "
                "wait for one another within a launch"
            )
        # Two that run at once: a job's launcher would make the second one wait for the first.
        launchers = {
            name: replace(one, mpiexec=None, flavour="other") for name, one in launchers.items()
        }
        asking = [*words, "--in-turn", "first:/"]
    cases = max(_count_cases(found[name], apps, asking) for name in ours)
    if arguments.turns == SAMPLES:
        for name in SIDES:
            _demand_sizes(found[name], apps, words)
    pairs = _pairs(arguments.pairs, cases)
    return Plan(found, launchers, apps, words, ranks, pairs, arguments.turns)


def _words(arguments: argparse.Namespace) -> tuple[Path | None, list[str]]:
    """The deck, and what is handed to every launch of an app, the deck included."""
    rest = list(arguments.handed_on)
    deck = Path(rest.pop(0)) if rest and not rest[0].startswith("-") else None
    if deck and not deck.is_file():
        raise RaceError(f"{printable(str(deck))} is no file; a deck stands first after --")
    for word in rest:
        if word.partition("=")[0] in OWN_OPTIONS or word.startswith(("--print-", "--check-")):
            raise RaceError(f"{shortened(word)} after -- is not for a race")
    words = ["--deck", str(deck)] if deck else []
    for override in arguments.set:
        words += ["--set", override]
    words += ["--only", arguments.only] if arguments.only else []
    return deck, words + rest


def _apps(found: dict[str, Contender], chosen: list[str] | None, of_deck: str) -> list[str]:
    """Those that both sides have, unless some are chosen, or a deck is of one."""
    both = [app for app in found["A"].programs if app in found["B"].programs]
    wanted = chosen or ([of_deck] if of_deck else both)
    absent = [f"strata-{app}" for app in wanted if app not in both]
    if absent or not wanted:
        have = "; ".join(f"{name} has {', '.join(found[name].programs)}" for name in SIDES)
        raise RaceError(f"not both sides have {absent[0] if absent else 'an app'}: {have}")
    return list(dict.fromkeys(wanted))


def _app_of(deck: Path | None) -> str:
    """Empty where a deck does not say: the app itself tells what is wrong with it."""
    try:
        content = yaml.safe_load(deck.read_text(encoding="utf-8")) if deck else None
    except (OSError, ValueError, yaml.YAMLError, RecursionError):
        return ""
    app = content.get("app") if isinstance(content, dict) else None
    return app if isinstance(app, str) else ""


def _ranks(launchers: dict[str, Launcher]) -> int:
    """One per device."""
    counts = {name: one.ranks_for_all_devices() for name, one in launchers.items()}
    if len(set(counts.values())) > 1:
        drive = ", ".join(f"{name} {count}" for name, count in counts.items())
        raise RaceError(f"the sides drive unlike numbers of devices ({drive}); give --ranks")
    return next(iter(counts.values()))


def _met(one: Contender, launcher: Launcher, apps: list[str], ranks: int) -> Contender:
    if ranks != 1 or apps != ["stream"]:
        raise RaceError(
            f"{one.side}: {babelstream.NAME} has one rank and is held against strata-stream: "
            "--ranks 1 --app stream"
        )
    peer = babelstream.meet(one.programs["stream"], one.words, launcher)
    return replace(one, peer=peer)


def _demand_sizes(one: Contender, apps: list[str], words: list[str]) -> None:
    """Of two runs at once, a part of the free memory is not alike. Raises RaceError."""
    for app in apps:
        shown = one.ask(app, [*words, "--print-deck"]).stdout
        problem = (yaml.safe_load(shown) or {}).get("problem") or {}
        if problem.get("memory_fraction", "unset") != "unset":
            raise RaceError(
                f"strata-{app} takes its size from the free memory (problem.memory_fraction), "
                "which two runs at once do not have alike; give --turns samples a size: "
                "--set problem.memory_fraction=unset, and that of the problem"
            )


def _count_cases(one: Contender, apps: list[str], words: list[str]) -> int:
    """Of all apps together. Raises LaunchError where one refuses its deck or words."""
    total = 0
    for app in apps:
        answer = one.ask(app, [*words, "--list"])
        if answer.returncode != 0:
            said = (answer.stderr or answer.stdout).rstrip()
            raise LaunchError(
                f"{one.side}: strata-{app} refuses what it is to measure:\n{said}",
                shell_code(answer.returncode),
            )
        total += len(answer.stdout.splitlines())
    return max(total, 1)


def _pairs(told: int | None, cases: int) -> int:
    advised, fewest = inference.advised_pairs(cases), inference.fewest_pairs(cases)
    if told and told < fewest:
        print(
            f"note: {told} pairs can show nothing of {cases} case{'s' if cases > 1 else ''}; "
            f"{fewest} are the fewest that can, {advised} are advised",
            file=sys.stderr,
        )
    return told or advised
