"""Openings: the first decisions of a game, each under a hash of all before it, kept for
`services.statistics.explorer`."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from daybook.domain.kernel.events import DecisionRecorded, GameOpened
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.store import read_models

DEPTH = 30  # decisions of each game in each way
Way = Literal["every", "seats"]


def setup_of(opening: GameOpened) -> tuple[str, str]:
    """What a game began with: its hash, and the options as JSON."""
    options = read_models.as_json(opening.options)
    return _hash("", [opening.ruleset, len(opening.seats), options, opening.sheet.hash]), options


def rows_of(game: Game, setup: str) -> list[read_models.Row]:
    """The first decisions of a game that stand, in both ways."""
    made = [(step, event) for step in game.line() if isinstance(event := game.entries[step].event, DecisionRecorded)]
    seats = [(step, event) for step, event in made if event.seat != TABLE]
    first = seats[0][1].seat if seats else 0
    rows = []
    for way, decisions in (("every", made), ("seats", seats)):
        parent = root_of(setup, way)
        for step, event in decisions[:DEPTH]:
            seat, said = event.seat, event.decision
            if way == "seats":
                seat, said = _count_seats_from(first, game.opening, seat, said)
            decision = read_models.as_json(said)
            prefix = next_of(parent, seat, decision)
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
    first: Seat, opening: GameOpened, seat: Seat, said: dict[str, Any]
) -> tuple[Seat, dict[str, Any]]:
    """A decision with seats counted from the first, also where it names one, by its number or by its colour."""
    colours = [taken.colour for taken in opening.seats]

    def count_from_first(key: str, value: Any) -> Any:
        if key == "seat" and isinstance(value, int) and value >= 0:
            return (value - first) % len(colours)
        if key in ("colour", "factory") and value in colours:
            return f"seat:{(colours.index(value) - first) % len(colours)}"
        return value

    return (seat - first) % len(colours), {key: count_from_first(key, value) for key, value in said.items()}


def root_of(setup: str, way: str) -> str:
    """Where a way of comparing begins."""
    return _hash(setup, way)


def next_of(parent: str, seat: Seat, decision: str) -> str:
    """Where a decision leads to. decision: as canonical JSON."""
    return _hash(parent, [seat, decision])


def _hash(before: str, said: Any) -> str:
    """64 bits: among a million openings two are taken for one with a chance of one in thirty million."""
    return hashlib.sha256(before.encode() + msgspec.json.encode(said)).hexdigest()[:16]
