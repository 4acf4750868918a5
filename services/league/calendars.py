"""Secret calendar addresses, with which a calendar program reads when and where a person's clubs meet.

An address opens no pages and no records, and shows only the names of people at these tables. A person has one address;
its key is shown once and stored as a digest. The calendar has what the person may read at that time, so a club
disappears from it when the person leaves.
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

KEY_PREFIX = "dbc_"


class CalendarAddress(Frozen):
    """Secret address of a person's calendar, without its key."""

    made_at: str
    seen_at: str | None  # the last use, accurate to an hour


def make_key(book: Daybook, person: str, *, by: str) -> str:
    """Create a person's calendar key; an older one stops working. Raises InvalidAccountError."""
    if account_of(book, person) is None:
        raise InvalidAccountError("calendar", NO_ACCOUNT)
    key = KEY_PREFIX + secrets.token_urlsafe(32)
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
    """Return the person of a calendar key, or None. Its use is recorded if the last record is old."""
    if not key.startswith(KEY_PREFIX):
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
