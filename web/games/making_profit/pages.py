"""Page parts of Making Profit."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.making_profit import drawing
from daybook.web.games.making_profit.miniature import miniature
from daybook.web.games.making_profit.words import WORDS
from daybook.web.words.game_pages import GamePages
from daybook.web.words.say import N_

PAGES = GamePages(
    words=WORDS,
    counted=N_({"factory": "from the factory", "hand": "from the hand"}),
    drawing=drawing,
    miniature=miniature,
    folder=Path(__file__).parent,
)
