"""The decisions of Arkwright: Water Frame: what their buttons say, and the questions that their fields answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from daybook.domain.games.water_frame import moves
from daybook.web.games.water_frame.values import (
    SOURCES,
    counts_label,
    event,
    event_does,
    good,
    goods,
    level,
    marker,
    pounds,
    shares,
    ship,
    slot,
    tile,
    value,
)
from daybook.web.words.say import N_, Names, Sentences, say, say_n, says, seat_name, sentences, with_sign

KINDS: Mapping[str, str] = {
    "start_player": N_("Start player"),
    "marker_laid": N_("A grey marker is laid out"),
    "lay_out_mat": N_("The whole special markers mat"),
    "tile_drawn": N_("A development tile is drawn"),
    "lay_out_tiles": N_("All development tiles"),
    "reveal_economy": N_("Turn the economy marker over"),
    "reveal_event": N_("Turn the event over"),
    "event_custom": N_("Another marker, or one that says something else"),
    "found": N_("Open a factory"),
    "sell_shares": N_("Sell shares for capital"),
    "pass": N_("No special marker"),
    "place": N_("Place a marker"),
    "reuse": N_("Use a marker again"),
    "build": N_("Build a factory"),
    "modernize": N_("Modernize a factory"),
    "close": N_("Close a factory"),
    "inventor_keep": N_("Keep the inventor"),
    "inventor_return": N_("Return the inventor"),
    "hire": N_("Hire one worker"),
    "hire_warehouse": N_("Hire for the warehouse"),
    "move_warehouse": N_("Move a warehouse worker"),
    "fire": N_("Fire a worker"),
    "install": N_("Install a machine"),
    "relocate": N_("Move the worker by the school"),
    "dismiss": N_("Let the worker go"),
    "raise_quality": N_("Raise quality"),
    "raise_distribution": N_("Raise distribution"),
    "patent_levels": N_("Return the patent for free levels"),
    "buy": N_("Buy shares"),
    "sell": N_("Sell shares"),
    "repay": N_("Pay loans back"),
    "sell_goods": N_("Sell stored goods"),
    "contract": N_("Take or raise a contract"),
    "fulfil": N_("Ship a contract"),
    "produce": N_("Produce"),
    "set_price": N_("Change a price"),
    "take_tile": N_("Take a development tile"),
    "return_tile": N_("Return a tile"),
    "reassign": N_("Move foreman or workshop"),
    "take_marker": N_("Take a grey marker"),
    "start_marker": N_("Take a light grey marker"),
    "take_ship": N_("Take a ship"),
    "broker": N_("Buy by the broker"),
    "done": N_("Done"),
    "close_row": N_("Close the last row by the school"),
    "sell_stored": N_("Sell a stored good"),
    "extra_shift": N_("Extra shifts"),
    "stop": N_("Sell no more"),
    "patron_sale": N_("Sell to the patron"),
    "ship_contract": N_("Ship the contract"),
    "keep": N_("Keep the contract"),
    "discard": N_("Discard a good"),
    "charisma": N_("Return the charisma"),
    "fire_warehouse": N_("Fire a warehouse worker"),
    "return_ship": N_("Return a ship"),
    "name_start_player": N_("Name the start player"),
}


def custom_sentence(d: moves.EventCustom, names: Names) -> str:
    told = event_does(d.effects, names) if d.effects else say("nothing")
    return say("{name}: {effects}", name=d.name, effects=told)


def place_sentence(d: moves.Place, names: Names) -> str:
    text = N_("{marker} on the £{row} row") if d.paid == d.row else N_("{marker} on the £{row} row for {paid}")
    return say(text, marker=marker(d.marker), row=d.row, paid=pounds(d.paid))


def build_sentence(d: moves.Build, names: Names) -> str:
    text = (
        N_("Build {good} {level} at {price} with the developer")
        if d.developer
        else N_("Build {good} {level} at {price}")
    )
    return say(text, good=good(d.good), level=level(d.level), price=pounds(d.price))


def modernize_sentence(d: moves.Modernize, names: Names) -> str:
    text = (
        N_("Modernize {good} with the developer")
        if d.developer
        else N_("Modernize {good} with the inventor")
        if d.inventor
        else N_("Modernize {good}")
    )
    return say(text, good=good(d.good))


def raise_distribution(d: moves.RaiseDistribution, names: Names) -> str:
    text = N_("Raise distribution of {good}, free of charge") if d.free else N_("Raise distribution of {good}")
    return say(text, good=good(d.good))


def fulfil_sentence(d: moves.Fulfil, names: Names) -> str:
    if d.delta:
        return say("Ship {good}, {by} by the agent", good=good(d.good), by=with_sign(d.delta))
    return say("Ship {good}", good=good(d.good))


def produce_sentence(d: moves.Produce, names: Names) -> str:
    text = N_("Produce {good}, {rows}, with extra shifts") if d.extra else N_("Produce {good}, {rows}")
    return say(text, good=good(d.good), rows=value("rows", d.rows, names))


def take_tile(d: moves.TakeTile, names: Names) -> str:
    if d.assign:
        return say("Take {tile} for {good}", tile=tile(d.kind), good=good(d.assign))
    return say("Take {tile}", tile=tile(d.kind))


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


def rows_of(d: moves.LayOutMat, names: Names) -> str:
    return counts_label("name", {"I": d.I, "II": d.II, "III": d.III, "IV": d.IV})


DECISIONS: Sentences = sentences(
    says(moves.StartPlayer, lambda d, names: say("{name} starts", name=seat_name(d.seat, names))),
    says(moves.MarkerLaid, N_("{name}")),
    says(moves.LayOutMat, rows_of),
    says(moves.TileDrawn, lambda d, names: tile(d.kind)),
    says(moves.LayOutTiles, lambda d, names: counts_label("tiles", d.tiles)),
    says(
        moves.RevealEconomy,
        lambda d, names: say_n(
            "Importer {by}, {n} worker back", "Importer {by}, {n} workers back", d.workers, by=with_sign(d.importer)
        ),
    ),
    says(moves.RevealEvent, lambda d, names: event(d.name)),
    says(moves.EventCustom, custom_sentence),
    says(
        moves.Found,
        lambda d, names: say("Open the {good} factory at {price}", good=good(d.good), price=pounds(d.price)),
    ),
    says(moves.SellShares, lambda d, names: say("Sell {shares}", shares=shares(d.count))),
    says(moves.Pass, N_("No special marker")),
    says(moves.Place, place_sentence),
    says(
        moves.Reuse,
        lambda d, names: say("Use {marker} again: {paid} before any fee", marker=marker(d.marker), paid=pounds(d.paid)),
    ),
    says(moves.Build, build_sentence),
    says(moves.Modernize, modernize_sentence),
    says(moves.Close, N_("Close {good}")),
    says(moves.InventorKeep, N_("Keep the inventor")),
    says(moves.InventorReturn, N_("Return the inventor")),
    says(moves.Hire, N_("Hire a worker: {good}, {row}")),
    says(moves.HireWarehouse, N_("Hire for {slot}")),
    says(
        moves.MoveWarehouse,
        lambda d, names: say("Move a warehouse worker: {origin} to {to}", origin=slot(d.origin), to=slot(d.to)),
    ),
    says(moves.Fire, N_("Fire a worker: {good}")),
    says(moves.Install, N_("Install a machine: {good}, {row}")),
    says(moves.Relocate, N_("Move the worker: {good}, {row}")),
    says(moves.Dismiss, N_("Let the worker go")),
    says(moves.RaiseQuality, N_("Raise quality of {good}")),
    says(moves.RaiseDistribution, raise_distribution),
    says(moves.PatentLevels, N_("Return the patent for free levels")),
    says(moves.Buy, lambda d, names: say("Buy {shares}", shares=shares(d.count))),
    says(moves.Sell, lambda d, names: say("Sell {shares}", shares=shares(d.count))),
    says(moves.Repay, lambda d, names: say_n("Pay {n} loan back", "Pay {n} loans back", d.count)),
    says(moves.SellGoods, lambda d, names: say("Sell {goods}", goods=goods(d.count, d.good))),
    says(moves.Contract, lambda d, names: say("Contract for {goods}", goods=goods(d.space, d.good))),
    says(moves.Fulfil, fulfil_sentence),
    says(moves.Produce, produce_sentence),
    says(moves.SetPrice, N_("{good} at {price}")),
    says(moves.TakeTile, take_tile),
    says(moves.ReturnTile, lambda d, names: say("Return {tile}", tile=tile(d.kind))),
    says(moves.Reassign, lambda d, names: say("Move {tile} to {good}", tile=tile(d.kind), good=good(d.good))),
    says(moves.TakeMarker, lambda d, names: say("Take {marker}", marker=marker(f"{d.name}:{d.shade}"))),
    says(moves.StartMarker, lambda d, names: say("Take {marker}", marker=marker(f"{d.name}:light"))),
    says(moves.TakeShip, take_ship),
    says(moves.Broker, lambda d, names: say("Buy {shares} at half price", shares=shares(d.count))),
    says(moves.Done, N_("Done")),
    says(moves.CloseRow, N_("Close the last row by the school")),
    says(moves.SellStored, N_("Sell a stored good")),
    says(moves.ExtraShift, N_("Return the extra shifts for one more good")),
    says(moves.Stop, N_("Sell no more")),
    says(moves.PatronSale, lambda d, names: say("Sell to the patron, {source}", source=say(SOURCES[d.source]))),
    says(moves.ShipContract, ship_contract),
    says(moves.Keep, N_("Keep the contract")),
    says(moves.Discard, lambda d, names: say("Discard {goods}", goods=goods(1, d.good))),
    says(moves.Charisma, lambda d, names: say("Return the charisma: {name} starts", name=seat_name(d.seat, names))),
    says(moves.FireWarehouse, lambda d, names: say("Fire a worker of {slot}", slot=slot(d.slot))),
    says(moves.ReturnShip, lambda d, names: say("Return the {ship}", ship=ship(d.capacity))),
    says(moves.NameStartPlayer, lambda d, names: say("Make {name} start player", name=seat_name(d.seat, names))),
)

FIELDS: Mapping[str, str | None] = {
    "start_player.seat": N_("Who starts?"),
    "marker_laid.name": N_("Which marker?"),
    "lay_out_mat.I": N_("Row I"),
    "lay_out_mat.II": N_("Row II"),
    "lay_out_mat.III": N_("Row III"),
    "lay_out_mat.IV": N_("Row IV"),
    "tile_drawn.kind": N_("Which tile?"),
    "lay_out_tiles.tiles": N_("How many of each tile?"),
    "reveal_economy.importer": N_("How far does the importer advance?"),
    "reveal_economy.workers": N_("How many workers come back?"),
    "reveal_event.name": N_("Which event?"),
    "event_custom.name": N_("What is the marker called?"),
    "event_custom.effects": N_("What does it do?"),
    "found.good": N_("Which good?"),
    "found.price": N_("At which price?"),
    "sell_shares.count": N_("How many shares?"),
    "place.marker": N_("Which marker?"),
    "place.row": N_("On which row?"),
    "place.paid": N_("How much is paid?"),
    "reuse.marker": N_("Which marker?"),
    "reuse.paid": N_("How much is paid, without the fee?"),
    "build.good": N_("Which good?"),
    "build.level": N_("Which level?"),
    "build.price": N_("At which price?"),
    "build.developer": N_("With the developer?"),
    "modernize.good": N_("Which factory?"),
    "modernize.developer": N_("With the developer?"),
    "modernize.inventor": N_("With the inventor?"),
    "close.good": N_("Which factory?"),
    "hire.good": N_("Which factory?"),
    "hire.row": N_("In which row?"),
    "hire_warehouse.slot": N_("Where in the warehouse?"),
    "move_warehouse.origin": N_("From where?"),
    "move_warehouse.to": N_("To where?"),
    "fire.good": N_("In which factory?"),
    "install.good": N_("In which factory?"),
    "install.row": N_("In which row?"),
    "relocate.good": N_("To which factory?"),
    "relocate.row": N_("To which row?"),
    "raise_quality.good": N_("Which good?"),
    "raise_distribution.good": N_("Which good?"),
    "raise_distribution.free": N_("A free level of the patent?"),
    "buy.count": N_("How many shares?"),
    "sell.count": N_("How many shares?"),
    "repay.count": N_("How many loans?"),
    "sell_goods.good": N_("Which good?"),
    "sell_goods.count": N_("How many?"),
    "contract.good": N_("Which good?"),
    "contract.space": N_("For how many?"),
    "fulfil.good": N_("Which good?"),
    "fulfil.delta": N_("One more or fewer, by the agent?"),
    "produce.good": N_("Which factory?"),
    "produce.rows": N_("Which rows?"),
    "produce.extra": N_("With extra shifts?"),
    "set_price.good": N_("Which good?"),
    "set_price.price": N_("At which price?"),
    "take_tile.kind": N_("Which tile?"),
    "take_tile.assign": N_("For which factory space?"),
    "return_tile.kind": N_("Which tile goes back?"),
    "reassign.kind": N_("Which tile?"),
    "reassign.good": N_("To which factory space?"),
    "take_marker.name": N_("Which marker?"),
    "take_marker.shade": N_("Light or dark?"),
    "start_marker.name": N_("Which marker?"),
    "take_ship.capacity": N_("Which ship?"),
    "take_ship.replace": N_("Which ship goes back?"),
    "take_ship.row": N_("The one on which row?"),
    "broker.count": N_("How many shares?"),
    "patron_sale.source": N_("From where?"),
    "ship_contract.ships": N_("With which ships?"),
    "ship_contract.delta": N_("One more or fewer, by the agent?"),
    "discard.good": N_("Which good?"),
    "charisma.seat": N_("Who starts?"),
    "fire_warehouse.slot": N_("Which worker?"),
    "return_ship.capacity": N_("Which ship?"),
    "name_start_player.seat": N_("Who starts?"),
    "importer.good": N_("Which good?"),
    "importer.spaces": N_("Spaces, back with a minus"),
    "workers.origin": N_("From"),
    "workers.to": N_("To"),
    "workers.count": N_("How many?"),
    "share_spaces.seat": N_("Whose?"),
    "share_spaces.spaces": N_("Spaces, back with a minus"),
    "cash.seat": N_("Who?"),
    "cash.amount": N_("Pounds, paid with a minus"),
    "distribution.seat": N_("Whose?"),
    "distribution.good": N_("Which good?"),
    "distribution.levels": N_("Levels, down with a minus"),
    "quality.seat": N_("Whose?"),
    "quality.good": N_("Which good?"),
    "quality.levels": N_("Levels, down with a minus"),
    "contract.seat": N_("Whose?"),
    "contract.spaces": N_("Spaces, down with a minus"),
    "close_row.row": N_("Which row?"),
    "close_row.until": N_("Until which decade?"),
    "special_step.seat": N_("Who?"),
}

PARTS: Mapping[str, str] = {
    "importer": N_("An importer moves"),
    "workers": N_("Workers move"),
    "share_spaces": N_("A share value moves"),
    "cash": N_("Money is given or paid"),
    "distribution": N_("Distribution changes"),
    "quality": N_("Quality changes"),
    "contract": N_("A contract moves"),
    "close_row": N_("A row is closed"),
    "special_step": N_("A special marker step"),
}


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


BRIEF: dict[type[Struct], Callable[[Any, int], str]] = {
    moves.Place: placed_label,
    moves.Reuse: placed_label,
    moves.Hire: hired_label,
    moves.Install: installed_label,
    moves.Done: lambda d, n: "",
}
