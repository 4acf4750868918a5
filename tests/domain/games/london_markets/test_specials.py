"""LM-4.5 and LM-2.5: special cards."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS, moves
from daybook.domain.games.london_markets.printed import MARKETS
from tests.domain.games.london_markets.playing import (
    after,
    crates,
    effects_after,
    legal,
    play,
    player,
    refusal,
    set_up,
    to_act,
)
from tests.domain.games.moves import only

PROFIT = moves.UseMerchant("profit")


def holding(cards, money=0, **fields):
    return set_up(player(money, specials=cards), player(), player(), **fields)


# --- when and how many ---


def test_lm_4_5_1_before_or_after_the_action():
    b = holding("tiebreaker")
    assert after(b, (0, moves.PlaySpecial("tiebreaker")), (0, PROFIT)).players[0].in_play == ["tiebreaker"]
    assert after(b, (0, PROFIT), (0, moves.PlaySpecial("tiebreaker"))).players[0].in_play == ["tiebreaker"]
    assert refusal(b, 1, moves.PlaySpecial("tiebreaker")) == ("LM-4.4.1", "not_your_turn")


@pytest.mark.parametrize("before", [0, 1, 2])
def test_lm_4_5_1_and_lm_6_13_both_cards_on_any_side(before):
    plays = [(0, moves.PlaySpecial("clientele:PORT")), (0, moves.PlaySpecial("clientele:COVE"))]
    b = after(holding("clientele:PORT clientele:COVE"), *plays[:before], (0, PROFIT), *plays[before:])
    assert (b.players[0].money, to_act(b)) == (6, (1,))


def test_lm_4_5_2_the_second_card_costs_three_pounds():
    _, effects = play(
        holding("tiebreaker replenishment", 3),
        (0, moves.PlaySpecial("tiebreaker")),
        (0, moves.PlaySpecial("replenishment")),
    )
    assert [e.fee for e in only(effects, moves.SpecialPlayed)] == [0, 3]


def test_lm_4_5_2_income_of_the_same_turn_pays_for_it():
    # also LM-6.12
    b = after(holding("tiebreaker replenishment"), (0, moves.PlaySpecial("tiebreaker")))
    assert refusal(b, 0, moves.PlaySpecial("replenishment")) == ("LM-4.5.2", "cannot_pay")
    b = after(b, (0, PROFIT), (0, moves.PlaySpecial("replenishment")))
    assert b.players[0].money == 0


def test_lm_4_5_2_a_card_does_not_pay_for_itself():
    b = after(holding("tiebreaker clientele:PORT"), (0, moves.PlaySpecial("tiebreaker")))
    assert refusal(b, 0, moves.PlaySpecial("clientele:PORT")) == ("LM-4.5.2", "cannot_pay")


def test_lm_4_5_2_a_third_card_is_impossible():
    b = holding("tiebreaker replenishment clientele:PORT", 9)
    b = after(b, (0, moves.PlaySpecial("tiebreaker")), (0, moves.PlaySpecial("replenishment")))
    assert refusal(b, 0, moves.PlaySpecial("clientele:PORT")) == ("LM-4.5.2", "special_limit")
    assert all(isinstance(d, moves.UseMerchant | moves.UseAssistant) for d in legal(b, 0))


def test_lm_4_5_2_and_lm_6_11_staying_cards_use_up_the_free_play():
    assert (
        effects_after(
            holding("tiebreaker any_market", 3),
            (0, moves.PlaySpecial("tiebreaker")),
            (0, moves.PlaySpecial("any_market", "PORT")),
        )[1].fee
        == 3
    )


# --- staying and once-only cards ---


@pytest.mark.parametrize("card", ["tiebreaker", "replenishment"])
def test_lm_4_5_3_staying_cards_lie_in_front_of_the_player(card):
    b, effects = play(holding(card), (0, moves.PlaySpecial(card)))
    assert (b.players[0].in_play, b.players[0].specials, b.removed) == ([card], [], [])
    assert effects == [moves.SpecialPlayed("LM-4.5.3", 0, card, 0, True)]


def test_lm_4_5_4_once_only_cards_leave_the_game():
    b, effects = play(holding("clientele:PORT"), (0, moves.PlaySpecial("clientele:PORT")))
    assert (b.players[0].in_play, b.players[0].specials, b.removed) == ([], [], ["clientele:PORT"])
    assert effects[0] == moves.SpecialPlayed("LM-4.5.4", 0, "clientele:PORT", 0, False)


@pytest.mark.parametrize(
    ("card", "late"),
    [
        ("monopoly:PORT", True),
        ("combined:PORT+PETT", True),
        ("rich_offer", True),
        ("clientele:PORT", False),
        ("any_market", False),
        ("tiebreaker", False),
        ("replenishment", False),
    ],
)
def test_lm_4_5_5_some_cards_are_forbidden_in_four_rounds(card, late):
    bars = dict.fromkeys(MARKETS, "R R R")
    d = moves.PlaySpecial(card, "PORT" if card == "any_market" else None)
    for round in (1, 4, 5):
        b = holding(card, round=round, bars=bars)
        assert refusal(b, 0, d) == (("LM-4.5.5", "too_early") if late and round < 5 else None)


@pytest.mark.parametrize(
    ("card", "bars"),
    [
        ("monopoly:PORT", {"PORT": "R R B / B"}),
        ("combined:PORT+PETT", {"PORT": "R R R", "PETT": "B B B"}),
        ("combined:PORT+PETT", {"PORT": "R R R", "PETT": "R B B / B"}),
        ("rich_offer", {"PORT": "R R R", "PETT": "R B B"}),
    ],
)
def test_lm_4_5_6_card_below_its_lowest_step_is_not_played(card, bars):
    # also LM-6.10
    b = holding(card, bars=bars)
    assert refusal(b, 0, moves.PlaySpecial(card)) == ("LM-4.5.6", "condition_not_met")
    assert not legal(b, 0, moves.PlaySpecial)


def test_lm_4_5_7_and_lm_6_17_a_tiebreaker_in_hand_does_nothing():
    b = set_up(player(3, specials="tiebreaker"), player(3), player(), stage="over", round=12)
    assert LONDON_MARKETS.scoring.outcome(b).ranks == (1, 1, 3)


def test_lm_4_5_8_replenishment_works_in_the_same_round():
    b = set_up(player(), player(), player(hand="1 coffee", specials="replenishment"), mover=2, used=["stack", "goods"])
    b, effects = play(b, (2, moves.PlaySpecial("replenishment")), (2, PROFIT))
    takes = [(seat, moves.Replenish("soap")) for seat in (0, 0, 1, 1)]
    b, effects = play(b, *takes)
    assert effects[-1] == moves.TakesBegun("LM-4.6.3", 2, 3, 1)
    assert moves.Exchange("coffee", "china") in legal(b, 2)


def test_lm_4_5_9_any_market_places_a_bar_anywhere():
    b = holding("any_market", bars={"BORO": "B B"})
    assert {d.market for d in legal(b, 0, moves.PlaySpecial)} == set(MARKETS)
    b = after(b, (0, moves.PlaySpecial("any_market", "BORO")))
    assert legal(b, 0) == [moves.PlaceBar(), moves.PlaceBar(2)]
    b = after(b, (0, moves.PlaceBar()))
    assert (b.stacks["BORO"], b.stage, b.acted) == ([[1, 1, 0]], "turn", False)
    assert legal(b, 0, moves.UseMerchant)


def test_lm_4_5_9_after_the_action_the_turn_ends_with_the_bar():
    b = after(holding("any_market"), (0, PROFIT), (0, moves.PlaySpecial("any_market", "PORT")), (0, moves.PlaceBar()))
    assert to_act(b) == (1,)


@pytest.mark.parametrize(("card", "market"), [("any_market", None), ("tiebreaker", "PORT"), ("any_market", "SOHO")])
def test_lm_4_5_9_a_market_is_named_with_any_market_alone(card, market):
    assert refusal(holding(card), 0, moves.PlaySpecial(card, market)) == ("LM-4.5.9", "no_market")


def test_lm_4_5_9_not_without_a_bar():
    b = holding("any_market", numbers={"bars.each_colour": 3}, bars={"BRIX": "R R R / B B B / G G G"})
    assert refusal(b, 0, moves.PlaySpecial("any_market", "PORT")) == ("LM-4.5.9", "no_bars")


# --- what they pay ---


@pytest.mark.parametrize(("bars", "amount"), [("", 3), ("B B B", 3), ("R R B / G", 4), ("R R R", 9)])
def test_lm_4_5_10_and_lm_2_5_1_clientele(bars, amount):
    b, effects = play(holding("clientele:PORT", bars={"PORT": bars}), (0, moves.PlaySpecial("clientele:PORT")))
    assert b.players[0].money == amount
    assert effects[1] == moves.SpecialPaid("LM-4.5.10", 0, "clientele:PORT", {"PORT": crates(b, "PORT")[0]}, amount)


@pytest.mark.parametrize(
    ("bars", "shown", "amount"),
    [
        ("B B B / R", 3, None),
        ("R B B / R", 5, 4),
        ("R R R / B", 6, 4),
        ("R R B / R", 7, 8),
        ("B B R / R R", 7, 8),
        ("R R B / R R", 8, 8),
        ("R R R", 9, 12),
    ],
)
def test_lm_4_5_11_and_lm_2_5_2_monopoly(bars, shown, amount):
    b = holding("monopoly:PORT", bars={"PORT": bars})
    assert crates(b, "PORT")[0] == shown
    if amount is None:
        assert not legal(b, 0, moves.PlaySpecial)
    else:
        assert after(b, (0, moves.PlaySpecial("monopoly:PORT"))).players[0].money == amount


@pytest.mark.parametrize(
    ("port", "pett", "amount"),
    [
        ("R B B", "R R R", 6),
        ("R R B / G", "R R R", 10),
        ("R B B / R", "R B B / R", 14),
        ("R R R", "R R R", 14),
        ("R R B / G G", "R R R", None),
    ],
)
def test_lm_4_5_12_and_lm_2_5_3_combined_offer(port, pett, amount):
    b = holding("combined:PORT+PETT", bars={"PORT": port, "PETT": pett})
    if amount is None:
        assert not legal(b, 0, moves.PlaySpecial)
    else:
        assert after(b, (0, moves.PlaySpecial("combined:PORT+PETT"))).players[0].money == amount


@pytest.mark.parametrize(("markets", "amount"), [(2, None), (3, 3), (4, 6), (5, 9)])
def test_lm_4_5_13_and_lm_2_5_4_rich_offer(markets, amount):
    b = holding("rich_offer", bars=dict.fromkeys(MARKETS[:markets], "R B B / G"))
    if amount is None:
        assert not legal(b, 0, moves.PlaySpecial)
    else:
        assert after(b, (0, moves.PlaySpecial("rich_offer"))).players[0].money == amount


@pytest.mark.parametrize(
    ("third", "amount"),
    [("R B B / G", 3), ("R B B / G G", 3), ("R B B / G G B", None), ("B B B / R R G / G G G", None)],
)
def test_lm_4_5_13_market_with_covered_crates_does_not_count(third, amount):
    bars = {"PORT": "R B B", "COVE": "G R B", "PETT": third}
    b = holding("rich_offer", bars=bars)
    if amount is None:
        assert refusal(b, 0, moves.PlaySpecial("rich_offer")) == ("LM-4.5.6", "condition_not_met")
    else:
        assert after(b, (0, moves.PlaySpecial("rich_offer"))).players[0].money == amount


def test_lm_4_5_14_a_bar_placed_just_before_counts():
    b = holding("monopoly:PORT any_market", 3, bars={"PORT": "R R B"})
    assert after(b, (0, moves.PlaySpecial("monopoly:PORT"))).players[0].money == 7
    b = after(
        b, (0, moves.PlaySpecial("any_market", "PORT")), (0, moves.PlaceBar()), (0, moves.PlaySpecial("monopoly:PORT"))
    )
    assert b.players[0].money == 8


def test_lm_2_4_pay_steps_and_copies_are_data():
    numbers = {
        "monopoly.crates": [2, 4],
        "monopoly.pays": [1, 20],
        "copies.monopoly.PORT": 3,
        "copies.monopoly.COVE": 0,
        "copies.monopoly.PETT": 0,
        "clientele.least": 5,
    }
    b = set_up(
        player(9, specials="monopoly:PORT monopoly:PORT clientele:COVE"),
        player(),
        player(),
        bars={"PORT": "R R B / G"},
        numbers=numbers,
    )
    b = after(b, (0, moves.PlaySpecial("monopoly:PORT")), (0, moves.PlaySpecial("monopoly:PORT")))
    assert b.players[0].money == 9 + 20 - 3 + 20
    b = set_up(player(specials="clientele:COVE"), player(), player(), numbers=numbers)
    assert after(b, (0, moves.PlaySpecial("clientele:COVE"))).players[0].money == 5


def test_lm_4_4_2_end_of_turn_is_asked_without_cards_too():
    b = after(holding("rich_offer", round=2), (0, PROFIT))
    assert legal(b, 0) == [moves.EndTurn()]


def test_lm_4_5_2_each_turn_has_its_own_free_card():
    b = set_up(player(specials="tiebreaker"), player(specials="replenishment"), player())
    b, effects = play(b, (0, moves.PlaySpecial("tiebreaker")), (0, PROFIT), (1, moves.PlaySpecial("replenishment")))
    assert [e.fee for e in only(effects, moves.SpecialPlayed)] == [0, 0]
    b = after(b, (1, moves.UseMerchant("stack")), *[(1, moves.PlaceBar())] * 2)
    assert (b.plays, to_act(b)) == (0, (2,))


def test_lm_4_5_9_only_any_market_needs_a_bar():
    """Every other card can be played without a bar left."""
    b = set_up(player(specials="tiebreaker clientele:PORT any_market"), player(), player())
    b.players[0].bars = 0
    assert {d.card for d in legal(b, 0, moves.PlaySpecial)} == {"tiebreaker", "clientele:PORT"}
