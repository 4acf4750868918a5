"""A practice game to look at: its options, its course, and its limits."""

from __future__ import annotations

import pytest

from daybook.domain.games import PRACTISED
from daybook.services.permissions import access
from tests.web.conftest import Form, Visitor


@pytest.fixture
def form(visitor: Visitor) -> Form:
    return visitor.get("/practice", game="making_profit").form("Play it")


@pytest.mark.parametrize(
    ("ruleset", "level"), [("making_profit", "steady"), *((value, "chance") for value in PRACTISED)]
)
def test_a_practice_game_is_played_to_its_end_and_shown(visitor, book, ruleset, level):
    form = visitor.get("/practice", game=ruleset).form("Play it")
    assert form.fields["level"] == "steady", "unless somebody chooses otherwise, which is quicker"
    answer = visitor.client.post("/practice", data=form.fields | {"level": level, "seed": "3"})
    (kept,) = book.kept.games()
    assert answer.location == f"/games/{kept.id}?step=0#play"
    game = book.games.get(kept.id)
    assert (game.opening.ruleset, game.opening.kind, game.status) == (ruleset, "practice", "closed")
    assert set(game.writers) == {"practice"}
    page = visitor.get(answer.location)
    assert page.status == 200
    assert "Record" not in [says for says, _ in page.links], "there is nothing left to record"
    assert not kept.public


def test_it_is_chosen_from_the_first_page(visitor):
    page = visitor.get(visitor.get("/").link("Watch a practice game"))
    assert visitor.get(page.link("Making Profit")).form("Play it").fields["seats"] == "4"


def test_the_same_number_plays_the_same_game(visitor, form, book):
    for key in ("first-form-key-0", "second-form-key-0"):
        assert visitor.send(form, seed="4711", seats="3", level="chance", key=key).status == 200
    first, second = (book.games.get(kept.id) for kept in book.kept.games())
    assert first.id != second.id
    assert first.step == second.step
    assert first.board == second.board


def test_missing_seed_is_drawn_and_a_resent_form_is_one_game(visitor, form, book):
    for _ in range(2):
        assert visitor.send(form, seed="").status == 200
    (kept,) = book.kept.games()
    assert kept.title.startswith("Making Profit: practice ")
    assert kept.names == ("Player 1", "Player 2", "Player 3", "Player 4")


def test_options_and_players_are_chosen(visitor, form, book):
    visitor.send(form, seats="6", seed="8", level="chance", **{"option.hands": "hidden"})
    (kept,) = book.kept.games()
    assert (len(kept.names), book.games.get(kept.id).opening.options) == (6, {"hands": "hidden"})


@pytest.mark.parametrize(
    ("field", "sent", "message"),
    [
        ("seats", "7", "Choose one of these"),
        ("seats", "", "Choose one of these"),
        ("seats", "x", "Choose one of these"),
        ("seed", "-1", "a whole number from 0 to 999999"),
        ("seed", "1000000", "a whole number from 0"),
        ("seed", "9" * 5000, "a whole number from 0"),
        ("seed", "٣", "a whole number from 0"),
        ("option.hands", "upside down", "Choose one of these"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_played(visitor, form, book, field, sent, message):
    page = visitor.send(form, **{field: sent})
    assert page.status == 422
    assert message in page.text
    assert not book.kept.games()


def test_a_key_that_is_none_plays_nothing(visitor, form, book):
    assert visitor.send(form, csrf="x").status == 403
    assert visitor.get("/practice", game="chess").status == 404
    assert not book.kept.games()


def test_who_had_it_played_may_hand_out_links(visitor, form, book, app):
    visitor.send(form)
    (kept,) = book.kept.games()
    assert visitor.get(f"/games/{kept.id}/links").status == 200
    assert Visitor(app).get(f"/games/{kept.id}").status == 403
    assert len(access.grants_of_game(book, kept.id)) == 6


def test_how_well_they_play_is_chosen(visitor, form, book):
    assert form.fields["level"] == "steady"
    for level, key in (("steady", "first-form-key-0"), ("chance", "second-form-key-0"), ("best", "third-form-key-00")):
        answer = visitor.send(form, seed="4711", level=level, key=key)
        assert answer.status == (422 if level == "best" else 200)
    steady, chance = (book.games.get(kept.id) for kept in book.kept.games())
    assert steady.board != chance.board
