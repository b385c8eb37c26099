"""`strata compare` on records with known differences."""

import csv
import io
import json

import numpy as np
import pytest
import synthetic
from synthetic import asking, rewrite, side

from strata_tools.__main__ import main

LABEL = "triad/span/left/double"


def compare(capsys, *words):
    code = main(["compare", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def verdicts(capsys, *words):
    """Exit code, and kernel to verdict."""
    code, out, _ = compare(capsys, "--csv", *words)
    rows = csv.DictReader(io.StringIO(out))
    return code, {row["case_base"].split("/")[0]: row["verdict"] for row in rows}


def refusals(capsys, base, new):
    """Reasons of one pair of folders, which must be refused alone: exit 11."""
    code, out, err = compare(capsys, "--json", base, new)
    assert (code, err) == (11, "nothing was left to compare\n")
    found = json.loads(out)
    return {one["reason"] for one in found["refused"]} | {
        line.split(": ", 1)[1] for line in found["unfit"]
    }


def test_a_run_against_itself_shows_no_difference(tmp_path, capsys):
    a = side(tmp_path / "a")
    code, out, err = compare(capsys, a, a)
    assert (code, err) == (0, "")
    assert out.splitlines()[-2:] == [
        "note: some launches are on both sides, A and B",
        "4 compared, 4 no difference: the same launches",
    ]


def test_alike_launches_show_no_difference(tmp_path, capsys):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=1)
    code, found = verdicts(capsys, a, b)
    assert (code, set(found.values())) == (0, {"no difference shown"})


def test_finds_exactly_the_slowed_kernel_at_nine_launches(tmp_path, capsys):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=1, slow={"copy": 1.05})
    code, found = verdicts(capsys, a, b)
    assert (code, found.pop("copy")) == (0, "slower")
    assert set(found.values()) == {"no difference shown"}
    _, found = verdicts(capsys, b, a)
    assert found["copy"] == "faster"


def test_claims_nothing_of_eight_launches(tmp_path, capsys):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", 8, first=1, slow={"copy": 1.5})
    code, out, err = compare(capsys, a, b)
    assert (code, err) == (0, "")
    rows = [line for line in out.splitlines() if line.startswith(("triad/", "copy/"))]
    assert len(rows) == 2
    assert all(row.endswith("  no claim: 0 + 1 launches missing") for row in rows)
    assert "faster" not in out
    assert "slower" not in out
    assert out.splitlines()[-2:] == [
        "note: a claim wants 9 launches on each side, those of the sides in turn: "
        "scripts/strata run repeats and interleaves them",
        "4 compared, 4 with too few launches for a claim",
    ]


def test_many_samples_of_one_launch_are_one_observation(tmp_path, capsys):
    a, b = side(tmp_path / "a", 1), side(tmp_path / "b", 1, first=1, slow={"copy": 2})
    _, out, _ = compare(capsys, "--json", a, b)
    copy = next(o for o in json.loads(out)["compared"] if o["case_base"].startswith("copy"))
    assert copy["ratio"] == pytest.approx(0.5, rel=0.02)
    assert (copy["launches_base"], copy["ratio_low"], copy["p"]) == (1, None, None)
    assert copy["verdict"] == "no claim: 8 + 8 launches missing"


UNLIKE = [
    ({"size": 5}, "the decks' problem.size is 100000000 against 5"),
    ({"ranks": 2}, "1 against 2 ranks"),
    ({"version": "0.2.0"}, "suite version 0.1 against 0.2: a breaking release lies between"),
    ({"tier": "smoke"}, "is of tier smoke, which measures nothing to go by"),
]


@pytest.mark.parametrize(("about", "reason"), UNLIKE)
def test_refuses_the_unlike_and_says_why(tmp_path, capsys, about, reason):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=1, **about)
    assert refusals(capsys, a, b) == {reason}


CHANGES = [
    (lambda d: d.update(fom_version=2),
     "fom_version 1 against 2: the figures' meaning has changed"),
    (lambda d: d.update(validity={"valid": False, "official": False, "reasons": ["tool"]}),
     "is not valid (tool)"),
    (lambda d: [c["problem"].update(rows=7) for c in d["cases"]],
     "the size rows is 100000000 against 7"),
    (lambda d: [f.update(metric="flops") for c in d["cases"] for f in c["foms"]],
     "metric bandwidth against flops"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), CHANGES)
def test_refuses_records_that_say_otherwise(tmp_path, capsys, change, reason):
    a, b = side(tmp_path / "a"), rewrite(side(tmp_path / "b", first=1), change)
    assert refusals(capsys, a, b) == {reason}


def test_compares_decks_that_differ_in_text_or_time_only(tmp_path, capsys):
    def other(document):
        document["deck"].update(sha256="b" * 64, path="other.yaml")
        effective = json.loads(document["deck"]["effective"])
        document["deck"]["effective"] = json.dumps({**effective, "run": {"max_time_s": 5}})

    a, b = side(tmp_path / "a"), rewrite(side(tmp_path / "b", first=1), other)
    assert verdicts(capsys, a, b)[0] == 0


def test_a_key_that_older_records_lack_counts_where_it_is_not_its_default(tmp_path, capsys):
    old = side(tmp_path / "old")
    follow = asking("bounds", "follow", "problem.bounds")
    default = rewrite(side(tmp_path / "b", first=1), follow)
    assert verdicts(capsys, old, default)[0] == 0
    assert verdicts(capsys, default, old)[0] == 0
    other = rewrite(side(tmp_path / "c", first=101), asking("bounds", "fixed"))
    for pair in ((old, other), (default, other)):
        assert any("problem.bounds" in reason for reason in refusals(capsys, *pair))


def test_a_renamed_key_of_older_records_is_todays(tmp_path, capsys):
    older = rewrite(side(tmp_path / "a"), asking("cols", 5))
    today = rewrite(side(tmp_path / "b", first=1), asking("columns", 5))
    assert len(verdicts(capsys, older, today)[1]) == 4
    other = rewrite(side(tmp_path / "c", first=1), asking("columns", 6))
    assert refusals(capsys, older, other) == {"the decks' problem.columns is 5 against 6"}


def test_sizes_that_depend_on_the_variant_are_no_part_of_the_problem(tmp_path, capsys):
    def regrow(times):
        def change(document):
            source = np.random.default_rng(1)
            document["cases"].append(synthetic.case("triad", variant="view", source=source))
            for number, case in enumerate(document["cases"]):
                case["problem"]["regrows"] = times * number

        return change

    a = rewrite(side(tmp_path / "a"), regrow(1))
    b = rewrite(side(tmp_path / "b", first=1), regrow(2))
    assert verdicts(capsys, a, b)[0] == 0


def test_a_side_of_two_builds_is_refused(tmp_path, capsys):
    b = side(tmp_path / "b", 5, first=1)
    side(b, 4, first=21, git="1" * 40)
    assert refusals(capsys, side(tmp_path / "a"), b) == {
        "B mixes commits: 00000000, 11111111; name each as a side of its own"
    }


def test_a_side_of_two_labels_is_refused(tmp_path, capsys):
    b = side(tmp_path / "b", 5, first=1)
    rewrite(b, lambda document: document["run"].update(user_label="after"))
    side(b, 4, first=21)
    assert refusals(capsys, side(tmp_path / "a"), b) == {
        "B mixes labels: after, none; name each as a side of its own"
    }


def test_other_precisions_are_named(tmp_path, capsys):
    source = np.random.default_rng(1)
    cases = [synthetic.case("triad", scalar="float", source=source)]
    a, b = side(tmp_path / "a", 1), side(tmp_path / "b", 1, first=1, cases=cases)
    code, out, _ = compare(capsys, a, b)
    assert code == 11
    line = "on one side only: stream: not measured in B (its precision is float): " + LABEL
    assert line in out.splitlines()


def test_a_case_that_names_no_precision_is_of_doubles(tmp_path, capsys):
    source = np.random.default_rng(1)
    narrow = [synthetic.case("triad", scalar="float", source=source)]
    plain = synthetic.case("triad", source=source)
    del plain["axes"]["scalar"]
    a = side(tmp_path / "a", 1, cases=narrow)
    b = side(tmp_path / "b", 1, first=1, cases=[plain])
    code, out, _ = compare(capsys, a, b)
    assert code == 11
    assert "not measured in B (its precision is double): triad/span/left/float" in out


def test_cases_without_a_figure_are_named(tmp_path, capsys):
    def fail(document):
        document["cases"][0].update(status="failed", reason="too far off", foms=[])

    a, b = side(tmp_path / "a"), rewrite(side(tmp_path / "b", first=1), fail)
    code, out, _ = compare(capsys, a, b)
    assert code == 0
    line = f"on one side only: stream: not measured in B (failed: too far off): {LABEL}"
    assert line in out.splitlines()
    code, _, err = compare(capsys, "--fail-below", "0.97", a, b)
    assert code == 10
    assert err == f"gate: stream {LABEL}: not measured in B (failed: too far off)\n"


def two_problems(tmp_path):
    """A base of two problems, and a side of the second alone."""
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=1, size=5)
    return side(a, first=100, size=5), b


def test_the_gate_misses_a_problem_of_which_the_other_side_has_only_the_label(tmp_path, capsys):
    a, b = two_problems(tmp_path)
    code, out, err = compare(capsys, "--fail-below", "0.5", a, b)
    lost = "not measured in B with problem.size 100000000"
    assert (code, len(err.splitlines())) == (10, 4)
    assert err.splitlines()[0] == f"gate: stream {LABEL}: {lost}"
    assert out.splitlines()[-1].endswith(", 4 on one side only")
    code, out, _ = compare(capsys, "--json", "--fail-below", "0.5", b, a)  # more is no loss
    assert (code, {one["reason"] for one in json.loads(out)["one_side_only"]}) == (
        0, {"not measured in A with problem.size 100000000"},
    )  # fmt: skip


def test_what_is_left_over_beside_a_refused_pair_is_missing(tmp_path, capsys):
    a, _ = two_problems(tmp_path)
    code, out, _ = compare(capsys, "--json", a, side(tmp_path / "c", first=1, ranks=2))
    found = json.loads(out)
    assert (code, len(found["refused"]), len(found["one_side_only"])) == (11, 4, 4)


def test_rows_of_one_label_are_told_apart_by_their_problems(tmp_path, capsys):
    a, b = two_problems(tmp_path)
    side(b, first=101)
    text = compare(capsys, a, b)[1]
    for size in (100000000, 5):
        assert f"\n{LABEL} (problem.size {size})  " in text
    found = json.loads(compare(capsys, "--json", a, b)[1])["compared"]
    assert (found[0]["problem"], found[0]["sizes"]) == ({"size": "100000000"}, {"rows": 10**8})
    rows = csv.DictReader(io.StringIO(compare(capsys, "--csv", a, b)[1]))
    assert {(row["problem"], row["sizes"]) for row in rows} == {
        ("size=100000000", "rows=100000000"), ("size=5", "rows=100000000"),
    }  # fmt: skip
    b = side(tmp_path / "c", first=1, size=5, slow={"copy": 2})
    err = compare(capsys, "--fail-below", "0.97", a, side(b, first=101))[2]
    assert err.startswith("gate: stream copy/span/left/double (problem.size 5): 0.")
    assert len(err.splitlines()) == 1


def test_force_compares_the_unlike_and_stamps_the_page(tmp_path, capsys):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=1, ranks=2, slow={"copy": 1.05})
    code, out, _ = compare(capsys, "--force", a, b)
    stamp = "FORCED: unlike things are compared; rows marked ! mean nothing by themselves"
    assert code == 0
    assert (out.splitlines()[0], out.splitlines()[-1]) == (stamp, stamp)
    rows = [line for line in out.splitlines() if line.startswith("! ")]
    assert len(rows) == 4
    assert all(row.endswith("(1 against 2 ranks)") for row in rows)
    assert "slower (1 against 2 ranks)" in out
    _, out, _ = compare(capsys, "--force", "--json", a, b)
    assert json.loads(out)["forced"]


def test_force_marks_rows_of_records_that_are_not_valid(tmp_path, capsys):
    def spoil(document):
        document["validity"] = {"valid": False, "official": False, "reasons": ["tool"]}

    a, b = side(tmp_path / "a"), rewrite(side(tmp_path / "b", first=1), spoil)
    code, out, _ = compare(capsys, "--force", a, b)
    assert code == 10
    rows = [line for line in out.splitlines() if line.startswith("! ")]
    assert len(rows) == 4
    assert all(row.endswith("(B has a record that is not valid (tool))") for row in rows)


def test_warns_where_launches_do_not_alternate(tmp_path, capsys):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=100)
    _, out, _ = compare(capsys, a, b)
    assert (
        "note: the launches of A and B were not in turn (side and order correlate by 0.87): a "
        "difference is claimed where it is more than a steady drift makes, and what changed "
        "between them would still look like one" in out.splitlines()
    )


def test_names_bad_files_and_compares_the_rest(tmp_path, capsys):
    a, b = side(tmp_path / "a"), side(tmp_path / "b", first=1)
    (b / "x.json").write_text("{}")
    code, out, err = compare(capsys, a, b)
    assert code == 10
    assert err == f"{b}/x.json: is JSON, but no record of Strata's; skipped\n"
    assert out.endswith("4 compared, 4 no difference shown\n")


def test_devices_own_storage_orders_pair(tmp_path, capsys):
    def on(device_layout):
        def change(document):
            effective = json.loads(document["deck"]["effective"])
            effective["cases"]["layout"] = ["default"]
            document["deck"]["effective"] = json.dumps(effective)
            for case in document["cases"]:
                case["axes"]["layout"] = device_layout
                case["label"] = case["label"].replace("/left/", f"/{device_layout}/")

        return change

    a = rewrite(side(tmp_path / "a"), on("left"))
    b = rewrite(side(tmp_path / "b", first=1), on("right"))
    _, out, _ = compare(capsys, a, b)
    assert "triad/span/left/double : triad/span/right/double" in out


def test_markdown_has_a_table_for_each_app(tmp_path, capsys):
    a = side(tmp_path / "a", 1)
    _, out, _ = compare(capsys, "--markdown", a, side(tmp_path / "b", 1, first=1))
    lines = out.splitlines()
    assert "## stream: bandwidth, B against A; a ratio above 1 is better" in lines
    assert (
        "| case | launches | base | new | ratio | 95 % interval | p (all cases) | verdict |"
        in lines
    )


def test_refuses_a_base_alone(capsys):
    message = "compare wants a base and something to hold against it\n"
    assert compare(capsys, "a") == (2, "", message)


@pytest.mark.parametrize("verb", ["compare", "race"])
@pytest.mark.parametrize("limit", ["97", "97%", "0", "-1", "nan"])
def test_a_gate_is_a_ratio(capsys, verb, limit):
    with pytest.raises(SystemExit) as end:
        main([verb, "a", "b", f"--fail-below={limit}"])
    assert end.value.code == 2
    assert capsys.readouterr().err.endswith(
        f"argument --fail-below: '{limit}' is no ratio such as 0.97\n"
    )


def test_a_side_without_a_record_ends_it(tmp_path, capsys):
    absent = tmp_path / "absent"
    assert compare(capsys, side(tmp_path / "a", 1), absent) == (
        11, "", f"{absent}: does not exist; skipped\nno record to compare in {absent}\n",
    )  # fmt: skip


def test_sides_list_their_commits_and_omissions_name_the_side_among_several(tmp_path, capsys):
    a = side(tmp_path / "a", 1)
    side(a, 1, first=2, git="1" * 40, ranks=2)
    side(a, 1, first=4, git="2" * 40)
    b, c = side(tmp_path / "b", 1, first=1), side(tmp_path / "c", 1, first=3, ranks=4)
    lines = compare(capsys, a, b, c)[1].splitlines()
    assert lines[0] == (
        f"A = {a}: 3 records (alpha, Imaginary CPU × 1, commits 00000000, 22222222; "
        "alpha, Imaginary CPU × 2, commit 11111111)"
    )
    assert any(line.startswith("refused: C, stream: ") for line in lines)
