"""Sealed decisions in words, once everyone has seen them."""

from __future__ import annotations

import msgspec

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.domain.sealed_entries import is_sealed_kind
from daybook.services.play.replay import StepShown
from daybook.web.words import GAMES


def reveal_seal(game: Game, step: StepShown) -> StepShown:
    """Return a sealed decision with the effect that showed it to everyone, so that its sentence says it.

    Other steps, and decisions that are still sealed, are returned as they are.
    """
    tags = GAMES[game.ruleset.id].reveals.tags
    if step.seat is None or not tags or not is_sealed_kind(game, step.decision):
        return step
    for entry in game.entries[step.step :]:
        event = entry.event
        if not isinstance(event, DecisionRecorded):
            continue
        shown = next((e for e in event.effects if e["type"] in tags and e.get("seat") == step.seat), None)
        if shown is None and is_sealed_kind(game, event.decision):
            continue
        if not _leads_to(game, step.step, entry.step):
            continue
        if shown is None:
            return step
        others = [effect for effect in step.effects[1:] if effect != shown]  # the last seal shows all of them
        return msgspec.structs.replace(step, effects=[shown, *others])
    return step


def _leads_to(game: Game, step: int, later: int) -> bool:
    """Check if a step is in the line of a later one."""
    while later > step:
        later = game.parents[later]
    return later == step
