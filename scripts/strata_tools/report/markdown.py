"""The page as Markdown: all of its tables, without charts and folded parts."""

from __future__ import annotations

from collections.abc import Iterator

from strata_tools.report.blocks import Block, Chart, Section, Table, Text
from strata_tools.report.overview import Banner


def page(banner: Banner, sections: list[Section], title: str, stamp: str) -> str:
    return "\n".join(_page(banner, sections, title, stamp)) + "\n"


def _page(banner: Banner, sections: list[Section], title: str, stamp: str) -> Iterator[str]:
    yield from (f"# {title}", "", f"**{banner.verdict}**", "")
    yield from (f"- {fact}" for fact in banner.facts)
    yield from ("", stamp)
    for section in sections:
        if section.name == "provenance":
            continue
        yield from ("", f"## {section.title}", "", section.lead)
        for block in section.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, Table):
        yield ""
        if block.caption:
            yield from (f"**{block.caption}**", "")
        yield f"| {' | '.join(block.headings)} |"
        yield "|" + "".join(
            " --- |" if number < block.words else " ---: |"
            for number in range(len(block.headings))
        )
        for row in block.rows:
            yield f"| {' | '.join(_escaped(cell.plain) for cell in row)} |"
    elif isinstance(block, Text):
        yield from ("", block.text)
    elif isinstance(block, Chart):
        yield from ("", f"*In report.html: {block.alternative}*")


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
