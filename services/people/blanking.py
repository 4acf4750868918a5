"""Names found in what somebody wrote, and left out."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from unicodedata import normalize

from daybook.domain.league.blanking import blank_spans


def blank_names(text: str, names: Iterable[str]) -> str:
    """Return a text without these names. Within a longer word of Latin letters a name is another word, and stays."""
    return blank_spans(text, find_names(text, names))


def find_names(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Return where a text has one of these names; the first name wins where two overlap."""
    found = list[tuple[int, int]]()
    for name in names:
        for match in re.finditer(_pattern(name), text, flags=re.IGNORECASE):
            if all(match.end() <= start or end <= match.start() for start, end in found):
                found.append(match.span())
    return sorted(found)


@lru_cache(maxsize=256)
def _pattern(name: str) -> str:
    """Return what matches a name with any spaces between its words, its accents composed or not."""
    before, after = r"(?<![^\W_])" if name[:1].isascii() else "", r"(?![^\W_])" if name[-1:].isascii() else ""
    forms = {normalize(form, name) for form in ("NFC", "NFD")} | {name}
    words = (r"\s+".join(map(re.escape, form.split())) for form in sorted(forms))
    return f"{before}(?:{'|'.join(words)}){after}"
