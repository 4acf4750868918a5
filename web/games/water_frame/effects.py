"""What happens in Arkwright: Water Frame, as a player says it aloud, with the sum shown."""

from __future__ import annotations

from daybook.domain.games.water_frame import moves
from daybook.web.games.water_frame.values import (
    event,
    good,
    goods,
    loans,
    machines,
    marker,
    pounds,
    shares,
    ship,
    tell,
    tell_n,
    tile,
    workers,
)
from daybook.web.words.say import N_, Names, Sentences, join_words, say, say_n, says, seat_name, sentences, with_sign

EXPENSES = {
    "foundation": N_("{seat} pays {amount} for the two factories"),
    "administration": N_("{seat} pays {amount} in administrative costs"),
    "building": N_("{seat} pays {amount} for the factory"),
    "modernizing": N_("{seat} pays {amount} for the new level"),
    "inventor": N_("{seat} pays {amount} for the next use of the inventor"),
    "wages": N_("{seat} pays {amount} in wages and upkeep"),
    "production": N_("{seat} pays {amount} for the production"),
    "harbour": N_("{seat} pays {amount} for crews and warehouse workers"),
    "obsolescence": N_("{seat} pays {amount} for workers that are missing"),
    "event": N_("{seat} pays {amount}: the event"),
}
CAUSES = {
    "emergency": N_("the emergency sale"),
    "loans": N_("the loans"),
    "shipping": N_("the shipping"),
    "sales": N_("the goods sold"),
    "appeal": N_("the highest appeal"),
    "most_sold": N_("the most goods sold"),
    "decay": N_("the appeal has nothing left to lose"),
    "full_track": N_("the contract cannot go up"),
    "event": N_("the event"),
    "marked_factory": N_("factories still marked"),
    "contract": N_("contracts not fulfilled"),
}
HOW = {
    "drawn": N_("{seat} is the start player"),
    "clockwise": N_("The start player is now {seat}"),
    "charisma": N_("{by} returns the charisma: {seat} is the start player"),
    "lowest_portfolio": N_("{by} has the lowest portfolio and names {seat} start player"),
}


def paid_sentence(e: moves.Paid, names: Names) -> str:
    return tell(EXPENSES[e.expense], e, names)


def wages_sentence(e: moves.WagesReckoned, names: Names) -> str:
    """Wages for lamps: 2 × £4 + 4 × £2 + £3 upkeep = £19."""
    parts = [
        f"{count} × {pounds(each)}"
        for count, each in ((e.workers - e.cheaper, e.wage), (e.cheaper, e.cheaper_wage))
        if count
    ]
    if e.machines:
        parts.append(say("{amount} for {machines}", amount=pounds(e.upkeep), machines=machines(e.machines)))
    return tell("{seat}, {good}: {sum} = {amount}", e, names, sum=" + ".join(parts) or pounds(0))


def harbour_sentence(e: moves.HarbourReckoned, names: Names) -> str:
    return tell(
        "{seat}, harbour: {warehouse} in the warehouse and {crew} in crews, {n} × {wage} = {amount}",
        e,
        names,
        n=e.warehouse + e.crew,
    )


def emergency_sentence(e: moves.EmergencySale, names: Names) -> str:
    return tell("{seat} has to sell {shares}: {count} × {each} = {amount}", e, names, shares=shares(e.count))


def loans_taken(e: moves.LoansTaken, names: Names) -> str:
    return tell("{seat} takes {loans}: {amount}", e, names, loans=loans(e.count))


def trade_sentence(
    text: str, what: str, e: moves.LoansRepaid | moves.SharesSold | moves.SharesBought, names: Names
) -> str:
    """Shares or loans: a number of them times what each costs."""
    total = pounds(e.amount) if e.count == 1 else f"{e.count} × {pounds(e.each)} = {pounds(e.amount)}"
    return tell(text, e, names, what=what, sum=total)


def bought_sentence(e: moves.SharesBought, names: Names) -> str:
    text = N_("{seat} buys {what} at half price: {sum}") if e.half else N_("{seat} buys {what}: {sum}")
    return trade_sentence(text, shares(e.count), e, names)


def shares_returned(e: moves.SharesReturned, names: Names) -> str:
    if not e.count:
        return tell("{seat} has no share to return for the marked factories", e, names)
    return tell_n(
        "{seat} returns {shares} for {n} marked factory",
        "{seat} returns {shares} for {n} marked factories",
        e.factories,
        e,
        names,
        shares=shares(e.count),
    )


def moved_sentence(e: moves.ShareValueMoved, names: Names) -> str:
    """Anna’s share value: 22 + 3 = 25, £18 (the goods sold)."""
    sum = f"{e.origin} {'+' if e.spaces > 0 else '−'} {abs(e.spaces)}"
    text = (
        N_("{seat}’s share value: {sum}, no further than {to}, {value} ({cause})")
        if e.lost
        else N_("{seat}’s share value: {sum} = {to}, {value} ({cause})")
    )
    return tell(text, e, names, sum=sum, cause=say(CAUSES[e.cause]))


def start_player(e: moves.StartPlayerNamed, names: Names) -> str:
    by = e.by
    return tell(HOW[e.how], e, names, by="" if by is None else seat_name(by, names))


def founded_sentence(e: moves.FactoryFounded, names: Names) -> str:
    return tell(
        "{seat} founds {good} I ({cost}) at {price}: {workers}, appeal {cost_n} − {price_n} = {appeal}",
        e,
        names,
        workers=workers(e.workers),
        cost_n=e.cost,
        price_n=e.price,
    )


def economy_sentence(e: moves.EconomyRevealed, names: Names) -> str:
    told = tell("Economy of {good}: importer {by}, now on {importer}", e, names, by=with_sign(e.advance))
    if e.returned == e.workers:
        return told + say_n("; {n} worker comes back", "; {n} workers come back", e.returned)
    if not e.returned:
        return told + say_n("; the worker does not come back", "; none of the {n} workers comes back", e.workers)
    return told + say_n(
        "; {n} of {workers} comes back", "; {n} of {workers} come back", e.returned, workers=workers(e.workers)
    )


def placed_sentence(e: moves.MarkerPlaced, names: Names) -> str:
    if e.paid == e.row:
        return tell("{seat} places {marker} on the £{row} row", e, names, row=e.row)
    return tell("{seat} places {marker} on the £{row} row and pays {paid}", e, names, row=e.row)


def reused_sentence(e: moves.MarkerReused, names: Names) -> str:
    """Anna pays £8 for Quality on the £6 row (£6 + £2 fee)."""
    if not e.fee:
        return tell("{seat} pays {paid} for {marker} on the £{row} row, without a fee", e, names, row=e.row)
    return tell(
        "{seat} pays {sum} for {marker} on the £{row} row ({paid} + {fee} fee)",
        e,
        names,
        sum=pounds(e.paid + e.fee),
        row=e.row,
    )


def cost_of(e: moves.FactoryBuilt | moves.FactoryModernized) -> str:
    return f"{pounds(e.cost)} − {pounds(e.less)}" if e.less else pounds(e.cost)


def built_sentence(e: moves.FactoryBuilt, names: Names) -> str:
    return tell(
        "{seat} builds {good} {level} for {cost} at {price}: {workers}, appeal {appeal}",
        e,
        names,
        cost=cost_of(e),
        workers=workers(e.workers),
    )


def modernized_sentence(e: moves.FactoryModernized, names: Names) -> str:
    text = (
        N_("{seat} modernizes {good} to {level} with the inventor for {cost}: appeal {appeal}")
        if e.inventor
        else N_("{seat} modernizes {good} to {level} for {cost}: appeal {appeal}")
    )
    return tell(text, e, names, cost=cost_of(e))


def factory_closed(e: moves.FactoryClosed, names: Names) -> str:
    told = tell("{seat} closes {good} {level}: {workers} to the fired space", e, names, workers=workers(e.workers))
    return told + say(", {machines} back", machines=machines(e.machines)) if e.machines else told


def hired_sentence(e: moves.WorkerHired, names: Names) -> str:
    text = (
        N_("{seat} hires a worker for row {row} of {good}")
        if e.origin == "market"
        else N_("{seat} hires a worker for row {row} of {good} from the fired space")
    )
    return tell(text, e, names, row=e.row)


def fired_sentence(e: moves.WorkerFired, names: Names) -> str:
    told = tell("{seat} fires a worker of row {row} of {good}", e, names, row=e.row)
    return told + say(", {machines} back", machines=machines(e.machines)) if e.machines else told


def installed_sentence(e: moves.MachineInstalled, names: Names) -> str:
    text = (
        N_("{seat} installs a machine in row {row} of {good}; the school decides about the worker")
        if e.to_school
        else N_("{seat} installs a machine in row {row} of {good}; the worker goes to the fired space")
    )
    return tell(text, e, names, row=e.row)


def raised_distribution(e: moves.DistributionRaised, names: Names) -> str:
    text = (
        N_("{seat}: distribution of {good} {n} for {cost}, appeal {appeal}")
        if e.cost
        else N_("{seat}: distribution of {good} {n} free of charge, appeal {appeal}")
    )
    return tell(text, e, names, n=e.distribution)


def stored_sold(e: moves.StoredSold, names: Names) -> str:
    return tell(
        "{seat} sells {goods} out of storage: {count} × {each} = {amount}", e, names, goods=goods(e.count, e.good)
    )


def contract_sentence(e: moves.ContractPlaced, names: Names) -> str:
    text = (
        N_("{seat} moves the contract for {good} from {before} to {space}")
        if e.before
        else N_("{seat} takes a contract for {space} {good}")
    )
    return tell(text, e, names)


def fulfilled_sentence(e: moves.ContractFulfilled, names: Names) -> str:
    count = e.produced + e.stored
    return tell(
        "{seat} ships {goods} with {ships}: {count} × {each} = {amount}",
        e,
        names,
        goods=goods(count, e.good),
        ships=join_words([ship(one) for one in e.ships]),
        count=count,
    )


def produced_sentence(e: moves.GoodsProduced, names: Names) -> str:
    made = e.made + e.extra
    text = (
        N_("{seat} makes {goods} in {rows}, one of them by extra shifts")
        if e.extra
        else N_("{seat} makes {goods} in {rows}")
    )
    return tell(text, e, names, goods=goods(made, e.good))


def price_set(e: moves.PriceSet, names: Names) -> str:
    text = (
        N_("{seat}: price of {good} {before} → {price}, appeal {appeal}, for {cost} of the costs")
        if e.cost
        else N_("{seat}: price of {good} {before} → {price}, appeal {appeal}")
    )
    return tell(text, e, names, before=pounds(e.before))


def tile_taken(e: moves.TileTaken, names: Names) -> str:
    text = N_("{seat} takes {tile} for {good}") if e.good else N_("{seat} takes {tile}")
    return tell(text, e, names, tile=tile(e.kind), good=good(e.good) if e.good else "")


def tile_reassigned(e: moves.TileReassigned, names: Names) -> str:
    return tell("{seat} moves {tile} to {good}", e, names, tile=tile(e.kind))


def grey_taken(e: moves.GreyMarkerTaken, names: Names) -> str:
    text = (
        N_("{seat} takes {marker} from row {row}, with the inventor")
        if e.inventor
        else N_("{seat} takes {marker} from row {row}")
    )
    return tell(text, e, names, marker=marker(f"{e.name}:{e.shade}"))


def ship_taken(e: moves.ShipTaken, names: Names) -> str:
    text = N_("{seat} takes the {ship} with the inventor") if e.inventor else N_("{seat} takes the {ship}")
    told = tell(text, e, names, ship=ship(e.capacity))
    if e.replaced:
        told += say(" in place of the {ship}", ship=ship(e.replaced))
    if e.chart_row:
        told += say(" on the £{row} row", row=e.chart_row)
    return told


def crew_hired(e: moves.CrewHired, names: Names) -> str:
    return tell("{seat} hires a crew of {workers}; {crew} in crews now", e, names, workers=workers(e.market + e.fired))


def lost_sentence(e: moves.GoodsLost, names: Names) -> str:
    text = N_("{seat} discards {goods}") if e.chosen else N_("{seat} has no room for {goods}")
    return tell(text, e, names, goods=goods(e.count, e.good))


def row_closed(e: moves.RowClosed, names: Names) -> str:
    text = (
        N_("{seat} closes row {row} of {good} by the school: {goods} fewer")
        if e.less
        else N_("{seat} closes row {row} of {good} by the school: no goods fewer")
    )
    return tell(text, e, names, row=e.row, goods=goods(e.less, e.good))


def demand_sentence(e: moves.DemandCounted, names: Names) -> str:
    told = tell("Demand for {good}: {n}", e, names, n=e.demand)
    return told + say("; the importer stands on {n}", n=e.importer) if e.importer else told


def call_sentence(e: moves.GoodsTaken, names: Names) -> str:
    """Call 4: Anna and Ben sell; the importer sells; 3 left."""
    parts = [names[seat] for seat in e.produced]
    parts += [say("{name} (extra shifts)", name=names[seat]) for seat in e.extra]
    parts += [say("{name} (out of storage)", name=names[seat]) for seat in e.stored]
    parts += [say("the importer")] if e.importer else []
    told = tell("Call on {space}: {who}; demand left {demand}", e, names, who=join_words(parts))
    return told + say_n(", {n} beyond it", ", {n} beyond it", e.beyond) if e.beyond else told


def sold_sentence(e: moves.CallOutEnded, names: Names) -> str:
    parts = [say("{name} {n}", name=names[seat], n=n) for seat, n in enumerate(e.sold) if n]
    parts += [say("the importer {n}", n=e.importer)] if e.importer else []
    told = say("Sold: {who}", who=", ".join(parts)) if parts else say("Nothing is sold")
    return told + say("; demand left {n}", n=e.demand) if e.demand else told


def sales_sentence(e: moves.SalesPaid, names: Names) -> str:
    return tell("{seat} sells {goods}: {count} × {each} = {amount}", e, names, goods=goods(e.count, e.good))


def scored_sentence(e: moves.DecadeScored, names: Names) -> str:
    portfolios = ", ".join(one_score(name, amount) for name, amount in zip(names, e.portfolios, strict=True))
    return tell("End of {decade}: {portfolios}", e, names, portfolios=portfolios)


def one_score(name: str, amount: int | None) -> str:
    return (
        say("{name} is out with loans", name=name)
        if amount is None
        else say("{name} {amount}", name=name, amount=pounds(amount))
    )


def obsolete_sentence(e: moves.FactoryObsolete, names: Names) -> str:
    return tell_n(
        "{seat}’s {good} factory {level} becomes obsolete: {n} more worker",
        "{seat}’s {good} factory {level} becomes obsolete: {n} more workers",
        e.workers,
        e,
        names,
    )


def lacking_sentence(e: moves.WorkersLacking, names: Names) -> str:
    return tell(
        "{seat} lacks {workers}: {count} × {wage} = {amount}",
        e,
        names,
        workers=workers(e.count),
        amount=pounds(e.count * e.wage),
    )


def ended_sentence(e: moves.GameEnded, names: Names) -> str:
    scores = ", ".join(one_score(name, score) for name, score in zip(names, e.scores, strict=True))
    return say("The game ends: {scores}", scores=scores)


def quality_changed(text: str, e: moves.QualityRaised | moves.QualityChanged, names: Names) -> str:
    return tell(text, e, names, n=e.quality)


def distribution_changed(text: str, e: moves.DistributionDecayed | moves.DistributionChanged, names: Names) -> str:
    return tell(text, e, names, n=e.distribution)


EFFECTS: Sentences = sentences(
    says(moves.Paid, paid_sentence),
    says(moves.WagesReckoned, wages_sentence),
    says(moves.HarbourReckoned, harbour_sentence),
    says(moves.EmergencySale, emergency_sentence),
    says(moves.LoansTaken, loans_taken),
    says(
        moves.LoansRepaid,
        lambda e, names: trade_sentence(N_("{seat} pays {what} back: {sum}"), loans(e.count), e, names),
    ),
    says(
        moves.SharesSold, lambda e, names: trade_sentence(N_("{seat} sells {what}: {sum}"), shares(e.count), e, names)
    ),
    says(moves.SharesBought, bought_sentence),
    says(moves.SharesReturned, shares_returned),
    says(moves.ShareValueMoved, moved_sentence),
    says(moves.MoneyGiven, N_("{seat} receives {amount}: the event")),
    says(moves.StartPlayerNamed, start_player),
    says(moves.MatLaidOut, N_("The special markers mat: {rows}")),
    says(
        moves.MatMarkerLaid,
        lambda e, names: tell("Row {row} of the mat: {marker}", e, names, marker=marker(f"{e.name}:{e.shade}")),
    ),
    says(moves.TilesLaidOut, N_("Tiles laid out: {tiles}")),
    says(moves.TileLaidOut, lambda e, names: say("{tile} is laid out, {n} to come", tile=tile(e.kind), n=e.to_come)),
    says(moves.FactoryFounded, founded_sentence),
    says(moves.DecadeBegun, N_("{decade} begins: development level {level}")),
    says(moves.CycleBegun, lambda e, names: tell("Cycle {n}: {good}", e, names, n=e.cycle)),
    says(moves.PhaseBegun, N_("Now: {phase}")),
    says(moves.TurnPassed, N_("It is {seat}’s turn")),
    says(
        moves.ActionClosed,
        lambda e, names: (
            tell("{seat} closes the main action", e, names)
            if e.which == "main"
            else tell("{seat} ends the turn", e, names)
        ),
    ),
    says(moves.EconomyRevealed, economy_sentence),
    says(moves.MarkerPlaced, placed_sentence),
    says(moves.MarkerReused, reused_sentence),
    says(moves.FactoryBuilt, built_sentence),
    says(moves.FactoryModernized, modernized_sentence),
    says(
        moves.NoLongerObsolete,
        lambda e, names: tell(
            "{seat}’s {good} factory is no longer obsolete: {workers} to the fired space",
            e,
            names,
            workers=workers(e.workers),
        ),
    ),
    says(moves.FactoryClosed, factory_closed),
    says(
        moves.InventorUsed,
        lambda e, names: tell_n(
            "{seat} uses the inventor for the first time", "{seat} uses the inventor, {n} times now", e.uses, e, names
        ),
    ),
    says(moves.InventorKept, N_("{seat} keeps the inventor for {amount}")),
    says(moves.WorkerHired, hired_sentence),
    says(moves.FactoryMarked, N_("{seat}’s {good} is marked: a worker came after its production")),
    says(moves.MarkGone, N_("{seat}’s {good} is marked no longer")),
    says(moves.WarehouseHired, N_("{seat} hires a worker for {slot}")),
    says(moves.WarehouseMoved, N_("{seat} moves a worker from {origin} to {to}")),
    says(moves.WorkerFired, fired_sentence),
    says(moves.MachineInstalled, installed_sentence),
    says(
        moves.WorkerRelocated,
        lambda e, names: tell("{seat}’s school moves the worker to row {row} of {good}", e, names, row=e.row),
    ),
    says(moves.WorkerDismissed, N_("{seat} lets the worker go to the fired space")),
    says(moves.EngineeringPaid, N_("{seat}’s engineering works earn {amount}")),
    says(
        moves.QualityRaised,
        lambda e, names: quality_changed(N_("{seat}: quality of {good} {n}, appeal {appeal}"), e, names),
    ),
    says(moves.DistributionRaised, raised_distribution),
    says(
        moves.PatentReturned,
        lambda e, names: tell_n(
            "{seat} returns the patent for {n} level", "{seat} returns the patent for {n} levels", e.levels, e, names
        ),
    ),
    says(moves.StoredSold, stored_sold),
    says(moves.ContractPlaced, contract_sentence),
    says(moves.ContractFulfilled, fulfilled_sentence),
    says(moves.OfficePaid, N_("{seat}’s office earns {amount}")),
    says(moves.GoodsProduced, produced_sentence),
    says(moves.PriceSet, price_set),
    says(moves.TileTaken, tile_taken),
    says(moves.TileReturned, lambda e, names: tell("{seat} returns {tile}", e, names, tile=tile(e.kind))),
    says(moves.TileReassigned, tile_reassigned),
    says(moves.GreyMarkerTaken, grey_taken),
    says(moves.ShipTaken, ship_taken),
    says(moves.CrewHired, crew_hired),
    says(
        moves.CrewDismissed,
        lambda e, names: tell(
            "{seat} lets {workers} of the crews go; crews {crew}", e, names, workers=workers(e.count)
        ),
    ),
    says(moves.GoodsStored, lambda e, names: tell("{seat} stores {goods}", e, names, goods=goods(e.count, e.good))),
    says(moves.GoodsLost, lost_sentence),
    says(moves.FactoryProduced, lambda e, names: tell("{seat} makes {goods}", e, names, goods=goods(e.made, e.good))),
    says(moves.RowClosed, row_closed),
    says(moves.DemandCounted, demand_sentence),
    says(moves.GoodsTaken, call_sentence),
    says(moves.SaleStopped, N_("{seat} sells no more in this call-out")),
    says(
        moves.ExtraGoodMade,
        lambda e, names: tell("{seat} returns the extra shifts: {goods} more", e, names, goods=goods(e.count, e.good)),
    ),
    says(moves.CallOutEnded, sold_sentence),
    says(
        moves.PatronSold,
        lambda e, names: tell("{seat} sells {goods} to the patron, {source}", e, names, goods=goods(1, e.good)),
    ),
    says(moves.SalesPaid, sales_sentence),
    says(
        moves.DistributionDecayed,
        lambda e, names: distribution_changed(
            N_("{seat}: distribution of {good} falls to {n}, appeal {appeal}"), e, names
        ),
    ),
    says(
        moves.PriceFallen,
        lambda e, names: tell("{seat}: price of {good} falls {before} → {price}", e, names, before=pounds(e.before)),
    ),
    says(moves.ContractKept, N_("{seat} keeps the contract for {good}")),
    says(moves.ContractRaised, N_("{seat}’s contract for {good} goes up from {before} to {space}")),
    says(moves.CycleEnded, lambda e, names: tell("Cycle {n} of {decade} is over", e, names, n=e.cycle)),
    says(moves.MarkersReturned, N_("All action markers go back to their owners")),
    says(moves.WarehouseFired, N_("{seat} fires the worker of {slot}")),
    says(
        moves.ShipReturned,
        lambda e, names: tell("{seat} returns the {ship} to row {row}", e, names, ship=ship(e.capacity)),
    ),
    says(moves.EventRevealed, lambda e, names: tell("Event of {decade}: {event}", e, names, event=event(e.name))),
    says(moves.ChartRowClosed, lambda e, names: tell("The £{row} row is closed until {until}", e, names, row=e.row)),
    says(moves.ImporterMoved, N_("The importer of {good} goes from {before} to {space}")),
    says(
        moves.WorkersMoved, lambda e, names: tell("{workers} from {origin} to {to}", e, names, workers=workers(e.count))
    ),
    says(
        moves.QualityChanged,
        lambda e, names: quality_changed(N_("{seat}: quality of {good} is {n} now, appeal {appeal}"), e, names),
    ),
    says(
        moves.DistributionChanged,
        lambda e, names: distribution_changed(
            N_("{seat}: distribution of {good} is {n} now, appeal {appeal}"), e, names
        ),
    ),
    says(moves.DecadeScored, scored_sentence),
    says(moves.FactoryObsolete, obsolete_sentence),
    says(moves.WorkersLacking, lacking_sentence),
    says(
        moves.LoansLost,
        lambda e, names: tell("{seat} has {loans} and leaves the ranking", e, names, loans=loans(e.loans)),
    ),
    says(moves.GameEnded, ended_sentence),
)
