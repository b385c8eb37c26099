"""What the tools do where their output cannot be said, or has no room."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


def tool(*words: object, out: object = subprocess.PIPE, **environment: str):
    return subprocess.run(
        [sys.executable, "-m", "strata_tools", *map(str, words)],
        stdout=out, stderr=subprocess.PIPE, text=True, encoding="latin-1", check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts"), **environment},
    )  # fmt: skip


@pytest.fixture
def sealed(tmp_path) -> Path:
    folder = tmp_path / "Läufe–1"
    folder.mkdir()
    (folder / "a.json").write_text("{}")
    assert tool("seal", folder).returncode == 0
    return folder


@pytest.mark.parametrize(
    ("encoding", "name"), [("ascii", "L?ufe?1"), ("latin-1", "Läufe?1"), ("utf-8", "Läufe–1")]
)
def test_what_an_encoding_lacks_is_marked(sealed, encoding, name):
    done = tool("verify", sealed, PYTHONIOENCODING=encoding)
    said = done.stdout.encode("latin-1").decode("utf-8" if encoding == "utf-8" else "latin-1")
    assert said.endswith(f"{name}: 1 file as sealed\n")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [("verify", "{}"), ("compare", "--help")])
def test_a_full_disk_has_its_exit_code(sealed, words):
    with Path("/dev/full").open("w") as full:
        done = tool(*(word.format(sealed) for word in words), out=full)
    assert done.stderr == (
        "strata: standard output or a log: No space left on device; make room and give the "
        "same command again\n"
    )
    assert done.returncode == 8


def test_a_list_of_nothing_is_no_list(sealed):
    (sealed / "SHA256SUMS").write_text("")
    done = tool("verify", sealed / "SHA256SUMS")
    assert done.stderr.endswith("SHA256SUMS: lists nothing; seal the folder again\n")
    assert done.returncode == 11


def test_a_closed_output_is_no_fault(sealed):
    words = [sys.executable, "-m", "strata_tools", "verify", str(sealed)]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *words],
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
