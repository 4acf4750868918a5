"""Lines of a bare file that say what the record has carried out already: read, noted, and nothing is done twice.

Where nothing is left to decide the rules close an action, confirm a price or begin a sale by themselves, and whoever
writes a whole game down may write that too. Such a line becomes a note about the step that carried it out, so that
lines and steps are counted alike.
"""

from __future__ import annotations

from typing import Any

import msgspec

from daybook.domain.commands import Decide, Line, Note
from daybook.domain.entries import note
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.decisions import read_decision
from daybook.domain.kernel.events import AnyEvent, Aside, DecisionAsPlayed, DecisionRecorded, Entry, NoteAdded
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import IllegalDecision


def carried_out_at(game: Game, command: Line) -> int | None:
    """The step that carried out by itself what a line says, the newest on the board; None: none did, or that often."""
    last = next((entry.event for entry in reversed(game.entries) if not isinstance(entry.event, Aside)), None)
    rules = game.ruleset
    if rules.course.by_itself is None or not isinstance(last, DecisionRecorded) or isinstance(last, DecisionAsPlayed):
        return None
    if not isinstance(command, Decide):
        return None
    decision = read_decision(game, command.decision)
    effects = rules.typed_effects(last.effects)
    times: int = rules.course.by_itself(game.board, command.seat, decision, effects)
    told = [(last.seat, last.decision) == (command.seat, plain(decision))]
    told += [says_again(entry.event, command) for entry in game.entries[last.step + 1 :]]
    return last.step if times > sum(told) else None


def is_legal(game: Game, command: Line) -> bool:
    """Whether the rules allow now what a line decides."""
    assert isinstance(command, Decide)
    try:
        game.ruleset.refuse(game.board, command.seat, read_decision(game, command.decision))
    except IllegalDecision:
        return False
    return True


def note_of_repeat(game: Game, step: int, command: Line, written: Written) -> Entry:
    assert isinstance(command, Decide)
    return note(game, Note(step, _text(step, command)), written)


def says_again(event: AnyEvent, command: Line) -> bool:
    """Whether an entry is what became of such a line."""
    return isinstance(event, NoteAdded) and isinstance(command, Decide) and event.text == _text(event.about, command)


def _text(step: int, decided: Decide) -> str:
    said: Any = msgspec.json.encode(decided.decision, order="sorted").decode()
    return f"written again: seat {decided.seat}, {said}; step {step} had carried it out"
