"""The line that says what players do with cards, pieces and money after a turn."""

from __future__ import annotations

import re
from html import unescape

import pytest

from daybook.domain.commands import Correct, Resolution, TakeBack
from daybook.domain.kernel.events import Move
from daybook.domain.kernel.terms import TABLE
from daybook.services.disputes.corrections import compute_correction_plan
from tests.web.conftest import Opened, VisitedPage
from tests.web.recording.desk import desk

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture
def hidden(open_game) -> Opened:
    """Hidden hands: Anna is to play and has $4, Ben’s factory is at level 1."""
    game = open_game(hands="hidden")
    game.decide(TABLE, type="start_player_drawn", seat=0)
    for seat in range(3):
        game.decide(seat, type="develop", card="M2")
        game.decide(seat, type="run")
    return game


def line(page: VisitedPage) -> str:
    found = re.search(r'<p class="at-table">(.*?)</p>', page.html, re.S)
    return unescape(re.sub(r"<[^>]+>", "", found[1])) if found else ""


def test_mp_4_2_3_purchase_tells_owner_and_keeper_to_draw(hidden):
    keeper, anna, ben, cleo = hidden.visitor(), *(hidden.visitor("seat", seat) for seat in range(3))
    hidden.decide(0, type="buy_stock", colour="blue")
    paid = "Anna pays $2 to the bank and takes a blue certificate"
    assert line(desk(hidden, keeper)) == f"At the table: {paid} · Ben draws 1 card"
    assert line(desk(hidden, anna)) == f"At the table: {paid} · Ben draws 1 card", "all of her own turn"
    assert line(desk(hidden, ben)) == "At the table: Ben draws 1 card"
    assert line(desk(hidden, cleo)) == "", "nothing for Cleo"


def test_owner_is_told_all_draws_since_the_last_own_turn(hidden):
    ben = hidden.visitor("seat", 1)
    for _ in range(2):
        hidden.decide(0, type="buy_stock", colour="blue")
    assert line(desk(hidden, ben)) == "At the table: Ben draws 1 card (2 times)"
    hidden.decide(1, type="develop", card="R1")
    assert line(desk(hidden, ben)) == "At the table: Ben lays R1 face up at the factory"


def test_undone_purchase_is_undone_at_the_table(hidden):
    keeper, ben = hidden.visitor(), hidden.visitor("seat", 1)
    step = hidden.step
    hidden.decide(0, type="buy_stock", colour="blue")
    hidden.write(TakeBack(step, "mistyped"))
    assert line(desk(hidden, keeper)).startswith("Undo at the table: Anna pays $2")
    assert line(desk(hidden, ben)) == "Undo at the table: Ben draws 1 card"


def correct(game: Opened, step: int, seat: int, **decision: str) -> None:
    instead = {step: Resolution([Move(seat, decision)])}
    plan = compute_correction_plan(game.book, game.id, instead)
    game.write(Correct(instead, "another colour", plan.digest), at=game.step)


def test_correction_says_only_the_difference_at_the_table(hidden):
    keeper, ben, cleo = hidden.visitor(), hidden.visitor("seat", 1), hidden.visitor("seat", 2)
    hidden.decide(0, type="buy_stock", colour="blue")
    step = hidden.step
    hidden.decide(0, type="run")
    hidden.decide(1, type="develop", card="R1")
    correct(hidden, step, 0, type="buy_stock", colour="green")
    undone, acts = line(desk(hidden, keeper)).split("At the table: ")
    assert undone == "Undo at the table: Anna pays $2 to the bank and takes a blue certificate · Ben draws 1 card"
    assert acts == "Anna pays $2 to the bank and takes a green certificate · Cleo draws 1 card"
    assert line(desk(hidden, ben)) == "Undo at the table: Ben draws 1 card"
    assert line(desk(hidden, cleo)) == "At the table: Cleo draws 1 card"
    hidden.decide(1, type="run")
    assert "draws" not in line(desk(hidden, cleo)), "said before"
    assert line(desk(hidden, ben)).endswith("from the bank · Ben draws 1 card"), (
        "of the new turn; the other is struck out"
    )


def test_correction_to_the_same_acts_says_nothing(hidden):
    hidden.decide(0, type="buy_stock", colour="blue")
    step = hidden.step
    hidden.decide(0, type="run")
    correct(hidden, step, 0, type="buy_stock", colour="blue")
    assert line(desk(hidden)) == ""


def test_cards_drawn_from_open_hands_are_not_named(friday):
    friday.decide(0, type="develop", card="R2")
    friday.decide(0, type="run")
    friday.decide(TABLE, type="drawn", card="M2")
    ben = friday.visitor("seat", 1)
    assert "M2" not in line(desk(friday, ben)) and "M2" not in line(desk(friday, friday.visitor()))


def test_lm_4_7_13_acts_of_an_auction_stay_while_the_next_is_sealed(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    game.play(lambda game: game.board.auction == 2 and game.board.stage == "offers")
    phones = [game.visitor(), *(game.visitor("seat", seat) for seat in range(3))]
    before = [line(desk(game, phone)) for phone in phones]
    game.play(1, seed=3)
    assert all("cover " in acts and "put the offered cards back" in acts for acts in before)
    assert game.game.board.auction == 2 and [line(desk(game, phone)) for phone in phones] == before


def test_lm_4_4_4_used_token_is_turned_over(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    assert "deal 8 goods cards to each player" in line(desk(game))
    game.play(lambda game: game.board.stage == "turn" and game.board.used)
    assert "token face down" in line(desk(game)) or "token of assistant" in line(desk(game))


def test_line_is_left_out_at_every_step_without_an_act(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    keeper, seen = game.visitor(), set()
    for _ in range(60):
        told = line(desk(game, keeper))
        assert told != "At the table:", game.game.entries[-1].event
        seen.add(told)
        game.play(1, seed=game.step)
    assert "" in seen and len(seen) > 20
