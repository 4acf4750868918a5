"""What "as of" means: a position of the log, by which every entry is before or after every other.

Entries can share a millisecond, the clocks of two machines differ, and a file brings its own times with it; so a time
does not tell before from after. Whoever asks about a time or a day is answered as of the last position of it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from daybook.domain.league.club import Club, as_of_step
from daybook.services.store.daybook import Daybook


def club_at(book: Daybook, club: Club, position: int | None) -> Club:
    """The club as it was at a position of the log, without any entry before its founding. None: as it is."""
    if position is None:
        return club
    return as_of_step(club, bisect_right(book.log.positions(club.id), position) - 1)


def last_position(written: Iterable[tuple[int, str]], at: str) -> int:
    """Up to which position entries belong to a time and what was before it; 0 where none does.

    written: positions and the times that stand there. Where these do not rise together, as few entries as can be stand
    on the wrong side: one clock that was wrong, or one file with old times, changes the answer for nobody else.
    """
    last = balance = most = 0
    for position, when in sorted(written):
        balance += 1 if when <= at else -1
        if balance > most:
            last, most = position, balance
    return last
