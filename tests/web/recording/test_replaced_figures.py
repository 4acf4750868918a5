"""Corrections of a score sheet: which phone is told of what, and what a player is asked first."""

from __future__ import annotations

import re

import pytest

from daybook.domain import disputes
from daybook.domain.commands import RaiseClaim, TakeBack
from daybook.domain.kernel.events import Move
from tests.web.games.test_score_sheet import fill, opened_by
from tests.web.recording.desk import desk

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def wizard(app, book, visitor):
    """Two rounds of Wizard, the second without figures."""
    opened = opened_by(app, book, visitor, "Wizard", "Anna", "Ben", "Cleo")
    for seat, (bid, tricks) in enumerate(((1, 0), (0, 0), (0, 1))):
        opened.decide(seat, type="enter", line="bid", value=bid)
        opened.decide(seat, type="enter", line="tricks", value=tricks)
    return opened


def test_correction_names_only_the_figure_of_the_same_cell(wizard):
    """Cleo's figure is undone and Anna's is changed: neither replaces the other."""
    ben = wizard.visitor("seat", 1)
    wizard.write(TakeBack(wizard.step - 1, "mistyped"))
    wizard.decide(0, type="enter", line="tricks", value=1)
    assert "Corrected in step" not in desk(wizard, ben).text
    wizard.decide(2, type="enter", line="tricks", value=0)
    page = desk(wizard, ben).text
    assert f"Corrected in step {wizard.step}: Round 1, Cleo: Tricks 0. Before: Cleo: Tricks 1" in page
    wizard.decide(0, type="end_round")
    assert "Corrected in step" not in desk(wizard, ben).text, "not into the next round"


def test_player_is_told_of_an_edit_of_an_earlier_round(wizard):
    wizard.decide(0, type="end_round")
    wizard.decide(2, type="enter", line="tricks", value=0, round=1)
    told = "changed round 1: Cleo: Tricks 0, was 1"
    cleo, ben = wizard.visitor("seat", 2), wizard.visitor("seat", 1)
    assert told in desk(wizard, cleo).text and told not in desk(wizard, ben).text and told not in desk(wizard).text
    wizard.decide(2, type="enter", line="bid", value=1)
    page = desk(wizard, cleo)
    assert told in page.text, "until the round ends"
    cleo.send(page.form("Hide this"))
    assert told not in desk(wizard, cleo).text


def test_player_confirms_a_change_of_a_finished_round(wizard):
    """The player is asked once, and the scorekeeper is told which round changed."""
    wizard.decide(0, type="end_round")
    ben, record = wizard.visitor("seat", 1), f"{wizard.path}/record"
    before = wizard.step
    page = fill(ben, ben.get(record, round=1), b_tricks="1")
    assert "Round 1 is over. Change Tricks from 0 to 1?" in page.text and wizard.step == before
    assert ben.send(page.form("Change it")).status == 200
    assert wizard.step == before + 1 and wizard.game.board.players[1].rounds[0]["tricks"] == 1
    assert "Ben changed round 1: Tricks 1, was 0" in desk(wizard).text
    keeper = wizard.visitor()
    fill(keeper, keeper.get(record, round=1), b_tricks="0")
    assert wizard.step == before + 2, "the scorekeeper is not asked"


def test_scorekeeper_declines_a_claim_with_one_tap(wizard):
    """Without an umpire all players have to agree: each does with one tap on the notice of the own phone."""
    step = next(
        entry.step for entry in wizard.game.entries if getattr(entry.event, "seat", None) == 2 and entry.step > 4
    )
    move = Move(2, {"type": "enter", "line": "tricks", "value": 0})
    number = wizard.write(RaiseClaim(step, "It was mistyped", seat=2, moves=[move]), by="seat:2").step
    keeper = wizard.visitor()
    page = keeper.get(f"{wizard.path}/claims/{number}")
    assert "It is settled when Anna, Ben and Cleo have agreed" in page.text
    page = keeper.send(page.form("Keep it as recorded"), why="we saw it")
    assert page.status == 200 and "Keep it as recorded" in page.text and "we saw it" in page.text
    for seat, name in enumerate(("Anna", "Ben", "Cleo")):
        player = wizard.visitor("seat", seat)
        assert player.send(desk(wizard, player).form(f"{name} agrees")).status == 200
    assert disputes.claims(wizard.game)[number].ruling.ruling == "play_on"
    assert wizard.game.board.players[2].rounds[0]["tricks"] == 1


def test_steps_of_a_sheet_are_listed_by_round(wizard):
    wizard.decide(0, type="end_round")
    wizard.decide(0, type="enter", line="bid", value=1)
    page = wizard.visitor().get(f"{wizard.path}/wrong")
    assert re.findall(r'<h2 class="of-turn">(.*?)</h2>', page.html) == ["Round 2", "Round 1"]


def test_round_that_never_happened_is_left_out_with_its_figures(wizard):
    """The end of a round can be undone alone, or with the figures: then later rounds move up."""
    keeper, ben = wizard.visitor(), wizard.visitor("seat", 1)
    end = wizard.decide(0, type="end_round")
    wizard.decide(0, type="enter", line="bid", value=2, round=2)
    page = keeper.get(f"{wizard.path}/wrong", step=end)
    assert "It is open again, and all its figures stay." in page.text
    page = keeper.get(page.link("Leave out the whole round"))
    assert "round 1 is open again" in page.text.lower()
    assert keeper.send(page.form("Save the correction"), do="write", why="played twice").status == 200
    board = wizard.game.board
    assert board.round == 1 and [player.rounds[0]["bid"] for player in board.players] == [2, None, None]
    assert "Round 1 is open again" in desk(wizard, ben).text


def test_player_proposes_to_leave_out_a_whole_round(wizard):
    """The keeper saves it with one tap: the figures of the round are gone, and those of the next one move up."""
    wizard.decide(0, type="end_round")
    wizard.decide(1, type="enter", line="bid", value=2)
    figure = next(entry.step for entry in wizard.game.entries if getattr(entry.event, "seat", None) == 1)
    ben = wizard.visitor("seat", 1)
    page = ben.get(f"{wizard.path}/wrong", step=figure)
    assert "Is the whole round wrong?" in page.text
    page = ben.get(page.link("Leave out the whole round"))
    assert "This round never happened" in page.html and "Claim on a whole round" in page.text
    ben.send(page.form("Propose it"))
    number = wizard.step
    keeper = wizard.visitor()
    assert "Ben says: leave out Round 1" in desk(wizard, keeper).text
    page = keeper.get(f"{wizard.path}/claims/{number}")
    keeper.send(page.form("Save the correction"))
    board = wizard.game.board
    assert board.round == 1 and [player.rounds[0]["bid"] for player in board.players] == [None, 2, None]


def test_claim_on_a_round_leaves_a_correction_of_an_earlier_round_alone(wizard):
    """Round 1 is corrected while round 2 is open: saving the claim on round 2 closes it, and keeps that correction."""
    wizard.decide(0, type="end_round")
    first = wizard.decide(1, type="enter", line="bid", value=2)
    late = wizard.decide(1, type="enter", line="tricks", value=1, round=1)
    wizard.decide(0, type="enter", line="bid", value=1)
    ben, keeper = wizard.visitor("seat", 1), wizard.visitor()
    assert "Is the whole round wrong?" not in ben.get(f"{wizard.path}/wrong", step=late).text
    page = ben.get(ben.get(f"{wizard.path}/wrong", step=first).link("Leave out the whole round"))
    ben.send(page.form("Propose it"))
    claim = disputes.claims(wizard.game)[wizard.step]
    assert late not in disputes.steps_raised(wizard.game, claim)
    page = desk(wizard, keeper)
    assert "leave out Round 2" in page.text and "Ben, round 1" not in page.text
    keeper.send(keeper.get(f"{wizard.path}/claims/{claim.number}").form("Save the correction"))
    players = wizard.game.board.players
    assert [player.rounds[1]["bid"] for player in players] == [None, None, None]
    assert players[1].rounds[0]["tricks"] == 1, "the correction stays"
    assert not disputes.open_claims(wizard.game) and "leave out Round 2" not in desk(wizard, keeper).text


def test_accepting_a_claim_names_the_round_and_an_impossible_sum(wizard):
    """SC-2.15: two tricks in round 1 cannot be, and the rules cannot check a figure."""
    step = next(
        entry.step
        for entry in wizard.game.entries
        if getattr(entry.event, "seat", None) == 1 and entry.event.decision["line"] == "tricks"
    )
    wizard.decide(0, type="end_round")
    move = Move(1, {"type": "enter", "line": "tricks", "value": 1})
    number = wizard.write(RaiseClaim(step, "It was mistyped", seat=1, moves=[move]), by="seat:1").step
    keeper = wizard.visitor()
    assert "Round 1: Tricks: these figures add up to 2" in desk(wizard, keeper).text  # next to “Save”
    page = keeper.get(f"{wizard.path}/claims/{number}")
    assert "Ben, round 1: 20 → −10" in page.text
    assert "Round 1: Tricks: these figures add up to 2" in page.text
    assert "They cannot check if this one is right" in page.text and "It passed every check" not in page.text
    page = keeper.send(page.form("Save the correction"))
    assert "The correction is saved: Ben, round 1: 20 → −10" in page.text and "add up to 2" in page.text
