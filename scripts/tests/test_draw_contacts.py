"""draw_contacts reads and draws what problem.write_vtk writes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, write_program

from draw_contacts import draw, main, read


def vtk(points: list, corners: int, cell_type: int, lengths: list, radii: list) -> bytes:
    """As miniapps/contact/output/vtk_writer.cpp has it, with one of its integer data."""
    cells = len(points) // corners
    connectivity = [
        number
        for cell in range(cells)
        for number in (corners, *range(cell * corners, (cell + 1) * corners))
    ]
    data = b"# vtk DataFile Version 3.0\nof a test\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
    data += b"POINTS %d double\n" % len(points) + np.array(points, ">f8").tobytes()
    data += b"\nCELLS %d %d\n" % (cells, len(connectivity))
    data += np.array(connectivity, ">i4").tobytes()
    data += b"\nCELL_TYPES %d\n" % cells + np.full(cells, cell_type, ">i4").tobytes()
    data += b"\nCELL_DATA %d\nSCALARS row_length int 1\nLOOKUP_TABLE default\n" % cells
    data += np.array(lengths, ">i4").tobytes()
    data += b"\nSCALARS gid vtktypeint64 1\nLOOKUP_TABLE default\n"
    data += np.arange(cells, dtype=">i8").tobytes()
    if radii:
        data += b"\nPOINT_DATA %d\nSCALARS radius double 1\nLOOKUP_TABLE default\n" % cells
        data += np.array(radii, ">f8").tobytes()
    return data + b"\n"


DISCS = vtk([[0, 0, 0], [3, 4, 0]], 1, 1, [1, 1], [2, 3])
SQUARE = vtk([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]], 4, 9, [0], [])
CUBE = vtk([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], 8, 12, [0], [])


def test_reads_every_list(tmp_path):
    file = tmp_path / "discs.vtk"
    file.write_bytes(DISCS)
    lists = {name: numbers.tolist() for name, numbers in read(file).items()}
    assert lists == {
        "points": [[0, 0, 0], [3, 4, 0]],
        "types": [1, 1],
        "row_length": [1, 1],
        "gid": [0, 1],
        "radius": [2, 3],
    }


@pytest.mark.parametrize("content", [DISCS, SQUARE])
def test_draws_what_is_flat(tmp_path, content):
    file = tmp_path / "flat.vtk"
    file.write_bytes(content)
    draw(read(file), tmp_path / "flat.png")
    assert (tmp_path / "flat.png").read_bytes().startswith(b"\x89PNG")


def test_refuses_what_is_not(tmp_path):
    file = tmp_path / "cube.vtk"
    file.write_bytes(CUBE)
    with pytest.raises(SystemExit, match="cells of type 12 are not flat; take a deck of dim 2"):
        draw(read(file), tmp_path / "cube.png")


@pytest.mark.parametrize("content", [b"# vtk DataFile Version 3.0\n", DISCS[:-9], DISCS[:99],
                                     DISCS.partition(b"\nPOINT_DATA")[0],
                                     DISCS.replace(b"double", b"float")])  # fmt: skip
def test_refuses_other_and_damaged_files(tmp_path, content):
    file = tmp_path / "other.vtk"
    file.write_bytes(content)
    with pytest.raises(SystemExit, match=r"is not a whole \.vtk file of"):
        read(file)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["none.vtk", "a.png"], "none.vtk: No such file or directory"),
        (["discs.vtk", "a.xyz"], "a.xyz: Format 'xyz' is not supported"),
        (["discs.vtk", "none/a.png"], "none/a.png: .*No such file or directory"),
    ],
)
def test_names_the_file_that_it_cannot_use(tmp_path, monkeypatch, names, message):
    (tmp_path / "discs.vtk").write_bytes(DISCS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["draw_contacts.py", *names])
    with pytest.raises(SystemExit, match=message):
        main()


def test_runs_by_the_python_that_setup_makes(tmp_path):
    """Even where that of the system has none of its packages."""
    scripts = tmp_path / "scripts"
    (scripts / "lib").mkdir(parents=True)
    shutil.copy(ROOT / "scripts/draw_contacts.py", scripts)
    shutil.copy(ROOT / "scripts/lib/common.sh", scripts / "lib")
    said = f"[[ $* != '--quiet --print-env report' ]] || echo STRATA_PYTHON={sys.executable}"
    write_program(scripts / "setup", said)
    write_program(tmp_path / "bin/python3", "echo 'no numpy' >&2; exit 1")
    (tmp_path / "a b.vtk").write_bytes(DISCS)
    done = subprocess.run(
        ["scripts/draw_contacts.py", "a b.vtk", "a.png"], cwd=tmp_path, capture_output=True,
        env={**os.environ, "PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "a.png").exists()
