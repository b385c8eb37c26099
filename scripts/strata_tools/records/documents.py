"""A record's file as a document: JSON that keeps to common/report/record.schema.json."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any, Callable, NoReturn

import fastjsonschema
import jsonschema

from strata_tools import ROOT
from strata_tools.records.model import Place
from strata_tools.text import LARGEST

SCHEMA = ROOT / "common" / "report" / "record.schema.json"
FORMAT = 2
NEEDED = {field.name for field in fields(Place) if field.default is MISSING}
LONGEST_REASON = 160
LONGEST_NUMBER = 20
"""Characters of an integer, those of 64 bits with a sign; and of a number in messages."""


class RecordError(Exception):
    """Why a file is no record."""


def document_of(path: Path) -> Any:
    """What the file says as JSON of numbers that fit and text that can be written."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise RecordError("is not UTF-8 text") from None
    if not text.strip():
        raise RecordError("is empty")
    try:
        document = json.loads(
            text, parse_constant=_refuse_number, parse_float=_real, parse_int=_integer
        )
        require_unicode(text, document)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise RecordError("is cut off: it ends within the JSON") from None
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"is not JSON: {error.msg} in {place}") from None
    return document


def _refuse_number(text: str) -> NoReturn:
    shown = text if len(text) <= LONGEST_NUMBER else f"{text[:LONGEST_NUMBER]}…"
    raise RecordError(f"is not a record: it has the number {shown}")


def _real(text: str) -> float:
    """0 for what is too small to divide by."""
    number = float(text)
    if not abs(number) <= LARGEST:
        _refuse_number(text)
    return number if abs(number) * LARGEST >= 1 else 0.0


def _integer(text: str) -> int:
    if len(text) > LONGEST_NUMBER:
        _refuse_number(text)
    return int(text)


def require_unicode(text: str, found: Any) -> None:
    """Refuses halves of characters, which no file can be written with: `found` was read from
    the text, which has them as escapes."""
    try:
        if re.search(r"\\[uU](0000)?[dD]", text):
            json.dumps(found, ensure_ascii=False, default=str).encode("utf-8")
    except UnicodeEncodeError:
        raise RecordError("has half a character (a lone surrogate) in a text") from None


def require_record(document: Any) -> None:
    """Refuses what is not of this suite, is of a newer format, or breaks the schema."""
    suite = document.get("suite") if isinstance(document, dict) else None
    if not isinstance(suite, dict) or suite.get("name") != "strata":
        raise RecordError("is JSON, but no record of Strata's")
    version = document.get("schema")
    if isinstance(version, int) and version > FORMAT:
        raise RecordError(
            f"is of record format {version}, this Strata ({FORMAT}) reads none newer: update it"
        )
    # What the figures mean is for those to judge who compare them.
    meaning = document.get("fom_version")
    known = isinstance(meaning, int) and not isinstance(meaning, bool) and meaning > 0
    shape = {**document, "fom_version": 1} if known else document
    try:
        _validator()(shape)
    except fastjsonschema.JsonSchemaException:
        raise RecordError(f"breaks the record's schema: {_explanation(shape)}") from None


def complete_places(document: dict[str, Any]) -> None:
    """Says of every rank what a record of format 2 says only where it differs from the rank
    before."""
    places, whole = document["placement"], {}
    for index, place in enumerate(places):
        whole = {**whole, **place}
        if lack := ", ".join(sorted(NEEDED - whole.keys())):
            raise RecordError(f"breaks the record's schema: placement[{index}] has no {lack}")
        places[index] = whole


@cache
def _validator() -> Callable[[Any], Any]:
    """The schema as Python code: some thirty times as fast as to interpret it."""
    return fastjsonschema.compile(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _explanation(document: Any) -> str:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    error = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(schema).iter_errors(document)
    )
    if error is None:
        return "a rule of it"
    where = error.json_path.replace("$.", "").replace("$", "the record")
    return f"{where}: {error.message[:LONGEST_REASON]}"
