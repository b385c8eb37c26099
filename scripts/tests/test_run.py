"""`strata run`, with small programs in the apps' and the launcher's places."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, write_program

MPIEXEC = """
[[ $1 == --version ]] && echo HYDRA && exit
while [[ $1 != /* ]]; do shift; done
exec "$@"
"""
GOOD = """
[[ " $* " == *" --check-deck "* ]] && exit
echo "measuring"
echo "RESULT v=1 app=good status=PASS valid=yes exit=0 file=results/x%20y.json"
"""
BAD = """
[[ " $* " == *" --check-deck "* ]] && exit
echo "RESULT v=1 app=bad status=FAIL valid=no exit=6 file=results/z.json"
exit 6
"""
SKIPS = """
[[ " $* " == *" --check-deck "* ]] && exit
exit 77
"""
REFUSES = """
[[ " $* " == *" --check-deck "* ]] && echo 'deck:1:1: no' >&2 && exit 3
echo 'must not run'
"""
SILENT = """
[[ " $* " == *" --check-deck "* ]] && exit
echo "nothing started"
"""
WAITS = """
[[ " $* " == *" --check-deck "* ]] && exit
trap 'echo "RESULT v=1 app=waits status=INCOMPLETE exit=9 file=w.json"; exit 9' TERM INT
echo ready
while :; do sleep 0.05 & wait; done  # bash may lose a SIGINT as it starts one in front
"""


@pytest.fixture
def build(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    folder = tmp_path / "a build"
    mpiexec = write_program(folder / "mpiexec", MPIEXEC)
    (folder / "CMakeCache.txt").write_text(f"MPIEXEC_EXECUTABLE:FILEPATH={mpiexec}\n")
    programs = {"good": GOOD, "bad": BAD, "skips": SKIPS, "refuses": REFUSES, "waits": WAITS,
                "silent": SILENT}  # fmt: skip
    for app, text in programs.items():
        write_program(folder / f"bin/strata-{app}", text)
    return folder


def command(build: Path, apps: list[str], *options: str, runs: str = "") -> list[str]:
    entries = "".join(f"  - {{app: {app}, ranks: 1}}\n" for app in apps)
    (build / "suite.yaml").write_text(f"strata_suite: 1\nruns:\n{entries}{runs}")
    words = ["run", "suite.yaml", "--build", ".", "--output-dir", "out", *options]
    return [sys.executable, "-m", "strata_tools", *words]


def start(build: Path, apps: list[str], *options: str, runs: str = "") -> subprocess.Popen:
    return subprocess.Popen(
        command(build, apps, *options, runs=runs), cwd=build, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def run(build: Path, apps: list[str], *options: str, runs: str = "") -> tuple[int, str, str]:
    """Exit code and output of `strata run` on these apps, or on runs of a suite deck."""
    process = start(build, apps, *options, runs=runs)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, re.sub(r"\d+\.\d", "0.0", out), err.replace(str(build), "B")


def test_shows_the_runs_and_sums_them_up(build):
    code, out, err = run(build, ["good", "bad", "skips"])
    assert (code, err) == (6, "")
    assert out.splitlines()[1:3] == [
        "measuring",
        "RESULT v=1 app=good status=PASS valid=yes exit=0 file=results/x%20y.json",
    ]
    assert out.splitlines()[-5:] == [
        "app    ranks  seconds  status  exit  record",
        "good   1      0.0      PASS    0     results/x y.json",
        "bad    1      0.0      FAIL    6     results/z.json",
        "skips  1      0.0      -       77    -",
        "3 of 3 runs in 0.0 s: 1 failed, 1 skipped",
    ]


@pytest.mark.parametrize(("apps", "code"), [(["good", "skips"], 0), (["skips"], 77)])
def test_a_skipped_run_is_no_failure(build, apps, code):
    assert run(build, apps)[0] == code


def test_a_launch_without_a_result_has_failed(build):
    code, out, err = run(build, ["silent"])
    assert (code, err) == (1, "B/mpiexec ended without a word of the app\n")
    assert out.splitlines()[-1] == "1 of 1 runs in 0.0 s: 1 failed"


def test_nothing_runs_when_one_deck_is_refused(build):
    assert run(build, ["good", "refuses"]) == (
        3, "", "suite.yaml:4:5: refuses refuses its deck:\ndeck:1:1: no\n",
    )  # fmt: skip


def test_an_unknown_app_names_those_that_are_there(build):
    assert run(build, ["god"]) == (
        3, "",
        "suite.yaml:3:5: there is no strata-god in B/bin; there are: "
        "bad, good, refuses, silent, skips, waits\n"
        "1 problem in the suite deck; nothing was run\n",
    )  # fmt: skip


def test_names_the_apps_that_are_to_be_built(build):
    assert run(build, ["mgs", "contact", "mgs"], "--apps") == (
        0, "strata-mgs\nstrata-contact\n", ""
    )  # fmt: skip
    code, out, err = run(build, ["god"], "--apps")
    assert (code, out) == (3, "")
    place = f"suite.yaml:3:5: there is no strata-god to be built from {ROOT}/miniapps;"
    assert err.startswith(f"{place} there are: contact, ")


def test_dry_run_prints_the_commands(build):
    code, out, _ = run(build, ["good"], "--dry-run")
    assert code == 0
    assert out.replace(str(build), "B") == (
        "'B/mpiexec' -n 1 -bind-to none 'B/bin/strata-good' --output-dir out\n"
    )


def test_a_dry_run_tells_which_deck_is_refused(build):
    code, out, err = run(build, ["good", "refuses"], "--dry-run")
    assert (code, len(out.splitlines())) == (3, 2)
    assert err == "suite.yaml:4:5: refuses refuses its deck:\ndeck:1:1: no\n"


def test_says_when_gpus_stay_idle(build, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    assert run(build, ["good"], "--dry-run")[2] == (
        "note: 2 NVIDIA GPUs stay idle, since this build's Kokkos has no CUDA; "
        "set Kokkos_ROOT to one that has\n"
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupt_ends_the_suite_after_the_apps_last_words(build, number):
    process = start(build, ["waits", "good"])
    assert process.stdout is not None
    while process.stdout.readline() != "ready\n":
        pass
    process.send_signal(number)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 9
    assert "INCOMPLETE  9     w.json\n1 of 2 runs in" in out


MANY = """
[[ " $* " == *" --check-deck "* ]] && exit
for ((i = 0; i < 3000; ++i)); do echo "line $i of a table that no pipe has room for"; done
touch all-was-read
echo "RESULT v=1 app=many status=FAIL valid=no exit=6 file=results/z.json"
exit 6
"""


def test_a_reader_that_leaves_ends_no_launch(build):
    """As `strata run 2>&1 | head -n 2`."""
    write_program(build / "bin/strata-many", MANY)
    process = subprocess.Popen(
        command(build, ["many", "good", "silent"]), cwd=build, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
    )  # fmt: skip
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=PATIENCE) == 6
    assert (build / "all-was-read").exists()


def test_an_interrupt_that_ends_the_reader_too(build):
    """As ^C under `| tee`."""
    process = start(build, ["waits", "good"])
    assert process.stdout is not None
    while process.stdout.readline() != "ready\n":
        pass
    process.stdout.close()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=PATIENCE) == 9
    assert process.stderr is not None
    assert process.stderr.read() == ""


@pytest.mark.parametrize("folder", ["/proc/x", "suite.yaml"])
def test_a_job_folder_that_cannot_be_written(build, folder):
    code, out, err = run(build, ["good"], "--job-folder", folder)
    assert (code, out) == (8, "")
    assert err.startswith(folder)
    assert err.endswith("; name a folder that can be written by --job-folder\n")


def test_an_installation_knows_its_executables(build, tmp_path):
    """As CMake installs scripts and inputs."""
    prefix = tmp_path / "prefix"
    for folder in ("scripts/strata_tools", "inputs"):
        shutil.copytree(ROOT / folder, prefix / "share/strata" / folder)
    shutil.copytree(build / "bin", prefix / "bin")
    write_program(prefix / "mpirun", MPIEXEC)
    (tmp_path / "suite.yaml").write_text("strata_suite: 1\nruns: [{app: good, ranks: 1}]\n")
    done = subprocess.run(
        [sys.executable, "-m", "strata_tools", "run", "suite.yaml", "--dry-run"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(prefix / "share/strata/scripts"),
             "PATH": f"{prefix}:{os.environ['PATH']}"},
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.replace(str(prefix), "P") == (
        "P/mpirun -n 1 -bind-to none P/bin/strata-good --output-dir results\n"
    )
