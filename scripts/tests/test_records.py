"""The committed reference records: as the schema has them, valid, and from a clean tree."""

import json
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "common/report/record.schema.json").read_text())
# Runs leave records of their own here, too; only a reference folder's README lists its systems.
RECORDS = sorted(
    path
    for path in (ROOT / "results").glob("*/*/*.json")
    if f"`{path.parts[-3]}`" in (ROOT / "results/README.md").read_text()
)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_reference_record(path: Path) -> None:
    record = json.loads(path.read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(record)
    assert record["validity"]["valid"]
    if record["validity"]["official"]:
        assert not record["suite"]["dirty"]


def test_there_are_reference_records() -> None:
    assert RECORDS


def test_schema_rejects_a_record_without_cases() -> None:
    record = json.loads(RECORDS[0].read_text())
    del record["cases"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(record)
