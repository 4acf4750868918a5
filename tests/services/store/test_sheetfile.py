"""A component sheet as a file: written whole, read back, corrected by hand; told what cannot be taken."""

from __future__ import annotations

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.sheet import InvalidSheetError, differences, overridden
from daybook.services.store.printed_sheets import printed_sheet
from daybook.services.store.sheetfile import read_sheet_file, sheet_toml

MP = printed_sheet("making_profit")
HEAD = '[sheet]\nformat = 1\ngame = "making_profit"\n'
ADDED = {
    "events.corn_riots.name": "Corn Riots",
    "events.corn_riots.effect": "pay",
    "tiles.곡물_폭동.name": "곡물 폭동",
    "tiles.곡물_폭동.copies": 2,
    "ships.8.crew": 2,
    "rulings.importer_sells_on": False,
    "seats.4.contract_track": [2, 4, 6],
}


@pytest.mark.parametrize("game", RULESETS)
def test_a_sheet_is_written_and_read_back_as_it_is(game):
    back = read_sheet_file(printed_sheet(game), sheet_toml(printed_sheet(game), "as it comes", "us").encode())
    assert (back.name, back.by, back.overrides, back.wrong) == ("as it comes", "us", {}, [])


def test_what_a_group_changed_and_added_comes_back():
    sheet = overridden(printed_sheet("water_frame"), ADDED, 'the "blue" box \\ 2019')
    text = sheet_toml(sheet, 'the "blue" box \\ 2019', "")
    back = read_sheet_file(printed_sheet("water_frame"), text.encode())
    assert back.overrides == differences(sheet, printed_sheet("water_frame"))
    assert back.name == 'the "blue" box \\ 2019'
    assert 'tag = "box", where = "the \\"blue\\" box \\\\ 2019"' in text
    assert 'crew = { value = 3, tag = "assumed"' not in text


def test_a_sheet_is_read_back_whatever_it_is_called():
    """TOML forbids control characters in its strings, DEL too; a name with any is none."""
    for name in map(chr, (*range(256), 0x2028, 0xFEFF, 0x1F3ED)):
        back = read_sheet_file(MP, sheet_toml(MP, f"a{name}b", "us").encode())
        assert (back.name, back.overrides, back.wrong) == (f"a{name}b" if name.isprintable() else "", {}, []), name


def test_handwritten_sheet_needs_no_source_and_only_differences():
    back = read_sheet_file(MP, (HEAD + "[start]\nmoney = 5\n[cards.R1]\ncopies = { value = 20 }\n").encode())
    assert (back.overrides, back.wrong) == ({"start.money": 5, "cards.R1.copies": 20}, [])


def test_a_number_that_is_a_table_is_read_as_one():
    lm = printed_sheet("london_markets")
    text = '[sheet]\nformat = 1\ngame = "london_markets"\n[box]\nheight_of_goods_piles = { 3 = 12, 4 = 9 }\n'
    assert read_sheet_file(lm, text.encode()).overrides == {"box.height_of_goods_piles": {"3": 12, "4": 9}}


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"", "does not begin as a sheet does: \\[sheet\\] format = 1"),
        (b"\xff\xfe", "not text in UTF-8"),
        (b"[sheet", "not TOML"),
        (b"sheet = 1", "does not begin"),
        (b"[sheet]\nformat = 2", "does not begin"),
        (b"[sheet]\nformat = 1", "a sheet of , not of making_profit"),
        (b'[sheet]\nformat = 1\ngame = "chess"', "a sheet of chess, not of making_profit"),
        (HEAD.encode() + b"a = " + b"[" * 5000, "not TOML|nested too deeply"),
        (HEAD.encode() + b"a = " + b"1" * 5000, "not TOML"),
        (HEAD.encode() + b"a." * 100_000 + b"a = 1", "nested too deeply"),
    ],
)
def test_what_is_no_sheet_of_this_game(file, message):
    with pytest.raises(InvalidSheetError, match=message):
        read_sheet_file(MP, file)


@pytest.mark.parametrize(
    ("line", "path", "message"),
    [
        ("[start]\ncash = 5", "start.cash", "no such number"),
        ("money = 5", "sheet.money", "no such number"),
        ("[start]\nmoney = 'much'", "start.money", "a whole number, not 'much'"),
        ("[start]\nmoney = 1.5", "start.money", "a whole number, not 1.5"),
        ("[start]\nmoney = true", "start.money", "a whole number, not True"),
        ("[start]\nmoney = -5", "start.money", "a number from 0 to 1000000, not -5"),
        ("[start]\nmoney = 2020-01-01", "start.money", "a whole number, not datetime"),
        ("[start]\nmoney = { a = 1 }", "start.money", "a whole number, not {'a': 1}"),
        ("[cards.X9]\ncopies = { value = 3, tag = 'box', where = '' }", "cards.X9.copies", "no such number"),
    ],
)
def test_a_line_that_cannot_be_taken_is_named(line, path, message):
    back = read_sheet_file(MP, (HEAD + line).encode())
    assert [fault.path for fault in back.wrong] == [path]
    assert message in str(back.wrong[0])
