"""Practice tables: a person plays, the others move by themselves, and each sees only what a table shows."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from daybook.domain.commands import Abandon, Decide, Note, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.practice_seats import LEVELS, Level, practice_levels, practice_person
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE
from daybook.services.permissions import access
from daybook.services.permissions.sights import EVERYTHING, sights_of
from daybook.services.play import practice_tables
from daybook.services.play.practice import Dealer
from daybook.services.play.practice_tables import (
    Opponents,
    explain_move,
    may_explain,
    open_practice_table,
    play_practice_turn,
)
from daybook.services.store.daybook import Daybook
from tests.played import write

pytestmark = pytest.mark.sqlite_suffices


def open_practice_game(
    book: Daybook, game: str = "making_profit", level: Level = "steady", seats: int = 3, seat: int = 1
) -> UUID:
    return open_practice_table(
        book,
        ruleset_id=game,
        title="Practice",
        name="Anna",
        seat=seat,
        options={},
        by="scorekeeper",
        opponents=Opponents(level, [f"Player {number}" for number in range(1, seats)]),
        key="0123456789abcdef",
    ).record


def play_own(book: Daybook, game_id: UUID, number: int) -> None:
    """Make a random decision in a person's own seat."""
    game = book.games.get(game_id)
    decision = Dealer(number).choose_by_chance(game.ruleset, game.board, 1)
    write(book, game_id, Decide(1, plain(decision)), at=game.step, by="seat:1", key=f"own-{number}")


def play_to_end(book: Daybook, game_id: UUID, seconds: float = 0.0) -> Game:
    for number in range(600):
        play_practice_turn(book, game_id, seconds)
        game = book.games.get(game_id)
        if game.status != "running":
            return game
        assert game.ruleset.waits_for(game.board) == (1,), "nobody else is waited for"
        play_own(book, game_id, number)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    "game",
    [
        "making_profit",
        "london_markets",
        pytest.param("arkwright_card", marks=pytest.mark.slow),
        pytest.param("water_frame", marks=pytest.mark.slow),
    ],
)
def test_a_game_is_played_to_its_end_against_practice_players(book, game):
    id = open_practice_game(book, game)
    assert book.games.get(id).practice_levels == {0: "steady", 2: "steady"}
    played = play_to_end(book, id)
    assert (played.status, played.opening.kind) == ("closed", "practice")
    seats = {
        entry.event.seat: writer
        for entry, writer in zip(played.entries, played.writers, strict=True)
        if isinstance(entry.event, DecisionRecorded)
    }
    assert {seat: writer for seat, writer in seats.items() if seat in (0, 1, 2)} == {
        0: "practice",
        1: "seat:1",
        2: "practice",
    }
    assert seats.get(TABLE, "practice") == "practice"
    if game in ("making_profit", "london_markets"):
        assert played.opening.options == {"hands": "open"}


@pytest.mark.parametrize("level", LEVELS)
def test_players_of_each_level_move(book, level):
    id = open_practice_game(book, level=level)
    assert practice_tables.waits_for_practice(book.games.get(id))
    assert play_practice_turn(book, id, 2.0) > 0
    game = book.games.get(id)
    assert not practice_tables.waits_for_practice(game)
    assert play_practice_turn(book, id) == 0, "asked again nothing is left to be done"


def test_a_table_of_practice_keeps_cards_covered_like_any_table(book):
    id = open_practice_game(book)
    play_practice_turn(book, id, 0.0)
    game = book.games.get(id)
    grants = {grant.place: grant for grant in access.make_first_grants(book, id)}
    assert game.is_at_table
    assert sights_of(game, grants["seat:1"]) == (1, None)
    assert sights_of(game, None) == (None,)
    assert not may_explain(game, sights_of(game, grants["seat:1"]))
    assert not may_explain(game, sights_of(game, grants["scorekeeper"])), "who keeps the record may be who plays"
    write(book, id, Abandon("late"), key="late")
    assert not may_explain(book.games.get(id), sights_of(book.games.get(id), grants["scorekeeper"]))


def test_a_practice_game_that_nobody_sits_at_lies_open(book):
    game = open_practice_game(book)
    people = [practice_person(game, seat, "strong") for seat in range(3)]
    assert practice_levels(game, people) == dict.fromkeys(range(3), "strong")
    assert practice_levels(UUID(int=7), people) == {}, "nobody is one in another game"


def test_why_a_practice_player_decided_so(book):
    id = open_practice_game(book)
    game = play_to_end(book, id)
    assert may_explain(game, (EVERYTHING, None))
    for step in practice_tables.practice_moves(game)[:6]:
        event: Any = game.entries[step].event
        found = explain_move(book, game, step, seconds=0.1)
        assert found is not None and found.seat == event.seat
        assert event.decision in [considered.decision for considered in found.considered], "it was among those tried"
    assert explain_move(book, game, 0) is None


def test_where_nothing_is_hidden_it_may_be_asked_at_once(book):
    id = open_practice_game(book, "arkwright_card", seats=2)
    play_practice_turn(book, id, 0.0)
    assert may_explain(book.games.get(id), (None,))


def test_taken_back_decision_is_made_again_on_request(book):
    id = open_practice_game(book)
    play_practice_turn(book, id, 0.0)
    game = book.games.get(id)
    before = practice_tables.practice_moves(game) or [game.line()[-1]]
    write(book, id, TakeBack(game.parents[before[0]], "table", ""), at=game.step, by="seat:1")
    assert practice_tables.waits_for_practice(book.games.get(id))
    assert play_practice_turn(book, id, 0.0) > 0
    assert RULESETS["making_profit"].waits_for(book.games.get(id).board) == (1,)


def test_what_is_drawn_follows_from_the_secret_and_the_step(book):
    game = book.games.get(open_practice_game(book))
    assert practice_tables.seed_of(book, game, 3) == practice_tables.seed_of(book, game, 3)
    assert practice_tables.seed_of(book, game, 3) != practice_tables.seed_of(book, game, 4)


def test_no_client_can_use_keys_of_practice_players_before_them(book):
    id = open_practice_game(book)
    for step in range(1, 40):
        write(book, id, Note(0, "here first"), by="seat:1", key=f"practice-{step}")
    assert play_practice_turn(book, id, 0.0) > 0
    assert book.games.get(id).ruleset.waits_for(book.games.get(id).board) == (1,)
