"""Letters put together in one way, whatever a system types."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

MARKS = 30  # that lie on one letter: more are put in order by comparing each with all before it
JOINER = "\u034f"  # parts the marks of one letter, and shows nothing
_MAY_BE_MARKS = re.compile(f"[\u0300-\U0010ffff]{{{MARKS + 1},}}")


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """A text whose letters are put together in one way, in a time that its length alone tells.

    Source: Unicode Standard Annex 15, section 13, "Stream-Safe Text Format".
    """
    return unicodedata.normalize(form, text if text.isascii() else _MAY_BE_MARKS.sub(_with_few_marks, text))


def _with_few_marks(found: re.Match[str]) -> str:
    signs, marks = list[str](), 0
    for sign in found[0]:
        marks = marks + 1 if _is_mark(sign) else 0
        if marks > MARKS:
            signs.append(JOINER)
            marks = 1
        signs.append(sign)
    return "".join(signs)


@lru_cache(4096)
def _is_mark(sign: str) -> bool:
    """Whether a sign is put on the letter before it: some say so only once they are taken apart."""
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) != 0
