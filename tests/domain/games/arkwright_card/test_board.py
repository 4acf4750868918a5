"""The initial board."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import board
from tests.domain.games.defaults import begins_with


def test_acg_3_nothing_is_counted_before_it_happened():
    """The decades are counted from 1; the solo game pays the automas' bonus unless the table says otherwise."""
    assert begins_with(board) == {"Board.decade": 1, "Options.solo_automa_bonus": True}
