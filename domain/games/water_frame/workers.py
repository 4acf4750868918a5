"""The workers action: hire, fire, and people for the warehouse (WF-4.6)."""

from __future__ import annotations

from itertools import product

from daybook.domain.games.water_frame import moves, people
from daybook.domain.games.water_frame.board import Board, Factory, place
from daybook.domain.games.water_frame.printed import GOODS, PRODUCTION_ROWS, SLOTS
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, holds, refuse_unless

# --- checks ---


def row_there(row: int) -> WhyNot:
    return refuse_unless(row in PRODUCTION_ROWS, "no_row", "a factory has rows 1 to {rows}", rows=len(PRODUCTION_ROWS))


@holds("a space of the row is free")
def space_free(b: Board, seat: Seat, d: moves.Hire | moves.Relocate) -> WhyNot:
    if reason := row_there(d.row):
        return reason
    factory = b.factory(seat, d.good)
    spaces = b.printed.row(d.good, d.row).spaces
    return refuse_unless(
        factory.workers[d.row - 1] + factory.machines[d.row - 1] < spaces,
        "row_full",
        "all {spaces} spaces of row {row} of the {good} factory are full",
        spaces=spaces,
        row=d.row,
        good=d.good,
    )


@holds("no one was fired from the row in this action")
def not_fired_from(b: Board, d: moves.Hire) -> WhyNot:
    return refuse_unless(
        place(d.good, d.row) not in b.turn.fired_from,
        "fired_from",
        "a worker of row {row} of the {good} factory was fired in this action",
        row=d.row,
        good=d.good,
    )


@holds("a worker is available to hire")
def worker_there(b: Board) -> WhyNot:
    return people.none_to_hire(b)


@holds("the warehouse has room")
def slot_free(b: Board, seat: Seat, d: moves.HireWarehouse) -> WhyNot:
    return slot_full(b, seat, d.slot)


def slot_full(b: Board, seat: Seat, slot: str) -> WhyNot:
    staffed, limit = b.players[seat].slots[slot], b.printed.harbour_rows if slot == "row" else 1
    return refuse_unless(
        staffed < limit, "slot_full", "workers at {slot}: {staffed} of {limit}", staffed=staffed, limit=limit, slot=slot
    )


@holds("the space has a warehouse worker")
def slot_staffed(b: Board, seat: Seat, d: moves.MoveWarehouse) -> WhyNot:
    return refuse_unless(
        b.players[seat].slots[d.origin], "slot_empty", "no warehouse worker is there: {slot}", slot=d.origin
    )


@holds("the place of the warehouse is a different one")
def another_slot(d: moves.MoveWarehouse) -> WhyNot:
    """Require another slot than the worker's own (WF-4.6.3)."""
    return refuse_unless(d.origin != d.to, "same_slot", "the worker is already there")


@holds("the place is free")
def target_free(b: Board, seat: Seat, d: moves.MoveWarehouse) -> WhyNot:
    return slot_full(b, seat, d.to)


@holds("more than the first row has workers")
def beyond_first_row(b: Board, seat: Seat, d: moves.Fire) -> WhyNot:
    return refuse_unless(
        last_row(b.factory(seat, d.good)) > 1,
        "first_row",
        "only row 1 of the {good} factory holds workers, and it stays active",
        good=d.good,
    )


@holds("no one was hired into the row in this action")
def not_hired_into(b: Board, seat: Seat, d: moves.Fire) -> WhyNot:
    row = last_row(b.factory(seat, d.good))
    return refuse_unless(
        place(d.good, row) not in b.turn.hired_into,
        "hired_into",
        "a worker was hired into row {row} of the {good} factory in this action",
        row=row,
        good=d.good,
    )


def last_row(factory: Factory) -> int:
    """Return the highest row with workers."""
    return max(row for row in PRODUCTION_ROWS if factory.workers[row - 1])


# --- actions ---


def hire(b: Board, seat: Seat, d: moves.Hire, tell: Tell) -> None:
    factory = b.factory(seat, d.good)
    origin = people.hire_one(b)
    factory.workers[d.row - 1] += 1
    b.turn.hired_into.append(place(d.good, d.row))
    tell(moves.WorkerHired("WF-4.6.1", seat, d.good, d.row, origin))
    if b.decade == b.printed.last_decade and GOODS.index(d.good) + 1 < b.cycle and not factory.marked:
        factory.marked = True
        tell(moves.FactoryMarked("WF-4.6.5", seat, d.good))


def hire_warehouse(b: Board, seat: Seat, d: moves.HireWarehouse, tell: Tell) -> None:
    origin = people.hire_one(b)
    b.players[seat].slots[d.slot] += 1
    tell(moves.WarehouseHired("WF-4.6.2", seat, d.slot, origin))


def move_warehouse(b: Board, seat: Seat, d: moves.MoveWarehouse, tell: Tell) -> None:
    slots = b.players[seat].slots
    slots[d.origin] -= 1
    slots[d.to] += 1
    tell(moves.WarehouseMoved("WF-4.6.3", seat, d.origin, d.to))


def fire(b: Board, seat: Seat, d: moves.Fire, tell: Tell) -> None:
    """Fire a worker; the last one of a row takes its machines along (WF-4.6.4)."""
    factory = b.factory(seat, d.good)
    row = last_row(factory)
    factory.workers[row - 1] -= 1
    b.fired += 1
    if place(d.good, row) not in b.turn.fired_from:
        b.turn.fired_from.append(place(d.good, row))
    machines = 0 if factory.workers[row - 1] else factory.machines[row - 1]
    factory.machines[row - 1] -= machines
    tell(moves.WorkerFired("WF-4.6.4", seat, d.good, row, machines))


# --- candidates ---


HIRES = tuple(moves.Hire(good, row) for good in GOODS for row in PRODUCTION_ROWS)
WAREHOUSE_HIRES = tuple(moves.HireWarehouse(slot) for slot in SLOTS)
WAREHOUSE_MOVES = tuple(moves.MoveWarehouse(origin, to) for origin, to in product(SLOTS, SLOTS) if origin != to)
FIRES = tuple(moves.Fire(good) for good in GOODS)
