"""Expectations of London Markets' rules about a sheet: totals of the box, and orders.

What contradicts itself so that no game opens is refused where the sheet is read.
"""

from __future__ import annotations

from daybook.domain.games.london_markets import printed
from daybook.domain.kernel.sheet import Expectation, at_least, total

MOST_PLAYERS = 4


def rising(rule: str, path: str) -> Expectation:
    return Expectation(
        rule, "the steps rise: {expected}, not {found}", lambda sheet: (sorted(set(sheet[path])), sheet[path]), (path,)
    )


CONSISTENCY = (
    Expectation(
        "LM-2.1.15",
        "there is at least {expected} pile of special cards, not {found}",
        lambda sheet: at_least(1, len(sheet["specials.piles"])),
        ("specials.piles",),
        needed=True,
    ),
    Expectation(
        "LM-2.1.23",
        "each player passes at least {expected} bar on, not {found}",
        lambda sheet: at_least(1, sheet["setup.bars_passed"]),
        ("setup.bars_passed",),
        needed=True,
    ),
    Expectation(
        "LM-2.1.23",
        "each player passes bars of one colour on: at most {expected}, not {found}",
        lambda sheet: (min(sheet["bars.each_colour"], sheet["setup.bars_passed"]), sheet["setup.bars_passed"]),
        ("setup.bars_passed", "bars.each_colour"),
        needed=True,
    ),
    Expectation(
        "LM-2.1.24",
        "the markets take the bars of four players: at least {expected}, not {found}",
        lambda sheet: at_least(
            MOST_PLAYERS * sheet["setup.bars_passed"], len(printed.MARKETS) * sheet["setup.bars_in_market"]
        ),
        ("setup.bars_passed", "setup.bars_in_market"),
        needed=True,
    ),
    Expectation(
        "LM-4.4.3",
        "in a round {expected} merchants and assistants wait for the players, not {found}",
        lambda sheet: at_least(MOST_PLAYERS, len(printed.MERCHANTS) + len(set(sheet[f"seats.{MOST_PLAYERS}.tracks"]))),
        (f"seats.{MOST_PLAYERS}.tracks",),
        needed=True,
    ),
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
