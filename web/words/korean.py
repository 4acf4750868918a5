"""Korean particles, which depend on the end of the word before them: 공장을, but 카드를.

Translations write both forms after a figure, `{card}을(를)`; the right one is chosen if the figure's ending is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

FORMS = {  # as written -> after a consonant, after a vowel
    "을(를)": ("을", "를"),
    "이(가)": ("이", "가"),
    "은(는)": ("은", "는"),
    "(으)로": ("으로", "로"),
    "과(와)": ("과", "와"),
    "와(과)": ("과", "와"),
    "(이)라": ("이라", "라"),
}
AFTER_A_FIGURE = re.compile(r"\{(\w+)\}(" + "|".join(map(re.escape, FORMS)) + ")")
NONE, RIEUL = 0, 8  # final consonants as Unicode counts them in a syllable
FINALS = 28
DIGITS = {"0": 21, "1": RIEUL, "2": NONE, "3": 16, "4": NONE, "5": NONE, "6": 1, "7": RIEUL, "8": RIEUL, "9": NONE}
# final consonants of letters' names (에이, 엘, 엠); others end in a vowel
LETTER_FINALS = {"L": RIEUL, "M": 16, "N": 4, "R": RIEUL}
ROMAN = {"I": RIEUL, "II": NONE, "III": 16, "IV": NONE, "V": NONE, "VI": 1}
MONEY = re.compile(r"[£$][\d.,]+$")  # pronounced with 파운드 or 달러 at the end


def choose_particles(text: str, figures: Mapping[str, Any]) -> str:
    """Choose the right form of each particle after a figure."""
    return (
        AFTER_A_FIGURE.sub(
            lambda match: f"{{{match[1]}}}{_choose_form(match[2], final_consonant(str(figures[match[1]])))}", text
        )
        if "(" in text
        else text
    )


def _choose_form(written: str, last: int | None) -> str:
    if last is None:
        return written
    after_consonant, after_vowel = FORMS[written]
    return after_vowel if last == NONE or (last == RIEUL and written == "(으)로") else after_consonant


def final_consonant(word: str) -> int | None:
    """Return a word's final consonant as pronounced, NONE after a vowel; None if unknown."""
    spoken = word.rstrip(" )]”’.")
    last = spoken[-1:]
    if MONEY.search(spoken):
        return NONE
    if "가" <= last <= "힣":
        return (ord(last) - ord("가")) % FINALS
    word = spoken.rpartition(" ")[2]
    if word in ROMAN or last in DIGITS:
        return ROMAN.get(word, DIGITS.get(last))
    return LETTER_FINALS.get(word, NONE) if re.fullmatch("[A-Z]", word) else None
