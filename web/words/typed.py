"""Reading of typed text as one of several sentences: the buttons' words are the notation.

    read_text("hire food 3", ["Hire a worker: clothes, row 3", "Hire a worker: food, row 3"]).taken    1

Words may be abbreviated or inflected ("takes") or left out, "2nd row" is row 2, and articles, punctuation and case do
not matter. Numbers are whole, and none is skipped between typed parts: "clothes 5" is not "clothes at 3, food at 5". A
text is accepted if only one sentence fits; in another word order it is only offered: "give coffee, take china" is not
"give china, take coffee".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from unicodedata import decimal

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.texts import composed

AND_HALF = r"(?:\.5(?!\d))?"  # after the digits of a number
PIECES = re.compile(  # a negative number, a word or card R1, a number
    rf"(?<![\w)])[-−]\s?\d+{AND_HALF}|[^\W\d_]+\d*|\d+{AND_HALF}"
)
COIN = "£"  # in front of an amount of money, in any currency
AMOUNT = re.compile(rf"[£$€₩]\s?(\d+{AND_HALF})|{PIECES.pattern}")
NO_WORD = "·"  # a place of a sentence that no typed piece matches
ONE_HALF = re.compile("([0-9]*)½")
COMMA_HALF = re.compile(r"(?<![\d,.])(\d+),50*(?!,?\d)")


ORDINALS = {"first": "1", "1st": "1", "second": "2", "2nd": "2", "third": "3", "3rd": "3", "fourth": "4", "4th": "4"}
ORDINAL = re.compile(rf"\b({'|'.join(ORDINALS)})\s+([^\W\d_]+)", re.IGNORECASE)
ENDINGS = {"s", "es", "d", "ed", "ing"}
MIN_INFLECTED_LETTERS = 3
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
MAX_PIECES = 60  # of a text longer than every sentence


class Reading(Frozen):
    """Result, as places in the sentences.

    Args:
        taken: the meant one.
        among: candidates if several fit.
        nearest: closest ones if none fits.
    """

    taken: int | None
    among: list[int]
    nearest: list[int]


def split_pieces(text: str) -> tuple[str, ...]:
    """Split a text into normalized words and numbers, without currencies."""
    matches = PIECES.findall(composed(with_halves(text)).casefold())
    return tuple(_normalize_number(piece) if piece[-1].isdecimal() else piece for piece in matches)


def _split_amounts(text: str) -> tuple[str, ...]:
    """Split a text like `split_pieces`, with a coin in front of each amount of money."""
    matches = AMOUNT.finditer(composed(with_halves(text)).casefold())
    return tuple(
        COIN + _normalize_number(match[1])
        if match[1]
        else _normalize_number(match[0])
        if match[0][-1].isdecimal()
        else match[0]
        for match in matches
    )


_pieces_of_sentence = lru_cache(5_000)(_split_amounts)  # most sentences recur after the next decision


def with_halves(text: str) -> str:
    """Return a text with halves as decimals: "12½" as "12.5"."""
    return ONE_HALF.sub(lambda half: f"{half[1] or 0}.5", text)


def with_decimal_points(text: str) -> str:
    """Return a text with points in halves that are written with a comma: "12,5" as "12.5", but not "1,5,7"."""
    return COMMA_HALF.sub(r"\1.5", text)


def _normalize_number(piece: str) -> str:
    """Normalize a number of any length: ASCII digits without leading zeros, after its prefix."""
    piece, point, half = piece.partition(".")
    before = "".join(sign for sign in piece if not sign.isdecimal() and not sign.isspace()).replace("−", "-")
    return before + normalize_digits(piece) + point + half


def normalize_digits(number: str) -> str:
    """Return the digits of a number in ASCII, without leading zeros."""
    return "".join(str(decimal(sign)) for sign in number if sign.isdecimal()).lstrip("0") or "0"


def read_text(text: str, sentences: Sequence[str], with_nearest: bool = True) -> Reading:
    """Find the sentence that a text means.

    Args:
        with_nearest: if none fits, also find the closest ones, which takes longest.
    """
    split_sentences = [_pieces_of_sentence(sentence) for sentence in sentences]
    reading = _read_pieces(_drop_fillers(_split_amounts(text), split_sentences), split_sentences, with_nearest)
    counted = ORDINAL.sub(lambda match: f"{match[2]} {ORDINALS[match[1].casefold()]}", text)
    if reading.among or counted == text:
        return reading
    pairs = [split_pieces(f"{word} {ORDINALS[which.casefold()]}") for which, word in ORDINAL.findall(text)]
    with_pairs = [
        pieces_of_sentence if all(_has_pair(pieces_of_sentence, *pair) for pair in pairs) else ()
        for pieces_of_sentence in split_sentences
    ]  # "a second bar" does not mean place 2
    return _read_pieces(_drop_fillers(_split_amounts(counted), with_pairs), with_pairs, with_nearest)


def read_exactly(text: str, sentences: Sequence[str]) -> Reading | None:
    """Return the reading of a text that is one of the sentences, word for word; None for other texts."""
    typed = _split_amounts(text)
    exact = [place for place, sentence in enumerate(sentences) if _pieces_of_sentence(sentence) == typed]
    return Reading(exact[0], exact, []) if len(exact) == 1 else None


def _has_pair(sentence: Sequence[str], word: str, number: str) -> bool:
    """Check if a number directly follows a word in a sentence."""
    return any(_matches(word, before) and after == number for before, after in pairwise(sentence))


def _read_pieces(typed: tuple[str, ...], sentences: Sequence[tuple[str, ...]], with_nearest: bool) -> Reading:
    """Find the sentences that have all typed pieces: exactly, else in order, else in any order."""
    if not typed or len(typed) > max(map(len, sentences), default=0):
        return Reading(None, [], _nearest(typed[:MAX_PIECES], sentences) if with_nearest else [])
    exact = [place for place, sentence in enumerate(sentences) if sentence == typed]
    if len(exact) == 1:
        return Reading(exact[0], exact, [])
    among = _fitting(typed, sentences, in_order=True)
    if not among:
        reordered = _fitting(typed, sentences, in_order=False)
        return Reading(None, reordered, [] if reordered or not with_nearest else _nearest(typed, sentences))
    complete = [place for place in among if len(sentences[place]) == len(typed)]
    taken = among if len(among) == 1 else complete
    return Reading(taken[0] if len(taken) == 1 else None, among, [])


def _drop_fillers(typed: tuple[str, ...], sentences: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Drop typed fillers that no sentence has."""
    used = {piece for sentence in sentences for piece in sentence}
    return tuple(piece for piece in typed if piece not in FILLERS or piece in used)


def _fitting(typed: Sequence[str], sentences: Sequence[tuple[str, ...]], in_order: bool) -> list[int]:
    """Return the sentences with every typed piece, shortest first."""
    vocabulary = {word for sentence in sentences for word in sentence}
    if not all(any(_matches(piece, word) for word in vocabulary) for piece in typed):
        return []
    stems = {word for word in vocabulary if any(_inflects(piece, word) for piece in vocabulary.intersection(typed))}
    if stems:  # engineering is no engineer where both are words
        sentences = [tuple(NO_WORD if word in stems else word for word in sentence) for sentence in sentences]
    fits = [
        place for place, sentence in enumerate(sentences) if len(_match_pieces(typed, sentence, in_order)) == len(typed)
    ]
    return sorted(fits, key=lambda place: len(sentences[place]))


def _nearest(typed: Sequence[str], sentences: Sequence[tuple[str, ...]]) -> list[int]:
    """Return the sentences with most of the typed pieces, if any."""
    matched = {place: len(_match_pieces(typed, sentence, in_order=False)) for place, sentence in enumerate(sentences)}
    best = max(matched.values(), default=0)
    return sorted(
        (place for place in matched if best and matched[place] == best), key=lambda place: len(sentences[place])
    )


def _match_pieces(typed: Sequence[str], sentence: Sequence[str], in_order: bool) -> list[str]:
    """Return the typed pieces that a sentence has, each at its own place; whole words match before prefixes.

    Args:
        in_order: match in the typed order without skipping numbers; stop at the first mismatch.
    """
    left, matched = list(sentence), list[str]()
    for piece in typed if in_order else sorted(typed, key=len, reverse=True):
        place = next((at for at, candidate in enumerate(left) if _matches(piece, candidate)), None)
        if place is not None and not (
            in_order and matched and any(skipped[-1].isdecimal() for skipped in left[:place])
        ):
            matched.append(piece)
            left = left[place + 1 :] if in_order else [*left[:place], *left[place + 1 :]]
        elif in_order:
            break
    return matched


def _matches(typed: str, word: str) -> bool:
    """Check if a typed piece stands for a word or number of a sentence; an amount may lack its coin."""
    if typed == word or typed[-1].isdecimal():
        return typed in (word, word.removeprefix(COIN))
    return word.startswith(typed) or _inflects(typed, word)


def _inflects(typed: str, word: str) -> bool:
    """Check if a typed word is another word with an ending."""
    return len(word) >= MIN_INFLECTED_LETTERS and typed.startswith(word) and typed[len(word) :] in ENDINGS
