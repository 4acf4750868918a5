"""Making Profit as it lies on the table: factories with their cards, hands, certificates, the bank and the deck."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import current_app

from domain.board import Document
from domain.games.making_profit.board import CARDS, SEEN_OR_NOT, UNKNOWN, Printed, printed
from services.access import EVERYTHING
from web.boards.drawing import Part, Scene

TEMPLATE = "making_profit.html"
COURSE = ("/start", "/turn", "/ended")
FAN_BACKS = 12  # backs drawn in a fan; the figure beside it counts them all


def parts(scene: Scene) -> tuple[Part, ...]:
    seats = range(len(scene.names))
    owed = tuple(f"/players/{seat}/owes" for seat in seats)
    levels = tuple(f"/players/{seat}/factory" for seat in seats)
    drawn = [
        Part("course", (*COURSE, *owed, "/actions", "/sale", "/drawer", "/draws", "/nationalising"), _course),
        Part("bank", ("/bank", *levels), _bank),
        Part("deck", ("/deck",), lambda document, scene: _macro("deck", sum(document["deck"].values()))),
        Part("discard", ("/discard",), lambda document, scene: _macro("discard", document["discard"], SEEN_OR_NOT)),
    ]
    for seat in seats:
        at = f"/players/{seat}"
        drawn += [
            Part(f"head-{seat}", (f"{at}/money", f"{at}/owes", *COURSE), _of(seat, "head")),
            Part(f"factory-{seat}", (f"{at}/factory",), _of(seat, "factory")),
            Part(f"certificates-{seat}", (f"{at}/certificates",), _of(seat, "certificates")),
            Part(f"hand-{seat}", (f"{at}/hand",), _of(seat, "hand")),
        ]
    return tuple(drawn)


def _macro(name: str, *values: Any) -> str:
    template = current_app.jinja_env.get_template(f"boards/{TEMPLATE}")
    return str(getattr(template.module, name)(*values))


def _of(seat: int, name: str) -> Any:
    draw = PLAYER_PARTS[name]
    return lambda document, scene: draw(document, scene, seat)


# --- the middle of the table -----------------------------------------------------------------------------------------


def mover(document: Document) -> int | None:
    """Whose turn it is; None in the set-up and at the end."""
    if document["start"] is None or document["turn"] == 0 or document["ended"]:
        return None
    return int((document["start"] + document["turn"] - 1) % len(document["players"]))


def _course(document: Document, scene: Scene) -> str:
    numbers = printed(scene.table.sheet)
    return _macro("course", document, mover(document), numbers.actions, scene)


def _bank(document: Document, scene: Scene) -> str:
    numbers = printed(scene.table.sheet)
    stocks = []
    for seat, colour in enumerate(scene.table.colours):
        level = len(document["players"][seat]["factory"])
        price, worth = max(numbers.lowest_price, level), max(numbers.lowest_worth, level)
        stocks.append((seat, colour, document["bank"][colour], price, worth))
    return _macro("bank", stocks, scene)


# --- one player ------------------------------------------------------------------------------------------------------


def _head(document: Document, scene: Scene, seat: int) -> str:
    return _macro("head", document["players"][seat], seat, scene, mover(document) == seat, document["start"] == seat)


def _factory(document: Document, scene: Scene, seat: int) -> str:
    numbers = printed(scene.table.sheet)
    cards = document["players"][seat]["factory"]
    return _macro("factory", cards, seat, scene, numbers.last_level, *runs_for(cards, numbers))


def runs_for(cards: list[str], numbers: Printed) -> tuple[int, int]:
    """What a factory yields when it runs: money for each certificate, and cards for its owner (MP-4.5.2)."""
    yields = [numbers.yields[card] for card in cards]
    return sum(each.money for each in yields), sum(each.resources for each in yields)


def _certificates(document: Document, scene: Scene, seat: int) -> str:
    return _macro("certificates", document["players"][seat]["certificates"], seat, scene)


def _hand(document: Document, scene: Scene, seat: int) -> str:
    hand = document["players"][seat]["hand"]
    if scene.table.options.hands == "open" and scene.sight in (EVERYTHING, seat):
        return _macro("open_hand", hand, SEEN_OR_NOT, seat)
    return _macro("closed_hand", fan(hand), sum(hand.values()), seat)


PLAYER_PARTS = {"head": _head, "factory": _factory, "certificates": _certificates, "hand": _hand}


class Held(NamedTuple):
    """One card of a fan: what it shows, and how far it is turned, in degrees."""

    card: str
    turn: float


def fan(hand: dict[str, int]) -> list[Held]:
    """A hand held up: the cards nobody has seen behind, known ones in front."""
    cards = [UNKNOWN] * hand[UNKNOWN] + [card for card in CARDS for _ in range(hand[card])]
    shown = cards[-FAN_BACKS:]
    spread = min(9.0, 66 / max(1, len(shown) - 1))
    middle = (len(shown) - 1) / 2
    return [Held(card, round((place - middle) * spread, 1)) for place, card in enumerate(shown)]
