"""`strata compare --plan`: how many launches it takes to find a loss, told beforehand."""

from __future__ import annotations

import argparse
import sys

from strata_tools import inference
from strata_tools.text import counted, finite

OK, COMMAND_LINE = 0, 2


def main(arguments: argparse.Namespace) -> int:
    if arguments.sides:
        named = ", ".join(map(str, arguments.sides))
        print(f"--plan compares nothing: leave out {named}", file=sys.stderr)
        return COMMAND_LINE
    try:
        loss = _share("--plan", arguments.plan)
        noise = _share("--noise", arguments.noise)
    except ValueError as error:
        print(error, file=sys.stderr)
        return COMMAND_LINE
    print(advice(loss, noise, arguments.cases))
    return OK


def _share(option: str, text: str | None) -> float:
    """Of 2% or 0.02. Raises ValueError."""
    if text is None:
        raise ValueError(f"--plan wants {option} too, such as 1%: {NOISE}")
    number = finite(text.rstrip("% "))
    share = None if number is None else number / 100 if "%" in text else number
    if share is None or not 0 < share < 1:
        raise ValueError(f"{option} is {text}; it must be a share such as 2% or 0.02")
    return share


NOISE = "by how much launches of one thing differ (standard deviation over mean)"


def advice(loss: float, noise: float, cases: int) -> str:
    pairs, launches = inference.needed(loss, noise, cases)
    of = f"one of {counted(cases, 'case')}" if cases > 1 else "one case"
    return (
        f"A loss of {100 * loss:g} % in {of}, where launches of one thing differ by "
        f"{100 * noise:g} %, is found in nine of ten comparisons of\n"
        f"  {pairs} pairs of a race, whatever the machine's drift: "
        f"strata race A B --pairs {pairs}\n"
        f"  {launches} + {launches} launches in turn, on a machine without drift: "
        f"strata run, repeats: {launches}"
    )
