"""The worked examples of the rulebook of London Markets (LM-9)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from daybook.domain.games.london_markets import moves
from daybook.domain.games.london_markets.board import Layer
from daybook.domain.games.london_markets.printed import GOODS, UNKNOWN
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.kernel.worked_examples import WorkedExample

RED, BLUE, GREEN, YELLOW = range(4)
FIFTH_ROUND = {
    "/stage": "turn",
    "/start": 0,
    "/round": 5,
    "/revealed": ["M02", "M03", "M04", "M05", "M01"],
    "/assistants": {"A": 5, "B": 5},
    "/traded": {"PORT": "coffee", "COVE": "china", "PETT": "silk", "BORO": "soap", "BRIX": "general"},
    "/merchants": {"stack": "COVE", "profit": "PORT", "goods": "BORO"},
}
OFFERS = {**FIFTH_ROUND, "/stage": "offers", "/auction": 1}

worked = partial(WorkedExample, seats=4, options={"hands": "open"})


def turn_of(seat: Seat) -> Mapping[str, Any]:
    return {**FIFTH_ROUND, "/turn": seat}


def bars(**drawn: str) -> Mapping[str, Any]:
    """Return the stacks of markets: "R R B / G" is layers from the bottom, slot by slot."""
    return {f"/stacks/{market}": [layer_of(row) for row in rows.split("/")] for market, rows in drawn.items()}


def layer_of(row: str) -> Layer:
    slots: Layer = ["RBGY".index(bar) for bar in row.split()]
    return [*slots, None, None][:3]


def held(seat: Seat, **cards: int) -> Mapping[str, Any]:
    """Return values for cards in a seat's hand, by path."""
    return {f"/players/{seat}/hand/{goods}": count for goods, count in cards.items()}


def offers(*cards: moves.Offer) -> tuple[tuple[Seat, moves.Offer], ...]:
    return tuple(enumerate(cards))


EXAMPLES = (
    worked(
        "LM-9.1",
        bars(PORT="R R B/G"),
        ((RED, moves.UseMerchant("profit")),),
        (moves.ProfitGained("LM-4.4.6", RED, "PORT", 4, 4),),
        at=turn_of(RED),
    ),
    worked(
        "LM-9.2",
        bars(BORO="B R Y/G"),
        ((BLUE, moves.UseMerchant("goods")),),
        (moves.GoodsGranted("LM-4.4.7", BLUE, "BORO", 2, 3), moves.GoodsDrawn("LM-4.4.10", BLUE, "soap", 3)),
        at=turn_of(BLUE),
    ),
    *(
        worked(
            "LM-9.3",
            bars(PORT=rows),
            ((RED, moves.UseMerchant("profit")),),
            (moves.ProfitGained("LM-4.4.6", RED, "PORT", crates, 3),),
            at=turn_of(RED),
        )
        for rows, crates in (("R B G/B", 2), ("R B G/B B", 1), ("B B G", 0))
    ),
    worked(
        "LM-9.4",
        {**held(RED, coffee=3), **held(BLUE, coffee=2), **held(GREEN, silk=1), **held(YELLOW, china=1)},
        offers(moves.Offer(coffee=3), moves.Offer(coffee=2), moves.Offer(silk=1), moves.Offer(china=1)),
        (
            moves.AuctionWon("LM-4.7.6", RED, "coffee", 3, 4, False, (moves.Bid(BLUE, 2),)),
            moves.AuctionWon("LM-4.7.6", GREEN, "silk", 1, 2, False),
            moves.AuctionWon("LM-4.7.6", YELLOW, "china", 1, 0, True),
        ),
        at=OFFERS,
    ),
    worked(
        "LM-9.5",
        {**bars(BORO="B B R/B"), f"/players/{BLUE}/specials": ["monopoly:BORO"]},
        ((BLUE, moves.PlaySpecial("monopoly:BORO")),),
        (moves.SpecialPaid("LM-4.5.11", BLUE, "monopoly:BORO", {"BORO": 7}, 8),),
        at=turn_of(BLUE),
    ),
    worked(
        "LM-9.6",
        {**bars(PORT="G R B/G", PETT="G Y B/G"), f"/players/{GREEN}/specials": ["combined:PORT+PETT"]},
        ((GREEN, moves.PlaySpecial("combined:PORT+PETT")),),
        (moves.SpecialPaid("LM-4.5.12", GREEN, "combined:PORT+PETT", {"PORT": 5, "PETT": 5}, 14),),
        at=turn_of(GREEN),
    ),
    worked(
        "LM-9.7",
        {
            **bars(PORT="R R B", COVE="Y", PETT="Y R B/R", BORO="R Y", BRIX="Y"),
            f"/players/{YELLOW}/specials": ["rich_offer"],
        },
        ((YELLOW, moves.PlaySpecial("rich_offer")),),
        (
            moves.SpecialPaid(
                "LM-4.5.13", YELLOW, "rich_offer", {"PORT": 0, "COVE": 3, "PETT": 2, "BORO": 3, "BRIX": 3}, 6
            ),
        ),
        at=turn_of(YELLOW),
    ),
    *(
        WorkedExample(
            "LM-9.8",
            {},
            ((TABLE, moves.HandDealt(2, 2, 2, 2)),) * (seats - 1),
            (),
            {f"/piles/{goods}": height for goods in GOODS},
            seats=seats,
            options={"hands": "open"},
        )
        for seats, height in ((4, 10), (3, 12))
    ),
    worked(
        "LM-9.9",
        {**held(BLUE, soap=1, silk=1), **held(YELLOW, china=1)},
        offers(moves.Offer(), moves.Offer(soap=1, silk=1), moves.Offer(), moves.Offer(china=1)),
        leaves={**held(BLUE, soap=1, silk=1), "/covered": []},
        at=OFFERS,
    ),
    worked(
        "LM-9.10",
        {**held(RED, china=2), **held(GREEN, china=2)},
        offers(moves.Offer(china=2), moves.Offer(), moves.Offer(china=2), moves.Offer()),
        (moves.GoodsReturned("LM-4.7.12", RED, "china", 2), moves.GoodsReturned("LM-4.7.12", GREEN, "china", 2)),
        leaves={"/covered": ["china"]},
        at=OFFERS,
    ),
    worked(
        "LM-9.11",
        {**bars(PORT="R", COVE="R", PETT="R", BORO="R", BRIX="R"), f"/players/{RED}/specials": ["rich_offer"]},
        ((RED, moves.PlaySpecial("rich_offer")),),
        refused="LM-4.5.5",
        at={**FIFTH_ROUND, "/round": 4, "/revealed": ["M02", "M03", "M04", "M01"]},
    ),
    worked(
        "LM-9.12",
        bars(COVE="R B G"),
        ((YELLOW, moves.SetupBar("COVE")),),
        refused="LM-3.2.2",
        at={"/stage": "setup_bars", "/start": 0},
    ),
    worked(
        "LM-9.13",
        {"/covered": ["coffee", "silk", "china"], **held(RED, soap=1)},
        offers(moves.Offer(soap=1), moves.Offer(), moves.Offer(), moves.Offer()),
        (moves.GameEnded("LM-4.10.1", 12),),
        at={**OFFERS, "/round": 12, "/revealed": [UNKNOWN] * 11 + ["M01"], "/bottom": "M01"},
    ),
)
