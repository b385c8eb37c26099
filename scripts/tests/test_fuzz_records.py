"""Records that are altered at random: the campaign's short form."""

import json
import random

import pytest
from conftest import ROOT

from fuzz_records import alter_tree, altered, fuzz, places
from strata_tools import records


@pytest.fixture
def sources():
    """Two small records of machines."""
    every = (ROOT / "results").glob("*/*/*.json")
    return sorted(every, key=lambda file: file.stat().st_size)[:2]


def test_no_altered_record_ends_in_an_exception(sources, tmp_path):
    assert fuzz(sources, 150, 1, tmp_path) == []
    assert list(tmp_path.glob("?/*.json")) == []
    assert (tmp_path / "report" / "report.html").exists()


def test_an_exception_is_told_with_its_try(sources, tmp_path, monkeypatch):
    def gather(_files):
        raise ZeroDivisionError

    monkeypatch.setattr(records, "gather", gather)
    first, second = fuzz(sources, 2, 7, tmp_path)
    assert first.startswith("try 0 of seed 7:\nTraceback ")
    assert second.endswith("ZeroDivisionError\n")


def test_all_places_of_a_record_are_altered():
    document = {"a": [1, {"b": 2}], "c": "d"}
    assert [key for _, key in places(document)] == ["a", 0, 1, "b", "c"]
    seen = set()
    for number in range(300):
        copy = json.loads(json.dumps(document))
        alter_tree(copy, random.Random(number))
        seen.add(json.dumps(copy))
    assert {'{"a": [1, {"b": 2}]}', '{"a": [1], "c": "d"}', '{"a": [1, {}], "c": "d"}'} <= seen


def test_a_try_can_be_repeated(sources):
    text = sources[0].read_bytes()
    assert altered(text, random.Random(1)) == altered(text, random.Random(1))
