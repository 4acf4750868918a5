"""A season: standings on any day, tables by round, and each of these as a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.times import read_day
from daybook.domain.league.club import Club, Season
from daybook.domain.league.club_commands import SetRoundDeadline
from daybook.domain.league.results import Result
from daybook.domain.league.schedule import schedule_fairness
from daybook.domain.league.seasons import Fixture
from daybook.domain.league.standings import GroupStandings, StandingRow, Standings, rank_teams
from daybook.services import days
from daybook.services.league import duplicate_games, results, season_archive, season_end, season_tables
from daybook.services.league.demonstration import tied_people
from daybook.services.league.season_progress import DRAWN, NextStep, SeasonProgress, progress_of
from daybook.services.league.season_tables import Meetings
from daybook.services.permissions.actions import ClubAction, may_read, may_with
from daybook.services.statistics.plain_tables import ExportTable
from daybook.services.store import as_of
from daybook.web.club.season_charts import PointsChart, points_chart
from daybook.web.request.access import book, current_grant
from daybook.web.request.clubs import (
    Names,
    club_names,
    preview_club_page,
    render_club_page,
    require_season,
    table_label,
    user_id,
    user_may,
    write_in_club,
)
from daybook.web.request.days import viewer_today
from daybook.web.request.forms import fresh_key, see_other, text_sent
from daybook.web.request.lists import rows_from
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response, forbid_storing
from daybook.web.words import join_words, league_words, say

page = Blueprint("season", __name__)

NEWEST_RESULTS_SHOWN = 4
TYPES = {"csv": "text/csv", "json": "application/json"}
KINDS_WITH_ANY_TABLE = ("free", "heats")  # a game needs no planned table


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>")
def standings(club_id: UUID, season_id: str) -> str | tuple[str, int]:
    club, season = require_season(club_id, season_id)
    date = request.args.get("date", "")
    at = end_of_day(club, date) if date else None
    is_wrong = bool(date) and at is None
    shown, ended = standings_then(club, season, position_at(club, at))
    names = club_names(club, shown.order)
    groups, more = standings_page("season.standings", shown)
    progress = None if date else progress_shown(club, season, shown, ended)
    preview_club_page(
        club,
        f"{season.name} – {club.name}",
        leaders_sentence(season, shown, names),
        f"/clubs/{club.id}/seasons/{season.id}.png",
    )
    body = render_club_page(
        "league/standings.html",
        club,
        season=season,
        heading=say("Standings"),
        standings=shown,
        names=names,
        date=date,
        today=max(viewer_today(club), days.today_of(club.zone)),
        wrong_date=is_wrong,
        progress=progress,
        next_step=progress and next_step(club, season, progress),
        next_table=progress and progress.next_of(user_id(), club),
        begun=any(row.games_played for group in shown.groups for row in group.rows),
        since=None if date else season_end.since_closing(book(), club, season),
        twins=duplicate_games.twins_in(book(), club, season.id)
        if season.is_open and not date and user_may(club, "enter_results")
        else [],
        provisional=sum("provisional" in result.marks for result in ended),
        groups=groups,
        more=more,
        teams=rank_teams(shown, club.teams(season)),
        handicaps=club.handicaps(season),
        newest=[
            (season.tables[result.table], result)
            for result in ended[: -NEWEST_RESULTS_SHOWN - 1 : -1]
            if result.table in season.tables
        ],
    )
    return (body, 422) if is_wrong else body


class GroupPage(Frozen):
    """The rows of a group's standings that are on one page, with their chart."""

    group: GroupStandings
    rows: Sequence[StandingRow]
    chart: PointsChart | None


def standings_page(endpoint: str, standings: Standings) -> tuple[list[GroupPage], str]:
    """Return the groups with the requested rows of the standings, and the address of the next rows."""
    every_row = [(group, row) for group in standings.groups for row in group.rows]
    listed, more = rows_from(
        endpoint, every_row, lambda place: f"{place[0].division}.{place[0].group}.{place[1].person}"
    )
    pages = []
    for group in standings.groups:
        rows = [row for row_group, row in listed if row_group is group]
        if rows or not group.rows:
            pages.append(GroupPage(group, rows, points_chart(rows)))
    return pages, more


def progress_shown(club: Club, season: Season, standings: Standings, ended: list[Result]) -> SeasonProgress:
    """Return the progress of a season.

    Args:
        ended: its results.
    """
    seen = {person for result in ended for person in result.people}
    seen |= {seat.person for result in ended for seat in result.stand_ins}
    over = {result.table or "" for result in ended if "unapproved" not in result.marks}
    return progress_of(club, season, over, seen, tied=bool(tied_people(standings)))


def next_step(club: Club, season: Season, progress: SeasonProgress) -> tuple[str, str] | None:
    """Return the label and address of the next task of a season, or None unless the visitor may do it."""
    at: dict[str, Any] = {"club_id": club.id, "season_id": season.id}
    table = progress.to_play[0] if progress.to_play else None
    steps: dict[NextStep, tuple[ClubAction, str, str]] = {
        "enter": ("schedule", say("Enter players"), url_for("players.players", **at)),
        "draw": ("schedule", draw_label(season), url_for("draw.draw", **at)),
        "draw_anew": ("schedule", say("Draw again"), url_for("draw.draw", **at)),
        "play": (
            "open_tables",
            say("To the next table: {table}", table=table_label(season, table)) if table else say("Enter a game"),
            url_for("table.table", table_id=table.id, **at) if table else url_for("table.new", **at),
        ),
        "lot": ("rule_results", say("Draw a lot"), url_for("closing.run", **at)),
        "close": ("close_seasons", say("Close the season"), url_for("closing.run", _anchor="close", **at)),
        "open_next": (
            "settle_club",
            say("Open the next season from this one"),
            url_for("succession.open_next_season", **at),
        ),
    }
    if progress.next == "":
        return None
    action, label, to = steps[progress.next]
    return (label, to) if user_may(club, action) else None


def draw_label(season: Season) -> str:
    """Return the label of the button that draws the next tables."""
    if not season.rounds:
        return say("Draw the schedule")
    return say("Draw the next round") if season.format.kind in ("swiss", "knockout") else say("Draw again")


def position_at(club: Club, at: str | None) -> int | None:
    """Return the last position in the log at a time; None means now."""
    return None if at is None else results.position_at(book(), club, at)


def standings_then(club: Club, season: Season, position: int | None) -> tuple[Standings, list[Result]]:
    """Return standings and results as of a position; without any before the season was opened."""
    try:
        return (
            results.standings_at(book(), club, season.id, position),
            results.season_results(book(), club, season.id, position),
        )
    except results.UnknownSeasonError:
        return Standings(season.format.tiebreaks, ()), []


def end_of_day(club: Club, text: str) -> str | None:
    """Return the last moment of a day in the club's time zone, or None for an invalid day."""
    day = days.read_day(text)
    return None if day is None else days.last_moment(day, club.zone)


def leaders_sentence(season: Season, standings: Standings, names: Names) -> str:
    """Return a sentence with the first of each group, for previews of shared links."""
    groups = []
    for group in standings.groups:
        first = join_words([league_words.person_name(row.person, names) for row in group.rows if row.place == 1][:4])
        name = league_words.group_name(season.format, group.division, group.group)
        if any(row.games_played for row in group.rows):
            groups.append(say("{group}: {names}", group=name, names=first) if name else first)
    return (
        say("In the lead: {names}", names="; ".join(groups)) if groups else league_words.kind_name(season.format.kind)
    )


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/standings.<any(csv,json):kind>")
def standings_file(club_id: UUID, season_id: str, kind: str) -> Response:
    club, season = require_season(club_id, season_id)
    date = request.args.get("date", "")
    at = end_of_day(club, date) if date else None
    if date and at is None:
        abort(400, "day")
    position = position_at(club, at)
    shown, _ = standings_then(club, season, position)
    step = as_of.club_at(book(), club, position).step
    return as_file(season_tables.standings_table(club, season, shown, club_names(club), at, step), kind, season)


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/<any(schedule,results,people):what>.<any(csv,json):kind>")
def schedule_file(club_id: UUID, season_id: str, kind: str, what: str) -> Response:
    club, season = require_season(club_id, season_id)
    names = club_names(club)
    table = {
        "schedule": lambda: season_tables.schedule_table(club, season, names),
        "people": lambda: season_tables.people_table(club, season, names),
        "results": lambda: season_tables.results_table(
            club, season, results.season_results(book(), club, season.id), names, can_read_record
        ),
    }[what]()
    return as_file(table, kind, season)


def as_file(table: ExportTable, kind: str, season: Season) -> Response:
    body = table.csv() if kind == "csv" else table.json()
    return forbid_storing(file_response(body, f"season-{season.id}-{table.name}.{kind}", TYPES[kind]))


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/archive.zip")
@takes_long("GET")
def archive(club_id: UUID, season_id: str) -> Response:
    """Serve the season as a ZIP file with the records that the visitor may export."""
    club, season = require_season(club_id, season_id)
    body = season_archive.archive(book(), club, season, club_names(club), can_export_record)
    return forbid_storing(file_response(body, f"season-{season.id}.zip", "application/zip"))


def can_read_record(game_id: UUID) -> bool:
    return may_read(book().kept.game(game_id), current_grant(game_id))


def can_export_record(game_id: UUID) -> bool:
    game = book().games.find(game_id)
    grant = current_grant(game_id)
    return game is not None and can_read_record(game_id) and bool(may_with([grant] if grant else [], game, "export"))


# --- rounds and tables -----------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/tables")
def schedule(club_id: UUID, season_id: str) -> str:
    club, season = require_season(club_id, season_id)
    names, ended = club_names(club), results_by_table(club, season)
    preview_club_page(club, f"{season.name} – {club.name}", say("Rounds and tables"))
    in_order = season_tables.tables_in_order(season)
    tables, more = rows_from(
        "season.schedule",
        [*(table for table in in_order if table.round), *(table for table in reversed(in_order) if not table.round)],
        lambda table: table.id,
    )
    return render_club_page(
        "league/schedule.html",
        club,
        season=season,
        heading=say("Tables"),
        names=names,
        rounds=[
            (number, [(table, ended.get(table.id)) for table in of_round], byes_of_round(club, season, number))
            for number, of_round in groupby(tables, lambda table: table.round)
            if number
        ],
        loose=[(table, ended.get(table.id)) for table in tables if not table.round],
        more=more,
        draws=season.format.kind in DRAWN,
        draw_says=draw_label(season),
        free=season.format.kind in KINDS_WITH_ANY_TABLE,
        fairness=[] if season.format.kind == "knockout" else meetings_of_groups(club, season),
        unfairness=unfairness_sentence(club, season) if season.draws else "",
        seats_of=most_seats,
    )


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>", endpoint="round")
def round_page(club_id: UUID, season_id: str, number: int) -> str:
    club, season = require_season(club_id, season_id)
    if number not in season.rounds:
        abort(404)
    return _round_page(club, season, number)


def _round_page(club: Club, season: Season, number: int, error: str = "") -> str:
    at = season.rounds.index(number)
    ended = results_by_table(club, season)
    tables, more = rows_from(
        "season.round",
        [table for table in season_tables.tables_in_order(season) if table.round == number],
        lambda table: table.id,
    )
    preview_club_page(club, f"{season.name} – {club.name}", say("Round {n}", n=number))
    return render_club_page(
        "league/round.html",
        club,
        season=season,
        heading=say("Round {n}", n=number),
        number=number,
        wrong=error,
        key=fresh_key(),
        until=text_sent("until")
        if error
        else season.round_deadlines[number].until
        if number in season.round_deadlines
        else "",
        tables=[(table, ended.get(table.id)) for table in tables],
        more=more,
        byes=byes_of_round(club, season, number),
        before=season.rounds[at - 1] if at else None,
        after=season.rounds[at + 1] if at + 1 < len(season.rounds) else None,
    )


@page.post("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>/day")
def set_round_deadline(club_id: UUID, season_id: str, number: int) -> ResponseReturnValue:
    """Set or remove the last day of a round."""
    club, season = require_season(club_id, season_id, "schedule")
    if number not in season.rounds:
        abort(404)
    until = text_sent("until")
    error = "" if not until or read_day(until) else say("Enter a day as 2026-11-20.")
    if error := error or write_in_club(club.id, SetRoundDeadline(season.id, number, until)):
        return _round_page(club, season, number, error), 422
    return see_other("season.round", club_id=club.id, season_id=season.id, number=number)


def results_by_table(club: Club, season: Season) -> dict[str, Result]:
    return {result.table or "": result for result in results.season_results(book(), club, season.id)}


def byes_of_round(club: Club, season: Season, number: int) -> list[str]:
    return [club.person(bye.person) for bye in season.byes if bye.round == number]


def meetings_of_groups(club: Club, season: Season) -> list[tuple[str, Meetings]]:
    """Count meetings and seats for each group, as played or, for coming games, as planned."""
    groups = []
    entrants = club.entrants(season)
    sizes = Counter((entrant.division, entrant.group) for entrant in entrants)
    for (division, group), size in sorted(sizes.items()):
        if size > season_tables.MAX_PEOPLE_IN_MEETINGS:
            continue
        tables = [
            club.seats(table)
            for table in season.tables.values()
            if (table.division, table.group) == (division, group) and not table.voided
        ]
        people = [entrant.person for entrant in entrants if (entrant.division, entrant.group) == (division, group)]
        met = season_tables.count_meetings(people, tables)
        if met.most_meetings:
            groups.append((league_words.group_name(season.format, division, group), met))
    return groups


def unfairness_sentence(club: Club, season: Season) -> str:
    """Describe in a sentence how fair the planned and played tables are."""
    groups = [
        schedule_fairness(
            [entrant.person for entrant in club.entrants(season) if (entrant.division, entrant.group) == key],
            [
                Fixture(table.id, table.round, club.seats(table))
                for table in season.tables.values()
                if (table.division, table.group) == key and not table.voided
            ],
            [
                msgspec.structs.replace(bye, person=club.person(bye.person))
                for bye in season.byes
                if (bye.division, bye.group) == key
            ],
        )
        for key in sorted({(table.division, table.group) for table in season.tables.values() if table.planned})
    ]
    return league_words.unfairness_label(
        sum(fairness.uneven for fairness in groups), max((fairness.apart for fairness in groups), default=0)
    )


def most_seats(met: Meetings) -> int:
    return max((len(seats) for seats in met.seats.values()), default=0)
