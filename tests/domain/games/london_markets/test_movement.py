"""LM-4.8 and LM-4.9: merchants, assistants, drafts, and the coach."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS, moves
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.london_markets.playing import (
    after,
    legal,
    offering,
    play,
    player,
    refusal,
    replenishing,
    to_act,
)
from tests.domain.games.moves import only


def all_null(seats):
    return TABLE, moves.OffersRevealed((moves.GoodsCards(),) * seats)


def end_round(seats=3, round=5, **fields):
    """End the round without any offer."""
    return play(offering(*[player(seat) for seat in range(seats)], round=round, **fields), all_null(seats))


SYMBOLS = ["-"] * 12


def symbols(**at):
    """Symbols on a track by space: _3="draft"."""
    return [at.get(f"_{space}", "-") for space in range(1, 13)]


def test_lm_4_8_1_merchants_move_one_market_clockwise():
    b, effects = end_round(merchants="PORT BRIX PETT")
    assert b.merchants == {"stack": "COVE", "profit": "PORT", "goods": "BORO"}
    assert only(effects, moves.MerchantsMoved) == [moves.MerchantsMoved("LM-4.8.1", b.merchants)]


def test_lm_4_8_1_and_lm_2_2_the_ring_is_data():
    ring = ["BRIX", "PETT", "PORT", "BORO", "COVE"]
    b, _ = end_round(numbers={"markets.ring": ring})
    assert b.merchants == {"stack": "BORO", "profit": "BRIX", "goods": "PORT"}


@pytest.mark.parametrize(("seats", "spaces"), [(3, {"A": 6}), (4, {"A": 6, "B": 6})])
def test_lm_4_8_2_each_assistant_moves_one_space(seats, spaces):
    b, effects = end_round(seats)
    assert b.assistants == spaces
    assert [e.track for e in only(effects, moves.AssistantMoved)] == list(spaces)


def test_lm_4_8_3_draft_gives_each_a_special_card_in_order():
    # also LM-2.6.3
    b, effects = end_round(round=2)
    assert effects[-1] == moves.DraftBegun("LM-4.8.3", "A")
    order = []
    for pile in (4, 1, 2):
        (seat,) = to_act(b)
        order.append(seat)
        b = after(b, (seat, moves.TakePile(pile)))
        card = b.specials[pile - 1][0]
        b, effects = play(b, (seat, moves.TakeSpecial(card)))
        assert effects[0] == moves.SpecialTaken("LM-4.8.3", seat, pile, card)
    assert (order, [len(p.specials) for p in b.players]) == ([0, 1, 2], [1, 1, 1])
    assert (b.round, b.stage, b.drafted) == (3, "market_card", [])


def test_lm_4_8_3_each_player_picks_another_pile():
    b, _ = end_round(round=2)
    b, effects = play(b, (0, moves.TakePile(2)))
    assert effects == [moves.PilePicked("LM-4.8.3", 0, 2, 8)]
    b = after(b, (0, moves.TakeSpecial(b.specials[1][0])))
    assert legal(b, 1) == [moves.TakePile(1), moves.TakePile(3), moves.TakePile(4)]
    assert refusal(b, 1, moves.TakePile(2)) == ("LM-4.8.3", "pile_picked")
    assert refusal(b, 2, moves.TakePile(1)) == ("LM-4.7.9", "not_your_turn")


def test_lm_4_8_3_without_a_pile_a_player_gets_nothing():
    b = offering(*[player()] * 4, round=2)
    b.specials = [[card for pile in b.specials for card in pile], [], [], []]
    b = after(b, all_null(4), (0, moves.TakePile(1)))
    b, effects = play(b, (0, moves.TakeSpecial(b.specials[0][0])))
    assert only(effects, moves.SpecialLacking) == [moves.SpecialLacking("LM-4.8.3", seat) for seat in (1, 2, 3)]
    assert b.stage == "market_card"


def test_lm_4_8_4_and_lm_5_6_a_reveal_shows_everybodys_money():
    b, effects = end_round(round=4)
    assert only(effects, moves.MoneyShown) == [moves.MoneyShown("LM-4.8.4", (0, 1, 2))]
    assert (b.stage, b.money_shown) == ("market_card", True)


def test_lm_2_6_2_a_symbol_may_stand_anywhere_on_any_track():
    b, effects = end_round(4, round=8, numbers={"tracks.B.symbols": symbols(_9="draft"), "tracks.A.symbols": SYMBOLS})
    assert effects[-1] == moves.DraftBegun("LM-4.8.3", "B")
    assert b.assistants == {"A": 9, "B": 9}


def test_lm_2_6_2_a_symbol_on_the_first_space_does_nothing():
    numbers = {"tracks.A.symbols": symbols(_1="draft", _12="reveal")}
    b, effects = end_round(round=1, numbers=numbers)
    assert (b.stage, only(effects, moves.DraftBegun)) == ("market_card", [])
    assert only(end_round(round=11, numbers=numbers)[1], moves.MoneyShown)


def test_lm_6_21_track_a_comes_before_track_b():
    numbers = {"tracks.A.symbols": symbols(_6="draft"), "tracks.B.symbols": symbols(_6="draft")}
    b, _ = end_round(4, numbers=numbers)
    assert b.assistants == {"A": 6, "B": 5}
    for draft in ("A", "B"):
        for seat, pile in ((0, 1), (1, 2), (2, 3), (3, 4)):
            assert to_act(b) == (seat,), draft
            b = after(b, (seat, moves.TakePile(pile)))
            b = after(b, (seat, moves.TakeSpecial(b.specials[pile - 1][0])))
    assert (b.round, b.start, b.assistants) == (6, 1, {"A": 6, "B": 6})


def test_lm_6_21_a_reveal_of_track_a_and_a_draft_of_track_b():
    numbers = {"tracks.A.symbols": symbols(_6="reveal"), "tracks.B.symbols": symbols(_6="draft")}
    b, effects = end_round(4, numbers=numbers)
    assert [type(e) for e in effects[-4:]] == [
        moves.AssistantMoved,
        moves.MoneyShown,
        moves.AssistantMoved,
        moves.DraftBegun,
    ]
    assert b.stage == "draft_pile"


def test_lm_4_8_5_all_tokens_are_turned_up_again():
    assert end_round()[0].used == []


def test_lm_4_9_1_the_coach_goes_to_the_next_player():
    b, effects = end_round()
    assert (b.start, b.round) == (1, 6)
    assert effects[-2:] == [moves.CoachPassed("LM-4.9.1", 0, 1), moves.RoundEnded("LM-5.6", 5)]
    assert end_round(start=2)[0].start == 0


def test_lm_4_8_3_draft_after_a_round_begins_with_the_starter():
    """Play from the last replenishment through auctions without an offer."""
    b = replenishing(player(), player(), player(), mover=2, round=2)
    b = after(b, (2, moves.Replenish("soap")), (2, moves.Replenish("soap")))
    assert (b.stage, b.turn, b.takes, b.exchanges) == ("offers", 0, 0, 0)
    b = after(b, (TABLE, moves.OffersRevealed((moves.GoodsCards(),) * 3)))
    assert (b.stage, to_act(b)) == ("draft_pile", (0,))


def test_lm_4_9_1_a_round_begins_with_the_first_turn():
    for b in (end_round()[0], end_round(round=2)[0]):
        while b.stage != "market_card":
            (seat,) = to_act(b)
            b = after(b, (seat, legal(b, seat)[0]))
        assert b.turn == 0
        b = after(b, (TABLE, legal(b, TABLE)[0]))
        assert LONDON_MARKETS.waits_for(b) == (b.start,)
