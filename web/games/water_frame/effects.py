"""What happens in Arkwright: Water Frame, as a player says it aloud, with the sum shown."""

from __future__ import annotations

from daybook.domain.games.water_frame import moves
from daybook.domain.kernel.terms import by_number
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
    tile,
    workers,
)
from daybook.web.words.say import N_, Names, Sentences, join_words, say, say_n, says, says_one_of, sentences, with_sign

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


def trade_sum(e: moves.LoansRepaid | moves.SharesSold | moves.SharesBought) -> str:
    """Shares or loans: a number of them times what each costs."""
    return pounds(e.amount) if e.count == 1 else f"{e.count} × {pounds(e.each)} = {pounds(e.amount)}"


def economy_sentence(e: moves.EconomyRevealed, names: Names) -> str:
    told = tell("Economy of {good}: importer {by}, now on {importer}", e, names, by=with_sign(e.advance))
    if e.returned == e.workers:
        return told + say_n("; {n} worker comes back", "; {n} workers come back", e.returned)
    if not e.returned:
        return told + say_n("; the worker does not come back", "; none of the {n} workers comes back", e.workers)
    return told + say_n(
        "; {n} of {workers} comes back", "; {n} of {workers} come back", e.returned, workers=workers(e.workers)
    )


def cost_of(e: moves.FactoryBuilt | moves.FactoryModernized) -> str:
    return f"{pounds(e.cost)} − {pounds(e.less)}" if e.less else pounds(e.cost)


def factory_closed(e: moves.FactoryClosed, names: Names) -> str:
    told = tell("{seat} closes {good} {level}: {workers} to the fired space", e, names, workers=workers(e.workers))
    return told + say(", {machines} back", machines=machines(e.machines)) if e.machines else told


def fired_sentence(e: moves.WorkerFired, names: Names) -> str:
    told = tell("{seat} fires a worker of row {row} of {good}", e, names, row=e.row)
    return told + say(", {machines} back", machines=machines(e.machines)) if e.machines else told


def ship_taken(e: moves.ShipTaken, names: Names) -> str:
    text = N_("{seat} takes the {ship} with the inventor") if e.inventor else N_("{seat} takes the {ship}")
    told = tell(text, e, names, ship=ship(e.capacity))
    if e.replaced:
        told += say(" in place of the {ship}", ship=ship(e.replaced))
    if e.chart_row:
        told += say(" on the £{row} row", row=e.chart_row)
    return told


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


def scored_sentence(e: moves.DecadeScored, names: Names) -> str:
    portfolios = ", ".join(one_score(name, amount) for name, amount in zip(names, e.portfolios, strict=True))
    return tell("End of {decade}: {portfolios}", e, names, portfolios=portfolios)


def one_score(name: str, amount: int | None) -> str:
    return (
        say("{name} is out with loans", name=name)
        if amount is None
        else say("{name} {amount}", name=name, amount=pounds(amount))
    )


def ended_sentence(e: moves.GameEnded, names: Names) -> str:
    scores = ", ".join(one_score(name, score) for name, score in zip(names, e.scores, strict=True))
    return say("The game ends: {scores}", scores=scores)


EFFECTS: Sentences = sentences(
    says_one_of(moves.Paid, lambda e: EXPENSES[e.expense]),
    says(moves.WagesReckoned, wages_sentence),
    says(
        moves.HarbourReckoned,
        N_("{seat}, harbour: {warehouse} in the warehouse and {crew} in crews, {n} × {wage} = {amount}"),
        n=lambda e: e.warehouse + e.crew,
    ),
    says(
        moves.EmergencySale,
        N_("{seat} has to sell {shares}: {count} × {each} = {amount}"),
        shares=lambda e: shares(e.count),
    ),
    says(moves.LoansTaken, N_("{seat} takes {loans}: {amount}"), loans=lambda e: loans(e.count)),
    says(moves.LoansRepaid, N_("{seat} pays {what} back: {sum}"), what=lambda e: loans(e.count), sum=trade_sum),
    says(moves.SharesSold, N_("{seat} sells {what}: {sum}"), what=lambda e: shares(e.count), sum=trade_sum),
    says_one_of(
        moves.SharesBought,
        lambda e: N_("{seat} buys {what} at half price: {sum}") if e.half else N_("{seat} buys {what}: {sum}"),
        what=lambda e: shares(e.count),
        sum=trade_sum,
    ),
    says_one_of(
        moves.SharesReturned,
        lambda e: (
            N_("{seat} has no share to return for the marked factories")
            if not e.count
            else by_number(
                "n",
                "{seat} returns {shares} for {n} marked factory",
                "{seat} returns {shares} for {n} marked factories",
            )
        ),
        shares=lambda e: shares(e.count),
        n="factories",
    ),
    # Anna’s share value: 22 + 3 = 25, £18 (the goods sold).
    says_one_of(
        moves.ShareValueMoved,
        lambda e: (
            N_("{seat}’s share value: {sum}, no further than {to}, {value} ({cause})")
            if e.lost
            else N_("{seat}’s share value: {sum} = {to}, {value} ({cause})")
        ),
        sum=lambda e: f"{e.origin} {'+' if e.spaces > 0 else '−'} {abs(e.spaces)}",
        cause=lambda e: say(CAUSES[e.cause]),
    ),
    says(moves.MoneyGiven, N_("{seat} receives {amount}: the event")),
    says_one_of(moves.StartPlayerNamed, lambda e: HOW[e.how]),
    says(moves.MatLaidOut, N_("The special markers mat: {rows}")),
    says(moves.MatMarkerLaid, N_("Row {row} of the mat: {marker}"), marker=lambda e: marker(f"{e.name}:{e.shade}")),
    says(moves.TilesLaidOut, N_("Tiles laid out: {tiles}")),
    says(moves.TileLaidOut, N_("{tile} is laid out, {n} to come"), tile=lambda e: tile(e.kind), n="to_come"),
    says(
        moves.FactoryFounded,
        N_("{seat} founds {good} I ({cost}) at {price}: {workers}, appeal {cost_n} − {price_n} = {appeal}"),
        workers=lambda e: workers(e.workers),
        cost_n="cost",
        price_n="price",
    ),
    says(moves.DecadeBegun, N_("{decade} begins: development level {level}")),
    says(moves.CycleBegun, N_("Cycle {n}: {good}"), n="cycle"),
    says(moves.PhaseBegun, N_("Now: {phase}")),
    says(moves.TurnPassed, N_("It is {seat}’s turn")),
    says_one_of(
        moves.ActionClosed,
        lambda e: N_("{seat} closes the main action") if e.which == "main" else N_("{seat} ends the turn"),
    ),
    says(moves.EconomyRevealed, economy_sentence),
    says_one_of(
        moves.MarkerPlaced,
        lambda e: (
            N_("{seat} places {marker} on the £{row} row")
            if e.paid == e.row
            else N_("{seat} places {marker} on the £{row} row and pays {paid}")
        ),
        row="row",
    ),
    # Anna pays £8 for Quality on the £6 row (£6 + £2 fee).
    says_one_of(
        moves.MarkerReused,
        lambda e: (
            N_("{seat} pays {paid} for {marker} on the £{row} row, without a fee")
            if not e.fee
            else N_("{seat} pays {sum} for {marker} on the £{row} row ({paid} + {fee} fee)")
        ),
        row="row",
        sum=lambda e: pounds(e.paid + e.fee),
    ),
    says(
        moves.FactoryBuilt,
        N_("{seat} builds {good} {level} for {cost} at {price}: {workers}, appeal {appeal}"),
        cost=lambda e: cost_of(e),
        workers=lambda e: workers(e.workers),
    ),
    says_one_of(
        moves.FactoryModernized,
        lambda e: (
            N_("{seat} modernizes {good} to {level} with the inventor for {cost}: appeal {appeal}")
            if e.inventor
            else N_("{seat} modernizes {good} to {level} for {cost}: appeal {appeal}")
        ),
        cost=lambda e: cost_of(e),
    ),
    says(
        moves.NoLongerObsolete,
        N_("{seat}’s {good} factory is no longer obsolete: {workers} to the fired space"),
        workers=lambda e: workers(e.workers),
    ),
    says(moves.FactoryClosed, factory_closed),
    says(
        moves.InventorUsed,
        by_number("n", "{seat} uses the inventor for the first time", "{seat} uses the inventor, {n} times now"),
        n="uses",
    ),
    says(moves.InventorKept, N_("{seat} keeps the inventor for {amount}")),
    says_one_of(
        moves.WorkerHired,
        lambda e: (
            N_("{seat} hires a worker for row {row} of {good}")
            if e.origin == "market"
            else N_("{seat} hires a worker for row {row} of {good} from the fired space")
        ),
        row="row",
    ),
    says(moves.FactoryMarked, N_("{seat}’s {good} is marked: a worker came after its production")),
    says(moves.MarkGone, N_("{seat}’s {good} is marked no longer")),
    says(moves.WarehouseHired, N_("{seat} hires a worker for {slot}")),
    says(moves.WarehouseMoved, N_("{seat} moves a worker from {origin} to {to}")),
    says(moves.WorkerFired, fired_sentence),
    says_one_of(
        moves.MachineInstalled,
        lambda e: (
            N_("{seat} installs a machine in row {row} of {good}; the school decides about the worker")
            if e.to_school
            else N_("{seat} installs a machine in row {row} of {good}; the worker goes to the fired space")
        ),
        row="row",
    ),
    says(moves.WorkerRelocated, N_("{seat}’s school moves the worker to row {row} of {good}"), row="row"),
    says(moves.WorkerDismissed, N_("{seat} lets the worker go to the fired space")),
    says(moves.EngineeringPaid, N_("{seat}’s engineering works earn {amount}")),
    says(moves.QualityRaised, N_("{seat}: quality of {good} {n}, appeal {appeal}"), n="quality"),
    says_one_of(
        moves.DistributionRaised,
        lambda e: (
            N_("{seat}: distribution of {good} {n} for {cost}, appeal {appeal}")
            if e.cost
            else N_("{seat}: distribution of {good} {n} free of charge, appeal {appeal}")
        ),
        n="distribution",
    ),
    says(
        moves.PatentReturned,
        by_number("n", "{seat} returns the patent for {n} level", "{seat} returns the patent for {n} levels"),
        n="levels",
    ),
    says(
        moves.StoredSold,
        N_("{seat} sells {goods} out of storage: {count} × {each} = {amount}"),
        goods=lambda e: goods(e.count, e.good),
    ),
    says_one_of(
        moves.ContractPlaced,
        lambda e: (
            N_("{seat} moves the contract for {good} from {before} to {space}")
            if e.before
            else N_("{seat} takes a contract for {space} {good}")
        ),
    ),
    says(
        moves.ContractFulfilled,
        N_("{seat} ships {goods} with {ships}: {count} × {each} = {amount}"),
        goods=lambda e: goods(e.produced + e.stored, e.good),
        count=lambda e: e.produced + e.stored,
    ),
    says(moves.OfficePaid, N_("{seat}’s office earns {amount}")),
    says_one_of(
        moves.GoodsProduced,
        lambda e: (
            N_("{seat} makes {goods} in {rows}, one of them by extra shifts")
            if e.extra
            else N_("{seat} makes {goods} in {rows}")
        ),
        goods=lambda e: goods(e.made + e.extra, e.good),
    ),
    says_one_of(
        moves.PriceSet,
        lambda e: (
            N_("{seat}: price of {good} {before} → {price}, appeal {appeal}, for {cost} of the costs")
            if e.cost
            else N_("{seat}: price of {good} {before} → {price}, appeal {appeal}")
        ),
        before=lambda e: pounds(e.before),
    ),
    says_one_of(
        moves.TileTaken,
        lambda e: N_("{seat} takes {tile} for {good}") if e.good else N_("{seat} takes {tile}"),
        tile=lambda e: tile(e.kind),
        good=lambda e: good(e.good) if e.good else "",
    ),
    says(moves.TileReturned, N_("{seat} returns {tile}"), tile=lambda e: tile(e.kind)),
    says(moves.TileReassigned, N_("{seat} moves {tile} to {good}"), tile=lambda e: tile(e.kind)),
    says_one_of(
        moves.GreyMarkerTaken,
        lambda e: (
            N_("{seat} takes {marker} from row {row}, with the inventor")
            if e.inventor
            else N_("{seat} takes {marker} from row {row}")
        ),
        marker=lambda e: marker(f"{e.name}:{e.shade}"),
    ),
    says(moves.ShipTaken, ship_taken),
    says(
        moves.CrewHired,
        N_("{seat} hires a crew of {workers}; {crew} in crews now"),
        workers=lambda e: workers(e.market + e.fired),
    ),
    says(
        moves.CrewDismissed,
        N_("{seat} lets {workers} of the crews go; crews {crew}"),
        workers=lambda e: workers(e.count),
    ),
    says(moves.GoodsStored, N_("{seat} stores {goods}"), goods=lambda e: goods(e.count, e.good)),
    says_one_of(
        moves.GoodsLost,
        lambda e: N_("{seat} discards {goods}") if e.chosen else N_("{seat} has no room for {goods}"),
        goods=lambda e: goods(e.count, e.good),
    ),
    says(moves.FactoryProduced, N_("{seat} makes {goods}"), goods=lambda e: goods(e.made, e.good)),
    says_one_of(
        moves.RowClosed,
        lambda e: (
            N_("{seat} closes row {row} of {good} by the school: {goods} fewer")
            if e.less
            else N_("{seat} closes row {row} of {good} by the school: no goods fewer")
        ),
        row="row",
        goods=lambda e: goods(e.less, e.good),
    ),
    says(moves.DemandCounted, demand_sentence),
    says(moves.GoodsTaken, call_sentence),
    says(moves.SaleStopped, N_("{seat} sells no more in this call-out")),
    says(
        moves.ExtraGoodMade, N_("{seat} returns the extra shifts: {goods} more"), goods=lambda e: goods(e.count, e.good)
    ),
    says(moves.CallOutEnded, sold_sentence),
    says(moves.PatronSold, N_("{seat} sells {goods} to the patron, {source}"), goods=lambda e: goods(1, e.good)),
    says(
        moves.SalesPaid, N_("{seat} sells {goods}: {count} × {each} = {amount}"), goods=lambda e: goods(e.count, e.good)
    ),
    says(
        moves.DistributionDecayed, N_("{seat}: distribution of {good} falls to {n}, appeal {appeal}"), n="distribution"
    ),
    says(moves.PriceFallen, N_("{seat}: price of {good} falls {before} → {price}"), before=lambda e: pounds(e.before)),
    says(moves.ContractKept, N_("{seat} keeps the contract for {good}")),
    says(moves.ContractRaised, N_("{seat}’s contract for {good} goes up from {before} to {space}")),
    says(moves.CycleEnded, N_("Cycle {n} of {decade} is over"), n="cycle"),
    says(moves.MarkersReturned, N_("All action markers go back to their owners")),
    says(moves.WarehouseFired, N_("{seat} fires the worker of {slot}")),
    says(moves.ShipReturned, N_("{seat} returns the {ship} to row {row}"), ship=lambda e: ship(e.capacity)),
    says(moves.EventRevealed, N_("Event of {decade}: {event}"), event=lambda e: event(e.name)),
    says(moves.ChartRowClosed, N_("The £{row} row is closed until {until}"), row="row"),
    says(moves.ImporterMoved, N_("The importer of {good} goes from {before} to {space}")),
    says(moves.WorkersMoved, N_("{workers} from {origin} to {to}"), workers=lambda e: workers(e.count)),
    says(moves.QualityChanged, N_("{seat}: quality of {good} is {n} now, appeal {appeal}"), n="quality"),
    says(moves.DistributionChanged, N_("{seat}: distribution of {good} is {n} now, appeal {appeal}"), n="distribution"),
    says(moves.DecadeScored, scored_sentence),
    says(
        moves.FactoryObsolete,
        by_number(
            "n",
            "{seat}’s {good} factory {level} becomes obsolete: {n} more worker",
            "{seat}’s {good} factory {level} becomes obsolete: {n} more workers",
        ),
        n="workers",
    ),
    says(
        moves.WorkersLacking,
        N_("{seat} lacks {workers}: {count} × {wage} = {amount}"),
        workers=lambda e: workers(e.count),
        amount=lambda e: pounds(e.count * e.wage),
    ),
    says(moves.LoansLost, N_("{seat} has {loans} and leaves the ranking"), loans=lambda e: loans(e.loans)),
    says(moves.GameEnded, ended_sentence),
)
