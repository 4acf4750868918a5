"""Names found in what somebody wrote, and left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import category, combining, normalize

from daybook.domain.league.blanking import blank_spans
from daybook.services.names import seen_of

END = r"(?![^\W_])"
GENITIVE_END, GENITIVE_LETTERS = rf"(?=s?{END})", 3  # Annas Garten; “als” is no genitive of Al


def blank_names(text: str, names: Iterable[str]) -> str:
    """Return a text without these names. Within a longer word of Latin letters a name is another word, and stays."""
    return blank_spans(text, find_names(text, names))


def find_names(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Return where a text has one of these names, in any case and with or without accents; the first name wins where two
    overlap."""
    found = list[tuple[int, int]]()
    letters, places = _letters_of(text)
    for name in names:
        for match in _pattern(name).finditer(letters):
            start, end = places[match.start()], places[match.end()]
            whole = places[match.end() - 1] < end and (not match.start() or places[match.start() - 1] < start)
            if whole and all(end <= first or last <= start for first, last in found):
                found.append((start, end))
    return sorted(found)


def name_key(name: str) -> str:
    """Return what spellings of one name have in common: without case, accents, marks and the order of the words."""
    letters = re.sub(r"['’ʼ`´]", "", _letters_of(name)[0])
    return " ".join(sorted(re.findall(r"\w+", letters))) or seen_of(name)


def _letters_of(text: str) -> tuple[str, list[int]]:
    """Return a text without case, accents and letters that cannot be seen; and from where in the text each letter is."""
    if text.isascii():
        return text.lower(), [*range(len(text) + 1)]
    letters, places = list[str](), list[int]()
    for place, sign in enumerate(text):
        for letter in sign.casefold() if sign.isascii() else normalize("NFKD", sign).casefold():
            if not combining(letter) and category(letter) != "Cf" and (letter.isspace() or seen_of(letter)):
                letters.append(letter)
                places.append(place)
    return "".join(letters), [*places, len(text)]


@lru_cache(maxsize=256)
def _pattern(name: str) -> re.Pattern[str]:
    """Return what matches a name with any spaces between its words."""
    letters, _ = _letters_of(name)
    before, after = r"(?<![^\W_])" if letters[:1].isascii() else "", ""
    if letters[-1:].isascii():
        after = GENITIVE_END if len(letters) >= GENITIVE_LETTERS else END
    words = r"\s+".join(map(re.escape, letters.split())) or re.escape(name)
    return re.compile(before + words + after)
