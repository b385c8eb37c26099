"""Reading records: what is named and skipped, and that the rest is read."""

import json

import jsonschema
import pytest
import synthetic

from strata_tools import records
from strata_tools.records import documents

ABSENT = object()


def spoiled(text: str) -> str:
    return text[: len(text) // 2]


def foreign(_text: str) -> str:
    return '{"context": {"date": "today"}, "benchmarks": []}'


def changed(**entries):
    """The record with other values for these keys; ABSENT leaves one out."""

    def change(text: str) -> str:
        document = {**json.loads(text), **entries}
        return json.dumps({k: v for k, v in document.items() if v is not ABSENT})

    return change


def altered(*where, value):
    """The record with another value at a place."""

    def change(text: str) -> str:
        document = holder = json.loads(text)
        for key in where[:-1]:
            holder = holder[key]
        holder[where[-1]] = value
        return json.dumps(document)

    return change


def deck(effective: str):
    return altered("deck", "effective", value=effective)


def rewritten(old: str, new: str):
    return lambda text: text.replace(old, new, 1)


BROKEN = [
    (spoiled, "is cut off: it ends within the JSON"),
    (lambda text: text[:-1], "is cut off: it ends within the JSON"),
    (lambda text: text.replace(":", ";", 1), "is not JSON: Expecting ':' delimiter in line 1, "
     "column 10"),
    (lambda _: " \n", "is empty"),
    (lambda _: "\udcff", "is not UTF-8 text"),
    (lambda _: "[" * 100_000, "is not a record: nested too deeply"),
    (rewritten('"drift": false', '"drift": NaN'), "is not a record: it has the number NaN"),
    (rewritten('"value": 0', '"value": 1e999'), "is not a record: it has the number 1e999"),
    (altered("cases", 0, "foms", 0, "value", value=10**400),
     "is not a record: it has the number 10000000000000000000…"),
    (rewritten('"samples_s": [', f'"samples_s": [{"9" * 5000}, '),
     "is not a record: it has the number 99999999999999999999…"),
    (altered("cases", 0, "inner", value=10**300),
     "is not a record: it has the number 10000000000000000000…"),
    (rewritten('"value": 0', '"value": -1e101'), "is not a record: it has the number -1e101"),
    (altered("ceiling", "copy", value=-1), "ceiling.copy is -1, and no rate is below 0"),
    (altered("environment", "\x1b[31m", value=5),
     "breaks the record's schema: environment['\\x1b[31m']: 5 is not of type 'string'"),
    (deck("problem: {a: &a [x, x], b: [*a, *a]}"), "deck.effective is not YAML"),
    (altered("run", "system", value="a\ud800"),
     "has half a character (a lone surrogate) in a text"),
    (deck("problem: {size: [}"), "deck.effective is not YAML"),
    (deck("problem: {day: 2026-13-45}"), "deck.effective is not YAML"),
    (deck("problem: {size: !!int ''}"), "deck.effective is not YAML"),
    (deck("[" * 100_000), "deck.effective is not YAML"),
    (deck("strata"), "deck.effective is not a mapping"),
    (deck('{"problem": {"mesh": "\\udc00"}}'),
     "has half a character (a lone surrogate) in a text"),
    (deck("problem: [1]"), "problem in deck.effective is not a mapping"),
    (deck("problem: {1: a, b: c}"), "problem in deck.effective is not a mapping"),
    (deck("cases: 5"), "cases in deck.effective is not a mapping"),
    (deck("cases: {layout: 5}"), "cases.layout in deck.effective is not a list"),
    (foreign, "is JSON, but no record of Strata's"),
    (lambda _: "[1, 2]", "is JSON, but no record of Strata's"),
    (changed(schema=3), "is of record format 3, this Strata (2) reads none newer: update it"),
    (changed(app=5), "breaks the record's schema: app: 5 is not of type 'string'"),
    (changed(cases=ABSENT), "breaks the record's schema: the record: 'cases' is a required "
     "property"),
    (altered("cases", 0, "statistics", "median_s", value=0),
     "breaks the record's schema: cases[0].statistics.median_s: 0 is less than or equal to the "
     "minimum of 0"),
    (changed(fom_version=0), "breaks the record's schema: fom_version: 1 was expected"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "reason"), BROKEN)
def test_names_what_is_no_record_and_reads_the_rest(tmp_path, spoil, reason):
    bad, good = synthetic.write(tmp_path, [synthetic.record(number=n) for n in range(2)])
    bad.write_bytes(spoil(bad.read_text()).encode("utf-8", "surrogateescape"))
    found, skipped = records.gather([tmp_path])
    assert [record.path for record in found] == [good]
    assert [str(one) for one in skipped] == [f"{bad}: {reason}; skipped"]


def test_a_run_that_is_there_twice_counts_once(tmp_path):
    (first,) = synthetic.write(tmp_path / "a", [synthetic.record()])
    (second,) = synthetic.write(tmp_path / "b", [synthetic.record()])
    found, skipped = records.gather([tmp_path, first])
    assert [record.path for record in found] == [first]
    assert [str(one) for one in skipped] == [
        f"{second}: is the same run as {first} (20260101T000000Z-0-0000); skipped"
    ]


@pytest.mark.parametrize("changed", ["value", "spaces"])
def test_a_run_whose_files_differ_counts_in_none_of_them(tmp_path, changed):
    (true,) = synthetic.write(tmp_path / "a", [synthetic.record()])
    (copy,) = synthetic.write(tmp_path / "b", [synthetic.record()])
    (other,) = synthetic.write(tmp_path, [synthetic.record(number=1)])
    document = json.loads(copy.read_text())
    if changed == "value":
        document["app"] = "mgs"
    copy.write_text(json.dumps(document, indent=1))
    found, skipped = records.gather([tmp_path])
    run = "20260101T000000Z-0-0000"
    if changed == "spaces":
        assert [record.path for record in found] == [true, other]
        assert [str(one) for one in skipped] == [
            f"{copy}: is the same run as {true} ({run}); skipped"
        ]
    else:
        assert [record.path for record in found] == [other]
        assert [str(one) for one in skipped] == [
            f"{true}: differs from {copy}, though both are run {run}: remove the altered one; "
            "skipped",
            f"{copy}: differs from {true}, though both are run {run}: remove the altered one; "
            "skipped",
        ]


def test_numbers_at_the_ends_of_their_ranges_are_read(tmp_path):
    document = synthetic.record()
    document["cases"][0]["inner"] = 2**63 - 1
    document["cases"][0]["checks"][0]["value"] = 1e-310
    document["placement"][0]["memory_bytes"] = 2**64 - 1
    (path,) = synthetic.write(tmp_path, [document])
    record = records.read(path)
    assert record.cases[0].steps == 20 * (2**63 - 1)
    assert record.cases[0].checks[0].text == "max_relative_error 0, allowed 0"


def test_a_rank_is_as_the_one_before_where_it_does_not_say(tmp_path):
    document = synthetic.record(ranks=3)
    first, *_ = document["placement"]
    document["placement"] = [first, {"rank": 1, "cpuset": "1"}, {"rank": 2, "host": "n002"}]
    (path,) = synthetic.write(tmp_path, [{**document, "schema": 2}])
    places = records.read(path).places
    assert [one.cpuset for one in places] == ["0", "1", "1"]
    assert [one.host for one in places] == ["n001", "n001", "n002"]
    assert {one.device for one in places} == {first["device"]}


def test_the_first_rank_says_all(tmp_path):
    document = synthetic.record(ranks=2)
    del document["placement"][0]["device"]
    (path,) = synthetic.write(tmp_path, [document])
    assert records.read(path).reason == (
        "breaks the record's schema: placement[0] has no device"
    )


@pytest.mark.parametrize("name", ["none.json", "n" * 5000])
def test_a_path_that_is_no_file_is_skipped(tmp_path, name):
    _, (skipped,) = records.gather([tmp_path / name])
    assert skipped.reason in ("does not exist", "cannot be read: File name too long")


def test_a_missing_file_is_named(tmp_path):
    _, skipped = records.gather([tmp_path / "none.json"])
    assert [str(one) for one in skipped] == [f"{tmp_path}/none.json: does not exist; skipped"]


def test_reads_records_whose_figures_mean_something_else(tmp_path):
    (path,) = synthetic.write(tmp_path, [{**synthetic.record(), "fom_version": 7}])
    assert records.read(path).fom_version == 7


def test_keeps_what_reports_need(tmp_path):
    (path,) = synthetic.write(tmp_path, [synthetic.record(ranks=2, size="auto")])
    record = records.read(path)
    case = record.cases[0]
    assert (record.ranks, record.bandwidth, record.hosts) == (2, 4e11, ("n001",))
    assert record.deck.problem == {"size": "auto"}
    assert (case.label, case.bytes, case.flops) == ("triad/span/left/double", 24e8, 2e8)
    assert case.measured
    assert case.primary.value == pytest.approx(case.bytes / case.median_s)


def test_the_default_layout_gives_labels_that_compare_between_devices(tmp_path):
    document = synthetic.record()
    effective = json.loads(document["deck"]["effective"])
    effective["cases"]["layout"] = ["default", "right"]
    document["deck"]["effective"] = json.dumps(effective)
    (path,) = synthetic.write(tmp_path, [document])
    record = records.read(path)
    assert record.neutral_label(record.cases[0]) == "triad/span/default/double"
    document["run"]["cmdline"] += ["--only", "/left/"]  # the first case may be any then
    synthetic.write(tmp_path, [document])
    record = records.read(path)
    assert record.neutral_label(record.cases[0]) == "triad/span/left/double"


def test_the_compiled_schema_agrees_with_the_schema():
    """On a record, and on it with any one of its values replaced by something odd."""
    document = synthetic.record(cases=synthetic.record()["cases"][:1])
    schema = json.loads(documents.SCHEMA.read_text())
    slow = jsonschema.Draft202012Validator(schema)
    fast = documents._validator()
    assert slow.is_valid(document)
    judged = 0
    for holder, key in places(document):
        kept = holder[key]
        for odd in (None, "x", -1, [], {}):
            holder[key] = odd
            try:
                fast(document)
                accepted = True
            except documents.fastjsonschema.JsonSchemaException:
                accepted = False
            assert accepted == slow.is_valid(document), (key, odd)
            judged += 1
        holder[key] = kept
    assert judged > 500


def places(value):
    """Every key or index in it, with what holds it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(pairs):
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from places(inner)


def test_a_races_list_of_launches_is_no_record(tmp_path):
    synthetic.side(tmp_path, 2)
    (tmp_path / "race.json").write_text("{}")
    found, skipped = records.gather([tmp_path])
    assert (len(found), skipped) == (2, [])
    assert len(records.gather([tmp_path / "race.json"])[1]) == 1
