"""What the executables do in bad surroundings: full disks, signals, ranks that die, sizes that
do not fit. The cases are few and small; what is asked is how a run ends."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import jsonschema
import pytest
from conftest import PATIENCE, ROOT

from strata_tools.find_launcher import find
from strata_tools.launch import Build
from strata_tools.processes import ranks_below

SCHEMA = json.loads((ROOT / "common/report/record.schema.json").read_text())
ONCE = ["--set", "run.tier=smoke", "--set", "run.rounds=1", "--set", "run.min_time_s=0"]
SHORT = ["--quiet", *ONCE, "--set", "problem.size=3001"]
LONG = ["--set", "run.tier=smoke", "--set", "run.rounds=10000", "--set", "run.min_time_s=0",
        "--set", "run.max_time_s=60", "--set", "run.warmup_s=0",
        "--set", "problem.size=300011"]  # fmt: skip


@pytest.fixture
def job(binaries) -> Callable[..., list[str]]:
    """The command of an app on some ranks, as `strata run` starts it."""
    launcher = find(Build(binaries.parent))

    def command(app: str, ranks: int, *arguments: str) -> list[str]:
        program = [str(binaries / f"strata-{app}"), *arguments]
        return program if ranks == 1 else launcher.command(ranks, program)

    return command


def surroundings() -> dict[str, str]:
    """Leave for root and for more ranks than cores, in words that any MPI takes or leaves."""
    return {
        **os.environ,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMP_WAIT_POLICY": "passive",
        "NO_COLOR": "1",
    }


def run(command: list[str], **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, text=True, env=surroundings(), check=False, timeout=PATIENCE,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )  # fmt: skip


@contextlib.contextmanager
def started(command: list[str], **options) -> Iterator[subprocess.Popen[str]]:
    """A job in a session of its own, of which nothing is left afterwards."""
    with subprocess.Popen(
        command, text=True, env=surroundings(), start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options,
    ) as process:  # fmt: skip
        ranks: list[int] = []
        try:
            ranks += ranks_below(process.pid)
            yield process
        finally:
            for pid in (process.pid, *ranks, *ranks_below(process.pid)):
                if process.poll() is None:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)


def heeds_sigterm(pid: int) -> bool:
    """Whether a process has a handler of SIGTERM: it has begun to measure."""
    status = Path(f"/proc/{pid}/status").read_text()
    caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return caught is not None and bool(int(caught[1], 16) >> (signal.SIGTERM - 1) & 1)


def seconds_used(pid: int) -> float:
    """Of processors, by all threads of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measuring(process: subprocess.Popen[str], ranks: int, work_s: float = 0.5) -> list[int]:
    """Waits until all ranks are in their rounds: `work_s` of work after they began, several
    times what comes before; their process numbers."""
    deadline = time.monotonic() + PATIENCE
    began: dict[int, float] = {}
    while time.monotonic() < deadline and process.poll() is None:
        for pid in ranks_below(process.pid):
            if heeds_sigterm(pid):
                began.setdefault(pid, seconds_used(pid))
        if len(began) == ranks and all(seconds_used(p) > began[p] + work_s for p in began):
            return sorted(began)
        time.sleep(0.02)
    raise AssertionError(f"no {ranks} ranks measure: {process.communicate(timeout=PATIENCE)}")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def result_line(text: str) -> str:
    lines = text.rstrip("\n").splitlines()
    assert lines, "nothing was printed"
    assert lines[-1].startswith("RESULT v=1 "), text
    return lines[-1]


def own_words(text: str) -> list[str]:
    """Standard error without the launcher's remarks."""
    ours = ("cannot write", "strata-", "standard output", "problem.", "shape", "the arrays",
            "none of", "no combination")  # fmt: skip
    return [line for line in text.splitlines() if line.startswith(ours)]


# Results that cannot be written.


@pytest.fixture
def full_disk(tmp_path) -> Callable[[int, list[str]], subprocess.CompletedProcess[str]]:
    """Runs a command where tmp_path/disk is a file system with that many bytes left, and
    prints after its output the files that it leaves there."""
    disk = tmp_path / "disk"
    disk.mkdir()
    inside = ["unshare", "--map-root-user", "--mount", "bash", "-c"]
    mount = f"mount -t tmpfs -o size=64k strata {shlex.quote(str(disk))}"
    if not shutil.which("unshare") or run([*inside, mount]).returncode != 0:
        pytest.skip("this kernel lets no ordinary user mount a file system of his own")

    def on_disk(left: int, command: list[str]) -> subprocess.CompletedProcess[str]:
        script = f"""{mount} || exit 99
            cd {shlex.quote(str(disk))}
            head -c $((65536 - {left})) /dev/zero >filler
            export TMPDIR=$(mktemp -d)  # root's own may be there: an MPI would not share it
            {shlex.join(command)}
            code=$?
            rm -rf "$TMPDIR"
            find . -type f ! -name filler
            exit $code"""
        return run([*inside, script])

    return on_disk


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_disk_that_fills_up_costs_the_record_but_not_the_numbers(full_disk, job, ranks):
    done = full_disk(4096, job("stream", ranks, *SHORT, "--only", "triad/span"))
    assert done.returncode == 8
    assert re.findall(r"^FOM .*scope=job", done.stdout, re.MULTILINE)
    assert re.search(r" valid=yes .* exit=8 file=none$", result_line(done.stdout))
    assert own_words(done.stderr) == [
        "strata-stream: cannot write results in 'results/"
        + done.stderr.partition("results/")[2].partition("'")[0]
        + "': No space left on device; make room and access there, or choose another folder "
        "with --output-dir"
    ]


def test_a_full_disk_is_known_before_the_run(full_disk, job):
    done = full_disk(0, job("stream", 1, *SHORT))
    assert done.returncode == 8
    assert done.stdout == (
        "RESULT v=1 app=stream status=ERROR valid=no official=no reasons=none exit=8 "
        "file=none\n"
    )
    assert "No space left on device" in done.stderr


def test_a_folder_that_cannot_be_made_is_known_before_the_run(tmp_path, job):
    (tmp_path / "file").touch()
    done = run(job("stream", 2, *SHORT, "--output-dir", "file"), cwd=tmp_path)
    assert done.returncode == 8
    assert done.stdout.count("\n") == 1
    assert " status=ERROR valid=no official=no reasons=none exit=8 " in result_line(done.stdout)
    assert re.fullmatch(
        r"cannot write results in 'file/[^/']+/stream': Not a directory; make room and access "
        r"there, or choose another folder with --output-dir",
        "\n".join(own_words(done.stderr)),
    )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into every folder")
def test_a_folder_without_leave_to_write_is_known_before_the_run(tmp_path, job):
    tmp_path.chmod(0o555)
    done = run(job("stream", 1, *SHORT, "--output-dir", str(tmp_path)))
    tmp_path.chmod(0o755)
    assert (done.returncode, done.stdout.count("\n")) == (8, 1)
    assert "Permission denied" in done.stderr


def test_a_limit_of_file_sizes_is_no_end_of_the_run(tmp_path, job):
    command = job("stream", 1, *LONG, "--output-dir", str(tmp_path))
    with started(command) as process:
        (pid,) = measuring(process, 1)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (512, 512))
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 9  # of the two faults the first
    assert result_line(out).endswith(" file=none")
    assert "File too large; make room" in err
    assert files(tmp_path) == []


@pytest.mark.parametrize("arguments", [SHORT, ["--print-deck"], ["--list"]])
def test_a_full_standard_output_is_an_error(tmp_path, job, arguments):
    with Path("/dev/full").open("w") as full:
        done = run(job("stream", 1, *arguments), stdout=full, cwd=tmp_path)
    assert done.returncode == 8
    assert done.stderr.removeprefix("strata-stream: ") == (
        "standard output cannot be written to its end; make room where it goes\n"
    )


# Runs that are ended from outside.


@pytest.mark.parametrize(
    ("app", "ranks", "work_s"), [("stream", 1, 0.5), ("stream", 2, 0.5), ("hexgrad", 1, 2)]
)
def test_sigterm_ends_a_run_in_order(tmp_path, job, app, ranks, work_s):
    """The signal reaches one rank, the last: all end."""
    with started(job(app, ranks, *LONG, "--output-dir", str(tmp_path))) as process:
        os.kill(measuring(process, ranks, work_s)[-1], signal.SIGTERM)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 9
    check_incomplete(tmp_path, out)


def test_sigterm_to_the_launcher_ends_a_run_in_order(tmp_path, job):
    """The launcher's own exit code differs between MPIs; the run's is in its last line. Open
    MPI's kills the ranks a second later, on a busy machine before the record has its name: up
    to three runs are tried."""
    for n in range(3):
        folder = tmp_path / str(n)
        with started(job("stream", 2, *LONG, "--output-dir", str(folder))) as process:
            measuring(process, 2)
            process.send_signal(signal.SIGTERM)
            out, _ = process.communicate(timeout=PATIENCE)
        if any(path.suffix == ".json" for path in files(folder)):
            break
    check_incomplete(folder, out)


def check_incomplete(folder: Path, out: str) -> None:
    """One whole record in `folder` that says what it lacks, and names itself in `out`."""
    (path,) = files(folder)
    record = json.loads(path.read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(record)
    assert not record["validity"]["valid"]
    assert record["validity"]["reasons"][0] == "interrupted"
    assert {(case["status"], case["reason"]) for case in record["cases"]} == {
        ("incomplete", "interrupted")
    }
    samples = [len(case["samples_s"]) for case in record["cases"]]
    assert max(samples) >= 1
    assert max(samples) - min(samples) <= 1
    assert "FOM " not in out
    assert re.fullmatch(
        rf"RESULT v=1 app={record['app']} status=INCOMPLETE valid=no official=no "
        rf"reasons=interrupted,\S+ exit=9 file={re.escape(str(path))}",
        result_line(out),
    )


@pytest.mark.parametrize(("ranks", "victim"), [(2, 0), (3, -1)])
def test_a_rank_that_dies_takes_the_job_with_it(tmp_path, job, ranks, victim):
    with started(job("stream", ranks, *LONG, "--output-dir", str(tmp_path))) as process:
        os.kill(measuring(process, ranks)[victim], signal.SIGKILL)
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode != 0
    assert "RESULT" not in out
    assert files(tmp_path) == []


def test_ranks_of_another_mpis_launcher_are_refused(tmp_path, job, monkeypatch):
    """As they see themselves: one of several to the launcher, alone to their own MPI."""
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "3")
    done = run(job("stream", 1, *SHORT, "--output-dir", str(tmp_path)))
    assert done.returncode == 4
    assert result_line(done.stdout).endswith(" exit=4 file=none")
    assert re.search(
        r"^the launcher started 3 ranks and each finds itself alone; use the mpirun of "
        r"(Open MPI|MPICH)\S* .*, which this was built with$",
        done.stderr,
        re.MULTILINE,
    )
    assert files(tmp_path) == []


# Sizes and selections that make no run.


@pytest.mark.parametrize(
    ("app", "message"),
    [
        ("stream", "shape 1d has 1 row for 2 ranks; raise problem.size or use fewer ranks"),
        ("hexgrad", "problem.size is 1 element for 2 ranks; raise it or use fewer ranks"),
    ],
)
def test_more_ranks_than_elements_are_refused(tmp_path, job, app, message):
    command = job(app, 2, *SHORT, "--set", "problem.size=1", "--output-dir", str(tmp_path))
    done = run(command)
    assert done.returncode == 3
    assert own_words(done.stderr) == [message]
    assert result_line(done.stdout).endswith(" exit=3 file=none")
    assert files(tmp_path) == []


@pytest.mark.parametrize(
    ("kernel", "key", "reason"),
    [
        ("csr", "sparse_rows", "fewer points along an edge of the grid than ranks; raise"),
        ("batched", "batch_count", "fewer matrices than ranks; raise problem.batch_count"),
    ],
)
def test_a_case_that_one_rank_cannot_run_is_left_out_by_all(tmp_path, job, kernel, key, reason):
    sizes = [f"--set=problem.{size}" for size in (f"{key}=1", "rows=20", "columns=5")]
    chosen = ["--set", f"cases.kernel=[{kernel}, matvec]", "--output-dir", str(tmp_path)]
    done = run(job("matvec", 2, *ONCE, *sizes, *chosen))
    assert done.returncode == 0
    assert f"unavailable: {reason}" in done.stdout
    assert result_line(done.stdout).startswith("RESULT v=1 app=matvec status=PASS ")


@pytest.mark.parametrize(
    ("app", "size", "least"),
    [("stream", 1 << 46, 3 * 8 << 46), ("hexgrad", 10**12, 2 * 24 * 8 * 10**12)],
)
def test_the_largest_size_does_not_fit_and_takes_nothing(tmp_path, job, app, size, least):
    """Every count of bytes on the way is right: the need is stated, and is no less."""
    command = job(app, 2, *SHORT, "--set", f"problem.size={size}")
    done = run([*command, "--output-dir", str(tmp_path)])
    assert done.returncode == 5
    assert result_line(done.stdout).endswith(" exit=5 file=none")
    (message,) = own_words(done.stderr)
    said = re.fullmatch(
        r"the arrays need (\S+) (.iB) on rank 0, where \S+ .iB are free; make the deck's "
        r"problem smaller or run fewer ranks per node",
        message,
    )
    assert said, message
    unit = {"TiB": 1 << 40, "PiB": 1 << 50}[said[2]]
    assert float(said[1]) * unit == pytest.approx(least / 2, rel=0.01)
    assert files(tmp_path) == []


def test_a_reader_that_ends_does_not_cost_the_record(tmp_path, job):
    command = job("stream", 1, *SHORT[1:], "--output-dir", str(tmp_path))
    reader, writer = os.pipe()
    os.close(reader)
    done = run(command, stdout=writer)
    os.close(writer)
    assert done.returncode == 8
    assert len(files(tmp_path)) == 1


def test_what_no_rank_understands_is_said_once(job):
    done = run(job("mgs", 3, "--bogus"))
    assert done.returncode == 2
    assert done.stderr.count("unknown option '--bogus'; see --help") == 1
    assert result_line(done.stdout).endswith(" exit=2 file=none")


def test_an_empty_selection_is_refused(tmp_path, job):
    deck = [*SHORT, "--set", "cases.access=[default]"]
    done = run(job("stream", 2, *deck, "--only", "triads"), cwd=tmp_path)
    assert done.returncode == 2
    assert own_words(done.stderr) == [
        "none of the deck's 10 cases is selected; see --list without --only",
    ]
    assert result_line(done.stdout).endswith(" exit=2 file=none")
    assert files(tmp_path) == []


@pytest.mark.parametrize("listing", [[], ["--list"], ["--check-deck"]])
def test_axes_without_a_combination_are_refused(tmp_path, job, listing):
    axes = ["--set", "cases.variant=[vector_of_vectors]", *listing]
    done = run(job("stream", 1, *SHORT, *axes), cwd=tmp_path)
    assert done.returncode == 3
    (message,) = own_words(done.stderr)
    assert message.startswith("no combination of the deck's axes makes a case; ")
