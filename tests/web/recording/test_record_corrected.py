"""The scorekeeper's additions to a record: notes, adjustments, abandoning, closing and reopening."""

from __future__ import annotations

import pytest

from daybook.domain.kernel.events import BoardAdjusted, GameAbandoned, GameClosed, GameReopened, NoteAdded
from tests.web.conftest import Form, Opened, Visitor
from tests.web.recording.desk import choices, desk


def test_a_note_is_kept_with_its_step(friday):
    anna = friday.visitor("seat", 0)
    page = anna.send(desk(friday, anna).form("Save the note"), text="Cleo spilt <b>tea</b>")
    event = friday.game.entries[-1].event
    assert isinstance(event, NoteAdded)
    assert (event.about_step, event.text, event.by) == (7, "Cleo spilt <b>tea</b>", "seat:0")
    assert "On step 7: Cleo spilt <b>tea</b>" in page.text
    assert "<b>tea</b>" not in page.html
    assert "Nothing was saved: the note is empty." in anna.send(desk(friday, anna).form("Save the note")).text


def adjusting(game: Opened) -> tuple[Visitor, Form]:
    keeper = game.visitor()
    return keeper, keeper.get(desk(game, keeper).link("Correct the board")).form("Correct the board")


def test_what_lies_wrong_is_put_right_with_a_reason(friday):
    keeper, form = adjusting(friday)
    keeper.send(form, **{"/players/1/money": "4", "why": "a dollar had rolled away"})
    event = friday.game.entries[-1].event
    assert isinstance(event, BoardAdjusted)
    assert event.changes == {"/players/1/money": [0, 4]}
    assert event.why == "a dollar had rolled away"
    assert "The record is corrected: Ben: money $0 → $4: a dollar had rolled away" in desk(friday, keeper).text


def test_refused_adjustment_names_its_rule_and_keeps_values(friday):
    keeper, form = adjusting(friday)
    step = friday.step
    page = keeper.send(form, **{"/bank/red": "9", "why": "found one"})
    assert page.status == 422
    assert "There are 11 red certificates, not 10 (MP-7.2)" in page.text
    assert page.form("Correct the board").fields["/bank/red"] == "9"
    assert page.form("Correct the board").fields["why"] == "found one"
    assert friday.step == step


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"/players/0/money": "lots", "why": "x"}, "Enter a whole number, not lots"),
        ({"/players/0/money": "", "why": "x"}, "Enter a whole number"),
        ({"/players/0/money": "99999999999999999999", "why": "x"}, "Enter a whole number"),
        ({"/players/0/money": "5", "why": " "}, "To correct the board, give a reason"),
        ({"/players/0/money": "-5", "why": "x"}, "The money of a player is below 0"),
        ({"why": "x"}, "The board is already like that"),
    ],
)
def test_an_adjustment_says_what_is_wrong_with_it(friday, fields, message):
    keeper, form = adjusting(friday)
    page = keeper.send(form, **fields)
    assert page.status == 422
    assert message in page.text


@pytest.mark.parametrize(("page", "button"), [("adjust", "Correct the board"), ("count", "Save the count")])
def test_what_was_typed_stays_when_somebody_else_recorded_first(friday, page, button):
    keeper = friday.visitor()
    form = keeper.get(f"{friday.path}/{page}").form(button)
    step = friday.decide(0, type="run")
    shown = keeper.send(form, **{"/players/2/money": "3", "why": "so", "text": "so"})
    assert shown.status == 422 and "The game has continued" in shown.text and friday.step == step
    again = shown.form(button)
    fresh = keeper.get(f"{friday.path}/{page}").form(button)
    typed = {name for name, text in again.fields.items() if text != fresh.fields[name]} - {"key", "csrf"}
    assert typed == {"/players/2/money", "why" if page == "adjust" else "text"}, "what nobody typed is as it lies now"
    assert keeper.send(again).status == 200 and friday.step == step + 1


def test_every_cause_that_a_table_can_see_has_a_field(friday):
    _, form = adjusting(friday)
    places = {name for name in form.fields if name.startswith("/")}
    assert {
        "/players/0/money",
        "/players/2/certificates/blue",
        "/players/1/hand/R1",
        "/players/0/factory#0",
        "/bank/green",
        "/deck/M2",
        "/discard/R1",
        "/developer",
    } <= places
    assert not {name for name in places if name.startswith("/stocks")}


def test_only_the_scorekeeper_puts_right_gives_up_and_reopens(friday):
    anna, step = friday.visitor("seat", 0), friday.step
    assert anna.get(f"{friday.path}/adjust").status == 403
    for path in ("adjust", "abandon", "reopen"):
        page = anna.post(f"{friday.path}/{path}", at=str(step), key="k", why="x", cause="table")
        assert page.status == 403, path
        assert "This is for the scorekeeper" in page.text
    assert friday.step == step


def test_a_game_is_given_up_and_opened_again(friday):
    keeper = friday.visitor()
    page = keeper.send(desk(friday, keeper).form("Abandon the game"), why="it is late")
    assert isinstance(friday.game.entries[-1].event, GameAbandoned)
    assert "This game is abandoned" in page.text
    assert choices(page) == []
    page = keeper.send(page.form("Reopen it"), why="it is early")
    assert isinstance(friday.game.entries[-1].event, GameReopened)
    assert "Anna: 2 actions left" in page.text


def test_a_game_that_is_not_over_is_not_closed(friday):
    keeper = friday.visitor()
    page = keeper.post(f"{friday.path}/close", at=str(friday.step), key="k")
    assert "Nothing was saved: the game is not over" in page.text


def test_finished_game_shows_the_winner_and_is_closed_by_a_seat(friday):
    for seat in range(3):
        friday.decide(seat, type="end_turn")
    page = desk(friday, ben := friday.visitor("seat", 1))
    assert "No one has developed a card in the first round, which Anna began MP-4.8.3" in page.text
    assert "1 A Anna $0 1 B Ben $0 1 C Cleo $0" in page.text
    ben.send(page.form("Finish"))
    assert isinstance(friday.game.entries[-1].event, GameClosed)
