"""The page as Markdown: all of its tables, without charts and folded parts."""

from __future__ import annotations

from collections.abc import Iterator

from strata_tools.report.blocks import Block, Chart, Points, Section, Table, Text
from strata_tools.report.overview import Banner
from strata_tools.text import markdown


def page(banner: Banner, sections: list[Section], title: str, stamp: str) -> str:
    return "\n".join(_page(banner, sections, title, stamp)) + "\n"


def _page(banner: Banner, sections: list[Section], title: str, stamp: str) -> Iterator[str]:
    yield from (f"# {markdown(title)}", "", f"**{markdown(banner.verdict)}**", "")
    yield markdown(stamp)
    for section in sections:
        yield from ("", f"## {markdown(section.title)}", "", markdown(section.lead))
        for block in section.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield ""
        if block.caption:
            yield from (f"**{markdown(block.caption)}**", "")
        yield f"| {' | '.join(map(markdown, block.headings))} |"
        yield "|" + "".join(
            " --- |" if number < block.words else " ---: |"
            for number in range(len(block.headings))
        )
        for row in block.rows:
            yield f"| {' | '.join(markdown(cell.plain) for cell in row)} |"
    elif isinstance(block, Points):
        yield ""
        yield from (f"- {markdown(text)}" for text in block.texts)
    elif isinstance(block, Text):
        yield from ("", markdown(block.text))
    elif isinstance(block, Chart):
        yield from ("", f"*In report.html: {markdown(block.alternative)}*")
