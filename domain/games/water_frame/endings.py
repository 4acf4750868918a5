"""The ends of a cycle, of a round and of the game (WF-4.21, WF-4.22, WF-4.24)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from daybook.domain.games.water_frame import bank, moves, people, production, storage, tiles, turns
from daybook.domain.games.water_frame.board import Board, Factory, Held, Stage
from daybook.domain.games.water_frame.events import step_passed
from daybook.domain.games.water_frame.printed import GOODS, ROWS
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, holds, refuse_unless

# --- the end of a cycle, and the start player ---


def charisma_owned(b: Board) -> bool:
    return any(player.owns("charisma") for player in b.players)


def cycle_end(b: Board, tell: Tell) -> bool:
    """After the fourth cycle the round ends; before, the owner of the charisma may name the start player."""
    if b.cycle == len(GOODS):
        end_round(b, tell)
    elif charisma_owned(b):
        return False
    else:
        pass_clockwise(b, tell)
    return True


def pass_clockwise(b: Board, tell: Tell) -> None:
    """One seat on; the next cycle (WF-4.21.2)."""
    b.start = (b.starter + 1) % b.seats
    tell(moves.StartPlayerNamed("WF-4.21.2", b.start, None, "clockwise"))
    turns.begin_cycle(b, tell)


def charisma_not_used(b: Board, seat: Seat, d: moves.Done, tell: Tell) -> None:
    if b.stage == "cycle_end":
        pass_clockwise(b, tell)
    else:
        b.stage = "start_named"


def candidate_charismas(b: Board, seat: Seat) -> Iterator[moves.Charisma]:
    return map(moves.Charisma, range(b.seats))


def at_table(b: Board, d: moves.Charisma | moves.NameStartPlayer) -> WhyNot:
    return refuse_unless(d.seat in range(b.seats), "no_such_seat", "there is no seat {seat}", seat=d.seat)


@holds("the player has the tile")
def charisma_held(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(b.players[seat].owns("charisma"), "no_tile", "the player has no {kind} tile", kind="charisma")


def use_charisma(b: Board, seat: Seat, d: moves.Charisma, tell: Tell) -> None:
    """Give the Charisma back, name the start player, begin the next cycle or decade (WF-4.15.5)."""
    rule = "WF-4.21.2" if b.stage == "cycle_end" else "WF-4.22.9"
    tiles.give_back(b, seat, "charisma", rule, tell)
    b.start = d.seat
    tell(moves.StartPlayerNamed(rule, d.seat, seat, "charisma"))
    if b.stage == "cycle_end":
        turns.begin_cycle(b, tell)
    else:
        next_decade(b, tell)


# --- the end of a round ---


def end_round(b: Board, tell: Tell) -> None:
    """Markers return, and crews and warehouse workers are paid (WF-4.22.1, WF-4.22.2)."""
    b.cycle = b.turns = 0
    b.stage = "firing"
    tell(moves.PhaseBegun("WF-4.22", "round_end"))
    for player in b.players:
        player.chart = dict.fromkeys(player.chart)
    tell(moves.MarkersReturned("WF-4.22.1", b.decade))
    for seat in b.in_order():
        player, wage = b.players[seat], people.wage(b)
        warehouse = sum(player.slots.values())
        amount = (player.crew + warehouse) * wage
        if amount:
            tell(moves.HarbourReckoned("WF-4.22.2", seat, warehouse, player.crew, wage, amount))
            bank.pay(b, seat, amount, "harbour", "WF-4.22.2", tell)


def firing(b: Board, tell: Tell) -> bool:
    """Go to the next player, or to the event after the last; wait if the player can fire workers or return ships."""
    if b.turns == b.seats:
        b.stage = "event"
        b.turns = 0
    elif any(b.players[b.mover].slots.values()) or b.players[b.mover].ships:
        return False
    else:
        leave_firing(b, b.mover, tell)
    return True


def end_firing(b: Board, seat: Seat, d: moves.Done, tell: Tell) -> None:
    leave_firing(b, seat, tell)


def leave_firing(b: Board, seat: Seat, tell: Tell) -> None:
    """Only now has everything to have room (WF-4.22.3)."""
    b.turns += 1
    storage.fix(b, seat, tell)


@holds("the space has a warehouse worker")
def slot_staffed(b: Board, seat: Seat, d: moves.FireWarehouse) -> WhyNot:
    return refuse_unless(b.players[seat].slots[d.slot], "slot_empty", "no worker is at {slot}", slot=d.slot)


def warehouse_fired(b: Board, seat: Seat, d: moves.FireWarehouse, tell: Tell) -> None:
    b.players[seat].slots[d.slot] -= 1
    b.fired += 1
    tell(moves.WarehouseFired("WF-4.22.3", seat, d.slot))


def candidate_ship_returns(b: Board, seat: Seat) -> Iterator[moves.ReturnShip]:
    return map(moves.ReturnShip, dict.fromkeys(b.players[seat].ships))


@holds("the player has the ship")
def ship_owned(b: Board, seat: Seat, d: moves.ReturnShip) -> WhyNot:
    return refuse_unless(
        d.capacity in b.players[seat].ships,
        "no_ship",
        "the player has no ship of capacity {capacity}",
        capacity=d.capacity,
    )


def ship_returned(b: Board, seat: Seat, d: moves.ReturnShip, tell: Tell) -> None:
    """Return a ship with its whole crew."""
    player, ship = b.players[seat], b.printed.ships[d.capacity]
    player.ships.remove(d.capacity)
    b.mat[ship.row].ships = sorted([*b.mat[ship.row].ships, d.capacity])
    tell(moves.ShipReturned("WF-4.22.3", seat, d.capacity, ROWS[ship.row]))
    if ship.crew:
        player.crew -= ship.crew
        b.fired += ship.crew
        tell(moves.CrewDismissed("WF-4.22.3", seat, ship.crew, player.crew))


# --- after the event ---


def broker(b: Board, tell: Tell) -> bool:
    """Owners of the broker; then the decade is scored (WF-4.22.7, WF-5.2.1)."""
    if b.turns == b.seats:
        score_decade(b, tell)
        b.stage = "charisma"
        b.turns = 0
    elif b.players[b.mover].owns("broker"):
        return False
    else:
        b.turns += 1
    return True


def next_player(b: Board, seat: Seat, d: moves.Done, tell: Tell) -> None:
    b.turns += 1


def score_decade(b: Board, tell: Tell) -> None:
    seats = range(b.seats)
    tell(
        moves.DecadeScored(
            "WF-5.2.1", b.decade, tuple(map(b.portfolio, seats)), tuple(b.players[seat].cash for seat in seats)
        )
    )


def charisma(b: Board, tell: Tell) -> bool:
    """Go on to name the start player, unless the owner of Charisma decides first (WF-4.22.9)."""
    if charisma_owned(b):
        return False
    b.stage = "start_named"
    return True


def candidate_names(b: Board, seat: Seat) -> Iterator[moves.NameStartPlayer]:
    return map(moves.NameStartPlayer, range(b.seats))


def start_player_named(b: Board, seat: Seat, d: moves.NameStartPlayer, tell: Tell) -> None:
    b.start = d.seat
    tell(moves.StartPlayerNamed("WF-4.22.9", d.seat, seat, "lowest_portfolio"))
    next_decade(b, tell)


def next_decade(b: Board, tell: Tell) -> None:
    make_obsolete(b, b.printed.decades[b.next_decade].obsolete, tell)
    turns.begin_decade(b, tell)


# --- obsolescence ---


def make_obsolete(b: Board, levels: tuple[int, ...], tell: Tell) -> None:
    """Deal workers, one at a time, to factories of these levels (WF-4.22.10 to WF-4.22.13)."""
    caught = [
        (seat, good, factory)
        for seat in b.in_order()
        for good in GOODS
        if (factory := b.players[seat].factories[good]) is not None and factory.level in levels and not factory.obsolete
    ]
    for _ in range(b.printed.obsolescence_workers):
        for _, _, factory in caught:
            factory.additional += one_more(b)
    for seat, good, factory in caught:
        factory.obsolete = True
        tell(moves.FactoryObsolete("WF-4.22.10", seat, good, factory.level, factory.additional))
    for seat in b.in_order():
        pay_for_lacking(b, seat, [factory for owner, _, factory in caught if owner == seat], tell)


def one_more(b: Board) -> int:
    """Return a worker from the fired space, else from the job market; 0 without workers (WF-4.22.11)."""
    if b.fired:
        b.fired -= 1
        return 1
    if b.market:
        b.market -= 1
        return 1
    return 0


def pay_for_lacking(b: Board, seat: Seat, caught: list[Factory], tell: Tell) -> None:
    """All missing workers of a player in one payment; they are never hired later (WF-4.22.12)."""
    count, wage = sum(b.printed.obsolescence_workers - factory.additional for factory in caught), people.wage(b)
    if count:
        tell(moves.WorkersLacking("WF-4.22.12", seat, count, wage))
        bank.pay(b, seat, count * wage, "obsolescence", "WF-4.22.12", tell)


# --- the end of the game ---


def final_exchange(b: Board, tell: Tell) -> bool:
    """Each player closes his part; then the penalties, and the game is over (WF-4.24)."""
    if b.turns < b.seats:
        return False
    score_decade(b, tell)
    for seat in b.in_order():
        if b.players[seat].loans:
            tell(moves.LoansLost("WF-4.24.3", seat, b.players[seat].loans))
        else:
            take_penalties(b, seat, tell)
    b.stage = "over"
    b.turns = 0
    tell(
        moves.GameEnded(
            "WF-4.24.5", tuple(None if player.loans else b.portfolio(seat) for seat, player in enumerate(b.players))
        )
    )
    return True


def take_penalties(b: Board, seat: Seat, tell: Tell) -> None:
    """Take the penalties for marked factories, then for unfulfilled contracts (WF-4.24.4)."""
    numbers, player = b.printed, b.players[seat]
    player.before_end = Held(player.space, player.shares)
    marked = marked_factories(b, seat)
    if marked:
        bank.move_share_value(b, seat, -marked * numbers.end_marked_spaces, "marked_factory", "WF-4.24.4", tell)
        count = min(player.shares, marked * numbers.end_marked_shares)
        player.shares -= count
        player.bank += count
        tell(moves.SharesReturned("WF-4.24.4", seat, count, marked))
    for good in GOODS:
        bank.move_share_value(b, seat, -player.contracts[good], "contract", "WF-4.24.4", tell)


def marked_factories(b: Board, seat: Seat) -> int:
    return sum(factory is not None and factory.marked for factory in b.players[seat].factories.values())


# --- what `done` means ---

ENDS: Mapping[Stage, Callable[[Board, Seat, moves.Done, Tell], None]] = {
    "school_first": production.close_window,
    "school_second": production.close_window,
    "extra_shifts": production.close_window,
    "patron": production.close_window,
    "storage": storage.end_storage,
    "cycle_end": charisma_not_used,
    "firing": end_firing,
    "event_step": step_passed,
    "broker": next_player,
    "charisma": charisma_not_used,
    "final_exchange": next_player,
}


def end_part(b: Board, seat: Seat, d: moves.Done, tell: Tell) -> None:
    """End a player's part in the running stage."""
    ENDS[b.stage](b, seat, d, tell)
