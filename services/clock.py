"""The only place that asks for the time."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta


def now() -> str:
    """The time as records write it: UTC, to the millisecond, "2026-11-20T19:30:00.000Z"."""
    return _written(datetime.now(UTC))


def later(at: str, **by: float) -> str:
    """A written time so much later: `later(at, hours=2)`, or earlier for less than nothing."""
    return _written(datetime.fromisoformat(at) + timedelta(**by))


def seconds_until(at: str) -> int:
    """From now to a written time, rounded up; 0 once it has come."""
    left = (datetime.fromisoformat(at) - datetime.now(UTC)).total_seconds()
    return max(0, math.ceil(left))


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
