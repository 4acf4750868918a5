"""WF-4.0 to WF-4.4: the player in turn, the end of an action, and the choice of a marker."""

from __future__ import annotations

from typing import get_args

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, chart, moves, people
from daybook.domain.games.water_frame.board import Ask, Asked, Stage
from daybook.domain.games.water_frame.rules import MAIN
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    doing,
    effects_after,
    first_turn,
    founding,
    legal,
    opening_board,
    plant,
    play,
    player,
    refusal,
    set_up,
    to_act,
)

# --- the state ---


def test_wf_4_0_1_what_lies_on_the_table():
    b = first_turn()
    assert (b.seats, b.starter, b.decade, b.cycle, b.phase) == (3, 0, 1770, 1, "actions")
    assert (b.empty, b.fired, b.box, len(b.mat), len(b.importers)) == (34, 7, 0, 4, 4)
    assert set(b.closed_rows.values()) == {0}


def test_wf_4_0_2_what_a_player_has():
    p = first_turn().players[1]
    assert (p.cash, p.shares, p.loans, p.space) == (42, 9, 0, 10)
    assert (p.markers, p.tiles, p.ships, p.crew) == (["quality:light"], [], [], 0)
    assert set(p.chart.values()) == {None}
    assert not any((*p.slots.values(), *p.stored.values(), *p.contracts.values()))


def test_wf_4_0_3_what_a_factory_has():
    factory = first_turn().factory(0, "food")
    assert (factory.level, factory.price, factory.quality, factory.distribution) == (1, 7, 0, 0)
    assert (factory.workers, factory.machines) == ([2, 2, 0, 0], [0, 0, 0, 0])
    assert (factory.obsolete, factory.additional, factory.marked) == (False, 0, False)


def test_wf_4_0_4_what_is_remembered_of_a_turn():
    b = doing("workers", 2, player(food=plant()))
    b = after(b, (0, moves.Hire("food", 3)))
    assert (b.turn.marker, b.turn.paid, b.turn.hired_into) == ("workers", 2, ["food:3"])
    assert after(b, DONE, DONE).turn.marker == ""


def test_wf_4_0_6_somebody_else_is_to_decide():
    """WF-7.26: exactly one party is to decide."""
    b = first_turn()
    assert to_act(b) == (0,)
    assert refusal(b, 1, moves.Place("factory", 2, 2)) == ("WF-4.0.6", "not_your_turn")
    assert refusal(b, TABLE, moves.Place("factory", 2, 2)) == ("WF-4.0.6", "player_decides")
    assert refusal(opening_board(), 0, moves.Found("food", 5)) == ("WF-4.0.6", "table_decides")
    assert refusal(founding(), 0, moves.Place("factory", 2, 2)) == ("WF-4.0.6", "wrong_phase")


# --- conventions ---


def test_wf_4_1_1_the_legal_decisions_are_listed():
    assert len(legal(first_turn(), 0, moves.Place)) == 7 * 5


def test_wf_4_1_2_turn_is_a_marker_and_two_closed_actions():
    b = first_turn()
    b, effects = play(b, (0, moves.Place("workers", 2, 2)), (0, moves.Hire("food", 3)), DONE)
    assert (b.stage, only(effects, moves.ActionClosed)) == ("additional", [moves.ActionClosed("WF-4.4.7", 0, "main")])
    b, effects = play(b, DONE)
    assert effects[-2:] == [moves.ActionClosed("WF-4.4.7", 0, "additional"), moves.TurnPassed("WF-4.4", 0, 1)]
    assert refusal(b, 1, moves.Done()) == ("WF-4.1.2", "wrong_phase")


def test_wf_4_1_2_action_with_nothing_left_closes_itself():
    b = doing("quality", 6, player(food=plant(price=7), clothes=plant()))
    b, effects = play(b, (0, moves.RaiseQuality("food")))
    assert (b.stage, only(effects, moves.ActionClosed)) == ("additional", [moves.ActionClosed("WF-4.4.7", 0, "main")])
    assert {d.good for d in legal(b, 0, moves.SetPrice)} == {"food"}
    b = after(b, (0, moves.SetPrice("food", 8)))
    assert to_act(b) == (1,)


def test_wf_4_1_6_appeal_is_worked_out():
    b = set_up(player(food=plant(price=7, quality=2, distribution=1)))
    assert (b.appeal(0, "food"), b.appeal(0, "lamps")) == (4, 0)
    assert (b.base_quality(0, "food"), b.quality(0, "food")) == (8, 10)


def test_wf_4_1_7_taking_and_returning_moves_the_job_market():
    b = set_up(fired=5)
    assert (people.hire_one(b), b.empty) == ("market", 6)
    assert (people.to_market(b, 3), b.empty, b.fired) == (3, 3, 2)


def test_wf_4_1_8_the_fired_space_comes_after_the_job_market():
    b = set_up(empty=79, fired=1)
    assert [people.hire_one(b), people.hire_one(b), people.hireable(b)] == ["market", "fired", 0]


# --- choosing a marker ---


def test_wf_4_4_1_own_markers_grey_ones_and_ships():
    b = set_up(player(food=plant(), markers="quality:light production:dark", ships="2 2"))
    assert chart.usable_markers(b.players[0]) == [
        "factory",
        "workers",
        "machinery",
        "quality",
        "distribution",
        "stock_exchange",
        "quality:light",
        "production:dark",
        "ship:2",
    ]
    assert refusal(b, 0, moves.Place("machinery:light", 2, 2)) == ("WF-4.4.1", "no_marker")
    assert refusal(b, 0, moves.Place("reorganization", 2, 2)) == ("WF-4.4.1", "no_marker")  # WF-6.1
    assert legal(b, 0, moves.Place)


def test_wf_4_4_2_marker_goes_to_an_empty_row_of_own_column():
    b = set_up(player(), player(chart="2 factory"), player(), cycle=2)
    b, effects = play(b, (0, moves.Place("workers", 6, 6)))
    assert effects[:2] == [
        moves.MarkerPlaced("WF-4.4.2", 0, "workers", 6, 6),
        moves.Paid("WF-4.4.2", 0, 6, "administration"),
    ]
    assert (b.players[0].chart["6"], b.players[0].cash) == ("workers", 44)


def chart_of(chart, **fields):
    return set_up(player(chart=chart, food=plant(), **fields), cycle=4)


@pytest.mark.parametrize(
    ("rule", "key", "board", "decision"),
    [
        ("WF-4.4.2", "marker_on_chart", lambda: chart_of("6 workers"), moves.Place("workers", 2, 2)),
        ("WF-4.4.2", "row_taken", lambda: chart_of("6 workers"), moves.Place("quality", 6, 6)),
        ("WF-2.9.1", "no_row", lambda: chart_of(""), moves.Place("quality", 5, 5)),
        ("WF-4.4.4", "paid", lambda: chart_of(""), moves.Place("quality", 4, 6)),
        ("WF-4.4.3", "marker_off_chart", lambda: chart_of(""), moves.Reuse("quality", 4)),
        ("WF-4.4.4", "paid", lambda: chart_of("6 workers"), moves.Reuse("workers", 8)),
        ("WF-4.4.5", "ship_costs", lambda: chart_of("", ships="6"), moves.Place("ship:6", 4, 4)),
        ("WF-8.2", "wrong_action", lambda: doing("workers", 2, player(food=plant())), moves.Build("lamps", 1, 5)),
        ("WF-8.2", "wrong_phase", lambda: chart_of(""), moves.Close("food")),
        (
            "WF-8.2",
            "wrong_action",
            lambda: doing("workers", 2, player(stored="1 food", slots="1 food")),
            moves.SellGoods("food", 1),
        ),
        ("WF-8.2", "wrong_action", lambda: doing("workers", 2, player(food=plant())), moves.Contract("food", 2)),
    ],
)
def test_wf_4_4_refused(rule, key, board, decision):
    assert refusal(board(), 0, decision) == (rule, key)


def test_wf_4_4_2_the_reason_names_what_lies_there():
    b = chart_of("6 workers")
    (verdict,) = [finding for finding in WATER_FRAME.why(b, 0, moves.Place("quality", 6, 6)) if finding.reason]
    assert str(verdict.reason) == "the £6 row already holds the workers marker"


def test_wf_4_4_2_equal_ships_are_two_markers():
    b = set_up(player(chart="2 ship:2", ships="2 2"), cycle=3)
    assert refusal(b, 0, moves.Place("ship:2", 4, 4)) is None
    b = set_up(player(chart="2 ship:2 4 ship:2", ships="2 2"), cycle=3)
    assert refusal(b, 0, moves.Place("ship:2", 6, 6)) == ("WF-4.4.2", "marker_on_chart")
    assert legal(b, 0, moves.Reuse) == [moves.Reuse("ship:2", 2), moves.Reuse("ship:2", 4)]


def test_wf_4_4_3_a_marker_on_the_chart_is_used_again_for_a_fee():
    b = set_up(player(chart="6 machinery", food=plant()), cycle=3)
    b, effects = play(b, (0, moves.Reuse("machinery", 6)))
    assert effects[:2] == [
        moves.MarkerReused("WF-4.4.3", 0, "machinery", 6, 6, 2),
        moves.Paid("WF-4.4.3", 0, 8, "administration"),
    ]
    assert (b.turn.paid, b.players[0].chart["6"]) == (6, "machinery")


def test_wf_4_4_3_the_administrator_saves_the_fee():
    b = set_up(player(chart="6 machinery", tiles="administrator"), cycle=3)
    assert only(effects_after(b, (0, moves.Reuse("machinery", 6))), moves.Paid) == [
        moves.Paid("WF-4.4.3", 0, 6, "administration")
    ]


def test_wf_4_4_4_the_accountant_changes_the_costs():
    """WF-4.15.1, WF-6.48: also when a marker is used again."""
    b = set_up(player(chart="6 workers", tiles="accountant"), cycle=2)
    assert [d.paid for d in legal(b, 0, moves.Place) if (d.marker, d.row) == ("quality", 2)] == [2, 0, 1, 3, 4]
    assert [d.paid for d in legal(b, 0, moves.Reuse)] == [6, 4, 5, 7, 8]


def test_wf_4_4_4_the_engineer_chooses_the_costs_of_quality():
    """WF-4.15.7, WF-6.50: any whole pound up to 16, for quality alone."""
    b = set_up(player(tiles="engineer"))
    assert sorted(d.paid for d in legal(b, 0, moves.Place) if (d.marker, d.row) == ("quality", 4)) == list(range(17))
    assert [d.paid for d in legal(b, 0, moves.Place) if (d.marker, d.row) == ("distribution", 4)] == [4]


def test_wf_4_4_5_a_ship_needs_costs_of_its_capacity():
    """WF-6.9, WF-2.10.6."""
    b = set_up(player(ships="6"))
    assert [d.row for d in legal(b, 0, moves.Place) if d.marker == "ship:6"] == [6, 8, 10]


def test_wf_4_4_6_costs_below_threshold_leave_an_empty_action():
    b = doing("quality", 4, player(food=plant(price=7)))
    assert (b.stage, b.players[0].cash) == ("additional", 50)


def test_wf_4_4_7_an_action_may_be_forgone():
    b = after(doing("factory", 2, player(food=plant())), DONE)
    assert (b.stage, to_act(b)) == ("marker", (1,))  # no factory was affected: nothing is left


def test_wf_4_4_8_costs_that_are_not_used_are_lost():
    b = doing("quality", 10, player(food=plant(price=7)))
    b = after(b, (0, moves.RaiseQuality("food")), DONE)
    assert b.players[0].cash == 50


def test_wf_4_4_9_there_is_always_a_row_to_place_a_marker_on():
    b = set_up(
        player(chart="4 workers 6 quality 8 factory", food=plant()),
        cycle=4,
        closed_rows={"2": 1810, "4": 0, "6": 0, "8": 0, "10": 0},
    )
    assert {d.row for d in legal(b, 0, moves.Place)} == {10}


def test_wf_4_4_2_a_closed_row_admits_nothing():
    """WF-2.15.1, WF-6.56, WF-4.15.2: but for the owner of the administrator."""
    closed = {"2": 1810, "4": 0, "6": 0, "8": 0, "10": 0}
    b = set_up(player(chart="2 workers"), cycle=2, closed_rows=closed)
    assert refusal(b, 0, moves.Reuse("workers", 2)) == ("WF-6.56", "row_closed")
    b = set_up(player(), cycle=2, closed_rows=closed)
    assert refusal(b, 0, moves.Place("workers", 2, 2)) == ("WF-4.4.2", "row_closed")
    b = set_up(player(tiles="administrator"), cycle=2, closed_rows=closed)
    assert refusal(b, 0, moves.Place("workers", 2, 2)) is None
    b = set_up(player(chart="2 workers", tiles="administrator"), cycle=2, closed_rows=closed)
    assert refusal(b, 0, moves.Reuse("workers", 2)) is None
    b = set_up(player(), decade=1790, cycle=2, closed_rows={**closed, "2": 1780})
    assert refusal(b, 0, moves.Place("workers", 2, 2)) is None


def test_wf_6_41_markers_of_one_kind_are_different_markers():
    b = set_up(player(markers="machinery:light", chart="2 machinery", food=plant()), cycle=2)
    assert refusal(b, 0, moves.Place("machinery:light", 4, 4)) is None


def test_wf_4_2_1_cycles_and_the_active_good():
    """WF-4.2.3: an action may concern any good."""
    b = set_up(player(food=plant(), clothes=plant(2)), cycle=3, decade=1780)
    assert b.good == "cutlery"
    b = after(b, (0, moves.Place("factory", 2, 2)))
    assert refusal(b, 0, moves.Modernize("food")) is None


def test_wf_4_2_2_after_the_last_turn_the_good_is_produced():
    b = after(
        first_turn(),
        *[
            move
            for seat in range(3)
            for move in ((seat, moves.Place("workers", 2, 2)), (seat, moves.Done()), (seat, moves.Done()))
        ],
    )
    assert (b.cycle, b.good, b.stage) == (2, "clothes", "economy")
    assert only(effects_after(b, (TABLE, moves.RevealEconomy(0, 1))), moves.TurnPassed) == []


def test_wf_4_14_after_a_special_marker_the_turn_ends():
    b = after(doing("workers", 2, player(food=plant())), DONE)
    b, effects = play(b, (0, moves.TakeTile("school")))
    assert effects[-1] == moves.TurnPassed("WF-4.4", 0, 1)
    assert to_act(b) == (1,)


@pytest.mark.parametrize(("decade", "closed"), [(1770, True), (1780, True), (1790, False)])
def test_wf_2_15_1_a_row_is_closed_to_the_end_of_its_last_decade(decade, closed):
    b = set_up(player(), decade=decade, cycle=2, closed_rows={"2": 1780, "4": 0, "6": 0, "8": 0, "10": 0})
    assert refusal(b, 0, moves.Place("workers", 2, 2)) == (("WF-4.4.2", "row_closed") if closed else None)


@pytest.mark.parametrize("row", [2, 4, 6, 8, 10])
def test_wf_4_15_2_administrator_opens_only_a_bureaucracy_row(row):
    """Another row stays closed to every player, also one whose costs are another event's number."""
    b = set_up(
        player(tiles="administrator"),
        player(),
        cycle=2,
        closed_rows={str(each): 1810 if each == row else 0 for each in (2, 4, 6, 8, 10)},
        numbers={"events.world_exhibition.amount": 6},
    )
    assert b.printed.events["bureaucracy"].amount == 2
    assert refusal(b, 0, moves.Place("workers", row, row)) == (None if row == 2 else ("WF-4.4.2", "row_closed"))


def test_wf_4_4_2_of_equal_ships_the_one_on_open_row_is_used():
    """They lie on £2 and £4, and £2 is closed."""
    b = set_up(
        player(chart="2 ship:2 4 ship:2", ships="2 2"),
        cycle=3,
        closed_rows={"2": 1810, "4": 0, "6": 0, "8": 0, "10": 0},
    )
    assert refusal(b, 0, moves.Reuse("ship:2", 2)) is not None
    assert legal(b, 0, moves.Reuse) == [moves.Reuse("ship:2", 4)]


QUESTIONS = {
    "return_tile": [moves.ReturnTile("school")],
    "inventor": [moves.InventorKeep(), moves.InventorReturn()],
    "relocate": [moves.Relocate("food", 1), moves.Dismiss()],
    "discard": [moves.Discard({"food": 1})],
}


@pytest.mark.parametrize("query", [None, *QUESTIONS])
@pytest.mark.parametrize("answered", QUESTIONS)
def test_wf_4_0_6_only_what_was_asked_is_answered(query, answered):
    b = set_up(player(tiles="school inventor", food=plant()), cycle=2)
    b.asked = [Ask(0, query)] if query else []
    for decision in QUESTIONS[answered]:
        keys = {None: "wrong_phase", **dict.fromkeys(QUESTIONS, "decide_first")}
        refused = refusal(b, 0, decision)
        if query != answered:
            assert refused is not None and refused[1] == keys[query], refused
            assert decision not in legal(b, 0)


def test_wf_8_2_awaited_has_one_name_in_stage_and_action():
    names = [*get_args(Asked), *get_args(Stage), *MAIN]
    assert len({*names}) == len(names)
