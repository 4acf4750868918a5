"""Undo on the record page: by the scorekeeper and by seats, of a step, a turn and further back."""

from __future__ import annotations

from daybook.domain.kernel.events import (
    DecisionsTakenBack,
)
from daybook.domain.kernel.terms import TABLE
from tests.web.conftest import Opened
from tests.web.recording.desk import desk


def test_one_tap_takes_back_one_step_and_says_which_kind_of_slip_it_was(friday: Opened) -> None:
    keeper = friday.visitor()
    for says, cause in (("it was mistyped", "mistyped"), ("the table took it back", "table")):
        friday.decide(0, type="develop", card="R2")
        page = desk(friday, keeper)
        page = keeper.send(page.form(f"Undo step {friday.step}: {says}"))
        event = friday.game.entries[-1].event
        assert isinstance(event, DecisionsTakenBack)
        assert event.cause == cause
        assert "Anna: 2 actions left" in page.text
        assert f"undone by step {friday.step}" in page.text


def test_a_whole_turn_is_undone(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="develop", card="M1")
    page = keeper.get(desk(friday, keeper).link("Undo the whole turn"))
    assert "This strikes out 2 steps" in page.text
    page = keeper.send(page.form("Undo to step 7"), cause="table")
    assert "Anna: 2 actions left" in page.text


def test_undo_to_a_row_across_other_seats_needs_a_reason(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="end_turn")
    friday.decide(1, type="end_turn")
    page = keeper.get(desk(friday, keeper).link("undo to here"))
    page = keeper.get(f"{friday.path}/undo", to=7)
    assert "This undoes decisions of several seats, so say why" in page.text
    step = friday.step
    refused = keeper.send(page.form("Undo to step 7"))
    assert refused.status == 422
    assert "undoing decisions of several seats needs a reason" in refused.text
    assert friday.step == step
    keeper.send(refused.form("Undo to step 7"), why="Ben was not at the table")
    assert friday.game.entries[-1].event.why == "Ben was not at the table"


def test_a_seat_undoes_its_own_decisions_alone(friday: Opened) -> None:
    friday.decide(0, type="end_turn")
    ben, anna = friday.visitor("seat", 1), friday.visitor("seat", 0)
    assert "Undo" not in desk(friday, ben).text
    step = friday.step
    page = ben.post(f"{friday.path}/undo", to="7", cause="table", at=str(step), key="k")
    assert page.status == 403
    assert friday.step == step
    anna.send(desk(friday, anna).form("Undo step 8"))
    assert friday.step == step + 1


def test_an_undo_that_comes_too_late_undoes_nothing(friday: Opened) -> None:
    keeper = friday.visitor()
    friday.decide(0, type="develop", card="R2")
    form = desk(friday, keeper).form("Undo step 8")
    friday.decide(0, type="develop", card="M1")
    page = keeper.send(form)
    assert "The game has moved on meanwhile" in page.text
    assert friday.step == 9


def test_there_is_nothing_to_undo_in_a_game_just_opened(open_game) -> None:
    game = open_game()
    assert "Undo" not in desk(game).text
    assert game.visitor().get(f"{game.path}/undo", to=5).status == 404
    assert game.visitor().get(f"{game.path}/undo", to="x").status == 400


def test_facts_of_the_table_are_never_undone_by_a_seat_that_did_not_see_them_matter(friday: Opened) -> None:
    """A draw follows from a decision: undoing both is undoing the seat's own decision."""
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(TABLE, type="drawn", card="M1")
    anna, ben = friday.visitor("seat", 0), friday.visitor("seat", 1)
    assert anna.get(f"{friday.path}/undo", to=8).status == 200
    assert ben.get(f"{friday.path}/undo", to=8).status == 403
