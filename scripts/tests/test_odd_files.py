"""YAML files that no one would write in earnest: each ends soon, in lines with
place and remedy."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PATIENCE, ROOT

from strata_tools import suite, systems
from strata_tools.strict_yaml import InvalidFileError

SYSTEM = "strata_system: 1\nscheduler: slurm\nnode: {cores: 4}\n"
NINES = "9" * 5000
SHOWN = "9" * 120 + "…"
PER_RANK = "it must be a number above 0 and at most 1E+18, to be multiplied by the ranks"
ESCAPE = "has an escape that is no character, or a version of no YAML; correct it"
LAUNCHES = (
    "brings the suite to more than 100000 launches; shorten its sweep or ranks, or lower its "
    "repeats"
)


def of_suite(run: str) -> str:
    return f"strata_suite: 1\nruns:\n  - {run}\n"


def problems(folder: Path, read, text: str) -> list[str]:
    path = folder / "s.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidFileError) as caught:
        read(path)
    return [line.replace(f"{folder}/", "") for line in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (SYSTEM + "environment: [a]\n",
         "s.yaml:4:14: environment is a list; it must be a mapping"),
        (SYSTEM + 'environment: "A=1"\n',
         "s.yaml:4:14: environment is A=1; it must be a mapping"),
        (SYSTEM + "environment: {[a]: 1}\n",
         "s.yaml:4:15: a key in environment is a list; it must be a word"),
        (SYSTEM + "environment: {É: 1}\n",
         "s.yaml:4:15: a name in environment is É; it must be a variable's name"),
        (SYSTEM.replace("4", NINES),
         f"s.yaml:3:15: node.cores is {SHOWN}; it must be between 1 and 100000"),
        (SYSTEM + f"job: {{time_limit_s: {NINES}}}\n",
         f"s.yaml:4:21: job.time_limit_s is {SHOWN}; it must be between 60 and 31536000"),
        (SYSTEM + "modules: " + "[" * 3000,
         "s.yaml:4:41: is nested more than 32 deep; write it flatter"),
        (SYSTEM + "modules:\n" + "".join(f"{' ' * n}- \n" for n in range(1, 3000)),
         "s.yaml:36:33: is nested more than 32 deep; write it flatter"),
        (SYSTEM + 'modules: ["\\e[31mred"]\n',
         "s.yaml:4:11: has the character U+001B in a text; leave it out"),
        (SYSTEM + 'modules: ["\\ud800"]\n',
         "s.yaml:4:11: has the character U+D800 in a text; leave it out"),
        (SYSTEM + 'modules: ["\\UFFFFFFFF"]\n',
         f"s.yaml:4:14: {ESCAPE}"),
        (f"%YAML {NINES}.1\n---\n",
         f"s.yaml:1:7: {ESCAPE}"),
        (SYSTEM + "modules: [a\x07b]\n", "s.yaml:4:12: has the character U+0007; leave it out"),
        (SYSTEM + f"build: {'b' * 10_001}\n",
         "s.yaml:4:8: is a text of 10001 characters; it must be at most 10000 long"),
        (SYSTEM + 'job: {account: "a\u202eb"}\n',
         "s.yaml:4:16: job.account is a\\u202eb; it must be one word"),
        (SYSTEM + "job: {queue: 'a, b'}\n",
         "s.yaml:4:14: job.queue is a, b; it must be one word, or several with commas and no "
         "blanks between"),
        (SYSTEM.replace("slurm", "pbs") + "job: {queue: 'a,b'}\n",
         "s.yaml:4:14: job.queue is a,b; it must be one word"),
        ("strata_system: 1\nnode: {cores: 4}\njob: {queue: 'a,b'}\n",
         "s.yaml:1:1: scheduler is missing"),
    ],
    ids=lambda text: text[-50:],
)  # fmt: skip
def test_a_systems_description(tmp_path, text, problem):
    assert problems(tmp_path, systems.read, text)[:1] == [problem]


@pytest.mark.parametrize(
    ("run", "problem"),
    [
        ("{app: a, per_rank: {k: 1e999999999}}",
         f"s.yaml:3:28: runs[0].per_rank.k is 1e999999999; {PER_RANK}"),
        ("{app: a, per_rank: {k: 1e999999}}",
         f"s.yaml:3:28: runs[0].per_rank.k is 1e999999; {PER_RANK}"),
        (f"{{app: a, per_rank: {{k: {NINES}}}}}",
         f"s.yaml:3:28: runs[0].per_rank.k is {SHOWN}; {PER_RANK}"),
        ("{app: a, per_rank: {k: 0}}", f"s.yaml:3:28: runs[0].per_rank.k is 0; {PER_RANK}"),
        (f"{{app: a, ranks: {NINES}}}",
         f"s.yaml:3:21: runs[0].ranks is {SHOWN}; it must be auto, ladder, between 1 and "
         "1000000, or a list of such numbers"),
        (f"{{app: a, deck: {'d' * 5000}}}",
         f"s.yaml:3:20: runs[0].deck is {'d' * 120}…; File name too long; name a file that can "
         "be read"),
        ("{app: a, deck: \"a\\0b\"}",
         "s.yaml:3:20: has the character U+0000 in a text; leave it out"),
        ("{app: a, set: {[k]: 1}}",
         "s.yaml:3:20: a key in runs[0].set is a list; it must be a word"),
        ("{app: a, sweep: {" + ", ".join(f"{k}: {list(range(20))}" for k in "abcdef") + "}}",
         f"s.yaml:3:5: runs[0] {LAUNCHES}"),
        (f"{{app: a, ranks: {list(range(1, 102))}, repeats: 1000}}",
         f"s.yaml:3:5: runs[0] {LAUNCHES}"),
        ("{app: a, repeats: 1000}\n" + "  - {app: a, repeats: 1000}\n" * 101,
         f"s.yaml:103:5: runs[100] {LAUNCHES}"),
    ],
    ids=lambda text: text[-50:],
)  # fmt: skip
def test_a_suite_deck(tmp_path, run, problem):
    assert problems(tmp_path, suite.read, of_suite(run)) == [problem]


def test_a_deck_in_place_of_a_suite_whose_app_is_no_word(tmp_path):
    (found,) = problems(tmp_path, suite.read, "strata: 1\napp: [x]\n")
    assert found.startswith("s.yaml:1:1: this is a deck of strata-a list, not of a suite; ")


@pytest.mark.parametrize("queue", ["batch", "a,b"])
def test_slurm_takes_several_partitions(tmp_path, queue):
    (tmp_path / "s.yaml").write_text(SYSTEM + f"job: {{queue: '{queue}'}}\n")
    assert systems.read(tmp_path / "s.yaml").queue == queue


def test_the_largest_sweep_that_is_read(tmp_path):
    tens = ", ".join(f"{key}: {list(range(10))}" for key in "abcde")
    (tmp_path / "s.yaml").write_text(of_suite(f"{{app: a, sweep: {{{tens}}}}}"))
    assert len(suite.read(tmp_path / "s.yaml")) == 100_000


@pytest.mark.parametrize("verb", ["run", "submit"])
def test_the_verbs_end_in_exit_3_without_a_traceback(tmp_path, verb):
    (tmp_path / "s.yaml").write_text(SYSTEM + "environment: [a]\n")
    for system, said in (
        ("s.yaml", "s.yaml:4:14: environment is a list; it must be a mapping\n"),
        ("n" * 5000, f"there is no {'n' * 120}….yaml in scripts/systems (known: "),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "strata_tools", verb, "--system", system], cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT / "scripts")}, capture_output=True, text=True,
            encoding="utf-8", check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == 3
        assert done.stderr.startswith(said)
        assert done.stderr.endswith("1 problem in the system's description; nothing was run\n")
