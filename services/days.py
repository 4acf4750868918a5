"""Days in time zones: which day it is, and which moments belong to a day.

Records have moments in UTC. Days depend on the viewer or club. Only this module converts between them.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

from daybook.domain.kernel.times import is_day_alone, moment_of_play, written_time
from daybook.domain.kernel.times import read_day as read_day
from daybook.domain.league.club import Club
from daybook.services.clock import now

LOCAL_ZONE = "local"  # instead of a zone's name without zone data: a browser's own clock


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of all time zones."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def is_zone(name: str) -> bool:
    return name in zone_names()


def default_zone() -> str:
    """Return the zone to use if none is given: UTC on a server, the local one on a device."""
    return "UTC" if zone_names() else LOCAL_ZONE


def _tzinfo_of(zone: str) -> tzinfo | None:
    """Return a zone's tzinfo; None for this machine's clock. UTC needs no zone database."""
    if zone == LOCAL_ZONE:
        return None
    return UTC if zone == "UTC" else ZoneInfo(zone)


def today_of(zone: str) -> str:
    """Return today's date in a time zone: 2026-11-20."""
    return day_of(now(), zone)


def day_of(at: str, zone: str) -> str:
    """Return the day of a moment in a time zone; a date stored as a moment is that day everywhere."""
    if is_day_alone(at):
        return at[:10]
    return local_of(at, zone)[:10]


def time_shown(club: Club, at: str) -> str:
    """Return a time of a club as shown to its viewer: without access to the evenings, the day only."""
    return moment_of_play(day_of(at, club.zone)) if club.shows_days_only else at


def first_moment(day: str, zone: str) -> str:
    return written_time(_midnight_of(date.fromisoformat(day), zone))


def last_moment(day: str, zone: str) -> str:
    """Return the last millisecond of a day, also when clocks change."""
    if day == date.max.isoformat():
        return f"{day}T23:59:59.999Z"
    return written_time(_midnight_of(date.fromisoformat(day) + timedelta(1), zone) - timedelta(milliseconds=1))


def _midnight_of(day: date, zone: str) -> datetime:
    if day == date.min:
        return datetime.combine(day, time(0), UTC)
    return datetime.combine(day, time(0), _tzinfo_of(zone)).astimezone(UTC)


def moment_at(local: str, zone: str) -> str:
    """Return the UTC moment of a local time (2026-11-20T19:30). Raises ValueError."""
    try:
        return written_time(datetime.fromisoformat(local).replace(tzinfo=_tzinfo_of(zone)).astimezone(UTC))
    except OverflowError as beyond:  # on the first or last day of the calendar
        raise ValueError(local) from beyond


@lru_cache(8_192)
def moment_in_order(at: str, zone: str = "UTC", hour: str = "") -> str:
    """Return the moment by which a play is in order among others. It is shown nowhere.

    On its day a play without a known time comes after all that have one. Equal moments are in the order of entry.

    Args:
        at: when it was played or ended, or its day alone.
        hour: by the clock at the table, if that is known.
    """
    if hour:
        with suppress(ValueError):  # on the first and last day of the calendar
            return moment_at(f"{day_of(at, zone)}T{hour}", zone)
    return last_moment(at[:10], zone) if is_day_alone(at) else at


OFFSET_YEARS = range(2000, 2041)  # in which games are recorded


@cache
def offset_changes(zone: str) -> tuple[tuple[str, int], ...]:
    """Return the moments at which a zone's clocks change, with the minutes by which they are ahead of UTC from then on.

    The first moment is empty.
    """
    tz = _tzinfo_of(zone)

    def offset(at: datetime) -> int:
        return int((at.astimezone(tz).utcoffset() or timedelta()).total_seconds()) // 60

    at, end = datetime(OFFSET_YEARS[0], 1, 1, tzinfo=UTC), datetime(OFFSET_YEARS[-1], 12, 31, tzinfo=UTC)
    changes = [("", offset(at))]
    while at < end:
        after = at + timedelta(weeks=1)
        if offset(after) != changes[-1][1]:
            low, high = at, after
            while high - low > timedelta(minutes=1):
                middle = low + timedelta(minutes=(high - low) // timedelta(minutes=2))
                low, high = (middle, high) if offset(middle) == changes[-1][1] else (low, middle)
            changes.append((written_time(high), offset(after)))
        at = after
    return tuple(changes)


def local_of(at: str, zone: str) -> str:
    """Return the local time of a moment, to the second; UTC at the limits of the calendar."""
    moment = datetime.fromisoformat(at)
    with suppress(OverflowError):  # before the first day of the calendar
        moment = moment.astimezone(_tzinfo_of(zone))
    return moment.isoformat()[:19]
