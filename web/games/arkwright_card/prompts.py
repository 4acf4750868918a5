"""What has to be decided in Arkwright: The Card Game, on one line."""

from __future__ import annotations

from daybook.domain.games.arkwright_card.board import Board
from daybook.domain.games.arkwright_card.printed import GOODS
from daybook.domain.kernel.terms import Seat
from daybook.web.games.arkwright_card import solo
from daybook.web.games.arkwright_card.values import good, value
from daybook.web.words.say import N_, Names, say, say_n

PROMPTS = {
    "start_player": N_("who is the starting player?"),
    "start_factory": N_("a start factory"),
    "start_development": N_("a start development"),
    "start_foreman": N_("the Foreman: beside which factory?"),
    "start_shares": N_("shares before the game"),
    "action": N_("an action, {good} is active"),
    "build": N_("build and upgrade factories"),
    "employ": N_("employ workers"),
    "take_loans": N_("stock exchange: loans or ships"),
    "regain_ships": N_("stock exchange: ships"),
    "buy_shares": N_("stock exchange: shares, loans, ships"),
    "early_shipping": N_("early shipping"),
    "extra_production": N_("extra production"),
    "price": N_("price and appeal of {good}"),
    "development": N_("a development"),
    "take_card": N_("a development card for the one discarded"),
    "foreman": N_("the Foreman: beside which factory?"),
    "produce": N_("a card before the sale of {good}?"),
    "sell": N_("stored {good} for the home market?"),
    "ship": N_("ship {good}?"),
    "store": N_("one more storehouse for {good}?"),
    "top_point": N_("the point for the highest appeal"),
    "round_end": N_("discard Entrepreneur (1)?"),
    "decade_end": N_("who is the next starting player?"),
    "over": N_("nothing"),
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
