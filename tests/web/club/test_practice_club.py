"""A practice club by one button, a league's page, the next season from a closed one, and people from a list."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copytree

import msgspec
import pytest
from flask import Flask
from PIL import Image
from playwright.sync_api import Page, expect

from daybook.domain.league.club_commands import ChangeClubSettings
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin
from daybook.web.club.season_picture import season_card
from tests.axe import faults
from tests.browsing import click_through
from tests.played import update_games, update_results
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def practice_data(tmp_path_factory, signing_data, built_app) -> Path:
    """Return a data folder with Olga's practice club, made once."""
    data = Path(copytree(signing_data, tmp_path_factory.mktemp("practice") / "data"))
    with closing(open_daybook(Settings(data=data))) as book:
        begin(built_app, book)
        sign_up_olga(book, built_app).press("/clubs", "Make a practice club")
    return data


@pytest.fixture
def book(request, tmp_path, signing_data) -> Iterator[Daybook]:
    """Return an empty daybook, or one with the practice club for a test with the fixture `club`."""
    data = request.getfixturevalue("practice_data") if "club" in request.fixturenames else signing_data
    with closing(open_daybook(Settings(data=Path(copytree(data, tmp_path / "data"))))) as opened:
        yield opened


@pytest.fixture
def olga(book, app) -> Visitor:
    return sign_up_olga(book, app)


@pytest.fixture
def club(book):
    (club,) = book.clubs.all()
    return club


def sign_up_olga(book: Daybook, app: Flask) -> Visitor:
    person = accounts.person_of_sign_in(book, "olga")
    visitor = Visitor(app)
    visitor.sign_in(person or accounts.make_account(book, "Olga", sign_in="olga", password=PASSWORD))
    return visitor


def test_one_button_makes_a_club_that_says_it_is_practice(olga, book):
    league = olga.press("/clubs", "Make a practice club")
    assert "This is a practice club" in league.text and "Next evening" in league.text
    for part in ("Division 1", "Division 2", "Points from round to round", "Newest results", "Season 2 being played"):
        assert part in league.text, part
    assert league.html.count('class="plot"') == 2 and "mark-practice" in league.html
    assert "Practice club" in olga.get("/clubs").text
    assert "Make a practice club" not in olga.get("/clubs").text, "it is for a page with nothing on it"


def test_who_is_not_signed_in_is_asked_to(visitor):
    page = visitor.get("/clubs")
    assert "Sign in to make a practice club" in page.text
    assert visitor.client.post("/clubs/practice", data={"csrf": visitor.token(), "key": "x"}).status_code == 401


def test_next_season_is_filled_by_promotion_and_can_be_changed(olga, book, club):
    first = next(iter(club.seasons.values()))
    page = olga.get(f"/clubs/{club.id}/seasons/{first.id}/next")
    assert page.text.count("goes up: place") == page.text.count("goes down: place") == 2
    assert "Division 1: 7 of 7" in page.text
    form = page.form("Open the season")
    moved, left = first.closed.orders[0].people[0], first.closed.orders[1].people[6]
    assert form.fields[f"group.{moved}"] == "1.1" and form.fields["name"] == "Season 2"
    opened = olga.send(form, name="Spring", **{f"group.{moved}": "2.1", f"group.{left}": ""})
    assert opened.status == 200
    season = list(book.clubs.get(club.id).seasons.values())[-1]
    entered = {entrant.person: entrant.division for entrant in book.clubs.get(club.id).entrants(season)}
    assert season.name == "Spring" and entered[moved] == 2 and left not in entered and len(entered) == 13


def test_a_forged_group_or_an_empty_name_opens_nothing(olga, book, club):
    first, second = club.seasons
    form = olga.get(f"/clubs/{club.id}/seasons/{first}/next").form("Open the season")
    person = next(name for name in form.fields if name.startswith("group."))
    assert olga.send(form, **{person: "9.9"}).status == 400
    assert "Give the season a name" in olga.send(form, name="  ").text
    open_still = olga.get(f"/clubs/{club.id}/seasons/{second}/next")
    assert open_still.status == 422 and "close this one first" in open_still.text
    assert len(book.clubs.get(club.id).seasons) == 2


def test_members_come_from_a_pasted_list(book, app):
    mill = ClubAtHand(book, app)
    olga = mill.signed_in()

    def paste_list(text: str):
        return olga.press(f"{mill.path}/people", "Add all of them", list=text)

    told = paste_list("Anna\n\n- Ben\nOLGA\nanna\n")
    assert "2 people were added to the club." in told.text
    assert "Already in the club: anna and OLGA" in told.text
    assert len(mill.club.people()) == 3
    for text, says in (
        ("x" * 61 + "\nCleo", "line 1: 61 characters are too many: at most 60"),
        ("Anna", "Everyone on this list"),
        (" \n\n", "Enter one name on each line"),
        ("\n".join(f"Player {n}" for n in range(10_000)), "10000 names; at most 200 at once"),
    ):
        wrong = paste_list(text)
        assert wrong.status == 422 and says in wrong.text, says
    assert len(mill.club.people()) == 3
    form = olga.get(f"{mill.path}/people").form("Add all of them")
    olga.send(form, list="Cleo")
    assert olga.send(form, list="Cleo").status == 200 and len(mill.club.people()) == 4, "sent twice, written once"


def test_nobody_but_an_organiser_adds_people_or_opens_a_season(book, app):
    mill = ClubAtHand(book, app)
    mill.member("Ben")
    ben = mill.signed_in("ben")
    assert ben.client.post(f"{mill.path}/people/list", data={"csrf": ben.token(), "list": "Eve"}).status_code == 403
    mill.open_season()
    assert ben.get(mill.at("/next")).status == 403
    assert Visitor(app).get(mill.at("/next")).status == 403


def look_at(page: Page) -> None:
    assert faults(page) == []
    for width, height in ((1280, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_season_is_carried_over_in_the_browser(page, site, book):
    accounts.make_account(book, "Olga", sign_in="olga", password=PASSWORD)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{site}/sign-in?next=/clubs")
    page.get_by_label("Sign-in name").fill("olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Make a practice club").click()
    expect(page.get_by_role("heading", name="Season 2")).to_be_visible()
    click_through(page.get_by_role("link", name="Season 1"))
    click_through(page.get_by_role("link", name="Manage"))
    page.get_by_role("link", name="Open the next season from this one").click()
    expect(page.get_by_text("goes up: place 1 of division 2")).to_be_visible()
    look_at(page)
    page.get_by_label("Name of the season").fill("Spring")
    page.locator("select[name^='group.']").first.select_option(label="does not play")
    page.get_by_role("button", name="Open the season").click()
    expect(page.get_by_text("6 of 7")).to_be_visible()
    page.get_by_label("Guests, one name on each line").fill("Zoe")
    page.get_by_role("button", name="Enter them").click()
    expect(page.get_by_text("7 of 7")).to_have_count(2)
    click_through(page.get_by_role("link", name="Tables", exact=True))
    click_through(page.get_by_role("link", name="Draw the schedule"))
    click_through(page.get_by_role("button", name="Save this schedule"))
    page.get_by_role("link", name="Practice league").click()
    expect(page.get_by_role("heading", name="Spring")).to_be_visible()
    expect(page.get_by_text("Next: round 1")).to_be_visible()
    expect(page.locator("table.standings summary", has_text="Zoe")).to_be_visible()
    look_at(page)


def test_a_season_of_an_open_club_has_a_picture_for_shared_links(olga, book, club):
    season = next(iter(club.seasons.values()))
    path = f"/clubs/{club.id}/seasons/{season.id}"
    stranger = Visitor(olga.client.application)
    assert olga.client.get(f"{path}.png").status_code == stranger.client.get(f"{path}.png").status_code == 404
    assert "og:image" not in olga.get(path).html
    clubs.write(
        book,
        club.id,
        ChangeClubSettings(msgspec.structs.replace(club.settings, public=True)),
        by=owner(club),
        key="k" * 20,
    )
    answer = stranger.client.get(f"{path}.png")
    assert Image.open(io.BytesIO(answer.data)).size == (1200, 630)
    assert f'og:image" content="http://localhost{path}.png"' in stranger.get(path).html
    with olga.client.application.test_request_context("/"):
        card = season_card(book.clubs.get(club.id), season)
    assert len(card.seats) == 6 and card.seats[0].won and len(card.values) == 8
    assert card.values[-1] == tuple(seat.value for seat in card.seats), "the lines end at the figures"
    assert stranger.client.get(f"/clubs/{club.id}/seasons/99.png").status_code == 404


def owner(club) -> str:
    return next(person for person, roles in club.people().items() if "organiser" in roles)


def test_a_clubs_page_leads_to_all_its_plays(olga, book, club):
    update_games(book)
    update_results(book)
    plays = olga.get(olga.get(f"/clubs/{club.id}").link("All plays of the club"))
    assert plays.status == 200
    found = olga.get(f"/?club={club.id}")
    assert "Games of Practice club" in found.text and found.html.count('class="game-row"') == 20
    assert "(practice)" in found.text
    stranger = Visitor(olga.client.application).get(f"/?club={club.id}")
    assert "No games found" in stranger.text and "Practice club" not in stranger.text
