"""Choice of positions to play out: first evenly over a game, then ever closer around the largest swings.

Each round depends only on the results of the rounds before, so workers that share or restart a game choose the same
positions.
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

EVEN_POSITIONS = 60  # spread over a game in the first round
ROUNDS = 3
POSITIONS_PER_ROUND = 8
MIN_SWING = 0.06  # change of a seat's share that deserves a closer look

PositionKind = Literal["opening", "drawn", "decided", "other"]
# drawn: a fact that chance brings; decided: by seats, also what is turned up of their sealed decisions; other: an
# adjustment, an illegal move that stood


class LineStep(Frozen):
    """A step of the line of play that stands. at: how many steps lead to it."""

    step: int
    at: int
    kind: PositionKind
    seat: Seat | None


def line_steps(game: Game) -> list[LineStep]:
    """Return the steps of a game that made its board, in order."""
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


def missing_positions(places: Sequence[LineStep], computed: Mapping[int, Chances]) -> list[LineStep]:
    """Return the positions to compute next: those of the first incomplete round."""
    chosen: list[LineStep] = []
    for wanted in _iter_rounds(places, computed):
        chosen += wanted
        if missing := [place for place in wanted if place.step not in computed]:
            return missing
    return []


def _iter_rounds(places: Sequence[LineStep], computed: Mapping[int, Chances]) -> Iterator[list[LineStep]]:
    """Yield the positions to analyse, round by round: an even spread first, then around swings."""
    chosen = spread_evenly(places)
    yield chosen
    for _ in range(ROUNDS):
        more = choose_around_swings(places, chosen, computed)
        if not more:
            return
        yield more
        chosen = sorted({*chosen, *more}, key=lambda place: place.at)


def spread_evenly(places: Sequence[LineStep]) -> list[LineStep]:
    """Choose positions spread over a line, moved to nearby changes between draws and decisions.

    This separates the effects of chance from those of decisions.
    """
    if len(places) <= EVEN_POSITIONS + 1:
        return [*places]
    spacing = (len(places) - 1) / EVEN_POSITIONS
    chosen = {0, len(places) - 1}
    for number in range(1, EVEN_POSITIONS):
        target = round(number * spacing)
        near = range(max(1, target - int(spacing / 2)), min(len(places) - 1, target + int(spacing / 2) + 1))
        chosen.add(min(near, key=lambda at: (not _ends_a_run(places, at), abs(at - target))))
    return [places[at] for at in sorted(chosen)]


def _ends_a_run(places: Sequence[LineStep], at: int) -> bool:
    """Check if the next line step has another kind: drawn facts or decisions."""
    return at + 1 < len(places) and (places[at].kind == "drawn") != (places[at + 1].kind == "drawn")


def choose_around_swings(
    places: Sequence[LineStep], chosen: Sequence[LineStep], computed: Mapping[int, Chances]
) -> list[LineStep]:
    """Choose a position inside each gap with the largest changes."""
    gaps = [(largest_change(computed[a.step], computed[b.step]), a, b) for a, b in pairwise(chosen) if b.at - a.at > 1]
    largest = sorted((gap for gap in gaps if gap[0] >= MIN_SWING), key=lambda gap: (-gap[0], gap[1].at))[
        :POSITIONS_PER_ROUND
    ]
    return sorted((_split_gap(places, a, b) for _, a, b in largest), key=lambda place: place.at)


def _split_gap(places: Sequence[LineStep], first: LineStep, last: LineStep) -> LineStep:
    """Return the step that splits a gap between draws and decisions, closest to its middle."""
    middle = (first.at + last.at) / 2
    return places[min(range(first.at + 1, last.at), key=lambda at: (not _ends_a_run(places, at), abs(at - middle)))]


def largest_change(before: Chances, after: Chances) -> float:
    """Return the largest change of a seat's share."""
    return max((abs(b - a) for a, b in zip(before.shares, after.shares, strict=False)), default=0.0)
