"""LM-3.4: recording without seeing hands, and what no deal could explain."""

from __future__ import annotations

import random
from functools import cache
from itertools import product

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS, moves
from daybook.domain.games.london_markets.printed import GOODS
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.london_markets.playing import (
    EAGER,
    TRADED,
    after,
    board_at_first_card,
    broken,
    effects_after,
    game,
    goods,
    hand,
    legal,
    offering,
    offers,
    opening_board,
    play,
    player,
    refusal,
    replenishing,
    set_up,
    to_act,
)
from tests.domain.games.moves import only

UNSEEN = player(hand="8 ?")


def hidden_offering(*players, **fields):
    return offering(*players, hands="hidden", **fields)


def refusal_reason(b, seat, d):
    with pytest.raises(IllegalDecision) as refused:
        LONDON_MARKETS.refuse(b, seat, d)
    return str(refused.value.reason)


# --- LM-3.4.1 to LM-3.4.5: goods cards ---


@pytest.mark.parametrize(("seats", "of_a_type"), [(3, 6), (4, 8)])
def test_lm_3_4_1_a_hand_of_eight_out_of_so_many_of_each_type(seats, of_a_type):
    b = hidden_offering(*[UNSEEN] * seats)
    assert refusal(b, 0, moves.Offer(coffee=of_a_type)) is None
    assert refusal(b, 0, moves.Offer(coffee=min(9, of_a_type + 1))) == ("LM-4.7.4", "cards_not_held")


def test_lm_3_4_2_cards_taken_and_given_back_are_known():
    b = set_up(UNSEEN, UNSEEN, UNSEEN, hands="hidden")
    b, _ = play(b, (0, LONDON_MARKETS.legal(b, 0)[2]))
    assert hand(b, 0) == {"silk": 3, "?": 8}


def test_lm_3_4_3_valid_offer_names_dealt_cards_that_leave():
    b = hidden_offering(player(hand="2 coffee 8 ?"), UNSEEN, UNSEEN)
    b = after(b, (TABLE, moves.OffersRevealed((moves.GoodsCards(coffee=5), moves.GoodsCards(), moves.GoodsCards()))))
    assert hand(b, 0) == {"?": 5}


def test_lm_3_4_3_a_null_offer_shows_cards_that_stay_in_hand():
    b = hidden_offering(player(hand="1 coffee 8 ?"), UNSEEN, UNSEEN)
    b = after(
        b,
        (
            TABLE,
            moves.OffersRevealed((moves.GoodsCards(coffee=2, soap=1), moves.GoodsCards(silk=1), moves.GoodsCards())),
        ),
    )
    assert hand(b, 0) == {"coffee": 2, "soap": 1, "?": 6}
    assert refusal(b, 0, moves.Offer(china=6)) is None
    assert refusal(b, 0, moves.Offer(china=6, coffee=3)) == ("LM-4.7.4", "cards_not_held")


def test_lm_3_4_3_a_card_given_back_is_named():
    b = replenishing(player(hand="8 ?", in_play="replenishment"), UNSEEN, UNSEEN, hands="hidden")
    b = after(b, (0, moves.Exchange("china", "silk")))
    assert hand(b, 0) == {"silk": 1, "?": 7}


def test_lm_3_4_4_a_hand_needs_no_more_than_its_eight_cards():
    b = hidden_offering(player(hand="1 coffee 3 ?"), UNSEEN, UNSEEN)
    assert refusal(b, 0, moves.Offer(coffee=2, soap=2)) is None
    assert (
        refusal_reason(b, 0, moves.Offer(coffee=3, soap=2))
        == "the hand would need 4 unseen cards (2 coffee, 2 soap); it has 3"
    )


def test_lm_3_4_4_hands_need_no_more_cards_than_were_dealt():
    b = hidden_offering(UNSEEN, player(hand="2 soap 6 ?"), UNSEEN, piles="13 coffee 12 soap 13 silk 10 china")
    assert refusal(b, 0, moves.Offer(soap=4)) is None
    assert (
        refusal_reason(b, 0, moves.Offer(soap=5))
        == "5 more soap would have been dealt; 4 of those dealt are unseen yet"
    )


def test_lm_3_4_4_reveal_is_tested_as_a_whole():
    b = hidden_offering(UNSEEN, UNSEEN, UNSEEN)
    before = b.document()
    four = moves.GoodsCards(soap=4)
    assert refusal(b, TABLE, moves.OffersRevealed((four, four, moves.GoodsCards()))) == ("LM-3.4.4", "cards_not_held")
    assert refusal(b, TABLE, moves.OffersRevealed((four, moves.GoodsCards(soap=2), moves.GoodsCards()))) is None
    assert b.document() == before


def test_lm_3_4_4_inconsistent_sealed_offers_stay_sealed():
    b, effects = play(hidden_offering(UNSEEN, UNSEEN, UNSEEN), *offers("4 soap", "4 soap", ""))
    assert effects[-2:] == [moves.OfferSealed("LM-4.7.2", 2), moves.OffersImpossible("LM-3.4.4")]
    assert (b.stage, to_act(b)) == ("offers", (0, 1, 2))
    assert LONDON_MARKETS.waits_for(b) == (0, 1, 2)
    assert LONDON_MARKETS.secrecy.redact_board(b, None).players[0].offer == "?"
    b, effects = play(b, (1, moves.Offer(soap=2)))
    assert len(only(effects, moves.OfferShown)) == 3


def test_lm_3_4_4_told_offers_do_not_betray_sealed_ones():
    b = after(hidden_offering(UNSEEN, UNSEEN, UNSEEN), (0, moves.Offer(soap=4)))
    d = moves.OffersRevealed((None, moves.GoodsCards(soap=4), moves.GoodsCards()))
    b, effects = play(b, (TABLE, d))
    assert effects == [moves.OffersImpossible("LM-3.4.4")]
    assert LONDON_MARKETS.secrecy.redact_step(b, TABLE, d, effects, 2) == (moves.OffersRevealed(()), effects)


def test_lm_3_4_5_hand_sizes_and_piles_are_exact():
    for b, *_ in game(board_at_first_card(3), 3):
        on_table = sum(sum(p.offer.values()) for p in b.players if b.settling and isinstance(p.offer, dict))
        assert sum(b.piles.values()) + sum(p.cards for p in b.players) + on_table == 72


# every deal that could be, for small decks


@cache
def deals(size, of_a_type, seats):
    """Return every way to deal these numbers of cards of four types to hands of this size."""
    hands = [cards for cards in product(range(min(size, of_a_type) + 1), repeat=4) if sum(cards) == size]
    return [
        deal
        for deal in product(hands, repeat=seats)
        if all(sum(cards[kind] for cards in deal) == of_a_type for kind in range(4))
    ]


SMALL = {"setup.hand": 4, "seats.3.dealt": 3, "goods.each_type": 5}


class PossibleDeals:
    """All deals that agree with everything that was seen."""

    def __init__(self):
        self.deals = deals(4, 3, 3)
        self.since = [[0] * 4 for _ in range(3)]  # cards taken since, less those given back

    def holding(self, shown):
        """Return the deals in which each hand holds this many cards of each type."""
        return [
            deal
            for deal in self.deals
            if all(
                deal[seat][kind] + self.since[seat][kind] >= count
                for seat, named in shown.items()
                for kind, count in enumerate(named)
                if count
            )
        ]

    def follow(self, effects):
        """Cards that come into hands and leave them."""
        for e in effects:
            match e:
                case moves.GoodsDrawn():
                    self.since[e.seat][GOODS.index(e.goods)] += e.count
                case moves.GoodsTaken():
                    self.since[e.seat][GOODS.index(e.goods)] += 1
                case moves.GoodsReturned():
                    self.since[e.seat][GOODS.index(e.goods)] -= e.count
                case moves.GoodsExchanged():
                    self.since[e.seat][GOODS.index(e.gave)] -= 1
                    self.since[e.seat][GOODS.index(e.took)] += 1


def shown_by(seat, d):
    """Return the cards that a decision shows: by seat, counts by type."""
    if isinstance(d, moves.Exchange):
        return {seat: one(d.give)}
    if isinstance(d, moves.OffersRevealed):
        return {of: [getattr(offer, kind) for kind in GOODS] for of, offer in enumerate(d.offers)}
    return {}


def one(goods):
    return [int(kind == goods) for kind in GOODS]


def any_decision(b, chance):
    """Any decision, now and then one that no deal may explain."""
    if b.stage == "offers":
        mixed = chance.random() < 0.2
        return TABLE, moves.OffersRevealed(
            tuple(
                moves.GoodsCards(*(chance.randrange(2) for _ in GOODS))
                if mixed
                else moves.GoodsCards(**{chance.choice(GOODS): chance.randrange(4)})
                for _ in b.players
            )
        )
    seat = to_act(b)[0]
    if b.exchanges and chance.random() < 0.5:
        return seat, moves.Exchange(chance.choice(GOODS), next(iter(b.stocked_types), "soap"))
    return seat, chance.choice(LONDON_MARKETS.legal(b, seat))


@pytest.mark.parametrize("seed", range(12))
def test_lm_3_4_4_exactly_what_some_deal_explains_is_accepted(seed):
    """Small decks: offers, exchanges and reveals against all deals there can be."""
    chance = random.Random(seed)
    b, worlds, refused = board_at_first_card(3, numbers=SMALL), PossibleDeals(), 0
    for p in b.players:
        p.in_play = ["replenishment"]
    b.specials[0] = b.specials[0][:-3]
    while b.stage != "over":
        seat, d = any_decision(b, chance)
        if b.stage == "offers":
            offer = moves.Offer(*(chance.choice((0, 0, 1, 2, 3, 4)) for _ in GOODS))
            named = {0: [getattr(offer, kind) for kind in GOODS]}
            assert (refusal(b, 0, offer) is None) == bool(worlds.holding(named)), offer
        no = refusal(b, seat, d)
        if no is not None and no[1] != "cards_not_held":
            continue
        possible = worlds.holding(shown_by(seat, d))
        assert (no is None) == bool(possible), (seat, d)
        refused += no is not None
        if no is None:
            b, effects = play(b, (seat, d))
            worlds.deals = possible
            worlds.follow(effects)
    assert refused


# --- LM-3.4.6: special cards ---


def test_lm_3_4_6_special_card_is_recorded_from_its_pile():
    b = after(
        hidden_offering(player(hand="1 china 7 ?"), UNSEEN, UNSEEN), *offers("1 china", "", ""), (0, moves.TakePile(2))
    )
    assert legal(b, 0) == [moves.TakeSpecial("?")]
    assert refusal(b, 0, moves.TakeSpecial("tiebreaker")) == ("LM-3.4.6", "card_unknown")
    b = after(b, (0, moves.TakeSpecial("?")))
    assert (b.players[0].specials, len(b.specials[1])) == (["?"], 7)


def test_lm_3_4_6_it_is_identified_when_it_is_played():
    b = set_up(player(specials="? ?"), player(), player(), hands="hidden", piles="18 coffee 18 soap 18 silk 18 china")
    b = after(b, (0, moves.PlaySpecial("clientele:PORT")))
    assert (b.players[0].specials, b.removed) == (["?"], ["clientele:PORT"])
    assert refusal(b, 0, moves.PlaySpecial("clientele:PORT")) == ("LM-3.4.6", "card_unknown")


def test_lm_3_4_6_nobody_plays_more_cards_than_she_holds():
    b = set_up(player(9, specials="?"), player(), player(), hands="hidden")
    b = after(b, (0, moves.PlaySpecial("tiebreaker")))
    assert refusal(b, 0, moves.PlaySpecial("clientele:PORT")) == ("LM-3.4.6", "card_unknown")


@pytest.mark.parametrize("cards", ["in_play", "removed"])
def test_lm_3_4_6_no_more_copies_than_there_are(cards):
    elsewhere = {"removed": ["tiebreaker"]} if cards == "removed" else {}
    b = set_up(
        player(specials="?"),
        player(in_play="tiebreaker" if cards == "in_play" else ""),
        player(),
        hands="hidden",
        **elsewhere,
    )
    assert refusal(b, 0, moves.PlaySpecial("tiebreaker")) == ("LM-3.4.6", "card_unknown")
    assert moves.PlaySpecial("replenishment") in legal(b, 0)


@pytest.mark.parametrize("card", ["?", "nonsense", "monopoly"])
def test_lm_3_4_6_an_unseen_card_is_one_of_those_printed(card):
    b = set_up(player(specials="?"), player(), player(), hands="hidden")
    assert refusal(b, 0, moves.PlaySpecial(card)) == ("LM-3.4.6", "card_unknown")


def test_lm_3_4_6_with_open_hands_only_what_is_held_is_played():
    b = set_up(player(specials="tiebreaker"), player(specials="clientele:PORT"), player())
    assert legal(b, 0, moves.PlaySpecial) == [moves.PlaySpecial("tiebreaker")]
    assert refusal(b, 0, moves.PlaySpecial("clientele:PORT")) == ("LM-3.4.6", "card_unknown")
    assert refusal(b, 0, moves.PlaySpecial("?")) == ("LM-3.4.6", "card_unknown")


# --- LM-3.4.7: market cards ---


def cards_to_reveal(b):
    return [d.card for d in legal(b, TABLE, moves.MarketCardRevealed)]


def test_lm_3_4_7_revealed_card_never_returns():
    b = board_at_first_card()
    assert cards_to_reveal(b) == [*(f"M{n:02}" for n in range(1, 11) if n != 9), "closed"]
    assert refusal(b, TABLE, moves.MarketCardRevealed("M09")) == ("LM-3.4.7", "card_unknown")


def at_round(number, *before, bottom="M09"):
    b = board_at_first_card()
    b.bottom, b.round, b.revealed = bottom, number, list(before)
    b.assistants = dict.fromkeys(b.assistants, number)
    assert broken(b) == []
    return b


EIGHT = ["M01", "M02", "M03", "M04", "M05", "M06", "M07", "M08"]


def test_lm_3_4_7_round_12_shows_the_bottom_card():
    b = at_round(12, *EIGHT, "M10", "closed", "closed")
    assert cards_to_reveal(b) == ["M09"]
    assert refusal(b, TABLE, moves.MarketCardRevealed("M01")) == ("LM-3.4.7", "card_unknown")


def test_lm_3_4_7_without_a_note_round_12_shows_an_auction_card():
    assert cards_to_reveal(at_round(12, *EIGHT, "closed", "M10", "closed", bottom="?")) == ["M09"]


@pytest.mark.parametrize("bottom", ["M09", "?"])
def test_lm_3_4_7_closed_cards_come_before_the_last_round(bottom):
    b = at_round(10, *EIGHT, "M10", bottom=bottom)
    assert cards_to_reveal(b) == ["closed"]
    assert cards_to_reveal(at_round(11, *EIGHT, "M10", "closed", bottom=bottom)) == ["closed"]
    assert refusal(b, TABLE, moves.MarketCardRevealed("M09")) == ("LM-3.4.7", "card_unknown")


@pytest.mark.parametrize("before", [[], ["closed"], ["M01", "M02"], ["M01", "M02", "closed", "closed"], EIGHT])
def test_lm_3_4_7_cards_are_as_likely_as_their_orders(before):
    """Against all orders of the cards left, counted by their closed ones."""
    b = at_round(len(before) + 1, *before, bottom="?")
    facts = LONDON_MARKETS.facts(b)
    left = 12 - len(before)
    closed = 2 - before.count("closed")
    orders = [order for order in product((True, False), repeat=left) if sum(order) == closed and not order[-1]]
    first = sum(order[0] for order in orders)
    weights = {d.card: weight for d, weight in facts}
    auction = sum(weight for card, weight in weights.items() if card != "closed")
    assert weights.get("closed", 0) * len(orders) == first * (auction + weights.get("closed", 0))


# --- LM-3.4.8: money ---


def show_money():
    b = set_up(player(4), player(7), player(), round=4, card="closed", mover=2, used=["stack", "goods"])
    return play(b, (2, legal(b, 2)[0]))


def test_lm_3_4_8_money_shown_is_compared_with_the_record():
    b, effects = show_money()
    assert only(effects, moves.MoneyShown) == [moves.MoneyShown("LM-4.8.4", (4, 7, 3))]
    assert refusal_reason(b, TABLE, moves.MoneyCounted((4, 8, 3))) == "the record has £7 for seat 1, not £8"
    assert refusal(b, TABLE, moves.MoneyCounted((4, 7))) == ("LM-3.4.8", "no_such_seat")
    followed, effects = play(b, (TABLE, moves.MoneyCounted((4, 7, 3))))
    assert effects == [moves.MoneyAgreed("LM-3.4.8", (4, 7, 3))]
    assert [p.money for p in followed.players] == [4, 7, 3]
    assert refusal(followed, TABLE, moves.MoneyCounted((4, 7, 3))) == ("LM-3.4.8", "wrong_phase")


def test_lm_3_4_8_comparing_is_not_asked_for():
    b, _ = show_money()
    assert dict(LONDON_MARKETS.facts(b))[moves.MoneyCounted((4, 7, 3))] == 0
    assert refusal(after(b, (TABLE, legal(b, TABLE)[0])), TABLE, moves.MoneyCounted((4, 7, 3))) is not None


# --- LM-3.4.9: offers told at once ---


def test_lm_3_4_9_the_table_tells_all_offers_at_once():
    b = hidden_offering(UNSEEN, UNSEEN, UNSEEN)
    d = moves.OffersRevealed((moves.GoodsCards(coffee=2), moves.GoodsCards(), moves.GoodsCards(soap=1)))
    sealed = effects_after(b, *offers("2 coffee", "", "1 soap"))
    assert effects_after(b, (TABLE, d)) == [effect for effect in sealed if not isinstance(effect, moves.OfferSealed)]


def test_lm_3_4_9_sealed_offers_are_left_out():
    b = after(hidden_offering(UNSEEN, UNSEEN, UNSEEN), (1, moves.Offer(coffee=2)))
    none, one = moves.GoodsCards(), moves.GoodsCards(soap=1)
    assert legal(b, TABLE) == [moves.OffersRevealed((none, None, none))]
    assert refusal(b, TABLE, moves.OffersRevealed((one, one, none))) == ("LM-4.7.2", "offer_sealed")
    assert refusal(b, TABLE, moves.OffersRevealed((one, None, None))) == ("LM-4.7.2", "offer_missing")
    assert refusal(b, TABLE, moves.OffersRevealed((one, None))) == ("LM-4.7.2", "no_such_seat")
    effects = effects_after(b, (TABLE, moves.OffersRevealed((one, None, none))))
    assert [e.cards for e in only(effects, moves.OfferShown)] == [{"soap": 1}, {"coffee": 2}, {}]


@pytest.mark.parametrize("seats", [3, 4])
def test_lm_7_17_holds_in_a_hidden_game(seats):
    for b, _, _ in game(opening_board(seats, "hidden"), 11, EAGER):
        needed = dict.fromkeys(GOODS, 0)
        for kind in GOODS:
            needed[kind] = b.piles[kind] + sum(p.hand[kind] for p in b.players) - (18 - b.printed.seats_dealt)
            on_table = sum(p.offer[kind] for p in b.players if b.settling and isinstance(p.offer, dict))
            assert needed[kind] + on_table <= b.printed.seats_dealt
        assert all(0 <= p.hand["?"] <= 8 for p in b.players)


def test_lm_3_4_reveal_and_replenishment_need_no_hand():
    b = replenishing(UNSEEN, UNSEEN, player(hand="8 ?", in_play="replenishment"), mover=2, hands="hidden")
    b = after(b, *[(2, moves.Replenish("coffee"))] * 3, (2, moves.EndReplenish()))
    assert b.stage == "offers"


def test_goods_are_read_as_written():
    assert goods("2 coffee 8 ?") == {"coffee": 2, "?": 8}


def test_lm_3_1_4_an_unnoted_bottom_card_is_no_secret():
    b = after(opening_board(3, "hidden"), (TABLE, TRADED), (TABLE, moves.BottomCardSeen("?")))
    assert b.bottom == "?"


def test_lm_3_4_8_money_is_not_compared_after_the_next_card():
    b, _ = show_money()
    assert b.money_shown
    b = after(b, (TABLE, legal(b, TABLE, moves.MarketCardRevealed)[0]))
    assert not b.money_shown
