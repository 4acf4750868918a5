"""The definition, as a component sheet."""

from __future__ import annotations

from daybook.web.words.say import N_
from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines

SHEET: Layout = (
    Chapter(
        title=N_("The game"),
        parts=(
            SheetLines(
                numbers={
                    "game.name": N_("Name of the game"),
                    "game.fewest": N_("Players at least"),
                    "game.most": N_("Players at most"),
                    "game.colours": N_("Colours"),
                    "game.roles": N_("Roles"),
                    "game.expansions": N_("Expansions"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("Scoring"),
        parts=(
            SheetLines(
                numbers={
                    "score.wins": N_("Who wins"),
                    "score.count": N_("How it is counted"),
                    "score.number": N_("Rounds, or the figure to be reached"),
                    "score.lines": N_("Lines"),
                    "score.total": N_("Formula of the total"),
                    "score.ties": N_("Lines that break ties"),
                }
            ),
        ),
    ),
)
