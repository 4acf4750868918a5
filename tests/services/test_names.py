"""Names as anybody pastes them."""

from __future__ import annotations

import unicodedata

import pytest

from daybook.services.names import NAME_LIMIT, BadNameError, clean_name, number_namesakes, read_names, refuse_lookalikes


def test_a_pasted_list_is_read_line_by_line():
    read = read_names("Anna\r\n\n  Ben  Karl \n- Cleo\n2. Dora;\n김민지\tgoalkeeper\n   \nanna\n")
    assert read.names == ["Anna", "Ben Karl", "Cleo", "Dora", "김민지"]
    assert (read.repeated, read.blank, read.bad) == (["anna"], 2, [])


def test_lines_that_hold_no_name_are_told_by_number():
    read = read_names(f"Anna\n{'x' * (NAME_LIMIT + 1)}\nB\u202een\n")
    assert read.names == ["Anna"] and [number for number, _, _ in read.bad] == [2, 3]


def test_ten_thousand_lines_are_read():
    read = read_names("\n".join(f"Player {number}" for number in range(10_000)))
    assert len(read.names) == 10_000 and not read.bad


@pytest.mark.parametrize("name", ["김민지", "Zoë Ångström", "Nguyễn"])
def test_a_letter_is_put_together_in_one_way(name):
    apart = unicodedata.normalize("NFD", name)
    assert apart != name and clean_name("name", apart, NAME_LIMIT) == name
    assert read_names(f"{name}\n{apart}\n").repeated == [name]


def test_names_that_look_alike_are_one_name_of_a_list():
    assert read_names("علی\u200cرضا\nعلیرضا\n").repeated == ["علیرضا"]


@pytest.mark.parametrize("name", ["\u3164", "\uffa0\uffa0", "\u115f\u1160", "\u2800", "\u034f\ufe0f", "\U000e0100"])
def test_name_of_invisible_letters_only_is_refused(name):
    with pytest.raises(BadNameError, match="no letter that can be seen"):
        clean_name("name", name, NAME_LIMIT)


@pytest.mark.parametrize("second", ["Anna\u3164", "An\u034fna", "\u2800Anna", "Anna\ufe0f"])
def test_two_at_one_table_are_told_apart_by_what_can_be_seen(second):
    with pytest.raises(BadNameError) as no:
        refuse_lookalikes(["Ben", "Anna", second])
    assert no.value.field == "players.2.name"
    refuse_lookalikes(["Ben", "Anna", "Anna"])  # two of one name are called that at the table too
    refuse_lookalikes(["Ben \u2764\ufe0f", "Anna"])


def test_namesakes_get_numbers_that_make_other_names():
    names = {"a": "Anna", "b": "Ben", "c": "anna", "d": "An\u3164na", "e": "Anna (2)"}
    assert names | {"c": "anna (1)", "a": "Anna (3)", "d": "An\u3164na (4)"} == number_namesakes(
        names, {"c": "2024-05-01", "a": "2025-01-01", "d": "2026-01-01"}
    )
