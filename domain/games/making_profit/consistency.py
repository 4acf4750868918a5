"""What the rules of Making Profit expect of a sheet's numbers: totals of the box, the rulebook's examples (MP-9)."""

from __future__ import annotations

from collections.abc import Callable

from daybook.domain.games.making_profit.board import CARDS
from daybook.domain.kernel.sheet import Expectation, Sheet, Told, at_least

MOST_RESOURCES = 10  # on one card; the printed ones have a few, and each is a card that the table draws
FACTORY = ("M2", "M2", "M1", "R2", "R2")  # of the example


def price(sheet: Sheet, level: int) -> int:
    least: int = sheet["certificates.lowest_price"]
    return max(least, level)


def worth_at_level(sheet: Sheet, level: int) -> int:
    least: int = sheet["certificates.lowest_worth"]
    return max(least, level)


def yields(sheet: Sheet, what: str) -> int:
    """What the factory of the example yields when it runs."""
    return sum(sheet[f"cards.{card}.{what}"] for card in FACTORY)


def copies(sheet: Sheet) -> int:
    return sum(sheet[f"cards.{card}.copies"] for card in CARDS)


def most_resources(sheet: Sheet) -> int:
    return max(int(sheet[f"cards.{card}.resources"]) for card in CARDS)


def example(rule: str, says: str, expected: Told, found: Callable[[Sheet], Told], *paths: str) -> Expectation:
    return Expectation(rule, says, lambda sheet: (expected, found(sheet)), paths)


def least(rule: str, says: str, number: int, path: str) -> Expectation:
    return Expectation(rule, says, lambda sheet: at_least(number, sheet[path]), (path,), needed=True)


CONSISTENCY = (
    least("MP-2.1.11", "a turn has at least {expected} action, not {found}", 1, "turn.actions"),
    least("MP-2.1.14", "a set has at least {expected} card, not {found}", 1, "turn.set_cards"),
    least("MP-2.1.17", "the level that ends the game is at least {expected}, not {found}", 1, "factories.last_level"),
    Expectation(
        "MP-2.1.2",
        "there are {expected} colours, {found} of them different",
        lambda sheet: (len(sheet["factories.colours"]), len(set(sheet["factories.colours"]))),
        ("factories.colours",),
        needed=True,
    ),
    Expectation(
        "MP-3.1.2",
        "each player begins with {expected} certificates of her own; there are {found}",
        lambda sheet: (
            sheet["start.certificates"],
            min(sheet["start.certificates"], sheet["certificates.each_colour"]),
        ),
        ("start.certificates", "certificates.each_colour"),
        needed=True,
    ),
    Expectation(
        "MP-7.5",
        "the deck outlasts the first hands and third cards: at least {expected} cards, not {found}",
        lambda sheet: at_least(len(sheet["factories.colours"]) * (sheet["start.hand"] + 1) + 1, copies(sheet)),
        ("cards.",),
        needed=True,
    ),
    Expectation(
        "MP-2.2",
        "a card yields at most {expected} resources, not {found}",
        lambda sheet: (min(MOST_RESOURCES, most := most_resources(sheet)), most),
        ("cards.",),
        needed=True,
    ),
    Expectation(
        "MP-2.1.4",
        "the box holds {expected} cards; these numbers make {found}",
        lambda sheet: (sheet["box.cards"], copies(sheet)),
        ("cards.", "box.cards"),
    ),
    Expectation(
        "MP-2.1.5",
        "the box holds {expected} kinds of card; the sheet has {found}",
        lambda sheet: (sheet["box.card_types"], len(CARDS)),
        ("box.card_types",),
    ),
    Expectation(
        "MP-2.1.1",
        "the box holds {expected} factories; the sheet has {found} colours",
        lambda sheet: (sheet["box.factories"], len(sheet["factories.colours"])),
        ("box.factories",),
    ),
    Expectation(
        "MP-2.1.3",
        "the box holds {expected} certificates; these numbers make {found}",
        lambda sheet: (sheet["box.certificates"], len(sheet["factories.colours"]) * sheet["certificates.each_colour"]),
        ("certificates.each_colour", "box.certificates"),
    ),
    example(
        "MP-9.1",
        "a certificate of a factory at level 5 costs ${expected}; with these numbers ${found}",
        5,
        lambda sheet: price(sheet, 5),
        "certificates.lowest_price",
    ),
    example(
        "MP-9.2",
        "at level 0 and at level 1 a certificate costs ${expected}; with these numbers ${found}",
        [2, 2],
        lambda sheet: [price(sheet, 0), price(sheet, 1)],
        "certificates.lowest_price",
    ),
    example(
        "MP-9.3",
        "a certificate of a factory at level 5 is sold for ${expected}; with these numbers ${found}",
        5,
        lambda sheet: worth_at_level(sheet, 5),
        "certificates.lowest_worth",
    ),
    example(
        "MP-9.4",
        "a factory of M2, M2, M1, R2, R2 pays two certificates ${expected}; with these numbers ${found}",
        10,
        lambda sheet: 2 * yields(sheet, "money"),
        "cards.M2.money",
        "cards.M1.money",
        "cards.R2.money",
    ),
    example(
        "MP-9.4",
        "its owner draws {expected} cards; with these numbers {found}",
        4,
        lambda sheet: yields(sheet, "resources"),
        "cards.R2.resources",
        "cards.M2.resources",
    ),
    example(
        "MP-9.5",
        "a set of {expected} (cards, dollars); with these numbers {found}",
        [3, 10],
        lambda sheet: [sheet["turn.set_cards"], sheet["turn.set_price"]],
        "turn.set_cards",
        "turn.set_price",
    ),
    example(
        "MP-9.7",
        "two R1 at the start become a hand of {expected}; with these numbers {found}",
        3,
        lambda sheet: sheet["start.hand"] + 1,
        "start.hand",
    ),
    example(
        "MP-9.10",
        "the game ends with card {expected} of a factory; with these numbers with card {found}",
        10,
        lambda sheet: sheet["factories.last_level"],
        "factories.last_level",
    ),
    example(
        "MP-9.12",
        "nationalisation leaves a hand of {expected}; with these numbers of {found}",
        2,
        lambda sheet: sheet["turn.hand_limit"],
        "turn.hand_limit",
    ),
)
