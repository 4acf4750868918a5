"""Page parts of the Card Game."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.arkwright_card import drawing
from daybook.web.games.arkwright_card.miniature import miniature
from daybook.web.games.arkwright_card.words import WORDS
from daybook.web.words.game_pages import GamePages

PAGES = GamePages(words=WORDS, drawing=drawing, miniature=miniature, folder=Path(__file__).parent)
