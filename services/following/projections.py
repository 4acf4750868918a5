"""Projections: follow the log and build read models from it, batch by batch.

A projection applies all events in order. It waits while a database or the queue server is unreachable. If it cannot
apply an event, it sets the game or club aside, reports it, and tries again from time to time
(`services.store.set_aside`); the others continue. Projections are independent: one that stops delays neither the others
nor recording.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from threading import Event
from typing import cast
from uuid import UUID

import sqlalchemy as sa
from eventsourcing.persistence import Notification, Tracking

from daybook.domain.kernel.chronicle import Entry, InvalidLineError, seal_of
from daybook.domain.league.club_events import is_of_club
from daybook.domain.tombstone import Tombstone, is_tombstone
from daybook.services.files.imported_games import due_days
from daybook.services.following.game_rows import (
    UnreadRecord,
    build_score_rows,
    build_statistics_rows,
    describe_failure,
    insert_games,
    period_end_rows,
    result_positions,
)
from daybook.services.league import ratings, results
from daybook.services.play import period_scores
from daybook.services.statistics import collect, typed_results, visibility
from daybook.services.store import disagreements, read_models, set_aside, shapes
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.database import create_tables
from daybook.services.store.daybook import Daybook
from daybook.services.store.locks import Heartbeat, make_lock, run_exclusively
from daybook.services.store.log import PositionedEntry as PositionedEntry
from daybook.services.store.log import RecordErasedError, club_entries_in, game_entries_in, is_erasure, tombstones_in
from daybook.services.store.sharing_out import run_in_pieces
from daybook.services.store.tracking import OvertakenError, ProjectionTracking

GAMES = "games"  # projection with one row per game
SCORES = "scores"  # projection that enqueues scores of ended periods

BATCH = 500
RETRY_SECONDS = (0.1, 0.5, 2.0)  # waits before an event counts as unprocessable
RETRY_ASIDE_SECONDS = 600.0  # before records that were set aside are tried again
STOP_CHECK_SECONDS = 1.0  # maximum delay of a request to stop

logger = logging.getLogger(__name__)


class ProjectionStuckError(Exception):
    """The event after `position` cannot be processed; the cause says why."""

    def __init__(self, position: int, cause: Exception) -> None:
        super().__init__(f"the event after position {position} cannot be taken in: {type(cause).__name__}: {cause}")


class OtherSchemaError(Exception):
    """The read models were made by another version: run `daybook rebuild`, or serve once."""


class OtherLogError(OtherSchemaError):
    """The read models were made from another log, as after a restore: run `daybook rebuild`."""

    def __init__(self) -> None:
        super().__init__(
            "the read models were made from another log, or from what this one has lost: run `daybook rebuild`"
        )


@dataclass(frozen=True, slots=True)
class Projection:
    """Projection of the log to tables.

    Args:
        fold: returns the rows of events, to be written with the new position; may be called twice.
        put: writes the rows.

    Raises UnavailableError for an unreachable server.
    """

    name: str
    fold: Callable[[Sequence[PositionedEntry]], read_models.Rows]
    put: Callable[[sa.Connection, read_models.Rows], None] = read_models.write_rows


def games_projection(book: Daybook) -> Projection:
    """Return the projection with one row per game."""
    return Projection(GAMES, partial(_game_rows, book), _write_games)


def _game_rows(book: Daybook, events: Sequence[PositionedEntry]) -> read_models.Rows:
    """Build one row per game of a batch, as of its last event there, and note which are to be counted."""
    newest = {entry.originator_id: (entry.step, place) for place, entry in game_entries_in(events)}
    by_game = disagreements.select_of_games(book.kept, newest.keys())
    rows = [
        read_models.build_game_row(book.games.get(game_id), *last, by_game.get(game_id, ()))
        for game_id, last in newest.items()
    ]
    touched = {entry.originator_id for _, entry in game_entries_in(events) if collect.may_change_figures(entry)}
    due = [{"game": game, "due_on": day} for game, day in due_days(book, newest).items()]
    return {
        read_models.game_row: rows,
        read_models.uncounted_game: collect.uncounted_rows(rows, touched),
        read_models.unanalysed_game: due,
    }


def _write_games(connection: sa.Connection, rows: read_models.Rows) -> None:
    read_models.write_rows(connection, {read_models.game_row: rows[read_models.game_row]})
    due = {row["game"]: row["due_on"] for row in rows[read_models.unanalysed_game]}
    _write_unanalysed(connection, rows[read_models.game_row], due)
    if uncounted := rows[read_models.uncounted_game]:
        collect.write_uncounted(connection, uncounted)


def _write_unanalysed(
    connection: sa.Connection, games: Sequence[read_models.TableRow], due: Mapping[UUID, str]
) -> None:
    """Note which of these are to be analysed: those that are closed; a worker may have been quicker."""
    noted, known = read_models.unanalysed_game, read_models.analysed_game
    connection.execute(noted.delete().where(noted.c.game.in_([row["game"] for row in games])))
    for row in games:
        is_known = sa.and_(known.c.game == row["game"], known.c.step == row["step"], known.c.done)
        if row["status"] == "closed" and connection.scalar(sa.select(known.c.game).where(is_known)) is None:
            practice = row["kind"] == "practice"
            new = {"game": row["game"], "step": row["step"], "practice": practice, "position": row["position"]}
            read_models.write_rows(connection, {noted: [new | {"due_on": due.get(row["game"], "")}]})


def results_projection(book: Daybook) -> Projection:
    """Return the projection of results, clubs and typed results."""
    return Projection(results.RESULTS, lambda events: results.fold(book, events), results.write_rows)


# --- one projection --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class BatchProjector:
    """Moves a projection on, a batch of events and one transaction at a time.

    It replaces the library's projection runner, which commits each event (3,400 a second on SQLite, batches of 500 take
    68,000) and ends at the first error: here a record that cannot be applied is set aside, and all others continue.
    """

    book: Daybook
    projection: Projection
    pause: Callable[[float], object] = time.sleep
    limit: int = BATCH
    token: str = ""  # ProjectionTracking.take_over
    aside: set[UUID] | None = None  # the games and clubs that are left out; None: not looked up yet

    @property
    def tracking(self) -> ProjectionTracking:
        return ProjectionTracking(self.book.views, self.projection.name, self.token)

    @property
    def position(self) -> int:
        return self.tracking.max_tracking_id() or 0

    def process_batch(self) -> int:
        """Process the next events and return their number. Raises the errors in UNAVAILABLE.

        A game or club whose event cannot be processed is set aside; for any other event, ProjectionStuckError is
        raised.
        """
        for seconds in (*RETRY_SECONDS, None):
            try:
                return self._process_events(self.limit)
            except UNAVAILABLE:
                raise
            except Exception as wrong:  # whatever is wrong, it stops this projection and no other
                logger.warning("%s: %s: %s", self.projection.name, type(wrong).__name__, wrong)
                if seconds is None:
                    break
                self.pause(seconds)
        return self._isolate_failure()

    def _process_events(self, limit: int) -> int:
        start = self.position
        given = self.book.log.notifications(start, limit)
        if not given:
            return 0
        aside = self._set_aside_ids()
        events = [
            self.book.log.decode_lazily(new) for new in given if new.originator_id not in aside or is_erasure(new)
        ]
        events, rows = self._fold_events(events)
        erased = tombstones_in(events)
        with suppress(OvertakenError), self.book.views.begin() as connection:
            self.tracking.advance(connection, start, Tracking(self.book.log.name, given[-1].id))
            if events:
                place, last = events[-1]
                read_models.mark_position(connection, [self.projection.name], place, last.originator_id, last.seal)
            self.projection.put(connection, rows)
            if erased:
                remove_erased(self.book, connection, erased)
        if erased:
            self.aside = None
        return len(given)

    def _fold_events(self, events: list[PositionedEntry]) -> tuple[list[PositionedEntry], read_models.Rows]:
        """Fold events without those of records that were erased later; the events that are left, and their rows."""
        while True:
            try:
                return events, self.projection.fold(events)
            except RecordErasedError as erased:
                gone = erased.id
            events = [seen for seen in events if seen[1].originator_id != gone or is_tombstone(seen[1].line)]

    def _set_aside_ids(self) -> set[UUID]:
        if self.aside is None:
            self.aside = set(set_aside.select_ids(self.book.views, self.projection.name))
        return self.aside

    def _set_aside(self, error: Exception) -> None:
        """Set aside the game or club of the next event. Raises ProjectionStuckError if it is set aside already."""
        start = self.position
        (failed,) = self.book.log.notifications(start, 1)
        place, record_id = failed.id, cast(UUID, failed.originator_id)
        if record_id in self._set_aside_ids():
            raise ProjectionStuckError(start, error) from error
        says = f"{type(error).__name__}: {error}"
        with self.book.views.begin() as connection:
            # keep the turn while writing
            self.tracking.fence(connection, start)
            set_aside.add(connection, [self.projection.name], record_id, place, says)
        self.aside = None
        logger.error("%s: %s is set aside at position %s: %s", self.projection.name, record_id, place, says)

    def retry_aside(self) -> None:
        """Retry what was set aside, up to the projection's position."""
        self.aside = None
        for record_id in sorted(self._set_aside_ids()):
            start = self.position
            try:
                _, rows = self._fold_events(self._rows_up_to(record_id, start))
                with self.book.views.begin() as connection:
                    self.tracking.fence(connection, start)
                    self.projection.put(connection, rows)
                    set_aside.remove(connection, self.projection.name, record_id)
            except UNAVAILABLE:
                raise
            except OvertakenError:
                return
            except Exception as wrong:  # it stays aside, and the next one is tried
                logger.info("%s: %s stays set aside: %s", self.projection.name, record_id, wrong)
                continue
            logger.warning("%s: %s can be read again", self.projection.name, record_id)
        self.aside = None

    def _rows_up_to(self, record_id: UUID, position: int) -> list[PositionedEntry]:
        """Return entries of a game or club up to a position; none if it was erased."""
        with suppress(RecordErasedError):
            return [
                self.book.log.decode_lazily(entry)
                for entry in self.book.log.recorded_events(record_id)
                if entry.id <= position
            ]
        return []

    def _isolate_failure(self) -> int:
        """Process events in ever smaller batches up to the failing one, and set its game aside.

        Raises ProjectionStuckError.
        """
        taken, limit = 0, self.limit
        while taken < self.limit:
            limit = max(1, limit // 2)
            try:
                several = self._process_events(limit)
            except UNAVAILABLE:
                raise
            except Exception as wrong:  # as above
                if limit == 1:
                    self._set_aside(wrong)
                    return taken + 1
                continue
            if not several:
                break
            taken += several
        return taken


def catch_up(book: Daybook, projection: Projection) -> None:
    """Take in everything that is in the log now. Raises Stuck, and what is in UNAVAILABLE."""
    projector = BatchProjector(book, projection)
    while projector.process_batch():
        pass


def follow_log(book: Daybook, projection: Projection, stop: Event) -> None:
    """Process events as they are written until stopped; in one process at a time."""
    projector = BatchProjector(book, projection, stop.wait)

    again = 0.0

    def process_once(beat: Heartbeat) -> None:
        nonlocal again
        projector.token = beat.token
        if time.monotonic() >= again:
            projector.retry_aside()
            again = time.monotonic() + RETRY_ASIDE_SECONDS
        taken = projector.process_batch()
        at = projector.position
        beat(lambda: read_models.write_health(book.views, projection.name, "running", at, caught_up=not taken))
        if not taken:
            position = projector.position
            if position > book.log.newest():
                raise OtherLogError
            book.log.wait(position, STOP_CHECK_SECONDS)

    run_exclusively(book, projection.name, process_once, stop)


def remove_erased(
    book: Daybook,
    connection: sa.Connection,
    erased: Sequence[Entry[Tombstone]],
    to: Mapping[sa.Table, sa.Table] | None = None,
) -> None:
    """Delete the rows of erased games and clubs. to: the tables to delete from, if not the present ones."""
    clubs = [entry.originator_id for entry in erased if is_of_club(entry.line)]
    if games := [entry.originator_id for entry in erased if not is_of_club(entry.line)]:
        read_models.remove_games(connection, games, to)
    if clubs:
        read_models.remove_clubs(connection, clubs, to)
        typed_results.remove_unknown(book, connection, to)


# --- rebuild ----------------------------------------------------------------------------------------------------------


class AlreadyRebuildingError(Exception):
    """Another process is rebuilding the read models; the message says what to do."""


Progress = Callable[[int, int], object]  # games done, games in all


def require_schema(book: Daybook) -> None:
    """Check that the read models have this version's schema and this log. Raises OtherSchemaError, OtherLogError."""
    schema = _read_schema(book)
    if schema != read_models.SCHEMA:
        raise OtherSchemaError(
            f"the read models have schema {schema} and this Daybook has {read_models.SCHEMA}: run `daybook rebuild`"
        )
    if not _of_this_log(book):
        raise OtherLogError


def prepare_read_models(book: Daybook, progress: Progress = lambda done, total: None) -> None:
    """Rebuild the read models if their version or log differs, or if they are empty and the log is not.

    Runs before anything else is started. Games that cannot be processed are set aside.
    """
    fits = _read_schema(book) == read_models.SCHEMA and _of_this_log(book)
    if fits and (read_models.position_of(book.views, GAMES) or not book.log.newest()):
        return
    try:
        rebuild_read_models(book, progress)
    except ProjectionStuckError as stuck:
        logger.error("the read models are followed instead of rebuilt: %s", stuck, exc_info=stuck.__cause__)


def rebuild_read_models(
    book: Daybook, progress: Progress = lambda done, total: None, workers: int = 1
) -> dict[UUID, str]:
    """Rebuild all read models from the log, including scores, ratings and years in review, while the service runs.

    The rows are written to new tables that replace the old ones in one transaction of constant duration. Followers add
    what was recorded at the end. UnreadableError records are set aside and returned with the reason.

    Args:
        workers: processes to share the games.

    Raises AlreadyRebuildingError and ProcessLostError; nothing has changed then.
    """
    turn = make_lock(book.settings, "rebuild")
    try:
        if not turn.take():
            raise AlreadyRebuildingError("another process rebuilds the read models: wait for it")
        if _read_schema(book) != read_models.SCHEMA or not _of_this_log(book):  # the present tables are unusable
            old_tables = sa.MetaData()  # includes tables of other versions
            old_tables.reflect(book.views)
            old_tables.drop_all(book.views)
            create_tables(book.views, read_models.metadata)
        with _new_tables(book):
            work = Rebuild(book, progress, workers)
            work.rebuild_all()
        _compute_clubs(book)
        return {record_id: says for record_id, (_, says) in work.left_out.items()}
    finally:
        turn.release()


def _compute_clubs(book: Daybook) -> None:
    """Compute the ratings and reviews of all clubs. One that fails is left to the queue."""
    from daybook.services.league import year_reviews  # imports statistics, which a device without a network lacks

    for club in results.newest_changes(book):
        for compute in (ratings.rate_club, year_reviews.review_club):
            try:
                compute(book, club)
            except UNAVAILABLE:
                raise
            except Exception:  # as for a job
                logger.exception("%s fails for club %s", compute.__name__, club)


@contextmanager
def _new_tables(book: Daybook) -> Iterator[None]:
    """Create empty tables for the rebuild inside the block."""
    read_models.rebuilding.drop_all(book.views)  # left over from a killed rebuild
    read_models.rename_rebuilt_indexes()
    create_tables(book.views, read_models.rebuilding)
    try:
        yield
    finally:
        read_models.rebuilding.drop_all(book.views)


@dataclass(slots=True)
class Rebuild:
    """A rebuild in progress: first all games, then the entries recorded meanwhile.

    Nothing else reads the new tables, so each piece is committed separately.
    """

    book: Daybook
    progress: Progress
    workers: int = 1
    position: int = 0  # jobs of all entries up to here are enqueued
    newest: dict[UUID, int] = field(default_factory=dict)  # of games that have moved on since, the step they stand at
    places: dict[tuple[UUID, int], int] = field(default_factory=dict)  # and of what may have changed their results
    left_out: dict[UUID, UnreadRecord] = field(default_factory=dict)

    def rebuild_all(self) -> None:
        self._lay_games()
        behind = self.book.log.newest() - self.position
        while behind > 0:
            self._lay_all(self._insert_new_rows())
            if behind <= BATCH:  # the rest is small enough for followers
                break
            behind = self.book.log.newest() - self.position
        self._delete_unread()
        self.switch_tables()

    def _lay_games(self) -> None:
        """All games and clubs, as they stand now; a game is read once."""
        end, games, done = self.book.log.newest(), self.book.log.game_ids(), 0
        self.progress(done, len(games))
        for several, left_out in run_in_pieces(self.book, partial(insert_games, end=end), games, self.workers):
            self.left_out |= left_out
            done += several
            self.progress(done, len(games))
        for club in self.book.log.club_ids():
            with suppress(RecordErasedError):
                rows = self._club_rows(
                    self._read_events([entry for entry in self.book.log.recorded_events(club) if entry.id <= end])
                )
                with self.book.views.begin() as connection:
                    results.write_rows(connection, rows, read_models.REBUILT)
        self.position = end

    def _insert_new_rows(self) -> dict[UUID, int]:
        """Insert the periods that ended since the position; return touched games with their step before."""
        touched: dict[UUID, int] = {}
        end = self.book.log.newest()
        while self.position < end and (newer := self.book.log.notifications(self.position, BATCH)):
            events = self._read_events(newer)
            for _, entry in game_entries_in(events):
                touched.setdefault(entry.originator_id, entry.step - 1)
                self.newest[entry.originator_id] = entry.step
            self.places |= result_positions(events)
            ended_there = self._club_rows(events)
            with self.book.views.begin() as connection:
                read_models.write_rows(
                    connection, {read_models.REBUILT[read_models.unscored_period]: period_end_rows(events)}
                )
                results.write_rows(connection, ended_there, read_models.REBUILT)
                if erased := tombstones_in(events):
                    remove_erased(self.book, connection, erased, read_models.REBUILT)
            for tombstone in erased:
                touched.pop(tombstone.originator_id, None)
                self.left_out.pop(tombstone.originator_id, None)
            self.position = newer[-1].id
        return {record_id: before for record_id, before in touched.items() if record_id not in self.left_out}

    def _read_events(self, stored: Sequence[Notification]) -> list[PositionedEntry]:
        """Return the readable events of a batch; games and clubs with unreadable ones are omitted from there on."""
        events: list[PositionedEntry] = []
        for notification in stored:
            record_id = cast(UUID, notification.originator_id)
            if record_id not in self.left_out or is_erasure(notification):
                try:
                    events.append(self.book.log.decode(notification))
                except InvalidLineError as wrong:
                    self.left_out[record_id] = describe_failure(record_id, notification.id, wrong)
        return [seen for seen in events if seen[1].originator_id not in self.left_out or is_tombstone(seen[1].line)]

    def _club_rows(self, events: Sequence[PositionedEntry]) -> read_models.Rows:
        """Build the rows of the clubs in a batch, as of their last event there."""
        by_club: dict[UUID, list[PositionedEntry]] = {}
        for seen in club_entries_in(events):
            by_club.setdefault(seen[1].originator_id, []).append(seen)
        rows: dict[sa.Table, list[read_models.TableRow]] = {}
        for club_id, of_club in by_club.items():
            try:
                folded = results.fold(self.book, of_club)
            except RecordErasedError:  # its tombstone comes later
                continue
            except UNAVAILABLE:
                raise
            except Exception as wrong:  # as for a projection
                self.left_out[club_id] = describe_failure(club_id, of_club[0][0], wrong)
                continue
            for table, of_table in folded.items():
                rows.setdefault(table, []).extend(of_table)
        return rows

    def _lay_all(self, touched: dict[UUID, int]) -> None:
        self.progress(0, len(touched))
        for done, (game_id, before) in enumerate(touched.items(), 1):
            with self.book.views.begin() as connection:
                self._insert_rows(connection, game_id, before)
            self.progress(done, len(touched))

    def _insert_rows(self, connection: sa.Connection, game_id: UUID, before: int) -> None:
        try:
            game = self.book.games.get(game_id)
            game_disagreements = disagreements.select_of_game(self.book.kept, game_id)
            row = read_models.build_game_row(
                game, self.newest[game_id], self.book.log.position(game_id, self.newest[game_id]), game_disagreements
            )
            ends = results.game_rows(game, self.newest[game_id], self.places, game_disagreements)
        except RecordErasedError:  # as above
            return
        except UNAVAILABLE:
            raise
        except Exception as wrong:  # as for a projection
            self.left_out[game_id] = describe_failure(game_id, self.book.log.position(game_id, 0), wrong)
            return
        read_models.write_rows(
            connection,
            {read_models.REBUILT[read_models.game_row]: [row], read_models.REBUILT[read_models.result_row]: ends},
        )
        scores = build_score_rows(game, range(before + 1, self.newest[game_id] + 1))
        period_scores.insert_scores(connection, scores, read_models.REBUILT)
        counted = build_statistics_rows(
            game,
            self.book.log.position(game_id, 0),
            game_id in self.book.kept.public_of([game_id]),
            self.book.kept.people_of_imports([game_id]).get(game_id),
            game_disagreements,
        )
        if counted and (game.status == "closed" or before >= 0):
            collect.write_rows(connection, game, counted, read_models.REBUILT)
        elif not counted:
            read_models.write_rows(
                connection, {read_models.REBUILT[read_models.uncounted_game]: collect.uncounted_rows([row], [game_id])}
            )

    def _delete_unread(self) -> None:
        with self.book.views.begin() as connection:
            for record_id in self.left_out:
                for table, new_table in read_models.REBUILT.items():
                    key = new_table.c.get("club" if "club" in table.c else "game")
                    if key is not None:
                        connection.execute(new_table.delete().where(key == record_id))

    def switch_tables(self) -> None:
        """Replace the present tables by the new ones once no query uses them."""
        if self.book.views.schema is not None:  # or PostgreSQL would know nothing of their sizes at first
            self.book.views.write(sa.text(f"ANALYZE {', '.join(table.name for table in read_models.REBUILT.values())}"))
        for tries in count():
            try:
                with self.book.views.begin() as connection:
                    _lock_tables(connection)
                    self._rename_tables(connection)
                return
            except sa.exc.OperationalError as held:
                if getattr(held.orig, "sqlstate", "") not in LOCK_CONFLICT_CODES:
                    raise
            if tries % LOG_EVERY_TRIES == 0:
                logger.warning("the new read models wait for who reads or writes the present ones")
            time.sleep(PAUSE_SECONDS)

    def _rename_tables(self, connection: sa.Connection) -> None:
        visibility.update_new_summary(self.book, connection, read_models.REBUILT[read_models.seat_summary])
        for table, new_table in read_models.REBUILT.items():
            table.drop(connection)
            connection.execute(sa.text(f"ALTER TABLE {new_table.name} RENAME TO {table.name}"))
        all_of_them = (GAMES, SCORES, results.RESULTS)
        set_aside.clear_projections(connection)
        for record_id, (place, says) in self.left_out.items():
            set_aside.add(connection, all_of_them, record_id, place, says)
        read_models.note_change(connection)
        connection.execute(read_models.summed_month.delete())
        connection.execute(read_models.summed_person.delete())
        stand = [{"projection": name, "notification_id": self.position} for name in all_of_them]
        read_models.write_rows(connection, {read_models.position: stand})
        if (entry := self.book.log.notification_at(self.position)) is not None:
            record, seal = cast(UUID, entry.originator_id), seal_of(self.book.log.line_of(entry))
            read_models.mark_position(connection, all_of_them, self.position, record, seal)


LOCK_CONFLICT_CODES = ("55P03", "40P01")  # PostgreSQL: lock timeout, deadlock
LOCK_TIMEOUT_SECONDS = 0.5  # shorter than PostgreSQL's deadlock check
PAUSE_SECONDS = 1.0
LOG_EVERY_TRIES = 60


def _lock_tables(connection: sa.Connection) -> None:
    """Lock the read models against other writers until the end of the transaction; SQLite always does.

    Positions are locked first, as projections do. A short timeout resolves the remaining deadlocks; the caller retries.
    """
    if connection.dialect.name == "postgresql":
        names = ", ".join(table.name for table in (read_models.position, *read_models.REBUILT))
        connection.execute(sa.text(f"SET LOCAL lock_timeout = '{int(1000 * LOCK_TIMEOUT_SECONDS)}ms'"))
        connection.execute(sa.text(f"LOCK TABLE {names} IN EXCLUSIVE MODE"))


def _read_schema(book: Daybook) -> int:
    """Return the schema version of the read models; 0 if there are none."""
    with book.views.connect() as connection:
        if not shapes.table_exists(connection, read_models.views_schema):
            return 0
        return connection.scalar(sa.select(sa.func.max(read_models.views_schema.c.number))) or 0


def _of_this_log(book: Daybook) -> bool:
    """Check if what the read models were made from is in this log still, at the same places, or was erased since."""
    return all(
        book.log.seal_at(place) == seal or book.log.is_erased(record)
        for place, record, seal in read_models.read_marks(book.views)
    )
