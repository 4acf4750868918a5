"""Days of people and clubs: which day it is in a time zone, and which moments belong to a day there.

Records write moments, in UTC. A day is somebody's: of the person who looks, or of a club. The only place that turns one
into the other.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from daybook.domain.kernel.times import moment_of_play, written_time
from daybook.domain.kernel.times import read_day as read_day
from daybook.domain.league.club import Club
from daybook.services.clock import now

EVENING = time(20)  # when a game ended of which only the day is known
OF_THIS_CLOCK = "local"  # instead of a zone's name, where no zones are known: in a browser, whose clock knows its own


@cache
def zones() -> tuple[str, ...]:
    """The names of all time zones."""
    return tuple(sorted(name for name in available_timezones() if "/" in name or name == "UTC"))


def is_zone(name: str) -> bool:
    return name in zones()


def zone_unsaid() -> str:
    """The zone where nobody says one: UTC on a server, on a device its own."""
    return "UTC" if zones() else OF_THIS_CLOCK


def _clock_of(zone: str) -> tzinfo | None:
    """None: the clock of this machine. UTC needs no list of zones."""
    if zone == OF_THIS_CLOCK:
        return None
    return UTC if zone == "UTC" else ZoneInfo(zone)


def today_of(zone: str) -> str:
    """Which day it is in a time zone: 2026-11-20."""
    return day_of(now(), zone)


def day_of(at: str, zone: str) -> str:
    """The day in a time zone to which a moment belongs; a day that stands as a moment is that day everywhere."""
    if at == moment_of_play(at[:10]):
        return at[:10]
    return local_of(at, zone)[:10]


def time_shown(club: Club, at: str) -> str:
    """Return a time of a club as its viewer may see it: for viewers who may not see its evenings, the day only."""
    return moment_of_play(day_of(at, club.zone)) if club.shows_days_only else at


def first_moment(day: str, zone: str) -> str:
    return written_time(_midnight(date.fromisoformat(day), zone))


def last_moment(day: str, zone: str) -> str:
    """The last millisecond of a day, also of one on which clocks are changed."""
    if day == date.max.isoformat():
        return f"{day}T23:59:59.999Z"
    return written_time(_midnight(date.fromisoformat(day) + timedelta(1), zone) - timedelta(milliseconds=1))


def _midnight(day: date, zone: str) -> datetime:
    if day == date.min:
        return datetime.combine(day, time(0), UTC)
    return datetime.combine(day, time(0), _clock_of(zone)).astimezone(UTC)


def moment_at(local: str, zone: str) -> str:
    """The moment of a local time, 2026-11-20T19:30, in a time zone. Raises ValueError."""
    try:
        return written_time(datetime.fromisoformat(local).replace(tzinfo=_clock_of(zone)).astimezone(UTC))
    except OverflowError as beyond:  # of the calendar, on its first day or its last
        raise ValueError(local) from beyond


def local_of(at: str, zone: str) -> str:
    """The local time of a moment in a time zone, to the second; UTC for what a record says of the first day of all."""
    moment = datetime.fromisoformat(at)
    with suppress(OverflowError):  # no calendar has the day before
        moment = moment.astimezone(_clock_of(zone))
    return moment.isoformat()[:19]


def moment_in(day: str, zone: str) -> str:
    """When a game ended of which only the day is known: now, if that is today, else in the evening."""
    if day == today_of(zone):
        return now()
    return moment_at(f"{day}T{EVENING.isoformat()}", zone)
