"""Files are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import synthetic
from conftest import PATIENCE, ROOT

from strata_tools.files import write


def test_bytes_that_are_no_text_are_replaced_or_kept(tmp_path):
    write(tmp_path / "a", "a\udcffb")
    write(tmp_path / "b", "a\udcffb", "surrogateescape")
    assert (tmp_path / "a").read_bytes() == b"a?b"
    assert (tmp_path / "b").read_bytes() == b"a\xffb"


def test_what_fails_leaves_what_was_there(tmp_path):
    (tmp_path / "a").write_text("before")
    with pytest.raises(UnicodeEncodeError):
        write(tmp_path / "a", "\ud800", "surrogateescape")
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError) as caught:
        write(tmp_path / "b", "text")
    assert caught.value.filename == str(tmp_path / "b")
    assert (tmp_path / "a").read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def strata(folder, *words, **streams) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "strata_tools", *words], cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")}, **streams,
    )  # fmt: skip


def test_reports_on_files_whose_names_are_not_utf8(tmp_path):
    (path,) = synthetic.write(tmp_path / "in", [synthetic.record()])
    path.rename(tmp_path / "in" / "\udcff.json")
    process = strata(tmp_path, "report", "in", "--output", "out", stderr=subprocess.PIPE)
    assert (process.communicate(timeout=PATIENCE)[1], process.returncode) == (b"", 0)
    assert "in/?.json" in (tmp_path / "out" / "figures.csv").read_text()
    assert (tmp_path / "out" / "report.html").read_text().endswith("</html>")


def test_a_report_whose_list_of_files_nobody_reads_is_written(tmp_path):
    """As `strata report | true`."""
    synthetic.write(tmp_path / "in", [synthetic.record()])
    process = strata(
        tmp_path,
        "report",
        "in",
        "--output",
        "out",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert (process.stderr.read(), process.wait(timeout=PATIENCE)) == (b"", 0)
