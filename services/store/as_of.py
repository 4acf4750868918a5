"""Queries about the past, by a position of the log: a position orders every entry before or after every other.

Times do not: entries can share a millisecond, the clocks of two machines differ, and a file brings its own times. A
query about a time or a day uses its last position.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from daybook.domain.league.club import Club, as_of_step
from daybook.services.store.daybook import Daybook


def club_at(book: Daybook, club: Club, position: int | None) -> Club:
    """Return the club as it was at a position of the log, without any entry before its founding; None: as it is."""
    if position is None:
        return club
    return as_of_step(club, bisect_right(book.log.positions(club.id), position) - 1)


def last_position(written: Iterable[tuple[int, str]], at: str) -> int:
    """Return the position up to which entries belong to a time or an earlier one; 0 for none.

    written: positions with their times. If these do not rise together, as few entries as possible are on the wrong
    side, so that one wrong clock, or one file with old times, changes the answer for no other entry.
    """
    last = balance = most = 0
    for position, when in sorted(written):
        balance += 1 if when <= at else -1
        if balance > most:
            last, most = position, balance
    return last
