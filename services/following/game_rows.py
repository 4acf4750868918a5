"""All rows of games, made anew from their records: what a rebuild lays, some games in one transaction.

Games are independent of one another, so that many processes may lay them at once (`services.store.sharing_out`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import BadLine
from daybook.domain.kernel.events import Entry
from daybook.domain.kernel.record import Game
from daybook.services.league import results
from daybook.services.play import period_scores
from daybook.services.statistics import collect
from daybook.services.store import disagreements, read_models
from daybook.services.store.away import AWAY
from daybook.services.store.daybook import Daybook
from daybook.services.store.disagreements import Disagreement
from daybook.services.store.games import fold_game
from daybook.services.store.log import RecordErasedError, Row, Seen, of_games, read_row

logger = logging.getLogger(__name__)


class UnreadRecord(NamedTuple):
    """A game or club that cannot be read. position: in the log, of the first entry that was not taken in."""

    position: int
    says: str


class _Unread(Exception):
    """The entry at a position is no entry; the cause says why."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def lay_games(book: Daybook, ids: Sequence[UUID], end: int) -> dict[UUID, UnreadRecord]:
    """Lay the rows of games beside the present ones, as each stood at a position of the log; those left out.

    None of them has rows there yet.
    """
    laid: dict[sa.Table, list[read_models.Row]] = {}
    left_out: dict[UUID, UnreadRecord] = {}
    public, people = book.kept.public_of(ids), book.kept.people_brought(ids)
    known = disagreements.of_games(book.kept, ids)
    for game_id in ids:
        try:
            stored = [row for row in book.log.rows_of(game_id) if row[0] <= end]
        except RecordErasedError:
            continue
        if not stored:  # it was opened since
            continue
        try:
            rows = rows_anew(stored, game_id in public, people.get(game_id), known.get(game_id, ()))
        except AWAY:
            raise
        except Exception as wrong:  # as for a projection: it is told, and the others go on
            left_out[game_id] = why_left_out(game_id, stored[0][0], wrong)
            continue
        for table, of_table in rows.items():
            laid.setdefault(table, []).extend(of_table)
    with book.views.begin() as connection:
        for table, of_table in laid.items():
            if of_table:
                connection.execute(read_models.REBUILT[table].insert(), of_table)
    return left_out


def why_left_out(game_id: UUID, position: int, wrong: Exception) -> UnreadRecord:
    """position: of the first entry of what is left out, where what is wrong does not name one."""
    if isinstance(wrong, _Unread):
        position, wrong = wrong.position, wrong.__cause__ or wrong  # type: ignore[assignment]
    found = UnreadRecord(position, f"{type(wrong).__name__}: {wrong}")
    logger.error("%s is left out, position %s: %s", game_id, *found)
    return found


def rows_anew(
    stored: Sequence[Row], public: bool, people: Sequence[str] | None = None, known: Sequence[Disagreement] = ()
) -> read_models.Rows:
    """All rows of a game, from its entries as the log has them: the opening first. known: where the rules disagree with
    it. Raises what cannot be read.
    """
    seen = _read_entries(stored)
    game = fold_game(stored[0][1], [entry for _, entry in seen])
    places, row = result_places(seen), read_models.row_of(game, game.step, seen[-1][0], known)
    counted = counted_rows(game, stored[0][0], public, people, known) if game.status == "closed" else {}
    scores = score_rows(game, range(len(game.entries)))
    scored = {(score["step"], score["period"]) for score in scores}
    return {
        read_models.game_row: [row],
        read_models.unscored_period: [end for end in period_ends(seen) if (end["step"], end["period"]) not in scored],
        read_models.period_score: scores,
        read_models.result_row: results.game_rows(game, game.step, places, known),
        read_models.uncounted_game: [] if counted else collect.uncounted_rows([row], ()),
        **counted,
    }


def _read_entries(stored: Sequence[Row]) -> list[tuple[int, Entry]]:
    """Raises _Unread."""
    seen = []
    for row in stored:
        try:
            seen.append(read_row(row))
        except BadLine as wrong:
            raise _Unread(row[0]) from wrong
    return of_games(seen)


def period_ends(seen: Sequence[Seen]) -> list[read_models.Row]:
    """The periods that ended with these entries."""
    return [
        {"game": entry.originator_id, "step": entry.step, "period": period, "number": number, "notification_id": place}
        for place, entry in of_games(seen)
        for period, number in period_scores.periods_ended_at(entry)
    ]


def result_places(seen: Sequence[Seen]) -> dict[tuple[UUID, int], int]:
    """Where in the log stands what may have changed the result of a game, by game and step."""
    return {
        (entry.originator_id, entry.step): place for place, entry in of_games(seen) if results.changes_result(entry)
    }


def score_rows(game: Game, steps: range) -> list[read_models.Row]:
    """The scores of what ended at some steps. One that cannot be worked out is left to the queue to fail."""
    rows: list[read_models.Row] = []
    reckoner = period_scores.Reckoner(game)
    for entry in game.entries[steps.start : steps.stop]:
        if period_scores.periods_ended(entry.event):
            try:
                rows += reckoner.rows(entry.step)
            except Exception:  # as for a job: it fails alone
                logger.exception("game %s, step %s cannot be scored", game.id, entry.step)
    return rows


def counted_rows(
    game: Game, position: int, public: bool, people: Sequence[str] | None = None, known: Sequence[Disagreement] = ()
) -> read_models.Rows:
    """What statistics have of a game; nothing where it cannot be counted: that is left to the queue to fail.

    position: of its opening in the log. public: whether everybody may read its record. people: as of
    `collect.rows_of`.
    """
    try:
        return collect.rows_of(game, position, public, people, known)
    except Exception:  # as for a job
        logger.exception("game %s cannot be counted", game.id)
        return {}
