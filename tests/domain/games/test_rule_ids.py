"""Every rule id in the code is in the specification, and every testable id is in a test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import daybook.domain.games
from daybook.domain.games import RULESETS

CODE = Path(daybook.domain.games.__file__).parent
HERE = Path(__file__).parent

UNTESTED = {
    "MP-1.3": "a game's length is no rule",
    "MP-1.4": "the kind of game is no rule",
    "MP-1.6": "names the rulebook's text",
    "LM-1.3": "the kind of game is no rule",
    "LM-1.5": "names the rulebook's text",
    "WF-1.4": "names the rulebook's text",
    "WF-1.5": "names the shorter version",
    "ACG-1.2": "a game's length is no rule",
    "ACG-1.3": "year and publisher are no rule",
    "ACG-1.6": "names the rulebooks' texts",
}

every_game = pytest.mark.parametrize("game", RULESETS)


def ids_specified(game: str) -> set[str]:
    return set((HERE / game / "rule_ids.txt").read_text("utf-8").split())


def ids_named(game: str, text: str) -> set[str]:
    """Ids as they are written: MP-4.2.3."""
    return set(re.findall(rf"\b{RULESETS[game].prefix}-\d+(?:\.\d+)*", text))


def ids_in_test_names(game: str, text: str) -> set[str]:
    """Ids in the names of tests: test_mp_4_2_3_the_owner_draws."""
    prefix = RULESETS[game].prefix
    numbers = [
        found
        for name in re.findall(r"def test_(\w+)", text)
        for found in re.findall(rf"{prefix.lower()}((?:_\d+)+)", name)
    ]
    return {f"{prefix}-{number.strip('_').replace('_', '.')}" for number in numbers}


def in_code(game: str) -> set[str]:
    files = [*(CODE / game).glob("*.py"), *(CODE / game).glob("*.toml")]
    return {id for file in files for id in ids_named(game, file.read_text("utf-8"))}


def in_tests(game: str) -> set[str]:
    texts = [file.read_text("utf-8") for file in (*(HERE / game).glob("test_*.py"), HERE / "test_random_games.py")]
    played = {example.rule for example in RULESETS[game].integrity.examples}  # test_worked_examples.py
    return played | {id for text in texts for id in ids_named(game, text) | ids_in_test_names(game, text)}


@every_game
def test_the_code_names_only_rules_of_the_specification(game):
    assert len(in_code(game)) > 20
    assert in_code(game) - ids_specified(game) == set()


@every_game
def test_the_tests_name_only_rules_of_the_specification(game):
    assert in_tests(game) - ids_specified(game) == set()


@every_game
def test_every_rule_is_named_in_a_test(game):
    ids = ids_specified(game)
    headings = {id for id in ids if any(other.startswith(id + ".") for other in ids)}
    assert ids - headings - in_tests(game) == {id for id in UNTESTED if id.startswith(RULESETS[game].prefix + "-")}
