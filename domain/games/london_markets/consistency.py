"""Expectations of London Markets' rules about a sheet: totals of the box, and orders.

What contradicts itself so that no game opens is refused where the sheet is read.
"""

from __future__ import annotations

from daybook.domain.games.london_markets import printed
from daybook.domain.kernel.sheet import Expectation, total

MOST_PLAYERS = 4


def rising(rule: str, path: str) -> Expectation:
    """Return the expectation that a list of printed steps rises."""
    return Expectation(
        rule, "the steps rise: {expected}, not {found}", lambda sheet: (sorted(set(sheet[path])), sheet[path]), (path,)
    )


CONSISTENCY = (
    total(
        "LM-2.1.14",
        "the box holds {expected} special cards; these numbers make {found}",
        "box.special_cards",
        lambda sheet: sum(sheet.under("copies").values()),
        "copies.",
    ),
    total(
        "LM-2.1.15",
        "there are {expected} piles of special cards; these numbers make {found}",
        "box.special_piles",
        lambda sheet: len(sheet["specials.piles"]),
        "specials.piles",
    ),
    total(
        "LM-2.1.3",
        "the box holds {expected} goods bars; these numbers make {found}",
        "box.goods_bars",
        lambda sheet: len(sheet["bars.colours"]) * sheet["bars.each_colour"],
        "bars.each_colour",
    ),
    total(
        "LM-2.1.11",
        "the box holds {expected} goods cards; these numbers make {found}",
        "box.goods_cards",
        lambda sheet: len(printed.GOODS) * sheet["goods.each_type"],
        "goods.each_type",
    ),
    total(
        "LM-2.1.6",
        "the box holds {expected} market cards; these numbers make {found}",
        "box.market_cards",
        lambda sheet: len(sheet.rows("market_cards")) - 1 + sheet[f"market_cards.{printed.CLOSED}.copies"],
        f"market_cards.{printed.CLOSED}.copies",
    ),
    total(
        "LM-2.1.5",
        "the box holds {expected} replenishment cards; these numbers make {found}",
        "box.replenishment_cards",
        lambda sheet: len(sheet["bars.colours"]) * sheet["replenishment.plain_cards"],
        "replenishment.plain_cards",
    ),
    Expectation(
        "LM-2.1.22",
        "after the deal the goods piles are {expected} high (3, 4 players); these numbers make {found}",
        lambda sheet: (
            [sheet["box.height_of_goods_piles"].get(seats, 0) for seats in ("3", "4")],
            [sheet["goods.each_type"] - sheet[f"seats.{seats}.dealt"] for seats in ("3", "4")],
        ),
        ("goods.each_type", "seats.3.dealt", "box.height_of_goods_piles"),
    ),
    rising("LM-2.5.2", "monopoly.crates"),
    rising("LM-2.5.2", "monopoly.pays"),
    rising("LM-2.5.3", "combined.crates"),
    rising("LM-2.5.3", "combined.pays"),
    rising("LM-2.5.4", "rich_offer.markets"),
    rising("LM-2.5.4", "rich_offer.pays"),
    Expectation(
        "LM-6.31",
        "the piles hold {expected} cards at the least and the most; these numbers make {found}",
        lambda sheet: (
            [
                max(sheet["specials.smallest_pile"], min(sheet["specials.piles"])),
                min(sheet["specials.largest_pile"], max(sheet["specials.piles"])),
            ],
            [min(sheet["specials.piles"]), max(sheet["specials.piles"])],
        ),
        ("specials.piles", "specials.smallest_pile", "specials.largest_pile"),
    ),
)
