"""What counts as a rank of a job on this node."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from conftest import PATIENCE

from strata_tools import execute
from strata_tools.launch import Launcher
from strata_tools.processes import ranks_below

LAUNCHER = Launcher("mpirun", "openmpi", numa=1, cores=1, gpus=0)


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
            deadline, below = time.monotonic() + PATIENCE, {}
            while not {"strata-rank", "strata-child"} <= below.keys():
                assert time.monotonic() < deadline, below
                time.sleep(0.02)
                below = commands_below(job.pid)
            assert ranks_below(job.pid) == [below["strata-rank"]]
            assert ranks_below(below["strata-rank"]) == [below["strata-rank"]]
        finally:
            os.killpg(job.pid, signal.SIGKILL)


def test_a_rank_that_nobody_has_waited_for_is_none(tmp_path):
    rank = tmp_path / "strata-rank"
    rank.symlink_to(shutil.which("true"))
    with subprocess.Popen([rank]) as ended:
        deadline = time.monotonic() + PATIENCE
        while ranks_below(ended.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert ranks_below(ended.pid) == []


def test_a_launcher_that_outlives_its_ranks_is_ended(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr(execute, "RANKS_LOOKED_AFTER", 0.02)
    monkeypatch.setattr(execute, "LAUNCHER_PATIENCE", 0.3)
    (tmp_path / "strata-rank").symlink_to(shutil.which("sleep"))
    words = f"{tmp_path}/strata-rank 1; echo ended; exec sleep 600"
    end = execute.attend(execute.Start(["bash", "-c", words], LAUNCHER, dict(os.environ)))
    assert (end.code, end.lines) == (137, ["ended\n"])
    assert capfd.readouterr().err == "bash did not end within 0.3 s of its last rank: killed\n"


def test_a_launcher_without_a_rank_here_is_waited_for(monkeypatch):
    monkeypatch.setattr(execute, "RANKS_LOOKED_AFTER", 0.02)
    monkeypatch.setattr(execute, "LAUNCHER_PATIENCE", 0.1)
    end = execute.attend(execute.Start(["sleep", "1"], LAUNCHER, dict(os.environ)))
    assert end.code == 0


def test_a_signal_that_comes_while_a_command_starts_is_for_it(monkeypatch):
    start = subprocess.Popen

    def starts_beside_a_signal(*words, **options):
        process = start(*words, **options)
        os.kill(os.getpid(), signal.SIGTERM)
        return process

    monkeypatch.setattr(subprocess, "Popen", starts_beside_a_signal)
    end = execute.attend(execute.Start(["sleep", "600"], LAUNCHER, dict(os.environ)))
    assert (end.code, end.signalled) == (128 + signal.SIGTERM, True)


def test_a_signal_is_for_a_command_whose_output_has_ended():
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGTERM))
    timer.start()
    words = "exec >&- 2>&-; exec sleep 600"
    end = execute.attend(execute.Start(["bash", "-c", words], LAUNCHER, dict(os.environ)))
    assert (end.code, end.signalled) == (128 + signal.SIGTERM, True)


def test_output_that_cannot_be_passed_on_stops_no_rank(tmp_path):
    done = tmp_path / "done"
    words = f"seq 100000; touch {done}"  # more than a pipe holds
    with Path("/dev/full").open("w") as log:
        start = execute.Start(["bash", "-c", words], LAUNCHER, dict(os.environ), log)
        with pytest.raises(OSError, match="No space left"):
            execute.attend(start)
        with Path(os.devnull).open("w") as nothing:  # so that it closes without fault
            os.dup2(nothing.fileno(), log.fileno())
    assert done.exists()


def test_a_process_that_has_ended_has_none():
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    assert ranks_below(gone.pid) == []
