"""Clubs for programs: what a person's key opens, standings with their reasons, a result typed in once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from services import accounts
from services.daybook import open_daybook
from services.settings import Settings
from tests.web.api.conftest import Caller
from tests.web.leagues import PASSWORD, ClubAtHand
from web.app import create_app


@pytest.fixture
def mill(tmp_path: Path) -> Iterator[ClubAtHand]:
    """A club in a daybook of its own."""
    book = open_daybook(Settings(data=tmp_path / "data"), create=True)
    yield ClubAtHand(book, create_app(book))
    book.close()


@pytest.fixture
def caller(mill: ClubAtHand) -> Caller:
    return Caller(mill.app.test_client())


def test_a_persons_key_opens_their_clubs_and_nobody_elses(mill, caller) -> None:
    olga = accounts.make_key(mill.book, mill.olga, "script")
    otto = accounts.make_key(mill.book, accounts.make(mill.book, "Otto", sign_in="otto", password=PASSWORD), "script")
    assert [club["roles"] for club in caller.get("/clubs", olga).json["clubs"]] == [["organiser", "member"]]
    assert caller.get("/clubs", otto).json == {"clubs": []} == caller.get("/clubs").json
    where = f"/clubs/{mill.id}"
    assert caller.get(where, olga).json["club"]["name"] == "The Mill"
    assert [caller.get(where, key).status_code for key in (otto, None, "dbk_wrong")] == [403, 401, 401]
    assert caller.get(f"/clubs/{uuid.uuid4()}", olga).json["error"]["code"] == "unknown_club"
    assert caller.get(f"{where}/seasons/9", olga).json["error"]["code"] == "unknown_season"


def test_standings_say_why(mill, caller) -> None:
    anna, ben, cleo, dora = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mill.type("1", anna, ben, cleo, dora)
    olga = accounts.make_key(mill.book, mill.olga, "script")
    where = f"/clubs/{mill.id}/seasons/1"
    told = caller.get(f"{where}/standings", olga).json
    first = told["rows"][0]
    assert (first["person"], first["place"], first["columns"]["points"]) == (anna, 1, "10")
    assert first["why"][-1] == {
        "key": "points", "says": "more points: 10 to 6", "figures": {"ours": 10, "theirs": 6}}
    assert caller.get(f"{where}/standings", olga, at="2001-01-01T00:00:00.000Z").json["rows"] == []
    assert caller.get(f"{where}/standings", olga, at="yesterday").status_code == 422
    season = caller.get(where, olga).json
    assert season["tables"][0]["result"]["marks"] == ["typed"]
    assert season["names"][anna] == "Anna"
    assert caller.get(f"/clubs/{mill.id}/ratings", olga).json["ruleset"] == ""


def test_a_result_is_typed_in_once_by_who_may(mill, caller) -> None:
    people = mill.open_season(rounds=1, table_sizes=(4,))
    mill.draw()
    mia = accounts.make_key(mill.book, mill.member("Mia"), "script")
    sven = accounts.make_key(mill.book, mill.member("Sven", "scorekeeper"), "script")
    where = f"/clubs/{mill.id}/seasons/1/results"
    body = {"ruleset": "making_profit", "table": "1", "at": mill.club.step, "placed": [
        {"person": person, "place": place} for place, person in enumerate(people, 1)]}
    assert caller.post(where, body, mia).json["error"]["code"] == "role_missing"
    once = uuid.uuid4().hex
    first, again = caller.post(where, body, sven, once), caller.post(where, body, sven, once)
    assert (first.status_code, first.json["repeated"], again.json["repeated"]) == (201, False, True)
    assert again.json["step"] == first.json["step"]
    answer = caller.post(where, body, sven)
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "moved_on")
    answer = caller.post(where, body | {"at": mill.club.step, "placed": body["placed"][:2]}, sven)
    assert answer.status_code == 422
