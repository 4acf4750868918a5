"""Miniature of Making Profit: the bank, and each player's factory, certificates and hand size."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.making_profit.board import printed_numbers
from daybook.domain.kernel.terms import Seat
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, WIDTH, Miniature, Shows
from daybook.web.games.making_profit.drawing import symbols
from daybook.web.words.seat_marks import seat_letter_of

BANK_HEIGHT = 78
GAP = 8
BAYS_PER_ROW = 5  # of a factory
MAX_PLAYERS_PER_ROW = 3
BAY_ASPECT = 1.35  # height by width
MAX_FAN_BACKS = 3  # drawn of a hand


def miniature(scene: Scene, shows: Shows) -> Miniature:
    small = Miniature(scene, symbols(scene))
    _draw_bank(small, shows)
    seats = len(scene.names)
    columns = seats if seats <= MAX_PLAYERS_PER_ROW else -(-seats // 2)
    wide = (WIDTH - GAP * (columns - 1)) / columns
    high = (HEIGHT - BANK_HEIGHT - GAP * -(-seats // columns)) / -(-seats // columns)
    for seat in range(seats):  # they sit clockwise: the second row goes back
        row, place = divmod(seat, columns)
        column = place if row == 0 else columns - 1 - place
        _draw_mat(small, scene, seat, column * (wide + GAP), BANK_HEIGHT + GAP + row * (high + GAP), wide, high, shows)
    return small


def _draw_bank(small: Miniature, shows: Shows) -> None:
    """Draw certificates in the bank with their prices, deck and discard pile."""
    small.path(f"M0 {BANK_HEIGHT}H{WIDTH}", line="ink", thick=1.5)
    (stocks,) = shows["bank"]
    for place, (seat, _, left, price, _) in enumerate(stocks):
        _draw_certificate(small, seat, 90 * place + 2, 2, 78, 40, left)
        small.words(90 * place + 41, 68, f"${price}", 20, "faded", "middle")
    (deck,), (discarded,) = shows["deck"], shows["discard"]
    for x, cards, symbol in ((556, deck, "card-back"), (640, sum(count for _, count in discarded), "card")):
        small.use(symbol if cards else "card-none", x, 8, 42, 57)
        small.words(x + 47, 44, cards, 20)


def _draw_mat(
    small: Miniature, scene: Scene, seat: Seat, x: float, y: float, wide: float, high: float, shows: Shows
) -> None:
    """Draw a player's mat; its shape determines where factory and certificates are."""
    _, _, moves, _ = shows[f"head-{seat}"]
    small.rect(
        x + 1, y, wide - 2, high - 1, "sheet", "accent" if moves else "rule", 3 if moves else 1.5, corner_radius=5
    )
    small.mark(seat, x + 10, y + 10, 34)
    cards, last = shows[f"factory-{seat}"][0], printed_numbers(scene.table).factories_last_level
    rows = -(-last // BAYS_PER_ROW)
    is_high, is_broad = high > 200, wide > 300
    room = high - (124 if is_high else 34 if is_broad else 64)
    bay = max(3.0, min((wide - 20) / BAYS_PER_ROW - 4, room / rows / BAY_ASPECT - 2))
    of_factory = BAYS_PER_ROW * (bay + 4)
    left = x + (wide - of_factory) / 2 if is_high else x + wide - of_factory - 8
    _draw_factory(small, seat, left, y + (52 if is_high else 6), bay, cards, last)
    _draw_hand(
        small,
        *((x + 64, y + 8) if is_high else (x + 56, y + 9) if is_broad else (x + 10, y + 52)),
        shows[f"hand-{seat}"],
    )
    (held,) = shows[f"certificates-{seat}"]
    each = (wide - 12 - (of_factory if is_broad and not is_high else 0)) / len(held)
    tall = 38 if is_high else 28
    for place, (owner, _, count) in enumerate(held):
        if count:
            _draw_certificate(small, owner, x + 6 + place * each, y + high - tall - 8, min(78, each - 4), tall, count)


def _draw_factory(
    small: Miniature, seat: Seat, x: float, y: float, bay: float, cards: Sequence[str], last: int
) -> None:
    """Draw the roof, and a bay for each possible level."""
    wide, high = BAYS_PER_ROW * (bay + 4), bay * BAY_ASPECT
    teeth = wide / BAYS_PER_ROW
    roof = f"l{teeth:.1f} 10V6" * (BAYS_PER_ROW - 1)
    small.path(f"M0 16V6{roof}l{teeth:.1f} 10z", small.paints[seat], "ink", 1.5, at=(x, y))
    for level in range(last):
        row, column = divmod(level, BAYS_PER_ROW)
        symbol = f"card-{cards[level]}" if level < len(cards) else "card-none"
        small.use(symbol, x + 2 + column * (bay + 4), y + 20 + row * (high + 3), bay, high)


def _draw_hand(small: Miniature, x: float, y: float, shows: tuple[object, ...]) -> None:
    """Draw the number of cards in hand."""
    held = shows[0] if isinstance(shows[0], int) else sum(count for _, count in shows[0])  # type: ignore[attr-defined]
    for back in range(min(held, MAX_FAN_BACKS)):
        small.use("card-back", x + 5 * back, y, 27, 36)
    if not held:
        small.use("card-none", x, y, 27, 36)
    small.words(x + 44, y + 26, held, 22)


def _draw_certificate(small: Miniature, owner: Seat, x: float, y: float, wide: float, high: float, count: int) -> None:
    """Draw a certificate with the letter of its factory's owner."""
    small.rect(x, y, wide, high, "sheet", "ink", 1.5, corner_radius=2)
    band = min(high * 0.7, wide * 0.45)
    small.rect(x, y, band, high, small.paints[owner], "ink", 1.5, corner_radius=2)
    size = min(high * 0.58, 22)
    small.words(x + band / 2, y + high / 2 + size * 0.35, seat_letter_of(owner), size, small.on(owner), "middle")
    small.words(x + (wide + band) / 2, y + high / 2 + size * 0.35, count, size, anchor="middle")
