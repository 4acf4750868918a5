"""Printed effects of an event marker, in words, for all players alike (WF-4.22.6).

    importer food -1; workers fired box 4; cash -5

Each is a word and what belongs to it; what a player has or does is every player's. Where a good belongs to it, `each`
stands for all four.
"""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.kernel.frozen import Frozen

EACH = "each"
LARGEST = 30  # number of one effect
MOST = 8  # effects of one marker
PILES = ("market", "fired", "box")  # places of unemployed workers


class WrittenEffect(Frozen):
    """One effect. goods: which it is about; piles: from where to where; n: how many, or which row."""

    word: str
    goods: tuple[str, ...] = ()
    piles: tuple[str, str] = ("", "")
    n: int = 0


def read_effects(text: str, goods: Sequence[str]) -> list[WrittenEffect]:
    """Parse a marker's effects; an unreadable text has none. goods: those of the game."""
    effects = [_one(part.split(), goods) for part in text.split(";") if part.strip()]
    known = [effect for effect in effects if effect is not None]
    return known if len(known) == len(effects) <= MOST else []


def _one(words: list[str], goods: Sequence[str]) -> WrittenEffect | None:
    match words:
        case ["special_step"]:
            return WrittenEffect("special_step")
        case ["share_spaces" | "cash" as word, n] if is_possible_number(n):
            return WrittenEffect(word, n=int(n))
        case ["importer" | "distribution" | "quality" | "contract" as word, good, n] if is_possible_number(n) and (
            good in (*goods, EACH)
        ):
            return WrittenEffect(word, tuple(goods) if good == EACH else (good,), n=int(n))
        case ["workers", origin, to, n] if (
            origin in PILES and to in PILES and origin != to and (is_possible_number(n) and int(n) > 0)
        ):
            return WrittenEffect("workers", piles=(origin, to), n=int(n))
        case ["close_row", row] if is_possible_number(row) and int(row) > 0:
            return WrittenEffect("close_row", n=int(row))
    return None


def is_possible_number(n: str) -> bool:
    digits = n.removeprefix("-").removeprefix("+")
    return len(digits) < 3 and digits.isascii() and digits.isdecimal() and 0 < int(digits) <= LARGEST
