"""The texts of Pebbles' pages. Other names show as they are, and the board as a table."""

from __future__ import annotations

from pathlib import Path

from daybook.web.words.decision_words import DecisionWords, decides
from daybook.web.words.game_pages import GamePages
from daybook.web.words.game_words import GameWords, LedgerWords, ScoreWords
from daybook.web.words.say import says, sentences
from pebbles import Take, Taken

PAGES = GamePages(
    words=GameWords(
        decisions=DecisionWords((decides(Take, "Take pebbles", "Take {pebbles}"),)),
        effects=sentences(says(Taken, "{seat} takes {pebbles} and leaves {left}")),
        ledger=LedgerWords(columns={"pebbles": "Pebbles"}),
        score=ScoreWords(lines={"last": "the last pebble"}),
    ),
    folder=Path(__file__).parent,  # with templates/, static/ and translations/, if there are any
)
