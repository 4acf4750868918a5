"""Page parts of Water Frame."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.water_frame import drawing
from daybook.web.games.water_frame.miniature import miniature
from daybook.web.games.water_frame.words import WORDS
from daybook.web.words.game_pages import GamePages
from daybook.web.words.say import N_

PAGES = GamePages(
    words=WORDS,
    counted=N_(
        {
            "foundation": "founding",
            "administration": "administration",
            "building": "building",
            "modernizing": "modernizing",
            "wages": "wages",
            "production": "production",
            "harbour": "harbour",
            "obsolescence": "obsolescence",
            "event": "events",
        }
    ),
    drawing=drawing,
    miniature=miniature,
    folder=Path(__file__).parent,
)
