"""The page on which things are taken removed from the public lists, and what their owners see of it."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain.league.club_commands import ChangeClubSettings
from daybook.services.league import clubs
from daybook.services.people import accounts, operators
from daybook.services.statistics import visibility
from tests.web.conftest import Opened, Visitor
from tests.web.leagues import ClubAtHand


@pytest.fixture
def operator(friday: Opened) -> Visitor:
    """Return the operator, signed in, and the public game of Friday."""
    club = ClubAtHand(friday.book, friday.app)
    operators.name_operator(friday.book, club.olga, by="the operator")
    visibility.show_game(friday.book, friday.id, True)
    friday.update_list()
    return club.signed_in()


def take_off(operator: Visitor, what: str, why: str = "an offending title") -> int:
    return operator.send(operator.get("/operator").form_to("take-off"), what=what, why=why).status


def test_a_game_is_taken_off_and_its_owner_reads_why(friday, operator, visitor):
    assert "Public lists" in operator.get("/me").text
    assert "Friday" in visitor.get("/").text and visitor.get(friday.path).status == 200
    assert take_off(operator, f"http://localhost{friday.path}?step=2") == 200
    assert "Friday" not in visitor.get("/").text and "Friday" not in visitor.get("/?q=friday").html.split("<main")[1]
    assert visitor.get(friday.path).status == 403 and visitor.get(f"/api/v1{friday.path}").status == 401
    keeper, reader = friday.visitor(), friday.visitor("seat", 0)
    for page in ("", "/about", "/links"):
        assert "removed it from the public lists: an offending title" in keeper.get(friday.path + page).text
    assert reader.get(friday.path).status == 200 and "offending" not in reader.get(friday.path).text
    shown = keeper.client.post(f"{friday.path}/public", data={"csrf": keeper.token(), "public": "yes"})
    assert shown.status_code == 303 and friday.book.kept.public_of([friday.id]) == set()
    assert "removed the game from the public lists" in keeper.get(f"{friday.path}/links").text
    told = visitor.client.patch(
        f"/api/v1{friday.path}", json={"public": True}, headers={"Authorization": f"Bearer {friday.key('scorekeeper')}"}
    )
    assert told.status_code == 409 and told.json["error"]["code"] == "taken_off"
    assert "an offending title" in told.json["error"]["reason"]
    operator.send(operator.get("/operator").form_to("put-back"), why="it was renamed")
    assert "Friday" in visitor.get("/").text and visitor.get(friday.path).status == 200
    assert "removed it from the public lists" not in keeper.get(f"{friday.path}/about").text
    assert "it was renamed" in operator.get("/operator").text


def test_the_page_is_for_accounts_that_a_command_named(friday, operator, visitor):
    accounts.make_account(friday.book, "Eve", sign_in="eve", password="seven looms at dawn")
    visitor.press("/sign-in", "Sign in", sign_in="eve", password="seven looms at dawn")
    (olga,) = operators.operators(friday.book)
    key = accounts.make_key(friday.book, olga, "script")
    for somebody, headers in ((visitor, {}), (Visitor(friday.app), {"Authorization": f"Bearer {key}"})):
        for way in ("take-off", "put-back"):
            answer = somebody.client.post(
                f"/operator/{way}", headers=headers, data={"csrf": somebody.token(), "what": str(friday.id), "why": "x"}
            )
            assert answer.status_code in (401, 403, 404)
    assert visitor.get("/operator").status == 404 and "Public lists" not in visitor.get("/me").text
    assert friday.book.kept.public_of([friday.id]) == {friday.id}


def test_what_is_not_here_or_has_no_reason_stays_in_the_form(friday, operator):
    for what, why in (("nothing", "spam"), (str(friday.id), ""), (str(friday.id), "x" * 301)):
        assert take_off(operator, what, why) == 422
    assert friday.book.kept.public_of([friday.id]) == {friday.id}


def test_a_club_and_a_sheet_leave_the_lists(friday, operator, visitor):
    book = friday.book
    (club,) = book.clubs.all()
    (olga,) = operators.operators(book)
    clubs.write(
        book, club.id, ChangeClubSettings(msgspec.structs.replace(club.settings, public=True)), by=olga, key="public"
    )
    hash = book.sheets.publish("making_profit", "Offending numbers", {"start.money": 3}, "")
    sheets, sheet = "/sheets/making_profit", f"/sheets/making_profit?hash={hash}"
    assert "The Mill" in visitor.get("/clubs").text and "Offending" in visitor.get(sheets).text
    assert "X-Robots-Tag" not in visitor.get(f"/clubs/{club.id}").answer.headers
    assert take_off(operator, f"/clubs/{club.id}", "a name") == take_off(operator, sheet, "numbers") == 200
    assert "The Mill" not in visitor.get("/clubs").text
    assert visitor.get(f"/clubs/{club.id}").answer.headers["X-Robots-Tag"] == "noindex"
    assert "removed it from the public lists" not in visitor.get(f"/clubs/{club.id}").text
    assert "removed it from the public lists: a name" in operator.get(f"/clubs/{club.id}").text
    assert "The Mill" in operator.get("/clubs").text
    for page in (sheets, "/api/v1/rulesets/making_profit/sheets", "/new?game=making_profit"):
        assert "Offending" not in visitor.get(page).text
    assert visitor.get(sheet).status == 404
    for form in [form for form in operator.get("/operator").forms if form.action.endswith("put-back")]:
        operator.send(form, why="a mistake")
    assert "The Mill" in visitor.get("/clubs").text and visitor.get(sheet).status == 200
