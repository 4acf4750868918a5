"""Live following: notify open pages of new steps.

A stream sends only the number of the newest step, on each change and with every beat. The page then requests the content
for its viewer. All pages of a browser share one stream, because a browser has only six connections over http.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, Protocol
from uuid import UUID

import msgspec
from flask import Blueprint, Flask, Response, abort, current_app, request

from daybook.services.people import accounts
from daybook.services.people.accounts import Key, Session
from daybook.services.people.writers import role_grant_id
from daybook.services.permissions import access, club_roles
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import MayNotError, may_read
from daybook.services.permissions.delays import delay_for, delayed_game
from daybook.services.permissions.visits import Visit
from daybook.services.play.live import Stream, Streams
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UNREADABLE, UnknownGameError
from daybook.web.request.access import book, current_session, key_of_person, visit_another, visit_game
from daybook.web.request.counts import watcher
from daybook.web.request.forms import parse_number
from daybook.web.request.json_answers import json_answer

page = Blueprint("live", __name__)

STREAM_LIFETIME_SECONDS = 1800  # then the browser reconnects
MAX_GAMES_PER_STREAM = 20  # of one stream
STREAM_RETRY_SECONDS = 30  # of a page that found no free stream


def init_streams(app: Flask) -> None:
    """Create the application's empty set of streams."""
    opened: Daybook = app.extensions["daybook"]
    app.extensions["streams"] = Streams(opened.log)


@page.get("/games/<uuid:game_id>/newest.json")
def newest(game_id: UUID) -> Response:
    """Return the newest step, for pages without a stream."""
    return json_answer(step=visit_game(game_id).game.step)


@page.get("/games/<uuid:game_id>/events")
def events(game_id: UUID) -> Response:
    """Stream server-sent events of a game: `id:` is the newest step and the data {"step": 41}.

    The data of a `beat` is {"step": 41, "pause": 2}.
    """
    visit = visit_game(game_id)
    after = _known_step(request.headers.get("Last-Event-ID") or request.args.get("after", ""))
    return _stream_response(SingleGameFormat(), {game_id: visit}, {game_id: after})


@page.get("/events")
def events_of_games() -> Response:
    """Stream events of several games, ?game=<id>.<known step>&game=...

    Data is {"steps": {id: 41}}; of a `beat` {"steps": {id: 41, ...}, "pause": 2}; of `closed` {"games": [id, ...]},
    which may not be read.
    """
    after = dict(_parse_game_and_step(text) for text in request.args.getlist("game"))
    if not 0 < len(after) <= MAX_GAMES_PER_STREAM:
        abort(400)
    visited: dict[UUID, Visit] = {}
    for game_id in after:
        with suppress(UnknownGameError, MayNotError, *UNREADABLE):  # no page of an unreadable game can be open
            visited[game_id] = visit_another(game_id)
    return _stream_response(OfGames(), visited, after)


def _parse_game_and_step(text: str) -> tuple[UUID, int]:
    game_id, _, step = text.partition(".")
    try:
        return UUID(game_id), _known_step(step)
    except ValueError:
        abort(400)


def _known_step(text: str) -> int:
    if not text:
        return -1
    step = parse_number(text)
    return abort(400) if step is None or step < 0 else step


def _stream_response(stream_format: StreamFormat, visited: Mapping[UUID, Visit], after: Mapping[UUID, int]) -> Response:
    answer = Response(mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    if request.method == "HEAD":
        return answer
    streams: Streams = current_app.extensions["streams"]
    delays = {game_id: visit.delay_seconds for game_id, visit in visited.items()}
    stream = streams.open_stream(visited, watcher(visited), delays)
    if stream is None:
        busy = Response(status=503)
        busy.headers["Retry-After"] = str(STREAM_RETRY_SECONDS)
        return busy
    opened, way_in = book(), current_session() or key_of_person()
    grants = {
        game_id: functools.partial(current_grant_of, opened, visit.grant, way_in) for game_id, visit in visited.items()
    }
    readable = functools.partial(readable_steps, opened, grants, stream.delays)
    answer.response = StepStream(streams, stream, readable, after, stream_format)  # type: ignore[assignment]
    answer.direct_passthrough = True  # the server sends asynchronous iterators without a thread
    return answer


class StepStream:
    """Text of a stream, piece by piece. It ends when permission is lost, or after its lifetime.

    Args:
        steps: returns the newest steps of readable games.
        after: steps that the reader knows.
    """

    def __init__(
        self,
        streams: Streams,
        stream: Stream,
        steps: Callable[[], Mapping[UUID, int]],
        after: Mapping[UUID, int],
        form: StreamFormat,
    ) -> None:
        self.streams = streams
        self.stream = stream
        self.steps = steps
        self.after = dict(after)  # without games that are no longer readable
        self.form = form

    async def __aiter__(self) -> AsyncIterator[bytes]:
        now = time.monotonic()
        until, look_at = (
            now + STREAM_LIFETIME_SECONDS,
            now,
        )  # look at once: a step may have come before the stream was open
        beat_at = now
        yield b"retry: 2000\n\n"
        while not self.stream.ended and now < until:
            if now >= look_at:
                steps = await asyncio.to_thread(self.steps)
                if closed := self.after.keys() - steps.keys():
                    self.after = {game_id: step for game_id, step in self.after.items() if game_id in steps}
                    yield self.form.closed(closed)
                if not steps:
                    return
                for game_id, step in steps.items():
                    self.stream.set_step(game_id, step)
                look_at = now + self.streams.look_seconds
            if beyond := await self.stream.wait_for_steps(self.after, min(look_at, beat_at) - now):
                self.after |= beyond
                yield self.form.steps(beyond)
            now = time.monotonic()
            if now >= beat_at:
                pause = self.streams.beat_pause()
                yield self.form.beat({game_id: self.stream.newest[game_id] for game_id in self.after}, pause)
                beat_at = now + pause

    async def aclose(self) -> None:
        self.streams.close_stream(self.stream)


def readable_steps(
    opened: Daybook, grants: Mapping[UUID, Callable[[], Grant | None]], delays: dict[UUID, int]
) -> dict[UUID, int]:
    """Return the newest steps of the games that are still readable, as far as the reader may see them.

    Args:
        grants: by game, a function that returns the reader's present grant.
        delays: of these games for the reader, in seconds; updated.
    """
    steps = {}
    for game_id, holds in grants.items():
        grant = holds()
        if may_read(opened.kept.game(game_id), grant) and (game := opened.games.find(game_id)) is not None:
            delays[game_id] = delay_for(opened, game, [grant] if grant else [])
            steps[game_id] = delayed_game(opened, game, delays[game_id]).step
    return steps


class StreamFormat(Protocol):
    """Format of a stream.

    A beat shows that the stream is alive, announces the next one, and repeats the newest steps in case an event was
    lost.
    """

    def steps(self, steps: Mapping[UUID, int]) -> bytes: ...

    def beat(self, steps: Mapping[UUID, int], pause: float) -> bytes: ...

    def closed(self, games: Iterable[UUID]) -> bytes: ...


class SingleGameFormat:
    """Format for one game in the address; a reconnecting browser sends the last step itself."""

    def steps(self, steps: Mapping[UUID, int]) -> bytes:
        (step,) = steps.values()
        return f'id: {step}\ndata: {{"step": {step}}}\n\n'.encode()

    def beat(self, steps: Mapping[UUID, int], pause: float) -> bytes:
        (step,) = steps.values()
        return f'event: beat\ndata: {{"step": {step}, "pause": {pause:g}}}\n\n'.encode()

    def closed(self, games: Iterable[UUID]) -> bytes:
        return b""


class OfGames:
    def steps(self, steps: Mapping[UUID, int]) -> bytes:
        return _encode_event("", steps=_by_game_id(steps))

    def beat(self, steps: Mapping[UUID, int], pause: float) -> bytes:
        return _encode_event("event: beat\n", steps=_by_game_id(steps), pause=pause)

    def closed(self, games: Iterable[UUID]) -> bytes:
        return _encode_event("event: closed\n", games=[str(game_id) for game_id in games])


def _by_game_id(steps: Mapping[UUID, int]) -> dict[str, int]:
    return {str(game_id): step for game_id, step in steps.items()}


def _encode_event(kind: str, **data: Any) -> bytes:
    return f"{kind}data: {msgspec.json.encode(data).decode()}\n\n".encode()


def current_grant_of(opened: Daybook, grant: Grant | None, way_in: Session | Key | None) -> Grant | None:
    """Return what is left of a grant after revocations, sign-outs and lost roles."""
    if grant is None or grant.id != role_grant_id(grant.person):
        return None if grant is None else access.grant_of(opened, grant.id)
    if way_in is not None and not accounts.is_still_valid(opened, way_in):
        return None
    return next(iter(club_roles.role_grants(opened, grant.person, grant.game)), None)
