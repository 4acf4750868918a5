"""Check reports of absence from a table, and proposals of another day for it."""

from __future__ import annotations

from daybook.domain.kernel.terms import WhyNot, because
from daybook.domain.kernel.times import later_time
from daybook.domain.league.club import Club, Season, SeasonTable
from daybook.domain.league.club_events import (
    AbsenceReported,
    DayAgreed,
    DayProposed,
    ResultTyped,
    SeatRestored,
    SubstituteSeated,
)
from daybook.domain.league.event_checks.common import name_fault, no_table, time_fault, unchanged_fault

MAX_REQUESTS_PER_USER = 20  # at one table: each is an entry of the record

Request = AbsenceReported | DayProposed | DayAgreed


def request_fault(club: Club, season: Season, event: Request) -> WhyNot:
    table = season.tables.get(event.table)
    if table is None:
        return no_table(season, event.table)
    if table.is_settled:
        return because("table_over", "table {table} has a game or a result", table=table.id)
    if club.person(event.person) not in club.seats(table):
        return because("not_at_table", "{person} does not play at table {table}", person=event.person, table=table.id)
    match event:
        case AbsenceReported():
            wrong = _absence_fault(club, table, event)
        case DayProposed():
            wrong = _proposal_fault(club, table, event)
        case DayAgreed():
            wrong = _agreement_fault(club, table, event)
    return wrong or requests_fault(club, table, event.by)


def _absence_fault(club: Club, table: SeasonTable, event: AbsenceReported) -> WhyNot:
    is_absent = club.person(event.person) in map(club.person, table.absent)
    return unchanged_fault() if is_absent == event.absent else None


def _proposal_fault(club: Club, table: SeasonTable, event: DayProposed) -> WhyNot:
    if wrong := time_fault(event.when, event.at):
        return wrong
    if event.when < later_time(event.at, days=-1):
        return because("evening_past", "this time is in the past: choose a later one")
    if event.when == table.when or (table.proposal and table.proposal.when == event.when):
        return unchanged_fault()
    return name_fault(event.place) if event.place else None


def _agreement_fault(club: Club, table: SeasonTable, event: DayAgreed) -> WhyNot:
    if table.proposal is None or table.proposal.when != event.when:
        return because("other_day", "this day is no longer proposed for table {table}", table=table.id)
    return None if club.person(event.person) in club.players_to_agree(table) else unchanged_fault()


def requests_fault(club: Club, table: SeasonTable, user: str) -> WhyNot:
    """Return a refusal for a user with too many requests and reported results at a table, or None."""
    events = (club.entries[step].event for step in table.steps)
    requests = sum(
        event.by == user
        and (
            isinstance(event, AbsenceReported | DayProposed | DayAgreed)
            or (isinstance(event, ResultTyped) and event.unapproved)
            or (isinstance(event, SubstituteSeated | SeatRestored) and club.person(event.person) == club.person(user))
        )
        for event in events
    )
    if requests < MAX_REQUESTS_PER_USER:
        return None
    return because("requests_many", "table {table} was changed {n} times by the same user", table=table.id, n=requests)
