"""Decades, cycles and the turns of the players (WF-4.2, WF-4.4)."""

from __future__ import annotations

from collections.abc import Sequence

from daybook.domain.games.water_frame import moves, production, storage, tiles
from daybook.domain.games.water_frame.board import Board, Turn
from daybook.domain.games.water_frame.printed import name_of
from daybook.domain.kernel.rule_parts import Spread
from daybook.domain.kernel.terms import Decision, Effect, Seat, Tell

# Effects on other players: a production phase begins, an event is revealed, a decade or the game ends, or they gain or
# lose something. The change of turn is not one.
SPREADS = Spread(
    always={
        moves.EventRevealed: {},
        moves.DecadeScored: {},
        moves.GameEnded: {},
        moves.PhaseBegun: {"phase": "production"},
    },
    others=(Effect,),
    others_but=(moves.TurnPassed, moves.StartPlayerNamed),
)


def begin_decade(b: Board, tell: Tell) -> None:
    """Begin the next decade of the timetable, with its first cycle."""
    b.decade = b.next_decade
    b.cycle = 0
    tell(moves.DecadeBegun("WF-4.2.1", b.decade, b.level))
    begin_cycle(b, tell)


def begin_cycle(b: Board, tell: Tell) -> None:
    """Begin the next cycle and await its economy marker."""
    b.cycle += 1
    b.stage = "economy"
    b.turns = 0
    tell(moves.CycleBegun("WF-4.2.2", b.decade, b.cycle, b.good))


def begin_actions(b: Board, tell: Tell) -> None:
    b.stage = "marker"
    tell(moves.PhaseBegun("WF-4.4", "actions"))


# --- the end of an action ---


def close_action(b: Board, seat: Seat, tell: Tell) -> None:
    """Close the main action, or with the additional one the turn."""
    if b.stage == "additional":
        tell(moves.ActionClosed("WF-4.4.7", seat, "additional"))
        end_turn(b, tell)
        return
    tell(moves.ActionClosed("WF-4.4.7", seat, "main"))
    name = name_of(b.turn.marker)
    if b.turn.developed:
        tiles.give_back(b, seat, "developer", "WF-4.5.5", tell)
    b.turn.free_levels = 0
    b.stage = "additional"
    if name == "workers":
        storage.fix(b, seat, tell)


def actions_closed(b: Board, seat: Seat, d: Decision, effects: Sequence[Effect]) -> int:
    """Return how many of the seat's actions a `Done` decision ended; 0 for other decisions (WF-4.1.2)."""
    return sum(
        isinstance(d, moves.Done) and isinstance(effect, moves.ActionClosed) and effect.seat == seat
        for effect in effects
    )


def end_turn(b: Board, tell: Tell) -> None:
    before = b.mover
    b.turn = Turn()
    b.turns += 1
    b.stage = "marker"
    if b.turns < b.seats:
        tell(moves.TurnPassed("WF-4.4", before, b.mover))


# --- steps ---


def marker(b: Board, tell: Tell) -> bool:
    """Go to the production of the active good after all turns (WF-4.2.2)."""
    if b.turns < b.seats:
        return False
    production.begin(b, tell)
    return True


def additional(b: Board, tell: Tell) -> bool:
    """End the turn after the special marker (WF-4.14)."""
    if not b.turn.marker_taken:
        return False
    close_action(b, b.mover, tell)
    return True
