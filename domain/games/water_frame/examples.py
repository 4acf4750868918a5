"""The worked examples of the rulebook of Arkwright: Water Frame (WF-9).

Those of the production phase begin with the end of the last turn of a cycle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from daybook.domain.games.water_frame import moves
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.domain.kernel.worked_examples import WorkedExample

TURN = {
    "/stage": "marker",
    "/start": 0,
    "/decade": 1770,
    "/cycle": 1,
    "/players/0/cash": 50,
    "/players/0/space": 10,
    "/events": [],
}
PREDETERMINED = {"factories": "predetermined", "mat": "predetermined", "events": "predetermined"}
WHOLE, SIX = (2, 2, 0, 0), (3, 3, 0, 0)  # rows 1 and 2 of food or clothes, and of lamps: workers alone

worked = partial(WorkedExample, at=TURN)


def at(**fields: Any) -> Mapping[str, Any]:
    """Return other values of the board, by its fields."""
    return {**TURN, **{f"/{name}": value for name, value in fields.items()}}


def own(**fields: Any) -> Mapping[str, Any]:
    """Return values of the first player, by the player's fields."""
    return {f"/players/0/{name}": value for name, value in fields.items()}


def plant(
    good: str, level: int = 1, price: int = 6, workers: Sequence[int] = WHOLE, seat: Seat = 0, **fields: Any
) -> Mapping[str, Any]:
    """Return a factory. fields: its other values."""
    of = {"level": level, "price": price, "workers": workers, "machines": [0, 0, 0, 0], **fields}
    return {f"/players/{seat}/factories/{good}": of}


def tiles(*kinds: str, good: str | None = None) -> Mapping[str, Any]:
    return own(tiles=[{"kind": kind, "good": good if kind in ("foreman", "workshop") else None} for kind in kinds])


def owned(field: str, **goods: int) -> Mapping[str, Any]:
    """Goods stored, or contracts, of the first player."""
    return {f"/players/0/{field}/{good}": count for good, count in goods.items()}


def first(*decisions: Decision) -> tuple[tuple[Seat, Decision], ...]:
    """Return consecutive decisions of the first player."""
    return tuple((0, decision) for decision in decisions)


def action(marker: str, row: int, *decisions: Decision, paid: int | None = None) -> tuple[tuple[Seat, Decision], ...]:
    """Return the placing of a marker on a row of the chart, and the decisions of its main action."""
    return first(moves.Place(marker, row, row if paid is None else paid), *decisions)


INSTALL = [moves.Install("lamps", 1), moves.Install("lamps", 2), moves.Install("food", 1), moves.Install("food", 2)]
LAMPS_AND_FOOD = {**plant("lamps", price=8, workers=SIX), **plant("food")}
STORED_LAMPS = {**plant("lamps", level=2, price=9, workers=SIX), **own(ships=[6]), **owned("stored", lamps=4)}
FOUR_LAMPS = {**STORED_LAMPS, **owned("contracts", lamps=4)}
LAST_TURN = {"turns": 2, "stage": "additional", "turn": {"marker": "workers"}}
PRODUCTION: tuple[Seat, Decision] = (2, moves.Done())  # follows
CALL_OUT = {
    "/market": 50,
    "/importers/clothes": 3,
    **plant("clothes", price=7, distribution=2),
    **plant("clothes", price=7, distribution=1, seat=1),
}
SIX_CLOTHES = {
    **own(ships=[2, 4, 6]),
    **owned("stored", clothes=7),
    **owned("contracts", clothes=6),
    **owned("slots", clothes=1, row=1),
}
TOO_MUCH_STORED = {
    **plant("lamps", price=11, workers=SIX),
    **tiles("small_warehouse"),
    **owned("stored", food=2, clothes=1),
}

EXAMPLES = (
    worked(
        "WF-9.1",
        {},
        first(moves.Found("food", 6)),
        (moves.FactoryFounded("WF-3.5.2", 0, "food", 8, 6, 2, 4),),
        at=at(stage="found_first", cycle=0),
    ),
    worked(
        "WF-9.2",
        {},
        first(moves.Found("clothes", 7)),
        (moves.FactoryFounded("WF-3.5.2", 0, "clothes", 9, 7, 2, 4),),
        at=at(stage="found_first", cycle=0),
    ),
    worked(
        "WF-9.2",
        {},
        first(moves.Found("lamps", 9)),
        (moves.FactoryFounded("WF-3.5.2", 0, "lamps", 11, 9, 2, 6),),
        at=at(stage="found_first", cycle=0),
    ),
    worked(
        "WF-9.3",
        plant("food", seat=2),
        ((2, moves.Found("lamps", 9)),),
        (moves.FactoryFounded("WF-3.5.2", 2, "lamps", 11, 9, 2, 6),),
        at=at(stage="found_second", cycle=0),
    ),
    *(
        worked(
            "WF-9.4",
            {},
            (),
            leaves={f"/players/{seat}/cash": left for seat, left in enumerate(cash)},
            at={},
            seats=len(cash),
            options=PREDETERMINED,
        )
        for cash in ((52, 63), (33, 42, 41), (41, 32, 40, 31))
    ),
    worked(
        "WF-9.5",
        {"/fired": 3},
        ((TABLE, moves.RevealEconomy(1, 3)),),
        (moves.EconomyRevealed("WF-4.3.1", "food", 1, 1, 3, 3),),
        at=at(stage="economy"),
    ),
    worked("WF-9.6", plant("food", price=7), action("quality", 4, moves.RaiseQuality("food")), refused="WF-8.2"),
    worked(
        "WF-9.7",
        {"/players/0/chart/6": "machinery", **LAMPS_AND_FOOD},
        first(moves.Reuse("machinery", 6), *INSTALL[:2]),
        (
            moves.Paid("WF-4.4.3", 0, 8, "administration"),
            moves.MachineInstalled("WF-4.7.2", 0, "lamps", 1, False),
            moves.MachineInstalled("WF-4.7.2", 0, "lamps", 2, False),
        ),
        at=at(cycle=2),
    ),
    worked(
        "WF-9.8",
        {**plant("food", distribution=2), **plant("lamps", workers=SIX)},
        action("distribution", 2, moves.RaiseDistribution("lamps")),
        (moves.DistributionRaised("WF-4.9.2", 0, "lamps", 1, 1, 6),),
    ),
    worked(
        "WF-9.8",
        {**plant("food", distribution=2), **plant("lamps", workers=SIX)},
        action("distribution", 2, moves.RaiseDistribution("food")),
        refused="WF-4.9.2",
    ),
    worked(
        "WF-9.9",
        plant("food", price=7),
        action("quality", 10, moves.RaiseQuality("food")),
        (moves.QualityRaised("WF-4.8.2", 0, "food", 1, 2),),
    ),
    worked(
        "WF-9.9",
        plant("food", price=7),
        action("quality", 10, moves.RaiseQuality("food"), moves.RaiseQuality("food")),
        refused="WF-8.2",
    ),
    worked(
        "WF-9.10",
        {},
        action("factory", 2, moves.Build("food", 1, 5)),
        (moves.FactoryBuilt("WF-4.5.1", 0, "food", 1, 8, 0, 5, 3, 2),),
    ),
    worked(
        "WF-9.11",
        plant("food"),
        action("factory", 2, moves.Modernize("food"), moves.Modernize("food")),
        (
            moves.FactoryModernized("WF-4.5.2", 0, "food", 2, 10, 0, False, 4),
            moves.FactoryModernized("WF-4.5.2", 0, "food", 3, 12, 0, False, 6),
        ),
        at=at(decade=1800),
    ),
    worked(
        "WF-9.12",
        {**plant("food"), **tiles("developer")},
        action("factory", 2, moves.Modernize("food", True), moves.Modernize("food")),
        (
            moves.FactoryModernized("WF-4.5.2", 0, "food", 2, 10, 5, False, 4),
            moves.FactoryModernized("WF-4.5.2", 0, "food", 3, 12, 0, False, 6),
        ),
        at=at(decade=1800),
    ),
    worked(
        "WF-9.12",
        {**plant("food"), **tiles("developer")},
        action("factory", 2, moves.Modernize("food", True), moves.Modernize("food", True)),
        refused="WF-4.5.5",
        at=at(decade=1800),
    ),
    worked(
        "WF-9.13",
        {**plant("food"), **tiles("developer", "inventor")},
        action("factory", 2, moves.Build("lamps", 2, 6, True), moves.Modernize("lamps", False, True)),
        (
            moves.FactoryBuilt("WF-4.5.1", 0, "lamps", 2, 14, 5, 6, 8, 3),
            moves.FactoryModernized("WF-4.5.2", 0, "lamps", 3, 17, 0, True, 11),
        ),
        at=at(decade=1780),
    ),
    worked(
        "WF-9.14",
        plant("food"),
        action("workers", 2, moves.HireWarehouse("clothes"), moves.Done()),
        (moves.WarehouseHired("WF-4.6.2", 0, "clothes", "market"),),
    ),
    *(
        worked(
            rule,
            {**LAMPS_AND_FOOD, **lies},
            action(marker, paid, *INSTALL[: machines + 1]),
            tuple(
                moves.MachineInstalled("WF-4.7.2", 0, machine.good, machine.row, False)
                for machine in INSTALL[:machines]
            ),
            refused="WF-8.2",
        )
        for rule, marker, paid, machines, lies in (
            ("WF-9.15", "machinery", 6, 2, {}),
            ("WF-9.15", "machinery", 4, 1, {}),
            ("WF-9.15", "machinery", 10, 2, {}),
            ("WF-9.16", "machinery", 10, 3, tiles("workshop", good="lamps")),
            ("WF-9.17", "machinery:light", 10, 3, own(markers=["machinery:light"])),
            ("WF-9.17", "machinery:dark", 6, 3, own(markers=["machinery:dark"])),
        )
    ),
    *(
        worked(
            "WF-9.18",
            {
                **plant("food", distribution=distribution),
                **plant("lamps", workers=SIX, distribution=4),
                **own(markers=["distribution:dark"]),
            },
            action("distribution:dark", 10, *[moves.RaiseDistribution("food")] * (to - distribution)),
            tuple(
                moves.DistributionRaised("WF-4.9.2", 0, "food", level, level, 2 + level)
                for level in range(distribution + 1, to + 1)
            ),
        )
        for distribution, to in ((0, 4), (1, 3))
    ),
    *(
        worked(
            "WF-9.19",
            {
                **plant("food", distribution=3),
                **plant("lamps", workers=SIX, distribution=lamps),
                **plant("clothes", distribution=1),
                **own(markers=["distribution:light"]),
                **tiles("patent"),
            },
            action("distribution:light", 8, *[moves.RaiseDistribution(good) for good in ("food", "clothes", "lamps")]),
            (
                moves.DistributionRaised("WF-4.9.2", 0, "food", 4, 4, 6),
                moves.DistributionRaised("WF-4.9.2", 0, "clothes", 2, 2, 5),
                moves.DistributionRaised("WF-4.9.2", 0, "lamps", 3, 3, 8),
            )[:raised],
            refused=refused,
        )
        for lamps, raised, refused in ((2, 3, ""), (3, 2, "WF-4.9.2"))
    ),
    worked(
        "WF-9.20",
        own(space=22),
        action("stock_exchange", 2, moves.Buy(1)),
        (moves.SharesBought("WF-4.10.1", 0, 1, 16, 16, False),),
    ),
    worked(
        "WF-9.21",
        own(space=9),
        action("stock_exchange", 2, moves.Sell(1)),
        (moves.SharesSold("WF-4.10.2", 0, 1, 9, 9),),
    ),
    worked(
        "WF-9.21",
        own(space=9),
        action("stock_exchange", 2, moves.Buy(1)),
        (moves.SharesBought("WF-4.10.1", 0, 1, 10, 10, False),),
    ),
    worked(
        "WF-9.22",
        owned("contracts", cutlery=2),
        action("stock_exchange", 2, moves.Contract("food", 6), moves.Contract("cutlery", 4)),
        (moves.ContractPlaced("WF-4.10.5", 0, "food", 0, 6), moves.ContractPlaced("WF-4.10.5", 0, "cutlery", 2, 4)),
        leaves=own(cash=48),
    ),
    worked(
        "WF-9.23",
        own(ships=[2, 6]),
        first(moves.Place("ship:2", 2, 2)),
        (moves.MarkerPlaced("WF-4.4.2", 0, "ship:2", 2, 2),),
    ),
    worked("WF-9.23", own(ships=[2, 6]), first(moves.Place("ship:6", 4, 4)), refused="WF-4.4.5"),
    worked(
        "WF-9.24",
        {**own(ships=[6]), **tiles("accountant")},
        first(moves.Place("ship:6", 4, 6)),
        (moves.MarkerPlaced("WF-4.4.2", 0, "ship:6", 4, 6),),
    ),
    worked(
        "WF-9.24", {**own(ships=[6]), **tiles("accountant")}, first(moves.Place("ship:6", 6, 4)), refused="WF-4.4.5"
    ),
    worked(
        "WF-9.25",
        {**STORED_LAMPS, **plant("food"), **owned("contracts", lamps=6, food=2), "/players/0/stored/food": 2},
        action("ship:6", 6, moves.Fulfil("lamps")),
        refused="WF-4.11.1",
    ),
    worked(
        "WF-9.26",
        FOUR_LAMPS,
        action("ship:6", 6, moves.Fulfil("lamps")),
        (moves.ContractFulfilled("WF-4.11.2", 0, "lamps", 4, 0, 4, 14, 56, (6,)),),
    ),
    worked(
        "WF-9.27",
        {**FOUR_LAMPS, **tiles("office")},
        action("ship:6", 6, moves.Fulfil("lamps")),
        (moves.ContractFulfilled("WF-4.11.2", 0, "lamps", 4, 0, 4, 14, 56, (6,)), moves.OfficePaid("WF-4.15.12", 0, 5)),
    ),
    worked(
        "WF-9.28",
        {**FOUR_LAMPS, **plant("clothes"), **owned("stored", clothes=2), **owned("contracts", clothes=2)},
        action("ship:6", 6, moves.Fulfil("lamps"), moves.Fulfil("clothes")),
        (
            moves.ContractFulfilled("WF-4.11.2", 0, "lamps", 4, 0, 4, 14, 56, (6,)),
            moves.ShareValueMoved("WF-4.11.3", 0, -1, 10, 9, 0, 9, "shipping"),
            moves.ContractFulfilled("WF-4.11.2", 0, "clothes", 2, 0, 2, 9, 18, (6,)),
        ),
    ),
    worked(
        "WF-9.29",
        {
            **plant("food", level=3, workers=(1, 2, 0, 0), machines=[1, 0, 0, 0]),
            **own(markers=["production:light"]),
            "/players/0/slots/food": 1,
        },
        action("production:light", 2, moves.Produce("food", 1)),
        (
            moves.Paid("WF-4.4.2", 0, 2, "administration"),
            moves.Paid("WF-4.12.3", 0, 3, "production"),
            moves.GoodsProduced("WF-4.12.2", 0, "food", 1, 2, 0),
        ),
        at=at(decade=1800),
    ),
    worked(
        "WF-9.30",
        {
            **plant("food", price=7, distribution=1),
            **plant("clothes", price=7, distribution=1),
            **plant("lamps", price=7, distribution=1, workers=SIX),
        },
        action(
            "distribution",
            4,
            moves.RaiseDistribution("food"),
            moves.Done(),
            *[moves.SetPrice(good, 8) for good in ("food", "clothes", "lamps")],
        ),
        (
            moves.DistributionRaised("WF-4.9.2", 0, "food", 2, 2, 3),
            moves.PriceSet("WF-4.13.3", 0, "food", 7, 8, 0, 2),
            moves.PriceSet("WF-4.13.4", 0, "clothes", 7, 8, 1, 2),
            moves.PriceSet("WF-4.13.4", 0, "lamps", 7, 8, 1, 4),
        ),
    ),
    worked(
        "WF-9.31",
        {
            **plant("food"),
            **tiles("school", "office", "agent", "small_warehouse"),
            **owned("stored", lamps=3),
            "/players/0/slots/row": 2,
        },
        action("workers", 2, moves.Done(), moves.TakeTile("broker"), moves.ReturnTile("small_warehouse")),
        (
            moves.TileTaken("WF-4.14.1", 0, "broker", None),
            moves.TileReturned("WF-4.14.1", 0, "small_warehouse"),
            moves.GoodsLost("WF-4.1.10", 0, "lamps", 1, False),
        ),
        at={**TURN, "/tiles/broker": 1},
    ),
    worked(
        "WF-9.32",
        {**plant("food"), **own(ships=[2, 4], crew=1)},
        action("workers", 2, moves.Done(), moves.TakeShip(6, 2)),
        (moves.CrewHired("WF-4.14.5", 0, 2, 0, 3),),
        at=at(decade=1810),
    ),
    worked(
        "WF-9.33",
        plant("clothes", price=7, distribution=2),
        (PRODUCTION,),
        (moves.FactoryProduced("WF-4.16.1", 0, "clothes", 3),),
        at=at(cycle=2, **LAST_TURN),
    ),
    *(
        worked(
            "WF-9.34",
            {"/market": 80 - empty, **plant("clothes", price=9)},
            (PRODUCTION,),
            (
                moves.DemandCounted("WF-4.16.2", "clothes", 7, 0),
                moves.WagesReckoned("WF-4.18.1", 0, "clothes", 4, 2, 0, 1, 0, 0, 8),
            ),
            at=at(cycle=2, **LAST_TURN),
        )
        for empty in (30, 31, 32)
    ),
    worked(
        "WF-9.35",
        CALL_OUT,
        (PRODUCTION,),
        (moves.CallOutEnded("WF-4.16.12", (3, 2, 0), 2, 0),),
        at=at(cycle=2, **LAST_TURN),
    ),
    worked(
        "WF-9.36",
        CALL_OUT,
        (PRODUCTION,),
        (moves.SalesPaid("WF-4.16.16", 0, "clothes", 3, 7, 21), moves.SalesPaid("WF-4.16.16", 1, "clothes", 2, 7, 14)),
        at=at(cycle=2, **LAST_TURN),
    ),
    worked(
        "WF-9.37",
        CALL_OUT,
        (PRODUCTION,),
        (
            moves.ShareValueMoved("WF-4.17.1", 0, 2, 10, 12, 0, 11, "sales"),
            moves.ShareValueMoved("WF-4.17.2", 0, 1, 12, 13, 0, 12, "appeal"),
            moves.ShareValueMoved("WF-4.17.3", 0, 1, 13, 14, 0, 12, "most_sold"),
            moves.ShareValueMoved("WF-4.17.1", 1, 2, 10, 12, 0, 11, "sales"),
        ),
        at=at(cycle=2, **LAST_TURN),
    ),
    worked(
        "WF-9.38",
        {"/market": 60, **plant("food", price=7), "/players/0/slots/food": 1},
        (PRODUCTION,),
        (moves.SalesPaid("WF-4.16.16", 0, "food", 1, 7, 7), moves.GoodsStored("WF-4.20.1", 0, "food", 2)),
        at=at(**LAST_TURN),
    ),
    worked(
        "WF-9.39",
        {"/market": 50, **plant("cutlery", level=2, price=10, workers=(2, 3, 3, 0)), **tiles("school")},
        (PRODUCTION, (0, moves.Done()), (0, moves.CloseRow())),
        (
            moves.FactoryProduced("WF-4.16.1", 0, "cutlery", 5),
            moves.RowClosed("WF-4.16.13", 0, "cutlery", 3, 2),
            moves.WagesReckoned("WF-4.18.1", 0, "cutlery", 5, 2, 0, 1, 0, 0, 10),
        ),
        at=at(cycle=3, **{**LAST_TURN, "decade": 1780}),
    ),
    worked(
        "WF-9.40",
        {"/market": 50, **plant("clothes", price=9, workers=(2, 1, 0, 0), machines=[0, 1, 0, 0])},
        (PRODUCTION,),
        (moves.WagesReckoned("WF-4.18.1", 0, "clothes", 3, 2, 0, 1, 1, 1, 7),),
        at=at(cycle=2, **LAST_TURN),
    ),
    *(
        worked(
            "WF-9.41",
            {"/market": 20, **plant("lamps", price=11, workers=(2, 2, 2, 0), machines=[1, 1, 1, 0]), **lies},
            (PRODUCTION,),
            (moves.WagesReckoned("WF-4.18.1", 0, "lamps", 6, 4, cheaper, 2, 3, upkeep, amount),),
            at=at(cycle=4, **LAST_TURN),
        )
        for lies, cheaper, upkeep, amount in (
            ({}, 0, 3, 27),
            (tiles("foreman", good="lamps"), 4, 3, 19),
            (tiles("foreman", "workshop", good="lamps"), 4, 1, 17),
        )
    ),
    worked(
        "WF-9.42",
        {**plant("clothes", price=9), **SIX_CLOTHES},
        (PRODUCTION, (0, moves.ShipContract((2, 4)))),
        (
            moves.ContractFulfilled("WF-4.19.4", 0, "clothes", 6, 3, 3, 9, 54, (2, 4)),
            moves.ShareValueMoved("WF-4.19.4", 0, -2, 10, 8, 0, 8, "shipping"),
        ),
        at=at(cycle=2, **LAST_TURN),
    ),
    *(
        worked(
            "WF-9.43",
            {**plant("clothes", price=9), **SIX_CLOTHES, **tiles("agent")},
            (PRODUCTION, (0, moves.ShipContract(ships, delta))),
            (moves.ContractFulfilled("WF-4.19.4", 0, "clothes", 6, 3, stored, 9, amount, ships),),
            at=at(cycle=2, **LAST_TURN),
        )
        for ships, delta, stored, amount in (((2, 4), -1, 2, 45), ((2, 6), 1, 4, 63))
    ),
    worked(
        "WF-9.44",
        TOO_MUCH_STORED,
        (PRODUCTION, (0, moves.Discard("food"))),
        (moves.GoodsStored("WF-4.20.1", 0, "lamps", 3), moves.GoodsLost("WF-4.1.10", 0, "food", 1, True)),
        leaves=owned("stored", food=1, clothes=1, lamps=3),
        at=at(cycle=4, **LAST_TURN),
    ),
    worked(
        "WF-9.44", TOO_MUCH_STORED, (PRODUCTION, (0, moves.Done())), refused="WF-4.1.2", at=at(cycle=4, **LAST_TURN)
    ),
    worked(
        "WF-9.45",
        {"/market": 20, **own(ships=[2, 4], crew=1)},
        (PRODUCTION,),
        (moves.HarbourReckoned("WF-4.22.2", 0, 0, 1, 4, 4),),
        at=at(cycle=4, **LAST_TURN),
    ),
    worked(
        "WF-9.46",
        own(cash=84, shares=16, space=36),
        first(moves.Buy(3)),
        (moves.SharesBought("WF-4.10.1", 0, 3, 22, 66, False),),
        leaves=own(cash=18),
        at=at(stage="final_exchange", decade=1810, cycle=0, events=["end_of_game"]),
    ),
    worked(
        "WF-9.47",
        {
            "/fired": 5,
            "/market": 0,
            **own(shares=1),
            **plant("food"),
            **plant("clothes", seat=1),
            **plant("food", seat=2),
            **plant("lamps", seat=2, price=9, workers=SIX),
        },
        ((0, moves.NameStartPlayer(0)),),
        (
            moves.FactoryObsolete("WF-4.22.10", 0, "food", 1, 2),
            moves.FactoryObsolete("WF-4.22.10", 1, "clothes", 1, 1),
            moves.FactoryObsolete("WF-4.22.10", 2, "food", 1, 1),
            moves.FactoryObsolete("WF-4.22.10", 2, "lamps", 1, 1),
            moves.WorkersLacking("WF-4.22.12", 1, 1, 5),
            moves.WorkersLacking("WF-4.22.12", 2, 2, 5),
        ),
        at=at(stage="start_named", cycle=0, decade=1780),
    ),
    *(
        worked(
            rule,
            {**own(shares=19, space=41), **owned("contracts", food=contract)},
            (*first(moves.Done()), (1, moves.Done()), (2, moves.Done())),
            (*moved, moves.GameEnded("WF-4.24.5", (score, 150, 150))),
            at=at(stage="final_exchange", decade=1810, cycle=0, events=["end_of_game"]),
        )
        for rule, contract, score, moved in (
            ("WF-9.49", 6, 418, [moves.ShareValueMoved("WF-4.24.4", 0, -6, 41, 35, 0, 22, "contract")]),
            ("WF-9.49", 10, 399, [moves.ShareValueMoved("WF-4.24.4", 0, -10, 41, 31, 0, 21, "contract")]),
            ("WF-9.50", 0, 456, []),
        )
    ),
    worked(
        "WF-9.48",
        own(cash=0, space=28),
        ((TABLE, moves.EventCustom("tax", (moves.CashGiven(0, -30),))),),
        (moves.EmergencySale("WF-4.23.2", 0, 2, 19, 38, 2),),
        leaves=own(space=24, cash=8),
        at=at(stage="event", cycle=0),
    ),
    worked(
        "WF-9.51",
        {**plant("food"), **tiles("accountant")},
        action("quality", 10, moves.RaiseQuality("food"), moves.RaiseQuality("food"), paid=12),
        (moves.QualityRaised("WF-4.8.2", 0, "food", 1, 3), moves.QualityRaised("WF-4.8.2", 0, "food", 2, 4)),
    ),
    worked(
        "WF-9.54",
        {**plant("food", level=3, price=8), **tiles("developer", "inventor")},
        action("factory", 2, moves.Modernize("food", True, True)),
        refused="WF-4.5.5",
        at=at(decade=1800),
    ),
)
