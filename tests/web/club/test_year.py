"""The year in review: its page, its picture, its address for programs, and its readers."""

from __future__ import annotations

import pytest

from daybook.domain.league.club_commands import ChangeClubSettings, EnterResult
from daybook.domain.league.club_events import BESIDE, ClubSettings
from daybook.domain.league.results import Placed, PlayDetails
from daybook.services.clock import now
from daybook.services.league import clubs, year_reviews
from daybook.services.people import accounts
from daybook.web.boards import cards
from daybook.web.club import year
from tests.played import key, update_results
from tests.web.api.conftest import Caller
from tests.web.conftest import Visitor

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def anna(mill):
    return mill.member("Anna")


def log(mill, *people, game="Azul", day="2025-05-02", **details):
    placed = tuple(Placed(person, None, place) for place, person in enumerate(people, 1))
    command = EnterResult(BESIDE, f":{game}", placed, ended_at=f"{day}T10:00:00.000Z", details=PlayDetails(**details))
    clubs.write(mill.book, mill.id, command, by=mill.olga, key=key())


def count(mill):
    update_results(mill.book)
    year_reviews.review_club(mill.book, mill.id)


@pytest.mark.both_databases
def test_year_page_shows_figures_of_club_and_person(mill, anna):
    for day in ("2025-05-02", "2025-05-03"):
        log(mill, anna, mill.olga, day=day, place="Anna's", minutes=60)
    log(mill, mill.olga, anna, game="Pandemic", cooperative=True)
    count(mill)
    olga = mill.signed_in()
    page = olga.get(olga.get(mill.path).link("2025 in review"))
    assert page.status == 200 and "2025 in review" in page.text
    for said in ("Plays 3", "Games 2 2 new", "People 2", "Hours 2 2 plays", "Won together 1 of 1", "Azul 2 plays"):
        assert said in page.text, said
    assert "Longest run of wins 2 Anna, 2 May 2025 to 3 May 2025" in page.text
    assert "Where you met most Anna's 2 plays" in page.text and "so far" not in page.text
    page = olga.get(olga.get(f"{mill.path}/people/{anna}").link("2025 in review"))
    for said in ("Played with 1", "Won 2 of 2", "Best place Anna's 2 won of 2 plays", "Most played with Olga 3"):
        assert said in page.text, said


def test_current_year_says_that_it_is_not_over(mill, anna):
    log(mill, anna, mill.olga, day=now()[:10])
    count(mill)
    assert "The year is not over" in mill.signed_in().get(f"{mill.path}/years/{now()[:4]}").text


def test_empty_year_says_what_to_do(mill, anna):
    olga = mill.signed_in()
    update_results(mill.book)
    assert "Reload the page in a moment" in olga.get(f"{mill.path}/years/2024").text
    log(mill, anna, mill.olga)
    count(mill)
    page = olga.get(f"{mill.path}/years/2024")
    assert "The club finished no play in 2024" in page.text
    assert olga.get(page.link("2025")).status == 200 and olga.get(page.link("Log a play")).status == 200
    assert "Anna finished no play of the club in 2024" in olga.get(f"{mill.path}/people/{anna}/years/2024").text
    assert olga.get(f"{mill.path}/years/2024.png").status == 404


@pytest.mark.parametrize(
    "year", ["0", "0000", "99999", "-1", "abcd", "2025x", "２０２５", "9" * 400, "2025.5", "02025", "02025" + "0" * 400]
)
def test_invalid_years_are_not_found(mill, anna, year):
    olga = mill.signed_in()
    for path in (f"{mill.path}/years/{year}", f"{mill.path}/people/{anna}/years/{year}"):
        assert olga.get(path).status == 404 and olga.get(f"{path}.png").status == 404


def test_picture_and_page_are_as_private_as_the_club(mill, anna):
    log(mill, anna, mill.olga, place="12 Mill Street")
    count(mill)
    olga, stranger = mill.signed_in(), Visitor(mill.app)
    paths = [f"{mill.path}/years/2025", f"{mill.path}/people/{anna}/years/2025"]
    for path in paths:
        answer = olga.client.get(f"{path}.png")
        assert answer.data.startswith(b"\x89PNG") and "no-store" in answer.headers["Cache-Control"]
        assert stranger.get(path).status in (401, 403, 404) and stranger.get(f"{path}.png").status in (401, 403, 404)
    mill.by_olga(ChangeClubSettings(ClubSettings(public=True)))
    for path in paths:
        answer = stranger.client.get(f"{path}.png")
        assert answer.status_code == 200 and answer.headers["Cache-Control"].startswith("public")
        assert "Mill Street" not in stranger.get(path).text
        assert f'{path}.png"' in stranger.client.get(path).text, "the preview of a link"


@pytest.mark.parametrize("has_font", [False, True])
def test_picture_is_korean_if_the_machine_can_draw_it(mill, anna, monkeypatch, has_font):
    log(mill, anna, mill.olga)
    count(mill)
    drawn = list[str]()
    monkeypatch.setattr(year, "draws_hangul", lambda: has_font)
    monkeypatch.setattr(cards, "render_png", lambda svg: drawn.append(svg) or b"png")
    olga = mill.signed_in()
    olga.post("/preferences", language="ko")
    path = f"{mill.path}/years/2025"
    assert (f"{path}.png?language=ko" in olga.get(path).html) == has_font
    olga.client.get(f"{path}.png?language=ko")
    assert ("플레이" in drawn[-1]) == has_font
    assert olga.client.get(f"{path}.png").status_code == 200 and "Plays" in drawn[-1 if has_font else 0]


def test_years_of_a_club_over_the_api(mill, anna, app):
    log(mill, anna, mill.olga, place="12 Mill Street")
    log(mill, anna, mill.olga, day="2024-12-31")
    count(mill)
    caller, member = Caller(app.test_client()), accounts.make_key(mill.book, anna, "script")
    where = f"/clubs/{mill.id}/years"
    assert caller.get(where, member).json == {"years": ["2025", "2024"], "current": True}
    shown = caller.get(f"{where}/2025", member).json
    assert (shown["review"]["plays"], shown["over"]) == (1, True)
    assert shown["names"] == {anna: "Anna", mill.olga: "Olga"} and shown["review"]["place"]["key"] == "12 Mill Street"
    assert caller.get(f"{where}/2025", member, person=anna).json["review"]["wins"] == 1.0
    assert caller.get(f"{where}/2023", member).json["error"]["code"] == "unknown_year"
    assert caller.get(where, member, person="nobody").json["error"]["code"] == "unknown_person"
    assert caller.get(where).status_code in (401, 403)
