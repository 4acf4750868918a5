"""What has to be decided in Arkwright: Water Frame, on one line."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.domain.games.water_frame.board import Board, MatRow
from daybook.domain.games.water_frame.moves import Done
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.setup import tiles_in_play
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.web.games.water_frame.values import good, marker, pounds
from daybook.web.words.say import N_, Names, say

ASKED = {
    "return_tile": N_("which tile goes back?"),
    "inventor": N_("keep the inventor or return it?"),
    "relocate": N_("where does the worker go?"),
    "discard": N_("which good is discarded?"),
    "start_marker": N_("which light grey marker, since the printed one is not there?"),
}
TABLE_STAGES = {
    "start_player": N_("who is the start player?"),
    "event": N_("the event of {decade}"),
    "economy": N_("the economy marker of {good}"),
}
SEAT_STAGES = {
    "found_first": N_("the first factory"),
    "found_second": N_("the second factory"),
    "capital": N_("shares for the capital"),
    "special": N_("a special marker, or none"),
    "marker": N_("an action marker and its costs"),
    "school_first": N_("close the last row by the school, before the sale?"),
    "call_out": N_("sell one more of {stored} stored {good} at {price}, or stop?"),
    "school_second": N_("close the last row by the school, now that it is sold?"),
    "extra_shifts": N_("one more good by extra shifts?"),
    "patron": N_("sell one more {good} at {price}, to the patron?"),
    "shipping": N_("ship the contract for {contract} {good} now?"),
    "storage": N_("discard goods of the small warehouse?"),
    "cycle_end": N_("return the charisma for the start player?"),
    "firing": N_("fire warehouse workers, return ships?"),
    "event_step": N_("a special marker step"),
    "broker": N_("the broker: goods and shares"),
    "charisma": N_("return the charisma for the start player?"),
    "start_named": N_("who is the next start player?"),
    "final_exchange": N_("the final stock exchange"),
}
NO = {  # what the turn goes on with where a question was asked that can be answered with no
    "school_first": N_("Keep the row open"),
    "school_second": N_("Keep the row open"),
    "extra_shifts": N_("Keep the extra shifts"),
    "patron": N_("Sell nothing to the patron"),
    "cycle_end": N_("Keep the charisma: {name} starts"),
    "charisma": N_("Keep the charisma"),
}
MAIN = {
    "factory": N_("build, modernize or close"),
    "workers": N_("hire and fire workers"),
    "machinery": N_("machines for workers"),
    "quality": N_("levels of quality"),
    "distribution": N_("levels of distribution"),
    "stock_exchange": N_("shares, goods and contracts"),
    "ship": N_("contracts to ship"),
    "production": N_("a factory that produces"),
}
PRICED = frozenset({"factory", "quality", "distribution", "production"})


def prompt(board: Board, seat: Seat, names: Names) -> str:
    if board.asked and board.asked[-1].seat == seat:
        asked = board.asked[-1].what
        return say(ASKED[asked])
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
        return say("prices") if name in PRICED else say("a special marker")
    if not board.cycle:
        return say(SEAT_STAGES[stage])
    if stage == "call_out" and not board.players[seat].stored[board.good]:
        return say("one more {good} at {price} by extra shifts, or stop?", **sale_figures(board, seat))
    return say(SEAT_STAGES[stage], **sale_figures(board, seat))


def sale_figures(board: Board, seat: Seat) -> dict[str, str | int]:
    """What a question about the active good names."""
    player = board.players[seat]
    factory = player.factories[board.good]
    return {
        "good": good(board.good),
        "price": pounds(factory.price) if factory else say("–"),
        "stored": player.stored[board.good],
        "contract": player.contracts[board.good],
    }


def declines(board: Board, names: Names) -> Mapping[str, str]:
    """“Done” where it answers a question; who keeps the charisma sees who starts then."""
    if board.stage not in NO or board.asked:
        return {}
    return {tag_of(Done): say(NO[board.stage], name=names[(board.starter + 1) % board.seats])}


def table_prompt(board: Board, stage: str) -> str:
    if stage == "mat":
        row = next((n for n, row in enumerate(board.mat) if len(row.markers) < longest(board.mat)), 0)
        return say("the grey markers of the mat, row {row}", row=("I", "II", "III", "IV")[row])
    if stage == "tiles":
        return say("development tile {n} of {of}", n=sum(board.tiles.values()) + 1, of=tiles_in_play(board))
    figures = {"good": good(GOODS[board.cycle - 1])} if board.cycle else {}
    return say(TABLE_STAGES[stage], decade=board.decade, **figures)


def longest(mat: list[MatRow]) -> int:
    """How many markers the row holds that is filled first, or one where it is begun."""
    return max(1, *(len(row.markers) for row in mat))
