"""Figures as people read them: SI prefixes, and no more digits than the interval bears out."""

from __future__ import annotations

import math

PREFIXES = {5: "P", 4: "T", 3: "G", 2: "M", 1: "k", 0: "", -1: "m", -2: "µ", -3: "n", -4: "p"}
MANTISSA_DIGITS = (2, 4)
"""Fewest and most digits of a figure that is not exact."""
UNKNOWN_DIGITS = 3
"""Of a figure without an interval."""


def digits(value: float, interval: tuple[float, float] | None) -> int:
    """Significant digits that the interval bears out: the last one is of the order of half
    the interval's width."""
    if interval is None or not value:
        return UNKNOWN_DIGITS
    half = abs(interval[1] - interval[0]) / 2
    if half == 0:
        return MANTISSA_DIGITS[1]
    places = math.floor(math.log10(abs(value))) - math.floor(math.log10(half)) + 1
    return min(max(places, MANTISSA_DIGITS[0]), MANTISSA_DIGITS[1])


def rounded(value: float, significant: int) -> str:
    """Plain decimal notation: rounded(0.98765, 3) is 0.988, rounded(1234, 2) is 1200."""
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    places = significant - 1 - math.floor(math.log10(abs(value)))
    result = round(value, places)
    if result and math.floor(math.log10(abs(result))) > math.floor(math.log10(abs(value))):
        places -= 1  # 9.996 to three digits is 10.0
    return f"{result:.{max(places, 0)}f}"


def scaled(
    value: float,
    unit: str,
    interval: tuple[float, float] | None = None,
    most: int = MANTISSA_DIGITS[1],
) -> tuple[str, str]:
    """The figure, of `most` digits at most, and its unit with a prefix: ("4.33", "TB/s")."""
    if not math.isfinite(value):
        return "–", unit
    power = math.floor(math.log10(abs(value)) / 3) if value else 0
    power = min(max(power, min(PREFIXES)), max(PREFIXES))
    significant = min(digits(value, interval), most)
    text = rounded(value / 1000.0**power, significant)
    if text.lstrip("-") == "1000" and power < max(PREFIXES):
        power += 1
        text = rounded(value / 1000.0**power, significant)
    unit = unit.removeprefix("1") if unit.startswith("1/") else unit
    apart = " " if PREFIXES[power] and len(unit.split("/", maxsplit=1)[0]) > len("flop") else ""
    return text, f"{PREFIXES[power]}{apart}{unit}"


def shown(value: float, unit: str, interval: tuple[float, float] | None = None) -> str:
    """The figure with its unit: 4.33 TB/s."""
    return " ".join(scaled(value, unit, interval))


def between(interval: tuple[float, float], unit: str, beside: str) -> str:
    """The ends of an interval: 4.31 … 4.34; with their units where one's prefix is not that of
    `beside`, the unit of the figure that it stands next to."""
    ends = [scaled(end, unit, interval) for end in interval]
    plain = all(own == beside for _, own in ends)
    return " … ".join(text if plain else f"{text} {own}" for text, own in ends)


def ratio(value: float, interval: tuple[float, float] | None = None) -> str:
    """A ratio near 1: at least two decimals, more where the interval bears them out."""
    if interval is None:
        return f"{value:.3f}" if value < 10 else rounded(value, UNKNOWN_DIGITS)
    return rounded(value, max(digits(value, interval), 3))
