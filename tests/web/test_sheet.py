"""The component sheet: every number with its source, corrected sheets, and what each game was played with."""

from __future__ import annotations

import json
import re

import pytest

from domain.games import RULESETS
from services.daybook import Daybook
from services.printed import printed
from tests.web.conftest import Form, Opened, Visitor
from web.words import SOURCES

GAME = "making_profit"


@pytest.fixture
def form(visitor: Visitor) -> Form:
    return visitor.get(f"/sheets/{GAME}").form("Publish")


@pytest.mark.parametrize("game", RULESETS)
def test_every_number_stands_with_its_value_source_and_rule(visitor: Visitor, game: str) -> None:
    page = visitor.get(f"/sheets/{game}")
    sheet = printed(game)
    fields = page.form("Publish").fields
    assert set(sheet.numbers) <= set(fields)
    for number in sheet.numbers.values():
        assert number.where in page.text
        assert number.rule in page.text
    for tag in {number.tag for number in sheet.numbers.values()}:
        count = sum(number.tag == tag for number in sheet.numbers.values())
        assert f"{tag} {SOURCES[tag]}: {count}" in page.text


def test_a_corrected_sheet_is_published_and_shown_with_its_differences(visitor, form, book) -> None:
    page = visitor.send(form, **{
        "name": "Second printing", "start.money": "5", "factories.colours": "red, blue, green, yellow, black, pink"})
    assert "The sheet is published" in page.text
    (published,) = book.sheets.list(GAME)
    assert published.overrides == {
        "start.money": 5, "factories.colours": ["red", "blue", "green", "yellow", "black", "pink"]}
    assert "Second printing" in page.text
    assert "Money at the start: 0 5" in page.text
    assert page.form("Publish").fields["start.money"] == "5", "the page shows the new sheet"
    assert "box Second printing" in page.text


@pytest.mark.parametrize(("fields", "says"), [
    ({"name": "x", "start.money": "five"}, "write a whole number, not five"),
    ({"name": "x", "start.money": ""}, "write a whole number"),
    ({"name": "x", "start.money": "1.5"}, "write a whole number, not 1.5"),
    ({"name": "x", "start.money": "٣"}, "write a whole number"),
    ({"name": " ", "start.money": "5"}, "a sheet has a name"),
    ({"name": "y" * 121, "start.money": "5"}, "a sheet has a name"),
    ({"name": "x"}, "every number is as on the sheet that Daybook comes with"),
])
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_published(visitor, form, book, fields, says) -> None:
    page = visitor.send(form, **fields)
    assert page.status == 422
    assert says in page.text
    assert fields.items() <= page.form("Publish").fields.items()
    assert book.sheets.list(GAME) == []


def test_sheets_that_are_not_here_are_not_found(visitor: Visitor) -> None:
    assert visitor.get("/sheets/chess").status == 404
    assert visitor.get(f"/sheets/{GAME}", hash="0" * 64).status == 404


def test_a_record_says_what_it_was_played_with(friday: Opened) -> None:
    text = friday.visitor().get(f"{friday.path}/about").text
    assert "Making Profit, revision 1 of the rules" in text
    assert f"as Daybook knows them {printed(GAME).digest()[:12]}" in text
    assert "Hands open: every card drawn is written down" in text
    assert "live, at the table, by the scorekeeper" in text
    assert "7: 7 decisions, 0 struck out" in text


def test_a_record_shows_its_seal_as_a_code_that_a_phone_can_keep(friday: Opened) -> None:
    page = friday.visitor().get(f"{friday.path}/about")
    seal = friday.game.seal
    assert f"{seal[:4]} {seal[4:8]} {seal[8:12]} {seal[12:16]}" in page.text
    assert f'data-seal="7.{seal}"' in page.html
    assert page.html.count("<svg aria-hidden") == 1


def test_a_photographed_seal_is_compared(page, served, friday: Opened) -> None:
    page.goto(f"{served}/join#{friday.key('reader')}")
    page.wait_for_url("**/games/*")
    page.goto(f"{served}{friday.path}/about#7.{friday.game.seal}")
    page.get_by_text("is the one in this record").wait_for()
    page.goto("about:blank")
    page.goto(f"{served}{friday.path}/about#7.{'0' * 64}")
    page.get_by_text("is not the newest one here").wait_for()


def test_the_record_is_downloaded_whole_by_who_sees_everything(friday: Opened) -> None:
    page = friday.visitor().get(f"{friday.path}/about")
    keeper = friday.visitor()
    answer = keeper.client.get(page.link("Download the record"))
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"] == 'attachment; filename="friday.daybook"'
    lines = answer.data.splitlines()
    assert len(lines) == 9
    assert json.loads(lines[-1])["seal"] == friday.game.seal


def test_while_hands_are_covered_a_reader_gets_no_record(friday: Opened) -> None:
    for role, seat in (("reader", None), ("seat", 1)):
        somebody = friday.visitor(role, seat)
        assert "It can be downloaded when the game is closed" in somebody.get(f"{friday.path}/about").text
        assert somebody.get(f"{friday.path}/export").status == 403


def test_a_published_sheet_stands_in_the_order_of_the_box(visitor: Visitor, book: Daybook) -> None:
    hash = book.sheets.publish(GAME, "Second printing", {"start.money": 5}, "scorekeeper")

    def labels(**query: str) -> list[str]:
        return re.findall(r'<label for="([^"]+\.[^"]+)"', visitor.get(f"/sheets/{GAME}", **query).html)

    assert labels(hash=hash) == labels()
