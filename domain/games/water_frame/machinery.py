"""The machinery action: machines in the place of workers (WF-4.7)."""

from __future__ import annotations

from daybook.domain.games.water_frame import moves, workers
from daybook.domain.games.water_frame.board import Ask, Board, place
from daybook.domain.games.water_frame.printed import GOODS, PRODUCTION_ROWS
from daybook.domain.kernel.terms import Seat, Tell, WhyNot, by_number, holds, refuse_unless


def thresholds_reached(thresholds: tuple[int, ...], paid: int) -> int:
    """Return the number of thresholds that a payment reaches."""
    return sum(threshold <= paid for threshold in thresholds)


def machines_allowed(b: Board, seat: Seat) -> int:
    """Return the number of machines by marker, payment and workshop (WF-4.7.1)."""
    bonus = b.printed.tiles_workshop_machinery if b.players[seat].owns("workshop") else 0
    return thresholds_reached(b.printed.thresholds[b.turn.marker], b.turn.paid + bonus)


# --- checks ---


MACHINES_ALLOWED = by_number(
    "allowed",
    "£{paid} on this marker allow {allowed} machine, and {steps} was installed",
    "£{paid} on this marker allow {allowed} machines, and {steps} were installed",
)


@holds("the marker allows one more machine")
def machine_left(b: Board, seat: Seat) -> WhyNot:
    allowed = machines_allowed(b, seat)
    return refuse_unless(
        b.turn.steps < allowed, "machines", MACHINES_ALLOWED, paid=b.turn.paid, allowed=allowed, steps=b.turn.steps
    )


ROW_FULL = by_number(
    "machines",
    "row {row} of the {good} factory already holds {machines} machine, the maximum",
    "row {row} of the {good} factory already holds {machines} machines, the maximum",
)


@holds("the row has room for a machine")
def machine_space_free(b: Board, seat: Seat, d: moves.Install) -> WhyNot:
    if reason := workers.row_there(d.row):
        return reason
    machines, limit = b.factory(seat, d.good).machines[d.row - 1], b.printed.row(d.good, d.row).machines
    return refuse_unless(machines < limit, "machines_full", ROW_FULL, row=d.row, good=d.good, machines=machines)


@holds("a machine can replace these workers")
def worker_replaceable(b: Board, seat: Seat, d: moves.Install) -> WhyNot:
    """Check that the row has a worker to replace: not just relocated, nor in a human-only space (WF-4.7.2, WF-6.13)."""
    relocated = b.turn.relocated.count(place(d.good, d.row))
    workers, alone = b.factory(seat, d.good).workers[d.row - 1] - relocated, b.printed.row(d.good, d.row).human_only
    return refuse_unless(
        workers > alone,
        "no_worker",
        "row {row} of the {good} factory has {workers} workers that may be replaced or stand alone, "
        "and {alone} of them stand alone",
        row=d.row,
        good=d.good,
        workers=workers,
        alone=alone,
    )


# --- actions ---


def install(b: Board, seat: Seat, d: moves.Install, tell: Tell) -> None:
    """Install a machine; the worker goes to the fired space, or back by the school (WF-4.7.2, WF-4.7.3)."""
    factory = b.factory(seat, d.good)
    factory.workers[d.row - 1] -= 1
    factory.machines[d.row - 1] += 1
    b.fired += 1
    b.turn.steps += 1
    school = b.players[seat].owns("school") and free_space(b, seat)
    tell(moves.MachineInstalled("WF-4.7.2", seat, d.good, d.row, school))
    pay_engineering(b, seat, tell)
    if school:
        b.asked.append(Ask(seat, "relocate"))


def pay_engineering(b: Board, buyer: Seat, tell: Tell) -> None:
    """Every other owner of engineering works is paid for the machine (WF-4.7.4)."""
    for seat in b.in_order():
        player = b.players[seat]
        if seat != buyer and player.owns("engineering_works"):
            player.cash += b.printed.tiles_engineering_works_pays
            tell(moves.EngineeringPaid("WF-4.7.4", seat, b.printed.tiles_engineering_works_pays))


def free_space(b: Board, seat: Seat) -> bool:
    """Check if any factory of a player has a free space."""
    return any(
        b.factory(seat, good).workers[row - 1] + b.factory(seat, good).machines[row - 1]
        < b.printed.row(good, row).spaces
        for good in b.players[seat].standing
        for row in PRODUCTION_ROWS
    )


def relocate(b: Board, seat: Seat, d: moves.Relocate, tell: Tell) -> None:
    """Move a worker replaced by a machine to another factory row (WF-4.7.3)."""
    b.asked.pop()
    b.fired -= 1
    b.factory(seat, d.good).workers[d.row - 1] += 1
    b.turn.relocated.append(place(d.good, d.row))
    tell(moves.WorkerRelocated("WF-4.7.3", seat, d.good, d.row))


def dismiss(b: Board, seat: Seat, d: moves.Dismiss, tell: Tell) -> None:
    """Dismiss a worker replaced by a machine (WF-4.7.3)."""
    b.asked.pop()
    tell(moves.WorkerDismissed("WF-4.7.3", seat))


# --- candidates ---


INSTALLS = tuple(moves.Install(good, row) for good in GOODS for row in PRODUCTION_ROWS)
RELOCATIONS = tuple(moves.Relocate(good, row) for good in GOODS for row in PRODUCTION_ROWS)
