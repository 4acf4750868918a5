"""The notice of a correction on the phones that did not make it."""

from __future__ import annotations

import pytest

from daybook.domain.commands import Adjust, TakeBack
from daybook.domain.kernel.terms import TABLE
from tests.web.recording.desk import desk

pytestmark = pytest.mark.sqlite_suffices


def test_corrected_market_card_is_told_to_the_players(open_game):
    game = open_game(ruleset_id="london_markets", hands="hidden")
    game.play(lambda game: game.board.stage == "market_card")
    before = game.step
    game.decide(TABLE, type="market_card_revealed", card="M02")
    game.write(TakeBack(before, "mistyped"))
    assert "Corrected in step" not in desk(game, game.visitor("seat", 1)).text, "nothing replaces it yet"
    step = game.decide(TABLE, type="market_card_revealed", card="M01")
    told = f"Corrected in step {step}: Round 1: coffee £4"
    for seat in range(3):
        page = desk(game, game.visitor("seat", seat))
        assert told in page.text and "Before: Round 1:" in page.text
    assert "Corrected in step" not in desk(game).text, "the scorekeeper made it"


def test_correction_is_shown_until_the_players_next_decision(friday):
    ben = friday.visitor("seat", 1)
    friday.decide(0, type="develop", card="R2")
    friday.write(TakeBack(friday.step - 1, "mistyped"))
    friday.decide(0, type="develop", card="M1")
    told = f"Corrected in step {friday.step}: Anna develops M1: the factory is at level 1. Before: Anna develops R2"
    assert told in desk(friday, ben).text
    friday.decide(0, type="end_turn")
    assert told in desk(friday, ben).text, "Ben has not decided since"
    friday.decide(1, type="end_turn")
    assert told not in desk(friday, ben).text


def test_same_decision_again_is_no_correction(friday):
    ben = friday.visitor("seat", 1)
    friday.decide(0, type="develop", card="R2")
    friday.write(TakeBack(friday.step - 1, "mistyped"))
    friday.decide(0, type="develop", card="R2")
    assert "Corrected in step" not in desk(friday, ben).text


def test_corrected_board_is_told_to_the_players(friday):
    ben = friday.visitor("seat", 1)
    friday.write(Adjust({"/players/0/money": 5}, "mistyped"))
    page = desk(friday, ben)
    assert f"Step {friday.step}: The table corrects Anna: money $0 → $5" in page.text
    assert f"Step {friday.step}: The table corrects" not in desk(friday).text, "the scorekeeper made it"
