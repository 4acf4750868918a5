"""Lines of a bare file that repeat automatic effects of the rules; they become notes.

When nothing is left to decide, the rules close an action, confirm a price or begin a sale by themselves. A handwritten
game may contain such a line. It becomes a note about the step that carried it out, so that lines and steps keep the
same numbers.
"""

from __future__ import annotations

from typing import Any

import msgspec

from daybook.domain.commands import Decide, Line, Note
from daybook.domain.entries import note
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import AnyEvent, DecisionAsPlayed, DecisionRecorded, Entry, NoteAdded, SideEvent
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import IllegalDecision


def carried_out_at(game: Game, command: Line) -> int | None:
    """Return the newest step that carried out the line's decision automatically; None if no step did."""
    last = next((entry.event for entry in reversed(game.entries) if not isinstance(entry.event, SideEvent)), None)
    rules = game.ruleset
    if rules.course.by_itself is None or not isinstance(last, DecisionRecorded) or isinstance(last, DecisionAsPlayed):
        return None
    if not isinstance(command, Decide):
        return None
    decision = read_decision(game, command.decision)
    effects = rules.typed_effects(last.effects)
    times: int = rules.course.by_itself(game.board, command.seat, decision, effects)
    told = [(last.seat, last.decision) == (command.seat, plain(decision))]
    told += [is_repetition_note(entry.event, command) for entry in game.entries[last.step + 1 :]]
    return last.step if times > sum(told) else None


def is_legal(game: Game, command: Line) -> bool:
    """Check if a line's decision is legal now."""
    assert isinstance(command, Decide)
    try:
        game.ruleset.refuse(game.board, command.seat, read_decision(game, command.decision))
    except IllegalDecision:
        return False
    return True


def note_of_repeat(game: Game, step: int, command: Line, written: Written) -> Entry:
    assert isinstance(command, Decide)
    return note(game, Note(step, _note_text(step, command)), written)


def is_repetition_note(event: AnyEvent, command: Line) -> bool:
    """Check if an entry is the note of such a line."""
    return (
        isinstance(event, NoteAdded)
        and isinstance(command, Decide)
        and event.text == _note_text(event.about_step, command)
    )


def _note_text(step: int, decided: Decide) -> str:
    decision: Any = msgspec.json.encode(decided.decision, order="sorted").decode()
    return f"written again: seat {decided.seat}, {decision}; step {step} had carried it out"
