"""What is to be decided just then: the checks that stand in front of the others (WF-4.0.6, WF-8.2)."""

from __future__ import annotations

from functools import partial

from daybook.domain.games.water_frame.board import Asked, Board, Stage
from daybook.domain.games.water_frame.printed import name_of
from daybook.domain.kernel.conditions import Awaits
from daybook.domain.kernel.terms import Decision, Reason, Seat, WhyNot, because, holds


def game_on(b: Board, seat: Seat) -> WhyNot:
    return because("game_over", "the game is over") if b.stage == "over" else None


def in_stage(*stages: Stage) -> Awaits[Board]:
    """The condition that a stage is running to which a decision belongs, and nothing else is asked first."""
    return Awaits("in_stage", "it belongs to the stage that is running", stages, something_else)


def asked_for(what: Asked) -> Awaits[Board]:
    """The condition that this is what a player was asked."""
    return Awaits("asked_for", "it is what the player was asked", (what,), something_else)


def something_else(b: Board) -> Reason:
    return asked_first(b) if b.asked else not_awaited(b)


def not_awaited(b: Board) -> Reason:
    return because("wrong_phase", "this is not what is awaited: {awaited}", awaited=b.stage)


def asked_first(b: Board) -> Reason:
    return because("asked_first", "something has to be decided first: {awaited}", awaited=b.asked[-1].what)


def in_its_action(wanted: str) -> Awaits[Board]:
    """The condition that the marker of this turn allows the main action to which a decision belongs."""
    return Awaits("in_its_action", "the action it belongs to is running", (wanted,), partial(another_action, wanted))


def another_action(wanted: str, b: Board) -> Reason:
    if b.asked or b.stage != "main":
        return something_else(b)
    return because(
        "wrong_action",
        "this belongs to the {wanted} action, and the {running} action is running",
        wanted=wanted,
        running=name_of(b.turn.marker),
    )


@holds("the player has the factory")
def factory_there(b: Board, seat: Seat, d: Decision) -> WhyNot:
    good: str = d.good  # type: ignore[attr-defined]
    if b.players[seat].factories[good] is not None:
        return None
    return because("no_factory", "there is no {good} factory", good=good)
