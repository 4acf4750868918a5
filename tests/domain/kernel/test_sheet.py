"""Component sheets: parsed, hashed, corrected."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.sheet import (
    InvalidSheetError,
    compared_with_box,
    differences,
    digest,
    faults,
    key_of,
    overridden,
    parse,
    takes,
)
from daybook.services.store.printed_sheets import printed_sheet

TEXT = """
[cards.oak]
cost = { value = 3, tag = "text", where = "L84", rule = "SM-2" }
points = { value = [1, 2], tag = "assumed", where = "not seen" }
[mill]
name = { value = "Sawmill", tag = "public", where = "the cover" }
yields = { value = { wood = 1 }, tag = "example", where = "L9" }
"""


def sheet():
    return parse("sawmill", TEXT)


def test_numbers_are_found_by_path():
    assert sheet()["cards.oak.cost"] == 3
    assert sheet().under("cards") == {"oak.cost": 3, "oak.points": [1, 2]}
    assert sheet().numbers["cards.oak.cost"].rule == "SM-2"


class Seats(msgspec.Struct):
    seats_logs: int
    cards_rows: dict[str, dict[str, Any]]
    cards_most: int
    cards_oak_points: tuple[int, ...]
    given: str


def test_numbers_are_read_into_a_type_by_their_paths():
    """Rows that are called as something else of the sheet would be do not hide it."""
    numbers = """
        cards.most = { value = 9, tag = "text", where = "" }
        cards.rows.cost = { value = 1, tag = "box", where = "" }
        cards.oak_points.cost = { value = 2, tag = "box", where = "" }
        seats.2.logs = { value = 5, tag = "text", where = "" }
        seats.3.logs = { value = 7, tag = "text", where = "" }"""
    read = parse("sawmill", numbers + TEXT).typed(Seats, {"given": "yes"}, seats="3")
    rows = {"rows": {"cost": 1}, "oak_points": {"cost": 2}, "oak": {"cost": 3, "points": [1, 2]}}
    assert read == Seats(7, rows, 9, (1, 2), "yes")
    with pytest.raises(msgspec.ValidationError, match="seats_logs"):
        sheet().typed(Seats)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_two_numbers_of_a_game_are_called_alike_in_its_type(ruleset):
    numbers = printed_sheet(ruleset).numbers
    assert len({path.replace(".", "_") for path in numbers}) == len(numbers)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cost = 3", "cost: a number needs its source"),
        ("cost = [", "not TOML"),
        ('cost = { value = 3, tag = "guessed", where = "" }', "cost: .*guessed"),
        ('cost = { value = 3, tag = "text" }', "cost: .*where"),
        ('cost = { tag = "text", where = "" }', "cost: .*value"),
        ('cost = { value = 3, tag = "text", where = "", page = 2 }', "cost: .*page"),
    ],
)
def test_a_bad_sheet_is_refused(text, message):
    with pytest.raises(InvalidSheetError, match=message):
        parse("sawmill", text)


def test_the_digest_is_of_the_values_alone():
    other = parse("sawmill", TEXT.replace("L84", "L85").replace('"text"', '"box"'))
    assert other.digest() == sheet().digest() == digest("sawmill", sheet().values())


def test_the_digest_does_not_depend_on_the_order():
    first, second = TEXT.split("[mill]")
    assert parse("sawmill", "[mill]" + second + first).digest() == sheet().digest()


@pytest.mark.parametrize("second", [parse("sawpit", TEXT), parse("sawmill", TEXT.replace("= 3", "= 4"))])
def test_another_game_or_value_has_another_digest(second):
    assert second.digest() != sheet().digest()


def test_a_correction_says_that_it_comes_from_the_box():
    number = overridden(sheet(), {"cards.oak.cost": 4}).numbers["cards.oak.cost"]
    assert (number.value, number.tag, number.rule) == (4, "box", "SM-2")


def test_a_correction_to_the_same_value_changes_nothing():
    assert overridden(sheet(), {"cards.oak.cost": 3}) == sheet()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("cards.elm.cost", 3),
        ("cards.oak.cost", "three"),
        ("cards.oak.cost", True),
        ("cards.oak.cost", 3.0),
        ("cards.oak.points", ["one"]),
        ("mill.yields", {"wood": "one"}),
        ("mill.name", 1),
        ("cards.oak.points", [1] * 201),
        ("mill.yields", dict.fromkeys(map(str, range(201)), 1)),
        ("mill.name", "x" * 201),
    ],
)
def test_a_correction_of_another_kind_or_of_no_end_is_refused(path, value):
    with pytest.raises(InvalidSheetError, match=path):
        overridden(sheet(), {path: value})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("cards.oak.points", [1] * 200),
        ("mill.yields", dict.fromkeys(map(str, range(200)), 1)),
        ("mill.name", "x" * 200),
    ],
)
def test_a_correction_is_as_long_as_two_hundred(path, value):
    assert overridden(sheet(), {path: value})[path] == value


# --- rows that a group adds ---

OPEN = (
    TEXT
    + """
[additions.cards]
most = 2
rule = "SM-2"
row = { name = "", cost = 1, yields = [] }
[cards.unknown]
name = { value = "Unknown", tag = "assumed", where = "not seen" }
cost = { value = 1, tag = "assumed", where = "not seen" }
"""
)


def open_sheet():
    return parse("sawmill", OPEN)


def test_what_a_sheet_takes_is_no_number_of_it():
    assert set(open_sheet().numbers) == set(sheet().numbers) | {"cards.unknown.name", "cards.unknown.cost"}
    assert open_sheet().rows("cards") == ["oak", "unknown"]
    assert sheet().additions == {}


def test_an_added_row_holds_every_column_and_comes_from_the_box():
    more = overridden(open_sheet(), {"cards.old_elm.name": "Old Elm", "cards.old_elm.cost": 4}, "our box")
    assert more.under("cards.old_elm") == {"name": "Old Elm", "cost": 4, "yields": []}
    assert (more.numbers["cards.old_elm.yields"].tag, more.numbers["cards.old_elm.yields"].where) == ("box", "our box")
    assert more.numbers["cards.old_elm.cost"].rule == "SM-2"
    assert differences(more, open_sheet()) == {
        f"cards.old_elm.{key}": value for key, value in {"name": "Old Elm", "cost": 4, "yields": []}.items()
    }
    assert more.digest() != open_sheet().digest()
    assert overridden(open_sheet(), differences(more, open_sheet())).digest() == more.digest()


def test_a_row_of_the_sheet_can_be_called_by_its_name_in_the_box():
    assert overridden(open_sheet(), {"cards.unknown.name": "Old Elm"})["cards.unknown.name"] == "Old Elm"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Corn Riots", "corn_riots"),
        ("  War—on the Continent! ", "war_on_the_continent"),
        ("Ökonomie", "ökonomie"),
        ("곡물 폭동", "곡물_폭동"),
        ("…", ""),
        ("a/b.c[0]", "a_b_c_0"),
        ("Ｆｕｌｌ", "full"),
    ],
)
def test_what_a_row_is_called_in_paths(name, key):
    assert key_of(name) == key


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"cards.elm.cost": 4}, "cards.elm.name: what is added needs a name"),
        ({"cards.elm.name": ""}, "cards.elm.name: a name has letters or digits"),
        ({"cards.elm.name": "…"}, "a name has letters or digits"),
        ({"cards.elm.name": "E" * 41}, "at most 40 characters, not 41"),
        ({"cards.elm.name": "El\u202em"}, "visible characters"),
        ({"cards.elm.name": " Elm"}, "cannot be seen"),
        ({"cards.elm.name": "Elm tree"}, "Elm tree belongs under elm_tree, not elm"),
        ({"cards.oak.name": "Oak"}, "cards.oak.name: the sheet of sawmill has no such number"),
        ({"cards.elm.height": 4}, "no such number"),
        ({"cards.elm.bark.cost": 4}, "no such number|has a name"),
        ({"mill.elm.cost": 4}, "no such number"),
        ({"cards..cost": 4}, "no such number"),
        ({"cards.elm.name": "Elm", "cards.elm.cost": "4"}, "cards.elm.cost: a whole number, not '4'"),
        ({"cards.elm.name": "Elm", "cards.elm.cost": -4}, "cards.elm.cost: a number from 0 to 1000000, not -4"),
        ({"cards.unknown.name": "Oak"}, "there is already one called Oak"),
        ({"cards.unknown.name": "Elm", "cards.elm.name": "Elm"}, "there is already one called Elm"),
        ({f"cards.{key}.name": key for key in ("elm", "fir", "ash")}, "cards.ash.name: at most 2 can be added"),
        ({"cards.elm.name": "Elm", "cards.elm.yields": [{"wood": {"deep": 1}}]}, "a list of at most"),
        ({"cards.elm.name": "Elm", "cards.elm.yields": [[[1]]]}, "a list of at most"),
        ({"cards.elm.name": "Elm", "cards.elm.yields": [1.5]}, "a list of at most"),
        ({"cards.elm.name": "Elm", "cards.elm.yields": [1] * 201}, "a list of at most"),
        ({"cards.elm.name": "Elm", "cards.elm.yields": [dict.fromkeys(map(str, range(201)), 1)]}, "a list of at most"),
        ({"cards.elm.name": "Elm", "cards.elm.yields": ["x" * 201]}, "a list of at most"),
        ({"mill.name": "x" * 201}, "a text of at most"),
        ({"mill.name": "a\nb"}, "a text of at most"),
    ],
)
def test_a_row_that_cannot_be_added(overrides, message):
    with pytest.raises(InvalidSheetError, match=message):
        overridden(open_sheet(), overrides)


@pytest.mark.parametrize("value", [[1] * 200, ["x" * 200], [dict.fromkeys(map(str, range(200)), 1)]])
def test_added_row_lists_hold_two_hundred_items_and_characters(value):
    whole = overridden(open_sheet(), {"cards.elm.name": "Elm", "cards.elm.yields": value})
    assert whole["cards.elm.yields"] == value


def test_every_fault_is_named_once():
    wrong = list(
        faults(
            open_sheet(),
            {"cards.oak.cost": "x", "cards.elm.cost": 1, "cards.fir.name": "…", "mill.name": 1, "mill.gold": 2},
        )
    )
    assert sorted(fault.path for fault in wrong) == [
        "cards.elm.name",
        "cards.fir.name",
        "cards.oak.cost",
        "mill.gold",
        "mill.name",
    ]


def test_what_a_sheet_could_have():
    assert takes(open_sheet(), "cards.oak.cost")
    assert takes(open_sheet(), "cards.elm.yields")
    assert not takes(open_sheet(), "cards.oak.yields")
    assert not takes(sheet(), "cards.elm.cost")


@pytest.mark.parametrize("additions", ["additions = 1", "[additions.cards]\nmost = 2", "[additions]\ncards = 3"])
def test_a_bad_declaration_is_refused(additions):
    with pytest.raises(InvalidSheetError, match="additions"):
        parse("sawmill", additions)


def test_after_a_group_compared_everything_nothing_is_assumed():
    whole = compared_with_box(sheet(), "our box")
    assert [(path, number.tag, number.where) for path, number in whole.numbers.items() if number.tag == "box"] == [
        ("cards.oak.points", "box", "our box")
    ]
    assert whole.digest() == sheet().digest()
