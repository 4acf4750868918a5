"""What Water Frame brings to the pages."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.water_frame import drawing
from daybook.web.games.water_frame.miniature import miniature
from daybook.web.games.water_frame.sheet import SHEET
from daybook.web.games.water_frame.words import WORDS
from daybook.web.words.game_pages import GamePages
from daybook.web.words.say import N_

PAGES = GamePages(
    words=WORDS,
    counted={
        "foundation": N_("founding"),
        "administration": N_("administration"),
        "building": N_("building"),
        "modernizing": N_("modernizing"),
        "wages": N_("wages"),
        "production": N_("production"),
        "harbour": N_("harbour"),
        "obsolescence": N_("obsolescence"),
        "event": N_("events"),
    },
    sheet=SHEET,
    drawing=drawing,
    miniature=miniature,
    folder=Path(__file__).parent,
)
