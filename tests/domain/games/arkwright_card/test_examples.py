"""ACG-10 and ACG-11: the worked examples of the rulebooks, and what the assumed numbers come to."""

from __future__ import annotations

import pytest

from daybook.domain.games.arkwright_card import factories, moves, scoring
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.arkwright_card.playing import (
    BLUE,
    RED,
    after,
    at,
    board_at_first_turn,
    choose_action,
    effects_after,
    factory,
    opening_board,
    own,
    play,
    player,
    red,
    refusal,
    set_up,
)
from tests.domain.games.moves import only

PRICE, APPEAL = "price", "appeal"


def test_acg_10_1_distribution_by_flipping():
    b = choose_action(set_up(player(food=factory(distribution=("DA", 1)), clothes=factory()), player()), "distribution")
    assert refusal(b, RED, moves.SetCard("DA", 4)) == ("ACG-4.6.4", "add_limit")
    b = after(b, *red(moves.SetCard("DA", 3), moves.EndAction()))
    assert own(b).distribution_value == 3


def test_acg_10_2_quality_with_a_used_card():
    def quality(level):
        p = player(
            levels={"quality": level},
            clothes=factory(quality={"QA": (1, PRICE)}),
            lamps=factory(quality={"QC": (3, PRICE)}),
        )
        return after(choose_action(set_up(p, player()), "quality"), (RED, moves.SetCard("QA", 2, PRICE)))

    b = after(quality(1), *red(moves.Place("QB", "clothes", 1, APPEAL), moves.EndAction()))
    assert (own(b, "clothes").quality_value, own(b, "lamps").quality_value) == (3, 3)
    assert refusal(quality(0), RED, moves.Place("QB", "clothes", 1, APPEAL)) == ("ACG-4.6.4", "add_limit")


def test_acg_10_3_freeing_a_card():
    p = player(
        levels={"quality": 1}, food=factory(quality={"QA": (2, PRICE)}), clothes=factory(quality={"QB": (2, PRICE)})
    )
    b = after(
        choose_action(set_up(p, player()), "quality"),
        *red(
            moves.Lift("QA"),
            moves.Place("QC", "food", 3, PRICE),
            moves.Place("QA", "clothes", 1, PRICE),
            moves.EndAction(),
        ),
    )
    assert (own(b).quality_value, own(b, "clothes").quality_value) == (3, 3)


def test_acg_10_4_switching_the_engineer():
    p = player(
        cards="engineer",
        levels={"quality": 1},
        food=factory(quality={"QE": (5, PRICE)}),
        clothes=factory(quality={"QC": (4, PRICE)}),
        cutlery=factory(quality={"QA": (1, PRICE), "QB": (2, PRICE)}),
    )
    lifted = after(choose_action(set_up(p, player()), "quality"), *red(moves.Lift("QE"), moves.Lift("QC")))
    b = after(
        lifted,
        *red(
            moves.Place("QE", "clothes", 5, PRICE),
            moves.Place("QC", "food", 4, PRICE),
            moves.SetCard("QA", 2, PRICE),
            moves.EndAction(),
        ),
    )
    assert [own(b, good).quality_value for good in ("food", "clothes", "cutlery")] == [4, 5, 4]
    b = after(lifted, *red(moves.Place("QE", "clothes", 6, PRICE), moves.Place("QC", "food", 4, PRICE)))
    assert refusal(b, RED, moves.SetCard("QA", 2, PRICE)) == ("ACG-4.6.4", "add_limit")


def test_acg_10_5_price_and_appeal():
    p = player(food=factory(), clothes=factory(slot=1, distribution=("DA", 2), appeal=3))
    b = set_up(p, player(), round=2, demand={"clothes": at(1)})
    b, effects = play(b, *red(moves.PassAction(), moves.SetSlot(3), moves.SetOffice(APPEAL)))
    assert factories.goods_price(b, "clothes", own(b, "clothes")) == 4
    assert only(effects, moves.AppealMoved) == [moves.AppealMoved("ACG-4.10.3", RED, "clothes", 3, 7, 4)]
    assert only(effects, moves.DemandMoved) == [moves.DemandMoved("ACG-4.0.8", "clothes", 4, 3, 7, 2)]


def test_acg_10_11_a_loan_at_15_pays_15_now_and_costs_a_share():
    b = set_up(player(money=15, share_value=15, loans=1), player(share_value=15))
    final = scoring.account(b, b.players[RED])
    assert (final.bought, final.repaid, final.shares) == (1, 1, 10)


def test_acg_10_12_and_acg_3_3_4_the_numbers_of_a_supply_by_chance():
    random = opening_board(3, random_supply=True).printed.random
    assert (sum(random.base.values()), random.dealt, random.limit) == (5, 12, 2)
    b = after(opening_board(3, random_supply=True), (TABLE, moves.StartPlayerDetermined(RED)))
    cards = ["broker", "contract", "workshop", "foreman", "inventor", "extra_shift"] * 2
    b = after(b, *((TABLE, moves.CardDealt(card)) for card in cards))
    assert sum(b.supply.values()) == 17 and max(b.supply.values()) == 2


def test_acg_10_15_all_in():
    b = after(board_at_first_turn(2, start_shares=True), (RED, moves.BuyStartShares(5)))
    assert (b.players[RED].money, b.players[RED].shares) == (0, 15)


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


def test_acg_11_2_shares_and_their_value_stay_within_reach_of_the_tracks():
    b = set_up(player(money=200, shares=30, share_value=30), player())
    assert scoring.total(b, RED) == 900
    assert scoring.total(b, BLUE) == 150
