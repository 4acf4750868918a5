"""The ship action: contracts fulfilled out of the warehouse (WF-4.11)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import bank
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.chart import capacity_of
from daybook.domain.games.water_frame.moves import ContractFulfilled, Fulfil, OfficePaid
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, by_number, holds, refuse_unless

# --- checks ---


@holds("the player has this contract")
def contract_there(b: Board, seat: Seat, d: Fulfil) -> WhyNot:
    return refuse_unless(
        b.players[seat].contracts[d.good], "no_contract", "the player has no {good} contract", good=d.good
    )


@holds("the agent in the colonies can change the contract this much")
def agent_helps(b: Board, seat: Seat, d: Fulfil) -> WhyNot:
    """One contract of an action by one good (WF-4.15.3)."""
    if not d.delta:
        return None
    goods = b.printed.tiles_agent_goods
    return (
        refuse_unless(b.players[seat].owns("agent"), "no_tile", "the player has no agent in the colonies")
        or refuse_unless(
            not b.turn.agent, "agent_used", "the agent in the colonies has changed a contract in this action"
        )
        or refuse_unless(
            abs(d.delta) == goods,
            "agent_goods",
            "the agent in the colonies changes the contract by {goods} at most",
            goods=goods,
        )
    )


@holds("this many goods are stored")
def goods_stored(b: Board, seat: Seat, d: Fulfil) -> WhyNot:
    stored, needed = b.players[seat].stored[d.good], quantity(b, seat, d)
    return refuse_unless(
        stored >= needed,
        "stored",
        "the contract takes {needed} {good}, and the player stores {stored}",
        needed=needed,
        good=d.good,
        stored=stored,
    )


SHIP_HOLDS = by_number(
    "capacity", "the ship holds {capacity} good, not {needed}", "the ship holds {capacity} goods, not {needed}"
)


@holds("the ship holds this many goods")
def ship_holds(b: Board, seat: Seat, d: Fulfil) -> WhyNot:
    needed, capacity = b.turn.load + quantity(b, seat, d), capacity_of(b.turn.marker)
    return refuse_unless(needed <= capacity, "capacity", SHIP_HOLDS, capacity=capacity, needed=needed)


def quantity(b: Board, seat: Seat, d: Fulfil) -> int:
    """Return the contract space after a fulfilment."""
    return b.players[seat].contracts[d.good] + d.delta


# --- action ---


def fulfil(b: Board, seat: Seat, d: Fulfil, tell: Tell) -> None:
    """Fulfil a contract at the base quality of the factory as price (WF-4.11.2)."""
    player, count, each = b.players[seat], quantity(b, seat, d), b.base_quality(seat, d.good)
    player.stored[d.good] -= count
    player.cash += count * each
    space, player.contracts[d.good] = player.contracts[d.good], 0
    player.tally.shipped += count * each
    player.tally.contracts += 1
    b.turn.load += count
    b.turn.agent = b.turn.agent or bool(d.delta)
    tell(
        ContractFulfilled("WF-4.11.2", seat, d.good, space, 0, count, each, count * each, (capacity_of(b.turn.marker),))
    )
    if not b.turn.delivered:
        first_delivery(b, seat, tell)


def first_delivery(b: Board, seat: Seat, tell: Tell) -> None:
    """Once an action: the office pays, and the share value goes back (WF-4.11.3)."""
    player, numbers = b.players[seat], b.printed
    b.turn.delivered = True
    if player.owns("office"):
        player.cash += numbers.tiles_office_pays
        player.tally.shipped += numbers.tiles_office_pays
        tell(OfficePaid("WF-4.15.12", seat, numbers.tiles_office_pays))
    bank.move_share_value(b, seat, -numbers.harbour_action_spaces, "shipping", "WF-4.11.3", tell)


# --- candidates ---


def candidate_deliveries(b: Board, seat: Seat) -> Iterable[Decision]:
    goods = b.printed.tiles_agent_goods
    return [Fulfil(good, delta) for good in GOODS if b.players[seat].contracts[good] for delta in (0, -goods, goods)]
