"""A solo game on the pages: opened, recorded, corrected, scored and practised."""

from __future__ import annotations

import re
from random import Random

import msgspec
import pytest

from daybook.domain.commands import Adjust
from daybook.domain.games import RULESETS
from daybook.domain.kernel.terms import TABLE
from daybook.services.play.practice import Dealer
from daybook.services.store.printed_sheets import printed_sheet
from daybook.web import words
from tests.domain.games.arkwright_card.test_solo_random import rows
from tests.web.conftest import Opened
from tests.web.games.test_words import told_board, whole

RULES = RULESETS["arkwright_card"]


@pytest.fixture
def alone(open_game) -> Opened:
    """Return a solo game in its first turn, with the set-up dealt."""
    game = open_game(names=["Mina"], title="Alone", ruleset_id="arkwright_card")
    while game.game.board.stage != "action":
        game.play(1)
    return game


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_whole_solo_games_are_told_without_a_gap(app, seed):
    random, dealer, sheet = Random(seed), Dealer(seed), printed_sheet(RULES.id)
    options = rows()[seed % len(rows())]
    board = RULES.opening_board(RULES.table([random.choice(RULES.colours(sheet))], options, sheet))
    with app.test_request_context():
        for _ in range(1_000):
            told_board(RULES, board, ("Mina",), random)
            chosen = dealer.next_decision(RULES, board)
            if chosen is None:
                break
            board, effects = RULES.play(board, *chosen)
            for effect in msgspec.to_builtins(effects):
                whole(words.sentence(RULES.id, effect, ("Mina",)))
        outcome = RULES.scoring.outcome(board)
        assert outcome is not None
        whole(words.outcome_sentence(RULES.id, outcome, ("Mina",)))


def test_a_game_for_one_is_opened_with_one_name(visitor, book):
    form = visitor.get("/new?game=arkwright_card").form("Open the game")
    page = visitor.send(form, title="Alone", **{"name.1": "Mina", "option.solo_pick_achievements": "yes"})
    assert "The game is open: hand out the links" in page.text
    (kept,) = book.kept.games()
    assert kept.names == ("Mina",)
    assert visitor.get(f"/games/{kept.id}/record").status == 200
    page = visitor.press("/new?game=arkwright_card", "Open the game", title="Nobody")
    assert (page.status, "1 to 4 players" in page.text) == (422, True)


def test_the_draws_of_the_table_are_asked_for_and_recorded(alone):
    keeper = alone.visitor()
    while alone.game.board.stage != "automa":
        alone.play(1)
    page = keeper.get(f"{alone.path}/record")
    assert "which marker comes out of the bag?" in page.text
    assert "Orange 2 Green 3 Purple" in page.text
    step = alone.decide(TABLE, type="marker_drawn", colour="orange")
    assert alone.game.board.alone.bag["orange"] == 2
    assert "The orange marker is drawn" in keeper.get(f"{alone.path}/record").text
    assert keeper.get(alone.path, step=step).status == 200


def test_every_page_of_a_running_game_for_one_opens(alone):
    keeper = alone.visitor()
    for part in (
        "",
        "/record",
        "/score",
        "/about",
        "/links",
        "/adjust",
        "/figures",
        "/figures.csv",
        "/undo?to_step=5",
        "/count",
        "/compare",
        "/claims",
    ):
        page = keeper.get(f"{alone.path}{part}")
        assert page.status == 200, part
    assert "automa: share" in keeper.get(f"{alone.path}/adjust").text
    assert "To beat, automa orange" in keeper.get(f"{alone.path}/score").text


def put_right(alone: Opened, shares: int) -> None:
    """Adjust the shares of both automas."""
    alone.write(
        Adjust({f"/solo/automas/{colour}/shares": shares for colour in ("orange", "green")}, "miscounted", "mistyped")
    )


@pytest.mark.parametrize(("shares", "rank"), [(20, 3), (1, 1)])
def test_the_place_of_a_running_game_is_among_the_automas(alone, shares, rank):
    put_right(alone, shares)
    assert f"at this step. {rank} A Mina" in alone.visitor().get(f"{alone.path}/score").text


@pytest.mark.parametrize(("shares", "expected"), [(30, "lost"), (0, "Mina won")])
def test_a_finished_game_is_told_as_won_or_lost(alone, shares, expected):
    while alone.game.board.stage != "automa" or not alone.game.board.last_round:
        alone.play(1)
    put_right(alone, shares)
    alone.play(20)
    assert alone.game.status == "closed"
    alone.update_list()
    keeper = alone.visitor()
    assert expected in keeper.get("/").text
    assert ("Won with" if expected != "lost" else "Lost with") in keeper.get(f"{alone.path}/score").text


def test_a_practice_game_for_one_is_played(visitor, book):
    form = visitor.get("/practice", game="arkwright_card").form("Play it")
    assert visitor.send(form, seats="1", seed="5").status == 200
    (kept,) = book.kept.games()
    game = book.games.get(kept.id)
    assert (len(game.opening.seats), game.status) == (1, "closed")


def test_game_options_are_told_in_the_language_of_the_page(alone):
    keeper = alone.visitor()
    keeper.post("/preferences", language="ko")
    options = re.findall(r"<dt>[^<]*</dt><dd>([^<]*)</dd>", keeper.get(f"/games/{alone.id}/about").html)
    assert {"예", "아니요"} <= set(options)
    assert not {"yes", "no"} & set(options)
