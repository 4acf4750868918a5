"""ACG-10: worked examples of the rulebooks that no effect shows (others: `test_worked_examples`); ACG-11: effects of
the assumed numbers."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import moves, scoring
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    RED,
    after,
    effects_after,
    factory,
    opening_board,
    player,
    red,
    set_up,
)
from tests.domain.games.moves import only

PRICE, APPEAL = "price", "appeal"


def test_acg_10_11_a_loan_at_15_pays_15_now_and_costs_a_share():
    b = set_up(player(money=15, share_value=15, loans=1), player(share_value=15))
    final = scoring.account(b, b.players[RED])
    assert (final.bought, final.repaid, final.shares) == (1, 1, 10)


def test_acg_10_12_random_supply_has_its_numbers():
    # also ACG-3.3.4
    random = opening_board(3, random_supply=True).printed.random
    assert (sum(random.base.values()), random.dealt, random.limit) == (5, 12, 2)
    b = after(opening_board(3, random_supply=True), (TABLE, moves.StartPlayerDetermined(RED)))
    cards = ["broker", "contract", "workshop", "foreman", "inventor", "extra_shift"] * 2
    b = after(b, *((TABLE, moves.CardDealt(card)) for card in cards))
    assert sum(b.supply.values()) == 17 and max(b.supply.values()) == 2


# --- ACG-11: the assumed numbers ---


@pytest.mark.parametrize(
    ("good", "round", "income", "cost"),
    [("food", 1, 10, 11), ("clothes", 2, 12, 12), ("cutlery", 3, 14, 15), ("lamps", 4, 16, 18)],
)
def test_acg_11_1_a_start_factory_barely_pays(good, round, income, cost):
    idle = [each for each in GOODS if each != good]
    others = [player(**{each: factory() for each in idle[:2]}) for _ in range(2)]
    b = set_up(player(**{good: factory(), idle[0]: factory()}), *others, round=round, demand={good: 3})
    b = after(b, *red(moves.PassAction(), moves.SetSlot(1), moves.ConfirmPrice()))
    b.mover = 2
    effects = effects_after(b, (2, moves.SkipDevelopment()), (RED, moves.Ship(0)), (RED, moves.EndProduction()))
    [sold], [paid] = only(effects, moves.SoldHome), only(effects, moves.CostPaid)
    assert (sold.made, sold.amount, paid.amount) == (2, income, cost)


def test_acg_11_2_shares_and_values_stay_on_their_tracks():
    b = set_up(player(money=200, shares=30, share_value=30), player())
    assert scoring.total(b, RED) == 900
    assert scoring.total(b, BLUE) == 150
