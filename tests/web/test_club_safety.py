"""Clubs' pages as a whole: every address of a private club is closed, every form needs its token, no form loses what
was typed into it, whatever was typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from services import accounts
from services.daybook import Daybook, open_daybook
from services.settings import Settings
from tests.web.conftest import Visitor
from tests.web.leagues import PASSWORD, ClubAtHand, key
from web.app import create_app

ROOT = "https://games.example.org/daybook"


@pytest.fixture
def mill(book: Daybook, app: Flask) -> ClubAtHand:
    return ClubAtHand(book, app)


@pytest.fixture
def olga(mill: ClubAtHand) -> Visitor:
    mill.open_season()
    mill.draw()
    return mill.signed_in()


def addresses(app: Flask, mill: ClubAtHand, method: str) -> Iterator[str]:
    """Every address below a club that takes this method, with something there is in each of its places."""
    there = {"club_id": str(mill.id), "season_id": "1", "league_id": "1", "table_id": "1", "number": 1, "kind": "csv",
             "what": "results", "person": mill.olga, "person_id": mill.olga}
    with app.test_request_context():
        for rule in app.url_map.iter_rules():
            if "club_id" in rule.arguments and method in (rule.methods or ()) and rule.arguments <= there.keys() and (
                    not rule.rule.startswith("/api/")):
                yield rule.build({name: there[name] for name in rule.arguments})[1]  # type: ignore[index]


# --- closed ----------------------------------------------------------------------------------------------------------


def test_every_address_of_a_private_club_is_closed_to_others(
    app: Flask, mill: ClubAtHand, olga: Visitor, visitor: Visitor,
) -> None:
    accounts.make(mill.book, "Otto", sign_in="otto", password=PASSWORD)
    otto, found = mill.signed_in("otto"), [*addresses(app, mill, "GET")]
    assert len(found) > 25
    for path in found:
        assert [one.client.get(path).status_code for one in (visitor, otto)] == [403, 403], path


def test_every_form_of_a_club_needs_its_token(app: Flask, mill: ClubAtHand, olga: Visitor) -> None:
    step, found = mill.club.step, [*addresses(app, mill, "POST")]
    assert len(found) > 25
    for path in found:
        answer = olga.client.post(path, data={"key": key(), "why": "because"})
        assert (answer.status_code, "This form has grown old" in answer.text) == (403, True), path
    assert mill.club.step == step


# --- what is typed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("field", "sent"), [
    ("place.0", "−1"), ("place.0", "1−"), ("score.0", "-−5"), ("score.0", "--5"), ("score.0", "١٢"), ("place.0", "²")])
def test_no_number_that_is_typed_stops_a_result(mill: ClubAtHand, olga: Visitor, field: str, sent: str) -> None:
    form = olga.get(mill.at("/tables/1")).form("Write the result down")
    fields = {f"{field.partition('.')[0]}.{seat}": str(seat + 1) for seat in range(4)} | {field: sent}
    page = olga.send(form, **fields)
    assert page.status == 422
    assert fields.items() <= page.form("Write the result down").fields.items()
    assert mill.season.tables["1"].typed is None


# --- under a path ----------------------------------------------------------------------------------------------------


def test_under_a_path_signing_in_and_the_light_lead_back_below_it(tmp_path: Path) -> None:
    book = open_daybook(Settings(data=tmp_path / "d", base_url=ROOT), create=True)
    accounts.make(book, "Olga", sign_in="olga", password=PASSWORD)
    client = create_app(book).test_client()
    answer = client.get("/daybook/me?a=%C3%A9&b=1", base_url=ROOT)
    page = client.get(answer.headers["Location"], base_url="https://games.example.org")
    assert 'name="next" value="/daybook/me?a=%C3%A9&amp;b=1"' in page.text
    token = page.text.split('name="csrf" value="')[1].split('"')[0]
    back = client.get("/daybook/clubs", base_url=ROOT).text.split('name="back" value="')[1].split('"')[0]
    light = client.post("/daybook/preferences", base_url=ROOT, data={"csrf": token, "back": back, "theme": "dark"})
    assert light.headers["Location"] == "/daybook/clubs"
    answer = client.post("/daybook/sign-in", base_url=ROOT, data={
        "csrf": token, "sign_in": "olga", "password": PASSWORD, "next": "/daybook/me?a=%C3%A9&b=1"})
    assert answer.headers["Location"] == "/daybook/me?a=%C3%A9&b=1"
    book.close()
