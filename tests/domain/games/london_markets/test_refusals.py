"""LM-8: every reason for refusal, reached from a position."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets.moves import (
    BottomCardSeen,
    DrawGoods,
    EndReplenish,
    EndTurn,
    Exchange,
    GoodsCards,
    HandDealt,
    MarketCardRevealed,
    MerchantsPlaced,
    MoneyCounted,
    NameGoods,
    Offer,
    OfferCardsPlaced,
    OffersRevealed,
    PlaceBar,
    PlaySpecial,
    Replenish,
    SetupBar,
    SpecialOrMoney,
    SpecialsStacked,
    SpecialStacked,
    StartPlayerDrawn,
    TakePile,
    TakeSpecial,
    UseAssistant,
    UseMerchant,
)
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.london_markets.playing import (
    after,
    board_at_first_card,
    board_at_foreign_bars,
    foreign_bars,
    offering,
    offers,
    opening_board,
    player,
    refusal,
    replenishing,
    set_up,
)

STACK, PROFIT, GOODS = UseMerchant("stack"), UseMerchant("profit"), UseMerchant("goods")
NONE = GoodsCards()


def usual(**fields):
    return set_up(player(specials="tiebreaker any_market rich_offer monopoly:PORT"), player(), player(), **fields)


def general():
    return set_up(player(), player(), player(hand="17 coffee"), merchants="PORT COVE BRIX")


def bare():
    """Return a board on which every player has placed the last bar."""
    return set_up(
        player(specials="any_market"),
        player(),
        player(),
        numbers={"bars.each_colour": 3},
        bars={"BRIX": "R R R / B B B / G G G"},
    )


def taking():
    return replenishing(player(hand="1 coffee", in_play="replenishment"), player(), player(hand="18 soap"))


def bidding(**fields):
    return offering(player(hand="3 china 2 soap"), player(hand="2 coffee"), player(), **fields)


def after_winning_bid(**fields):
    return after(bidding(**fields), *offers("3 china", "", ""))


def drafting():
    b = after(offering(player(), player(), player(), round=2), (TABLE, OffersRevealed((NONE,) * 3)), (0, TakePile(1)))
    return after(b, (0, TakeSpecial(b.specials[0][0])))


def over():
    return set_up(player(), player(), player(), stage="over", round=12)


def merchants():
    b = board_at_foreign_bars()
    return after(b, *foreign_bars(b))


def after_offers():
    return after(offering(player(), player(), player(), round=4), (TABLE, OffersRevealed((NONE,) * 3)))


def unseen():
    return offering(*[player(hand="8 ?")] * 3, hands="hidden")


FULL = [(seat, SetupBar("COVE")) for seat in range(3)]

REFUSALS = [
    ("setup_market_full", "LM-3.2.2", board_at_foreign_bars, FULL, 3, SetupBar("COVE")),
    ("slot_taken", "LM-4.2.5", board_at_foreign_bars, [(0, SetupBar("PORT", 1))], 1, SetupBar("PORT", 1)),
    ("slot_taken", "LM-4.2.5", usual, [(0, STACK)], 0, PlaceBar(3)),
    ("slot_taken", "LM-4.2.5", usual, [(0, STACK), (0, PlaceBar(0))], 0, PlaceBar(0)),
    ("token_used", "LM-4.4.4", usual, [(0, PROFIT), (0, EndTurn())], 1, PROFIT),
    ("token_used", "LM-4.4.4", usual, [(0, UseAssistant("A", "BORO")), (0, EndTurn())], 1, UseAssistant("A", "BRIX")),
    ("must_choose_token", "LM-4.4.3", usual, [], 0, EndTurn()),
    ("no_such_assistant", "LM-2.1.9", usual, [], 0, UseAssistant("B", "BORO")),
    ("merchant_present", "LM-4.4.8", usual, [], 0, UseAssistant("A", "PORT")),
    (
        "pile_empty",
        "LM-4.4.10",
        lambda: set_up(player(), player(), player(hand="18 coffee"), merchants="PORT COVE BRIX"),
        [(0, GOODS)],
        0,
        NameGoods("coffee"),
    ),
    (
        "pile_empty",
        "LM-4.4.10",
        lambda: set_up(player(), player(), player(hand="18 coffee 18 silk")),
        [(0, GOODS)],
        0,
        DrawGoods("coffee"),
    ),
    ("pile_empty", "LM-4.6.4", taking, [], 0, Replenish("soap")),
    ("pile_empty", "LM-4.6.4", taking, [], 0, Exchange("coffee", "soap")),
    ("home_pile_first", "LM-4.4.10", general, [(0, GOODS)], 0, DrawGoods("soap")),
    ("home_pile_first", "LM-4.4.10", usual, [(0, GOODS)], 0, DrawGoods("soap")),
    ("not_your_turn", "LM-4.4.1", usual, [], 1, PROFIT),
    ("not_your_turn", "LM-4.4.1", usual, [], TABLE, PROFIT),
    ("not_your_turn", "LM-4.4.1", usual, [], 7, EndTurn()),
    ("not_your_turn", "LM-4.6.2", taking, [], 1, Replenish("coffee")),
    ("not_your_turn", "LM-3.2.1", board_at_foreign_bars, [], 1, SetupBar("PORT")),
    ("not_your_turn", "LM-4.7.2", bidding, [], 3, Offer()),
    ("not_your_turn", "LM-4.7.9", after_winning_bid, [], 1, TakePile(1)),
    ("not_your_turn", "LM-4.7.9", drafting, [], 0, TakePile(2)),
    ("not_your_turn", "LM-4.7.11", lambda: after_winning_bid(round=12), [], 1, SpecialOrMoney("money")),
    ("wrong_phase", "LM-4.1.1", usual, [], 0, Replenish("coffee")),
    ("wrong_phase", "LM-4.1.1", usual, [], 0, Offer()),
    ("wrong_phase", "LM-4.1.1", usual, [], 0, TakePile(1)),
    ("wrong_phase", "LM-4.1.1", usual, [], 0, SetupBar("PORT")),
    ("wrong_phase", "LM-4.1.1", usual, [], 0, SpecialOrMoney("money")),
    ("wrong_phase", "LM-4.1.1", usual, [], TABLE, MarketCardRevealed("M02")),
    ("wrong_phase", "LM-4.1.1", usual, [], TABLE, OffersRevealed((NONE,) * 3)),
    ("wrong_phase", "LM-4.1.1", taking, [], 0, PROFIT),
    ("wrong_phase", "LM-4.1.1", taking, [], 0, PlaceBar()),
    ("wrong_phase", "LM-4.1.1", bidding, [], 0, EndReplenish()),
    ("wrong_phase", "LM-4.1.1", board_at_first_card, [], 0, PROFIT),
    ("wrong_phase", "LM-4.1.1", lambda: opening_board(3), [], TABLE, StartPlayerDrawn(0)),
    ("wrong_phase", "LM-3.1.5", usual, [], TABLE, SpecialsStacked((8, 8, 7, 7))),
    ("wrong_phase", "LM-3.4.8", lambda: board_at_first_card(3), [], TABLE, MoneyCounted((0, 0, 0))),
    ("action_running", "LM-4.5.1", usual, [(0, STACK)], 0, PlaySpecial("tiebreaker")),
    ("action_running", "LM-4.4.2", usual, [(0, STACK)], 0, EndTurn()),
    ("action_running", "LM-4.4.2", usual, [(0, PlaySpecial("any_market", "PORT"))], 0, PROFIT),
    ("action_running", "LM-4.4.2", general, [(0, GOODS)], 0, UseAssistant("A", "BORO")),
    ("action_running", "LM-4.11", general, [(0, GOODS)], 0, PlaceBar()),
    ("action_running", "LM-4.11", usual, [(0, STACK)], 0, NameGoods("soap")),
    ("action_running", "LM-4.4.10", usual, [(0, STACK)], 0, DrawGoods("soap")),
    ("action_running", "LM-4.11", after_winning_bid, [], 0, Offer()),
    ("action_running", "LM-4.11", after_winning_bid, [], TABLE, OffersRevealed((NONE,) * 3)),
    ("action_running", "LM-4.11", after_winning_bid, [], 0, TakeSpecial("tiebreaker")),
    ("action_running", "LM-4.11", after_winning_bid, [(0, TakePile(1))], 0, TakePile(2)),
    ("action_running", "LM-4.11", lambda: after_winning_bid(round=12), [], 0, TakePile(1)),
    (
        "special_limit",
        "LM-4.5.2",
        lambda: set_up(player(9, specials="tiebreaker replenishment rich_offer"), player(), player()),
        [(0, PlaySpecial("tiebreaker")), (0, PlaySpecial("replenishment"))],
        0,
        PlaySpecial("rich_offer"),
    ),
    ("cannot_pay", "LM-4.5.2", usual, [(0, PlaySpecial("tiebreaker"))], 0, PlaySpecial("any_market", "PORT")),
    ("too_early", "LM-4.5.5", lambda: usual(round=4), [], 0, PlaySpecial("rich_offer")),
    ("condition_not_met", "LM-4.5.6", usual, [], 0, PlaySpecial("rich_offer")),
    ("condition_not_met", "LM-4.5.6", usual, [], 0, PlaySpecial("monopoly:PORT")),
    ("no_bars", "LM-4.5.9", bare, [], 0, PlaySpecial("any_market", "PORT")),
    ("no_exchange_left", "LM-4.6.5", taking, [(0, Exchange("coffee", "silk"))], 0, Exchange("silk", "china")),
    ("same_type", "LM-4.6.5", taking, [], 0, Exchange("coffee", "coffee")),
    ("takes_open", "LM-4.6.3", taking, [], 0, EndReplenish()),
    ("cards_not_held", "LM-3.4.4", taking, [], 0, Exchange("silk", "china")),
    ("cards_not_held", "LM-4.7.4", bidding, [], 1, Offer(coffee=3)),
    ("cards_not_held", "LM-4.7.4", unseen, [], 0, Offer(coffee=7)),
    ("cards_not_held", "LM-3.4.4", unseen, [], TABLE, OffersRevealed((GoodsCards(soap=4),) * 3)),
    ("cards_not_held", "LM-3.4.4", bidding, [], TABLE, OffersRevealed((NONE, GoodsCards(soap=1), NONE))),
    ("cards_not_held", "LM-3.4.4", bidding, [], TABLE, OffersRevealed((NONE, GoodsCards(soap=-1), NONE))),
    ("cards_not_held", "LM-4.7.3", bidding, [], 0, Offer(soap=-1)),
    ("choice_closed", "LM-4.7.11", after_winning_bid, [], 0, SpecialOrMoney("money")),
    (
        "choice_closed",
        "LM-4.7.11",
        lambda: after_winning_bid(round=12),
        [(0, SpecialOrMoney("special")), (0, TakePile(1))],
        0,
        SpecialOrMoney("money"),
    ),
    ("choice_closed", "LM-4.7.11", bidding, [], 0, SpecialOrMoney("money")),
    ("pile_picked", "LM-4.8.3", drafting, [], 1, TakePile(1)),
    ("card_unknown", "LM-3.4.6", usual, [], 0, PlaySpecial("clientele:PORT")),
    ("card_unknown", "LM-3.4.6", usual, [], 0, PlaySpecial("?")),
    ("card_unknown", "LM-3.4.6", usual, [], 0, PlaySpecial("clientele:SOHO")),
    ("card_unknown", "LM-3.4.6", after_winning_bid, [(0, TakePile(4))], 0, TakeSpecial("?")),
    ("card_unknown", "LM-3.4.7", board_at_first_card, [], TABLE, MarketCardRevealed("M09")),
    ("card_unknown", "LM-3.4.7", board_at_first_card, [], TABLE, MarketCardRevealed("M99")),
    # what the record needs beyond the table of LM-8
    ("game_over", "LM-4.10.1", over, [], 0, PROFIT),
    ("game_over", "LM-4.10.1", over, [], TABLE, MarketCardRevealed("M02")),
    ("table_decides", "LM-4.11", board_at_first_card, [], 0, MarketCardRevealed("M01")),
    ("table_decides", "LM-4.11", bidding, [], 0, OffersRevealed((NONE,) * 3)),
    ("already_acted", "LM-4.4.3", usual, [(0, PROFIT)], 0, GOODS),
    ("nothing_awaited", "LM-4.11", usual, [], 0, PlaceBar()),
    ("nothing_awaited", "LM-4.11", usual, [], 0, NameGoods("soap")),
    ("nothing_awaited", "LM-4.7.9", bidding, [], 0, TakePile(1)),
    ("no_market", "LM-4.5.9", usual, [], 0, PlaySpecial("any_market")),
    ("no_takes_left", "LM-4.6.3", taking, [(0, Replenish("silk"))] * 3, 0, Replenish("silk")),
    ("same_offer", "LM-4.7.2", bidding, [(0, Offer())], 0, Offer()),
    ("offer_missing", "LM-4.7.2", bidding, [], TABLE, OffersRevealed((NONE, None, NONE))),
    ("offer_sealed", "LM-4.7.2", bidding, [(0, Offer())], TABLE, OffersRevealed((NONE, NONE, NONE))),
    ("offers_sealed", "LM-4.7.2", unseen, offers("4 soap", "4 soap", ""), TABLE, OffersRevealed((None,) * 3)),
    ("no_such_seat", "LM-4.7.2", bidding, [], TABLE, OffersRevealed((NONE, NONE))),
    (
        "no_such_seat",
        "LM-3.1.7",
        lambda: after(
            opening_board(3, "hidden"),
            (TABLE, OfferCardsPlaced("PORT", "COVE", "PETT", "BORO", "BRIX")),
            (TABLE, BottomCardSeen("?")),
        ),
        [],
        TABLE,
        StartPlayerDrawn(3),
    ),
    ("no_such_seat", "LM-3.4.8", after_offers, [], TABLE, MoneyCounted((0, 0))),
    ("money_differs", "LM-3.4.8", after_offers, [], TABLE, MoneyCounted((0, 0, 1))),
    ("no_such_pile", "LM-4.7.9", after_winning_bid, [], 0, TakePile(0)),
    ("not_a_hand", "LM-2.1.21", lambda: opening_board(3), [], TABLE, HandDealt(2, 2, 2, 1)),
    ("not_a_hand", "LM-2.1.21", lambda: opening_board(3), [], TABLE, HandDealt(9, -1, 0, 0)),
    ("not_a_hand", "LM-2.1.21", lambda: opening_board(3), [], TABLE, HandDealt(2, 2, 2, 2, unseen=True)),
    ("wrong_phase", "LM-3.1.5", lambda: board_at_foreign_bars(3), [], TABLE, SpecialsStacked((8, 8, 7, 7))),
    ("card_unknown", "LM-2.1.20", lambda: opening_board(3), [], TABLE, HandDealt(7, 1, 0, 0)),
    (
        "market_twice",
        "LM-3.1.3",
        lambda: opening_board(3, "hidden"),
        [],
        TABLE,
        OfferCardsPlaced("PORT", "PORT", "PETT", "BORO", "BRIX"),
    ),
    ("market_twice", "LM-3.1.11", merchants, [], TABLE, MerchantsPlaced("PORT", "COVE", "COVE")),
    ("pile_sizes", "LM-6.31", lambda: opening_board(3, "hidden"), [], TABLE, SpecialsStacked((10, 8, 6, 6))),
    ("wrong_phase", "LM-4.1.1", lambda: opening_board(3), [], TABLE, SpecialStacked("tiebreaker")),
]


@pytest.mark.parametrize(("key", "rule", "position", "moves", "seat", "decision"), REFUSALS)
def test_refused(key, rule, position, moves, seat, decision):
    assert refusal(after(position(), *moves), seat, decision) == (rule, key)


LM_8 = {
    "setup_market_full",
    "slot_taken",
    "token_used",
    "must_choose_token",
    "no_such_assistant",
    "merchant_present",
    "pile_empty",
    "home_pile_first",
    "not_your_turn",
    "wrong_phase",
    "action_running",
    "special_limit",
    "cannot_pay",
    "too_early",
    "condition_not_met",
    "no_bars",
    "no_exchange_left",
    "same_type",
    "takes_open",
    "cards_not_held",
    "choice_closed",
    "pile_picked",
    "card_unknown",
}


def test_lm_8_every_reason_is_reached():
    assert {refused[0] for refused in REFUSALS} >= LM_8
