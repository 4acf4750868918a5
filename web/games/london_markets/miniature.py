"""Miniature of London Markets: the ring with its stacks, market card, tracks, and players' holdings."""

from __future__ import annotations

from daybook.domain.games.london_markets import printed
from daybook.domain.kernel.terms import Seat
from daybook.web import words
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, WIDTH, Miniature, Shows
from daybook.web.games.london_markets.drawing import CRATE_SIDE, Lot, symbols

MARKET_PLACES = ((0, 0), (157, 0), (314, 0), (314, 164), (0, 164))  # clockwise from the upper left
MARKET = (150, 148)
CARD_PLACE = (157, 164)  # of the market card
SMALL_CRATE_SIDE = 32
TOWN_WIDTH = 464
TRACKS = 326
MAX_FAN_BACKS = 4  # drawn of a hand


def miniature(scene: Scene, shows: Shows) -> Miniature:
    small = Miniature(scene, symbols(scene))
    numbers = printed.of(scene.table)
    small.path(f"M0 156{'q14 -9 29 0t29 0' * 8}", line="edge", thick=2)
    for (x, y), market in zip(MARKET_PLACES, numbers.markets_ring, strict=True):
        _market(small, x, y, market, shows)
    _draw_card(small, *CARD_PLACE, shows)
    wide = (TOWN_WIDTH - 12) / len(numbers.tracks)
    for place, track in enumerate(numbers.tracks):
        at, used = shows[f"track-{track}"]
        _track(small, place * (wide + 12), wide, len(numbers.tracks[track].actions), at, used)
    high = HEIGHT / len(scene.names)
    for seat in range(len(scene.names)):
        _draw_mat(small, seat, high * seat, min(high - 8, 108), shows)
    return small


def _market(small: Miniature, x: float, y: float, market: str, shows: Shows) -> None:
    wide, high = MARKET
    small.rect(x, y, wide, high, "sheet", "rule", corner_radius=4)
    small.words(x + 8, y + 23, words.value_label("london_markets", "market", market, ()), 20)
    lies, _ = shows[f"lot-{market}"]
    _draw_lot(small, x + 8, y + 36, lies)
    sells, _, here = shows[f"stall-{market}"]
    if sells is not None:
        small.rect(x + 113, y + 36, 29, 39, "sheet", "ink", 1.5, corner_radius=3)
        small.use(sells, x + 117, y + 45, 21, 21)
    for place, (merchant, used) in enumerate(here):
        left, top = x + 127.5 - 16 * (place % 2 if len(here) > 1 else 0), y + 96 + 26 * place
        small.disc(left, top, 14, "sheet" if used else "ink", "edge" if used else "ink")
        if not used:
            small.use(f"do-{merchant}", left - 9, top - 9, 18, 18)


def _draw_lot(small: Miniature, x: float, y: float, lot: Lot) -> None:
    """Draw a stack from above; crates on display have their owner's shape."""
    all_three, scale = 3 * SMALL_CRATE_SIDE, SMALL_CRATE_SIDE / CRATE_SIDE
    small.rect(x, y, all_three, all_three, "", "edge", 1)
    for deep in range(lot.under, 0, -1):
        small.path(f"M{deep * 2.5} {all_three + deep * 2.5}h{all_three}v-{all_three}", line="ink", thick=1.5, at=(x, y))
    for bar in lot.bars:
        wide, high = (SMALL_CRATE_SIDE, all_three) if bar.standing else (all_three, SMALL_CRATE_SIDE)
        left, top = x + bar.x * scale, y + bar.y * scale
        small.rect(left, top, wide, high, small.paints[bar.seat], "pitch", 1.5, corner_radius=2)
        seams = (
            f"M0 {SMALL_CRATE_SIDE}h{SMALL_CRATE_SIDE}M0 {2 * SMALL_CRATE_SIDE}h{SMALL_CRATE_SIDE}"
            if bar.standing
            else f"M{SMALL_CRATE_SIDE} 0v{SMALL_CRATE_SIDE}M{2 * SMALL_CRATE_SIDE} 0v{SMALL_CRATE_SIDE}"
        )
        small.path(seams, line="pitch", thick=1, at=(left, top))
    for crate in lot.crates:
        left, top = x + crate.x * scale, y + crate.y * scale
        small.disc(left + SMALL_CRATE_SIDE / 2, top + SMALL_CRATE_SIDE / 2, SMALL_CRATE_SIDE * 0.39, "sheet")
        small.mark(crate.seat, left + SMALL_CRATE_SIDE * 0.21, top + SMALL_CRATE_SIDE * 0.21, SMALL_CRATE_SIDE * 0.58)


def _draw_card(small: Miniature, x: float, y: float, shows: Shows) -> None:
    """Draw the market card with what each type pays; settled types are covered."""
    wide, high = MARKET
    card, face, covered = shows["card"]
    if card is None:
        small.rect(x, y, wide, high, "", "edge", corner_radius=8)
        return
    small.rect(x, y, wide, high, "sheet", "ink", corner_radius=8)
    if not face:
        small.path("".join(f"M14 {24 + 20 * row}h{wide - 28}" for row in range(6)), line="ink", thick=1, at=(x, y))
        return
    small.path(f"M{wide / 2} 14v{high - 28}M14 {high / 2}h{wide - 28}", line="rule", at=(x, y))
    for place, (goods, pays) in enumerate(face):
        left, top = x + 6 + 70 * (place % 2), y + 8 + 68 * (place // 2)
        if goods in covered:
            small.rect(left, top + 6, 66, 52, "rule", corner_radius=4)
        if pays is not None:
            small.use(goods, left + 4, top + 18, 28, 28)
            if isinstance(pays, int):
                small.words(left + 50, top + 40, f"£{pays}", 22, "faded" if goods in covered else "ink", "middle")
            else:
                small.use("special", left + 40, top + 18, 20, 27)


def _track(small: Miniature, x: float, wide: float, spaces: int, at: int, used: bool) -> None:
    side = wide / spaces
    small.rect(x, TRACKS, wide, 26, "sheet", "edge", 1.5)
    small.path("".join(f"M{side * space:.1f} 0v26" for space in range(1, spaces)), line="edge", thick=1, at=(x, TRACKS))
    small.disc(x + side * (at - 0.5), TRACKS + 13, 11, "sheet" if used else "ink", "edge" if used else "ink", 3)


def _draw_mat(small: Miniature, seat: Seat, y: float, height: float, shows: Shows) -> None:
    """Draw how many goods cards, special cards and bars a player has."""
    x, wide = TOWN_WIDTH + 20, WIDTH - TOWN_WIDTH - 21
    _, acts, _ = shows[f"head-{seat}"]
    small.rect(x, y + 1, wide, height - 2, "sheet", "accent" if acts else "rule", 3 if acts else 1.5, corner_radius=5)
    middle = y + height / 2
    small.mark(seat, x + 10, middle - 15, 30)
    cards, specials, bars = shows[f"hand-{seat}"][0], shows[f"specials-{seat}"][0], shows[f"stock-{seat}"][0]
    for back in range(min(cards, MAX_FAN_BACKS)):
        small.rect(x + 50 + 7 * back, middle - 19, 27, 38, "sheet", "ink", 1.5, corner_radius=3)
    small.words(x + 135, middle + 8, cards, 24, anchor="end")
    if specials:
        small.use("special-back", x + 146, middle - 16, 24, 32)
        small.words(x + 179, middle + 8, specials, 20, anchor="middle")
    if bars:
        small.rect(x + 192, middle - 14, 12, 30, small.paints[seat], "pitch", 1.5, corner_radius=1)
        small.words(x + wide - 8, middle + 8, bars, 20, anchor="end")
