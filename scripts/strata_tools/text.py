"""Texts that anybody may have written, made fit for where they are shown."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

LONGEST = 120
"""Characters of a bad value that a message shows."""
LARGEST = 1e100
"""Of a number of any unit: products and quotients of a few stay finite."""
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories that a terminal obeys, or that show nothing: controls, formats, line ends."""
_FORMULA = ("=", "+", "-", "@")
"""What a cell begins with that spreadsheets calculate; so do tabs and line ends, which are
escaped before."""


def printable(text: str, kept: str = "") -> str:
    """The text with an escape, such as \\x1b, for each control character but those `kept`.
    Bytes of file names that are not UTF-8 (U+DC80 to U+DCFF) stay for the stream to write."""
    if text.isprintable():
        return text
    return "".join(_visible(char) if char not in kept else char for char in text)


def _visible(char: str) -> str:
    hidden = unicodedata.category(char) in _HIDDEN and not "\udc80" <= char <= "\udcff"
    return char.encode("unicode_escape").decode("ascii") if hidden else char


def all_printable(value: Any) -> Any:
    """A value of JSON or YAML whose texts, keys among them, are printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {all_printable(key): all_printable(inner) for key, inner in value.items()}
    return [all_printable(inner) for inner in value] if isinstance(value, list) else value


def shortened(text: str) -> str:
    """Printable, and no longer than a message bears."""
    text = printable(text)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def markdown(text: str) -> str:
    """Text that Markdown shows as it is: neither HTML nor markup nor the end of a table's cell.
    Underscores within words mean nothing and stay."""
    marks = r"([\\`*\[\]|~$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))"
    escaped = re.sub(marks, r"\\\1", printable(text))
    return escaped.replace("&", "&amp;").replace("<", "&lt;")


def cell(value: Any) -> Any:
    """A cell of a CSV file: text that a spreadsheet would calculate begins with an apostrophe;
    numbers, also those that are text, stay numbers."""
    if not isinstance(value, str):
        return value
    value = printable(value)
    return f"'{value}" if value.startswith(_FORMULA) and finite(value) is None else value


def finite(value: Any) -> float | None:
    """A number, or a text that is one; None for what is neither, or beyond all reason."""
    try:
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if abs(found) <= LARGEST else None


def counted(number: int, what: str) -> str:
    """1 launch, 2 launches, 1 000 cases."""
    plural = "" if number == 1 else "es" if what.endswith("ch") else "s"
    return f"{grouped(number)} {what}{plural}"


def grouped(number: float) -> str:
    """10 000, with thin spaces that do not break."""
    return f"{number:,.0f}".replace(",", "\u202f")
