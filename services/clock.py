"""The only place that asks for the time."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The time as records write it: UTC, to the millisecond, "2026-11-20T19:30:00.000Z"."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
