"""What `scripts/run` ends with, and what a terminal is spared."""

import json
import subprocess
import sys

import numpy as np
import pytest
import synthetic
from conftest import ROOT, write_program

from strata_tools import execute, summary
from strata_tools.launch import Launcher


def made(folder, number=0, slow=1.0, elements=10**8, **about):
    source = np.random.default_rng(number)
    cases = [
        synthetic.case(kernel, slow=slow, noise=0, elements=elements, source=source)
        for kernel in ("copy", "triad")
    ]
    return synthetic.write(folder, [synthetic.record(number=number, cases=cases, **about)])


def columns(lines):
    heading, titles, *rows = lines
    starts = [titles.index(word) for word in summary.HEADINGS]
    ends = [*starts[1:], None]
    return heading, [[row[a:b].strip() for a, b in zip(starts, ends)] for row in rows]


def test_the_primary_figure_stands_beside_the_nearest_reference(tmp_path):
    mine = made(tmp_path / "mine", 9)
    references = [
        *made(tmp_path, 1, system="far", device="Other CPU"),
        *made(tmp_path, 2, system="near", elements=10**7),
        *made(tmp_path, 3, 2.0, system="nearest", git="1" * 40),
    ]
    heading, rows = columns(summary.lines(mine, references))
    assert heading == (
        "alpha: 1 × Imaginary CPU, 1 threads, beside the nearest reference records"
    )
    assert rows == [
        ["stream", "triad/span/left/double", "200.0 GB/s", "200.0 … 200.0",
         "nearest: 1 × Imaginary CPU, 1 threads", "100.0 GB/s", "2.000", "commit"],
    ]  # fmt: skip


def test_says_what_the_nearest_differs_in(tmp_path):
    mine = made(tmp_path / "mine", 9)
    reference = made(tmp_path, 1, device="Other CPU", elements=10**7, ranks=2, tier="quick")
    _, rows = columns(summary.lines(mine, reference))
    assert rows[0][-1] == "device, ranks, size, tier"


def test_there_is_a_figure_without_a_reference(tmp_path):
    _, rows = columns(summary.lines(made(tmp_path, 9), []))
    assert rows[0][4:] == ["none", "–", "–", "–"]


def test_what_is_no_valid_record_has_no_line(tmp_path):
    (bad,) = made(tmp_path, 1, tier="smoke")
    (tmp_path / "x.json").write_text("[]")
    assert list(summary.lines([bad, tmp_path / "x.json", tmp_path / "-"], [])) == []


@pytest.mark.parametrize("damage", [{"threads": 0}, {"threads": None}, {"device": None}, None])
def test_a_record_that_lacks_its_place_has_no_line(tmp_path, damage):
    (bad,) = made(tmp_path, 1)
    record = json.loads(bad.read_text())
    if damage is None:
        del record["placement"]
    else:
        place = record["placement"][0] | damage
        record["placement"] = [
            {key: value for key, value in place.items() if value is not None}
        ]
    bad.write_text(json.dumps(record))
    assert list(summary.lines([bad], [])) == []


def test_the_references_are_the_committed_records():
    found = summary.committed()
    assert ROOT / "results" / "h100" / "mgs" in {path.parent for path in found}


def test_needs_no_package():
    """A suite runs with any Python that has PyYAML."""
    text = "import sys; sys.modules.update(numpy=None, scipy=None, jsonschema=None); "
    subprocess.run(
        [sys.executable, "-c", text + "from strata_tools import run, summary"],
        cwd=ROOT / "scripts", check=True,
    )  # fmt: skip


def shown(tmp_path, capsys, facts):
    lines = "table\nFOM v=1 app=a\nCHECK v=1 app=a\nRESULT v=1 app=a status=PASS file=x"
    app = write_program(tmp_path / "app", f'printf "{lines}\\n"\n')
    launcher = Launcher(None, "other", 1, 1, 0)
    end = execute.attend(execute.Start([str(app)], launcher, {}, facts=facts))
    assert len(end.lines) == 4
    return capsys.readouterr().out.splitlines()


def test_a_terminal_is_spared_the_lines_for_scripts(tmp_path, capsys):
    assert shown(tmp_path, capsys, facts=False) == [
        "table",
        "RESULT v=1 app=a status=PASS file=x",
    ]
    assert len(shown(tmp_path, capsys, facts=True)) == 4
