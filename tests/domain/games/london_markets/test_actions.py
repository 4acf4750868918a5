"""LM-4.4: tokens, bars and goods."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import moves
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.london_markets.playing import (
    BLUE,
    after,
    crates,
    effects_after,
    hand,
    legal,
    play,
    player,
    refusal,
    set_up,
    to_act,
)
from tests.domain.games.moves import only

STACK, PROFIT, GOODS_MERCHANT = moves.UseMerchant("stack"), moves.UseMerchant("profit"), moves.UseMerchant("goods")


def usual(*, seats=3, **fields):
    return set_up(*[player()] * seats, **fields)


# --- turns and tokens ---


def test_lm_4_4_1_every_player_takes_one_turn_in_order():
    b, effects = play(usual(), (0, PROFIT), (1, GOODS_MERCHANT))
    assert only(effects, moves.TurnPassed) == [moves.TurnPassed("LM-4.4.1", 0, 1), moves.TurnPassed("LM-4.4.1", 1, 2)]
    assert to_act(b) == (2,)
    b = after(b, (2, STACK), (2, moves.PlaceBar()), (2, moves.PlaceBar()))
    assert b.phase == "replenish"


def test_lm_4_4_2_the_turn_ends_by_itself_without_special_cards():
    assert to_act(after(usual(), (0, PROFIT))) == (1,)


def test_lm_4_4_2_with_a_special_card_in_hand_the_end_is_said():
    b = after(set_up(player(specials="monopoly:PORT"), player(), player()), (0, PROFIT))
    assert legal(b, 0) == [moves.EndTurn()]
    assert to_act(after(b, (0, moves.EndTurn()))) == (1,)


def test_lm_4_4_2_turn_ends_after_two_special_cards():
    b = set_up(player(9, specials="tiebreaker replenishment replenishment"), player(), player())
    b = after(b, (0, PROFIT), (0, moves.PlaySpecial("tiebreaker")))
    assert to_act(b) == (0,)
    assert to_act(after(b, (0, moves.PlaySpecial("replenishment")))) == (1,)


def test_lm_4_4_2_an_action_is_not_interrupted():
    b = after(set_up(player(specials="tiebreaker"), player(), player()), (0, STACK))
    assert legal(b, 0) == [moves.PlaceBar(), moves.PlaceBar(0), moves.PlaceBar(1), moves.PlaceBar(2)]
    assert refusal(b, 0, moves.PlaySpecial("tiebreaker")) == ("LM-4.5.1", "action_running")


def test_lm_4_4_3_and_lm_6_33_one_token_must_be_chosen():
    b = set_up(player(specials="tiebreaker"), player(), player())
    assert refusal(b, 0, moves.EndTurn()) == ("LM-4.4.3", "must_choose_token")
    b = after(b, (0, PROFIT))
    assert refusal(b, 0, STACK) == ("LM-4.4.3", "already_acted")
    assert refusal(b, 0, moves.UseAssistant("A", "BORO")) == ("LM-4.4.3", "already_acted")


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_4_4_3_the_last_player_chooses_between_two_tokens(seats):
    b = usual(seats=seats, mover=seats - 1)
    tokens = {d.merchant if isinstance(d, moves.UseMerchant) else d.track for d in legal(b, seats - 1)}
    assert len(tokens) == 2


def test_lm_4_4_4_a_used_token_is_used_for_everybody():
    b = after(usual(), (0, PROFIT))
    assert refusal(b, 1, PROFIT) == ("LM-4.4.4", "token_used")
    b = after(b, (1, moves.UseAssistant("A", "BORO")))
    assert refusal(b, 2, moves.UseAssistant("A", "BRIX")) == ("LM-4.4.4", "token_used")
    assert b.used == ["profit", "A"]


# --- the merchants ---


def test_lm_4_4_5_and_lm_6_3_the_stack_merchant_places_two_bars():
    b, effects = play(usual(bars={"PORT": "B B"}), (0, STACK), (0, moves.PlaceBar()), (0, moves.PlaceBar(1)))
    assert b.stacks["PORT"] == [[1, 1, 0], [None, 0, None]]
    assert effects[:3] == [
        moves.MerchantUsed("LM-4.4.4", 0, "stack", "PORT"),
        moves.BarPlaced("LM-4.2.5", 0, 0, "PORT", 0, 2, 3),
        moves.BarPlaced("LM-4.2.5", 0, 0, "PORT", 1, 1, 5),
    ]
    assert b.players[0].bars == 18


@pytest.mark.parametrize(("bars", "placed"), [(1, 1), (0, 0)])
def test_lm_4_4_5_and_lm_6_4_with_too_few_bars_those_are_placed(bars, placed):
    b = usual(numbers={"bars.each_colour": 3 + bars}, bars={"BRIX": "R R R / B B B / G G G"})
    b, effects = play(b, (0, STACK), *[(0, moves.PlaceBar())] * placed)
    assert only(effects, moves.BarsLacking) == [moves.BarsLacking("LM-4.4.5", 0, 2 - bars)]
    assert (b.players[0].bars, to_act(b)) == (0, (1,))


@pytest.mark.parametrize(
    ("bars", "shown", "amount"),
    [("R R B / G", 4, 4), ("R R B / G G", 2, 3), ("B B B", 0, 3), ("R R R / R", 9, 9), ("R B B", 3, 3), ("", 0, 3)],
)
def test_lm_4_4_6_profit_merchant_pays_each_crate_at_least_3(bars, shown, amount):
    b, effects = play(usual(bars={"COVE": bars}), (0, PROFIT))
    assert b.players[0].money == amount
    assert effects[1] == moves.ProfitGained("LM-4.4.6", 0, "COVE", shown, amount)


@pytest.mark.parametrize(("bars", "shown", "count"), [("R R B / G", 4, 4), ("B B B", 0, 3), ("R R R", 9, 9)])
def test_lm_4_4_7_goods_merchant_gives_cards_at_least_three(bars, shown, count):
    b, effects = play(usual(bars={"PETT": bars}), (0, GOODS_MERCHANT))
    assert effects[1:3] == [
        moves.GoodsGranted("LM-4.4.7", 0, "PETT", shown, count),
        moves.GoodsDrawn("LM-4.4.10", 0, "silk", count),
    ]
    assert (hand(b, 0), b.piles["silk"]) == ({"silk": count}, 18 - count)


# --- the assistants ---


@pytest.mark.parametrize(("round", "action"), [(4, "place"), (5, "profit"), (6, "goods")])
def test_lm_4_4_8_an_assistant_does_what_its_space_says(round, action):
    b = usual(round=round, bars={"BORO": "R R B / G"})
    b, effects = play(b, (0, moves.UseAssistant("A", "BORO")))
    assert effects[0] == moves.AssistantUsed("LM-4.4.4", 0, "A", "BORO", action)
    if action == "place":
        b = after(b, (0, moves.PlaceBar()))
        assert crates(b, "BORO")[0] == 5
    elif action == "profit":
        assert effects[1] == moves.ProfitGained("LM-4.4.8", 0, "BORO", 4, 4)
    else:
        assert hand(b, 0) == {"china": 4}


def test_lm_4_4_8_assistant_places_no_missing_bar():
    # also LM-6.4
    b = usual(round=4, numbers={"bars.each_colour": 3}, bars={"BRIX": "R R R / B B B / G G G"})
    b, effects = play(b, (0, moves.UseAssistant("A", "BORO")))
    assert effects[1:] == [moves.BarsLacking("LM-4.4.8", 0, 1), moves.TurnPassed("LM-4.4.1", 0, 1)]


@pytest.mark.parametrize("used", [[], ["profit"]])
def test_lm_4_4_8_assistant_goes_where_no_merchant_is(used):
    # also LM-6.30
    b = usual(mover=len(used), used=used)
    assert [d.market for d in legal(b, len(used), moves.UseAssistant)] == ["BORO", "BRIX"]
    assert refusal(b, len(used), moves.UseAssistant("A", "COVE")) == ("LM-4.4.8", "merchant_present")


def test_lm_4_4_8_three_players_have_no_second_assistant():
    assert refusal(usual(), 0, moves.UseAssistant("B", "BORO")) == ("LM-2.1.9", "no_such_assistant")


def test_lm_4_4_9_both_assistants_may_share_a_market():
    b = usual(seats=4, round=6)
    b = after(b, (0, moves.UseAssistant("A", "BORO")), (1, moves.UseAssistant("B", "BORO")))
    assert (hand(b, 0), b.players[1].money, b.assistants) == ({"china": 3}, 3, {"A": 6, "B": 6})


# --- drawing goods ---


def short(**piles):
    """All other cards of a type lie in the last player's hand; the Goods merchant is at PETT, which sells silk."""
    held = " ".join(f"{18 - piles.get(kind, 0)} {kind}" for kind in ("coffee", "soap", "silk", "china"))
    return set_up(player(), player(), player(hand=held), merchants=piles.get("merchants", "PORT COVE PETT"))


def test_lm_4_4_10_cards_of_the_market_are_taken_at_once():
    assert only(effects_after(short(silk=3, soap=9), (0, GOODS_MERCHANT)), moves.GoodsDrawn) == [
        moves.GoodsDrawn("LM-4.4.10", 0, "silk", 3)
    ]


def test_lm_4_4_10_and_lm_6_6_from_other_piles_card_by_card():
    b, effects = play(short(silk=1, soap=9, china=2), (0, GOODS_MERCHANT))
    assert only(effects, moves.GoodsDrawn) == [moves.GoodsDrawn("LM-4.4.10", 0, "silk", 1)]
    assert (b.quota, legal(b, 0)) == (2, [moves.DrawGoods("soap"), moves.DrawGoods("china")])
    assert refusal(b, 0, moves.DrawGoods("coffee")) == ("LM-4.4.10", "pile_empty")
    b = after(b, (0, moves.DrawGoods("china")), (0, moves.DrawGoods("soap")))
    assert (hand(b, 0), to_act(b)) == ({"soap": 1, "silk": 1, "china": 1}, (1,))


def test_lm_4_4_10_from_a_last_pile_the_rest_is_taken_at_once():
    b = after(short(soap=9, china=1), (0, GOODS_MERCHANT), (0, moves.DrawGoods("china")))
    assert hand(b, 0) == {"china": 1, "soap": 2}


def test_lm_4_4_10_empty_home_pile_leads_to_the_others():
    # also LM-6.8
    b = after(short(soap=9, china=2), (0, GOODS_MERCHANT))
    assert (b.stage, b.quota) == ("draw_goods", 3)


def test_lm_4_4_10_and_lm_6_5_what_no_pile_holds_is_lost():
    b, effects = play(short(silk=1, soap=1), (0, GOODS_MERCHANT))
    assert effects[-2:] == [moves.GoodsLost("LM-4.4.10", 0, 1), moves.TurnPassed("LM-4.4.1", 0, 1)]
    assert hand(b, 0) == {"silk": 1, "soap": 1}


def test_lm_4_4_10_general_market_lets_a_type_be_named():
    # also LM-6.7
    b = set_up(player(), player(), player(hand="18 coffee 17 soap"), merchants="PORT COVE BRIX")
    b = after(b, (0, GOODS_MERCHANT))
    assert legal(b, 0) == [moves.NameGoods("soap"), moves.NameGoods("silk"), moves.NameGoods("china")]
    assert refusal(b, 0, moves.NameGoods("coffee")) == ("LM-4.4.10", "pile_empty")
    followed, effects = play(b, (0, moves.NameGoods("silk")))
    assert effects[:2] == [moves.GoodsNamed("LM-4.4.10", 0, "silk"), moves.GoodsDrawn("LM-4.4.10", 0, "silk", 3)]
    followed = after(b, (0, moves.NameGoods("soap")))
    assert legal(followed, 0) == [moves.DrawGoods("silk"), moves.DrawGoods("china")]


@pytest.mark.parametrize(("left", "taken"), [({"silk": 5}, {"silk": 3}), ({}, {})])
def test_lm_4_4_10_with_one_pile_or_none_no_type_is_named(left, taken):
    b, effects = play(short(merchants="PORT COVE BRIX", **left), (0, GOODS_MERCHANT))
    assert (hand(b, 0), bool(only(effects, moves.GoodsLost))) == (taken, not left)


def test_lm_6_9_assistant_takes_any_general_type_too():
    b = after(usual(round=6), (0, moves.UseAssistant("A", "BRIX")))
    assert legal(b, 0, moves.NameGoods) == [moves.NameGoods(kind) for kind in ("coffee", "soap", "silk", "china")]


def test_lm_4_4_10_the_named_pile_comes_first():
    b = after(usual(merchants="PORT COVE BRIX"), (0, GOODS_MERCHANT))
    assert refusal(b, 0, moves.DrawGoods("soap")) == ("LM-4.4.10", "home_pile_first")


def test_lm_4_4_11_number_of_cards_is_fixed_at_the_start():
    b = set_up(player(), player(), player(hand="18 silk 16 soap"), bars={"PETT": "R R B / G"})
    assert after(b, (0, GOODS_MERCHANT)).quota == 4


def test_lm_4_4_12_a_token_without_effect_may_be_chosen():
    b = after(short(), (0, GOODS_MERCHANT))
    assert to_act(b) == (BLUE,)
    assert refusal(b, TABLE, PROFIT) == ("LM-4.4.1", "not_your_turn")


def test_lm_4_11_1_a_decision_with_one_option_is_asked():
    b = after(usual(bars={"PORT": "B B"}), (0, STACK))
    assert legal(b, 0) == [moves.PlaceBar(), moves.PlaceBar(2)]


def test_lm_4_4_8_after_the_last_bar_nobody_places_one():
    b = after(usual(), (0, moves.UseMerchant("stack")))
    while b.stage == "place":
        assert b.market == "PORT"
        b = after(b, (0, moves.PlaceBar()))
    assert (b.market, b.bars) == (None, 0)


def test_lm_4_4_10_of_two_remaining_types_one_is_named():
    # also LM-6.7
    b = set_up(player(), player(), player(hand="18 coffee 18 soap"), merchants="PORT COVE BRIX")
    b = after(b, (0, GOODS_MERCHANT))
    assert legal(b, 0) == [moves.NameGoods("silk"), moves.NameGoods("china")]


def test_lm_4_4_10_single_remaining_type_is_implied():
    # also LM-6.7
    b = set_up(player(), player(), player(hand="18 coffee 18 soap 18 silk 16 china"), merchants="PORT COVE BRIX")
    b, effects = play(b, (0, GOODS_MERCHANT))
    assert only(effects, moves.GoodsDrawn, moves.GoodsLost) == [
        moves.GoodsDrawn("LM-4.4.10", 0, "china", 2),
        moves.GoodsLost("LM-4.4.10", 0, 1),
    ]
    assert b.quota == 0
