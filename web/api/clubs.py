"""Clubs, their seasons and standings, for programs. A person's key has the rights of the person's roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import wraps
from inspect import signature
from typing import Annotated, Any
from uuid import UUID

import msgspec
from flask import Response
from msgspec import Meta

from daybook.domain.kernel.chronicle import NUMBER_LIMIT
from daybook.domain.kernel.field_types import Day, Step, Text
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.club import Club, DayProposal, Season, SeasonTable
from daybook.domain.league.club_commands import ClubCommand, EnterResult, FilledName, Id, Name, PersonId
from daybook.domain.league.club_events import BESIDE, ClubSettings, Order
from daybook.domain.league.results import (
    EXPANSIONS_LIMIT,
    MINUTES_LIMIT,
    PLAYERS_LIMIT,
    SCORE_LIMIT,
    Placed,
    Result,
    StandIn,
    Uncounted,
)
from daybook.domain.league.scores import Score, split_score
from daybook.domain.league.seasons import Bye, Entrant, Format
from daybook.domain.league.standings import StandingRow, Standings, rank_teams
from daybook.services.days import time_shown
from daybook.services.files.validate import MisfitError
from daybook.services.league import clubs, duplicate_games, moving, plays, ratings, results, season_end
from daybook.services.league.clubs.game_commands import details_at
from daybook.services.league.plays import LoggedPlay, PlayFilter, PlayKind, PlayMark
from daybook.services.league.results import UnknownSeasonError
from daybook.services.league.schedule_search import CannotDrawError
from daybook.services.league.season_tables import tables_in_order
from daybook.services.paging import page_of_list
from daybook.services.permissions import access
from daybook.services.permissions.actions import RIGHTS, ClubVisit, may, readable_games, require
from daybook.services.permissions.readable_clubs import as_seen
from daybook.services.play.writing import Conflict, Writer
from daybook.services.store.damage import damaged_step
from daybook.services.store.folded_cache import UnknownClubError
from daybook.services.store.log import RecordErasedError
from daybook.services.structs import copy_fields
from daybook.web.api.answers import ReasonShown, reason_shown
from daybook.web.api.base import READ, book, section
from daybook.web.api.errors import ApiError, api_error_answer
from daybook.web.api.files import RECORD
from daybook.web.api.keys import holder, person
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import GameKey, Once, PageQuery, PeopleQuery, RecordTime, RulesetId
from daybook.web.api.schemas import body_of
from daybook.web.api.writing import WRITTEN, help_of, snake_case, writes
from daybook.web.request.long_work import takes_long

league = section("Clubs", "Clubs, their leagues and seasons, standings and ratings.")
KEPT_DETAILS = (  # details of a play that stay unchanged if they are not sent
    "variant",
    "comments",
    "start_player",
    "cooperative",
    "lowest_wins",
    "no_scores",
    "tie_settled",
    "uncounted",
    "hour",
    "bgg",
)
SET_BY_DAYBOOK = {"guests"}  # fields of commands


# --- requests --------------------------------------------------------------------------------------------------------


class StandingsQuery(PeopleQuery):
    # as known at the end of this time, UTC: 2026-11-20T23:59:59.999Z
    at: RecordTime | None = None
    # as known at this position of the log, from an answer; instead of `at`, exact even if two entries share a time
    position: Annotated[int, Meta(ge=0, lt=NUMBER_LIMIT)] | None = None


class RatingsQuery(PeopleQuery):
    ruleset: GameKey | None = None  # of this game; default: all together


class PlaysQuery(PageQuery):
    game: GameKey | None = None  # the id of a ruleset, or the key of a game known by name
    person: Annotated[str, Meta(max_length=64)] = ""  # the player's id
    place: Name = ""
    year: Annotated[str, Meta(pattern="^([0-9]{4})?$")] = ""
    day: Day | None = None
    kind: PlayKind | None = None
    source: Annotated[str, Meta(max_length=40)] = ""  # the program it was imported from
    mark: PlayMark | None = None


class AtClubStep(Frozen):
    at: Step | None = None  # the newest step of the club that you know; null: any


class PlacedBody(Exact):
    """The place of one player. Texts that are null stay as they were."""

    person: PersonId
    # shared places use up places: 1, 1, 3, 4; outside the seasons, if no one won: all 2
    place: Annotated[int, Meta(ge=1, le=PLAYERS_LIMIT)]
    seat: Annotated[int, Meta(ge=0, lt=PLAYERS_LIMIT)] | None = None
    score: Annotated[int, Meta(ge=-SCORE_LIMIT, le=SCORE_LIMIT)] | None = None
    dropped: bool = False  # left before the end
    new: bool = False  # played this game for the first time
    role: Name | None = None  # what they played
    team: Name | None = None
    colour: Name | None = None
    written: Name | None = None  # the score as written, if it is not a whole number: 12.5, 12½ or 12+30


class ResultBody(Exact):
    """A result. Details that are null stay as they were."""

    placed: Annotated[list[PlacedBody], Meta(min_length=1, max_length=PLAYERS_LIMIT)]
    ruleset: RulesetId | None = None
    game: FilledName | None = None  # instead of `ruleset`: any game, by its name
    place: Name = ""
    minutes: Annotated[int, Meta(ge=0, le=MINUTES_LIMIT)] = 0
    expansions: Annotated[tuple[FilledName, ...], Meta(max_length=EXPANSIONS_LIMIT)] = ()
    variant: Name | None = None  # or scenario
    comments: Text | None = None
    start_player: Annotated[str, Meta(max_length=64)] | None = None  # the first player's id
    cooperative: bool | None = None  # they played against the game, and won or lost as one
    lowest_wins: bool | None = None  # the lowest score wins
    no_scores: bool | None = None  # the game has no scores
    tie_settled: bool | None = None  # the players decided the order of equal scores
    uncounted: Annotated[tuple[Uncounted, ...], Meta(max_length=3)] | None = None  # why it gives no wins and ratings
    hour: Annotated[str, Meta(pattern="^(([01][0-9]|2[0-3]):[0-5][0-9])?$")] | None = None  # when it began: 19:30
    bgg: Annotated[int, Meta(ge=0, lt=NUMBER_LIMIT)] | None = None  # the game's number on BoardGameGeek
    table: Id | None = None  # a planned table; null: a new one
    walkover: bool = False  # it was not played: the places count in standings, and for no rating
    ended_on: Day | None = None  # the day it ended, in the club's time zone; null: today, or as it was
    why: Text = ""  # needed if it replaces another result
    at: Step | None = None  # the newest step of the club that you know; null: any


# --- answers ---------------------------------------------------------------------------------------------------------


class ClubNamed(Frozen):
    id: str
    name: str
    public: bool
    roles: list[str]  # of the key's person


class ClubsShown(Frozen):
    clubs: list[ClubNamed]
    next: str | None  # the address of the next page; null: this is the last


class MemberShown(Frozen):
    person: str
    name: str
    roles: list[str]


class LeagueShown(Frozen):
    id: str
    name: str
    rulesets: list[str]
    seasons: list[str]


class SeasonNamed(Frozen):
    id: str
    league: str
    name: str
    kind: str
    open: bool
    cancelled: bool
    removed: bool
    qualifying_season: str | None  # the season that qualifies its best players


class ClubShown(Frozen):
    club: ClubNamed
    step: int  # of the club's own chronicle, for `at` of later writes
    zone: str  # the time zone of its days
    settings: ClubSettings
    members: list[MemberShown]
    leagues: list[LeagueShown]
    seasons: list[SeasonNamed]
    next: str | None  # the address of the next page of members; null: this is the last
    damaged_at: int | None  # first step that differs from its seal; no entries until the chronicle is restored


class TableShown(Frozen):
    id: str
    round: int
    division: int
    group: int
    seats: list[str]  # the people's ids, by seat
    when: str
    place: str
    planned_game: str  # the drawn game of a league of several games; empty: none
    game: str | None  # the record; null also if this key may not read it
    void: bool
    postponed: bool  # the table was postponed to `when`
    stand_ins: list[StandIn]  # replaced and empty seats; `seats` has the actual players
    result: Result | None
    absent: list[str]  # players with a reported absence
    proposal: DayProposal | None  # another day that a player proposes


class TableNamed(Frozen):
    season: str  # empty: outside the seasons
    table: str


class RoundDeadline(Frozen):
    round: int
    until: str  # the last day on which the round is played, in the club's time zone


class PenaltyShown(Frozen):
    person: str
    points: int  # taken off; below 0: given back
    why: str
    at: str


class SeasonShown(Frozen):
    season: SeasonNamed
    step: int
    format: Format
    players: list[Entrant]
    withdrawn: list[str]  # of these players
    byes: list[Bye]  # of these players
    round_deadlines: list[RoundDeadline]
    penalties: list[PenaltyShown]  # of these players, the oldest first
    teams: dict[str, str]  # of these players: the team's name by the player's id
    handicaps: dict[str, int]  # of these players: points for each game that counts, by the player's id
    names: dict[str, str]  # of all people in this answer, by id
    # pairs of tables that look like one evening and both count; of an open season, for keys that may enter games
    possible_duplicates: list[tuple[TableNamed, TableNamed]]
    next: str | None  # the address of the next page of players; null: this is the last


class TablesShown(Frozen):
    tables: list[TableShown]
    names: dict[str, str]  # of the people at these tables, by id
    next: str | None  # the address of the next page; null: this is the last


class StandingShown(Frozen):
    """A line of the standings: a player."""

    division: int
    group: int
    place: int
    person: str
    name: str
    games: int
    columns: dict[str, str | None]  # the value of each tie-break, as an exact number: "29" or "20/3"
    handicap: int  # points that a handicap gave; `columns` includes them
    withdrew: bool
    move: str
    why: list[ReasonShown]  # the last one decided that this person precedes the next; the others were equal or empty


class FinalOrderShown(Frozen):
    """The orders with which a season was closed."""

    orders: list[Order]
    differs: bool  # its results lead to another order now
    kept: str | None  # an organiser's reason to keep the final order in spite of that; null: none


class TeamStanding(Frozen):
    """A team's line of the standings."""

    name: str
    place: int  # by the average
    people: list[str]  # the players' ids
    total: str  # of the players' points, as an exact number
    average: str


class StandingsShown(Frozen):
    at: str | None  # the time of the query; null on later pages, which are read at the same position
    position: int  # of the log; a query with this position gets the same answer
    chain: list[str]  # the tie-breaks, in the order in which they decide
    rows: list[StandingShown]
    teams: list[TeamStanding]
    final: FinalOrderShown | None  # of a season that is closed now
    next: str | None  # the address of the next page, at the same position; null: this is the last


class PlayerShown(Frozen):
    person: str
    name: str  # empty: an anonymous player, or the rules played
    place: int | None
    score: Score | None
    written: str  # the score as written, if it is not a whole number
    dropped: bool


class PlayShown(Frozen):
    id: str  # of its result in the club
    season: str  # empty: outside the seasons
    table: str
    game: str  # the id of a ruleset, or the key of a game known by name
    day: str
    hour: str
    place: str
    kind: PlayKind
    source: str
    marks: list[PlayMark]
    lowest_wins: bool
    record: str | None  # null: it has none, or this key may not read it
    players: list[PlayerShown]


class LogShown(Frozen):
    plays: list[PlayShown]
    next: str | None  # the address of the next page; null: this is the last


class RatedShown(Frozen):
    person: str
    name: str
    games: int
    wins: str  # exact, as the next two
    expected_wins: str
    average_place: str
    mu: float  # the estimated strength
    sigma: float  # its uncertainty
    provisional: bool


class RatingsShown(Frozen):
    ruleset: str
    current: bool  # all results are included
    ratings: list[RatedShown]
    next: str | None  # the address of the next page; null: this is the last


class Written(Frozen):
    """The place of an entry in the club's chronicle."""

    step: int
    seal: str
    repeated: bool  # an earlier request with the same key wrote it


# --- callers ---------------------------------------------------------------------------------------------------------


def requesting_person() -> str:
    """Return the person of the key; empty for a link's key or none. Raises ApiError (401) for an unknown key."""
    asks = person()
    if asks is None:
        holder()
    return asks or ""


def _club_known(club_id: UUID) -> Club:
    try:
        return book().clubs.get(club_id)
    except RecordErasedError:
        raise
    except UnknownClubError as unknown:
        raise ApiError(404, "unknown_club", str(unknown), "GET /clubs lists those that this key may read") from unknown


def requested_club(club_id: UUID) -> Club:
    """Return the requested club, without evenings that the key does not see. Raises ApiError, MayNotError."""
    visit = ClubVisit(_club_known(club_id), requesting_person())
    require(visit, "read_club")
    return as_seen(visit)


def club_with_evenings(club_id: UUID) -> Club:
    """Return the club of a request about its evenings. Raises ApiError, MayNotError."""
    visit = ClubVisit(_club_known(club_id), requesting_person())
    require(visit, "see_evenings")
    return as_seen(visit)


def requested_season(club: Club, season_id: str) -> Season:
    if season_id not in club.seasons:
        raise ApiError(
            404, "unknown_season", f"the club has no season {season_id[:40]!a}", "GET /clubs/{club} lists its seasons"
        )
    return club.seasons[season_id]


def _club_named(club: Club) -> ClubNamed:
    return ClubNamed(str(club.id), club.name, club.settings.public, list(club.roles(requesting_person())))


def _season_named(season: Season) -> SeasonNamed:
    return SeasonNamed(
        season.id,
        season.league,
        season.name,
        season.format.kind,
        season.is_open,
        season.cancelled is not None,
        bool(season.removed),
        season.qualifying_season or None,
    )


# --- reading ---------------------------------------------------------------------------------------------------------


@league.reads(
    "/clubs", ClubsShown, "a page of clubs, the one founded first first", query=PageQuery, fails=(400, 401, 422, 503)
)
def list_clubs(query: PageQuery) -> ClubsShown:
    """List clubs

    The list has all public clubs, and the clubs of the person of this key. `next` is the address of the next page, or
    null on the last page.
    """
    who = requesting_person()
    found, more = fetch_page(query, lambda after, limit: clubs.page_of_clubs(book(), who, after, limit))
    return ClubsShown([_club_named(club) for club in found], more)


@league.reads("/clubs/<uuid:club_id>", ClubShown, "the club", query=PeopleQuery)
def show_club(query: PeopleQuery, club_id: UUID) -> ClubShown:
    """Show a club

    The answer has its settings, people, leagues and seasons. People are in pages: `next` is the address of the next page,
    or null on the last page.
    """
    club = requested_club(club_id)
    rows = [*club.people().items()]
    found, more = fetch_page(query, lambda after, limit: page_of_list(rows, lambda row: row[0], after, limit))
    names = book().kept.names([id for id, _ in found])
    return ClubShown(
        _club_named(club),
        club.step,
        club.zone,
        club.settings,
        [MemberShown(id, names.get(id, ""), list(roles)) for id, roles in found],
        [
            LeagueShown(
                league.id, league.name, list(league.rulesets), [season.id for season in club.seasons_of(league.id)]
            )
            for league in club.leagues.values()
        ],
        [_season_named(season) for season in club.seasons.values()],
        more,
        damaged_step(book(), club.id),
    )


@league.reads("/clubs/<uuid:club_id>/seasons/<string:season_id>", SeasonShown, "the season", query=PeopleQuery)
def show_season(query: PeopleQuery, club_id: UUID, season_id: str) -> SeasonShown:
    """Show a season

    The answer has its format and its players, with their byes. Players are in pages: `next` is the address of the next
    page, or null on the last page.
    """
    club = requested_club(club_id)
    season = requested_season(club, season_id)
    players, more = fetch_page(
        query, lambda after, limit: page_of_list(club.entrants(season), lambda player: player.person, after, limit)
    )
    people = {player.person for player in players}
    byes = [msgspec.structs.replace(bye, person=club.person(bye.person)) for bye in season.byes]
    return SeasonShown(
        _season_named(season),
        club.step,
        season.format,
        players,
        [person for person in club.withdrawn_people(season) if person in people],
        [bye for bye in byes if bye.person in people],
        [RoundDeadline(number, dated.until) for number, dated in sorted(season.round_deadlines.items())],
        [
            PenaltyShown(penalty.person, penalty.points, penalty.why, time_shown(club, penalty.at))
            for penalty in club.penalties(season)
            if penalty.person in people
        ],
        {person: name for person in people if (name := club.team_of(season, person))},
        {person: points for person, points in club.handicaps(season).items() if person in people},
        book().kept.names(people),
        possible_duplicates(club, season)
        if season.is_open and may(ClubVisit(club, requesting_person()), "enter_results")
        else [],
        more,
    )


@league.reads(
    "/clubs/<uuid:club_id>/seasons/<string:season_id>/tables", TablesShown, "a page of the tables", query=PageQuery
)
def list_tables(query: PageQuery, club_id: UUID, season_id: str) -> TablesShown:
    """List a season's tables

    The tables have their results, and are in the order of their rounds. `next` is the address of the next page, or null
    on the last page.
    """
    club = requested_club(club_id)
    season = requested_season(club, season_id)
    in_order = tables_in_order(season)
    tables, more = fetch_page(query, lambda after, limit: page_of_list(in_order, lambda table: table.id, after, limit))
    ended = {result.table: result for result in results.season_results(book(), club, season.id)}
    readable = readable_games(book(), {UUID(table.game) for table in tables if table.game}, holder)
    return TablesShown(
        [_table_shown(club, table, ended.get(table.id), readable) for table in tables],
        book().kept.names({person for table in tables for person in (*club.seats(table), *club.names_at(table))}),
        more,
    )


def possible_duplicates(club: Club, season: Season) -> list[tuple[TableNamed, TableNamed]]:
    """Return the pairs of tables that look like the same play, with at least one table of the season."""
    found = duplicate_games.twins_in(book(), club, season.id)
    return [(TableNamed(first.season, first.id), TableNamed(second.season, second.id)) for first, second in found]


def _table_shown(club: Club, table: SeasonTable, result: Result | None, readable: set[UUID]) -> TableShown:
    game = table.game if table.game and UUID(table.game) in readable else None
    shown = None if result is None else msgspec.structs.replace(result, game=game)
    return copy_fields(
        TableShown,
        table,
        seats=club.seats(table),
        game=game,
        void=table.voided is not None,
        postponed=table.postponed is not None,
        stand_ins=[*club.stand_ins(table)],
        result=shown,
        absent=club.absent(table),
    )


@league.reads(
    "/clubs/<uuid:club_id>/seasons/<string:season_id>/standings", StandingsShown, "the standings", query=StandingsQuery
)
def show_standings(query: StandingsQuery, club_id: UUID, season_id: str) -> StandingsShown:
    """Show a season's standings

    The standings are the current ones, or those known at a time or at a position of the log. Each line says why it ranks
    above the next. `next` is the address of the next page, or null on the last page.
    """
    club, at = requested_club(club_id), query.at
    season = requested_season(club, season_id)
    if query.at is not None and query.position is not None:
        raise ApiError(422, "two_moments", "the query has a time and a position", "send `at` or `position`")
    position = results.position_at(book(), club, at) if query.position is None else query.position
    try:
        shown = results.standings_at(book(), club, season.id, position)
    except UnknownSeasonError:  # it was opened later
        shown = Standings(season.format.tiebreaks, ())
    every_row = [(group, row) for group in shown.groups for row in group.rows]
    rows, more = fetch_page(
        query,
        lambda after, limit: page_of_list(every_row, lambda place: place[1].person, after, limit),
        pinned={"at": None, "position": position},
    )
    names = book().kept.names([row.person for _, row in rows])
    return StandingsShown(
        at,
        position,
        list(shown.chain),
        [
            StandingShown(
                group.division,
                group.group,
                row.place,
                row.person,
                names.get(row.person, ""),
                row.games_played,
                {code: _exact(row.columns[code]) for code in shown.chain},
                row.handicap,
                row.withdrawn,
                row.move,
                _reasons_shown(row),
            )
            for group, row in rows
        ],
        [
            TeamStanding(
                team.name, team.place, [person for person, _ in team.people], str(team.total), str(team.average)
            )
            for team in rank_teams(shown, club.teams(season))
        ],
        _final_shown(club, season),
        more,
    )


def _final_shown(club: Club, season: Season) -> FinalOrderShown | None:
    if season.closed is None:
        return None
    since = season_end.since_closing(book(), club, season)
    return FinalOrderShown(
        club.orders(season.closed.orders),
        since is not None and since.differs,
        since.kept.why if since is not None and since.kept else None,
    )


def _reasons_shown(row: StandingRow) -> list[ReasonShown]:
    if row.why is None:
        return []
    return [reason_shown(reason) for reason in (*row.why.passed, *([row.why.decided] if row.why.decided else []))]


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


@league.reads("/clubs/<uuid:club_id>/plays", LogShown, "a page of the plays", query=PlaysQuery)
def list_plays(query: PlaysQuery, club_id: UUID) -> LogShown:
    """List a club's plays

    The list has recorded, typed and imported plays that match the filters, the newest first. A play that was just
    written may be missing for a moment. `next` is the address of the next page, or null on the last page.
    """
    club = requested_club(club_id)
    wanted = PlayFilter(
        query.game or "", query.person, query.place, query.year, query.day or "", query.kind, query.source, query.mark
    )
    found, more = fetch_page(query, lambda after, limit: plays.list_plays(book(), club, wanted, after, limit))
    readable = readable_games(book(), {UUID(play.record) for play in found if play.record}, holder)
    names = book().kept.names({player.person for play in found for player in play.people})
    return LogShown([_play_shown(play, names, readable) for play in found], more)


def _play_shown(play: LoggedPlay, names: Mapping[str, str], readable: set[UUID]) -> PlayShown:
    record = play.record if play.record and UUID(play.record) in readable else None
    players = [
        PlayerShown(
            player.person, names.get(player.person, ""), player.place, player.score, player.score_text, player.dropped
        )
        for player in play.people
    ]
    return copy_fields(
        PlayShown, play, id=play.id, game=play.ruleset, marks=[*play.marks], record=record, players=players
    )


@league.reads("/clubs/<uuid:club_id>/ratings", RatingsShown, "the ratings", query=RatingsQuery)
def show_ratings(query: RatingsQuery, club_id: UUID) -> RatingsShown:
    """Show a club's ratings

    The ratings are over all games, or of one game. Players with few games come last. `next` is the address of the next
    page, or null on the last page.
    """
    club = requested_club(club_id)
    ruleset = query.ruleset or ratings.OVERALL
    in_order = ratings.current_ratings(book(), club.id, ruleset)
    rated, more = fetch_page(query, lambda after, limit: page_of_list(in_order, lambda row: row.person, after, limit))
    names = book().kept.names([rated_person.person for rated_person in rated])
    return RatingsShown(
        ruleset,
        ratings.is_current(book(), club.id),
        [
            copy_fields(
                RatedShown,
                rated_person,
                name=names.get(rated_person.person, ""),
                wins=str(rated_person.wins),
                expected_wins=str(rated_person.expected_wins),
                average_place=str(rated_person.average_place),
            )
            for rated_person in rated
        ],
        more,
    )


@league.route("/clubs/<uuid:club_id>/entries")
@league.response(200, {"type": "string"}, content_type=RECORD, description="the club file, JSON Lines")
@league.failing(*READ)
def export_club(club_id: UUID) -> Response:
    """Export a club's entries

    For organisers, with their own key. The file has all entries with their seals, so it can be verified without the
    service.
    """
    club = requested_club(club_id)
    require(ClubVisit(club, requesting_person()), "settle_club")
    return Response(
        moving.export_club(book(), club.id),
        mimetype=RECORD,
        headers={"Content-Disposition": f'attachment; filename="{club.id}.daybook"', "Cache-Control": "no-store"},
    )


# --- writing ---------------------------------------------------------------------------------------------------------


def _moved_on(moved: Conflict) -> Response:
    return api_error_answer(
        ApiError(409, "moved_on", str(moved), "GET the season or the evening again, then decide again", step=moved.step)
    )


def _cannot_draw(no: CannotDrawError) -> Response:
    return api_error_answer(
        ApiError(
            422,
            no.reason.key,
            str(no),
            "GET /clubs/{club}/seasons/{season} shows the season's format and rounds",
            figures=no.reason.figures,
        )
    )


def _no_such_time(error: MisfitError) -> Response:
    return api_error_answer(
        ApiError(422, "no_such_time", str(error), "write a time such as 2026-11-20T19:30:00.000Z, UTC")
    )


league.register_error_handler(CannotDrawError, _cannot_draw)
league.register_error_handler(MisfitError, _no_such_time)
league.register_error_handler(Conflict, _moved_on)


def writes_in_club(path: str, body: type[msgspec.Struct]) -> Callable[[Callable[..., ClubCommand]], Callable[..., Any]]:
    """Route a view that returns the command to write. `at` is the newest step that the client knows."""

    def decorator(view: Callable[..., ClubCommand]) -> Callable[..., Any]:
        @wraps(view)
        def written(headers: Once, body: Any, club_id: UUID, **kwargs: Any) -> Written:
            at, command = getattr(body, "at", None), view(headers, body, club_id, **kwargs)
            key = getattr(body, "link", None)
            link = access.read_key(book(), key) if key else None
            writer = Writer(requesting_person(), [link] if link else [])
            receipt = clubs.write(book(), club_id, command, by=writer, key=headers.key, at=at)
            return Written(receipt.step, receipt.seal, receipt.repeated)

        return writes(league, path, body, Written, WRITTEN)(written)

    return decorator


class ClubWrite(Frozen):
    """An address that writes a command into a club."""

    path: str
    command: type[ClubCommand]
    at: bool = False  # the body may name the newest step that the client knows
    long: bool = False
    without: str = ""  # a field that the path gives under another name


def add_club_writes(find: Callable[..., dict[str, str]], *addresses: ClubWrite) -> None:
    """Add addresses, each with the help of its command.

    Args:
        find: returns the fields of the command that the path names. Raises ApiError.
    """
    for address in addresses:
        in_path = {*signature(find).parameters} | {name.removesuffix("_id") for name in signature(find).parameters}
        name, more = f"{address.command.__name__}Body", [AtClubStep] if address.at else []
        body = body_of(name, address.command, *more, without=in_path | SET_BY_DAYBOOK | {address.without})
        writes_in_club(address.path, body)(_view_of(address, find))


def _view_of(address: ClubWrite, find: Callable[..., dict[str, str]]) -> Callable[..., ClubCommand]:
    def view(headers: Once, body: msgspec.Struct, club_id: UUID, **path: str) -> ClubCommand:
        fields = {name: value for name, value in msgspec.structs.asdict(body).items() if name != "at"}
        return address.command(**find(club_id, **path), **fields)

    view.__name__ = snake_case(address.command)
    able = RIGHTS[address.command].roles
    roles = ["members"] if "member" in able else [f"{role}s" for role in able if role != "operator"]
    view.__doc__ = help_of(address.command, [*roles[:-1], f"{roles[-1]} of the club"])
    return takes_long("POST")(view) if address.long else view


@writes_in_club("/clubs/<uuid:club_id>/seasons/<string:season_id>/results", ResultBody)
def type_result(headers: Once, body: ResultBody, club_id: UUID, season_id: str) -> ClubCommand:
    """Enter a result without a record

    For organisers and scorekeepers of the club, with their own key. Members report the result of their own table, if
    the club allows it; another player confirms it. The result is marked as typed, and a record can replace it. `table`
    is a planned table; without it a new one is added, if the season takes any game. Details that are not sent stay
    unchanged.
    """
    club = requested_club(club_id)
    return _typed(club, requested_season(club, season_id).id, body)


@writes_in_club("/clubs/<uuid:club_id>/results", ResultBody)
def type_result_beside(headers: Once, body: ResultBody, club_id: UUID) -> ClubCommand:
    """Enter a result outside the seasons

    The same as for a season, for a play that belongs to none. Up to 40 people can have played.
    """
    return _typed(requested_club(club_id), BESIDE, body)


def _by_person(texts: Mapping[str, str], placed: Sequence[PlacedBody], name: str) -> dict[str, str]:
    """Merge the texts of a new result into the texts about people; an empty text removes one."""
    sent = {player.person: getattr(player, name) for player in placed}
    found = {**texts, **{person: text for person, text in sent.items() if text is not None}}
    return {person: text for person, text in found.items() if text}


def _whole_score(player: PlacedBody) -> int | None:
    return split_score(player.written)[0] if player.score is None and player.written else player.score


def _typed(club: Club, season: str, body: ResultBody) -> EnterResult:
    if (body.ruleset is None) == (body.game is None):
        raise ApiError(422, "one_game", "the body names no game, or two", "send either `ruleset` or `game`")
    placed = [Placed(each.person, each.seat, each.place, _whole_score(each), each.dropped) for each in body.placed]
    table = next((each.tables.get(body.table or "") for each in club.all_seasons() if each.id == season), None)
    known = details_at(club, table).among(placed)
    sent = {name: getattr(body, name) for name in KEPT_DETAILS}
    details = msgspec.structs.replace(
        known,
        place=body.place,
        minutes=body.minutes,
        expansions=body.expansions,
        new=tuple(each.person for each in body.placed if each.new),
        roles=_by_person(known.roles, body.placed, "role"),
        teams=_by_person(known.teams, body.placed, "team"),
        scores=_by_person(known.scores, body.placed, "written"),
        colours=_by_person(known.colours, body.placed, "colour"),
        **{name: value for name, value in sent.items() if value is not None},
    )
    return EnterResult(
        season,
        body.ruleset or clubs.game_named(club, body.game or ""),
        tuple(placed),
        body.table or "",
        moment_of_play(body.ended_on) if body.ended_on is not None else "",
        why=body.why,
        walkover=body.walkover,
        details=details,
    )
