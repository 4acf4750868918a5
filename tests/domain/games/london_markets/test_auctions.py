"""LM-4.7: auctions."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS, moves
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.london_markets.playing import (
    after,
    broken,
    effects_after,
    hand,
    legal,
    most_of,
    offering,
    offers,
    play,
    player,
    refusal,
    set_up,
    to_act,
)
from tests.domain.games.moves import only

RICH = player(hand="5 coffee 5 soap 5 silk 3 china")
OWNER = player(hand="5 coffee 5 soap 3 silk 3 china", in_play="tiebreaker")


def three(first=RICH, **fields):
    return offering(first, RICH, RICH, **fields)


def offers_shown(effects):
    return {e.seat: e.null for e in only(effects, moves.OfferShown)}


def money(b):
    return [p.money for p in b.players]


# --- offers ---


def test_lm_4_7_1_a_closed_round_has_no_auction():
    b = set_up(player(5), RICH, RICH, card="closed", mover=2, used=["stack", "goods"])
    b, effects = play(b, (2, moves.UseMerchant("profit")))
    assert not only(effects, moves.AuctionBegun)
    assert (b.round, b.stage, refusal(b, 0, moves.Offer())) == (6, "market_card", ("LM-4.1.1", "wrong_phase"))


def test_lm_4_7_2_last_prepared_offer_reveals_all():
    b = three()
    assert to_act(b) == (0, 1, 2, TABLE)
    assert LONDON_MARKETS.waits_for(b) == (0, 1, 2)
    b, effects = play(b, (2, moves.Offer(soap=1)), (0, moves.Offer(coffee=1)))
    assert effects == [moves.OfferSealed("LM-4.7.2", 2), moves.OfferSealed("LM-4.7.2", 0)]
    assert LONDON_MARKETS.waits_for(b) == (1,)
    b, effects = play(b, (1, moves.Offer()))
    assert [e.seat for e in only(effects, moves.OfferShown)] == [0, 1, 2]
    assert b.auction == 2


def test_lm_4_7_2_sealed_offer_may_change_until_the_last():
    b = after(three(), (0, moves.Offer(coffee=1)), (1, moves.Offer(coffee=2)))
    assert 0 in to_act(b)
    assert refusal(b, 0, moves.Offer(coffee=1)) == ("LM-4.7.2", "same_offer")
    b = after(b, (0, moves.Offer(coffee=3)), (2, moves.Offer()))
    assert money(b) == [4, 0, 0]


def test_lm_4_7_2_who_has_no_cards_has_nothing_to_change():
    b = after(offering(RICH, player(), RICH), (1, moves.Offer()))
    assert to_act(b) == (0, 2, TABLE)


@pytest.mark.parametrize(
    ("offer", "null"),
    [
        (moves.Offer(), "empty"),
        (moves.Offer(soap=1, silk=1), "mixed"),
        (moves.Offer(coffee=2), "covered"),
        (moves.Offer(silk=3), ""),
    ],
)
def test_lm_4_7_3_what_makes_an_offer_valid(offer, null):
    b, effects = play(three(covered=["coffee"]), (0, offer), (1, moves.Offer(china=1)), (2, moves.Offer(china=1)))
    assert offers_shown(effects)[0] == null
    assert b.players[0].cards == (18 if null else 15)


def test_lm_4_7_3_unshown_type_is_a_null_offer():
    # also LM-6.34
    b = three(numbers={"market_cards.M01.silk": "-"})
    b, effects = play(b, *offers("", "2 silk", ""))
    assert offers_shown(effects) == {0: "empty", 1: "not_shown", 2: "empty"}
    assert only(effects, moves.AuctionsEnded) == [moves.AuctionsEnded("LM-4.7.14", "all_null")]


def test_lm_4_7_4_null_offer_is_legal_cards_not_held_are_not():
    b = offering(player(hand="2 coffee"), RICH, player())
    assert refusal(b, 0, moves.Offer(coffee=1, soap=0)) is None
    assert refusal(b, 0, moves.Offer(coffee=3)) == ("LM-4.7.4", "cards_not_held")
    assert refusal(b, 0, moves.Offer(coffee=1, soap=1)) == ("LM-4.7.4", "cards_not_held")
    assert refusal(b, 2, moves.Offer(silk=1)) == ("LM-4.7.4", "cards_not_held")
    assert refusal(b, 0, moves.Offer(coffee=-1)) == ("LM-4.7.3", "cards_not_held")
    assert refusal(b, 0, moves.Offer(unseen=True)) == ("LM-4.7.3", "cards_not_held")
    assert refusal(b, TABLE, moves.Offer()) == ("LM-4.7.2", "not_your_turn")


def test_lm_4_11_offers_are_listed_from_nothing_to_many():
    b = offering(player(hand="2 coffee", dealt="1 silk"), player(), player())
    assert legal(b, 0) == [moves.Offer(), moves.Offer(coffee=1), moves.Offer(silk=1), moves.Offer(coffee=2)]
    b = offering(player(hand="2 coffee", dealt="1 silk"), player(), player(), covered=["coffee"])
    assert legal(b, 0) == [moves.Offer(), moves.Offer(silk=1), moves.Offer(coffee=1), moves.Offer(coffee=2)]


def test_lm_4_11_single_type_offers_are_listed_mixed_accepted():
    b = three()
    assert len(legal(b, 0)) == 1 + 18
    assert refusal(b, 0, moves.Offer(coffee=1, china=1)) is None


# --- settling ---


def test_lm_4_7_5_and_lm_6_15_types_are_settled_in_their_order():
    effects = effects_after(three(), *offers("1 silk", "1 soap", "1 coffee"))
    assert [e.goods for e in only(effects, moves.AuctionWon)] == ["coffee", "soap", "silk"]


def test_lm_4_7_6_the_highest_number_wins_alone():
    b, effects = play(three(), *offers("3 coffee", "2 coffee", "1 coffee"))
    assert only(effects, moves.AuctionWon) == [
        moves.AuctionWon("LM-4.7.6", 0, "coffee", 3, 4, False, (moves.Bid(1, 2), moves.Bid(2, 1)))
    ]
    assert money(b) == [4, 0, 0]


@pytest.mark.parametrize(
    ("named", "amounts"),
    [
        (("2 coffee", "2 coffee", "1 coffee"), [2, 2, 0]),
        (("1 soap", "1 soap", ""), [1, 1, 0]),
        (("1 silk", "1 silk", "1 silk"), [0, 0, 0]),
        (("2 soap", "2 soap", "2 soap"), [1, 1, 1]),
    ],
)
def test_lm_4_7_7_and_lm_6_29_a_tie_is_shared_rounded_down(named, amounts):
    b, effects = play(three(), *offers(*named))
    assert money(b) == amounts
    assert only(effects, moves.AuctionShared)[0].each == max(amounts)


def test_lm_4_7_8_the_owner_of_a_tiebreaker_wins_each_tie():
    b, effects = play(three(OWNER), *offers("2 coffee", "2 coffee", "2 coffee"))
    assert money(b) == [4, 0, 0]
    assert only(effects, moves.TieBroken) == [moves.TieBroken("LM-4.7.8", 0, "coffee", (1, 2))]


def test_lm_4_5_7_tiebreaker_in_hand_wins_no_auction_tie():
    # also LM-6.17
    in_hand = player(hand="5 coffee 5 soap 3 silk 3 china", specials="tiebreaker")
    b, effects = play(three(in_hand), *offers("2 coffee", "2 coffee", ""))
    assert not only(effects, moves.TieBroken, moves.AuctionWon)
    assert [e.seats for e in only(effects, moves.AuctionShared)] == [(0, 1)]
    assert money(b)[0] == money(b)[1] > 0


def test_lm_4_7_8_a_tiebreaker_does_not_beat_a_higher_offer():
    assert money(after(three(OWNER), *offers("2 coffee", "3 coffee", ""))) == [0, 4, 0]
    assert money(after(three(OWNER), *offers("1 coffee", "3 coffee", "3 coffee"))) == [0, 2, 2]


def test_lm_6_16_two_owners_cancel_each_other_out():
    b = offering(OWNER, OWNER, RICH, numbers={"copies.tiebreaker": 2, "copies.rich_offer": 1})
    assert money(after(b, *offers("2 coffee", "2 coffee", "2 coffee"))) == [1, 1, 1]
    assert money(after(b, *offers("2 coffee", "", "2 coffee"))) == [4, 0, 0]


# --- special cards ---


def test_lm_4_7_9_winner_of_an_icon_takes_a_pile_card():
    b, effects = play(three(), *offers("2 china", "1 china", ""))
    assert moves.AuctionWon("LM-4.7.6", 0, "china", 2, 0, True, (moves.Bid(1, 1),)) in effects
    assert (to_act(b), legal(b, 0)) == ((0,), [moves.TakePile(pile) for pile in (1, 2, 3, 4)])
    assert refusal(b, 0, moves.TakePile(5)) == ("LM-4.7.9", "no_such_pile")
    b, effects = play(b, (0, moves.TakePile(4)))
    assert effects == [moves.PilePicked("LM-4.7.9", 0, 4, 7)]
    pile = list(b.specials[3])
    assert [d.card for d in legal(b, 0)] == list(dict.fromkeys(pile))
    b, effects = play(b, (0, moves.TakeSpecial(pile[0])))
    assert (b.players[0].specials, b.specials[3]) == ([pile[0]], pile[1:])
    assert effects[0] == moves.SpecialTaken("LM-4.7.9", 0, 4, pile[0])
    assert (b.stage, b.covered) == ("offers", ["china"])


def test_lm_4_7_9_and_lm_6_20_a_card_must_be_taken():
    b = after(three(), *offers("2 china", "", ""))
    assert refusal(b, 0, moves.SpecialOrMoney("money")) == ("LM-4.7.11", "choice_closed")
    assert refusal(b, 0, moves.Offer()) == ("LM-4.11", "action_running")
    assert refusal(b, 1, moves.TakePile(1)) == ("LM-4.7.9", "not_your_turn")


def all_taken(b):
    b.removed = [card for card, copies in b.printed.copies.items() for _ in range(copies - len(in_play(b, card)))]
    b.specials = [[] for _ in b.specials]
    assert broken(b) == []
    return b


def in_play(b, card):
    return [own for p in b.players for own in p.in_play if own == card]


def test_lm_4_7_9_and_lm_6_19_with_empty_piles_the_win_is_void():
    b, effects = play(all_taken(three()), *offers("2 china", "", ""))
    assert only(effects, moves.SpecialLacking) == [moves.SpecialLacking("LM-4.7.9", 0)]
    assert (b.stage, b.covered) == ("offers", ["china"])


def test_lm_4_7_9_an_empty_pile_is_not_taken():
    b = three()
    b.specials[3] += b.specials[0]
    b.specials[0] = []
    b = after(b, *offers("2 china", "", ""))
    assert legal(b, 0) == [moves.TakePile(pile) for pile in (2, 3, 4)]
    assert refusal(b, 0, moves.TakePile(1)) == ("LM-4.7.9", "pile_empty")


def test_lm_4_7_10_tied_players_get_no_special_card():
    b, effects = play(three(), *offers("2 china", "2 china", "1 china"))
    assert only(effects, moves.AuctionShared) == [moves.AuctionShared("LM-4.7.10", (0, 1), "china", 2, 0, 0, True)]
    assert (b.stage, b.covered, b.piles["china"]) == ("offers", ["china"], 14)


def test_lm_4_7_8_tiebreaker_owner_wins_the_special_card():
    # also LM-6.18
    b = after(three(OWNER), *offers("2 china", "2 china", ""))
    assert (b.stage, to_act(b)) == ("pile", (0,))


def last_round(*players, **fields):
    return offering(*players, round=12, **fields)


def test_lm_4_7_11_in_the_last_round_the_winner_chooses_first():
    b = after(last_round(RICH, RICH, RICH), *offers("2 china", "", ""))
    assert legal(b, 0) == [moves.SpecialOrMoney("special"), moves.SpecialOrMoney("money")]
    assert refusal(b, 0, moves.TakePile(1)) == ("LM-4.11", "action_running")
    assert refusal(b, 1, moves.SpecialOrMoney("money")) == ("LM-4.7.11", "not_your_turn")
    followed, effects = play(b, (0, moves.SpecialOrMoney("money")))
    assert (money(followed), effects[0]) == ([3, 0, 0], moves.MoneyInstead("LM-4.7.11", 0, 3))
    followed = after(b, (0, moves.SpecialOrMoney("special")), (0, moves.TakePile(1)))
    assert refusal(followed, 0, moves.SpecialOrMoney("money")) == ("LM-4.7.11", "choice_closed")


def test_lm_4_7_11_tied_players_have_no_choice():
    b = after(last_round(RICH, RICH, RICH), *offers("2 china", "2 china", ""))
    assert (b.stage, money(b)) == ("offers", [0, 0, 0])
    assert refusal(b, 0, moves.SpecialOrMoney("money")) == ("LM-4.7.11", "choice_closed")


def test_lm_4_7_11_empty_piles_leave_the_money():
    # also LM-6.19
    b = after(all_taken(last_round(RICH, RICH, RICH)), *offers("2 china", "", ""))
    assert legal(b, 0) == [moves.SpecialOrMoney("money")]
    assert refusal(b, 0, moves.SpecialOrMoney("special")) == ("LM-4.7.11", "pile_empty")


# --- the end of an auction ---


def test_lm_4_7_12_all_offered_cards_go_back_winners_and_losers():
    b, effects = play(three(), *offers("3 coffee", "2 coffee", "1 soap"))
    assert (b.piles["coffee"], b.piles["soap"]) == (3 + 5, 3 + 1)
    assert [p.cards for p in b.players] == [15, 16, 17]
    assert only(effects, moves.GoodsReturned)[0] == moves.GoodsReturned("LM-4.7.12", 0, "coffee", 3)


def test_lm_4_7_12_until_then_they_lie_on_the_table():
    b = after(three(), *offers("3 coffee", "2 china", ""))
    assert (b.piles["coffee"], hand(b, 0)["coffee"], b.players[0].offer["coffee"]) == (3, 2, 3)


def test_lm_4_7_13_every_type_with_a_valid_offer_is_covered():
    b, effects = play(three(), *offers("3 silk", "2 coffee", "1 soap 1 china"))
    assert b.covered == ["coffee", "silk"]
    assert only(effects, moves.GoodsCovered) == [
        moves.GoodsCovered("LM-4.7.13", "coffee"),
        moves.GoodsCovered("LM-4.7.13", "silk"),
    ]


def test_lm_4_7_14_another_auction_of_the_open_types_follows():
    b, effects = play(three(), *offers("3 silk", "2 coffee", ""))
    assert effects[-1] == moves.AuctionBegun("LM-4.7.2", 2, ("soap", "china"))
    assert [p.offer for p in b.players] == [None] * 3


def test_lm_4_7_14_until_every_type_is_covered():
    b, effects = play(three(covered=["coffee", "china"], auction=2), *offers("3 silk", "2 soap", ""))
    assert only(effects, moves.AuctionsEnded) == [moves.AuctionsEnded("LM-4.7.14", "all_covered")]
    assert (b.round, b.covered, b.auction) == (6, [], 0)


@pytest.mark.parametrize("named", [("", "", ""), ("1 soap 1 silk", "", "2 coffee")])
def test_lm_4_7_14_all_offers_null_on_purpose_or_not(named):
    # also LM-6.14
    b, effects = play(three(covered=["coffee"], auction=2), *offers(*named))
    assert only(effects, moves.AuctionsEnded) == [moves.AuctionsEnded("LM-4.7.14", "all_null")]
    assert b.stage == "market_card"


def test_lm_4_7_14_nobody_offers_anything_is_one_decision():
    b = three()
    assert legal(b, TABLE) == [moves.OffersRevealed((moves.GoodsCards(),) * 3)]
    assert after(b, (TABLE, legal(b, TABLE)[0])).stage == "market_card"


def test_lm_4_7_15_four_auctions_of_a_type_each():
    b = three(numbers={"market_cards.M01.china": "2"})
    for number, goods in enumerate(("coffee", "soap", "silk", "china"), 1):
        assert b.auction == number
        b = after(b, *offers(f"1 {goods}", "", ""))
    assert b.stage == "market_card"


def test_lm_4_7_16_winners_choose_in_settling_order():
    b = three(card="M10")  # coffee 2, soap S, silk 4, china S
    b = after(b, *offers("1 china", "1 soap", ""))
    assert to_act(b) == (1,)
    b = after(b, (1, moves.TakePile(2)), (1, moves.TakeSpecial(b.specials[1][0])))
    assert to_act(b) == (0,)
    b = after(b, (0, moves.TakePile(2)), (0, moves.TakeSpecial(b.specials[1][0])))
    assert (len(b.specials[1]), b.covered) == (6, ["soap", "china"])


def test_types_without_special_card_are_paid_in_order():
    b = three(card="M10")
    b = after(b, *offers("1 coffee", "1 soap", "1 silk"))
    assert money(b) == [2, 0, 0]
    b = after(b, (1, moves.TakePile(1)), (1, moves.TakeSpecial(b.specials[0][0])))
    assert money(b) == [2, 0, 4]


def test_lm_4_7_11_special_card_is_chosen_while_a_pile_has_any():
    b = last_round(RICH, RICH, RICH)
    cards = [card for pile in b.specials for card in pile]
    b.specials = [[], [], cards, []]
    b = after(b, *offers("2 china", "", ""))
    assert legal(b, 0) == [moves.SpecialOrMoney("special"), moves.SpecialOrMoney("money")]
    assert legal(after(b, (0, moves.SpecialOrMoney("special"))), 0) == [moves.TakePile(3)]


@pytest.mark.parametrize("choice", ["special", "money"])
def test_lm_4_7_11_after_the_choice_the_auctions_go_on(choice):
    b = after(last_round(RICH, RICH, RICH), *offers("2 china", "", ""))
    b, effects = play(b, (0, moves.SpecialOrMoney(choice)))
    if choice == "special":
        b = after(b, (0, moves.TakePile(1)))
        b, effects = play(b, (0, moves.TakeSpecial(b.specials[0][0])))
    assert only(effects, moves.GoodsReturned, moves.GoodsCovered, moves.AuctionBegun) == [
        moves.GoodsReturned("LM-4.7.12", 0, "china", 2),
        moves.GoodsCovered("LM-4.7.13", "china"),
        moves.AuctionBegun("LM-4.7.2", 2, tuple(goods for goods in b.face if goods != "china")),
    ]
    assert (b.stage, b.auction) == ("offers", 2)


def test_lm_4_7_2_only_a_sealed_offer_stands_apart():
    """Choosing a special card tells nothing at all, and what can be decided next changes all the same."""
    b = after(last_round(RICH, RICH, RICH), *offers("2 china", "", ""))
    assert effects_after(b, (0, moves.SpecialOrMoney("special"))) == []
    assert not LONDON_MARKETS.course.apart(moves.SpecialOrMoney("special"), [])


def test_lm_4_7_2_offers_are_made_by_the_seats_at_the_table():
    b = offering(RICH, RICH, RICH)
    for seat in (TABLE, 3, 4):
        assert refusal(b, seat, moves.Offer()) == ("LM-4.7.2", "not_your_turn")
        assert legal(b, seat, moves.Offer) == []
    with pytest.raises(IllegalDecision, match="seats 0 to 2"):
        LONDON_MARKETS.refuse(b, 3, moves.Offer())


def test_lm_3_4_4_the_most_that_an_unseen_hand_can_offer():
    """Two coffee are known and three cards unseen: at most the dealt cards of a type that were not seen since."""
    b = offering(player(hand="2 coffee 3 ?"), player(), player(), hands="hidden")
    unseen = {goods: 18 - b.piles[goods] - (2 if goods == "coffee" else 0) for goods in b.piles}
    assert sum(unseen.values()) == 3 and max(unseen.values()) == 1
    assert most_of(b, 0, moves.Offer) == {
        goods: (2 if goods == "coffee" else 0) + count for goods, count in unseen.items()
    }
    paths = {f"offers.{seat}.{goods}" for seat in range(3) for goods in unseen}
    for seat, kind in ((TABLE, moves.Offer), (3, moves.Offer), (0, moves.OffersRevealed)):
        assert most_of(b, seat, kind).keys() == paths


def test_lm_3_4_9_unshown_offers_stay_sealed_on_the_board():
    """The last offer is made on a board of one player: what the others sealed is not there to be revealed."""
    b = after(offering(RICH, RICH, RICH), *offers("2 china", "1 silk", "")[:2])
    seen = LONDON_MARKETS.secrecy.redact_board(b, 0)
    followed, effects = LONDON_MARKETS.play(seen, 2, moves.Offer())
    assert (effects, followed.stage) == ([moves.OfferSealed("LM-4.7.2", 2)], "offers")
    assert only(effects_after(b, (2, moves.Offer())), moves.OfferShown)
