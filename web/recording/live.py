"""Live following: pages hear at once that their game has grown.

A stream says only which step is the newest, when it changes and again at every beat; the page then asks for what its
viewer may see.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable
from uuid import UUID

from flask import Blueprint, Flask, Response, abort, current_app, request

from daybook.services.league import club_roles
from daybook.services.people import access, accounts
from daybook.services.people.access import Grant, role_grant_id
from daybook.services.people.accounts import Session
from daybook.services.play.live import Stream, Streams
from daybook.services.store.daybook import Daybook
from daybook.web.request.access import book, session_now, visit_game
from daybook.web.request.json_answers import json_answer
from daybook.web.request.origin import origin

page = Blueprint("live", __name__)

STREAM_SECONDS = 1800  # then the browser connects again
RETRY_SECONDS = 30  # when a page that found no free stream may try again


def begin_streams(app: Flask) -> None:
    """Nobody waits for news of the application's daybook."""
    opened: Daybook = app.extensions["daybook"]
    app.extensions["streams"] = Streams(opened.log)


@page.get("/games/<uuid:game_id>/newest.json")
def newest(game_id: UUID) -> Response:
    """The newest step, for pages that found no free stream."""
    return json_answer(step=visit_game(game_id).game.step)


@page.get("/games/<uuid:game_id>/events")
def events(game_id: UUID) -> Response:
    """Server-sent events: `id:` is the newest step, the data {"step": 41}; of a `beat` {"step": 41, "pause": 2}."""
    visit = visit_game(game_id)
    after = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    if after and not (after.isascii() and after.isdecimal()):
        abort(400)
    answer = Response(mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    if request.method == "HEAD":
        return answer
    streams: Streams = current_app.extensions["streams"]
    stream = streams.open(game_id, origin())
    if stream is None:
        busy = Response(status=503)
        busy.headers["Retry-After"] = str(RETRY_SECONDS)
        return busy
    held = functools.partial(grant_still_held, book(), visit.grant, session_now())
    readable_step = functools.partial(step_if_readable, book(), game_id, held)
    answer.response = StepStream(streams, stream, readable_step, int(after) if after else -1)  # type: ignore[assignment]
    answer.direct_passthrough = True  # as it is: the server sends asynchronous iterators without a thread
    return answer


class StepStream:
    """The text of one stream, piece by piece. It ends when what the holder held is taken away, and after a while in any
    case.

    step: the newest step by then, or None where it may no longer be read. after: what the reader knows of.
    """

    def __init__(self, streams: Streams, stream: Stream, step: Callable[[], int | None], after: int) -> None:
        self.streams = streams
        self.stream = stream
        self.step = step
        self.after = after

    async def __aiter__(self) -> AsyncIterator[bytes]:
        now = time.monotonic()
        until, look_at = now + STREAM_SECONDS, now  # at once: the stream is open by now, nothing falls between
        beat_at = now
        yield b"retry: 2000\n\n"
        while not self.stream.ended and now < until:
            if now >= look_at:
                step = await asyncio.to_thread(self.step)
                if step is None:
                    return
                self.stream.tell(step)
                look_at = now + self.streams.look_seconds
            if await self.stream.wait(self.after, min(look_at, beat_at) - now):
                self.after = self.stream.newest
                yield event(self.after)
            now = time.monotonic()
            if now >= beat_at:
                pause = self.streams.beat_pause()
                yield beat(self.stream.newest, pause)
                beat_at = now + pause

    async def aclose(self) -> None:
        self.streams.leave(self.stream)


def step_if_readable(opened: Daybook, game_id: UUID, held: Callable[[], Grant | None]) -> int | None:
    """The newest step of a game; None where the holder may no longer read it. held: what the holder holds by then."""
    return opened.games.get(game_id).step if access.may_read(opened.kept.game(game_id), held()) else None


def event(step: int) -> bytes:
    return f'id: {step}\ndata: {{"step": {step}}}\n\n'.encode()


def beat(step: int, pause: float) -> bytes:
    """A sign of life, and in how many seconds there will be another.

    It tells the newest step once more: an answer that was lost is asked for again.
    """
    return f'event: beat\ndata: {{"step": {step}, "pause": {pause:g}}}\n\n'.encode()


def grant_still_held(opened: Daybook, grant: Grant | None, session: Session | None) -> Grant | None:
    """What is left of a grant: a link may be revoked; who is signed in may be signed out, or lose a role."""
    if grant is None or grant.id != role_grant_id(grant.person):
        return None if grant is None else access.grant_of(opened, grant.id)
    if session is not None and not accounts.is_session_live(opened, session):
        return None
    return next(iter(club_roles.role_grants(opened, grant.person, grant.game)), None)
