"""Lines of a bare file that say what the record has carried out already: read, noted, and nothing is done twice.

Where nothing is left to decide the rules close an action, confirm a price or begin a sale by themselves, and whoever
writes a whole game down may write that too. Such a line becomes a note about the step that carried it out, so that
lines and steps are counted alike.
"""

from __future__ import annotations

from typing import Any

import msgspec

from daybook.domain.kernel.board import plain
from daybook.domain.kernel.record import (
    AnyEvent,
    Aside,
    DecisionAsPlayed,
    DecisionRecorded,
    Entry,
    Game,
    NoteAdded,
    Written,
)
from daybook.domain.kernel.ruleset import IllegalDecision
from daybook.services.files.recordfile.happened import BareLine


def carried_out_at(game: Game, bare: BareLine) -> int | None:
    """The step that carried out by itself what a line says, the newest on the board; None: none did, or that often."""
    last = next((entry.event for entry in reversed(game.entries) if not isinstance(entry.event, Aside)), None)
    rules = game.ruleset
    if rules.by_itself is None or not isinstance(last, DecisionRecorded) or isinstance(last, DecisionAsPlayed):
        return None
    if bare.seat is None or bare.decision is None or bare.as_played is not None:
        return None
    decision = rules.decision(bare.decision)
    effects = msgspec.convert(last.effects, list[rules.effects])  # type: ignore[name-defined]
    times: int = rules.by_itself(game.board, bare.seat, decision, effects)
    told = [(last.seat, last.decision) == (bare.seat, plain(decision))]
    told += [says_again(entry.event, bare) for entry in game.entries[last.step + 1:]]
    return last.step if times > sum(told) else None


def is_legal(game: Game, bare: BareLine) -> bool:
    """Whether the rules allow now what a line decides."""
    assert bare.seat is not None and bare.decision is not None
    try:
        game.ruleset.refuse(game.board, bare.seat, game.ruleset.decision(bare.decision))
    except IllegalDecision:
        return False
    return True


def noted(game: Game, step: int, bare: BareLine, written: Written) -> Entry:
    return game.note(step, _text(step, bare), written)


def says_again(event: AnyEvent, bare: BareLine) -> bool:
    """Whether an entry is what became of such a line."""
    return isinstance(event, NoteAdded) and bare.decision is not None and event.text == _text(event.about, bare)


def _text(step: int, bare: BareLine) -> str:
    said: Any = msgspec.json.encode(bare.decision, order="sorted").decode()
    return f"written again: seat {bare.seat}, {said}; step {step} had carried it out"
