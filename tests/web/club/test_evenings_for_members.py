"""Evenings are for members: a club with public standings shows only members where and when it meets."""

from __future__ import annotations

import io
import re
from urllib.parse import urlsplit
from zipfile import ZipFile

import msgspec
import pytest
from flask import Flask

from daybook.domain.league.club_commands import AnswerEvening, ChangeClubSettings, EndMembership, PlanEvening, PlanTable
from daybook.services.clock import later_time, now
from daybook.services.exchange.plays_file import read_plays
from daybook.services.league import club_imports, clubs
from daybook.services.store.daybook import Daybook
from tests.played import key
from tests.services.exchange.made import export
from tests.web.conftest import Visitor
from tests.web.leagues import ClubAtHand

STREET, TABLE_STREET, PLAY_STREET = "Weberstraße 7", "Mühlgasse 11", "The cellar"
GUEST, CHILD, IDLE = "Gustava", "Kindchen", "Idoia"
SECRET = (STREET, TABLE_STREET, PLAY_STREET, GUEST, CHILD, IDLE)
EVENING = f"{later_time(now(), days=3)[:10]}T21:37:00.000Z"
TABLE_TIME = f"{later_time(now(), days=4)[:10]}T20:41:00.000Z"
HOURS = ("21:37", "213700", "20:41", "204100")
PAGES = (
    "",
    "/evenings",
    "/people",
    "/ratings",
    "/statistics",
    "/import",
    "/plays",
    "/calendar.ics",
    "/plays.csv",
    "/plays.json",
    "/plays.xml",
)
API = (
    "",
    "/members",
    "/people",
    "/evenings",
    "/evenings/1",
    "/ratings",
    "/results",
    "/imports",
    "/entries",
    "/seasons/1",
)


@pytest.fixture
def mill(book: Daybook, app: Flask) -> ClubAtHand:
    """Return a public club with an evening, a guest and a child, and a season with a planned table and a result."""
    mill = ClubAtHand(book, app, public=True)
    child = mill.member(CHILD)
    mill.member(IDLE)
    mill.member("Mia")
    mill.by_olga(PlanEvening(EVENING, STREET))
    guests = mill.guests(GUEST)
    for person in (*guests, child):
        mill.by_olga(AnswerEvening("1", "yes", person, guests if person in guests else {}))
    people = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mill.by_olga(PlanTable(mill.season.id, "1", TABLE_TIME, TABLE_STREET))
    mill.type("1", *people)
    club_imports.import_plays(book, mill.id, read_plays(export(3)), by=mill.olga, key=key())
    return mill


def read_everything(visitor: Visitor, start: str) -> dict[str, str]:
    """Read every page of the club that links lead to, and further addresses beside them."""
    found, waiting = (
        dict[str, str](),
        [start, "/", "/clubs", f"/search?q={STREET[:5]}", *(start + path for path in PAGES)],
    )
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        answer = visitor.client.get(path)
        found[path] = answer.data.decode(errors="replace") if answer.status_code == 200 else ""
        for href in re.findall(r'(?:href|src)="([^"#]+)"', found[path] if answer.mimetype == "text/html" else ""):
            address = urlsplit(href.replace("&amp;", "&"))
            if address.path.startswith(start) and not address.netloc:
                waiting.append(address.path + (f"?{address.query}" if address.query else ""))
    return found


def test_stranger_finds_no_evening_on_any_page_or_file(mill):
    pages = read_everything(Visitor(mill.app), mill.path)
    assert len(pages) > 20 and any("/tables/1" in path and text for path, text in pages.items())
    for path, text in pages.items():
        assert not [word for word in (*SECRET, *HOURS) if word in text], path


def test_season_archive_of_stranger_has_no_evening(mill):
    answer = Visitor(mill.app).client.get(mill.at("/archive.zip"))
    assert answer.status_code == 200
    with ZipFile(io.BytesIO(answer.data)) as archive:
        content = b"\n".join(archive.read(name) for name in archive.namelist()).decode(errors="replace")
    assert "Anna" in content and not [word for word in (*SECRET, *HOURS) if word in content]


def test_stranger_is_refused_evenings_and_calendars(mill):
    stranger = Visitor(mill.app)
    for path in ("/evenings", "/evenings/1", "/evenings/9", "/calendar.ics", f"/seasons/{mill.season.id}/calendar.ics"):
        answer = stranger.client.get(mill.path + path)
        assert answer.status_code == 403 and "for its members" in answer.get_data(as_text=True), path
    assert "Evenings" not in stranger.get(mill.path).text


def test_stranger_finds_no_evening_in_the_api(mill):
    stranger, season = Visitor(mill.app), f"/seasons/{mill.season.id}"
    paths = (*API, f"{season}/standings", f"{season}/tables", f"{season}/tables/1", f"{season}/schedule", "/leagues")
    answers = {path: stranger.client.get(f"/api/v1{mill.path}{path}") for path in paths}
    assert {answers[path].status_code for path in ("/evenings", "/evenings/1")} == {401}
    assert answers[""].status_code == answers[season].status_code == 200
    for path, answer in answers.items():
        assert not [word for word in (*SECRET, *HOURS) if word in answer.get_data(as_text=True)], path


def test_member_sees_evenings_and_calendars(mill):
    mia = mill.signed_in("mia")
    page = mia.get(f"{mill.path}/evenings/1")
    assert all(word in page.text for word in (STREET, GUEST, CHILD))
    assert STREET in mia.get(mill.path).text and TABLE_STREET in mia.get(mill.at("/tables/1")).text
    assert STREET in mia.client.get(f"{mill.path}/calendar.ics").get_data(as_text=True)
    assert PLAY_STREET in mia.client.get(f"{mill.path}/plays.csv").get_data(as_text=True)
    assert IDLE in mia.get(f"{mill.path}/people").text


def test_person_who_left_the_club_sees_no_evening(mill):
    mia = mill.signed_in("mia")
    person = next(id for id, name in mill.book.kept.names(mill.club.everybody()).items() if name == "Mia")
    clubs.write(mill.book, mill.id, EndMembership(person), by=person, key=key())
    assert mia.get(f"{mill.path}/evenings").status == 403
    assert not [word for text in read_everything(mia, mill.path).values() for word in (*SECRET, *HOURS) if word in text]


def test_organiser_shows_evenings_and_hides_standings(mill):
    olga, stranger = mill.signed_in(), Visitor(mill.app)
    assert not mill.club.settings.public_evenings
    form = olga.get(f"{mill.path}/settings").form("Save")
    olga.send(form, public_evenings="yes")
    assert mill.club.settings.public and mill.club.settings.public_evenings
    page = stranger.get(f"{mill.path}/evenings/1")
    assert page.status == 200 and STREET in page.text and GUEST in page.text
    assert STREET in stranger.client.get(f"{mill.path}/calendar.ics").get_data(as_text=True)
    assert stranger.client.get(f"/api/v1{mill.path}/evenings/1").status_code == 200
    mill.by_olga(ChangeClubSettings(msgspec.structs.replace(mill.club.settings, public=False)))
    assert STREET in stranger.get(f"{mill.path}/evenings/1").text
    assert stranger.get(mill.path).status == stranger.get(mill.at()).status == 403
    feed = stranger.client.get(f"{mill.path}/calendar.ics").get_data(as_text=True)
    assert STREET in feed and TABLE_STREET not in feed, "planned tables belong to the standings"


def test_founded_club_keeps_evenings_for_members(book, app):
    olga = ClubAtHand(book, app).signed_in()
    page = olga.get("/clubs/new")
    olga.send(page.form("Create the club"), name="Second", public="yes")
    second = next(club for club in book.clubs.all() if club.name == "Second")
    assert second.settings.public and not second.settings.public_evenings


def test_stranger_sees_days_and_no_hour_of_results(mill):
    stranger, season = Visitor(mill.app), f"/seasons/{mill.season.id}"
    found = read_everything(stranger, mill.path)
    for path in ("", "/imports", season, "/statistics/games"):
        found[f"api {path}"] = stranger.client.get(f"/api/v1{mill.path}{path}").get_data(as_text=True)
    with ZipFile(io.BytesIO(stranger.client.get(mill.at("/archive.zip")).data)) as archive:
        found |= {name: archive.read(name).decode() for name in archive.namelist() if name != "README.txt"}
    hours = {entry.event.at[10:19] for entry in mill.club.entries} | {
        entry.event.at[11:16] for entry in mill.club.entries
    }
    for path, text in found.items():
        text = re.sub(r'"modificationDate":"[^"]*"', "", text)  # when the file was made
        assert not [hour for hour in hours if hour in text], path
    member = read_everything(mill.signed_in("mia"), mill.path)
    assert [path for path, text in member.items() if any(hour in text for hour in hours)]
