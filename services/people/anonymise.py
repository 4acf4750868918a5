"""Make a person anonymous: delete name, photo, address and sign-in everywhere; keep the games.

A record knows a person only by an id, so the log does not change and every seal stays valid. Texts that users typed
into a record (notes, reasons) are sealed and stay; `find_mentions` finds them beforehand. Saved files and backups are out of
reach.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import later_time, now
from daybook.services.names import appearance_key
from daybook.services.people import accounts, link_sign_ins, seated, sign_in_limits
from daybook.services.people.places import PLACES, Leaving, caches_with_people, rewritten_tables
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import why_unwritten
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.services.store.kept import kept_anonymous, kept_change, kept_earlier_name, kept_seat
from daybook.services.store.log import RecordErasedError
from daybook.services.store.migrations import remove_copies
from daybook.services.store.sqlite import connect, is_busy, sqlite

PATIENCE_SECONDS = 10.0
CLEANING_INTERVAL_HOURS = 1
Seats = list[tuple[UUID, int, str]]  # (game, seat, id under which the name is stored)

logger = logging.getLogger(__name__)


class Mention(Frozen):
    """Step of a record with a name in its text (a note, a reason, a claim)."""

    game: UUID
    step: int


def anonymise(book: Daybook, ids: Sequence[str], games: Collection[UUID] = (), *, by: str) -> bool:
    """Make a person permanently anonymous in all tables; return False if files still have to be cleaned.

    The caller checks permission and has asked for confirmation twice. Readers can prevent the cleaning of the
    database's files; it is then done later (`is_to_be_cleaned`).

    Args:
        ids: all ids of the person, the account's first.
        by: the id of the person who does it.
    """
    seats = _all_seats(book, ids)
    account = accounts.account_of(book, ids[0])
    sign_ins = {old.sign_in for old in link_sign_ins.open_of(book, ids[0])} | {account.sign_in if account else None}
    names, all_games = _all_names(book, ids, seats), {*(game_id for game_id, _, _ in seats), *games}
    leaving = Leaving(
        ids,
        [*_ids_apart(book, ids, seats), *_umpires_named(book, names, all_games)],
        names,
        [*all_games],
        anonymous_name(ids[0]),
        now(),
    )
    with book.kept.engine.begin() as c:
        for place in PLACES:
            if place.delete is not None:
                place.delete(c, leaving)
        insert_missing(
            c, kept_anonymous, [{"person": person_id, "at": leaving.at} for person_id in (*ids, *leaving.game_ids)]
        )
        accounts.log_change(c, ids[0], by, "anonymised")
    for sign_in in filter(None, sign_ins):
        sign_in_limits.forget_tries(book, sign_in)
    return not is_to_be_cleaned(book, ids) or clean_after(book, ids[0])


def anonymous_name(person: str) -> str:
    """Return the name of an anonymous person; part of the id tells two of them at a table apart."""
    return f"Anonymous {person[:4]}"


def _all_names(book: Daybook, ids: Sequence[str], seats: Seats) -> list[str]:
    """Return every name that these ids have or had in any game, except anonymous names, longest first."""
    game_ids = {*_ids_apart(book, ids, seats)}
    names = {name for person, name in book.kept.names(ids).items() if name != anonymous_name(person)}
    names |= {*earlier_names(book, [*ids, *game_ids])}
    in_games = {
        *book.kept.engine.values(
            sa.select(kept_seat.c.name).where(kept_seat.c.person.in_([*ids, *game_ids]), kept_seat.c.name.is_not(None))
        )
    }
    return sorted(names | set(book.kept.names(game_ids).values()) | in_games, key=len, reverse=True)


def _ids_apart(book: Daybook, ids: Collection[str], seats: Seats) -> list[str]:
    """Return the further ids of these people that name them in one game each, including claimed seats."""
    claimed = book.kept.names({seated.id_within(game_id, seat) for game_id, seat, _ in seats})
    return sorted({*(person for _, _, person in seats), *claimed}.difference(ids))


def _umpires_named(book: Daybook, names: Collection[str], games: Collection[UUID]) -> list[str]:
    """Return the ids of umpires of these games with a name that looks like one of these."""
    looks = {appearance_key(name) for name in names}
    named = {*book.kept.names_that_look(looks)} if looks else set[str]()
    named -= {*book.kept.engine.values(sa.select(kept_seat.c.person).where(kept_seat.c.person.in_(named)))}
    named -= {account.person for account in accounts.accounts_of(book, [*named])}
    umpires = set[str]()
    for game_id in games if named else ():
        with suppress(UnknownGameError, *UNREADABLE):
            umpires |= named.intersection(seated.umpires_of(book.games.get(game_id), book.kept.game(game_id)))
    return sorted(umpires)


def earlier_names(book: Daybook, ids: Collection[str]) -> Sequence[str]:
    """Return the former names of these ids."""
    had = kept_earlier_name.c.person.in_(ids)
    return book.kept.engine.values(sa.select(kept_earlier_name.c.name).where(had).distinct())


def _all_seats(book: Daybook, ids: Collection[str]) -> Seats:
    """Return all seats of these people."""
    seats = book.kept.engine.rows(sa.select(kept_seat).where(kept_seat.c.person.in_(ids)))
    return [(row.game, row.seat, row.person) for row in seats]


def names_of(book: Daybook, ids: Sequence[str]) -> list[str]:
    """Return all names of these ids, the longest first."""
    return _all_names(book, ids, _all_seats(book, ids))


def is_anonymous(book: Daybook, person: str) -> bool:
    return bool(anonymous_of(book, [person]))


def anonymous_of(book: Daybook, people: Collection[str]) -> set[str]:
    """Return the anonymous people among these."""
    column = kept_anonymous.c.person
    return {row.person for row in book.kept.engine.rows_where_in(sa.select(column), column, people)}


def anonymous_between(book: Daybook, after: str, before: str) -> Sequence[str]:
    """Return the people made anonymous between two times."""
    return book.kept.engine.values(
        sa.select(kept_anonymous.c.person).where(kept_anonymous.c.at > after, kept_anonymous.c.at < before)
    )


def find_mentions(book: Daybook, ids: Sequence[str], limit: int = 50) -> list[Mention]:
    """Return the steps of a person's games with sealed texts that contain one of the person's names."""
    seats, steps = _all_seats(book, ids), list[Mention]()
    wanted = [msgspec.json.encode(name)[1:-1].lower() for name in _all_names(book, ids, seats)]
    for game_id in sorted({game_id for game_id, _, _ in seats}):
        lines: list[bytes] = []
        with suppress(RecordErasedError):  # erased just now: its rows follow
            lines = book.log.lines(game_id)
        for step, line in enumerate(lines):
            if any(name in line.lower() for name in wanted):
                steps.append(Mention(game_id, step))
                if len(steps) == limit:
                    return steps
    return steps


# --- the files -------------------------------------------------------------------------------------------------------


def clean_after(book: Daybook, person: str) -> bool:
    """Clean the files after a person was made anonymous, at most once an hour for everyone, and log it.

    Return False if it is still to be done: `clean_files` failed, or the files were cleaned within the last hour.
    """
    at = now()
    if _was_cleaned_since(book, later_time(at, hours=-CLEANING_INTERVAL_HOURS)) or not clean_files(book):
        return False
    with book.kept.engine.begin() as c:
        accounts.log_change(c, person, person, "files_cleaned", at)
    return True


def _was_cleaned_since(book: Daybook, since: str) -> bool:
    cleaned = kept_change.c.what == "files_cleaned", kept_change.c.at > since
    return book.kept.engine.value(sa.select(kept_change.c.id).where(*cleaned).limit(1)) is not None


def is_to_be_cleaned(book: Daybook, people: Collection[str]) -> bool:
    """Check if one of these people was made anonymous after the files were last cleaned."""
    query = sa.select(sa.func.max(kept_anonymous.c.at)).where(kept_anonymous.c.person.in_(people))
    cleaned = kept_change.c.what == "files_cleaned", kept_change.c.at >= query.scalar_subquery()
    return bool(people) and book.kept.engine.value(sa.select(kept_change.c.id).where(*cleaned).limit(1)) is None


def clean_files(book: Daybook) -> bool:
    """Rewrite the tables that hold names, so that their files keep no deleted content. Photos stay.

    Return False if a reader blocked it for too long or the disk is full; it can be repeated.
    """
    remove_copies(book.kept.engine)  # copies made before migrations still contain the names
    for cache in caches_with_people(book.settings):
        shutil.rmtree(cache, ignore_errors=True)
    if book.settings.database_url is None:
        return _clean_file(book)
    return _clean_tables(book.settings.database_url, str(book.kept.engine.schema))


def _clean_file(book: Daybook) -> bool:
    book.kept.engine.dispose()  # the idle connections of this process
    connection = connect(book.settings.database_file("kept"), "FULL")
    try:
        deadline = time.monotonic() + PATIENCE_SECONDS
        _rewrite_tables(connection)
        connection.execute("PRAGMA busy_timeout = 0")  # a checkpoint that waits for readers keeps all writers out
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > deadline:
                logger.warning("the file of the kept tables is being read: it is not cleaned yet")
                return False
            time.sleep(0.05)
    except sqlite.OperationalError as error:
        if not is_busy(error) and why_unwritten(error) is None:
            raise
        logger.warning("the file of the kept tables is not cleaned yet: %s", error)
        return False
    finally:
        connection.close()
    return True


def _rewrite_tables(connection: Any) -> None:
    """Empty and refill each table. SQLite overwrites freed pages (secure_delete); used ones hold new rows only."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("BEGIN IMMEDIATE")
    try:
        for table in rewritten_tables():
            connection.execute(f"CREATE TEMP TABLE copy_of_rows AS SELECT * FROM main.{table}")
            connection.execute(f"DELETE FROM main.{table}")
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM copy_of_rows")
            connection.execute("DROP TABLE copy_of_rows")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _clean_tables(url: str, schema: str) -> bool:
    import psycopg

    from daybook.services.store.postgres import translate_outage

    with translate_outage(), psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"SET lock_timeout = '{int(PATIENCE_SECONDS)}s'")
        try:
            for table in rewritten_tables():
                connection.execute(psycopg.sql.SQL("VACUUM FULL {}").format(psycopg.sql.Identifier(schema, table)))
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DiskFull) as error:
            logger.warning("the kept tables are not cleaned yet: %s", error)
            return False
    return True
