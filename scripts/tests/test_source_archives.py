"""Which of apt's archives are taken for the distribution's sources."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))

import source_archives

STANZAS = """\
Types: deb
# a comment
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian.gpg

Types: deb
URIs: http://editor.example
Suites: stable-editor nodistro
Components: main

Enabled: no
Types: deb
URIs: http://mirror.example/debian
Suites: bookworm
Components: main

Types: deb
URIs: http://mirror.example/debian
Suites: bookworm-backports
Components: main
"""

LINES = """\
# deb http://mirror.example/debian bookworm main
deb http://mirror.example/debian bookworm main contrib
deb [arch=amd64 signed-by=/x.gpg] http://mirror.example/debian bookworm/updates main
deb http://editor.example nodistro main
deb-src http://mirror.example/debian bookworm-updates main
"""


def test_takes_this_releases_stanzas():
    assert source_archives.from_stanzas(STANZAS, "bookworm") == [
        "Types: deb-src\n# a comment\nURIs: http://mirror.example/debian\n"
        "Suites: bookworm bookworm-updates\nComponents: main\n"
        "Signed-By: /usr/share/keyrings/debian.gpg"
    ]


def test_takes_this_releases_lines():
    assert source_archives.from_lines(LINES, "bookworm") == [
        "deb-src http://mirror.example/debian bookworm main contrib",
        "deb-src http://mirror.example/debian bookworm-updates main",
    ]


def test_writes_one_folder_for_apt(tmp_path):
    parts, out = tmp_path / "parts", tmp_path / "out"
    parts.mkdir()
    out.mkdir()
    (tmp_path / "sources.list").write_text("deb http://mirror.example/debian stable main\n")
    (parts / "a.list").write_text("deb http://mirror.example/debian stable main\n")
    assert source_archives.main(str(tmp_path / "sources.list"), str(parts), str(out)) == 0
    assert (
        out / "strata.list"
    ).read_text() == "deb-src http://mirror.example/debian stable main\n"


def test_says_so_when_apt_knows_no_archive(tmp_path, capsys):
    assert source_archives.main(str(tmp_path / "none"), str(tmp_path), str(tmp_path)) == 1
    assert capsys.readouterr().err == "apt knows no package archive of this distribution\n"
