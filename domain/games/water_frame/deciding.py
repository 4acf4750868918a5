"""The awaited decision: checks that come before all others (WF-4.0.6, WF-8.2)."""

from __future__ import annotations

from functools import partial

from daybook.domain.games.water_frame.board import Asked, Board, Stage
from daybook.domain.games.water_frame.printed import name_of
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import Decision, Seat, WhyNot, holds, refuse_unless


def game_on(b: Board) -> WhyNot:
    return refuse_unless(b.stage != "over", "game_over", "the game is over")


def in_stage(*stages: Stage) -> Awaits[Board]:
    """Return the condition that one of these stages is running, without an open question."""
    return Awaits("in_stage", "the decision belongs to the current stage", stages, something_else)


def awaits_answer(what: Asked) -> Awaits[Board]:
    """Return the condition that this question is open."""
    return Awaits("awaits_answer", "the game waits for this decision of the player", (what,), something_else)


def no_decision_pending(b: Board) -> WhyNot:
    return refuse_unless(
        not b.asked, "decide_first", "decide this first: {awaited}", awaited=b.asked[-1].what if b.asked else ""
    )


def stage_is(b: Board, awaited: bool = False) -> WhyNot:
    return refuse_unless(awaited, "wrong_phase", "the game waits for something else: {awaited}", awaited=b.stage)


def something_else(b: Board) -> WhyNot:
    return no_decision_pending(b) or stage_is(b)


def in_its_action(wanted: str) -> Awaits[Board]:
    """Return the condition that the marker of this turn allows this main action."""
    return Awaits(
        "in_its_action", "the action of this decision is in progress", (wanted,), partial(another_action, wanted)
    )


def another_action(wanted: str, b: Board) -> WhyNot:
    return (
        no_decision_pending(b)
        or stage_is(b, b.stage == "main")
        or refuse_unless(
            False,
            "wrong_action",
            "this belongs to the {wanted} action, and the {running} action is in progress",
            wanted=wanted,
            running=name_of(b.turn.marker),
        )
    )


@holds("the player has the factory")
def factory_there(b: Board, seat: Seat, d: Decision) -> WhyNot:
    good: str = d.good  # type: ignore[attr-defined]
    return refuse_unless(
        b.players[seat].factories[good] is not None, "no_factory", "the player has no {good} factory", good=good
    )
