"""Live updates: notify streams of grown games; one thread per process waits for the log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from types import MappingProxyType
from typing import cast
from uuid import UUID

from eventsourcing.persistence import ConnectionPoolClosedError, PersistenceError

from daybook.services import limits
from daybook.services.fair_room import Entry, FairRoom
from daybook.services.limits import Caller
from daybook.services.store.log import GameLog

BEAT_SECONDS = 2.0  # a page that hears nothing for much longer shows that it may be behind
MAX_BEATS_PER_SECOND = 100  # of all streams of a process; with many streams, each beats less often
PERMISSION_CHECK_SECONDS = 15.0  # between two checks that the reader may still read
LOG_WAIT_SECONDS = 1.0  # the follower notices within this time that the last stream has left
AWAY_SECONDS = 1.0
BATCH = 500

logger = logging.getLogger(__name__)


class Stream:
    """Newest steps of some games, for one reader. Set by any thread, awaited in an event loop."""

    def __init__(self, games: Iterable[UUID], delays: Mapping[UUID, int] = MappingProxyType({})) -> None:
        """delays: in seconds, of games that the reader sees with a delay."""
        self.newest = dict.fromkeys(games, -1)
        self.delays = dict(delays)
        self.ended = False
        self.left = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    def note_step(self, game_id: UUID, step: int) -> None:
        """Set a step that was just recorded, with the reader's delay."""
        delay = self.delays.get(game_id, 0)
        if not delay:
            self.set_step(game_id, step)
        elif self._loop is not None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._loop.call_later, delay, self.set_step, game_id, step)

    def set_step(self, game_id: UUID, step: int) -> None:
        self.newest[game_id] = max(self.newest[game_id], step)
        self._wake()

    def end_stream(self) -> None:
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: no one waits any more
                self._loop.call_soon_threadsafe(self._told.set)

    def newer_steps(self, after: Mapping[UUID, int]) -> dict[UUID, int]:
        """Return the newest steps of games that are newer than the reader's steps."""
        return {game_id: step for game_id, step in self.newest.items() if game_id in after and step > after[game_id]}

    async def wait_for_steps(self, after: Mapping[UUID, int], seconds: float) -> dict[UUID, int]:
        """Wait up to `seconds` for newer steps or the end of the stream, and return the newer steps."""
        self._loop = asyncio.get_running_loop()
        self._told.clear()  # clear before the check: later notifications wake us
        if not self.newer_steps(after) and not self.ended and seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._told.wait()
        return self.newer_steps(after)


class Streams:
    """The open streams of one process, and the thread that follows the log while there are any."""

    def __init__(self, log: GameLog) -> None:
        self.log = log
        self.room = FairRoom(
            limits.STREAMS_PER_PROCESS,
            limits.STREAMS_PER_HOLDER,
            limits.STREAMS_PER_BROWSER,
            limits.STREAMS_PER_ADDRESS,
        )
        self.beat_seconds = BEAT_SECONDS
        self.look_seconds = PERMISSION_CHECK_SECONDS
        self.closed = Event()
        self._open: dict[UUID, set[Stream]] = {}
        self._entries: dict[Stream, Entry] = {}
        self._lock = Lock()
        self._follower: Thread | None = None

    def open_stream(
        self, games: Iterable[UUID], caller: Caller, delays: Mapping[UUID, int] = MappingProxyType({})
    ) -> Stream | None:
        """Open a stream of new entries in games; None if the caller or the process has too many."""
        holder = caller.account or caller.link
        stream = Stream(games, delays)
        with self._lock:
            if self.closed.is_set():
                return None
            entry = self.room.enter(caller.address, holder or caller.browser, bool(holder), 1, stream.end_stream)
            if entry is None:
                return None
            self._entries[stream] = entry
            self._register(stream)
            if self._follower is None:
                position = self.log.newest()
                self._follower = Thread(target=self._follow_log, args=(position,), name="live streams", daemon=True)
                self._follower.start()
        return stream

    def close_stream(self, stream: Stream) -> None:
        """Close a stream; repeated calls have no effect."""
        with self._lock:
            if stream.left:
                return
            stream.left = True
            self._unregister(stream)
            self.room.leave(self._entries.pop(stream))

    @contextmanager
    def watching(self, stream: Stream) -> Iterator[None]:
        """Notify a stream that several open streams share, for as long as the block runs."""
        with self._lock:
            self._register(stream)
        try:
            yield
        finally:
            with self._lock:
                self._unregister(stream)

    def _register(self, stream: Stream) -> None:
        for game_id in stream.newest:
            self._open.setdefault(game_id, set()).add(stream)

    def _unregister(self, stream: Stream) -> None:
        for game_id in stream.newest:
            self._open[game_id].remove(stream)
            if not self._open[game_id]:
                del self._open[game_id]

    def beat_pause(self) -> float:
        """Seconds between two beats of a stream."""
        return max(self.beat_seconds, self.count_open() / MAX_BEATS_PER_SECOND)

    def count_open(self) -> int:
        """Return the number of open streams."""
        with self._lock:
            return self.room.used()

    def close_all(self) -> None:
        """End every stream before the process exits."""
        self.closed.set()
        with self._lock:
            for streams in self._open.values():
                for stream in streams:
                    stream.end_stream()

    def _follow_log(self, position: int) -> None:
        while not self.closed.is_set() and self._has_listeners():
            if not self.log.wait(position, LOG_WAIT_SECONDS):
                continue
            try:
                for notification in self.log.notifications(position, BATCH):
                    self._notify_streams(cast(UUID, notification.originator_id), notification.originator_version - 1)
                    position = notification.id
            except ConnectionPoolClosedError:  # while it read: the Daybook is closed, and its streams with it
                return
            except PersistenceError as away:
                logger.warning("the log cannot be read: %s", away)
                self.closed.wait(AWAY_SECONDS)

    def _has_listeners(self) -> bool:
        """Check if any stream is open; the thread ends with the last one."""
        with self._lock:
            if not self._entries:
                self._follower = None
            return bool(self._entries)

    def _notify_streams(self, game_id: UUID, step: int) -> None:
        with self._lock:
            for stream in self._open.get(game_id, ()):
                stream.note_step(game_id, step)
