"""The worked examples of the rulebooks of Arkwright: The Card Game (ACG-10)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from daybook.domain.games.arkwright_card import moves
from daybook.domain.games.arkwright_card.printed import ActionKind
from daybook.domain.kernel.terms import TABLE, Decision, Seat
from daybook.domain.kernel.worked_examples import WorkedExample

FIRST, SECOND, LAST = range(3)
START_FACTORY = {"side": 1, "slot": 4, "workers": [{"side": 1}]}
OPENING_ROUND = {
    "/stage": "action",
    "/mover": FIRST,
    "/start": FIRST,
    "/round": 1,
    "/turns": 1,
    "/players/0/money": 50,
    **{f"/players/{FIRST}/factories/{good}": START_FACTORY for good in ("food", "clothes")},
}
LAST_TURN = {**OPENING_ROUND, "/stage": "development", "/mover": LAST, "/turns": 3}
PRODUCTION: tuple[Seat, Decision] = (LAST, moves.SkipDevelopment())  # follows

worked = partial(WorkedExample, at=OPENING_ROUND)


def first(*decisions: Decision) -> tuple[tuple[Seat, Decision], ...]:
    """Return decisions of the first player."""
    return tuple((FIRST, decision) for decision in decisions)


def action(kind: ActionKind, *decisions: Decision) -> tuple[tuple[Seat, Decision], ...]:
    """Return the choice of an action and decisions within it, by the first player."""
    return first(moves.ChooseAction(kind), *decisions)


def lying(good: str, **cards: Any) -> Mapping[str, Any]:
    """Return quality cards next to a factory of the first player, by their values."""
    own = f"/players/{FIRST}/factories/{good}/quality"
    return {own: {card: {"value": value, "mode": "price"} for card, value in cards.items()}}


def distribution(good: str, value: int) -> Mapping[str, Any]:
    return {f"/players/{FIRST}/factories/{good}/distribution": {"card": "DA", "value": value}}


SECOND_LEVEL = {f"/players/{FIRST}/levels/quality": 1}
USED_CARD = {**lying("clothes", QA=1), **lying("lamps", QC=3)}
LAMPS = {f"/players/{FIRST}/factories/lamps": START_FACTORY}
ENGINEER = {
    f"/players/{FIRST}/cards": ["engineer"],
    f"/players/{FIRST}/quality_cap": 6,
    **SECOND_LEVEL,
    **lying("food", QE=5),
    **lying("clothes", QC=4),
    **lying("cutlery", QA=1, QB=2),
}
CUTLERY = {f"/players/{FIRST}/factories/cutlery": START_FACTORY}

EXAMPLES = (
    worked(
        "ACG-10.1",
        distribution("food", 1),
        action("distribution", moves.SetCard("DA", 3)),
        (moves.CardTurned("ACG-4.6.2", FIRST, "food", "DA", 1, 3, None, 3),),
    ),
    worked("ACG-10.1", distribution("food", 1), action("distribution", moves.SetCard("DA", 4)), refused="ACG-4.6.4"),
    worked(
        "ACG-10.2",
        {**SECOND_LEVEL, **USED_CARD},
        action("quality", moves.SetCard("QA", 2, "price"), moves.Place("QB", "clothes", 1, "appeal")),
        (
            moves.CardTurned("ACG-4.6.2", FIRST, "clothes", "QA", 1, 2, "price", 2),
            moves.CardPlaced("ACG-4.6.2", FIRST, "clothes", "QB", 1, "appeal", 3),
        ),
        at={**OPENING_ROUND, **LAMPS},
    ),
    worked(
        "ACG-10.2",
        USED_CARD,
        action("quality", moves.SetCard("QA", 2, "price"), moves.Place("QB", "clothes", 1, "appeal")),
        refused="ACG-4.6.4",
        at={**OPENING_ROUND, **LAMPS},
    ),
    worked(
        "ACG-10.3",
        {**SECOND_LEVEL, **lying("food", QA=2), **lying("clothes", QB=2)},
        action(
            "quality",
            moves.Lift("QA"),
            moves.Place("QC", "food", 3, "price"),
            moves.Place("QA", "clothes", 1, "price"),
            moves.EndAction(),
        ),
        (
            moves.CardPlaced("ACG-4.6.2", FIRST, "food", "QC", 3, "price", 3),
            moves.CardPlaced("ACG-4.6.2", FIRST, "clothes", "QA", 1, "price", 3),
        ),
    ),
    worked(
        "ACG-10.4",
        ENGINEER,
        action(
            "quality",
            moves.Lift("QE"),
            moves.Lift("QC"),
            moves.Place("QE", "clothes", 5, "price"),
            moves.Place("QC", "food", 4, "price"),
            moves.SetCard("QA", 2, "price"),
            moves.EndAction(),
        ),
        (
            moves.CardPlaced("ACG-4.6.2", FIRST, "clothes", "QE", 5, "price", 5),
            moves.CardPlaced("ACG-4.6.2", FIRST, "food", "QC", 4, "price", 4),
            moves.CardTurned("ACG-4.6.2", FIRST, "cutlery", "QA", 1, 2, "price", 4),
        ),
        at={**OPENING_ROUND, **CUTLERY},
    ),
    worked(
        "ACG-10.4",
        ENGINEER,
        action(
            "quality",
            moves.Lift("QE"),
            moves.Lift("QC"),
            moves.Place("QE", "clothes", 6, "price"),
            moves.Place("QC", "food", 4, "price"),
            moves.SetCard("QA", 2, "price"),
        ),
        refused="ACG-4.6.4",
        at={**OPENING_ROUND, **CUTLERY},
    ),
    worked(
        "ACG-10.5",
        {
            **distribution("clothes", 2),
            f"/players/{FIRST}/factories/clothes/slot": 1,
            f"/players/{FIRST}/factories/clothes/appeal": 3,
            "/demand/clothes": 3,
        },
        first(moves.PassAction(), moves.SetSlot(3), moves.SetOffice("appeal")),
        (
            moves.PriceFixed("ACG-4.10.3", FIRST, "clothes", 7, 4, (1, 4, 0, 2), (4, 0, 0)),
            moves.AppealMoved("ACG-4.10.3", FIRST, "clothes", 3, 7, 4),
            moves.DemandMoved("ACG-4.0.8", "clothes", 4, 3, 7, 2),
        ),
        at={**OPENING_ROUND, "/round": 2},
    ),
    worked("ACG-10.6", {}, (PRODUCTION,), (moves.GoodsMade("ACG-4.13.2", FIRST, "food", 2, (2,), 4),), at=LAST_TURN),
    worked(
        "ACG-10.7",
        {f"/players/{FIRST}/factories/food/appeal": 4, "/demand/food": 6},
        (PRODUCTION,),
        (moves.MarketMeasured("ACG-4.13.4", FIRST, "food", 4, 2, 0, 2),),
        at=LAST_TURN,
    ),
    worked(
        "ACG-10.8",
        {
            f"/players/{FIRST}/factories/lamps": {**START_FACTORY, "side": 2},
            **distribution("lamps", 4),
            f"/players/{FIRST}/factories/lamps/appeal": 4,
            "/demand/lamps": 6,
        },
        (PRODUCTION,),
        (moves.SoldHome("ACG-4.13.7", FIRST, "lamps", 2, 0, 14, 28),),
        at={**LAST_TURN, "/round": 4},
    ),
    worked(
        "ACG-10.9",
        {f"/players/{FIRST}/factories/food/appeal": 3, "/demand/food": 9},
        (PRODUCTION,),
        (moves.MarketMeasured("ACG-4.13.4", FIRST, "food", 3, 3, 0, 0),),
        at=LAST_TURN,
    ),
    worked(
        "ACG-10.10",
        {f"/players/{FIRST}/levels/stock": 1, f"/players/{FIRST}/share_value": 13},
        action("stock", moves.BuyShare(), moves.BuyShare()),
        (
            moves.SharesBought("ACG-4.7.1", FIRST, 1, 7, 7, True, 11),
            moves.SharesBought("ACG-4.7.1", FIRST, 1, 13, 13, False, 12),
        ),
    ),
    worked(
        "ACG-10.11",
        {f"/players/{FIRST}/share_value": 15},
        action("stock", moves.TakeLoan()),
        (moves.LoanTaken("ACG-4.7.6", FIRST, 15, 1),),
    ),
    worked(
        "ACG-10.12",
        {},
        ((TABLE, moves.StartPlayerDetermined(FIRST)), *[(TABLE, moves.CardDealt("broker"))] * 3),
        refused="ACG-3.3.4",
        at={},
        options={"random_supply": True},
    ),
    worked(
        "ACG-10.13",
        {},
        ((TABLE, moves.StartPlayerDetermined(FIRST)),),
        (moves.NeutralPlaced("ACG-3.2.10", {"food": 3, "clothes": 3, "cutlery": 2, "lamps": 2}),),
        at={},
        seats=2,
    ),
    worked(
        "ACG-10.13",
        {},
        ((SECOND, moves.SkipDevelopment()), (FIRST, moves.ChooseStartPlayer(FIRST))),
        tuple(
            moves.NeutralMoved("ACG-4.18.5", good, before, before + 1)
            for good, before in zip(("food", "clothes", "cutlery", "lamps"), (3, 3, 2, 2), strict=True)
        ),
        at={
            **LAST_TURN,
            "/mover": SECOND,
            "/turns": 8,
            "/round": 4,
            "/neutral": {"food": 3, "clothes": 3, "cutlery": 2, "lamps": 2},
        },
        seats=2,
    ),
    worked(
        "ACG-10.15",
        {},
        first(moves.BuyStartShares(5)),
        (moves.SharesBought("ACG-3.3.6", FIRST, 5, 10, 50, False, 15),),
        leaves={f"/players/{FIRST}/money": 0},
        at={"/stage": "start_shares", "/mover": FIRST, "/start": FIRST},
        options={"start_shares": True},
    ),
)
