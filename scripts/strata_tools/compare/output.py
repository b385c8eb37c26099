"""The comparison as text, Markdown, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from strata_tools import quantity
from strata_tools import text as text_of
from strata_tools.compare.judge import FASTER, NO_DIFFERENCE, SAME, SLOWER, Judgement, spread
from strata_tools.compare.pairing import Refusal, Side
from strata_tools.inference import INDEPENDENT, PAIRED, PAIRED_SAMPLES
from strata_tools.records.alike import Question

STAMP = "FORCED: unlike things are compared; rows marked ! mean nothing by themselves"
DESIGNS = {
    INDEPENDENT: "design: independent launches (ratio of medians and its bootstrap interval; "
    "test by relabelling)",
    PAIRED: "design: pairs in ABBA order (Hodges-Lehmann ratio and its interval; Wilcoxon's "
    "signed-rank test)",
    PAIRED_SAMPLES: "design: pairs whose samples were taken in turn (median ratio of a pair's "
    "rounds; Hodges-Lehmann ratio of the pairs and its interval; Wilcoxon's signed-rank test)",
}
HEADINGS = (
    "case",
    "launches",
    "base",
    "new",
    "ratio",
    "95 % interval",
    "p (all cases)",
    "verdict",
)


@dataclass(frozen=True)
class Comparison:
    """All that is printed."""

    base: Side
    others: list[Side]
    judgements: list[Judgement]
    refused: list[tuple[str, Refusal]]
    """Name of the other side, and what of it."""
    missing: list[tuple[str, Refusal]]
    unfit: list[str]
    """Records that are not compared, or were for --force only."""
    notes: list[str]
    forced: bool

    @cached_property
    def _questions(self) -> dict[tuple[str, str, str], list[Question]]:
        found = defaultdict(list)
        for one in self.judgements:
            found[_key(one)].append(one.pair.base.question)
        return found

    def case(self, one: Judgement) -> str:
        """Its label; where that is there several times, with what tells it from the others."""
        beside = one.pair.base.question.beside(self._questions[_key(one)])
        return _key(one)[-1] + (f" ({beside})" if beside else "")

    def summary(self) -> str:
        count = dict.fromkeys((FASTER, SLOWER, NO_DIFFERENCE, SAME), 0)
        for one in self.judgements:
            if one.verdict in count:
                count[one.verdict] += 1
        unclaimed = len(self.judgements) - sum(count.values())
        parts = [
            f"{len(self.judgements)} compared",
            *(f"{number} {word}" for word, number in count.items() if number),
        ]
        if unclaimed:
            parts.append(f"{unclaimed} with too few launches for a claim")
        if self.refused:
            parts.append(f"{len(self.refused)} refused")
        if self.missing:
            parts.append(f"{len(self.missing)} on one side only")
        return ", ".join(parts)


def render(comparison: Comparison, form: str) -> str:
    """`form`: text, markdown, csv or json."""
    if form == "csv":
        return as_csv(comparison.judgements)
    if form == "json":
        return _json(comparison)
    return "\n".join(_page(comparison, markdown=form == "markdown")) + "\n"


def _page(comparison: Comparison, markdown: bool) -> Iterable[str]:
    text = text_of.markdown if markdown else text_of.printable
    stamp = [f"**{STAMP}**" if markdown else STAMP, ""] if comparison.forced else []
    yield from stamp
    for side in (comparison.base, *comparison.others):
        yield f"{'- ' if markdown else ''}{text(_described(side))}"
    for design in dict.fromkeys(one.ratio.design for one in comparison.judgements):
        yield f"{'- ' if markdown else ''}{text(DESIGNS[design])}"
    for side in comparison.others:
        by_app: dict[str, list[Judgement]] = defaultdict(list)
        for one in comparison.judgements:
            if one.side == side.name:
                by_app[one.pair.base.app].append(one)
        for app, judgements in sorted(by_app.items()):
            yield ""
            metric = judgements[0].pair.base.fom.metric
            against = f"{side.name} against {comparison.base.name}"
            title = f"{app}: {metric}, {against}; a ratio above 1 is better"
            yield f"## {text(title)}" if markdown else text(title)
            yield ""
            rows = [HEADINGS, *(_row(one, comparison.case(one)) for one in judgements)]
            yield from _markdown(rows) if markdown else aligned(rows)
    yield from map(text, _left_out(comparison))
    yield ""
    for note in comparison.notes:
        yield f"note: {text(note)}"
    yield text(comparison.summary())
    yield from reversed(stamp)


def _described(side: Side) -> str:
    if side.peer:
        return f"{side.name} = {side.path}: {side.peer}"
    count = len(side.records)
    commits: dict[str, set[str]] = defaultdict(set)
    for one in side.records:
        commit = one.git[:8] + (" with changes" if one.dirty else "")
        commits[f"{one.system}, {one.device} × {one.ranks}"].add(commit)
    facts = [
        f"{where}, commit{'s' if len(of) > 1 else ''} {', '.join(sorted(of))}"
        for where, of in sorted(commits.items())
    ]
    shown = "; ".join(facts[:3]) + ("; …" if len(facts) > 3 else "")
    return f"{side.name} = {side.path}: {count} record{'' if count == 1 else 's'} ({shown})"


def _row(one: Judgement, case: str) -> tuple[str, ...]:
    fom = one.pair.base.fom
    interval = one.ratio.interval
    between = " … ".join(quantity.ratio(end, interval) for end in interval) if interval else "–"
    return (
        ("! " if one.pair.forced else "") + case,
        one.count,
        quantity.shown(one.base, fom.unit, spread(one.values[0], one.pair.base.fom)),
        quantity.shown(one.new, fom.unit, spread(one.values[1], one.pair.new.fom)),
        quantity.ratio(one.ratio.value, interval),
        between,
        "–" if one.p is None else f"{one.p:.2g}",
        one.verdict + (f" ({one.pair.forced})" if one.pair.forced else ""),
    )


def _key(one: Judgement) -> tuple[str, str, str]:
    """Side, app and label: of several problems, alike."""
    base, new = one.pair.base, one.pair.new
    label = base.label if base.label == new.label else f"{base.label} : {new.label}"
    return one.side, base.app, label


def aligned(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Columns as wide as they need to be."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()


def _markdown(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    yield f"| {' | '.join(rows[0])} |"
    yield "|" + " --- |" * len(rows[0])
    for row in rows[1:]:
        yield f"| {' | '.join(text_of.markdown(cell) for cell in row)} |"


def _left_out(comparison: Comparison) -> Iterable[str]:
    """One line for each reason, with the cases that it holds for."""
    for title, entries in (
        ("refused", comparison.refused),
        ("on one side only", comparison.missing),
    ):
        reasons: dict[tuple[str, str, str], list[str]] = defaultdict(list)
        for side, refusal in entries:
            reasons[side, refusal.app, refusal.reason].append(refusal.label)
        if reasons:
            yield ""
        for (side, app, reason), labels in reasons.items():
            more = f" and {len(labels) - 3} more" if len(labels) > 3 else ""
            where = f"{side}, {app}" if len(comparison.others) > 1 else app
            yield f"{title}: {where}: {reason}: {', '.join(labels[:3])}{more}"
    if comparison.unfit:
        yield ""
    word = "compared by force" if comparison.forced else "refused"
    for line in comparison.unfit:
        yield f"{word}: {line}"


def facts(one: Judgement) -> dict[str, Any]:
    fom, interval = one.pair.base.fom, one.ratio.interval or (None, None)
    question = one.pair.base.question
    return {
        "side": one.side,
        "app": one.pair.base.app,
        "case_base": one.pair.base.label,
        "case_new": one.pair.new.label,
        "problem": dict(question.problem),
        "sizes": dict(question.sizes),
        "ranks": question.ranks,
        "tier": question.tier,
        "metric": fom.metric,
        "unit": fom.unit,
        "better": fom.better,
        "design": one.ratio.design,
        "launches_base": one.launches[0],
        "launches_new": one.launches[1],
        "base": one.base,
        "new": one.new,
        "ratio": one.ratio.value,
        "ratio_low": interval[0],
        "ratio_high": interval[1],
        "p": one.ratio.p,
        "p_all_cases": one.p,
        "verdict": one.verdict,
        "forced": one.pair.forced,
    }


def as_csv(judgements: Iterable[Judgement]) -> str:
    text = io.StringIO()
    rows = [
        {key: text_of.cell(_joined(fact)) for key, fact in facts(one).items()}
        for one in judgements
    ]
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _joined(fact: Any) -> Any:
    return "; ".join(f"{k}={v}" for k, v in fact.items()) if isinstance(fact, dict) else fact


def _json(comparison: Comparison) -> str:
    def left_out(entries: list[tuple[str, Refusal]]) -> list[dict[str, str]]:
        return [{"side": side, **vars(refusal)} for side, refusal in entries]

    sides = (comparison.base, *comparison.others)
    return (
        json.dumps(
            {
                "forced": comparison.forced,
                "sides": {
                    s.name: [text_of.printable(str(one.path)) for one in s.records]
                    for s in sides
                },
                "compared": [facts(one) for one in comparison.judgements],
                "refused": left_out(comparison.refused),
                "one_side_only": left_out(comparison.missing),
                "unfit": comparison.unfit,
                "notes": comparison.notes,
                "summary": comparison.summary(),
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    )
