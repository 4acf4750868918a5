"""Telling whoever follows a game that it has grown: one thread of a process waits at the log for all of them."""

from __future__ import annotations

import logging
import queue
from threading import Event, Lock, Thread
from uuid import UUID

from eventsourcing.persistence import PersistenceError

from services.log import GameLog

STREAMS_LIMIT = 48  # open at once in one process; each holds a thread of the server
HEARTBEAT_SECONDS = 15.0  # a stream that says nothing for longer may be cut on its way
WAIT_SECONDS = 5.0
AWAY_SECONDS = 1.0
BATCH = 500

logger = logging.getLogger(__name__)

Steps = queue.SimpleQueue[int]  # the newest steps of one game, as they are written


class Streams:
    """The open streams of one process, and the thread that follows the log while there are any."""

    def __init__(self, log: GameLog) -> None:
        self.log = log
        self.limit = STREAMS_LIMIT
        self.heartbeat_seconds = HEARTBEAT_SECONDS
        self.closed = Event()
        self._open: dict[UUID, list[Steps]] = {}
        self._count = 0
        self._lock = Lock()
        self._follower: Thread | None = None

    def open(self, game_id: UUID) -> Steps | None:
        """A stream of what is written in a game from now on; None when too many are open."""
        steps: Steps = queue.SimpleQueue()
        with self._lock:
            if self._count >= self.limit or self.closed.is_set():
                return None
            self._count += 1
            self._open.setdefault(game_id, []).append(steps)
            if self._follower is None:
                position = self.log.newest()
                self._follower = Thread(target=self._follow, args=(position,), name="live streams", daemon=True)
                self._follower.start()
        return steps

    def leave(self, game_id: UUID, steps: Steps) -> None:
        with self._lock:
            self._count -= 1
            streams = self._open[game_id]
            streams.remove(steps)
            if not streams:
                del self._open[game_id]

    def close(self) -> None:
        """Ends every stream; for a process that goes away."""
        self.closed.set()
        with self._lock:
            for streams in self._open.values():
                for steps in streams:
                    steps.put(-1)

    def _follow(self, position: int) -> None:
        while not self.closed.is_set() and self._goes_on():
            if not self.log.wait(position, WAIT_SECONDS):
                continue
            try:
                for written, entry in self.log.since(position, BATCH):
                    self._tell(entry.originator_id, entry.step)
                    position = written
            except PersistenceError as away:
                logger.warning("the log cannot be read: %s", away)
                self.closed.wait(AWAY_SECONDS)

    def _goes_on(self) -> bool:
        """Whether anybody still listens; the thread ends with the last stream."""
        with self._lock:
            if not self._count:
                self._follower = None
            return bool(self._count)

    def _tell(self, game_id: UUID, step: int) -> None:
        with self._lock:
            for steps in self._open.get(game_id, ()):
                steps.put(step)
