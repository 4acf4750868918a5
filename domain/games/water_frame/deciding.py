"""What is to be decided just then: the checks that stand in front of the others (WF-4.0.6, WF-8.2)."""

from __future__ import annotations

from daybook.domain.games.water_frame.board import Asked, Board, Stage
from daybook.domain.games.water_frame.printed import Marker
from daybook.domain.kernel.terms import Decision, Reason, Seat, because


def name_of(marker: Marker) -> str:
    """What a marker is, whatever its shade: "quality", "ship"."""
    return marker.partition(":")[0]


def game_on(b: Board, seat: Seat) -> Reason | None:
    return because("game_over", "the game is over") if b.stage == "over" else None


class InStage:
    """The condition that a stage is running to which a decision belongs, and nothing else is asked first."""

    __name__ = "in_stage"

    def __init__(self, *stages: Stage) -> None:
        self.stages = stages

    def __call__(self, b: Board, seat: Seat) -> Reason | None:
        if b.asked:
            return asked_first(b)
        return None if b.stage in self.stages else not_awaited(b)


def not_awaited(b: Board) -> Reason:
    return because("wrong_phase", "this is not what is awaited: {awaited}", awaited=b.stage)


def asked_first(b: Board) -> Reason:
    return because("asked_first", "something has to be decided first: {awaited}", awaited=b.asked[-1].what)


class InItsAction:
    """The condition that the marker of this turn allows the main action to which a decision belongs."""

    __name__ = "in_its_action"

    def __init__(self, wanted: str) -> None:
        self.wanted = wanted

    def __call__(self, b: Board, seat: Seat) -> Reason | None:
        if b.asked:
            return asked_first(b)
        if b.stage != "main":
            return not_awaited(b)
        running = name_of(b.turn.marker)
        return None if running == self.wanted else because(
            "wrong_action", "this belongs to the {wanted} action, and the {running} action is running",
            wanted=self.wanted, running=running)


class AskedFor:
    """The condition that this is what a player was asked."""

    __name__ = "asked_for"

    def __init__(self, what: Asked) -> None:
        self.what = what

    def __call__(self, b: Board, seat: Seat) -> Reason | None:
        if b.asked and b.asked[-1].what == self.what:
            return None
        return asked_first(b) if b.asked else not_awaited(b)


def acting(b: Board, stage: Stage) -> bool:
    """Whether the running stage is this one and nothing is asked of anybody: what a list of candidates begins with."""
    return b.stage == stage and not b.asked


def in_action(b: Board, name: str) -> bool:
    """Whether the main action of this kind is running and nothing is asked of anybody."""
    return b.stage == "main" and not b.asked and name_of(b.turn.marker) == name


def factory_there(b: Board, seat: Seat, d: Decision) -> Reason | None:
    good: str = d.good  # type: ignore[attr-defined]
    if b.players[seat].factories[good] is not None:
        return None
    return because("no_factory", "there is no {good} factory", good=good)
