"""Random players who look after their companies, so that games reach what the ruined never see."""

from __future__ import annotations

import random
from collections.abc import Iterator

from daybook.domain.games.water_frame import WATER_FRAME
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.moves import (
    Broker,
    Build,
    Buy,
    Close,
    Contract,
    Done,
    EventCustom,
    Fire,
    FireWarehouse,
    Found,
    Fulfil,
    Hire,
    HireWarehouse,
    Keep,
    Modernize,
    MoveWarehouse,
    PatronSale,
    Place,
    Produce,
    Reassign,
    Repay,
    ReturnShip,
    Reuse,
    Sell,
    SellGoods,
    SellShares,
    SellStored,
    SetPrice,
    ShipContract,
    TakeShip,
    TakeTile,
)
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import TABLE, Decision, Seat

TASTE: dict[type, int] = {  # 10 where nothing is said
    Done: 2,
    Sell: 1,
    Close: 1,
    Fire: 1,
    Reassign: 1,
    MoveWarehouse: 1,
    ReturnShip: 1,
    FireWarehouse: 2,
    Contract: 6,
    TakeShip: 25,
    Fulfil: 60,
    ShipContract: 60,
    Keep: 25,
    SellStored: 30,
    PatronSale: 30,
    Buy: 6,
    Repay: 60,
    SetPrice: 4,
    Hire: 20,
    TakeTile: 15,
    Broker: 3,
    Produce: 30,
}


def sound_game(board: Board, seed: int, custom: float = 0.0) -> Iterator[tuple[Board, Seat, Decision]]:
    """Each step of a random game: the board, who decides, and what. custom: how often an event is another one."""
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
    others = [other for other, _ in facts if isinstance(other, EventCustom)]
    if others and chance.random() < custom:
        return chance.choice(others)
    return chance.choices([one for one, _ in facts], [weight for _, weight in facts])[0]


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
    """Whether this sends out a ship that can fulfil a contract."""
    if not isinstance(d, Place | Reuse) or not d.marker.startswith("ship:"):
        return False
    player = b.players[seat]
    capacity = int(d.marker.removeprefix("ship:"))
    return any(
        0 < player.contracts[good] <= min(capacity, player.stored[good]) and player.factories[good] for good in GOODS
    )


def rash(b: Board, seat: Seat, d: Decision) -> bool:
    """What a player leaves alone who does not want to be ruined."""
    player = b.players[seat]
    match d:
        case Place() | Reuse():
            return d.paid > max(2, player.cash // 8)
        case Build() | Modernize():
            return player.cash < 45
        case Hire():
            return player.cash < 10
        case HireWarehouse():
            return sum(player.slots.values()) > 2 or (d.slot != "row" and player.factories[d.slot] is None)
        case Contract():
            return player.factories[d.good] is None or d.space > sum(player.ships)
        case SellGoods():
            return player.cash > 15
        case SetPrice():
            return not 1 <= b.quality(seat, d.good) + b.factory(seat, d.good).distribution - d.price <= 3
        case Buy():
            return d.count * b.share_value(seat) > player.cash - 25
        case Found():
            return not 2 <= b.printed.cost(d.good, 1) - d.price <= 4
        case SellShares():
            return d.count < 6
        case Close() | Sell():
            return player.cash > 5
    return False
