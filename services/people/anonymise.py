"""Making a person anonymous: name, photo, address and sign-in vanish from everything Daybook keeps; games stay.

A record knows a person by an id alone, so nothing in the log changes and every seal stays whole. What people have
typed into a record (notes, reasons) is sealed and stays; `mentions` finds it beforehand. Files that were saved
before, and backups, are in the hands of those who have them.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.blanking import blank_spans
from daybook.services.clock import now
from daybook.services.people import accounts, link_sign_ins, photo_store, sign_in_limits
from daybook.services.people.access import opening_writer, role_grant_id
from daybook.services.store.database import insert_missing
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import why_unwritten
from daybook.services.store.kept import (
    kept_account,
    kept_anonymous,
    kept_apart,
    kept_calendar,
    kept_change,
    kept_fork,
    kept_game,
    kept_invitation,
    kept_key,
    kept_link_consent,
    kept_link_sign_in,
    kept_look,
    kept_person,
    kept_portrait,
    kept_seat,
    kept_session,
    note_looks,
)
from daybook.services.store.migrations import remove_copies
from daybook.services.store.sheets import by_person, kept_sheet
from daybook.services.store.sqlite import connect, is_busy, sqlite

CLEANED = (  # where what was there before would lie on in the files
    kept_person,
    kept_look,
    kept_account,
    kept_session,
    kept_key,
    kept_calendar,
    kept_link_sign_in,
    kept_portrait,
    kept_game,
    kept_fork,
    kept_seat,
    kept_sheet,
    kept_apart,
)
PATIENCE_SECONDS = 10.0
Seats = list[tuple[UUID, int, str]]  # games, their seats, and by which id the name of each is kept

logger = logging.getLogger(__name__)


class Mention(Frozen):
    """A step of a record in which a name is written: a note, a reason, a claim."""

    game: UUID
    step: int


def anonymise(book: Daybook, ids: Sequence[str], *, by: str) -> bool:
    """Make a person, known by these ids, anonymous for good; the first is the one they are known by. by: an id.

    The caller has asked twice, and asks whether `by` may do it. False: all is gone from the tables, but the files of
    the database could not be cleaned just now, since somebody was reading; that is done later (`is_to_be_cleaned`).
    """
    seats = _all_seats(book, ids)
    names = _all_names(book, ids, seats)
    called = anonymous_name(ids[0])
    held = accounts.account(book, ids[0])
    sign_ins = {old.sign_in for old in link_sign_ins.open_of(book, ids[0])} | {held.sign_in if held else None}
    apart = {person for _, _, person in seats if person not in ids}
    games = {game_id for game_id, _, _ in seats}
    at = now()
    with book.kept.engine.begin() as c:
        c.execute(kept_person.update().where(kept_person.c.id.in_([*ids, *apart])).values(name=called))
        note_looks(c, dict.fromkeys([*ids, *apart], called))
        c.execute(kept_seat.update().where(kept_seat.c.person.in_([*ids, *apart])).values(name=None))
        photo_store.delete_photos(c, kept_portrait, kept_portrait.c.person.in_(ids))
        for table in (kept_account, kept_session, kept_key, kept_calendar, kept_link_sign_in, kept_link_consent):
            c.execute(table.delete().where(table.c.person.in_(ids)))
        c.execute(
            kept_invitation.update()
            .where(kept_invitation.c.person.in_(ids), kept_invitation.c.used_at.is_(None))
            .values(revoked_at=at)
        )
        c.execute(kept_fork.delete().where(kept_fork.c.owner.in_([role_grant_id(id) for id in ids])))
        for table, key in ((kept_game, kept_game.c.id), (kept_fork, kept_fork.c.game)):
            _blank_texts(c, table.c.title, key.in_(games), names)
        said_of_games = sa.or_(kept_apart.c.game.in_(games), kept_apart.c.other.in_(games))
        by_them = kept_apart.c.by.in_([opening_writer(id) for id in ids])
        _blank_texts(c, kept_apart.c.why, sa.or_(said_of_games, by_them), names)
        c.execute(kept_sheet.update().where(kept_sheet.c.by.in_([*names, *map(by_person, ids)])).values(by=""))
        insert_missing(c, kept_anonymous, [{"person": id, "at": at} for id in (*ids, *sorted(apart))])
        accounts.log_change(c, ids[0], by, "anonymised")
    for sign_in in filter(None, sign_ins):
        sign_in_limits.forget(book, sign_in)
    return clean_after(book, ids[0])


def anonymous_name(id: str) -> str:
    """What somebody is called from now on: two of them at one table can still be told apart."""
    return f"Anonymous {id[:4]}"


def _all_names(book: Daybook, ids: Sequence[str], seats: Seats) -> list[str]:
    """Every name these ids have, in all games, without those that are anonymous already."""
    found = {name for id, name in book.kept.names(ids).items() if name != anonymous_name(id)}
    apart = {person for _, _, person in seats}
    in_games = {
        *book.kept.engine.values(
            sa.select(kept_seat.c.name).where(kept_seat.c.person.in_(apart), kept_seat.c.name.is_not(None))
        )
    }
    return sorted(found | set(book.kept.names(apart).values()) | in_games, key=len, reverse=True)


def _all_seats(book: Daybook, ids: Collection[str]) -> Seats:
    """Return every seat of these people."""
    seats = book.kept.engine.rows(sa.select(kept_seat).where(kept_seat.c.person.in_(ids)))
    return [(row.game, row.seat, row.person) for row in seats]


def _blank_texts(c: sa.Connection, column: sa.Column[str], here: sa.ColumnElement[bool], names: Sequence[str]) -> None:
    table = column.table
    assert isinstance(table, sa.Table)
    for id, text in c.execute(sa.select(table.c.id, column).where(here)).all():
        blanked = blank_names(text, names)
        if blanked != text:
            c.execute(table.update().where(table.c.id == id).values({column.name: blanked}))


def blank_names(text: str, names: Iterable[str]) -> str:
    """Return a text without these names. Within a longer word of Latin letters a name is another word, and stays."""
    return blank_spans(text, find_names(text, names))


def find_names(text: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Return where a text has one of these names; the first name wins where two overlap."""
    found = list[tuple[int, int]]()
    for name in names:
        edge = r"(?<![^\W_])" if name[:1].isascii() else "", r"(?![^\W_])" if name[-1:].isascii() else ""
        for match in re.finditer(edge[0] + re.escape(name) + edge[1], text, flags=re.IGNORECASE):
            if all(match.end() <= start or end <= match.start() for start, end in found):
                found.append(match.span())
    return sorted(found)


def names_of(book: Daybook, ids: Sequence[str]) -> list[str]:
    """Return every name by which these ids are known, the longest first."""
    return _all_names(book, ids, _all_seats(book, ids))


def is_anonymous(book: Daybook, person: str) -> bool:
    return bool(anonymous_of(book, [person]))


def anonymous_of(book: Daybook, people: Collection[str]) -> set[str]:
    """Those of some people who were made anonymous."""
    column = kept_anonymous.c.person
    return {row.person for row in book.kept.engine.among(sa.select(column), column, people)}


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
        for step, line in enumerate(book.log.lines(game_id)):
            if any(name in line.lower() for name in wanted):
                found.append(Mention(game_id, step))
                if len(found) == limit:
                    return found
    return found


# --- the files -------------------------------------------------------------------------------------------------------


def clean_after(book: Daybook, person: str) -> bool:
    """Clean the files after somebody was made anonymous, and note that they are. False: as for `clean`."""
    at = now()
    if done := clean(book):
        with book.kept.engine.begin() as c:
            accounts.log_change(c, person, person, "files_cleaned", at)
    return done


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
    if book.settings.database_url is None:
        return _clean_file(book)
    return _clean_tables(book.settings.database_url, str(book.kept.engine.schema))


def _clean_file(book: Daybook) -> bool:
    book.kept.engine.dispose()  # connections of this process that nobody uses
    connection = connect(book.settings.sqlite_file("kept"), "FULL")
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
        for table in CLEANED:
            connection.execute(f"CREATE TEMP TABLE copy_of_rows AS SELECT * FROM main.{table.name}")
            connection.execute(f"DELETE FROM main.{table.name}")
            connection.execute(f"INSERT INTO main.{table.name} SELECT * FROM copy_of_rows")
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
            for table in CLEANED:
                connection.execute(psycopg.sql.SQL("VACUUM FULL {}").format(psycopg.sql.Identifier(schema, table.name)))
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DiskFull) as wrong:
            logger.warning("the kept tables are not cleaned yet: %s", wrong)
            return False
    return True
