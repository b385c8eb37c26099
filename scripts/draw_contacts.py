#!/usr/bin/env -S bash -c 'source "${0%/*}/lib/common.sh" && run_python report "$0" "$@"'
"""Draws what strata-contact's problem.write_vtk wrote to a .vtk file, in two dimensions.

draw_contacts.py FILE.vtk PICTURE.png     elements coloured by the length of their rows
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection, EllipseCollection, PolyCollection
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure

# VTK's names -> big-endian numbers.
TYPES = {"double": ">f8", "int": ">i4", "vtktypeint64": ">i8"}
# VTK's cell types that lie in a plane -> corners.
CORNERS = {1: 1, 5: 3, 9: 4}
LISTS = re.compile(
    rb"\n(?:POINTS (?P<points>\d+) (?P<point_type>\w+)|CELL_TYPES (?P<cells>\d+)"
    rb"|CELL_DATA \d+|POINT_DATA \d+"
    rb"|SCALARS (?P<name>\w+) (?P<type>\w+) 1\nLOOKUP_TABLE default)\n"
)


def read(path: Path) -> dict[str, np.ndarray]:
    """The lists of a file as problem.write_vtk writes it: points (N, 3), types and one for each
    of its data, in the order of the elements. Ends the program where it is none."""
    try:
        lists = lists_of(path.read_bytes())
        wanted = {"points", "row_length", *(("radius",) if 1 in lists["types"] else ())}
        if not wanted <= lists.keys() or len(lists["types"]) == 0:
            raise ValueError
    except OSError as error:
        raise SystemExit(f"{path}: {error.strerror}") from None
    except (KeyError, ValueError):  # another type or list, or its end within a list
        raise SystemExit(f"{path}: is not a whole .vtk file of problem.write_vtk") from None
    return lists


def lists_of(data: bytes) -> dict[str, np.ndarray]:
    lists: dict[str, np.ndarray] = {}
    at = 0
    while match := LISTS.search(data, at):
        at = match.end() - 1  # the end of a line starts the next one
        if match["points"]:
            name, kind, shape = "points", match["point_type"], (int(match["points"]), 3)
        elif match["cells"]:
            name, kind, shape = "types", b"int", (int(match["cells"]),)
        elif match["name"]:
            name, kind, shape = match["name"].decode(), match["type"], (len(lists["types"]),)
        else:
            continue
        numbers = np.frombuffer(data, TYPES[kind.decode()], int(np.prod(shape)), match.end())
        lists[name] = numbers.reshape(shape)
        at = match.end() + numbers.nbytes
    return lists


def shapes_of(lists: dict[str, np.ndarray], axes: Axes) -> Collection:
    cell_type = int(lists["types"][0])
    if cell_type not in CORNERS:
        raise SystemExit(f"cells of type {cell_type} are not flat; take a deck of dim 2")
    corners = lists["points"][:, :2].reshape(len(lists["types"]), CORNERS[cell_type], 2)
    if cell_type != 1:
        return PolyCollection(corners)
    width = 2 * lists["radius"].astype(float)
    return EllipseCollection(
        width,
        width,
        np.zeros_like(width),
        units="xy",
        offsets=corners[:, 0],
        offset_transform=axes.transData,
    )


def draw(lists: dict[str, np.ndarray], picture: Path) -> None:
    lengths = lists["row_length"].astype(float)
    figure = Figure(figsize=(8, 5.4), layout="constrained")
    axes = figure.subplots()
    shapes = axes.add_collection(shapes_of(lists, axes))
    shapes.set(array=lengths, cmap="viridis", linewidth=0)
    shapes.set_norm(BoundaryNorm(np.arange(lengths.max() + 2) - 0.5, shapes.cmap.N))
    axes.autoscale_view()
    axes.set(aspect="equal", xlabel="x", ylabel="y")
    figure.colorbar(shapes, label="neighbours", ticks=np.arange(lengths.max() + 1))
    figure.savefig(picture, dpi=100, bbox_inches="tight")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="written by problem.write_vtk")
    parser.add_argument("picture", type=Path, help="PNG, PDF or SVG, by its ending")
    arguments = parser.parse_args()
    lists = read(arguments.file)
    try:
        draw(lists, arguments.picture)
    except (OSError, ValueError) as error:  # ValueError: matplotlib writes no such format
        raise SystemExit(f"{arguments.picture}: {error}") from None


if __name__ == "__main__":
    main()
