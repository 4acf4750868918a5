"""Letters put together in one way, whatever a system types."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

MARKS = 30  # combining marks per letter: sorting them is quadratic
JOINER = "\u034f"  # parts the marks of one letter, and shows nothing
_TURNING = "\u2028-\u202e\u2066-\u2069"  # what stands after them; the first two end a line or a paragraph
_CONTROLS = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_TURNING}\ud800-\udfff\ufffe\uffff]")
_JOINING = re.compile("[\u200c\u200d\U000e0020-\U000e007f]")  # within words, families and flags
_STRAY = re.compile(  # joiners after letters that join nothing, and tags that are of no flag
    "(?<![\u0600-\u109f\u1700-\u1cff\u2190-\u2bff\ua800-\uabff\ufb50-\ufdff\ufe0f\ufe70-\ufefe\U00010a00-\U00011fff"
    "\U0001f000-\U0001fbff])[\u200c\u200d]|(?<![\U0001f3f4\U000e0020-\U000e007e])[\U000e0020-\U000e007f]"
)
UNSEEN = re.compile(  # printable, as Python has it: fillers, joiners, selectors, the empty pattern of Braille
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u200c\u200d\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
_EMOJI = re.compile("[\U0001f000-\U0001fbff]")  # also those that this Python does not know yet
_MOVES = re.compile(f"[\x00-\x1f\x7f-\x9f{_TURNING}]")
_MAY_BE_MARKS = re.compile(f"[\u0300-\U0010ffff]{{{MARKS + 1},}}")


def composed(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """Return a text with composed letters, in a time that depends on its length only.

    Source: Unicode Standard Annex 15, section 13, "Stream-Safe Text Format".
    """
    return unicodedata.normalize(form, text if text.isascii() else _MAY_BE_MARKS.sub(_with_few_marks, text))


def without_controls(text: str) -> str:
    """Return a text without control characters (but tabs and new lines) and direction marks.

    For files and pictures of other programs, which would misread them.
    """
    return text if text.isprintable() else _CONTROLS.sub("", text)


def is_displayable(text: str) -> bool:
    """Check if a text can be shown: it is printable, apart from joiners and tags where they join, and new emoji."""
    return text.isprintable() or (_STRAY.search(text) is None and _EMOJI.sub("x", _JOINING.sub("", text)).isprintable())


def seen_of(name: str) -> str:
    """Return the visible characters of a name."""
    return " ".join(UNSEEN.sub("", name).split())


def displayable_part(text: str) -> str:
    """Return a text with spaces for what cannot be shown, and without joiners that join nothing."""
    shown = "".join(sign if sign.isprintable() or _JOINING.match(sign) or _EMOJI.match(sign) else " " for sign in text)
    return _STRAY.sub("", shown)


def on_one_line(text: str) -> str:
    """Return a text for a terminal or a log, with control characters and line breaks escaped."""
    return text if text.isprintable() else _MOVES.sub(lambda sign: ascii(sign[0])[1:-1], text)


def _with_few_marks(match: re.Match[str]) -> str:
    signs, marks = list[str](), 0
    for sign in match[0]:
        marks = marks + 1 if _is_mark(sign) else 0
        if marks > MARKS:
            signs.append(JOINER)
            marks = 1
        signs.append(sign)
    return "".join(signs)


@lru_cache(4096)
def _is_mark(sign: str) -> bool:
    """Check if a character combines with the letter before it; some show this only when decomposed."""
    return unicodedata.combining(unicodedata.normalize("NFKD", sign)[0]) != 0
