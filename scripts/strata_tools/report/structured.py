"""The page as JSON: its sections as they are shown, and every comparison in numbers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from strata_tools.compare.judge import Judgement
from strata_tools.compare.output import facts
from strata_tools.report.blocks import Block, Cell, Chart, Fold, Points, Section, Table, Text
from strata_tools.report.overview import Banner

FORMAT = 1


def page(
    banner: Banner,
    sections: list[Section],
    title: str,
    stamp: str,
    judgements: Iterable[Judgement],
) -> str:
    document = {
        "strata_report": FORMAT,
        "title": title,
        "stamp": stamp,
        "grade": banner.grade,
        "verdict": banner.verdict,
        "comparisons": [facts(one) for one in judgements],
        "sections": [
            {
                "name": section.name,
                "title": section.title,
                "lead": section.lead,
                "blocks": [_block(block) for block in section.blocks],
            }
            for section in sections
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Table):
        rows = [[_cell(cell) for cell in row] for row in block.rows]
        return {"table": block.caption, "headings": block.headings, "rows": rows}
    if isinstance(block, Chart):
        return {"chart": block.name, "shows": block.alternative}
    if isinstance(block, Fold):
        return {"fold": block.summary, "blocks": [_block(inner) for inner in block.blocks]}
    if isinstance(block, Points):
        return {"points": block.texts}
    assert isinstance(block, Text)
    return {"text": block.text}


def _cell(cell: Cell) -> dict[str, str]:
    """What there is of it: text, unit, note, and the series that it links to."""
    told = {"text": cell.text, "unit": cell.unit, "note": cell.note, "series": cell.link}
    return {key: value for key, value in told.items() if value}
