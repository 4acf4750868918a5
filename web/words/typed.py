"""What somebody types, read as one of the sentences that could be meant: the words on the buttons are the notation.

    read("hire food 3", ["Hire a worker: clothes, row 3", "Hire a worker: food, row 3"]).taken    1

A word may be cut short or bent ("takes"), words may be left out, "2nd row" is row 2, an article more or less says
nothing, and signs and small or capital letters make no difference. A number is a
whole one, and none is left out between what was typed: "clothes 5" is not "clothes at 3, food at 5". What is typed is
taken where one sentence alone can be meant; in another order it may only be asked about: "give coffee, take china" is
not "give china, take coffee".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from unicodedata import decimal

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.texts import composed

PIECES = re.compile(r"(?<![\w)])[-−]\s?\d+|[^\W\d_]+\d*|\d+")  # a number below nothing, a word or card R1, a number


ORDINALS = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4"}
ORDINAL = re.compile(rf"\b({'|'.join(ORDINALS)})\s+([^\W\d_]+)", re.IGNORECASE)
ENDINGS = {"s", "es", "d", "ed", "ing"}
BENT = 3  # letters that a word has at the least to be bent
FILLERS = {
    "a",
    "an",
    "the",
    "to",
    "on",
    "in",
    "into",
    "at",
    "of",
    "by",
    "for",
    "with",
    "and",
    "his",
    "her",
    "its",
    "their",
    "up",
}
MOST = 60  # pieces that are looked at of what is longer than every sentence


class Reading(Frozen):
    """Places among the sentences. taken: the one that is meant; among: where several may be; nearest: where none is,
    those that hold most of what was typed.
    """

    taken: int | None
    among: list[int]
    nearest: list[int]


def pieces(text: str) -> tuple[str, ...]:
    """Words and numbers of a text, in one spelling each."""
    found = PIECES.findall(composed(text).casefold())
    return tuple(_numbered(piece) if piece[-1].isdecimal() else piece for piece in found)


_pieces_of_sentence = lru_cache(5_000)(pieces)  # most can be said again after the next decision


def _numbered(piece: str) -> str:
    """A number, however long it is, and what stands before it: in our digits, without zeros that say nothing."""
    before = "".join(sign for sign in piece if not sign.isdecimal() and not sign.isspace()).replace("−", "-")
    return before + ("".join(str(decimal(sign)) for sign in piece if sign.isdecimal()).lstrip("0") or "0")


def read(text: str, sentences: Sequence[str]) -> Reading:
    """Which of the sentences is meant by a text."""
    said = [_pieces_of_sentence(sentence) for sentence in sentences]
    found = _read(_weighty(pieces(text), said), said)
    counted = ORDINAL.sub(lambda found: f"{found[2]} {ORDINALS[found[1].casefold()]}", text)
    if found.among or counted == text:
        return found
    pairs = [pieces(f"{word} {ORDINALS[which.casefold()]}") for which, word in ORDINAL.findall(text)]
    held = [one if all(_has_pair(one, *pair) for pair in pairs) else () for one in said]  # a second bar is no place 2
    return _read(_weighty(pieces(counted), held), held)


def _has_pair(sentence: Sequence[str], word: str, number: str) -> bool:
    """Whether a number stands right after a word in a sentence."""
    return any(_means(word, before) and after == number for before, after in pairwise(sentence))


def _read(typed: tuple[str, ...], said: Sequence[tuple[str, ...]]) -> Reading:
    if not typed or len(typed) > max(map(len, said), default=0):
        return Reading(None, [], _nearest(typed[:MOST], said))
    whole = [place for place, sentence in enumerate(said) if sentence == typed]
    if len(whole) == 1:
        return Reading(whole[0], whole, [])
    among = _fitting(typed, said, in_order=True)
    if not among:
        asked = _fitting(typed, said, in_order=False)
        return Reading(None, asked, [] if asked else _nearest(typed, said))
    complete = [place for place in among if len(said[place]) == len(typed)]
    taken = among if len(among) == 1 else complete
    return Reading(taken[0] if len(taken) == 1 else None, among, [])


def _weighty(typed: tuple[str, ...], said: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What was typed without fillers that no sentence has."""
    known = {piece for sentence in said for piece in sentence}
    return tuple(piece for piece in typed if piece not in FILLERS or piece in known)


def _fitting(typed: Sequence[str], said: Sequence[tuple[str, ...]], in_order: bool) -> list[int]:
    """The sentences that have every piece that was typed, those with the fewest others first."""
    fits = [place for place, sentence in enumerate(said) if len(_found(typed, sentence, in_order)) == len(typed)]
    return sorted(fits, key=lambda place: len(said[place]))


def _nearest(typed: Sequence[str], said: Sequence[tuple[str, ...]]) -> list[int]:
    """The sentences with most of the pieces that were typed, if they have any."""
    held = {place: len(_found(typed, sentence, in_order=False)) for place, sentence in enumerate(said)}
    most = max(held.values(), default=0)
    return sorted((place for place in held if most and held[place] == most), key=lambda place: len(said[place]))


def _found(typed: Sequence[str], sentence: Sequence[str], in_order: bool) -> list[str]:
    """The typed pieces that a sentence has, each at a place of its own; whole words are looked for before begun ones.

    in_order: as they were typed, and past no number; the first that is not found ends it.
    """
    left, found = list(sentence), list[str]()
    for piece in typed if in_order else sorted(typed, key=len, reverse=True):
        place = next((at for at, said in enumerate(left) if _means(piece, said)), None)
        if place is not None and not (in_order and found and any(said[-1].isdecimal() for said in left[:place])):
            found.append(piece)
            left = left[place + 1 :] if in_order else [*left[:place], *left[place + 1 :]]
        elif in_order:
            break
    return found


def _means(typed: str, said: str) -> bool:
    """Whether a typed piece stands for a word or a number of a sentence."""
    if typed == said or typed[-1].isdecimal():
        return typed == said
    return said.startswith(typed) or (len(said) >= BENT and typed.startswith(said) and typed[len(said) :] in ENDINGS)
