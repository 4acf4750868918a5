"""Completion of operations that a crash interrupted.

Operations that write to the log and to kept tables write the kept tables first, as a note of what follows. A repeated
request completes them; those that no one repeats are completed here.
"""

from __future__ import annotations

from uuid import UUID

from daybook.services.clock import later_time, now
from daybook.services.league import account_merges, anonymity, joining
from daybook.services.operation import erasing, stranger_files
from daybook.services.people import anonymise
from daybook.services.statistics import visibility
from daybook.services.store.daybook import Daybook

MIN_AGE_MINUTES = 1  # younger operations may still be in progress
MAX_AGE_DAYS = 14  # covers a long outage
LATE_JOB_MINUTES = 60  # afterwards, no job writes rows of a record that it read before the erasure
OVERLAP_MINUTES = 10  # checked again, since another host's clock may be late


def complete_interrupted(book: Daybook, since: str = "") -> str:
    """Complete operations that began after `since` and at least a minute ago.

    Returns:
        the time to continue from; the same time if something cannot be completed yet.
    """
    at = now()
    before = later_time(at, minutes=-MIN_AGE_MINUTES)
    after = since or later_time(at, days=-MAX_AGE_DAYS)
    _complete_imports(book, before)
    erasing.finish_all(book, since and later_time(at, minutes=-LATE_JOB_MINUTES))
    stranger_files.erase_old(book)
    if not since:  # the first call covers everything
        visibility.update_changed_games(book)
    erasing.erase_own_logs(book, anonymise.anonymous_between(book, after, before))
    joining.complete_arrivals(book, after, before)
    account_merges.end_merges(book, after, before)
    return later_time(at, minutes=-OVERLAP_MINUTES) if anonymity.complete_departures(book, after, before) else after


def _complete_imports(book: Daybook, before: str) -> None:
    """Note imported steps that were written; forget those that were not."""
    for begun in book.kept.unconfirmed_imports(before):
        if _seal_of(book, begun.game, begun.last) == begun.awaited_seal:
            book.kept.note_imported(begun.game, [(begun.first, begun.last)])
        else:
            book.kept.remove_announcement(begun)


def _seal_of(book: Daybook, game_id: UUID, step: int) -> str | None:
    try:
        return book.log.seal_at(book.log.position(game_id, step))
    except LookupError:  # the game is not here, or has not come so far
        return None
