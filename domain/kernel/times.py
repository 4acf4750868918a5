"""Times as records write them: UTC, to the millisecond, "2026-11-20T19:30:00.000Z"."""

from __future__ import annotations

from datetime import datetime, timedelta


def written_time(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def later_time(at: str, **by: float) -> str:
    """A written time so much later: `later_time(at, hours=2)`, or earlier for less than nothing."""
    return written_time(datetime.fromisoformat(at) + timedelta(**by))
