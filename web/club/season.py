"""A season: its standings as of any day, its tables round by round, and each of its tables as a file."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, request, url_for
from werkzeug import Response

from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.results import Result
from daybook.domain.league.schedule import schedule_fairness
from daybook.domain.league.seasons import Fixture
from daybook.domain.league.standings import Standings
from daybook.services import days
from daybook.services.league import evenings, results, season_archive, season_end, season_tables
from daybook.services.league.clubs import What
from daybook.services.league.demonstration import tied_people
from daybook.services.league.season_progress import DRAWN, NextStep, SeasonProgress, progress_of
from daybook.services.league.season_tables import Meetings
from daybook.services.permissions.actions import may_read, may_with
from daybook.services.statistics.plain_tables import ExportTable
from daybook.services.store import as_of
from daybook.web.club.season_charts import points_chart
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
)
from daybook.web.request.days import viewer_today
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response, forbid_storing
from daybook.web.words import join_words, league_words, say

page = Blueprint("season", __name__)

NEWEST = 4
TYPES = {"csv": "text/csv", "json": "application/json"}
OPEN = ("free", "heats")  # kinds in which any game can be entered


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>")
def standings(club_id: UUID, season_id: str) -> str | tuple[str, int]:
    club, season = require_season(club_id, season_id)
    asked = request.args.get("date", "")
    at = end_of_day(club, asked) if asked else None
    is_wrong = bool(asked) and at is None
    shown, ended = standings_then(club, season, position_at(club, at))
    names = club_names(club, shown.order)
    progress = None if asked else progress_shown(club, season, shown, ended)
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
        date=asked,
        today=max(viewer_today(club), days.today_of(club.zone)),
        wrong_date=is_wrong,
        progress=progress,
        next_step=progress and next_step(club, season, progress),
        next_table=progress and progress.next_of(user_id(), club),
        begun=any(row.games_played for group in shown.groups for row in group.rows),
        since=None if asked else season_end.since_closing(book(), club, season),
        twins=evenings.twins_in(book(), club, season.id)
        if season.is_open and not asked and user_may(club, "enter")
        else [],
        provisional=sum("provisional" in result.marks for result in ended),
        charts=[points_chart(group) for group in shown.groups],
        newest=[(season.tables[one.table], one) for one in ended[: -NEWEST - 1 : -1] if one.table in season.tables],
    )
    return (body, 422) if is_wrong else body


def progress_shown(club: Club, season: Season, standings: Standings, ended: list[Result]) -> SeasonProgress:
    """Where a season stands. ended: its results."""
    seen = {person for result in ended for person in result.people}
    return progress_of(club, season, {one.table or "" for one in ended}, seen, tied=bool(tied_people(standings)))


def next_step(club: Club, season: Season, progress: SeasonProgress) -> tuple[str, str] | None:
    """The one thing that is to be done next, as a button says it and where it leads; None where whoever looks may not."""
    at: dict[str, Any] = {"club_id": club.id, "season_id": season.id}
    table = progress.to_play[0] if progress.to_play else None
    steps: dict[NextStep, tuple[What, str, str]] = {
        "enter": ("schedule", say("Enter players"), url_for("players.players", **at)),
        "draw": ("schedule", draw_says(season), url_for("draw.draw", **at)),
        "draw_anew": ("schedule", say("Draw anew"), url_for("draw.draw", **at)),
        "play": (
            "open",
            say("To the next table: {table}", table=table_label(season, table)) if table else say("Enter a game"),
            url_for("table.table", table_id=table.id, **at) if table else url_for("table.new", **at),
        ),
        "lot": ("rule", say("Draw a lot"), url_for("closing.run", **at)),
        "close": ("close", say("Close the season"), url_for("closing.run", _anchor="close", **at)),
        "open_next": (
            "settle",
            say("Open the next season from this one"),
            url_for("succession.open_next_season", **at),
        ),
    }
    if progress.next == "":
        return None
    what, says, to = steps[progress.next]
    return (says, to) if user_may(club, what) else None


def draw_says(season: Season) -> str:
    """How the button is called that draws what is next."""
    if not season.rounds:
        return say("Draw the schedule")
    return say("Draw the next round") if season.format.kind == "swiss" else say("Draw anew")


def position_at(club: Club, at: str | None) -> int | None:
    """The last position of a time; None: now."""
    return None if at is None else results.position_at(book(), club, at)


def standings_then(club: Club, season: Season, position: int | None) -> tuple[Standings, list[Result]]:
    """The standings and the results as they were known at a position; before the season was opened there are none."""
    try:
        return (
            results.standings_at(book(), club, season.id, position),
            results.season_results(book(), club, season.id, position),
        )
    except results.UnknownSeason:
        return Standings(season.format.tiebreaks, ()), []


def end_of_day(club: Club, text: str) -> str | None:
    """The last moment of a day of the club, as records write times; None for what is no day."""
    day = days.read_day(text)
    return None if day is None else days.last_moment(day, club.zone)


def leaders_sentence(season: Season, standings: Standings, names: Names) -> str:
    """The first of each group in one sentence, for a link to the page."""
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
    asked = request.args.get("date", "")
    at = end_of_day(club, asked) if asked else None
    if asked and at is None:
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
            club, season, results.season_results(book(), club, season.id), names, can_read
        ),
    }[what]()
    return as_file(table, kind, season)


def as_file(table: ExportTable, kind: str, season: Season) -> Response:
    body = table.csv() if kind == "csv" else table.json()
    return forbid_storing(file_response(body, f"season-{season.id}-{table.name}.{kind}", TYPES[kind]))


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/archive.zip")
@takes_long("GET")
def archive(club_id: UUID, season_id: str) -> Response:
    """The season as one file, with the records that whoever asks may have."""
    club, season = require_season(club_id, season_id)
    body = season_archive.archive(book(), club, season, club_names(club), may_have)
    return forbid_storing(file_response(body, f"season-{season.id}.zip", "application/zip"))


def can_read(game_id: UUID) -> bool:
    return may_read(book().kept.game(game_id), current_grant(game_id))


def may_have(game_id: UUID) -> bool:
    game = book().games.find(game_id)
    grant = current_grant(game_id)
    return game is not None and can_read(game_id) and bool(may_with([grant] if grant else [], game, "export"))


# --- rounds and tables -----------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/tables")
def schedule(club_id: UUID, season_id: str) -> str:
    club, season = require_season(club_id, season_id)
    names, ended = club_names(club), results_by_table(club, season)
    preview_club_page(club, f"{season.name} – {club.name}", say("Rounds and tables"))
    return render_club_page(
        "league/schedule.html",
        club,
        season=season,
        heading=say("Tables"),
        names=names,
        rounds=[(number, *tables_of_round(club, season, number, ended)) for number in season.rounds],
        loose=[
            (table, ended.get(table.id)) for table in reversed(season_tables.tables_in_order(season)) if not table.round
        ],
        draws=season.format.kind in DRAWN,
        draw_says=draw_says(season),
        free=season.format.kind in OPEN,
        fairness=meetings_of_groups(club, season),
        unfairness=unfairness_sentence(club, season) if season.draws else "",
        seats_of=seats_of,
    )


@page.get("/clubs/<uuid:club_id>/seasons/<season_id>/rounds/<int:number>")
def round(club_id: UUID, season_id: str, number: int) -> str:
    club, season = require_season(club_id, season_id)
    if number not in season.rounds:
        abort(404)
    at = season.rounds.index(number)
    tables, byes = tables_of_round(club, season, number, results_by_table(club, season))
    preview_club_page(club, f"{season.name} – {club.name}", say("Round {n}", n=number))
    return render_club_page(
        "league/round.html",
        club,
        season=season,
        heading=say("Round {n}", n=number),
        number=number,
        tables=tables,
        byes=byes,
        before=season.rounds[at - 1] if at else None,
        after=season.rounds[at + 1] if at + 1 < len(season.rounds) else None,
    )


def results_by_table(club: Club, season: Season) -> dict[str, Result]:
    """The results of a season by their tables."""
    return {result.table or "": result for result in results.season_results(book(), club, season.id)}


def tables_of_round(
    club: Club, season: Season, number: int, ended: dict[str, Result]
) -> tuple[list[tuple[SeasonTable, Result | None]], list[str]]:
    """The tables of a round with their results, and who has a bye."""
    tables = [table for table in season_tables.tables_in_order(season) if table.round == number]
    return (
        [(table, ended.get(table.id)) for table in tables],
        [club.person(bye.person) for bye in season.byes if bye.round == number],
    )


def meetings_of_groups(club: Club, season: Season) -> list[tuple[str, Meetings]]:
    """For each group in which people meet, who meets whom and who sits where; as played, where it was played."""
    found = []
    entrants = club.entrants(season)
    for division, group in sorted({(one.division, one.group) for one in entrants}):
        tables = [
            club.seats(table)
            for table in season.tables.values()
            if (table.division, table.group) == (division, group) and not table.voided
        ]
        people = [one.person for one in entrants if (one.division, one.group) == (division, group)]
        met = season_tables.count_meetings(people, tables)
        if met.most:
            found.append((league_words.group_name(season.format, division, group), met))
    return found


def unfairness_sentence(club: Club, season: Season) -> str:
    """How fair the tables that stand are, in a sentence."""
    groups = [
        schedule_fairness(
            [one.person for one in club.entrants(season) if (one.division, one.group) == key],
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
        sum(one.uneven for one in groups), max((one.apart for one in groups), default=0)
    )


def seats_of(met: Meetings) -> int:
    return max((len(seats) for seats in met.seats.values()), default=0)
