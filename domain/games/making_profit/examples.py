"""The worked examples of the rulebook of Making Profit (MP-9)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from daybook.domain.games.making_profit import moves
from daybook.domain.kernel.terms import TABLE
from daybook.domain.kernel.worked_examples import WorkedExample

FIVE = ["M2", "M2", "M1", "R2", "R2"]
SECOND_ROUND = {"/start": 0, "/turn": 4, "/actions": 2, "/draws": 0, "/developer": 2}
BLUE_HAS_FIVE = {"/players/1/factory": FIVE}

worked = partial(WorkedExample, colours=("red", "blue", "green"), at=SECOND_ROUND)


def held(seat: int, **cards: int) -> Mapping[str, Any]:
    """Return values for cards in a seat's hand, by path."""
    return {f"/players/{seat}/hand/{card}": count for card, count in cards.items()}


EXAMPLES = (
    worked(
        "MP-9.1",
        {**BLUE_HAS_FIVE, "/players/0/money": 20},
        ((0, moves.BuyStock("blue")), (TABLE, moves.Drawn("R1"))),
        (moves.StockBought("MP-4.2.3", 0, "blue", 5, 5, 1), moves.CardDrawn("MP-4.7.1", 1, "R1", 1)),
    ),
    worked(
        "MP-9.2",
        {"/players/0/money": 20},
        ((0, moves.BuyStock("blue")),),
        (moves.StockBought("MP-4.2.3", 0, "blue", 2, 0, 1),),
    ),
    worked(
        "MP-9.2",
        {"/players/0/money": 20, "/players/1/factory": ["R1"]},
        ((0, moves.BuyStock("blue")),),
        (moves.StockBought("MP-4.2.3", 0, "blue", 2, 1, 1),),
    ),
    worked(
        "MP-9.3",
        {**BLUE_HAS_FIVE, "/players/0/certificates/blue": 1, **held(1, M1=1)},
        ((0, moves.SellAdd("blue")), (0, moves.SellDone())),
        (moves.StockSold("MP-4.3.3", 0, "blue", 1, 5, 5), moves.CardDiscarded("MP-4.3.8", 1, "M1", "hand", 1)),
    ),
    worked(
        "MP-9.4",
        {"/players/0/factory": FIVE, "/players/1/certificates/red": 1},
        ((0, moves.Run()),),
        (
            moves.FactoryRun("MP-4.5.2", 0, 5, 4),
            moves.DividendPaid("MP-4.5.3", 0, "red", 2, 5, 10),
            moves.DividendPaid("MP-4.5.3", 1, "red", 1, 5, 5),
        ),
    ),
    worked(
        "MP-9.5",
        held(0, R1=1, M1=1, M2=1),
        ((0, moves.SellResources(("R1", "M1", "M2"))),),
        (moves.ResourcesSold("MP-4.6.1", 0, ("R1", "M1", "M2"), 10),),
    ),
    worked(
        "MP-9.6",
        held(0, R1=3, M1=3),
        ((0, moves.SellResources(("R1", "R1", "R1", "M1", "M1", "M1"))),),
        refused="MP-4.6.2",
    ),
    worked(
        "MP-9.7",
        {},
        (
            *[(TABLE, moves.Drawn(card)) for card in ("R1", "R1", "M1", "M1", "M2", "M2")],
            (TABLE, moves.StartPlayerDrawn(0)),
            (0, moves.ThirdCard(True)),
            (TABLE, moves.Drawn("M2")),
        ),
        (moves.ThirdCardClaimed("MP-3.2.2", 0),),
        leaves={"/players/0/hand/R1": 2, "/players/0/hand/M2": 1},
        at={},
    ),
    worked(
        "MP-9.8",
        held(0, M1=1),
        ((0, moves.Develop("M1")), *[(seat, moves.EndTurn()) for seat in (0, 1, 2)]),
        (moves.CardDeveloped("MP-4.4.1", 0, "M1", 1), moves.GameEnded("MP-4.8.2", "no_development", 0)),
    ),
    worked(
        "MP-9.9",
        {**held(0, M1=1), **held(1, M1=1)},
        (
            (0, moves.Develop("M1")),
            (0, moves.EndTurn()),
            (1, moves.Develop("M1")),
            (1, moves.EndTurn()),
            (2, moves.EndTurn()),
        ),
        (moves.CardDeveloped("MP-4.4.1", 0, "M1", 1), moves.CardDeveloped("MP-4.4.1", 1, "M1", 1)),
        leaves={"/developer": 1, "/turn": 7},
    ),
    worked(
        "MP-9.10",
        {"/players/0/factory": ["R1"] * 9, **held(0, M1=1)},
        ((0, moves.Develop("M1")),),
        (moves.CardDeveloped("MP-4.4.1", 0, "M1", 10), moves.GameEnded("MP-4.8.1", "level_ten", 0)),
    ),
    worked(
        "MP-9.12",
        {
            "/players/0/money": 20,
            **held(0, M1=2, M2=1),
            **held(1, R1=2, R2=1),
            **{f"/deck/{card}": int(card == "M1") for card in ("R1", "R2", "M1", "M2")},
        },
        (
            (0, moves.BuyStock("blue")),
            (TABLE, moves.Drawn("M1")),
            (1, moves.Nationalise(("R1", "R1"))),
            (0, moves.Nationalise(("M1", "M1"))),
        ),
        (moves.HandCut("MP-4.7.3", 1, ("R2", "M1")), moves.HandCut("MP-4.7.3", 0, ("M2",))),
    ),
)
