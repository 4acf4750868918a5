"""MP-1 to MP-3.3: players, printed numbers, set-up, and visibility."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.games.making_profit.board import CARDS
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.making_profit.playing import (
    COLOURS,
    SHEET,
    after,
    after_deal,
    effects_after,
    hand,
    opening_board,
    play,
    player,
    refusal,
    set_up,
    to_act,
)

# --- MP-1: identity ---


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_mp_1_1_two_to_six_players(seats):
    assert len(opening_board(seats).players) == seats


@pytest.mark.parametrize("colours", [COLOURS[:1], (*COLOURS, "pink"), ("red", "red"), ("red", "pink")])
def test_mp_1_1_other_tables_are_refused(colours):
    with pytest.raises(IllegalDecision) as refused:
        MAKING_PROFIT.table(colours, {}, SHEET)
    assert refused.value.rule == "MP-1"


def test_mp_1_1_an_option_the_game_does_not_have_is_refused():
    with pytest.raises(IllegalDecision):
        MAKING_PROFIT.table(COLOURS[:2], {"hands": "upside down"}, SHEET)


def test_mp_1_2_two_players_end_after_a_pass():
    b = set_up(player(hand="M1"), player(), developer=1)
    b = after(b, (0, moves.Develop("M1")), (0, moves.EndTurn()), (1, moves.EndTurn()))
    assert b.ended == "no_development"


def test_mp_1_5_money_is_whole():
    assert all(type(p.money) is int for p in opening_board().players)


# --- MP-2: the component sheet ---


@pytest.mark.parametrize(
    ("rule", "path", "value", "tag"),
    [
        ("MP-2.1.1", "box.factories", 6, "text"),
        ("MP-2.1.2", "factories.colours", list(COLOURS), "assumed"),
        ("MP-2.1.3", "box.certificates", 60, "text"),
        ("MP-2.1.3", "certificates.each_colour", 10, "text"),
        ("MP-2.1.4", "box.cards", 84, "public"),
        ("MP-2.1.5", "box.card_types", 4, "text"),
        ("MP-2.1.6", "start.certificates", 2, "text"),
        ("MP-2.1.7", "start.hand", 2, "text"),
        ("MP-2.1.8", "start.money", 0, "assumed"),
        ("MP-2.1.9", "start.level", 0, "text"),
        ("MP-2.1.10", "box.money", "unlimited", "assumed"),
        ("MP-2.1.11", "turn.actions", 2, "text"),
        ("MP-2.1.12", "certificates.lowest_price", 2, "text"),
        ("MP-2.1.13", "certificates.lowest_worth", 0, "text"),
        ("MP-2.1.14", "turn.set_cards", 3, "text"),
        ("MP-2.1.15", "turn.set_price", 10, "text"),
        ("MP-2.1.16", "turn.hand_limit", 2, "text"),
        ("MP-2.1.17", "factories.last_level", 10, "text"),
        ("MP-2.1.18", "box.player_aids", "without effect", "text"),
        ("MP-2.2.1", "cards.R1.resources", 1, "text"),
        ("MP-2.2.2", "cards.R2.resources", 2, "public"),
        ("MP-2.2.3", "cards.M1.money", 1, "public"),
        ("MP-2.2.4", "cards.M2.money", 2, "public"),
        ("MP-2.2.5", "cards.R1.copies", 21, "assumed"),
        ("MP-2.2.5", "cards.R2.copies", 21, "assumed"),
        ("MP-2.2.5", "cards.M1.copies", 21, "assumed"),
        ("MP-2.2.5", "cards.M2.copies", 21, "assumed"),
        ("MP-2.2.6", "cards.R1.money", 0, "text"),
        ("MP-2.2.6", "cards.M2.resources", 0, "text"),
    ],
)
def test_printed(rule, path, value, tag):
    number = SHEET.numbers[path]
    assert (number.value, number.tag, number.rule) == (value, tag, rule)


def test_mp_2_1_the_numbers_of_the_box_agree():
    copies = [SHEET[f"cards.{card}.copies"] for card in CARDS]
    assert (len(copies), sum(copies)) == (SHEET["box.card_types"], SHEET["box.cards"])
    assert len(SHEET["factories.colours"]) == SHEET["box.factories"]
    assert SHEET["box.factories"] * SHEET["certificates.each_colour"] == SHEET["box.certificates"]


def test_mp_2_2_5_copies_are_data():
    b = opening_board(2, numbers={"cards.R1.copies": 30})
    assert (b.deck["R1"], b.deck_size) == (30, 93)


@pytest.mark.parametrize("factory", ["M2 M2 M1 R2 R2", "M1 M1 M1 M1 M1 R1 R1 R1 R1"])
def test_mp_2_2_7_the_example_needs_such_factories(factory):
    run = effects_after(set_up(player(factory=factory), player()), (0, moves.Run()))[0]
    assert (run.money, run.resources) == (5, 4)


@pytest.mark.parametrize("card", CARDS)
def test_mp_2_2_6_a_card_yields_either_money_or_resources(card):
    assert (SHEET[f"cards.{card}.money"] == 0) != (SHEET[f"cards.{card}.resources"] == 0)


def test_mp_2_2_8_the_compensated_card_is_the_weakest():
    worst = min(CARDS, key=lambda card: (SHEET[f"cards.{card}.money"], SHEET[f"cards.{card}.resources"]))
    assert worst == "R1"


# --- MP-3.1: the steps of the set-up ---


def test_mp_3_1_1_seats_sit_clockwise_each_with_a_colour():
    b = MAKING_PROFIT.opening_board(MAKING_PROFIT.table(("white", "red"), {}, SHEET))
    assert [list(p.certificates.items()) for p in b.players] == [[("white", 2), ("red", 0)], [("white", 0), ("red", 2)]]


def test_mp_3_1_2_two_own_certificates_each_eight_in_the_bank():
    b = opening_board(3)
    assert b.bank == {"red": 8, "blue": 8, "green": 8}
    assert b.players[1].certificates == {"red": 0, "blue": 2, "green": 0}


def test_mp_3_1_3_and_mp_6_1_colours_nobody_plays_are_put_aside():
    b = opening_board(4)
    assert b.aside == {"black": 10, "white": 10}
    b = set_up(*[player(99)] * 4)
    assert tuple(d.colour for d in MAKING_PROFIT.legal(b, 0) if isinstance(d, moves.BuyStock)) == COLOURS[:4]
    assert tuple(b.bank) == COLOURS[:4]
    assert refusal(b, 0, moves.BuyStock("black")) == ("MP-4.1.6", "colour_not_in_play")


def test_mp_3_1_4_all_cards_are_in_the_deck():
    assert opening_board().deck == {"R1": 21, "R2": 21, "M1": 21, "M2": 21, "?": 0}


def test_mp_3_1_5_each_player_draws_two_cards_in_seat_order():
    b = opening_board(2)
    for card, lies in [("R1", ["R1", ""]), ("M2", ["R1 M2", ""]), ("M1", ["R1 M2", "M1"]), ("M1", ["R1 M2", "M1 M1"])]:
        assert to_act(b) == (TABLE,)
        b = after(b, (TABLE, moves.Drawn(card)))
        assert [hand(b, 0), hand(b, 1)] == lies
    assert b.deck_size == 80


def test_mp_3_1_5_hidden_hands_are_dealt_at_once():
    b = opening_board(4, "hidden")
    assert [hand(b, seat) for seat in range(4)] == ["? ?"] * 4
    assert (b.deck["?"], MAKING_PROFIT.facts(b)) == (76, [(moves.StartPlayerDrawn(seat), 1) for seat in range(4)])


def test_mp_3_1_5_a_drawn_card_is_as_likely_as_it_is_frequent():
    b = after(opening_board(2), (TABLE, moves.Drawn("R1")), (TABLE, moves.Drawn("R1")), (TABLE, moves.Drawn("M2")))
    assert MAKING_PROFIT.facts(b) == [
        (moves.Drawn("R1"), 19),
        (moves.Drawn("R2"), 21),
        (moves.Drawn("M1"), 21),
        (moves.Drawn("M2"), 20),
    ]


def test_mp_3_1_6_the_starting_player_is_drawn():
    b, effects = play(opening_board(3, "hidden"), (TABLE, moves.StartPlayerDrawn(2)))
    assert (b.start, b.mover, b.turn, b.actions) == (2, 2, 1, 2)
    assert effects == [moves.StartPlayerChosen("MP-3.1.6", 2)]


def test_mp_3_1_7_compensation_comes_before_the_first_action():
    b = after_deal("R1 R1", "M1 M1")
    assert MAKING_PROFIT.legal(b, 0)[:2] == [moves.ThirdCard(True), moves.ThirdCard(False)]
    assert not any(isinstance(d, moves.ThirdCard) for d in MAKING_PROFIT.legal(after(b, (0, moves.Run())), 0))


def test_mp_3_1_8_and_mp_6_13_nothing_else_at_the_start():
    b = opening_board()
    assert not any(b.discard.values())
    assert [(p.level, p.money) for p in b.players] == [(0, 0)] * 3


# --- MP-3.2: the third card ---


def test_mp_3_2_1_claims_go_clockwise_from_the_starting_player():
    b = after_deal("R1 R1", "M1 M1", "R1 R1", start=1)
    assert to_act(b) == (2, 0, 1)
    b = after(b, (2, moves.ThirdCard(False)))
    assert to_act(b) == (0, 1)
    assert refusal(b, 2, moves.ThirdCard(True)) == ("MP-3.2.1", "claim_closed")


def test_mp_3_2_1_who_is_passed_over_has_kept_silent():
    b = after(after_deal("R1 R1", "M1 M1", "R1 R1", start=1), (0, moves.ThirdCard(True)), (TABLE, moves.Drawn("M2")))
    assert to_act(b) == (1,)
    assert refusal(b, 2, moves.ThirdCard(True)) == ("MP-3.2.1", "claim_closed")


def test_mp_3_2_2_the_cards_are_shown_and_one_is_drawn():
    b, effects = play(after_deal("M1 M1", "R1 R1"), (1, moves.ThirdCard(True)), (TABLE, moves.Drawn("R1")))
    assert (hand(b, 1), b.players[1].shown) == ("R1 R1 R1", 2)
    assert effects == [moves.ThirdCardClaimed("MP-3.2.2", 1), moves.CardDrawn("MP-4.7.1", 1, "R1", 1)]


def test_mp_3_2_2_no_further_card_even_after_another_r1():
    b = after(after_deal("M1 M1", "R1 R1"), (1, moves.ThirdCard(True)), (TABLE, moves.Drawn("R1")))
    assert refusal(b, 1, moves.ThirdCard(True)) == ("MP-3.2.1", "claim_closed")
    assert to_act(b) == (0,)


def test_mp_3_2_3_a_player_may_say_no():
    b, effects = play(after_deal("R1 R1", "M1 M1"), (0, moves.ThirdCard(False)))
    assert (hand(b, 0), effects) == ("R1 R1", [moves.ThirdCardDeclined("MP-3.2.3", 0)])


@pytest.mark.parametrize("own", ["R1 R2", "M2 M2"])
def test_mp_3_2_3_another_hand_cannot_claim(own):
    b = after_deal(own, "R1 R1")
    assert refusal(b, 0, moves.ThirdCard(True)) == ("MP-3.2.3", "not_two_r1")


@pytest.mark.parametrize("first", [moves.Run(), moves.Develop("M1"), moves.SellAdd("red"), moves.EndTurn()])
def test_mp_3_2_3_and_mp_6_14_the_first_action_closes_the_claims(first):
    b = after(after_deal("M1 M1", "R1 R1"), (0, first))
    assert refusal(b, 1, moves.ThirdCard(True)) == ("MP-3.2.3", "claim_closed")


def test_mp_3_2_3_with_hidden_hands_everybody_may_claim_in_order():
    b = after(opening_board(3, "hidden"), (TABLE, moves.StartPlayerDrawn(1)))
    assert to_act(b) == (1, 2, 0)
    b = after(b, (2, moves.ThirdCard(True)))
    assert [hand(b, seat) for seat in range(3)] == ["? ?", "? ?", "R1 R1 ?"]
    assert to_act(b) == (0, 1)


def test_mp_3_2_3_a_claim_of_hidden_cards_must_fit_the_copies():
    b = after(
        opening_board(2, "hidden", {"cards.R1.copies": 2}),
        (TABLE, moves.StartPlayerDrawn(0)),
        (0, moves.ThirdCard(True)),
    )
    assert refusal(b, 1, moves.ThirdCard(True)) == ("MP-3.4.3", "card_unknown")
    assert refusal(b, 1, moves.ThirdCard(False)) is None


# --- MP-3.3: who sees what ---


def test_mp_3_3_others_see_the_size_of_a_hand():
    seen = MAKING_PROFIT.secrecy.redact_board(set_up(player(hand="M1 M2"), player(hand="R1 R2 R2"), player()), 0)
    assert [hand(seen, seat) for seat in range(3)] == ["M1 M2", "? ? ?", ""]


def test_mp_3_3_a_spectator_sees_no_hand():
    seen = MAKING_PROFIT.secrecy.redact_board(set_up(player(hand="M1 M2"), player(hand="R1")), None)
    assert [hand(seen, seat) for seat in range(2)] == ["? ?", "?"]


def test_mp_3_3_nobody_sees_the_deck():
    b = set_up(player(hand="M1 M2"), player(hand="R1"))
    assert MAKING_PROFIT.secrecy.redact_board(b, 0).deck == {"R1": 0, "R2": 0, "M1": 0, "M2": 0, "?": 81}


def test_mp_3_3_and_mp_6_2_everything_else_lies_open():
    b = set_up(player(7, "M1", "M2 R1", blue=3), player(hand="R1"), pile="M1 R2")
    seen = MAKING_PROFIT.secrecy.redact_board(b, None)
    assert seen.discard == b.discard
    assert (seen.bank, seen.players[0].factory) == (b.bank, ["M2", "R1"])
    assert [(p.money, p.certificates) for p in seen.players] == [(p.money, p.certificates) for p in b.players]


def test_mp_3_3_shown_cards_stay_known_until_they_leave_the_hand():
    b = after(after_deal("R1 R1", "M1 M1"), (0, moves.ThirdCard(True)), (TABLE, moves.Drawn("R1")))
    assert hand(MAKING_PROFIT.secrecy.redact_board(b, 1), 0) == "R1 R1 ?"
    b = after(b, (0, moves.Develop("R1")))
    assert hand(MAKING_PROFIT.secrecy.redact_board(b, 1), 0) == "R1 ?"


def test_mp_3_3_a_drawn_card_is_told_to_its_owner_alone():
    b = after_deal("M1 M1", "R1 R1")
    decision, effects = moves.Drawn("M2"), [moves.CardDrawn("MP-4.7.1", 1, "M2", 1)]
    assert MAKING_PROFIT.secrecy.redact_step(b, TABLE, decision, effects, 1) == (decision, effects)
    for viewer in (0, None):
        assert MAKING_PROFIT.secrecy.redact_step(b, TABLE, decision, effects, viewer) == (
            moves.Drawn("?"),
            [moves.CardDrawn("MP-4.7.1", 1, "?", 1)],
        )


def test_mp_3_3_third_card_is_not_offered_by_public_sight():
    b = after_deal("M1 M1", "R1 R1", "M2 M2")
    assert to_act(b) == (1, 0)
    assert to_act(MAKING_PROFIT.secrecy.redact_board(b, None)) == (0, 1, 2)


def test_mp_3_3_after_the_game_everything_is_open():
    b = after(set_up(player(hand="M1 M2"), player(hand="R1"), developer=1), (0, moves.EndTurn()))
    assert b.ended
    assert MAKING_PROFIT.secrecy.redact_board(b, None) == b
    effects = [moves.CardDrawn("MP-4.7.1", 1, "M2", 1)]
    assert MAKING_PROFIT.secrecy.redact_step(b, TABLE, moves.Drawn("M2"), effects, 0) == (moves.Drawn("M2"), effects)


def test_mp_3_3_a_record_of_hidden_hands_holds_no_secret():
    b = after(opening_board(3, "hidden"), (TABLE, moves.StartPlayerDrawn(0)), (1, moves.ThirdCard(True)))
    assert MAKING_PROFIT.secrecy.redact_board(b, None) == b


def test_mp_3_3_a_masked_board_shares_nothing_with_the_board():
    b = set_up(player(hand="M1"), player())
    seen = MAKING_PROFIT.secrecy.redact_board(b, 0)
    seen.players[0].money = 99
    assert b.players[0].money == 0
    assert seen.table is b.table


def test_mp_4_1_2_no_action_before_the_starter_is_drawn():
    b = opening_board(2, "hidden")
    assert (b.actions, b.turn, MAKING_PROFIT.course.marks(b)) == (0, 0, {"turn": 0})
    assert after(b, (TABLE, moves.StartPlayerDrawn(1))).actions == 2


@pytest.mark.parametrize("start", range(4))
@pytest.mark.parametrize("claims", range(4))
def test_mp_3_2_1_claim_closes_it_for_those_before(start, claims):
    """Clockwise from the starting player; a player who has spoken, or was passed, cannot speak again."""
    order = [(start + place) % 4 for place in range(4)]
    b = after(
        opening_board(4, "hidden"), (TABLE, moves.StartPlayerDrawn(start)), (order[claims], moves.ThirdCard(False))
    )
    for place, seat in enumerate(order):
        refused = None if place > claims else ("MP-3.2.1", "claim_closed")
        assert refusal(b, seat, moves.ThirdCard(False)) == refused
