"""Draw Making Profit: factories with their cards, hands, certificates, the bank and the deck."""

from __future__ import annotations

from typing import NamedTuple

from daybook.domain.games.making_profit.board import CARDS, SEEN_OR_NOT, UNKNOWN, Printed, printed_numbers
from daybook.domain.kernel.board import Document
from daybook.services.permissions.sights import EVERYTHING
from daybook.web.boards.drawing import BoardPart, Looks, Scene, macro_drawer
from daybook.web.boards.symbols import SymbolSheet, draw_symbols

TEMPLATE = "making_profit.html"
STYLES: tuple[str, ...] = ()  # in addition to board.css
COURSE = ("/start", "/turn", "/ended")
MAX_FAN_BACKS = 12  # drawn in a fan; its figure counts all cards


def symbols(scene: Scene) -> SymbolSheet:
    return draw_symbols(TEMPLATE)


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """Return the parts of the drawn board, each with the places of the board that it shows."""
    numbers = printed_numbers(scene.table)
    drawn = [_course(scene, numbers), _bank(scene, numbers), _deck(), _discard()]
    for seat in range(len(scene.names)):
        drawn += [
            _head(scene, seat),
            _factory(scene, numbers, seat),
            _hand_part(scene, seat),
            _certificates(scene, seat),
        ]
    return tuple(drawn)


# --- the middle of the table -----------------------------------------------------------------------------------------


def mover(document: Document) -> int | None:
    """Return the seat to move; None in the set-up and at the end."""
    if document["start"] is None or document["turn"] == 0 or document["ended"]:
        return None
    return int((document["start"] + document["turn"] - 1) % len(document["players"]))


def _course(scene: Scene, numbers: Printed) -> BoardPart:
    def look(document: Document) -> Looks:
        sale = [(colour, count) for colour in scene.table.colours if (count := document["sale"][colour])]
        return (
            mover(document),
            document["ended"],
            document["turn"],
            document["actions"],
            document["nationalising"],
            sale,
            document["draws"],
            document["drawer"],
        )

    paths = (*COURSE, "/actions", "/nationalising", "/sale", "/draws", "/drawer")
    return BoardPart("course", paths, look, macro_drawer(TEMPLATE, "course", scene, numbers.turn_actions))


def _bank(scene: Scene, numbers: Printed) -> BoardPart:
    def look(document: Document) -> Looks:
        levels = [len(player["factory"]) for player in document["players"]]
        return (
            [
                (
                    seat,
                    colour,
                    document["bank"][colour],
                    max(numbers.certificates_lowest_price, level),
                    max(numbers.certificates_lowest_worth, level),
                )
                for seat, (colour, level) in enumerate(zip(scene.table.colours, levels, strict=True))
            ],
        )

    paths = ("/bank", *(f"/players/{seat}/factory" for seat in range(len(scene.names))))
    return BoardPart("bank", paths, look, macro_drawer(TEMPLATE, "bank"))


def _deck() -> BoardPart:
    return BoardPart(
        "deck", ("/deck",), lambda document: (sum(document["deck"].values()),), macro_drawer(TEMPLATE, "deck")
    )


def _discard() -> BoardPart:
    return BoardPart(
        "discard",
        ("/discard",),
        lambda document: (_cards_by_type(document["discard"]),),
        macro_drawer(TEMPLATE, "discard"),
    )


def _cards_by_type(cards: dict[str, int]) -> list[tuple[str, int]]:
    """Return cards by type in their order. Unseen cards are a type only if there are any."""
    return [(card, cards[card]) for card in SEEN_OR_NOT if card != UNKNOWN or cards[card]]


# --- one player ------------------------------------------------------------------------------------------------------


def _head(scene: Scene, seat: int) -> BoardPart:
    def look(document: Document) -> Looks:
        player = document["players"][seat]
        return player["money"], player["owes"], mover(document) == seat, document["start"] == seat

    at = f"/players/{seat}"
    return BoardPart(
        f"head-{seat}", (f"{at}/money", f"{at}/owes", *COURSE), look, macro_drawer(TEMPLATE, "head", scene, seat)
    )


def _factory(scene: Scene, numbers: Printed, seat: int) -> BoardPart:
    def look(document: Document) -> Looks:
        cards = document["players"][seat]["factory"]
        return cards, *runs_for(cards, numbers)

    at = f"/players/{seat}/factory"
    return BoardPart(
        f"factory-{seat}", (at,), look, macro_drawer(TEMPLATE, "factory", seat, numbers.factories_last_level)
    )


def runs_for(cards: list[str], numbers: Printed) -> tuple[int, int]:
    """Return what a factory yields per run: money per certificate, and cards for its owner (MP-4.5.2)."""
    yields = [numbers.cards[card] for card in cards]
    return sum(each.money for each in yields), sum(each.resources for each in yields)


def _certificates(scene: Scene, seat: int) -> BoardPart:
    def look(document: Document) -> Looks:
        held = document["players"][seat]["certificates"]
        return ([(owner, colour, held[colour]) for owner, colour in enumerate(scene.table.colours)],)

    at = f"/players/{seat}/certificates"
    return BoardPart(f"certificates-{seat}", (at,), look, macro_drawer(TEMPLATE, "certificates", seat))


def _hand_part(scene: Scene, seat: int) -> BoardPart:
    """Return the part with the cards visible to this viewer, or a fan of backs."""
    at = f"/players/{seat}/hand"
    if scene.table.options.hands == "open" and scene.sight in (EVERYTHING, seat):
        return BoardPart(
            f"hand-{seat}",
            (at,),
            lambda document: (_cards_by_type(document["players"][seat]["hand"]),),
            macro_drawer(TEMPLATE, "open_hand", seat),
        )
    return BoardPart(
        f"hand-{seat}",
        (at,),
        lambda document: fan(document["players"][seat]["hand"]),
        macro_drawer(TEMPLATE, "closed_hand", seat),
    )


class FanCard(NamedTuple):
    """One card of a fan: what it shows, and how far it is turned, in degrees."""

    card: str
    turn: float


def fan(hand: dict[str, int]) -> tuple[int, list[FanCard]]:
    """Return the number of cards held, and the drawn ones: unseen cards behind, known ones in front."""
    cards = [UNKNOWN] * hand[UNKNOWN] + [card for card in CARDS for _ in range(hand[card])]
    shown = cards[-MAX_FAN_BACKS:]
    spread = min(9.0, 66 / max(1, len(shown) - 1))
    middle = (len(shown) - 1) / 2
    return len(cards), [FanCard(card, round((place - middle) * spread, 1)) for place, card in enumerate(shown)]
