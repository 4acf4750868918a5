"""Actions 1 to 3: build and upgrade, employ, automate (ACG-4.3, ACG-4.4, ACG-4.5)."""

from __future__ import annotations

from daybook.domain.games.arkwright_card import cards, factories, moves, turns
from daybook.domain.games.arkwright_card.board import Board, Factory, WorkerCard
from daybook.domain.games.arkwright_card.printed import GOODS, POSITIONS, Good
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, by_number, holds, refuse_unless

# --- checks: build and upgrade ---


@holds("the factory is not open yet")
def not_open(b: Board, seat: Seat, d: moves.Build) -> WhyNot:
    return factories.not_open(b, seat, d.good)


@holds("the good will still be produced")
def build_in_time(b: Board, d: moves.Build) -> WhyNot:
    return refuse_unless(b.in_time(d.good), "build_too_late", "{good} is not produced any more", good=d.good)


@holds("factories can be upgraded in this decade")
def late_enough(b: Board) -> WhyNot:
    return refuse_unless(b.decade != 1, "upgrade_too_early", "factories are upgraded from decade 2 on")


def something_turns(good: str, turns_over: bool) -> WhyNot:
    return refuse_unless(
        turns_over, "nothing_to_upgrade", "the {good} factory has nothing that could be turned", good=good
    )


@holds("the tile or a worker card is turned by it")
def something_to_turn(b: Board, seat: Seat, d: moves.Upgrade) -> WhyNot:
    factory = b.players[seat].factory(d.good)
    side, workers = factories.sides_after_upgrade(b, factory)
    return something_turns(d.good, side != factory.side or workers != [card.side for card in factory.workers])


@holds("the player has Inventor (8)")
def inventor_owned(b: Board, seat: Seat) -> WhyNot:
    return cards.not_owned(b, seat, "inventor")


@holds("the Inventor can upgrade a factory")
def inventor_of_use(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        any(factories.up_by_inventor(b, factory) for _, factory in b.players[seat].open()),
        "inventor_first",
        "the Inventor has no factory to upgrade",
    )


@holds("the Inventor is used in this action")
def inventor_at_work(b: Board) -> WhyNot:
    return turns.step_awaited(b, b.turn.inventor is not None)


@holds("the Inventor may upgrade another factory")
def inventor_left(b: Board, d: moves.InventorUpgrade) -> WhyNot:
    done = b.turn.inventor or []
    return refuse_unless(
        len(done) < b.printed.cards_inventor_factories and d.good not in done,
        "inventor_limit",
        "the Inventor upgrades {most} different factories at most",
        most=b.printed.cards_inventor_factories,
    )


@holds("the Inventor can turn something of the factory")
def inventor_turns(b: Board, seat: Seat, d: moves.InventorUpgrade) -> WhyNot:
    return something_turns(d.good, factories.up_by_inventor(b, b.players[seat].factory(d.good)))


# --- checks: employ ---


POSITIONS_IN_ORDER = by_number(
    "count",
    "the {good} factory has {count} worker card; position 1 comes before position 2",
    "the {good} factory has {count} worker cards; position 1 comes before position 2",
)


@holds("the position is the next one that is free")
def place_free(b: Board, seat: Seat, d: moves.Employ) -> WhyNot:
    """Require an open factory, position 1 before position 2, each once (ACG-4.4.2)."""
    factory = b.players[seat].factories[d.good]
    count = 0 if factory is None else len(factory.workers)
    return refuse_unless(
        factory is not None, "employ_order", "the {good} factory is not open", good=d.good
    ) or refuse_unless(
        d.position in POSITIONS and d.position == count + 1,
        "employ_order",
        POSITIONS_IN_ORDER,
        good=d.good,
        count=count,
    )


@holds("the factory will still produce")
def employ_in_time(b: Board, d: moves.Employ) -> WhyNot:
    return refuse_unless(b.in_time(d.good), "employ_too_late", "{good} is not produced any more", good=d.good)


# --- checks: automate ---


@holds("the position has a worker card")
def worker_card_there(b: Board, seat: Seat, d: moves.Rotate | moves.PlaceToken) -> WhyNot:
    factory = b.players[seat].factories[d.good]
    return refuse_unless(
        factory is not None and 1 <= d.position <= len(factory.workers),
        "no_worker_card",
        "there is no worker card on position {position} of the {good} factory",
        position=d.position,
        good=d.good,
    )


@holds("the card is not full of machines yet")
def workers_left(b: Board, seat: Seat, d: moves.Rotate | moves.PlaceToken) -> WhyNot:
    machines = b.players[seat].factory(d.good).workers[d.position - 1].machines
    return refuse_unless(
        machines < factories.machine_capacity(b, d.good, d.position),
        "already_rotated",
        "the card on position {position} of the {good} factory is full of machines",
        position=d.position,
        good=d.good,
    )


@holds("the card with the machine token comes first")
def token_first(b: Board, seat: Seat, d: moves.Rotate) -> WhyNot:
    """Require that a card with the token at the start of the action is finished first (ACG-4.5.4)."""
    good, position = factories.token_card(b, b.players[seat]) or (d.good, d.position)
    return refuse_unless(
        b.turn.acted or (good, position) == (d.good, d.position),
        "token_used",
        "the card with the machine token comes first: position {position}, {good}",
        good=good,
        position=position,
    )


@holds("the machine token lies in the reserve")
def token_free(b: Board, seat: Seat) -> WhyNot:
    good, position = factories.token_card(b, b.players[seat]) or (None, None)
    return refuse_unless(
        good is None,
        "token_used",
        "the machine token lies on position {position} of the {good} factory",
        good=good,
        position=position,
    )


@holds("two machines fit on the card")
def room_for_two(b: Board, d: moves.PlaceToken) -> WhyNot:
    return refuse_unless(
        factories.machine_capacity(b, d.good, d.position) > 1,
        "token_used",
        "the machine token is only on cards for two machines",
    )


@holds("the action still allows this many machines")
def within_machine_allowance(b: Board, seat: Seat, d: moves.Rotate) -> WhyNot:
    """Check that the turned card takes no more machines than this action may still add."""
    machines = b.players[seat].factory(d.good).workers[d.position - 1].machines
    return enough_machines(b, factories.machine_capacity(b, d.good, d.position) - machines)


@holds("one more machine may be added")
def machine_left(b: Board) -> WhyNot:
    return enough_machines(b, 1)


MACHINES_ADDED = by_number(
    "left",
    "{left} more machine may be added; needed: {count}",
    "{left} more machines may be added, and {count} are needed",
)


def enough_machines(b: Board, count: int) -> WhyNot:
    return refuse_unless(count <= b.turn.allowance, "machine_limit", MACHINES_ADDED, left=b.turn.allowance, count=count)


# --- actions: build and upgrade ---


def build(b: Board, seat: Seat, d: moves.Build, tell: Tell) -> None:
    factory = factories.new_factory(b, b.printed.start_side if b.decade == 1 else factories.LAST_SIDE)
    b.players[seat].factories[d.good] = factory
    b.turn.newcomers = True
    tell(moves.FactoryOpened("ACG-4.3.3", seat, d.good, factory.side, factory.slot, False))
    turns.go_on(b, step_possible, tell)


def upgrade(b: Board, seat: Seat, d: moves.Upgrade, tell: Tell) -> None:
    factory = b.players[seat].factory(d.good)
    turn_over(b, seat, d.good, factory, factories.sides_after_upgrade(b, factory), "ACG-4.3.6", tell)
    turns.go_on(b, step_possible, tell)


def turn_over(
    b: Board, seat: Seat, good: str, factory: Factory, sides: tuple[int, list[int]], rule: str, tell: Tell
) -> None:
    """Turn a factory's tile and cards; token appeal and machines stay (ACG-4.3.6, ACG-4.3.8)."""
    tile, workers = sides
    factory.slot = factories.slot_of_same_appeal(b, good, factory, tile)
    factory.side = tile
    for card, side in zip(factory.workers, workers, strict=True):
        card.side = side
    tell(moves.FactoryUpgraded(rule, seat, good, tile, factory.slot, tuple(workers), rule == "ACG-4.3.10"))


def use_inventor(b: Board, seat: Seat, d: moves.UseInventor, tell: Tell) -> None:
    cards.discard(b, seat, "inventor", "ACG-4.3.10", tell)
    b.turn.inventor = []


def inventor_upgrade(b: Board, seat: Seat, d: moves.InventorUpgrade, tell: Tell) -> None:
    factory = b.players[seat].factory(d.good)
    turn_over(b, seat, d.good, factory, factories.sides_after_invention(b, factory), "ACG-4.3.10", tell)
    if b.turn.inventor is not None:
        b.turn.inventor.append(d.good)
    turns.go_on(b, step_possible, tell)


def step_possible(b: Board, seat: Seat) -> bool:
    """Check if a step of the running action is possible."""
    match b.stage:
        case "build":
            return can_build(b, seat)
        case "employ":
            return can_employ(b, seat)
    return can_automate(b, seat)


def can_build(b: Board, seat: Seat) -> bool:
    return any(
        b.in_time(good) if factory is None else can_upgrade(b, seat, good, factory)
        for good, factory in ((good, b.players[seat].factories[good]) for good in GOODS)
    )


def can_upgrade(b: Board, seat: Seat, good: Good, factory: Factory) -> bool:
    """Check if the factory can be turned to a higher level, or the Inventor card can raise it."""
    if b.decade > 1 and something_to_turn(b, seat, moves.Upgrade(good)) is None:
        return True
    waiting = b.turn.inventor is not None and inventor_left(b, moves.InventorUpgrade(good)) is None
    return (waiting or "inventor" in b.players[seat].cards) and factories.up_by_inventor(b, factory)


def can_employ(b: Board, seat: Seat) -> bool:
    return any(len(factory.workers) < len(POSITIONS) and b.in_time(good) for good, factory in b.players[seat].open())


def can_automate(b: Board, seat: Seat) -> bool:
    return turns.any_passes(b, seat, ROTATIONS, ROTATE) or turns.any_passes(b, seat, TOKENS, PLACE_TOKEN)


ROTATE = (worker_card_there, workers_left, token_first, within_machine_allowance)
PLACE_TOKEN = (worker_card_there, workers_left, token_free, room_for_two, machine_left)


# --- actions: employ and automate ---


def employ(b: Board, seat: Seat, d: moves.Employ, tell: Tell) -> None:
    """Put a worker card next to a factory, on the side of the decade or an earlier one (ACG-4.4.3)."""
    numbers = b.printed.workers[d.position]
    card = WorkerCard(numbers.side(b.decade))
    b.players[seat].factory(d.good).workers.append(card)
    b.turn.newcomers = True
    tell(moves.WorkersEmployed("ACG-4.4.3", seat, d.good, d.position, card.side, numbers.workers[d.good]))
    turns.go_on(b, step_possible, tell)


def rotate(b: Board, seat: Seat, d: moves.Rotate, tell: Tell) -> None:
    card = b.players[seat].factory(d.good).workers[d.position - 1]
    add_machines(b, seat, d, factories.machine_capacity(b, d.good, d.position) - card.machines, "ACG-4.5.2", tell)


def place_token(b: Board, seat: Seat, d: moves.PlaceToken, tell: Tell) -> None:
    add_machines(b, seat, d, 1, "ACG-4.5.3", tell)


def add_machines(b: Board, seat: Seat, d: moves.Rotate | moves.PlaceToken, count: int, rule: str, tell: Tell) -> None:
    card = b.players[seat].factory(d.good).workers[d.position - 1]
    card.machines += count
    b.turn.allowance -= count
    token = card.machines < factories.machine_capacity(b, d.good, d.position)
    tell(moves.MachinesAdded(rule, seat, d.good, d.position, count, card.machines, token, b.turn.allowance))
    turns.go_on(b, step_possible, tell)


# --- candidates ---


BUILDINGS = tuple(moves.Build(good) for good in GOODS)
UPGRADES = tuple(moves.Upgrade(good) for good in GOODS)
INVENTIONS = tuple(moves.InventorUpgrade(good) for good in GOODS)
EMPLOYMENTS = tuple(moves.Employ(good, position) for good in GOODS for position in POSITIONS)
ROTATIONS = tuple(moves.Rotate(good, position) for good in GOODS for position in POSITIONS)
TOKENS = tuple(moves.PlaceToken(good, position) for good in GOODS for position in POSITIONS)
