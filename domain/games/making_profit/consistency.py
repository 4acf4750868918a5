"""Expectations of Making Profit's rules about a sheet: totals of the box."""

from __future__ import annotations

from daybook.domain.games.making_profit.board import CARDS
from daybook.domain.kernel.sheet import Expectation, Sheet


def copies(sheet: Sheet) -> int:
    """Return the number of cards of all types together."""
    return sum(sheet[f"cards.{card}.copies"] for card in CARDS)


CONSISTENCY = (
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
