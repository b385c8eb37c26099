"""How a job ends that cannot go on: one reason, one code, and no rank waits for another."""

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import PATIENCE


@pytest.fixture
def app(binaries, tmp_path):
    """Runs strata-stream, or another app, in an empty folder."""

    def run(*arguments, ranks=1, others=(), program="stream", wrapper=()):
        """`others`: what the last rank is started with, of its own program; else all alike."""
        command = [*wrapper, str(binaries / f"strata-{program}"), *arguments]
        if others:
            last = [*others, str(binaries / f"strata-{program}"), *arguments]
            command = ["mpirun", "-n", str(ranks - 1), *command, ":", "-n", "1", *last]
        elif ranks > 1:
            command = ["mpirun", "-n", str(ranks), *command]
        return subprocess.run(
            command, cwd=tmp_path, env=environment(), timeout=PATIENCE,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


def environment():
    return os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none",
        "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMP_WAIT_POLICY": "passive",
    }


SMOKE = ("--set", "run.tier=smoke", "--set", "problem.size=100000")


def test_one_ranks_fault_ends_the_job(app):
    done = app(*SMOKE, ranks=2, others=("env", "STRATA_FAULT=bad"))
    assert done.returncode == 2
    assert "rank 1 on " in done.stderr
    assert "STRATA_FAULT is 'bad'" in done.stderr
    assert "status=PASS" not in done.stdout


def test_a_fault_of_all_ranks_is_said_once(app):
    done = app(*SMOKE, ranks=3, wrapper=("env", "STRATA_FAULT=bad"))
    assert done.returncode == 2
    assert done.stderr.count("STRATA_FAULT is 'bad'") == 1
    assert done.stdout.splitlines()[-1].startswith("RESULT v=1 app=stream status=ERROR")


@pytest.mark.parametrize("ranks", [1, 3])
def test_rank_0_has_spoken_before_any_rank_leaves(app, ranks):
    done = app("--bogus", ranks=ranks, program="mgs")
    assert done.returncode == 2
    assert done.stderr.count("unknown option '--bogus'") == 1
    assert done.stdout.count("RESULT v=1 app=mgs status=ERROR") == 1


def test_a_decks_errors_are_printed_once(app):
    done = app("--check-deck", "--set", "run.rounds=0", "--set", "run.seed=x", ranks=3)
    assert done.returncode == 3
    assert done.stderr.count("run.rounds is 0") == 1
    assert done.stderr.count("2 problems in the deck") == 1


@pytest.mark.parametrize("option", ["--deck", "--set", "--only", "--output", "--output-dir"])
@pytest.mark.parametrize("form", ["{}=", "{}"])
def test_an_empty_value_is_refused(app, option, form):
    written = form.format(option)
    done = app(written, *([] if written.endswith("=") else [""]), "--list")
    assert done.returncode == 2
    assert f"{option} is given nothing" in done.stderr


def test_a_device_that_is_none_is_refused_by_the_deck(app):
    done = app("--check-deck", "--set", "parallel.device=banana")
    assert done.returncode == 3
    assert "parallel.device is banana" in done.stderr


def test_what_the_address_space_does_not_hold_is_refused(app):
    limited = ("bash", "-c", 'ulimit -v 3000000; exec "$@"', "limited")
    done = app(
        "--set", "run.tier=smoke", "--set", "problem.size=200000000",
        "--only", "triad/span", wrapper=limited,
    )  # fmt: skip
    assert done.returncode == 5, done.stderr
    assert re.search(r"need 4\.47 GiB on rank 0, where \S+ GiB are free; make", done.stderr)


GIB = 1 << 30


@pytest.fixture
def confined():
    """The start of a command whose processes may have a gibibyte of memory."""
    version_1 = Path("/sys/fs/cgroup/memory")
    top, limit = (
        (version_1, "memory.limit_in_bytes")
        if version_1.is_dir()
        else (Path("/sys/fs/cgroup"), "memory.max")
    )
    group = top / f"strata-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made: {error.strerror}")
    try:
        (group / limit).write_text(str(GIB))
        start = ["bash", "-c", 'echo $$ > "$0"/cgroup.procs && exec "$@"', str(group)]
        if subprocess.run([*start, "true"], check=False, capture_output=True).returncode != 0:
            pytest.skip("no process can be put into a control group")
        yield start
    except OSError as error:
        pytest.skip(f"memory has no control group of its own: {error.strerror}")
    finally:
        for _ in range(100):  # its last process leaves it a moment after its end
            with contextlib.suppress(OSError):
                group.rmdir()
                break
            time.sleep(0.1)


@pytest.mark.parametrize(("elements", "code"), [(8_000_000, 0), (100_000_000, 5)])
def test_a_control_groups_memory_is_what_there_is(app, confined, elements, code):
    done = app(
        "--set", "run.tier=smoke", "--set", "run.rounds=1", "--set", "run.min_time_s=0",
        "--set", f"problem.size={elements}", "--only", "triad/span", wrapper=confined,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    line = r"^  memory +(\S+ \S+) per rank, of (\S+) MiB$"
    needed, there = re.search(line, done.stdout, re.MULTILINE).groups()
    assert float(there) < 1024
    if code:
        assert f"need {needed} on rank 0, where {there} MiB are free" in done.stderr


@contextlib.contextmanager
def started(binaries, folder, program, *arguments):
    """A process that is killed where the test fails: it might wait for its reader for ever."""
    with subprocess.Popen(
        [binaries / f"strata-{program}", *arguments], cwd=folder, env=environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def hears_sigterm(process):
    """Whether the process has a handler of its own for SIGTERM."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    return int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1 == 1


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def ends_interrupted(process):
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 9, err
    assert "reasons=interrupted" in out.splitlines()[-1]


def test_sigterm_is_heard_before_the_first_line(binaries, tmp_path):
    # Its objects take longer to make than a process to start.
    with started(binaries, tmp_path, "contact", "--set", "problem.elements=3000000",
                 "--set", "cases.kernel=[build]", "--set", "cases.variant=[dyn_ragged]",
                 "--set", "run.tier=smoke") as process:  # fmt: skip
        wait_until(lambda: hears_sigterm(process))
        assert select.select([process.stdout], [], [], 0)[0] == []
        ends_interrupted(process)


def test_sigterm_is_heard_in_warm_up(binaries, tmp_path):
    with started(binaries, tmp_path, "stream", "--set", "run.warmup_s=3600", *SMOKE,
                 "--set", "run.tier=quick") as process:  # fmt: skip
        wait_until(lambda: hears_sigterm(process))
        assert process.stdout.readline()  # of the heading, right before the warm-up
        time.sleep(1)
        ends_interrupted(process)
