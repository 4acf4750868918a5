"""Page parts of score sheets."""

from __future__ import annotations

from pathlib import Path

from daybook.web.games.score_sheet import drawing
from daybook.web.games.score_sheet.making import MAKER
from daybook.web.games.score_sheet.words import WORDS
from daybook.web.words.game_pages import GamePages
from daybook.web.words.say import Texts

LABELS: Texts = {
    "game.name": "Name of the game",
    "game.fewest": "Players at least",
    "game.most": "Players at most",
    "game.colours": "Colours",
    "game.roles": "Roles",
    "game.expansions": "Expansions",
    "game.teams": "Teams of partners",
    "game.dealer": "The players deal in turn",
    "score.rounds": "Formula of the number of rounds",
    "score.wins": "Who wins",
    "score.count": "How it is counted",
    "score.number": "Rounds, or the figure to be reached",
    "score.lines": "Lines",
    "score.halves": "Scores may have halves",
    "score.total": "Formula of the total",
    "score.ties": "Lines that break ties",
}

PAGES = GamePages(words=WORDS, labels=LABELS, maker=MAKER, drawing=drawing, folder=Path(__file__).parent)
