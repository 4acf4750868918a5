"""The small changes that `python -m tests.bench.mutants` makes of a module."""

from __future__ import annotations

import sys
import tomllib
from types import CodeType, ModuleType

import pytest

from tests.bench.grafts import changed_in_place, graft
from tests.bench.mutants import EXPLAINED, GAMES, explanations, is_named_by, modules_of
from tests.bench.mutations import Module, changed_codes, changed_function

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


def test_every_change_is_found_once_types_and_texts_excepted():
    assert changes() == {
        "LIMIT = 3": ["3 to 4"],
        'CHECKS = {int: (("SM-2", its_turn), ("SM-5", trees_left))}': [
            "without check ('SM-2', its_turn)",
            "without check ('SM-5', trees_left)",
        ],
        "if trees <= 0 or not b.forest:": [
            "or to and",
            "without trees <= 0",
            "without not b.forest",
            "<= to <",
            "0 to 1",
            "not left out",
        ],
        "b.forest -= trees": ["statement left out", "-= to +="],
        'tell("chopped")': ["statement left out"],
        "return min(trees, b.forest) + 1": ["+ to -", "min to max", "1 to 2"],
    }


@pytest.mark.parametrize(
    ("change", "trees", "answer"),
    [
        ("<= to <", 0, 1),
        ("0 to 1", 1, None),
        ("not left out", 1, None),
        ("without trees <= 0", 0, 1),
        ("+ to -", 1, 0),
        ("min to max", 1, 3),
    ],
)
def test_change_is_made_in_its_function_and_undone(change, trees, answer):
    """Trees are asked of a forest of three."""
    module = Module("sawmill.py", SOURCE)
    [mutant] = [mutant for mutant in module.changes if mutant.change == change]
    pair = changed_function(module.code, module.code_of(mutant))
    assert pair is not None and mutant.function
    assert run(pair[0], trees) != run(pair[1], trees) == answer
    assert module.compile() == module.code


def test_change_within_a_function_reaches_what_it_built():
    """A function that was made while modules were imported keeps its own code."""
    made = {}
    module = Module("sawmill.py", "def felling(trees):\n    def fell():\n        return trees + 1\n    return fell\n")
    exec(module.code, made)
    fell = made["felling"](4)
    [mutant] = [mutant for mutant in module.changes if mutant.change == "1 to 2"]
    pair = changed_function(module.code, module.code_of(mutant))
    assert pair is not None
    assert [old.co_name for old, _ in changed_codes(*pair)] == ["felling", "fell"]
    [new] = [new for old, new in changed_codes(*pair) if old == fell.__code__]
    fell.__code__ = new
    assert fell() == 6


def run(function: CodeType, trees: int) -> int | None:
    class Board:
        forest = 3

    names = {"tell": lambda what: None, "min": min, "max": max}
    defined = type(run)(function, names)
    return defined(Board(), trees)


def test_a_change_of_a_table_is_no_change_of_a_function():
    module = Module("sawmill.py", SOURCE)
    [mutant] = [mutant for mutant in module.changes if mutant.change == "3 to 4"]
    assert not mutant.function
    assert changed_function(module.code, module.code_of(mutant)) is None


TABLES = """
LIMIT = 3
LOADS = (1, 2)
CHECKS = {"chop": (("SM-2", lambda trees: trees > 0), ("SM-5", lambda trees: trees <= LIMIT))}
REST = {"rest": ()}


def refused(trees, most=LIMIT):
    return [rule for rule, check in CHECKS["chop"] if not check(trees)], most
"""


def import_source(name: str, source: str) -> ModuleType:
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = f"{name}.py"
    exec(compile(source, f"{name}.py", "exec", dont_inherit=True), vars(module))
    return module


@pytest.mark.parametrize(
    ("text", "change", "refusals", "loads"),
    [
        ("CHECKS", "without check ('SM-5', lambda trees: trees <= LIMIT)", (["SM-2"], 3), (1, 2)),
        ("LIMIT", "3 to 4", (["SM-2"], 4), (1, 2)),
        ("LOADS", "2 to 3", (["SM-2"], 3), (1, 3)),
    ],
)
def test_a_changed_table_is_put_where_it_was_imported_before(text, change, refusals, loads):
    name = "sawmill_tables"
    mill = import_source(name, TABLES)
    other = import_source(f"{name}.mill", f"from {name} import CHECKS, LOADS, REST, refused")
    checks, rest = mill.CHECKS, mill.REST
    module = Module(f"{name}.py", TABLES)
    try:
        assert not graft(name, module.code, (name,)) and mill.CHECKS is checks
        [mutant] = [mutant for mutant in module.changes if mutant.text.startswith(text) and mutant.change == change]
        assert graft(name, module.code_of(mutant), (name,))
        assert other.refused(0) == refusals and loads == other.LOADS
        assert (other.CHECKS is checks, other.REST is rest) == (True, True)
    finally:
        del sys.modules[name], sys.modules[f"{name}.mill"]


RULES = """
from dataclasses import dataclass
from functools import cached_property
from sawmill_numbers import LOADS, ROWS


@dataclass(frozen=True)
class Integrity:
    loads: tuple


@dataclass(frozen=True)
class Row:
    loads: tuple


@dataclass(frozen=True)
class Rules:
    integrity: Integrity
    rows: dict

    @cached_property
    def heaviest(self):
        return max(self.rows["chop"].loads)


SAWMILL = Rules(Integrity(LOADS), {"chop": Row(LOADS)} | ROWS)
"""


def test_changed_tuple_replaces_the_parts_of_rules_that_hold_it():
    numbers = import_source("sawmill_numbers", "LOADS = (1, 2)\nROWS = {}\n")
    rules = import_source("sawmill_numbers.rules", RULES).SAWMILL
    try:
        module = Module("sawmill_numbers.py", "LOADS = (1, 2)\nROWS = {}\n")
        [mutant] = [mutant for mutant in module.changes if mutant.change == "2 to 3"]
        assert rules.integrity.loads is numbers.LOADS
        assert graft("sawmill_numbers", module.code_of(mutant), ("sawmill_numbers",))
        assert rules.integrity.loads == rules.rows["chop"].loads == numbers.LOADS == (1, 3)
    finally:
        del sys.modules["sawmill_numbers"], sys.modules["sawmill_numbers.rules"]


def test_what_changed_rules_had_worked_out_is_worked_out_anew():
    import_source("sawmill_numbers", "LOADS = (1, 2)\nROWS = {}\n")
    module = import_source("sawmill_numbers.rules", RULES)
    try:
        rules, other = module.SAWMILL, module.Rules(module.Integrity((1,)), {"chop": module.Row((1, 9))})
        assert rules.heaviest == 2
        assert changed_in_place(rules, other) and rules.heaviest == 9
    finally:
        del sys.modules["sawmill_numbers"], sys.modules["sawmill_numbers.rules"]


def test_a_module_that_defines_types_takes_no_graft():
    name = "sawmill_types"
    source = "LIMIT = 3\nclass Mill:\n    wood = LIMIT\n"
    mill = import_source(name, source)
    try:
        assert not graft(name, Module(f"{name}.py", source.replace("3", "4")).code, (name,)) and mill.LIMIT == 3
    finally:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("test", "named"),
    [
        ("test_refusals.py::test_sm_4_7_no_tree", True),
        ("test_refusals.py::test_sm_4_7_3_no_tree", False),
        ("test_refusals.py::test_refused[chop-SM-4.7-moves3]", True),
        ("test_refusals.py::test_sm_4_1_and_sm_4_7", True),
        ("test_refusals.py::test_refused[chop-SM-4.7.3-moves3]", False),
        ("test_refusals.py::test_sm_4_70_rest", False),
    ],
)
def test_tests_named_by_a_rule_are_told(test, named):
    assert is_named_by(test, "SM-4.7") is named


def test_each_explanation_names_one_change_and_a_reason():
    entries = tomllib.loads(EXPLAINED.read_text("utf-8"))["explained"]
    for entry in entries:
        assert entry.keys() - {"nth", "function", "which"} == {"file", "text", "change", "reason"}
    explained, amiss = 0, []
    for game in GAMES:
        named, stale = explanations(game, {module.file: module for module in modules_of(game, None)})
        explained += len(named)
        amiss += stale
    assert (explained, amiss) == (len(entries), [])
