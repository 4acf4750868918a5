"""Random games of Arkwright: The Card Game, with every pair of options."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache, partial
from itertools import combinations, islice
from typing import Any

from daybook.domain.games.arkwright_card import ARKWRIGHT_CARD, moves
from daybook.domain.games.arkwright_card.printed import GOODS
from tests.domain.games.arkwright_card.playing import (
    EXPERT,
    RULINGS,
    choose_action,
    everything,
    factory,
    game,
    opening_board,
    player,
    set_up,
)
from tests.domain.games.arkwright_card.random_solo_games import every_step, everything_alone
from tests.domain.games.random_games import RandomGames, Step, Steps, record_steps

SEATS = (2, 3, 4)
LEAN = {  # little money and dear wages: loans and places for tokens run out, and some go bankrupt
    "start.money": 8,
    "start.share_value": 3,
    "rules.loans": 4,
    "rules.shipping_tokens": 3,
    "scoring.share_value_less": [0, 1, 1, 2],
    "market.wages": [3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9],
}
SHORT = {"rules.shares_top": 13, "rules.share_value_top": 12, "market.appeal_top": 6, "market.wages": [2, 3, 4]} | {
    f"market.{arrows}.{good}": [0, 0, 1, 1, 1, 1] for arrows in ("red", "green") for good in GOODS
}
FULL = [dict.fromkeys(EXPERT, True)] * 6


@cache
def rows() -> tuple[dict[str, bool], ...]:
    """Return choices of options in which each two switches meet on and on, on and off, off and on, off and off."""
    names, chance = (*EXPERT, *RULINGS), random.Random(0)
    pairs = {(a, x, b, y) for a, b in combinations(names, 2) for x in (False, True) for y in (False, True)}
    found = []
    while pairs:
        drawn = [{name: chance.random() < 0.5 for name in names} for _ in range(40)]
        best = max(drawn, key=lambda row: len(pairs & pairs_in(row)))
        pairs -= pairs_in(best)
        found.append(best)
    return tuple(found)


def pairs_in(row: dict[str, bool]) -> set[tuple[str, bool, str, bool]]:
    return {(a, row[a], b, row[b]) for a, b in combinations(row, 2)}


@cache
def every_game() -> dict[int, Steps]:
    """Return the steps of a game for each choice of options, by number of seats; some at tables where things run out."""
    decided: Counter[Any] = Counter()
    found = {}
    for seats in SEATS:
        steps = list[Step]()
        for seed, row in enumerate((*rows(), *FULL)):
            numbers: dict[str, Any] = ({}, LEAN, {}, SHORT)[seed % 4] if row not in FULL else {}
            steps += record_steps(ARKWRIGHT_CARD, game(opening_board(seats, numbers, **row), seed, decided))
        found[seats] = tuple(steps)
    return found


def games(seats: int) -> Steps:
    return every_game()[seats]


def everywhere() -> list[Step]:
    return [step for seats in SEATS for step in games(seats)]


@cache
def rarely() -> Steps:
    """Play from rare positions: an Engineer makes room, the Customs Office serves stored goods."""
    engineer = {"food": factory(quality={"QE": (5, "price")}), "clothes": factory()}
    stored = {"food": factory(stored={"SA": 2, "SB": 1}), "clothes": factory()}
    positions = [
        set_up(player(cards="engineer workshop", **engineer), player(), stage="development"),
        choose_action(
            set_up(
                player(cards="customs_office developer", **stored),
                player(),
                dealt="customs_office developer",
                options={"extra_actions": True},
            ),
            "early_shipping",
        ),
    ]
    return tuple(
        step for seed in range(30) for step in record_steps(ARKWRIGHT_CARD, islice(game(positions[seed % 2], seed), 40))
    )


GAMES = RandomGames(
    ARKWRIGHT_CARD,
    tables={str(seats): partial(games, seats) for seats in SEATS} | {"alone": every_step},
    everything=lambda b, chance: everything_alone(b) if b.solo else everything(b),
    interval=97,
    unmet=frozenset({moves.FacesUnlikely}),
    further=rarely,
)
