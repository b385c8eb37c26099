"""The processes of a job on this node, as the system shows them."""

from __future__ import annotations

from pathlib import Path


def ranks_below(process: int) -> list[int]:
    """The apps' processes at and below a launcher's, in the order of their start; none that
    has ended meanwhile or is of another node, and no child of a rank, which bears its name
    until it is another program: without a launcher Open MPI starts a daemon below a rank."""
    folder = Path(f"/proc/{process}")
    found = []
    try:
        if (folder / "comm").read_text().startswith("strata-"):
            return [process]
        for children in folder.glob("task/*/children"):
            for child in children.read_text().split():
                found += ranks_below(int(child))
    except OSError:
        pass
    return sorted(found)
