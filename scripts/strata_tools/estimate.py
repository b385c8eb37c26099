"""How long what is left will take, from what has been measured so far."""

from __future__ import annotations

from strata_tools.plan import Launch
from strata_tools.suite import Run


class Estimate:
    """Seconds by run, else by app, else of any launch."""

    def __init__(self) -> None:
        self._seconds: list[tuple[Run, float]] = []

    def add(self, launch: Launch, seconds: float) -> None:
        self._seconds.append((launch.run, seconds))

    def of(self, launches: list[Launch]) -> str:
        """ ", about 12 min left": of all these launches; empty before anything is known."""
        if not self._seconds:
            return ""
        return f", about {in_words(sum(self._one(launch.run) for launch in launches))} left"

    def _one(self, run: Run) -> float:
        same = [s for other, s in self._seconds if other == run]
        alike = [s for other, s in self._seconds if other.app == run.app]
        known = same or alike or [s for _, s in self._seconds]
        return sum(known) / len(known)


def in_words(seconds: float) -> str:
    """ "45 s", "12 min", "3 h 20 min": as fine as an estimate is good."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
