"""Undo on the record page: by the scorekeeper and by seats, of a step, a turn and further back."""

from __future__ import annotations

from daybook.domain.commands import Abandon, Note, TakeBack
from daybook.domain.kernel.events import DecisionsTakenBack
from daybook.domain.kernel.terms import TABLE
from daybook.web.recording.record_page import MAX_TURNS_SHOWN
from tests.web.recording.desk import desk


def test_one_tap_takes_back_one_step_and_its_kind_of_slip(friday):
    keeper = friday.visitor()
    for says, cause in (("it was mistyped", "mistyped"), ("the table took it back", "table")):
        friday.decide(0, type="develop", card="R2")
        page = desk(friday, keeper)
        assert "Saved: Anna develops R2" in page.text
        page = keeper.send(page.form(f"Undo step {friday.step}: {says}"))
        event = friday.game.entries[-1].event
        assert isinstance(event, DecisionsTakenBack)
        assert event.cause == cause
        assert "Anna: 2 actions left" in page.text
        assert f"undone by step {friday.step}" in page.text


def test_saved_step_can_be_undone_while_the_next_is_previewed(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    page = keeper.get(f"{friday.path}/record", seat=0, kind="end_turn")
    assert page.form("Save") and "Undo: Anna develops R2" in page.html
    keeper.send(page.form(f"Undo step {friday.step}: it was mistyped"))
    assert isinstance(friday.game.entries[-1].event, DecisionsTakenBack)


def test_undo_names_whose_decision_it_is_after_later_writes(friday):
    friday.decide(0, type="end_turn")
    for n in range(MAX_TURNS_SHOWN + 1):
        friday.write(Note(7, "later"), key=f"note-{n}")
    assert "Saved: Anna ends the turn" in desk(friday).text


def test_a_whole_turn_is_undone(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="develop", card="M1")
    page = keeper.get(desk(friday, keeper).link("Undo the whole turn"))
    assert "This strikes out 2 steps" in page.text
    page = keeper.send(page.form("Undo to step 7"), cause="table")
    assert "Anna: 2 actions left" in page.text


def test_undo_to_a_row_across_other_seats_needs_a_reason(friday):
    keeper = friday.visitor()
    friday.decide(0, type="end_turn")
    friday.decide(1, type="end_turn")
    page = keeper.get(desk(friday, keeper).link("undo to here"))
    page = keeper.get(f"{friday.path}/undo", to_step=7)
    assert "This undoes decisions of several players, so give a reason" in page.text
    step = friday.step
    refused = keeper.send(page.form("Undo to step 7"))
    assert refused.status == 422
    assert "To undo decisions of several players, give a reason" in refused.text
    assert friday.step == step
    keeper.send(refused.form("Undo to step 7"), why="Ben was not at the table")
    assert friday.game.entries[-1].event.why == "Ben was not at the table"


def test_a_seat_undoes_its_own_decisions_alone(friday):
    friday.decide(0, type="end_turn")
    ben, anna = friday.visitor("seat", 1), friday.visitor("seat", 0)
    assert "Undo" not in desk(friday, ben).text
    step = friday.step
    page = ben.post(f"{friday.path}/undo", to_step="7", cause="table", at=str(step), key="k")
    assert page.status == 403
    assert friday.step == step
    anna.send(desk(friday, anna).form("Undo step 8"))
    assert friday.step == step + 1


def test_an_undo_that_comes_too_late_undoes_nothing(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    form = desk(friday, keeper).form("Undo step 8")
    friday.decide(0, type="develop", card="M1")
    page = keeper.send(form)
    assert "The game has continued in the meantime" in page.text
    assert friday.step == 9


def test_there_is_nothing_to_undo_in_a_game_just_opened(open_game):
    game = open_game()
    assert "Undo" not in desk(game).text
    assert game.visitor().get(f"{game.path}/undo", to_step=5).status == 404
    assert game.visitor().get(f"{game.path}/undo", to_step="x").status == 400


def test_seat_never_undoes_facts_of_the_table(friday):
    """A draw follows from a decision: undoing both is undoing the seat's own decision."""
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(TABLE, type="drawn", card="M1")
    anna, ben = friday.visitor("seat", 0), friday.visitor("seat", 1)
    assert anna.get(f"{friday.path}/undo", to_step=8).status == 200
    assert ben.get(f"{friday.path}/undo", to_step=8).status == 403


# --- redone ----------------------------------------------------------------------------------------------------------


def test_undone_steps_are_redone_by_one_tap_each(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="develop", card="M1")
    before = friday.game.document
    page = desk(friday, keeper)
    assert "Redo" not in page.text
    for step in (9, 8):
        page = keeper.send(page.form(f"Undo step {step}: it was mistyped"))
    for step in (8, 9):
        page = keeper.send(page.form(f"Redo to step {step}"))
        assert f"Redone: everything up to step {step} counts again" in page.text
    assert "Redo to" not in page.html
    assert (friday.game.document, friday.game.struck_steps()) == (before, {})
    page = keeper.send(page.form("Undo step 9: the table took it back"))
    assert page.form("Redo to step 9"), "what was redone is undone as before"


def test_a_whole_turn_is_redone_at_once(friday):
    keeper = friday.visitor()
    for card in ("R2", "M1"):
        friday.decide(0, type="develop", card=card)
    page = keeper.get(desk(friday, keeper).link("Undo the whole turn"))
    page = keeper.send(keeper.send(page.form("Undo to step 7"), cause="table").form("Redo to step 9"))
    assert friday.game.line()[-2:] == [8, 9]


def test_a_note_does_not_stand_in_the_way_and_a_decision_does(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    page = keeper.send(desk(friday, keeper).form("Undo step 8: it was mistyped"))
    page = keeper.send(page.form("Save the note"), text="Ben looked away")
    assert page.form("Redo to step 8")
    friday.decide(0, type="develop", card="M1")
    assert "Redo to" not in desk(friday, keeper).html


def test_a_redo_that_comes_too_late_changes_nothing(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    form = keeper.send(desk(friday, keeper).form("Undo step 8: it was mistyped")).form("Redo to step 8")
    friday.decide(0, type="develop", card="M1")
    step = friday.step
    assert "The game has continued in the meantime" in keeper.send(form).text
    assert friday.step == step


def test_a_redo_sent_twice_is_one(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    form = keeper.send(desk(friday, keeper).form("Undo step 8: it was mistyped")).form("Redo to step 8")
    for _ in range(2):
        assert keeper.send(form).status == 200
        assert friday.step == 10


def test_a_seat_redoes_its_own_decisions_alone(friday):
    friday.decide(0, type="end_turn")
    anna, ben = friday.visitor("seat", 0), friday.visitor("seat", 1)
    anna.send(desk(friday, anna).form("Undo step 8"))
    assert "Redo to" not in desk(friday, ben).html
    assert ben.get(f"{friday.path}/undo", to_step=8).status == 403
    step = friday.step
    assert ben.post(f"{friday.path}/undo", to_step="8", cause="mistyped", at=str(step), key="k").status == 403
    assert friday.step == step
    anna.send(desk(friday, anna).form("Redo to step 8"))
    assert friday.step == step + 1


def test_a_ruling_is_not_redone(friday):
    friday.decide(0, type="develop", card="R2")
    friday.write(TakeBack(7, "ruling", "by the umpire"), key="k")
    assert "Redo to" not in desk(friday, friday.visitor()).html


def test_way_back_to_an_undone_step_says_what_it_brings(friday):
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="develop", card="M1")
    page = keeper.send(desk(friday, keeper).form("Undo step 9: it was mistyped"))
    page = keeper.get(f"{friday.path}/undo", to_step=9)
    assert "1 step that was undone counts again." in page.text and "undone by step 10" in page.text
    assert "The board is already like that" not in page.text
    friday.decide(0, type="end_turn")
    page = keeper.get(f"{friday.path}/undo", to_step=9)
    assert "1 step that was undone counts again." in page.text and "This strikes out 1 step." in page.text
    page = keeper.send(page.form("Undo to step 9"), cause="table")
    assert friday.game.line()[-2:] == [8, 9]
    assert "The board is already like that" in keeper.get(f"{friday.path}/undo", to_step=9).text


def test_the_way_back_beyond_the_record_says_how_far_it_goes(friday):
    page = friday.visitor().get(f"{friday.path}/undo", to_step=friday.step + 2)
    assert page.status == 404
    assert f"Its steps go from 0 to {friday.step}." in page.text


def test_way_back_in_an_ended_record_says_that_it_ended(friday):
    friday.write(Abandon("late"), key="k")
    page = friday.visitor().get(f"{friday.path}/undo", to_step=6)
    assert "The record has ended" in page.text and "Undo to step" not in page.html
