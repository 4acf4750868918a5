"""Times as records write them: UTC, to the millisecond, "2026-11-20T19:30:00.000Z"; days as people tell them."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from daybook.domain.kernel.terms import WhyNot, refuse_unless

FIRST_DAY = "1900-01-01"  # on which a game can have been played


def written_time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later_time(at: str, **by: float) -> str:
    """Return a time shifted by a timedelta: `later_time(at, hours=2)`; negative values go back."""
    return written_time(datetime.fromisoformat(at) + timedelta(**by))


def read_day(text: str) -> str | None:
    """Return a day of the calendar, 2026-11-20, or None if it is invalid."""
    try:
        return text if date.fromisoformat(text).isoformat() == text else None
    except ValueError:
        return None


def day_of_play_fault(day: str, at: str) -> WhyNot:
    """Return why a game cannot have been played on a day, or None.

    Tomorrow is possible: it has begun in some time zone. at: the time of the entry.
    """
    return (
        refuse_unless(read_day(day) is not None, "day", "{day} is not a day such as 2026-11-20", day=repr(day[:40]))
        or refuse_unless(day >= FIRST_DAY, "day_too_early", "{day} is before {first}", day=day, first=FIRST_DAY)
        or refuse_unless(
            date.fromisoformat(day) - timedelta(1) <= date.fromisoformat(at[:10]),
            "day_to_come",
            "{day} is still to come",
            day=day,
        )
    )


def is_to_come(played: str, at: str) -> bool:
    """Check if a time of play is later than another time. A day alone may have begun in some time zone already."""
    if not is_day_alone(played):
        return played > at
    return played[:10] > (date.fromisoformat(at[:10]) + timedelta(1)).isoformat()


def moment_of_play(day: str) -> str:
    """Return a time within a day of play, to sort and count games without a known time.

    The hour belongs to this day from Honolulu to Auckland.
    """
    return f"{day}T10:00:00.000Z"


def is_day_alone(at: str) -> bool:
    """Check if a moment stands for a day of play without a known time."""
    return at == moment_of_play(at[:10])
