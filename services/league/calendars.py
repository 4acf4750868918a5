"""Secret addresses of calendars: a person's calendar program reads with one when and where their clubs' tables meet.

It opens that and nothing else: no page, no record, no name beyond who sits at these tables. One for each person; its
key is told once and kept as a digest. What it shows is what the person may read on that day, so that a club that is
left falls out of it.
"""

from __future__ import annotations

import secrets
from contextlib import suppress

import sqlalchemy as sa

from daybook.domain.kernel.frozen import Frozen
from daybook.services.clock import later_time, now
from daybook.services.people.accounts import (
    NO_ACCOUNT,
    SEEN_MINUTES,
    InvalidAccountError,
    account_of,
    digest,
    log_change,
    require_person,
)
from daybook.services.store.database import upsert
from daybook.services.store.daybook import Daybook
from daybook.services.store.disk import CannotWriteError
from daybook.services.store.kept import kept_calendar

MARK = "dbc_"  # what such a key begins with


class CalendarAddress(Frozen):
    """A person's secret address; its key is not known here. seen_at: when it was read last, give or take an hour."""

    made_at: str
    seen_at: str | None


def make_key(book: Daybook, person: str, *, by: str) -> str:
    """Return a new key for a person's calendar. The one before no longer works. Raises InvalidAccountError."""
    if account_of(book, person) is None:
        raise InvalidAccountError("calendar", NO_ACCOUNT)
    key = MARK + secrets.token_urlsafe(32)
    with book.kept.engine.begin() as c:
        require_person(c, person)
        upsert(
            c, kept_calendar, [{"person": person, "key": digest(key), "made_at": now(), "seen_at": None}], ["person"]
        )
        log_change(c, person, by, "calendar_made")
    return key


def address_of(book: Daybook, person: str) -> CalendarAddress | None:
    row = book.kept.engine.row(sa.select(kept_calendar).where(kept_calendar.c.person == person))
    return None if row is None else CalendarAddress(row.made_at, row.seen_at)


def person_of_key(book: Daybook, key: str) -> str | None:
    """Return the person whose calendar a key opens; None: no one's. Its use is noted from time to time."""
    if not key.startswith(MARK):
        return None
    row = book.kept.engine.row(sa.select(kept_calendar).where(kept_calendar.c.key == digest(key)))
    if row is None:
        return None
    at = now()
    if row.seen_at is None or later_time(row.seen_at, minutes=SEEN_MINUTES) < at:
        with suppress(CannotWriteError), book.kept.engine.begin() as c:
            c.execute(
                kept_calendar.update()
                .where(kept_calendar.c.person == row.person, kept_calendar.c.key == row.key)
                .values(seen_at=at)
            )
    return str(row.person)


def revoke_key(book: Daybook, person: str, *, by: str) -> bool:
    """Revoke a person's address. Return False if there is none."""
    with book.kept.engine.begin() as c:
        gone = c.execute(kept_calendar.delete().where(kept_calendar.c.person == person))
        if gone.rowcount:
            log_change(c, person, by, "calendar_revoked")
    return bool(gone.rowcount)
