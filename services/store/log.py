"""The event log: every entry of every game and club, in the order in which they were written, on SQLite or PostgreSQL.

`GameLog` is an `Application` of the eventsourcing library: entries are its domain events, games and clubs its
aggregates. It has an event store (`log.events`), a notification log and a recorder for each database. `append` returns
when the entries are on disk. The databases refuse to change or remove an entry. Each entry has a position, the
library's notification id: one number over all entries that only rises.

The one exception is erasing: once a tombstone (`domain.tombstone`) is appended to a record, `remove_lines` deletes the
lines before it. The databases refuse every other deletion, and every entry after a tombstone. Positions are not reused.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from threading import Event, Lock, Thread
from typing import NamedTuple, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    ApplicationRecorder,
    ConnectionPoolClosedError,
    IntegrityError,
    InterfaceError,
    Notification,
    OperationalError,
    StoredEvent,
)
from eventsourcing.utils import Environment, EnvType

from daybook.domain.kernel import chronicle
from daybook.domain.kernel.chronicle import LAST_OF_0, seal_of
from daybook.domain.kernel.events import Entry, GameOpened
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league.club_events import ClubEntry, ClubFounded, is_of_club
from daybook.domain.tombstone import TOPICS as TOMBSTONE_TOPICS
from daybook.domain.tombstone import Tombstone, is_tombstone, read_tombstone
from daybook.services.clock import now
from daybook.services.settings import Settings
from daybook.services.store.byte_meter import count_entry
from daybook.services.store.compression import DictionaryCompressor
from daybook.services.store.entry_mapper import AnyEntry, EntryMapper
from daybook.services.store.log_signals import CommitWatch, NewEntriesSignal
from daybook.services.store.sqlite import NotDurableError as NotDurableError  # for callers that open the log

LAYOUT = 3  # of the tables; 1 and 2 were those of 0.x
POLL_FALLBACK_SECONDS = 1.0  # in case a notification is lost
PAGE = 500

logger = logging.getLogger(__name__)

PositionedEntry = tuple[int, AnyEntry]  # the position of an entry in the log, and the entry


class AlreadyWrittenError(Exception):
    """Another entry has this version, and nothing was written: read the game again and decide again."""


class OutOfOrderError(Exception):
    """The version before the first one was never written: the caller's game is not this log's.

    This happens on a database host that another host has replaced, until it follows that one.
    """


class UnknownGameError(LookupError):
    """The log has no game of this id: check the link, or import the record file."""

    def __init__(self, game_id: object) -> None:
        super().__init__(f"there is no game {game_id}")
        self.id = game_id


class UnknownClubError(LookupError):
    """The log has no club of this id: check the link."""

    def __init__(self, club_id: object) -> None:
        super().__init__(f"there is no club {club_id}")
        self.id = club_id


class RecordErasedError(UnknownGameError, UnknownClubError):
    """The game or club was erased; its tombstone is all that is left, and its id is not used again."""

    def __init__(self, record_id: UUID, tombstone: Tombstone) -> None:
        LookupError.__init__(self, f"{record_id} was erased on {tombstone.at[:10]}: {tombstone.why}")
        self.id = record_id
        self.tombstone = tombstone


class LogBusyError(Exception):
    """Other writers held the log for longer than the lock timeout, and nothing was written: try again later."""


class NoLogError(Exception):
    """There is no log, or one of another version of Daybook. The message says what to do."""


class LogState(NamedTuple):
    """State of the log as a whole, stored in its database.

    history: the id that the log, the kept tables and the data folder share (`services.store.history`).
    kept_notes: how many notes of the kept tables the log has seen. beat_at: when the newest heartbeat was committed.
    """

    history: str
    kept_notes: int
    beat_at: str


class LogRecorder(ApplicationRecorder, ABC):
    """The methods of a recorder that the log needs beyond the library's.

    `insert_events` raises LogBusyError, CannotWriteError and NotDurableError, too. Entries belong to one game, with consecutive versions.
    """

    @abstractmethod
    def layout(self) -> int:
        """Return the layout of the tables; 0 if there are none."""

    @abstractmethod
    def create_table(self) -> None:
        """Create missing tables and store new dictionaries. Safe in several processes at once."""

    @abstractmethod
    def dictionary_numbers(self) -> list[int]: ...

    @abstractmethod
    def dictionary(self, number: int) -> bytes | None: ...

    @abstractmethod
    def remove_lines(self, originator_id: UUID) -> None:
        """Delete the lines before the tombstone of a game or club, in one transaction; none without a tombstone."""

    @abstractmethod
    def select_largest(self, limit: int) -> list[tuple[UUID, int, int]]:
        """Return the largest games and clubs: id, number of entries and bytes."""

    @abstractmethod
    def select_recorded(
        self,
        originator_id: UUID,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[Notification]:
        """Return what `select_events` does, with positions."""

    @abstractmethod
    def select_positions(self, originator_id: UUID) -> list[int]:
        """Return the positions of a game's or club's entries, without reading their states."""

    @abstractmethod
    def select_tombstones(self) -> Sequence[Notification]:
        """Return all tombstones by position. They have an index, which `select_notifications` would not use."""

    @abstractmethod
    def select_ids(self, first_topic: str = "") -> list[UUID]:
        """Return all games and clubs by position, or only those that begin with an entry of a topic."""

    @abstractmethod
    def state(self) -> LogState | None:
        """Return the state of the log; None if it has no history yet."""

    @abstractmethod
    def begin_history(self, history: str) -> None:
        """Store the id of the history, if none is stored yet."""

    @abstractmethod
    def note_kept(self, notes: int) -> None: ...

    @abstractmethod
    def beat(self, at: str) -> None:
        """Commit a heartbeat as an entry is committed; it is on disk when this returns. Raises as `insert_events`."""

    @abstractmethod
    def probe(self) -> int:
        """Return the newest position, 0 if there is none, in one attempt."""

    @abstractmethod
    def weaknesses(self) -> list[str]: ...

    def epoch(self) -> int:
        """Return a number that changes when another server takes over, which may lack the newest entries."""
        return 0

    @abstractmethod
    def listen(self, signal: NewEntriesSignal, stopped: Event) -> None:
        """Notify the signal whenever any process has written, until stopped. Survives a restart of the database."""


def count_entries(stored_events: Iterable[StoredEvent]) -> None:
    """Count the bytes of entries that are about to be written for the quota of the client."""
    for event in stored_events:
        count_entry(event.topic, len(event.state))


def is_erasure(notification: StoredEvent) -> bool:
    """Check if a stored event is a tombstone."""
    return notification.topic in TOMBSTONE_TOPICS


def game_entries_in(seen: Iterable[PositionedEntry]) -> list[tuple[int, Entry]]:
    return [
        (place, cast(Entry, entry))
        for place, entry in seen
        if not is_of_club(entry.line) and not is_tombstone(entry.line)
    ]


def club_entries_in(seen: Iterable[PositionedEntry]) -> list[tuple[int, ClubEntry]]:
    return [
        (place, cast(ClubEntry, entry))
        for place, entry in seen
        if is_of_club(entry.line) and not is_tombstone(entry.line)
    ]


def tombstones_in(seen: Iterable[PositionedEntry]) -> list[chronicle.Entry[Tombstone]]:
    return [cast(chronicle.Entry[Tombstone], entry) for _, entry in seen if is_tombstone(entry.line)]


class GameLog(Application[UUID]):
    """The entries of all games and clubs. Open it with `open_log`, after a fork, and close it; threads may share it."""

    name = "games"
    log_section_size = 1_000_000  # the library refuses a larger limit of a selection
    recorder: LogRecorder
    mapper: EntryMapper

    def __init__(self, env: EnvType) -> None:
        self.signal = NewEntriesSignal()
        self.commits = CommitWatch()
        self._stopped = Event()
        self._listener: Thread | None = None
        self._starting = Lock()
        self._away = ""  # why the database could not be reached, as it was logged last
        super().__init__(env)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Use only what `open_log` sets: with the library's, any variable of the shell changes how the log stores."""
        return Environment(name, env)

    def construct_mapper(self) -> EntryMapper:
        """Use our mapper (`EntryMapper` has the reason)."""
        return EntryMapper(DictionaryCompressor(lambda number: self.recorder.dictionary(number)))

    # --- writing ---

    def append(self, *entries: AnyEntry) -> int:
        """Write entries of one game or club, all or none; return the last position. They are on disk then.

        Entries that are written already, byte for byte, are a success: the answer to the first attempt was lost.
        Raises AlreadyWrittenError, OutOfOrderError, RecordErasedError, LogBusyError, NotDurableError.
        """
        first = entries[0]
        for version, entry in enumerate(entries, first.originator_version):
            assert (entry.originator_id, entry.originator_version) == (first.originator_id, version), "not in order"
        try:
            with self.commits.watching():
                position = self.events.put(entries)[-1].notification.id
        except IntegrityError as conflict:
            position = self._position_of_repetition(entries, conflict)
        self.signal.notify()
        return position

    def _position_of_repetition(self, entries: Sequence[AnyEntry], conflict: IntegrityError) -> int:
        """Return where these entries are written already: a reply that is lost after the commit is a repetition.

        Raises RecordErasedError, OutOfOrderError, AlreadyWrittenError.
        """
        originator_id, version = entries[0].originator_id, entries[0].originator_version
        if (last := self.last_event(originator_id)) is not None:
            self._refuse_erased(last)
        stored = self.recorder.select_recorded(originator_id, gt=version - 1, lte=entries[-1].originator_version)
        if [self.line_of(event) for event in stored] == [entry.line for entry in entries]:
            return stored[-1].id
        if version > 1 and not self.recorder.select_events(originator_id, gt=version - 2, lte=version - 1):
            raise OutOfOrderError(f"game {originator_id} has no version {version - 1}") from conflict
        raise AlreadyWrittenError(f"game {originator_id} has another version {version} already") from conflict

    def commit_heartbeat(self) -> None:
        """Commit a heartbeat; it is on disk when this returns. Raises as `append` does."""
        with self.commits.watching():
            self.recorder.beat(now())

    # --- erasing ---

    def remove_lines(self, originator_id: UUID) -> None:
        """Delete the lines of a game or club that ends with a tombstone; nothing happens without one."""
        self.recorder.remove_lines(originator_id)
        self.signal.notify()

    def tombstones(self) -> list[chronicle.Entry[Tombstone]]:
        """Return all tombstones, oldest first."""
        return [
            cast(chronicle.Entry[Tombstone], self.mapper.to_domain_event(event))
            for event in self.recorder.select_tombstones()
        ]

    def is_erased(self, originator_id: UUID) -> bool:
        """Check if a game or club was erased."""
        last = self.last_event(originator_id)
        return last is not None and is_erasure(last)

    def _refuse_erased(self, last: StoredEvent) -> None:
        if is_erasure(last):
            raise RecordErasedError(cast(UUID, last.originator_id), read_tombstone(self.line_of(last)))

    # --- reading a game or club ---

    def line_of(self, stored_event: StoredEvent) -> bytes:
        """Return the line of a stored event, or its damaged state."""
        return self.mapper.compressor.decompress_if_possible(stored_event.state)

    def last_event(self, originator_id: UUID) -> Notification | None:
        """Return the last stored event of a game or club, erased or not; None for an unknown id."""
        return next(iter(self.recorder.select_recorded(originator_id, desc=True, limit=1)), None)

    def lines(self, originator_id: UUID, after_version: int = 0) -> list[bytes]:
        """Return the stored lines of a game or club after a version. Raises RecordErasedError."""
        stored = self.recorder.select_events(originator_id, gt=after_version)
        if stored:
            self._refuse_erased(stored[-1])
        return [self.line_of(event) for event in stored]

    def entries(self, game_id: UUID, after_version: int = 0) -> list[Entry]:
        """Return the entries of a game after a version; none for an unknown id. Raises InvalidLineError, RecordErasedError."""
        return [cast(Entry, entry) for entry in self._entries(game_id, after_version) if not is_of_club(entry.line)]

    def club_entries(self, club_id: UUID, after_version: int = 0) -> list[ClubEntry]:
        """Return the entries of a club after a version; none for an unknown id. Raises as `entries`."""
        return [cast(ClubEntry, entry) for entry in self._entries(club_id, after_version) if is_of_club(entry.line)]

    def _entries(self, originator_id: UUID, after_version: int) -> list[AnyEntry]:
        found = cast(list[AnyEntry], [*self.events.get(originator_id, gt=after_version)])
        if found and is_tombstone(found[-1].line):
            raise RecordErasedError(originator_id, read_tombstone(found[-1].line))
        return found

    def recorded_events(self, originator_id: UUID) -> Sequence[Notification]:
        """Return the stored events of a game or club with their positions. Raises RecordErasedError."""
        stored = self.recorder.select_recorded(originator_id)
        if stored:
            self._refuse_erased(stored[-1])
        return stored

    def position(self, originator_id: UUID, step: int) -> int:
        """Return the position of a step of a game or club. Raises LookupError for an unknown step."""
        return self.recorder.select_recorded(originator_id, gt=step, lte=step + 1)[0].id

    def positions(self, originator_id: UUID) -> list[int]:
        """Return the position of each step of a game or club; none for an unknown id."""
        return self.recorder.select_positions(originator_id)

    def game_ids(self) -> list[UUID]:
        """Return every game, in the order in which they were opened."""
        return self.recorder.select_ids(tag_of(GameOpened))

    def club_ids(self) -> list[UUID]:
        """Return every club, in the order in which they were founded."""
        return self.recorder.select_ids(tag_of(ClubFounded))

    # --- following ---

    def notifications(self, position: int, limit: int = PAGE, topics: Sequence[str] = ()) -> Sequence[Notification]:
        """Return the next stored events of all games and clubs after a position; only those of `topics`, if given.

        Positions rise but need not be consecutive. What is written later never has a lower one.
        """
        return self.notification_log.select(position, limit, topics=topics, inclusive_of_start=False)

    def decode(self, notification: Notification) -> PositionedEntry:
        """Return a notification's position and its decoded entry. Raises InvalidLineError."""
        entry = self.mapper.to_domain_event(notification)
        _ = entry.event
        return notification.id, entry

    def decode_lazily(self, notification: Notification) -> PositionedEntry:
        """Return a notification's position and its entry; a game's event is decoded at first use. Raises InvalidLineError."""
        return notification.id, self.mapper.to_domain_event(notification)

    def since(self, position: int, limit: int = PAGE, topics: Sequence[str] = ()) -> list[PositionedEntry]:
        """Return the decoded entries of `notifications`. Raises InvalidLineError."""
        return [self.decode(notification) for notification in self.notifications(position, limit, topics)]

    def notification_at(self, position: int) -> Notification | None:
        """Return the stored event at a position; None if there is none, or it was erased."""
        found = self.notifications(position - 1, 1)
        return found[0] if found and found[0].id == position else None

    def seal_at(self, position: int) -> str | None:
        """Return the seal of the entry at a position, readable or not; None as for `notification_at`."""
        found = self.notification_at(position)
        return None if found is None else seal_of(self.line_of(found))

    def probe(self) -> int:
        """Return `newest` in one attempt. Raises what is in `services.store.away.UNAVAILABLE`."""
        return self.recorder.probe()

    def newest(self) -> int:
        """Return the position of the newest entry; 0 while there is none."""
        return self.recorder.max_notification_id() or 0

    def wait(self, position: int, timeout_seconds: float) -> bool:
        """Wait until any process has written an entry after `position`; return False on timeout."""
        deadline = time.monotonic() + timeout_seconds
        self._listen()
        with self.signal.registered_waiter():
            while True:
                count = self.signal.count  # before the look: entries that come after it notify again
                if self._stopped.is_set():
                    return False
                if self._is_beyond(position):
                    return True
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    return False
                self.signal.wait(count, min(remaining, POLL_FALLBACK_SECONDS))

    def _is_beyond(self, position: int) -> bool:
        try:
            newest = self.recorder.probe()
        except (ConnectionPoolClosedError, InterfaceError, OperationalError) as away:
            if (why := str(away)) != self._away:
                logger.warning("the log cannot be reached: %s", why)
                self._away = why
            return False
        self._away = ""
        return newest > position

    def _listen(self) -> None:
        with self._starting:
            if self._listener is None and not self._stopped.is_set():
                self._listener = Thread(
                    target=self.recorder.listen, args=(self.signal, self._stopped), name="log listener", daemon=True
                )
                self._listener.start()

    def close(self) -> None:
        """End all waiting, then close. Closing twice is fine."""
        self._stopped.set()
        self.signal.notify()
        with self._starting:  # a listener that is just starting is waited for, too
            if self._listener is not None:
                self._listener.join()
                self._listener = None
        self.signal.wait_until_unused()  # closing a connection that a thread reads from would crash the process
        super().close()


def open_log(settings: Settings, create: bool = False) -> GameLog:
    """Open the log that the settings name.

    create: make it if it is missing; otherwise it must exist. Raises NoLogError; NotDurableError if one of our connections would
    not flush its commits (`durability` checks the server's own settings).
    """
    if settings.database_url:
        env = {
            "PERSISTENCE_MODULE": "daybook.services.store.log_postgres:LogFactory",
            "DATABASE_URL": settings.database_url,
        }
    else:
        file = settings.database_file("log")
        if create:
            settings.folder()
        elif not file.exists():
            raise NoLogError(f"there is no log at {file}: create one with `daybook init`, or name another data folder")
        env = {"PERSISTENCE_MODULE": "daybook.services.store.log_sqlite:LogFactory", "SQLITE_DBNAME": str(file)}
    log = GameLog({**env, "CREATE_TABLE": "y" if create else "n"})
    try:
        _check_layout(log.recorder.layout())
        log.mapper.compressor.number = max(log.recorder.dictionary_numbers(), default=0)
    except BaseException:
        log.close()
        raise
    return log


def _check_layout(layout: int) -> None:
    if layout == 0:
        raise NoLogError("the database holds no log: create one with `daybook init`, or name another database")
    if layout < LAYOUT:
        raise NoLogError(
            f"the log was made by Daybook 0.x: begin with a new data folder ({LAST_OF_0} is the last version that reads it)"
        )
    if layout > LAYOUT:
        raise NoLogError(
            f"the log has layout {layout} and this Daybook knows layout {LAYOUT}: install the other version"
        )


def durability(log: GameLog) -> list[str]:
    """Return why an acknowledged entry might not survive a power cut; empty if it does."""
    return log.recorder.weaknesses()


def require_durability(log: GameLog) -> None:
    """Refuse a database that may lose what it has committed. Raises NotDurableError."""
    findings = durability(log)
    if findings:
        raise NotDurableError(findings)
