"""Evenings of a club: planned, answered, moved, called off, opened from, told in calendars."""

from __future__ import annotations

import msgspec
import pytest
from icalendar import Calendar, Event

from daybook.domain.kernel.chronicle import Refused
from daybook.domain.league.club import Evening
from daybook.domain.league.club_commands import (
    AnswerEvening,
    ChangeClubSettings,
    ChangeLeague,
    EnterResult,
    PlanEvening,
    RemoveClub,
    SetTimeZone,
)
from daybook.domain.league.club_events import EveningAnswered
from daybook.domain.league.event_checks.evening_checks import CHANGES_LIMIT
from daybook.domain.league.results import Placed
from daybook.services import days
from daybook.services.clock import later_time, now
from daybook.services.league import clubs
from tests.played import key
from tests.servers import wait_until
from tests.services.clubbing import BESIDE
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand


@pytest.fixture
def mill(book, app) -> ClubAtHand:
    """Return a private club in Seoul with Olga, Sven, who keeps scores, and Mia."""
    club = ClubAtHand(book, app)
    clubs.write(book, club.id, SetTimeZone("Asia/Seoul"), by=club.olga, key=key())
    club.sven, club.mia = club.member("Sven", "scorekeeper"), club.member("Mia")
    return club


def plan(mill: ClubAtHand, hours: float, *games: str) -> Evening:
    """Plan an evening that begins this many hours from now."""
    receipt = mill.by_olga(PlanEvening(later_time(now(), hours=hours), "Olga’s", games))
    return clubs.evening_at(mill.club, receipt.step)


def comes(mill: ClubAtHand, evening: Evening, *people: str) -> None:
    for person in people:
        clubs.write(mill.book, mill.id, AnswerEvening(evening.id, "yes"), by=person, key=key())


def events(visitor: Visitor, path: str) -> list[Event]:
    return [*Calendar.from_ical(visitor.client.get(path).data).walk("VEVENT")]


def test_an_evening_is_planned_answered_moved_and_called_off(mill):
    olga, mia = mill.signed_in(), mill.signed_in("mia")
    page = olga.get(f"{mill.path}/evenings")
    assert "No evening is planned yet" in page.text
    day = days.local_of(later_time(now(), days=30), "Asia/Seoul")[:10]
    page = olga.press(
        page.link("Plan an evening"), "Plan it", when=f"{day}T19:30", place="Olga’s", games="Azul\nmaking profit"
    )
    assert "19:30" in page.text and "Azul" in page.text
    (evening,) = mill.club.evenings.values()
    assert evening.when == f"{day}T10:30:00.000Z" and evening.games == (":Azul", "making_profit")

    mia.press(mill.path, "Yes, I come", answer="maybe")
    page = mia.press(f"{mill.path}/evenings", "Yes, I come", answer="yes")
    assert "Yes 1 Mia" in page.text and "Plan it" not in page.html
    page = olga.press(f"{mill.path}/evenings/1", "Coming", guest="Zoe", answer="yes")
    assert "Yes 2 Mia Zoe" in page.text

    (event,) = events(mia, f"{mill.path}/calendar.ics")
    assert (event["summary"], event["status"], event["sequence"]) == ("The Mill: evening", "CONFIRMED", 1)
    assert (event["location"], event["dtstart"].dt.isoformat()) == ("Olga’s", f"{day}T10:30:00+00:00")
    assert "Coming: Mia and Zoe" in event["description"] and "Azul" in event["description"]

    form = olga.get(f"{mill.path}/evenings/1/change").form("Save changes")
    assert form.fields["when"] == f"{day}T19:30" and "Azul" in form.fields["games"]
    moved = olga.send(form, when=f"{day}T20:00")
    assert (
        "before it was moved" in moved.text and "is your answer still right" in mia.get(f"{mill.path}/evenings/1").text
    )
    assert "Someone else changed" in olga.send(form, key="another").text
    page = olga.press(f"{mill.path}/evenings/1", "Call it off", why="snow")
    assert "Called off: snow" in page.text and "Yes, I come" not in mia.get(f"{mill.path}/evenings").text
    (event,) = events(mia, f"{mill.path}/calendar.ics")
    assert (event["summary"], event["status"], event["sequence"]) == ("Called off: The Mill: evening", "CANCELLED", 3)
    assert event["dtstart"].dt.isoformat() == f"{day}T11:00:00+00:00" and "snow" in event["description"]
    olga.press(f"{mill.path}/evenings/1/change", "Save changes")
    assert not mill.club.evenings["1"].called_off


def test_game_of_today_seats_who_come_and_is_on_the_evening(mill):
    """Both the evening's page and New game open it; new people join as guests."""
    evening = plan(mill, -1, ":Wingspan", "making_profit")
    comes(mill, evening, mill.sven, mill.olga)
    where = f"{mill.path}/evenings/{evening.id}"
    sven = mill.signed_in("sven")
    assert sven.get(where).link("Open the game") == f"/new?game=:Wingspan&club={mill.id}&evening={evening.id}"
    page = sven.get("/new?game=making_profit")
    form = page.form("Open the game")
    assert [form.fields[f"name.{seat}"] for seat in range(3)] == ["Sven", "Olga", ""] and "The Mill" in page.text
    assert "anonymous player" not in page.text, "who is nobody sits nowhere"
    assert sven.get(page.link("Not for this evening")).form("Open the game").fields["name.0"] == ""
    page = sven.send(form, **{"name.2": "Zoe"})
    assert page.status == 200, page.text
    (table,) = mill.club.beside.tables.values()
    zoe = table.played[2]
    assert table.played[:2] == (mill.sven, mill.olga) and mill.book.kept.names([zoe]) == {zoe: "Zoe"}
    form = sven.get(sven.get(where).link("Open the game")).form("Open the game")
    assert form.fields["evening"] == evening.id and form.fields["name.1"] == "Olga"
    sven.send(form)
    assert [value.ruleset for value in mill.club.beside.tables.values()] == ["making_profit", ":Wingspan"]
    placed = (Placed(mill.mia, 0, 1), Placed(mill.olga, 1, 2))
    mill.by_olga(EnterResult(BESIDE, ":Azul", placed))
    played = sven.get(where).text.split("What was played")[1]
    assert "Mia" in played and "Zoe" in played and played.index("Azul") < played.index("Wingspan")


def test_game_after_the_given_end_seats_who_came(mill):
    """People often sit longer than planned; their game is of the evening of that day."""
    hour = int(now()[11:13])
    mill.by_olga(SetTimeZone(f"Etc/GMT{hour - 12:+}"))  # where it is noon
    ends = later_time(now(), seconds=1)
    mill.by_olga(PlanEvening(later_time(now(), hours=-3), "Olga’s", (), until=ends))
    evening = mill.club.evenings["1"]
    comes(mill, evening, mill.sven, mill.olga)
    wait_until(lambda: evening.ends < now(), "the end of the evening")
    sven = mill.signed_in("sven")
    form = sven.get("/new?game=making_profit").form("Open the game")
    assert [form.fields[f"name.{seat}"] for seat in range(3)] == ["Sven", "Olga", ""]
    sven.send(form)
    assert "being played" in sven.get(f"{mill.path}/evenings/1").text.split("What was played")[1]


def test_game_begun_before_midnight_belongs_to_the_evening_after(mill):
    evening = plan(mill, 2, "making_profit")
    hour = int(evening.when[11:13])
    zone = f"Etc/GMT{hour - 24 if hour > 12 else hour:+}"  # where it begins between midnight and one
    mill.by_olga(SetTimeZone(zone))
    where, sven = f"{mill.path}/evenings/{evening.id}", mill.signed_in("sven")
    comes(mill, evening, mill.sven, mill.olga)
    assert days.day_of(evening.when, zone) != days.day_of(now(), zone)
    sven.press(sven.get(where).link("Open the game"), "Open the game")
    assert "being played" in sven.get(where).text.split("What was played")[1]


def test_who_opens_no_games_of_the_club_has_the_names_written_in(mill):
    comes(mill, plan(mill, 0.5), mill.mia, mill.olga)
    page = mill.signed_in("mia").get("/new?game=making_profit")
    form = page.form("Open the game")
    assert [form.fields[f"name.{seat}"] for seat in range(2)] == ["Mia", "Olga"] and "club" not in form.fields


@pytest.mark.parametrize(("hours", "answer"), [(40, "yes"), (-13, "yes")])
def test_an_evening_of_another_day_fills_nothing_in(mill, hours, answer):
    evening = plan(mill, hours)
    if hours > 0:
        comes(mill, evening, mill.olga)
    assert mill.signed_in().get("/new?game=making_profit").form("Open the game").fields["name.0"] == ""


def test_ambiguous_name_is_asked_unless_one_of_them_comes(mill):
    evening, other = plan(mill, 0.1), mill.guests("Mia")
    mill.by_olga(AnswerEvening(evening.id, "no", *other, other))
    sven = mill.signed_in("sven")
    seats = {"name.0": "Sven", "name.1": "mia"}
    page = sven.press("/new?game=making_profit", "Open the game", **seats)
    assert page.status == 422 and "Several people of the club have this name" in page.text
    comes(mill, evening, mill.mia)
    sven.press("/new?game=making_profit", "Open the game", **seats)
    assert mill.club.beside.tables["1"].played == (mill.sven, mill.mia)


def test_name_that_looks_like_a_guest_is_that_guest(mill):
    evening, guest = plan(mill, 0.1), {"ali-00000001": "علی\u200cرضا"}
    mill.by_olga(AnswerEvening(evening.id, "no", *guest, guest))
    sven = mill.signed_in("sven")
    sven.press("/new?game=making_profit", "Open the game", **{"name.0": "Sven", "name.1": "علیرضا"})
    assert mill.club.beside.tables["1"].played == (mill.sven, *guest)


def test_a_table_of_a_league_opens_the_definition_of_its_game(mill):
    mill.by_olga(ChangeLeague("1", "Winter league", [":Wingspan"]))
    mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    olga = mill.signed_in()
    page = olga.get(mill.at("/tables/1"))
    assert olga.get(page.link("With other colours or options")).form("Open the game").fields["table"] == "1"
    olga.send(page.form("Open the game"))
    assert mill.season.tables["1"].ruleset == ":Wingspan"


def test_repeated_answer_is_accepted_and_writes_nothing(mill):
    mill.by_olga(PlanEvening(later_time(now(), hours=40), "", ()))
    for _ in range(2):
        receipt = mill.by_olga(AnswerEvening("1", "yes"))
        assert receipt.step == mill.club.step
    answers = [entry for entry in mill.club.entries if isinstance(entry.event, EveningAnswered)]
    assert len(answers) == 1


def test_answers_of_an_organiser_leave_a_member_theirs(mill):
    mia = mill.mia
    mill.by_olga(PlanEvening(later_time(now(), hours=40), "", ()))
    for n in range(CHANGES_LIMIT):
        mill.by_olga(AnswerEvening("1", ("yes", "no")[n % 2], mia))
    with pytest.raises(Refused, match="by the same user"):
        mill.by_olga(AnswerEvening("1", "yes", mia))
    clubs.write(mill.book, mill.id, AnswerEvening("1", "yes"), by=mia, key=key())
    assert mill.club.expected(mill.club.evenings["1"], "yes") == [mia]


def test_members_answer_for_themselves_at_public_evenings(book, app):
    mill = ClubAtHand(book, app, public=True)
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public_evenings=True)))
    mill.member("Mia")
    evening = plan(mill, 24)
    where = f"{mill.path}/evenings/{evening.id}"
    stranger, mia = Visitor(app), mill.signed_in("mia")
    assert "Olga’s" in stranger.get(where).text and "Are you coming" not in stranger.get(where).text
    for visitor, path, sent in (
        (stranger, "/answer", {"answer": "yes"}),
        (mia, "/answer", {"answer": "yes", "person": mill.olga}),
        (mia, "/call-off", {}),
        (mia, "/change", {"when": "2030-01-01T10:00"}),
    ):
        data = {"csrf": visitor.token(), "key": "k", **sent}
        assert visitor.client.post(where + path, data=data).status_code == 403, (path, sent)
    assert mill.club.evenings[evening.id].answers == {} and mia.get(f"{where}/change").status == 403
    data = {"csrf": mia.token(), "answer": "yes", "key": "once"}
    assert [mia.client.post(f"{where}/answer", data=data).status_code for _ in range(2)] == [303, 303]
    assert sum(isinstance(entry.event, EveningAnswered) for entry in mill.club.entries) == 1
    data["answer"] = "perhaps"
    assert mia.client.post(f"{where}/answer", data=data).status_code == 400
    mill.by_olga(RemoveClub("a mistake"))
    assert events(stranger, f"{mill.path}/calendar.ics")[0]["status"] == "CANCELLED"
    assert "removed" in mia.press(where, "Yes, I come", answer="no").text
