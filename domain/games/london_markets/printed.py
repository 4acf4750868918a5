"""The component sheet of London Markets with types (LM-2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

import msgspec

from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.terms import IllegalDecision, Reason, Table, because

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


class Special(msgspec.Struct, frozen=True):
    """A special card. markets: those printed on it."""

    kind: str
    markets: tuple[str, ...]
    copies: int


class Steps(msgspec.Struct, frozen=True):
    """A card that pays by steps: so much from so many on."""

    least: tuple[int, ...]
    pays: tuple[int, ...]

    def pay(self, value: int) -> int:
        """What the highest step reached pays; 0 below the lowest."""
        return max((pay for least, pay in zip(self.least, self.pays, strict=True) if value >= least), default=0)


class Spaces(msgspec.Struct, frozen=True):
    """What an assistant's track shows, space by space."""

    actions: tuple[str, ...]
    symbols: tuple[str, ...]


class Printed(msgspec.Struct, frozen=True):
    rounds: int
    tracks: dict[str, Spaces]  # those in use
    dealt: int  # cards of each type in the starting hands
    money: int
    hand: int
    bars_passed: int
    bars_in_market: int
    bars: int  # of each colour
    crates: int
    layer: int
    each_type: int
    stack_bars: int
    assistant_bars: int
    least: int
    plain_cards: int
    piles: tuple[int, ...]
    smallest_pile: int
    largest_pile: int
    free_plays: int
    plays: int
    fee: int
    last_round_money: int
    forbidden_rounds: int
    any_market_bars: int
    clientele: int
    monopoly: Steps
    combined: Steps
    rich_offer: Steps
    specials: dict[Card, Special]
    copies: dict[Card, int]
    special_cards: int
    faces: dict[str, dict[str, int | str]]  # of the market cards: each type shown with its pounds or the icon
    closed_cards: int
    ring: tuple[Market, ...]  # clockwise

    def next_market(self, market: str) -> Market:
        ring = self.ring
        return ring[(ring.index(market) + 1) % len(ring)]


def printed_numbers(table: Table) -> Printed:
    """The sheet's numbers for this many seats. Raises IllegalDecision where they cannot go together."""
    sheet, seats = table.sheet, f"seats.{table.seats}"
    refuse(*wrong_ring(sheet))
    cards = dict(specials(sheet))
    numbers = Printed(
        rounds=sheet["game.rounds"],
        tracks={track: spaces(sheet, track) for track in sheet[f"{seats}.tracks"]},
        dealt=sheet[f"{seats}.dealt"],
        money=sheet["setup.money"],
        hand=sheet["setup.hand"],
        bars_passed=sheet["setup.bars_passed"],
        bars_in_market=sheet["setup.bars_in_market"],
        bars=sheet["bars.each_colour"],
        crates=sheet["bars.crates"],
        layer=sheet["bars.layer"],
        each_type=sheet["goods.each_type"],
        stack_bars=sheet["actions.stack_bars"],
        assistant_bars=sheet["actions.assistant_bars"],
        least=sheet["actions.least"],
        plain_cards=sheet["replenishment.plain_cards"],
        piles=tuple(sheet["specials.piles"]),
        smallest_pile=sheet["specials.smallest_pile"],
        largest_pile=sheet["specials.largest_pile"],
        free_plays=sheet["specials.free_plays"],
        plays=sheet["specials.plays"],
        fee=sheet["specials.fee"],
        last_round_money=sheet["specials.last_round_money"],
        forbidden_rounds=sheet["specials.forbidden_rounds"],
        any_market_bars=sheet["specials.any_market_bars"],
        clientele=sheet["clientele.least"],
        monopoly=Steps(tuple(sheet["monopoly.crates"]), tuple(sheet["monopoly.pays"])),
        combined=Steps(tuple(sheet["combined.crates"]), tuple(sheet["combined.pays"])),
        rich_offer=Steps(tuple(sheet["rich_offer.markets"]), tuple(sheet["rich_offer.pays"])),
        specials=cards,
        copies={card: special.copies for card, special in cards.items()},
        special_cards=sum(special.copies for special in cards.values()),
        faces={card: face(sheet, card) for card in auction_cards(sheet)},
        closed_cards=sheet["market_cards.closed.copies"],
        ring=tuple(sheet["markets.ring"]),
    )
    for rule, reason in misfits(numbers, table.seats):
        refuse(rule, reason)
    return numbers


def spaces(sheet: Sheet, track: str) -> Spaces:
    return Spaces(tuple(sheet[f"tracks.{track}.actions"]), tuple(sheet[f"tracks.{track}.symbols"]))


def specials(sheet: Sheet) -> Iterator[tuple[Card, Special]]:
    """Every special card, by kind and then by market in the order of the ring."""
    ring = sheet["markets.ring"]
    for kind in KINDS:
        if f"copies.{kind}" in sheet.numbers:
            yield kind, Special(kind, (), sheet[f"copies.{kind}"])
        named: list[tuple[str, int]] = list(sheet.under(f"copies.{kind}").items())
        for markets, copies in sorted(named, key=lambda card: [ring.index(market) for market in card[0].split("+")]):
            yield f"{kind}:{markets}", Special(kind, tuple(markets.split("+")), copies)


def auction_cards(sheet: Sheet) -> list[str]:
    cards = {path.split(".")[0] for path in sheet.under("market_cards")}
    return sorted(cards - {CLOSED})


def face(sheet: Sheet, card: str) -> dict[str, int | str]:
    shown = {goods: sheet[f"market_cards.{card}.{goods}"] for goods in GOODS}
    return {goods: ICON if of == ICON else pounds(of) for goods, of in shown.items() if of != NOT_SHOWN}


def pounds(of: str) -> int:
    refuse(
        "LM-2.3.2",
        None
        if of.isascii() and of.isdigit() and int(of)
        else because("sheet", "a market card shows pounds, S or -, not {of}", of=of),
    )
    return int(of)


def wrong_ring(sheet: Sheet) -> tuple[str, Reason | None]:
    right = sorted(sheet["markets.ring"]) == sorted(MARKETS)
    return "LM-2.2", None if right else because("sheet", "the ring names each of the {n} markets once", n=len(MARKETS))


def misfits(numbers: Printed, seats: int) -> Iterator[tuple[str, Reason]]:
    """What makes a sheet unplayable: numbers that contradict each other."""
    counts: tuple[tuple[str, str, int, int], ...] = (
        ("LM-2.1.16", "special cards in the piles", sum(numbers.piles), numbers.special_cards),
        ("LM-2.1.6", "market cards", len(numbers.faces) + numbers.closed_cards, numbers.rounds),
        ("LM-2.1.21", "cards dealt", numbers.hand * seats, numbers.dealt * len(GOODS)),
        ("LM-2.5.2", "steps of Monopoly", len(numbers.monopoly.least), len(numbers.monopoly.pays)),
        ("LM-2.5.3", "steps of Combined offer", len(numbers.combined.least), len(numbers.combined.pays)),
        ("LM-2.5.4", "steps of Rich offer", len(numbers.rich_offer.least), len(numbers.rich_offer.pays)),
        *(
            ("LM-2.6", f"spaces of track {track}", len(part), numbers.rounds)
            for track, spaces in numbers.tracks.items()
            for part in (spaces.actions, spaces.symbols)
        ),
    )
    for rule, what, given, right in counts:
        if given != right:
            yield rule, because("sheet", "{what}: {given}, not {right}", what=what, given=given, right=right)
    if numbers.dealt > numbers.each_type:
        yield "LM-2.1.20", because("sheet", "there are only {n} cards of each type", n=numbers.each_type)
    for track, spaces in numbers.tracks.items():
        for word in sorted({*spaces.actions} - {*ACTIONS} | {*spaces.symbols} - {*SYMBOLS}):
            yield "LM-2.6", because("sheet", "track {track} shows {word}", track=track, word=word)


def refuse(rule: str, reason: Reason | None) -> None:
    if reason is not None:
        raise IllegalDecision(rule, reason)


def of(table: Table) -> Printed:
    """The table's sheet, read once."""
    numbers: Any = table.__dict__.get("london_markets")
    if numbers is None:
        numbers = table.__dict__["london_markets"] = printed_numbers(table)
    return numbers  # type: ignore[no-any-return]
