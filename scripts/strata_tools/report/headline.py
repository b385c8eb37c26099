"""The first screen: who is faster, by how much, on what and at what price, and what is not."""

from __future__ import annotations

import statistics
from math import exp, log

from strata_tools import quantity
from strata_tools.compare.judge import FASTER, NO_DIFFERENCE, SLOWER, Judgement, spread
from strata_tools.records import Fom
from strata_tools.records.alike import short_commit, subject_of
from strata_tools.report.blocks import Block, Cell, Section, Table, Text, words
from strata_tools.report.book import Book, sizes_in_words
from strata_tools.report.score import Weights
from strata_tools.report.versus import Contest, Unlike, Versus
from strata_tools.text import counted, grouped

MOST_SENTENCES = 3
MOST_CASES = 8
"""Of the largest differences, on the first screen."""


def section(book: Book, contest: Contest, weights: Weights | None) -> Section:
    blocks: list[Block] = [
        Text(_sentence(book, one), flag="headline") for one in contest.versus[:MOST_SENTENCES]
    ]
    if contest.versus:
        blocks.append(_machines(book, contest, weights))
        blocks.append(_largest(book, contest))
    else:
        blocks.append(Text("No two machines answered the same question by the same commit."))
    if contest.unlike:
        blocks.append(Text(_unlike(contest)))
    return Section(
        "faster",
        "Who is faster, and by how much",
        "As scripts/strata compare has it: cases of the same problem, size, precision, ranks, "
        "tier and commit alone; a ratio above 1 is better. A difference is claimed where the "
        "test of launches shows it; of fewer than nine launches a side nothing is claimed, "
        "whatever the ratio.",
        blocks,
    )


def details(book: Book, contest: Contest) -> Section | None:
    """Every comparison, and what is not compared, two by two."""
    blocks: list[Block] = [
        _cases(one.by_difference, f"{_against(book, one)}: every case")
        for one in contest.versus
    ]
    if contest.unlike:
        blocks.append(_not_compared(book, contest))
    if not blocks:
        return None
    return Section(
        "comparisons",
        "Every comparison, and what is not compared",
        "All cases of the first table, by size of difference, with the interval of the ratio "
        "from six launches a side on. Below them what two machines have under one name and is "
        "not compared: what tells the questions apart, of the nearest two.",
        blocks,
    )


def _against(book: Book, one: Versus) -> str:
    return f"{book.machine_name(one.new)} against {book.machine_name(one.base)}"


def _sentence(book: Book, one: Versus) -> str:
    claims = _claims(one)
    return (
        f"{book.machine_name(one.new)} gave {quantity.ratio(one.mean)} times the figures of "
        f"{book.machine_name(one.base)} (geometric mean, {_range(one)}) on "
        f"{counted(len(one.judgements), 'like case')}, {_share(one)}: {claims}."
    )


def _claims(one: Versus) -> str:
    count = dict.fromkeys((FASTER, SLOWER, NO_DIFFERENCE), 0)
    for judgement in one.judgements:
        if judgement.verdict in count:
            count[judgement.verdict] += 1
    unclaimed = len(one.judgements) - sum(count.values())
    told = [f"{grouped(number)} {word}" for word, number in count.items() if number]
    if unclaimed:
        told.append(f"{grouped(unclaimed)} with too few launches for a claim")
    return ", ".join(told)


def _range(one: Versus) -> str:
    return f"{quantity.ratio(min(one.ratios))} … {quantity.ratio(max(one.ratios))}"


def _share(one: Versus) -> str:
    return f"{100 * len(one.judgements) / one.both:.0f} % of those that both have"


def _machines(book: Book, contest: Contest, weights: Weights | None) -> Table:
    priced = bool(weights and weights.prices)
    headings = [
        "machine", "against", "geometric mean", "spread of cases", "range", "like cases",
        "of those both have", "claims",
    ]  # fmt: skip
    rows = []
    for one in contest.versus:
        rows.append(
            [
                *words(book.machine_name(one.new), book.machine_name(one.base)),
                Cell(quantity.ratio(one.mean)),
                Cell(_spread(one)),
                Cell(_range(one)),
                Cell(str(len(one.judgements))),
                Cell(f"{100 * len(one.judgements) / one.both:.0f} %"),
                Cell(_claims(one), flag="prose"),
                *([_per_price(one, weights)] if priced else []),
            ]
        )
    return Table([*headings, *(["per price"] if priced else [])], rows, words=2)


def _spread(one: Versus) -> str:
    """Geometric standard deviation: × and ÷ of the mean."""
    if len(one.ratios) < 2:
        return "–"
    return f"×÷ {exp(statistics.stdev(map(log, one.ratios))):.3f}"


def _per_price(one: Versus, weights: Weights) -> Cell:
    prices = [weights.price(machine) for machine in (one.new, one.base)]
    if None in prices:
        return Cell("–", note="no price of both")
    return Cell(
        quantity.ratio(one.mean * prices[1] / prices[0]),
        note=f"prices {prices[0]:,.0f} and {prices[1]:,.0f}",
    )


def _largest(book: Book, contest: Contest) -> Table:
    every = sorted(
        (judgement for one in contest.versus for judgement in one.judgements),
        key=lambda one: -abs(log(one.ratio.value)),
    )
    shown = every[:MOST_CASES]
    sides = list(dict.fromkeys(one.side for one in every))
    of = f"{sides[0]}: " if len(sides) == 1 else ""
    more = f"the largest {len(shown)} of {len(every)}" if len(every) > len(shown) else "all"
    return _cases(shown, f"{of}differences by case, {more}")


def _cases(judgements: list[Judgement], caption: str) -> Table:
    several = len({one.side for one in judgements}) > 1
    tested = any(one.p is not None for one in judgements)
    headings = [
        "case", *["machine"] * several, "ratio", "95 % interval", "new", "base", "launches",
        *["p"] * tested, "verdict",
    ]  # fmt: skip
    rows = [_case(one, several, tested) for one in judgements]
    return Table(headings, rows, caption, words=1 + several)


def _case(one: Judgement, several: bool, tested: bool) -> list[Cell]:
    interval, question = one.ratio.interval, one.pair.base.question
    between = " … ".join(quantity.ratio(end, interval) for end in interval) if interval else "–"
    commit = short_commit(subject_of(one.pair.base.records[0]).commit)
    asked = ", ".join([sizes_in_words(dict(question.sizes)), question.tier, f"commit {commit}"])
    p = "–" if one.p is None else f"{one.p:.2g}"
    return [
        Cell(f"{question.app}: {one.pair.new.label}", note=asked),
        *[Cell(one.side)] * several,
        Cell(quantity.ratio(one.ratio.value, interval)),
        Cell(between),
        _figure(one.new, one.values[1], one.pair.new.fom),
        _figure(one.base, one.values[0], one.pair.base.fom),
        Cell(one.count),
        *[Cell(p)] * tested,
        Cell(one.verdict, flag="prose"),
    ]


def _figure(value: float, launches: list[float], fom: Fom) -> Cell:
    """With the interval of the median of launches; of few their range, of one that within."""
    known = spread(launches, fom)
    text, unit = quantity.scaled(value, fom.unit, known)
    return Cell(text, unit, note=quantity.between(known, fom.unit, unit) if known else "")


def _unlike(contest: Contest) -> str:
    """In one sentence; the table is in another section."""
    cases = sum(one.cases for one in contest.unlike)
    listed = ", ".join(f"{word} × {grouped(n)}" for word, n in contest.reasons.most_common())
    return (
        f"Not compared: {counted(cases, 'pair')} of cases that two machines have under one "
        f"name. What tells them apart: {listed}; a pair may have several reasons. "
        "“Every comparison” below has them by machine."
    )


def _not_compared(book: Book, contest: Contest) -> Table:
    rows = [
        [
            *words(*(book.machine_name(machine) for machine in one.machines)),
            Cell(str(one.cases)),
            Cell(_why(one), flag="prose"),
        ]
        for one in contest.unlike
    ]
    headings = ["machine", "and", "cases", "what tells them apart"]
    return Table(headings, rows, "Not compared", words=2)


def _why(one: Unlike) -> str:
    return "; ".join(f"{' and '.join(words)} × {n}" for words, n in one.reasons.items())
