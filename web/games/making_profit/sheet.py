"""The component sheet of Making Profit."""

from __future__ import annotations

from daybook.web.words.sheet_layout import Chapter, Layout, SheetLines, SheetTable, as_it_stands

SHEET: Layout = (
    Chapter(
        title="Cards",
        parts=(
            SheetTable(
                title="Cards",
                rows="Card",
                row=as_it_stands,
                columns={
                    "cards.*.money": "Money for each certificate",
                    "cards.*.resources": "Resources",
                    "cards.*.copies": "Copies in the deck",
                },
            ),
        ),
    ),
    Chapter(
        title="Factories and certificates",
        parts=(
            SheetLines(
                numbers={
                    "factories.colours": "Colours of the factories",
                    "factories.last_level": "Level that ends the game",
                    "certificates.each_colour": "Certificates of each colour",
                    "certificates.lowest_price": "Lowest price of a certificate",
                    "certificates.lowest_worth": "Lowest worth of a certificate",
                }
            ),
        ),
    ),
    Chapter(
        title="The start",
        parts=(
            SheetLines(
                numbers={
                    "start.certificates": "Certificates at the start",
                    "start.hand": "Cards in hand at the start",
                    "start.money": "Money at the start",
                    "start.level": "Level at the start",
                }
            ),
        ),
    ),
    Chapter(
        title="A turn",
        parts=(
            SheetLines(
                numbers={
                    "turn.actions": "Actions in a turn",
                    "turn.set_cards": "Cards in a set of resources",
                    "turn.set_price": "Money for a set of resources",
                    "turn.hand_limit": "Hand limit at nationalisation",
                }
            ),
        ),
    ),
    Chapter(
        title="The box",
        hint="What it holds. No rule reads these numbers.",
        parts=(
            SheetLines(
                numbers={
                    "box.factories": "Factories in the box",
                    "box.certificates": "Certificates in the box",
                    "box.cards": "Cards in the box",
                    "box.card_types": "Kinds of card in the box",
                    "box.money": "Money in the bank",
                    "box.player_aids": "Player aids",
                }
            ),
        ),
    ),
)
