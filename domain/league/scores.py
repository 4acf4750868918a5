"""Scores as players write them: whole numbers, halves, decimals and sums."""

from __future__ import annotations

import re
from fractions import Fraction

Score = int | float  # a float only for a score that is not whole

DECIMALS = 3  # of a score
_FRACTIONS = {"½": Fraction(1, 2), "¼": Fraction(1, 4), "¾": Fraction(3, 4)}
_TERM = re.compile(r"\s*([+-])\s*(?=[\d½¼¾])(\d{0,7})(?:[.,](\d{1,2}))?([½¼¾]?)", re.ASCII)


def read_score(text: str) -> Score | None:
    """Return the number that a written score stands for, or None if it is unclear.

    `read_score("12+30")` is 42, `read_score("12½")` is 12.5. Three digits after a point or comma may be thousands, so
    "1.000" is unclear.
    """
    terms = text.strip().replace("−", "-").replace("–", "-")
    if not terms.startswith(("+", "-")):
        terms = f"+{terms}"
    total, at = Fraction(0), 0
    while (term := _TERM.match(terms, at)) is not None:
        sign, whole, decimals, part = term.groups()
        value = Fraction(f"{int(whole or 0)}.{int(decimals):0{len(decimals)}}" if decimals else int(whole or 0))
        total += (value + _FRACTIONS.get(part, 0)) * (1 if sign == "+" else -1)
        at = term.end()
    return as_score(total) if at == len(terms) else None


def as_score(number: Fraction | float) -> Score:
    """Return a number as a score: whole numbers as int, so that 12 is never written 12.0."""
    rounded = round(float(number), DECIMALS)
    return int(rounded) if rounded.is_integer() else rounded


def exact_score(score: Score) -> Fraction:
    """Return a score as the decimal number that was written."""
    return Fraction(score) if isinstance(score, int) else Fraction(repr(score))


def split_score(text: str) -> tuple[int | None, str]:
    """Return a written score as a record holds it: a whole number, and the text if it says more.

    `split_score("12+30")` is (42, "12+30"), `split_score("12.5")` is (None, "12.5").
    """
    text = text.strip()
    score = read_score(text)
    whole = score if isinstance(score, int) else None
    return whole, "" if text in ("", str(whole)) else text
