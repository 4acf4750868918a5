"""Making a person anonymous: name, photo, address and sign-in vanish from everything Daybook keeps; games stay.

A record knows a person by an id alone, so nothing in the log changes and every seal stays whole. What people have
typed into a record (notes, reasons) is sealed and stays; `mentions` finds it beforehand. Files that were saved
before, and backups, are in the hands of those who have them.
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
from daybook.services.store.games import UNREADABLE, UnknownGameError
from daybook.services.store.kept import kept_anonymous, kept_change, kept_earlier_name, kept_seat
from daybook.services.store.log import RecordErasedError
from daybook.services.store.migrations import remove_copies
from daybook.services.store.sqlite import connect, is_busy, sqlite

PATIENCE_SECONDS = 10.0
CLEANING_HOURS = 1  # between two runs
Seats = list[tuple[UUID, int, str]]  # games, their seats, and by which id the name of each is kept

logger = logging.getLogger(__name__)


class Mention(Frozen):
    """A step of a record in which a name is written: a note, a reason, a claim."""

    game: UUID
    step: int


def anonymise(book: Daybook, ids: Sequence[str], games: Collection[UUID] = (), *, by: str) -> bool:
    """Make a person, known by these ids, anonymous for good; the first is the one they are known by. by: an id.

    The caller has asked twice, and asks whether `by` may do it. False: all is gone from the tables, but the files of
    the database could not be cleaned just now, since somebody was reading; that is done later (`is_to_be_cleaned`).
    """
    seats = _all_seats(book, ids)
    held = accounts.account(book, ids[0])
    sign_ins = {old.sign_in for old in link_sign_ins.open_of(book, ids[0])} | {held.sign_in if held else None}
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
        insert_missing(c, kept_anonymous, [{"person": id, "at": leaving.at} for id in (*ids, *leaving.apart)])
        accounts.log_change(c, ids[0], by, "anonymised")
    for sign_in in filter(None, sign_ins):
        sign_in_limits.forget(book, sign_in)
    return not is_to_be_cleaned(book, ids) or clean_after(book, ids[0])


def anonymous_name(id: str) -> str:
    """What somebody is called from now on: two of them at one table can still be told apart."""
    return f"Anonymous {id[:4]}"


def _all_names(book: Daybook, ids: Sequence[str], seats: Seats) -> list[str]:
    """Every name these ids have or had, in all games, without those that are anonymous already."""
    apart = {*_ids_apart(book, ids, seats)}
    found = {name for id, name in book.kept.names(ids).items() if name != anonymous_name(id)}
    found |= {*earlier_names(book, [*ids, *apart])}
    in_games = {
        *book.kept.engine.values(
            sa.select(kept_seat.c.name).where(kept_seat.c.person.in_([*ids, *apart]), kept_seat.c.name.is_not(None))
        )
    }
    return sorted(found | set(book.kept.names(apart).values()) | in_games, key=len, reverse=True)


def _ids_apart(book: Daybook, ids: Collection[str], seats: Seats) -> list[str]:
    """Return further ids by which these people are named in single games: also of seats from a file that they claimed."""
    claimed = book.kept.names({seated.id_within(game_id, seat) for game_id, seat, _ in seats})
    return sorted({*(person for _, _, person in seats), *claimed}.difference(ids))


def _umpires_named(book: Daybook, names: Collection[str], games: Collection[UUID]) -> list[str]:
    """Return the ids of umpires of some games who were named by one of these names: each is known in one game."""
    looks = {appearance_key(name) for name in names}
    named = {*book.kept.names_that_look(looks)} if looks else set[str]()
    named -= {*book.kept.engine.values(sa.select(kept_seat.c.person).where(kept_seat.c.person.in_(named)))}
    named -= {account.person for account in accounts.accounts(book, [*named])}
    found = set[str]()
    for game_id in games if named else ():
        with suppress(UnknownGameError, *UNREADABLE):
            found |= named.intersection(seated.umpires_of(book.games.get(game_id), book.kept.game(game_id)))
    return sorted(found)


def earlier_names(book: Daybook, ids: Collection[str]) -> Sequence[str]:
    """Return names that these ids had before."""
    had = kept_earlier_name.c.person.in_(ids)
    return book.kept.engine.values(sa.select(kept_earlier_name.c.name).where(had).distinct())


def _all_seats(book: Daybook, ids: Collection[str]) -> Seats:
    """Return every seat of these people."""
    seats = book.kept.engine.rows(sa.select(kept_seat).where(kept_seat.c.person.in_(ids)))
    return [(row.game, row.seat, row.person) for row in seats]


def names_of(book: Daybook, ids: Sequence[str]) -> list[str]:
    """Return every name by which these ids are known, the longest first."""
    return _all_names(book, ids, _all_seats(book, ids))


def is_anonymous(book: Daybook, person: str) -> bool:
    return bool(anonymous_of(book, [person]))


def anonymous_of(book: Daybook, people: Collection[str]) -> set[str]:
    """Those of some people who were made anonymous."""
    column = kept_anonymous.c.person
    return {row.person for row in book.kept.engine.rows_where_in(sa.select(column), column, people)}


def anonymous_between(book: Daybook, after: str, before: str) -> Sequence[str]:
    """Who was made anonymous between two times."""
    return book.kept.engine.values(
        sa.select(kept_anonymous.c.person).where(kept_anonymous.c.at > after, kept_anonymous.c.at < before)
    )


def mentions(book: Daybook, ids: Sequence[str], limit: int = 50) -> list[Mention]:
    """Where the records of a person's games have the name written in words: sealed, and so for ever."""
    seats, found = _all_seats(book, ids), list[Mention]()
    wanted = [msgspec.json.encode(name)[1:-1].lower() for name in _all_names(book, ids, seats)]
    for game_id in sorted({game_id for game_id, _, _ in seats}):
        lines: list[bytes] = []
        with suppress(RecordErasedError):  # a moment ago: its seats are about to go
            lines = book.log.lines(game_id)
        for step, line in enumerate(lines):
            if any(name in line.lower() for name in wanted):
                found.append(Mention(game_id, step))
                if len(found) == limit:
                    return found
    return found


# --- the files -------------------------------------------------------------------------------------------------------


def clean_after(book: Daybook, person: str) -> bool:
    """Clean the files after somebody was made anonymous, and note that they are; once for all who asked within an hour.

    Return False if that is still to be done: as for `clean`, or because the files were cleaned less than an hour ago.
    """
    at = now()
    if _was_cleaned_since(book, later_time(at, hours=-CLEANING_HOURS)) or not clean(book):
        return False
    with book.kept.engine.begin() as c:
        accounts.log_change(c, person, person, "files_cleaned", at)
    return True


def _was_cleaned_since(book: Daybook, since: str) -> bool:
    cleaned = kept_change.c.what == "files_cleaned", kept_change.c.at > since
    return book.kept.engine.value(sa.select(kept_change.c.id).where(*cleaned).limit(1)) is not None


def is_to_be_cleaned(book: Daybook, people: Collection[str]) -> bool:
    """Whether the files were not cleaned since some people were made anonymous: somebody was reading, there was no room,
    or a process was killed before."""
    query = sa.select(sa.func.max(kept_anonymous.c.at)).where(kept_anonymous.c.person.in_(people))
    cleaned = kept_change.c.what == "files_cleaned", kept_change.c.at >= query.scalar_subquery()
    return bool(people) and book.kept.engine.value(sa.select(kept_change.c.id).where(*cleaned).limit(1)) is None


def clean(book: Daybook) -> bool:
    """Rewrite the tables with names, so that their files hold nothing of what was changed or removed. Photos stay.

    Return False if somebody kept reading for too long, or the disk is full: nothing is lost, and it can be repeated.
    """
    remove_copies(book.kept.engine)  # which hold everything as it was before
    for cache in caches_with_people(book.settings):
        shutil.rmtree(cache, ignore_errors=True)
    if book.settings.database_url is None:
        return _clean_file(book)
    return _clean_tables(book.settings.database_url, str(book.kept.engine.schema))


def _clean_file(book: Daybook) -> bool:
    book.kept.engine.dispose()  # connections of this process that nobody uses
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
    except sqlite.OperationalError as wrong:
        if not is_busy(wrong) and why_unwritten(wrong) is None:
            raise
        logger.warning("the file of the kept tables is not cleaned yet: %s", wrong)
        return False
    finally:
        connection.close()
    return True


def _rewrite_tables(connection: Any) -> None:
    """Empty and refill each table. Pages that become free are overwritten (secure_delete), others hold new rows only."""
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
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DiskFull) as wrong:
            logger.warning("the kept tables are not cleaned yet: %s", wrong)
            return False
    return True
