"""draw_contacts reads and draws what problem.write_vtk writes."""

from __future__ import annotations

import numpy as np
import pytest

from draw_contacts import draw, read


def vtk(points: list, corners: int, cell_type: int, lengths: list, radii: list) -> bytes:
    """As miniapps/contact/vtk_writer.cpp has it, with one of its integer data."""
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
