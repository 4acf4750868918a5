"""Sentences for effects of Water Frame, with the calculation shown."""

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
from daybook.web.words.say import (
    N_,
    Names,
    Sentences,
    Texts,
    join_words,
    say,
    say_n,
    says,
    says_one_of,
    sentences,
    with_sign,
)

EXPENSES: Texts = {
    "foundation": "{seat} pays {amount} for the two factories",
    "administration": "{seat} pays {amount} in administrative costs",
    "building": "{seat} pays {amount} for the factory",
    "modernizing": "{seat} pays {amount} for the new level",
    "inventor": "{seat} pays {amount} for the next use of the inventor",
    "wages": "{seat} pays {amount} in wages and upkeep",
    "production": "{seat} pays {amount} for the production",
    "harbour": "{seat} pays {amount} for crews and warehouse workers",
    "obsolescence": "{seat} pays {amount} for workers that are missing",
    "event": "{seat} pays {amount}: the event",
}
CAUSES: Texts = {
    "emergency": "the emergency sale",
    "loans": "the loans",
    "shipping": "the shipping",
    "sales": "the goods sold",
    "appeal": "the highest appeal",
    "most_sold": "the most goods sold",
    "decay": "the appeal has nothing left to lose",
    "full_track": "the contract cannot go up",
    "event": "the event",
    "marked_factory": "factories still marked",
    "contract": "contracts not fulfilled",
}
HOW: Texts = {
    "drawn": "{seat} is the start player",
    "clockwise": "The start player is now {seat}",
    "charisma": "{by} returns the charisma: {seat} is the start player",
    "lowest_portfolio": "{by} has the lowest portfolio and names {seat} start player",
}


def wages_sentence(e: moves.WagesReckoned, names: Names) -> str:
    """Describe wages: "Wages for lamps: 2 × £4 + 4 × £2 + £3 upkeep = £19"."""
    parts = [
        f"{count} × {pounds(each)}"
        for count, each in ((e.workers - e.cheaper, e.wage), (e.cheaper, e.cheaper_wage))
        if count
    ]
    if e.machines:
        parts.append(say("{amount} for {machines}", amount=pounds(e.upkeep), machines=machines(e.machines)))
    return tell("{seat}, {good}: {sum} = {amount}", e, names, sum=" + ".join(parts) or pounds(0))


def trade_sum(e: moves.LoansRepaid | moves.SharesSold | moves.SharesBought) -> str:
    """Describe a trade of shares or loans: their number times their price."""
    return pounds(e.amount) if e.count == 1 else f"{e.count} × {pounds(e.each)} = {pounds(e.amount)}"


def economy_sentence(e: moves.EconomyRevealed, names: Names) -> str:
    text = N_(
        "Economy of {good}: importer {by}, now on {importer}"
        if e.advance
        else "Economy of {good}: the importer stays on {importer}"
    )
    told = tell(text, e, names, by=with_sign(e.advance))
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
    text = N_("{seat} takes the {ship} with the inventor" if e.inventor else "{seat} takes the {ship}")
    told = tell(text, e, names, ship=ship(e.capacity))
    if e.replaced:
        told += say(" in place of the {ship}", ship=ship(e.replaced))
    if e.chart_row:
        told += say(" on the £{row} row", row=e.chart_row)
    return told


def demand_sentence(e: moves.DemandCounted, names: Names) -> str:
    told = tell("Demand for {good}: {n}", e, names, n=e.demand)
    return told + say("; the importer is on {n}", n=e.importer) if e.importer else told


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
        "{seat}, harbour: {warehouse} in the warehouse and {crew} in crews, {n} × {wage} = {amount}",
        n=lambda e: e.warehouse + e.crew,
    ),
    says_one_of(
        moves.EmergencySale,
        lambda e: (
            "{seat} has to sell {shares}: {count} × {each} = {amount}; share value {spaces} down"
            if e.penalty
            else "{seat} has to sell {shares}: {count} × {each} = {amount}"
        ),
        shares=lambda e: shares(e.count),
        spaces=lambda e: say_n("{n} space", "{n} spaces", e.count * e.penalty),
    ),
    says(moves.LoansTaken, "{seat} takes {loans}: {amount}", loans=lambda e: loans(e.count)),
    says(moves.LoansRepaid, "{seat} pays {what} back: {sum}", what=lambda e: loans(e.count), sum=trade_sum),
    says(moves.SharesSold, "{seat} sells {what}: {sum}", what=lambda e: shares(e.count), sum=trade_sum),
    says_one_of(
        moves.SharesBought,
        lambda e: "{seat} buys {what} at half price: {sum}" if e.half else "{seat} buys {what}: {sum}",
        what=lambda e: shares(e.count),
        sum=trade_sum,
    ),
    says_one_of(
        moves.SharesReturned,
        lambda e: (
            "{seat} has no share to return for the marked factories"
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
    # Anna’s share value: space 22 + 3 = 25, £18 (the goods sold).
    says_one_of(
        moves.ShareValueMoved,
        lambda e: (
            "{seat}’s share value: space {sum}, no further than {to}, {value} ({cause})"
            if e.lost
            else "{seat}’s share value: space {sum} = {to}, {value} ({cause})"
        ),
        sum=lambda e: f"{e.origin} {'+' if e.spaces > 0 else '−'} {abs(e.spaces)}",
        cause=lambda e: say(CAUSES[e.cause]),
    ),
    says(moves.MoneyGiven, "{seat} receives {amount}: the event"),
    says_one_of(moves.StartPlayerNamed, lambda e: HOW[e.how]),
    says(moves.MatLaidOut, "The special markers mat: {rows}"),
    says(moves.MatMarkerLaid, "Row {row} of the mat: {marker}", marker=lambda e: marker(f"{e.name}:{e.shade}")),
    says(moves.TilesLaidOut, "Tiles laid out: {tiles}"),
    says(moves.TileLaidOut, "{tile} is laid out, {n} to come", tile=lambda e: tile(e.kind), n="to_come"),
    says(
        moves.FactoryFounded,
        "{seat} founds {good} I ({cost}) at {price}: {workers}, appeal {cost_n} − {price_n} = {appeal}",
        workers=lambda e: workers(e.workers),
        cost_n="cost",
        price_n="price",
    ),
    says(moves.DecadeBegun, "{decade} begins: development level {level}"),
    says(moves.CycleBegun, "Cycle {n}: {good}", n="cycle"),
    says(moves.PhaseBegun, "Now: {phase}"),
    says(moves.TurnPassed, "It is {seat}’s turn"),
    says_one_of(
        moves.ActionClosed, lambda e: "{seat} closes the main action" if e.which == "main" else "{seat} ends the turn"
    ),
    says(moves.EconomyRevealed, economy_sentence),
    says_one_of(
        moves.MarkerPlaced,
        lambda e: (
            "{seat} places {marker} on the £{row} row"
            if e.paid == e.row
            else "{seat} places {marker} on the £{row} row and pays {paid}"
        ),
        row="row",
    ),
    # Anna pays £8 for Quality on the £6 row (£6 + £2 fee).
    says_one_of(
        moves.MarkerReused,
        lambda e: (
            "{seat} pays {paid} for {marker} on the £{row} row, without a fee"
            if not e.fee
            else "{seat} pays {sum} for {marker} on the £{row} row ({paid} + {fee} fee)"
        ),
        row="row",
        sum=lambda e: pounds(e.paid + e.fee),
    ),
    says(
        moves.FactoryBuilt,
        "{seat} builds {good} {level} for {cost} at {price}: {workers}, appeal {appeal}",
        cost=lambda e: cost_of(e),
        workers=lambda e: workers(e.workers),
    ),
    says_one_of(
        moves.FactoryModernized,
        lambda e: (
            "{seat} modernizes {good} to {level} with the inventor for {cost}: appeal {appeal}"
            if e.inventor
            else "{seat} modernizes {good} to {level} for {cost}: appeal {appeal}"
        ),
        cost=lambda e: cost_of(e),
    ),
    says(
        moves.NoLongerObsolete,
        "{seat}’s {good} factory is no longer obsolete: {workers} to the fired space",
        workers=lambda e: workers(e.workers),
    ),
    says(moves.FactoryClosed, factory_closed),
    says(
        moves.InventorUsed,
        by_number("n", "{seat} uses the inventor for the first time", "{seat} uses the inventor, {n} times now"),
        n="uses",
    ),
    says(moves.InventorKept, "{seat} keeps the inventor for {amount}"),
    says_one_of(
        moves.WorkerHired,
        lambda e: (
            "{seat} hires a worker for row {row} of {good}"
            if e.origin == "market"
            else "{seat} hires a worker for row {row} of {good} from the fired space"
        ),
        row="row",
    ),
    says(moves.FactoryMarked, "{seat}’s {good} is marked: a worker came after its production"),
    says(moves.MarkGone, "{seat}’s {good} is marked no longer"),
    says(moves.WarehouseHired, "{seat} hires a worker for {slot}"),
    says(moves.WarehouseMoved, "{seat} moves a worker from {origin} to {to}"),
    says(moves.WorkerFired, fired_sentence),
    says_one_of(
        moves.MachineInstalled,
        lambda e: (
            "{seat} installs a machine in row {row} of {good}; the school decides about the worker"
            if e.to_school
            else "{seat} installs a machine in row {row} of {good}; the worker goes to the fired space"
        ),
        row="row",
    ),
    says(moves.WorkerRelocated, "{seat}’s school moves the worker to row {row} of {good}", row="row"),
    says(moves.WorkerDismissed, "{seat} lets the worker go to the fired space"),
    says(moves.EngineeringPaid, "{seat}’s engineering works earn {amount}"),
    says(moves.QualityRaised, "{seat} raises quality of {good} to {n}: appeal {appeal}", n="quality"),
    says_one_of(
        moves.DistributionRaised,
        lambda e: (
            "{seat} raises distribution of {good} to {n} (uses {cost}): appeal {appeal}"
            if e.cost
            else "{seat} raises distribution of {good} to {n} free of charge: appeal {appeal}"
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
        "{seat} sells {goods} out of storage: {count} × {each} = {amount}",
        goods=lambda e: goods(e.count, e.good),
    ),
    says_one_of(
        moves.ContractPlaced,
        lambda e: (
            "{seat} moves the contract for {good} from {before} to {space}"
            if e.before
            else "{seat} takes a contract for {space} {good}"
        ),
    ),
    says(
        moves.ContractFulfilled,
        "{seat} ships {goods} with {ships}: {count} × {each} = {amount}",
        goods=lambda e: goods(e.produced + e.stored, e.good),
        count=lambda e: e.produced + e.stored,
    ),
    says(moves.OfficePaid, "{seat}’s office earns {amount}"),
    says_one_of(
        moves.GoodsProduced,
        lambda e: (
            "{seat} makes {goods} in {rows}, one of them by extra shifts"
            if e.extra
            else "{seat} makes {goods} in {rows}"
        ),
        goods=lambda e: goods(e.made + e.extra, e.good),
    ),
    says_one_of(
        moves.PriceSet,
        lambda e: (
            "{seat} changes the price of {good} from {before} to {price} with {cost} of the administrative costs: appeal {appeal}"
            if e.cost
            else "{seat} changes the price of {good} from {before} to {price}: appeal {appeal}"
        ),
        before=lambda e: pounds(e.before),
    ),
    says_one_of(
        moves.TileTaken,
        lambda e: "{seat} takes {tile} for {good}" if e.good else "{seat} takes {tile}",
        tile=lambda e: tile(e.kind),
        good=lambda e: good(e.good) if e.good else "",
    ),
    says(moves.TileReturned, "{seat} returns {tile}", tile=lambda e: tile(e.kind)),
    says(moves.TileReassigned, "{seat} moves {tile} to {good}", tile=lambda e: tile(e.kind)),
    says_one_of(
        moves.GreyMarkerTaken,
        lambda e: (
            "{seat} takes {marker} from row {row}, with the inventor"
            if e.inventor
            else "{seat} takes {marker} from row {row}"
        ),
        marker=lambda e: marker(f"{e.name}:{e.shade}"),
    ),
    says(moves.ShipTaken, ship_taken),
    says(
        moves.CrewHired,
        "{seat} hires a crew of {workers}; {crew} in crews now",
        workers=lambda e: workers(e.market + e.fired),
    ),
    says(
        moves.CrewDismissed, "{seat} lets {workers} of the crews go; crews {crew}", workers=lambda e: workers(e.count)
    ),
    says(moves.GoodsStored, "{seat} stores {goods}", goods=lambda e: goods(e.count, e.good)),
    says_one_of(
        moves.GoodsLost,
        lambda e: "{seat} discards {goods}" if e.chosen else "{seat} has no room for {goods}",
        goods=lambda e: goods(e.count, e.good),
    ),
    says(moves.FactoryProduced, "{seat} makes {goods}", goods=lambda e: goods(e.made, e.good)),
    says_one_of(
        moves.RowClosed,
        lambda e: (
            "{seat} closes row {row} of {good} by the school: {goods} fewer"
            if e.less
            else "{seat} closes row {row} of {good} by the school: no goods fewer"
        ),
        row="row",
        goods=lambda e: goods(e.less, e.good),
    ),
    says(moves.DemandCounted, demand_sentence),
    says(moves.GoodsTaken, call_sentence),
    says(moves.SaleStopped, "{seat} sells no more in this call-out"),
    says(moves.ExtraGoodMade, "{seat} returns the extra shifts: {goods} more", goods=lambda e: goods(e.count, e.good)),
    says(moves.CallOutEnded, sold_sentence),
    says(moves.PatronSold, "{seat} sells {goods} to the patron, {source}", goods=lambda e: goods(1, e.good)),
    says(moves.SalesPaid, "{seat} sells {goods}: {count} × {each} = {amount}", goods=lambda e: goods(e.count, e.good)),
    says(moves.DistributionDecayed, "{seat}’s distribution of {good} falls to {n}: appeal {appeal}", n="distribution"),
    says(
        moves.PriceFallen, "{seat}’s price of {good} falls from {before} to {price}", before=lambda e: pounds(e.before)
    ),
    says(moves.ContractKept, "{seat} keeps the contract for {good}"),
    says(moves.ContractRaised, "{seat}’s contract for {good} goes up from {before} to {space}"),
    says(moves.CycleEnded, "Cycle {n} of {decade} is over", n="cycle"),
    says(moves.MarkersReturned, "All action markers go back to their owners"),
    says(moves.WarehouseFired, "{seat} fires the worker of {slot}"),
    says(moves.ShipReturned, "{seat} returns the {ship} to row {row}", ship=lambda e: ship(e.capacity)),
    says(moves.EventRevealed, "Event of {decade}: {event}", event=lambda e: event(e.name)),
    says(moves.ChartRowClosed, "The £{row} row is closed until {until}", row="row"),
    says(moves.ImporterMoved, "The importer of {good} goes from {before} to {space}"),
    says(moves.WorkersMoved, "{workers} from {origin} to {to}", workers=lambda e: workers(e.count)),
    says(moves.QualityChanged, "{seat}’s quality of {good} is {n} now: appeal {appeal}", n="quality"),
    says(moves.DistributionChanged, "{seat}’s distribution of {good} is {n} now: appeal {appeal}", n="distribution"),
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
        "{seat} lacks {workers}: {count} × {wage} = {amount}",
        workers=lambda e: workers(e.count),
        amount=lambda e: pounds(e.count * e.wage),
    ),
    says(moves.LoansLost, "{seat} has {loans} and leaves the ranking", loans=lambda e: loans(e.loans)),
    says(moves.GameEnded, ended_sentence),
)
