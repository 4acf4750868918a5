"""The definition, as a component sheet."""

from __future__ import annotations

from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines

SHEET: Layout = (
    Chapter(
        title="The game",
        parts=(
            SheetLines(
                numbers={
                    "game.name": "Name of the game",
                    "game.fewest": "Players at least",
                    "game.most": "Players at most",
                    "game.colours": "Colours",
                    "game.roles": "Roles",
                    "game.expansions": "Expansions",
                }
            ),
        ),
    ),
    Chapter(
        title="Scoring",
        parts=(
            SheetLines(
                numbers={
                    "score.wins": "Who wins",
                    "score.count": "How it is counted",
                    "score.number": "Rounds, or the figure to be reached",
                    "score.lines": "Lines",
                    "score.total": "Formula of the total",
                    "score.ties": "Lines that break ties",
                }
            ),
        ),
    ),
)
