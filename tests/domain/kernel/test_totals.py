"""Totals computed without the lines of a score equal their sum."""

from __future__ import annotations

import pytest

from daybook.domain.games import RULESETS
from tests.domain.kernel.test_meaning import positions


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_totals_are_those_of_the_standing(rules):
    seen = set[tuple[int, ...]]()
    for seed in (1, 2):
        for game in positions(rules, seed):
            totals = rules.totals(game.board)
            assert list(totals) == [score.total for score in rules.scoring.standing(game.board)]
            seen.add(tuple(totals))
    assert len(seen) > 5
