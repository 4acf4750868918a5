"""What a process began and did not come to the end of, since it was killed: it is brought to its end later.

Where the log and what is kept beside it are written one after the other, what is kept is written first, and tells of
what is to come. So a repeated request goes on where the first one ended; what nobody asks for again is found here.
"""

from __future__ import annotations

from uuid import UUID

from daybook.services.clock import later_time, now
from daybook.services.league import account_merges, members
from daybook.services.operation import erasing, stranger_files
from daybook.services.statistics import visibility
from daybook.services.store.daybook import Daybook

MINUTES = 1  # what was begun so long ago, nobody is about to end any more
DAYS = 14  # an outage may last so long
LATE_JOB_MINUTES = 60  # after which no job writes rows of a record that it read before it was erased
AGAIN_MINUTES = 10  # of what was looked at before: another host's clock may be late


def end(book: Daybook, since: str = "") -> str:
    """Bring to its end what was begun since a time, a minute ago at the latest. The time since when to look next; the
    same again where that cannot be done yet.
    """
    at = now()
    before = later_time(at, minutes=-MINUTES)
    after = since or later_time(at, days=-DAYS)
    _end_bringing(book, before)
    erasing.finish_all(book, since and later_time(at, minutes=-LATE_JOB_MINUTES))
    stranger_files.erase_old(book)
    if not since:  # it looks at all that is counted
        visibility.take_up(book)
    members.end_arrivals(book, after, before)
    account_merges.end_merges(book, after, before)
    return later_time(at, minutes=-AGAIN_MINUTES) if members.end_leaving(book, after, before) else after


def _end_bringing(book: Daybook, before: str) -> None:
    """Steps that a file was to bring are noted as such where they were written, and others' are not."""
    for begun in book.kept.begun_to_bring(before):
        if _seal_of(book, begun.game, begun.last) == begun.awaited_seal:
            book.kept.note_brought(begun.game, [(begun.first, begun.last)])
        else:
            book.kept.forget_bringing(begun)


def _seal_of(book: Daybook, game_id: UUID, step: int) -> str | None:
    try:
        return book.log.seal_at(book.log.position(game_id, step))
    except LookupError:  # the game is not here, or has not come so far
        return None
