"""Prompts of Water Frame in one line."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.games.water_frame.board import Board, MatRow
from daybook.domain.games.water_frame.moves import Done
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.setup import tiles_in_play
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.web.games.water_frame.values import good, marker, pounds
from daybook.web.words.say import Names, Texts, say

ASKED: Texts = {
    "return_tile": "that is one tile too many: which one goes back?",
    "inventor": "the inventor was used: pay to keep it, or return it?",
    "relocate": "the machine replaces a worker: where does the school send the worker?",
    "discard": "the small warehouse is too full: which good goes?",
    "start_marker": "choose a light grey marker: the printed one is not available",
}
TABLE_STAGES: Texts = {
    "start_player": "who is the start player?",
    "event": "turn over the event of {decade}",
    "economy": "economy marker for {good}?",
}
SEAT_STAGES: Texts = {
    "found_first": "found the first factory",
    "found_second": "found the second factory",
    "capital": "sell shares for the capital",
    "special": "choose a special marker, or none",
    "marker": "place an action marker",
    "school_first": "first of two questions on the school, before the sale: close the last row?",
    "call_out": "sell one more of {stored} stored {good} at {price}, or stop?",
    "school_second": "second of two questions on the school, after the sale: close the last row?",
    "extra_shifts": "make one more good by extra shifts?",
    "patron": "sell one more {good} at {price}, to the patron?",
    "shipping": "ship the contract for {contract} {good} now?",
    "storage": "all unsold goods are stored: discard any from the small warehouse?",
    "cycle_end": "return the charisma and name the start player?",
    "firing": "end of the decade: fire warehouse workers or return ships?",
    "event_step": "the event: choose a tile, a marker or a ship, or none",
    "broker": "the broker: sell goods and buy shares",
    "charisma": "return the charisma and name the start player?",
    "start_named": "who is the next start player?",
    "final_exchange": "the final stock exchange: trade for the last time",
}
NO_CONTINUATIONS: Texts = {  # what follows if a question is answered with no
    "school_first": "Keep the row open",
    "school_second": "Keep the row open",
    "extra_shifts": "Keep the extra shifts",
    "patron": "Sell nothing to the patron",
    "cycle_end": "Keep the charisma: {name} starts",
    "charisma": "Keep the charisma",
    "event_step": "Take none",
    "storage": "Discard no more",
    "firing": "Keep the rest",
    "call_out": "Sell no more",
    "broker": "Stop trading",
    "final_exchange": "Stop trading",
}
MAIN: Texts = {
    "factory": "build, modernize or close factories",
    "workers": "hire and fire workers",
    "machinery": "replace workers with machines",
    "quality": "raise quality",
    "distribution": "raise distribution",
    "stock_exchange": "trade shares, sell goods or take contracts",
    "ship": "ship contracts",
    "production": "choose a factory that produces",
}
PRICED = frozenset({"factory", "quality", "distribution", "production"})


def prompt(board: Board, seat: Seat, names: Names) -> str:
    if board.asked and board.asked[-1].seat == seat:
        question = board.asked[-1].what
        return say(ASKED[question])
    stage = board.stage
    if seat == TABLE:
        return table_prompt(board, stage)
    name = board.turn.marker.partition(":")[0]
    if stage == "main":
        return say(
            "{marker} for {paid}: {what}",
            marker=marker(board.turn.marker),
            paid=pounds(board.turn.paid),
            what=say(MAIN[name]),
        )
    if stage == "additional":
        return say("change prices, or keep them") if name in PRICED else say("choose a special marker, or none")
    if not board.cycle:
        return say(SEAT_STAGES[stage])
    if stage == "call_out" and not board.players[seat].stored[board.good]:
        return say("sell one more {good} at {price} by extra shifts, or stop?", **sale_figures(board, seat))
    return say(SEAT_STAGES[stage], **sale_figures(board, seat))


def sale_figures(board: Board, seat: Seat) -> dict[str, str | int]:
    """Return the figures for a question about the active good."""
    player = board.players[seat]
    factory = player.factories[board.good]
    return {
        "good": good(board.good),
        "price": pounds(factory.price) if factory else say("–"),
        "stored": player.stored[board.good],
        "contract": player.contracts[board.good],
    }


def declines(board: Board, names: Names) -> Mapping[str, str]:
    """Return labels of "Done" where it answers a question; keeping charisma names the next starter."""
    if board.stage not in NO_CONTINUATIONS or board.asked:
        return {}
    return {tag_of(Done): say(NO_CONTINUATIONS[board.stage], name=names[(board.starter + 1) % board.seats])}


def table_prompt(board: Board, stage: str) -> str:
    if stage == "mat":
        row = next((n for n, row in enumerate(board.mat) if len(row.markers) < longest_row(board.mat)), 0)
        return say("lay the grey markers on the mat, row {row}", row=("I", "II", "III", "IV")[row])
    if stage == "tiles":
        return say("draw development tile {n} of {of}", n=sum(board.tiles.values()) + 1, of=tiles_in_play(board))
    figures = {"good": good(GOODS[board.cycle - 1])} if board.cycle else {}
    return say(TABLE_STAGES[stage], decade=board.decade, **figures)


def longest_row(mat: list[MatRow]) -> int:
    """Return the number of markers in the row that fills first, or 1 if it has begun."""
    return max(1, *(len(row.markers) for row in mat))
