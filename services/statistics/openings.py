"""Store the first decisions of a game, each under a hash of those before, for `services.statistics.explorer`."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from daybook.domain.kernel.events import DecisionRecorded, GameOpened
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.store import read_models

DEPTH = 30  # decisions stored per game and way
Way = Literal["every", "seats"]


def setup_of(opening: GameOpened) -> tuple[str, str]:
    """Return a game's set-up: its hash, and the options as JSON."""
    options = read_models.as_json(opening.options)
    return _hash("", [opening.ruleset, len(opening.seats), options, opening.sheet.hash]), options


def rows_of(game: Game, setup: str) -> list[read_models.TableRow]:
    """Return the rows for the first standing decisions of a game, in both ways."""
    made = [(step, event) for step in game.line() if isinstance(event := game.entries[step].event, DecisionRecorded)]
    seats = [(step, event) for step, event in made if event.seat != TABLE]
    first = seats[0][1].seat if seats else 0
    rows = []
    for way, decisions in (("every", made), ("seats", seats)):
        parent = root_key(setup, way)
        for step, event in decisions[:DEPTH]:
            seat, content = event.seat, event.decision
            if way == "seats":
                seat, content = _count_seats_from(first, game.opening, seat, content)
            decision = read_models.as_json(content)
            prefix = child_key(parent, seat, decision)
            rows.append(
                {
                    "parent": parent,
                    "game": game.id,
                    "prefix": prefix,
                    "seat": seat,
                    "decider": event.seat,
                    "decision": decision,
                    "step": step,
                }
            )
            parent = prefix
    return rows


def _count_seats_from(
    first: Seat, opening: GameOpened, seat: Seat, decision: dict[str, Any]
) -> tuple[Seat, dict[str, Any]]:
    """Renumber the seats of a decision from the first seat, including those that it names by colour."""
    colours = [taken.colour for taken in opening.seats]

    def count_from_first(key: str, value: Any) -> Any:
        if key == "seat" and isinstance(value, int) and value >= 0:
            return (value - first) % len(colours)
        if key in ("colour", "factory") and value in colours:
            return f"seat:{(colours.index(value) - first) % len(colours)}"
        return value

    return (seat - first) % len(colours), {key: count_from_first(key, value) for key, value in decision.items()}


def root_key(setup: str, way: str) -> str:
    """Return the key of the root for a set-up and a way."""
    return _hash(setup, way)


def child_key(parent: str, seat: Seat, decision: str) -> str:
    """Return the key of the node after a decision, given as canonical JSON."""
    return _hash(parent, [seat, decision])


def _hash(before: str, content: Any) -> str:
    """Return a 64-bit hash: a collision among a million openings has a chance of one in thirty million."""
    return hashlib.sha256(before.encode() + msgspec.json.encode(content)).hexdigest()[:16]
