"""Rows of games built from their records: a rebuild writes several games per transaction.

Games are independent, so several processes can work at once (`services.store.sharing_out`).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple, cast
from uuid import UUID

import sqlalchemy as sa
from eventsourcing.persistence import Notification

from daybook.domain.kernel.chronicle import InvalidLineError
from daybook.domain.kernel.events import Entry
from daybook.domain.kernel.record import Game
from daybook.services.league import results
from daybook.services.play import period_scores
from daybook.services.statistics import collect
from daybook.services.store import disagreements, read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import Daybook
from daybook.services.store.disagreements import Disagreement
from daybook.services.store.game_cache import fold_game
from daybook.services.store.log import GameLog, PositionedEntry, RecordErasedError, game_entries_in

logger = logging.getLogger(__name__)


class UnreadRecord(NamedTuple):
    """A game or club that cannot be read. position: in the log, of the first entry that was not taken in."""

    position: int
    says: str


class _UnreadableEntryError(Exception):
    """The entry at a position cannot be read; the cause says why."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def insert_games(book: Daybook, ids: Sequence[UUID], end: int) -> dict[UUID, UnreadRecord]:
    """Insert the rows of games into the rebuilt tables, as of a position of the log; return the omitted games.

    None of them has rows there yet.
    """
    laid: dict[sa.Table, list[read_models.TableRow]] = {}
    left_out: dict[UUID, UnreadRecord] = {}
    public, people = book.kept.public_of(ids), book.kept.people_of_imports(ids)
    by_game = disagreements.select_of_games(book.kept, ids)
    for game_id in ids:
        try:
            stored = [entry for entry in book.log.recorded_events(game_id) if entry.id <= end]
        except RecordErasedError:
            continue
        if not stored:  # it was opened since
            continue
        try:
            rows = build_game_rows(book.log, stored, game_id in public, people.get(game_id), by_game.get(game_id, ()))
        except UNAVAILABLE:
            raise
        except Exception as wrong:  # report the failure and continue with the others, as projections do
            left_out[game_id] = describe_failure(game_id, stored[0].id, wrong)
            continue
        for table, of_table in rows.items():
            laid.setdefault(table, []).extend(of_table)
    with book.views.begin() as connection:
        for table, of_table in laid.items():
            if of_table:
                connection.execute(read_models.REBUILT[table].insert(), of_table)
    return left_out


def describe_failure(game_id: UUID, position: int, error: Exception) -> UnreadRecord:
    """Log and return why a game is omitted.

    Args:
        position: of its first omitted entry, unless the error names one.
    """
    if isinstance(error, _UnreadableEntryError):
        position, error = error.position, error.__cause__ or error  # type: ignore[assignment]
    record = UnreadRecord(position, f"{type(error).__name__}: {error}")
    logger.error("%s is left out, position %s: %s", game_id, *record)
    return record


def build_game_rows(
    log: GameLog,
    stored: Sequence[Notification],
    public: bool,
    people: Sequence[str] | None = None,
    game_disagreements: Sequence[Disagreement] = (),
) -> read_models.Rows:
    """Build all rows of a game from its entries in the log, opening first.

    Args:
        game_disagreements: where the rules disagree with the record.

    Raises the errors of reading.
    """
    seen = _read_entries(log, stored)
    game = fold_game(cast(UUID, stored[0].originator_id), [entry for _, entry in seen])
    places, row = result_positions(seen), read_models.build_game_row(game, game.step, seen[-1][0], game_disagreements)
    counted = (
        build_statistics_rows(game, stored[0].id, public, people, game_disagreements) if game.status == "closed" else {}
    )
    scores = build_score_rows(game, range(len(game.entries)))
    scored = {(score["step"], score["period"]) for score in scores}
    return {
        read_models.game_row: [row],
        read_models.unscored_period: [
            end for end in period_end_rows(seen) if (end["step"], end["period"]) not in scored
        ],
        read_models.period_score: scores,
        read_models.result_row: results.game_rows(game, game.step, places, game_disagreements),
        read_models.uncounted_game: [] if counted else collect.uncounted_rows([row], ()),
        **counted,
    }


def _read_entries(log: GameLog, stored: Sequence[Notification]) -> list[tuple[int, Entry]]:
    """Read stored entries. Raises _UnreadableEntryError."""
    seen = []
    for notification in stored:
        try:
            seen.append(log.decode(notification))
        except InvalidLineError as wrong:
            raise _UnreadableEntryError(notification.id) from wrong
    return game_entries_in(seen)


def period_end_rows(seen: Sequence[PositionedEntry]) -> list[read_models.TableRow]:
    """Build rows of the periods that ended with these entries."""
    return [
        {"game": entry.originator_id, "step": entry.step, "period": period, "number": number, "notification_id": place}
        for place, entry in game_entries_in(seen)
        for period, number in period_scores.periods_ended_at(entry)
    ]


def result_positions(seen: Sequence[PositionedEntry]) -> dict[tuple[UUID, int], int]:
    """Return the log positions of entries that may change a game's result, by game and step."""
    return {
        (entry.originator_id, entry.step): place
        for place, entry in game_entries_in(seen)
        if results.changes_result(entry)
    }


def build_score_rows(game: Game, steps: range) -> list[read_models.TableRow]:
    """Build the score rows of some steps; a score that cannot be computed is left to its job to fail."""
    rows: list[read_models.TableRow] = []
    reckoner = period_scores.ScoreCalculator(game)
    for entry in game.entries[steps.start : steps.stop]:
        if period_scores.periods_ended(entry.event):
            try:
                rows += reckoner.build_rows(entry.step)
            except Exception:  # the job of this score fails separately
                logger.exception("game %s, step %s cannot be scored", game.id, entry.step)
    return rows


def build_statistics_rows(
    game: Game,
    position: int,
    public: bool,
    people: Sequence[str] | None = None,
    game_disagreements: Sequence[Disagreement] = (),
) -> read_models.Rows:
    """Build a game's statistics rows; empty if that fails, which is left to its job.

    Args:
        position: of its opening in the log.
        public: everyone may read its record.
        people: as in `collect.rows_of`.
    """
    try:
        return collect.rows_of(game, position, public, people, game_disagreements)
    except Exception:  # the job of this game fails separately
        logger.exception("game %s cannot be counted", game.id)
        return {}
