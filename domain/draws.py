"""Facts that Daybook drew for a table, and facts that the table put by hand after it undid a draw.

A draw is identified by its kind and its number among the facts of that kind. So the second fact of a kind in the current
line replaces the second one of a struck line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, TypeGuard

from daybook.domain.kernel import events
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Seat


def facts_before(game: Game, tags: Collection[str], step: int | None = None) -> Mapping[str, int]:
    """Count the facts of these kinds in the line up to a step. Default: the newest."""
    recorded = (game.entries[number].event for number in game.line(step))
    return Counter(event.decision["type"] for event in recorded if _is_fact(event, tags))


def undone_draws(game: Game, tag: str) -> list[int]:
    """Return the struck steps at which Daybook drew the fact of this kind that comes next, the first draw first."""
    draws = [step for step in game.draws if _is_fact(game.entries[step].event, (tag,))]
    if not draws:
        return []
    before, stands = facts_before(game, (tag,)), set(game.line())
    return [step for step in draws if step not in stands and facts_before(game, (tag,), game.parents[step]) == before]


def drawn_before(game: Game, tag: str) -> list[dict[str, Any]]:
    """Return what Daybook drew, and the table undid, for the fact of this kind that comes next."""
    return [_decision(game, step) for step in undone_draws(game, tag)]


def draw_fields(
    game: Game, seat: Seat, decision: dict[str, Any], drawn: bool = False, copied_from_step: int | None = None
) -> dict[str, Any]:
    """Return how the entry of a decision tells of draws. copied_from_step: the step that said the same before."""
    if seat != TABLE:
        return {}
    source = None if copied_from_step is None else game.entries[copied_from_step].event
    if isinstance(source, events.DecisionRecorded) and (source.seat, source.decision) == (seat, decision):
        return {"drawn_by_daybook": source.drawn_by_daybook, "replaces_drawn_step": source.replaces_drawn_step}
    if drawn:
        return {"drawn_by_daybook": True}
    undone = undone_draws(game, decision["type"])
    return {"replaces_drawn_step": undone[-1]} if undone else {}


def _is_fact(event: events.AnyEvent, tags: Collection[str]) -> TypeGuard[events.DecisionRecorded]:
    return isinstance(event, events.DecisionRecorded) and event.seat == TABLE and event.decision["type"] in tags


def _decision(game: Game, step: int) -> dict[str, Any]:
    """Return the decision of a drawn fact."""
    event = game.entries[step].event
    assert isinstance(event, events.DecisionRecorded)
    return event.decision
