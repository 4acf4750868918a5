"""The small changes that `python -m tests.bench.mutants` makes of a module."""

from __future__ import annotations

import tomllib
from types import CodeType

import pytest

from tests.bench.mutants import EXPLAINED, ROOT
from tests.bench.mutations import Module, changed_function

SOURCE = '''
from __future__ import annotations

LIMIT = 3
CHECKS = {int: (("SM-2", its_turn), ("SM-5", trees_left))}


def chop(b: Board, trees: int) -> int | None:
    """Wood for some trees."""
    if trees <= 0 or not b.forest:
        return None
    b.forest -= trees
    tell("chopped")
    return min(trees, b.forest) + 1
'''


def changes(source: str = SOURCE) -> dict[str, list[str]]:
    """The names of all changes, by the line they are made in."""
    found: dict[str, list[str]] = {}
    for mutant in Module("sawmill.py", source).changes:
        found.setdefault(mutant.text, []).append(mutant.change)
    return found


def test_every_kind_of_change_is_found_once_and_types_and_texts_are_left_alone():
    assert changes() == {
        "LIMIT = 3": ["3 to 4"],
        'CHECKS = {int: (("SM-2", its_turn), ("SM-5", trees_left))}': [
            "without check ('SM-2', its_turn)", "without check ('SM-5', trees_left)"],
        "if trees <= 0 or not b.forest:": [
            "or to and", "without trees <= 0", "without not b.forest", "<= to <", "0 to 1", "not left out"],
        "b.forest -= trees": ["statement left out", "-= to +="],
        'tell("chopped")': ["statement left out"],
        "return min(trees, b.forest) + 1": ["+ to -", "min to max", "1 to 2"],
    }


@pytest.mark.parametrize(("change", "trees", "answer"), [
    ("<= to <", 0, 1), ("0 to 1", 1, None), ("not left out", 1, None), ("without trees <= 0", 0, 1),
    ("+ to -", 1, 0), ("min to max", 1, 3),
])
def test_a_change_is_made_in_the_function_it_stands_in_and_undone(change, trees, answer):
    """Trees are asked of a forest of three."""
    module = Module("sawmill.py", SOURCE)
    [mutant] = [mutant for mutant in module.changes if mutant.change == change]
    pair = changed_function(module.code, module.code_of(mutant))
    assert pair is not None and mutant.in_function
    assert run(pair[0], trees) != run(pair[1], trees) == answer
    assert module.compiled() == module.code


def run(function: CodeType, trees: int) -> int | None:
    class Board:
        forest = 3

    names = {"tell": lambda what: None, "min": min, "max": max}
    defined = type(run)(function, names)
    return defined(Board(), trees)


def test_a_change_of_a_table_is_no_change_of_a_function():
    module = Module("sawmill.py", SOURCE)
    [mutant] = [mutant for mutant in module.changes if mutant.change == "3 to 4"]
    assert not mutant.in_function
    assert changed_function(module.code, module.code_of(mutant)) is None


def test_each_explanation_names_a_file_a_change_and_a_reason():
    for entry in tomllib.loads(EXPLAINED.read_text("utf-8"))["explained"]:
        assert entry.keys() - {"nth"} == {"file", "text", "change", "reason"}
        assert (ROOT / "domain/games" / entry["file"]).is_file()
