"""The decisions of Arkwright: Water Frame: what their buttons say, and the questions that their fields answer."""

from __future__ import annotations

from daybook.domain.games.water_frame import moves
from daybook.domain.kernel.terms import Board, Seat
from daybook.web.games.water_frame.values import (
    counts_label,
    event,
    event_does,
    good,
    goods,
    marker,
    pounds,
    shares,
    ship,
    tell,
    tile,
    value,
)
from daybook.web.words.decision_words import (
    AT_ONCE,
    CLOSES,
    IN_FULL,
    IN_TURN,
    ONE_BY_ONE,
    SELDOM,
    DecisionWords,
    decides,
    part,
)
from daybook.web.words.say import N_, Names, say, say_n, seat_name, with_sign


def placed_and_paid(board: Board, seat: Seat, d: moves.Place) -> list[str]:
    """Return spoken forms with the price: "Quality on 8 for 8"."""
    return [say("{marker} on the £{row} row for {paid}", marker=marker(d.marker), row=d.row, paid=pounds(d.paid))]


def take_ship(d: moves.TakeShip, names: Names) -> str:
    if d.replace is None:
        return say("Take the {ship}", ship=ship(d.capacity))
    text = N_("Take the {ship} for the {replace} on the £{row} row" if d.row else "Take the {ship} for the {replace}")
    return say(text, ship=ship(d.capacity), replace=ship(d.replace), row=d.row)


def ship_contract(d: moves.ShipContract, names: Names) -> str:
    ships = value("ships", d.ships, names)
    if d.delta:
        return say("Ship it with {ships}, {by} by the agent", ships=ships, by=with_sign(d.delta))
    return say("Ship it with {ships}", ships=ships)


DECISIONS = DecisionWords(
    (
        decides(
            moves.StartPlayer,
            "Start player",
            lambda d, names: say("{name} starts", name=seat_name(d.seat, names)),
            how=AT_ONCE,
        ),
        decides(moves.MarkerLaid, "A grey marker is laid out", "{name}", how=AT_ONCE),
        decides(
            moves.LayOutMat,
            "The whole special markers mat",
            lambda d, names: counts_label("name", {"I": d.I, "II": d.II, "III": d.III, "IV": d.IV}),
            how=SELDOM,
            I=N_("Row I"),
            II=N_("Row II"),
            III=N_("Row III"),
            IV=N_("Row IV"),
        ),
        decides(moves.TileDrawn, "A development tile is drawn", lambda d, names: tile(d.kind), how=AT_ONCE),
        decides(
            moves.LayOutTiles,
            "All development tiles",
            lambda d, names: counts_label("tiles", d.tiles),
            tiles=N_("How many of each tile?"),
        ),
        decides(
            moves.RevealEconomy,
            "Turn the economy marker over",
            lambda d, names: say_n(
                "Importer {by}, {n} worker back", "Importer {by}, {n} workers back", d.workers, by=with_sign(d.importer)
            ),
            how=AT_ONCE | IN_FULL,
            importer=N_("How far does the importer advance?"),
            workers=N_("How many workers come back?"),
        ),
        decides(
            moves.RevealEvent,
            "Turn the event over",
            lambda d, names: event(d.name),
            how=AT_ONCE,
            thing=lambda d: say("Game") if d.name == "end_of_game" else "",  # “end turn” ends no game
            name=N_("Which event?"),
        ),
        decides(
            moves.EventCustom,
            "Another marker, or one that says something else",
            lambda d, names: say(
                "{name}: {effects}",
                name=d.name,
                effects=(event_does(d.effects, names) if d.effects else say("nothing")),
            ),
            how=SELDOM,
            name=N_("What is the marker called?"),
            effects=N_("What does it do?"),
        ),
        decides(moves.Found, "Open a factory", "Open the {good} factory at {price}", how=AT_ONCE),
        decides(
            moves.SellShares,
            "Sell shares for capital",
            lambda d, names: say("Sell {shares}", shares=shares(d.count)),
            how=AT_ONCE,
        ),
        decides(moves.Pass, "No special marker", how=AT_ONCE),
        decides(
            moves.Place,
            "Place a marker",
            lambda d, names: (
                tell("{marker} on the £{row} row", d, names, row=d.row)
                if d.paid == d.row
                else tell("{marker} on the £{row} row for {paid}", d, names, row=d.row)
            ),
            also=placed_and_paid,
            how=IN_TURN,
            row=N_("On which row?"),
            paid=N_("How much is paid?"),
        ),
        decides(
            moves.Reuse,
            "Use a marker again",
            "Use {marker} again: {paid} before any fee",
            how=IN_TURN,
            paid=N_("How much is paid, without the fee?"),
        ),
        decides(
            moves.Build,
            "Build a factory",
            lambda d, names: (
                tell("Build {good} {level} at {price} with the developer", d, names)
                if d.developer
                else tell("Build {good} {level} at {price}", d, names)
            ),
            how=IN_TURN,
            level=N_("Which level?"),
        ),
        decides(
            moves.Modernize,
            "Modernize a factory",
            lambda d, names: (
                tell("Modernize {good} with the developer", d, names)
                if d.developer
                else tell("Modernize {good} with the inventor", d, names)
                if d.inventor
                else tell("Modernize {good}", d, names)
            ),
            how=ONE_BY_ONE | IN_TURN,
            good=N_("Which factory?"),
            inventor=N_("With the inventor?"),
        ),
        decides(moves.Close, "Close a factory", "Close {good}", how=IN_TURN, good=N_("Which factory?")),
        decides(moves.InventorKeep, "Keep the inventor", how=IN_TURN),
        decides(moves.InventorReturn, "Return the inventor", how=IN_TURN),
        decides(moves.Hire, "Hire one worker", "Hire a worker: {good}, {row}", how=IN_TURN, good=N_("Which factory?")),
        decides(
            moves.HireWarehouse,
            "Hire for the warehouse",
            "Hire for {slot}",
            how=IN_TURN,
            slot=N_("Where in the warehouse?"),
        ),
        decides(
            moves.MoveWarehouse,
            "Move a warehouse worker",
            "Move a warehouse worker: {origin} to {to}",
            how=IN_TURN,
            origin=N_("From where?"),
            to=N_("To where?"),
        ),
        decides(moves.Fire, "Fire a worker", "Fire a worker: {good}", how=IN_TURN, good=N_("In which factory?")),
        decides(
            moves.Install,
            "Install a machine",
            "Install a machine: {good}, {row}",
            how=IN_TURN,
            good=N_("In which factory?"),
        ),
        decides(
            moves.Relocate,
            "Move the worker by the school",
            "Move the worker: {good}, {row}",
            how=IN_TURN,
            good=N_("To which factory?"),
            row=N_("To which row?"),
        ),
        decides(moves.Dismiss, "Let the worker go", how=IN_TURN),
        decides(moves.RaiseQuality, "Raise quality", "Raise quality of {good}", how=IN_TURN),
        decides(
            moves.RaiseDistribution,
            "Raise distribution",
            lambda d, names: (
                tell("Raise distribution of {good}, free of charge", d, names)
                if d.free
                else tell("Raise distribution of {good}", d, names)
            ),
            how=IN_TURN,
            free=N_("A free level of the patent?"),
        ),
        decides(moves.PatentLevels, "Return the patent for free levels", how=IN_TURN),
        decides(moves.Buy, "Buy shares", lambda d, names: say("Buy {shares}", shares=shares(d.count)), how=IN_TURN),
        decides(moves.Sell, "Sell shares", lambda d, names: say("Sell {shares}", shares=shares(d.count)), how=IN_TURN),
        decides(
            moves.Repay,
            "Pay loans back",
            lambda d, names: say_n("Pay {n} loan back", "Pay {n} loans back", d.count),
            how=IN_TURN,
            count=N_("How many loans?"),
        ),
        decides(
            moves.SellGoods,
            "Sell stored goods",
            lambda d, names: say("Sell {goods}", goods=goods(d.count, d.good)),
            how=IN_TURN,
            count=N_("How many?"),
        ),
        decides(
            moves.Contract,
            "Take or raise a contract",
            lambda d, names: say("Contract for {goods}", goods=goods(d.space, d.good)),
            how=IN_TURN,
            space=N_("For how many?"),
        ),
        decides(
            moves.Fulfil,
            "Ship a contract",
            lambda d, names: (
                tell("Ship {good}, {by} by the agent", d, names, by=with_sign(d.delta))
                if d.delta
                else tell("Ship {good}", d, names)
            ),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.Produce,
            "Produce",
            lambda d, names: (
                tell("Produce {good}, {rows}, with extra shifts", d, names)
                if d.extra
                else tell("Produce {good}, {rows}", d, names)
            ),
            how=IN_TURN,
            good=N_("Which factory?"),
            rows=N_("Which rows?"),
            extra=N_("With extra shifts?"),
        ),
        decides(moves.SetPrice, "Change a price", "Price of {good}: {price}", how=IN_TURN),
        decides(
            moves.TakeTile,
            "Take a development tile",
            lambda d, names: (
                say("Take {tile} for {good}", tile=tile(d.kind), good=good(d.assign))
                if d.assign
                else say("Take {tile}", tile=tile(d.kind))
            ),
            how=IN_TURN,
            assign=N_("For which factory space?"),
        ),
        decides(
            moves.ReturnTile,
            "Return a tile",
            lambda d, names: say("Return {tile}", tile=tile(d.kind)),
            how=ONE_BY_ONE | IN_TURN,
            kind=N_("Which tile goes back?"),
        ),
        decides(
            moves.Reassign,
            "Move foreman or workshop",
            lambda d, names: tell("Move {tile} to {good}", d, names, tile=tile(d.kind)),
            how=IN_TURN,
            good=N_("To which factory space?"),
        ),
        decides(
            moves.TakeMarker,
            "Take a grey marker",
            lambda d, names: say("Take {marker}", marker=marker(f"{d.name}:{d.shade}")),
            how=ONE_BY_ONE | IN_TURN,
            shade=N_("Light or dark?"),
        ),
        decides(
            moves.StartMarker,
            "Take a light grey marker",
            lambda d, names: say("Take {marker}", marker=marker(f"{d.name}:light")),
            how=AT_ONCE,
        ),
        decides(
            moves.TakeShip,
            "Take a ship",
            take_ship,
            how=ONE_BY_ONE | IN_TURN,
            replace=N_("Which ship goes back?"),
            row=N_("The one on which row?"),
        ),
        decides(
            moves.Broker,
            "Buy by the broker",
            lambda d, names: say("Buy {shares} at half price", shares=shares(d.count)),
            how=IN_TURN,
        ),
        decides(moves.Done, "Done", how=AT_ONCE | IN_TURN | CLOSES, deed=N_("{seat} passes")),
        decides(moves.CloseRow, "Close the last row by the school", how=AT_ONCE),
        decides(moves.SellStored, "Sell a stored good", how=AT_ONCE),
        decides(moves.ExtraShift, "Extra shifts", "Return the extra shifts for one more good", how=AT_ONCE),
        decides(moves.Stop, "Sell no more", how=AT_ONCE),
        decides(
            moves.PatronSale,
            "Sell to the patron",
            "Sell to the patron, {source}",
            how=AT_ONCE | ONE_BY_ONE,
            source=N_("From where?"),
        ),
        decides(
            moves.ShipContract,
            "Ship the contract",
            ship_contract,
            how=AT_ONCE | ONE_BY_ONE,
            ships=N_("With which ships?"),
        ),
        decides(moves.Keep, "Keep the contract", how=AT_ONCE),
        decides(
            moves.Discard,
            "Discard a good",
            lambda d, names: say("Discard {goods}", goods=goods(1, d.good)),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.Charisma,
            "Return the charisma",
            lambda d, names: say("Return the charisma: {name} starts", name=seat_name(d.seat, names)),
            how=AT_ONCE,
        ),
        decides(
            moves.FireWarehouse,
            "Fire a warehouse worker",
            "Fire a worker of {slot}",
            how=ONE_BY_ONE | IN_TURN,
            slot=N_("Which worker?"),
        ),
        decides(
            moves.ReturnShip,
            "Return a ship",
            lambda d, names: say("Return the {ship}", ship=ship(d.capacity)),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.NameStartPlayer,
            "Name the start player",
            lambda d, names: say("Make {name} start player", name=seat_name(d.seat, names)),
            how=AT_ONCE,
        ),
    ),
    (
        part(moves.ImporterMoves, "An importer moves", spaces=N_("Spaces, back with a minus")),
        part(moves.WorkersMove, "Workers move", origin=N_("From"), to=N_("To"), count=N_("How many?")),
        part(moves.ShareSpaces, "A share value moves", seat=N_("Whose?"), spaces=N_("Spaces, back with a minus")),
        part(moves.CashGiven, "Money is given or paid", seat=N_("Who?"), amount=N_("Pounds, paid with a minus")),
        part(
            moves.DistributionMoves, "Distribution changes", seat=N_("Whose?"), levels=N_("Levels, down with a minus")
        ),
        part(moves.QualityMoves, "Quality changes", seat=N_("Whose?"), levels=N_("Levels, down with a minus")),
        part(moves.ContractMoves, "A contract moves", seat=N_("Whose?"), spaces=N_("Spaces, down with a minus")),
        part(moves.RowCloses, "A row is closed", row=N_("Which row?"), until=N_("Until which decade?")),
        part(moves.SpecialStep, "A special marker step", seat=N_("Who?")),
    ),
    questions={
        "seat": "Who starts?",
        "name": "Which marker?",
        "kind": "Which tile?",
        "good": "Which good?",
        "price": "At which price?",
        "count": "How many shares?",
        "marker": "Which marker?",
        "row": "In which row?",
        "developer": "With the developer?",
        "delta": "One more or fewer, by the agent?",
        "capacity": "Which ship?",
    },
)
