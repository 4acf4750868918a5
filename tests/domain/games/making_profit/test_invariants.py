"""MP-7: a board that cannot be is named, with the rule it breaks."""

from __future__ import annotations

import msgspec
import pytest

from daybook.domain.games.making_profit import MAKING_PROFIT
from daybook.domain.games.making_profit.board import CARDS, Batch, Board, Stocks
from daybook.domain.games.making_profit.moves import EndTurn, Run
from daybook.domain.kernel.board import value_at
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.terms import RulesBrokenError
from tests.domain.games.making_profit.playing import broken, player, set_up, with_values


def usual(hands: str = "open") -> Board:
    return set_up(player(5, hand="M1" if hands == "open" else "? ?", factory="R1 M2"), player(), hands=hands)


def rules_broken_at(path: str, value: object, hands: str = "open") -> list[str]:
    """The rules broken when something else lies at one place."""
    return broken(with_values(usual(hands), {path: value}))


def test_a_board_that_can_be_breaks_nothing():
    assert broken(usual()) == []
    assert broken(usual("hidden")) == []


@pytest.mark.parametrize(
    ("rule", "path", "value"),
    [
        ("MP-7.1", "/deck/M1", 21),
        ("MP-7.1", "/players/0/hand/M1", 0),
        ("MP-7.1", "/players/0/factory", ["R1"]),
        ("MP-7.1", "/discard/M2", 1),
        ("MP-7.2", "/bank/red", 9),
        ("MP-7.2", "/players/1/certificates/red", 1),
        ("MP-7.4", "/players/0/money", -1),
        ("MP-7.6", "/actions", 3),
        ("MP-4.8.2", "/developer", 2),
        ("MP-4.8.2", "/developer", -1),
    ],
)
def test_broken(rule, path, value):
    assert rules_broken_at(path, value) == [rule]


def test_mp_7_1_too_many_of_one_type():
    b = usual()
    b.players[0].factory = ["M2"] * 2
    b.deck["R1"] += 1
    b.deck["M2"] -= 1
    assert broken(b) == []
    b = usual("hidden")
    b.players[0].factory = ["R1"] * 9
    b.discard["R1"] = 13
    b.deck["?"] -= 20
    assert [str(breach.reason) for breach in MAKING_PROFIT.integrity.breaches(b)] == ["there are 22 R1 cards, not 21"]


def test_mp_7_1_no_place_holds_less_than_nothing():
    b = usual()
    b.players[1].hand["M1"] -= 1
    b.deck["M1"] += 1
    assert broken(b) == ["MP-7.1"]
    b = usual()
    b.discard["M1"] -= 1
    b.deck["M1"] += 1
    assert broken(b) == ["MP-7.1"]


def test_mp_7_3_level_ten_and_the_end_go_together():
    b = usual()
    b.players[0].factory = ["R1"] * 10
    b.deck = {"R1": 11, "R2": 21, "M1": 20, "M2": 21, "?": 0}
    assert broken(b) == ["MP-7.3"]
    b.ended = "level_ten"
    assert broken(b) == []


def test_mp_7_5_an_empty_deck_while_there_are_cards():
    b = set_up(player(), player(), deck="M1 M1")
    b.deck["M1"], b.discard["M1"] = 0, 2
    assert broken(b) == ["MP-7.5"]


def test_mp_7_5_empty_deck_while_someone_exceeds_the_limit():
    """Nationalisation would have cut the hand; with two cards there is no card to take."""
    for hand, rules in (("M1 M1 M1", ["MP-7.5"]), ("M1 M1", [])):
        b = set_up(player(hand=hand), player(hand="M1 M1"), deck="M1")
        b.deck["M1"] = 0
        b.players[1].factory.append("M1")
        assert broken(b) == rules


def test_mp_7_5_within_an_action_the_deck_may_be_empty():
    b = set_up(player(), player(), deck="M1 M1")
    b.deck["M1"], b.discard["M1"], b.draws = 0, 2, 1
    assert broken(b) == []


def test_mp_7_14_names_that_cannot_be():
    b = usual("hidden")
    nothing = dict.fromkeys(CARDS, 0)
    b.stocks = Stocks(nothing, nothing, [0, 0], [0, 0], [[Batch(0, nothing | {"M1": 1})], []])
    assert broken(b) == ["MP-7.14"]
    b.stocks = Stocks(nothing, nothing, [0], [0], [[]])
    assert broken(b) == ["MP-7.14"]


@pytest.mark.parametrize("where", ["hand", "deck", "discard"])
def test_mp_3_4_1_with_open_hands_no_card_is_unseen(where):
    b = usual()
    {"hand": b.players[0].hand, "deck": b.deck, "discard": b.discard}[where]["?"] += 1
    b.deck["M1"] -= 1
    assert broken(b) == ["MP-3.4.1"]


def test_mp_7_1_nobody_holds_less_than_no_certificate():
    b = usual()
    b.players[1].certificates["red"] -= 1
    b.bank["red"] += 1
    assert broken(b) == ["MP-7.1"]


def test_mp_7_2_unplaced_colour_counts_as_none():
    b = usual()
    del b.players[1].certificates["red"]
    assert broken(b) == []


@pytest.mark.parametrize("level", [10, 11])
def test_mp_7_3_no_factory_grows_beyond_the_last_level(level):
    b = usual()
    b.players[0].factory = ["R1"] * level
    b.deck["R1"] -= level - 1
    b.deck["M2"] += 1
    assert broken(b) == ["MP-7.3"]
    b.ended = "level_ten"
    assert broken(b) == ["MP-7.3"] * (level > 10)


@pytest.mark.parametrize(
    "fields", [{}, {"start": None}, {"ended": "no_development"}, {"draws": 1}, {"owes": 1}], ids=str
)
def test_mp_7_5_the_deck_is_looked_at_between_actions(fields):
    """Before the first turn, after the end and while cards are drawn or discarded it may be empty."""
    b = set_up(player(), player(hand="M1"), deck="M1 M1")
    b.deck["M1"], b.discard["M1"] = 0, 2
    for name, value in fields.items():
        setattr(b.players[1] if name == "owes" else b, name, value)
    assert broken(b) == ([] if fields else ["MP-7.5"])


def test_mp_3_4_2_a_developed_card_is_always_seen():
    for hands in ("open", "hidden"):
        b = usual(hands)
        b.players[0].factory.append("?")
        assert "MP-3.4.1" in broken(b)


def test_mp_3_4_1_with_hidden_hands_the_deck_is_unseen():
    b = usual("hidden")
    b.deck["?"] -= 1
    b.deck["M1"] += 1
    assert broken(b) == ["MP-3.4.1"]


def test_a_broken_board_is_never_written_down():
    b = usual()
    b.bank["red"] += 1
    with pytest.raises(RulesBrokenError, match=r"MP-7\.2"):
        MAKING_PROFIT.step(b, 0, Run())


# --- what an adjustment may change ---


@pytest.mark.parametrize(
    "path",
    [
        "/players/0/money",
        "/players/1/certificates/red",
        "/players/0/hand/M1",
        "/players/0/factory",
        "/bank/red",
        "/deck/M1",
        "/discard/M1",
        "/developer",
        "/stocks",
    ],
)
def test_a_cause_may_be_adjusted(path):
    value_at(usual().document(), path)
    assert is_cause(path, MAKING_PROFIT.integrity.causes)


@pytest.mark.parametrize(
    "path",
    [
        "/players",
        "/players/0",
        "/players/0/hand",
        "/players/0/owes",
        "/turn",
        "/actions",
        "/ended",
        "/start",
        "/nationalising",
        "/deck",
    ],
)
def test_what_follows_from_causes_may_not(path):
    assert not is_cause(path, MAKING_PROFIT.integrity.causes)


def test_the_end_of_a_turn_after_an_adjusted_developer():
    b = set_up(player(), player(), player(), developer=1)
    b.developer = 2
    assert MAKING_PROFIT.play(b, 0, EndTurn())[0].ended is None


def test_a_document_of_another_shape_is_not_laid():
    document = usual().document()
    del document["players"][0]["hand"]
    with pytest.raises(msgspec.ValidationError):
        MAKING_PROFIT.typed_board(document, usual().table)
