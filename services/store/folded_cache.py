"""What was folded from the log last, kept at hand; and the clubs among it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from threading import Lock
from typing import Generic, Protocol, TypeVar, cast
from uuid import UUID

from cachetools import LRUCache
from eventsourcing.persistence import Notification

from daybook.domain.kernel.errors import Unreadable
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, fold_club, people_named
from daybook.domain.league.club_events import TOPICS, ClubEntry
from daybook.services.store.log import PAGE, GameLog, RecordErasedError, is_erasure
from daybook.services.store.log import UnknownClub as UnknownClub  # for callers of Clubs

logger = logging.getLogger(__name__)


class Chronicled(Protocol):
    """Something folded from its entries, which never changes once it was handed out."""

    @property
    def id(self) -> UUID: ...

    @property
    def entries(self) -> Sized: ...


C = TypeVar("C", bound=Chronicled)


class NewestFolded(Generic[C]):
    """The newest known of each, those that were asked for last, as far as there is room. Threads may share it.

    size_of: how much of the room one takes; what is larger than all of it is not kept. epoch: the log's; a former primary
    may have had entries that the new one lacks, so everything is dropped when it changes.
    """

    def __init__(self, room: int, size_of: Callable[[C], int], epoch: Callable[[], int] = lambda: 0) -> None:
        self._held: LRUCache[UUID, C] = LRUCache(room, size_of)
        self._lock = Lock()
        self._epoch_of_log, self._epoch = epoch, epoch()

    def get(self, id: UUID) -> C | None:
        with self._lock:
            if (epoch := self._epoch_of_log()) != self._epoch:
                self._held.clear()
                self._epoch = epoch
            return self._held.get(id)

    def keep(self, one: C) -> C:
        """Keep this one, unless a newer one is held."""
        with self._lock:
            known = self._held.get(one.id)
            if known is None or len(known.entries) < len(one.entries):
                self._held.pop(one.id, None)
                if self._held.getsizeof(one) <= self._held.maxsize:
                    self._held[one.id] = one
        return one

    def forget(self, id: UUID) -> None:
        with self._lock:
            self._held.pop(id, None)

    def clear(self) -> None:
        with self._lock:
            self._held.clear()


class ClubCard(Frozen):
    """What is asked of every club at once, so that none is read for it. games: ids of records; people: every id that it
    ever knew anybody by."""

    name: str
    public: bool
    removed: bool
    games: frozenset[str]
    people: frozenset[str]


def card_of(club: Club, people: frozenset[str]) -> ClubCard:
    return ClubCard(club.name, club.settings.public, bool(club.removed), frozenset(club.games), people)


class Clubs:
    """A cache over the log, current as far as a position of it: each look at the log takes in what was written since.
    A club handed out never changes; ask again for what came since. Of each club a card is kept as well, also where
    there are more than are held: what every page asks of all clubs would else read them all from the log, each time."""

    def __init__(self, log: GameLog, size: int = 200) -> None:
        self.log = log
        self._held: LRUCache[UUID, Club] = LRUCache(size)
        self._cards: dict[UUID, ClubCard | None] = {}  # of every club, as founded; None: it has to be read first
        self._unread = set[UUID]()  # clubs that cannot be read, as far as they go by now: said once
        self._position: int | None = None
        self._epoch = log.recorder.epoch()
        self._lock = Lock()

    def catch_up(self) -> None:
        """Apply the entries that were written since the last time."""
        with self._lock:
            if (epoch := self.log.recorder.epoch()) != self._epoch:  # a new primary may lack the newest entries
                self._epoch, self._position = epoch, None
                self._held.clear()
                self._unread.clear()
            if self._position is None:  # once, the log is asked for all clubs, among all games
                self._position = self.log.newest()
                self._cards = dict.fromkeys(self.log.club_ids())
            position = self._position
        while newer := self.log.notifications(
            position, PAGE
        ):  # without the lock: a database that is away would hold it
            position = newer[-1].id
            with self._lock:
                for notification in newer:
                    if notification.id > self._position and notification.topic.startswith(TOPICS):
                        self._apply(notification)
                self._position = max(self._position, position)
            if len(newer) < PAGE:
                break

    def all(self) -> list[Club]:
        """Every club that can be read, in the order in which they were founded."""
        self.catch_up()
        return self._readable([*self._cards])

    def cards(self) -> dict[UUID, ClubCard]:
        """Of every club that can be read, in the order in which they were founded."""
        self.catch_up()
        self._readable([id for id, card in [*self._cards.items()] if card is None])
        return {id: card for id, card in [*self._cards.items()] if card is not None}

    def some(self, ids: Iterable[UUID]) -> list[Club]:
        """Those of these clubs that can be read, as they were when this caught up last, in this order."""
        return self._readable([id for id in ids if id in self._cards])

    def with_people(self, people: Collection[str]) -> list[Club]:
        """The clubs that ever knew one of these people, by whichever id."""
        self.catch_up()
        return self._readable(
            [id for id, card in [*self._cards.items()] if card is None or not card.people.isdisjoint(people)]
        )

    def with_game(self, game_id: UUID) -> list[Club]:
        """The clubs in which a game is entered, as they were when this caught up last."""
        of = str(game_id)
        clubs = self._readable([id for id, card in [*self._cards.items()] if card is None or of in card.games])
        return [club for club in clubs if of in club.games]

    def get(self, id: UUID) -> Club:
        """The club as the log has it now. Raises UnknownClub."""
        self.catch_up()
        return self._current(id)

    def append(self, entries: Sequence[ClubEntry]) -> None:
        """Write the next entries of a club, all or none. Raises AlreadyWritten if somebody was quicker."""
        self.log.append(*entries)

    def _apply(self, notification: Notification) -> None:
        id, version = cast(UUID, notification.originator_id), notification.originator_version
        if is_erasure(notification):
            self._forget(id)
            return
        card = self._cards.setdefault(id, None)
        self._unread.discard(id)
        known = self._held.get(id)
        if known is None:
            self._cards[id] = None
        elif version > len(known.entries):
            try:
                entry = cast(ClubEntry, self.log.mapper.to_domain_event(notification))
            except Unreadable:  # said by whoever asks for it
                del self._held[id]
                self._cards[id] = None
            else:
                self._held[id] = club = known.then(entry)
                new = {*people_named(entry.event)} - (card.people if card else {*()})
                self._cards[id] = card and card_of(club, card.people | new if new else card.people)

    def _forget(self, id: UUID) -> None:
        """Drop an erased club."""
        self._held.pop(id, None)
        self._cards.pop(id, None)
        self._unread.discard(id)

    def _read(self, id: UUID) -> None:
        club = fold_club(id, self.log.club_entries(id))
        self._held[id] = club
        people = frozenset(person for entry in club.entries for person in people_named(entry.event))
        self._cards[id] = card_of(club, people)

    def _current(self, id: UUID) -> Club:
        """A club as this has caught up with it, or newer. Raises UnknownClub."""
        with self._lock:
            if id not in self._cards:
                self.log.club_entries(id)  # raises RecordErasedError, which says why it is gone
                raise UnknownClub(id)
            if id not in self._held:
                try:
                    self._read(id)  # under the lock: nobody takes anything in meanwhile that this has not
                except RecordErasedError:
                    self._forget(id)
                    raise
            return self._held[id]

    def _readable(self, ids: Sequence[UUID]) -> list[Club]:
        """Those that can be read now; another one is no reason to show none."""
        clubs = []
        for id in ids:
            if id in self._unread:
                continue
            try:
                clubs.append(self._current(id))
            except RecordErasedError:
                continue
            except Unreadable as wrong:
                logger.error("club %s is left out: %s", id, wrong)
                self._unread.add(id)
        return clubs
