"""Times as records write them: UTC, to the millisecond, "2026-11-20T19:30:00.000Z"; days as people tell them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from daybook.domain.kernel.terms import WhyNot, because

FIRST_DAY = "1900-01-01"  # on which a game can have been played


def written_time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later_time(at: str, **by: float) -> str:
    """A written time so much later: `later_time(at, hours=2)`, or earlier for less than nothing."""
    return written_time(datetime.fromisoformat(at) + timedelta(**by))


def read_day(text: str) -> str | None:
    """A day of the calendar, 2026-11-20; None for what is none."""
    try:
        return text if date.fromisoformat(text).isoformat() == text else None
    except ValueError:
        return None


def day_of_play_fault(day: str, at: str) -> WhyNot:
    """Why a game cannot have been played on a day of which that is said at a time, if anything.

    Tomorrow is possible: somewhere it has begun.
    """
    if read_day(day) is None:
        return because("day", "{day} is not a day such as 2026-11-20", day=repr(day[:40]))
    if day < FIRST_DAY:
        return because("day_too_early", "{day} is before {first}", day=day, first=FIRST_DAY)
    if date.fromisoformat(day) - timedelta(1) > date.fromisoformat(at[:10]):
        return because("day_to_come", "{day} is still to come", day=day)
    return None


def moment_of_play(day: str) -> str:
    """When a game was played of which only the day is known, for what is sorted or added up by time: an hour that
    belongs to this day from Honolulu to Auckland."""
    return f"{day}T10:00:00.000Z"
