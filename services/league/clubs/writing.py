"""Writing in a club: all or none of some events, once under one key, and not past what was written meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import Refused, Written, key_within
from daybook.domain.kernel.terms import because
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import AnyEvent, ClubEntry, ScheduleDrawn
from daybook.domain.league.event_checks import checked_entry
from daybook.services.clock import now
from daybook.services.league.clubs.roles import What, check
from daybook.services.play.repetition import check_key, mark_of, repeated_step
from daybook.services.play.writing import Conflict, Receipt
from daybook.services.store.damage import refuse_damaged
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import AlreadyWrittenError


class ClubWriter:
    """Writes events one after the other; what it has written so far, `club` already holds, and nobody else does."""

    def __init__(self, club: Club, written: Written) -> None:
        self.club = club
        self.entries: list[ClubEntry] = []
        self.guests: dict[str, str] = {}  # the names of those who are new, by id: kept when all of it is written
        self._written = written

    @property
    def next(self) -> dict[str, Any]:
        """What the next event says of its place and its writing; the first one carries the writer's key."""
        place = len(self.entries)
        if not place:
            return self.club.next(self._written)
        return self.club.next(msgspec.structs.replace(self._written, key=key_within(self._written, place), nonce=""))

    def write(self, event: AnyEvent) -> None:
        """Raises Refused."""
        entry = checked_entry(self.club, event)
        self.entries.append(entry)
        self.club = self.club.then(entry)


Act = Callable[[ClubWriter], None]
Asked = Sequence[Any]  # the name of what is asked for, and all that it says


def write(
    book: Daybook,
    club_id: UUID,
    what: What | None,
    act: Act,
    asked: Asked,
    *,
    by: str,
    key: str,
    at: int | None = None,
    bears: Callable[[AnyEvent], bool] = lambda event: True,
) -> Receipt:
    """Have events written next, all or none; when somebody else was quicker, look again.

    what: what the writer must be allowed; None: the caller has checked it. asked: what is asked for, by which it is
    known when it comes again under the same key. bears: whether something
    that was written since step `at` bears on this.
    """
    check_key(key)
    mark = mark_of(book, key, club_id, asked)
    while True:
        club = book.clubs.get(club_id)
        if what is not None:
            check(club, by, what)
        if (again := repetition(book, club, asked, key)) is not None:
            return again
        refuse_damaged(book, club_id)
        if at is not None:
            _refuse_stale(club, at, bears)
        pen = ClubWriter(club, Written(now(), by, key, mark))
        act(pen)
        if pen.guests:
            book.kept.keep_people(pen.guests)
        try:
            book.clubs.append(pen.entries)
        except AlreadyWrittenError:
            continue
        return Receipt(club_id, pen.entries[0].step, pen.entries[0].seal)


def repetition(book: Daybook, club: Club, asked: Asked, key: str) -> Receipt | None:
    """Where this very request was written before; None: its key is new. Raises KeyUsedError."""
    there = repeated_step(club, key, mark_of(book, key, club.id, asked))
    return None if there is None else Receipt(club.id, there, club.entries[there].seal, repeated=True)


def try_act(book: Daybook, club_id: UUID, act: Act, by: str = "") -> Club:
    """The club as it would be if something was written now; nothing is. Raises Refused."""
    pen = ClubWriter(book.clubs.get(club_id), Written(now(), by, "tried"))
    act(pen)
    return pen.club


def _refuse_stale(club: Club, at: int, bears: Callable[[AnyEvent], bool]) -> None:
    if not 0 <= at <= club.step:
        raise Refused(because("unknown_step", "the record has steps 0 to {last}, not {step}", last=club.step, step=at))
    meanwhile = club.entries[at + 1 :]
    if any(bears(entry.event) for entry in meanwhile):
        raise Conflict("club", club, meanwhile)


def same_season(season: str) -> Callable[[AnyEvent], bool]:
    return lambda event: getattr(event, "season", None) == season


def same_table(season: str, table: str) -> Callable[[AnyEvent], bool]:
    def bears(event: AnyEvent) -> bool:
        same = getattr(event, "season", None) == season
        return same and (isinstance(event, ScheduleDrawn) or getattr(event, "table", table) == table)

    return bears
