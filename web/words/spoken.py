"""Text as a phone transcribes speech: words that sound alike, and names of cards spoken letter by letter."""

from __future__ import annotations

import re

from daybook.web.words.phrases import NUMBERS

SOUNDS_LIKE = {
    "by": "buy",
    "bye": "buy",
    "cell": "sell",
    "cells": "sells",
    "close": "clothes",
    "cloths": "clothes",
    "higher": "hire",
    "highers": "hires",
    "lambs": "lamps",
    "read": "red",
    "shears": "shares",
}
LETTERS = {"are": "r", "bee": "b", "cue": "q", "dee": "d", "em": "m", "ess": "s", "queue": "q", "see": "c"}
WORD = re.compile(r"\b[a-z]+\b", re.IGNORECASE)
CARD = re.compile(
    rf"\b([b-z]|{'|'.join(LETTERS)})\s+({'|'.join(NUMBERS)}|\d+)\b",  # em one, r 2
    re.IGNORECASE,
)


def spelled_as_meant(text: str) -> str:
    """Return a transcribed text with the words that a player probably spoke."""
    spelled = CARD.sub(lambda card: _letter(card[1]) + NUMBERS.get(card[2].casefold(), card[2]), text)
    return WORD.sub(lambda word: SOUNDS_LIKE.get(word[0].casefold(), word[0]), spelled)


def _letter(word: str) -> str:
    return LETTERS.get(word.casefold(), word)
