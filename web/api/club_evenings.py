"""A club's evenings for programs: plan, move, cancel and answer them, and open games on them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta

from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.game_names import name_in_key
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_commands import (
    DRAW_LIMIT,
    AnswerEvening,
    CallOffEvening,
    ClubCommand,
    People,
    PlanEvening,
    SetEveningTables,
)
from daybook.domain.league.club_events import BESIDE, EveningTable
from daybook.services.clock import now
from daybook.services.league import clubs, evening_draw, evening_plans
from daybook.services.paging import page_of_list
from daybook.services.permissions.actions import ClubVisit, may, require
from daybook.services.play.recording import NewGame
from daybook.web.api.answers import Opened
from daybook.web.api.base import WRITE, book
from daybook.web.api.clubs import (
    AtClubStep,
    ClubWrite,
    TableNamed,
    add_club_writes,
    club_with_evenings,
    league,
    requesting_person,
    writes_in_club,
)
from daybook.web.api.errors import ApiError
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import OnceSecret, PageQuery, PeopleQuery
from daybook.web.api.schemas import body_of
from daybook.web.api.tables import SET_BY_CLUB, GameOfClub, open_with
from daybook.web.request.long_work import takes_long

EVENINGS = "/clubs/<uuid:club_id>/evenings"
EVENING = EVENINGS + "/<string:evening_id>"
EveningBody = body_of("EveningBody", PlanEvening, AtClubStep, without={"evening"})


class PeopleOfEvening(Exact):
    people: People = ()  # the players, by seat; default: the people that come, in the order of their answers


NewEveningGame = body_of("NewEveningGame", NewGame, GameOfClub, PeopleOfEvening, without=SET_BY_CLUB)


class ComingShown(Frozen):
    """A person's answer."""

    person: str
    name: str
    answer: str
    before_move: bool  # given before the evening was moved
    waiting: bool  # for a chair
    games_brought: list[str]  # ids of rulesets, or a colon and the name of another game
    games_wanted: list[str]  # games that the person would like to play


class EveningNamed(Frozen):
    id: str
    when: str  # UTC
    place: str
    games: list[str]  # ids of rulesets, or a colon and the name of another game
    chairs: int  # how many people can come; 0: no limit
    until: str  # the end in UTC; empty: unknown
    remark: str  # empty: none, or this key may not see it
    series: str  # the first evening of its series; empty: none
    called_off: str | None  # the reason, possibly empty; null: it takes place
    over: bool


class EveningsShown(Frozen):
    evenings: list[EveningNamed]
    next: str | None  # the address of the next page; null: this is the last


class EveningShown(Frozen):
    evening: EveningNamed
    step: int  # of the club's own chronicle, for `at` of later writes
    answers: list[ComingShown]
    tables: list[EveningTable]  # planned tables
    played: list[TableNamed]  # the tables of that day
    next: str | None  # the address of the next page of answers; null: this is the last


def _requested_evening(club: Club, evening_id: str) -> Evening:
    if evening_id not in club.evenings:
        raise ApiError(
            404,
            "unknown_evening",
            f"the club has no evening {evening_id[:40]!a}",
            "GET /clubs/{club}/evenings lists its evenings",
        )
    return club.evenings[evening_id]


def _named(club: Club, evening: Evening) -> EveningNamed:
    off = evening.called_off
    return EveningNamed(
        evening.id,
        evening.when,
        evening.place,
        list(evening.games),
        evening.chairs,
        evening.until,
        evening.remark if may(ClubVisit(club, requesting_person()), "answer_evenings") else "",
        evening.series,
        off.why if off else None,
        evening.ends <= now(),
    )


@league.reads(EVENINGS, EveningsShown, "a page of evenings, the one planned last first", query=PageQuery)
def list_evenings(query: PageQuery, club_id: UUID) -> EveningsShown:
    """List a club's evenings

    The list has future, past and cancelled evenings. `next` is the address of the next page, or null on the last page.
    """
    club = club_with_evenings(club_id)
    newest = [*reversed(club.evenings.values())]
    found, more = fetch_page(query, lambda after, limit: page_of_list(newest, lambda evening: evening.id, after, limit))
    return EveningsShown([_named(club, evening) for evening in found], more)


@league.reads(EVENING, EveningShown, "the evening", query=PeopleQuery)
def show_evening(query: PeopleQuery, club_id: UUID, evening_id: str) -> EveningShown:
    """Show an evening

    The answer has its time and place, the planned games, the people who come, and the tables that were played. People's
    answers are in pages: `next` is the address of the next page, or null on the last page.
    """
    club = club_with_evenings(club_id)
    evening = _requested_evening(club, evening_id)
    rows = [*club.answers(evening).items()]
    answers, more = fetch_page(query, lambda after, limit: page_of_list(rows, lambda row: row[0], after, limit))
    names = book().kept.names([person for person, _ in answers])
    waiting = {*club.waiting(evening)}
    return EveningShown(
        _named(club, evening),
        club.step,
        [
            ComingShown(
                person,
                names.get(person, ""),
                answer.answer,
                answer.step < evening.moved,
                person in waiting,
                list(answer.games_brought),
                list(answer.games_wanted),
            )
            for person, answer in answers
        ],
        club.tables_set(evening),
        [TableNamed(played.table.season, played.table.id) for played in evening_plans.played(book(), club, evening)]
        if may(ClubVisit(club, requesting_person()), "read_club")
        else [],
        more,
    )


class EveningDrawQuery(Exact):
    seed: Annotated[int, Meta(ge=1, lt=DRAW_LIMIT)]  # the number of the draw


class EveningDrawn(Frozen):
    seed: int
    tables: list[EveningTable]
    left: list[str]  # people without a seat


@league.reads(EVENING + "/draw", EveningDrawn, "the proposed tables", query=EveningDrawQuery, key=True)
@takes_long("GET")
def draw_evening(query: EveningDrawQuery, club_id: UUID, evening_id: str) -> EveningDrawn:
    """Propose the tables of an evening

    The people who come, by the games that they want, by who met lately, and by the sizes that the games allow. Nothing
    is saved. For organisers of the club.
    """
    club = club_with_evenings(club_id)
    require(ClubVisit(club, requesting_person()), "schedule")
    drawn = evening_draw.propose_tables(book(), club, _requested_evening(club, evening_id), query.seed)
    return EveningDrawn(drawn.seed, list(drawn.tables), list(drawn.left))


@writes_in_club(EVENINGS, EveningBody)
def plan_evening(headers: OnceSecret, body: Any, club_id: UUID) -> ClubCommand:
    """Plan an evening

    For organisers of the club, with their own key. The evening appears in the calendars of the members, who then say
    whether they come.
    """
    return _planned(club_with_evenings(club_id), "", body)


@writes_in_club(EVENING, EveningBody)
def change_evening(headers: OnceSecret, body: Any, club_id: UUID, evening_id: str) -> ClubCommand:
    """Change an evening

    For organisers of the club. Send all fields as they are from now on, not only those that change. A cancelled evening
    takes place again. Calendars of members show the change.
    """
    club = club_with_evenings(club_id)
    return _planned(club, _requested_evening(club, evening_id).id, body)


def _planned(club: Club, evening: str, body: Any) -> PlanEvening:
    games = tuple(clubs.game_named(club, name_in_key(game) or game) for game in body.games)
    fields = {name: getattr(body, name) for name in ("chairs", "until", "remark", "repeat", "repeat_count")}
    return PlanEvening(body.when, body.place, games, evening, **fields)


def _evening_of_path(club_id: UUID, evening_id: str) -> dict[str, str]:
    return {"evening": _requested_evening(club_with_evenings(club_id), evening_id).id}


add_club_writes(
    _evening_of_path,
    ClubWrite(EVENING + "/call-off", CallOffEvening, at=True),
    ClubWrite(EVENING + "/answers", AnswerEvening),
    ClubWrite(EVENING + "/tables", SetEveningTables),
)


@league.route(EVENING + "/games", methods=["POST"])
@league.needs_key
@league.arguments(OnceSecret, location="headers")
@league.arguments(NewEveningGame)
@league.answers(201, Opened, "the game and its links", fails=WRITE)
def open_evening_game(headers: OnceSecret, body: Any, club_id: UUID, evening_id: str) -> Opened:
    """Open a game on an evening

    For organisers and scorekeepers of the club. The seats go to the people in `people`, or else to those who come, in the
    order of their answers. The game is entered outside the seasons. The answer holds a link for the scorekeeper, one
    link for each seat and one for readers.
    """
    club = club_with_evenings(club_id)
    evening = _requested_evening(club, evening_id)
    people = body.people or club.coming(evening)
    return open_with(club, BESIDE, None, people, evening.when[:10], headers, body)
