"""WF-8.2: the checks in front of the others, each alone in the way, and what is offered where nothing else is."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves, special
from daybook.domain.games.water_frame.board import Ask, Board
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.water_frame.playing import (
    after,
    doing,
    founding,
    legal,
    opening_board,
    plant,
    player,
    refusal,
    set_up,
    some_mat,
)


def with_mat() -> Board:
    return after(opening_board(), (TABLE, moves.StartPlayer(0)))


def with_tiles() -> Board:
    b = with_mat()
    return after(b, (TABLE, some_mat(b)))


def board_asking(what: str) -> Board:
    b = set_up(player(tiles="inventor", food=plant(), lamps=plant(price=9)), cycle=2)
    b.asked = [Ask(0, what)]  # type: ignore[arg-type]
    return b


def over() -> Board:
    return set_up(player(food=plant()), decade=1810, cycle=0, stage="over")


MAT = moves.LayOutMat((), (), (), ())


@pytest.mark.parametrize(
    ("board", "seat", "decision", "refused"),
    [
        (with_mat, 0, MAT, ("WF-8.2", "table_decides")),
        (over, TABLE, MAT, ("WF-4.24.5", "game_over")),
        (with_mat, TABLE, moves.LayOutTiles({}), ("WF-4.0.6", "wrong_phase")),
        (with_tiles, 0, moves.LayOutTiles({}), ("WF-8.2", "table_decides")),
        (over, TABLE, moves.LayOutTiles({}), ("WF-4.24.5", "game_over")),
        (lambda: set_up(cycle=0, stage="event"), 0, moves.EventCustom("Fair"), ("WF-8.2", "table_decides")),
        (with_mat, TABLE, moves.EventCustom("Fair"), ("WF-4.0.6", "wrong_phase")),
        (over, TABLE, moves.EventCustom("Fair"), ("WF-4.24.5", "game_over")),
        (lambda: board_asking("inventor"), 1, moves.InventorKeep(), ("WF-4.0.6", "not_your_turn")),
        (lambda: board_asking("relocate"), 1, moves.Dismiss(), ("WF-4.0.6", "not_your_turn")),
        (lambda: board_asking("relocate"), 2, moves.Relocate("food", 3), ("WF-4.0.6", "not_your_turn")),
        (over, 0, moves.InventorKeep(), ("WF-4.24.5", "game_over")),
        (over, 0, moves.Place("workers", 2, 2), ("WF-4.24.5", "game_over")),
        (
            lambda: set_up(player(chart="2 quality", food=plant()), cycle=2),
            0,
            moves.Reuse("quality:dark", 2),
            ("WF-4.4.1", "no_marker"),
        ),
        (
            lambda: set_up(player(contracts="2 food", stored="2 food", slots="1 food", food=plant())),
            0,
            moves.Fulfil("food"),
            ("WF-8.2", "wrong_phase"),
        ),
        (
            lambda: doing("workers", 2, player(contracts="2 food", stored="2 food", slots="1 food", food=plant())),
            1,
            moves.Fulfil("food"),
            ("WF-4.0.6", "not_your_turn"),
        ),
        (over, 0, moves.Fulfil("food"), ("WF-4.24.5", "game_over")),
    ],
)
def test_wf_8_2_first_reason_is_who_decides_and_what_waits(board, seat, decision, refused):
    assert refusal(board(), seat, decision) == refused


def test_wf_4_1_2_a_question_comes_before_the_end_of_the_action():
    """The school moves a worker whom the last machine of the action replaces."""
    b = doing("machinery", 4, player(tiles="school", food=plant(rows="2 2 1 0")), empty=40)
    b = after(b, (0, moves.Install("food", 1)))
    assert (b.stage, [ask.what for ask in b.asked]) == ("main", ["relocate"])


# --- what is offered ---


def test_wf_3_4_2_printed_mat_is_offered_while_laying_markers():
    b = with_mat()
    assert legal(b, TABLE, moves.LayOutMat) == [some_mat(b)]
    assert legal(with_tiles(), TABLE, moves.LayOutMat) == []


def test_wf_3_6_2_all_shares_may_be_sold():
    goods = after(
        founding(3),
        *[(seat, moves.Found("food", 6)) for seat in range(3)],
        *[(seat, moves.Found("lamps", 9)) for seat in (2, 1, 0)],
    )
    assert [d.count for d in legal(goods, 2, moves.SellShares)][-1] == goods.players[2].shares  # type: ignore[attr-defined]


def test_wf_3_4_3_a_tile_comes_as_likely_as_copies_are_left():
    b = with_tiles()
    lie = dict(b.tiles)
    weights = {fact.kind: weight for fact, weight in WATER_FRAME.facts(b) if isinstance(fact, moves.TileDrawn)}
    assert weights
    assert all(weights[kind] == b.printed.tiles[kind] - lie[kind] for kind in weights)
    assert any(lie[kind] for kind in weights)


def test_wf_8_6_the_reason_names_the_ship_that_is_meant():
    b = set_up(player(ships="2 2", chart="2 ship:2"), cycle=2)
    reason = special.replaced_told_apart(b, 0, moves.TakeShip(4, 2, 6))
    assert str(reason) == "name the ship of capacity 2 that goes back"
