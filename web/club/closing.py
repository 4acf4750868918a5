"""Pages to run a season: penalties, lots, closing it, and opening it again."""

from __future__ import annotations

import secrets
from uuid import UUID

from flask import Blueprint, abort, flash, request
from flask.typing import ResponseReturnValue

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_commands import (
    CancelSeason,
    CloseSeason,
    CloseSeasonAgain,
    ClubCommand,
    GivePenalty,
    KeepFinalOrder,
    RecordLot,
    RemoveSeason,
    ReopenSeason,
    RestoreSeason,
)
from daybook.services.league import duplicate_games, results, season_end
from daybook.services.league.demonstration import tied_people
from daybook.services.names import NAME_LIMIT
from daybook.services.permissions.actions import ClubAction
from daybook.web.club.season import progress_shown
from daybook.web.request.access import book
from daybook.web.request.clubs import (
    MAX_PEOPLE_LISTED,
    club_names,
    club_reason,
    person_typed,
    real_season_at,
    render_club_page,
    require_club,
    require_season,
    table_label,
    write_in_club,
)
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    parse_whole_number,
    see_other,
    text_sent,
    whole_number_sent,
    why_sent,
)
from daybook.web.words import say
from daybook.web.words.club_event_words import club_event_shown, people_in

page = Blueprint("closing", __name__)

HISTORY_LIMIT = 60  # of the newest entries


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/run")
def run(club_id: UUID, season_id: str) -> str:
    """Show the page to run a season: penalties, lots, closing and reopening."""
    club = require_club(club_id, "rule_results")
    return _closing_page(club, real_season_at(club, season_id))


def _closing_page(club: Club, season: Season, error: str = "") -> str:
    standings, ended = results.standings_at(book(), club, season.id), results.season_results(book(), club, season.id)
    events = [entry.event for entry in club.entries if getattr(entry.event, "season", None) == season.id]
    names, since = club_names(club, people_in(events)), season_end.since_closing(book(), club, season)
    return render_club_page(
        "league/run.html",
        club,
        season=season,
        heading=say("Manage"),
        standings=standings,
        names=names,
        wrong=error,
        key=fresh_key(),
        keys=fresh_key,
        people=standings.order,
        most=MAX_PEOPLE_LISTED,
        name_limit=NAME_LIMIT,
        tied=tied_people(standings),
        progress=progress_shown(club, season, standings, ended),
        hinders=closing_hindrances(club, season),
        history=[club_event_shown(club, event, names) for event in reversed(events[-HISTORY_LIMIT:])],
        sent=request.form,
        penalties=club.penalties(season),
        since=since,
        twins=duplicate_games.twins_in(book(), club, season.id) if season.is_open else [],
        orders_digest=season_end.orders_digest(since.orders) if since else "",
    )


def closing_hindrances(club: Club, season: Season) -> list[str]:
    """Return sentences that say why the season cannot be closed now."""
    if not season.is_open:
        return []
    sentences = [
        say("{table} has no result: play it or make it void.", table=table_label(season, table))
        for table in season.tables.values()
        if not table.is_settled
    ]
    ended = {result.table for result in results.season_results(book(), club, season.id)}
    sentences += [
        say("{table} is still being played.", table=table_label(season, table))
        for table in season.tables.values()
        if table.game and table.id not in ended
    ]
    try:
        season_end.final_orders(book(), club, season.id)
    except Refused as no:
        sentences.append(club_reason(no.reason))
    return sentences


def _write_and_return(club: Club, season: Season, error: str, success: str) -> ResponseReturnValue:
    if error:
        return _closing_page(book().clubs.get(club.id), season, error), 422
    flash(success)
    return see_other("closing.run", club_id=club.id, season_id=season.id)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/run/penalty")
def penalise(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "rule_results")
    try:
        points = parse_whole_number(text_sent("points"))
    except BadTextError:
        return _write_and_return(club, season, say("Enter the points as a whole number."), "")
    players = [player.person for player in club.entrants(season)]
    person = text_sent("person") or person_typed(club, text_sent("person_name"), players)
    return _write_and_return(
        club,
        season,
        write_in_club(club_id, GivePenalty(season_id, person, points, why_sent())),
        say("The penalty is saved."),
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/run/lot")
def lot(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Save a lot: the numbers drawn at the table, or an order drawn here."""
    club, season = require_season(club_id, season_id, "rule_results")
    people = [person for name, person in sorted(request.form.items()) if name.startswith("person.")]
    if request.form.get("drawn") == "here":
        secrets.SystemRandom().shuffle(people)
    else:
        numbers = [text_sent(f"number.{person}").strip() for person in people]
        if sorted(numbers) != [str(number) for number in range(1, len(people) + 1)]:
            return _write_and_return(
                club, season, say("Number them from 1 to {n}, each number once.", n=len(people)), ""
            )
        people = [person for _, person in sorted(zip(map(int, numbers), people, strict=True))]
    return _write_and_return(
        club, season, write_in_club(club_id, RecordLot(season_id, tuple(people))), say("The lot is saved.")
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/run/close")
def close(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "close_seasons")
    at = whole_number_sent("at")
    return _write_and_return(
        club, season, write_in_club(club_id, CloseSeason(season_id), at=at), say("The season is closed.")
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/run/reopen")
def reopen(club_id: UUID, season_id: str) -> ResponseReturnValue:
    club, season = require_season(club_id, season_id, "close_seasons")
    return _write_and_return(
        club, season, write_in_club(club_id, ReopenSeason(season_id, why_sent())), say("The season is open again.")
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/run/<any(cancel,remove,restore):how>")
def end(club_id: UUID, season_id: str, how: str) -> ResponseReturnValue:
    """Cancel, remove or restore a season."""
    ways: dict[str, tuple[ClubAction, type[ClubCommand], str]] = {
        "cancel": ("close_seasons", CancelSeason, say("The season is cancelled.")),
        "remove": ("settle_club", RemoveSeason, say("The season is removed.")),
        "restore": ("settle_club", RestoreSeason, say("The season is restored.")),
    }
    action, command, success = ways[how]
    club, season = require_season(club_id, season_id, action)
    return _write_and_return(club, season, write_in_club(club_id, command(season_id, why_sent())), success)


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/run/order")
def decide(club_id: UUID, season_id: str) -> ResponseReturnValue:
    """Close a season again with its new order after results have changed, or keep its final order."""
    club, season = require_season(club_id, season_id, "close_seasons")
    ways = {
        "again": (CloseSeasonAgain, say("The season is closed with the order that stands now.")),
        "keep": (KeepFinalOrder, say("The final order stands.")),
    }
    if request.form.get("order") not in ways:
        abort(400)
    command, says = ways[request.form["order"]]
    return _write_and_return(
        club, season, write_in_club(club_id, command(season_id, why_sent(), text_sent("orders_digest"))), says
    )
