"""`strata report`: like beside like, and nobody fastest by less than is known."""

import pytest
import synthetic
from conftest import ROOT
from test_report import launch, read
from test_score import weights

from strata_tools.report import apps, overview, portability, score, sweeps


@pytest.fixture(scope="module")
def committed():
    return read(ROOT / "results")


def kinds(row):
    """What cases that stand in one row share: sizes, commit, and whether its tree was dirty."""
    entries = [problem.own for problem in row.at.values()]
    return {
        (
            tuple(one.case.sizes[key] for key in sorted(row.sizes)),
            one.series.record.git,
            one.series.record.dirty,
        )
        for one in entries
    }


def test_rows_of_the_committed_records_are_of_one_size_and_one_commit(committed):
    several = [row for row in committed.rows if len(row.at) > 1]
    assert several
    for row in committed.rows:
        ((sizes, _, _),) = kinds(row)
        assert sizes == tuple(row.sizes[key] for key in sorted(row.sizes))


@pytest.mark.parametrize(
    ("app", "problem"),
    [
        ("matvec", "matvec double"),
        ("mgs", "sequence random"),
        ("contact", "build random sphere"),
    ],
)
def test_examples_that_stood_in_one_row_stand_apart(committed, app, problem):
    """16,384² beside 20,000 × 5,000; 2²⁴ rows beside 2¹⁸; builds of two commits."""
    rows = [row for row in committed.rows if (row.app, row.name) == (app, problem)]
    assert all(len(kinds(row)) == 1 for row in rows)
    assert len(set.union(*map(kinds, rows))) > 1


def sized(system, elements, slow=1.0, **about):
    cases = [{"kernel": "triad", "elements": elements, "slow": slow, "noise": 0}]
    return launch(ord(system[0]), system=system, cases=cases, **about)


def scored(tmp_path, records, more=""):
    synthetic.write(tmp_path / "in", records)
    text = f"strata_weights: 1\nbase: alpha\nweights: {{stream: 1}}\n{more}"
    path = weights(tmp_path, text)
    table = score.section(read(tmp_path / "in"), score.read(path)).blocks[0]
    return [(row[1].text, row[3].note) for row in table.rows]


def test_ratios_of_other_sizes_never_enter_a_score(tmp_path):
    found = scored(tmp_path, [sized("alpha", 10**8), sized("beta", 10**7)])
    assert found == [
        ("1.00", "1.00 ×"),
        ("–", "alpha has no figure of the same question and commit"),
    ]


def test_ratios_of_other_commits_never_enter_a_score(tmp_path):
    found = scored(tmp_path, [sized("alpha", 10**8), sized("beta", 10**8, git="1" * 40)])
    assert found[1][0] == "–"


def test_a_figure_per_node_is_of_all_its_devices(tmp_path):
    records = [sized("alpha", 10**8), sized("beta", 10**8, 0.1)]
    found = scored(tmp_path, records, "devices: {beta: 4}")
    assert found == [("1.00", "1.00 ×"), ("–", "1 of a node's 4 devices ran")]
    assert scored(tmp_path, records, "devices: {beta: 1}")[1] == ("10.00", "10.00 ×")


def test_ranks_that_share_the_work_of_a_node_are_scored_together(tmp_path):
    records = [sized("alpha", 10**8), sized("beta", 10**8, 0.25, ranks=4)]
    assert scored(tmp_path, records, "devices: {beta: 4}")[1] == ("4.00", "4.00 ×")


def variants(number, system, device, slow):
    cases = [{"kernel": "triad", "variant": v, "slow": s, "noise": 0} for v, s in slow.items()]
    return launch(number, system=system, device=device, cases=cases)


def test_a_device_under_three_names_counts_once_in_portability(tmp_path):
    both = {"span": 2, "native": 1}
    records = [variants(n, f"name{n}", "GPU", both) for n in range(3)]
    records.append(variants(3, "other", "CPU", {"span": 1, "native": 2}))
    synthetic.write(tmp_path, records)
    found = {one.variant: one.portability for one in portability.standings(read(tmp_path))}
    assert found == pytest.approx({"span": 2 / 3, "native": 2 / 3})


def test_of_one_device_there_is_no_portability(tmp_path):
    synthetic.write(tmp_path, [variants(n, f"name{n}", "GPU", {"span": 1}) for n in range(2)])
    assert portability.standings(read(tmp_path)) == []
    (one,) = portability.standings(read(tmp_path), fewest=1)
    assert one.portability is None


def test_systems_show_the_spread_of_launches_and_not_the_best(tmp_path):
    records = [launch(number) for number in range(3)]
    for record, rate in zip(records, (1e11, 2e11, 4e11)):
        record["ceiling"]["copy"] = rate
    synthetic.write(tmp_path, records)
    row = overview.systems(read(tmp_path)).blocks[0].rows[0]
    assert (row[4].plain, row[2].plain) == (
        "200 GB/s (100 … 400)", "200 GB/s (200.0 … 200.0)",
    )  # fmt: skip


def rivals(tmp_path, slow):
    cases = [
        {"kernel": "triad", "variant": variant, "slow": factor, "noise": 0.01}
        for variant, factor in (("span", 1), ("native", slow))
    ]
    synthetic.write(tmp_path, [launch(cases=cases)])
    (section,) = apps.sections(read(tmp_path))
    return section.blocks[0].rows[0][-1].text


def test_no_variant_is_called_faster_by_less_than_the_intervals(tmp_path):
    assert rivals(tmp_path / "a", 0.9985) == ""
    assert rivals(tmp_path / "b", 0.95).startswith("native 1.0")


def test_no_line_is_the_fastest_by_less_than_the_intervals(tmp_path):
    for number, size in enumerate(10**n for n in range(5, 9)):
        cases = [
            {"kernel": "triad", "variant": variant, "elements": size, "slow": factor}
            for variant, factor in (("span", 1), ("native", 1.0003 if size < 10**8 else 1.5))
        ]
        synthetic.write(tmp_path, [launch(number, size=size, cases=cases)])
    (sweep,) = sweeps.sweeps(read(tmp_path))
    assert sweep.fastest() == [(1e5, 1e7, "span or native"), (1e8, 1e8, "span")]
