"""Charts as PNG files, for other pages."""

from __future__ import annotations

import io
from pathlib import Path

from strata_tools import files
from strata_tools.report.blocks import Chart, Section

DOTS_PER_INCH = 160


class PictureError(Exception):
    """A picture that no chart has the name of."""


def choose(sections: list[Section], paths: list[Path]) -> dict[Path, Chart]:
    """File to the chart that its name names; raises PictureError."""
    charts = {
        block.name: block for s in sections for block in s.blocks if isinstance(block, Chart)
    }
    for path in paths:
        if path.suffix != ".png" or path.stem not in charts:
            known = ", ".join(sorted(charts)) or "none"
            raise PictureError(f"{path}: no chart of that name; as .png there are: {known}")
    return {path: charts[path.stem] for path in paths}


def write(drawings: dict[Path, Chart]) -> None:
    for path, chart in drawings.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        content = io.BytesIO()
        chart.drawing.savefig(
            content, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None}
        )
        files.write_bytes(path, content.getvalue())
