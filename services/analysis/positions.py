"""Which positions of a game are played out: evenly over its course first, then ever closer around the largest swings.

Each round follows from what the rounds before it have found, and from nothing else: several workers that share a game,
or one that begins anew, choose the same positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal

from daybook.domain.kernel.events import BoardStep, DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import never_drawn
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.services.analysis.play_outs import Chances

EVENLY = 60  # positions over a game
ROUNDS = 3
A_ROUND = 8  # positions
SWING = 0.06  # a change of a seat's share that is worth a closer look

Kind = Literal["opening", "drawn", "decided", "other"]
# drawn: a fact that chance brings; decided: by seats, also what is turned up of their sealed decisions; other: an
# adjustment, an illegal move that stood


class LineStep(Frozen):
    """A step of the line of play that stands. at: how many steps lead to it."""

    step: int
    at: int
    kind: Kind
    seat: Seat | None


def line_steps(game: Game) -> list[LineStep]:
    """The steps of a game that made its board, in order."""
    steps = [step for step in game.line() if step == 0 or isinstance(game.entries[step].event, BoardStep)]
    return [_line_step(game, step, at) for at, step in enumerate(steps)]


def _line_step(game: Game, step: int, at: int) -> LineStep:
    event = game.entries[step].event
    if step == 0:
        return LineStep(step, at, "opening", None)
    if not isinstance(event, DecisionRecorded):
        return LineStep(step, at, "other", None)
    if event.seat != TABLE:
        return LineStep(step, at, "decided", event.seat)
    drawn = game.ruleset.by_tag[event.decision["type"]].weight is not never_drawn
    return LineStep(step, at, "drawn" if drawn else "decided", None)


def missing_positions(places: Sequence[LineStep], known: Mapping[int, Chances]) -> list[LineStep]:
    """The positions of the first round that is not complete; none when all are known."""
    chosen: list[LineStep] = []
    for wanted in _rounds(places, known):
        chosen += wanted
        if missing := [place for place in wanted if place.step not in known]:
            return missing
    return []


def _rounds(places: Sequence[LineStep], known: Mapping[int, Chances]) -> Iterator[list[LineStep]]:
    """Round after round, as long as all of those before are known."""
    chosen = evenly(places)
    yield chosen
    for _ in range(ROUNDS):
        more = around_swings(places, chosen, known)
        if not more:
            return
        yield more
        chosen = sorted({*chosen, *more}, key=lambda place: place.at)


def evenly(places: Sequence[LineStep]) -> list[LineStep]:
    """So many places over a line, each where who decides changes if that is near: what chance brings is so told apart
    from what is decided.
    """
    if len(places) <= EVENLY + 1:
        return [*places]
    apart = (len(places) - 1) / EVENLY
    found = {0, len(places) - 1}
    for number in range(1, EVENLY):
        target = round(number * apart)
        near = range(max(1, target - int(apart / 2)), min(len(places) - 1, target + int(apart / 2) + 1))
        found.add(min(near, key=lambda at: (not _ends_a_run(places, at), abs(at - target))))
    return [places[at] for at in sorted(found)]


def _ends_a_run(places: Sequence[LineStep], at: int) -> bool:
    return at + 1 < len(places) and (places[at].kind == "drawn") != (places[at + 1].kind == "drawn")


def around_swings(
    places: Sequence[LineStep], chosen: Sequence[LineStep], known: Mapping[int, Chances]
) -> list[LineStep]:
    """A place within each of the gaps over which chances changed most."""
    gaps = [(swing(known[a.step], known[b.step]), a, b) for a, b in pairwise(chosen) if b.at - a.at > 1]
    largest = sorted((gap for gap in gaps if gap[0] >= SWING), key=lambda gap: (-gap[0], gap[1].at))[:A_ROUND]
    return sorted((_within(places, a, b) for _, a, b in largest), key=lambda place: place.at)


def _within(places: Sequence[LineStep], first: LineStep, last: LineStep) -> LineStep:
    """Where a gap is parted: between what was drawn and what was decided, as near as can be to its middle."""
    middle = (first.at + last.at) / 2
    return places[min(range(first.at + 1, last.at), key=lambda at: (not _ends_a_run(places, at), abs(at - middle)))]


def swing(before: Chances, after: Chances) -> float:
    """The largest change of a seat's share."""
    return max((abs(b - a) for a, b in zip(before.shares, after.shares, strict=False)), default=0.0)
