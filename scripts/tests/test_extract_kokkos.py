"""What is taken out of an archive of Trilinos."""

import io
import sys
import tarfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "lib"))

import extract_kokkos


def archive(folder: Path, names: list[str]) -> str:
    path = folder / "trilinos.orig.tar.gz"
    with tarfile.open(path, "w:gz") as made:
        for name in names:
            entry = tarfile.TarInfo(f"Trilinos-13/packages/{name}")
            entry.size = len(name)
            entry.mode = 0o755 if name.endswith("_wrapper") else 0o644
            made.addfile(entry, io.BytesIO(name.encode()))
    return str(path)


def test_takes_kokkos_and_nothing_else(tmp_path):
    packed = archive(
        tmp_path,
        [
            "kokkos-kernels/a.cpp",
            "kokkos/CMakeLists.txt",
            "kokkos/bin/nvcc_wrapper",
            "zoltan/z",
        ],
    )
    out = tmp_path / "out"
    assert extract_kokkos.main(packed, str(out)) == 0
    files = sorted(path for path in out.rglob("*") if path.is_file())
    assert [str(path.relative_to(out)) for path in files] == [
        "CMakeLists.txt",
        "bin/nvcc_wrapper",
    ]
    assert files[0].read_text() == "kokkos/CMakeLists.txt"
    assert [path.stat().st_mode & 0o111 != 0 for path in files] == [False, True]


def test_never_writes_outside_its_folder(tmp_path):
    packed = archive(tmp_path, ["kokkos/../../outside", "kokkos/inside"])
    assert extract_kokkos.main(packed, str(tmp_path / "a" / "b")) == 0
    assert not list(tmp_path.rglob("outside"))


@pytest.mark.parametrize("names", [[], ["kokkos-kernels/a.cpp"]])
def test_says_so_when_there_is_none(tmp_path, capsys, names):
    packed = archive(tmp_path, names)
    assert extract_kokkos.main(packed, str(tmp_path / "out")) == 1
    assert capsys.readouterr().err == f"{packed} has no folder packages/kokkos\n"
