"""Check if tables may be drawn, planned and seated."""

from __future__ import annotations

from daybook.domain.kernel.game_names import is_among
from daybook.domain.kernel.terms import WhyNot, because
from daybook.domain.kernel.times import later_time
from daybook.domain.league import seasons
from daybook.domain.league.club import Club, Season, SeasonTable, is_replaced
from daybook.domain.league.club_events import (
    ForfeitRecorded,
    PlayerExcused,
    RoundDeadlineSet,
    ScheduleDrawn,
    SeatRestored,
    SeatsChanged,
    SubstituteSeated,
    TablePlanned,
    TablePostponed,
)
from daybook.domain.league.event_checks.common import (
    ID,
    elsewhere_fault,
    group_fault,
    name_fault,
    no_table,
    not_entered,
    person_fault,
    time_fault,
    twice_fault,
    unchanged_fault,
)
from daybook.domain.league.event_checks.table_days import requests_fault
from daybook.domain.league.results import StandIn


def draw_fault(club: Club, season: Season, event: ScheduleDrawn) -> WhyNot:
    for table in season.tables.values():
        if is_replaced(table, event) and table.is_settled:
            return because(
                "round_played",
                "table {table} of round {round} has a result: that round is drawn",
                table=table.id,
                round=table.round,
            )
    kept = {table_id for table_id, table in season.tables.items() if not is_replaced(table, event)}
    for fixture in event.fixtures:
        if fixture.table in kept or not ID.fullmatch(fixture.table):
            return because("table_id", "“{id}” cannot be the id of a new table", id=fixture.table[:40])
        kept.add(fixture.table)
        if wrong := _outside_draw_fault(event, fixture) or _fixture_fault(club, season, fixture):
            return wrong
    for bye in event.byes:
        if wrong := _outside_draw_fault(event, bye) or _group_fault(club, season, bye.person, bye.division, bye.group):
            return wrong
    for table_id, game in event.games.items():
        if not is_among(game, club.rulesets(season)) or table_id not in {fixture.table for fixture in event.fixtures}:
            return because("other_game", "this game does not belong to {season}", season=season.name)
    for round_number in event.rounds:
        seated = [person for fixture in event.fixtures if fixture.round == round_number for person in fixture.seats]
        seated += [bye.person for bye in event.byes if bye.round == round_number]
        if (wrong := twice_fault(club, seated)) and season.format.kind != "free":
            return wrong
    return None


def _outside_draw_fault(event: ScheduleDrawn, planned: seasons.Fixture | seasons.Bye) -> WhyNot:
    if planned.round < 1 or planned.round not in event.rounds:
        return because("round_not_drawn", "round {round} is not one of those being drawn", round=planned.round)
    if event.division not in (0, planned.division) or event.group not in (0, planned.group):
        return because(
            "group_not_drawn",
            "division {division}, group {group} is not one of those being drawn",
            division=planned.division,
            group=planned.group,
        )
    return None


def _fixture_fault(club: Club, season: Season, fixture: seasons.Fixture) -> WhyNot:
    if len(fixture.seats) not in season.format.table_sizes:
        return because(
            "table_seats",
            "table {table} has {n} seats, and {season} has no tables of that size",
            table=fixture.table,
            n=len(fixture.seats),
            season=season.name,
        )
    for person in fixture.seats:
        if wrong := _group_fault(club, season, person, fixture.division, fixture.group):
            return wrong
    return twice_fault(club, fixture.seats)


def _group_fault(club: Club, season: Season, person: str, division: int, group: int) -> WhyNot:
    player = club.player(season, person)
    if player is None:
        return not_entered(season, person)
    if player.withdrew is not None:
        return because("withdrawn", "{person} has withdrawn from {season}", person=person, season=season.name)
    return group_fault(club, season, person, division, group)


def plan_fault(season: Season, event: TablePlanned) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if event.when and (wrong := time_fault(event.when, event.at)):
        return wrong
    if (table.when, table.place) == (event.when, event.place):
        return unchanged_fault()
    return name_fault(event.place) if event.place else None


def seats_fault(club: Club, season: Season, event: SeatsChanged) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if table.is_settled:
        return because("table_played", "table {table} has a result: who sat there is settled", table=table.id)
    if table.seats == event.seats:
        return unchanged_fault()
    fixture = seasons.Fixture(table.id, table.round, event.seats, table.division, table.group)
    if wrong := _fixture_fault(club, season, fixture) or elsewhere_fault(club, season, table, event.seats):
        return wrong
    for bye in season.byes:  # a person with a bye gives it up by taking a seat; the bye may name another id of theirs
        if bye.round == table.round and bye.person not in event.seats and club.person(bye.person) in event.seats:
            return because(
                "has_bye",
                "{person} has a bye in round {round}, drawn under another id: draw the round again",
                person=club.person(bye.person),
                round=table.round,
            )
    return None


def postponement_fault(season: Season, event: TablePostponed) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if table.is_settled:
        return because("table_played", "table {table} has a result: who sat there is settled", table=table.id)
    if wrong := time_fault(event.when, event.at):
        return wrong
    if event.when <= max(table.when, event.at):
        return because("not_later", "a table is postponed to a later day")
    return None


def stand_in_fault(club: Club, season: Season, event: SubstituteSeated | ForfeitRecorded) -> WhyNot:
    """Return a refusal if a substitute or a forfeit is not allowed for a seat, or None."""
    table = season.tables.get(event.table)
    if table is None or not table.planned:
        return no_table(season, event.table)
    if season.format.kind == "heats":
        return because("open_seats", "anyone may play in heats: change the seats of table {table}", table=table.id)
    person = club.person(event.person)
    if person not in {club.person(seat) for seat in table.seats}:
        return because("no_seat", "{person} has no seat at table {table}", person=person, table=table.id)
    seats = club.stand_ins(table)
    seat = next((seat for seat in seats if seat.person == person), None)
    if wrong := _has_played_fault(club, season, event.table, seat):
        return wrong
    others = {other.replacement for other in seats if other.person != person}
    if isinstance(event, ForfeitRecorded):
        if event.automa and (event.automa not in club.anonymous_ids or event.automa in others):
            return because("no_automa", "each seat that the rules play needs its own anonymous player")
        unchanged = seat is not None and seat.forfeit and seat.replacement == event.automa
        return unchanged_fault() if unchanged else None
    substitute = club.person(event.substitute)
    if seat is not None and seat.is_substitute and seat.replacement == substitute:
        return unchanged_fault()
    if substitute in club.anonymous_ids:
        return because("no_substitute", "a substitute is a person of the club")
    if substitute in others or substitute in {club.person(other) for other in table.seats}:
        return because("sits_already", "{person} already sits at table {table}", person=substitute, table=table.id)
    return person_fault(event.substitute) or _own_requests_fault(club, table, event)


def _own_requests_fault(club: Club, table: SeasonTable, event: SubstituteSeated | SeatRestored) -> WhyNot:
    """Return a refusal for too many changes of a player's own seat, or None."""
    is_own = club.person(event.by) == club.person(event.person)
    return requests_fault(club, table, event.by) if is_own else None


def _has_played_fault(club: Club, season: Season, table_id: str, seat: StandIn | None) -> WhyNot:
    """Return a refusal if a substitute's or an automa's result is entered."""
    table = season.tables[table_id]
    if seat is not None and seat.replacement and (table.game or table.typed) and seat.replacement in club.seats(table):
        return because(
            "stand_in_played", "table {table} has a result: remove it, or make it void first", table=table.id
        )
    return None


def restored_seat_fault(club: Club, season: Season, event: SeatRestored) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    seat = next((seat for seat in club.stand_ins(table) if seat.person == club.person(event.person)), None)
    if seat is None:
        return unchanged_fault()
    return _has_played_fault(club, season, event.table, seat) or _own_requests_fault(club, table, event)


def excuse_fault(club: Club, season: Season, event: PlayerExcused) -> WhyNot:
    if season.format.kind != "swiss":
        return because(
            "excused_kind", "players are excused from rounds of a Swiss season; elsewhere they have substitutes"
        )
    player = club.player(season, event.person)
    if player is None:
        return not_entered(season, event.person)
    if not 1 <= event.round <= (season.format.rounds or seasons.ROUNDS_LIMIT):
        return because("no_round", "{season} has no round {round}", season=season.name, round=event.round)
    if event.round in season.rounds:
        return because(
            "round_is_drawn", "round {round} is drawn: seat a substitute, or record a forfeit", round=event.round
        )
    if event.excused == (club.person(event.person) in club.excused(season, event.round)):
        return unchanged_fault()
    return None


def round_deadline_fault(season: Season, event: RoundDeadlineSet) -> WhyNot:
    """Return why a round cannot have a last day, or None. Yesterday is today in some time zones."""
    if event.round not in season.rounds and not 1 <= event.round <= (season.format.rounds or seasons.ROUNDS_LIMIT):
        return because("no_round", "{season} has no round {round}", season=season.name, round=event.round)
    dated = season.round_deadlines.get(event.round)
    if event.until == (dated.until if dated is not None else ""):
        return unchanged_fault()
    if not event.until:
        return None
    if wrong := time_fault(f"{event.until}T12:00:00.000Z", event.at):
        return wrong
    if event.until < later_time(event.at, days=-1)[:10]:
        return because("day_past", "the day {day} is in the past: choose a later one", day=event.until)
    return None
