"""The component sheet of Making Profit."""

from __future__ import annotations

from daybook.web.words.say import N_
from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines, SheetTable, as_it_stands

SHEET: Layout = (
    Chapter(
        title=N_("Cards"),
        parts=(
            SheetTable(
                title=N_("Cards"),
                rows=N_("Card"),
                row=as_it_stands,
                columns={
                    "cards.*.money": N_("Money for each certificate"),
                    "cards.*.resources": N_("Resources"),
                    "cards.*.copies": N_("Copies in the deck"),
                },
            ),
        ),
    ),
    Chapter(
        title=N_("Factories and certificates"),
        parts=(
            SheetLines(
                numbers={
                    "factories.colours": N_("Colours of the factories"),
                    "factories.last_level": N_("Level that ends the game"),
                    "certificates.each_colour": N_("Certificates of each colour"),
                    "certificates.lowest_price": N_("Lowest price of a certificate"),
                    "certificates.lowest_worth": N_("Lowest worth of a certificate"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("The start"),
        parts=(
            SheetLines(
                numbers={
                    "start.certificates": N_("Certificates at the start"),
                    "start.hand": N_("Cards in hand at the start"),
                    "start.money": N_("Money at the start"),
                    "start.level": N_("Level at the start"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("A turn"),
        parts=(
            SheetLines(
                numbers={
                    "turn.actions": N_("Actions in a turn"),
                    "turn.set_cards": N_("Cards in a set of resources"),
                    "turn.set_price": N_("Money for a set of resources"),
                    "turn.hand_limit": N_("Hand limit at nationalisation"),
                }
            ),
        ),
    ),
    Chapter(
        title=N_("The box"),
        hint=N_("What it holds. No rule reads these numbers."),
        parts=(
            SheetLines(
                numbers={
                    "box.factories": N_("Factories in the box"),
                    "box.certificates": N_("Certificates in the box"),
                    "box.cards": N_("Cards in the box"),
                    "box.card_types": N_("Kinds of card in the box"),
                    "box.money": N_("Money in the bank"),
                    "box.player_aids": N_("Player aids"),
                }
            ),
        ),
    ),
)
