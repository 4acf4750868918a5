"""The component sheet of London Markets with types (LM-2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal, get_args

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Table, unplayable

Goods = Literal["coffee", "soap", "silk", "china"]
Market = Literal["PORT", "COVE", "PETT", "BORO", "BRIX"]
Merchant = Literal["stack", "profit", "goods"]
Track = Literal["A", "B"]
Card = str  # a special card: its kind and the markets it names, "tiebreaker", "monopoly:PORT", "combined:PORT+COVE"

GOODS: tuple[Goods, ...] = get_args(Goods)  # in the order in which they are settled (LM-2.1.10)
MARKETS: tuple[Market, ...] = get_args(Market)
CODES: dict[str, str] = {  # for the small print of a card that names two
    "PORT": "PO",
    "COVE": "CO",
    "PETT": "PE",
    "BORO": "BO",
    "BRIX": "BR",
}
MERCHANTS: tuple[Merchant, ...] = get_args(Merchant)
GENERAL: Literal["general"] = "general"  # the offer card of the market that sells every type
UNKNOWN: Literal["?"] = "?"  # a card the record has not seen
ICON = "S"  # a special card instead of an amount
NOT_SHOWN = "-"
CLOSED = "closed"  # the market card that closes the markets

STAYING = ("tiebreaker", "replenishment")
KINDS = (*STAYING, "any_market", "clientele", "monopoly", "combined", "rich_offer")
LATE = ("monopoly", "combined", "rich_offer")  # forbidden in the first rounds (LM-4.5.5)
ACTIONS = ("place", "profit", "goods")
SYMBOLS = ("draft", "reveal", "-")


class Special(Frozen):
    """A special card. markets: those printed on it."""

    kind: str
    markets: tuple[str, ...]
    copies: int


class Steps(Frozen):
    """The steps of a card's payment: an amount from a number of crates, or markets, on."""

    pays: tuple[int, ...]
    crates: tuple[int, ...] = ()
    markets: tuple[int, ...] = ()

    @property
    def least(self) -> tuple[int, ...]:
        return self.crates or self.markets

    def pay(self, value: int) -> int:
        """Return the payment of the highest step reached; 0 below the lowest."""
        return max((pay for least, pay in zip(self.least, self.pays, strict=True) if value >= least), default=0)


class Spaces(Frozen):
    """The spaces of an assistant's track."""

    actions: tuple[str, ...]
    symbols: tuple[str, ...]


class Printed(Frozen, dict=True):
    game_rounds: int
    all_tracks: dict[str, Spaces] = msgspec.field(name="tracks")
    seats_tracks: tuple[str, ...]  # those in use
    seats_dealt: int  # cards of each type in the starting hands
    setup_money: int
    setup_hand: int
    setup_bars_passed: int
    setup_bars_in_market: int
    bars_each_colour: int
    bars_crates: int
    bars_layer: int
    goods_each_type: int
    actions_stack_bars: int
    actions_assistant_bars: int
    actions_least: int
    replenishment_plain_cards: int
    specials_piles: tuple[int, ...]
    specials_smallest_pile: int
    specials_largest_pile: int
    specials_free_plays: int
    specials_plays: int
    specials_fee: int
    specials_last_round_money: int
    specials_forbidden_rounds: int
    specials_any_market_bars: int
    clientele_least: int
    monopoly: Steps
    combined: Steps
    rich_offer: Steps
    copies_tiebreaker: int
    copies_replenishment: int
    copies_any_market: int
    copies_rich_offer: int
    copies_rows: dict[str, dict[str, int]]  # by kind and "PORT", "PORT+COVE"
    market_cards: dict[str, dict[str, int | str]]
    market_cards_closed_copies: int
    markets_ring: tuple[Market, ...]  # clockwise

    @cached_property
    def tracks(self) -> dict[str, Spaces]:
        """The tracks in use."""
        return {track: self.all_tracks[track] for track in self.seats_tracks}

    @cached_property
    def specials(self) -> dict[Card, Special]:
        """Every special card, by kind and then by market in the order of the ring."""
        ring = self.markets_ring
        found: dict[Card, Special] = {}
        for kind in KINDS:
            if kind in self.copies_rows:
                named = [(tuple(markets.split("+")), copies) for markets, copies in self.copies_rows[kind].items()]
                for markets, copies in sorted(named, key=lambda card: [ring.index(market) for market in card[0]]):
                    found[f"{kind}:{'+'.join(markets)}"] = Special(kind, markets, copies)
            else:
                found[kind] = Special(kind, (), getattr(self, f"copies_{kind}"))
        return found

    @cached_property
    def copies(self) -> dict[Card, int]:
        return {card: special.copies for card, special in self.specials.items()}

    @cached_property
    def special_cards(self) -> int:
        return sum(self.copies.values())

    @cached_property
    def faces(self) -> dict[str, dict[str, int | str]]:
        """The faces of the market cards: each type shown, with its pounds or the icon."""
        return {card: face(values) for card, values in sorted(self.market_cards.items()) if card != CLOSED}

    def next_market(self, market: str) -> Market:
        ring = self.markets_ring
        return ring[(ring.index(market) + 1) % len(ring)]


def printed_numbers(table: Table) -> Printed:
    """Return the sheet's numbers for this many seats. Raises IllegalDecision if they contradict each other."""
    numbers = table.sheet.typed(Printed, seats=str(table.seats))
    refuse_misfits(numbers, table.seats)
    return numbers


def face(shown: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return the prizes that a market card shows, by good, in pounds."""
    return {
        goods: ICON if shown[goods] == ICON else pounds(str(shown[goods]))
        for goods in GOODS
        if shown[goods] != NOT_SHOWN
    }


def pounds(face: str) -> int:
    """Parse the pounds on a market card. Raises IllegalDecision."""
    if face.isascii() and face.isdigit() and int(face):
        return int(face)
    raise unplayable("LM-2.3.2", "a market card shows pounds, S or -, not {of}", of=face)


def refuse_misfits(numbers: Printed, seats: int) -> None:
    """Raise IllegalDecision for numbers that contradict each other."""
    if sorted(numbers.markets_ring) != sorted(MARKETS):
        raise unplayable("LM-2.2", "the ring names each of the {n} markets once", n=len(MARKETS))
    counts: tuple[tuple[str, str, int, int], ...] = (
        ("LM-2.1.16", "special cards in the piles", sum(numbers.specials_piles), numbers.special_cards),
        ("LM-2.1.6", "market cards", len(numbers.faces) + numbers.market_cards_closed_copies, numbers.game_rounds),
        ("LM-2.1.21", "cards dealt", numbers.setup_hand * seats, numbers.seats_dealt * len(GOODS)),
        ("LM-2.5.2", "steps of Monopoly", len(numbers.monopoly.least), len(numbers.monopoly.pays)),
        ("LM-2.5.3", "steps of Combined offer", len(numbers.combined.least), len(numbers.combined.pays)),
        ("LM-2.5.4", "steps of Rich offer", len(numbers.rich_offer.least), len(numbers.rich_offer.pays)),
        *(
            ("LM-2.6", f"spaces of track {track}", len(part), numbers.game_rounds)
            for track, spaces in numbers.tracks.items()
            for part in (spaces.actions, spaces.symbols)
        ),
    )
    for rule, what, given, right in counts:
        if given != right:
            raise unplayable(rule, "{what}: {given}, not {right}", what=what, given=given, right=right)
    if numbers.seats_dealt > numbers.goods_each_type:
        raise unplayable("LM-2.1.20", "there are only {n} cards of each type", n=numbers.goods_each_type)
    for track, spaces in numbers.tracks.items():
        for word in sorted({*spaces.actions} - {*ACTIONS} | {*spaces.symbols} - {*SYMBOLS}):
            raise unplayable("LM-2.6", "track {track} shows {word}", track=track, word=word)


def of(table: Table) -> Printed:
    return table.printed(printed_numbers)
