"""`strata run` a second time, before it measures, and with apps that are yet to be built."""

import json
import os
import signal
from pathlib import Path

import pytest
from conftest import PATIENCE, write_program
from test_run import MPIEXEC, run, start

from strata_tools import preflight, sums
from strata_tools.__main__ import main
from strata_tools.machine import system_name

# Leaves a record as the apps do, from its own arguments; one that is not valid for size 2.
APP = """
case " $* " in
  *" --check-deck "*) exit ;;
  *" --report-binding "*) cat "$HERE/binding"; exit "$(cat "$HERE/seats")" ;;
esac
deck= overrides=() valid=true
while (($#)); do
  case $1 in
    --deck) deck=$2 ;;
    --set) overrides+=("\\"$2\\"") ;;
    --output-dir) output=$2 ;;
  esac
  [[ $2 != problem.size=2 ]] || valid=false
  shift 2
done
mkdir -p "$output/$SYSTEM/app"
number=$(ls "$output/$SYSTEM/app" | wc -l)
file=$output/$SYSTEM/app/20990101T000000Z-$number-0000.json
cat >"$file" <<RECORD
{"app": "app", "run": {"system": "$SYSTEM", "cmdline": ["bin/strata-app"]},
 "deck": {"path": "$deck", "sha256": "${deck:+$(sha256sum <"$deck" | cut -c 1-64)}",
          "overrides": [$(IFS=, && echo "${overrides[*]}")]},
 "mpi": {"ranks": 1}, "validity": {"valid": $valid}}
RECORD
echo "bound ${OMP_PROC_BIND:-no}"
echo "RESULT v=1 app=app status=PASS exit=0 file=$file"
"""
TABLE = "host  rank  local  cpuset  numa\n{}"


@pytest.fixture
def build(tmp_path, monkeypatch) -> Path:
    for name, value in {
        "CUDA_VISIBLE_DEVICES": "",
        "HERE": tmp_path,
        "SYSTEM": system_name(),
    }.items():
        monkeypatch.setenv(name, str(value))
    for name in preflight.BOUND:
        monkeypatch.delenv(name, raising=False)
    mpiexec = write_program(tmp_path / "mpiexec", MPIEXEC)
    (tmp_path / "CMakeCache.txt").write_text(f"MPIEXEC_EXECUTABLE:FILEPATH={mpiexec}\n")
    (tmp_path / "seats").write_text("0")
    (tmp_path / "binding").write_text(TABLE.format("a  0  0  0-1  0\na  1  1  2,3  0\n"))
    write_program(tmp_path / "bin/strata-app", APP)
    return tmp_path


def strata_run(build: Path, runs: str, *options: str) -> tuple[int, list[str], str]:
    """Exit code; lines about launches and the end; standard error."""
    code, out, err = run(build, [], *options, runs=runs)
    told = ("== ", "bound", "# ")
    lines = [line for line in out.splitlines() if line.startswith(told) or " runs in " in line]
    names = [line.replace(f"out/{system_name()}/app/20990101T000000Z-", "") for line in lines]
    return code, [line.partition(": /")[0] for line in names], err


TWICE = (
    "  - {app: app, ranks: 1, repeats: 2}\n  - {app: app, ranks: 1, set: {problem.size: 3}}\n"
)


def test_what_has_its_record_is_not_run_again(build):
    code, lines, _ = strata_run(build, TWICE)
    assert (code, lines[-1]) == (0, "3 of 3 runs in 0.0 s: 0 failed")
    (build / "out" / system_name() / "app" / "20990101T000000Z-2-0000.json").unlink()
    code, lines, _ = strata_run(build, TWICE)
    assert code == 0
    assert lines == [
        "== 1 of 3 is done: 0-0000.json",
        "== 2 of 3 is done: 1-0000.json",
        "== 3 of 3",
        "bound no",
        "1 of 3 runs in 0.0 s: 0 failed; 2 done before (--fresh runs them again)",
    ]
    assert strata_run(build, TWICE)[:2] == (0, [
        "== 1 of 3 is done: 0-0000.json",
        "== 2 of 3 is done: 1-0000.json",
        "== 3 of 3 is done: 2-0000.json",
        "0 of 3 runs in 0.0 s: 0 failed; 3 done before (--fresh runs them again)",
    ])  # fmt: skip


def test_fresh_runs_all_again(build):
    strata_run(build, TWICE)
    assert strata_run(build, TWICE, "--fresh")[1][-1] == "3 of 3 runs in 0.0 s: 0 failed"


def test_a_dry_run_tells_what_is_done(build):
    strata_run(build, TWICE, "--index", "2")
    _, out, _ = run(build, [], "--dry-run", runs=TWICE)
    done = f"# done, out/{system_name()}/app/20990101T000000Z-0-0000.json: "
    assert [line.startswith(done) for line in out.splitlines()] == [False, True, False]


def spoil(build: Path, change) -> None:
    (path,) = (build / "out").glob("*/*/*.json")
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


@pytest.mark.parametrize(
    "change",
    [
        lambda record: record["validity"].update(valid=False),
        lambda record: record["run"].update(system="other"),
        lambda record: record["run"].update(user_label="other"),
        lambda record: record["run"]["cmdline"].extend(["--only", "triad"]),
        lambda record: record["run"]["cmdline"].append("--benchmark_filter=triad"),
        lambda record: record["mpi"].update(ranks=2),
        lambda record: record["deck"].update(overrides=[]),
        lambda record: record["deck"].update(path="x.yaml", sha256="0"),
        lambda record: record.clear(),
    ],
    ids=["valid", "system", "label", "only", "filter", "ranks", "overrides", "deck", "foreign"],
)
def test_a_record_must_match(build, change):
    one = "  - {app: app, ranks: 1, set: {problem.size: 3}}\n"
    strata_run(build, one)
    spoil(build, change)
    assert strata_run(build, one)[1][-1] == "1 of 1 runs in 0.0 s: 0 failed"


@pytest.mark.parametrize("name", ["20010101T000000Z-1-0000.json", "mine.json"])
def test_a_record_of_an_older_build_does_not_count(build, name):
    one = "  - {app: app, ranks: 1}\n"
    strata_run(build, one)
    (path,) = (build / "out").glob("*/*/*.json")
    path.rename(path.with_name(name))
    assert strata_run(build, one)[1][-1] == "1 of 1 runs in 0.0 s: 0 failed"


def test_a_changed_deck_is_run_again(build):
    (build / "d.yaml").write_text("strata: 1\n")
    one = "  - {app: app, ranks: 1, deck: d.yaml}\n"
    assert strata_run(build, one)[1][-1].startswith("1 of 1")
    assert strata_run(build, one)[1][-1].startswith("0 of 1")
    (build / "d.yaml").write_text("strata: 1 # other\n")
    assert strata_run(build, one)[1][-1].startswith("1 of 1")


def test_an_index_is_one_run_with_its_repeats(build):
    assert strata_run(build, TWICE, "--index", "1")[1][-1].startswith("2 of 2 runs")
    assert strata_run(build, TWICE, "--index", "3") == (
        2, [], "--index is 3; the suite has 2 runs\n",
    )  # fmt: skip


def test_the_job_folder_keeps_the_decks(build):
    (build / "sub").mkdir()
    (build / "sub/d.yaml").write_text("strata: 1\n")
    strata_run(build, "  - {app: app, ranks: 1, deck: sub/d.yaml}\n", "--job-folder", "job")
    assert (build / "job/decks/1-d.yaml").read_text() == "strata: 1\n"
    assert (build / "job/suite.yaml").read_text().startswith("strata_suite: 1\n")


def test_a_job_seals_what_it_leaves(build, capsys):
    one = "  - {app: app, ranks: 1}\n"
    (build / "job").mkdir()
    (build / "job/job.sh").write_text("exec\n")
    out = run(build, [], "--job-folder", "job", runs=one)[1]
    assert out.splitlines()[-1].startswith("sealed 3 files in job/SHA256SUMS (SHA-256 ")
    (record,) = (build / "out").rglob("*.json")
    names = {path.resolve() for path in sums.read(build / "job/SHA256SUMS")}
    assert names == {record, build / "job/job.sh", build / "job/suite.yaml"}
    assert main(["verify", str(build / "job")]) == 0
    record.write_text(record.read_text().replace("true", "false"))
    assert main(["verify", str(build / "job")]) == 12
    assert capsys.readouterr().err.startswith(f"{build}/job/../out/")
    out = run(build, [], "--job-folder", "job", runs=one + one)[1]  # the job started again
    assert out.splitlines()[-1].startswith("sealed 4 files in job/SHA256SUMS-2 (SHA-256 ")


def test_the_job_folder_may_be_that_of_the_suite(build):
    one = "  - {app: app, ranks: 1}\n"
    assert strata_run(build, one, "--job-folder", ".")[::2] == (0, "")


def test_the_preflight_shows_the_map_and_binds_threads(build):
    code, lines, err = strata_run(build, "  - {app: app, ranks: 2}\n", "--preflight")
    assert (code, err) == (0, "")
    assert lines[:3] == ["== preflight: 2 ranks", "== 1 of 1", "bound close"]


def test_threads_of_ranks_that_share_cpus_are_not_bound(build, monkeypatch):
    (build / "binding").write_text(TABLE.format("a  0  0  0-1  0\na  1  1  1-2  0\n"))
    monkeypatch.setenv("OMP_PROC_BIND", "spread")
    code, lines, err = strata_run(build, "  - {app: app, ranks: 2}\n", "--preflight")
    assert (code, lines[2]) == (0, "bound no")
    assert err == "note: OMP_PROC_BIND left out, since ranks share CPUs\n"


def test_a_users_own_binding_of_threads_stands(build, monkeypatch):
    monkeypatch.setenv("OMP_PROC_BIND", "spread")
    assert (
        strata_run(build, "  - {app: app, ranks: 1}\n", "--preflight")[1][2] == "bound spread"
    )


def test_ranks_that_cannot_be_placed_stop_the_job(build):
    (build / "seats").write_text("4")
    assert strata_run(build, "  - {app: app, ranks: 1}\n", "--preflight") == (
        4,
        ["== preflight: 1 rank"],
        "preflight ended with exit code 4; nothing was measured\n",
    )


def test_an_interrupt_before_the_first_launch(build):
    write_program(build / "bin/strata-app", "[[ $* != *report* ]] || exec sleep 60\n")
    process = start(build, [], "--preflight", runs="  - {app: app, ranks: 1}\n")
    assert process.stdout is not None
    assert process.stdout.readline() == "== preflight: 1 rank\n"
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (9, "")
    assert err == "interrupted; the same command goes on where this one was\n"


@pytest.mark.parametrize(
    ("rows", "apart"),
    [
        ("a  0  0  0-3  0\nb  1  0  0-3  0\n", True),
        ("a  0  0  0-3  0\na  1  1  3  0\n", False),
        ("", False),
    ],
)
def test_masks_are_compared_on_each_host(rows, apart):
    assert preflight.disjoint(TABLE.format(rows)) is apart


CMAKE = """
echo "cmake $*" >>cmake.log
[[ $* != *strata-late* ]] || { echo 'late.cpp:1: error'; exit 1; }
cp later/"${*: -1}" bin/
"""


def test_make_builds_each_app_before_its_first_run(build, monkeypatch):
    write_program(build / "cmake", CMAKE)
    monkeypatch.setenv("PATH", str(build), prepend=os.pathsep)
    (build / "later").mkdir()
    (build / "bin/strata-app").rename(build / "later/strata-app")
    runs = "  - {app: app, ranks: 1}\n  - {app: late, ranks: 1}\n"
    code, lines, err = strata_run(build, runs, "--make")
    assert (code, lines) == (1, ["== 1 of 2", "bound no", "2 of 2 runs in 0.0 s: 1 failed"])
    assert [line.partition(" ... ")[0] for line in err.splitlines()] == [
        "build strata-app", "build strata-late", "late.cpp:1: error",
    ]  # fmt: skip
    log = (build / "cmake.log").read_text().replace(str(build), "B")
    assert log == "cmake --build B --target strata-app\ncmake --build B --target strata-late\n"
    # A second time all is measured anew: what was built may have changed.
    assert strata_run(build, runs, "--make")[1][-1] == "2 of 2 runs in 0.0 s: 1 failed"


def test_without_make_nothing_is_built(build):
    (build / "bin/strata-app").unlink()
    code, _, err = strata_run(build, TWICE)
    assert code == 3
    assert err.replace(str(build), "B") == (
        "B/bin has no executables; scripts/run builds them\n"
        "1 problem in the suite deck; nothing was run\n"
    )
