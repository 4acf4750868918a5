"""Random definitions of a score sheet and their totals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from daybook.domain.games.score_sheet import SCORE_SHEET
from daybook.domain.games.score_sheet.definition import read_definition
from daybook.domain.kernel.naming import strangers
from daybook.domain.kernel.points import is_points
from tests.domain.games.score_sheet.random_games import SEEDS, definition_by, steps


def test_random_definitions_are_of_every_kind_some_invalid():
    read = [read_definition(definition_by(seed)) for seed in SEEDS]
    assert {d.score_count for d in read} == {"end", "rounds", "open", "target", "places"}
    assert {d.score_wins for d in read} == {"most", "least", "last", "together"}
    assert any(d.formula for d in read) and any(d.game_expansions for d in read)


def numbers_in(part: Any) -> Iterator[Any]:
    if isinstance(part, Mapping):
        yield from numbers_in([*part.values()])
    elif isinstance(part, list | tuple):
        for inner in part:
            yield from numbers_in(inner)
    else:
        yield part


@pytest.mark.parametrize("seed", [*SEEDS[:4], *(pytest.param(seed, marks=pytest.mark.slow) for seed in SEEDS[4:])])
def test_totals_and_names_are_those_of_the_definition(seed):
    for b, *_ in steps(seed):
        assert list(strangers(SCORE_SHEET.integrity.names, b, b.document())) == []
        for tally in (b.tally(), b.so_far().tally()):
            assert all(map(is_points, numbers_in(tally._replace(waiting=[])))), "12 is never 12.0"
        if b.has_partners:  # their figures are added before they are counted
            continue
        low, high = b.definition.round_between
        assert all(low <= total <= high for seat in range(b.seats) for total in b.round_totals(seat))
