"""LM-4.6: replenish."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets.moves import (
    AuctionBegun,
    EndReplenish,
    Exchange,
    GoodsExchanged,
    GoodsLost,
    GoodsTaken,
    Offer,
    PhaseBegun,
    PhaseSkipped,
    Replenish,
    TakesBegun,
    TurnPassed,
    UseMerchant,
)
from tests.domain.games.london_markets.playing import (
    after,
    hand,
    legal,
    play,
    player,
    refusal,
    replenishing,
    set_up,
    to_act,
)

TWO = [(0, Replenish("coffee")), (0, Replenish("silk"))]
OWNER = player(hand="2 coffee", in_play="replenishment")


def usual(first=None, **fields):
    return replenishing(first or player(), player(), player(), **fields)


def scarce(held, first=None, **fields):
    """The last player holds these cards, so that few are left on the piles."""
    return replenishing(first or player(), player(), player(hand=held), **fields)


@pytest.mark.parametrize(("card", "stage"), [("closed", "market_card"), ("M01", "replenish")])
def test_lm_4_6_1_after_a_closed_card_nothing_is_taken(card, stage):
    """Every player could take and offer: there are cards on the piles and in each hand."""
    b = set_up(OWNER, OWNER, OWNER, card=card, mover=2, used=["stack", "profit"])
    b, effects = play(b, (2, UseMerchant("goods")))
    phases = [(type(e), e.rule, e.phase) for e in effects if isinstance(e, (PhaseBegun, PhaseSkipped))]
    skipped = [(PhaseSkipped, "LM-4.6.1", "replenish"), (PhaseSkipped, "LM-4.7.1", "auction")]
    assert b.stage == stage
    if card == "closed":
        assert phases == [*skipped, (PhaseBegun, "LM-4.8.1", "movement")]
        assert (b.round, [p.cards for p in b.players], [p.offer for p in b.players]) == (6, [2, 2, 5], [None] * 3)
        assert (refusal(b, 0, Replenish("soap")), refusal(b, 0, Offer(coffee=1))) == (
            ("LM-4.1.1", "wrong_phase"),
            ("LM-4.1.1", "wrong_phase"),
        )
    else:
        assert phases == [(PhaseBegun, "LM-4.6.2", "replenish")]


def test_lm_4_6_2_starter_begins_and_order_is_clockwise():
    b = replenishing(player(), player(), player(), start=1)
    order = []
    while b.stage == "replenish":
        order += to_act(b)
        b = after(b, (order[-1], Replenish("soap")))
    assert order == [1, 1, 2, 2, 0, 0]


def test_lm_4_6_2_each_player_finishes_before_the_next():
    b, effects = play(usual(), *TWO)
    assert effects == [
        GoodsTaken("LM-4.6.4", 0, "coffee"),
        GoodsTaken("LM-4.6.4", 0, "silk"),
        TurnPassed("LM-4.6.2", 0, 1),
        TakesBegun("LM-4.6.3", 1, 2, 0),
    ]
    assert refusal(b, 0, Replenish("soap")) == ("LM-4.6.2", "not_your_turn")


def test_lm_4_6_2_auctions_follow_the_last_player():
    b, effects = play(usual(mover=2), (2, Replenish("soap")), (2, Replenish("soap")))
    assert effects[2:] == [
        PhaseBegun("LM-4.7.2", "auction"),
        AuctionBegun("LM-4.7.2", 1, ("coffee", "soap", "silk", "china")),
    ]
    assert b.stage == "offers"


@pytest.mark.parametrize("cards", [0, 1, 2])
def test_lm_4_6_3_two_takes_and_one_for_each_card_in_play(cards):
    b = usual(player(in_play="replenishment " * cards))
    assert (b.takes, b.exchanges) == (2 + cards, cards)
    assert refusal(b, 0, EndReplenish()) == ("LM-4.6.3", "takes_open")


def test_lm_4_6_4_each_take_from_any_pile_with_cards():
    b = scarce("18 coffee")
    assert legal(b, 0) == [Replenish("soap"), Replenish("silk"), Replenish("china")]
    assert refusal(b, 0, Replenish("coffee")) == ("LM-4.6.4", "pile_empty")
    b = after(b, (0, Replenish("china")))
    assert (hand(b, 0), b.piles["china"]) == ({"china": 1}, 17)


def test_lm_4_6_5_exchange_gives_a_card_for_another_type():
    b, effects = play(usual(OWNER), (0, Exchange("coffee", "china")))
    assert effects == [GoodsExchanged("LM-4.6.5", 0, "coffee", "china")]
    assert (hand(b, 0), b.piles["coffee"], b.piles["china"]) == ({"coffee": 1, "china": 1}, 17, 17)
    assert refusal(b, 0, Exchange("coffee", "soap")) == ("LM-4.6.5", "no_exchange_left")


def test_lm_4_6_5_exchange_once_a_round_for_each_card_in_play():
    """The next player holds a card and has none in play: it allows nothing."""
    # also LM-6.24
    two = player(hand="3 coffee", in_play="replenishment replenishment")
    b = replenishing(two, player(hand="2 coffee", specials="replenishment"), player())
    b = after(b, (0, Exchange("coffee", "china")), (0, Replenish("soap")), (0, Exchange("coffee", "silk")))
    assert (b.exchanges, legal(b, 0, Exchange)) == (0, [])
    b = after(b, *[(0, Replenish("soap"))] * 3)
    assert (to_act(b), hand(b, 0)) == ((1,), {"coffee": 1, "soap": 4, "silk": 1, "china": 1})
    assert (b.takes, b.exchanges, legal(b, 1, Exchange), legal(b, 0, Exchange)) == (2, 0, [], [])


def test_lm_3_4_3_returned_card_was_dealt_and_is_seen():
    """The record of a game with open hands knows cards that other players have not seen."""
    b = usual(player(hand="1 coffee", dealt="2 coffee 1 soap", in_play="replenishment"))
    b = after(b, (0, Exchange("soap", "china")))
    assert (hand(b, 0), b.players[0].unseen) == (
        {"coffee": 1, "china": 1, "?": 2},
        {"coffee": 2, "soap": 0, "silk": 0, "china": 0},
    )


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_lm_4_6_5_and_lm_6_24_before_between_or_after_the_takes(at):
    moves = [(0, Replenish("soap"))] * 3
    moves.insert(at, (0, Exchange("coffee", "china")))
    b = after(usual(OWNER), *moves)
    assert hand(b, 0) == {"coffee": 1, "soap": 3, "china": 1}
    assert to_act(b) == (1,)


def test_lm_4_6_5_and_lm_6_24_one_exchange_for_each_card():
    b = usual(player(hand="2 coffee", in_play="replenishment replenishment"))
    b = after(b, (0, Exchange("coffee", "china")), (0, Exchange("china", "soap")))
    assert not legal(b, 0, Exchange)


def test_lm_4_6_5_and_lm_6_24_the_same_type_is_no_exchange():
    assert refusal(usual(OWNER), 0, Exchange("coffee", "coffee")) == ("LM-4.6.5", "same_type")


def test_lm_4_6_5_the_pile_was_not_empty_and_the_card_is_held():
    b = scarce("18 china", OWNER)
    assert refusal(b, 0, Exchange("coffee", "china")) == ("LM-4.6.4", "pile_empty")
    assert refusal(b, 0, Exchange("silk", "soap")) == ("LM-3.4.4", "cards_not_held")
    assert {d.take for d in legal(b, 0, Exchange)} == {"soap", "silk"}


def test_lm_4_6_6_unused_exchanges_are_given_up():
    b = after(usual(OWNER), *[(0, Replenish("soap"))] * 3)
    assert legal(b, 0, EndReplenish) == [EndReplenish()]
    assert to_act(after(b, (0, EndReplenish()))) == (1,)


def test_lm_4_6_6_exchange_is_the_only_choice_after_takes():
    b = after(usual(OWNER), *[(0, Replenish("soap"))] * 3)
    assert refusal(b, 0, Replenish("soap")) == ("LM-4.6.3", "no_takes_left")
    assert to_act(after(b, (0, Exchange("soap", "silk")))) == (1,)


def test_lm_4_6_6_takes_are_lost_when_all_piles_are_empty():
    b, effects = play(scarce("18 coffee 18 soap 18 silk 17 china"), (0, Replenish("china")))
    assert GoodsLost("LM-4.6.6", 0, 1) in effects
    assert [e.seat for e in effects if isinstance(e, GoodsLost)] == [0, 1, 2]
    assert b.stage == "offers"


def test_lm_4_6_6_no_exchange_with_empty_piles():
    b = replenishing(OWNER, player(), player(hand="16 coffee 18 soap 18 silk 17 china"))
    b = after(b, (0, Replenish("china")))
    assert (b.stage, hand(b, 0)) == ("offers", {"coffee": 2, "china": 1})


def test_lm_4_6_6_with_empty_piles_everybody_is_passed_over():
    b = set_up(
        player(in_play="replenishment"),
        player(),
        player(hand="18 coffee 18 soap 18 silk 18 china"),
        mover=2,
        used=["stack", "profit"],
    )
    b, effects = play(b, (2, UseMerchant("goods")))
    assert (b.stage, [e.count for e in effects if isinstance(e, GoodsLost)]) == ("offers", [3, 3, 2, 2])


def test_lm_4_6_6_exchanges_given_up_by_the_last_player_are_gone():
    b = replenishing(player(), player(), OWNER, mover=2)
    b = after(b, *[(2, Replenish("soap"))] * 3, (2, EndReplenish()))
    assert (b.stage, b.takes, b.exchanges) == ("offers", 0, 0)


def test_lm_4_6_6_last_take_of_empty_piles_loses_nothing():
    b = scarce("18 coffee 18 soap 18 silk 16 china")
    _, effects = play(b, (0, Replenish("china")), (0, Replenish("china")))
    assert [(e.seat, e.count) for e in effects if isinstance(e, GoodsLost)] == [(1, 2), (2, 2)]
