"""The factory action: build, modernize, close (WF-4.5)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import bank, inventor, moves, people, storage
from daybook.domain.games.water_frame.board import Board, Factory, new_factory, place
from daybook.domain.games.water_frame.printed import GOODS, LEVELS
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless

# --- checks ---


@holds("the player has no such factory yet")
def no_factory_yet(b: Board, seat: Seat, d: moves.Build) -> WhyNot:
    return refuse_unless(
        b.players[seat].factories[d.good] is None, "factory_there", "the {good} factory already exists", good=d.good
    )


@holds("the development level allows this")
def level_reached(b: Board, d: moves.Build) -> WhyNot:
    return refuse_unless(
        1 <= d.level <= b.level,
        "level",
        "the development level of {decade} is {level}",
        decade=b.decade,
        level=LEVELS[b.level - 1],
    )


@holds("the factory can have this price")
def price_fits(b: Board, seat: Seat, d: moves.Build) -> WhyNot:
    return storage.price_fault(b, d.good, d.price, prices(b, seat, d.good, d.level)[1])


def prices(b: Board, seat: Seat, good: str, level: int) -> tuple[int, int]:
    """Return the least and the greatest price of a new factory: stored goods block the top of the scale."""
    return b.printed.price_least, min(storage.highest_price(b, seat, good), b.printed.cost(good, level))


@holds("the factory was not closed in this action")
def not_just_closed(b: Board, d: moves.Build) -> WhyNot:
    return refuse_unless(
        place(d.good, d.level) not in b.turn.closed,
        "just_closed",
        "the {good} factory of level {level} was closed in this action",
        good=d.good,
        level=LEVELS[d.level - 1],
    )


@holds("enough workers are available for the first row")
def first_row_filled(b: Board, d: moves.Build) -> WhyNot:
    return people.none_to_hire(b, b.printed.row(d.good, 1).spaces)


@holds("the player has the developer")
def developer_owned(b: Board, seat: Seat, d: moves.Build | moves.Modernize) -> WhyNot:
    return refuse_unless(not d.developer or b.players[seat].owns("developer"), "no_tile", "the player has no developer")


@holds("the developer is not used for this good yet")
def developer_unused(b: Board, d: moves.Build | moves.Modernize) -> WhyNot:
    """Once per good and action (WF-4.5.5, WF-6.55)."""
    return refuse_unless(
        not d.developer or d.good not in b.turn.developed,
        "developer_used",
        "the developer was used for {good} in this action",
        good=d.good,
    )


@holds("the developer stays within the development level")
def developer_within_level(d: moves.Modernize) -> WhyNot:
    return refuse_unless(
        not d.developer or not d.inventor,
        "developer_beyond",
        "a step beyond the development level costs its full price",
    )


@holds("the next level can be reached")
def next_level_there(b: Board, seat: Seat, d: moves.Modernize) -> WhyNot:
    """Require a level up to the development level, or one further with the inventor (WF-4.5.2)."""
    level = b.factory(seat, d.good).level + 1
    return refuse_unless(
        level <= min(b.level + d.inventor, len(LEVELS)),
        "level",
        "the {good} factory is at level {level}, and the development level is {reached}",
        good=d.good,
        level=LEVELS[level - 2],
        reached=LEVELS[b.level - 1],
    )


@holds("the step needs the inventor")
def inventor_needed(b: Board, seat: Seat, d: moves.Modernize) -> WhyNot:
    return refuse_unless(
        not d.inventor or b.factory(seat, d.good).level + 1 > b.level,
        "inventor_idle",
        "this step is within the development level and needs no inventor",
    )


@holds("the player has the inventor")
def inventor_owned(b: Board, seat: Seat, d: moves.Modernize) -> WhyNot:
    return refuse_unless(not d.inventor or b.players[seat].owns("inventor"), "no_tile", "the player has no inventor")


@holds("the factory was not built in this action")
def not_just_built(b: Board, d: moves.Close) -> WhyNot:
    return refuse_unless(
        d.good not in b.turn.built, "just_built", "the {good} factory was built in this action", good=d.good
    )


# --- actions ---


def build(b: Board, seat: Seat, d: moves.Build, tell: Tell) -> None:
    """Row 1 is filled, rows 2 to 4 stay empty (WF-4.5.1)."""
    cost, less = price_of(b, d.good, d.level, d.developer)
    bank.pay(b, seat, cost - less, "building", "WF-4.5.1", tell)
    factory = b.players[seat].factories[d.good] = new_factory(d.level, d.price)
    workers = factory.workers[0] = b.printed.row(d.good, 1).spaces
    people.hire_some(b, workers)
    b.turn.built.append(d.good)
    note(b, d)
    tell(moves.FactoryBuilt("WF-4.5.1", seat, d.good, d.level, cost, less, d.price, b.appeal(seat, d.good), workers))


def modernize(b: Board, seat: Seat, d: moves.Modernize, tell: Tell) -> None:
    """One level; workers, machines, markers and the price stay (WF-4.5.2)."""
    factory = b.factory(seat, d.good)
    cost, less = price_of(b, d.good, factory.level + 1, d.developer)
    bank.pay(b, seat, cost - less, "modernizing", "WF-4.5.2", tell)
    factory.level += 1
    note(b, d)
    tell(
        moves.FactoryModernized("WF-4.5.2", seat, d.good, factory.level, cost, less, d.inventor, b.appeal(seat, d.good))
    )
    if factory.obsolete and factory.level >= b.level:
        up_to_date(b, seat, d, factory, tell)
    if d.inventor:
        inventor.use(b, seat, "WF-4.5.6", tell)


def price_of(b: Board, good: str, level: int, developer: bool) -> tuple[int, int]:
    """Return the cost of a factory marker, and the developer's reduction."""
    cost = b.printed.cost(good, level)
    return cost, min(cost, b.printed.tiles_developer_less) if developer else 0


def note(b: Board, d: moves.Build | moves.Modernize) -> None:
    """Its price may be adjusted; the developer was used there."""
    if d.good not in b.turn.affected:
        b.turn.affected.append(d.good)
    if d.developer:
        b.turn.developed.append(d.good)


def up_to_date(b: Board, seat: Seat, d: moves.Modernize, factory: Factory, tell: Tell) -> None:
    """Remove the additional workers (WF-4.5.3)."""
    workers = factory.additional
    b.fired += workers
    factory.additional = 0
    factory.obsolete = False
    tell(moves.NoLongerObsolete("WF-4.5.3", seat, d.good, workers))


def close(b: Board, seat: Seat, d: moves.Close, tell: Tell) -> None:
    """Close a factory; stored goods and a tile assigned to the space stay (WF-4.5.4, WF-4.15.18)."""
    factory = b.factory(seat, d.good)
    b.fired += factory.people
    b.players[seat].factories[d.good] = None
    b.turn.closed.append(place(d.good, factory.level))
    tell(moves.FactoryClosed("WF-4.5.4", seat, d.good, factory.level, factory.people, sum(factory.machines)))


# --- candidates ---


def candidate_buildings(b: Board, seat: Seat) -> Iterable[Decision]:
    player = b.players[seat]
    helped = (False, True) if player.owns("developer") else (False,)
    for good in GOODS:
        if player.factories[good] is not None:
            continue
        for level in range(b.level, 0, -1):
            least, most = prices(b, seat, good, level)
            for price in range(least, most + 1):
                for developer in helped:
                    yield moves.Build(good, level, price, developer)


def candidate_modernizations(b: Board, seat: Seat) -> Iterable[Decision]:
    return [
        moves.Modernize(good, developer, inventor)
        for good in GOODS
        if b.players[seat].factories[good] is not None
        for developer in (False, True)
        for inventor in (False, True)
    ]


CLOSURES = tuple(moves.Close(good) for good in GOODS)
