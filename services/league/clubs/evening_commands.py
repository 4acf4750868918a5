"""Evenings of a club: what the commands about them write."""

from __future__ import annotations

from daybook.domain.league import club_commands as commands
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_events import EveningAnswered, EveningPlanned
from daybook.domain.league.club_writing import ClubDraft, produce
from daybook.domain.league.event_checks.evening_checks import is_current_answer
from daybook.services.league.clubs.leagues import require_known
from daybook.services.league.clubs.member_commands import admit_guests
from daybook.services.store.daybook import Daybook


def plan_evening(book: Daybook, draft: ClubDraft, command: commands.PlanEvening) -> None:
    """Plan or change an evening. Raises UnknownRulesetError."""
    require_known(command.games)
    produce(draft, command)


def answer_evening(book: Daybook, draft: ClubDraft, command: commands.AnswerEvening) -> None:
    """Answer for a person. To repeat the current answer writes nothing."""
    person = draft.club.person(command.person or draft.by)
    evening = draft.club.evenings.get(command.evening)
    if evening is not None and is_current_answer(draft.club, evening, person, command.answer):
        return
    admit_guests(book, draft, [person], command.guests)
    draft.add(EveningAnswered, evening=command.evening, person=person, answer=command.answer)


def evening_at(club: Club, step: int) -> Evening:
    """Return the evening that was planned at a step."""
    event = club.entries[step].event
    assert isinstance(event, EveningPlanned)
    return club.evenings[event.evening]
