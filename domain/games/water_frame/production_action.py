"""The production action of the grey markers (WF-4.12)."""

from __future__ import annotations

from collections.abc import Iterable

from daybook.domain.games.water_frame import bank, people, production, storage, tiles
from daybook.domain.games.water_frame.board import Board
from daybook.domain.games.water_frame.moves import GoodsProduced, MarkGone, Produce, WagesReckoned
from daybook.domain.games.water_frame.printed import GOODS, PRODUCTION_ROWS
from daybook.domain.kernel.terms import Decision, Seat, Tell, WhyNot, holds, refuse_unless

# --- checks ---


@holds("no factory has produced in this action")
def not_produced(b: Board) -> WhyNot:
    return refuse_unless(not b.turn.produced, "produced", "a factory has produced in this action")


@holds("the marker can use this many rows")
def rows_usable(b: Board, d: Produce) -> WhyNot:
    most = b.printed.production_rows[b.turn.marker]
    return refuse_unless(1 <= d.rows <= most, "rows", "this marker uses rows 1 to {most}", most=most)


@holds("the player has the extra shifts")
def extra_shifts_owned(b: Board, seat: Seat, d: Produce) -> WhyNot:
    return refuse_unless(
        not d.extra or b.players[seat].owns("extra_shifts"), "no_tile", "the player has no extra shifts"
    )


# --- action ---


def produce(b: Board, seat: Seat, d: Produce, tell: Tell) -> None:
    """All workers and machines of the rows are paid, complete rows make goods (WF-4.12.2, WF-4.12.3, WF-6.58)."""
    factory = b.factory(seat, d.good)
    if factory.marked:
        factory.marked = False
        tell(MarkGone("WF-4.12.5", seat, d.good))
    workers, machines = sum(factory.workers[: d.rows]), sum(factory.machines[: d.rows])
    full, cheaper, less, upkeep, amount = people.factory_bill(b, seat, d.good, workers, machines)
    tell(WagesReckoned("WF-4.12.3", seat, d.good, workers, full, cheaper, less, machines, upkeep, amount))
    bank.pay(b, seat, amount, "production", "WF-4.12.3", tell)
    b.players[seat].tally.wages += amount - upkeep
    b.players[seat].tally.upkeep += upkeep
    made = production.output(b, seat, d.good, d.rows)
    extra = b.printed.tiles_extra_shifts_goods if d.extra else 0
    if d.extra:
        tiles.give_back(b, seat, "extra_shifts", "WF-4.15.9", tell)
    tell(GoodsProduced("WF-4.12.2", seat, d.good, d.rows, made, extra))
    b.turn.produced = True
    b.turn.affected = [d.good]
    storage.put_in(b, seat, d.good, made + extra, tell)


# --- candidates ---


def candidate_productions(b: Board, seat: Seat) -> Iterable[Decision]:
    if b.turn.produced:
        return ()
    most = b.printed.production_rows[b.turn.marker]
    helped = (False, True) if b.players[seat].owns("extra_shifts") else (False,)
    return [
        Produce(good, rows, extra)
        for good in GOODS
        if b.players[seat].factories[good] is not None
        for rows in PRODUCTION_ROWS[:most]
        for extra in helped
    ]
