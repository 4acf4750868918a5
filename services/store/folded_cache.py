"""Caches of games and clubs that are folded from the log."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Sized
from threading import Lock
from typing import Generic, Protocol, TypeVar, cast
from uuid import UUID

from cachetools import LRUCache
from eventsourcing.persistence import Notification

from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, fold_club, people_named
from daybook.domain.league.club_events import TOPICS, ClubEntry, ClubSettings
from daybook.services.store.log import PAGE, GameLog, RecordErasedError, is_erasure
from daybook.services.store.log import UnknownClubError as UnknownClubError  # for callers of Clubs

logger = logging.getLogger(__name__)


class Chronicled(Protocol):
    """A game or club, folded from its entries. It never changes once it was returned."""

    @property
    def id(self) -> UUID: ...

    @property
    def entries(self) -> Sized: ...


C = TypeVar("C", bound=Chronicled)


class FoldedCache(Generic[C]):
    """The newest known state of each game or club, by last use. Threads may share it.

    size_of: the size of an item; one above `room` is not cached. epoch: of the log; when it changes, the cache is
    cleared, because a former primary may have had entries that the new one lacks.
    """

    def __init__(self, room: int, size_of: Callable[[C], int], epoch: Callable[[], int] = lambda: 0) -> None:
        self._cached: LRUCache[UUID, C] = LRUCache(room, size_of)
        self._lock = Lock()
        self._epoch_of_log, self._epoch = epoch, epoch()

    def get(self, item_id: UUID) -> C | None:
        with self._lock:
            if (epoch := self._epoch_of_log()) != self._epoch:
                self._cached.clear()
                self._epoch = epoch
            return self._cached.get(item_id)

    def put(self, item: C) -> C:
        """Cache an item, unless a newer state is cached; return the item."""
        with self._lock:
            known = self._cached.get(item.id)
            if known is None or len(known.entries) < len(item.entries):
                self._cached.pop(item.id, None)
                if self._cached.getsizeof(item) <= self._cached.maxsize:
                    self._cached[item.id] = item
        return item

    def forget(self, item_id: UUID) -> None:
        with self._lock:
            self._cached.pop(item_id, None)

    def clear(self) -> None:
        with self._lock:
            self._cached.clear()


class ClubSummary(Frozen):
    """A summary of a club, for queries about all clubs."""

    name: str
    settings: ClubSettings
    removed: bool
    games: frozenset[str]  # ids of the records
    people: frozenset[str]  # every id that the club has used
    delays: Mapping[str, int]  # seconds by game, of games that spectators see with a delay


def summarise_club(club: Club, people: frozenset[str]) -> ClubSummary:
    delays = {season_id: club.spectator_delay(season_id) for season_id in club.seasons}
    of_games = {game: delays[season] for game, (season, _) in club.games.items() if delays.get(season)}
    return ClubSummary(club.name, club.settings, bool(club.removed), frozenset(club.games), people, of_games)


class Clubs:
    """A cache of clubs, current up to a position of the log. A club that was returned never changes.

    A card of every club is cached, too, even if there are more clubs than the cache holds: pages ask about all clubs.
    """

    def __init__(self, log: GameLog, size: int = 200) -> None:
        self.log = log
        self._cached: LRUCache[UUID, Club] = LRUCache(size)
        self._cards: dict[
            UUID, ClubSummary | None
        ] = {}  # of every club, in the order of founding; None: to be read first
        self._unread = set[UUID]()  # clubs that cannot be read until they change; logged once
        self._position: int | None = None
        self._epoch = log.recorder.epoch()
        self._lock = Lock()

    def catch_up(self) -> None:
        """Apply the entries that were written since the last time."""
        with self._lock:
            if (epoch := self.log.recorder.epoch()) != self._epoch:  # a new primary may lack the newest entries
                self._epoch, self._position = epoch, None
                self._cached.clear()
                self._unread.clear()
            if self._position is None:  # at first use, the log is searched for all clubs
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
        """Return every readable club, in the order of founding."""
        self.catch_up()
        return self._readable([*self._cards])

    def cards(self) -> dict[UUID, ClubSummary]:
        """Return the card of every readable club, in the order of founding."""
        self.catch_up()
        self._readable([originator_id for originator_id, card in [*self._cards.items()] if card is None])
        return {originator_id: card for originator_id, card in [*self._cards.items()] if card is not None}

    def readable_among(self, ids: Iterable[UUID]) -> list[Club]:
        """Return the readable clubs of these ids, in this order, without catching up."""
        return self._readable([originator_id for originator_id in ids if originator_id in self._cards])

    def with_people(self, people: Collection[str]) -> list[Club]:
        """Return the clubs that have ever used one of these ids of people."""
        self.catch_up()
        return self._readable(
            [
                originator_id
                for originator_id, card in [*self._cards.items()]
                if card is None or not card.people.isdisjoint(people)
            ]
        )

    def with_game(self, game_id: UUID) -> list[Club]:
        """Return the clubs in which a game is entered, without catching up."""
        game = str(game_id)
        clubs = self._readable(
            [originator_id for originator_id, card in [*self._cards.items()] if card is None or game in card.games]
        )
        return [club for club in clubs if game in club.games]

    def spectator_delay(self, game_id: UUID) -> int:
        """Return the delay of a game for users without a seat, in seconds; the longest of several clubs."""
        game = str(game_id)
        return max((card.delays.get(game, 0) for card in self.cards().values()), default=0)

    def get(self, club_id: UUID) -> Club:
        """Return the club as the log has it now. Raises UnknownClubError."""
        self.catch_up()
        return self._current(club_id)

    def append(self, entries: Sequence[ClubEntry]) -> None:
        """Append the next entries of a club, all or none. Raises AlreadyWrittenError after a concurrent write."""
        self.log.append(*entries)

    def _apply(self, notification: Notification) -> None:
        originator_id, version = cast(UUID, notification.originator_id), notification.originator_version
        if is_erasure(notification):
            self._forget(originator_id)
            return
        card = self._cards.setdefault(originator_id, None)
        self._unread.discard(originator_id)
        known = self._cached.get(originator_id)
        if known is None:
            self._cards[originator_id] = None
        elif version > len(known.entries):
            try:
                entry = cast(ClubEntry, self.log.mapper.to_domain_event(notification))
            except UnreadableError:  # the next reader raises it
                del self._cached[originator_id]
                self._cards[originator_id] = None
            else:
                self._cached[originator_id] = club = known.then(entry)
                new = {*people_named(entry.event)} - (card.people if card else {*()})
                self._cards[originator_id] = card and summarise_club(club, card.people | new if new else card.people)

    def _forget(self, club_id: UUID) -> None:
        """Drop an erased club."""
        self._cached.pop(club_id, None)
        self._cards.pop(club_id, None)
        self._unread.discard(club_id)

    def _read(self, club_id: UUID) -> None:
        club = fold_club(club_id, self.log.club_entries(club_id))
        self._cached[club_id] = club
        people = frozenset(person for entry in club.entries for person in people_named(entry.event))
        self._cards[club_id] = summarise_club(club, people)

    def _current(self, club_id: UUID) -> Club:
        """Return a club in the state of the last catching up, or newer. Raises UnknownClubError."""
        with self._lock:
            if club_id not in self._cards:
                self.log.club_entries(club_id)  # raises RecordErasedError with the reason
                raise UnknownClubError(club_id)
            if club_id not in self._cached:
                try:
                    self._read(club_id)  # under the lock, so that no older state replaces it
                except RecordErasedError:
                    self._forget(club_id)
                    raise
            return self._cached[club_id]

    def _readable(self, ids: Sequence[UUID]) -> list[Club]:
        """Return the clubs that can be read, without the others."""
        clubs = []
        for originator_id in ids:
            if originator_id in self._unread:
                continue
            try:
                clubs.append(self._current(originator_id))
            except RecordErasedError:
                continue
            except UnreadableError as wrong:
                logger.error("club %s is left out: %s", originator_id, wrong)
                self._unread.add(originator_id)
        return clubs
