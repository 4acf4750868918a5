"""The pages of challenges, and their addresses for programs."""

from __future__ import annotations

import pytest

from daybook.domain.league.club_commands import EnterResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.services.clock import now
from daybook.services.league import clubs
from daybook.services.people import accounts
from tests.played import key, update_results
from tests.web.api.conftest import Caller
from tests.web.conftest import Visitor

pytestmark = pytest.mark.sqlite_suffices
YEAR = now()[:4]


@pytest.fixture
def anna(mill):
    return mill.member("Anna")


def log(mill, game, *people):
    placed = tuple(Placed(person, None, place) for place, person in enumerate(people, 1))
    command = EnterResult(BESIDE, f":{game}", placed, ended_at=f"{YEAR}-01-02T10:00:00.000Z")
    clubs.write(mill.book, mill.id, command, by=mill.olga, key=key())
    update_results(mill.book)


def test_member_sets_a_challenge_and_gives_it_up(mill, anna):
    visitor = mill.signed_in("anna")
    page = visitor.get(visitor.get(visitor.get(mill.path).link("Challenges")).link("Set a challenge"))
    assert "for the club" not in page.text
    page = visitor.send(page.form("Set the challenge"), kind="shelf", games="Azul\nGo\nHive", year=YEAR)
    assert f"{YEAR}: 3 games on the shelf, once each" in page.text and "0 of 3" in page.text
    log(mill, "Azul", anna, mill.olga)
    person = visitor.get(f"{mill.path}/people/{anna}")
    assert "1 of 3" in person.text
    page = visitor.get(person.link(f"{YEAR}: 3 games on the shelf, once each"))
    assert "Missing Go · Hive" in page.text and "Counts Azul 1" in page.text
    page = visitor.send(page.form("Give it up"))
    assert "given up" in page.text and "Give it up" not in page.text
    assert "1 of 3 · given up" in visitor.get(f"{mill.path}/challenges").text
    assert "1 of 3" not in visitor.get(f"{mill.path}/people/{anna}").text


def test_organiser_sets_a_challenge_of_the_club(mill, anna):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/challenges/new").form("Set the challenge")
    page = olga.send(form, kind="repeated_games", goal="10", plays_per_game="10", year=YEAR, whose="club")
    assert f"{YEAR}: 10 games, 10 times each" in page.text and "0 of 100" in page.text
    assert "0 of 100" in olga.get(mill.path).text
    member = mill.signed_in("anna")
    page = member.get(f"{mill.path}/challenges/1")
    assert page.status == 200 and "Give it up" not in page.text


def test_challenge_pages_refuse_invalid_input(mill, anna):
    olga = mill.signed_in()
    form = olga.get(f"{mill.path}/challenges/new").form("Set the challenge")
    assert olga.send(form, kind="plays", goal="0").status == 422
    assert olga.send(form, kind="plays", goal="x" * 9).status == 422
    assert olga.send(form, kind="other").status == 400 and olga.send(form, kind="plays", year="12345").status == 400
    assert olga.get(f"{mill.path}/challenges/9").status == 404
    for path in ("", "/new", "/1"):
        assert Visitor(mill.app).get(f"{mill.path}/challenges{path}").status in (401, 403, 404)
    assert not mill.club.challenges


def test_challenges_are_set_and_followed_over_the_api(mill, anna, app):
    caller, member = Caller(app.test_client()), accounts.make_key(mill.book, anna, "script", scope="organise")
    where = f"/clubs/{mill.id}/challenges"
    sent = {"kind": "plays", "goal": 2, "year": YEAR}
    assert caller.post(where, sent, member).status_code == 201
    assert caller.post(where, {**sent, "for_club": True}, member).json["error"]["code"] == "role_missing"
    log(mill, "Azul", anna, mill.olga)
    (challenge,) = caller.get(where, member).json["challenges"]
    assert (challenge["person"], challenge["until"]) == (anna, f"{YEAR}-12-31")
    assert caller.post(where, sent, member).status_code == 201
    page = caller.get(where, member, limit=1).json
    assert [challenge["id"] for challenge in page["challenges"]] == ["2"]
    assert caller.get(where, member, limit=1, after="2").json["challenges"][0]["id"] == "1"
    assert page["next"] and caller.get(where, member, after="1").json == {"challenges": [], "next": None}
    shown = caller.get(f"{where}/1", member).json
    assert (shown["done"], shown["goal"], shown["state"]) == (1, 2, "running")
    assert caller.get(f"{where}/7", member).json["error"]["code"] == "unknown_challenge"
    assert caller.post(f"{where}/1/give-up", {}, member).status_code == 201
    assert caller.get(f"{where}/1", member).json["state"] == "given_up"


def test_shelf_of_a_program_names_games_in_any_spelling(mill, anna, app):
    log(mill, "Azul", anna, mill.olga)
    caller, member = Caller(app.test_client()), accounts.make_key(mill.book, anna, "script")
    shelf = {"kind": "shelf", "games": ["azul", "AZUL", ":Azul", "Making Profit", "unknown rules"], "year": YEAR}
    assert caller.post(f"/clubs/{mill.id}/challenges", shelf, member).status_code == 201
    shown = caller.get(f"/clubs/{mill.id}/challenges/1", member).json
    assert shown["challenge"]["games"] == [":Azul", "making_profit", ":unknown rules"]
    assert (shown["done"], shown["goal"]) == (1, 3)
