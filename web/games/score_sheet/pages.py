"""What a score sheet brings to the pages."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.score_sheet import drawing
from daybook.web.games.score_sheet.making import MAKER
from daybook.web.games.score_sheet.sheet import SHEET
from daybook.web.games.score_sheet.words import WORDS
from daybook.web.words.game_pages import GamePages

PAGES = GamePages(words=WORDS, sheet=SHEET, maker=MAKER, drawing=drawing, folder=Path(__file__).parent)
