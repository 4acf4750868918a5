"""Days: which one it is in a time zone, and which moments belong to it, around midnight and where clocks change."""

from __future__ import annotations

import time

import pytest

from daybook.services import days

SEOUL, ANGELES = "Asia/Seoul", "America/Los_Angeles"


@pytest.mark.parametrize(
    ("at", "zone", "day"),
    [
        ("2026-11-20T14:59:59.999Z", SEOUL, "2026-11-20"),
        ("2026-11-20T15:00:00.000Z", SEOUL, "2026-11-21"),
        ("2026-11-21T07:59:59.999Z", ANGELES, "2026-11-20"),
        ("2026-11-21T08:00:00.000Z", ANGELES, "2026-11-21"),
        ("2026-11-20T23:59:59.999Z", "UTC", "2026-11-20"),
        ("0001-01-01T01:00:00.000Z", ANGELES, "0001-01-01"),  # a record may say so, and no calendar has the day before
        ("9999-12-31T23:00:00.000Z", SEOUL, "9999-12-31"),
    ],
)
def test_a_moment_belongs_to_the_day_of_a_zone(at, zone, day, monkeypatch):
    monkeypatch.setattr(days, "now", lambda: at)
    assert days.day_of(at, zone) == days.today_of(zone) == day
    assert days.first_moment(day, zone) <= at <= days.last_moment(day, zone)


@pytest.mark.parametrize(
    ("day", "zone", "first", "last"),
    [
        ("2026-11-21", SEOUL, "2026-11-20T15:00:00.000Z", "2026-11-21T14:59:59.999Z"),
        ("2026-11-01", ANGELES, "2026-11-01T07:00:00.000Z", "2026-11-02T07:59:59.999Z"),  # 25 hours
        ("2026-03-08", ANGELES, "2026-03-08T08:00:00.000Z", "2026-03-09T06:59:59.999Z"),  # 23
        ("9999-12-31", SEOUL, "9999-12-30T15:00:00.000Z", "9999-12-31T23:59:59.999Z"),
        ("0001-01-01", SEOUL, "0001-01-01T00:00:00.000Z", "0001-01-01T15:32:07.999Z"),  # by the sun
    ],
)
def test_a_day_is_as_long_as_it_is(day, zone, first, last):
    assert (days.first_moment(day, zone), days.last_moment(day, zone)) == (first, last)


@pytest.mark.parametrize("text", ["", "2026-13-01", "20261120", "2026-11-2", "today", "2026-W47-5"])
def test_what_is_no_day(text):
    assert days.read_day(text) is None


def test_zones_are_known_by_their_names():
    assert all(map(days.is_zone, (SEOUL, ANGELES, "UTC")))
    assert not any(map(days.is_zone, ("", "Seoul", "../../etc/passwd", "asia/seoul")))


def test_where_no_zones_are_known_days_are_those_of_the_clock(monkeypatch):
    monkeypatch.setattr(days, "zone_names", tuple)  # as in a browser, which brings no list of them
    monkeypatch.setattr(days, "ZoneInfo", None)
    monkeypatch.setenv("TZ", "XYZ-9")
    time.tzset()
    zone, midnight = days.default_zone(), "2026-11-20T15:00:00.000Z"
    try:
        assert [days.day_of(midnight, value) for value in (zone, "UTC")] == ["2026-11-21", "2026-11-20"]
        assert days.first_moment("2026-11-21", zone) == days.moment_at("2026-11-21T00:00", zone) == midnight
        assert days.local_of(midnight, zone) == "2026-11-21T00:00:00"
    finally:
        monkeypatch.undo()
        time.tzset()
