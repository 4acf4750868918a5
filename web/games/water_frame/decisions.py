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
from daybook.web.words.decision_words import AT_ONCE, CLOSES, IN_TURN, ONE_BY_ONE, SELDOM, DecisionWords, decides, part
from daybook.web.words.say import N_, Names, say, say_n, seat_name, with_sign


def placed_and_paid(board: Board, seat: Seat, d: moves.Place) -> list[str]:
    """The price told too where it is that of the row, and as it is said aloud: “Quality on 8 for 8”."""
    return [say("{marker} on the £{row} row for {paid}", marker=marker(d.marker), row=d.row, paid=pounds(d.paid))]


def take_ship(d: moves.TakeShip, names: Names) -> str:
    if d.replace is None:
        return say("Take the {ship}", ship=ship(d.capacity))
    text = (
        N_("Take the {ship} for the {replace} on the £{row} row") if d.row else N_("Take the {ship} for the {replace}")
    )
    return say(text, ship=ship(d.capacity), replace=ship(d.replace), row=d.row)


def ship_contract(d: moves.ShipContract, names: Names) -> str:
    ships = value("ships", d.ships, names)
    if d.delta:
        return say("Ship it with {ships}, {by} by the agent", ships=ships, by=with_sign(d.delta))
    return say("Ship it with {ships}", ships=ships)


def placed_label(d: moves.Place | moves.Reuse, n: int) -> str:
    return say("{marker} {paid}", marker=marker(d.marker), paid=pounds(d.paid))


def hired_label(d: moves.Hire, n: int) -> str:
    """3 into clothes row 3."""
    return say_n(
        "{n} worker into {good} row {row}", "{n} workers into {good} row {row}", n, good=good(d.good), row=d.row
    )


def installed_label(d: moves.Install, n: int) -> str:
    return say_n(
        "{n} machine into {good} row {row}", "{n} machines into {good} row {row}", n, good=good(d.good), row=d.row
    )


DECISIONS = DecisionWords(
    (
        decides(
            moves.StartPlayer,
            N_("Start player"),
            lambda d, names: say("{name} starts", name=seat_name(d.seat, names)),
            how=AT_ONCE,
        ),
        decides(moves.MarkerLaid, N_("A grey marker is laid out"), N_("{name}"), how=AT_ONCE),
        decides(
            moves.LayOutMat,
            N_("The whole special markers mat"),
            lambda d, names: counts_label("name", {"I": d.I, "II": d.II, "III": d.III, "IV": d.IV}),
            how=SELDOM,
            I=N_("Row I"),
            II=N_("Row II"),
            III=N_("Row III"),
            IV=N_("Row IV"),
        ),
        decides(moves.TileDrawn, N_("A development tile is drawn"), lambda d, names: tile(d.kind), how=AT_ONCE),
        decides(
            moves.LayOutTiles,
            N_("All development tiles"),
            lambda d, names: counts_label("tiles", d.tiles),
            tiles=N_("How many of each tile?"),
        ),
        decides(
            moves.RevealEconomy,
            N_("Turn the economy marker over"),
            lambda d, names: say_n(
                "Importer {by}, {n} worker back", "Importer {by}, {n} workers back", d.workers, by=with_sign(d.importer)
            ),
            how=AT_ONCE,
            importer=N_("How far does the importer advance?"),
            workers=N_("How many workers come back?"),
        ),
        decides(
            moves.RevealEvent,
            N_("Turn the event over"),
            lambda d, names: event(d.name),
            how=AT_ONCE,
            name=N_("Which event?"),
        ),
        decides(
            moves.EventCustom,
            N_("Another marker, or one that says something else"),
            lambda d, names: say(
                "{name}: {effects}",
                name=d.name,
                effects=(event_does(d.effects, names) if d.effects else say("nothing")),
            ),
            how=SELDOM,
            name=N_("What is the marker called?"),
            effects=N_("What does it do?"),
        ),
        decides(moves.Found, N_("Open a factory"), N_("Open the {good} factory at {price}"), how=AT_ONCE),
        decides(
            moves.SellShares,
            N_("Sell shares for capital"),
            lambda d, names: say("Sell {shares}", shares=shares(d.count)),
            how=AT_ONCE,
        ),
        decides(moves.Pass, N_("No special marker"), how=AT_ONCE),
        decides(
            moves.Place,
            N_("Place a marker"),
            lambda d, names: (
                tell("{marker} on the £{row} row", d, names, row=d.row)
                if d.paid == d.row
                else tell("{marker} on the £{row} row for {paid}", d, names, row=d.row)
            ),
            also=placed_and_paid,
            how=IN_TURN,
            brief=placed_label,
            row=N_("On which row?"),
            paid=N_("How much is paid?"),
        ),
        decides(
            moves.Reuse,
            N_("Use a marker again"),
            N_("Use {marker} again: {paid} before any fee"),
            how=IN_TURN,
            brief=placed_label,
            paid=N_("How much is paid, without the fee?"),
        ),
        decides(
            moves.Build,
            N_("Build a factory"),
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
            N_("Modernize a factory"),
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
        decides(moves.Close, N_("Close a factory"), N_("Close {good}"), how=IN_TURN, good=N_("Which factory?")),
        decides(moves.InventorKeep, N_("Keep the inventor"), how=IN_TURN),
        decides(moves.InventorReturn, N_("Return the inventor"), how=IN_TURN),
        decides(
            moves.Hire,
            N_("Hire one worker"),
            N_("Hire a worker: {good}, {row}"),
            how=IN_TURN,
            brief=hired_label,
            good=N_("Which factory?"),
        ),
        decides(
            moves.HireWarehouse,
            N_("Hire for the warehouse"),
            N_("Hire for {slot}"),
            how=IN_TURN,
            slot=N_("Where in the warehouse?"),
        ),
        decides(
            moves.MoveWarehouse,
            N_("Move a warehouse worker"),
            N_("Move a warehouse worker: {origin} to {to}"),
            how=IN_TURN,
            origin=N_("From where?"),
            to=N_("To where?"),
        ),
        decides(
            moves.Fire, N_("Fire a worker"), N_("Fire a worker: {good}"), how=IN_TURN, good=N_("In which factory?")
        ),
        decides(
            moves.Install,
            N_("Install a machine"),
            N_("Install a machine: {good}, {row}"),
            how=IN_TURN,
            brief=installed_label,
            good=N_("In which factory?"),
        ),
        decides(
            moves.Relocate,
            N_("Move the worker by the school"),
            N_("Move the worker: {good}, {row}"),
            how=IN_TURN,
            good=N_("To which factory?"),
            row=N_("To which row?"),
        ),
        decides(moves.Dismiss, N_("Let the worker go"), how=IN_TURN),
        decides(moves.RaiseQuality, N_("Raise quality"), N_("Raise quality of {good}"), how=IN_TURN),
        decides(
            moves.RaiseDistribution,
            N_("Raise distribution"),
            lambda d, names: (
                tell("Raise distribution of {good}, free of charge", d, names)
                if d.free
                else tell("Raise distribution of {good}", d, names)
            ),
            how=IN_TURN,
            free=N_("A free level of the patent?"),
        ),
        decides(moves.PatentLevels, N_("Return the patent for free levels"), how=IN_TURN),
        decides(moves.Buy, N_("Buy shares"), lambda d, names: say("Buy {shares}", shares=shares(d.count)), how=IN_TURN),
        decides(
            moves.Sell, N_("Sell shares"), lambda d, names: say("Sell {shares}", shares=shares(d.count)), how=IN_TURN
        ),
        decides(
            moves.Repay,
            N_("Pay loans back"),
            lambda d, names: say_n("Pay {n} loan back", "Pay {n} loans back", d.count),
            how=IN_TURN,
            count=N_("How many loans?"),
        ),
        decides(
            moves.SellGoods,
            N_("Sell stored goods"),
            lambda d, names: say("Sell {goods}", goods=goods(d.count, d.good)),
            how=IN_TURN,
            count=N_("How many?"),
        ),
        decides(
            moves.Contract,
            N_("Take or raise a contract"),
            lambda d, names: say("Contract for {goods}", goods=goods(d.space, d.good)),
            how=IN_TURN,
            space=N_("For how many?"),
        ),
        decides(
            moves.Fulfil,
            N_("Ship a contract"),
            lambda d, names: (
                tell("Ship {good}, {by} by the agent", d, names, by=with_sign(d.delta))
                if d.delta
                else tell("Ship {good}", d, names)
            ),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.Produce,
            N_("Produce"),
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
        decides(moves.SetPrice, N_("Change a price"), N_("{good} at {price}"), how=IN_TURN),
        decides(
            moves.TakeTile,
            N_("Take a development tile"),
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
            N_("Return a tile"),
            lambda d, names: say("Return {tile}", tile=tile(d.kind)),
            how=ONE_BY_ONE | IN_TURN,
            kind=N_("Which tile goes back?"),
        ),
        decides(
            moves.Reassign,
            N_("Move foreman or workshop"),
            lambda d, names: tell("Move {tile} to {good}", d, names, tile=tile(d.kind)),
            how=IN_TURN,
            good=N_("To which factory space?"),
        ),
        decides(
            moves.TakeMarker,
            N_("Take a grey marker"),
            lambda d, names: say("Take {marker}", marker=marker(f"{d.name}:{d.shade}")),
            how=ONE_BY_ONE | IN_TURN,
            shade=N_("Light or dark?"),
        ),
        decides(
            moves.StartMarker,
            N_("Take a light grey marker"),
            lambda d, names: say("Take {marker}", marker=marker(f"{d.name}:light")),
            how=AT_ONCE,
        ),
        decides(
            moves.TakeShip,
            N_("Take a ship"),
            take_ship,
            how=ONE_BY_ONE | IN_TURN,
            replace=N_("Which ship goes back?"),
            row=N_("The one on which row?"),
        ),
        decides(
            moves.Broker,
            N_("Buy by the broker"),
            lambda d, names: say("Buy {shares} at half price", shares=shares(d.count)),
            how=IN_TURN,
        ),
        decides(moves.Done, N_("Done"), how=AT_ONCE | IN_TURN | CLOSES, brief=lambda d, n: ""),
        decides(moves.CloseRow, N_("Close the last row by the school"), how=AT_ONCE),
        decides(moves.SellStored, N_("Sell a stored good"), how=AT_ONCE),
        decides(moves.ExtraShift, N_("Extra shifts"), N_("Return the extra shifts for one more good"), how=AT_ONCE),
        decides(moves.Stop, N_("Sell no more"), how=AT_ONCE),
        decides(
            moves.PatronSale,
            N_("Sell to the patron"),
            N_("Sell to the patron, {source}"),
            how=AT_ONCE | ONE_BY_ONE,
            source=N_("From where?"),
        ),
        decides(
            moves.ShipContract,
            N_("Ship the contract"),
            ship_contract,
            how=AT_ONCE | ONE_BY_ONE,
            ships=N_("With which ships?"),
        ),
        decides(moves.Keep, N_("Keep the contract"), how=AT_ONCE),
        decides(
            moves.Discard,
            N_("Discard a good"),
            lambda d, names: say("Discard {goods}", goods=goods(1, d.good)),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.Charisma,
            N_("Return the charisma"),
            lambda d, names: say("Return the charisma: {name} starts", name=seat_name(d.seat, names)),
            how=AT_ONCE,
        ),
        decides(
            moves.FireWarehouse,
            N_("Fire a warehouse worker"),
            N_("Fire a worker of {slot}"),
            how=ONE_BY_ONE | IN_TURN,
            slot=N_("Which worker?"),
        ),
        decides(
            moves.ReturnShip,
            N_("Return a ship"),
            lambda d, names: say("Return the {ship}", ship=ship(d.capacity)),
            how=ONE_BY_ONE | IN_TURN,
        ),
        decides(
            moves.NameStartPlayer,
            N_("Name the start player"),
            lambda d, names: say("Make {name} start player", name=seat_name(d.seat, names)),
            how=AT_ONCE,
        ),
    ),
    (
        part(moves.ImporterMoves, N_("An importer moves"), spaces=N_("Spaces, back with a minus")),
        part(moves.WorkersMove, N_("Workers move"), origin=N_("From"), to=N_("To"), count=N_("How many?")),
        part(moves.ShareSpaces, N_("A share value moves"), seat=N_("Whose?"), spaces=N_("Spaces, back with a minus")),
        part(moves.CashGiven, N_("Money is given or paid"), seat=N_("Who?"), amount=N_("Pounds, paid with a minus")),
        part(
            moves.DistributionMoves,
            N_("Distribution changes"),
            seat=N_("Whose?"),
            levels=N_("Levels, down with a minus"),
        ),
        part(moves.QualityMoves, N_("Quality changes"), seat=N_("Whose?"), levels=N_("Levels, down with a minus")),
        part(moves.ContractMoves, N_("A contract moves"), seat=N_("Whose?"), spaces=N_("Spaces, down with a minus")),
        part(moves.RowCloses, N_("A row is closed"), row=N_("Which row?"), until=N_("Until which decade?")),
        part(moves.SpecialStep, N_("A special marker step"), seat=N_("Who?")),
    ),
    questions={
        "seat": N_("Who starts?"),
        "name": N_("Which marker?"),
        "kind": N_("Which tile?"),
        "good": N_("Which good?"),
        "price": N_("At which price?"),
        "count": N_("How many shares?"),
        "marker": N_("Which marker?"),
        "row": N_("In which row?"),
        "developer": N_("With the developer?"),
        "delta": N_("One more or fewer, by the agent?"),
        "capacity": N_("Which ship?"),
    },
)
