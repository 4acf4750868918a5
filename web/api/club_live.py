"""API of live rounds and evenings: tables as spectators see them, and the standings as they would be now."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.league.club import Club
from daybook.services.league import live_round
from daybook.services.league.live_round import LiveGroup, LiveScope, LiveState, LiveTable
from daybook.web.api.base import book
from daybook.web.api.clubs import club_with_evenings, league, requested_club, requested_season, requesting_person
from daybook.web.api.errors import ApiError


class LiveSeatShown(Frozen):
    person: str
    total: Points | None  # null: unknown or covered
    place: int | None
    acts_since: str | None  # null: the player is not to act


class LiveTableShown(Frozen):
    season: str | None  # null: outside the seasons
    table: str
    state: LiveState
    game: str | None  # null: there is none, or this key may not read it
    ruleset: str
    step: int | None  # the newest that spectators see
    facts_since: str | None  # the game waits for a fact of the table since then
    seats: list[LiveSeatShown]


class LivePlaceShown(Frozen):
    person: str
    place: int
    before: int | None  # the place before the round; null: nothing was played
    best: int  # the best place that is still possible after the round
    worst: int
    points: str  # a fraction such as 15/2


class LiveGroupShown(Frozen):
    division: int
    group: int
    places: list[LivePlaceShown]


class LiveRoundShown(Frozen):
    delay_seconds: int  # spectators see the games so much later
    is_report: bool  # all tables are over for some hours
    tables: list[LiveTableShown]
    standings: list[LiveGroupShown]  # as if all games ended now; empty for an evening
    names: dict[str, str]  # of the people in this answer, by id


@league.reads(
    "/clubs/<uuid:club_id>/seasons/<string:season_id>/rounds/<int:number>/live",
    LiveRoundShown,
    "the round as it is now",
)
def show_live_round(club_id: UUID, season_id: str, number: int) -> LiveRoundShown:
    """Show a round while it is played

    The tables are those that a spectator sees, with the delay of the league: whose turn it is, and since when. The
    standings are as if all games ended now. Covered totals are null, and such games do not change the standings.
    """
    club = requested_club(club_id).with_delayed_results()
    season = requested_season(club, season_id)
    if number not in season.rounds:
        raise ApiError(404, "unknown_round", f"the season has no round {number}", "GET .../tables lists the tables")
    tables = _read(club, live_round.scope_of_round(season, number))
    groups = live_round.live_standings(book(), club, season, number, tables)
    return _shown(club, tables, groups, club.spectator_delay(season.id))


@league.reads("/clubs/<uuid:club_id>/evenings/<string:evening_id>/live", LiveRoundShown, "the evening as it is now")
def show_live_evening(club_id: UUID, evening_id: str) -> LiveRoundShown:
    """Show an evening while it is played

    As of a round, without standings.
    """
    requested_club(club_id)
    club = club_with_evenings(club_id).with_delayed_results()
    if evening_id not in club.evenings:
        raise ApiError(404, "unknown_evening", "the club has no such evening", "GET .../evenings lists them")
    tables = _read(club, live_round.scope_of_evening(club, club.evenings[evening_id]))
    delay_seconds = max((club.spectator_delay(table.season) for table in tables), default=0)
    return _shown(club, tables, [], delay_seconds)


def _read(club: Club, scope: LiveScope) -> list[LiveTable]:
    person = requesting_person()
    sees_game = live_round.game_reader(book(), is_member=bool(person and club.roles(person)))
    return [live_round.read_table(book(), club, season, table, sees_game) for season, table in scope.all_tables]


def _shown(club: Club, tables: Sequence[LiveTable], groups: Sequence[LiveGroup], delay_seconds: int) -> LiveRoundShown:
    people = {seat.person for table in tables for seat in table.seats}
    people |= {place.person for group in groups for place in group.places}
    return LiveRoundShown(
        delay_seconds,
        live_round.is_report(tables),
        [
            LiveTableShown(
                table.season or None,
                table.table.id,
                table.state,
                str(table.game.id) if table.game else None,
                table.table.ruleset,
                table.game.step if table.game else None,
                table.facts_since or None,
                [LiveSeatShown(seat.person, seat.total, seat.place, seat.acts_since or None) for seat in table.seats],
            )
            for table in tables
        ],
        [
            LiveGroupShown(
                group.division,
                group.group,
                [
                    LivePlaceShown(place.person, place.place, place.before, place.best, place.worst, str(place.points))
                    for place in group.places
                ],
            )
            for group in groups
        ],
        book().kept.names(people),
    )
