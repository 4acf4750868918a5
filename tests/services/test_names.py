"""Names as anybody pastes them."""

from __future__ import annotations

from daybook.services.names import NAME_LIMIT, read_names


def test_a_pasted_list_is_read_line_by_line() -> None:
    read = read_names("Anna\r\n\n  Ben  Karl \n- Cleo\n2. Dora;\n김민지\tgoalkeeper\n   \nanna\n")
    assert read.names == ["Anna", "Ben Karl", "Cleo", "Dora", "김민지"]
    assert (read.repeated, read.blank, read.bad) == (["anna"], 2, [])


def test_lines_that_hold_no_name_are_told_by_number() -> None:
    read = read_names(f"Anna\n{'x' * (NAME_LIMIT + 1)}\nB\u202een\n")
    assert read.names == ["Anna"] and [number for number, _, _ in read.bad] == [2, 3]


def test_ten_thousand_lines_are_read() -> None:
    read = read_names("\n".join(f"Player {number}" for number in range(10_000)))
    assert len(read.names) == 10_000 and not read.bad
