"""The event log: every entry of every game and club, in the order in which they were written, on SQLite or PostgreSQL.

`append` returns when the entries are on disk. The log only grows: the databases themselves refuse to change or
remove an entry. Each entry has a position, one number over all of them, that only ever rises: whoever follows the
log remembers the last position it saw and asks for what came `since`. Whoever wants games alone asks `of_games`.

The one exception is erasing: once a tombstone (`domain.tombstone`) is appended to a record, `remove_lines` deletes the
lines before it. The databases refuse every other deletion, and every entry after a tombstone. Positions are not reused.
"""

from __future__ import annotations

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Condition, Event, Lock, Thread
from typing import NamedTuple, cast
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import DomainEventProtocol
from eventsourcing.persistence import (
    ApplicationRecorder,
    ConnectionPoolClosedError,
    IntegrityError,
    InterfaceError,
    Mapper,
    OperationalError,
    StoredEvent,
)
from eventsourcing.utils import Environment, EnvType

from daybook.domain.kernel import chronicle, events
from daybook.domain.kernel.chronicle import seal_of
from daybook.domain.kernel.events import Entry, GameOpened
from daybook.domain.kernel.tags import tag_of
from daybook.domain.league import club_events
from daybook.domain.league.club_events import ClubEntry, ClubFounded, is_of_club
from daybook.domain.tombstone import Tombstone, is_tombstone, read_tombstone, tombstone_entry
from daybook.services.clock import now
from daybook.services.settings import Settings
from daybook.services.store.byte_meter import count_entry
from daybook.services.store.changes import NO_GAME as NO_GAME
from daybook.services.store.packing import Dictionary, Packing, refuse_packed
from daybook.services.store.sqlite import NotDurable as NotDurable  # for those who open the log

LAYOUT = 2  # of the tables; raised with the code that turns the one before into it
PLAIN = 1  # the layout of before there were dictionaries; what is written to such a log stays plain
LOOK_SECONDS = 1.0  # how long whoever waits trusts that it would be woken

logger = logging.getLogger(__name__)

Row = tuple[int, UUID, int, bytes]  # position, game or club, version, line; of the recorder, what is stored for it
AnyEntry = Entry | ClubEntry | chronicle.Entry[Tombstone]
Seen = tuple[int, AnyEntry]  # the position of an entry in the log, and the entry


class AlreadyWritten(Exception):
    """Another entry has this version, and nothing was written: read the game again and decide anew."""


class OutOfOrder(Exception):
    """The version before the first one given was never written: what the caller knows is not this log's game. So it is
    on a database host that another one has taken over from, until it follows that one."""


class UnknownGame(LookupError):
    """The log has no game of this id: check the link, or import the record file."""

    def __init__(self, id: object) -> None:
        super().__init__(f"there is no game {id}")
        self.id = id


class UnknownClub(LookupError):
    """The log has no club of this id: check the link."""

    def __init__(self, id: object) -> None:
        super().__init__(f"there is no club {id}")
        self.id = id


class RecordErasedError(UnknownGame, UnknownClub):
    """The game or club was erased; its tombstone is all that is left, and its id is not used again."""

    def __init__(self, id: UUID, tombstone: Tombstone) -> None:
        LookupError.__init__(self, f"{id} was erased on {tombstone.at[:10]}: {tombstone.why}")
        self.id = id
        self.tombstone = tombstone


class LogBusy(Exception):
    """Others wrote for longer than the lock timeout, and nothing was written: try again later."""


class NoLog(Exception):
    """There is no log here, or one of another version of Daybook. The message says what to do."""


class LogState(NamedTuple):
    """What the log's database says of the log as a whole.

    history: the id that the log, the kept tables and the data folder share (`services.store.history`).
    kept_notes: how many notes of the kept tables the log has seen. beat_at: when the newest heartbeat was committed.
    """

    history: str
    kept_notes: int
    beat_at: str


class News(NamedTuple):
    """What the log has beyond what somebody knows, as of one moment. entries: of one game; clubs: of all clubs, none
    of them read yet; newest: the position up to which that is all there is."""

    entries: list[Entry]
    clubs: list[Row]
    newest: int


class Bell:
    """Rung when the log has grown, or may have; wakes every thread that waits."""

    def __init__(self) -> None:
        self.rings = 0
        self._condition = Condition()
        self._waiting = 0
        self.wanted = Event()  # set while a thread waits

    def ring(self) -> None:
        with self._condition:
            self.rings += 1
            self._condition.notify_all()

    def wait(self, rings: int, timeout_seconds: float) -> None:
        """Until it has been rung more than `rings` times."""
        with self._condition:
            self._condition.wait_for(lambda: self.rings > rings, timeout_seconds)

    @contextmanager
    def while_somebody_waits(self) -> Iterator[None]:
        """Somebody waits: keep looking out."""
        self._attend(1)
        try:
            yield
        finally:
            self._attend(-1)

    def _attend(self, more: int) -> None:
        with self._condition:
            self._waiting += more
            if self._waiting:
                self.wanted.set()
            else:
                self.wanted.clear()
                self._condition.notify_all()

    def wait_until_left(self) -> None:
        """Until nobody waits any more."""
        with self._condition:
            self._condition.wait_for(lambda: not self._waiting)


class CommitWatch:
    """How long commits of this process have waited for their acknowledgement. Threads may share it."""

    def __init__(self) -> None:
        self._acknowledged = 0.0  # when the last commit was
        self._failing: float | None = None  # since when commits end with an error
        self._waiting = dict[object, float]()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the commit inside the block."""
        key, began = object(), time.monotonic()
        self._waiting[key] = began
        try:
            yield
        except IntegrityError:  # answered, and not written
            raise
        except BaseException:
            self._failing = began if self._failing is None else self._failing
            raise
        else:
            self._acknowledged, self._failing = time.monotonic(), None
        finally:
            del self._waiting[key]

    def since_acknowledged(self) -> float:
        """Return the seconds since a commit was acknowledged."""
        return time.monotonic() - self._acknowledged

    def unanswered_seconds(self) -> float:
        """Return for how long no commit was acknowledged although one was tried; 0 if all is well."""
        tried = [*self._waiting.copy().values(), *([] if self._failing is None else [self._failing])]
        return time.monotonic() - max(min(tried), self._acknowledged) if tried else 0.0


class LogRecorder(ApplicationRecorder, ABC):
    """What the log asks of a database beyond the library's recorder.

    `insert_events` takes entries of one game with versions that follow one another, and raises LogBusy.
    """

    @abstractmethod
    def layout(self) -> int:
        """The layout of the tables; 0 if there are none."""

    @abstractmethod
    def create(self, alone: bool = False) -> None:
        """Make the tables if there are none, and keep the dictionaries that are new. Safe when several processes do it
        at once.

        alone: no part of an older Daybook runs, as on SQLite always, so older tables are brought to this layout.
        """

    @abstractmethod
    def dictionaries(self) -> list[tuple[int, str]]:
        """Number and ruleset of each that the log has."""

    @abstractmethod
    def dictionary(self, number: int) -> Dictionary | None: ...

    @abstractmethod
    def remove_lines(self, id: UUID) -> None:
        """Delete the lines before the tombstone of a game or club, in one transaction; none without a tombstone."""

    @abstractmethod
    def largest(self, limit: int) -> list[tuple[UUID, int, int]]:
        """The largest games and clubs: id, number of entries and bytes."""

    @abstractmethod
    def last_row(self, id: UUID) -> Row | None:
        """The row of a game or club with the highest version."""

    @abstractmethod
    def tombstones(self, after: int) -> list[Row]:
        """Tombstones after a position, in the order of their positions."""

    @abstractmethod
    def lines(self, game_id: UUID, after: int) -> list[bytes]: ...

    @abstractmethod
    def lines_between(self, game_id: UUID, first: int, last: int) -> list[tuple[int, bytes]]:
        """Positions and lines of a game's versions from first to last, as far as there are any."""

    @abstractmethod
    def positions(self, game_id: UUID) -> list[int]:
        """Of all entries of a game, in their order."""

    @abstractmethod
    def since(self, position: int, limit: int, topics: Sequence[str]) -> list[Row]: ...

    @abstractmethod
    def news(self, game_id: UUID, after: int, position: int) -> list[tuple[str, int, UUID, int, bytes]]:
        """In one statement: the rows of a game after a version, headed "game"; those of clubs after a position, headed
        "club"; and, headed "newest", one with the newest position of all and nothing else."""

    @abstractmethod
    def ids_by_opening(self, topic: str) -> list[UUID]:
        """Those whose first entry has this topic, in the order in which they were begun."""

    @abstractmethod
    def ids(self) -> list[UUID]:
        """Every game and club that has an entry, in the order of their first entries."""

    @abstractmethod
    def stored(self, id: UUID) -> list[tuple[int, str, bytes]]:
        """Version, topic and stored line of each entry of a game or club, in order, as they are."""

    @abstractmethod
    def state(self) -> LogState | None:
        """None where the log was never given a history."""

    @abstractmethod
    def begin_history(self, id: str) -> None:
        """Note the id of the history, if none is noted yet."""

    @abstractmethod
    def note_kept(self, notes: int) -> None: ...

    @abstractmethod
    def beat(self, at: str) -> None:
        """Commit a heartbeat the way an entry is committed; it is on disk when this returns. Raises as
        `insert_events` does."""

    @abstractmethod
    def look(self) -> int:
        """The newest position, 0 if there is none. Asked once: whoever waits will ask again."""

    @abstractmethod
    def weaknesses(self) -> list[str]: ...

    def epoch(self) -> int:
        """A number that changes when another server takes over, which may lack the newest entries."""
        return 0

    @abstractmethod
    def listen(self, bell: Bell, stopped: Event) -> None:
        """Ring whenever any process has written, until stopped. Survives a restart of the database."""


def read_line(id: UUID, version: int, line: bytes) -> AnyEntry:
    """The entry of a stored line, of a game or of a club. Raises BadLine."""
    refuse_packed(line)
    if is_tombstone(line):
        return tombstone_entry(id, version, line)
    return club_events.read_line(id, version, line) if is_of_club(line) else events.read_line(id, version, line)


def read_row(row: Row) -> Seen:
    """Reads an entry out of a row of the log. Raises BadLine."""
    place, id, version, line = row
    return place, read_line(id, version, line)


def stored_row(row: Row) -> Seen:
    """The same, but what an entry of a game says is read when somebody asks. Raises BadLine for a club's,
    and for what is packed still."""
    place, id, version, line = row
    refuse_packed(line)
    is_stored_game = not is_of_club(line) and not is_tombstone(line)
    return (place, events.stored_entry(id, version, line)) if is_stored_game else read_row(row)


def of_games(seen: Iterable[Seen]) -> list[tuple[int, Entry]]:
    return [
        (place, cast(Entry, entry))
        for place, entry in seen
        if not is_of_club(entry.line) and not is_tombstone(entry.line)
    ]


def of_clubs(seen: Iterable[Seen]) -> list[tuple[int, ClubEntry]]:
    return [
        (place, cast(ClubEntry, entry))
        for place, entry in seen
        if is_of_club(entry.line) and not is_tombstone(entry.line)
    ]


def tombstones_in(seen: Iterable[Seen]) -> list[chronicle.Entry[Tombstone]]:
    return [cast(chronicle.Entry[Tombstone], entry) for _, entry in seen if is_tombstone(entry.line)]


def refuse_erased(id: UUID, lines: Sequence[bytes]) -> None:
    """Raise RecordErasedError if the last of these lines is a tombstone."""
    if lines and is_tombstone(lines[-1]):
        raise RecordErasedError(id, read_tombstone(lines[-1]))


class EntryMapper(Mapper[UUID]):
    """Stores an entry's line under its event's tag, and reads it byte for byte as it was."""

    def __init__(self, packing: Packing) -> None:
        """No transcoder, no compressor of the library's, no cipher."""
        self.packing = packing

    def to_stored_event(self, domain_event: DomainEventProtocol[UUID]) -> StoredEvent:
        entry = cast(AnyEntry, domain_event)
        id, version = entry.originator_id, entry.originator_version
        packed = entry.line if is_tombstone(entry.line) else self.packing.pack(id, version, entry.line)
        return StoredEvent(id, version, entry.topic, packed)  # a tombstone is recognised as it is stored

    def to_domain_event(self, stored_event: StoredEvent) -> AnyEntry:
        id, version = cast(UUID, stored_event.originator_id), stored_event.originator_version
        return read_line(id, version, self.packing.unpack_all([stored_event.state])[0])


class GameLog(Application[UUID]):
    """The entries of all games and clubs. Open it with `open_log`, after a fork, and close it; threads may share it."""

    name = "games"  # it names the tables: never renamed
    recorder: LogRecorder
    mapper: EntryMapper

    def __init__(self, env: EnvType) -> None:
        self._bell = Bell()
        self._stopped = Event()
        self._listener: Thread | None = None
        self._starting = Lock()
        self.commits = CommitWatch()
        self._away = ""  # why it could not be reached when somebody looked last, as it was logged
        super().__init__(env)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Only what `open_log` says: the library would let any variable of the shell change how it stores."""
        return Environment(name, env)

    def construct_mapper(self) -> EntryMapper:
        return EntryMapper(Packing(lambda number: self.recorder.dictionary(number), self._opening))

    def _opening(self, id: UUID) -> bytes | None:
        """The first line of a game or a club."""
        return next((line for _, _, _, line in self.rows_of(id, 1)), None)

    def begin_packing(self) -> None:
        """Have every part store entries packed when it starts next; this one does from now on. No part of an older
        Daybook may run, which could not read them."""
        self.recorder.create(alone=True)
        self.mapper.packing.pack_with(self.recorder.dictionaries())

    # --- writing ---

    def append(self, *entries: AnyEntry) -> int:
        """Write entries of one game or club, all or none; the position of the last. On disk when this returns.

        Entries that are written already, byte for byte, are a success: the answer to the first try was lost.
        Raises AlreadyWritten, OutOfOrder, RecordErasedError, LogBusy, NotDurable.
        """
        first = entries[0]
        for place, entry in enumerate(entries, first.originator_version):
            assert (entry.originator_id, entry.originator_version) == (first.originator_id, place), "not in order"
        try:
            stored = [self.mapper.to_stored_event(entry) for entry in entries]
            for event in stored:
                count_entry(event.topic, len(event.state))
            with self.commits.watching():
                position = (self.recorder.insert_events(stored) or ())[-1]
        except IntegrityError as conflict:
            position = self._written_before(entries, conflict)
        self._bell.ring()
        return position

    def beat(self) -> None:
        """Commit a heartbeat; it is on disk when this returns. Raises as `append` does."""
        with self.commits.watching():
            self.recorder.beat(now())

    def _written_before(self, entries: Sequence[AnyEntry], conflict: IntegrityError) -> int:
        """A reply that is lost after the commit makes the library insert again, which the first try forbids."""
        game_id, version = entries[0].originator_id, entries[0].originator_version
        if (last := self.last_row(game_id)) is not None:
            refuse_erased(game_id, [last[3]])
        stored = self.recorder.lines_between(game_id, version, entries[-1].originator_version)
        if self.mapper.packing.lines_of([one for _, one in stored]) == [entry.line for entry in entries]:
            return stored[-1][0]
        if version > 1 and not self.recorder.lines_between(game_id, version - 1, version - 1):
            raise OutOfOrder(f"game {game_id} has no version {version - 1}") from conflict
        raise AlreadyWritten(f"game {game_id} has another version {version} already") from conflict

    # --- erasing ---

    def remove_lines(self, id: UUID) -> None:
        """Delete the lines of a game or club whose last entry is a tombstone; nothing happens without one."""
        self.recorder.remove_lines(id)
        self._bell.ring()

    def tombstones(self, after: int = 0) -> list[tuple[int, chronicle.Entry[Tombstone]]]:
        """The tombstones after a position, each with its own."""
        rows = self.recorder.tombstones(after)
        lines = self.mapper.packing.lines_of([stored for *_, stored in rows])
        return [
            (place, tombstone_entry(id, version, line))
            for (place, id, version, _), line in zip(rows, lines, strict=True)
        ]

    def last_row(self, id: UUID) -> Row | None:
        """The last entry of a game or club, erased or not; None for an unknown id."""
        found = self.recorder.last_row(id)
        if found is None:
            return None
        (line,) = self.mapper.packing.lines_of([found[3]])
        return (*found[:3], line)

    # --- reading ---

    def lines(self, game_id: UUID, after: int = 0) -> list[bytes]:
        """The stored lines of a game in order, from version `after` + 1 on; none for an unknown game. Raises
        RecordErasedError."""
        lines = self.mapper.packing.lines_of(self.recorder.lines(game_id, after))
        refuse_erased(game_id, lines)
        return lines

    def entries(self, game_id: UUID, after_version: int = 0) -> list[Entry]:
        """The entries of a game in order, none of them read yet; none for an id that no game has. Raises BadLine for
        what cannot be unpacked, and RecordErasedError."""
        lines = self.mapper.packing.unpack_all(self.recorder.lines(game_id, after_version))
        refuse_erased(game_id, lines)
        if lines and is_of_club(lines[0]):
            return []
        return events.stored_entries(game_id, after_version + 1, lines)

    def club_entries(self, club_id: UUID, after_version: int = 0) -> list[ClubEntry]:
        """The entries of a club in order; none for an id that no club has."""
        lines = self.lines(club_id, after_version)
        if lines and not is_of_club(lines[0]):
            return []
        return [club_events.read_line(club_id, version, line) for version, line in enumerate(lines, after_version + 1)]

    def since(self, position: int, limit: int = 500, topics: Sequence[str] = ()) -> list[Seen]:
        """The next entries of all games and clubs after a position, each with its own; of these topics, if named.

        Positions rise but need not be consecutive. What was written later never has a lower one.
        """
        return [read_row(row) for row in self.rows_since(position, limit, topics)]

    def rows_since(self, position: int, limit: int = 500, topics: Sequence[str] = ()) -> list[Row]:
        """As `since`, and nothing of it read yet."""
        rows = self.recorder.since(position, limit, topics)
        lines = self.mapper.packing.lines_of([stored for _, _, _, stored in rows])
        return [(place, id, version, line) for (place, id, version, _), line in zip(rows, lines, strict=True)]

    def rows_of(self, id: UUID, most: int = 1_000_000) -> list[Row]:
        """All entries of one game or club with their positions, in order, none of them read yet. Raises
        RecordErasedError."""
        stored = self.recorder.lines_between(id, 1, most)
        lines = self.mapper.packing.lines_of([one for _, one in stored])
        refuse_erased(id, lines)
        return [
            (place, id, version, line) for version, ((place, _), line) in enumerate(zip(stored, lines, strict=True), 1)
        ]

    def rows_with_tombstone(self, id: UUID) -> list[Row]:
        """What the log has of an erased game or club: its tombstone, and before it the lines that are not removed yet."""
        last = self.last_row(id)
        if last is None:
            return []
        stored = self.recorder.lines_between(id, 1, last[2] - 1)
        lines = self.mapper.packing.lines_of([packed for _, packed in stored])
        before = zip(stored, lines, strict=True)
        return [*((place, id, version, line) for version, ((place, _), line) in enumerate(before, 1)), last]

    def news(self, position: int, game_id: UUID = NO_GAME, after_version: int = 0) -> News:
        """What was written of clubs after a position, and of a game after a version, in one read. Raises BadLine for
        what cannot be unpacked, and RecordErasedError for an erased game."""
        found: dict[str, list[Row]] = {"game": [], "club": [], "newest": []}
        for head, *row in self.recorder.news(game_id, after_version, position):
            found[head].append(cast(Row, tuple(row)))
        of_game = sorted(found["game"])
        lines = self.mapper.packing.unpack_all([stored for _, _, _, stored in of_game])
        refuse_erased(game_id, lines)
        read = zip(of_game, lines, strict=True)
        ((newest, *_),) = found["newest"]
        return News(
            [events.stored_entry(game_id, row[2], line) for row, line in read if not is_of_club(line)],
            sorted(row for row in found["club"] if is_of_club(row[3])),
            newest or 0,
        )

    def position(self, id: UUID, step: int) -> int:
        """Where in the log a step of a game or a club stands. Raises LookupError for one that it does not have."""
        return self.recorder.lines_between(id, step + 1, step + 1)[0][0]

    def positions(self, id: UUID) -> list[int]:
        """Where in the log each step of a game or a club stands; none for an unknown id."""
        return self.recorder.positions(id)

    def row_at(self, position: int) -> Row | None:
        """The entry at a position, whether it can be read or not; None if there is none, or it was erased."""
        rows = self.rows_since(position - 1, 1)
        return rows[0] if rows and rows[0][0] == position else None

    def seal_at(self, position: int) -> str | None:
        """The seal of the entry at a position, whether it can be read or not; None as for `row_at`."""
        row = self.row_at(position)
        return None if row is None else seal_of(row[3])

    def is_erased(self, id: UUID) -> bool:
        """Check if a game or club was erased."""
        last = self.last_row(id)
        return last is not None and is_tombstone(last[3])

    def look(self) -> int:
        """As `newest`, asked once: raises what is in `services.store.away.AWAY` while the database cannot be
        reached."""
        return self.recorder.look()

    def newest(self) -> int:
        """The position of the newest entry; 0 while there is none."""
        return self.recorder.max_notification_id() or 0

    def game_ids(self) -> list[UUID]:
        """Every game, in the order in which they were opened."""
        return self.recorder.ids_by_opening(tag_of(GameOpened))

    def club_ids(self) -> list[UUID]:
        """Every club, in the order in which they were founded."""
        return self.recorder.ids_by_opening(tag_of(ClubFounded))

    # --- following ---

    def wait(self, position: int, timeout_seconds: float) -> bool:
        """Until there is an entry after `position`, written by whatever process; False if none came in time."""
        deadline = time.monotonic() + timeout_seconds
        self._listen()
        with self._bell.while_somebody_waits():
            while True:
                rings = self._bell.rings  # before looking: what comes after the look rings again
                if self._stopped.is_set():
                    return False
                if self._is_beyond(position):
                    return True
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._bell.wait(rings, min(left, LOOK_SECONDS))

    def _is_beyond(self, position: int) -> bool:
        try:
            newest = self.recorder.look()
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
                    target=self.recorder.listen, args=(self._bell, self._stopped), name="log listener", daemon=True
                )
                self._listener.start()

    def close(self) -> None:
        """Wakes and sends home whoever waits. Closing twice is fine."""
        self._stopped.set()
        self._bell.ring()
        with self._starting:  # one that is just being started is waited for as well
            if self._listener is not None:
                self._listener.join()
                self._listener = None
        # A connection that is closed while somebody reads from it would take the process along.
        self._bell.wait_until_left()
        super().close()


def open_log(settings: Settings, create: bool = False) -> GameLog:
    """The log that the settings name.

    create: make it if it is not there; else it must be. Raises NoLog; NotDurable if a connection of ours would not
    flush what it commits (what the server's own settings lack is in `durability`).
    """
    if settings.database_url:
        env = {
            "PERSISTENCE_MODULE": "daybook.services.store.log_postgres:LogFactory",
            "DATABASE_URL": settings.database_url,
        }
    else:
        file = settings.sqlite_file("log")
        if create:
            settings.folder()
        elif not file.exists():
            raise NoLog(f"there is no log at {file}: create one with `daybook init`, or name another data folder")
        env = {"PERSISTENCE_MODULE": "daybook.services.store.log_sqlite:LogFactory", "SQLITE_DBNAME": str(file)}
    env["CREATE_TABLE"] = "y" if create else "n"
    log = GameLog(env)
    try:
        if create:
            log.recorder.create()
        layout = log.recorder.layout()
        _check_layout(layout)
        if layout > PLAIN:
            log.mapper.packing.pack_with(log.recorder.dictionaries())
    except BaseException:
        log.close()
        raise
    return log


def _check_layout(layout: int) -> None:
    if layout == 0:
        raise NoLog("the database holds no log: create one with `daybook init`, or name another database")
    if layout not in (PLAIN, LAYOUT):
        raise NoLog(f"the log has layout {layout} and this Daybook knows layout {LAYOUT}: install the other version")


def durability(log: GameLog) -> list[str]:
    """Why an acknowledged entry might not survive a power cut, a sentence each; empty when it does."""
    return log.recorder.weaknesses()


def refuse_unless_durable(log: GameLog) -> None:
    """Refuses a database that may lose what it has committed. Raises NotDurable."""
    findings = durability(log)
    if findings:
        raise NotDurable(findings)
