"""The page as one HTML file that asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import jinja2
from markupsafe import Markup

from strata_tools.report.blocks import Block, Chart, Section
from strata_tools.report.overview import Banner

HERE = Path(__file__).parent
WHITE_TEXT = 0.67
"""Shade at which white and black text have the same contrast, 4.6."""


@dataclass
class _Shown:
    """A block as the template wants it; neighbouring charts in one."""

    kind: str
    block: Block | None = None
    charts: list[Chart] = field(default_factory=list)


def render(banner: Banner, sections: list[Section], title: str, stamp: str) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.globals.update(grouped=_grouped, shade=_shade)
    script = (HERE / "page.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return (
        environment.get_template("page.html.j2")
        .render(
            banner=banner,
            sections=sections,
            title=title,
            stamp=stamp,
            style=Markup((HERE / "page.css").read_text(encoding="utf-8")),
            script=Markup(script),
            script_hash=Markup(base64.b64encode(digest).decode("ascii")),
        )
        .lstrip()
    )


def _grouped(blocks: list[Block]) -> Iterator[_Shown]:
    waiting: list[Chart] = []
    for block in blocks:
        if isinstance(block, Chart):
            waiting.append(block)
            continue
        if waiting:
            yield _Shown("charts", charts=waiting)
            waiting = []
        yield _Shown(type(block).__name__.lower(), block)
    if waiting:
        yield _Shown("charts", charts=waiting)


def _shade(value: float) -> str:
    """Background from white to dark blue."""
    ends = ((255, 255, 255), (0, 58, 99))
    red, green, blue = (round(a + (b - a) * value) for a, b in zip(*ends))
    ink = "#fff" if value > WHITE_TEXT else "#000"
    return f"background:rgb({red},{green},{blue});color:{ink}"
