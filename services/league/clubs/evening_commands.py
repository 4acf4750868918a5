"""Write the events of commands about evenings."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from daybook.domain.kernel.game_names import name_in_key
from daybook.domain.league import club_commands as commands
from daybook.domain.league.club import Club, Evening
from daybook.domain.league.club_events import EveningAnswered, EveningPlanned
from daybook.domain.league.club_writing import ClubDraft, plan_evening, produce
from daybook.domain.league.event_checks.common import time_fault
from daybook.domain.league.event_checks.evening_checks import is_current_answer
from daybook.services import days
from daybook.services.clock import later_time
from daybook.services.league.clubs.club_games import game_named
from daybook.services.league.clubs.leagues import require_known
from daybook.services.league.clubs.member_commands import admit_guests
from daybook.services.store.daybook import Daybook


def write_plan(book: Daybook, draft: ClubDraft, command: commands.PlanEvening) -> None:
    """Plan an evening or a series of them, or change one. Raises UnknownRulesetError."""
    require_known(command.games)
    if command.evening or not command.repeat or time_fault(command.when, draft.at):
        produce(draft, command)
        return
    series = draft.club.next_evening()
    for when in list_series_times(command.when, command.repeat, command.repeat_count, draft.club.zone):
        plan_evening(draft, command, when, _shift_end(command.until, command.when, when), series=series)


def set_tables(book: Daybook, draft: ClubDraft, command: commands.SetEveningTables) -> None:
    """Set the tables of an evening. Raises UnknownRulesetError."""
    require_known([table.game for table in command.tables if table.game])
    produce(draft, command)


def list_series_times(when: str, repeat: str, repeat_count: int, zone: str) -> list[str]:
    """Return the times of a series: the same hour by the club's clock, every week or on the same weekday of the month.

    For a fifth weekday, months with only four take the last one.
    """
    local = datetime.fromisoformat(days.local_of(when, zone))
    first = local.date()
    if repeat == "weekly":
        dates = [first + timedelta(weeks=number) for number in range(repeat_count)]
    else:
        dates = [_same_weekday(first, number) for number in range(repeat_count)]
    return [when, *(days.moment_at(f"{day}T{local:%H:%M}", zone) for day in dates[1:])]


def _same_weekday(first: date, months: int) -> date:
    """Return the same weekday of a later month: the second Friday, or the last one if there is no fifth."""
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    begins, length = date(year, month + 1, 1), monthrange(year, month + 1)[1]
    day = 1 + (first.weekday() - begins.weekday()) % 7 + (first.day - 1) // 7 * 7
    return date(year, month + 1, day if day <= length else day - 7)


def _shift_end(until: str, when: str, other: str) -> str:
    """Return the end of another evening of a series, with the same length."""
    if time_fault(until, when) is not None:
        return until
    lasts = datetime.fromisoformat(until) - datetime.fromisoformat(when)
    return later_time(other, seconds=lasts.total_seconds())


def answer_evening(book: Daybook, draft: ClubDraft, command: commands.AnswerEvening) -> None:
    """Answer for a person. Write nothing if the answer is current already. Raises UnknownRulesetError."""
    person = draft.club.person(command.person or draft.by)
    evening = draft.club.evenings.get(command.evening)
    current = draft.club.answers(evening).get(person) if evening is not None else None
    games_brought = _games_named(
        draft.club, command.games_brought, current.games_brought if current is not None else ()
    )
    games_wanted = _games_named(draft.club, command.games_wanted, current.games_wanted if current is not None else ())
    require_known([*games_brought, *games_wanted])
    if evening is not None and is_current_answer(
        draft.club, evening, person, command.answer, games_brought, games_wanted
    ):
        return
    admit_guests(book, draft, [person], command.guests)
    draft.add(
        EveningAnswered,
        evening=command.evening,
        person=person,
        answer=command.answer,
        games_brought=games_brought,
        games_wanted=games_wanted,
    )


def _games_named(club: Club, games: Sequence[str] | None, before: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids of the games that a person named, or the earlier ids if none are given."""
    if games is None:
        return before
    named = [game_named(club, name_in_key(game) or game) for game in games]
    return tuple({game.casefold(): game for game in reversed(named)}.values())[::-1]


def evening_at(club: Club, step: int) -> Evening:
    """Return the evening that was planned at a step."""
    event = club.entries[step].event
    assert isinstance(event, EveningPlanned)
    return club.evenings[event.evening]
