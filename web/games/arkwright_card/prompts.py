"""Prompts of the Card Game in one line."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import storing
from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import card_effect, good, goods, value
from daybook.web.words.say import Names, Texts, say, say_n

PROMPTS: Texts = {
    "start_player": "who is the starting player?",
    "start_factory": "choose a start factory, free of charge",
    "start_development": "choose a start development, free of charge",
    "start_foreman": "which factory gets the Foreman ({foreman})?",
    "start_shares": "buy shares before the game?",
    "action": "choose an action; {good} is active",
    "build": "build and upgrade factories",
    "employ": "employ workers",
    "take_loans": "stock exchange: take loans or regain ships",
    "regain_ships": "stock exchange: regain ships",
    "buy_shares": "buy shares, take loans or regain ships",
    "early_shipping": "early shipping",
    "extra_production": "extra production",
    "price": "set the price and appeal of {good}",
    "development": "take one development, or none",
    "take_card": "take a development card for the one you discarded",
    "foreman": "which factory gets the Foreman ({foreman})?",
    "produce": "use a card before the sale of {good}?",
    "sell": "sell stored {good} at home?",
    "ship": "ship {good}?",
    "top_point": "take the point for the highest appeal?",
    "round_end": "discard Entrepreneur (1) to say who starts the next round?",
    "decade_end": "who is the next starting player?",
    "over": "nothing",
}


def prompt(board: Board, seat: Seat, names: Names) -> str:
    stage, turn = board.stage, board.turn
    if (alone := solo.prompt(board)) is not None:
        return alone
    if stage == "supply":
        return say(
            "deal development card {n} of {of} to the supply", n=len(board.dealt) + 1, of=board.printed.random.dealt
        )
    if stage == "replace":
        return say(
            "replace the Engineer with quality of {good}, up to {n}",
            good=value("good", turn.good, names),
            n=turn.points,
        )
    if stage == "automate":
        return say_n(
            "automate production: up to {n} machine", "automate production: up to {n} machines", turn.allowance
        )
    if stage == "store":
        return storing_prompt(board, seat)
    if stage == "quality":
        return say_n("add quality: up to {n}", "add quality: up to {n}", turn.allowance)
    if stage == "distribution":
        return say_n("add distribution: up to {n}", "add distribution: up to {n}", turn.allowance)
    return say(
        PROMPTS[stage],
        good=good(GOODS[board.round - 1]) if board.round else "",
        foreman=card_effect(board.printed, "foreman"),
    )


def storing_prompt(board: Board, seat: Seat) -> str:
    """Ask for a storehouse; the same question again says what the earlier answer brought."""
    left, counter = storing.goods_to_pack(board, seat), storing.at_work(board)
    there = board.players[seat].factory(counter).storehouses
    more = left - sum(board.printed.storehouses[card] for card in there)
    if not there:
        return say("store the {goods} left over?", goods=goods(left, counter))
    if more <= 0:
        return say("all {goods} stored: add more?", goods=goods(left, counter))
    return say("{goods} left over: add more?", goods=goods(more, counter))
