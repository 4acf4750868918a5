"""The changes between two typed boards equal the difference of their documents."""

from __future__ import annotations

import itertools
from random import Random

import pytest

from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import changes_between, difference
from tests.domain.kernel.test_invariants import changed_boards
from tests.domain.kernel.test_meaning import positions


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_boards_differ_as_their_documents_do(rules):
    random, boards = Random(rules.id), [game.board for game in positions(rules, 1)]
    for board, after in itertools.pairwise(boards):
        assert changes_between(board, after) == difference(board.document(), after.document())
        assert changes_between(after, after.twin()) == {}
    for other, changes in changed_boards(rules, boards[-1], random):
        assert changes_between(boards[-1], other) == changes
