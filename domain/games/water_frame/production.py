"""The production phase of the active good, from the output to the contracts (WF-4.16 to WF-4.19).

The steps of its stages are automatic until a seat has to decide (WF-4.0.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations

import msgspec

from daybook.domain.games.water_frame import bank, callout, moves, people, tiles
from daybook.domain.games.water_frame.board import Board, Factory, Sale, Stage
from daybook.domain.games.water_frame.callout import CallOut, Stall, Takers
from daybook.domain.games.water_frame.printed import PRODUCTION_ROWS
from daybook.domain.kernel.rule_parts import as_check
from daybook.domain.kernel.terms import Decision, Seat, Table, Tell, WhyNot, by_number, holds, refuse_unless

WINDOWS: tuple[Stage, ...] = ("school_second", "extra_shifts", "patron")  # of each player, after the call-out

# --- output ---


def begin(b: Board, tell: Tell) -> None:
    """Make the goods of everyone's factory of the active good (WF-4.16.1). Production is compulsory."""
    none, no = [0] * b.seats, [False] * b.seats
    b.sale = Sale(
        made=list(none),
        at_hand=list(none),
        sold=list(none),
        extra=list(none),
        from_store=list(none),
        patron=list(none),
        closed=list(none),
        stopped=list(no),
        offered=list(no),
    )
    b.stage = "school_first"
    b.turns = 0
    tell(moves.PhaseBegun("WF-4.16", "production"))
    for seat in producers(b):
        made = output(b, seat, b.good, len(PRODUCTION_ROWS))
        b.sale.made[seat] = b.sale.at_hand[seat] = made
        tell(moves.FactoryProduced("WF-4.16.1", seat, b.good, made))


def producers(b: Board) -> list[Seat]:
    """Owners of a factory of the active good, in player order."""
    good, players = b.good, b.players
    return [seat for seat in b.in_order() if players[seat].factories[good] is not None]


def output(b: Board, seat: Seat, good: str, rows: int) -> int:
    """Goods that the complete ones of a factory's first rows make."""
    return sum(row_output(b, seat, good, row) for row in PRODUCTION_ROWS[:rows])


def row_output(b: Board, seat: Seat, good: str, row: int) -> int:
    return b.printed.row_output(good, b.factory(seat, good).level, row) if b.complete(seat, good, row) else 0


# --- the school ---


def last_row(factory: Factory) -> int:
    """Return the highest row with workers, or 0."""
    return max((row for row in PRODUCTION_ROWS if factory.workers[row - 1]), default=0)


def may_close(b: Board, seat: Seat) -> bool:
    """Check if the school of a player may still close a row (WF-4.16.4)."""
    factory = b.players[seat].factories[b.good]
    school = b.players[seat].owns("school") and not b.sale.closed[seat]
    return factory is not None and school and last_row(factory) > 0


def sold_too_much(b: Board, seat: Seat) -> bool:
    """Check if the last row's goods are sold already (WF-4.16.13)."""
    less = row_output(b, seat, b.good, last_row(b.factory(seat, b.good)))
    return b.sale.sold[seat] > b.sale.made[seat] - less


def school_first(b: Board, tell: Tell) -> bool:
    """Go to the next player, or open the sale after the last; wait if the player can close a row."""
    if b.turns == b.seats:
        open_sale(b, tell)
    elif may_close(b, b.mover):
        return False
    else:
        b.turns += 1
    return True


@holds("the player has the school and a row that it can close")
def school_owned(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(may_close(b, seat), "no_row", "the player has no school, or no row for it to close")


@holds("the goods of the row are not sold yet")
def row_unsold(b: Board, seat: Seat) -> WhyNot:
    """Before the sale nothing is sold."""
    return refuse_unless(not sold_too_much(b, seat), "row_sold", "goods of the last row are sold already")


def row_closed(b: Board, seat: Seat, d: moves.CloseRow, tell: Tell) -> None:
    """Close the school's row, and its window, as there is no second row."""
    row = last_row(b.factory(seat, b.good))
    less = row_output(b, seat, b.good, row)
    rule = "WF-4.16.4" if b.stage == "school_first" else "WF-4.16.13"
    b.sale.closed[seat] = row
    b.sale.made[seat] -= less
    b.sale.at_hand[seat] -= less
    tell(moves.RowClosed(rule, seat, b.good, row, less))


# --- the call-out ---


def open_sale(b: Board, tell: Tell) -> None:
    """Set the demand, and the token on the most advanced indicator (WF-4.16.2, WF-4.16.5)."""
    demand, importer = people.demand(b, b.good), b.importers[b.good]
    tell(moves.DemandCounted("WF-4.16.2", b.good, demand, importer))
    b.sale.call = callout.begin_call_out(demand, stalls(b), importer)
    b.stage = "call_out"
    b.turns = 0


def stalls(b: Board) -> list[Stall]:
    """Return the sellers (WF-4.16.3)."""
    good = b.good
    return [Stall(seat, b.appeal(seat, good), b.quality(seat, good), *on_offer(b, seat)) for seat in producers(b)]


def on_offer(b: Board, seat: Seat) -> tuple[int, int, bool, bool]:
    """Return the parts of a stall that change during the sale."""
    return b.sale.at_hand[seat], b.players[seat].stored[b.good], may_shift(b, seat), b.sale.stopped[seat]


def may_shift(b: Board, seat: Seat) -> bool:
    """Check if extra shifts may be used in the call-out: at the first call without production (WF-4.16.10)."""
    return b.players[seat].owns("extra_shifts") and not b.sale.offered[seat]


def call_out(b: Board, tell: Tell) -> bool:
    """Sell goods in the call-out until a player has to choose, or until its end."""
    sells_on, call, shown = b.printed.rulings.importer_sells_on, b.sale.call, stalls(b)
    order = callout.groups(shown, b.importers[b.good])
    while (taken := callout.goes_on(call, shown, order, sells_on)) is not None:
        hand_out_goods(b, taken, tell)
        shown = [Stall(stall.seat, stall.appeal, stall.quality, *on_offer(b, stall.seat)) for stall in shown]
    if call.asked is not None:
        return False
    tell(moves.CallOutEnded("WF-4.16.12", goods_sold(b), b.sale.importer, call.demand))
    b.sale.call = CallOut()
    b.stage = WINDOWS[0]
    return True


def hand_out_goods(b: Board, taken: Takers, tell: Tell) -> None:
    sale = b.sale
    for seat in taken.produced:
        sale.sold[seat] += 1
        sale.at_hand[seat] -= 1
    for seat in taken.extra:
        sale.extra[seat] += 1
    for seat in taken.stored:
        sale.from_store[seat] += 1
        b.players[seat].stored[b.good] -= 1
    sale.importer += taken.importer
    tell(
        moves.GoodsTaken(
            "WF-4.16.5",
            taken.token,
            taken.produced,
            taken.extra,
            taken.stored,
            taken.importer,
            taken.demand,
            taken.spare,
        )
    )


def goods_sold(b: Board) -> tuple[int, ...]:
    """Goods sold by each seat."""
    return tuple(b.sale.total(seat) for seat in range(b.seats))


@holds("this many goods are stored")
def goods_stored(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(b.players[seat].stored[b.good], "nothing_stored", "the player stores no {good}", good=b.good)


def stored_sold(b: Board, seat: Seat, d: moves.SellStored, tell: Tell) -> None:
    b.sale.offered[seat] = True
    b.sale.call.stored.append(seat)


def stop(b: Board, seat: Seat, d: moves.Stop, tell: Tell) -> None:
    """Stop selling for this call-out, also with extra shifts (WF-4.16.9)."""
    b.sale.offered[seat] = b.sale.stopped[seat] = True
    tell(moves.SaleStopped("WF-4.16.9", seat))


# --- extra shifts ---


@holds("the player has the tile for extra shifts")
def shifts_owned(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        b.players[seat].owns("extra_shifts"), "no_tile", "the player has no {kind} tile", kind="extra_shifts"
    )


@holds("it is the first call after the production is sold")
def first_call(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        b.stage == "extra_shifts" or may_shift(b, seat),
        "too_late",
        "extra shifts sell only at the first call after the production is sold",
    )


def extra_shift(b: Board, seat: Seat, d: moves.ExtraShift, tell: Tell) -> None:
    """Make an extra good: sold at once in the call-out, not sold afterwards (WF-4.16.10, WF-4.16.14)."""
    goods, in_call = b.printed.tiles_extra_shifts_goods, b.stage == "call_out"
    tiles.give_back(b, seat, "extra_shifts", "WF-4.15.9", tell)
    if in_call:
        b.sale.offered[seat] = True
        b.sale.call.extra.append(seat)
        b.sale.at_hand[seat] += goods - 1
        tell(moves.ExtraGoodMade("WF-4.16.10", seat, b.good, goods, True))
        return
    b.sale.at_hand[seat] += goods
    tell(moves.ExtraGoodMade("WF-4.16.14", seat, b.good, goods, False))


# --- the windows after the call-out ---


def skip_useless_school(b: Board, tell: Tell) -> bool:
    """Settle the sales after the last player; else skip a window in which the school can close no row."""
    if b.turns == b.seats:
        settle(b, tell)
        return True
    return skip_window_if(b, not may_close(b, b.mover) or sold_too_much(b, b.mover))


def skip_useless_extra_shifts(b: Board, tell: Tell) -> bool:
    """Skip the player's window for extra shifts if the tile or the factory is missing; return if skipped."""
    return skip_window_if(
        b, not b.players[b.mover].owns("extra_shifts") or b.players[b.mover].factories[b.good] is None
    )


def skip_useless_patron(b: Board, tell: Tell) -> bool:
    """Skip the player's window if nothing can be sold to the Patron; return if skipped."""
    return skip_window_if(b, not may_sell_to_patron(b, b.mover))


def skip_window_if(b: Board, useless: bool) -> bool:
    """Go to the next window if this one is of no use; return `useless`."""
    if useless:
        leave_window(b)
    return useless


def leave_window(b: Board) -> None:
    place = WINDOWS.index(b.stage)
    b.stage = WINDOWS[(place + 1) % len(WINDOWS)]
    b.turns += b.stage == WINDOWS[0]


def close_window(b: Board, seat: Seat, d: Decision, tell: Tell) -> None:
    """End the player's current window."""
    if b.stage == "school_first":
        b.turns += 1
    else:
        leave_window(b)


# --- patrons ---


def may_sell_to_patron(b: Board, seat: Seat) -> bool:
    player = b.players[seat]
    owns = player.owns(f"patron_{b.good}") and player.factories[b.good] is not None
    return owns and (b.sale.at_hand[seat] > 0 or player.stored[b.good] > 0)


@holds("the player has the patron")
def patron_owned(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        b.players[seat].owns(f"patron_{b.good}"), "no_tile", "the player has no {kind} tile", kind=f"patron_{b.good}"
    )


@holds("the player has goods for the patron")
def patron_good(b: Board, seat: Seat, d: moves.PatronSale) -> WhyNot:
    if d.source == "production":
        return refuse_unless(b.sale.at_hand[seat], "all_sold", "the production is sold out")
    return refuse_unless(b.players[seat].stored[b.good], "nothing_stored", "the player stores no {good}", good=b.good)


def patron_sold(b: Board, seat: Seat, d: moves.PatronSale, tell: Tell) -> None:
    """Sell a good to the patron, beyond demand and appeal (WF-4.16.15)."""
    if d.source == "production":
        b.sale.at_hand[seat] -= 1
    else:
        b.players[seat].stored[b.good] -= 1
    b.sale.patron[seat] += 1
    tell(moves.PatronSold("WF-4.16.15", seat, b.good, d.source))
    close_window(b, seat, d, tell)


# --- income, rise, wages, decay ---


def settle(b: Board, tell: Tell) -> None:
    """Carry out the consequences of the sale for all players, up to the shipping (WF-4.16.18)."""
    pay_income(b, tell)
    raise_share_values(b, tell)
    pay_wages(b, tell)
    decay(b, tell)
    b.stage = "shipping"
    b.turns = 0


def pay_income(b: Board, tell: Tell) -> None:
    """Pay the price for each good sold (WF-4.16.16)."""
    for seat in producers(b):
        count, price = b.sale.total(seat), b.factory(seat, b.good).price
        if count:
            player = b.players[seat]
            player.cash += count * price
            player.tally.income += count * price
            player.tally.goods[b.good] += count
            tell(moves.SalesPaid("WF-4.16.16", seat, b.good, count, price, count * price))


def raise_share_values(b: Board, tell: Tell) -> None:
    """Raise share values for goods sold, for the most appealing and the most sold ones (WF-4.17)."""
    numbers, sold = b.printed, goods_sold(b)
    appeals = [b.appeal(seat, b.good) for seat in range(b.seats)]
    most_appealing = leader(b, appeals, b.importers[b.good], sold)
    most_sold = leader(b, sold, b.sale.importer, sold)
    for seat in b.in_order():
        if sold[seat]:
            rise = numbers.rise_one_sold if sold[seat] == 1 else numbers.rise_more_sold
            bank.move_share_value(b, seat, rise, "sales", "WF-4.17.1", tell)
        if seat == most_appealing:
            b.players[seat].tally.appeal_bonuses += 1
            bank.move_share_value(b, seat, numbers.rise_appeal, "appeal", "WF-4.17.2", tell)
        if seat == most_sold:
            b.players[seat].tally.sales_bonuses += 1
            bank.move_share_value(b, seat, numbers.rise_sales, "most_sold", "WF-4.17.3", tell)


def leader(b: Board, figures: Iterable[int], importer: int, sold: tuple[int, ...]) -> Seat | None:
    """Return the only first of all players, ahead of an importer that sold a good; the charisma breaks a tie.

    WF-4.17.2 to WF-4.17.5.
    """
    values = list(figures)
    most = max(values)
    first = [seat for seat, value in enumerate(values) if value == most]
    if importer > most or (importer == most and not b.printed.rulings.charisma_beats_importer_tie):
        return None
    if len(first) > 1 or importer == most:
        first = [seat for seat in first if b.players[seat].owns("charisma")]
    return next((seat for seat in first if sold[seat]), None)


def pay_wages(b: Board, tell: Tell) -> None:
    """Successful or not; a row closed by the school costs nothing (WF-4.18.1 to WF-4.18.3)."""
    for seat in producers(b):
        factory, tally, shut = b.factory(seat, b.good), b.players[seat].tally, b.sale.closed[seat]
        workers = factory.people - (factory.workers[shut - 1] if shut else 0)
        machines = sum(factory.machines) - (factory.machines[shut - 1] if shut else 0)
        wage, cheaper, less, upkeep, amount = people.factory_bill(b, seat, b.good, workers, machines)
        tell(moves.WagesReckoned("WF-4.18.1", seat, b.good, workers, wage, cheaper, less, machines, upkeep, amount))
        tally.wages += amount - upkeep
        tally.upkeep += upkeep
        bank.pay(b, seat, amount, "wages", "WF-4.18.3", tell)


def decay(b: Board, tell: Tell) -> None:
    """Distribution fades, and the appeal with it; it is not below 0, because then the price falls (WF-4.18.4)."""
    numbers = b.printed
    for seat in producers(b):
        factory = b.factory(seat, b.good)
        if not factory.distribution:
            continue
        factory.distribution = max(0, factory.distribution - numbers.distribution_decay)
        lacking = -b.appeal(seat, b.good)
        if lacking > 0:
            before, factory.price = factory.price, factory.price - lacking
        tell(moves.DistributionDecayed("WF-4.18.4", seat, b.good, factory.distribution, b.appeal(seat, b.good)))
        if lacking > 0:
            tell(moves.PriceFallen("WF-4.18.6", seat, b.good, before, factory.price))
            bank.move_share_value(b, seat, -numbers.distribution_spaces_back, "decay", "WF-4.18.6", tell)


# --- shipping ---


def shipping(b: Board, tell: Tell) -> bool:
    """Let players with a fulfillable contract of the active good decide; then raise the others."""
    if b.turns == b.seats:
        raise_contracts(b, tell)
        b.stage = "storage"
        b.turns = 0
    elif next(candidate_shipments(b, b.mover), None) is not None:
        return False
    else:
        b.turns += 1
    return True


def candidate_shipments(b: Board, seat: Seat) -> Iterator[moves.ShipContract]:
    """Every set of ships that carries what one contract may need (WF-4.19.3)."""
    player = b.players[seat]
    if not player.contracts[b.good]:
        return
    for delta in (0, -b.printed.tiles_agent_goods, b.printed.tiles_agent_goods):
        for size in range(1, len(player.ships) + 1):
            for ships in dict.fromkeys(combinations(sorted(player.ships), size)):
                d = moves.ShipContract(ships, delta)
                if not any(
                    as_check(check)(b, seat, d) for check in (by_agent, factory_stands, goods_at_hand, ships_fit)
                ):
                    yield d


@holds("the player has this contract")
def contract_there(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        b.players[seat].contracts[b.good], "no_contract", "there is no contract of {good}", good=b.good
    )


@holds("the agent can change the contract this much")
def by_agent(b: Board, seat: Seat, d: moves.ShipContract) -> WhyNot:
    """Other quantities need the agent in the colonies (WF-4.15.3)."""
    if not d.delta:
        return None
    return refuse_unless(
        b.players[seat].owns("agent"), "no_tile", "the player has no {kind} tile", kind="agent"
    ) or refuse_unless(
        abs(d.delta) == b.printed.tiles_agent_goods,
        "agent",
        "the agent changes the contract by {goods} at most",
        goods=b.printed.tiles_agent_goods,
    )


@holds("the player has the factory of this good")
def factory_stands(b: Board, seat: Seat) -> WhyNot:
    return refuse_unless(
        b.players[seat].factories[b.good] is not None, "no_factory", "the player has no {good} factory", good=b.good
    )


def quantity(b: Board, seat: Seat, d: moves.ShipContract) -> int:
    """Return the contract space after a shipment."""
    return b.players[seat].contracts[b.good] + d.delta


GOODS_NEEDED = by_number(
    "needed",
    "this needs {needed} {good}, and the player has {there}",
    "this needs {needed} {good}, and the player has {there}",
)


@holds("the player has the goods for the contract")
def goods_at_hand(b: Board, seat: Seat, d: moves.ShipContract) -> WhyNot:
    needed, there = quantity(b, seat, d), b.sale.at_hand[seat] + b.players[seat].stored[b.good]
    return refuse_unless(0 < needed <= there, "too_few_goods", GOODS_NEEDED, needed=needed, good=b.good, there=there)


TOO_MANY_SHIPS = by_number(
    "needed", "these ships are more than {needed} good needs", "these ships are more than {needed} goods need"
)


TOO_SMALL_SHIPS = by_number(
    "needed",
    "{needed} good needs more than a capacity of {capacity}",
    "{needed} goods need more than a capacity of {capacity}",
)


@holds("the ships fit the contract")
def ships_fit(b: Board, seat: Seat, d: moves.ShipContract) -> WhyNot:
    """Own ships that carry it together, none of them too many (WF-4.19.3)."""
    needed, capacity = quantity(b, seat, d), sum(d.ships)
    lacking = Counter(d.ships) - Counter(b.players[seat].ships)
    return (
        refuse_unless(
            not lacking,
            "no_ship",
            "the player has no other ship of capacity {capacity}",
            capacity=next(iter(lacking), None),
        )
        or refuse_unless(capacity >= needed, "ship_too_small", TOO_SMALL_SHIPS, needed=needed, capacity=capacity)
        or refuse_unless(capacity - min(d.ships) < needed, "ship_too_many", TOO_MANY_SHIPS, needed=needed)
    )


def ships_in_order(table: Table, seat: Seat, d: moves.ShipContract) -> Decision:
    return msgspec.structs.replace(d, ships=tuple(sorted(d.ships)))


def contract_shipped(b: Board, seat: Seat, d: moves.ShipContract, tell: Tell) -> None:
    """Ship a contract, goods of this production first (WF-4.19.4); without one the player has finished."""
    numbers, player, needed = b.printed, b.players[seat], quantity(b, seat, d)
    produced = min(needed, b.sale.at_hand[seat])
    space, each = player.contracts[b.good], b.base_quality(seat, b.good)
    b.sale.at_hand[seat] -= produced
    player.stored[b.good] -= needed - produced
    player.contracts[b.good] = 0
    player.cash += needed * each
    player.tally.shipped += needed * each
    player.tally.contracts += 1
    tell(
        moves.ContractFulfilled(
            "WF-4.19.4", seat, b.good, space, produced, needed - produced, each, needed * each, d.ships
        )
    )
    if player.owns("office"):
        player.cash += numbers.tiles_office_pays
        player.tally.shipped += numbers.tiles_office_pays
        tell(moves.OfficePaid("WF-4.15.12", seat, numbers.tiles_office_pays))
    bank.move_share_value(b, seat, -numbers.harbour_ship_spaces * len(d.ships), "shipping", "WF-4.19.4", tell)


def contract_kept(b: Board, seat: Seat, d: moves.Keep, tell: Tell) -> None:
    tell(moves.ContractKept("WF-4.19.1", seat, b.good))
    b.turns += 1


def raise_contracts(b: Board, tell: Tell) -> None:
    """Contracts of the active good that are still there; on the last space the share value falls (WF-4.19.6)."""
    for seat in b.in_order():
        before = b.players[seat].contracts[b.good]
        if not before:
            continue
        if before == b.printed.seats_contract_track[-1]:
            bank.move_share_value(b, seat, -b.printed.harbour_full_track, "full_track", "WF-4.19.6", tell)
        else:
            after = b.players[seat].contracts[b.good] = further(b, before, b.printed.harbour_rise)
            tell(moves.ContractRaised("WF-4.19.6", seat, b.good, before, after))


def further(b: Board, space: int, by: int) -> int:
    """Return the space of the contract track this many spaces on or back, within its ends (WF-2.12.6)."""
    track = b.printed.seats_contract_track
    return track[max(0, min(len(track) - 1, track.index(space) + by))]
