"""How a steady player of Arkwright: Water Frame decides: the company after each decision, valued in pounds at the end.

What a marker will bring is reckoned before it is laid, by what its action could change. Nothing on the board is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import msgspec

from daybook.domain.games.water_frame import bank, people
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.moves import (
    Build,
    Buy,
    Close,
    Contract,
    Dismiss,
    Done,
    Fire,
    Found,
    Fulfil,
    Hire,
    HireWarehouse,
    Install,
    InventorKeep,
    Modernize,
    Place,
    Produce,
    RaiseDistribution,
    RaiseQuality,
    Repay,
    Reuse,
    Sell,
    SellGoods,
    SellShares,
    SetPrice,
    ShipContract,
    TakeMarker,
    TakeShip,
    TakeTile,
)
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.rules import WATER_FRAME
from daybook.domain.kernel.policy import Policy, ShortPlayOut
from daybook.domain.kernel.terms import Decision, Seat


class Weights(msgspec.Struct, frozen=True):
    """In pounds at the end, unless it says otherwise."""

    cash: float  # a pound in hand, that may become shares
    reserve: float  # pounds to keep for wages
    short: float  # for each pound short of that
    step: float  # of a step of the share value, for each share
    market: float  # share of what could be sold that the others leave
    wages: float  # by which wages are thought to rise from one production phase of a good to the next
    tile: float
    best_tile: float
    marker: float  # a grey one


# Origin: set by hand, from what shares, wages and sales come to in a decade, and tried in games against chance.
WEIGHTS = Weights(
    cash=1.2, reserve=12.0, short=0.8, step=0.5, market=0.9, wages=0.5, tile=2.0, best_tile=4.0, marker=2.5)
ROWS = (1, 2, 3, 4)
LAST_CASH = 0.05  # of a pound in hand that can buy no more shares: nothing, but for ties
BEST_TILES = ("foreman", "workshop", "school", "accountant", "patent", "office", "agent", "small_warehouse")


def merit(weights: Weights, b: Board, seat: Seat, d: Decision) -> float:
    """How much better the company stands after a decision; `done` is 0, so that what is worse is left undone."""
    match d:
        case Place() | Reuse():
            return marker_merit(weights, b, seat, d)
        case Found():
            return 5 - abs(b.printed.cost(d.good, 1) - d.price - 3)
        case SellShares():
            return -abs(d.count - 6)
        case TakeTile():
            full = len(b.players[seat].tiles) >= b.printed.tile_spaces
            return -1 if full else weights.best_tile if d.kind in BEST_TILES else weights.tile
        case TakeShip() | InventorKeep():
            return -1
        case TakeMarker():
            return weights.marker
        case Fulfil() | ShipContract():
            return 8
        case Contract() | HireWarehouse() | Sell():
            return -1
        case Done() | Dismiss():
            return 0
        case Hire():
            return hire_merit(weights, b, seat, d)
        case (Build() | Modernize() | Install() | RaiseQuality() | RaiseDistribution() | Buy() | Repay()
              | SellGoods() | Produce() | SetPrice() | Fire() | Close()):
            return after(weights, b, seat, d) - worth(weights, b, seat)
    return -0.5


def hire_merit(weights: Weights, b: Board, seat: Seat, d: Hire) -> float:
    """What the row will bring once it is complete."""
    lacking, now = free_spaces(b, seat, d.good, d.row), plants(b, seat)
    if lacking > people.hireable(b):
        return -1
    full = [staffed(plant, d.row, lacking) if plant.good == d.good else plant for plant in now]
    outlook = Outlook(weights, b, seat)
    return company(outlook, full) - company(outlook, now)


def after(weights: Weights, b: Board, seat: Seat, d: Decision) -> float:
    return worth(weights, WATER_FRAME.play(b, seat, d)[0], seat)


# --- what a company is worth ---


class Plant(NamedTuple):
    """A factory as it would be. appeal: at price 0."""

    good: str
    level: int
    appeal: int
    price: int
    rows: tuple[int, ...]  # complete
    workers: int
    machines: int
    lasting: int = 0  # of the appeal, what decays before each sale but the first


class Outlook(msgspec.Struct):
    """A seat's prospects on a board. found: what factories were reckoned to bring, each once."""

    weights: Weights
    board: Board
    seat: Seat
    found: dict[Plant, tuple[float, float]] = {}

    def sales(self, plant: Plant) -> tuple[float, float]:
        known = self.found.get(plant)
        if known is None:
            known = self.found[plant] = sales(self.weights, self.board, self.seat, plant)
        return known


def plants(b: Board, seat: Seat) -> list[Plant]:
    found = []
    for good in b.players[seat].standing:
        factory = b.factory(seat, good)
        found.append(Plant(
            good, factory.level, b.quality(seat, good) + factory.distribution, factory.price,
            tuple(row for row in ROWS if b.complete(seat, good, row)), factory.people, sum(factory.machines),
            factory.distribution))
    return found


def free_spaces(b: Board, seat: Seat, good: str, row: int) -> int:
    factory = b.factory(seat, good)
    return b.printed.row(good, row).spaces - factory.workers[row - 1] - factory.machines[row - 1]


def staffed(plant: Plant, row: int, workers: int) -> Plant:
    return plant._replace(rows=(*plant.rows, row), workers=plant.workers + workers)


def worth(weights: Weights, b: Board, seat: Seat) -> float:
    return company(Outlook(weights, b, seat), plants(b, seat))


def company(outlook: Outlook, factories: Sequence[Plant], spent: int = 0, bought: int = 0) -> float:
    """Shares at what they will be worth, cash, and what the factories will earn."""
    weights, b, seat = outlook.weights, outlook.board, outlook.seat
    player = b.players[seat]
    earned, steps = 0.0, 0.0
    for plant in factories:
        profit, rise = outlook.sales(plant)
        earned += profit
        steps += rise
    shares = player.shares + bought
    value = b.share_value(seat) + weights.step * steps
    cash = player.cash - spent
    rate = weights.cash if left(b) else LAST_CASH
    short = max(0.0, weights.reserve - cash) if left(b) else 0
    return shares * value + rate * (cash + earned - b.printed.repay * player.loans) - weights.short * short


def sales(weights: Weights, b: Board, seat: Seat, plant: Plant) -> tuple[float, float]:
    """Profit and rise of the share value in the production phases to come; distribution decays from one to the next."""
    good, numbers, phases = plant.good, b.printed, phases_left(b, plant.good)
    if not phases:
        return 0, 0
    made = min(sum([numbers.made(good, plant.level, row) for row in plant.rows]), people.demand(b, good))
    ahead_of = max([b.importers[good], *[b.appeal(other, good) for other in range(b.seats) if other != seat]])
    wage = people.wage(b)
    profit, rise = 0.0, 0
    for phase in range(phases):
        appeal = max(0, plant.appeal - plant.price - min(plant.lasting, phase))
        sold = min(made, appeal)
        profit += weights.market * sold * plant.price - (wage + weights.wages * phase) * plant.workers - plant.machines
        if sold:
            rise += (numbers.rise_more_sold if sold > 1 else numbers.rise_one_sold) + (
                numbers.rise_appeal if appeal > ahead_of else 0)
    return profit, rise


def phases_left(b: Board, good: str) -> int:
    """Production phases of a good still to come."""
    if not left(b):
        return 0
    later = sum(decade > b.decade for decade in b.printed.decades)
    through = b.cycle > GOODS.index(good) + 1 or (b.phase == "production" and b.cycle == GOODS.index(good) + 1)
    return later + (not through)


def left(b: Board) -> bool:
    return b.stage not in ("final_exchange", "over")


# --- what a marker could bring ---


def marker_merit(weights: Weights, b: Board, seat: Seat, d: Place | Reuse) -> float:
    """What the company gains by the best that the action can do, less what it costs."""
    player, name = b.players[seat], d.marker.partition(":")[0]
    cost = d.paid + (b.printed.fee if isinstance(d, Reuse) else 0)
    if cost > player.cash:
        return -50.0 - cost
    now, outlook = plants(b, seat), Outlook(weights, b, seat)
    before = company(outlook, now)
    match name:
        case "stock_exchange":
            price = bank.purchase_price(b, seat)
            most = min(player.bank, (player.cash - cost) // price)
            best = max(company(outlook, now, cost + count * price, count) for count in range(most + 1))
        case "quality":
            levels = sum(threshold <= d.paid for threshold in b.printed.thresholds[d.marker])
            best = spread(outlook, now, cost, levels, 0)
        case "distribution":
            amount = min(d.paid, b.printed.distribution_cap[d.marker])
            best = spread(outlook, now, cost, 0, distribution_levels(b, amount))
        case "factory":
            best = building(outlook, now, cost)
        case "machinery":
            count = sum(threshold <= d.paid for threshold in b.printed.thresholds[d.marker])
            best = machines(outlook, now, cost, count)
        case "workers":
            best = hiring(outlook, now, cost)
        case _:
            best = company(outlook, now, cost)
    return best - before


def distribution_levels(b: Board, pounds: int) -> int:
    """How many levels so much buys a good that has none: each costs its number (WF-4.9.2)."""
    levels = 0
    while pounds > levels < b.printed.most_distribution:
        levels += 1
        pounds -= levels
    return levels


def spread(outlook: Outlook, now: list[Plant], cost: int, quality: int, distribution: int) -> float:
    """Levels one after the other where they bring most, each with the price that suits it."""
    for number in range(quality + distribution):
        lasting = 1 if number >= quality else 0
        now = max(([*now[:place], repriced(outlook, plant._replace(
            appeal=plant.appeal + 1, lasting=plant.lasting + lasting)), *now[place + 1:]]
            for place, plant in enumerate(now)),
            key=lambda factories: company(outlook, factories, cost), default=now)
    return company(outlook, now, cost)


def repriced(outlook: Outlook, plant: Plant) -> Plant:
    """At the price that suits it, which changes by a pound or two."""
    least = outlook.board.printed.least_price
    prices = range(max(least, plant.price - 2), max(least, min(plant.appeal, plant.price + 2)) + 1)
    return max((plant._replace(price=price) for price in prices),
               key=lambda one: company(outlook, [one]))


def building(outlook: Outlook, now: list[Plant], cost: int) -> float:
    """One factory more, or one better."""
    b, seat = outlook.board, outlook.seat
    found = [company(outlook, now, cost)]
    for good, factory in b.players[seat].factories.items():
        if factory is None:
            price = b.printed.cost(good, b.level)
            staff = b.printed.row(good, 1).spaces
            if cost + price <= b.players[seat].cash and people.hireable(b) >= staff:
                new = Plant(good, b.level, price, b.printed.least_price, (1,), staff, 0)
                asks = range(b.printed.least_price, price + 1)
                found += [company(outlook, [*now, new._replace(price=ask)], cost + price) for ask in asks]
        elif factory.level < b.level:
            price = b.printed.cost(good, factory.level + 1)
            if cost + price <= b.players[seat].cash:
                place = next(place for place, plant in enumerate(now) if plant.good == good)
                more = price - b.printed.cost(good, factory.level)
                better = repriced(outlook, now[place]._replace(
                    level=factory.level + 1, appeal=now[place].appeal + more))
                found.append(company(outlook, [*now[:place], better, *now[place + 1:]], cost + price))
    return max(found)


def hiring(outlook: Outlook, now: list[Plant], cost: int) -> float:
    """Rows filled or given up, one after the other where it brings most. One that was filled stays so."""
    b, seat = outlook.board, outlook.seat
    best, hands = company(outlook, now, cost), people.hireable(b)
    while True:
        found = []
        for place, plant in enumerate(now):
            for row in ROWS:
                lacking = free_spaces(b, seat, plant.good, row)
                if row not in plant.rows and 0 < lacking <= hands:
                    other = staffed(plant, row, lacking)
                elif row > 1 and row == max(plant.rows, default=0) and b.complete(seat, plant.good, row):
                    other = plant._replace(
                        rows=tuple(one for one in plant.rows if one != row),
                        workers=plant.workers - b.factory(seat, plant.good).workers[row - 1])
                else:
                    continue
                factories = [*now[:place], other, *now[place + 1:]]
                found.append((company(outlook, factories, cost), factories))
        better = max(found, key=lambda one: one[0], default=(best, now))
        if better[0] <= best + 0.01:
            return best
        best, now = better


def machines(outlook: Outlook, now: list[Plant], cost: int, count: int) -> float:
    """Workers replaced where phases are left."""
    b, seat = outlook.board, outlook.seat
    room = [
        place for place, plant in enumerate(now) for row in ROWS
        for _ in range(min(b.printed.row(plant.good, row).machines, b.factory(seat, plant.good).workers[row - 1] - 1)
                       - b.factory(seat, plant.good).machines[row - 1])]
    room.sort(key=lambda place: -phases_left(b, now[place].good))
    now = list(now)
    for place in room[:count]:
        now[place] = now[place]._replace(workers=now[place].workers - 1, machines=now[place].machines + 1)
    return company(outlook, now, cost)


SHORT = ShortPlayOut(
    steps=1_300, far=30, slope=-5.11, rise=2.24, length={4: 519},
    origin="fitted to 40 games of four wavering steady players")


def policy(weights: Weights) -> Policy[Board]:
    return Policy(revision=2, merit=partial(merit, weights), worth=partial(worth, weights), short=SHORT)


POLICY = policy(WEIGHTS)
