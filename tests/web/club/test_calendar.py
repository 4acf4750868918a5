"""Secret addresses of calendars: made, read by a program that cannot sign in, revoked, and opening nothing else."""

from __future__ import annotations

import logging

import msgspec
import pytest
import sqlalchemy as sa
from icalendar import Calendar

from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.league.club_commands import (
    CallOffEvening,
    ChangeClubSettings,
    EndMembership,
    PlanEvening,
    PlanTable,
    RenameClub,
    SetRoundDeadline,
)
from daybook.domain.league.club_events import TablePlanned
from daybook.services.clock import later_time, now
from daybook.services.league import calendars, clubs
from daybook.services.people import accounts, anonymise
from daybook.services.people.accounts import InvalidAccountError
from daybook.services.store.kept import kept_calendar
from daybook.web.club import calendar
from tests.played import key
from tests.services.leagues import join
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand


@pytest.fixture
def mill(book, app) -> ClubAtHand:
    """A private club with a season of which a table is planned; Mia is a member."""
    club = ClubAtHand(book, app)
    club.mia = club.member("Mia")
    club.open_season(rounds=1, table_sizes=(4,))
    club.draw()
    clubs.write(
        book, club.id, PlanTable(club.season.id, "1", "2026-12-01T19:30:00.000Z", "Olga’s"), by=club.olga, key=key()
    )
    return club


def make_address(visitor: Visitor) -> str:
    """A new secret address, as the page shows it; without the host."""
    page = visitor.get("/me")
    form = next(form for form in page.forms if form.action == "/me/calendar")
    shown = visitor.send(form)
    assert shown.status == 201
    address = shown.html.split('value="http')[1].split('"')[0]
    return address[address.index("/calendar.ics") :]


def summaries(visitor: Visitor, address: str) -> list[str]:
    answer = visitor.client.get(address)
    assert answer.status_code == 200 and answer.mimetype == "text/calendar"
    assert answer.headers["Cache-Control"] == "private, no-store"
    return [str(event["summary"]) for event in Calendar.from_ical(answer.data).walk("VEVENT")]


def test_secret_calendar_address_lists_tables_without_sign_in(mill):
    program, mia = Visitor(mill.app), mill.signed_in("mia")
    assert program.client.get(f"{mill.path}/calendar.ics").status_code == 403
    address = make_address(mia)
    assert summaries(program, address) == ["The Mill: Autumn: Round 1, table 1"]
    page = mia.get("/me")
    assert "last used" in page.text.split("The secret address")[1]
    assert address.split("key=")[1] not in page.html, "it is shown once"


def test_it_opens_nothing_else(mill):
    program, secret = Visitor(mill.app), make_address(mill.signed_in("mia")).split("key=")[1]
    for path in ("", "/calendar.ics", "/people", "/ratings", f"/seasons/{mill.season.id}/calendar.ics"):
        assert program.client.get(f"{mill.path}{path}?key={secret}").status_code == 403, path
    bearer = {"Authorization": f"Bearer {secret}"}
    assert program.client.get(f"/api/v1/clubs/{mill.id}", headers=bearer).status_code == 401
    assert program.client.get(f"{mill.path}/calendar.ics", headers=bearer).status_code == 403
    assert program.client.post(f"/calendar.ics?key={secret}").status_code in (400, 403, 405)


def test_new_calendar_address_replaces_old_and_revoked_is_closed(mill):
    program, mia = Visitor(mill.app), mill.signed_in("mia")
    first, second = make_address(mia), make_address(mia)
    assert program.client.get(first).status_code == 404 and summaries(program, second)
    page = mia.send(next(form for form in mia.get("/me").forms if form.action == "/me/calendar/revoke"))
    assert "The address no longer works" in page.text
    assert program.client.get(second).status_code == 404
    for wrong in ("", "?key=", "?key=dbc_", f"?key={'x' * 300}"):
        assert program.client.get(f"/calendar.ics{wrong}").status_code == 404
    assert [change.what for change in accounts.changes_of(mill.book, [mill.mia])][:3] == [
        "calendar_revoked",
        "calendar_made",
        "calendar_made",
    ]


def test_calendar_drops_a_left_club_and_an_erased_person(mill):
    program, address = Visitor(mill.app), make_address(mill.signed_in("mia"))
    mill.by_olga(EndMembership(mill.mia))
    assert summaries(program, address) == []
    join(mill.book, mill.id, mill.mia, by=mill.olga)
    assert summaries(program, address)
    anonymise.anonymise(mill.book, [mill.mia], by="")
    assert program.client.get(address).status_code == 404
    assert calendars.address_of(mill.book, mill.mia) is None


def test_only_a_digest_is_kept_and_no_log_has_the_key(mill, caplog):
    caplog.set_level(logging.DEBUG)
    address = make_address(mill.signed_in("mia"))
    secret = address.split("key=")[1]
    assert summaries(Visitor(mill.app), address)
    with mill.book.kept.engine.connect() as c:
        (row,) = c.execute(sa.select(kept_calendar)).all()
    assert secret not in str(row) and row.person == mill.mia
    assert secret not in caplog.text
    with pytest.raises(InvalidAccountError):
        calendars.make_key(mill.book, "nobody", by="operator")


def test_the_schedule_of_a_private_club_leads_to_it(mill):
    page = mill.signed_in("mia").get(mill.at("/tables"))
    assert page.link("Subscribe to it") == "/me#calendar"


def test_plans_beyond_ten_years_are_refused_and_old_ones_kept(mill):
    """It would be later than calendars go: one table would close the calendar of every member."""
    at = {"season": mill.season.id, "table": "1", "place": ""}
    for when in ("9999-12-31T22:00:00.000Z", later_time(now(), days=3660)):
        with pytest.raises(Refused, match="is more than ten years ahead"):
            mill.by_olga(PlanTable(mill.season.id, "1", when))
    mill.by_olga(PlanTable(mill.season.id, "1", later_time(now(), days=3600)))
    address = make_address(mill.signed_in("mia"))
    assert summaries(Visitor(mill.app), address) == ["The Mill: Autumn: Round 1, table 1"]
    club = mill.club
    mill.book.clubs.append(
        [
            club.write(
                TablePlanned(when="9999-12-31T22:00:00.000Z", **at, **club.next(Written(now(), mill.olga, "of-before")))
            )
        ]
    )
    assert summaries(Visitor(mill.app), address) == []
    mia = mill.signed_in("mia")
    for path in (
        mill.path,
        f"{mill.path}/calendar.ics",
        f"{mill.path}/seasons/{mill.season.id}/calendar.ics",
        f"{mill.path}/seasons/{mill.season.id}/tables/1",
    ):
        assert mia.client.get(path).status_code == 200, path


def test_a_calendar_has_the_newest_of_many_evenings_and_tables(mill, monkeypatch):
    """A program requests all of them again and again, also of a club that was filled on purpose."""
    monkeypatch.setattr(calendar, "MAX_EVENTS", 2)
    for day in (3, 1, 2):
        mill.by_olga(PlanEvening(later_time(now(), days=day)))
    settled = msgspec.structs.replace(mill.club.settings, public=True, public_evenings=True)
    mill.by_olga(ChangeClubSettings(settled))
    found = Calendar.from_ical(Visitor(mill.app).client.get(f"{mill.path}/calendar.ics").data).walk("VEVENT")
    evenings = [event for event in found if "evening-" in event["uid"]]
    assert [event["uid"].split("@")[0][-1] for event in evenings] == ["3", "1"] and len(found) == 3


def test_reason_of_a_cancelled_evening_cannot_break_calendars(mill):
    planned = mill.by_olga(PlanEvening("2026-12-02T19:30:00.000Z"))
    evening = clubs.evening_at(mill.club, planned.step)
    why = "ice\x07\x1b\x85,\rATTENDEE:x\nSUMMARY:y " + "long " * 100
    mill.by_olga(CallOffEvening(evening.id, why))
    feed = mill.signed_in("mia").client.get(f"{mill.path}/calendar.ics").data
    assert all(line.decode().isprintable() and len(line) <= 75 for line in feed.split(b"\r\n"))
    assert not [line for line in feed.split(b"\r\n") if line.startswith((b"ATTENDEE", b"SUMMARY:y"))]


def test_last_day_of_a_round_is_shown_and_changed(mill):
    day, olga, where = later_time(now(), days=9)[:10], mill.signed_in(), mill.at("/rounds/1")
    form = olga.get(where).form("Save the day")
    for wrong, why in (("soon", "Enter a day as 2026-11-20."), ("2020-01-01", "is in the past")):
        page = olga.send(form, until=wrong)
        assert page.status == 422 and why in page.text
    assert "Play it until" in olga.send(form, until=day).text
    for path in (mill.at(), mill.at("/tables"), where):
        assert "Play it until" in mill.signed_in("mia").get(path).text, path
    script = {"Authorization": f"Bearer {accounts.make_key(mill.book, mill.olga, 'script')}"}
    assert olga.client.get(f"/api/v1{mill.at()}", headers=script).get_json()["round_deadlines"] == [
        {"round": 1, "until": day}
    ]
    event = next(
        event
        for event in Calendar.from_ical(olga.client.get(mill.at("/calendar.ics")).data).events
        if "Last day of round 1" in event["summary"]
    )
    assert event["dtstart"].dt.isoformat() == day
    mia = mill.signed_in("mia")
    assert mia.post(f"{where}/day", key=key(), until=day).status == 403 and "Save the day" not in mia.get(where).text
    olga.send(olga.get(where).form("Save the day"), until="")
    assert mill.season.round_deadlines == {} and "Last day" not in olga.client.get(mill.at("/calendar.ics")).text


def test_day_of_an_impossible_round_is_refused(mill):
    for number, day in ((2, "2031-01-01"), (1, "2999-01-01"), (1, "")):
        with pytest.raises(Refused):
            mill.by_olga(SetRoundDeadline("1", number, day))


def test_calendar_name_with_signs_of_the_format_is_escaped(mill):
    mill.by_olga(RenameClub("Ann; Ben, Cleo"))
    feed = mill.signed_in().client.get(f"{mill.path}/calendar.ics").data
    assert b"X-WR-CALNAME:Ann\\; Ben\\, Cleo" in feed
