"""What lies sealed in a record: decisions that nobody reads until every seat has made its own."""

from __future__ import annotations

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game


def first_sealed(game: Game) -> int | None:
    """The first entry that tells what lies sealed, or lay so when it was undone; None: every entry may be read.

    What is struck out stays sealed until something else is decided: to undo and look would be a way to read it.
    """
    if not game.may_hold_sealed:
        return None
    kinds = game.ruleset.by_tag
    return next((
        entry.step for entry in game.entries[last_not_apart(game) + 1 :]
        if isinstance(entry.event, DecisionRecorded) and kinds[entry.event.decision["type"]].sealed), None)


def last_not_apart(game: Game) -> int:
    """The last standing step that may have changed what others decide: an offer that somebody seals does not."""
    apart = game.ruleset.course.apart
    for step in game.line_back():
        event = game.entries[step].event
        if apart is None or not isinstance(event, DecisionRecorded) or not apart(
                game.ruleset.decision(event.decision), game.ruleset.typed_effects(event.effects)):
            return step
    return 0
