"""The opening explorer: games that began alike. How often, who won, what they scored, which games.

Two games began alike when they are of the same ruleset with the same options, number of seats and printed numbers,
and their first decisions are the same. There are two ways to compare decisions:

    every   all of them, what the table turned up included, seat by seat;
    seats   the players' decisions alone, with seats counted from the one that decides first. What was drawn
            differs from game to game, so this tells more.

Each game's first DEPTH standing decisions are kept in each way, each under a hash of all decisions up to it; deeper
than that the explorer does not look. Use:

    setups(book, filter)                     what games began with, the commonest first
    explore(book, setup, way, moves, filter) -> Node: the decisions that came next, and the games that went here
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from domain.record import DecisionRecorded, Game, GameOpened
from domain.ruleset import TABLE, Seat
from services import views

if TYPE_CHECKING:
    pass

DEPTH = 30  # decisions of each game in each way
WAYS = ("every", "seats")
Way = Literal["every", "seats"]


def setup_of(opening: GameOpened) -> tuple[str, str]:
    """What a game began with: its hash, and the options as JSON."""
    options = views.as_json(opening.options)
    return _hash("", [opening.ruleset, len(opening.seats), options, opening.sheet.hash]), options


def rows_of(game: Game, setup: str) -> list[views.Row]:
    """The first decisions of a game that stand, in both ways."""
    made = [
        (step, event) for step in game.line() if isinstance(event := game.entries[step].event, DecisionRecorded)]
    seats = [(step, event) for step, event in made if event.seat != TABLE]
    first = seats[0][1].seat if seats else 0
    rows = []
    for way, decisions in (("every", made), ("seats", seats)):
        parent = root_of(setup, way)
        for step, event in decisions[:DEPTH]:
            seat = event.seat if way == "every" else (event.seat - first) % len(game.opening.seats)
            decision = views.as_json(event.decision)
            prefix = next_of(parent, seat, decision)
            rows.append({
                "parent": parent, "game": game.id, "prefix": prefix, "seat": seat, "decider": event.seat,
                "decision": decision, "step": step})
            parent = prefix
    return rows


def root_of(setup: str, way: str) -> str:
    """Where a way of comparing begins."""
    return _hash(setup, way)


def next_of(parent: str, seat: Seat, decision: str) -> str:
    """Where a decision leads to. decision: as canonical JSON."""
    return _hash(parent, [seat, decision])


def _hash(before: str, said: Any) -> str:
    """64 bits: among a million openings two are taken for one with a chance of one in thirty million."""
    return hashlib.sha256(before.encode() + msgspec.json.encode(said)).hexdigest()[:16]
