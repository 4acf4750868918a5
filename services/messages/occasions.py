"""The occasions on which a club sends a message, and the entries that cause them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal, get_args

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league import club_events
from daybook.domain.league.club import Club, Evening, as_of_step
from daybook.domain.league.club_events import AnyEvent
from daybook.services.clock import later_time
from daybook.services.days import local_of, moment_at

Method = Literal["webhook", "mail", "push"]
PersonalMethod = Literal["mail", "push"]

ClubOccasion = Literal[
    "evening_planned",
    "evening_changed",
    "evening_in_a_week",
    "evening_tomorrow",
    "evening_called_off",
    "place_free",
    "tables_drawn",
    "evening_review",
    "season_opened",
    "round_drawn",
    "round_ends",
    "table_postponed",
    "substitute_named",
    "season_closed",
    "result",
    "year_in_review",
]
PrivateOccasion = Literal["result_to_confirm", "claim", "claim_ruled", "webhook_off"]  # never for a chat or a feed
AccountOccasion = Literal["confirm_address", "sign_in_link", "invitation"]
Occasion = Literal[ClubOccasion, PrivateOccasion, AccountOccasion, "test"]
CHOSEN_BY_CLUBS: tuple[ClubOccasion, ...] = get_args(ClubOccasion)
CHOSEN_BY_PEOPLE: tuple[Occasion, ...] = (*CHOSEN_BY_CLUBS, *get_args(PrivateOccasion))
ACCOUNT_OCCASIONS: tuple[Occasion, ...] = get_args(AccountOccasion)

OLDEST_ENTRY_HOURS = 6  # nothing is sent for older entries
OLDEST_DAY_HOURS = 48  # nothing is sent for what happened earlier
REMINDER_HOURS: dict[Occasion, int] = {"evening_in_a_week": 7 * 24, "evening_tomorrow": 24}
ROUND_REMINDER_DAYS = 2
ROUND_REMINDER_TIME = "10:00"  # in the club's time zone
YEAR_REVIEW_OPENS = "01-02T12:00"  # in the club's time zone, after the plays of New Year's Eve are logged
YEAR_REVIEW_ENDS = "01-07T12:00"  # a message that was not noted by then is never sent
TABLES_DELAY_SECONDS = 60  # tables that are changed by hand until then make one message
RESULT_DELAY_SECONDS = 30  # the rows of results follow the log a moment behind


class Notice(Frozen):
    """An occasion of an entry.

    subject: what it is about: an evening, a season, a season and a table, a season, a round and its last day, a game and
    its claim, or a year.
    """

    occasion: Occasion
    subject: str
    due: str
    chat_delay_seconds: int = 0  # by which the club's chat has it later than the players


def notices_of_entry(club: Club, step: int, event: AnyEvent, at: str) -> Iterator[Notice]:
    """Yield the notices that a club's entry causes. at: now."""
    if (
        event.at < later_time(at, hours=-OLDEST_ENTRY_HOURS)
        or club.removed
        or club.is_own_log
        or club.settings.simulated
    ):
        return
    match event:
        case club_events.EveningPlanned():
            yield from _notices_of_evening(club, step, event, at)
        case club_events.EveningCalledOff():
            evening = club.evenings[event.evening]
            if evening.when > at and not _is_called_off_with(club, step, evening):
                yield Notice("evening_called_off", event.evening, at)
        case club_events.EveningAnswered():
            yield from _moved_up(club, step, event, at)
        case club_events.EveningTablesSet():
            if event.tables and club.evenings[event.evening].ends > at:
                yield Notice("tables_drawn", event.evening, later_time(at, seconds=TABLES_DELAY_SECONDS))
        case club_events.TablePostponed():
            yield Notice("table_postponed", f"{event.season} {event.table}", at)
        case club_events.SubstituteSeated():
            yield Notice("substitute_named", f"{event.season} {event.table} {event.person}", at)
        case club_events.SeasonOpened():
            yield Notice("season_opened", event.season, at)
        case club_events.ScheduleDrawn():
            yield Notice("round_drawn", f"{event.season} {step}", at)
        case club_events.RoundDeadlineSet():
            yield from round_reminders(club, event, at)
        case club_events.SeasonClosed():
            yield Notice("season_closed", event.season, at)
        case club_events.ResultTyped() if _is_recent(event.day, at) and not event.unapproved:
            yield Notice("result", f"{event.season} {event.table}", at)
        case club_events.ResultTyped() if event.unapproved and event.season and _is_recent(event.day, at):
            yield Notice("result_to_confirm", f"{event.season} {event.table}", at)
        case club_events.ResultAccepted() if not event.game and _is_recent(_day_of_table(club, event), at):
            yield Notice("result", f"{event.season} {event.table}", at)
        case club_events.GameEntered():
            delay_seconds = club.spectator_delay(event.season)
            due = later_time(at, seconds=RESULT_DELAY_SECONDS)
            yield Notice("result", f"{event.season} {event.table}", due, delay_seconds)


def _notices_of_evening(club: Club, step: int, event: club_events.EveningPlanned, at: str) -> Iterator[Notice]:
    if event.when < at:
        return
    is_new = club.evenings[event.evening].steps[0] == step
    if not (is_new and event.series and event.series != event.evening):  # one message for a series
        yield Notice("evening_planned" if is_new else "evening_changed", event.evening, at)
    yield from reminders_of(event.evening, event.when, at)


def _is_called_off_with(club: Club, step: int, evening: Evening) -> bool:
    """Check if the previous entry called off an earlier evening of the same series. Then one message is enough."""
    before = club.entries[step - 1].event
    return (
        bool(evening.series)
        and isinstance(before, club_events.EveningCalledOff)
        and club.evenings[before.evening].series == evening.series
    )


def _moved_up(club: Club, step: int, event: club_events.EveningAnswered, at: str) -> Iterator[Notice]:
    """Yield a notice for each person with a chair that another one gave up."""
    evening = club.evenings[event.evening]
    if evening.chairs and event.answer != "yes" and evening.when > at:
        before = as_of_step(club, step - 1)
        waited = {*before.waiting(before.evenings[event.evening])}
        for person in club.coming(evening):
            if person in waited:
                yield Notice("place_free", f"{event.evening} {person}", at)


def reminders_of(evening: str, when: str, at: str) -> Iterator[Notice]:
    """Yield the reminders of an evening that are still to come."""
    for occasion, hours in REMINDER_HOURS.items():
        due = later_time(when, hours=-hours)
        if due > at:
            yield Notice(occasion, evening, due)


def round_reminders(club: Club, event: club_events.RoundDeadlineSet, at: str) -> Iterator[Notice]:
    """Yield the reminder of a round's last day if it is still to come."""
    if event.until:
        day = date.fromisoformat(event.until) - timedelta(ROUND_REMINDER_DAYS)
        due = moment_at(f"{day}T{ROUND_REMINDER_TIME}", club.zone)
        if due > at:
            yield Notice("round_ends", f"{event.season} {event.round} {event.until}", due)


def year_to_review(club: Club, at: str) -> str:
    """Return the year to review at a time: the last year in the first days of January, empty at other times."""
    local = local_of(at, club.zone)
    if (
        club.removed
        or club.is_own_log
        or club.settings.simulated
        or not YEAR_REVIEW_OPENS <= local[5:16] < YEAR_REVIEW_ENDS
    ):
        return ""
    return f"{int(local[:4]) - 1:04}"


def _day_of_table(club: Club, event: club_events.ResultAccepted) -> str:
    """Return when the typed play of a table ended; empty if there is none now."""
    table = club.season(event.season).tables.get(event.table)
    return table.typed.day if table is not None and table.typed is not None else ""


def _is_recent(day: str, at: str) -> bool:
    """Check if a day, or a moment, is not too long ago for a message."""
    return day[:10] >= later_time(at, hours=-OLDEST_DAY_HOURS)[:10]
