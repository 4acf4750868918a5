"""MP-3.4: recording without seeing hands, and what counting makes impossible."""

from __future__ import annotations

import random
from itertools import product

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT, knowledge, moves
from daybook.domain.games.making_profit.board import CARDS, Batch, Board, Stocks
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.making_profit.playing import (
    EAGER,
    after,
    choice,
    effects_after,
    fact,
    hand,
    opening_board,
    play,
    player,
    refusal,
    set_up,
    to_act,
)


def hidden_position(*players, **fields):
    return set_up(*players, hands="hidden", **fields)


# --- MP-3.4.1, MP-3.4.2: cards are unknown until they leave a hand ---


def test_mp_3_4_1_a_drawn_card_is_unknown():
    b, effects = play(hidden_position(player(2), player(hand="?")), (0, moves.BuyStock("blue")))
    assert (hand(b, 1), effects[-1]) == ("? ?", moves.CardDrawn("MP-4.7.1", 1, "?", 1))


def test_mp_3_4_1_several_are_drawn_in_one_step():
    assert effects_after(hidden_position(player(factory="R2 R2 R1"), player()), (0, moves.Run()))[1:] == [
        moves.CardDrawn("MP-4.7.1", 0, "?", 5)
    ]


def test_mp_3_4_1_a_claim_makes_two_cards_known():
    b = after(opening_board(2, "hidden"), (TABLE, moves.StartPlayerDrawn(0)), (0, moves.ThirdCard(True)))
    assert hand(b, 0) == "R1 R1 ?"


def test_mp_3_4_2_a_card_gets_its_type_when_it_is_developed():
    b = after(hidden_position(player(hand="? ?"), player()), (0, moves.Develop("M2")))
    assert (hand(b, 0), b.players[0].factory) == ("?", ["M2"])


def test_mp_3_4_2_a_developed_card_must_be_typed():
    assert refusal(hidden_position(player(hand="?"), player()), 0, moves.Develop("?")) == ("MP-3.4.2", "card_unknown")


def test_mp_3_4_2_a_discarded_card_may_stay_unknown():
    b = after(hidden_position(player(hand="? ? ?"), player()), (0, moves.SellResources(("R1", "?", "?"))))
    assert b.discard == {"R1": 1, "R2": 0, "M1": 0, "M2": 0, "?": 2}


def test_mp_3_4_2_a_known_card_of_the_type_goes_first():
    b = after(hidden_position(player(hand="R1 R1 ?"), player()), (0, moves.Develop("R1")))
    assert hand(b, 0) == "R1 ?"


def test_mp_3_4_2_more_cards_than_held_cannot_be_named():
    b = hidden_position(player(hand="R1 R1 ?"), player())
    assert refusal(b, 0, moves.SellResources(("M1", "M2", "M2"))) == ("MP-4.6.1", "no_card")
    assert refusal(b, 0, moves.SellResources(("R1", "M2", "?"))) == ("MP-4.6.1", "no_card")
    assert refusal(b, 0, moves.SellResources(("R1", "R1", "R1"))) is None


def test_mp_4_3_8_where_unknown_cards_must_go_each_type_is_asked():
    b = after(
        hidden_position(player(blue=2), player(hand="R1 ? ?"), player()),
        (0, moves.SellAdd("blue")),
        (0, moves.SellDone()),
    )
    assert MAKING_PROFIT.legal(b, 1) == [moves.DiscardHand(card) for card in (*CARDS, "?")]
    b = hidden_position(player(blue=3), player(hand="R1 ?", factory="M1 M2"), player())
    b, effects = play(b, *[(0, moves.SellAdd("blue"))] * 3, (0, moves.SellDone()))
    assert effects[-1] == moves.CardDiscarded("MP-4.3.8", 1, "R1", "hand", 1)
    assert (hand(b, 1), b.players[1].owes) == ("?", 2)
    b = after(b, (1, moves.DiscardHand("?")))
    assert MAKING_PROFIT.legal(b, 1) == [moves.DiscardFactory("M1"), moves.DiscardFactory("M2")]


def test_mp_4_9_with_unknown_cards_there_are_35_sets():
    b = hidden_position(player(hand="? ? ?"), player())
    assert sum(isinstance(d, moves.SellResources) for d in MAKING_PROFIT.legal(b, 0)) == 35


# --- MP-3.4.3: no more of a type than there are ---


def test_mp_3_4_3_no_more_of_a_type_than_copies():
    b = hidden_position(
        player(hand="? ?", factory="M2"), player(factory="M2"), pile="M2", numbers={"cards.M2.copies": 4}
    )
    b = after(b, (0, moves.Develop("M2")))
    assert refusal(b, 0, moves.Develop("M2")) == ("MP-3.4.3", "card_unknown")


def test_mp_3_4_3_two_of_one_type_in_one_set():
    b = hidden_position(player(hand="? ? ?"), player(factory="M2"), numbers={"cards.M2.copies": 2})
    assert refusal(b, 0, moves.SellResources(("M1", "M1", "M2"))) is None
    assert refusal(b, 0, moves.SellResources(("M1", "M2", "M2"))) == ("MP-3.4.3", "card_unknown")


# --- MP-3.4.4 to MP-3.4.7: after a shuffle ---


def eight_m2_in_the_deck() -> Board:
    """13 M2 lie in factories; the other 8 are shuffled into the deck by a purchase of seat 0."""
    b = hidden_position(
        player(20, hand="? ? ? ?", factory="M2 M2 M2 M2 M2 M2 M2"),
        player(hand="? ?", factory="M2 M2 M2 M2 M2 M2"),
        pile="M2 M2 M2 M2 M2 M2 M2 M2",
        numbers={"cards.R1.copies": 2, "cards.R2.copies": 2, "cards.M1.copies": 3, "cards.M2.copies": 21},
        developer=0,
    )
    assert b.deck["?"] == 1
    return after(b, (0, moves.BuyStock("blue")))


def test_mp_3_4_4_shuffled_cards_are_unknown_again():
    b = eight_m2_in_the_deck()
    assert (b.deck, b.discard["M2"]) == ({"R1": 0, "R2": 0, "M1": 0, "M2": 0, "?": 8}, 0)
    assert b.players[0].factory == ["M2"] * 7


def test_mp_3_4_5_prices_payments_and_levels_need_no_hand():
    b = after(
        hidden_position(player(20, hand="? ? ?"), player(factory="M1 M1 M1", hand="?")), (0, moves.BuyStock("blue"))
    )
    b = after(b, (0, moves.SellResources(("?", "?", "?"))))
    assert (b.players[0].money, b.players[1].level) == (27, 3)


def test_mp_3_4_6_drawing_nothing_means_holding_no_shuffled():
    b = eight_m2_in_the_deck()
    assert refusal(b, 0, moves.Develop("M2")) == ("MP-3.4.6", "card_unknown")
    assert refusal(b, 0, moves.Develop("M1")) is None


def test_mp_3_4_6_a_card_drawn_since_may_be_one():
    b = after(eight_m2_in_the_deck(), (0, moves.BuyStock("red")), (1, moves.Develop("M1")), (1, moves.Run()))
    assert b.stocks.drawn == [1, 0]
    b = after(b, (0, moves.Develop("M2")))
    assert refusal(b, 0, moves.Develop("M2")) == ("MP-3.4.6", "card_unknown")


def test_mp_3_4_6_an_unknown_card_in_the_pile_ends_what_is_known():
    b = hidden_position(
        player(20, hand="? ?"), player(), pile="M1 ?", numbers={f"cards.{card}.copies": 2 for card in CARDS}
    )
    b.deck["?"], b.players[0].hand["?"] = 1, 5
    b = after(b, (0, moves.BuyStock("blue")))
    assert b.stocks is None


def test_mp_3_4_6_naming_is_remembered_in_few_batches():
    stocks = Stocks(dict.fromkeys(CARDS, 5), dict.fromkeys(CARDS, 5), [3, 3], [0, 0], [[], []])
    for drawn in (2, 4, 6):
        stocks.drawn[0] = drawn
        stocks = knowledge.naming(stocks, 0, ["M1"])
    assert stocks.named == [[Batch(6, {"R1": 0, "R2": 0, "M1": 3, "M2": 0})], []]


def test_mp_3_4_6_stocks_out_of_shape_cannot_be_laid():
    with pytest.raises(ValueError, match="R1, R2"):
        Stocks({}, dict.fromkeys(CARDS, 0), [0], [0], [[]])
    with pytest.raises(ValueError, match="as many players"):
        Stocks(dict.fromkeys(CARDS, 0), dict.fromkeys(CARDS, 0), [0], [0], [])


def splits(old, new, held, draws_and_names):
    """MP-3.4.6 by trying every split, as the rule says it. draws_and_names: (seat, None) or (seat, type)."""
    names = [item for item in draws_and_names if item[1] is not None]
    return any(
        split_holds(old, new, held, draws_and_names, choice) for choice in product(("old", "new"), repeat=len(names))
    )


def split_holds(old, new, held, draws_and_names, choice):
    old, new, held, drawn, choices = dict(old), dict(new), list(held), [0] * len(held), iter(choice)
    for seat, card in draws_and_names:
        if card is None:
            drawn[seat] += 1
        elif next(choices) == "old":
            old[card] -= 1
            held[seat] -= 1
        else:
            new[card] -= 1
            drawn[seat] -= 1
        if min(*old.values(), *new.values(), *held, *drawn) < 0:
            return False
    return True


@pytest.mark.parametrize("seed", range(60))
def test_mp_3_4_6_agrees_with_trying_every_split(seed):
    chance = random.Random(seed)
    seats = chance.choice([2, 2, 3])
    old = {card: chance.choice([0, 0, 1, 2]) for card in CARDS}
    new = {card: chance.choice([0, 0, 1, 2, 3]) for card in CARDS}
    held = [chance.randrange(4) for _ in range(seats)]
    stocks = Stocks(new, old, held, [0] * seats, [[] for _ in range(seats)])
    history = []
    for _ in range(14):
        seat = chance.randrange(seats)
        if chance.random() < 0.4:
            stocks.drawn[seat] += 1
            history.append((seat, None))
            continue
        card = chance.choice(CARDS)
        further = knowledge.naming(stocks, seat, [card])
        possible = splits(old, new, held, [*history, (seat, card)])
        assert knowledge.can_be(further) == possible
        if possible:
            stocks = further
            history.append((seat, card))


class PossibleHands:
    """Every possible distribution of cards: hands and deck by type, restricted by what was seen."""

    def __init__(self, b: Board) -> None:
        self.pile = dict.fromkeys(CARDS, 0)
        nothing = (0,) * len(CARDS)
        self.all = {((nothing,) * b.seats, tuple(b.printed.copies[card] for card in CARDS))}
        for seat, p in enumerate(b.players):
            self.draw(seat, p.cards)

    def draw(self, seat, count):
        for _ in range(count):
            self.all = {
                (change_hand(hands, seat, at, 1), take_card(deck, at))
                for hands, deck in self.all
                for at in range(len(CARDS))
                if deck[at]
            }

    def leave(self, seat, cards):
        for card in cards:
            at = CARDS.index(card)
            self.all = {(change_hand(hands, seat, at, -1), deck) for hands, deck in self.all if hands[seat][at]}

    def can_leave(self, seat, cards):
        return any(all(hands[seat][CARDS.index(card)] >= cards.count(card) for card in cards) for hands, _ in self.all)

    def follow(self, effects):
        for e in effects:
            if isinstance(e, moves.CardDrawn):
                self.draw(e.seat, e.count)
            elif isinstance(e, moves.CardDeveloped):
                self.leave(e.seat, [e.card])
            elif isinstance(e, moves.ResourcesSold | moves.HandCut):
                self.leave(e.seat, e.cards)
                self.lay(e.cards)
            elif isinstance(e, moves.CardDiscarded):
                if e.source == "hand":
                    self.leave(e.seat, [e.card] * e.count)
                self.lay([e.card] * e.count)
            elif isinstance(e, moves.DeckReshuffled):
                deck = tuple(self.pile[card] for card in CARDS)
                self.all = {(hands, deck) for hands, left in self.all if not any(left)}
                self.pile = dict.fromkeys(CARDS, 0)

    def lay(self, cards):
        for card in cards:
            self.pile[card] += 1


def change_hand(hands, seat, at, by):
    changed = list(map(list, hands))
    changed[seat][at] += by
    return tuple(map(tuple, changed))


def take_card(deck, at):
    return (*deck[:at], deck[at] - 1, *deck[at + 1 :])


def naming(d):
    """The cards a decision names, if it names all it takes."""
    cards = (
        d.cards
        if isinstance(d, moves.SellResources)
        else (d.card,)
        if isinstance(d, moves.Develop | moves.DiscardHand)
        else ()
    )
    return () if "?" in cards else cards


@pytest.mark.parametrize("seed", range(20))
def test_mp_3_4_7_before_second_shuffle_only_possible_passes(seed):
    """Small decks, everything named: what may be named is what some real lie of the cards allows."""
    chance = random.Random(seed)
    numbers = {f"cards.{card}.copies": chance.choice([1, 2, 3, 4]) for card in CARDS} | {"start.money": 40}
    b = opening_board(chance.choice([2, 3]), "hidden", numbers)
    worlds, shuffles = PossibleHands(b), 0
    b = after(b, (TABLE, moves.StartPlayerDrawn(0)))
    while (seats := to_act(b)) and shuffles < 2:
        seat = b.mover if b.mover in seats else seats[0]
        for kind in (moves.Develop, moves.DiscardHand, moves.SellResources):
            for d in MAKING_PROFIT.kinds[kind].offers(b, seat):
                refused = refusal(b, seat, d)
                if naming(d) and (refused is None or refused[1] == "card_unknown"):
                    assert (refused is None) == worlds.can_leave(seat, naming(d)), (seat, d)
        while isinstance(d := choice(b, seat, chance, EAGER), moves.ThirdCard) or "?" in str(d):
            pass
        b, effects = play(b, (seat, d))
        shuffles += sum(isinstance(e, moves.DeckReshuffled) for e in effects)
        if shuffles < 2:
            worlds.follow(effects)


def test_mp_3_4_7_unknown_discard_refuses_nothing_possible():
    b = after(eight_m2_in_the_deck(), (0, moves.Develop("M1")))
    b = after(b, (1, moves.SellAdd("blue")), (1, moves.SellDone()), (1, moves.DiscardHand("?")))
    assert refusal(b, 1, moves.Develop("R1")) is None


@pytest.mark.parametrize("seed", range(5))
def test_mp_7_14_the_counting_holds_after_every_step(seed):
    chance = random.Random(seed)
    b = opening_board(4, "hidden")
    while seats := to_act(b):
        d = fact(b, chance) if seats == (TABLE,) else choice(b, seats[0], chance, EAGER)
        b = after(b, (seats[0], d))
        assert knowledge.can_be(b.stocks)
        assert all(count <= b.printed.copies[card] for card, count in knowledge.known_by_type(b).items())


def test_mp_4_7_2_open_hands_keep_what_was_shuffled_in():
    b = set_up(player(9), player(), pile="M1 M2", deck="R1")
    b = after(b, (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("R1")))
    assert (b.deck["M1"], b.deck["M2"]) == (1, 1)
    assert (b.stocks.new["M1"], b.stocks.new["M2"], b.stocks.old["R1"], b.stocks.held) == (1, 1, 1, [0, 1])


def test_mp_3_3_what_a_hidden_record_knows_everybody_knows():
    b = set_up(player(hand="M1 ?"), player(hand="? ?"), hands="hidden")
    for viewer in (None, 0, 1):
        assert hand(MAKING_PROFIT.secrecy.redact_board(b, viewer), 0) == "M1 ?"


def test_mp_3_4_6_a_card_everybody_knows_teaches_nothing():
    """Two R1 were shown for the third card: selling one is no new name."""
    b = hidden_position(
        player(4, hand="R1 R1 ?", blue=1),
        player(),
        deck=None,
        pile="M1 M1",
        numbers={"cards.R1.copies": 3, "cards.R2.copies": 1, "cards.M1.copies": 2, "cards.M2.copies": 0},
    )
    b = after(b, (0, moves.BuyStock("red")))
    assert b.stocks is not None and b.stocks.named == [[], []]
    b = after(b, (0, moves.Develop("R1")))
    assert b.stocks.named == [[], []]


def test_mp_4_7_3_turn_waits_until_the_hands_are_cut():
    """The last action draws the last card: the hands come first, and the draws, then the next player."""
    b = set_up(
        player(4, hand="? ? ? ?"),
        player(hand="?"),
        hands="hidden",
        numbers={"cards.R1.copies": 6, "cards.R2.copies": 0, "cards.M1.copies": 0, "cards.M2.copies": 0},
        actions=1,
        developer=0,
    )
    b = after(b, (0, moves.BuyStock("blue")))
    assert (b.nationalising, b.mover, b.actions, to_act(b)) == (True, 0, 0, (0,))
    b, effects = play(b, (0, moves.DiscardHand("R1")), (0, moves.DiscardHand("R1")))
    assert (b.nationalising, b.mover, b.actions) == (False, 1, 2)
    assert [type(effect) for effect in effects] == [
        moves.CardDiscarded,
        moves.CardDiscarded,
        moves.DeckReshuffled,
        moves.TurnPassed,
    ]
