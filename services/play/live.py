"""Telling whoever follows a game that it has grown: one thread of a process waits at the log for all of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from threading import Event, Lock, Thread
from uuid import UUID

from eventsourcing.persistence import PersistenceError

from daybook.services import limits
from daybook.services.fair_room import Entry, FairRoom
from daybook.services.limits import Caller
from daybook.services.store.log import GameLog

BEAT_SECONDS = 2.0  # a page that hears nothing for much longer says that it may be behind
BEATS_PER_SECOND = 100  # of all streams of one process together: where there are many, each beats less often
LOOK_SECONDS = 15.0  # between two looks at whether the reader may still read
WAIT_SECONDS = 1.0  # of the follower for the log: so long it goes on when the last one has left
AWAY_SECONDS = 1.0
BATCH = 500

logger = logging.getLogger(__name__)


class Stream:
    """What one reader is told of some games: their newest steps. Told by any thread, waited for in an event loop."""

    def __init__(self, games: Iterable[UUID]) -> None:
        self.newest = dict.fromkeys(games, -1)
        self.ended = False
        self.left = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()

    def tell(self, game_id: UUID, step: int) -> None:
        self.newest[game_id] = max(self.newest[game_id], step)
        self._wake()

    def end(self) -> None:
        self.ended = True
        self._wake()

    def _wake(self) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                self._loop.call_soon_threadsafe(self._told.set)

    def beyond(self, after: Mapping[UUID, int]) -> dict[UUID, int]:
        """The newest steps of the games of which some are beyond what the reader knows."""
        return {game_id: step for game_id, step in self.newest.items() if game_id in after and step > after[game_id]}

    async def wait(self, after: Mapping[UUID, int], seconds: float) -> dict[UUID, int]:
        """The newest steps beyond `after`; waits so long for one, or until the stream is ended."""
        self._loop = asyncio.get_running_loop()
        self._told.clear()  # before looking: what is told from here on wakes us up
        if not self.beyond(after) and not self.ended and seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._told.wait()
        return self.beyond(after)


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
        self.look_seconds = LOOK_SECONDS
        self.closed = Event()
        self._open: dict[UUID, set[Stream]] = {}
        self._entries: dict[Stream, Entry] = {}
        self._lock = Lock()
        self._follower: Thread | None = None

    def open(self, games: Iterable[UUID], caller: Caller) -> Stream | None:
        """Open a stream of what is written in games from now on; None if the caller has too many, or all have."""
        holder = caller.account or caller.link
        stream = Stream(games)
        with self._lock:
            if self.closed.is_set():
                return None
            entry = self.room.enter(caller.address, holder or caller.browser, bool(holder), 1, stream.end)
            if entry is None:
                return None
            self._entries[stream] = entry
            for game_id in stream.newest:
                self._open.setdefault(game_id, set()).add(stream)
            if self._follower is None:
                position = self.log.newest()
                self._follower = Thread(target=self._follow, args=(position,), name="live streams", daemon=True)
                self._follower.start()
        return stream

    def leave(self, stream: Stream) -> None:
        """Lets a stream go; done twice it is done once."""
        with self._lock:
            if stream.left:
                return
            stream.left = True
            for game_id in stream.newest:
                self._open[game_id].remove(stream)
                if not self._open[game_id]:
                    del self._open[game_id]
            self.room.leave(self._entries.pop(stream))

    def beat_pause(self) -> float:
        """Seconds between two beats of a stream."""
        return max(self.beat_seconds, self.count() / BEATS_PER_SECOND)

    def count(self) -> int:
        """How many are open."""
        with self._lock:
            return self.room.used()

    def close(self) -> None:
        """Ends every stream; for a process that goes away."""
        self.closed.set()
        with self._lock:
            for streams in self._open.values():
                for stream in streams:
                    stream.end()

    def _follow(self, position: int) -> None:
        while not self.closed.is_set() and self._goes_on():
            if not self.log.wait(position, WAIT_SECONDS):
                continue
            try:
                for written, game_id, version, _ in self.log.rows_since(
                    position, BATCH
                ):  # whether it can be read or not
                    self._tell(game_id, version - 1)
                    position = written
            except PersistenceError as away:
                logger.warning("the log cannot be read: %s", away)
                self.closed.wait(AWAY_SECONDS)

    def _goes_on(self) -> bool:
        """Whether anybody still listens; the thread ends with the last stream."""
        with self._lock:
            if not self._entries:
                self._follower = None
            return bool(self._entries)

    def _tell(self, game_id: UUID, step: int) -> None:
        with self._lock:
            for stream in self._open.get(game_id, ()):
                stream.tell(game_id, step)
