"""What the rules of London Markets expect of a sheet's numbers: totals of the box, and the rulebook's examples (LM-9).

What contradicts itself so that no game opens is refused where the sheet is read.
"""

from __future__ import annotations

from collections.abc import Callable

from daybook.domain.games.london_markets import printed
from daybook.domain.kernel.sheet import Expectation, Sheet, Told, at_least

MOST_PLAYERS = 4


def steps(sheet: Sheet, card: str, least: str) -> printed.Steps:
    return printed.Steps(tuple(sheet[f"{card}.pays"]), tuple(sheet[f"{card}.{least}"]))


def example(rule: str, says: str, expected: Told, found: Callable[[Sheet], Told], *paths: str) -> Expectation:
    return Expectation(rule, says, lambda sheet: (expected, found(sheet)), paths)


def rising(rule: str, path: str) -> Expectation:
    return Expectation(
        rule, "the steps rise: {expected}, not {found}", lambda sheet: (sorted(set(sheet[path])), sheet[path]), (path,)
    )


def total(rule: str, says: str, box: str, found: Callable[[Sheet], int], *paths: str) -> Expectation:
    return Expectation(rule, says, lambda sheet: (sheet[box], found(sheet)), (*paths, box))


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
    example(
        "LM-9.1",
        "a bar holds {expected} crates, R R B / G shows four red ones; with these numbers {found}",
        3,
        lambda sheet: sheet["bars.crates"],
        "bars.crates",
    ),
    example(
        "LM-9.3",
        "who shows two crates or fewer earns £{expected} all the same; with these numbers £{found}",
        3,
        lambda sheet: sheet["actions.least"],
        "actions.least",
    ),
    example(
        "LM-9.4",
        "the auction of the example pays coffee, silk and china {expected}; here M01 pays {found}",
        f"4, 2, {printed.ICON}",
        lambda sheet: ", ".join(sheet[f"market_cards.M01.{goods}"] for goods in ("coffee", "silk", "china")),
        "market_cards.M01.",
    ),
    example(
        "LM-9.5",
        "a Monopoly of seven crates pays £{expected}; with these numbers £{found}",
        8,
        lambda sheet: steps(sheet, "monopoly", "crates").pay(7),
        "monopoly.crates",
        "monopoly.pays",
    ),
    example(
        "LM-9.6",
        "a Combined offer of five and five crates pays £{expected}; with these numbers £{found}",
        14,
        lambda sheet: steps(sheet, "combined", "crates").pay(5),
        "combined.crates",
        "combined.pays",
    ),
    example(
        "LM-9.7",
        "a Rich offer at four markets pays £{expected}; with these numbers £{found}",
        6,
        lambda sheet: steps(sheet, "rich_offer", "markets").pay(4),
        "rich_offer.markets",
        "rich_offer.pays",
    ),
    example(
        "LM-9.8",
        "each player is dealt {expected} goods cards; with these numbers {found}",
        8,
        lambda sheet: sheet["setup.hand"],
        "setup.hand",
    ),
    example(
        "LM-9.11",
        "a Rich offer is refused up to round {expected}; with these numbers up to round {found}",
        4,
        lambda sheet: sheet["specials.forbidden_rounds"],
        "specials.forbidden_rounds",
    ),
    example(
        "LM-9.12",
        "a market takes {expected} bars in the set-up; with these numbers {found}",
        3,
        lambda sheet: sheet["setup.bars_in_market"],
        "setup.bars_in_market",
    ),
    example(
        "LM-9.13",
        "round {expected} is the last one; with these numbers round {found}",
        12,
        lambda sheet: sheet["game.rounds"],
        "game.rounds",
    ),
)
