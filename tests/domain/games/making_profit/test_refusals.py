"""MP-8: every reason for refusal, reached from a position."""

from __future__ import annotations

import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.games.making_profit.moves import (
    BuyStock,
    Develop,
    DiscardFactory,
    DiscardHand,
    Drawn,
    EndTurn,
    Nationalise,
    Run,
    SellAdd,
    SellDone,
    SellResources,
    StartPlayerDrawn,
    ThirdCard,
)
from daybook.domain.kernel.terms import TABLE, IllegalDecision
from tests.domain.games.making_profit.playing import after, after_deal, opening_board, player, refusal, set_up

SALE = [(0, SellAdd("blue"))]
SOLD = [*SALE, (0, SellDone())]
BOUGHT = [(0, BuyStock("blue"))]
DRAWN_LAST = [*BOUGHT, (TABLE, Drawn("M1"))]


def usual():
    return set_up(player(9, hand="M1 M2", blue=1), player(hand="M1 M2"), player())


def poor():
    return set_up(player(1), player(blue=10), player())


def two_left():
    """A deck of one card and no pile, so that the next draw leads to nationalisation."""
    return set_up(player(9, hand="M1 M2 R1 R1"), player(hand="M2 M2"), deck="M1")


def two_left_hidden():
    """The same with hidden hands: seat 1 draws the last card, and cuts its hand first."""
    return set_up(
        player(9, hand="? ? ? ?"),
        player(hand="? ?"),
        hands="hidden",
        numbers={"cards.R1.copies": 3, "cards.R2.copies": 2, "cards.M1.copies": 1, "cards.M2.copies": 1},
    )


def with_all_m2_known():
    """Return a board with hidden hands and all four M2 known."""
    return set_up(
        player(hand="? ? ?", factory="M2 M2"),
        player(factory="M2 M2", hand="?"),
        hands="hidden",
        numbers={"cards.M2.copies": 4},
    )


def with_m2_shuffled():
    """Hidden hands; the M2 that is not known was shuffled into the deck, and seat 0 drew nothing since."""
    b = set_up(
        player(9, hand="? ? ?"),
        player(hand="?"),
        pile="M2",
        hands="hidden",
        developer=0,
        numbers={"cards.R1.copies": 2, "cards.R2.copies": 2, "cards.M1.copies": 1, "cards.M2.copies": 1},
    )
    assert b.deck["?"] == 1
    return after(b, *BOUGHT)


def over():
    return after(set_up(player(hand="M1"), player(), developer=1), (0, EndTurn()))


REFUSALS = [
    ("not_two_r1", "MP-3.2.3", lambda: after_deal("R1 M1", "R1 R1"), [], 0, ThirdCard(True)),
    ("not_two_r1", "MP-3.2.3", lambda: after_deal("R1 M1", "R1 R1"), [], 0, ThirdCard(False)),
    ("not_your_turn", "MP-4.1.1", usual, [], 1, Run()),
    ("not_your_turn", "MP-4.1.1", usual, SALE, 1, Run()),
    ("not_your_turn", "MP-4.1.1", usual, [], TABLE, EndTurn()),
    ("not_your_turn", "MP-4.1.1", usual, [], 7, BuyStock("red")),
    ("not_your_turn", "MP-4.1.1", lambda: opening_board(2), [], 0, Run()),
    ("not_your_turn", "MP-4.1.1", lambda: opening_board(2), [], TABLE, Run()),
    ("no_action_left", "MP-4.1.2", usual, [(0, Run()), *BOUGHT], 0, Run()),
    ("no_action_left", "MP-4.1.2", usual, [(0, Run()), *BOUGHT], 0, SellAdd("red")),
    ("draw_due", "MP-4.1.3", usual, BOUGHT, 0, EndTurn()),
    ("draw_due", "MP-4.1.3", usual, BOUGHT, 0, Run()),
    ("draw_due", "MP-4.1.3", lambda: after_deal("R1 R1", "R1 R1"), [(0, ThirdCard(True))], 1, ThirdCard(True)),
    ("colour_not_in_play", "MP-4.1.6", usual, [], 0, BuyStock("white")),
    ("colour_not_in_play", "MP-4.1.6", usual, [], 0, SellAdd("pink")),
    ("none_in_bank", "MP-4.2.1", poor, [], 0, BuyStock("blue")),
    ("cannot_pay", "MP-4.2.1", poor, [], 0, BuyStock("red")),
    ("none_held", "MP-4.3.1", usual, SALE, 0, SellAdd("blue")),
    ("none_held", "MP-4.3.1", usual, [], 0, SellAdd("green")),
    ("none_held", "MP-4.3.1", usual, [], 0, SellDone()),
    (
        "hand_first",
        "MP-4.3.4",
        lambda: set_up(player(blue=1), player(hand="M1 M2", factory="R1"), player()),
        SOLD,
        1,
        DiscardFactory("R1"),
    ),
    ("discard_owed", "MP-4.1.3", usual, SOLD, 0, Run()),
    ("discard_owed", "MP-4.1.3", usual, SOLD, 0, EndTurn()),
    ("discard_owed", "MP-4.1.3", usual, SOLD, 1, Run()),
    ("discard_owed", "MP-4.1.3", usual, SOLD, 2, DiscardHand("M1")),
    ("discard_owed", "MP-4.7.3", two_left, DRAWN_LAST, 0, Run()),
    ("discard_owed", "MP-4.7.3", two_left, DRAWN_LAST, 1, EndTurn()),
    ("discard_owed", "MP-4.7.3", two_left, DRAWN_LAST, 0, Nationalise(("R1", "R1"))),
    ("discard_owed", "MP-4.7.3", two_left, DRAWN_LAST, 1, DiscardHand("M2")),
    ("discard_owed", "MP-4.7.3", two_left, DRAWN_LAST, 1, DiscardFactory("M2")),
    ("discard_owed", "MP-4.7.3", two_left, DRAWN_LAST, TABLE, Drawn("M2")),
    ("discard_owed", "MP-4.7.3", two_left_hidden, BOUGHT, 0, DiscardHand("R1")),
    ("sale_open", "MP-4.3.8", usual, SALE, 0, BuyStock("red")),
    ("sale_open", "MP-4.3.8", usual, SALE, 0, DiscardFactory("M1")),
    ("sale_open", "MP-4.3.8", usual, SALE, 0, EndTurn()),
    ("sale_open", "MP-4.3.8", usual, SALE, 1, DiscardHand("M1")),
    ("sale_open", "MP-4.3.8", usual, SALE, 0, Nationalise(("M1", "M2"))),
    ("claim_closed", "MP-3.2.1", lambda: after_deal("R1 R1", "R1 R1"), [(1, ThirdCard(False))], 0, ThirdCard(True)),
    ("claim_closed", "MP-3.2.1", lambda: opening_board(2, "hidden"), [], 0, ThirdCard(True)),
    ("claim_closed", "MP-3.2.1", lambda: after_deal("R1 R1", "R1 R1"), [], -1, ThirdCard(True)),
    ("claim_closed", "MP-3.2.1", lambda: after_deal("R1 R1", "R1 R1"), [], 2, ThirdCard(True)),
    ("claim_closed", "MP-3.2.3", lambda: after_deal("M1 M1", "R1 R1"), [(0, Run())], 1, ThirdCard(True)),
    ("no_card", "MP-4.4.1", poor, [], 0, Develop("M1")),
    ("no_card", "MP-4.4.1", usual, [], 0, Develop("R1")),
    ("no_card", "MP-4.6.1", two_left, [], 0, SellResources(("R1", "R1", "R1"))),
    ("no_card", "MP-4.3.4", usual, SOLD, 1, DiscardHand("R1")),
    (
        "no_card",
        "MP-4.3.4",
        lambda: set_up(player(blue=1), player(factory="M1 R1"), player()),
        SOLD,
        1,
        DiscardFactory("M2"),
    ),
    ("no_card", "MP-4.7.3", two_left, DRAWN_LAST, 1, Nationalise(("R1", "M2"))),
    ("not_own_factory", "MP-4.1.6", usual, [], 0, Run("blue")),
    ("not_own_factory", "MP-4.1.6", usual, [], 0, Develop("M1", "blue")),
    ("three_cards_needed", "MP-4.6.1", usual, [], 0, SellResources(("M1", "M2", "M2"))),
    ("three_cards_needed", "MP-4.6.1", two_left, [], 0, SellResources(("R1", "R1"))),
    ("one_set_only", "MP-4.6.2", two_left, [], 0, SellResources(("R1", "R1", "M1", "M2"))),
    ("keep_two", "MP-4.7.3", two_left, DRAWN_LAST, 1, Nationalise(("M2",))),
    ("keep_two", "MP-4.7.3", two_left, DRAWN_LAST, 1, Nationalise(("M1", "M2", "M2"))),
    ("card_unknown", "MP-3.4.2", with_all_m2_known, [], 0, Develop("?")),
    ("card_unknown", "MP-3.4.3", with_all_m2_known, [], 0, Develop("M2")),
    ("card_unknown", "MP-3.4.3", lambda: set_up(player(9), player(), deck="M1 M1"), BOUGHT, TABLE, Drawn("M2")),
    ("card_unknown", "MP-3.4.6", with_m2_shuffled, [], 0, Develop("M2")),
    ("card_unknown", "MP-3.4.6", with_m2_shuffled, [], 0, SellResources(("M2", "?", "?"))),
    ("game_over", "MP-7.10", over, [], 1, Run()),
    ("game_over", "MP-7.10", over, [], TABLE, Drawn("M1")),
    # what the record needs beyond the table of MP-8
    ("nothing_owed", "MP-4.3.4", usual, [], 0, DiscardHand("M1")),
    ("nothing_owed", "MP-4.3.4", usual, [], 0, DiscardFactory("M1")),
    ("nothing_owed", "MP-4.7.3", usual, [], 0, Nationalise(("M1", "M2"))),
    ("table_decides", "MP-4.9", usual, BOUGHT, 1, Drawn("M1")),
    ("no_draw_due", "MP-4.7.1", usual, [], TABLE, Drawn("M1")),
    ("draw_due", "MP-3.1.6", lambda: opening_board(2), [], TABLE, StartPlayerDrawn(0)),
    ("start_player_known", "MP-3.1.6", usual, [], TABLE, StartPlayerDrawn(0)),
    ("no_such_seat", "MP-3.1.6", lambda: opening_board(2, "hidden"), [], TABLE, StartPlayerDrawn(2)),
]


@pytest.mark.parametrize(("key", "rule", "position", "moves", "seat", "decision"), REFUSALS)
def test_refused(key, rule, position, moves, seat, decision):
    assert refusal(after(position(), *moves), seat, decision) == (rule, key)


@pytest.mark.parametrize(
    ("position", "moves", "reason"),
    [
        (usual, SOLD, "seat 1 has 1 card to discard first"),
        (
            lambda: set_up(player(9, hand="M1 M2 R1 R1"), player(hand="M2 M2"), deck="M1"),
            DRAWN_LAST,
            "seat 1 has 1 card to discard first",
        ),
        (
            lambda: set_up(player(9, hand="M1 M2 R1 R1"), player(hand="M2"), deck="M1"),
            DRAWN_LAST,
            "seat 0 has 2 cards to discard first",
        ),
    ],
)
def test_mp_4_3_4_refusal_says_how_many_cards_go_first(position, moves, reason):
    """The number owed after a sale, and the number above the limit at nationalisation."""
    # also MP-4.7.3
    with pytest.raises(IllegalDecision, match=reason):
        MAKING_PROFIT.refuse(after(position(), *moves), 0, EndTurn())


def test_mp_4_7_3_no_third_card_before_hands_are_cut():
    """Five cards: the first claim takes the last one."""
    numbers = {f"cards.{card}.copies": 5 if card == "R1" else 0 for card in ("R1", "R2", "M1", "M2")}
    b = after(
        opening_board(2, "open", numbers),
        *[(TABLE, Drawn("R1"))] * 4,
        (TABLE, StartPlayerDrawn(0)),
        (0, ThirdCard(True)),
        (TABLE, Drawn("R1")),
    )
    assert b.nationalising
    assert refusal(b, 1, ThirdCard(True)) == ("MP-4.7.3", "discard_owed")
    b = after(b, (0, Nationalise(("R1", "R1"))))
    assert refusal(b, 1, ThirdCard(True)) is None


MP_8 = {
    "not_two_r1",
    "not_your_turn",
    "no_action_left",
    "colour_not_in_play",
    "none_in_bank",
    "cannot_pay",
    "none_held",
    "hand_first",
    "discard_owed",
    "sale_open",
    "claim_closed",
    "no_card",
    "not_own_factory",
    "three_cards_needed",
    "one_set_only",
    "keep_two",
    "card_unknown",
    "game_over",
}


def test_mp_8_every_reason_is_reached():
    assert {refused[0] for refused in REFUSALS} >= MP_8


@pytest.mark.parametrize(
    "decision",
    [BuyStock("red"), SellAdd("red"), SellDone(), Develop("M1"), Run(), SellResources(("M1", "M1", "M2")), EndTurn()],
    ids=lambda decision: type(decision).__name__,
)
def test_mp_4_1_3_nothing_is_begun_while_a_card_is_to_be_drawn(decision):
    """The first action of a turn has led to a draw; after the second one no action is left either (MP-4.1.2)."""
    b = after(usual(), *BOUGHT)
    assert refusal(b, 0, decision) == ("MP-4.1.3", "draw_due")
    last = after(usual(), (0, Run()), *BOUGHT)
    rule = ("MP-4.1.3", "draw_due") if isinstance(decision, EndTurn) else ("MP-4.1.2", "no_action_left")
    assert refusal(last, 0, decision) == rule
