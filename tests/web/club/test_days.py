"""Today is the viewer's day: in Seoul and Los Angeles, around midnight, in a browser and in the API."""

from __future__ import annotations

from datetime import date

import pytest
from flask import Flask

from daybook.domain.kernel.times import moment_of_play
from daybook.domain.league.club_commands import SetTimeZone
from daybook.services import days, written
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.store.daybook import Daybook
from daybook.web.request.days import ZONE_COOKIE
from daybook.web.words.say import day_label, weekday_label
from tests.played import key
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand

SEOUL, ANGELES = "Asia/Seoul", "America/Los_Angeles"
MORNING = "2026-11-20T23:30:00.000Z"  # 8.30 on the 21st in Seoul
EVENING = "2026-11-21T02:00:00.000Z"  # 18.00 on the 20th in Los Angeles
WHERE = [(SEOUL, MORNING, "2026-11-21"), (ANGELES, EVENING, "2026-11-20"), (SEOUL, EVENING, "2026-11-21")]


@pytest.fixture
def mill(book: Daybook, app: Flask) -> ClubAtHand:
    mill = ClubAtHand(book, app, public=True)
    mill.open_season(rounds=2, table_sizes=(4,))
    mill.draw()
    return mill


def stop_clock(monkeypatch: pytest.MonkeyPatch, at: str) -> None:
    for module in (days, written):
        monkeypatch.setattr(module, "now", lambda: at)


def at_home(mill: ClubAtHand, zone: str) -> Visitor:
    olga = mill.signed_in()
    olga.client.set_cookie(ZONE_COOKIE, zone)
    return olga


@pytest.mark.parametrize(
    ("at", "zone", "day"),
    [
        (MORNING, SEOUL, "2026-11-21"),
        (EVENING, ANGELES, "2026-11-20"),
        (EVENING, "UTC", "2026-11-21"),
        (moment_of_play("2026-11-20"), "Pacific/Kiritimati", "2026-11-20"),
        (moment_of_play("2026-11-20"), "Pacific/Niue", "2026-11-20"),
    ],
)
def test_moment_has_a_day_in_a_zone_and_day_of_play_is_fixed(at, zone, day):
    assert days.day_of(at, zone) == day


@pytest.mark.parametrize(("zone", "at", "day"), WHERE)
def test_game_is_named_by_itself_and_the_day_of_who_opens_it(app, monkeypatch, zone, at, day):
    stop_clock(monkeypatch, at)
    somebody = Visitor(app)
    somebody.client.set_cookie(ZONE_COOKIE, zone)
    with app.test_request_context("/"):
        called = weekday_label(date.fromisoformat(day))
    assert somebody.get("/new", game="making_profit").form("Open").fields["title"] == f"Making Profit · {called}"
    assert somebody.get("/new", game="water_frame").form("Open").fields["title"].endswith(f"Water Frame · {called}")


def test_pages_of_a_club_tell_moments_by_days_of_the_club(mill):
    told = set()
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):  # never the same day
        mill.by_olga(SetTimeZone(zone))
        with mill.app.test_request_context():
            label = day_label(mill.club.founded_at, zone)
        assert f"since {label}" in Visitor(mill.app).get(mill.path).text
        told.add(label)
    assert len(told) == 2


SCORES = {f"score.{seat}": str(40 - seat) for seat in range(4)}


@pytest.mark.parametrize(("zone", "now", "today"), WHERE)
def test_a_result_of_today_is_taken_and_tomorrow_is_not(mill, monkeypatch, zone, now, today):
    stop_clock(monkeypatch, now)
    olga = at_home(mill, zone)
    form = olga.get(mill.at("/tables/1")).form("Save the result")
    assert form.fields["ended"] == today
    tomorrow = f"{today[:8]}{int(today[8:]) + 1}"
    page = olga.send(form, **SCORES, ended=tomorrow)
    assert (page.status, "A game that has not ended has no result" in page.text) == (422, True)
    page = olga.press(mill.at("/tables/1"), "Save the result", **SCORES, ended=today)
    assert "Nothing was saved" not in page.text
    typed = mill.season.tables["1"].typed
    assert typed is not None and days.day_of(typed.day, zone) == today
    again = olga.get(mill.at("/tables/1")).form("Save the result")
    assert again.fields["ended"] == today


@pytest.mark.parametrize("zone", [SEOUL, ANGELES])
def test_a_day_that_is_past_stays_that_day_where_it_was_typed(mill, monkeypatch, zone):
    stop_clock(monkeypatch, MORNING)
    olga = at_home(mill, zone)
    olga.press(mill.at("/tables/1"), "Save the result", **SCORES, ended="2026-11-18")
    typed = mill.season.tables["1"].typed
    assert typed is not None and typed.ended_at == moment_of_play("2026-11-18")
    assert olga.get(mill.at("/tables/1")).form("Save the result").fields["ended"] == "2026-11-18"
    page = olga.press(mill.at("/tables/2"), "Save the result", **SCORES, ended="the 18th")
    assert (page.status, "Enter the day as 2026-11-20" in page.text) == (422, True)


def test_standings_of_a_day_end_in_the_clubs_time_zone(mill, monkeypatch):
    stop_clock(monkeypatch, "2027-03-10T02:00:00.000Z")  # still the 9th in Los Angeles
    mill.type("1", *mill.club.seats(mill.season.tables["1"]))
    visitor = Visitor(mill.app)

    def counted(day: str) -> int:
        page = visitor.client.get(mill.at("/standings.json"), query_string={"date": day})
        return sum(row["games"] for row in page.json["rows"])

    assert (counted("2027-03-10"), counted("2027-03-09")) == (4, 0)
    assert "at the end of 10 Mar 2027 (UTC)" in visitor.get(mill.at(), date="2027-03-10").text
    mill.by_olga(SetTimeZone(ANGELES))
    assert counted("2027-03-09") == 4
    assert "at the end of 9 Mar 2027 (America/Los_Angeles)" in visitor.get(mill.at(), date="2027-03-09").text


def test_club_has_its_founders_zone_until_an_organiser_sets_one(mill):
    olga = at_home(mill, SEOUL)
    olga.press("/clubs/new", "Create the club", name="Han river")
    han = clubs.clubs_of(mill.book, mill.olga)[-1]
    assert (han.name, han.zone, mill.club.zone) == ("Han river", SEOUL, "UTC")
    form = olga.get(f"/clubs/{han.id}/settings").form("Save the settings")
    assert form.fields["zone"] == SEOUL
    page = olga.send(form, zone="Middle/Earth")
    assert (page.status, "“Middle/Earth” is not a time zone" in page.text) == (422, True)
    olga.send(form, zone=ANGELES)
    assert mill.book.clubs.get(han.id).zone == ANGELES


def test_api_uses_days_of_the_clubs_zone_and_no_cookie(mill, monkeypatch):
    mill.by_olga(SetTimeZone(SEOUL))
    stop_clock(monkeypatch, MORNING)
    program = mill.app.test_client()
    program.set_cookie(ZONE_COOKIE, ANGELES)
    headers = {"Authorization": f"Bearer {accounts.make_key(mill.book, mill.olga, 'a script')}"}

    def send(table: str, ended: str) -> int:
        seats = mill.club.seats(mill.season.tables[table])
        return program.post(
            f"/api/v1{mill.at('/results')}",
            json={
                "ruleset": "making_profit",
                "table": table,
                "ended_on": ended,
                "placed": [{"person": person, "seat": seat, "place": seat + 1} for seat, person in enumerate(seats)],
            },
            headers=headers | {"Idempotency-Key": key()},
        ).status_code

    assert send("1", "2026-11-22") == 422, "tomorrow in every zone"
    assert [send("1", "2026-11-21"), send("2", "2026-11-19")] == [201, 201]
    days_typed = [table.typed.day for table in mill.season.tables.values() if table.typed]
    assert days_typed == [moment_of_play("2026-11-21"), moment_of_play("2026-11-19")]
    assert program.get(f"/api/v1{mill.path}", headers=headers).json["zone"] == SEOUL


@pytest.mark.parametrize(
    ("zone", "now", "today"), [WHERE[0], *(pytest.param(*where, marks=pytest.mark.drill) for where in WHERE[1:])]
)
def test_the_first_page_a_browser_opens_has_its_own_today(mill, browser, site, monkeypatch, zone, now, today):
    stop_clock(monkeypatch, now)
    context = browser.new_context(timezone_id=zone)
    page = context.new_page()
    page.clock.set_fixed_time(now)
    page.goto(f"{site}/sign-in")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Olga").wait_for()
    context.clear_cookies(name=ZONE_COOKIE)
    page.goto(f"{site}{mill.at('/tables/1')}")
    field = page.locator("#ended")
    assert (field.input_value(), field.get_attribute("max")) == (today, today)
    assert {cookie["name"]: cookie["value"] for cookie in context.cookies()}[ZONE_COOKIE] == zone
    page.get_by_text("Type in a result").click()
    for seat in range(4):
        page.locator(f"[name='score.{seat}']").fill(str(30 - seat))
    page.get_by_role("button", name="Save the result").click()
    page.get_by_text("This result has no record").wait_for()
    typed = mill.season.tables["1"].typed
    assert typed is not None and days.day_of(typed.day, zone) == today
    context.close()
