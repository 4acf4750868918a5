"""The live page of a round or an evening: all tables and the standings as they would be now; later the report.

`?view=projector` is large and dark, and turns its pages by itself. The overlay shows one table on a transparent page.
"""

from __future__ import annotations

import functools
import time
from typing import Any
from uuid import UUID

from flask import Blueprint, Response, abort, current_app, redirect, render_template, request, url_for
from flask_babel import get_locale
from werkzeug import Response as BaseResponse

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Season
from daybook.services.league import live_round
from daybook.services.league.live_round import LiveTable
from daybook.services.people import accounts
from daybook.services.people.accounts import Key, Session
from daybook.services.permissions.actions import ClubVisit, may
from daybook.services.permissions.visits import Visit
from daybook.services.play.live import Streams
from daybook.services.store.daybook import Daybook
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.log import RecordErasedError
from daybook.web.boards.miniature import page_style_sheet
from daybook.web.club.live_view import STANDINGS, LiveStream, LiveView, LiveViews, ViewKey
from daybook.web.recording.live import STREAM_RETRY_SECONDS
from daybook.web.replay.replay import filmstrip_of
from daybook.web.replay.turning_points import MomentShown, describe_moments, select_decisive
from daybook.web.request.access import book, current_session, key_of_person
from daybook.web.request.clubs import (
    preview_club_page,
    render_club_page,
    require_club,
    require_season,
    table_label,
    user_id,
)
from daybook.web.request.counts import watcher
from daybook.web.request.days import zone_of_visitor
from daybook.web.words import league_words, say

page = Blueprint("live_round", __name__)

TABLES_WITH_MOMENTS = 12  # of a report; the others link to theirs
STYLE_SECONDS = 3600


class LivePage(Frozen):
    """A requested live page.

    Args:
        at: the arguments of its address.
        kind: "round" or "evening", the beginning of its endpoints.
    """

    club: Club
    season: Season | None
    key: ViewKey
    kind: str
    at: dict[str, Any]
    heading: str

    def url(self, what: str, **more: Any) -> str:
        return url_for(f"live_round.{self.kind}{what}", **self.at, **more)


def _round_at(club_id: UUID, season_id: str, number: int) -> LivePage:
    club, season = require_season(club_id, season_id)
    if number not in season.rounds:
        abort(404)
    key = _view_key(club, season=season.id, round=number, evening="")
    at = {"club_id": club_id, "season_id": season_id, "number": number}
    return LivePage(club, season, key, "round", at, say("Round {n}", n=number))


def _evening_at(club_id: UUID, evening_id: str) -> LivePage:
    require_club(club_id)
    club = require_club(club_id, "see_evenings")
    evening = club.evenings[evening_id] if evening_id in club.evenings else abort(404)
    key = _view_key(club, season="", round=None, evening=evening_id)
    at = {"club_id": club_id, "evening_id": evening_id}
    return LivePage(club, None, key, "evening", at, league_words.evening_label(evening.when, zone_of_visitor(club)))


def _view_key(club: Club, **scope: Any) -> ViewKey:
    sees_private = bool(user_id() and club.roles(user_id()))
    return ViewKey(club=club.id, sees_private=sees_private, locale=str(get_locale()), root=request.script_root, **scope)


# --- the pages -------------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/live")
def current_round(club_id: UUID, season_id: str) -> BaseResponse:
    """Lead to the round that is played now, for a bookmark that stays the same."""
    _, season = require_season(club_id, season_id)
    open_rounds = {table.round for table in season.tables.values() if table.round and not (table.typed or table.voided)}
    begun = [table.round for table in season.tables.values() if table.game and table.round]
    rounds = season.rounds
    if not rounds:
        abort(404)
    number = max(begun) if begun else min(open_rounds, default=rounds[-1])
    return redirect(
        url_for(".round", club_id=club_id, season_id=season_id, number=number, view=request.args.get("view")), 303
    )


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>/live", endpoint="round")
def round_page(club_id: UUID, season_id: str, number: int) -> str:
    return _live_page(_round_at(club_id, season_id, number))


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>/live", endpoint="evening")
def evening_page(club_id: UUID, evening_id: str) -> str:
    return _live_page(_evening_at(club_id, evening_id))


def _live_page(shown: LivePage) -> str:
    view = _views().view(shown.key)
    view.refresh_if_stale()
    is_report = live_round.is_report([*view.tables.values()])
    is_projector = request.args.get("view") == "projector"
    preview_club_page(shown.club, f"{shown.heading} – {shown.club.name}", say("All tables live"))
    more: dict[str, Any] = {"season": shown.season} if shown.season else {}
    if is_projector:
        more["theme"] = lambda: "dark"
    return render_club_page(
        "league/live.html",
        shown.club,
        heading=shown.heading,
        shown=shown,
        view=view,
        tables=[view.regions[name].marked(name) for name in view.tables],
        standings=view.regions[STANDINGS].marked(STANDINGS) if STANDINGS in view.regions else "",
        counts=_count_states(view),
        is_report=is_report,
        is_projector=is_projector,
        moments=_moments_of(shown, view) if is_report and not is_projector else [],
        now=int(1000 * time.time()),
        **more,
    )


def _count_states(view: LiveView) -> tuple[int, int]:
    """Return the number of tables, and of those that are over."""
    tables = view.tables.values()
    return len(tables), sum(table.state in ("over", "abandoned", "not_played") for table in tables)


def _moments_of(shown: LivePage, view: LiveView) -> list[tuple[LiveTable, str, list[MomentShown]]]:
    """Return the moments of each readable table, with its label, as a spectator may read them."""
    found = list[tuple[LiveTable, str, list[MomentShown]]]()
    for table in [*view.tables.values()]:
        if table.seal and table.state == "over" and len(found) < TABLES_WITH_MOMENTS:
            season = shown.club.season(table.season) if table.season else shown.club.beside
            label = table_label(season, table.table, shown.key.round)
            found.append((table, label, _moments_of_game(UUID(table.table.game))))
    return found


def _moments_of_game(game_id: UUID) -> list[MomentShown]:
    """Return the moments of a game that the viewer may read, as spectators read them."""
    kept, game = book().kept.game(game_id), book().games.find(game_id)
    if kept is None or game is None:
        return []
    with filmstrip_of(Visit(game=game, kept=kept), None) as (_, filmstrip):
        return select_decisive(describe_moments(filmstrip))


# --- what changes ----------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>/live/changes")
def round_changes(club_id: UUID, season_id: str, number: int) -> Response:
    return _changes(_round_at(club_id, season_id, number))


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>/live/changes")
def evening_changes(club_id: UUID, evening_id: str) -> Response:
    return _changes(_evening_at(club_id, evening_id))


def _changes(shown: LivePage) -> Response:
    """Return what changed since a page's token, for pages without a stream."""
    view = _views().view(shown.key)
    view.refresh_if_stale()
    answer = Response(view.changes_since(view.version_of(request.args.get("after", ""))), mimetype="application/json")
    answer.headers["Cache-Control"] = "no-store"
    return answer


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>/live/events")
def round_events(club_id: UUID, season_id: str, number: int) -> Response:
    return _events(_round_at(club_id, season_id, number))


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>/live/events")
def evening_events(club_id: UUID, evening_id: str) -> Response:
    return _events(_evening_at(club_id, evening_id))


def _events(shown: LivePage) -> Response:
    """Stream what changes on the page."""
    answer = Response(mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Accel-Buffering"] = "no"
    answer.headers["Content-Encoding"] = "gzip"  # every browser with event streams reads it
    if request.method == "HEAD":
        return answer
    streams: Streams = current_app.extensions["streams"]
    stream = streams.open_stream((), watcher({}))
    if stream is None:
        busy = Response(status=503)
        busy.headers["Retry-After"] = str(STREAM_RETRY_SECONDS)
        return busy
    channel = _views().channel(shown.key, streams)
    known = channel.view.version_of(request.headers.get("Last-Event-ID") or request.args.get("after", ""))
    way_in = current_session() or key_of_person()
    readable = functools.partial(may_still_read, book(), shown.key, user_id(), way_in)
    answer.response = LiveStream(channel, stream, readable, known, way_in is None)  # type: ignore[assignment]
    answer.direct_passthrough = True
    return answer


def may_still_read(opened: Daybook, key: ViewKey, person: str, way_in: Session | Key | None) -> bool:
    """Check if the viewer of a stream has the permission with which it began."""
    if way_in is not None and not accounts.is_still_valid(opened, way_in):
        return False
    try:
        club = opened.clubs.get(key.club)
    except (UnknownClubError, RecordErasedError):
        return False
    visit = ClubVisit(club, person, (), True)
    if key.sees_private and not club.roles(person):
        return False
    return bool(may(visit, "read_club") and (not key.evening or may(visit, "see_evenings")))


def _views() -> LiveViews:
    views: LiveViews = current_app.extensions.setdefault("live_views", LiveViews())
    return views


# --- overlay ---------------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>/live/<table_id>/overlay")
def round_overlay(club_id: UUID, season_id: str, number: int, table_id: str) -> str:
    return _overlay(_round_at(club_id, season_id, number), table_id)


@page.get("/clubs/<uuid:club_id>/evenings/<evening_id>/live/<table_id>/overlay")
def evening_overlay(club_id: UUID, evening_id: str, table_id: str) -> str:
    return _overlay(_evening_at(club_id, evening_id), table_id)


def _overlay(shown: LivePage, table_id: str) -> str:
    """Return one table for a video, 1920 x 1080 on a transparent page."""
    view = _views().view(shown.key)
    view.refresh_if_stale()
    name = next((name for name, table in view.tables.items() if table.table.id == table_id), None) or abort(404)
    return render_template(
        "league/live_overlay.html",
        shown=shown,
        view=view,
        table=view.regions[name].marked(name),
        has_board=request.args.get("board") != "no",
        now=int(1000 * time.time()),
    )


@page.get("/live-boards.css")
def styles() -> Response:
    """Return the style sheet of small boards in pages."""
    answer = Response(page_style_sheet(), mimetype="text/css")
    answer.headers["Cache-Control"] = f"public, max-age={STYLE_SECONDS}"
    return answer
