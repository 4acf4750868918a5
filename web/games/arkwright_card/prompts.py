"""Prompts of the Card Game in one line."""

from __future__ import annotations

from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import good, value
from daybook.web.words.say import Names, Texts, say, say_n

PROMPTS: Texts = {
    "start_player": "who is the starting player?",
    "start_factory": "a start factory",
    "start_development": "a start development",
    "start_foreman": "the Foreman: beside which factory?",
    "start_shares": "shares before the game",
    "action": "an action, {good} is active",
    "build": "build and upgrade factories",
    "employ": "employ workers",
    "take_loans": "stock exchange: loans or ships",
    "regain_ships": "stock exchange: ships",
    "buy_shares": "stock exchange: shares, loans, ships",
    "early_shipping": "early shipping",
    "extra_production": "extra production",
    "price": "price and appeal of {good}",
    "development": "a development",
    "take_card": "a development card for the one discarded",
    "foreman": "the Foreman: beside which factory?",
    "produce": "a card before the sale of {good}?",
    "sell": "stored {good} for the home market?",
    "ship": "ship {good}?",
    "store": "one more storehouse for {good}?",
    "top_point": "the point for the highest appeal",
    "round_end": "discard Entrepreneur (1)?",
    "decade_end": "who is the next starting player?",
    "over": "nothing",
}


def prompt(board: Board, seat: Seat, names: Names) -> str:
    stage, turn = board.stage, board.turn
    if (alone := solo.prompt(board)) is not None:
        return alone
    if stage == "supply":
        return say("development card {n} of {of} of the supply", n=len(board.dealt) + 1, of=board.printed.random.dealt)
    if stage == "replace":
        return say(
            "quality of {good} in the place of the Engineer, up to {n}",
            good=value("good", turn.good, names),
            n=turn.points,
        )
    if stage == "automate":
        return say_n(
            "automate production, {n} machine to add", "automate production, {n} machines to add", turn.allowance
        )
    if stage == "quality":
        return say_n("add quality, {n} in all", "add quality, {n} in all", turn.allowance)
    if stage == "distribution":
        return say_n("add distribution, {n} in all", "add distribution, {n} in all", turn.allowance)
    return say(PROMPTS[stage], good=good(GOODS[board.round - 1]) if board.round else "")
