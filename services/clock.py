"""The only place that asks for the time."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from daybook.domain.kernel.times import later_time as later_time
from daybook.domain.kernel.times import written_time


def now() -> str:
    """The time as records write it: UTC, to the millisecond, "2026-11-20T19:30:00.000Z"."""
    return written_time(datetime.now(UTC))


def seconds_until(at: str) -> int:
    """From now to a written time, rounded up; 0 once it has come."""
    left = (datetime.fromisoformat(at) - datetime.now(UTC)).total_seconds()
    return max(0, math.ceil(left))
