"""Tables, positions and a random player for the tests of Making Profit."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from daybook.domain.games.making_profit import MAKING_PROFIT, moves
from daybook.domain.games.making_profit.board import CARDS, SEEN_OR_NOT, Board, Player, counts, opening
from daybook.domain.kernel.sheet import overridden, parse
from daybook.domain.kernel.terms import TABLE, Decision, Seat, Table
from tests.domain.games.moves import Moves

FOLDER = Path(__file__).parents[4] / "domain/games/making_profit"
SHEET = parse("making_profit", (FOLDER / "sheet.toml").read_text("utf-8"))
COLOURS = ("red", "blue", "green", "yellow", "black", "white")


def table(seats: int = 3, hands: str = "open", numbers: dict[str, Any] | None = None) -> Table:
    return MAKING_PROFIT.table(COLOURS[:seats], {"hands": hands}, overridden(SHEET, numbers or {}))


def opening_board(seats: int = 3, hands: str = "open", numbers: dict[str, Any] | None = None) -> Board:
    return MAKING_PROFIT.opening_board(table(seats, hands, numbers))


MOVES = Moves(MAKING_PROFIT)
play, after, effects_after, refusal = MOVES.play, MOVES.after, MOVES.effects_after, MOVES.refusal
broken, with_values, to_act = MOVES.broken, MOVES.with_values, MAKING_PROFIT.course.to_act


def after_deal(*hands: str, start: Seat = 0, seats: int | None = None) -> Board:
    """A game with open hands after the deal, from its first card on: "R1 R1" for each seat in order."""
    cards = [(TABLE, moves.Drawn(card)) for hand in hands for card in hand.split()]
    return after(opening_board(seats or len(hands)), *cards, (TABLE, moves.StartPlayerDrawn(start)))


def player(money: int = 0, hand: str = "", factory: str = "", owes: int = 0, **certificates: int) -> dict[str, Any]:
    return {"money": money, "hand": hand, "factory": factory, "owes": owes, "certificates": certificates}


def set_up(
    *players: dict[str, Any],
    mover: Seat = 0,
    deck: str | None = None,
    pile: str = "",
    hands: str = "open",
    numbers: dict[str, Any] | None = None,
    **fields: Any,
) -> Board:
    """A position in the second round, made by hand; seat 0 is the starting player.

    deck: its cards; then the sheet has just as many copies as lie on the table. Left out, and with hidden hands:
    all other cards.
    Everybody has two own certificates beside those named.
    """
    numbers = dict(numbers or {})
    lying = Counter(" ".join([pile, deck or "", *(p["hand"] + " " + p["factory"] for p in players)]).split())
    if deck is not None:
        numbers = {f"cards.{card}.copies": lying[card] for card in CARDS} | numbers
    b = opening(table(len(players), hands, numbers))
    b.players = [make_player(b, seat, given) for seat, given in enumerate(players)]
    b.bank = {
        colour: b.printed.certificates_each_colour - sum(p.certificates[colour] for p in b.players)
        for colour in b.table.colours
    }
    b.discard = cards(pile)
    if hands == "hidden":
        b.deck["?"] = b.printed.all_cards - lying.total()
    else:
        b.deck = counts() | {card: b.printed.copies[card] - lying[card] for card in CARDS}
        if deck is not None:
            b.deck = cards(deck)
    b.start, b.turn, b.actions = 0, len(players) + 1 + mover, b.printed.turn_actions
    b.developer = (mover - 1) % len(players)
    for name, value in fields.items():
        setattr(b, name, value)
    assert list(MAKING_PROFIT.integrity.breaches(b)) == []
    return b


def make_player(b: Board, seat: Seat, given: dict[str, Any]) -> Player:
    certificates = dict.fromkeys(b.table.colours, 0)
    certificates[b.table.colours[seat]] = b.printed.start_certificates
    for colour, count in given["certificates"].items():
        certificates[colour] = count
    return Player(given["money"], certificates, cards(given["hand"]), given["factory"].split(), owes=given["owes"])


def cards(named: str) -> dict[str, int]:
    return counts() | dict(Counter(named.split()))


def hand(board: Board, seat: Seat) -> str:
    return " ".join(card for card in SEEN_OR_NOT for _ in range(board.players[seat].hand[card]))


# --- random games ---

EAGER = {
    moves.Develop: 30,
    moves.BuyStock: 40,
    moves.Run: 60,
    moves.SellResources: 1,
    moves.SellAdd: 4,
    moves.EndTurn: 1,
}


def game(
    board: Board, seed: int, taste: dict[type, int] | None = None, limit: int = 5000
) -> Iterator[tuple[Board, Seat, Decision]]:
    """Yield the steps of a random game: board, seat, decision. taste: weights of kinds, 10 by default."""
    chance = random.Random(seed)
    for _ in range(limit):
        seats = MAKING_PROFIT.course.to_act(board)
        if not seats:
            return
        seat = chance.choice(seats)
        decision = fact(board, chance) if seat == TABLE else choice(board, seat, chance, taste or {})
        yield board, seat, decision
        board, _ = MAKING_PROFIT.play(board, seat, decision)
    raise AssertionError(f"the game did not end in {limit} steps")


def fact(board: Board, chance: random.Random) -> Decision:
    facts, weights = zip(*MAKING_PROFIT.facts(board), strict=True)
    decision: Decision = chance.choices(facts, weights)[0]
    return decision


def choice(board: Board, seat: Seat, chance: random.Random, taste: dict[type, int]) -> Decision:
    legal = MAKING_PROFIT.legal(board, seat)
    kinds = list(dict.fromkeys(type(d) for d in legal))
    kind = chance.choices(kinds, [taste.get(kind, 10) for kind in kinds])[0]
    return chance.choice([d for d in legal if type(d) is kind])


def everything(board: Board) -> list[Decision]:
    """Decisions one can write down: all of the small forms, samples of the long ones, and some nonsense."""
    types = SEEN_OR_NOT
    return [
        *(moves.Drawn(card) for card in types),
        *(moves.StartPlayerDrawn(seat) for seat in range(-1, board.seats + 1)),
        moves.ThirdCard(True),
        moves.ThirdCard(False),
        moves.SellDone(),
        moves.EndTurn(),
        moves.Run(),
        *(kind(colour) for kind in (moves.BuyStock, moves.SellAdd) for colour in (*COLOURS, "pink", "")),
        *(moves.Run(colour) for colour in COLOURS),
        *(kind(card) for kind in (moves.Develop, moves.DiscardHand, moves.DiscardFactory) for card in types),
        *(moves.Develop(card, colour) for card in types for colour in COLOURS[:2]),
        *(moves.SellResources((a, b, c)) for a in types for b in types for c in types),
        moves.SellResources(()),
        moves.SellResources(("R1", "R1")),
        moves.SellResources(("R1",) * 6),
        *(moves.Nationalise((a, b)) for a in types for b in types),
        moves.Nationalise(()),
        moves.Nationalise(("M2",)),
        moves.Nationalise(("M1", "M1", "M1")),
    ]
