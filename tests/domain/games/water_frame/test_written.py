"""WF-4.22.6: what a marker of a group's box does, written out on its sheet, and markers it added."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves
from daybook.domain.games.water_frame.events import does
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.written import WrittenEffect, read_effects
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.water_frame.playing import legal, play, refusal, set_up, table


def board_with_own_event(does: str, **fields):
    """The event of a decade is awaited; the group's box holds a marker of its own that does this."""
    numbers = {"events.corn_riots.name": "Corn Riots", "events.corn_riots.effect": does}
    return set_up(stage="event", cycle=0, decade=1770, numbers=numbers, **fields)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("cash -5", [WrittenEffect("cash", n=-5)]),
        (" cash   +5 ; special_step;", [WrittenEffect("cash", n=5), WrittenEffect("special_step")]),
        ("importer food -1", [WrittenEffect("importer", ("food",), n=-1)]),
        ("quality each 1", [WrittenEffect("quality", GOODS, n=1)]),
        ("workers fired box 4", [WrittenEffect("workers", piles=("fired", "box"), n=4)]),
        ("close_row 2", [WrittenEffect("close_row", n=2)]),
        ("cash 30; cash -1", [WrittenEffect("cash", n=30), WrittenEffect("cash", n=-1)]),
        (
            "workers market fired 1; close_row 1",
            [WrittenEffect("workers", piles=("market", "fired"), n=1), WrittenEffect("close_row", n=1)],
        ),
        ("; ".join(["special_step"] * 8), [WrittenEffect("special_step")] * 8),
    ],
)
def test_wf_4_22_6_effects_are_written_out(text, result):
    assert read_effects(text, GOODS) == result


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";",
        "none",
        "cash",
        "cash 0",
        "cash five",
        "cash 31",
        "cash 5 6",
        "cash 5; rain",
        "cash --5",
        "cash ٣",
        "importer tea 1",
        "importer 1",
        "workers fired fired 2",
        "workers fired sea 2",
        "workers fired box -2",
        "close_row -2",
        "special_step 1",
        "cash 000",
        "cash 001",
        "cash ²",
        "cash no",
        "cash -0",
        "workers sea box 2",
        "workers fired box four",
        "workers fired box 0",
        "close_row two",
        "close_row 0",
        "quality food much",
        "; ".join(["cash 1"] * 9),
    ],
)
def test_wf_4_22_6_what_cannot_be_read_is_nothing(text):
    assert read_effects(text, GOODS) == []


@pytest.mark.parametrize(
    ("text", "primitives"),
    [
        ("cash -5", [moves.CashGiven(seat, -5) for seat in (1, 2, 0)]),
        (
            "share_spaces -1; special_step",
            [*(moves.ShareSpaces(seat, -1) for seat in (1, 2, 0)), *(moves.SpecialStep(seat) for seat in (1, 2, 0))],
        ),
        ("importer each 2", [moves.ImporterMoves(good, 2) for good in GOODS]),
        ("workers box market 3", [moves.WorkersMove("box", "market", 3)]),
        ("distribution lamps -1", [moves.DistributionMoves(seat, "lamps", -1) for seat in (1, 2, 0)]),
        ("quality food 1", [moves.QualityMoves(seat, "food", 1) for seat in (1, 2, 0)]),
        ("contract clothes 1", [moves.ContractMoves(seat, "clothes", 1) for seat in (1, 2, 0)]),
        ("close_row 4", [moves.RowCloses(4, 1780)]),
        ("none", []),
    ],
)
def test_wf_4_22_6_they_happen_to_everybody_in_player_order(text, primitives):
    assert list(does(board_with_own_event(text, start=1), "corn_riots")) == primitives


def test_wf_4_22_6_marker_of_the_box_is_turned_over_too():
    b = board_with_own_event("cash -5; importer food 1")
    assert moves.RevealEvent("corn_riots") in legal(b, TABLE, moves.RevealEvent)
    before = [p.cash for p in b.players]
    b, effects = play(b, (TABLE, moves.RevealEvent("corn_riots")))
    assert effects[0] == moves.EventRevealed("WF-4.22.5", "corn_riots", 1770)
    assert b.importers["food"] == 1
    assert [p.cash for p in b.players] != before or any(p.loans for p in b.players)
    assert "corn_riots" in b.events


def test_wf_2_15_two_players_are_without_a_marker_that_says_so():
    numbers = {"events.corn_riots.name": "Corn Riots", "events.corn_riots.two_players": False}
    assert not table(2, numbers).sheet["events.corn_riots.two_players"]
    b = set_up(stage="event", cycle=0, decade=1770, numbers=numbers)
    assert moves.RevealEvent("corn_riots") in legal(b, TABLE, moves.RevealEvent)


def test_wf_4_22_6_a_row_that_is_none_cannot_be_closed():
    with pytest.raises(Exception, match=r"WF-4\.22\.6: corn_riots closes row 3, which does not exist"):
        WATER_FRAME.opening_board(
            table(3, {"events.corn_riots.name": "Corn Riots", "events.corn_riots.effect": "close_row 3"})
        )


def test_wf_4_22_6_what_was_revealed_is_not_told_again():
    b = board_with_own_event("none", events=["corn_riots"])
    assert refusal(b, TABLE, moves.RevealEvent("corn_riots")) == ("WF-4.22.5", "event_revealed")
