"""Evenings that repeat and end, remarks, games that people bring or want, and guests of members."""

from __future__ import annotations

import msgspec
import pytest
from icalendar import Calendar

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club_commands import (
    AnswerEvening,
    CallOffEvening,
    ChangeClubSettings,
    PlanEvening,
    SetTimeZone,
)
from daybook.domain.league.event_checks.evening_checks import MAX_GUESTS_PER_MEMBER
from daybook.services import days
from daybook.services.clock import later_time, now
from daybook.services.league import clubs
from daybook.services.league.clubs.evening_commands import list_series_times
from daybook.services.messages.occasions import notices_of_entry
from daybook.services.people import accounts
from daybook.services.permissions.actions import MayNotError
from tests.played import key
from tests.web.api.conftest import Caller
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

TOMORROW = later_time(now(), days=1)


@pytest.fixture
def mill(book, app):
    club = ClubAtHand(book, app)
    club.by_olga(SetTimeZone("Europe/Berlin"))
    club.anna, club.ben = club.member("Anna"), club.member("Ben")
    return club


def answer(mill, person, given="yes", of="", names=(), **games):
    guests = {name: name.split("-")[0] for name in names}
    command = AnswerEvening("1", given, of, guests, **games)
    return clubs.write(mill.book, mill.id, command, by=person, key=key())


def test_weekly_evenings_keep_their_hour_when_clocks_change():
    times = list_series_times("2026-10-15T17:30:00.000Z", "weekly", 4, "Europe/Berlin")
    assert [days.local_of(when, "Europe/Berlin")[:16] for when in times] == [
        f"2026-10-{day}T19:30" for day in (15, 22, 29)
    ] + ["2026-11-05T19:30"]
    assert times[2] == "2026-10-29T18:30:00.000Z"


@pytest.mark.parametrize(
    ("first", "dates"),
    [
        ("2026-12-11", ["2026-12-11", "2027-01-08", "2027-02-12", "2027-03-12"]),  # the second Friday
        ("2026-12-29", ["2026-12-29", "2027-01-26", "2027-02-23", "2027-03-30"]),  # the fifth Tuesday, or the last
    ],
    ids=["second_friday", "fifth_tuesday"],
)
def test_monthly_evenings_keep_their_weekday(first, dates):
    times = list_series_times(f"{first}T20:00:00.000Z", "monthly", 4, "UTC")
    assert [when[:10] for when in times] == dates


def test_evening_series_is_planned_changed_and_called_off(mill):
    mill.by_olga(PlanEvening(TOMORROW, "Swan", until=later_time(TOMORROW, hours=5), repeat="weekly", repeat_count=4))
    _, second, third, fourth = mill.club.evenings.values()
    assert {evening.series for evening in mill.club.evenings.values()} == {"1"}
    assert fourth.until == later_time(fourth.when, hours=5)
    mill.by_olga(PlanEvening(later_time(second.when, hours=1), "Swan", evening="2"))
    assert mill.club.evenings["2"].series == "1" and mill.club.evenings["3"].when == third.when
    mill.by_olga(CallOffEvening("3", "holidays", with_later=True))
    assert [bool(evening.called_off) for evening in mill.club.evenings.values()] == [False, False, True, True]
    noted = [
        notice.occasion
        for entry in mill.club.entries
        for notice in notices_of_entry(mill.club, entry.step, entry.event, now())
        if notice.occasion in ("evening_planned", "evening_called_off")
    ]
    assert noted == ["evening_planned", "evening_called_off"]


@pytest.mark.parametrize("hours", [0, -1, 13])
def test_invalid_end_of_an_evening_is_refused(mill, hours):
    with pytest.raises(Refused, match="ends after it begins"):
        mill.by_olga(PlanEvening(TOMORROW, until=later_time(TOMORROW, hours=hours)))


def test_evening_is_over_at_its_end(mill):
    begun = later_time(now(), hours=-3)
    mill.by_olga(PlanEvening(begun, until=later_time(now(), seconds=-60)))
    with pytest.raises(Refused, match="over"):
        answer(mill, mill.anna)


def test_games_that_people_bring_and_want_stay_with_a_new_answer(mill):
    mill.by_olga(PlanEvening(TOMORROW))
    answer(mill, mill.anna, games_brought=("Azul", "azul", "Making Profit"), games_wanted=("Go",))
    step = mill.club.step
    answer(mill, mill.anna, games_brought=("Azul", "Making Profit"))
    assert mill.club.step == step, "the same answer is not another entry"
    answer(mill, mill.anna, "maybe")
    said = mill.club.answers(mill.club.evenings["1"])[mill.anna]
    assert (said.games_brought, said.games_wanted) == ((":Azul", "making_profit"), (":Go",))
    with pytest.raises(Refused, match="up to 10 games"):
        answer(mill, mill.anna, games_brought=tuple(f"Game {n}" for n in range(11)))
    with pytest.raises(Refused):
        answer(mill, mill.anna, games_wanted=("\u200b",))


def test_members_answer_for_guests_they_brought_only(mill):
    mill.by_olga(PlanEvening(TOMORROW))
    answer(mill, mill.anna, of="zoe-1", names=["zoe-1"])
    evening = mill.club.evenings["1"]
    assert mill.club.coming(evening) == ["zoe-1"] and mill.club.guests_of(evening, mill.anna) == ["zoe-1"]
    answer(mill, mill.anna, "no", of="zoe-1")
    for person in ("zoe-1", mill.anna, mill.olga):
        with pytest.raises(MayNotError):
            answer(mill, mill.ben, of=person)
    answer(mill, mill.olga, of="zoe-1")
    for number in range(2, MAX_GUESTS_PER_MEMBER + 1):
        answer(mill, mill.anna, of=f"kid-{number}", names=[f"kid-{number}"])
    with pytest.raises(Refused, match="up to 5 guests"):
        answer(mill, mill.anna, of="kid-9", names=["kid-9"])
    answer(mill, mill.anna)


def test_member_cannot_name_a_stranger_as_their_guest(mill, book):
    mill.by_olga(PlanEvening(TOMORROW))
    stranger = accounts.make_account(book, "Nora", sign_in="nora", password="a bag of red certificates")
    with pytest.raises(Refused):
        answer(mill, mill.anna, of=stranger, names=[stranger])
    assert book.kept.names([stranger]) == {stranger: "Nora"}


def test_remark_is_for_members_only(mill, app):
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public_evenings=True)))
    mill.by_olga(PlanEvening(TOMORROW, "Swan", remark="The key is under the mat"))
    assert "under the mat" in mill.signed_in("anna").get(f"{mill.path}/evenings/1").text
    where = f"/clubs/{mill.id}/evenings/1"
    caller = Caller(app.test_client())
    anna = accounts.make_key(mill.book, mill.anna, "script")
    assert caller.get(where, anna).json["evening"]["remark"] == "The key is under the mat"
    assert caller.get(where).json["evening"]["remark"] == ""
    for path in (f"{mill.path}/evenings/1", f"{mill.path}/evenings", f"{mill.path}/calendar.ics"):
        assert b"mat" not in Visitor(app).client.get(path).data.replace(b"format", b"").replace(b"matter", b"").replace(
            b"automatically", b""
        ), path


def test_pages_plan_a_series_and_take_games_and_guests(mill):
    olga, anna = mill.signed_in(), mill.signed_in("anna")
    form = olga.get(f"{mill.path}/evenings/new").form("Plan it")
    begins = days.local_of(TOMORROW, "Europe/Berlin")[:16]
    ends = days.local_of(later_time(TOMORROW, hours=4), "Europe/Berlin")[:16]
    page = olga.send(form, when=begins, until=ends, repeat="weekly", repeat_count="3", remark="Bring slippers")
    assert "3 evenings are planned." in page.text and "Repeats:" in page.text and "Bring slippers" in page.text
    page = anna.press(f"{mill.path}/evenings/1", "Yes, I come", answer="yes")
    page = anna.send(page.form("Save the games"), games_brought="Azul\nGo", games_wanted="Making Profit")
    assert "On the table Azul Anna Go Anna" in page.text and "Would like to play Making Profit Anna" in page.text
    page = anna.send(page.form("Coming with me"), guest="Zoe", answer="yes")
    assert "Yes 2 Anna Zoe" in page.text
    zoe = next(person for person in mill.club.everybody() if person not in (mill.olga, mill.anna, mill.ben))
    page = anna.send(next(form for form in page.forms if form.fields.get("person") == zoe), answer="no")
    assert "Yes 1 Anna" in page.text and "No 1 Zoe" in page.text
    ben = mill.signed_in("ben")
    stolen = ben.get(f"{mill.path}/evenings/1").form("Yes, I come")
    assert ben.send(stolen, answer="yes", person=zoe).status == 403
    page = olga.send(olga.get(f"{mill.path}/evenings/2").form("Call it off"), with_later="yes", why="holidays")
    assert all(mill.club.evenings[number].called_off for number in ("2", "3"))
    assert olga.send(form, repeat_count="27", repeat="weekly", when=begins).status == 422
    event = Calendar.from_ical(anna.client.get(f"{mill.path}/calendar.ics").data).walk("VEVENT")[0]
    assert (event["dtend"].dt - event["dtstart"].dt).total_seconds() == 4 * 3600


def test_api_plans_a_series_and_answers_with_games(mill, app):
    caller = Caller(app.test_client())
    olga, anna = (accounts.make_key(mill.book, person, "script") for person in (mill.olga, mill.anna))
    where = f"/clubs/{mill.id}/evenings"
    assert caller.post(where, {"when": TOMORROW, "repeat": "monthly", "repeat_count": 3}, olga).status_code == 201
    assert len(caller.get(where, anna).json["evenings"]) == 3
    body = {"answer": "yes", "games_brought": ["Azul"], "games_wanted": ["making_profit"]}
    assert caller.post(f"{where}/1/answers", body, anna).status_code == 201
    (shown,) = caller.get(f"{where}/1", anna).json["answers"]
    assert (shown["games_brought"], shown["games_wanted"]) == ([":Azul"], ["making_profit"])
