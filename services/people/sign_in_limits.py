"""Limits on wrong passwords; the numbers are in `services.limits`.

A try is counted before the password is checked, so that parallel tries count too. Wrong passwords lock a sign-in name
for the address that they come from. A name that is tried from everywhere, and an address that tries many names, are
only slowed down: their tries take turns. Each address waits for one turn at a time. An address that has not tried the
name before has turns of its own, so that the owner gets in.

A browser in which the user has signed in before is counted separately, and takes no turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from daybook.services import limits
from daybook.services.clock import later_time, now
from daybook.services.limits import LimitExceededError, digest_of_subject, has_expired, locked_row, wide_network
from daybook.services.people.passwords import PasswordsBusyError
from daybook.services.store.daybook import Daybook
from daybook.services.store.kept import kept_attempt

LimitRow = dict[str, Any]


def count_sign_in(book: Daybook, name: str, origin: str, seen_before: bool = False, link: str = "") -> float:
    """Count a try for a sign-in name; return the seconds that it has to wait for its turn.

    Args:
        name: the sign-in name, folded.
        origin: the client's network address.
        seen_before: the user has signed in before in this browser.
        link: the id of a working link that the browser holds. Such tries take turns of their own.

    Raises:
        LimitExceededError: the name is locked for this address; the try does not count.
        PasswordsBusyError: too many wait, or this address waits already; the try does not count.
    """
    at, by_name = now(), _key_of_name(book, name)
    if seen_before:
        with book.kept.engine.begin() as c:
            seen = locked_row(c, _key_of_place(book, name, "known"))
            _refuse_locked(at, seen)
            limits.write_rows(c, _after_name_try(seen, at, limits.MAX_FAILURES_PER_NAME_AND_ADDRESS))
        return 0.0
    wide = wide_network(origin)
    network = wide or origin
    with book.kept.engine.begin() as c:
        everywhere = locked_row(c, by_name)
        by_address = locked_row(c, _key_of_place(book, name, origin))
        by_network = locked_row(c, _key_of_place(book, name, wide)) if wide else None
        address = locked_row(c, digest_of_subject(book, f"origin {network}"))
        _refuse_locked(at, *(row for row in (by_address, by_network) if row))
        lanes = []
        if everywhere["failures"] >= limits.FAILURES_PER_NAME_BEFORE_TURNS and not _is_stale(everywhere, at):
            is_new = not (by_network or by_address)["failures"] or _is_stale(by_network or by_address, at)
            lanes.append(f"name {name} {'new' if is_new else 'tried'}")
        if _is_hurried(address, at):
            lanes.append(f"origin {network} {'with a link' if link else ''}")
        turn = _take_turn(book, c, at, lanes, f"{name} {network}") if lanes else at
        lock_from = limits.MAX_FAILURES_PER_NAME_AND_ADDRESS
        limits.write_rows(
            c,
            _after_name_try(everywhere, at),
            _after_name_try(by_address, at, lock_from),
            *([_after_name_try(by_network, at, 4 * lock_from)] if by_network else []),
            limits.after_window_try(address, at, limits.ADDRESS_WINDOW_MINUTES * limits.MINUTE),
        )
    return _seconds_between(at, turn)


def uncount_sign_in(book: Daybook, name: str, origin: str, seen_before: bool = False) -> None:
    """Forget a try with the right password, and the earlier failures for this name from these places."""
    wide = wide_network(origin)
    places = ["known"] if seen_before else [origin, *([wide] if wide else [])]
    forgotten = [_key_of_name(book, name), *(_key_of_place(book, name, place) for place in places)]
    with book.kept.engine.begin() as c:
        c.execute(kept_attempt.delete().where(kept_attempt.c.about.in_(forgotten)))
        if not seen_before:
            address = digest_of_subject(book, f"origin {wide or origin}")
            c.execute(
                kept_attempt.update()
                .where(kept_attempt.c.about == address, kept_attempt.c.failures > 0)
                .values(failures=kept_attempt.c.failures - 1)
            )
        limits.delete_old_rows(c)


def forget_tries(book: Daybook, name: str) -> None:
    """Unlock a name everywhere, because its account has a new password."""
    book.kept.engine.write(kept_attempt.delete().where(kept_attempt.c.about.startswith(_key_of_name(book, name))))


def mark_of_name(book: Daybook, name: str) -> str:
    """Return a short digest of a sign-in name, with which logs distinguish names without revealing them."""
    return _key_of_name(book, name)[:12]


def _key_of_name(book: Daybook, name: str) -> str:
    return digest_of_subject(book, f"name {name}")


def _key_of_place(book: Daybook, name: str, place: str) -> str:
    """Return the key of the tries for a name from one place; it starts with the key of the name."""
    return f"{_key_of_name(book, name)}.{digest_of_subject(book, f'origin {place}')[:16]}"


def _refuse_locked(at: str, *rows: LimitRow) -> None:
    longest = later_time(at, seconds=limits.NAME_LOCK_MAX_SECONDS, hours=limits.MAX_CLOCK_SKEW_HOURS)
    for row in rows:
        if at < row["until"] <= longest:
            raise LimitExceededError(row["until"])


def _is_hurried(address: LimitRow, at: str) -> bool:
    """Check if tries from an address take turns, because of too many wrong passwords."""
    over = has_expired(address["first_at"], at, minutes=limits.ADDRESS_WINDOW_MINUTES)
    return not over and address["failures"] >= limits.FAILURES_PER_ADDRESS_BEFORE_TURNS


def _take_turn(book: Daybook, c: sa.Connection, at: str, lanes: Sequence[str], place: str) -> str:
    """Reserve the next turn in all of these lanes; return its time.

    Raises PasswordsBusyError if this place waits already or the wait would be too long.
    """
    latest = later_time(at, seconds=limits.MAX_TURN_WAIT_SECONDS)
    waiting = locked_row(c, digest_of_subject(book, f"waiting place {place}"))
    if at < waiting["until"] <= latest:
        raise PasswordsBusyError
    rows = [locked_row(c, digest_of_subject(book, f"turns of {lane}")) for lane in lanes]
    taken = [row["until"] for row in rows if row["until"] and row["until"] <= latest]
    turn = max([at, *(later_time(until, seconds=limits.SECONDS_PER_TURN) for until in taken)])
    if turn > latest:
        raise PasswordsBusyError
    limits.write_rows(c, *({**row, "last_at": at, "until": turn} for row in (waiting, *rows)))
    return turn


def _seconds_between(at: str, turn: str) -> float:
    return (datetime.fromisoformat(turn) - datetime.fromisoformat(at)).total_seconds()


def _after_name_try(row: LimitRow, at: str, lock_from: int | None = None) -> LimitRow:
    """Return a row with one more wrong password, locked if it has `lock_from` or more."""
    failures = 1 if _is_stale(row, at) else row["failures"] + 1
    until = ""
    if lock_from is not None and failures >= lock_from:
        seconds = min(limits.NAME_LOCK_MAX_SECONDS, limits.NAME_LOCK_SECONDS * 2 ** min(30, failures - lock_from))
        until = later_time(at, seconds=seconds)
    return {**row, "failures": failures, "first_at": row["first_at"] or at, "last_at": at, "until": until}


def _is_stale(row: LimitRow, at: str) -> bool:
    return has_expired(row["last_at"], at, hours=limits.NAME_FORGOTTEN_HOURS)
