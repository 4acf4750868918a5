"""What Pebbles says on pages: some words. All else is called by its name, and drawn as a table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from daybook.web.words.game_pages import GamePages
from daybook.web.words.plain import PLAIN
from daybook.web.words.say import says, sentences
from pebbles import Take, Taken

PAGES = GamePages(
    words=replace(
        PLAIN,
        kinds={"take": "Take pebbles"},
        decisions=sentences(says(Take, "Take {pebbles}")),
        effects=sentences(says(Taken, "{seat} takes {pebbles} and leaves {left}")),
        columns={"pebbles": "Pebbles"},
        lines={"last": "the last pebble"},
    ),
    folder=Path(__file__).parent,  # with templates/, static/ and translations/, if there are any
    checks={"not_as_before": "it is not as many as were taken just before"},
)
