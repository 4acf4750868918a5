"""Random solo games of Arkwright: The Card Game, with every pair of options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves, solo_moves
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import ACHIEVEMENTS
from daybook.domain.kernel.terms import Decision
from tests.domain.games.arkwright_card.alone import SOLO
from tests.domain.games.arkwright_card.playing import EXPERT, RULINGS, everything, game, opening_board
from tests.domain.games.random_games import Step, Steps, record_steps

EASY = {  # automas that can be beaten by anybody
    "solo.share_value": 1,
    "solo.shares": 1,
    "solo.advance": 0,
    "solo.factory_appeal": [0, 0, 0, 0],
    "start.share_value": 12,
    "start.money": 150,
}
TIGHT = {  # tracks that end early, little money and dear wages
    "rules.shares_top": 14,
    "rules.share_value_top": 13,
    "start.share_value": 3,
    "start.money": 8,
    "rules.loans": 4,
    "market.wages": [3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9],
    "solo.share_value": 11,
    "solo.goals.most_shares": 14,
}
CHOICES: dict[str, tuple[Any, ...]] = dict.fromkeys((*EXPERT, *RULINGS, *SOLO), (False, True)) | {
    "solo_start_development": ("free", "board", "none")
}


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """Return choices of options in which each two meet with all their values."""
    chance = random.Random(6)
    pairs = {((a, x), (b, y)) for a, b in combinations(CHOICES, 2) for x, y in product(CHOICES[a], CHOICES[b])}
    found = []
    while pairs:
        drawn = [{name: chance.choice(values) for name, values in CHOICES.items()} for _ in range(40)]
        best = max(drawn, key=lambda row: len(pairs & {*combinations(row.items(), 2)}))
        pairs -= {*combinations(best.items(), 2)}
        found.append(best)
    return tuple(found)


@cache
def every_step() -> Steps:
    decided: Counter[Any] = Counter()
    steps = list[Step]()
    for seed, row in enumerate((*rows(), *rows())):
        numbers: dict[str, Any] = ({}, EASY, TIGHT, EASY)[seed % 4]
        steps += record_steps(ARKWRIGHT_CARD, game(opening_board(1, numbers, **row), seed, decided))
    return tuple(steps)


def everything_alone(b: Board) -> Iterator[Decision]:
    """Yield decisions of the solo game, possible ones and some that never are."""
    cards, colours = (*b.printed.cards, "?"), (*b.printed.solo.rivals, *b.table.colours, "?")
    yield from everything(b)
    yield from map(solo_moves.GridLaid, cards)
    for of_colour in (solo_moves.DiscPlaced, solo_moves.AutomaPlaced, solo_moves.MarkerDrawn):
        yield from map(of_colour, colours)
    yield from map(solo_moves.FactoryDrawn, ("food", "lamps"))
    yield from map(solo_moves.PickAchievement, ACHIEVEMENTS)
    for of_place in (moves.TakeCard, moves.ChooseStartCard):
        yield from (of_place(card, place) for card in cards for place in (-1, 0, 1, 5, 15, 16))
