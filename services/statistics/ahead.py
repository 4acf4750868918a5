"""Questions that pages of statistics ask of all public games, asked ahead by workers where there are many games.

What is kept of their answers (`services.statistics.partial_answers`) then is there before anybody waits for it: after a
rebuild, and after many games came in at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import msgspec
import sqlalchemy as sa

from daybook.domain.games import RULESETS
from daybook.services.clock import now
from daybook.services.statistics import explorer, figure_questions, partial_answers, reports
from daybook.services.statistics.figure_questions import Filter, Question
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import partial_answer

SECONDS = 15.0  # for which one job asks
EVERY = ""  # all games together
MANY_BEGAN_ALIKE = 2_000  # games: of how they went on is asked ahead
NOTE = "asked ahead: "  # under which it is noted what was counted when everything had been asked


def due(book: Daybook) -> list[str]:
    """The rulesets, and EVERY, of which something was counted since their questions were asked."""
    changes = partial_answers.changes(book)
    if changes is None:
        return []
    done: dict[str, int] = {
        row.query: row.changes
        for row in book.views.rows(
            sa.select(partial_answer.c.query, partial_answer.c.changes).where(
                partial_answer.c.level == 0,
                partial_answer.c.query.in_([NOTE + ruleset for ruleset in (EVERY, *RULESETS)]),
            )
        )
    }
    return [ruleset for ruleset in (EVERY, *RULESETS) if done.get(NOTE + ruleset) != changes]


def ask_ahead(book: Daybook, ruleset_id: str, seconds: float = SECONDS) -> bool:
    """Ask what pages ask about a game; whether everything was asked before the time was up."""
    changes, until = partial_answers.changes(book), time.monotonic() + seconds
    for ask in questions(book, ruleset_id):
        if time.monotonic() > until:
            return False
        ask()
    with book.views.begin() as connection:
        read_models.write_rows(
            connection,
            {
                partial_answer: [
                    {
                        "query": NOTE + ruleset_id,
                        "level": 0,
                        "stretch": 0,
                        "changes": changes or 0,
                        "rows": "[]",
                        "at": now(),
                    }
                ]
            },
        )
    return True


def questions(book: Daybook, ruleset_id: str) -> Iterator[Callable[[], object]]:
    """What the pages about a game ask of all public games."""
    of = Filter(ruleset=ruleset_id, readable=frozenset())
    yield partial(figure_questions.count_games, book, msgspec.structs.replace(of, practice="yes"))
    yield partial(figure_questions.count_games, book, of)
    yield partial(partial_answers.answer, book, partial_answers.DAYS)  # which parts of the log some days come down to
    for preset in figure_questions.presets(ruleset_id):
        yield partial(figure_questions.ask, book, figure_questions.question_of_preset(preset, of))
    yield partial(explorer.setups, book, of)
    yield partial(reports.streaks, book, of)
    if ruleset_id:
        yield partial(reports.winners, book, of)
        yield partial(reports.records, book, of)
        for setup in explorer.setups(book, of).rows:
            if setup.n >= MANY_BEGAN_ALIKE:
                yield partial(_ask_how_they_went_on, book, setup.key, of)
        for measure in figure_questions.measures(ruleset_id):
            if splits := figure_questions.splits_of_parts(measure):
                yield partial(figure_questions.ask, book, Question(measure.key, splits, of))


def _ask_how_they_went_on(book: Daybook, setup: str, of: Filter) -> None:
    with suppress(explorer.UnknownOpening):  # nobody decided anything in these games
        explorer.explore(book, setup, "seats", "", of)
