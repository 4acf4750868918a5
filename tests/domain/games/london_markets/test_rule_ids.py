"""Every rule id in the code stands in the specification, and every rule that can be tested is named in a test."""

from __future__ import annotations

import re
from pathlib import Path

from tests.domain.games.london_markets.playing import FOLDER

HERE = Path(__file__).parent
IDS = set((HERE / "rule_ids.txt").read_text("utf-8").split())
ID = re.compile(r"\bLM-\d+(?:\.\d+)*")
SPELLED = re.compile(r"lm((?:_\d+)+)")

UNTESTED = {
    "LM-1.3": "the kind of game is no rule",
    "LM-1.5": "names the rulebook's text",
}


def headings() -> set[str]:
    """Ids that only hold others."""
    return {id for id in IDS if any(other.startswith(id + ".") for other in IDS)}


def in_code() -> set[str]:
    files = [*FOLDER.glob("*.py"), *FOLDER.glob("*.toml")]
    return {id for file in files for id in ID.findall(file.read_text("utf-8"))}


def rule(numbers: str) -> str:
    return "LM-" + numbers.strip("_").replace("_", ".")


def in_tests() -> set[str]:
    texts = [file.read_text("utf-8") for file in HERE.glob("test_*.py") if file.name != Path(__file__).name]
    spelled = {
        rule(numbers) for text in texts for name in re.findall(r"def test_(\w+)", text)
        for numbers in SPELLED.findall(name)}
    return spelled | {id for text in texts for id in ID.findall(text)}


def test_the_code_names_only_rules_of_the_specification():
    assert in_code() - IDS == set()


def test_the_tests_name_only_rules_of_the_specification():
    assert in_tests() - IDS == set()


def test_every_rule_is_named_in_a_test():
    assert IDS - headings() - in_tests() == set(UNTESTED)
