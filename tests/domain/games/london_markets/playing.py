"""Tables, positions and a random player for the tests of London Markets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from daybook.domain.games.london_markets import LONDON_MARKETS, moves, stacks
from daybook.domain.games.london_markets.board import Board, Layer, Player, none_of_each, opening
from daybook.domain.games.london_markets.printed import CLOSED, GENERAL, GOODS, MARKETS, MERCHANTS
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.sheet import overridden, parse
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Table
from tests.domain.games.moves import Moves

FOLDER = Path(__file__).parents[4] / "domain/games/london_markets"
SHEET = parse("london_markets", (FOLDER / "sheet.toml").read_text("utf-8"))
COLOURS = ("red", "blue", "green", "yellow")
RED, BLUE, GREEN, YELLOW = range(4)
TRADED = moves.OfferCardsPlaced(coffee="PORT", soap="COVE", silk="PETT", china="BORO", general="BRIX")


def table(seats: int = 4, hands: str = "open", numbers: Mapping[str, Any] | None = None) -> Table:
    return LONDON_MARKETS.table(COLOURS[:seats], {"hands": hands}, overridden(SHEET, numbers or {}))


def most_of(b: Board, seat: Seat, kind: type[Decision]) -> Mapping[str, int]:
    """Return the highest number of the fields of an open form."""
    most = LONDON_MARKETS.kinds[kind].most
    assert most is not None
    return most(b, seat)


def opening_board(seats: int = 4, hands: str = "open", numbers: Mapping[str, Any] | None = None) -> Board:
    return LONDON_MARKETS.opening_board(table(seats, hands, numbers))


def written_at(step: int) -> Written:
    return Written("2026-11-20T19:30:00.000Z", "scorekeeper", f"key {step}")


MOVES = Moves(LONDON_MARKETS)
play, after, effects_after, refusal = MOVES.play, MOVES.after, MOVES.effects_after, MOVES.refusal
broken, with_values, to_act = MOVES.broken, MOVES.with_values, LONDON_MARKETS.course.to_act


def legal(board: Board, seat: Seat, *kinds: type) -> list[Decision]:
    return [d for d in LONDON_MARKETS.legal(board, seat) if not kinds or isinstance(d, kinds)]


# --- from the opening on ---


def board_at_foreign_bars(seats: int = 4, start: Seat = 0, numbers: Mapping[str, Any] | None = None) -> Board:
    """Return a board with hidden hands at the foreign bars."""
    return after(
        opening_board(seats, "hidden", numbers),
        (TABLE, TRADED),
        (TABLE, moves.BottomCardSeen("M09")),
        (TABLE, moves.StartPlayerDrawn(start)),
    )


def foreign_bars(board: Board) -> list[tuple[Seat, Decision]]:
    """All foreign bars, market by market."""
    count = board.printed.setup_bars_passed * board.seats
    first = board.starter
    return [
        ((first + n) % board.seats, moves.SetupBar(MARKETS[n // board.printed.setup_bars_in_market]))
        for n in range(count)
    ]


def board_at_first_card(seats: int = 4, start: Seat = 0, numbers: Mapping[str, Any] | None = None) -> Board:
    """Return a board with hidden hands at the first market card."""
    b = board_at_foreign_bars(seats, start, numbers)
    return after(b, *foreign_bars(b), (TABLE, moves.MerchantsPlaced(stack="PORT", profit="COVE", goods="PETT")))


# --- positions made by hand ---


def player(money: int = 0, hand: str = "", dealt: str = "", specials: str = "", in_play: str = "") -> dict[str, Any]:
    """Return a player.

    hand: the public knowledge of it, "3 coffee 2 ?"; dealt: with open hands, the cards behind "?".
    """
    return {"money": money, "hand": hand, "dealt": dealt, "specials": specials.split(), "in_play": in_play.split()}


def goods(named: str) -> dict[str, int]:
    words = named.split()
    return {kind: int(count) for count, kind in zip(words[::2], words[1::2], strict=True)}


def stack(drawing: str) -> list[Layer]:
    """ "R R B / G": layers of bars from the bottom, slot by slot; "." is a free slot."""
    layers = [["RBGY".find(bar) if bar != "." else None for bar in layer.split()] for layer in drawing.split("/")]
    return [(layer + [None] * 3)[:3] for layer in layers if layer]


def set_up(
    *players: dict[str, Any],
    bars: Mapping[str, str] | None = None,
    mover: Seat = 0,
    round: int = 5,
    card: str = "M01",
    merchants: str = "PORT COVE PETT",
    hands: str = "open",
    piles: str = "",
    numbers: Mapping[str, Any] | None = None,
    **fields: Any,
) -> Board:
    """A position made by hand; seat 0 is the starting player, and what is not named lies where it must.

    bars: by market, as `stack` reads them; merchants: where Stack, Profit and Goods stand; piles: goods cards that
    lie there, if it cannot be worked out.
    """
    b = opening(table(len(players), hands, numbers))
    for market, drawing in (bars or {}).items():
        b.stacks[market] = stack(drawing)
    b.players = [make_player(b, seat, given) for seat, given in enumerate(players)]
    b.traded = {getattr(TRADED, kind): kind for kind in (*GOODS, GENERAL)}
    b.merchants = dict(zip(MERCHANTS, merchants.split(), strict=True))
    b.assistants = dict.fromkeys(b.assistants, round)
    b.start, b.round, b.turn, b.stage = 0, round, mover, "turn"
    b.revealed, b.bottom = market_cards(b, card)
    for name, value in fields.items():
        setattr(b, name, value)
    if "used" not in fields:
        spare = [*b.assistants, "goods", "profit", "stack"]
        b.used = spare[: b.seats if b.phase in ("replenish", "auction", "movement", "over") else b.turn + b.acted]
    b.piles = goods_left(b, goods(piles))
    if "specials" not in fields:
        b.specials = specials_left(b)
    assert list(LONDON_MARKETS.integrity.breaches(b)) == []
    return b


def make_player(b: Board, seat: Seat, given: dict[str, Any]) -> Player:
    dealt = none_of_each() | goods(given["dealt"])
    placed = sum(layer.count(seat) for layers in b.stacks.values() for layer in layers)
    return Player(
        money=given["money"],
        bars=b.printed.bars_each_colour - placed,
        hand=none_of_each() | {"?": sum(dealt.values())} | goods(given["hand"]),
        unseen=None if b.hands_are_hidden else dealt,
        specials=given["specials"],
        in_play=given["in_play"],
    )


def market_cards(b: Board, card: str) -> tuple[list[str], str]:
    """Cards revealed up to this one, and the bottom card."""
    numbers = b.printed
    others = [other for other in numbers.faces if other != card]
    if not b.last_round:
        others.pop()
    others += [CLOSED] * (numbers.market_cards_closed_copies - (card == CLOSED))
    return [*others[: b.round - 1], card], card if b.last_round else "?"


def goods_left(b: Board, named: dict[str, int]) -> dict[str, int]:
    """All other cards lie on their piles; unseen ones come as evenly as can be from all types."""
    left = {kind: b.printed.goods_each_type - sum(p.holds(kind) for p in b.players) for kind in GOODS}
    if named:
        return none_of_each() | named
    unseen = sum(p.hand["?"] for p in b.players if p.unseen is None)
    for _ in range(unseen):
        most = max(left, key=lambda kind: left[kind])
        left[most] -= 1
    return left


def specials_left(b: Board) -> list[list[str]]:
    sizes = b.printed.specials_piles
    held = Counter([*b.removed, *(card for p in b.players for card in (*p.specials, *p.in_play))])
    if b.hands_are_hidden:
        rest = ["?"] * (sum(sizes) - held.total())
    else:
        rest = [c for c, special in b.printed.specials.items() for _ in range(special.copies - held[c])]
    piles, taken = [], 0
    for size in sizes:
        piles.append(rest[taken : taken + size])
        taken += size
    return piles


def replenishing(*players: dict[str, Any], mover: Seat = 0, **fields: Any) -> Board:
    """Return a board in phase 3, at the beginning of a player's replenishment."""
    exchanges = players[mover]["in_play"].count("replenishment")
    phase = {"stage": "replenish", "takes": 2 + exchanges, "exchanges": exchanges}
    return set_up(*players, mover=mover, **phase | fields)


def offering(*players: dict[str, Any], **fields: Any) -> Board:
    """Return a board in phase 4, before the first offer."""
    return set_up(*players, **{"stage": "offers", "auction": 1} | fields)


def offers(*named: str) -> list[tuple[Seat, Decision]]:
    """One offer of each seat: "2 coffee", "" for none."""
    return [(seat, moves.Offer(**goods(cards))) for seat, cards in enumerate(named)]


def hand(board: Board, seat: Seat) -> dict[str, int]:
    return {kind: count for kind, count in board.players[seat].hand.items() if count}


def crates(board: Board, market: str) -> list[int]:
    return [stacks.crates(board, seat, market) for seat in range(board.seats)]


# --- random games ---

EAGER = {moves.PlaySpecial: 30, moves.Exchange: 20, moves.EndTurn: 5, moves.Offer: 10, moves.OffersRevealed: 10}


def game(board: Board, seed: int, taste: dict[type, int] | None = None) -> Iterator[tuple[Board, Seat, Decision]]:
    """Yield the steps of a random game: board, seat, decision. taste: weights of kinds, 10 by default."""
    chance = random.Random(seed)
    for _ in range(3000):
        seats = LONDON_MARKETS.course.to_act(board)
        if not seats:
            return
        if chance.random() > 0.05:
            seats = LONDON_MARKETS.waits_for(board)
        seat = chance.choice(seats)
        decision = choice(board, seat, chance, taste or {})
        yield board, seat, decision
        board = LONDON_MARKETS.play(board, seat, decision)[0]
    raise AssertionError("the game does not end")


def choice(board: Board, seat: Seat, chance: random.Random, taste: dict[type, int]) -> Decision:
    found = LONDON_MARKETS.legal(board, seat)
    if board.stage == "offers":
        return pick_offer(board, seat, chance, found)
    if seat == TABLE and board.phase == "setup" and chance.random() > 0.2:
        facts = LONDON_MARKETS.facts(board)
        return chance.choices([fact for fact, _ in facts], [weight for _, weight in facts])[0]
    kinds = list(dict.fromkeys(type(d) for d in found))
    kind = chance.choices(kinds, [taste.get(kind, 10) for kind in kinds])[0]
    return chance.choice([d for d in found if type(d) is kind])


def pick_offer(board: Board, seat: Seat, chance: random.Random, offers: list[Decision]) -> Decision:
    """A sensible offer most of the time, now and then one that is mixed; sometimes the table tells all."""
    if seat == TABLE:
        named = [
            None if p.offer is not None else cards(chance.choice(legal(board, other)))
            for other, p in enumerate(board.players)
        ]
        told_at_once = moves.OffersRevealed(tuple(named))
        return offers[0] if refusal(board, TABLE, told_at_once) else told_at_once
    if chance.random() < 0.2:
        mixed = moves.Offer(*(chance.randrange(3) for _ in GOODS))
        if refusal(board, seat, mixed) is None:
            return mixed
    single = [d for d in offers if sum(count > 0 for count in counts_of(d)) == 1]
    return chance.choice(single if single and chance.random() < 0.8 else offers)


def counts_of(d: Decision) -> tuple[int, ...]:
    return tuple(getattr(d, kind) for kind in GOODS)


def cards(d: Decision) -> moves.GoodsCards:
    return moves.GoodsCards(*counts_of(d))


def everything(board: Board, chance: random.Random) -> list[Decision]:
    """Decisions one can write down: the small forms, samples of the large ones, and some nonsense."""
    special_cards = [*board.printed.specials, "?", "clientele:SOHO"]
    market_cards_ = [*board.printed.faces, CLOSED, "?", "M99"]
    return [
        *(
            moves.HandDealt(*counts)
            for counts in ((2, 2, 2, 2), (8, 0, 0, 0), (0, 0, 0, 9), (3, 3, 3, 0), (-1, 3, 3, 3))
        ),
        moves.HandDealt(unseen=True),
        TRADED,
        moves.OfferCardsPlaced("PORT", "PORT", "PETT", "BORO", "BRIX"),
        *(moves.BottomCardSeen(card) for card in market_cards_),
        *(
            moves.SpecialsStacked(sizes)
            for sizes in ((8, 8, 7, 7), (9, 9, 6, 6), (10, 8, 6, 6), (8, 8, 7), (8, 8, 8, 8))
        ),
        *(moves.SpecialStacked(card) for card in special_cards),
        *(moves.StartPlayerDrawn(seat) for seat in range(-1, board.seats + 1)),
        moves.MerchantsPlaced("PORT", "COVE", "PETT"),
        moves.MerchantsPlaced("PORT", "PORT", "PETT"),
        *(moves.MarketCardRevealed(card) for card in market_cards_),
        moves.MoneyCounted(tuple(p.money for p in board.players)),
        moves.MoneyCounted(tuple(p.money + 1 for p in board.players)),
        moves.MoneyCounted(()),
        *(moves.SetupBar(market, slot) for market in MARKETS for slot in (None, -1, 0, 1, 2, 3)),
        *(moves.UseMerchant(merchant) for merchant in MERCHANTS),
        *(moves.UseAssistant(track, market) for track in "AB" for market in MARKETS),
        *(moves.PlaySpecial(card, market) for card in special_cards for market in (None, "PORT", "BRIX")),
        *(moves.PlaceBar(slot) for slot in (None, -1, 0, 1, 2, 3)),
        *(kind(type_) for kind in (moves.NameGoods, moves.DrawGoods, moves.Replenish) for type_ in GOODS),
        *(moves.Exchange(give, take) for give, take in product(GOODS, repeat=2)),
        moves.EndTurn(),
        moves.EndReplenish(),
        moves.SpecialOrMoney("special"),
        moves.SpecialOrMoney("money"),
        *(moves.TakePile(pile) for pile in range(-1, 6)),
        *(moves.TakeSpecial(card) for card in special_cards),
        *(moves.Offer(*(chance.choice((0, 0, 0, 1, 2, 4)) for _ in GOODS)) for _ in range(8)),
        moves.Offer(),
        moves.Offer(soap=-1),
        moves.Offer(unseen=True),
        moves.OffersRevealed((moves.GoodsCards(),) * board.seats),
        moves.OffersRevealed((None,) * board.seats),
        moves.OffersRevealed(()),
        *(
            moves.OffersRevealed(tuple(moves.GoodsCards(soap=chance.randrange(4)) for _ in board.players))
            for _ in range(2)
        ),
    ]
