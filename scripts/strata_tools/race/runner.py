"""Launches the pairs of a race that are not there yet."""

from __future__ import annotations

import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from strata_tools.compare.pairing import unfit
from strata_tools.estimate import in_words
from strata_tools.execute import Outcome, Start, attend, execute_all
from strata_tools.race import SAMPLES, babelstream
from strata_tools.race.manifest import SIDES, Launch, LaunchError, Race, RaceError
from strata_tools.race.plan import Plan
from strata_tools.records import Record, Skipped, read
from strata_tools.run import INTERNAL, INTERRUPTED, OK
from strata_tools.text import printable

FAILED = 6
"""Exit code of a launch whose record is there, and not valid."""
LINES_OF_A_FAILED_LAUNCH = 20


@dataclass
class Runner:
    """What the launches of a race share."""

    race: Race
    plan: Plan
    force: bool
    """Launches that are not valid count."""
    seconds: list[float] = field(default_factory=list)
    """Of each pair."""
    stamps: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def run(self) -> None:
        """Whole pairs only: one that was interrupted is taken again from its start. Raises
        RaceError, OSError."""
        self.stamps = {program: _stamp(program) for program in self._programs()}
        whole = self.race.whole_pairs()
        self.race.launches = [one for one in self.race.launches if one.pair in whole]
        self.race.write()
        left = [pair for pair in range(1, self.race.pairs + 1) if pair not in whole]
        for number, pair in enumerate(left):
            self._pair(pair, len(left) - number)

    def _programs(self) -> list[Path]:
        sides = self.plan.contenders.values()
        return [one.programs[app] for one in sides for app in self.plan.apps]

    def _pair(self, pair: int, left: int) -> None:
        order = self.plan.order(pair)
        about = (
            f", about {in_words(statistics.mean(self.seconds) * left)} left"
            if self.seconds
            else ""
        )
        count = f"pair {pair} of {self.race.pairs}"
        print(f"{count}: {' '.join(order)}{about}", file=sys.stderr, flush=True)
        start = time.monotonic()
        for app in self.plan.apps:
            if self.plan.turns == SAMPLES:
                self._launch_both(pair, order, app)
            else:
                for position, side in enumerate(order, start=1):
                    self._launch(pair, position, side, app)
        self.seconds.append(time.monotonic() - start)

    def _launch(self, pair: int, position: int, side: str, app: str) -> None:
        one = self.plan.contenders[side]
        self._demand_unchanged()
        size = self._size() if one.peer else ("", "")
        command = self.plan.command(side, app, str(self.race.folder), size)
        due = _Due(command, side, app, pair, position, self._log(pair, side, app))
        begun = time.monotonic()
        file = self._peer(due) if one.peer else self._own([due])[0]
        self._note(due, file, time.monotonic() - begun)

    def _launch_both(self, pair: int, order: Sequence[str], app: str) -> None:
        """At once: they take their samples in turn, the first of the pair begins."""
        self._demand_unchanged()
        with tempfile.TemporaryDirectory(prefix="strata-race-") as folder:
            both = []
            for position, side in enumerate(order, start=1):
                turn = self.plan.turn_words(side, order, f"{folder}/turns")
                command = self.plan.command(side, app, str(self.race.folder), ("", ""), turn)
                log = self._log(pair, side, app)
                both.append(_Due(command, side, app, pair, position, log))
            begun = time.monotonic()
            files = self._own(both)
            for due, file in zip(both, files):
                self._note(due, file, time.monotonic() - begun)

    def _log(self, pair: int, side: str, app: str) -> Path:
        return self.race.folder / side / f"{app}-{pair:03}.out"

    def _note(self, due: _Due, file: Path, seconds: float) -> None:
        relative = file.resolve().relative_to(self.race.folder).as_posix()
        launch = Launch(due.pair, due.position, due.side, due.app, round(seconds, 3), relative)
        self.race.launches.append(launch)
        self.race.write()

    def _demand_unchanged(self) -> None:
        for program, stamp in self.stamps.items():
            if _stamp(program) != stamp:
                raise RaceError(
                    f"{printable(str(program))} was changed while it raced; begin again, in "
                    "another folder"
                )

    def _own(self, due: Sequence[_Due]) -> list[Path]:
        """Launches of Strata's apps at once, and their records."""
        with contextlib.ExitStack() as stack:
            starts = [self._as_start(one, stack) for one in due]
            outcomes = execute_all(due[0].app, self.plan.ranks, starts, self._fine())
        # The other of one that fails is interrupted: its end says less.
        ended = sorted(zip(due, outcomes), key=lambda one: one[1].interrupted)
        records = {one.side: self._record(one, outcome) for one, outcome in ended}
        return [records[one.side] for one in due]

    def _as_start(self, due: _Due, stack: contextlib.ExitStack) -> Start:
        launcher = self.plan.launchers[due.side]
        log = stack.enter_context(due.log.open("w", encoding="utf-8", errors="replace"))
        return Start(due.command, launcher, launcher.environment(), log)

    def _fine(self) -> tuple[int, ...]:
        """Exit codes of a launch that counts."""
        return (OK, FAILED) if self.force else (OK,)

    def _record(self, due: _Due, outcome: Outcome) -> Path:
        if outcome.interrupted:
            raise self._lost(due, "was interrupted", INTERRUPTED)
        if outcome.code not in self._fine():
            raise self._lost(due, f"ended with exit code {outcome.code}", outcome.code)
        record = read(Path(outcome.record))
        if isinstance(record, Skipped):
            raise self._lost(due, f"left no record: {record}", INTERNAL)
        if not record.path.resolve().is_relative_to(self.race.folder / due.side):
            raise self._lost(due, f"wrote its record elsewhere: {record.path}", INTERNAL)
        if (reason := unfit(record)) and not self.force:
            raise self._lost(due, f"left a record that {reason}", FAILED)
        return record.path

    def _peer(self, due: _Due) -> Path:
        """One of a peer, and what it printed."""
        with contextlib.ExitStack() as stack:
            end = attend(self._as_start(due, stack))
        if end.signalled:
            raise self._lost(due, "was interrupted", INTERRUPTED)
        if end.code != OK:
            raise self._lost(due, f"ended with exit code {end.code}", end.code)
        try:
            figures = babelstream.read("".join(end.lines))
        except RaceError as error:
            raise self._lost(due, str(error), INTERNAL) from None
        elements, scalar = self._size()
        if (figures.elements, figures.element_bytes) != (
            int(elements), babelstream.SCALARS[scalar],
        ):  # fmt: skip
            raise self._lost(due, "measured another size or precision", INTERNAL)
        return due.log

    def _size(self) -> tuple[str, str]:
        """Elements and scalar of the cases of Strata's side, which must have one of each."""
        ours = next(side for side in SIDES if side != self.plan.peer)
        record = read(self.race.files(ours)[0])
        if isinstance(record, Skipped):
            raise RaceError(str(record))
        return _size_of(record)

    def _lost(self, due: _Due, text: str, code: int) -> LaunchError:
        """Says what a launch came to, and where the race stands."""
        lines = due.log.read_text(encoding="utf-8", errors="replace").splitlines()
        shown = [printable(line, "\t") for line in lines[-LINES_OF_A_FAILED_LAUNCH:]]
        whole = len(self.race.whole_pairs())
        peer = self.plan.contenders[due.side].peer
        who = babelstream.NAME if peer else f"strata-{due.app}"
        return LaunchError(
            "\n".join(
                [
                    *shown,
                    f"pair {due.pair}, {due.side}: {who} {text}; above is the "
                    f"end of {printable(str(due.log))}",
                    f"the race ended with {whole} of {self.race.pairs} pairs; nothing is "
                    "claimed. It goes on by the same command with --output-dir "
                    f"{printable(str(self.race.folder))}",
                ]
            ),
            code,
        )


@dataclass(frozen=True)
class _Due:
    """A launch that is to be made."""

    command: list[str]
    side: str
    app: str
    pair: int
    position: int
    log: Path


def _stamp(program: Path) -> tuple[int, int]:
    facts = program.stat()
    return facts.st_mtime_ns, facts.st_size


def _size_of(record: Record) -> tuple[str, str]:
    cases = [case for case in record.cases if case.axes.get("kernel") in babelstream.KERNELS]
    sizes = {(str(case.sizes.get("rows")), case.axes.get("scalar", "")) for case in cases}
    if len(sizes) != 1 or next(iter(sizes))[1] not in babelstream.SCALARS:
        raise RaceError(
            f"{babelstream.NAME} has one size and precision, double or float, in a launch: "
            "choose one by --set problem.size and --set cases.scalar=[double]"
        )
    return sizes.pop()
