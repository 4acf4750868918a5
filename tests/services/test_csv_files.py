"""All tables are written as CSV in one way."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from daybook.services.csv_files import of_text, write_csv

ROOT = Path(__file__).parents[2]


def test_csv_has_byte_order_mark_and_line_ends_of_spreadsheets():
    assert write_csv(["name", "n"], [["정우", 1]]) == "\ufeffname,n\r\n정우,1\r\n".encode()


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (-3, "-3"),
        (Fraction(1, 3), "0.333333"),
        (Fraction(4, 2), "2"),
        ("-3", "'-3"),
        ("=1+1", "'=1+1"),
        ("a;=1", "a;'=1"),
        ("＝1", "'＝1"),
    ],
)
def test_cell_is_written_as_spreadsheets_read_it(cell, written):
    line = write_csv([], [[cell, "x"]]).decode("utf-8-sig").splitlines()[1]
    assert line == f"{written},x"
    assert not isinstance(cell, str) or of_text(written) == cell


def test_header_that_begins_a_formula_is_guarded():
    assert write_csv(["=1"], []).decode("utf-8-sig") == "'=1\r\n"


def test_csv_is_written_by_one_module():
    files = [file for room in ("services", "web", "workers", "daybook") for file in (ROOT / room).glob("**/*.py")]
    assert len(files) > 400
    writers = [file.name for file in files if re.search(r"csv\.(Dict)?[wW]riter\(", file.read_text(encoding="utf-8"))]
    assert writers == ["csv_files.py"]
