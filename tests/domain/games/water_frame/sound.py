"""Careful random players, so that games reach positions that ruined companies never see."""

from __future__ import annotations

import random
from collections.abc import Iterator

from daybook.domain.games.water_frame import WATER_FRAME, moves
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import TABLE, Decision, Seat

TASTE: dict[type, int] = {  # 10 where nothing is said
    moves.Done: 2,
    moves.Sell: 1,
    moves.Close: 1,
    moves.Fire: 1,
    moves.Reassign: 1,
    moves.MoveWarehouse: 1,
    moves.ReturnShip: 1,
    moves.FireWarehouse: 2,
    moves.Contract: 6,
    moves.TakeShip: 25,
    moves.Fulfil: 60,
    moves.ShipContract: 60,
    moves.Keep: 25,
    moves.SellStored: 30,
    moves.PatronSale: 30,
    moves.Buy: 6,
    moves.Repay: 60,
    moves.SetPrice: 4,
    moves.Hire: 20,
    moves.TakeTile: 15,
    moves.Broker: 3,
    moves.Produce: 30,
}


def sound_game(board: Board, seed: int, custom: float = 0.0) -> Iterator[tuple[Board, Seat, Decision]]:
    """Yield the steps of a game of careful players: board, seat, decision. custom: how often an event is replaced."""
    chance = random.Random(seed)
    for _ in range(6000):
        seats = WATER_FRAME.course.to_act(board)
        if not seats:
            return
        decision = fact(board, chance, custom) if seats == (TABLE,) else sound(board, seats[0], chance)
        yield board, seats[0], decision
        board = WATER_FRAME.play(board, seats[0], decision)[0]
    raise AssertionError("the game does not end")


def fact(board: Board, chance: random.Random, custom: float) -> Decision:
    facts = WATER_FRAME.facts(board)
    others = [other for other, _ in facts if isinstance(other, moves.EventCustom)]
    if others and chance.random() < custom:
        return chance.choice(others)
    return chance.choices([item for item, _ in facts], [weight for _, weight in facts])[0]


def sound(board: Board, seat: Seat, chance: random.Random) -> Decision:
    found = WATER_FRAME.legal(board, seat)
    if chance.random() < 0.95:
        found = [d for d in found if not rash(board, seat, d)] or found
    if chance.random() < 0.8:
        found = [d for d in found if delivers(board, seat, d)] or found
    kinds = list(dict.fromkeys(type(d) for d in found))
    kind = chance.choices(kinds, [TASTE.get(kind, 10) for kind in kinds])[0]
    return chance.choice([d for d in found if type(d) is kind])


def delivers(b: Board, seat: Seat, d: Decision) -> bool:
    """Return whether this sends out a ship that can fulfil a contract."""
    if not isinstance(d, moves.Place | moves.Reuse) or not d.marker.startswith("ship:"):
        return False
    player = b.players[seat]
    capacity = int(d.marker.removeprefix("ship:"))
    return any(
        0 < player.contracts[good] <= min(capacity, player.stored[good]) and player.factories[good] for good in GOODS
    )


def rash(b: Board, seat: Seat, d: Decision) -> bool:
    """Return decisions that a player avoids who fears ruin."""
    player = b.players[seat]
    match d:
        case moves.Place() | moves.Reuse():
            return d.paid > max(2, player.cash // 8)
        case moves.Build() | moves.Modernize():
            return player.cash < 45
        case moves.Hire():
            return player.cash < 10
        case moves.HireWarehouse():
            return sum(player.slots.values()) > 2 or (d.slot != "row" and player.factories[d.slot] is None)
        case moves.Contract():
            return player.factories[d.good] is None or d.space > sum(player.ships)
        case moves.SellGoods():
            return player.cash > 15
        case moves.SetPrice():
            return not 1 <= b.quality(seat, d.good) + b.factory(seat, d.good).distribution - d.price <= 3
        case moves.Buy():
            return d.count * b.share_value(seat) > player.cash - 25
        case moves.Found():
            return not 2 <= b.printed.cost(d.good, 1) - d.price <= 4
        case moves.SellShares():
            return d.count < 6
        case moves.Close() | moves.Sell():
            return player.cash > 5
    return False
