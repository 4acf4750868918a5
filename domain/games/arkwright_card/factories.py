"""Output, costs and appeal of a factory, computed from its parts (ACG-4.0); and the packing of its goods."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from daybook.domain.games.arkwright_card import moves
from daybook.domain.games.arkwright_card.board import Board, Factory, Player
from daybook.domain.games.arkwright_card.printed import POSITIONS, SLOTS, STOREHOUSES, Good
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat, WhyNot, holds, refuse_unless

LAST_SIDE = 2  # of a tile


class ProductionCost(Frozen):
    """cheaper: less by the Foreman; maintenance, fixed: after Workshop and Developer."""

    workers: int
    wage: int
    cheaper: int
    machines: int
    maintenance: int
    fixed: int

    @property
    def amount(self) -> int:
        return self.workers * self.wage - self.cheaper + self.maintenance + self.fixed


def new_factory(b: Board, side: int) -> Factory:
    """Return a new factory: price side of the office, token on the last slot (ACG-4.3.3)."""
    return Factory(side=side, slot=b.printed.start_slot)


def not_open(b: Board, seat: Seat, good: str) -> WhyNot:
    return refuse_unless(
        b.players[seat].factories[good] is None, "already_open", "the {good} factory is open already", good=good
    )


@holds("the factory is open")
def open_factory(
    b: Board,
    seat: Seat,
    d: moves.PlaceForeman | moves.Upgrade | moves.InventorUpgrade | moves.Place | moves.ExtraProduce | moves.ShipStored,
) -> WhyNot:
    return refuse_unless(
        b.players[seat].factories[d.good] is not None, "no_factory", "the {good} factory is not open", good=d.good
    )


# --- price and appeal ---


def appeal_parts(b: Board, good: str, factory: Factory) -> tuple[int, int, int, int]:
    """Slot, office, quality, distribution (ACG-4.0.1)."""
    return (
        b.tile(good, factory).appeals[factory.slot - 1],
        b.printed.office[good] if factory.office == "appeal" else 0,
        sum([card.value for card in factory.quality.values() if card.mode == "appeal"]),
        factory.distribution_value,
    )


def price_parts(b: Board, good: str, factory: Factory) -> tuple[int, int, int]:
    """Slot, office, quality (ACG-4.0.2)."""
    return (
        b.tile(good, factory).prices[factory.slot - 1],
        b.printed.office[good] if factory.office == "price" else 0,
        sum([card.value for card in factory.quality.values() if card.mode == "price"]),
    )


def appeal(b: Board, good: str, factory: Factory) -> int:
    """Return the appeal of a factory's good: the sum of its parts."""
    return sum(appeal_parts(b, good, factory))


def goods_price(b: Board, good: str, factory: Factory) -> int:
    return sum(price_parts(b, good, factory))


# --- production ---


def goods_of_cards(b: Board, factory: Factory) -> tuple[int, ...]:
    """Goods of each worker card, position 1 first."""
    numbers = b.printed.workers
    return tuple(numbers[position].goods[card.side] for position, card in enumerate(factory.workers, 1))


def production(b: Board, good: str, factory: Factory) -> int:
    """Return the number of goods that a factory makes in a production."""
    return b.tile(good, factory).goods + sum(goods_of_cards(b, factory))


def cost(b: Board, player: Player, good: str, factory: Factory, cards: int) -> ProductionCost:
    """Return the production cost with this many worker cards at work (ACG-4.0.6, ACG-4.8.4)."""
    numbers, tile, wage = b.printed, b.tile(good, factory), b.wage
    workers, machines = tile.workers, 0
    for position, card in enumerate(factory.workers[:cards], 1):
        workers += numbers.workers[position].workers[good] - card.machines
        machines += card.machines
    cheaper = (
        min(numbers.cards_foreman_cheaper, wage) * min(numbers.cards_foreman_workers, workers) if factory.foreman else 0
    )
    free = numbers.cards_workshop_free_machines if "workshop" in player.cards else 0
    less = numbers.cards_developer_cheaper if "developer" in player.cards else 0
    return ProductionCost(
        workers,
        wage,
        cheaper,
        machines,
        max(0, machines - free) * numbers.rules_maintenance,
        max(0, tile.fixed_cost - less),
    )


def machine_capacity(b: Board, good: str, position: int) -> int:
    """Machines that fit on a worker card."""
    return b.printed.workers[position].machines[good]


def token_card(b: Board, player: Player) -> tuple[Good, int] | None:
    """Return the worker card with the machine token: good and position; None: it is in the reserve."""
    for good, factory in player.open():
        for position, card in enumerate(factory.workers, 1):
            if 0 < card.machines < machine_capacity(b, good, position):
                return good, position
    return None


def slot_of_same_appeal(b: Board, good: str, factory: Factory, side: int) -> int:
    """Return the slot of the factory token after the tile is turned (ACG-4.3.6)."""
    tiles = b.printed.factories[good]
    wanted = tiles[factory.side].appeals[factory.slot - 1]
    return next(slot for slot in SLOTS if tiles[side].appeals[slot - 1] == wanted)


# --- upgrading ---


def sides_after_upgrade(b: Board, factory: Factory) -> tuple[int, list[int]]:
    """Side of the tile, and the decade on each worker card, after an upgrade (ACG-4.3.6, ACG-4.3.7)."""
    numbers = b.printed.workers
    sides = [max(card.side, numbers[position].side(b.decade)) for position, card in enumerate(factory.workers, 1)]
    return LAST_SIDE, sides


def sides_after_invention(b: Board, factory: Factory) -> tuple[int, list[int]]:
    """Return the sides after one level up, whatever the decade (ACG-4.3.10)."""
    numbers = b.printed.workers
    sides = [card.side for card in factory.workers]
    second = [numbers[position].sides[1] for position in POSITIONS]
    low = [place for place, side in enumerate(sides) if second[place] == LAST_SIDE and side < LAST_SIDE]
    if factory.side < LAST_SIDE or low:
        return LAST_SIDE, [second[place] if place in low else side for place, side in enumerate(sides)]
    return LAST_SIDE, [max(side, second[place]) for place, side in enumerate(sides)]


def up_by_inventor(b: Board, factory: Factory) -> bool:
    return sides_after_invention(b, factory) != (factory.side, [card.side for card in factory.workers])


# --- storehouses ---


def put_in_storehouses(b: Board, factory: Factory, goods: int) -> int:
    """Put goods into the storehouses at a factory; the others return to the reserve. The goods that find no room.

    Of the storehouses there, those with the least room that hold all keep them; the Big Storehouse is filled first
    (ACG-4.13.13).
    """
    room = b.printed.storehouses
    there = [card for card in STOREHOUSES if card in factory.storehouses]
    enough = [cards for cards in choices(there) if sum(room[card] for card in cards) >= goods]
    chosen = min(enough, key=lambda cards: sum(room[card] for card in cards)) if enough else there
    factory.storehouses = {}
    for card in chosen:
        factory.storehouses[card] = min(goods, room[card])
        goods -= factory.storehouses[card]
    return goods


def choices(cards: list[str]) -> Iterator[list[str]]:
    """Every choice of storehouses; of equal ones that with fewer, or earlier, cards first."""
    for size in range(len(cards) + 1):
        for some in combinations(cards, size):
            yield list(some)


def take_out(factory: Factory, goods: int) -> None:
    """Take goods out of the storehouses; packing rearranges the rest later."""
    for card in reversed(STOREHOUSES):
        taken = min(goods, factory.storehouses.get(card, 0))
        if taken:
            factory.storehouses[card] -= taken
            goods -= taken
