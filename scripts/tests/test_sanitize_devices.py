"""The smoke decks under compute-sanitizer, by a program in its place that runs the rest."""

import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError, ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT

import sanitize_devices
from sanitize_devices import FOUND, Job, read

JOB = Job("racecheck", "mgs", ("mgs/fused/span/left/device",))
CLEAN = "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n"
HAZARDS = "========= RACECHECK SUMMARY: 3 hazards displayed (3 errors, 0 warnings)\n"
ENDED = "========= Target application returned an error\n"
NOTHING = "RESULT v=1 app=mgs status=FAIL reasons=nothing_measured,tier exit=6\n"


@pytest.mark.parametrize(
    ("code", "log", "words", "ran"),
    [
        (0, CLEAN, "", True),
        (FOUND, HAZARDS, "3 found", True),
        (FOUND, "", "some found", True),
        (FOUND, NOTHING, "some found", True),
        (6, NOTHING + CLEAN, "", False),
        (6, CLEAN, "exit 6: nothing said", True),
        (1, f"strata: no room\n{ENDED}{CLEAN}\n", "exit 1: strata: no room", True),
        (0, "", "no summary: was it a sanitizer?", True),
        (None, "", "not ended in 9 s", True),
    ],
)
def test_an_end_is_read(code, log, words, ran):
    outcome = read(JOB, code, log, 9)
    assert (outcome.words, outcome.ran) == (words, ran)


def stand_in(folder, behind):
    """A program that runs what follows its own options, and then some lines of shell."""
    program = folder / "stand-in"
    program.write_text(f'#!/bin/sh\nshift 4\n"$@" || exit\n{behind}\n', encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def sanitized(binaries, *more):
    words = ("--app", "hexgrad", "--tool", "memcheck", "--cases", "9", "--jobs", "2")
    return sanitize_devices.main([str(binaries.parent), *words, *more])


def test_clean_cases_are_counted(binaries, tmp_path, capsys):
    program = stand_in(tmp_path, "echo '========= ERROR SUMMARY: 0 errors'")
    assert sanitized(binaries, "--sanitizer", program, "--logs", str(tmp_path / "logs")) == 0
    deck = ROOT / "miniapps" / "hexgrad" / "decks" / "smoke.yaml"
    cases = len(sanitize_devices.labels(binaries / "strata-hexgrad", deck, []))
    jobs = -(-cases // 9)
    told = f"hexgrad  memcheck  {cases:4} cases: {jobs} of {jobs} jobs clean\n"
    assert capsys.readouterr().out == told
    assert len(list((tmp_path / "logs").glob("hexgrad-memcheck-*.log"))) == jobs


def test_a_deck_with_fewer_cases_has_fewer_jobs(binaries, tmp_path, capsys):
    program = stand_in(tmp_path, "echo '========= ERROR SUMMARY: 0 errors'")
    narrowed = ["--set", "cases.variant=[span]", "--set", "cases.layout=[left]"]
    assert sanitized(binaries, "--sanitizer", program, *narrowed) == 0
    assert capsys.readouterr().out.endswith(": 1 of 1 jobs clean\n")


def test_finds_are_told_with_their_cases(binaries, tmp_path, capsys):
    behind = (
        'case "$*" in *view*) echo "========= ERROR SUMMARY: 5 errors"; exit 99;; esac\n'
        'echo "========= ERROR SUMMARY: 0 errors"'
    )
    assert sanitized(binaries, "--sanitizer", stand_in(tmp_path, behind)) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("hexgrad memcheck: 5 found: hexgrad/gradient/")
    assert all("view" in line for line in told[:-1])


@pytest.mark.parametrize(
    ("sanitizer", "build", "told"),
    [
        ("./absent", "", "no program './absent': it comes with CUDA; name it by --sanitizer"),
        ("true", "none", "none has no bin/strata-hexgrad: build it, or choose by --app"),
    ],
)
def test_what_is_missing_is_named(binaries, capsys, sanitizer, build, told):
    words = [str(binaries.parent / build), "--app", "hexgrad", "--sanitizer", sanitizer]
    with pytest.raises(SystemExit) as end:
        sanitize_devices.main(words)
    assert end.value.code == 2
    assert told in capsys.readouterr().err


def test_what_does_not_end_is_told(binaries, tmp_path, capsys):
    program = stand_in(tmp_path, "sleep 60; :")  # a child that has the output, too
    assert sanitized(binaries, "--sanitizer", program, "--limit", "1", "--set",
                     "cases.variant=[view]", "--set", "cases.layout=[left]") == 1  # fmt: skip
    assert "not ended in 1 s" in capsys.readouterr().out


def test_an_interrupt_ends_the_jobs(binaries, tmp_path):
    program = tmp_path / "stand-in"
    program.write_text(f"#!/bin/sh\necho $$ >>{tmp_path}/pids\nsleep 600\n", encoding="utf-8")
    program.chmod(0o755)
    words = [ROOT / "scripts/sanitize_devices.py", binaries.parent, "--app", "hexgrad",
             "--sanitizer", program, "--jobs", "2"]  # fmt: skip
    # A shell's background ignores interrupts, and so does what it starts.
    heeds = ["env", "--default-signal=INT", sys.executable, *words]
    with subprocess.Popen(heeds, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + PATIENCE
        while not (tmp_path / "pids").exists() or len(started := pids(tmp_path)) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0, said
    assert pids(tmp_path) == started  # no other job has begun
    assert not any(Path(f"/proc/{pid}/cmdline").exists() for pid in started)


def test_an_interrupt_ends_a_job_that_is_being_started(monkeypatch):
    begun = threading.Event()
    start = subprocess.Popen

    def slow(*words, **more):
        process = start(*words, **more)
        begun.set()
        time.sleep(0.2)
        return process

    monkeypatch.setattr(subprocess, "Popen", slow)
    running = sanitize_devices.Running()
    with ThreadPoolExecutor(1) as pool:
        process = pool.submit(running.start, ["sleep", "600"], {})
        assert begun.wait(PATIENCE)
        running.end_all()
        assert process.result().wait(PATIENCE) == -signal.SIGKILL
    with pytest.raises(CancelledError):
        running.start(["sleep", "600"], {})


def pids(folder):
    return (folder / "pids").read_text().split()
