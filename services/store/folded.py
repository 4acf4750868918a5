"""What was folded from the log last, kept at hand; and the clubs among it."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence, Sized
from threading import Lock
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from daybook.domain.kernel.chronicle import tag_of
from daybook.domain.kernel.errors import Unreadable
from daybook.domain.league.club import Club, folded
from daybook.domain.league.events import ClubEntry, ClubFounded
from daybook.services.store.log import GameLog

logger = logging.getLogger(__name__)


class Chronicled(Protocol):
    """Something folded from its entries, which never changes once it was handed out."""

    @property
    def id(self) -> UUID: ...

    @property
    def entries(self) -> Sized: ...


C = TypeVar("C", bound=Chronicled)


class Held(Generic[C]):
    """The newest known of each, at most `size` of them. Threads may share it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._held: OrderedDict[UUID, C] = OrderedDict()
        self._lock = Lock()

    def get(self, id: UUID) -> C | None:
        with self._lock:
            return self._held.get(id)

    def keep(self, one: C) -> C:
        """Keep this one, unless a newer one is held."""
        with self._lock:
            known = self._held.get(one.id)
            if known is None or len(known.entries) < len(one.entries):
                self._held[one.id] = one
            self._held.move_to_end(one.id)
            while len(self._held) > self.size:
                self._held.popitem(last=False)
        return one

    def clear(self) -> None:
        with self._lock:
            self._held.clear()


class UnknownClub(LookupError):
    """The log has no club of this id: check the link."""

    def __init__(self, id: object) -> None:
        super().__init__(f"there is no club {id}")
        self.id = id


class Clubs:
    """A cache over the log. A club handed out never changes; ask again for what came since."""

    def __init__(self, log: GameLog, size: int = 50) -> None:
        self.log = log
        self.held = Held[Club](size)
        self._ids: dict[UUID, None] | None = None  # in the order of founding, as far as `_position`
        self._position = 0
        self._lock = Lock()

    def all(self) -> list[Club]:
        """Every club that can be read, in the order in which they were founded."""
        return [club for id in self._known() if (club := self._readable(id)) is not None]

    def _readable(self, id: UUID) -> Club | None:
        """None: its record cannot be read now, which is no reason to show no other."""
        try:
            return self.get(id)
        except Unreadable as wrong:
            logger.error("club %s is left out: %s", id, wrong)
            return None

    def _known(self) -> list[UUID]:
        """The log is asked once for all clubs, among all games; from then on for what came since."""
        with self._lock:
            newest = self.log.newest()
            if self._ids is None:
                self._ids = dict.fromkeys(self.log.club_ids())
            elif newest > self._position:
                founded = self.log.since(self._position, newest - self._position, [tag_of(ClubFounded)])
                self._ids |= dict.fromkeys(entry.originator_id for _, entry in founded)
            self._position = newest
            return [*self._ids]

    def get(self, id: UUID) -> Club:
        """The club as the log has it now. Raises UnknownClub."""
        known = self.held.get(id)
        newer = self.log.club_entries(id, len(known.entries) if known else 0)
        if known is None:
            if not newer:
                raise UnknownClub(id)
            return self.held.keep(folded(id, newer))
        for entry in newer:
            known = known.then(entry)
        return self.held.keep(known) if newer else known

    def append(self, entries: Sequence[ClubEntry]) -> None:
        """Write the next entries of a club, all or none. Raises AlreadyWritten if somebody was quicker."""
        self.log.append(*entries)
