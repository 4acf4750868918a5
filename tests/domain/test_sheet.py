"""Component sheets: parsed, hashed, corrected."""

from __future__ import annotations

import pytest

from domain.sheet import BadSheet, digest, overridden, parse

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


@pytest.mark.parametrize(("text", "says"), [
    ("cost = 3", "cost: a number needs its source"),
    ("cost = [", "not TOML"),
    ('cost = { value = 3, tag = "guessed", where = "" }', "cost: .*guessed"),
    ('cost = { value = 3, tag = "text" }', "cost: .*where"),
    ('cost = { tag = "text", where = "" }', "cost: .*value"),
    ('cost = { value = 3, tag = "text", where = "", page = 2 }', "cost: .*page"),
])
def test_a_bad_sheet_is_refused(text, says):
    with pytest.raises(BadSheet, match=says):
        parse("sawmill", text)


def test_the_digest_is_of_the_values_alone():
    other = parse("sawmill", TEXT.replace("L84", "L85").replace('"text"', '"box"'))
    assert other.digest() == sheet().digest() == digest("sawmill", sheet().values())


def test_the_digest_does_not_depend_on_the_order():
    first, second = TEXT.split("[mill]")
    assert parse("sawmill", "[mill]" + second + first).digest() == sheet().digest()


@pytest.mark.parametrize("other", [
    parse("sawpit", TEXT), parse("sawmill", TEXT.replace("= 3", "= 4")),
])
def test_another_game_or_value_has_another_digest(other):
    assert other.digest() != sheet().digest()


def test_a_correction_says_that_it_comes_from_the_box():
    number = overridden(sheet(), {"cards.oak.cost": 4}).numbers["cards.oak.cost"]
    assert (number.value, number.tag, number.rule) == (4, "box", "SM-2")


def test_a_correction_to_the_same_value_changes_nothing():
    assert overridden(sheet(), {"cards.oak.cost": 3}) == sheet()


@pytest.mark.parametrize(("path", "value"), [
    ("cards.elm.cost", 3), ("cards.oak.cost", "three"), ("cards.oak.cost", True), ("cards.oak.cost", 3.0),
    ("cards.oak.points", ["one"]), ("mill.yields", {"wood": "one"}), ("mill.name", 1),
])
def test_a_correction_of_another_kind_is_refused(path, value):
    with pytest.raises(BadSheet, match=path):
        overridden(sheet(), {path: value})
