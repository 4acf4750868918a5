"""Numbers with their nouns, as the command line says them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from daybook.services.counted import counted

ROOT = Path(__file__).resolve().parents[2]
SPOKEN = ("daybook", "services/operation", "services/store")  # without gettext
NOUNS = (
    "games clubs steps entries photos objects keys members seasons decisions people links invitations bytes positions"
    " lines files jobs persons sheets"
)
SEVERAL = (" steps, half of them within ", " people, not ", " bytes", " keys, all of them published")  # never one
PLURAL = re.compile(rf" (?:{'|'.join(NOUNS.split())})\b")


def test_one_is_no_plural():
    assert [counted(n, "game") for n in (0, 1, 2, 1200)] == ["0 games", "1 game", "2 games", "1,200 games"]
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]


def test_no_number_is_before_a_plural_without_it():
    found = [place for folder in SPOKEN for file in (ROOT / folder).glob("*.py") for place in plurals(file)]
    assert found == []


def plurals(file: Path) -> Iterator[str]:
    """Yield texts with a number and a plural noun after it."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.JoinedStr):
            for put_in, text in zip(node.values, node.values[1:], strict=False):
                is_number = isinstance(put_in, ast.FormattedValue) and isinstance(text, ast.Constant)
                if is_number and PLURAL.match(text.value) and text.value not in SEVERAL:
                    yield f"{file.name}:{node.lineno}: {text.value}"
