"""London Markets drawn small: the ring with its stacks, the market card, the tracks, and what everybody holds."""

from __future__ import annotations

from daybook.domain.games.london_markets import printed
from daybook.domain.kernel.terms import Seat
from daybook.web import words
from daybook.web.boards.drawing import Scene
from daybook.web.boards.miniature import HEIGHT, WIDTH, Miniature, Shows
from daybook.web.games.london_markets.drawing import CRATE, Lot, symbols

PLACES = ((0, 0), (157, 0), (314, 0), (314, 164), (0, 164))  # of the markets, clockwise from the upper left
MARKET = (150, 148)
TRADE = (157, 164)  # where the market card lies
SIDE = 32  # of a crate
TOWN = 464  # its width
TRACKS = 326
FAN = 4  # backs of a hand that are drawn


def miniature(scene: Scene, shows: Shows) -> Miniature:
    small = Miniature(scene, symbols(scene))
    numbers = printed.of(scene.table)
    small.path(f"M0 156{'q14 -9 29 0t29 0' * 8}", line="edge", thick=2)
    for (x, y), market in zip(PLACES, numbers.markets_ring, strict=True):
        _market(small, x, y, market, shows)
    _card(small, *TRADE, shows)
    wide = (TOWN - 12) / len(numbers.tracks)
    for place, track in enumerate(numbers.tracks):
        at, used = shows[f"track-{track}"]
        _track(small, place * (wide + 12), wide, len(numbers.tracks[track].actions), at, used)
    high = HEIGHT / len(scene.names)
    for seat in range(len(scene.names)):
        _mat(small, seat, high * seat, min(high - 8, 108), shows)
    return small


def _market(small: Miniature, x: float, y: float, market: str, shows: Shows) -> None:
    wide, high = MARKET
    small.rect(x, y, wide, high, "sheet", "rule", round=4)
    small.words(x + 8, y + 23, words.value_label("london_markets", "market", market, ()), 20)
    lies, _ = shows[f"lot-{market}"]
    _lot(small, x + 8, y + 36, lies)
    sells, _, here = shows[f"stall-{market}"]
    if sells is not None:
        small.rect(x + 113, y + 36, 29, 39, "sheet", "ink", 1.5, round=3)
        small.use(sells, x + 117, y + 45, 21, 21)
    for place, (merchant, used) in enumerate(here):
        left, top = x + 127.5 - 16 * (place % 2 if len(here) > 1 else 0), y + 96 + 26 * place
        small.disc(left, top, 14, "sheet" if used else "ink", "edge" if used else "ink")
        if not used:
            small.use(f"do-{merchant}", left - 9, top - 9, 18, 18)


def _lot(small: Miniature, x: float, y: float, lies: Lot) -> None:
    """A stack from above; each crate on display with the shape of whose it is."""
    all_three, scale = 3 * SIDE, SIDE / CRATE
    small.rect(x, y, all_three, all_three, "", "edge", 1)
    for deep in range(lies.under, 0, -1):
        small.path(f"M{deep * 2.5} {all_three + deep * 2.5}h{all_three}v-{all_three}", line="ink", thick=1.5, at=(x, y))
    for bar in lies.bars:
        wide, high = (SIDE, all_three) if bar.standing else (all_three, SIDE)
        left, top = x + bar.x * scale, y + bar.y * scale
        small.rect(left, top, wide, high, small.paints[bar.seat], "pitch", 1.5, round=2)
        seams = f"M0 {SIDE}h{SIDE}M0 {2 * SIDE}h{SIDE}" if bar.standing else f"M{SIDE} 0v{SIDE}M{2 * SIDE} 0v{SIDE}"
        small.path(seams, line="pitch", thick=1, at=(left, top))
    for crate in lies.crates:
        left, top = x + crate.x * scale, y + crate.y * scale
        small.disc(left + SIDE / 2, top + SIDE / 2, SIDE * 0.39, "sheet")
        small.mark(crate.seat, left + SIDE * 0.21, top + SIDE * 0.21, SIDE * 0.58)


def _card(small: Miniature, x: float, y: float, shows: Shows) -> None:
    """The market card: what each type pays; types that have been settled are covered."""
    wide, high = MARKET
    card, face, covered = shows["card"]
    if card is None:
        small.rect(x, y, wide, high, "", "edge", round=8)
        return
    small.rect(x, y, wide, high, "sheet", "ink", round=8)
    if not face:
        small.path("".join(f"M14 {24 + 20 * row}h{wide - 28}" for row in range(6)), line="ink", thick=1, at=(x, y))
        return
    small.path(f"M{wide / 2} 14v{high - 28}M14 {high / 2}h{wide - 28}", line="rule", at=(x, y))
    for place, (goods, pays) in enumerate(face):
        left, top = x + 6 + 70 * (place % 2), y + 8 + 68 * (place // 2)
        if goods in covered:
            small.rect(left, top + 6, 66, 52, "rule", round=4)
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


def _mat(small: Miniature, seat: Seat, y: float, high: float, shows: Shows) -> None:
    """How many goods cards, special cards and bars somebody has; which they are is nobody else's matter."""
    x, wide = TOWN + 20, WIDTH - TOWN - 21
    _, acts, _ = shows[f"head-{seat}"]
    small.rect(x, y + 1, wide, high - 2, "sheet", "accent" if acts else "rule", 3 if acts else 1.5, round=5)
    middle = y + high / 2
    small.mark(seat, x + 10, middle - 15, 30)
    cards, specials, bars = shows[f"hand-{seat}"][0], shows[f"specials-{seat}"][0], shows[f"stock-{seat}"][0]
    for back in range(min(cards, FAN)):
        small.rect(x + 50 + 7 * back, middle - 19, 27, 38, "sheet", "ink", 1.5, round=3)
    small.words(x + 135, middle + 8, cards, 24, anchor="end")
    if specials:
        small.use("special-back", x + 146, middle - 16, 24, 32)
        small.words(x + 179, middle + 8, specials, 20, anchor="middle")
    if bars:
        small.rect(x + 192, middle - 14, 12, 30, small.paints[seat], "pitch", 1.5, round=1)
        small.words(x + wide - 8, middle + 8, bars, 20, anchor="end")
