"""Live following: one thread of each process waits at the log and tells every open stream that its game has grown.

A stream says only which step is the newest; the page then asks for what its viewer may see.
"""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Iterator
from threading import Event, Lock, Thread
from uuid import UUID

from eventsourcing.persistence import PersistenceError
from flask import Blueprint, Response, abort, current_app, jsonify, request
from flask.blueprints import BlueprintSetupState

from services import access
from services.access import Grant
from services.daybook import Daybook
from services.log import GameLog
from web.access import book, current_grant, readable

page = Blueprint("live", __name__)

STREAMS_LIMIT = 48  # open at once in one process; each holds a thread of the server
STREAM_SECONDS = 1800  # then the browser connects again
HEARTBEAT_SECONDS = 15.0
RETRY_SECONDS = 30  # when a page that found no free stream may try again
WAIT_SECONDS = 5.0
BATCH = 500

logger = logging.getLogger(__name__)

Steps = queue.SimpleQueue[int]


class Streams:
    """The open streams of one process, and the thread that follows the log while there are any."""

    def __init__(self, log: GameLog, limit: int = STREAMS_LIMIT) -> None:
        self.log = log
        self.limit = limit
        self.closed = Event()
        self._open: dict[UUID, list[Steps]] = {}
        self._count = 0
        self._lock = Lock()
        self._follower: Thread | None = None

    def open(self, game_id: UUID) -> Steps | None:
        """A stream of a game's newest steps; None when too many are open."""
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
        while not self.closed.is_set():
            if not self._goes_on():
                return
            if not self.log.wait(position, WAIT_SECONDS):
                continue
            try:
                for position, entry in self.log.since(position, BATCH):
                    self._tell(entry.originator_id, entry.step)
            except PersistenceError as away:
                logger.warning("the log cannot be read: %s", away)
                self.closed.wait(1)

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


@page.record_once
def prepare(state: BlueprintSetupState) -> None:
    opened: Daybook = state.app.extensions["daybook"]
    state.app.extensions["streams"] = Streams(opened.log)


@page.get("/games/<uuid:game_id>/newest.json")
def newest(game_id: UUID) -> Response:
    """The newest step, for pages that found no free stream."""
    game, _ = readable(game_id)
    answer = jsonify(step=game.step)
    answer.headers["Cache-Control"] = "no-store"
    return answer


@page.get("/games/<uuid:game_id>/events")
def events(game_id: UUID) -> Response:
    """Server-sent events: `id:` is the newest step, the data {"step": 41}."""
    readable(game_id)
    after = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    if after and not (after.isascii() and after.isdecimal()):
        abort(400)
    streams: Streams = current_app.extensions["streams"]
    steps = streams.open(game_id)
    if steps is None:
        busy = Response(status=503)
        busy.headers["Retry-After"] = str(RETRY_SECONDS)
        return busy
    told = _told(streams, steps, book(), game_id, current_grant(game_id), int(after) if after else None)
    answer = Response(told, mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(lambda: streams.leave(game_id, steps))
    return answer


def _told(
    streams: Streams, steps: Steps, opened: Daybook, game_id: UUID, grant: Grant | None, told: int | None
) -> Iterator[str]:
    """The stream's text. It ends when the holder's link is revoked, and after a while in any case."""
    until = time.monotonic() + STREAM_SECONDS
    step = opened.games.get(game_id).step  # after opening the stream: nothing falls between
    yield "retry: 2000\n\n"
    if told is None or step > told:
        yield event(step)
    told = max(step, told or 0)
    while time.monotonic() < until and not streams.closed.is_set():
        try:
            step = steps.get(timeout=HEARTBEAT_SECONDS)
        except queue.Empty:
            if not still_may_read(opened, game_id, grant):
                return
            yield ": still here\n\n"
            step = opened.games.get(game_id).step  # should the thread have missed one
        if step > told:
            told = step
            yield event(step)


def event(step: int) -> str:
    return f'id: {step}\ndata: {{"step": {step}}}\n\n'


def still_may_read(opened: Daybook, game_id: UUID, grant: Grant | None) -> bool:
    held = None if grant is None else access.grant_of(opened, grant.id)
    return access.may_read(opened, game_id, held)
