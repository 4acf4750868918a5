"""A club's pages: its founding, settings, leagues and permissions."""

from __future__ import annotations

import io
import re

import pytest

from daybook.domain.league.club_commands import ChangeClubSettings
from daybook.services.files.verify import verify_file
from daybook.services.league import clubs
from daybook.services.people import accounts
from tests.played import key
from tests.web.conftest import Opened, Visitor
from tests.web.leagues import PASSWORD, ClubAtHand


def test_without_a_club_the_page_says_what_one_is_for(visitor):
    page = visitor.get("/clubs")
    assert "A league for your club" in page.text
    assert page.link("Create a club") == "/clubs/new"


def test_founding_a_club_asks_to_sign_in_first(visitor, book):
    page = visitor.get("/clubs/new")
    assert "Sign in first" in page.text
    assert not any(form.buttons[:1] == ["Create the club"] for form in page.forms)
    visitor.post("/clubs/new", name="Nobody’s", key=key())
    assert book.log.club_ids() == []


def test_whoever_founds_a_club_is_its_organiser(book, app):
    accounts.make_account(book, "Olga", sign_in="olga", password=PASSWORD)
    olga = Visitor(app)
    olga.press("/sign-in", "Sign in", sign_in="olga", password=PASSWORD)
    form = olga.get("/clubs/new").form("Create the club")
    page = olga.send(form, name="  The   Mill ", public="yes")
    assert "There is no league yet" in page.text
    (club,) = [book.clubs.get(id) for id in book.log.club_ids()]
    assert (club.name, club.settings.public) == ("The Mill", True)
    assert list(club.people().values()) == [("organiser", "member")]
    olga.send(form, name="  The   Mill ", public="yes")
    assert len(list(book.log.club_ids())) == 1, "the same form sent twice founds one club"
    page = olga.send(form, name="The Barn")
    assert (page.status, "You sent something else from this page before" in page.text) == (422, True)
    assert [book.clubs.get(id).name for id in book.log.club_ids()] == ["The Mill"]


@pytest.mark.parametrize(
    ("name", "message"), [("  ", "Give the club a name"), ("x" * 121, "121 characters are too many: at most 120")]
)
def test_a_club_has_a_name(mill, name, message):
    olga = mill.signed_in()
    page = olga.press("/clubs/new", "Create the club", name=name)
    assert (page.status, message in page.text) == (422, True)
    assert len(list(mill.book.log.club_ids())) == 1


def test_a_private_clubs_pages_are_for_its_members(mill, visitor):
    mill.open_season()
    mill.draw()
    mill.member("Mia")
    outsider = accounts.make_account(mill.book, "Otto", sign_in="otto", password=PASSWORD)
    assert not mill.club.roles(outsider)
    paths = [
        "",
        "/ratings",
        "/calendar.ics",
        "/leagues/1",
        "/ratings.csv",
        f"/people/{mill.olga}",
        *(
            f"/seasons/1{rest}"
            for rest in (
                "",
                "/tables",
                "/players",
                "/rounds/1",
                "/tables/1",
                "/standings.csv",
                "/results.json",
                "/archive.zip",
                "/calendar.ics",
            )
        ),
    ]
    mia, otto = mill.signed_in("mia"), mill.signed_in("otto")
    for path in paths:
        assert [item.client.get(mill.path + path).status_code for item in (visitor, otto, mia)] == [403, 403, 200], path
    below = {"/seasons/1/rounds/1": "Tables", "/import": "Plays", "/ratings": "Ratings"}
    for path, tab in below.items():
        tabs = mia.get(mill.path + path).html.split('class="tabs')[1]
        assert re.findall(r'aria-current="\w+">([^<]+)<', tabs.split("</nav>")[0]) == [tab], path
    page = otto.get(mill.path)
    assert (page.status, "This club is for its members" in page.text) == (403, True)
    assert re.search(r'class="button primary" href="/sign-in\?next=', visitor.get(mill.path).html)
    assert "The Mill" not in otto.get("/clubs").text


def test_what_organisers_do_is_closed_to_members(mill):
    mill.open_season()
    mill.draw()
    mill.member("Mia")
    mia = mill.signed_in("mia")
    for path in (
        "/settings",
        "/leagues/new",
        "/leagues/1/seasons/new",
        "/seasons/1/draw",
        "/seasons/1/run",
        "/seasons/1/format",
        "/leagues/1/settings",
    ):
        assert mia.get(mill.path + path).status == 403, path
    step = mill.club.step
    for path in (
        "/seasons/1/players",
        "/seasons/1/players/withdraw",
        "/seasons/1/tables/1/open",
        "/seasons/1/tables/1/result",
        "/seasons/1/tables/1/void",
        "/seasons/1/tables/1/plan",
        "/seasons/1/tables/1/seats",
        "/seasons/1/run/penalty",
        "/seasons/1/run/lot",
        "/seasons/1/run/close",
        "/seasons/1/run/reopen",
        "/seasons/1/draw",
    ):
        assert mia.post(mill.path + path, key=key(), person="x", why="because", at="1").status == 403, path
    assert mill.club.step == step


def test_an_umpire_rules_and_a_scorekeeper_enters(mill):
    people = mill.open_season()
    mill.draw()
    mill.member("Una", "umpire")
    mill.member("Sven", "scorekeeper")
    una, sven = mill.signed_in("una"), mill.signed_in("sven")
    page = una.get(mill.at("/run"))
    page = una.send(page.form("Take them off"), person=people[0], points="2", why="came late")
    assert "The penalty is saved" in page.text
    assert sven.get(mill.at("/run")).status == 403
    assert "Type in a result" in sven.get(mill.at("/tables/1")).text
    assert "Type in a result" not in una.get(mill.at("/tables/1")).text


def test_every_writing_needs_the_form_of_a_page(mill):
    olga = mill.signed_in()
    answer = olga.client.post(f"{mill.path}/settings", data={"name": "Other", "key": key()})
    assert answer.status_code == 403
    assert mill.club.name == "The Mill"


def test_settings_are_kept_and_shown_again(mill):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/settings").form("Save the settings")
    olga.send(form, name="The Old Mill", public="yes", correction_days="3")
    settings = mill.club.settings
    assert (mill.club.name, settings.public, settings.correction_days) == ("The Old Mill", True, 3)
    again = olga.get(f"{mill.path}/settings").form("Save the settings").fields
    assert (again["public"], again["correction_days"]) == ("yes", "3")


def test_a_league_names_its_games(mill):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/leagues/new").form("Start the league")
    assert "Choose at least one game" in olga.send(form, name="Summer").text
    page = olga.send(form, name="Summer", **{"game.making_profit": "yes"})
    assert "How is the season played?" in page.text
    assert mill.club.leagues["2"].rulesets == ("making_profit",)
    page = olga.press(f"{mill.path}/leagues/new", "Start the league", name="Summer", **{"game.making_profit": "yes"})
    assert "There is already a league “Summer”" in page.text


@pytest.mark.parametrize("kind", ["free", "rounds", "heats", "divisions", "swiss"])
def test_a_season_of_each_kind_opens_with_what_works_for_most(mill, kind):
    olga = mill.signed_in()
    page = olga.get(f"{mill.path}/leagues/1/seasons/new", kind=kind)
    page = olga.send(page.form("Open the season"), name="Autumn 2026")
    assert ("No one has entered this season yet" if kind != "divisions" else "Division 2 0 of 7") in page.text
    assert mill.season.format.kind == kind
    assert "No one has entered this season yet" in olga.get(mill.at()).text


@pytest.mark.parametrize(
    ("field", "sent", "message"),
    [
        ("name", " ", "Give the season a name"),
        ("worth.4", "10-6-3", "Enter 4 whole numbers"),
        ("worth.4", "1-6-3-10", "a worse place is worth more than a better one"),
        ("rounds", "many", "Enter a whole number"),
        ("rounds", "99", "a season has up to 60 rounds, not 99"),
        ("best", "0", "at least 1 result of each person counts"),
        ("withdrawn", "shrug", "Choose one of these"),
    ],
)
def test_what_is_wrong_with_a_format_stands_beside_its_field(mill, field, sent, message):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/leagues/1/seasons/new", kind="rounds").form("Open the season")
    page = olga.send(form, **{"name": "Autumn", field: sent})
    assert page.status == 422
    assert message.lower() in page.text.lower()
    assert mill.club.seasons == {}
    assert page.form("Open the season").fields.get(field) == (sent if field != "withdrawn" else None)


def test_public_club_links_have_previews_and_private_ones_none(book, app, visitor):
    mill = ClubAtHand(book, app, public=True)
    mill.open_season()
    html = visitor.get(mill.at()).html
    assert re.search(r'<meta property="og:title" content="Autumn – The Mill">', html)
    settings = mill.club.settings.__class__(public=False)
    clubs.write(book, mill.id, ChangeClubSettings(settings), by=mill.olga, key=key())
    assert "og:title" not in mill.signed_in().get(mill.at()).html


def test_public_game_links_have_names_and_private_ones_none(open_game, visitor):
    public: Opened = open_game(title="The final", public=True)
    private: Opened = open_game(title="Our secret")
    html = visitor.get(public.path, step=0).html
    assert '<meta property="og:title" content="The final">' in html
    assert "step=" not in html.split("og:url")[1].split(">")[0]
    assert "og:title" not in private.visitor().get(private.path).html


def test_an_organiser_takes_all_entries_away_and_nobody_else(book, app):
    club = ClubAtHand(book, app, public=True)
    club.member("Mia")
    page = club.signed_in().get(f"{club.path}/settings")
    to = page.link("Download the club’s entries")
    answer = club.signed_in().client.get(to)
    assert answer.status_code == 200 and f"{club.id}.daybook" in answer.headers["Content-Disposition"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert verify_file(io.BytesIO(answer.data)).seal == club.club.seal
    assert club.signed_in("mia").client.get(to).status_code == 403
    assert Visitor(app).client.get(to).status_code == 403
