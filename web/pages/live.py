"""Live following: pages hear at once that their game has grown.

A stream says only which step is the newest; the page then asks for what its viewer may see.
"""

from __future__ import annotations

import functools
import queue
import time
from collections.abc import Callable, Iterator
from uuid import UUID

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request

from services import access, accounts, membership
from services.access import Grant
from services.accounts import Session
from services.daybook import Daybook
from services.streams import Steps, Streams
from web.access import book, current_grant, readable, session_now

page = Blueprint("live", __name__)

STREAM_SECONDS = 1800  # then the browser connects again
RETRY_SECONDS = 30  # when a page that found no free stream may try again


def begin(app: Flask) -> None:
    """Nobody waits for news of the application's daybook."""
    opened: Daybook = app.extensions["daybook"]
    app.extensions["streams"] = Streams(opened.log)


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
    held = functools.partial(still_held, book(), current_grant(game_id), session_now())
    told = _told(streams, steps, book(), game_id, held, int(after) if after else None)
    answer = Response(told, mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(lambda: streams.leave(game_id, steps))
    return answer


def _told(
    streams: Streams, steps: Steps, opened: Daybook, game_id: UUID, held: Callable[[], Grant | None], told: int | None
) -> Iterator[str]:
    """The stream's text. It ends when what the holder held is taken away, and after a while in any case.

    held: what the holder holds by then.
    """
    until = time.monotonic() + STREAM_SECONDS
    step = opened.games.get(game_id).step  # after opening the stream: nothing falls between
    yield "retry: 2000\n\n"
    if told is None or step > told:
        yield event(step)
    told = max(step, told or 0)
    while time.monotonic() < until and not streams.closed.is_set():
        try:
            step = steps.get(timeout=streams.heartbeat_seconds)
        except queue.Empty:
            if not access.may_read(opened, game_id, held()):
                return
            yield ": still here\n\n"
            step = opened.games.get(game_id).step  # should the thread have missed one
        if step > told:
            told = step
            yield event(step)


def event(step: int) -> str:
    return f'id: {step}\ndata: {{"step": {step}}}\n\n'


def still_held(opened: Daybook, grant: Grant | None, session: Session | None) -> Grant | None:
    """What is left of a grant: a link may be revoked; who is signed in may be signed out, or lose a role."""
    if grant is None or grant.id != membership.grant_id(grant.person):
        return None if grant is None else access.grant_of(opened, grant.id)
    if session is not None and not accounts.goes_on(opened, session):
        return None
    return next(iter(membership.grants(opened, grant.person, grant.game)), None)
