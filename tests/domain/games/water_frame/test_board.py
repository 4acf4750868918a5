"""The initial board."""

from __future__ import annotations

from daybook.domain.games.water_frame import board, callout
from tests.domain.games.defaults import begins_with


def test_wf_3_nothing_is_counted_before_it_happened():
    assert begins_with(board, callout) == {}
