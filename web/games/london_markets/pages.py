"""Page parts of London Markets."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.london_markets import drawing
from daybook.web.games.london_markets.miniature import miniature
from daybook.web.games.london_markets.words import WORDS
from daybook.web.words.game_pages import GamePages
from daybook.web.words.say import N_

PAGES = GamePages(
    words=WORDS,
    counted=N_(
        {
            "instead": "money instead of goods",
            "empty": "nothing offered",
            "mixed": "goods of several kinds",
            "covered": "left face down",
            "not_shown": "not shown",
        }
    ),
    drawing=drawing,
    miniature=miniature,
    folder=Path(__file__).parent,
)
