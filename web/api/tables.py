"""Run a season for programs: draw schedules, plan tables, open their games, void results, close the season.

The services, the roles and the refusals are those of the pages. Every request needs a person's own key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta

from daybook.domain.games import RULESETS
from daybook.domain.kernel.field_types import FilledText, Text
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_commands import (
    DRAW_LIMIT,
    AcceptResult,
    AcceptWaitingPlays,
    AgreeToDay,
    CancelSeason,
    CloseSeason,
    ClubCommand,
    ConfirmSeparateGames,
    CorrectSeating,
    DissolveClub,
    DrawSchedule,
    EnterGame,
    ExcusePlayer,
    GivePenalty,
    Id,
    MergePlays,
    OpenStage,
    PersonId,
    PlanTable,
    PostponeTable,
    ProposeDay,
    RecordForfeit,
    RecordLot,
    RemoveSeason,
    ReopenSeason,
    ReportAbsence,
    RestoreSeason,
    RestoreSeat,
    SeatSubstitute,
    SetHandicap,
    SetRoundDeadline,
    SetTeam,
    VoidResult,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.seasons import ENTRANTS_LIMIT, ROUNDS_LIMIT, Bye, Fixture
from daybook.services.league import clubs, season_draws
from daybook.services.league.season_draws import Proposal
from daybook.services.names import TITLE_LIMIT
from daybook.services.permissions.actions import ClubVisit, require
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.structs import copy_fields
from daybook.web.api.answers import Opened
from daybook.web.api.base import WRITE, book
from daybook.web.api.clubs import (
    ClubWrite,
    add_club_writes,
    league,
    possible_duplicates,
    requested_club,
    requested_season,
    requesting_person,
    writes_in_club,
)
from daybook.web.api.errors import ApiError
from daybook.web.api.game_links import opened_answer
from daybook.web.api.keys import opening_key
from daybook.web.api.requests import AtStep, LinkKey, Once, OnceSecret, RulesetId
from daybook.web.api.schemas import body_of
from daybook.web.request.clubs import BESIDE_PATH
from daybook.web.request.long_work import takes_long
from daybook.web.request.seating import table_title

SEASON = "/clubs/<uuid:club_id>/seasons/<string:season_id>"
TABLE = SEASON + "/tables/<string:table_id>"


class DrawQuery(Frozen):
    seed: Annotated[int, Meta(ge=0, lt=DRAW_LIMIT)]  # the number of the draw; the same number draws the same tables
    rounds: Annotated[int, Meta(ge=0, le=ROUNDS_LIMIT)] = 0  # number of rounds of the season, if its format sets none
    # the people that enter a heat, by id; default: all players
    people: Annotated[list[PersonId], Meta(max_length=ENTRANTS_LIMIT)] = []


class GameOfLink(Exact):
    game: UUID
    link: LinkKey | None = None  # the key of the game's scorekeeper; default: what your roles permit
    table: Id | None = None  # a planned table; null: a new one, if the season takes any game


class OtherTable(Exact):
    season: Id  # the season of the other table, or `beside` for none
    table: Id  # the other table
    why: FilledText


class OtherPlay(Exact):
    season: Id  # the season of the play that stays; `beside`: a play outside the seasons
    table: Id  # the table of the play that stays
    why: Text = ""


class ClosingBody(AtStep, forbid_unknown_fields=True):
    as_they_are: bool = False  # count all tables that look like the same play


class GameOfClub(Exact):
    ruleset: RulesetId
    title: Annotated[str, Meta(max_length=TITLE_LIMIT)] = ""  # default: of the season and the table
    # one per seat; default: the game's first ones
    colours: Annotated[list[Annotated[str, Meta(min_length=1, max_length=40)]], Meta(max_length=20)] = []


SET_BY_CLUB = {"ruleset_id", "players", "kind"}  # fields of NewGame
NewTableGame = body_of("NewTableGame", NewGame, GameOfClub, without=SET_BY_CLUB)


class DrawShown(Frozen):
    """The tables of a draw."""

    seed: int
    at: int  # the club's step of the draw, for publishing it
    rounds: list[int]  # the drawn rounds
    fixtures: list[Fixture]
    byes: list[Bye]
    unfairness: int  # of the draw together with the earlier rounds; lower is better
    games: dict[str, str]  # in a league of several games: the game of each table, by the table's id


# --- schedules -------------------------------------------------------------------------------------------------------


@league.reads(SEASON + "/draw", DrawShown, "the tables it would make", query=DrawQuery, key=True)
@takes_long("GET")
def show_draw(query: DrawQuery, club_id: UUID, season_id: str) -> DrawShown:
    """Preview a draw

    For organisers of the club. The same number always draws the same tables. Nothing is written.
    """
    club = requested_club(club_id)
    season = requested_season(club, season_id)
    require(ClubVisit(club, requesting_person()), "schedule")
    drawn = _requested_proposal(club, season, query)
    return copy_fields(DrawShown, drawn, at=club.step, games={**drawn.games})


@writes_in_club(SEASON + "/draw", body_of("DrawBody", DrawSchedule, AtStep, without={"season"}))
@takes_long("POST")
def publish_draw(headers: OnceSecret, body: Any, club_id: UUID, season_id: str) -> ClubCommand:
    """Draw the schedule

    For organisers of the club. Tables that are still to be played are drawn with this number, and replace the ones of an
    earlier draw. Played tables stay. `at` is the step of the preview.
    """
    club = requested_club(club_id)
    season = requested_season(club, season_id)
    rounds, people = body.rounds or season.format.rounds, body.people or None
    return DrawSchedule(season.id, body.seed, rounds, people)


def _requested_proposal(club: Club, season: Season, query: DrawQuery) -> Proposal:
    return season_draws.propose_draw(
        book(), club, season, query.seed, rounds=query.rounds or season.format.rounds, people=query.people or None
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def _season_or_beside(club: Club, season_id: str) -> Season:
    """Return a season, or the games outside the seasons. Raises ApiError."""
    return club.season(BESIDE) if season_id == BESIDE_PATH else requested_season(club, season_id)


def _requested_table(club: Club, season_id: str, table_id: str) -> tuple[Season, SeasonTable]:
    season = _season_or_beside(club, season_id)
    if table_id not in season.tables:
        raise ApiError(
            404,
            "unknown_table",
            f"the season has no table {table_id[:40]!a}",
            "GET /clubs/{club}/seasons/{season} lists its tables",
        )
    return season, season.tables[table_id]


@league.route(TABLE + "/game", methods=["POST"])
@league.needs_key
@league.arguments(OnceSecret, location="headers")
@league.arguments(NewTableGame)
@league.answers(201, Opened, "the game and its links", fails=WRITE)
def open_table(headers: OnceSecret, body: Any, club_id: UUID, season_id: str, table_id: str) -> Opened:
    """Open the game of a table

    For organisers and scorekeepers of the club. The planned people get their seats, and the game is entered in the
    season. The answer holds a link for the scorekeeper, one for each seat and one for readers.
    """
    club = requested_club(club_id)
    season, table = _requested_table(club, season_id, table_id)
    return open_with(club, season.id, table.id, club.seats(table), table_title(season, table), headers, body)


def open_with(
    club: Club, season: str, table: str | None, people: Sequence[str], title: str, headers: OnceSecret, body: Any
) -> Opened:
    """Open a game of a club. Without a table a new one is added; `title` is the default title."""
    ruleset, sheet = body.ruleset, body.sheet
    printed = book().sheets.get(ruleset, sheet) if sheet else book().sheets.printed_sheet(ruleset)
    colours = body.colours or list(RULESETS[ruleset].colours(printed)[: len(people)])
    if not people or len(colours) != len(people):
        raise ApiError(
            422,
            "seats",
            f"the table has {len(people)} players, but the request has {len(colours)} colours",
            "send a colour for each seat, or no colours",
        )
    new = NewGame(
        ruleset,
        body.title or title,
        [SeatedPerson("", colour, person) for person, colour in zip(people, colours, strict=True)],
        body.options,
        sheet,
        recorded=body.recorded,
        played_on=body.played_on,
        public=body.public,
    )
    receipt, _ = clubs.open_table(
        book(), club.id, season, table, new, by=requesting_person(), key=opening_key(headers.key)
    )
    return opened_answer(receipt)


def _season_of_path(club_id: UUID, season_id: str) -> dict[str, str]:
    return {"season": requested_season(requested_club(club_id), season_id).id}


def _club_of_path(club_id: UUID) -> dict[str, str]:
    requested_club(club_id)
    return {}


def _closed_season_of_path(club_id: UUID, season_id: str) -> dict[str, str]:
    return {"after": requested_season(requested_club(club_id), season_id).id}


def _table_of_path(club_id: UUID, season_id: str, table_id: str) -> dict[str, str]:
    season, table = _requested_table(requested_club(club_id), season_id, table_id)
    return {"season": season.id, "table": table.id}


add_club_writes(
    _table_of_path,
    ClubWrite(TABLE + "/plan", PlanTable),
    ClubWrite(TABLE + "/void", VoidResult),
    ClubWrite(TABLE + "/accept", AcceptResult),
    ClubWrite(TABLE + "/seating", CorrectSeating),
    ClubWrite(TABLE + "/postpone", PostponeTable),
    ClubWrite(TABLE + "/substitute", SeatSubstitute),
    ClubWrite(TABLE + "/forfeit", RecordForfeit),
    ClubWrite(TABLE + "/restore-seat", RestoreSeat),
    ClubWrite(TABLE + "/absence", ReportAbsence),
    ClubWrite(TABLE + "/propose-day", ProposeDay),
    ClubWrite(TABLE + "/agree-to-day", AgreeToDay),
)
add_club_writes(
    _season_of_path,
    ClubWrite(SEASON + "/reopen", ReopenSeason),
    ClubWrite(SEASON + "/excuse", ExcusePlayer),
    ClubWrite(SEASON + "/round-deadline", SetRoundDeadline),
    ClubWrite(SEASON + "/penalty", GivePenalty),
    ClubWrite(SEASON + "/lot", RecordLot),
    ClubWrite(SEASON + "/team", SetTeam),
    ClubWrite(SEASON + "/handicap", SetHandicap),
    ClubWrite(SEASON + "/cancel", CancelSeason),
    ClubWrite(SEASON + "/remove", RemoveSeason),
    ClubWrite(SEASON + "/restore", RestoreSeason),
)
add_club_writes(_closed_season_of_path, ClubWrite(SEASON + "/stage", OpenStage, without="after"))
add_club_writes(_club_of_path, ClubWrite("/clubs/<uuid:club_id>/dissolve", DissolveClub))
add_club_writes(_club_of_path, ClubWrite("/clubs/<uuid:club_id>/plays/accept", AcceptWaitingPlays))


# --- recorded games and their players -------------------------------------------------------------------------------


@writes_in_club(SEASON + "/games", body_of("EnterGameBody", EnterGame, GameOfLink, without={"season"}))
def enter_game(headers: OnceSecret, body: Any, club_id: UUID, season_id: str) -> ClubCommand:
    """Enter a recorded game

    For organisers and scorekeepers of the club, with their own key. `link` is the key of the game's scorekeeper; it is
    not needed if your roles let you record the game. From then on the club's scorekeepers can record it. `people` assigns
    the club's people to seats; send it if the record has other ids, as one from a file does.
    """
    club, game = requested_club(club_id), body.game
    season = _season_or_beside(club, season_id)
    return EnterGame(season.id, str(game), body.table or "", body.people, body.why, body.separate)


@writes_in_club(TABLE + "/separate-games", OtherTable)
def confirm_separate_games(
    headers: OnceSecret, body: OtherTable, club_id: UUID, season_id: str, table_id: str
) -> ClubCommand:
    """State that two similar tables are different plays

    For organisers and scorekeepers of the club. The tables have the same people, and nearly the same decisions or the
    same scores on one day. Both count from then on. To count only one, remove the other's game or make its result void.
    """
    club = requested_club(club_id)
    season, table = _requested_table(club, season_id, table_id)
    with_season, other = _requested_table(club, body.season, body.table)
    return ConfirmSeparateGames(season.id, table.id, with_season.id, other.id, body.why)


@writes_in_club(TABLE + "/merge", OtherPlay)
def merge_plays(headers: OnceSecret, body: OtherPlay, club_id: UUID, season_id: str, table_id: str) -> ClubCommand:
    """Make the play of a table part of another one

    The address names a typed or imported play outside the seasons (`beside`), the body the play that stays. Both have
    the same game and people. What only the first one says is filled in. For organisers and scorekeepers of the club;
    `split` of the imports makes them two plays again.
    """
    club = requested_club(club_id)
    season, table = _requested_table(club, season_id, table_id)
    with_season, other = _requested_table(club, body.season, body.table)
    return MergePlays(season.id, table.id, with_season.id, other.id, body.why)


# --- the end of a season ---------------------------------------------------------------------------------------------


@writes_in_club(SEASON + "/close", ClosingBody)
def close_season(headers: Once, body: ClosingBody, club_id: UUID, season_id: str) -> ClubCommand:
    """Close a season with its current order

    For organisers of the club. A closed season takes no more results. The request is refused while two tables look like
    the same play (`possible_duplicates`, with the pairs). Remove one, state that they are different, or send
    `as_they_are`.
    """
    club = requested_club(club_id)
    season = requested_season(club, season_id)
    require(ClubVisit(club, requesting_person()), "close_seasons")
    if not body.as_they_are and headers.key not in club.keys and (pairs := possible_duplicates(club, season)):
        raise ApiError(
            422,
            "possible_duplicates",
            "some tables look like the same play, and both count",
            "remove one of each pair, state that they are different, or send `as_they_are`: true",
            pairs=pairs,
        )
    return CloseSeason(season.id)
