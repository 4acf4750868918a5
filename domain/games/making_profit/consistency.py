"""Expectations of Making Profit's rules about a sheet: totals of the box."""

from __future__ import annotations

from daybook.domain.games.making_profit.board import CARDS
from daybook.domain.kernel.sheet import Expectation, Sheet, at_least

MOST_RESOURCES = 10  # on one card; the printed ones have a few, and each is a card that the table draws


def copies(sheet: Sheet) -> int:
    return sum(sheet[f"cards.{card}.copies"] for card in CARDS)


def most_resources(sheet: Sheet) -> int:
    return max(int(sheet[f"cards.{card}.resources"]) for card in CARDS)


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
)
