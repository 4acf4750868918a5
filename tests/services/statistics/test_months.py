"""Months and days of a time zone, in statistics."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from daybook.services.statistics.figure_questions import Filter, between_days, month_in

MOMENTS = (
    "1999-12-30T09:59:59.999Z",
    "2026-01-31T14:59:59.999Z",
    "2026-01-31T15:00:00.000Z",
    "2026-03-31T18:29:59.999Z",
    "2026-03-31T18:30:00.000Z",
    "2026-11-01T03:59:59.999Z",
    "2026-11-01T04:00:00.000Z",
    "2027-12-31T15:30:00.000Z",
    "2041-06-30T20:00:00.000Z",
)


@pytest.mark.sqlite_suffices
@pytest.mark.both_databases
@pytest.mark.parametrize("zone", ["Asia/Seoul", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati"])
def test_a_month_is_that_of_the_time_zone(book, zone):
    with book.views.connect() as connection:
        for at in MOMENTS:
            found = connection.scalar(sa.text(f"SELECT {month_in(zone)} FROM (SELECT '{at}' AS at) s"))
            moment = datetime.fromisoformat(at)
            local = moment if moment.year < 2000 or moment.year > 2040 else moment.astimezone(ZoneInfo(zone))
            assert found == f"{local:%Y-%m}", at


@pytest.mark.parametrize(
    ("zone", "since", "until"),
    [("UTC", "2026-11-20", "2026-11-20T24"), ("Asia/Seoul", "2026-11-19T15:00:00.000Z", "2026-11-20T14:59:59.999Z~")],
)
def test_a_day_is_that_of_the_time_zone(zone, since, until):
    of = between_days(Filter(zone=zone), "2026-11-20", "2026-11-20")
    assert (of.since, of.until) == (since, until)
