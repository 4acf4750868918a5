"""A club's own page, its settings and its leagues."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

import msgspec
from flask import Blueprint, abort, flash, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug import Response

from daybook.domain.games import RULESETS
from daybook.domain.kernel.game_names import ANY, is_by_name, name_in_key
from daybook.domain.league.club import Club, League, Season, SeasonTable
from daybook.domain.league.club_commands import (
    AcceptResult,
    ChangeClubSettings,
    ChangeLeague,
    ClubCommand,
    DissolveClub,
    FoundLeague,
    RemoveClub,
    RemoveLeague,
    RenameClub,
    RestoreClub,
    RestoreLeague,
    SetTimeZone,
)
from daybook.domain.league.club_events import BESIDE, MEMBER_ACTIONS, ClubSettings
from daybook.domain.league.event_checks.leagues import MAX_SPECTATOR_DELAY_SECONDS
from daybook.domain.league.results import Result
from daybook.services import days
from daybook.services.clock import now
from daybook.services.days import day_of, first_moment
from daybook.services.league import (
    challenges,
    clubs,
    evening_plans,
    join_requests,
    moving,
    results,
    season_archive,
    season_end,
    year_reviews,
)
from daybook.services.league import plays as log
from daybook.services.names import TITLE_LIMIT
from daybook.services.statistics import reports
from daybook.services.statistics.figure_questions import club_filter, count_by_ruleset
from daybook.services.statistics.queries import remember_answers
from daybook.web.club.season import can_export_record, standings_page
from daybook.web.request.access import book
from daybook.web.request.clubs import (
    Names,
    club_names,
    games_sent,
    preview_club_page,
    render_club_page,
    require_club,
    step_written,
    user_id,
    user_may,
    write_in_club,
)
from daybook.web.request.days import zone_of_visitor
from daybook.web.request.forms import (
    BadTextError,
    fresh_key,
    key_sent,
    parse_number,
    parse_whole_number,
    see_other,
    text_fault,
    text_sent,
    why_sent,
)
from daybook.web.request.long_work import takes_long
from daybook.web.request.security import file_response, forbid_storing
from daybook.web.words import join_words, league_words, say, say_n, statistics_words

page = Blueprint("club", __name__)

MAX_NAMED_GAMES = 40  # games of a league that Daybook has no rules for
RESULTS_ON_CLUB_PAGE = 3  # the page stays within two screens of a phone
ROWS_ON_CLUB_PAGE = 3  # games, winners and records
CHALLENGES_ON_CLUB_PAGE = 1
RESULTS_ON_LEAGUE_PAGE = 4
COMING_TABLES_SHOWN = 8
PEOPLE_ON_CLUB_PAGE = 100
EVENINGS_ON_CLUB_PAGE = 3
NUMBER_SETTINGS = ("correction_days", "appeal_hours")
UNAPPROVED = log.PlayFilter(mark="unapproved")
ResultShown = tuple[Season, SeasonTable, Result]
ResultsOfSeasons = Mapping[str, Sequence[Result]]


@page.get("/clubs/<uuid:club_id>")
def club(club_id: UUID) -> ResponseReturnValue:
    club = require_club(club_id)
    if club.is_own_log:
        return see_other("plays.plays", club_id=club.id)
    names = club_names(club)
    goals = challenges.list_running_challenges(book(), club, "", CHALLENGES_ON_CLUB_PAGE)
    ended = results.newest_by_season(book(), club, RESULTS_ON_CLUB_PAGE)
    preview_club_page(
        club,
        club.name,
        say_n("A club of {n} member on Daybook", "A club of {n} members on Daybook", len(club.people())),
    )
    return render_club_page(
        "league/club.html",
        club,
        names=names,
        newest=newest_results(club, ended),
        evenings=evening_plans.coming(club)[:EVENINGS_ON_CLUB_PAGE],
        zone=zone_of_visitor(club),
        keys=fresh_key,
        running=running_tables(club, ended),
        coming=coming_tables(club),
        members=[
            (person, join_words([say(league_words.ROLES[role][0]) for role in roles if role != "member"]))
            for person, roles in islice(club.people().items(), PEOPLE_ON_CLUB_PAGE)
        ],
        in_all=len(club.people()),
        leagues=[(league, seasons_shown(club, league, names, ended)) for league in reversed(club.leagues_shown())],
        removed=[league for league in club.leagues.values() if league.removed],
        off=book().kept.withheld("club").get(str(club.id)),
        key=fresh_key(),
        year=year_reviews.newest_year(book(), club),
        goals=goals,
        said=statistics_words,
        to_confirm=tables_to_confirm(club),
        asking=len(join_requests.list_open_requests(book(), club)) if user_may(club, "manage_members") else 0,
        unapproved=log.count_plays(book(), club, UNAPPROVED) if user_may(club, "close_seasons") else 0,
        **figures_shown(club, ROWS_ON_CLUB_PAGE - len(goals)),  # the bar of a challenge replaces a row
    )


def tables_to_confirm(club: Club) -> list[tuple[Season, SeasonTable]]:
    """Return the tables with a reported result that the visitor can confirm."""
    visitor = club.person(user_id())
    return [
        (season, table)
        for season in club.open_seasons()
        for table in season.tables.values()
        if visitor in club.confirmers(table) and user_may(club, AcceptResult, season=season.id, table=table.id)
    ]


def figures_shown(club: Club, limit: int) -> dict[str, Any]:
    """Return the most played games, the people with most wins, and this month's records of a club."""
    of_club = club_filter(club)
    month = f"{day_of(now(), club.zone)[:7]}-01"
    with remember_answers(book()):
        played = sorted(count_by_ruleset(book(), of_club), key=lambda row: (-row[1], row[0]))
        return {
            "played": played[:limit],
            "winners": [row for row in reports.most_wins(book(), of_club) if row.wins][:limit],
            "records": reports.records_since(book(), of_club, first_moment(month, club.zone))[:limit],
        }


@page.get("/clubs/<uuid:club_id>/entries.daybook")
def entries(club_id: UUID) -> Response:
    """Serve all entries of the club as a file that can be verified, to its organisers."""
    club = require_club(club_id, "settle_club")
    return forbid_storing(
        file_response(moving.export_club(book(), club.id), f"{club.id}.daybook", "application/x-ndjson")
    )


def seasons_shown(club: Club, league: League, names: Names, ended: ResultsOfSeasons) -> list[tuple[Season, str]]:
    """Return the seasons of a league, the newest first, each with a sentence about its leader or winner.

    Args:
        ended: the results of open seasons.
    """
    seasons = reversed(club.seasons_of(league.id))
    return [(season, leader(club, season, names, ended.get(season.id, ()))) for season in seasons]


def leader(club: Club, season: Season, names: Names, results_of_season: Sequence[Result]) -> str:
    """Return a sentence with the leader or winner of each division's first group."""
    firsts = season_end.winners(book(), club, season, results_of_season)
    if not firsts:
        return ""
    named = "; ".join(join_words([league_words.person_name(person, names) for person in first]) for first in firsts)
    return say("{names} leading", names=named) if season.is_open else say("won by {names}", names=named)


def newest_results(club: Club, ended: ResultsOfSeasons) -> list[ResultShown]:
    found = [result for season in club.all_seasons() for result in ended[season.id] if result.table in season.tables]
    return [
        (season := club.season(result.season or BESIDE), season.tables[result.table or ""], result)
        for result in results.sort_newest_first(club, found)[:RESULTS_ON_CLUB_PAGE]
    ]


def running_tables(club: Club, ended: ResultsOfSeasons) -> list[tuple[Season, SeasonTable]]:
    """Return tables with a game that has not ended."""
    over = {(season, result.table) for season, season_results in ended.items() for result in season_results}
    return [
        (season, table)
        for season in club.all_seasons()
        for table in season.tables.values()
        if table.game and (season.id, table.id) not in over
    ]


def coming_tables(club: Club, limit: int | None = COMING_TABLES_SHOWN) -> list[tuple[Season, SeasonTable]]:
    """Return tables of open seasons that still have to be played: those with a day first, then by round."""
    rows = [
        (season, table) for season in club.open_seasons() for table in season.tables.values() if not table.is_settled
    ]
    return sorted(rows, key=lambda row: (row[1].when or "9", row[1].round))[:limit]


# --- settings --------------------------------------------------------------------------------------------------------


@page.route("/clubs/<uuid:club_id>/settings", methods=["GET", "POST"])
def settings(club_id: UUID) -> ResponseReturnValue:
    club = require_club(club_id, "settle_club")
    if request.method != "POST":
        return _settings_form(club, club.name, club.settings, {})
    name, errors = text_sent("name"), dict[str, str]()
    wanted = club.settings if club.is_own_log else _settings_sent(club, errors)
    if sentence := text_fault(name, TITLE_LIMIT, say("Give the club a name.")):
        errors["name"] = sentence
    errors = errors or _write_settings(club, name, wanted)
    if errors:
        return _settings_form(club, name, wanted, errors), 422
    flash(say("The club’s settings are saved."))
    return see_other("club.club", club_id=club_id)


def _settings_sent(club: Club, errors: dict[str, str]) -> ClubSettings:
    """Return the settings in the form. A value that is not a number stays as it was and gets an entry in `errors`."""
    form = request.form

    wanted = msgspec.structs.replace(
        club.settings,
        public=form.get("public") == "yes",
        public_evenings=form.get("public_evenings") == "yes",
        approval=form.get("approval") == "yes",
        embeds=form.get("embeds") == "yes",
        embed_sites=tuple(dict.fromkeys(filter(None, map(_site_of, text_sent("embed_sites").splitlines())))),
        members_may=tuple(action for action in MEMBER_ACTIONS if form.get(f"members_may.{action}") == "yes"),
    )
    for name in NUMBER_SETTINGS:
        try:
            wanted = msgspec.structs.replace(wanted, **{name: parse_whole_number(form.get(name, ""))})
        except BadTextError:
            errors[name] = say("Enter a whole number.")
    return wanted


def _site_of(line: str) -> str:
    """Return a site as it is compared: without a path, in small letters."""
    return line.strip().lower().rstrip("/")


def _write_settings(club: Club, name: str, wanted: ClubSettings) -> dict[str, str]:
    key = key_sent()
    name = " ".join(name.split())
    if wanted != club.settings and (against := write_in_club(club.id, ChangeClubSettings(wanted), key=f"{key}-s")):
        return {"form": against}
    zone = request.form.get("zone", club.zone).strip()
    if zone != club.zone and (against := write_in_club(club.id, SetTimeZone(zone), key=f"{key}-z")):
        return {"zone": against}
    if name != club.name and (against := write_in_club(club.id, RenameClub(name), key=f"{key}-n")):
        return {"name": against}
    return {}


def _settings_form(club: Club, name: str, settings: ClubSettings, errors: dict[str, str]) -> str:
    return render_club_page(
        "league/settings.html",
        club,
        heading=say("Settings"),
        name=name,
        settings=settings,
        wrong=errors,
        key=fresh_key(),
        zone=request.form.get("zone", club.zone),
        zones=days.zone_names(),
        periods={name: request.form.get(name, getattr(settings, name)) for name in NUMBER_SETTINGS},
        name_limit=TITLE_LIMIT,
    )


# --- leagues ---------------------------------------------------------------------------------------------------------


@page.get("/clubs/<uuid:club_id>/archive.zip")
@takes_long("GET")
def archive(club_id: UUID) -> Response:
    """Serve the club as a ZIP file: its sealed entries, and its seasons with the records that the user may export."""
    club = require_club(club_id, "settle_club")
    body = season_archive.archive_club(book(), club, club_names(club), can_export_record)
    return forbid_storing(file_response(body, f"club-{club.id}.zip", "application/zip"))


@page.get("/clubs/<uuid:club_id>/leagues/<league_id>")
def league(club_id: UUID, league_id: str) -> str:
    return _league_page(require_club(club_id), league_id)


@page.post("/clubs/<uuid:club_id>/leagues/<league_id>/<any(remove,restore):how>")
def remove_league(club_id: UUID, league_id: str, how: str) -> ResponseReturnValue:
    """Remove a league that was founded by mistake, or restore it."""
    club = require_club(club_id, "settle_club")
    league_at(club, league_id)
    command = RemoveLeague if how == "remove" else RestoreLeague
    if against := write_in_club(club_id, command(league_id, why_sent())):
        return _league_page(club, league_id, against), 422
    return see_other("club.league", club_id=club_id, league_id=league_id)


@page.post("/clubs/<uuid:club_id>/<any(remove,dissolve,restore):how>")
def remove_club(club_id: UUID, how: str) -> ResponseReturnValue:
    """Remove a club that was founded by mistake, dissolve one with a past, or restore it."""
    club = require_club(club_id, "settle_club")
    ways: dict[str, Callable[[str], ClubCommand]] = {
        "remove": RemoveClub,
        "dissolve": DissolveClub,
        "restore": RestoreClub,
    }
    command = ways[how]
    if against := write_in_club(club_id, command(why_sent())):
        return _settings_form(club, club.name, club.settings, {"form": against}), 422
    return see_other("club.club", club_id=club_id)


def _league_page(club: Club, league_id: str, error: str = "") -> str:
    league = league_at(club, league_id)
    preview_club_page(club, f"{club.name}: {league.name}", league_words.games_shown(league.rulesets))
    names = club_names(club)
    season, open_seasons = current_season(club, league), [each for each in club.seasons_of(league.id) if each.is_open]
    shown: dict[str, Any] = {} if season is None else season_at_a_glance(club, season)
    return render_club_page(
        "league/league.html",
        club,
        names=names,
        league=league,
        seasons=seasons_shown(club, league, names, results.results_by_season(book(), club, open_seasons)),
        now_played=season,
        key=fresh_key(),
        wrong=error,
        **shown,
    )


def current_season(club: Club, league: League) -> Season | None:
    """Return the season for a league's page: the newest open season, or else the newest."""
    seasons = club.seasons_of(league.id)[::-1]
    return next((season for season in seasons if season.is_open), seasons[0] if seasons else None)


def season_at_a_glance(club: Club, season: Season) -> dict[str, Any]:
    """Build what a league's page shows of a season: standings with charts, newest results, and the next day of play."""
    standings, ended = results.standings_at(book(), club, season.id), results.season_results(book(), club, season.id)
    groups, more = standings_page("club.league", standings)
    coming = [table for season_of, table in coming_tables(club, None) if season_of is season]

    def day_of(table: SeasonTable) -> str:
        return days.day_of(table.when, club.zone) if table.when else ""

    day = day_of(coming[0]) if coming else ""
    return {
        "standings": standings,
        "since": season_end.since_closing(book(), club, season),
        "groups": groups,
        "more": more,
        "newest": [
            (season.tables[result.table], result)
            for result in ended[: -RESULTS_ON_LEAGUE_PAGE - 1 : -1]
            if result.table in season.tables
        ],
        "next_day": coming[0].when if day else "",
        "next_round": coming[0].round if coming else 0,
        "coming": [table for table in coming if (day_of(table) == day if day else table.round == coming[0].round)][
            :COMING_TABLES_SHOWN
        ],
    }


def league_at(club: Club, league_id: str) -> League:
    """Return the requested league; 404 if the club has none."""
    return club.leagues[league_id] if league_id in club.leagues else abort(404)


@page.route("/clubs/<uuid:club_id>/leagues/new", methods=["GET", "POST"])
def new_league(club_id: UUID) -> ResponseReturnValue:
    club = require_club(club_id, "settle_club")
    games = tuple(RULESETS) if len(RULESETS) == 1 else ()
    if request.method != "POST":
        return _league_form(club, None, "", games, {})
    delay_seconds, errors = _delay_sent(), _league_faults(club)
    sent = FoundLeague(_name_sent(), games_sent(club, MAX_NAMED_GAMES), delay_seconds or 0)
    if not errors and (against := write_in_club(club_id, sent)):
        errors = {"form": against}
    if errors:
        return _league_form(club, None, text_sent("name"), games_sent(club, MAX_NAMED_GAMES), errors), 422
    league = clubs.league_at(*step_written(club_id))
    return see_other("league.open_season", club_id=club_id, league_id=league)


@page.route("/clubs/<uuid:club_id>/leagues/<league_id>/settings", methods=["GET", "POST"])
def settle_league(club_id: UUID, league_id: str) -> ResponseReturnValue:
    club = require_club(club_id, "settle_club")
    league = league_at(club, league_id)
    if request.method != "POST":
        return _league_form(club, league, league.name, league.rulesets, {})
    delay_seconds, errors = _delay_sent(), _league_faults(club)
    sent = ChangeLeague(league_id, _name_sent(), games_sent(club, MAX_NAMED_GAMES), delay_seconds or 0)
    if not errors and (against := write_in_club(club_id, sent)):
        errors = {"form": against}
    if errors:
        return _league_form(club, league, text_sent("name"), games_sent(club, MAX_NAMED_GAMES), errors), 422
    return see_other("club.league", club_id=club_id, league_id=league_id)


def _name_sent() -> str:
    return " ".join(text_sent("name").split())


def _league_faults(club: Club) -> dict[str, str]:
    errors: dict[str, str] = {}
    if sentence := text_fault(text_sent("name"), TITLE_LIMIT, say("Give the league a name.")):
        errors["name"] = sentence
    if not games_sent(club, MAX_NAMED_GAMES):
        errors["games"] = say("Choose at least one game.")
    if _delay_sent() is None:
        errors["delay"] = say("Enter 0 to {n} seconds.", n=MAX_SPECTATOR_DELAY_SECONDS)
    return errors


def _delay_sent() -> int | None:
    """Return the delay in the form, in seconds; None if it is invalid."""
    delay_seconds = parse_number(text_sent("delay") or "0")
    return delay_seconds if delay_seconds is not None and 0 <= delay_seconds <= MAX_SPECTATOR_DELAY_SECONDS else None


def _league_form(
    club: Club, league: League | None, name: str, rulesets: tuple[str, ...], errors: dict[str, str]
) -> str:
    to = (
        url_for("club.settle_league", club_id=club.id, league_id=league.id)
        if league
        else url_for("club.new_league", club_id=club.id)
    )
    return render_club_page(
        "league/league_form.html",
        club,
        to=to,
        name=name,
        rulesets=rulesets,
        any_game=ANY,
        delay=request.form.get("delay", league.spectator_delay_seconds if league else 0),
        most_delay=MAX_SPECTATOR_DELAY_SECONDS,
        named=[name_in_key(key) for key in rulesets if is_by_name(key) and key != ANY],
        wrong=errors,
        key=fresh_key(),
        name_limit=TITLE_LIMIT,
        title=say("Name and games") if league else say("Start a league"),
        button=say("Save changes") if league else say("Start the league"),
    )
