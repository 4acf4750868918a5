"""WF-4.2, WF-4.21 and WF-4.22: each cycle, phase and turn begins with an effect, and every player is still to act."""

from __future__ import annotations

import pytest

from daybook.domain.games.water_frame import WATER_FRAME, moves
from daybook.domain.games.water_frame.board import Turn
from daybook.domain.kernel.terms import TABLE
from tests.domain.games.moves import only
from tests.domain.games.water_frame.playing import (
    DONE,
    after,
    cycle_ended,
    doing,
    founding,
    legal,
    opening_board,
    plant,
    play,
    player,
    refusal,
    set_up,
    some_mat,
)

# --- the set-up ---


def test_wf_3_5_1_and_wf_3_5_3_both_foundations_are_told():
    b = opening_board()
    b = after(b, (TABLE, WATER_FRAME.legal(b, TABLE)[0]))
    b = after(b, (TABLE, some_mat(b)))
    tiles = next(d for d in WATER_FRAME.legal(b, TABLE) if type(d).__name__ == "LayOutTiles")
    b, effects = play(b, (TABLE, tiles))
    assert effects[-1] == moves.PhaseBegun("WF-3.5.1", "found_first")
    b, effects = play(b, *[(seat, moves.Found("food", 6)) for seat in range(3)])
    assert effects[-1] == moves.PhaseBegun("WF-3.5.3", "found_second")


def test_wf_3_6_1_every_turn_of_capital_but_the_first_is_told():
    b = after(
        founding(3),
        *[(seat, moves.Found("food", 6)) for seat in range(3)],
        *[(seat, moves.Found("lamps", 9)) for seat in (2, 1, 0)],
    )
    b, effects = play(b, *[(seat, d) for seat in (2, 1, 0) for d in (moves.SellShares(9), moves.Pass())])
    assert only(effects, moves.TurnPassed) == [moves.TurnPassed("WF-3.6.1", 2, 1), moves.TurnPassed("WF-3.6.1", 1, 0)]
    assert only(effects, moves.CycleBegun) == [moves.CycleBegun("WF-4.2.2", 1770, 1, "food")]
    assert (b.stage, b.turns) == ("economy", 0)


# --- cycles and turns ---


def test_wf_4_4_actions_and_every_turn_but_the_first_spread():
    b, effects = play(set_up(stage="economy", start=1), (TABLE, moves.RevealEconomy(0, 1)))
    assert effects[-1] == moves.PhaseBegun("WF-4.4", "actions")
    assert b.economy["food"] == ["0/1"]
    b, effects = play(
        b, *[(seat, d) for seat in (1, 2, 0) for d in (moves.Place("workers", 2, 2), moves.Done(), moves.Done())]
    )
    assert only(effects, moves.TurnPassed) == [moves.TurnPassed("WF-4.4", 1, 2), moves.TurnPassed("WF-4.4", 2, 0)]


@pytest.mark.parametrize(("cycle", "good"), [(1, "clothes"), (2, "cutlery"), (3, "lamps")])
def test_wf_4_2_2_the_next_cycle_is_told_with_its_good(cycle, good):
    b, effects = cycle_ended(cycle=cycle)
    assert only(effects, moves.PhaseBegun) == [moves.PhaseBegun("WF-4.16", "production")]
    assert effects[-1] == moves.CycleBegun("WF-4.2.2", 1770, cycle + 1, good)
    assert (b.stage, b.turns) == ("economy", 0)


def test_wf_4_21_2_pending_charisma_lets_no_one_finish():
    b, _ = cycle_ended(player(tiles="charisma"), cycle=2)
    assert (b.stage, b.turns) == ("cycle_end", 0)


def test_wf_4_16_5_while_the_call_out_asks_nobody_is_through():
    b, _ = cycle_ended(player(tiles="extra_shifts", cutlery=plant(price=7, rows="2 0 0 0")), cycle=3, empty=60)
    assert (b.stage, b.turns, legal(b, 0)) == ("call_out", 0, [moves.ExtraShift(), moves.Stop()])


# --- the end of a round ---


def test_wf_4_22_the_end_of_a_round_is_told_and_brings_an_event():
    b, effects = cycle_ended(cycle=4)
    assert [e for e in effects if isinstance(e, moves.PhaseBegun)][-1] == moves.PhaseBegun("WF-4.22", "round_end")
    assert (b.stage, b.turns, b.cycle) == ("event", 0, 0)


def test_wf_4_22_6_an_event_begins_with_nobody_through():
    """A step with a special marker for the last player."""
    b = set_up(cycle=0, stage="event", turns=0)
    b = after(b, (TABLE, moves.EventCustom("Fair", (moves.SpecialStep(2),))))
    assert (b.stage, b.turns, b.turn, b.decider) == ("event_step", 0, Turn(), 2)


@pytest.mark.parametrize(("tiles", "stage"), [("broker", "broker"), ("charisma", "charisma"), ("", "start_named")])
def test_wf_4_22_after_the_event_nobody_is_through_either(tiles, stage):
    b = after(set_up(player(tiles=tiles), cycle=0, stage="event"), (TABLE, moves.RevealEvent("unknown_a")))
    assert (b.stage, b.turns) == (stage, 0)


def test_wf_4_22_9_the_named_start_player_begins_the_next_decade():
    b = set_up(stage="start_named", cycle=0, decade=1770)
    b, effects = play(b, (b.decider, moves.NameStartPlayer(2)))
    assert only(effects, moves.StartPlayerNamed)[0].seat == 2
    assert effects[-1] == moves.CycleBegun("WF-4.2.2", 1780, 1, "food")


def test_wf_4_24_2_at_the_end_the_start_player_comes_first():
    b = after(set_up(cycle=0, stage="event", decade=1810, start=1), (TABLE, moves.RevealEvent("end_of_game")))
    assert (b.stage, b.decider, b.turns) == ("final_exchange", 1, 0)
    b = after(b, (1, moves.Done()), (2, moves.Done()), (0, moves.Done()))
    assert (b.stage, b.turns) == ("over", 0)


# --- actions ---


@pytest.mark.parametrize("decision", [moves.Reassign("foreman", "lamps"), moves.Broker(1), moves.TakeTile("school")])
def test_wf_4_14_replaced_special_marker_ends_the_turn(decision):
    b = doing("workers", 2, player(tiles="foreman:food broker", food=plant()))
    b = after(b, DONE) if b.stage == "main" else b
    b, effects = play(b, (0, decision))
    assert effects[-2:] == [moves.ActionClosed("WF-4.4.7", 0, "additional"), moves.TurnPassed("WF-4.4", 0, 1)]
    assert b.decider == 1


def test_wf_4_14_1_turn_goes_on_while_a_tile_is_returned():
    b = doing("workers", 2, player(tiles="school office agent patent", food=plant()))
    b, effects = play(b, DONE, (0, moves.TakeTile("broker")))
    assert (b.stage, b.turns, [ask.what for ask in b.asked]) == ("additional", 0, ["return_tile"])
    assert only(effects, moves.TurnPassed) == []


def test_wf_4_9_3_unused_patent_levels_are_lost():
    given = player(markers="", tiles="patent", food=plant(price=7, distribution=3), lamps=plant(price=9))
    b = after(doing("distribution", 4, given), (0, moves.PatentLevels()), (0, moves.RaiseDistribution("lamps", True)))
    assert b.turn.free_levels == 1
    b = after(b, DONE)
    assert (b.stage, b.turn.free_levels) == ("additional", 0)


def test_wf_4_1_2_only_what_done_would_close_counts_closed():
    """The player in turn closes it with a decision that says so."""
    closed = WATER_FRAME.course.by_itself
    effects = [
        moves.ActionClosed("WF-4.4.7", 0, "main"),
        moves.ActionClosed("WF-4.4.7", 1, "main"),
        moves.CycleBegun("WF-4.2.2", 1770, 1, "food"),
    ]
    b = set_up()
    assert closed is not None
    assert [closed(b, seat, moves.Done(), effects) for seat in range(3)] == [1, 1, 0]
    assert [closed(b, seat, moves.Pass(), effects) for seat in range(3)] == [0, 0, 0]
    assert closed(b, 0, moves.Done(), [*effects[1:], moves.ActionClosed("WF-4.4.7", 0, "additional")] * 2) == 2
    assert closed(b, 0, moves.Done(), [moves.PatronSold("WF-4.16.15", 0, "food", "storage")]) == 0


# --- who may decide, and what is over ---


def test_wf_4_24_5_nothing_follows_the_end():
    b = set_up(player(food=plant()), stage="over", decade=1810, cycle=0)
    for seat, decision in ((TABLE, moves.RevealEconomy(0, 1)), (0, moves.Place("workers", 2, 2)), (0, moves.Done())):
        assert refusal(b, seat, decision) == ("WF-4.24.5", "game_over")
