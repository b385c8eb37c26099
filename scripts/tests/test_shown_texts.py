"""What records, and the names of their files, have in them is shown as text: no terminal,
browser, reader of Markdown or spreadsheet obeys it."""

import csv
import io
import json
import re
import subprocess
import sys

import pytest
import synthetic
from conftest import PATIENCE, ROOT
from synthetic import rewrite, side
from test_compare import compare
from test_report import launch, report

from strata_tools import text
from strata_tools.resume import _key_of_record

EVIL = "=1+1\x1b[31m\x9b31m\u202e\r\n# <script>alert(1)</script> ![x](https://x) |`*"
SHOWN = r"=1+1\x1b[31m\x9b31m\u202e\r\n# <script>alert(1)</script> ![x](https://x) |`*"
OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]")
MARKUP = re.compile(r"(?<!\\)[\[`]|<(?!/?[a-z]+ *>)|<script")


def spoil(document, name=EVIL):
    """Every text of a record that may be any, and what its deck asks for."""
    document["run"].update(system=name, user_label=name, cmdline=[name], scheduler=name)
    document["run"]["job_id"] = document["deck"]["path"] = document["suite"]["git"] = name
    document["build"].update(compiler=name, backends=[name])
    document["placement"][0].update(host=name, device=name, pci_id=name)
    document["environment"] = {name: name}
    document["energy_reason"] = name
    for case in document["cases"]:
        case["axes"]["layout"] = name
        case["label"] = f"{name}/{case['label']}"
        case["problem"] = {name: name}
        case["checks"][0]["check"] = name
        for fom in case["foms"]:
            fom["metric"] = name
    effective = json.loads(document["deck"]["effective"])
    effective["problem"] = {"size": name, name: 10**400}
    document["deck"]["effective"] = json.dumps(effective)


def test_the_report_shows_texts_as_texts(tmp_path, capsys):
    records = [launch(number, ranks=1 + number) for number in range(2)]
    for record in records:
        spoil(record)
    good, _ = synthetic.write(tmp_path / "in", records)
    good.rename(good.with_name("\x1b[31m.json"))
    (tmp_path / "in" / "\x1b.json").write_text("{")
    code, out, err = report(capsys, tmp_path / "in", "--output", tmp_path)
    assert code == 10
    assert not OBEYED.search(out + err)
    assert r"/in/\x1b.json: is cut off" in err
    for name in ("report.html", "report.md", "figures.csv", "p3-higher.csv"):
        written = (tmp_path / name).read_text()
        assert not OBEYED.search(written), name
        assert name.endswith(".csv") or "<script>alert" not in written, name
    page = (tmp_path / "report.md").read_text()
    assert r"\\x1b\[31m" in page
    assert not MARKUP.search(page)
    with (tmp_path / "figures.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert {row["system"] for row in rows} == {"'" + SHOWN}
    assert all(float(row["value"]) > 0 for row in rows)


@pytest.mark.parametrize("form", ["text", "markdown", "csv", "json"])
def test_compare_shows_texts_as_texts(tmp_path, capsys, form):
    a = rewrite(side(tmp_path / "a", 6), spoil)
    b = rewrite(side(tmp_path / "b", 6, first=1), spoil)
    words = [] if form == "text" else [f"--{form}"]
    code, out, err = compare(capsys, *words, "--fail-below", "9", a, b)
    assert code == 12
    assert not OBEYED.search(out + err)
    if form == "markdown":
        assert not MARKUP.search(out)
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(out)))
        assert {row["case_base"][:6] for row in rows} == {"'=1+1\\"}
        assert {row["launches_base"] for row in rows} == {"6"}


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=A1", "'=A1"), ("+A1", "'+A1"), ("-A1", "'-A1"), ("@A1", "'@A1"),
        ("\tA1", r"\tA1"), ("\rA1", r"\rA1"), ("a=b", "a=b"), ("", ""),
        ("-1.5", "-1.5"), ("+1e9", "+1e9"), ("-inf", "'-inf"), (-1.5, -1.5), (True, True),
    ],
)  # fmt: skip
def test_cells(value, cell):
    assert text.cell(value) == cell


def test_an_altered_copy_is_on_no_side(tmp_path, capsys):
    """It was called `no difference: the same launches`."""
    a, b = side(tmp_path / "a", 1), side(tmp_path / "b", 1)
    rewrite(b, lambda document: document["cases"][0].update(memory_bytes=1))
    code, out, err = compare(capsys, a, b)
    assert (code, out) == (11, "")
    assert (
        err.count(", though both are run 20260101T000000Z-0-0000: remove the altered one") == 2
    )


@pytest.mark.parametrize(
    "content", ["[" * 10_000, "9" * 5000, "[1]", '{"run": {"cmdline": [1], "system": "s"}}']
)
def test_resuming_passes_over_what_is_no_record(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    assert _key_of_record(path, "s") is None


def test_resuming_passes_over_a_record_of_odd_kinds(tmp_path):
    document = synthetic.record(system="s")
    document["app"] = ["stream"]
    (path,) = synthetic.write(tmp_path, [document])
    assert _key_of_record(path, "s") is None


def test_the_largest_and_least_numbers_end_in_a_report(tmp_path):
    """Each case at one end of what is read, in series of their own and together."""
    records = [launch(number, size=10**number) for number in range(7)]
    for number, record in enumerate(records):
        rate = 10.0 ** (100 - 30 * number)
        for case in record["cases"]:
            for fom in case["foms"]:
                fom.update(metric="things", value=rate, best=rate, ci95=[rate, rate])
            case["work"] = dict.fromkeys(case["work"], 2**64 - 1)
            time = 1 / rate
            case["statistics"].update(median_s=time, best_s=time, ci95=[time, time], cv=1e100)
            case["samples_s"] = case["rank_mean_s"] = [time] * 20
            case["inner"] = case["memory_bytes"] = 2**64 - 1
        record["ceiling"] = dict.fromkeys(record["ceiling"], 1e100)
        record["energy"] = {"source": "x", "scope": "y", "joules": 1e100, "seconds": 1e-100}
        del record["energy_reason"]
    synthetic.write(tmp_path / "in", records)
    done = subprocess.run(
        [sys.executable, "-m", "strata_tools", "report", "in", "--output", "out"], cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "scripts")}, capture_output=True, text=True, check=False,
        timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
