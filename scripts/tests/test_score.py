"""`strata report --weights`: the score, and what it cannot be made of."""

import pytest
import synthetic
from test_report import launch, read, report

from strata_tools.report import score


def weights(tmp_path, text):
    path = tmp_path / "w.yaml"
    path.write_text(text)
    return path


def scores(tmp_path, kernels, slow, text):
    """Of systems alpha and beta, whose times are so many times as long in each kernel."""
    for number, (name, times) in enumerate(slow.items()):
        cases = [{"kernel": k, "slow": t, "noise": 0} for k, t in zip(kernels, times)]
        synthetic.write(tmp_path / "in", [launch(number, system=name, cases=cases)])
    path = weights(tmp_path, f"strata_weights: 1\nbase: alpha\n{text}")
    table = score.section(read(tmp_path / "in"), score.read(path)).blocks[0]
    return [row[1].text for row in table.rows]


def test_the_score_is_a_weighted_geometric_mean_times_the_nodes(tmp_path):
    text = "weights: {stream: 3, stream/copy: 1}\nnodes: {beta: 5}"
    found = scores(tmp_path, ("triad", "copy"), {"alpha": (1, 1), "beta": (0.5, 4)}, text)
    assert found == ["1.00", f"{5 * (2**3 / 4) ** 0.25:.2f}"]


def test_figures_are_per_node(tmp_path):
    """Of two systems that are alike as a whole, one of which took two nodes for it."""
    for number, (name, nodes) in enumerate({"alpha": 1, "beta": 2}.items()):
        record = launch(number, system=name, ranks=2, cases=[{"kernel": "triad", "noise": 0}])
        record["mpi"]["nodes"] = nodes
        record["placement"][1]["host"] = f"n00{nodes}"
        synthetic.write(tmp_path / "in", [record])
    path = weights(tmp_path, "strata_weights: 1\nbase: alpha\nweights: {stream: 1}")
    table = score.section(read(tmp_path / "in"), score.read(path)).blocks[0]
    assert [row[1].text for row in table.rows] == ["1.00", "0.50"]


def test_an_app_is_scored_by_its_own_figure_wherever_that_stands(tmp_path):
    text = "weights: {stream: 1}"
    found = scores(tmp_path, ("copy", "triad"), {"alpha": (1, 1), "beta": (4, 0.5)}, text)
    assert found == ["1.00", "2.00"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[1]", "1:1: the weights file is a list; it must be a mapping"),
        ("strata_weights: 2\nbase: a\nweights: {x: 1}",
         "1:17: strata_weights is 2; this version reads 1"),
        ("strata_weights: 1\nbase: a\nweight: {}",
         "3:1: unknown key 'weight' in the weights file (did you mean 'weights'?)"),
        ("strata_weights: 1\nweights: {x: 1}",
         "1:1: base is missing: name the system that scores 1"),
        ("strata_weights: 1\nbase: a", "1:1: weights is missing: give at least one, by app"),
        ("strata_weights: 1\nbase: a\nweights: {x: 0}",
         "3:14: weights.x is 0; it must be above 0 and at most 1e+09"),
        ("strata_weights: 1\nbase: a\nweights: {x: 1e308}",
         "3:14: weights.x is 1e308; it must be above 0 and at most 1e+09"),
        ("strata_weights: 1\nbase: a\nweights: {[x]: 1}",
         "3:11: a key in weights is a list; it must be a word"),
        ("strata_weights: 1\nbase: a\nweights: {x: .inf}",
         "3:14: weights.x is .inf; it must be a number"),
        ("strata_weights: 1\nbase: a\nweights: {x: 1, x: 2}",
         "3:17: duplicate key 'x' in weights (first on line 3)"),
        ("strata_weights: 1\nbase: a\nweights: {stream: 1}", " no record is of system a; there "
         "are: alpha"),
        ("strata_weights: 1\nbase: alpha\nweights: {foam: 1}", " no record has foam; there "
         "are: stream"),
    ],
)  # fmt: skip
def test_refuses_weights_that_it_cannot_use(tmp_path, capsys, text, problem):
    synthetic.write(tmp_path / "in", [launch()])
    path = weights(tmp_path, text)
    code, out, err = report(capsys, tmp_path / "in", "--weights", path)
    assert (code, out, err) == (2, "", f"{path}:{problem}\n")


def test_refuses_a_base_of_two_devices(tmp_path, capsys):
    other = launch(1)
    other["placement"][0].update(device="Imaginary GPU", device_id=0)
    synthetic.write(tmp_path / "in", [launch(), other])
    path = weights(tmp_path, "strata_weights: 1\nbase: alpha\nweights: {stream: 1}")
    assert report(capsys, tmp_path / "in", "--weights", path) == (
        2, "", f"{path}: base alpha has records of Imaginary CPU and Imaginary GPU; report on "
        "folders that have one of them, or name the systems apart (STRATA_SYSTEM)\n",
    )  # fmt: skip


def test_the_shipped_weights_fit_the_reference_records(reference_report):
    assert "## Weighted score" in (reference_report / "report.md").read_text()
