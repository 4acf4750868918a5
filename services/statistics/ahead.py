"""Precompute the answers that statistics pages need about all public games.

Workers fill `services.statistics.partial_answers` where there are many games: after a rebuild, and after many games
were added at once. So no viewer waits for the first answer.
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

JOB_SECONDS = 15.0
ALL_RULESETS = ""
MIN_GAMES_OF_SETUP = 2_000  # a set-up with fewer is quick to explore
NOTE = "asked ahead: "  # key prefix of the rows that store the count of changes at the last complete run


def rulesets_due(book: Daybook) -> list[str]:
    """Return rulesets, and ALL_RULESETS, with changes since their questions were answered last."""
    changes = partial_answers.count_changes(book)
    if changes is None:
        return []
    done: dict[str, int] = {
        row.query: row.changes
        for row in book.views.rows(
            sa.select(partial_answer.c.query, partial_answer.c.changes).where(
                partial_answer.c.level == 0,
                partial_answer.c.query.in_([NOTE + ruleset for ruleset in (ALL_RULESETS, *RULESETS)]),
            )
        )
    }
    return [ruleset for ruleset in (ALL_RULESETS, *RULESETS) if done.get(NOTE + ruleset) != changes]


def ask_ahead(book: Daybook, ruleset_id: str, seconds: float = JOB_SECONDS) -> bool:
    """Answer the questions of pages about a game; return False if the time was up before the last one."""
    changes, until = partial_answers.count_changes(book), time.monotonic() + seconds
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
    """Yield calls that answer what the pages about a game ask of all public games."""
    all_public = Filter(ruleset=ruleset_id, readable=frozenset())
    yield partial(figure_questions.count_games, book, msgspec.structs.replace(all_public, practice="yes"))
    yield partial(figure_questions.count_games, book, all_public)
    yield partial(partial_answers.cached_rows, book, partial_answers.DAYS)  # for filters by date
    for preset in figure_questions.presets(ruleset_id):
        yield partial(figure_questions.compute_table, book, figure_questions.question_of_preset(preset, all_public))
    yield partial(explorer.find_setups, book, all_public)
    yield partial(reports.win_streaks, book, all_public)
    if ruleset_id:
        yield partial(reports.compare_winners, book, all_public)
        yield partial(reports.record_values, book, all_public)
        for setup in explorer.find_setups(book, all_public).rows:
            if setup.n >= MIN_GAMES_OF_SETUP:
                yield partial(_explore_setup, book, setup.key, all_public)
        for measure in figure_questions.measures(ruleset_id):
            if splits := figure_questions.splits_of_parts(measure):
                yield partial(figure_questions.compute_table, book, Question(measure.key, splits, all_public))


def _explore_setup(book: Daybook, setup: str, game_filter: Filter) -> None:
    with suppress(explorer.UnknownOpeningError):  # these games have no decisions
        explorer.explore_opening(book, setup, "seats", "", game_filter)
