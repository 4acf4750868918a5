"""Actions 6 and 7, the expert ones: extra production and early shipping (ACG-4.8, ACG-4.9)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from daybook.domain.games.arkwright_card import cards, costs, factories, moves, production, storing, turns
from daybook.domain.games.arkwright_card.board import Board, Player, Production
from daybook.domain.games.arkwright_card.printed import GOODS, POSITIONS
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, by_number, holds, refuse_unless

# --- checks: extra production ---


@holds("the factory was not used in this action")
def not_worked(b: Board, d: moves.ExtraProduce) -> WhyNot:
    return refuse_unless(
        d.good not in b.turn.produced, "already_done", "the {good} factory was already used in this action", good=d.good
    )


WORKER_CARDS = by_number(
    "count", "the {good} factory has {count} worker card", "the {good} factory has {count} worker cards"
)


@holds("the factory has this many worker cards")
def worker_cards_there(b: Board, seat: Seat, d: moves.ExtraProduce) -> WhyNot:
    there = len(b.players[seat].factory(d.good).workers)
    return refuse_unless(0 <= d.cards <= there, "no_worker_card", WORKER_CARDS, good=d.good, count=there)


@holds("the costs can be paid")
def payable(b: Board, seat: Seat, d: moves.ExtraProduce) -> WhyNot:
    """Require the costs, with the emergency fund but without bankruptcy (ACG-4.8.5)."""
    player = b.players[seat]
    cost = factories.cost(b, player, d.good, player.factory(d.good), d.cards).amount
    return refuse_unless(
        costs.can_pay(b, player, cost),
        "would_bankrupt",
        "£{cost} cannot be paid, even with the emergency fund",
        cost=cost,
    )


@holds("a factory is in use")
def factory_at_work(b: Board) -> WhyNot:
    """Require a factory at work in the action."""
    return turns.step_awaited(b, b.stage != "extra_production" or b.turn.good is not None)


# --- checks: early shipping ---


@holds("the factory is not shipping yet")
def not_chosen(b: Board, d: moves.ShipStored) -> WhyNot:
    return refuse_unless(
        d.good not in b.turn.shipping, "already_done", "the {good} factory is already shipping", good=d.good
    )


@holds("this many goods are stored")
def stored_enough(b: Board, seat: Seat, d: moves.ShipStored) -> WhyNot:
    stored = b.players[seat].factory(d.good).goods_stored
    return refuse_unless(1 <= d.count <= stored, "no_stock", production.GOODS_STORED_THERE, stored=stored)


def goods_to_ship(b: Board) -> int:
    return sum(b.turn.shipping.values())


@holds("the ships have room")
def room_on_ships(b: Board, seat: Seat, d: moves.ShipStored) -> WhyNot:
    room = costs.ship_capacity(b, b.players[seat]) - goods_to_ship(b)
    return refuse_unless(d.count <= room, "ship_capacity", production.ROOM_ON_SHIPS, room=room)


@holds("there will be places for the shipping tokens")
def tokens_to_come(b: Board, seat: Seat, d: moves.ShipStored) -> WhyNot:
    """Require a step after which the action can still end (ACG-4.9.1)."""
    player = b.players[seat]
    return costs.too_many_tokens(b, player, goods_to_ship(b) + d.count, b.turn.customs or customs_to_come(player))


def customs_to_come(player: Player) -> bool:
    """Ready, or to be readied by the Developer."""
    return player.ready("customs_office") or ("customs_office" in player.cards and player.ready("developer"))


@holds("the player has Customs Office (2)")
def customs_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "customs_office")


@holds("the Customs Office is not used for these ships yet")
def customs_once(b: Board) -> WhyNot:
    return refuse_unless(not b.turn.customs, "already_done", "the Customs Office is already used for these ships")


@holds("the Customs Office is not rotated")
def customs_ready(b: Board, seat: Seat) -> WhyNot:
    return cards.already_rotated(b, seat, "customs_office")


@holds("goods are chosen for the ships")
def something_shipped(b: Board) -> WhyNot:
    return refuse_unless(b.turn.shipping, "nothing_done", "no goods are chosen for the ships")


@holds("there are places for the shipping tokens")
def tokens_at_end(b: Board, seat: Seat) -> WhyNot:
    if b.stage != "early_shipping":
        return None
    return costs.too_many_tokens(b, b.players[seat], goods_to_ship(b), b.turn.customs)


# --- actions: extra production ---


def extra_produce(b: Board, seat: Seat, d: moves.ExtraProduce, tell: Tell) -> None:
    """Costs are paid at once; the goods wait for storehouses (ACG-4.8.2 to ACG-4.8.4)."""
    pack_previous_factory(b, seat, tell)
    player = b.players[seat]
    factory = player.factory(d.good)
    tile, of_cards = b.tile(d.good, factory).goods, factories.goods_of_cards(b, factory)[: d.cards]
    made = tile + sum(of_cards)
    b.turn.good = d.good
    b.turn.produced.append(d.good)
    b.production.made = b.production.left = made
    tell(moves.GoodsMade("ACG-4.8.2", seat, d.good, tile, of_cards, made))
    costs.pay(b, seat, d.good, factories.cost(b, player, d.good, factory, d.cards), "ACG-4.8.4", tell)
    go_on(b, tell)


def pack_previous_factory(b: Board, seat: Seat, tell: Tell) -> None:
    """Pack the goods of the factory that worked before, if any."""
    good = b.turn.good
    if good is not None:
        stored = b.players[seat].factory(good).goods_stored
        storing.pack(b, seat, good, stored + b.production.left, tell)


def use_extra_shift(b: Board, seat: Seat, d: moves.UseExtraShift, tell: Tell) -> None:
    if b.phase == "production":
        production.use_extra_shift(b, seat, d, tell)
        return
    good, more_goods = b.turn.good, b.printed.cards_extra_shift_goods
    assert good is not None
    cards.discard(b, seat, "extra_shift", "ACG-4.12.4", tell)
    b.production.made += more_goods
    b.production.left += more_goods
    tell(moves.ShiftWorked("ACG-4.12.4", seat, good, more_goods, b.production.made))
    go_on(b, tell)


def assign_storehouse(b: Board, seat: Seat, d: moves.AssignStorehouse, tell: Tell) -> None:
    if b.phase == "production":
        production.assign_storehouse(b, seat, d, tell)
        return
    storing.assign(b, seat, d.card, tell)
    go_on(b, tell)


def go_on(b: Board, tell: Tell) -> None:
    """End the action after a step if no other step is possible (ACG-4.1.4)."""
    b.turn.acted = True
    seat = b.moving
    if not step_possible(b, seat) and not turns.developer_of_use(b, seat):
        end(b, seat, tell)


def step_possible(b: Board, seat: Seat) -> bool:
    if b.stage == "early_shipping":
        return can_ship(b, seat) or (b.turn.acted and not b.turn.customs and b.players[seat].ready("customs_office"))
    waiting = b.turn.good is not None and ("extra_shift" in b.players[seat].cards or storing.any_assignment(b, seat))
    return waiting or can_produce(b, seat)


def can_produce(b: Board, seat: Seat) -> bool:
    return any(
        good not in b.turn.produced and payable(b, seat, moves.ExtraProduce(good, 0)) is None
        for good, _ in b.players[seat].open()
    )


def can_ship(b: Board, seat: Seat) -> bool:
    return any(
        factory.goods_stored
        and good not in b.turn.shipping
        and room_on_ships(b, seat, moves.ShipStored(good, 1)) is None
        and tokens_to_come(b, seat, moves.ShipStored(good, 1)) is None
        for good, factory in b.players[seat].open()
    )


def end_action(b: Board, seat: Seat, d: moves.EndAction, tell: Tell) -> None:
    end(b, seat, tell)


def end(b: Board, seat: Seat, tell: Tell) -> None:
    """Settle the open parts of the action (ACG-4.8.3, ACG-4.9.2)."""
    if b.stage == "extra_production":
        pack_previous_factory(b, seat, tell)
        decay_by_ruling(b, seat, tell)
        b.production = Production()
    elif b.stage == "early_shipping":
        ship_loaded(b, seat, tell)
    turns.end_action(b, tell)


def decay_by_ruling(b: Board, seat: Seat, tell: Tell) -> None:
    """Only by ruling (ACG-4.8.6, ACG-7.1.3)."""
    if b.options.extra_decay:
        for good in b.turn.produced:
            production.lose_distribution(b, seat, good, "ACG-7.1.3", tell)


# --- actions: early shipping ---


def ship_stored(b: Board, seat: Seat, d: moves.ShipStored, tell: Tell) -> None:
    b.turn.shipping[d.good] = d.count
    tell(moves.GoodsLoaded("ACG-4.9.1", seat, d.good, d.count, goods_to_ship(b)))
    go_on(b, tell)


def use_customs(b: Board, seat: Seat, d: moves.UseCustoms, tell: Tell) -> None:
    cards.rotate_card(b, seat, "customs_office", "ACG-4.12.3", tell)
    b.turn.customs = True
    go_on(b, tell)


def ship_loaded(b: Board, seat: Seat, tell: Tell) -> None:
    """One shipping event for all of them (ACG-4.9.2 to ACG-4.9.4)."""
    player, chosen = b.players[seat], b.turn.shipping
    goods: dict[str, int] = {good: chosen[good] for good in GOODS if good in chosen}
    for good, count in goods.items():
        factories.take_out(player.factory(good), count)
    costs.carry_out_shipping(b, seat, goods, b.turn.customs, "ACG-4.9.3", tell)
    for good in goods:
        storing.pack(b, seat, good, player.factory(good).goods_stored, tell)


# --- candidates ---


EXTRA = tuple(moves.ExtraProduce(good, count) for good in GOODS for count in (*reversed(POSITIONS), 0))


def candidate_stores(b: Board, seat: Seat) -> Iterable[Decision]:
    return [d for good, factory in b.players[seat].open() for d in shipments(good, factory.goods_stored)]


@lru_cache
def shipments(good: str, maximum: int) -> tuple[moves.ShipStored, ...]:
    """Return the possible shipments, the most goods first."""
    return tuple(moves.ShipStored(good, count) for count in range(maximum, 0, -1))  # type: ignore[arg-type]
