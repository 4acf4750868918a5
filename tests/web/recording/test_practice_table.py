"""A game against practice players: opened on a page, played on the record page, and why they decided so."""

from __future__ import annotations

import json
from uuid import UUID

import pytest

from daybook.domain.kernel.board import plain
from daybook.domain.kernel.terms import TABLE
from daybook.services.play import practice_tables
from daybook.services.play.search import Considered
from daybook.services.store.daybook import Daybook
from daybook.web.recording.practice_table import weighed_move
from tests.web.conftest import Form, Visitor


@pytest.fixture
def form(visitor: Visitor) -> Form:
    return visitor.get("/practice/table", game="making_profit").form("Begin")


def only_game(book: Daybook) -> UUID:
    (kept,) = book.kept.games()
    return kept.id


@pytest.mark.parametrize("level", ["chance", "steady", "strong"])
def test_it_is_opened_and_waits_for_who_plays(visitor, form, book, level):
    page = visitor.send(form, name="Anna", seats="3", seat="2", level=level)
    assert page.status == 200
    practice_tables.play_practice_turn(book, only_game(book))
    game = book.games.get(only_game(book))
    assert dict(game.practice_levels) == {0: level, 2: level}
    assert game.ruleset.waits_for(game.board) == (1,) and game.is_at_table
    assert "Anna" in page.text


def play_on(visitor: Visitor, book: Daybook, seat: int, moves: int) -> UUID:
    """Take the first legal decision until practice players have moved this often; the test does the worker's part."""
    id = only_game(book)
    practice_tables.play_practice_turn(book, id)
    while (game := book.games.get(id)).status == "running" and len(practice_tables.practice_moves(game)) < moves:
        assert game.ruleset.waits_for(game.board) == (seat,)
        decision = json.dumps(plain(game.ruleset.legal(game.board, seat)[0]))
        page = visitor.post(
            f"/games/{id}/record", seat=str(seat), at=str(game.step), key=f"own-decision-{game.step}", decision=decision
        )
        assert page.status == 200
        assert book.games.get(id).step == game.step + 1, "the page waits for nobody"
        practice_tables.play_practice_turn(book, id)
    return id


def test_they_move_when_a_decision_is_saved(visitor, form, book):
    visitor.send(form, name="Anna", seats="2", seat="1", level="steady")
    id = play_on(visitor, book, 0, 99)
    game = book.games.get(id)
    assert game.status == "closed" and practice_tables.practice_moves(game), "it is closed by itself when it is over"
    assert visitor.get(f"/games/{id}/practice-why").status == 200


def test_hands_of_the_others_stay_covered_to_who_plays(visitor, form, book):
    visitor.send(form, name="Anna", seats="4", seat="1", level="steady")
    id = play_on(visitor, book, 0, 1)
    assert book.games.get(id).status == "running"
    why = visitor.get(f"/games/{id}/practice-why")
    assert "still hidden" in why.text and "Chance in percent" not in why.text
    assert visitor.get(f"/games/{id}/links").status == 403


def test_where_nothing_is_hidden_they_say_why_at_once(visitor, book):
    asked = visitor.get("/practice/table", game="arkwright_card").form("Begin")
    visitor.send(asked, name="Anna", seats="2", seat="2", level="steady")
    id = play_on(visitor, book, 1, 1)
    page = visitor.get(f"/games/{id}/record")
    shown = visitor.get(page.link("Why did they decide that?"))
    assert shown.status == 200
    assert "Chance in percent" in shown.text or "Nothing else was possible" in shown.text
    assert visitor.get(f"/games/{id}/practice-why", step="0").status == 404


def test_without_a_worker_the_page_says_so_and_moves_on_request(visitor, form, book):
    page = visitor.send(form, name="Anna", seats="2", seat="1", level="steady")
    id = only_game(book)
    assert book.games.get(id).step == 0
    assert "no worker is running" in page.text and "are thinking" not in page.text
    page = visitor.press(f"/games/{id}/record", "Let the practice players move")
    assert not practice_tables.waits_for_practice(book.games.get(id))
    assert "no worker is running" not in page.text


@pytest.mark.parametrize(("playouts", "shown"), [(2, (None, None)), (5, (None, None)), (6, (100, 100))])
def test_equal_endings_give_no_interval_while_they_are_few(app, playouts, shown):
    run = Considered({"type": "run"}, 1.0, (1.0, 1.0), 9.0, playouts, 2.0, 0.0, None)
    with app.test_request_context():
        weighed = weighed_move("making_profit", ("Anna", "Ben"), run, {"type": "run"})
    assert (weighed.low, weighed.high) == shown
    assert weighed.made


def test_taken_back_step_is_decided_again_on_request(visitor, book):
    asked = visitor.get("/practice/table", game="arkwright_card").form("Begin")
    visitor.send(asked, name="Anna", seats="2", seat="2", level="steady")
    id = play_on(visitor, book, 1, 1)
    game = book.games.get(id)
    back = visitor.get(f"/games/{id}/undo", to_step=str(game.parents[practice_tables.practice_moves(game)[0]]))
    page = visitor.send(back.forms[0])
    assert practice_tables.waits_for_practice(book.games.get(id))
    again = visitor.press(f"/games/{id}/record", "Let the practice players move")
    assert page.status == again.status == 200
    assert TABLE not in book.games.get(id).ruleset.waits_for(book.games.get(id).board)
    assert not practice_tables.waits_for_practice(book.games.get(id))


@pytest.mark.parametrize(
    ("field", "sent", "message"),
    [
        ("seats", "1", "Choose one of these"),
        ("seats", "9", "Choose one of these"),
        ("seat", "4", "Choose one of these"),
        ("level", "best", "Choose one of these"),
        ("name", "", "Enter your name"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_opened(visitor, form, book, field, sent, message):
    page = visitor.send(form, **({"name": "Anna", "seats": "3", "seat": "1", "level": "steady"} | {field: sent}))
    assert page.status == 422 and message in page.text
    assert not book.kept.games()


def test_a_game_of_people_has_nobody_to_ask_why(visitor, book):
    visitor.send(visitor.get("/practice", game="making_profit").form("Play it"))
    assert visitor.get(f"/games/{only_game(book)}/practice-why").status == 404
