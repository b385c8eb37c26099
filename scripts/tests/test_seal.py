"""`strata seal` and `strata verify`: what was changed, is missing or came later is named."""

import re
import subprocess

import pytest
import synthetic

from strata_tools import sums
from strata_tools.__main__ import main
from strata_tools.records import gather

ODD = ("a b.json", "new\nline.json", "back\\slash.json", "return\r.json", "latin\udce9.json")


@pytest.fixture
def folder(tmp_path):
    """Two records, and a scheduler's log that is still written."""
    for name in ("stream/a.json", "stream/b.json", "jobs/1.log"):
        path = tmp_path / "alpha" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "alpha"


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def sealed(capsys, folder):
    assert run(capsys, "seal", folder)[0] == 0
    return folder


def by_sha256sum(folder):
    command = ["sha256sum", "--check", "--strict", sums.NAME]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False,
                          errors="surrogateescape")  # fmt: skip


def test_a_sealed_folder_is_as_sealed(folder, capsys):
    code, out, err = run(capsys, "seal", folder)
    own = sums.sum_of(folder / "SHA256SUMS")
    assert (code, err) == (0, "")
    assert out == f"sealed 2 files in {folder}/SHA256SUMS (SHA-256 {own})\n"
    (folder / "SHA256SUMS.asc").write_text("the site's signature")
    (folder / "jobs/1.log").write_text("the end of the job")
    assert run(capsys, "verify", folder) == (0, f"{folder}: 2 files as sealed\n", "")
    assert by_sha256sum(folder).stdout == "stream/a.json: OK\nstream/b.json: OK\n"


def test_what_is_changed_missing_and_added_is_named(folder, capsys):
    sealed(capsys, folder)
    (folder / "stream/a.json").write_text("better")
    (folder / "stream/b.json").unlink()
    (folder / "stream/c.json").write_text("late")
    by = f"({folder}/SHA256SUMS)"
    assert run(capsys, "verify", folder) == (
        12, "", f"{folder}/stream/a.json: was changed {by}\n"
        f"{folder}/stream/b.json: is missing {by}\n{folder}/stream/c.json: is in no list\n",
    )  # fmt: skip
    assert by_sha256sum(folder).returncode == 1
    assert run(capsys, "verify", folder / "SHA256SUMS")[2].count("\n") == 2


def test_what_is_added_alone_has_a_code_of_its_own(folder, capsys):
    sealed(capsys, folder)
    (folder / "stream/c.json").write_text("late")
    assert run(capsys, "verify", folder)[0] == 10
    assert run(capsys, "verify", folder / "SHA256SUMS")[0] == 0


def test_a_list_is_never_written_over(folder, capsys):
    sealed(capsys, folder)
    first = (folder / "SHA256SUMS").read_text()
    (folder / "stream/a.json").write_text("better")
    sealed(capsys, folder)
    assert (folder / "SHA256SUMS").read_text() == first
    code, _, err = run(capsys, "verify", folder)
    assert (code, err) == (12, f"{folder}/stream/a.json: was changed ({folder}/SHA256SUMS)\n")
    assert run(capsys, "verify", folder / "SHA256SUMS-2")[0] == 0


def test_odd_names_are_sealed_as_sha256sum_does(tmp_path, capsys):
    for name in ODD:
        (tmp_path / name).write_text(name, errors="surrogateescape")
    sealed(capsys, tmp_path)
    assert set(sums.read(tmp_path / "SHA256SUMS")) == {tmp_path / name for name in ODD}
    assert run(capsys, "verify", tmp_path)[0] == 0
    assert by_sha256sum(tmp_path).returncode == 0
    (tmp_path / ODD[1]).write_text("")
    assert run(capsys, "verify", tmp_path)[2].startswith(f"{tmp_path}/new\\nline.json: was ")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda text: text[:-1], "SHA256SUMS: is cut off: its last line has no end"),
        (lambda text: "x" + text, "SHA256SUMS:1: is no line of sha256sum's"),
    ],
)
def test_a_list_that_cannot_be_read_is_named(folder, capsys, change, reason):
    path = sealed(capsys, folder) / "SHA256SUMS"
    path.write_text(change(path.read_text()))
    assert run(capsys, "verify", path) == (11, "", f"{folder}/{reason}\n")
    assert run(capsys, "verify", folder)[0] == 11


def test_nothing_to_seal_or_to_verify(tmp_path, capsys):
    assert run(capsys, "seal", tmp_path) == (11, "", f"{tmp_path}: has no file to seal\n")
    assert run(capsys, "verify", tmp_path) == (
        11, "", f"{tmp_path}: nothing in it is sealed\n",
    )  # fmt: skip
    absent = tmp_path / "absent"
    assert run(capsys, "verify", absent) == (11, "", f"{absent}: No such file or directory\n")


def test_the_codes_are_those_that_help_tells():
    from strata_tools import seal, verify  # noqa: PLC0415

    codes = {seal: {seal.OK, seal.NOT_WRITABLE, seal.NOTHING},
             verify: {verify.OK, verify.ADDED, verify.NOTHING, verify.CHANGED}}  # fmt: skip
    for verb, known in codes.items():
        told = verb.__doc__.partition("exit codes: ")[2]
        assert {int(code) for code in re.findall(r"\b(\d+) ", told)} == known | {2}


@pytest.fixture
def records(tmp_path):
    return synthetic.write(tmp_path / "alpha", synthetic.fleet(4))


def the_page(capsys, folder):
    code, _, err = run(capsys, "report", folder, "--output", folder.parent / "out")
    return code, err, (folder.parent / "out" / "report.md").read_text()


def test_the_page_says_what_is_sealed_and_by_which_list(records, capsys):
    folder = records[0].parent
    assert "no record is in a list of sums" in the_page(capsys, folder)[2]
    sums.make(folder, records[:3])
    code, err, text = the_page(capsys, folder)
    assert (code, err) == (0, "")
    assert f"3 of 4 records are as they were when lists of sums were made ({folder}/" in text
    gathered, _ = gather([folder])
    assert [one.seal and one.seal.name for one in gathered].count("SHA256SUMS") == 3


def test_a_record_that_changed_since_it_was_sealed_is_left_out(records, capsys):
    folder = records[0].parent
    sums.make(folder, records)
    records[1].write_text(records[1].read_text() + "\n")
    code, err, text = the_page(capsys, folder)
    assert code == 10
    reason = f"was changed since {folder}/SHA256SUMS was made"
    assert err == f"{records[1]}: {reason}; skipped\n"
    assert "3 of 3 records are as they were" in text
    # A later list of the altered one does not make it good again.
    sums.make(folder, records)
    assert reason in the_page(capsys, folder)[1]


def test_a_broken_list_is_named_by_the_page(records, capsys):
    folder = records[0].parent
    path = sums.make(folder, records)
    path.write_text("x" + path.read_text())
    code, err, text = the_page(capsys, folder)
    assert (code, err) == (10, f"{path}: 1: is no line of sha256sum's; skipped\n")
    assert "no record is in a list of sums" in text
