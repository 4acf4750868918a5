"""Draw London Markets: the ring of markets with their crates, the market card, mats and tracks."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from daybook.domain.games.london_markets import LONDON_MARKETS, printed, stacks
from daybook.domain.games.london_markets.board import PHASES, Layer, piles_of
from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, MERCHANTS, UNKNOWN, Card, Printed
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import BoardPart, Looks, Scene, macro_drawer
from daybook.web.boards.symbols import SymbolSheet, draw_symbols

TEMPLATE = "london_markets.html"
STYLES = ("board-london.css",)  # in addition to board.css
CRATE_SIDE = 32  # in a drawing
MAX_DRAWN_LAYERS = 4  # under the top one
MAX_FAN_BACKS = 5  # drawn of unseen cards; the figure counts all
DECIDING = ("/stage", "/turn", "/start", "/settling", "/covered", "/looking")  # paths that determine the deciding seat
DUE_BY_STAGE = {
    "place": "/bars",
    "draw_goods": "/quota",
    "name_goods": "/quota",
    "replenish": "/takes",
}  # path with what is due


def symbols(scene: Scene) -> SymbolSheet:
    return draw_symbols(TEMPLATE, scene.table.colours)


def parts(scene: Scene) -> tuple[BoardPart, ...]:
    """Return the parts of the drawn board, each with the places of the board that it shows."""
    numbers = printed.of(scene.table)
    drawn = [_course(scene, numbers), _card(numbers), _coming_part(numbers), _piles(scene), _removed_part()]
    for market in numbers.markets_ring:
        drawn += [_lot(scene, numbers, market), _stall_part(market)]
    drawn += [_track(numbers, track) for track in numbers.tracks]
    for seat in range(len(scene.names)):
        drawn += [
            _head(scene, seat),
            _offer_part(seat),
            _hand_part(seat),
            _stock_part(seat),
            _specials_part(seat),
            _in_play(numbers, seat),
        ]
    return tuple(drawn)


# --- the course of the game ------------------------------------------------------------------------------------------


def deciding(scene: Scene, document: Document) -> list[Seat]:
    """Return the seats the game waits for, including the table."""
    return list(LONDON_MARKETS.waits_for(LONDON_MARKETS.typed_board(document, scene.table)))


def _decided_by(scene: Scene) -> tuple[str, ...]:
    """Return the paths that determine the deciding seats. In the set-up, bars on the markets do."""
    return (*DECIDING, "/stacks", *(f"/players/{seat}/offer" for seat in range(len(scene.names))))


def _course(scene: Scene, numbers: Printed) -> BoardPart:
    def look(document: Document) -> Looks:
        stage = document["stage"]
        phase = PHASES[stage]
        due = DUE_BY_STAGE.get(stage)
        return (
            document["round"],
            phase,
            deciding(scene, document),
            (due, document[due[1:]]) if due else None,
            document["exchanges"] if stage == "replenish" else 0,
            document["auction"] if phase == "auction" else 0,
        )

    paths = (*_decided_by(scene), "/round", "/bars", "/quota", "/takes", "/exchanges", "/auction")
    return BoardPart("course", paths, look, macro_drawer(TEMPLATE, "course", scene, numbers.game_rounds))


# --- the markets -----------------------------------------------------------------------------------------------------


class Bar(NamedTuple):
    """A bar in the drawing. at: its place in the stack; standing: it points north to south."""

    at: str
    seat: Seat
    standing: bool
    x: int
    y: int


class Crate(NamedTuple):
    """A crate on display."""

    seat: Seat
    x: int
    y: int


class Lot(NamedTuple):
    """A market's stack from above. under: layers below the drawn ones; bars: the lower ones first."""

    under: int
    bars: list[Bar]
    crates: list[Crate]
    lying: int  # bars in all


def lot(stack: list[Layer]) -> Lot:
    """Return the visible layers, with the crates on display (LM-4.2)."""
    tops = [
        number
        for number, layer in enumerate(stack)
        if number == len(stack) - 1 or (number == len(stack) - 2 and None in stack[-1])
    ]
    bars = [
        Bar(
            f"{number}/{slot}",
            seat,
            number % 2 == 0,
            *((slot * CRATE_SIDE, 0) if number % 2 == 0 else (0, slot * CRATE_SIDE)),
        )
        for number in tops
        for slot, seat in enumerate(stack[number])
        if seat is not None
    ]
    crates = [
        Crate(seat, column * CRATE_SIDE, row * CRATE_SIDE)
        for row in range(3)
        for column in range(3)
        if (seat := _owner_on_top(stack, row, column)) is not None
    ]
    return Lot(
        min(MAX_DRAWN_LAYERS, max(0, len(stack) - 1)),
        bars,
        crates,
        sum(len(layer) - layer.count(None) for layer in stack),
    )


def _owner_on_top(stack: list[Layer], row: int, column: int) -> Seat | None:
    """Return the owner of the crate on display in a cell (LM-4.2.3, LM-4.2.6)."""
    for number in reversed(range(len(stack))):
        owner = stack[number][row if number % 2 else column]
        if owner is not None:
            return owner
    return None


def _lot(scene: Scene, numbers: Printed, market: str) -> BoardPart:
    def look(document: Document) -> Looks:
        stack = document["stacks"][market]
        shows = [
            stacks.crates_on_display(stack, seat, numbers.bars_crates) if stack else 0
            for seat in range(len(scene.names))
        ]
        return lot(stack), shows

    return BoardPart(f"lot-{market}", (f"/stacks/{market}",), look, macro_drawer(TEMPLATE, "lot", scene, market))


def _stall_part(market: str) -> BoardPart:
    """Return the part of a market with its goods and bars."""

    def look(document: Document) -> Looks:
        sells = document["traded"][market]
        here = [
            (merchant, merchant in document["used"])
            for merchant in MERCHANTS
            if document["merchants"][merchant] == market
        ]
        return sells, None if sells in (None, GENERAL) else document["piles"][sells], here

    paths = (f"/traded/{market}", "/piles", "/merchants", "/used")
    return BoardPart(f"stall-{market}", paths, look, macro_drawer(TEMPLATE, "stall", market))


# --- market cards ----------------------------------------------------------------------------------------------------


def _card_face(numbers: Printed, card: str | None) -> list[tuple[str, int | str | None]] | None:
    """Return each type with its pounds, icon or nothing; None for an unknown or closed card."""
    if card not in numbers.faces:
        return None
    return [(goods, numbers.faces[card].get(goods)) for goods in GOODS]


def _card(numbers: Printed) -> BoardPart:
    def look(document: Document) -> Looks:
        revealed = document["revealed"]
        card = revealed[-1] if revealed and len(revealed) == document["round"] else None
        return card, _card_face(numbers, card), document["covered"]

    return BoardPart("card", ("/revealed", "/round", "/covered"), look, macro_drawer(TEMPLATE, "card"))


def _coming_part(numbers: Printed) -> BoardPart:
    """Return the part with the face-down market cards and the bottom one."""

    def look(document: Document) -> Looks:
        revealed, bottom = document["revealed"], document["bottom"]
        left = numbers.game_rounds - len(revealed)
        return left, numbers.market_cards_closed_copies - revealed.count(CLOSED), bottom, _card_face(numbers, bottom)

    return BoardPart("coming", ("/revealed", "/bottom"), look, macro_drawer(TEMPLATE, "coming", numbers.game_rounds))


# --- tracks and special cards ----------------------------------------------------------------------------------------


def _track(numbers: Printed, track: str) -> BoardPart:
    spaces = list(zip(numbers.tracks[track].actions, numbers.tracks[track].symbols, strict=True))

    def look(document: Document) -> Looks:
        return document["assistants"][track], track in document["used"]

    paths = (f"/assistants/{track}", "/used")
    return BoardPart(f"track-{track}", paths, look, macro_drawer(TEMPLATE, "track", track, spaces))


def _piles(scene: Scene) -> BoardPart:
    def look(document: Document) -> Looks:
        looking = document["looking"]
        open_to = [] if looking is None else document["specials"][looking - 1]
        by = deciding(scene, document)[0] if looking is not None else None
        piles = [
            (len(cards), number == looking, number in document["drafted"])
            for number, cards in enumerate(document["specials"], 1)
        ]
        return piles, by, _group_cards(open_to) if UNKNOWN not in open_to else []

    paths = ("/specials", "/looking", "/drafted", *_decided_by(scene))
    return BoardPart("piles", paths, look, macro_drawer(TEMPLATE, "piles", scene))


def _removed_part() -> BoardPart:
    def look(document: Document) -> Looks:
        removed = document["removed"]
        return len(removed), _group_cards(removed[-1:])

    return BoardPart("removed", ("/removed",), look, macro_drawer(TEMPLATE, "removed"))


class SpecialCardDrawing(NamedTuple):
    """Drawing of a special card.

    Args:
        at: stable key.
        markets: their codes.
    """

    at: str
    card: Card
    kind: str
    markets: list[str]
    pile: int


def _group_cards(cards: list[Card], piles: list[int] | None = None) -> list[SpecialCardDrawing]:
    """Group special cards by kind and market with their piles, without unseen ones."""
    by_card: dict[Card, list[int]] = {}
    for card, pile in zip(cards, piles_of(cards, piles or []), strict=True):
        if card != UNKNOWN:
            by_card.setdefault(card, []).append(pile)
    return [
        SpecialCardDrawing(
            f"{card}/{copy}", card, kind, [printed.CODES[market] for market in named.split("+") if named], pile
        )
        for card in sorted(by_card, key=_place)
        for kind, _, named in [card.partition(":")]
        for copy, pile in enumerate(sorted(by_card[card]))
    ]


def _count_unseen(cards: list[Card], seen: list[int]) -> list[tuple[int, int]]:
    """Count unseen special cards by pile."""
    piles = zip(cards, piles_of(cards, seen), strict=True)
    return sorted(Counter(pile for card, pile in piles if card == UNKNOWN).items())


def _place(card: Card) -> tuple[int, str]:
    return printed.KINDS.index(card.partition(":")[0]), card


# --- one player ------------------------------------------------------------------------------------------------------


def _head(scene: Scene, seat: Seat) -> BoardPart:
    def look(document: Document) -> Looks:
        return document["players"][seat]["money"], seat in deciding(scene, document), document["start"] == seat

    paths = (f"/players/{seat}/money", *_decided_by(scene))
    return BoardPart(f"head-{seat}", paths, look, macro_drawer(TEMPLATE, "head", scene, seat))


def _offer_part(seat: Seat) -> BoardPart:
    """Return the part of a sealed offer, face down even for its owner, or of the cards on the table."""
    at = f"/players/{seat}/offer"

    def look(document: Document) -> Looks:
        offer = document["players"][seat]["offer"]
        sealed = document["stage"] == "offers" and offer is not None
        cards = (
            [(goods, offer[goods]) for goods in GOODS if offer[goods]]
            if isinstance(offer, dict) and not sealed
            else None
        )
        return PHASES[document["stage"]] == "auction", sealed, cards

    return BoardPart(f"offer-{seat}", (at, "/stage"), look, macro_drawer(TEMPLATE, "offer", seat))


def _hand_part(seat: Seat) -> BoardPart:
    """Return the part of visible goods cards by type, and a fan of the others."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        player = document["players"][seat]
        hand, unseen = player["hand"], player["unseen"]
        cards = [(goods, hand[goods] + (unseen[goods] if unseen else 0)) for goods in GOODS]
        return sum(hand.values()), cards, 0 if unseen else hand[UNKNOWN]

    return BoardPart(
        f"hand-{seat}", (f"{at}/hand", f"{at}/unseen"), look, macro_drawer(TEMPLATE, "hand", seat, MAX_FAN_BACKS)
    )


def _stock_part(seat: Seat) -> BoardPart:
    """Return the part of bars that are not placed yet."""
    at = f"/players/{seat}/bars"
    return BoardPart(
        f"stock-{seat}",
        (at,),
        lambda document: (document["players"][seat]["bars"],),
        macro_drawer(TEMPLATE, "stock", seat),
    )


def _specials_part(seat: Seat) -> BoardPart:
    """Return the part of special cards in hand."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        cards, told = _specials_of(document, seat, "specials")
        return len(cards), _group_cards(cards, told), _count_unseen(cards, told)

    paths = (f"{at}/specials", f"{at}/specials_from")
    return BoardPart(f"specials-{seat}", paths, look, macro_drawer(TEMPLATE, "specials", seat))


def _in_play(numbers: Printed, seat: Seat) -> BoardPart:
    """Draw the cards that stay face up until the end, beginning with plain replenishment cards."""
    at = f"/players/{seat}"

    def look(document: Document) -> Looks:
        return (_group_cards(*_specials_of(document, seat, "in_play")),)

    paths = (f"{at}/in_play", f"{at}/in_play_from")
    return BoardPart(
        f"in-play-{seat}", paths, look, macro_drawer(TEMPLATE, "in_play", seat, numbers.replenishment_plain_cards)
    )


def _specials_of(document: Document, seat: Seat, where: str) -> tuple[list[Card], list[int]]:
    """Return a player's special cards and their piles, which older records lack."""
    player = document["players"][seat]
    return player[where], player.get(f"{where}_from", [])
