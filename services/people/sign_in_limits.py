"""Wrong sign-ins, counted in the kept tables, so that neither a restart nor a second process forgets them.

A try is counted before the password is looked at: many at once are many tries. What is counted is kept as a keyed
digest; the table holds no name and no address.

Whoever guesses is locked out by the network address it guesses from, and no further: a stranger's wrong passwords do
not lock a person out. Guesses from everywhere together, and those from nobody knows where, are slowed down. A browser
in which a person has signed in before has a count of its own, that others cannot use up.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Semaphore
from time import sleep
from typing import Any

import sqlalchemy as sa

from daybook.services.clock import later_time, now, seconds_until
from daybook.services.people.passwords import PasswordsBusy
from daybook.services.store import secret
from daybook.services.store.database import insert_once
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_attempt

NAME_FREE = 5  # wrong passwords for one sign-in name from one network address until that is locked
NAME_HURRIED = 20  # for one sign-in name from everywhere until each further try waits
WAIT_SECONDS = 2.0
WAITING = 4  # at once: each keeps a thread of the server
NAME_LOCK_SECONDS, NAME_LOCK_LONGEST = 60, 3600  # doubled with each further one
NAME_FORGOTTEN_HOURS = 24  # after the last wrong one
APART_HOURS = 1  # between the clocks of our machines; what lies farther ahead was counted by one that was wrong
ORIGIN_FREE = 60  # wrong ones from one network address in a while
ORIGIN_MINUTES = 10
ACCOUNTS_FREE, ACCOUNTS_MINUTES = 30, 60  # new accounts from one network address
GAMES_FREE, GAMES_MINUTES = 60, 60  # games that one network address opens without signing in
GAMES_OF_PERSON = 120  # in the same time
SWEEPS = "00"  # how one in 256 of what is counted begins: with each of them what is old goes


class LockedOut(Exception):
    """Too many wrong tries: come again in `seconds`, or have an organiser give you a link."""

    def __init__(self, until: str) -> None:
        self.seconds = max(1, seconds_until(until))
        super().__init__(f"too many wrong tries: come again in {self.seconds} seconds")
        self.until = until


def count_sign_in(book: Daybook, name: str, origin: str, known: bool = False) -> None:
    """Count a try for a sign-in name from a network address, after a wait if there were many for the name.

    origin: empty where it cannot be told who asks, such as behind a proxy that was not named. known: the person has
    signed in before in the browser that asks. Raises LockedOut; then it does not count. Raises PasswordsBusy while too
    many wait.
    """
    at, by_name = now(), _digest_of_subject(book, "name", name)
    with book.kept.engine.begin() as c:
        everywhere = None if known else _row(c, by_name)
        here = _row(c, _place(book, by_name, origin, known)) if known or origin else None
        whole = _row(c, _digest_of_subject(book, "origin", origin)) if origin and not known else None
        _refuse_locked(at, *(row for row in (here, whole) if row))
        _write(
            c,
            *(_after_name_try(row, at) for row in (everywhere, here) if row),
            *(_after_window_try(row, at, ORIGIN_FREE, ORIGIN_MINUTES) for row in (whole,) if row),
        )
    if everywhere and not _is_stale(everywhere, at) and everywhere["failures"] >= NAME_HURRIED:
        with _waiting_place():
            sleep(WAIT_SECONDS)


_places = Semaphore(WAITING)


@contextmanager
def _waiting_place() -> Iterator[None]:
    if not _places.acquire(blocking=False):
        raise PasswordsBusy
    try:
        yield
    finally:
        _places.release()


def _place(book: Daybook, by_name: str, origin: str, known: bool) -> str:
    """What is counted of a name in one place alone: begins as what is counted of it everywhere."""
    return f"{by_name}.{_digest_of_subject(book, 'known' if known else 'origin', '' if known else origin)[:16]}"


def count_new_account(book: Daybook, origin: str) -> None:
    """Count a new account from a network address. Raises LockedOut."""
    _count_in_window(book, "account", origin, ACCOUNTS_FREE, ACCOUNTS_MINUTES)


def count_new_game(book: Daybook, origin: str, person: str | None) -> None:
    """Count a game that somebody opens; who is not signed in is known by the network address. Raises LockedOut."""
    if person is None:
        _count_in_window(book, "game", origin, GAMES_FREE, GAMES_MINUTES)
    else:
        _count_in_window(book, "game", f"person {person}", GAMES_OF_PERSON, GAMES_MINUTES)


def count_made(book: Daybook, kind: str, who: str, free: int, minutes: int) -> None:
    """Count something that somebody makes: so many are free in so many minutes. Raises LockedOut."""
    _count_in_window(book, kind, who, free, minutes)


def _count_in_window(book: Daybook, kind: str, origin: str, free: int, minutes: int) -> None:
    at, about = now(), _digest_of_subject(book, kind, origin)
    with book.kept.engine.begin() as c:
        row = _row(c, about)
        _refuse_locked(at, row)
        _write(c, _after_window_try(row, at, free, minutes))


def uncount_sign_in(book: Daybook, name: str, origin: str, known: bool = False) -> None:
    """The try was a right one: it does not count, and the wrong ones before it for this name from there are forgotten,
    and those that nobody knows where they came from."""
    by_name, by_origin = _digest_of_subject(book, "name", name), _digest_of_subject(book, "origin", origin)
    forgotten = [by_name, _place(book, by_name, origin, known)]
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.delete().where(kept_attempt.c.about.in_(forgotten)))
        if not known:
            c.execute(
                kept_attempt.update()
                .where(kept_attempt.c.about == by_origin, kept_attempt.c.failures > 0)
                .values(failures=kept_attempt.c.failures - 1, until="")
            )
        _forget_old(c)


def forget(book: Daybook, name: str) -> None:
    """A new password opens what wrong ones had locked."""
    by_name = _digest_of_subject(book, "name", name)
    book.kept.engine.write(kept_attempt.delete().where(kept_attempt.c.about.startswith(by_name)))


def mark_of_name(book: Daybook, name: str) -> str:
    """By which a log tells tries for one sign-in name from those for others, without the name."""
    return _digest_of_subject(book, "name", name)[:12]


def _digest_of_subject(book: Daybook, kind: str, text: str) -> str:
    return hmac.new(secret.secret_of(book), f"attempt {kind} {text}".encode(), hashlib.sha256).hexdigest()


def _row(c: sa.Connection, about: str) -> dict[str, Any]:
    """The row about somebody, locked until this transaction ends: tries at the same time are counted one by one."""
    while True:
        new = {"about": about, "failures": 0, "first_at": "", "last_at": "", "until": ""}
        if insert_once(c, kept_attempt, new) and about.startswith(SWEEPS):
            _forget_old(c)
        row = (
            c.execute(sa.select(kept_attempt).where(kept_attempt.c.about == about).with_for_update()).mappings().first()
        )
        if row is not None:  # else it was forgotten in between
            return dict(row)


def _forget_old(c: sa.Connection) -> None:
    """Strangers make rows without end, and where nobody signs in nothing else ends them. A row that is being made has
    no time yet."""
    before = later_time(now(), hours=-2 * NAME_FORGOTTEN_HOURS)
    old = sa.select(kept_attempt.c.about).where(kept_attempt.c.last_at < before, kept_attempt.c.last_at != "")
    c.execute(kept_attempt.delete().where(kept_attempt.c.about.in_(old.with_for_update(skip_locked=True))))


def _refuse_locked(at: str, *rows: dict[str, Any]) -> None:
    longest = later_time(at, seconds=NAME_LOCK_LONGEST, hours=APART_HOURS)
    for row in rows:
        if at < row["until"] <= longest:
            raise LockedOut(row["until"])


def _write(c: sa.Connection, *rows: dict[str, Any]) -> None:
    for row in rows:
        c.execute(kept_attempt.update().where(kept_attempt.c.about == row["about"]).values(**row))


def _after_name_try(row: dict[str, Any], at: str) -> dict[str, Any]:
    failures = 1 if _is_stale(row, at) else row["failures"] + 1
    seconds = min(NAME_LOCK_LONGEST, NAME_LOCK_SECONDS * 2 ** min(30, failures - NAME_FREE))
    until = later_time(at, seconds=seconds) if failures >= NAME_FREE else ""
    return {**row, "failures": failures, "first_at": row["first_at"] or at, "last_at": at, "until": until}


def _is_stale(row: dict[str, Any], at: str) -> bool:
    return _is_over(row["last_at"], at, hours=NAME_FORGOTTEN_HOURS)


def _after_window_try(row: dict[str, Any], at: str, free: int, minutes: int) -> dict[str, Any]:
    stale = _is_over(row["first_at"], at, minutes=minutes)
    first, failures = (at, 1) if stale else (row["first_at"], row["failures"] + 1)
    until = later_time(first, minutes=minutes) if failures >= free else ""
    return {**row, "failures": failures, "first_at": first, "last_at": at, "until": until}


def _is_over(begun: str, at: str, **length: float) -> bool:
    """Whether a time of this length is over. Also where it has yet to begin: a clock was ahead then, and whoever came by
    it is not kept waiting until all clocks are."""
    return not begun or later_time(begun, **length) < at or later_time(at, hours=APART_HOURS) < begun
