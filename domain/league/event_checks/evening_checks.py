"""Check if an evening may be planned, moved, called off or answered."""

from __future__ import annotations

from daybook.domain.kernel.chronicle import checked_text
from daybook.domain.kernel.game_names import is_by_name, name_in_key
from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.kernel.times import later_time
from daybook.domain.league.club import EVENING_HOURS, Club, Evening
from daybook.domain.league.club_events import (
    Answer,
    EveningAnswered,
    EveningCalledOff,
    EveningPlanned,
    EveningTablesSet,
)
from daybook.domain.league.event_checks.common import name_fault, person_fault, time_fault, twice_fault, unchanged_fault
from daybook.domain.league.results import SEATS_LIMIT

COMING_LIMIT = 100  # evenings that are planned ahead
GAMES_LIMIT = 20  # of one evening
CHAIRS_LIMIT = 500
MAX_GAMES_PER_ANSWER = 10  # brought, or wanted
TABLES_LIMIT = 100  # of one evening
MAX_GUESTS_PER_MEMBER = 5  # at one evening
CHANGES_LIMIT = 20  # answers of one user for one person and evening: each is an entry of the record


def plan_fault(club: Club, event: EveningPlanned) -> WhyNot:
    known = club.evenings.get(event.evening)
    if known is None:
        if event.evening != club.next_evening():
            return _no_evening(event.evening)
        coming = [evening for evening in club.evenings.values() if evening.when > event.at and not evening.called_off]
        if len(coming) >= COMING_LIMIT:
            return because("evenings_many", "{n} evenings are planned already", n=len(coming))
    elif wrong := _over_fault(known, event.at):
        return wrong
    if wrong := time_fault(event.when, event.at):
        return wrong
    if event.when < later_time(event.at, days=-1):
        return because("evening_past", "this time is in the past: choose a later one")
    if known and not known.called_off and _as_planned(known) == _as_planned(event):
        return unchanged_fault()
    checked_text(event.remark)
    if wrong := _end_fault(event):
        return wrong
    if not 0 <= event.chairs <= CHAIRS_LIMIT:
        return because("chairs", "an evening has up to {limit} chairs", limit=CHAIRS_LIMIT)
    if len(event.games) > GAMES_LIMIT or len({*event.games}) != len(event.games):
        return because("evening_games", "an evening names up to {limit} games, each once", limit=GAMES_LIMIT)
    named = [name_in_key(key) if is_by_name(key) else key for key in event.games]
    return next(filter(None, map(name_fault, [*([event.place] if event.place else []), *named])), None)


def _as_planned(plan: EveningPlanned | Evening) -> tuple[str, str, tuple[str, ...], int, str, str]:
    return plan.when, plan.place, plan.games, plan.chairs, plan.until, plan.remark


def _end_fault(event: EveningPlanned) -> WhyNot:
    if not event.until:
        return None
    if wrong := time_fault(event.until, event.at):
        return wrong
    if not event.when < event.until <= later_time(event.when, hours=EVENING_HOURS):
        return because(
            "evening_end", "an evening ends after it begins, at most {hours} hours later", hours=EVENING_HOURS
        )
    return None


def calling_off_fault(club: Club, event: EveningCalledOff) -> WhyNot:
    evening = club.evenings.get(event.evening)
    if evening is None:
        return _no_evening(event.evening)
    return unchanged_fault() if evening.called_off else _over_fault(evening, event.at)


def answer_fault(club: Club, event: EveningAnswered) -> WhyNot:
    evening = club.evenings.get(event.evening)
    if evening is None:
        return _no_evening(event.evening)
    if evening.called_off:
        return because("called_off", "the evening was called off")
    if wrong := _over_fault(evening, event.at) or person_fault(event.person):
        return wrong
    if is_current_answer(club, evening, event.person, event.answer, event.games_brought, event.games_wanted):
        return unchanged_fault()
    if wrong := _games_fault(event):
        return wrong
    if _is_new_guest(club, evening, event) and len(club.guests_of(evening, event.by)) >= MAX_GUESTS_PER_MEMBER:
        return because("guests_many", "a member answers for up to {n} guests", n=MAX_GUESTS_PER_MEMBER)
    if (times := _times_answered(club, evening, event)) >= CHANGES_LIMIT:
        return because("answered_often", "this answer was changed {n} times by the same user", n=times)
    return None


def tables_fault(club: Club, event: EveningTablesSet) -> WhyNot:
    evening = club.evenings.get(event.evening)
    if evening is None:
        return _no_evening(event.evening)
    if evening.called_off:
        return because("called_off", "the evening was called off")
    if wrong := _over_fault(evening, event.at):
        return wrong
    if evening.tables == event.tables:
        return unchanged_fault()
    if len(event.tables) > TABLES_LIMIT or not all(0 < len(table.people) <= SEATS_LIMIT for table in event.tables):
        return because(
            "evening_tables",
            "an evening has up to {n} tables of 1 to {seats} people",
            n=TABLES_LIMIT,
            seats=SEATS_LIMIT,
        )
    seated = [person for table in event.tables for person in table.people]
    stranger = next((person for person in seated if not club.knows(person)), None)
    if stranger is not None:
        return person_fault(stranger) or because("not_of_club", "this person is not in the club")
    named = (name_in_key(table.game) if is_by_name(table.game) else table.game for table in event.tables if table.game)
    return twice_fault(club, seated) or next(filter(None, map(name_fault, named)), None)


def is_current_answer(
    club: Club,
    evening: Evening,
    person: str,
    answer: Answer,
    games_brought: tuple[str, ...],
    games_wanted: tuple[str, ...],
) -> bool:
    """Check if a person has given this answer since the evening was moved last, and it takes place."""
    said = club.answers(evening).get(club.person(person))
    return (
        not evening.called_off
        and said is not None
        and (said.answer, said.games_brought, said.games_wanted) == (answer, games_brought, games_wanted)
        and said.step > evening.moved
    )


def _is_new_guest(club: Club, evening: Evening, event: EveningAnswered) -> bool:
    """Check if a member, not an organiser, gives the first answer of another person."""
    is_own = club.person(event.person) == club.person(event.by)
    return not is_own and event.person not in evening.answers and "organiser" not in club.roles(event.by)


def _games_fault(event: EveningAnswered) -> WhyNot:
    for games in (event.games_brought, event.games_wanted):
        if len(games) > MAX_GAMES_PER_ANSWER or len({*games}) < len(games):
            return because(
                "answer_games", "you bring, and wish for, up to {limit} games, each once", limit=MAX_GAMES_PER_ANSWER
            )
    named = (name_in_key(key) if is_by_name(key) else key for key in (*event.games_brought, *event.games_wanted))
    return next(filter(None, map(name_fault, named)), None)


def _times_answered(club: Club, evening: Evening, event: EveningAnswered) -> int:
    """Return how often the writer answered for the person, by any of the person's ids."""
    whole = club.person(event.person)
    return sum(
        times for (by, person_id), times in evening.times.items() if by == event.by and club.person(person_id) == whole
    )


def _no_evening(evening_id: str) -> Reason:
    return because("no_evening", "the club has no evening “{id}”", id=evening_id[:40])


def _over_fault(evening: Evening, at: str) -> WhyNot:
    return because("evening_over", "the evening is over") if at > evening.ends else None
