"""Check if an evening may be planned, moved, called off or answered."""

from __future__ import annotations

from daybook.domain.kernel.game_names import is_by_name, name_in_key
from daybook.domain.kernel.terms import Reason, WhyNot, because
from daybook.domain.kernel.times import later_time
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_events import EveningAnswered, EveningCalledOff, EveningPlanned
from daybook.domain.league.event_checks.common import name_fault, person_fault, time_fault, unchanged_fault

COMING_LIMIT = 100  # evenings that are planned ahead
GAMES_LIMIT = 20  # of one evening
CHANGES_LIMIT = 20  # answers per person and evening: each is an entry of the record


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
        return because("evening_past", "{when} is in the past", when=event.when)
    if known and not known.called_off and (known.when, known.place, known.games) == _as_planned(event):
        return unchanged_fault()
    if len(event.games) > GAMES_LIMIT or len({*event.games}) != len(event.games):
        return because("evening_games", "an evening names up to {limit} games, each once", limit=GAMES_LIMIT)
    named = [name_in_key(key) if is_by_name(key) else key for key in event.games]
    return next(filter(None, map(name_fault, [*([event.place] if event.place else []), *named])), None)


def _as_planned(event: EveningPlanned) -> tuple[str, str, tuple[str, ...]]:
    return event.when, event.place, event.games


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
    said = club.answers(evening).get(club.person(event.person))
    if said is not None and said.answer == event.answer and said.step > evening.moved:
        return unchanged_fault()
    if (times := _times_answered(club, evening, event.person)) >= CHANGES_LIMIT:
        return because("answered_often", "{person} has answered {n} times", person=event.person, n=times)
    return None


def _times_answered(club: Club, evening: Evening, person: str) -> int:
    """Return how often a person answered, by any of their ids."""
    whole = club.person(person)
    return sum(times for person_id, times in evening.times.items() if club.person(person_id) == whole)


def _no_evening(evening_id: str) -> Reason:
    return because("no_evening", "the club has no evening “{id}”", id=evening_id[:40])


def _over_fault(evening: Evening, at: str) -> WhyNot:
    return because("evening_over", "the evening is over") if at > evening.ends else None
