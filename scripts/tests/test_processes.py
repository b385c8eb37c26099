"""What counts as a rank of a job on this node."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from strata_tools.processes import ranks_below


def commands_below(pid: int) -> dict[str, int]:
    """The processes below one, by the names that the system shows."""
    found = {}
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found[Path(f"/proc/{child}/comm").read_text().strip()] = child
            found |= commands_below(child)
    return found


def test_a_child_of_a_rank_is_no_rank(tmp_path):
    """A daemon that a rank starts bears the rank's name until it is another program."""
    for name in ("strata-rank", "strata-child"):
        (tmp_path / name).symlink_to(shutil.which("bash"))
    words = "./strata-rank -c './strata-child -c \"read <{}; :\"; :'; :"
    os.mkfifo(tmp_path / "never")
    with subprocess.Popen(
        ["bash", "-c", words.format("never")], cwd=tmp_path, start_new_session=True
    ) as job:
        try:
            deadline = time.monotonic() + 60
            while "strata-child" not in (below := commands_below(job.pid)):
                assert time.monotonic() < deadline, below
                time.sleep(0.02)
            assert ranks_below(job.pid) == [below["strata-rank"]]
            assert ranks_below(below["strata-rank"]) == [below["strata-rank"]]
        finally:
            os.killpg(job.pid, signal.SIGKILL)


def test_a_process_that_has_ended_has_none():
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    assert ranks_below(gone.pid) == []
