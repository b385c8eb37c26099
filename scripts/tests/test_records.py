"""The committed reference records: as the schema has them, valid, and from a clean tree; and
the figures that README files take from them."""

import json
import re
import subprocess
from pathlib import Path

import figures
import jsonschema
import pytest

from controls import committed

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "common/report/record.schema.json").read_text())


RECORDS = committed(ROOT)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_reference_record(path: Path) -> None:
    record = json.loads(path.read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(record)
    assert record["validity"]["valid"]
    if record["validity"]["official"]:
        assert not record["suite"]["dirty"]


def test_there_are_reference_records() -> None:
    assert RECORDS


def test_readme_lists_every_system() -> None:
    text = (ROOT / "results/README.md").read_text()
    assert [path for path in RECORDS if f"| `{path.parts[-3]}` |" not in text] == []


def test_a_record_that_git_ignores_is_not_committed(tmp_path) -> None:
    kept, left = (tmp_path / "results/vm/app" / name for name in ("kept.json", "left.json"))
    kept.parent.mkdir(parents=True)
    (tmp_path / ".gitignore").write_text("/results/*/*/*.json\n")
    for path in (kept, left):
        path.write_text("{}")
    assert committed(tmp_path) == [kept, left]
    for command in (["init", "-q"], ["add", "--force", str(kept)], ["add", "."]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    assert committed(tmp_path) == [kept]


def test_schema_rejects_a_record_without_cases() -> None:
    record = json.loads(RECORDS[0].read_text())
    del record["cases"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(record)


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "miniapps/contact/README.md",
        "miniapps/hexgrad/README.md",
        "miniapps/matvec/README.md",
        "miniapps/mgs/README.md",
        "miniapps/stream/README.md",
        "results/README.md",
        "results/papers.md",
    ],
)
def test_page_has_the_figures_of_the_records(path: str) -> None:
    text = (ROOT / path).read_text()
    assert figures.TABLE.search(text)
    kept = {str(record.relative_to(ROOT / "results").with_suffix("")) for record in RECORDS}
    assert figures.records_of(text) - kept == set()
    assert figures.lies(text, figures.Records(ROOT / "results")) == []


def test_hexgrads_claim_is_the_worst_of_its_table() -> None:
    text = (ROOT / "miniapps/hexgrad/README.md").read_text()
    told = re.search(r"at most ([\d.]+) times.*?at most\s+([\d.]+)\.", text, re.DOTALL)
    rows = re.findall(r"^\| 10(.) \| (H200|sixteen Xeon cores) \|(.*)\|$", text, re.MULTILINE)
    worst = {}
    for power, system, cells in rows:
        if power in "⁵⁶⁷":  # the sentence is of 10⁵ elements on
            ratios = [cells.split("|")[column].strip() for column in (2, 5)]
            worst[system] = max(worst.get(system, "0"), *ratios, key=float)
    assert told
    assert told.groups() == (worst["H200"], worst["sixteen Xeon cores"])


TABLE = """\
| kernel | S2, GB/s | rate, by 2 and `tiled8` | time, ms | a / b |
|---|---|---|---|---|
| dot, 2²⁸ | 17.5 | 4.25 TB/s, 0.5 left | 1,250 | 1.5 |
"""
SOURCES = """
<!-- figures
x/dot/1
a bandwidth
b bandwidth
a time
a / b
-->
"""


@pytest.fixture
def records(tmp_path) -> figures.Records:
    """Two cases of one record, three rounds."""

    def case(label: str, samples: list[float], rate: float) -> dict:
        foms = [{"metric": "bandwidth", "value": rate}]
        median = {"median_s": sorted(samples)[1]}
        return {"label": label, "samples_s": samples, "foms": foms, "statistics": median}

    cases = [case("a", [1.5, 1.25, 1.0], 4.249e12), case("b", [1.0, 2.0, 0.5], 0.451e12)]
    (tmp_path / "x/dot").mkdir(parents=True)
    (tmp_path / "x/dot/1.json").write_text(json.dumps({"cases": cases}))
    return figures.Records(tmp_path)


def test_finds_the_cellsof_a_table() -> None:
    found = [(figure.text, figure.unit) for figure in figures.figures(TABLE)]
    assert found == [("4.25", "TB/s"), ("0.5", "TB/s"), ("1,250", "ms"), ("1.5", "")]


@pytest.mark.parametrize(
    ("figure", "altered", "lie"),
    [
        ("dot", "dots", None),
        ("17.5", "17.6", None),
        ("1.5 |", "1.50 |", None),
        ("4.25", "4.26", "dot, 2²⁸: 4.26 TB/s is 4.249e+12 in x/dot/1: a bandwidth"),
        ("0.5 left", "0.4 left", "dot, 2²⁸: 0.4 TB/s is 4.51e+11 in x/dot/1: b bandwidth"),
        ("1,250", "1,251", "dot, 2²⁸: 1,251 ms is 1.25 in x/dot/1: a time"),
        ("1.5 |", "1.51 |", "dot, 2²⁸: 1.51 is 1.5 in x/dot/1: a / b"),
        ("| 1.5 |", "| |", "dot, 2²⁸: 3 figures, 4 sources"),
    ],
)
def test_finds_an_altered_figure(records, figure: str, altered: str, lie: str) -> None:
    text = TABLE.replace(figure, altered, 1) + SOURCES
    assert figures.lies(text, records) == ([lie] if lie else [])
