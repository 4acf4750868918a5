"""The worked examples of every game's rule text, played by its rules on the sheet that Daybook comes with."""

from __future__ import annotations

import pytest

from daybook.domain.games import RULESETS
from daybook.services.store.printed_sheets import printed_sheet

EXAMPLES = [(rules, example) for rules in RULESETS.values() for example in rules.integrity.examples]


@pytest.mark.parametrize(
    ("rules", "example"), EXAMPLES, ids=[f"{example.rule}-{n}" for n, (_, example) in enumerate(EXAMPLES)]
)
def test_the_rules_play_a_worked_example_as_the_rule_text_has_it(rules, example):
    assert example.effects or example.leaves or example.refused
    found = rules.work_out(example, printed_sheet(rules.id))
    assert found is not None, "it can be played"
    assert example.expected.agrees(found), found
