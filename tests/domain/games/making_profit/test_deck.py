"""MP-4.7: draws, the reshuffled pile, and nationalisation."""

from __future__ import annotations

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.making_profit.playing import after, hand, opening_board, play, player, refusal, set_up, to_act

EMPTY = {"R1": 0, "R2": 0, "M1": 0, "M2": 0, "?": 0}


def test_mp_4_7_1_cards_are_drawn_singly_and_deck_checked():
    b = set_up(player(factory="R2 R1"), player(), deck="M1 M2", pile="R1 R1 R1")
    b, effects = play(
        b, (0, moves.Run()), (TABLE, moves.Drawn("M2")), (TABLE, moves.Drawn("M1")), (TABLE, moves.Drawn("R1"))
    )
    assert effects[1:] == [
        moves.CardDrawn("MP-4.7.1", 0, "M2", 1),
        moves.CardDrawn("MP-4.7.1", 0, "M1", 1),
        moves.DeckReshuffled("MP-4.7.2", 3),
        moves.CardDrawn("MP-4.7.1", 0, "R1", 1),
    ]


def test_mp_4_7_2_pile_is_shuffled_though_no_draw_is_due():
    # also MP-6.17
    b = set_up(player(2), player(), deck="M1", pile="R1 M2")
    b, effects = play(b, (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("M1")))
    assert effects[-1] == moves.DeckReshuffled("MP-4.7.2", 2)
    assert (b.deck, b.discard) == (EMPTY | {"R1": 1, "M2": 1}, EMPTY)


def last_card_drawn(*players):
    """Seat 0 buys a stock for the last card of the deck, and there is no pile."""
    return after(set_up(*players, deck="M1"), (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("M1")))


def test_mp_4_7_3_without_a_pile_every_hand_is_cut_to_two():
    b = last_card_drawn(player(2, hand="M1 R1 R1"), player(hand="M2 M2"), player(hand="R1 R2 M1 M2", factory="R1"))
    for seat, keep, gone in [(1, ("M1", "M2"), ("M2",)), (2, ("R1", "M1"), ("R2", "M2")), (0, ("R1", "R1"), ("M1",))]:
        assert to_act(b) == (seat,)
        b, effects = play(b, (seat, moves.Nationalise(keep)))
        assert effects[0] == moves.HandCut("MP-4.7.3", seat, gone)
    assert [hand(b, seat) for seat in range(3)] == ["R1 R1", "M1 M2", "R1 M1"]
    assert (b.deck, b.discard, b.nationalising) == (EMPTY | {"R2": 1, "M1": 1, "M2": 2}, EMPTY, False)
    assert b.players[2].factory == ["R1"]


def test_mp_4_7_3_the_card_just_drawn_is_a_hand_card():
    b = last_card_drawn(player(2), player(hand="M2 M2"))
    assert MAKING_PROFIT.legal(b, 1) == [moves.Nationalise(("M1", "M2")), moves.Nationalise(("M2", "M2"))]


def test_mp_4_7_3_it_is_asked_even_without_alternative():
    b = last_card_drawn(player(2), player(hand="M1 M1"))
    assert MAKING_PROFIT.legal(b, 1) == [moves.Nationalise(("M1", "M1"))]


def test_mp_6_12_the_owner_of_the_hand_chooses():
    b = last_card_drawn(player(2), player(hand="M2 M2"))
    assert refusal(b, 0, moves.Nationalise(("M1", "M2"))) == ("MP-4.7.3", "discard_owed")


def test_mp_4_7_3_unknown_hands_are_cut_card_by_card():
    numbers = {"cards.R1.copies": 6, "cards.R2.copies": 0, "cards.M1.copies": 0, "cards.M2.copies": 3}
    b = set_up(player(4, hand="? ? ? ?"), player(hand="? ? ? ?"), hands="hidden", numbers=numbers)
    b, effects = play(b, (0, moves.BuyStock("blue")))
    assert effects[-1] == moves.Nationalised("MP-4.7.3", 1)
    assert MAKING_PROFIT.legal(b, 1) == [moves.DiscardHand("R1"), moves.DiscardHand("M2"), moves.DiscardHand("?")]
    assert refusal(b, 1, moves.Nationalise(("R1", "R1"))) == ("MP-4.7.3", "discard_owed")
    b = after(b, *[(1, moves.DiscardHand(card)) for card in ("R1", "M2", "R1")], (0, moves.DiscardHand("R1")))
    b, effects = play(b, (0, moves.DiscardHand("R1")))
    assert effects[-1] == moves.DeckReshuffled("MP-4.7.3", 5)
    assert (hand(b, 0), hand(b, 1), b.deck["?"]) == ("? ?", "? ?", 5)


def test_mp_4_7_3_known_hand_is_cut_at_once():
    numbers = {"cards.R1.copies": 5, "cards.R2.copies": 0, "cards.M1.copies": 0, "cards.M2.copies": 0}
    b = set_up(player(2, hand="R1 R1 R1"), player(hand="?"), hands="hidden", numbers=numbers)
    b = after(b, (0, moves.BuyStock("blue")))
    assert refusal(b, 0, moves.DiscardHand("R1")) == ("MP-4.7.3", "discard_owed")
    assert MAKING_PROFIT.legal(b, 0) == [moves.Nationalise(("R1", "R1"))]


def test_mp_4_7_4_drawing_continues_with_the_cards_due():
    # also MP-6.10
    b = set_up(player(factory="R2 R2 R2 R2 R1", hand="M1"), player(hand="M1 M2 M2 M2"), deck="M2 M2")
    b = after(b, (0, moves.Run()), (TABLE, moves.Drawn("M2")), (TABLE, moves.Drawn("M2")))
    assert b.draws == 7
    b = after(b, (0, moves.Nationalise(("M2", "M2"))), (1, moves.Nationalise(("M2", "M2"))))
    assert (b.deck, to_act(b)) == (EMPTY | {"M1": 2, "M2": 1}, (TABLE,))
    b = after(b, *[(TABLE, moves.Drawn(card)) for card in ("M1", "M1", "M2")])
    assert (b.draws, hand(b, 0)) == (4, "M1 M1 M2 M2 M2")
    b, effects = play(b, (0, moves.Nationalise(("M1", "M1"))))
    assert effects == [moves.HandCut("MP-4.7.3", 0, ("M2", "M2", "M2")), moves.DeckReshuffled("MP-4.7.3", 3)]
    b = after(b, *[(TABLE, moves.Drawn("M2"))] * 3)
    b, effects = play(b, (0, moves.Nationalise(("M2", "M2"))), (TABLE, moves.Drawn("M1")))
    assert (b.draws, b.actions, hand(b, 0)) == (0, 1, "M1 M2 M2")


def test_mp_4_7_5_draws_are_lost_without_nationalised_cards():
    b = set_up(player(factory="R2 R1"), player(hand="M1 M2"), deck="M2")
    b, effects = play(b, (0, moves.Run()), (TABLE, moves.Drawn("M2")))
    assert effects[2:] == [moves.Nationalised("MP-4.7.3", 0), moves.DrawsLost("MP-4.7.5", 0, 2)]
    assert (b.deck_size, to_act(b)) == (0, (0,))


def test_mp_4_7_5_next_discard_becomes_the_deck():
    b = set_up(player(factory="R1", blue=1), player(hand="M1 M2"), deck="M2")
    b = after(b, (0, moves.Run()), (TABLE, moves.Drawn("M2")), (0, moves.SellAdd("blue")), (0, moves.SellDone()))
    b, effects = play(b, (1, moves.DiscardHand("M1")))
    assert effects[1] == moves.DeckReshuffled("MP-4.7.5", 1)
    assert (b.deck["M1"], b.discard["M1"]) == (1, 0)


def test_mp_4_7_5_a_deck_of_84_never_runs_dry():
    most_elsewhere = 6 * 9 + 6 * 2
    assert opening_board(6).printed.all_cards - most_elsewhere == 18


def test_mp_4_7_5_a_deck_too_small_to_deal_loses_the_draws():
    numbers = {f"cards.{card}.copies": 1 for card in ("R1", "R2", "M1")} | {"cards.M2.copies": 0}
    b = opening_board(2, "hidden", numbers)
    assert [hand(b, 0), hand(b, 1), b.deck_size] == ["? ?", "?", 0]
    assert to_act(b) == (TABLE,)


def test_mp_4_7_6_nationalisation_is_free_and_hits_the_mover():
    b = set_up(player(4, hand="M1 M1 M1"), player(hand="M2"), deck="M2")
    b = after(b, (0, moves.BuyStock("blue")), (TABLE, moves.Drawn("M2")), (0, moves.Nationalise(("M1", "M1"))))
    assert (b.mover, b.actions, hand(b, 0)) == (0, 1, "M1 M1")
