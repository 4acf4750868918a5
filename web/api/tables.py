"""Running a season for programs: schedules drawn, tables planned, their games opened, results made void,
its end.

The services are those of the pages, and so are the roles and what is refused; everything needs a person's own key.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.games import RULESETS
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_commands import (
    AcceptResult,
    CloseSeason,
    ClubCommand,
    ConfirmSeparateGames,
    CorrectWhoSat,
    DrawSchedule,
    EnterGame,
    PlanTable,
    ReopenSeason,
    VoidResult,
)
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.seasons import Bye, Fixture
from daybook.services.league import clubs, season_draws
from daybook.services.league.season_draws import Proposal
from daybook.services.permissions import access, club_roles
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.structs import copy_fields
from daybook.web.api.answers import Opened
from daybook.web.api.base import WRITE, Sent, book
from daybook.web.api.clubs import club_asked, league, person_asking, season_asked, told_twice, writes_in_club
from daybook.web.api.envelopes.clubs import (
    ApartIn,
    ClosingIn,
    DrawAsked,
    DrawIn,
    GameEnteredIn,
    MeetingIn,
    TableOpenedIn,
    WhoSatIn,
)
from daybook.web.api.envelopes.games import OnceSecret, WhyIn
from daybook.web.api.errors import ApiError
from daybook.web.api.games import opened_answer
from daybook.web.api.keys import opening_key
from daybook.web.api.requests import Once
from daybook.web.request.clubs import BESIDE_PATH
from daybook.web.request.long_work import takes_long
from daybook.web.request.seating import table_title

SEASON = "/clubs/<uuid:club_id>/seasons/<string:season_id>"
TABLE = SEASON + "/tables/<string:table_id>"


class DrawShown(Frozen):
    """What a number makes of what is still to be played. at: the club's step it was made at, for publishing it.

    rounds: those it brings; cost: how unfair it is with what stands, the less the better.
    """

    seed: int
    at: int
    rounds: list[int]
    fixtures: list[Fixture]
    byes: list[Bye]
    cost: int


# --- schedules -------------------------------------------------------------------------------------------------------


@league.reads(SEASON + "/draw", DrawShown, "the tables it would make", query=DrawAsked, key=True)
@takes_long("GET")
def show_draw(asked: Sent, club_id: UUID, season_id: str) -> DrawShown:
    """Show what a number draws

    Nothing is written; the same number draws the same again. For organisers of the club.
    """
    club = club_asked(club_id)
    season = season_asked(club, season_id)
    clubs.check(club, person_asking(), "schedule")
    drawn = _proposal_asked(club, season, asked)
    return copy_fields(DrawShown, drawn, at=club.step)


@writes_in_club(SEASON + "/draw", DrawIn)
@takes_long("POST")
def publish_draw(once: Sent, asked: Sent, club_id: UUID, season_id: str) -> ClubCommand:
    """Draw the schedule

    What is still to be played is drawn with this number, and takes the place of what was drawn before; what was played
    stays. `at`: the step at which it was shown. For organisers of the club.
    """
    club = club_asked(club_id)
    season = season_asked(club, season_id)
    rounds, people = asked["rounds"] or season.format.rounds, tuple(asked["people"]) or None
    return DrawSchedule(season.id, asked["seed"], rounds, people)


def _proposal_asked(club: Club, season: Season, asked: Sent) -> Proposal:
    return season_draws.propose_draw(
        book(),
        club,
        season,
        asked["seed"],
        rounds=asked["rounds"] or season.format.rounds,
        people=asked["people"] or None,
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def _season_or_beside(club: Club, season_id: str) -> Season:
    """A season, or what is played beside every season."""
    return club.season(BESIDE) if season_id == BESIDE_PATH else season_asked(club, season_id)


def _table_asked(club: Club, season_id: str, table_id: str) -> tuple[Season, SeasonTable]:
    season = _season_or_beside(club, season_id)
    if table_id not in season.tables:
        raise ApiError(
            404,
            "unknown_table",
            f"the season has no table {table_id[:40]!a}",
            "GET /clubs/{club}/seasons/{season} lists its tables",
        )
    return season, season.tables[table_id]


@writes_in_club(TABLE + "/plan", MeetingIn)
def plan_table(once: Sent, asked: Sent, club_id: UUID, season_id: str, table_id: str) -> ClubCommand:
    """Say when and where a table meets

    For organisers of the club.
    """
    club = club_asked(club_id)
    season, table = _table_asked(club, season_id, table_id)
    return PlanTable(season.id, table.id, asked["when"], asked["place"])


@writes_in_club(TABLE + "/void", WhyIn)
def void_result(once: Sent, asked: Sent, club_id: UUID, season_id: str, table_id: str) -> ClubCommand:
    """Make the result of a table void

    What was played there does not count, or nothing will be played there. For organisers and umpires of the club; the
    record itself stays.
    """
    club = club_asked(club_id)
    season, table = _table_asked(club, season_id, table_id)
    return VoidResult(season.id, table.id, asked["why"])


@writes_in_club(TABLE + "/accept", WhyIn)
def accept_result(once: Sent, asked: Sent, club_id: UUID, season_id: str, table_id: str) -> ClubCommand:
    """Let the result of a table count although the rules disagree with its record

    For organisers of the club. The result keeps its mark.
    """
    club = club_asked(club_id)
    season, table = _table_asked(club, season_id, table_id)
    return AcceptResult(season.id, table.id, asked["why"])


@league.route(TABLE + "/game", methods=["POST"])
@league.needs_key
@league.arguments(OnceSecret, location="headers")
@league.arguments(TableOpenedIn)
@league.answers(201, Opened, "the game and its links", fails=WRITE)
def open_table(once: Sent, asked: Sent, club_id: UUID, season_id: str, table_id: str) -> Opened:
    """Open the game of a table

    With the people who are to sit there, in their seats, and entered in the season at once. For organisers and
    scorekeepers of the club. The answer holds a link for the scorekeeper, one for each seat and one for readers.
    """
    club = club_asked(club_id)
    season, table = _table_asked(club, season_id, table_id)
    return open_with(club, season.id, table.id, club.seats(table), table_title(season, table), once, asked)


def open_with(
    club: Club, season: str, table: str | None, people: Sequence[str], title: str, once: Sent, asked: Sent
) -> Opened:
    """Open a game of a club with these people; table: None: a new one; title: if none is asked for."""
    ruleset, sheet = asked["ruleset"], asked["sheet"]
    printed = book().sheets.get(ruleset, sheet) if sheet else book().sheets.printed_sheet(ruleset)
    colours = asked["colours"] or list(RULESETS[ruleset].colours(printed)[: len(people)])
    if not people or len(colours) != len(people):
        raise ApiError(
            422,
            "seats",
            f"{len(people)} people are to sit at this table, and {len(colours)} colours are given",
            "name a colour for each seat, or none",
        )
    new = NewGame(
        ruleset,
        asked["title"] or title,
        [SeatedPerson("", colour, person) for person, colour in zip(people, colours, strict=True)],
        asked["options"],
        sheet,
        recorded=asked["recorded"],
        played=asked["played"],
        public=asked["public"],
    )
    receipt, _ = clubs.open_table(book(), club.id, season, table, new, by=person_asking(), key=opening_key(once["key"]))
    return opened_answer(receipt)


# --- recorded games, and who sat there -------------------------------------------------------------------------------


@writes_in_club(SEASON + "/games", GameEnteredIn)
def enter_game(once: Sent, asked: Sent, club_id: UUID, season_id: str) -> ClubCommand:
    """Enter a recorded game

    For organisers and scorekeepers of the club, with their own key. `link` is the key of the game's scorekeeper, whose
    record the club's scorekeepers have from then on; who keeps the game by a role needs none. `people` says who of the
    club sat where, for a record that knows them under ids of its own, as one from a file does.
    """
    club, game = club_asked(club_id), asked["game"]
    season = _season_or_beside(club, season_id)
    grants = [*club_roles.role_grants(book(), person_asking(), game)]
    if asked["link"] is not None and (grant := access.read_key(book(), asked["link"])) is not None:
        grants.append(grant)
    clubs.check(club, person_asking(), "enter")
    try:
        clubs.require_keeper(book(), game, grants)
    except clubs.NotYoursError as no:
        raise ApiError(403, "not_allowed", str(no), "send the key of the game's scorekeeper as `link`") from no
    people = None if asked["people"] is None else tuple(asked["people"])
    return EnterGame(season.id, str(game), asked["table"] or "", people, asked["why"], asked["another"])


@writes_in_club(TABLE + "/sat", WhoSatIn)
def say_who_sat(once: Sent, asked: Sent, club_id: UUID, season_id: str, table_id: str) -> ClubCommand:
    """Say that others sat at a table than its record names, or in other seats

    For organisers and scorekeepers of the club, once the game is closed. Standings and ratings follow, the record stays
    as it is.
    """
    club = club_asked(club_id)
    season, table = _table_asked(club, season_id, table_id)
    return CorrectWhoSat(season.id, table.id, tuple(asked["people"]), asked["why"])


@writes_in_club(TABLE + "/apart", ApartIn)
def say_apart(once: Sent, asked: Sent, club_id: UUID, season_id: str, table_id: str) -> ClubCommand:
    """Say that two tables which look like one evening were two

    The same people with nearly the same decisions, or with the same scores on one day: both count. For organisers and
    scorekeepers of the club; who counts one alone removes the other's game, or makes it void.
    """
    club = club_asked(club_id)
    season, table = _table_asked(club, season_id, table_id)
    with_season, other = _table_asked(club, asked["season"], asked["table"])
    return ConfirmSeparateGames(season.id, table.id, with_season.id, other.id, asked["why"])


# --- its end ---------------------------------------------------------------------------------------------------------


@writes_in_club(SEASON + "/close", ClosingIn)
def close_season(once: Once, asked: Sent, club_id: UUID, season_id: str) -> ClubCommand:
    """Close a season with the order that stands

    For organisers of the club. A closed season takes no more results. While two tables look like one evening it is
    refused (`told_twice`, with the pairs): say which counts, or that they were two evenings, or close it with
    `as_they_are`.
    """
    club = club_asked(club_id)
    season = season_asked(club, season_id)
    clubs.check(club, person_asking(), "close")
    if not asked["as_they_are"] and once.key not in club.keys and (pairs := told_twice(club, season)):
        raise ApiError(
            422,
            "told_twice",
            "tables look like one evening, and both of each pair count",
            "say of each pair which counts, or that they were two evenings; or send `as_they_are`: true",
            pairs=pairs,
        )
    return CloseSeason(season.id)


@writes_in_club(SEASON + "/reopen", WhyIn)
def reopen_season(once: Sent, asked: Sent, club_id: UUID, season_id: str) -> ClubCommand:
    """Open a closed season again

    For organisers of the club. What it was closed with stays in the record.
    """
    club = club_asked(club_id)
    season = season_asked(club, season_id)
    return ReopenSeason(season.id, asked["why"])
