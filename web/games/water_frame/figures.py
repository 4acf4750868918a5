"""Terms of the figures of Water Frame, and the effects that change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from daybook.domain.games.water_frame import moves, people, scoring
from daybook.domain.games.water_frame.board import Board, Factory, Held, Player
from daybook.domain.games.water_frame.endings import marked_factories
from daybook.domain.games.water_frame.printed import GOODS
from daybook.domain.kernel.terms import Effect, Seat
from daybook.web.games.water_frame.account import ACCOUNT
from daybook.web.games.water_frame.values import pounds
from daybook.web.words.figure_terms import (
    FigureTerms,
    Input,
    Move,
    Moves,
    Rule,
    by,
    cause_before,
    moves_of_account,
    sets,
    shifts,
    to,
)
from daybook.web.words.figure_terms import moves as moves_by
from daybook.web.words.say import say

AT_THE_END = ("marked_factory", "contract")  # causes of what the end of the game takes off
BUILT = (moves.FactoryFounded, moves.FactoryBuilt)
HIRED = (moves.WorkerHired, moves.WarehouseHired)
FIRED = (moves.WorkerFired, moves.WarehouseFired)
RAISED = (moves.FactoryFounded, moves.FactoryBuilt, moves.FactoryModernized, moves.FactoryClosed)
BECAUSE: Mapping[type[Effect], tuple[type[Effect], ...]] = {  # effect -> those from which it follows
    moves.MoneyGiven: (moves.EventRevealed,),
    moves.WorkersMoved: (moves.EventRevealed,),
    moves.ImporterMoved: (moves.EventRevealed,),
    moves.QualityChanged: (moves.EventRevealed,),
    moves.DistributionChanged: (moves.EventRevealed,),
    moves.PriceFallen: (moves.DistributionDecayed, moves.DistributionChanged, moves.QualityChanged),
    moves.FactoryObsolete: (moves.DecadeBegun,),
}


RECKONED = {  # expense -> the effect that says what it is for
    "wages": moves.WagesReckoned,
    "production": moves.WagesReckoned,
    "harbour": moves.HarbourReckoned,
    "obsolescence": moves.WorkersLacking,
}


def cause_of_effect(effects: Sequence[Effect], place: int) -> int | None:
    """Return the place of the effect from which another one follows; None if it says its cause itself."""
    effect = effects[place]
    if not isinstance(effect, moves.Paid):
        return cause_before(effects, place, BECAUSE)
    reckoned = RECKONED.get(effect.expense)
    return next(
        (
            at
            for at in range(place - 1, -1, -1)
            if reckoned and isinstance(effects[at], reckoned) and getattr(effects[at], "seat", None) == effect.seat
        ),
        None,
    )


def figure_terms(b: Board, keys: Sequence[str]) -> FigureTerms | None:
    """Return what a figure is worked out from on a board; None if there is none now. Raises LookupError if it is unknown."""
    match keys:
        case ["columns", column, seat]:
            return column_figure(b, int(seat), column)
        case ["players" | "holding", seat, what]:
            return column_figure(b, int(seat), {"worth": "portfolio", "value": "share_value"}.get(what, what))
        case ["players", seat, "contracts", good]:
            return single(b.players[int(seat)].contracts[good], contract_moves(int(seat), good))
        case ["players", seat, "stored", good]:
            return single(b.players[int(seat)].stored[good], stored_moves(b, int(seat), good))
        case ["players", seat, "factories", good, what]:
            factory = b.players[int(seat)].factories[good]
            return None if factory is None else factory_figure(b, int(seat), good, factory, what)
        case ["appeal", good, seat]:
            factory = b.players[int(seat)].factories[good]
            return None if factory is None else factory_figure(b, int(seat), good, factory, "appeal")
        case ["demand", good]:
            return market_figure(b, lambda then: people.demand(then, good), demand_formula(b, good))
        case ["wage"]:
            return market_figure(b, people.wage, wage_formula(b), is_money=True)
        case ["market" | "fired" | "box" as pile]:
            if pile == "box":
                return single(b.box, pile_moves(pile))
            return FigureTerms(inputs=piles_inputs(b), value=lambda market, fired: fired if pile == "fired" else market)
        case ["importers", good]:
            rules = moves_by(to(moves.EconomyRevealed, "importer"), to(moves.ImporterMoved, "space"), good=good)
            return single(b.importers[good], rules)
        case ["tiles", kind]:
            tile_moves = moves_by(
                by(moves.TileTaken, 1, -1), by(moves.TileReturned, 1), to(moves.TileLaidOut, "copies"), kind=kind
            )
            laid = moves_by(to(moves.TilesLaidOut, lambda e: e.tiles.get(kind, 0)), *sets(moves.MatMarkerLaid))
            return single(b.tiles.get(kind, 0), {**tile_moves, **laid})
        case ["turn", "paid"]:
            if not b.turn.marker:
                return None
            paid = moves_by(to(moves.MarkerPlaced, "paid"), to(moves.MarkerReused, "paid"))
            return single(b.turn.paid, paid, is_money=True)
        case ["sale", *rest]:
            return sale_figure(b, rest) if b.sale.made else None
    raise LookupError(keys)


def single(amount: int, rules: Moves, is_money: bool = False, stays: bool = False) -> FigureTerms:
    """Return a figure that is its only input."""
    return FigureTerms(inputs=[Input("", amount, rules)], is_money=is_money, stays=stays)


# --- the job market --------------------------------------------------------------------------------------------------


def pile_moves(pile: str) -> Moves:
    """Return what moves workers into a pile and out of it."""
    came: list[Rule] = [by(moves.WorkersMoved, lambda e: e.count * ((e.to == pile) - (e.origin == pile)))]
    if pile == "box":
        return moves_by(*came)
    to_fired = pile == "fired"
    hired = [by(kind, lambda e: -int(e.origin == pile)) for kind in HIRED]
    back = 1 if to_fired else -1
    return moves_by(
        *came,
        *hired,
        by(moves.CrewHired, pile, -1),
        by(moves.EconomyRevealed, "returned", -back),
        *(shifts(kind, lambda e, piles: hired_from(e.workers, piles, "market", pile)) for kind in BUILT),
        shifts(moves.FactoryObsolete, lambda e, piles: hired_from(e.workers, piles, "fired", pile)),
        *(
            (
                *(by(kind, 1) for kind in FIRED),
                by(moves.FactoryClosed, "workers"),
                by(moves.NoLongerObsolete, "workers"),
                by(moves.MachineInstalled, 1),
                by(moves.WorkerRelocated, 1, -1),
                by(moves.CrewDismissed, "count"),
            )
            if to_fired
            else ()
        ),
    )


def hired_from(workers: int, piles: Sequence[Any], first: str, pile: str) -> int:
    """Return the workers of a pile after some are hired: from the first pile, then from the other (WF-4.1.8)."""
    there: dict[str, int] = dict(zip(("market", "fired"), piles, strict=True))
    from_first, left = min(workers, there[first]), there[pile]
    return left - (from_first if first == pile else workers - from_first)


def piles_inputs(b: Board) -> list[Input]:
    """Return the workers on the job market and on the fired space; only the first has a name."""
    return [
        Input(say("workers on the job market"), b.market, pile_moves("market")),
        Input("", b.fired, pile_moves("fired")),
    ]


def market_figure(b: Board, read: Callable[[Board], int], formula: str, is_money: bool = False) -> FigureTerms:
    """Return a figure that the workers on the job market decide."""

    def value(market: int, fired: int) -> int:
        then = msgspec.structs.replace(b, market=market)
        then.on(b.table)
        return read(then)

    return FigureTerms(inputs=piles_inputs(b), value=value, formula=formula, is_money=is_money)


def demand_formula(b: Board, good: str) -> str:
    spaces = (b.empty + len(GOODS) - 1 - GOODS.index(good)) // len(GOODS)
    unnumbered = b.printed.goods_rows[good].unnumbered
    return say(
        "{empty} empty spaces in the column − {unnumbered} without a number", empty=spaces, unnumbered=unnumbered
    )


def wage_formula(b: Board) -> str:
    row = people.lowest_empty_row(b)
    return say("row {row} is the lowest empty row of the job market", row=row) if row else say("the job market is full")


# --- players ---------------------------------------------------------------------------------------------------------


def column_figure(b: Board, seat: Seat, column: str) -> FigureTerms | None:
    """Return a figure of the ledger, or of a player's board."""
    player = b.players[seat]
    match column:
        case "cash":
            return single(player.cash, moves_of_account(ACCOUNT, "cash", seat), is_money=True)
        case "loans":
            return single(player.loans, loans_moves(seat))
        case "shares":
            return single(player.shares, shares_moves(seat))
        case "bank":
            return single(player.bank, bank_moves(seat))
        case "space":
            return single(player.space, space_moves(seat))
        case "share_value":
            return FigureTerms(
                inputs=[space_input(player, seat)],
                value=lambda space: b.printed.values[space],
                formula=say("space {space} of the share value track", space=player.space),
                stays=True,
                is_money=True,
            )
        case "portfolio":
            return FigureTerms(
                inputs=[shares_input(player, seat), space_input(player, seat)],
                value=lambda shares, space: shares * b.printed.values[space],
                formula=f"{player.shares} × {pounds(b.share_value(seat))}",
                is_money=True,
            )
        case "score":
            return score_figure(b, seat)
        case "factories":
            return single(
                len(player.standing),
                moves_by(
                    by(moves.FactoryFounded, 1), by(moves.FactoryBuilt, 1), by(moves.FactoryClosed, 1, -1), seat=seat
                ),
            )
        case "workers":
            return single(workers_of(player), workers_moves(seat))
        case "machines":
            amount = sum(sum(factory.machines) for factory in player.factories.values() if factory is not None)
            return single(amount, machines_moves(seat))
        case "stored":
            return single(sum(player.stored.values()), stored_moves(b, seat))
        case "contracts":
            return single(
                sum(map(bool, player.contracts.values())),
                moves_by(
                    by(moves.ContractPlaced, lambda e: int(not e.before)), by(moves.ContractFulfilled, 1, -1), seat=seat
                ),
            )
    return tally_figure(player, seat, column)


def tally_figure(player: Player, seat: Seat, column: str) -> FigureTerms:
    """Return a figure that was added up since the game began."""
    tally = player.tally
    match column:
        case "sold_food" | "sold_clothes" | "sold_cutlery" | "sold_lamps":
            good = column.removeprefix("sold_")
            return single(tally.goods[good], moves_by(by(moves.SalesPaid, "count"), seat=seat, good=good))
        case "income":
            return single(tally.income, moves_by(by(moves.SalesPaid, "amount"), seat=seat), is_money=True)
        case "shipped":
            return single(
                tally.shipped,
                moves_by(by(moves.ContractFulfilled, "amount"), by(moves.OfficePaid, "amount"), seat=seat),
                is_money=True,
            )
        case "wages":
            rules = moves_by(
                by(moves.WagesReckoned, lambda e: e.amount - e.upkeep), *sets(moves.HarbourReckoned), seat=seat
            )
            return single(tally.wages, rules, is_money=True)
        case "upkeep":
            return single(tally.upkeep, moves_by(by(moves.WagesReckoned, "upkeep"), seat=seat), is_money=True)
        case "appeal_bonuses" | "sales_bonuses":
            cause = "appeal" if column == "appeal_bonuses" else "most_sold"
            return single(getattr(tally, column), moves_by(by(moves.ShareValueMoved, 1), seat=seat, cause=cause))
        case "spaces_up" | "spaces_down":
            sign = 1 if column == "spaces_up" else -1
            rules = moves_by(by(moves.ShareValueMoved, lambda e: max(0, sign * (e.to - e.origin))), seat=seat)
            return single(getattr(tally, column), rules)
        case "fulfilled":
            return single(tally.contracts, moves_by(by(moves.ContractFulfilled, 1), seat=seat))
    raise LookupError(column)


def loans_moves(seat: Seat) -> Moves:
    return moves_by(by(moves.LoansTaken, "count"), by(moves.LoansRepaid, "count", -1), seat=seat)


def shares_moves(seat: Seat) -> Moves:
    return moves_by(
        by(moves.SharesBought, "count"),
        by(moves.SharesSold, "count", -1),
        by(moves.EmergencySale, "count", -1),
        by(moves.SharesReturned, "count", -1),
        seat=seat,
    )


def bank_moves(seat: Seat) -> Moves:
    return moves_by(
        by(moves.SharesBought, "count", -1),
        by(moves.SharesSold, "count"),
        by(moves.EmergencySale, "count"),
        *sets(moves.SharesReturned, moves.LoansTaken, moves.LoansRepaid),
        seat=seat,
    )


def space_moves(seat: Seat) -> Moves:
    return moves_by(to(moves.ShareValueMoved, "to"), seat=seat)


def shares_input(player: Player, seat: Seat) -> Input:
    return Input(say("shares"), player.shares, shares_moves(seat))


def space_input(player: Player, seat: Seat) -> Input:
    """Return the space of the share value, which its effect names itself."""
    return Input("", player.space, space_moves(seat))


def score_figure(b: Board, seat: Seat) -> FigureTerms:
    """Return the score: the shares at their value after what the end takes off (WF-5.1)."""
    player, held, marked = b.players[seat], scoring.before_end(b, seat), marked_factories(b, seat)
    back = sum(player.contracts.values())

    def score(shares: int, space: int, marked: int, back: int) -> int:
        then = Held(space, shares)
        then = scoring.without_marked(b, then, marked) if marked else then
        then = scoring.without_contracts(b, then, back) if back else then
        return scoring.shares_worth(b, then)

    inputs = [
        Input(say("shares"), held.shares, without(shares_moves(seat), moves.SharesReturned)),
        Input("", held.space, before_the_end(space_moves(seat))),
        Input(
            say("marked factories"), marked, moves_by(*sets(moves.FactoryMarked, moves.MarkGone, *RAISED), seat=seat)
        ),
        Input(
            say("spaces of contracts"),
            back,
            moves_by(
                by(moves.ContractPlaced, lambda e: e.space - e.before),
                by(moves.ContractRaised, lambda e: e.space - e.before),
                by(moves.ContractFulfilled, "space", -1),
                seat=seat,
            ),
        ),
    ]
    worth = scoring.shares_worth(b, held)
    formula = say("{shares} × {value}", shares=held.shares, value=pounds(b.printed.values[held.space]))
    less = worth - score(held.shares, held.space, marked, back)
    if less:
        formula = say(
            "{worth} − {less} for contracts and marked factories that the end takes off",
            worth=formula,
            less=pounds(less),
        )
    return FigureTerms(inputs=inputs, value=score, formula=formula, is_money=True)


def without(rules: Moves, kind: type[Effect]) -> Moves:
    return {each: move for each, move in rules.items() if each is not kind}


def before_the_end(rules: Moves) -> Moves:
    """Leave out what the end of the game takes off: the score counts it as long as it is due."""
    move = rules[moves.ShareValueMoved]

    def limited(effect: Any) -> Move | None:
        return None if effect.cause in AT_THE_END else move(effect)

    return {moves.ShareValueMoved: limited}


def workers_of(player: Player) -> int:
    employed = sum(factory.people for factory in player.factories.values() if factory is not None)
    return employed + sum(player.slots.values()) + player.crew


def machines_moves(seat: Seat, good: str = "") -> Moves:
    """Return what moves machines, of a factory or of all."""
    of = {"good": good} if good else {}
    return moves_by(
        by(moves.MachineInstalled, 1),
        by(moves.WorkerFired, "machines", -1),
        by(moves.FactoryClosed, "machines", -1),
        seat=seat,
        **of,
    )


def contract_moves(seat: Seat, good: str) -> Moves:
    return moves_by(
        to(moves.ContractPlaced, "space"),
        to(moves.ContractRaised, "space"),
        to(moves.ContractFulfilled, 0),
        seat=seat,
        good=good,
    )


def workers_moves(seat: Seat, good: str = "") -> Moves:
    """Return what moves workers of a factory, or all of a player."""
    if good:
        return {kind: move for kind, move in workers_moves_of(seat, good=good).items() if has_good(kind)}
    return workers_moves_of(seat)


def has_good(kind: type[Effect]) -> bool:
    return "good" in kind.__struct_fields__


def workers_moves_of(seat: Seat, **of: str) -> Moves:
    return moves_by(
        *(by(kind, 1) for kind in HIRED),
        *(by(kind, 1, -1) for kind in FIRED),
        by(moves.FactoryFounded, "workers"),
        by(moves.FactoryBuilt, "workers"),
        by(moves.FactoryObsolete, "workers"),
        by(moves.FactoryClosed, "workers", -1),
        by(moves.NoLongerObsolete, "workers", -1),
        by(moves.MachineInstalled, 1, -1),
        by(moves.WorkerRelocated, 1),
        by(moves.CrewHired, lambda e: e.market + e.fired),
        by(moves.CrewDismissed, "count", -1),
        seat=seat,
        **of,
    )


def stored_moves(b: Board, seat: Seat, good: str = "") -> Moves:
    """Return what moves stored goods, of one kind or all."""
    of = {"good": good} if good else {}
    own = moves_by(
        by(moves.GoodsStored, "count"),
        by(moves.GoodsLost, "count", -1),
        by(moves.StoredSold, "count", -1),
        by(moves.ContractFulfilled, "stored", -1),
        by(moves.PatronSold, lambda e: -int(e.source == "storage")),
        seat=seat,
        **of,
    )
    if good and not (b.cycle and b.good == good):
        return own
    return {**own, **moves_by(by(moves.GoodsTaken, lambda e: -e.stored.count(seat)))}


# --- factories -------------------------------------------------------------------------------------------------------


def factory_figure(b: Board, seat: Seat, good: str, factory: Factory, what: str) -> FigureTerms | None:
    base = b.base_quality(seat, good)
    at = {"seat": seat, "good": good}
    match what:
        case "level":
            return single(factory.level, moves_by(*sets(*RAISED), **at))
        case "base":
            return single(base, moves_by(*sets(*RAISED), **at))
        case "quality":
            return single(factory.quality, quality_moves(seat, good))
        case "distribution":
            return single(factory.distribution, distribution_moves(seat, good))
        case "price":
            return single(factory.price, price_moves(seat, good), is_money=True)
        case "appeal":
            inputs = [
                Input(say("base quality"), base, moves_by(*sets(*RAISED), **at)),
                Input(say("quality marker"), factory.quality, quality_moves(seat, good)),
                Input(say("distribution"), factory.distribution, distribution_moves(seat, good)),
                Input(say("price"), factory.price, price_moves(seat, good)),
            ]
            return FigureTerms(
                inputs=inputs,
                value=lambda base, quality, distribution, price: base + quality + distribution - price,
                formula=say(
                    "quality {quality} + distribution {distribution} − price {price}",
                    quality=base + factory.quality,
                    distribution=factory.distribution,
                    price=factory.price,
                ),
            )
        case "workers":
            return single(factory.people, workers_moves(seat, good))
        case "machines":
            return single(sum(factory.machines), machines_moves(seat, good))
        case "makes":
            return makes_figure(b, seat, good, factory)
    raise LookupError(what)


def quality_moves(seat: Seat, good: str) -> Moves:
    return moves_by(
        to(moves.QualityRaised, "quality"), to(moves.QualityChanged, "quality"), *sets(*RAISED), seat=seat, good=good
    )


def distribution_moves(seat: Seat, good: str) -> Moves:
    return moves_by(
        to(moves.DistributionRaised, "distribution"),
        to(moves.DistributionDecayed, "distribution"),
        to(moves.DistributionChanged, "distribution"),
        *sets(*RAISED),
        seat=seat,
        good=good,
    )


def price_moves(seat: Seat, good: str) -> Moves:
    return moves_by(to(moves.PriceSet, "price"), to(moves.PriceFallen, "price"), *sets(*RAISED), seat=seat, good=good)


def makes_figure(b: Board, seat: Seat, good: str, factory: Factory) -> FigureTerms:
    """Return what the complete rows of a factory make."""
    rows = [row for row in range(1, len(factory.workers) + 1) if b.complete(seat, good, row)]
    outputs = [b.printed.row_output(good, factory.level, row) for row in rows]
    rules = moves_by(
        *sets(*RAISED, moves.WorkerHired, moves.WorkerFired, moves.MachineInstalled, moves.WorkerRelocated),
        seat=seat,
        good=good,
    )
    formula = " + ".join(say("{n} by row {row}", n=n, row=row) for n, row in zip(outputs, rows, strict=True))
    return FigureTerms(inputs=[Input("", sum(outputs), rules)], formula=formula or say("no row is complete"))


# --- the sale --------------------------------------------------------------------------------------------------------


def sale_figure(b: Board, keys: Sequence[str]) -> FigureTerms | None:
    """Return a figure of the sale of the active good."""
    sale = b.sale
    match keys:
        case ["demand"]:
            if b.stage != "call_out":
                return None
            rules = moves_by(to(moves.DemandCounted, "demand"), to(moves.GoodsTaken, "demand"))
            return single(sale.call.demand, rules)
        case ["importer"]:
            return single(sale.importer, moves_by(by(moves.GoodsTaken, lambda e: int(e.importer))))
        case ["made" | "sold" | "unsold" as what, seat_key]:
            seat = int(seat_key)
            if b.players[seat].factories[b.good] is None:
                return None
            return seller_figure(b, seat, what)
    raise LookupError(keys)


def seller_figure(b: Board, seat: Seat, what: str) -> FigureTerms:
    made = moves_by(by(moves.FactoryProduced, "made"), by(moves.RowClosed, "less", -1), seat=seat)
    if what == "made":
        return single(b.sale.made[seat], made)
    if what == "sold":
        taken = moves_by(
            by(moves.GoodsTaken, lambda e: e.produced.count(seat) + e.extra.count(seat) + e.stored.count(seat))
        )
        return single(b.sale.total(seat), {**taken, **moves_by(by(moves.PatronSold, 1), seat=seat)})
    rules = moves_by(
        by(moves.ExtraGoodMade, lambda e: e.count - int(e.sold)),
        by(moves.PatronSold, lambda e: -int(e.source == "production")),
        by(moves.ContractFulfilled, "produced", -1),
        *sets(moves.GoodsStored, moves.GoodsLost),
        seat=seat,
    )
    taken = moves_by(by(moves.GoodsTaken, lambda e: -e.produced.count(seat)))
    return single(b.sale.at_hand[seat], {**made, **rules, **taken})
