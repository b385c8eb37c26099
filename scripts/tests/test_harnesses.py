"""Strata under other harnesses: ReFrame, JUBE and Google Benchmark's compare.py run for real
where they are there; what they and Ramble look for against what an app prints."""

from __future__ import annotations

import json
import os
import re
import shutil
import string
import subprocess
import sys
import types
from pathlib import Path

import pytest
import yaml
from conftest import PATIENCE, ROOT, write_program

QUICK = ["--set", "run.tier=smoke", "--set", "run.rounds=9", "--set", "run.min_time_s=0",
         "--set", "problem.size=3001", "--only", "tiled8"]  # fmt: skip
COMPARE = Path("/usr/share/benchmark/compare.py")
JUBE_PATTERNS = {
    "$jube_pat_fp": r"([+-]?(?:\d*\.?\d+(?:[eE][-+]?\d+)?|\d+\.))",
    "$jube_pat_wrd": r"(\S+)",
    "$$": "$",
    "$app": "hexgrad",
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory) -> str:
    """What an app prints."""
    if "STRATA_BUILD" not in os.environ:
        pytest.skip("needs the executables: run it by scripts/test")
    app = Path(os.environ["STRATA_BUILD"]) / "bin" / "strata-hexgrad"
    folder = tmp_path_factory.mktemp("printed")
    done = subprocess.run([app, *QUICK], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def figures(text: str) -> dict[str, str]:
    """case/metric -> value, of the whole job, in the lines' own digits."""
    line = r"^FOM .* case=(\S+) metric=(\S+) value=(\S+) .* scope=job ranks=\d+$"
    return {f"{c}/{m}": v for c, m, v in re.findall(line, text, re.MULTILINE)}


@pytest.fixture
def build(tmp_path) -> Path:
    """A build of one real app, where there is one, and one that fails after its figures."""
    write_program(
        tmp_path / "build/bin/strata-wrong",
        'echo "FOM v=1 app=wrong case=a metric=b value=1 unit=c scope=job ranks=1"\n'
        'echo "RESULT v=1 app=wrong status=FAIL valid=no exit=6 file=none"; exit 6\n',
    )
    if "STRATA_BUILD" in os.environ:
        real = Path(os.environ["STRATA_BUILD"]) / "bin" / "strata-hexgrad"
        (tmp_path / "build/bin/strata-hexgrad").symlink_to(real)
    return tmp_path / "build"


def start(command: list[str], folder: Path, **environment: str) -> tuple[int, str]:
    leave = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(
        command, cwd=folder, text=True, check=False, timeout=PATIENCE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env={**os.environ, **leave, **environment},
    )  # fmt: skip
    return done.returncode, done.stdout


def reframe(build: Path, app: str) -> tuple[int, str, dict]:
    """Exit code, output and report of ReFrame on one app."""
    program = Path(sys.executable).with_name("reframe")
    if not program.exists():
        pytest.skip("needs ReFrame: Python 3.10 or newer")
    words = ["--nocolor", "-c", str(ROOT / "scripts/reframe/strata.py"), "-n", f"Strata.*{app}",
             "--run", "--report-file", "report.json", "-S",
             f"arguments={' '.join(QUICK)}"]  # fmt: skip
    code, out = start([str(program), *words], build.parent, STRATA_BUILD=str(build),
                      HOME=str(build.parent), TMPDIR=str(build.parent),
                      RFM_SAVE_LOG_FILES="n")  # fmt: skip
    return code, out, json.loads((build.parent / "report.json").read_text())


def test_reframe_takes_every_figure(build, binaries):
    code, out, report = reframe(build, "hexgrad")
    assert code == 0, out
    (case,) = report["runs"][0]["testcases"]
    stdout = next((build.parent / "output").rglob("rfm_job.out")).read_text()
    expected = {name: float(value) for name, value in figures(stdout).items()}
    assert expected
    assert {
        name.rpartition(":")[2]: found[0] for name, found in case["perfvalues"].items()
    } == expected


def test_reframe_fails_a_run_with_wrong_answers(build):
    code, out, report = reframe(build, "wrong")
    assert code == 1
    assert "1 failure(s)" in out
    assert report["runs"][0]["testcases"][0]["fail_phase"] == "sanity"


def jube_text() -> str:
    return (ROOT / "scripts/jube/strata.yaml").read_text()


def test_jubes_patterns_find_the_first_figure(printed):
    found = {}
    for pattern in yaml.safe_load(jube_text())["patternset"]["pattern"]:
        expression = pattern["_"]
        for word, meaning in JUBE_PATTERNS.items():
            expression = expression.replace(word, meaning)
        found[pattern["name"]] = re.findall(expression, printed, re.MULTILINE)
    (first, value), *_ = figures(printed).items()
    assert found["case"][0] + "/elements" == first
    assert (found["value"][0], found["unit"][0]) == (value, "elements/s")
    assert (
        len(found["case"]) == len(found["value"]) == len(found["unit"]) == len(figures(printed))
    )
    assert found["status"] == ["PASS"]
    assert found["record"] == re.findall(r"file=(\S+)", printed)


def test_jube_runs_every_app_of_a_build(build, binaries, tmp_path):
    if not shutil.which("jube"):
        pytest.skip("needs JUBE: scripts/setup test installs it where it may")
    text = jube_text().replace('arguments, _: ""', f'arguments, _: "{" ".join(QUICK)}"')
    (tmp_path / "strata.yaml").write_text(text)
    code, out = start(["jube", "run", "strata.yaml"], tmp_path, STRATA_BUILD=str(build))
    assert code == 0, out
    table = start(["jube", "result", "-a", "jube_run"], tmp_path)[1].strip().splitlines()
    stdout = next(p for p in tmp_path.rglob("work/stdout") if "hexgrad" in p.read_text())
    (first, value), *_ = figures(stdout.read_text()).items()
    assert table[0] == "app,ranks,status,case_first,value_first,unit_first,record"
    app, ranks, status, case, found, unit, record = table[1].split(",")
    assert (app, ranks, status, unit) == ("hexgrad", "1", "PASS", "elements/s")
    assert f"{case}/elements" == first
    assert float(found) == float(value)
    assert (stdout.parent / record).is_file()
    assert table[2].startswith("wrong,1,FAIL,")


class Directives(types.ModuleType):
    """Stands in for ramble.appkit: keeps what an application says of itself."""

    def __init__(self) -> None:
        super().__init__("ramble.appkit")
        self.said: dict[str, list[tuple[tuple, dict]]] = {}
        self.__all__ = ["ExecutableApplication"]
        self.ExecutableApplication = object
        for name in ("tags", "executable", "workload", "workload_variable", "success_criteria",
                     "figure_of_merit", "figure_of_merit_context"):  # fmt: skip
            setattr(self, name, self._keep(name))
            self.__all__.append(name)

    def _keep(self, name: str):
        return lambda *words, **keys: self.said.setdefault(name, []).append((words, keys))

    def one(self, name: str) -> tuple[tuple, dict]:
        (only,) = self.said[name]
        return only


@pytest.fixture
def ramble(monkeypatch) -> Directives:
    kit = Directives()
    monkeypatch.setitem(sys.modules, "ramble", types.ModuleType("ramble"))
    monkeypatch.setitem(sys.modules, "ramble.appkit", kit)
    path = ROOT / "scripts/ramble/applications/strata/application.py"
    exec(compile(path.read_text(), str(path), "exec"), {})
    return kit


def test_ramble_takes_every_figure_in_its_cases_context(ramble, printed):
    (name,), fom = ramble.one("figure_of_merit")
    (context,), around = ramble.one("figure_of_merit_context")
    assert fom["contexts"] == [context]
    found = {}
    for line in printed.splitlines(keepends=True):  # as Ramble reads a log
        if match := re.match(fom["fom_regex"], line):
            where = around["output_format"].format(
                **re.match(around["regex"], line).groupdict()
            )
            metric = name.format(**match.groupdict()).partition(" ")[0]
            found[f"{where}/{metric}"] = match.group(fom["group_name"])
    assert found == figures(printed)


def test_ramble_passes_on_the_last_line(ramble, printed):
    _, criterion = ramble.one("success_criteria")
    lines = printed.splitlines(keepends=True)
    hits = [line for line in lines if re.match(criterion["match"], line)]
    assert hits == lines[-1:]
    assert not re.match(criterion["match"], lines[-1].replace("PASS", "FAIL"))


def test_rambles_command_has_a_default_for_each_variable(ramble):
    (_, template), _ = ramble.one("executable")
    named = {field for _, field, _, _ in string.Formatter().parse(template) if field}
    described = {words[0] for words, _ in ramble.said["workload_variable"]}
    assert named == described | {"experiment_run_dir"}
    workspace = yaml.safe_load((ROOT / "scripts/ramble/ramble.yaml").read_text())["ramble"]
    deck = workspace["applications"]["strata"]["workloads"]["deck"]["experiments"]
    ((experiment, content),) = deck.items()
    assert experiment == "{app}_{n_ranks}"
    assert set(content["variables"]) >= {"app", "n_ranks"}


def test_compare_py_reads_two_runs_and_does_its_u_test(binaries, tmp_path):
    if not COMPARE.exists():
        pytest.skip("needs libbenchmark-tools: scripts/setup test installs it where it may")
    pytest.importorskip("scipy")
    for name in ("a.json", "b.json"):
        command = [str(binaries / "strata-hexgrad"), *QUICK, f"--benchmark_out={name}"]
        assert start([*command, "--benchmark_out_format=json"], tmp_path)[0] == 0
    words = [str(COMPARE), "--no-color", "benchmarks", "a.json", "b.json"]
    code, out = start([sys.executable, *words], tmp_path)
    assert code == 0, out
    assert re.search(r"^hexgrad/gradient/span/tiled8/\S+_median ", out, re.MULTILINE)
    tests = re.findall(
        r"^hexgrad/(\S+)_pvalue .* U Test, Repetitions: 9 vs 9$", out, re.MULTILINE
    )
    assert len(tests) == 2
