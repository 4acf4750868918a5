"""The clock: the only module that reads the time."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from daybook.domain.kernel.times import later_time as later_time
from daybook.domain.kernel.times import written_time


def now() -> str:
    """Return the current time as records have it: UTC to the millisecond, "2026-11-20T19:30:00.000Z"."""
    return written_time(datetime.now(UTC))


def seconds_until(at: str) -> int:
    """Return the seconds from now to a written time, rounded up; 0 if it is past."""
    left = (datetime.fromisoformat(at) - datetime.now(UTC)).total_seconds()
    return max(0, math.ceil(left))
