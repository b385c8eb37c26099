"""`strata submit`: the script for each scheduler, whole, and what becomes of it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT, write_program

GOLDEN = ROOT / "scripts/tests/golden"
GPU = """strata_system: 1
scheduler: {scheduler}
launcher: {launcher}
node: {{cores: 64, threads_per_core: 2, gpus: 4}}
job: {{nodes: 2, queue: batch, account: me, options: ["{option}"]}}
modules: [mpi/4]
environment: {{A_VARIABLE: "two words"}}
"""
CPU = """strata_system: 1
scheduler: {scheduler}
node: {{cores: 8, numa_nodes: 2}}
"""
SUITE = """strata_suite: 1
runs:
  - {app: app, ranks: [1, 4]}
  - {app: app, repeats: 3}
"""
APP = """
[[ " $* " == *" --check-deck "* ]] || exit 1
[[ " $* " != *" bad=1 "* ]] || { echo 'deck:1:1: no' >&2; exit 3; }
"""
LAUNCHERS = {"slurm": "srun", "pbs": "pals", "lsf": "jsrun", "flux": "flux", "shell": "mpirun"}
OPTIONS = {"slurm": "--constraint=x", "pbs": "-l filesystems=home", "lsf": "-alloc_flags smt4",
           "flux": "--requires=x", "shell": "none"}  # fmt: skip


@pytest.fixture
def site(tmp_path) -> Path:
    (tmp_path / "my suite.yaml").write_text(SUITE)
    (tmp_path / "build" / "bin").mkdir(parents=True)
    write_program(tmp_path / "build/bin/strata-app", APP)
    for scheduler, launcher in LAUNCHERS.items():
        words = {"scheduler": scheduler, "launcher": launcher, "option": OPTIONS[scheduler]}
        (tmp_path / f"{scheduler}-gpu.yaml").write_text(GPU.format(**words))
        (tmp_path / f"{scheduler}-cpu.yaml").write_text(CPU.format(**words))
    return tmp_path


def submit(site: Path, system: str, *options: str) -> tuple[int, str, str]:
    words = ["submit", "my suite.yaml", "--system", f"{system}.yaml", "--build", "build",
             "--output-dir", "out", *options]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "strata_tools", *words], cwd=site, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts"),
             "PATH": f"{site}/bin:{os.environ['PATH']}"},
        capture_output=True, check=False, timeout=PATIENCE, errors="surrogateescape",
    )  # fmt: skip
    out, err = (
        text.replace(str(ROOT), "/strata").replace(str(site), "/site")
        for text in (done.stdout, done.stderr)
    )
    return done.returncode, out, err


def scripts() -> list[tuple[str, tuple[str, ...]]]:
    """Every scheduler with GPUs in one job, and without them as an array."""
    found = [(f"{scheduler}-gpu", ()) for scheduler in LAUNCHERS]
    return found + [(f"{s}-cpu", ("--array",)) for s in LAUNCHERS if s != "shell"]


@pytest.mark.parametrize(("system", "options"), scripts(), ids=str)
def test_the_script_as_a_whole(site, system, options):
    code, out, err = submit(site, system, "--dry-run", *options)
    assert (code, err) == (0, "")
    golden = GOLDEN / f"{system}.golden.sh"
    if os.environ.get("STRATA_UPDATE_GOLDEN"):
        golden.write_text(out)
    assert out == golden.read_text()


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.sh")), ids=lambda path: path.stem)
def test_scripts_pass_shellcheck(golden):
    if not shutil.which("shellcheck"):
        pytest.skip("needs shellcheck: scripts/setup lint")
    done = subprocess.run(["shellcheck", golden], capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.parametrize("name", sorted(p.stem for p in (ROOT / "scripts/systems").glob("*")))
def test_the_examples_make_jobs(site, name):
    words = ["submit", "--system", name, "--build", "none", "--dry-run"]
    done = subprocess.run(
        [sys.executable, "-m", "strata_tools", *words], cwd=site, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert f"export STRATA_SYSTEM={name}\n" in done.stdout


@pytest.mark.parametrize(
    ("system", "options", "words"),
    [
        ("slurm-gpu", (), ["sbatch FILE"]),
        ("pbs-gpu", (), ["qsub FILE"]),
        ("lsf-gpu", (), ["bsub < FILE"]),
        ("flux-cpu", ("--array",),
         [f"flux batch --env=STRATA_INDEX={i} FILE" for i in (1, 2, 3)]),
    ],
)  # fmt: skip
def test_hands_the_script_to_the_scheduler(site, system, options, words):
    for name in ("sbatch", "qsub", "bsub", "flux"):
        write_program(
            site / "bin" / name, f'echo "{name} $*" >>{site}/log; cat >>{site}/input\n'
        )
    code, out, _ = submit(site, system, *options)
    assert code == 0
    name = system.partition("-")[0]
    (file,) = (site / "out" / system / "jobs").glob("strata-my_suite-*.sh")
    assert re.fullmatch(r"strata-my_suite-\d{8}T\d{6}Z-[0-9a-f]{4}\.sh", file.name)
    heard = (site / "log").read_text().replace(str(file), "FILE").splitlines()
    assert heard == [line.replace("bsub < FILE", "bsub ") for line in words]
    assert file.read_text() in (site / "input").read_text()
    assert out.splitlines()[-1] == f"records and logs come to /site/out/{system}"
    assert file.read_text().replace(str(ROOT), "/strata").replace(str(site), "/site") == (
        (GOLDEN / f"{system}.golden.sh").read_text()
    ), name


WAITS = """
case " $* " in
  *" --check-deck "*) exit ;;
  *" --report-binding "*) echo "a  0  0  0  0"; exit ;;
esac
trap 'echo "RESULT v=1 app=app status=INCOMPLETE exit=9 file=w.json"; exit 9' TERM
while :; do sleep 0.05; done
"""


def test_a_shell_runs_the_script_at_once_and_stops_it_before_the_limit(site):
    write_program(site / "build/bin/strata-app", WAITS)
    (site / "my suite.yaml").write_text("strata_suite: 1\nruns: [{app: app}, {app: app}]\n")
    (site / "here.yaml").write_text(
        "strata_system: 1\nscheduler: shell\nnode: {cores: 1}\njob: {warning_s: 1}\n"
    )
    # Time enough for the runner to start beside busy neighbours.
    code, out, _ = submit(site, "here", "--time-limit", "15")
    assert code == 9
    (folder,) = [path for path in (site / "out/here/jobs").iterdir() if path.is_dir()]
    (script,) = (site / "out/here/jobs").glob("*.sh")
    assert (folder / "job.sh").read_text() == script.read_text()
    assert (folder / "suite.yaml").read_text() == (site / "my suite.yaml").read_text()
    assert (folder / "modules.txt").read_text().endswith("no modules\n")
    assert "== 2 of 2" not in out
    assert out.splitlines()[-1].startswith("exit code 9; the script is /site/out/here/jobs/")


def test_a_scheduler_that_is_not_there(site):
    code, _, err = submit(site, "pbs-gpu")
    assert (code, err) == (
        1, "no qsub on PATH: submit from a login node of the system, or correct `scheduler` in "
        "its description\n",
    )  # fmt: skip


def test_a_folder_that_cannot_be_written(site):
    code, out, err = submit(site, "pbs-gpu", "--output-dir", "/proc/x")
    assert (code, out) == (8, "")
    assert err == (
        "/proc/x: No such file or directory; name a folder that can be written by "
        "--output-dir\n"
    )


def test_names_that_are_not_utf8_stand_in_the_script_as_they_are(site):
    write_program(site / "bin/sbatch", "")
    code, out, err = submit(site, "slurm-gpu", "--output-dir", "out\udcff")
    assert (code, err) == (0, "")
    assert out.endswith("records and logs come to /site/out\udcff/slurm-gpu\n")
    (script,) = (site / "out\udcff/slurm-gpu/jobs").glob("*.sh")
    assert b"out\xff/slurm-gpu" in script.read_bytes()


def test_the_label_of_who_submits_is_the_jobs(site, monkeypatch):
    monkeypatch.setenv("STRATA_LABEL", "before the update")
    code, out, _ = submit(site, "slurm-cpu", "--dry-run")
    assert code == 0
    assert "\nexport STRATA_LABEL='before the update'\n" in out


def test_the_schedulers_refusal_is_the_exit_code(site):
    write_program(site / "bin/sbatch", "echo 'invalid account' >&2; exit 5\n")
    code, out, err = submit(site, "slurm-gpu")
    assert (code, err) == (5, "invalid account\n")
    assert out.splitlines()[-1].startswith(
        "exit code 5; the script is /site/out/slurm-gpu/jobs/"
    )


@pytest.mark.parametrize(
    ("system", "options", "message"),
    [
        (
            "shell-cpu", ("--array",),
            "--array needs a scheduler; scheduler shell has none\n",
        ),
        (
            "slurm-cpu", ("--time-limit", "200"),
            "--time-limit is 200; it must be at least 240, twice the system's job.warning_s\n",
        ),
    ],
)  # fmt: skip
def test_options_that_make_no_job(site, system, options, message):
    assert submit(site, system, *options) == (2, "", message)


def test_decks_are_checked_before_anything_waits_in_a_queue(site):
    (site / "my suite.yaml").write_text(
        "strata_suite: 1\nruns: [{app: app, set: {bad: 1}}, {app: app, ranks: 100}]\n"
    )
    assert submit(site, "slurm-cpu") == (
        3, "",
        "my suite.yaml:2:35: 100 ranks do not fit 1 node of 8 cores; raise --nodes\n"
        "1 problem in the suite deck; nothing was run\n",
    )  # fmt: skip
    code, _, err = submit(site, "slurm-cpu", "--nodes", "20")
    assert (code, err) == (3, "my suite.yaml:2:8: app refuses its deck:\ndeck:1:1: no\n")
    assert not (site / "out").exists()


def test_executables_are_demanded_unless_only_the_script_is_asked_for(site):
    shutil.rmtree(site / "build")
    assert submit(site, "slurm-cpu", "--dry-run")[0] == 0
    assert submit(site, "slurm-cpu") == (
        3, "",
        "/site/build/bin has no executables; scripts/run builds them\n"
        "1 problem in the suite deck; nothing was run\n",
    )  # fmt: skip
