"""Find names in free text and blank them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import category, combining, normalize

from daybook.domain.league.blanking import blank_spans
from daybook.services.names import seen_of

END = r"(?![^\W_])"
GENITIVE_END, GENITIVE_LETTERS = rf"(?=s?{END})", 3  # Annas Garten; “als” is not a genitive of Al


def blank_names(text: str, names: Iterable[str]) -> str:
    """Blank these names in a text. Inside a longer Latin word a name is a different word, and stays."""
    return blank_spans(text, find_names(text, names))


def find_names(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Return the spans of these names in a text, ignoring case and accents.

    Where two overlap, the name that comes first in `names` wins.
    """
    spans = list[tuple[int, int]]()
    letters, places = _letters_of(text)
    for name in names:
        for match in _pattern(name).finditer(letters):
            start, end = places[match.start()], places[match.end()]
            is_whole_letter = places[match.end() - 1] < end and (not match.start() or places[match.start() - 1] < start)
            if is_whole_letter and all(end <= first or last <= start for first, last in spans):
                spans.append((start, end))
    return sorted(spans)


def name_key(name: str) -> str:
    """Return a key that is equal for all spellings of a name: no case, accents, marks or word order."""
    letters = re.sub(r"['’ʼ`´]", "", _letters_of(name)[0])
    return " ".join(sorted(re.findall(r"\w+", letters))) or seen_of(name)


def _letters_of(text: str) -> tuple[str, list[int]]:
    """Return the text folded (no case, accents, invisible characters) and each letter's original index."""
    if text.isascii():
        return text.lower(), [*range(len(text) + 1)]
    letters, places = list[str](), list[int]()
    for place, character in enumerate(text):
        for letter in character.casefold() if character.isascii() else normalize("NFKD", character).casefold():
            if not combining(letter) and category(letter) != "Cf" and (letter.isspace() or seen_of(letter)):
                letters.append(letter)
                places.append(place)
    return "".join(letters), [*places, len(text)]


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    """Return a pattern that matches a name with any spaces between its words."""
    letters, _ = _letters_of(name)
    before, after = r"(?<![^\W_])" if letters[:1].isascii() else "", ""
    if letters[-1:].isascii():
        after = GENITIVE_END if len(letters) >= GENITIVE_LETTERS else END
    words = r"\s+".join(map(re.escape, letters.split())) or re.escape(name)
    return re.compile(before + words + after)
