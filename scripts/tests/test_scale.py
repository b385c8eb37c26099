"""What ranks ask of MPI as they grow in number: how counts are judged, and all apps."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import ROOT

import scale
from scale import Counts, grows


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([9, 9, 9], False),
        ([4, 8, 12], False),  # as the logarithm
        ([0, 0, 1], False),
        ([4, 16, 64], True),
        ([4, 16, 32], True),
        ([64, 16, 17], False),
    ],
)
def test_faster_than_the_logarithm_is_told(values, found):
    assert grows(values, [4, 16, 64]) is found


def test_the_logarithm_may_have_an_offset():
    """Contact's partners: those of the bisection, and neighbours."""
    assert not grows([4, 12, 22, 32], [4, 16, 64, 256])
    assert grows([4, 12, 30, 75], [4, 16, 64, 256])


def written(folder, ranks):
    for rank, lines in enumerate(ranks):
        (folder / f"rank.{rank}").write_text("".join(f"{line}\n" for line in lines))
    return scale.read(folder, len(ranks))


def test_counts_are_the_largest_of_ranks_and_those_of_rank_0(tmp_path):
    counts = written(
        tmp_path,
        [
            ["Bcast.calls 2", "Bcast.given 80", "peak_kB 7"],
            ["Bcast.calls 2", "Bcast.taken 80", "Isend.calls 3", "peak_kB 5"],
            ["Bcast.calls 2", "Bcast.taken 80", "Issend.calls 1", "peak_kB 9"],
        ],
    )
    assert (counts.first["calls"], counts.first["given"], counts.first["peak_kB"]) == (2, 80, 7)
    assert (counts.others["calls"], counts.others["taken"]) == (5, 80)
    assert (counts.others["messages"], counts.others["peak_kB"]) == (3, 9)


def test_a_line_for_each_count_and_a_mark_where_it_grows():
    of = {
        n: Counts({"calls": 5, "given": 8 * n}, {"calls": 5, "given": 8}) for n in (4, 16, 64)
    }
    lines, growing = scale.table("stream", of)
    assert lines[0] == "| stream | calls | 5 (5) | 5 (5) | 5 (5) |  () |"
    assert "| stream | given | 32 (8) | 128 (8) | 512 (8) | ! () |" in lines
    assert growing == ["given"]


def test_sizes_grow_with_the_ranks():
    assert "problem: {rows: 8192, columns: 8}" in scale.deck("mgs", 16)


def test_nothing_grows_with_the_ranks(binaries):
    words = ["--ranks", "4", "--ranks", "16", "--ranks", "32"]
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "scale.py", *words, binaries.parent],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.count("\n") == 2 + len(scale.PROBLEMS) * len(scale.SHOWN)


@pytest.mark.parametrize("ranks", ["4 16", "4 4 16", "1 4 16"])
def test_ranks_that_show_no_growth_are_refused(monkeypatch, capsys, ranks):
    words = [word for number in ranks.split() for word in ("--ranks", number)]
    monkeypatch.setattr(sys, "argv", ["scale.py", *words])
    with pytest.raises(SystemExit, match="2"):
        scale.main()
    assert "give three numbers of ranks at least, none below 2" in capsys.readouterr().err
