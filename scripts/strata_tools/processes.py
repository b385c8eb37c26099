"""The processes of a job on this node, as the system shows them."""

from __future__ import annotations

import time
from pathlib import Path


def ranks_below(process: int) -> list[int]:
    """The apps' processes at and below a launcher's, in the order of their start; none that
    has ended meanwhile or is of another node, and no child of a rank, which bears its name
    until it is another program: without a launcher Open MPI starts a daemon below a rank."""
    folder = Path(f"/proc/{process}")
    found = []
    try:
        if (folder / "comm").read_text().startswith("strata-"):
            return [process] if _runs(folder) else []
        for children in folder.glob("task/*/children"):
            for child in children.read_text().split():
                found += ranks_below(int(child))
    except OSError:
        pass
    return sorted(found)


def _runs(folder: Path) -> bool:
    """Whether the process is more than an entry that nobody has waited for."""
    _, _, after_name = (folder / "stat").read_text().rpartition(") ")
    return not after_name.startswith(("Z", "X"))


class Ranks:
    """Looks after the ranks of a launcher on this node."""

    def __init__(self, launcher: int) -> None:
        self._launcher = launcher
        self._last_seen: float | None = None

    def gone_s(self) -> float:
        """How long ago the last one was seen, in seconds; 0 where none was seen ever, as where
        ranks are not below their launcher (srun) or on other nodes."""
        now = time.monotonic()
        if ranks_below(self._launcher):
            self._last_seen = now
        return 0 if self._last_seen is None else now - self._last_seen
