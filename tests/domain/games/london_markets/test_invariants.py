"""LM-7: boards that cannot be, as an adjustment might leave them."""

from __future__ import annotations

import pytest

from daybook.domain.games.london_markets import LONDON_MARKETS
from daybook.domain.games.london_markets.printed import GOODS
from tests.domain.games.london_markets.playing import (
    EAGER,
    board_at_first_card,
    board_at_foreign_bars,
    broken,
    game,
    offering,
    opening_board,
    player,
    set_up,
    with_values,
)


def usual():
    return set_up(
        player(3, hand="2 coffee", dealt="1 soap", specials="tiebreaker", in_play="replenishment"),
        player(),
        player(),
        bars={"PORT": "R R B / G"},
    )


def put(b, path, value):
    return with_values(b, {path: value})


@pytest.mark.parametrize(
    ("rule", "path", "value"),
    [
        ("LM-7.1", "/piles/coffee", 15),
        ("LM-7.17", "/piles/coffee", 17),
        ("LM-7.17", "/players/0/hand/coffee", -1),
        ("LM-7.17", "/players/0/hand/?", 2),
        ("LM-7.17", "/players/0/unseen/soap", 0),
        ("LM-7.17", "/players/0/unseen", {"coffee": -1, "soap": 2, "silk": 0, "china": 0}),
        ("LM-7.2", "/players/0/bars", 19),
        ("LM-7.2", "/stacks/PORT/1/0", 7),
        ("LM-7.3", "/stacks/PORT/0/1", None),
        ("LM-7.3", "/stacks/PORT/0", [0, 0]),
        ("LM-7.3", "/stacks/COVE", [[None, None, None]]),
        ("LM-7.4", "/players/0/specials", []),
        ("LM-7.4", "/players/0/specials", ["nonsense"]),
        ("LM-7.4", "/players/1/specials", ["?"]),
        ("LM-7.4", "/players/0/in_play", ["tiebreaker"]),
        ("LM-7.5", "/revealed", ["M01"]),
        ("LM-7.5", "/revealed", ["M01", "M02", "M03", "M04", "M04"]),
        ("LM-7.5", "/revealed", ["M01", "M02", "M03", "M04", "M99"]),
        ("LM-7.5", "/bottom", "closed"),
        ("LM-7.5", "/bottom", "M02"),
        ("LM-7.5", "/bottom", None),
        ("LM-7.6", "/merchants/stack", "COVE"),
        ("LM-7.6", "/merchants/stack", "SOHO"),
        ("LM-7.7", "/assistants/A", 6),
        ("LM-7.8", "/used", ["stack"]),
        ("LM-7.9", "/players/0/money", -1),
        ("LM-7.11", "/plays", 3),
        ("LM-7.12", "/covered", ["tea"]),
        ("LM-7.12", "/covered", ["coffee", "coffee"]),
        ("LM-3.1.3", "/traded/PORT", "soap"),
        ("LM-7.15", "/start", 3),
        ("LM-7.15", "/start", None),
    ],
)
def test_what_cannot_be_is_found(rule, path, value):
    breaches = list(LONDON_MARKETS.integrity.breaches(put(usual(), path, value)))
    assert rule in {breach.rule for breach in breaches}
    assert all(str(breach.reason) for breach in breaches)


HAND_BELOW_NOTHING = {
    "/players/0/unseen": {"coffee": -1, "soap": 2, "silk": 0, "china": 0},
    "/piles/coffee": 17,
    "/piles/soap": 16,
}


@pytest.mark.parametrize(
    ("message", "changes"),
    [
        ("LM-7.1: there are 71 goods cards, not 72", {"/piles/coffee": 15}),
        ("LM-7.17: there are 19 cards of coffee, not 18", {"/piles/coffee": 17}),
        ("LM-7.17: the unseen cards of a hand do not match those that no one has seen", HAND_BELOW_NOTHING),
        ("LM-7.2: seat 0 has 21 bars, not 20: 19 left, 2 at PORT", {"/players/0/bars": 19}),
        (
            "LM-7.2: seat 0 has 18 bars, not 20: 18 left, none on a market",
            {"/stacks/PORT": [[1, 1, 1], [2, None, None]]},
        ),
        ("LM-7.2: a bar at PORT belongs to no player of this game", {"/stacks/PORT/1/0": 7, "/players/2/bars": 20}),
        (
            "LM-7.2: the number of bars of seat 0 is below 0",
            {"/stacks/COVE": [[0, 0, 0]] * 6 + [[0, None, None]], "/players/0/bars": -1},
        ),
        ("LM-7.4: there are 29 special cards, not 30", {"/players/0/specials": []}),
        ("LM-7.4: there are only 0 of nonsense", {"/players/0/specials": ["nonsense"]}),
        ("LM-7.4: there is only 1 of tiebreaker", {"/players/0/in_play": ["tiebreaker"]}),
        *[
            ("LM-3.3: each special card came from a pile, 1 to 4; 0 if unknown", changes)
            for changes in (
                {"/players/0/specials_from": [1, 1]},
                {"/players/0/specials_from": [5]},
                {"/players/0/specials_from": [-1]},
                {"/players/0/in_play_from": [0, 0]},
                {"/players/0/in_play_from": [5]},
                {"/players/1/in_play_from": [0]},
            )
        ],
        *[
            ("LM-7.5: this order of market cards is not possible", changes)
            for changes in (
                {"/revealed": ["M01", "M02"], "/bottom": "M09"},
                {"/revealed": ["M01", "M02", "M03", "M04", "M04"], "/bottom": "M09"},
                {"/revealed": ["closed"] * 3 + ["M01", "M02"], "/bottom": "M09"},
            )
        ],
        ("LM-7.7: an assistant is not on the space of the round", {"/assistants/A": 4}),
        ("LM-7.7: an assistant is not on the space of the round", {"/assistants/B": 6}),
        ("LM-7.8: 1 token is used, not 0", {"/used": ["stack"]}),
        *[
            ("LM-7.8: a token is used twice, or does not belong to this game", changes)
            for changes in (
                {"/acted": True, "/used": ["nobody"]},
                {"/acted": True, "/turn": 1, "/used": ["stack", "stack"]},
            )
        ],
    ],
)
def test_a_breach_says_what_is_amiss_and_nothing_else_is(message, changes):
    b = set_up(
        player(3, hand="2 coffee", dealt="1 soap", specials="tiebreaker", in_play="replenishment"),
        player(),
        player(),
        player(),
        bars={"PORT": "R R B / G"},
    )
    for path, value in changes.items():
        b = put(b, path, value)
    assert [f"{breach.rule}: {breach.reason}" for breach in LONDON_MARKETS.integrity.breaches(b)] == [message]


def test_lm_7_2_all_bars_of_a_player_can_be_on_display():
    assert set_up(player(), player(), player(), bars={"PORT": " / ".join(["R R R"] * 6 + ["R R"])}).players[0].bars == 0


@pytest.mark.parametrize("path", ["/players/0/specials_from", "/players/0/in_play_from"])
@pytest.mark.parametrize("pile", [0, 1, 4])
def test_lm_3_3_a_special_card_came_from_one_of_the_piles(path, pile):
    assert broken(put(usual(), path, [pile])) == []


@pytest.mark.parametrize(
    ("message", "path", "value"),
    [
        ("LM-7.7: an assistant is not on the space of the round", "/assistants/A", 2),
        ("LM-7.15: no player of this game is the starting player", "/start", 3),
        ("LM-7.5: this order of market cards is not possible", "/revealed", ["M01"]),
    ],
)
def test_in_the_set_up_nothing_lies_as_in_a_round(message, path, value):
    b = opening_board(3, "hidden")
    assert broken(b) == []
    assert [f"{breach.rule}: {breach.reason}" for breach in LONDON_MARKETS.integrity.breaches(put(b, path, value))] == [
        message
    ]


def test_lm_7_5_last_card_is_not_closed_and_each_is_there_once():
    """Also for an unnoted bottom card."""
    b = offering(player(), player(), player(), round=12)
    *others, last = b.revealed
    b = put(b, "/bottom", "?")
    assert broken(b) == []
    closed_last = sorted([*others, last], key=lambda card: card == "closed")
    for revealed in (closed_last, [others[-1], *others[1:], last]):
        assert broken(put(b, "/revealed", revealed)) == ["LM-7.5"]


def test_lm_7_13_four_bars_in_the_set_up_are_found():
    b = board_at_foreign_bars()
    b.stacks["PORT"] = [[0, 1, 2], [3, None, None]]
    for p in b.players:
        p.bars -= 1
    assert broken(b) == ["LM-7.13"]


def test_lm_7_5_the_last_card_is_the_bottom_card():
    b = offering(player(), player(), player(), round=12)
    assert broken(put(b, "/bottom", "M09")) == ["LM-7.5"]


def test_lm_7_5_bottom_card_stays_until_the_last_round():
    b = set_up(player(), player(), player(), round=11, card="M01")
    assert broken(put(b, "/bottom", "M01")) == ["LM-7.5"]


def test_lm_7_1_a_single_pile_cannot_hold_less_than_nothing():
    """All cards of the type are in a hand, and one more."""
    b = put(set_up(player(hand="18 coffee"), player(), player()), "/piles/coffee", -1)
    assert "the number of cards in a pile is below 0" in {
        str(breach.reason) for breach in LONDON_MARKETS.integrity.breaches(put(b, "/players/0/hand/coffee", 19))
    }


def test_an_adjustment_can_put_right_what_lies_there():
    """Among the adjustable parts, one move of a piece at a time."""
    b = put(put(usual(), "/piles/coffee", 15), "/players/1/hand/coffee", 1)
    assert broken(b) == []
    assert broken(put(board_at_first_card(), "/merchants/stack", "BRIX")) == []
    assert broken(put(usual(), "/covered", ["coffee"])) == []


# --- LM-2: whatever a box prints, the game is played to the end ---


BOX = {
    "tracks.A.symbols": ["-", "reveal", "-", "draft", "-", "-", "reveal", "-", "draft", "-", "-", "draft"],
    "tracks.B.symbols": ["-", "draft", "-", "-", "reveal", "-", "-", "-", "draft", "-", "-", "-"],
    "tracks.A.actions": ["goods"] * 6 + ["profit"] * 6,
    "tracks.B.actions": ["place"] * 12,
    "markets.ring": ["BORO", "PORT", "BRIX", "COVE", "PETT"],
    "market_cards.M01.soap": "-",
    "market_cards.M02.coffee": "12",
    "market_cards.M05.china": "S",
    **{f"market_cards.M04.{goods}": "S" for goods in GOODS},
    **{f"market_cards.M07.{goods}": "-" for goods in GOODS},
    "copies.tiebreaker": 2,
    "copies.any_market": 5,
    "copies.clientele.PORT": 2,
    "copies.clientele.COVE": 0,
    "copies.combined.PORT+COVE": 3,
    "copies.rich_offer": 1,
    "copies.monopoly.BRIX": 2,
    "specials.piles": [9, 9, 9, 8],
    "specials.smallest_pile": 8,
    "specials.largest_pile": 10,
    "setup.money": 5,
    "bars.each_colour": 16,
    "goods.each_type": 20,
    "actions.least": 2,
    "replenishment.plain_cards": 3,
}


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("hands", ["open", "hidden"])
def test_lm_2_any_printed_value_can_be_another(seats, hands):
    steps = list(game(opening_board(seats, hands, BOX), seats, EAGER))
    assert all(not broken(b) for b, _, _ in steps)
    assert LONDON_MARKETS.scoring.outcome(LONDON_MARKETS.play(*steps[-1])[0]) is not None
