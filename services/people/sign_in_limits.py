"""Wrong sign-ins, counted in the kept tables, so that neither a restart nor a second process forgets them.

A try is counted before the password is looked at: many at once are many tries. What is counted is kept as a keyed
digest; the table holds no name and no address.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import sqlalchemy as sa

from daybook.services.clock import later_time, now, seconds_until
from daybook.services.store import secret
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_attempt

NAME_FREE = 5  # wrong passwords for one sign-in name until it is locked
NAME_LOCK_SECONDS, NAME_LOCK_LONGEST = 60, 3600  # doubled with each further one
NAME_FORGOTTEN_HOURS = 24  # after the last wrong one
ORIGIN_FREE = 60  # wrong ones from one network address in a while
ORIGIN_MINUTES = 10
ACCOUNTS_FREE, ACCOUNTS_MINUTES = 30, 60  # new accounts from one network address
GAMES_FREE, GAMES_MINUTES = 60, 60  # games that one network address opens without signing in


class LockedOut(Exception):
    """Too many wrong tries: come again in `seconds`, or have an organiser give you a link."""

    def __init__(self, until: str) -> None:
        self.seconds = max(1, seconds_until(until))
        super().__init__(f"too many wrong tries: come again in {self.seconds} seconds")
        self.until = until


def count_sign_in(book: Daybook, name: str, origin: str) -> None:
    """Count a try for a sign-in name from a network address. Raises LockedOut; then it does not count.

    origin: empty where it cannot be told who asks, such as behind a proxy that was not named.
    """
    at, abouts = now(), [_digest_of_subject(book, "name", name),
        *([_digest_of_subject(book, "origin", origin)] if origin else [])]
    with book.kept.engine.begin() as c:
        rows = [_row(c, about) for about in abouts]
        _refuse_locked(at, *rows)
        _write(c, _after_name_try(rows[0], at), *(
            _after_window_try(row, at, ORIGIN_FREE, ORIGIN_MINUTES) for row in rows[1:]))


def count_new_account(book: Daybook, origin: str) -> None:
    """Count a new account from a network address. Raises LockedOut."""
    _count_in_window(book, "account", origin, ACCOUNTS_FREE, ACCOUNTS_MINUTES)


def count_new_game(book: Daybook, origin: str) -> None:
    """Count a game that is opened from a network address. Raises LockedOut."""
    _count_in_window(book, "game", origin, GAMES_FREE, GAMES_MINUTES)


def _count_in_window(book: Daybook, kind: str, origin: str, free: int, minutes: int) -> None:
    at, about = now(), _digest_of_subject(book, kind, origin)
    with book.kept.engine.begin() as c:
        row = _row(c, about)
        _refuse_locked(at, row)
        _write(c, _after_window_try(row, at, free, minutes))


def uncount_sign_in(book: Daybook, name: str, origin: str) -> None:
    """The try was a right one: it does not count, and the wrong ones before it for this name are forgotten."""
    by_name, by_origin = _digest_of_subject(book, "name", name), _digest_of_subject(book, "origin", origin)
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.delete().where(kept_attempt.c.about == by_name))
        c.execute(kept_attempt.update().where(
            kept_attempt.c.about == by_origin, kept_attempt.c.failures > 0)
            .values(failures=kept_attempt.c.failures - 1, until=""))
        c.execute(kept_attempt.delete().where(
            kept_attempt.c.last_at < later_time(now(), hours=-2 * NAME_FORGOTTEN_HOURS)))


def forget(book: Daybook, name: str) -> None:
    """A new password opens what wrong ones had locked."""
    by_name = _digest_of_subject(book, "name", name)
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.delete().where(kept_attempt.c.about == by_name))


def _digest_of_subject(book: Daybook, kind: str, text: str) -> str:
    return hmac.new(secret.secret_of(book), f"attempt {kind} {text}".encode(), hashlib.sha256).hexdigest()


def _row(c: sa.Connection, about: str) -> dict[str, Any]:
    """The row about somebody, locked until this transaction ends: tries at the same time are counted one by one."""
    while True:
        insert_once(c, kept_attempt, {"about": about, "failures": 0, "first_at": "", "last_at": "", "until": ""})
        row = c.execute(
            sa.select(kept_attempt).where(kept_attempt.c.about == about).with_for_update()).mappings().first()
        if row is not None:  # else it was forgotten in between
            return dict(row)


def _refuse_locked(at: str, *rows: dict[str, Any]) -> None:
    for row in rows:
        if row["until"] > at:
            raise LockedOut(row["until"])


def _write(c: sa.Connection, *rows: dict[str, Any]) -> None:
    for row in rows:
        c.execute(kept_attempt.update().where(kept_attempt.c.about == row["about"]).values(**row))


def _after_name_try(row: dict[str, Any], at: str) -> dict[str, Any]:
    stale = not row["last_at"] or later_time(row["last_at"], hours=NAME_FORGOTTEN_HOURS) < at
    failures = 1 if stale else row["failures"] + 1
    seconds = min(NAME_LOCK_LONGEST, NAME_LOCK_SECONDS * 2 ** min(30, failures - NAME_FREE))
    until = later_time(at, seconds=seconds) if failures >= NAME_FREE else ""
    return {**row, "failures": failures, "first_at": row["first_at"] or at, "last_at": at, "until": until}


def _after_window_try(row: dict[str, Any], at: str, free: int, minutes: int) -> dict[str, Any]:
    stale = not row["first_at"] or later_time(row["first_at"], minutes=minutes) < at
    first, failures = (at, 1) if stale else (row["first_at"], row["failures"] + 1)
    until = later_time(first, minutes=minutes) if failures >= free else ""
    return {**row, "failures": failures, "first_at": first, "last_at": at, "until": until}
