"""The campaign of disturbed jobs: what it complains of, and its short form."""

import os
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import kill_campaign
from disturbed_jobs import End, Launch, run, to_launcher
from kill_campaign import Campaign, NothingSeen, judge, unreadable

RULE = "-" * 74 + "\n"
SAID = f"{RULE}Primary job  terminated normally\n{RULE}{RULE}mpirun noticed\n{RULE}"
LAUNCH = Launch("hexgrad", 2, phases=False)
OPERATOR_NEW = " _Znwm"
BROKEN = "RESULT v=1 app=a status=ERROR valid=no exit=5 file=none\n"


def passed(record):
    return f"RESULT v=1 app=a status=PASS valid=yes exit=0 file={record}\n"


@pytest.fixture
def record(tmp_path):
    file = tmp_path / "results" / "a.json"
    file.parent.mkdir()
    file.write_text('{"schema": 1, "environment": {}}')
    return file


@pytest.mark.parametrize(
    ("kind", "end", "complaints"),
    [
        ("kill", (0, "{passed}", ""), []),
        ("kill", (137, "", "killed"), []),
        ("kill", (137, "{passed}", "killed"), ["exit 137 and a PASS"]),
        ("kill", (None, "", ""), ["hung for 60 s"]),
        ("kill", (0, BROKEN, ""), ["exit 0 without a PASS"]),
        ("throw", (5, BROKEN, "no memory"), []),
        ("throw", (5, BROKEN, ""), ["no reason on standard error"]),
        ("throw", (5, BROKEN, SAID), ["no reason on standard error"]),
        ("throw", (5, BROKEN, f"{SAID}no memory\n{SAID}"), []),
        ("kill", (137, "", SAID), []),
        ("throw", (134, "", "terminate"), ["exit 134 is none for this"]),
        ("disk", (1, BROKEN, "disk full"), ["exit 1 is none for this"]),
        ("term", (9, BROKEN, ""), []),
        ("term", (143, "a heading", "Terminated"), ["exit 143 is none for this"]),
        ("term-all", (143, "", SAID), []),
        ("term-all", (143, "", SAID + "a reason"), ["exit 143 is none for this"]),
        ("term-job", (1, "", ""), []),
    ],
)
def test_it_complains_of_what_is_no_end(record, kind, end, complaints):
    code, out, err = end
    end = End(code, 1.0, out.format(passed=passed(record)), err)
    assert judge(kind, end) == complaints


def test_it_complains_of_what_is_no_record(record):
    assert judge("kill", End(0, 1.0, passed("gone.json"), "")) == ["a PASS without its record"]
    (record.parent / ".strata-1-abcd.tmp").write_text("{")
    assert unreadable(record.parent, "kill") == []
    assert len(unreadable(record.parent, "disk")) == 1
    for text in (record.read_text()[:-9], "{}", "[]", "1"):
        record.write_text(text)
        assert unreadable(record.parent, "kill") == [f"{record} is no whole record"]


def test_a_rank_that_is_killed_after_the_record_takes_nothing_back(record):
    written = record.stat().st_mtime
    late = End(137, 1.0, passed(record), "killed", disturbed=written + 1)
    assert judge("kill", late) == []
    assert judge("throw", End(5, 1.0, passed(record), "no memory", disturbed=written + 1)) == [
        "exit 5 and a PASS"
    ]
    late.disturbed = written - 1
    assert judge("kill", late) == ["exit 137 and a PASS"]


def test_a_launcher_that_hangs_without_a_rank_is_none_of_ours(record):
    hung = End(137, 60.0, "", "killed", hung_launcher=True)
    assert judge("term", hung) == []
    hung.out = passed(record)
    assert judge("term", hung) == ["exit 137 and a PASS"]


def test_a_job_that_hangs_is_ended(monkeypatch, tmp_path):
    monkeypatch.setattr("disturbed_jobs.PATIENCE", 0.1)
    rank = tmp_path / "strata-rank"
    rank.symlink_to(shutil.which("sleep"))
    assert run([str(rank), "60"]).code is None
    end = run([sys.executable, "-c", "import time; time.sleep(60)"])
    assert (end.code, end.hung_launcher) == (137, True)
    end = run([sys.executable, "-c", "import time; time.sleep(60)"], None, 0.05,
              to_launcher(signal.SIGTERM))  # fmt: skip
    assert end.code in (137, 143)


@pytest.mark.parametrize(("counts", "is_seen"), [("0 7", False), ("3 0", False), ("3 7", True)])
def test_it_says_where_its_library_sees_nothing(monkeypatch, tmp_path, counts, is_seen):
    def launched(_command, environment):
        Path(environment["FAULTY_COUNTS"]).write_text(f"{counts}\n")
        Path(environment["FAULTY_FOLDER"]).mkdir(exist_ok=True)
        return End(0, 1.0, "", "")

    monkeypatch.setattr(kill_campaign, "run", launched)
    campaign, launch = Campaign(tmp_path, tmp_path), Launch("a", 2, phases=False)
    if is_seen:
        usual = campaign.undisturbed(launch)
        assert (usual.calls, usual.allocations) == (3, (7, 7))
    else:
        with pytest.raises(NothingSeen, match="sees no call, or no allocation"):
            campaign.undisturbed(launch)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs the executables: run it by scripts/test")
    build = Path(os.environ["STRATA_BUILD"]).resolve()
    campaign = Campaign(build, tmp_path_factory.mktemp("campaign"))
    try:
        campaign.undisturbed(LAUNCH)
    except NothingSeen as why:
        symbols = ["nm", "-D", "--undefined-only", build / "bin" / "strata-hexgrad"]
        done = subprocess.run(symbols, capture_output=True, text=True, check=True)
        if OPERATOR_NEW not in done.stdout:  # from no library, but of its own
            pytest.skip(str(why))
        raise
    return campaign


@pytest.mark.parametrize("kind", [kind for kind in kill_campaign.KINDS if kind != "stop"])
def test_every_job_ends(campaign, kind):
    """But for a stopped rank, which half a minute goes by for: PeerWatch has a test."""
    _, end = campaign.job(kind, LAUNCH, random.Random(kind))
    assert judge(kind, end) + unreadable(campaign.output, kind) == []


def test_the_command_prints_how_jobs_ended(campaign, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["kill_campaign.py", "--jobs", "1", "--kind", "disk",
                                      "--app", "hexgrad", str(campaign.build)])  # fmt: skip
    assert kill_campaign.main() == 0
    assert capsys.readouterr().out.endswith("1 jobs, 0 of them not as they must be\n")
