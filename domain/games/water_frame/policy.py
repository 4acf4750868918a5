"""Policy of a steady player of Arkwright: Water Frame: the company after each decision, valued in pounds.

What a marker will bring is reckoned before it is laid, by what its action could change. Nothing on the board is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

from daybook.domain.games.water_frame import bank, moves, people
from daybook.domain.games.water_frame.board import Board, Factory
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.games.water_frame.rules import WATER_FRAME
from daybook.domain.kernel.curves import Curve
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.policy import Policy, ShortPlayOut
from daybook.domain.kernel.terms import Decision, Seat
from daybook.domain.kernel.weights import weights_of

P = ParamSpec("P")
T = TypeVar("T")


class Weights(Exact):
    """Weights, in pounds at the end unless stated otherwise."""

    cash: float  # a pound in hand, that may become shares
    reserve: float  # pounds to keep for wages
    short: float  # for each pound short of that
    step: float  # of a step of the share value, for each share
    market: float  # share of what could be sold that the others leave
    wages: float  # by which wages are thought to rise from one production phase of a good to the next
    tile: float
    best_tile: float
    marker: float  # a grey one
    margin: float  # pounds by which the price of a new factory is below its quality
    first_shares: float  # sold before the game begins


WEIGHTS = weights_of(__package__, Weights)
ROWS = (1, 2, 3, 4)
WORTH_A_ROW = 0.01  # pounds that filling or giving up a row has to bring
LAST_CASH = 0.05  # of a pound in hand that can buy no more shares: nothing, but for ties
BEST_TILES = ("foreman", "workshop", "school", "accountant", "patent", "office", "agent", "small_warehouse")


def weigh(weights: Weights, b: Board, seat: Seat) -> Callable[[Decision], float]:
    return partial(merit, Outlook(weights, b, seat))


def merit(outlook: Outlook, d: Decision) -> float:
    """Return the gain in the company's value by a decision; `done` is 0."""
    weights, b, seat = outlook.weights, outlook.board, outlook.seat
    match d:
        case moves.Place() | moves.Reuse():
            return marker_merit(outlook, d)
        case moves.Found():
            return 5 - abs(b.printed.cost(d.good, 1) - d.price - weights.margin)
        case moves.SellShares():
            return -abs(d.count - weights.first_shares)
        case moves.TakeTile():
            full = len(b.players[seat].tiles) >= b.printed.tile_rules_spaces
            return -1 if full else weights.best_tile if d.kind in BEST_TILES else weights.tile
        case moves.TakeShip() | moves.InventorKeep():
            return -1
        case moves.TakeMarker() | moves.StartMarker():
            return weights.marker
        case moves.Fulfil() | moves.ShipContract():
            return 8
        case moves.Contract() | moves.HireWarehouse() | moves.Sell():
            return -1
        case moves.Done() | moves.Dismiss():
            return 0
        case moves.Hire():
            return hire_merit(outlook, d)
        case moves.SetPrice():
            plant = outlook.plant(d.good)
            return outlook.gain(plant._replace(price=d.price)) - outlook.gain(plant)
        case (
            moves.Build()
            | moves.Modernize()
            | moves.Install()
            | moves.RaiseQuality()
            | moves.RaiseDistribution()
            | moves.Buy()
            | moves.Repay()
            | moves.SellGoods()
            | moves.Produce()
            | moves.Fire()
            | moves.Close()
        ):
            after = WATER_FRAME.what_follows(b, seat, d)[0]
            return worth(weights, after, seat) - outlook.once(company)
    return -0.5


def hire_merit(outlook: Outlook, d: moves.Hire) -> float:
    """Return the yield of the row once it is complete."""
    lacking = free_spaces(outlook.board, outlook.seat, d.good, d.row)
    if lacking > people.hireable(outlook.board):
        return -1
    plant = outlook.plant(d.good)
    return outlook.gain(fill_row(plant, d.row, lacking)) - outlook.gain(plant)


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


class Demand(NamedTuple):
    """Unsold demand for a good. ahead_of: the greatest appeal of the others."""

    phases: int
    goods: int
    ahead_of: int


class Outlook:
    """A seat's prospects on a board; the yield of each factory is computed once.

    The company's value with other factories is the sum of their yields, however many decisions lead to them.
    """

    def __init__(self, weights: Weights, board: Board, seat: Seat) -> None:
        self.weights, self.board, self.seat = weights, board, seat
        self.player = board.players[seat]
        self.rate = weights.cash if left(board) else LAST_CASH
        self.wage = people.wage(board)
        self.plants = plants(board, seat)
        self.known: dict[Any, Any] = {}

    def once(self, reckon: Callable[Concatenate[Outlook, P], T], *given: P.args, **named: P.kwargs) -> T:
        """Return a result, computed once per arguments."""
        cache_key = (reckon, given)
        if cache_key not in self.known:
            self.known[cache_key] = reckon(self, *given, **named)
        found: T = self.known[cache_key]
        return found

    def plant(self, good: str) -> Plant:
        return next(plant for plant in self.plants if plant.good == good)

    def gain(self, plant: Plant) -> float:
        """Return the yield of a factory, in cash and in share value."""
        profit, rise = self.once(sales, plant)
        return self.rate * profit + self.player.shares * self.weights.step * rise

    def spending(self, amount: int) -> float:
        """Return the cost of spending an amount: the cash's future value, and the risk of missing wages."""
        return self.rate * amount + self.weights.short * (self.lacking(amount) - self.lacking(0))

    def lacking(self, spent: int) -> float:
        return max(0.0, self.weights.reserve - self.player.cash + spent) if left(self.board) else 0.0


def plants(b: Board, seat: Seat) -> list[Plant]:
    found = []
    for good in b.players[seat].standing:
        factory = b.factory(seat, good)
        rows = zip(ROWS, b.printed.rows[good].values(), factory.workers, factory.machines, strict=True)
        found.append(
            Plant(
                good,
                factory.level,
                b.quality(seat, good) + factory.distribution,
                factory.price,
                tuple(row for row, numbers, workers, machines in rows if workers + machines == numbers.spaces),
                factory.people,
                sum(factory.machines),
                factory.distribution,
            )
        )
    return found


def free_spaces(b: Board, seat: Seat, good: str, row: int) -> int:
    factory = b.factory(seat, good)
    return b.printed.row(good, row).spaces - factory.workers[row - 1] - factory.machines[row - 1]


def fill_row(plant: Plant, row: int, workers: int) -> Plant:
    return plant._replace(rows=(*plant.rows, row), workers=plant.workers + workers)


def worth(weights: Weights, b: Board, seat: Seat) -> float:
    return company(Outlook(weights, b, seat))


def company(outlook: Outlook) -> float:
    """Shares at what they will be worth, cash, and what the factories will earn."""
    b, player = outlook.board, outlook.player
    cash = player.cash - b.printed.loan_repay * player.loans
    return (
        player.shares * b.share_value(outlook.seat)
        + outlook.rate * cash
        - outlook.weights.short * outlook.lacking(0)
        + sum(map(outlook.gain, outlook.plants))
    )


def sales(outlook: Outlook, plant: Plant) -> tuple[float, int]:
    """Profit and rise of the share value in the production phases to come; distribution decays from one to the next."""
    weights, numbers, demand = outlook.weights, outlook.board.printed, outlook.once(demand_for, plant.good)
    made = min(sum([numbers.row_output(plant.good, plant.level, row) for row in plant.rows]), demand.goods)
    profit, rise = 0.0, 0
    for phase in range(demand.phases):
        appeal = max(0, plant.appeal - plant.price - min(plant.lasting, phase))
        sold = min(made, appeal)
        profit += (
            weights.market * sold * plant.price
            - (outlook.wage + weights.wages * phase) * plant.workers
            - plant.machines
        )
        if sold:
            rise += (numbers.rise_more_sold if sold > 1 else numbers.rise_one_sold) + (
                numbers.rise_appeal if appeal > demand.ahead_of else 0
            )
    return profit, rise


def demand_for(outlook: Outlook, good: str) -> Demand:
    b = outlook.board
    others = [b.appeal(other, good) for other in range(b.seats) if other != outlook.seat]
    return Demand(phases_left(b, good), people.demand(b, good), max(b.importers[good], *others))


def phases_left(b: Board, good: str) -> int:
    """Production phases of a good still to come."""
    if not left(b):
        return 0
    later, cycle = len(b.printed.years) - b.printed.years.index(b.decade) - 1, GOODS.index(good) + 1
    return later + (b.cycle < cycle or (b.cycle == cycle and b.phase != "production"))


def left(b: Board) -> bool:
    """Check if the game still has decisions before the final exchange."""
    return b.stage not in ("final_exchange", "over")


# --- what a marker could bring ---


def marker_merit(outlook: Outlook, d: moves.Place | moves.Reuse) -> float:
    """Return the greatest gain of the marker's action, less its cost."""
    b, name = outlook.board, d.marker.partition(":")[0]
    cost = d.paid + (b.printed.chart_fee if isinstance(d, moves.Reuse) else 0)
    if cost > outlook.player.cash:
        return -50.0 - cost
    match name:
        case "stock_exchange":
            return gain_at_exchange(outlook, cost)
        case "factory":
            return building(outlook, cost)
        case "quality":
            gain = outlook.once(spread, sum(threshold <= d.paid for threshold in b.printed.thresholds[d.marker]), 0)
        case "distribution":
            gain = outlook.once(spread, 0, distribution_levels(b, min(d.paid, b.printed.distribution_cap[d.marker])))
        case "machinery":
            gain = outlook.once(machines, sum(threshold <= d.paid for threshold in b.printed.thresholds[d.marker]))
        case "workers":
            gain = outlook.once(hiring)
        case _:
            gain = 0.0
    return gain - outlook.spending(cost)


def gain_at_exchange(outlook: Outlook, cost: int) -> float:
    """Return the gain of all shares that exceed their price."""
    b, player = outlook.board, outlook.player
    price = bank.purchase_price(b, outlook.seat)
    rise = sum(outlook.once(sales, plant)[1] for plant in outlook.plants)
    value = b.share_value(outlook.seat) + outlook.weights.step * rise
    most = min(player.bank, (player.cash - cost) // price)
    return max(count * value - outlook.spending(cost + count * price) for count in range(most + 1))


def distribution_levels(b: Board, pounds: int) -> int:
    """Return the number of levels that this amount buys from level 0: each costs its number (WF-4.9.2)."""
    levels = 0
    while pounds > levels < b.printed.distribution_most:
        levels += 1
        pounds -= levels
    return levels


def spread(outlook: Outlook, quality: int, distribution: int) -> float:
    """Levels one after the other where they bring most, each with the price that suits it."""
    now, gained = [*outlook.plants], 0.0
    for number in range(quality + distribution):
        gain, place = max(
            ((outlook.once(raise_appeal, plant, number >= quality)[1], -place) for place, plant in enumerate(now)),
            default=(0.0, 0),
        )
        if now:
            now[-place], gained = outlook.once(raise_appeal, now[-place], number >= quality)[0], gained + gain
    return gained


def raise_appeal(outlook: Outlook, plant: Plant, lasting: bool) -> tuple[Plant, float]:
    """Return a factory with one level more, and its gain."""
    better = at_best_price(outlook, plant._replace(appeal=plant.appeal + 1, lasting=plant.lasting + lasting))
    return better, outlook.gain(better) - outlook.gain(plant)


def at_best_price(outlook: Outlook, plant: Plant) -> Plant:
    """Return the factory at its best price within a pound or two."""
    least = outlook.board.printed.price_least
    prices = range(max(least, plant.price - 2), max(least, min(plant.appeal, plant.price + 2)) + 1)
    return max((plant._replace(price=price) for price in prices), key=outlook.gain)


def building(outlook: Outlook, cost: int) -> float:
    """One factory more, or one better."""
    b, found = outlook.board, [-outlook.spending(cost)]
    for good, factory in outlook.player.factories.items():
        if factory is None:
            price, gain = outlook.once(new_factory, good)
        elif factory.level < b.level:
            price, gain = outlook.once(modernize_factory, good)
        else:
            continue
        if cost + price <= outlook.player.cash:
            found.append(gain - outlook.spending(cost + price))
    return max(found)


def new_factory(outlook: Outlook, good: str) -> tuple[int, float]:
    """Return the cost of a new factory, and its yield at its best price."""
    b = outlook.board
    cost, staff, least = b.printed.cost(good, b.level), b.printed.row(good, 1).spaces, b.printed.price_least
    if people.hireable(b) < staff:
        return cost, 0.0
    new = Plant(good, b.level, cost, least, (1,), staff, 0)
    return cost, max(outlook.gain(new._replace(price=price)) for price in range(least, cost + 1))


def modernize_factory(outlook: Outlook, good: str) -> tuple[int, float]:
    """Return the cost of modernizing, and its yield."""
    b, plant = outlook.board, outlook.plant(good)
    cost = b.printed.cost(good, plant.level + 1)
    more = cost - b.printed.cost(good, plant.level)
    better = at_best_price(outlook, plant._replace(level=plant.level + 1, appeal=plant.appeal + more))
    return cost, outlook.gain(better) - outlook.gain(plant)


def hiring(outlook: Outlook) -> float:
    """Rows filled or given up, one after the other where it brings most. One that was filled stays so."""
    now, gained = [*outlook.plants], 0.0
    while True:
        found = [
            (outlook.gain(other) - outlook.gain(plant), place, other)
            for place, plant in enumerate(now)
            for other in other_rows(outlook, plant)
        ]
        gain, place, other = max(found, key=lambda option: option[0], default=(0.0, 0, None))
        if other is None or gain <= WORTH_A_ROW:
            return gained
        now[place], gained = other, gained + gain


def other_rows(outlook: Outlook, plant: Plant) -> Iterator[Plant]:
    """Yield a factory with a row more, and without its last one."""
    b, seat = outlook.board, outlook.seat
    for row in ROWS:
        lacking = free_spaces(b, seat, plant.good, row)
        if row not in plant.rows and 0 < lacking <= people.hireable(b):
            yield fill_row(plant, row, lacking)
        elif row > 1 and row == max(plant.rows, default=0) and b.complete(seat, plant.good, row):
            yield plant._replace(
                rows=tuple(other_row for other_row in plant.rows if other_row != row),
                workers=plant.workers - b.factory(seat, plant.good).workers[row - 1],
            )


def machines(outlook: Outlook, count: int) -> float:
    """Workers replaced where phases are left."""
    b, now = outlook.board, [*outlook.plants]
    room = [
        place
        for place, plant in enumerate(now)
        for row in ROWS
        for _ in range(machine_room(b, b.factory(outlook.seat, plant.good), plant.good, row))
    ]
    room.sort(key=lambda place: -phases_left(b, now[place].good))
    for place in room[:count]:
        now[place] = now[place]._replace(workers=now[place].workers - 1, machines=now[place].machines + 1)
    return sum(map(outlook.gain, now)) - sum(map(outlook.gain, outlook.plants))


def machine_room(b: Board, factory: Factory, good: str, row: int) -> int:
    """Return the number of machines that fit in a row; one worker stays."""
    most = min(b.printed.row(good, row).machines, factory.workers[row - 1] - 1)
    return most - factory.machines[row - 1]


SHORT = ShortPlayOut(
    steps=1_300,
    far=30,
    curve=Curve(slope=-5.11, rise=2.24, length={4: 519}, origin="fitted to 40 games of four wavering steady players"),
)


LOTS: frozenset[type[Decision]] = frozenset({moves.Found, moves.NameStartPlayer})


def policy(weights: Weights) -> Policy[Board]:
    return Policy(revision=3, weigh=partial(weigh, weights), lots=LOTS, worth=partial(worth, weights), short=SHORT)


POLICY = policy(WEIGHTS)
