"""Component sheets: published once, found by what they say, never changed."""

from __future__ import annotations

import pytest

from domain.sheet import BadSheet
from services.daybook import Daybook
from services.sheets import UnknownSheet

GAME = "making_profit"


def test_the_sheet_a_game_comes_with(book: Daybook) -> None:
    printed = book.sheets.printed(GAME)
    assert printed["certificates.each_colour"] == 10
    assert all(number.where for number in printed.numbers.values())
    assert book.sheets.get(GAME, printed.digest()) is printed


def test_a_corrected_sheet_is_found_by_its_hash(book: Daybook) -> None:
    hash = book.sheets.publish(GAME, "second printing", {"start.money": 3, "turn.actions": 2}, "scorekeeper")
    sheet = book.sheets.get(GAME, hash)
    assert sheet.digest() == hash
    assert sheet["start.money"] == 3
    assert (sheet.numbers["start.money"].tag, sheet.numbers["start.money"].where) == ("box", "second printing")
    assert [(one.hash, one.name, one.overrides) for one in book.sheets.list(GAME)] == [
        (hash, "second printing", {"start.money": 3})]
    assert book.sheets.list("another_game") == []


def test_the_same_numbers_are_the_same_sheet(book: Daybook) -> None:
    once = book.sheets.publish(GAME, "ours", {"start.money": 3}, "Anna")
    again = book.sheets.publish(GAME, "theirs", {"start.money": 3}, "Bo")
    assert once == again
    assert [one.name for one in book.sheets.list(GAME)] == ["ours"]


@pytest.mark.parametrize(("name", "overrides"), [
    ("x", {}), ("x", {"start.money": 0}), ("x", {"start.cash": 1}), ("x", {"start.money": "much"}),
    ("x", {"start.money": True}), (" ", {"start.money": 3}), ("x" * 121, {"start.money": 3}),
    ("x\x00", {"start.money": 3}),
])
def test_no_sheet(book: Daybook, name: str, overrides: dict[str, object]) -> None:
    with pytest.raises(BadSheet):
        book.sheets.publish(GAME, name, overrides, "Anna")
    assert book.sheets.list(GAME) == []


def test_an_unknown_hash(book: Daybook) -> None:
    with pytest.raises(UnknownSheet):
        book.sheets.get(GAME, "0" * 64)
    hash = book.sheets.publish(GAME, "ours", {"start.money": 3}, "Anna")
    with pytest.raises((UnknownSheet, ModuleNotFoundError)):
        book.sheets.get("another_game", hash)
