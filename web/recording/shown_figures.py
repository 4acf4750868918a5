"""Figures that everyone at the table shows: the card while they are compared, and the line in the header from then on."""

from __future__ import annotations

from typing import Any

import msgspec

from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import TABLE, Seat, Veil
from daybook.services.permissions.actions import may
from daybook.services.permissions.visits import Visit
from daybook.web import words
from daybook.web.boards import table_privacy

Plain = dict[str, Any]


class ShownFigures(Frozen):
    """Figures that the players showed.

    Args:
        step: at which they showed it.
        place: the period, such as "round 4".
        agrees: the decision by which this viewer may confirm it; None if it is not compared now.
        comparing: it is compared now, so the card is open on every phone.
    """

    step: int
    heading: str
    place: str
    column: str
    figures: list[tuple[Seat, str]]
    comparing: bool
    agrees: Plain | None


def figures_shown(visit: Visit) -> ShownFigures | None:
    """Return what the players showed last; None if the game covers no figures or none were shown."""
    game, veil = visit.game, table_privacy.veil_in_force(visit.game)
    steps = None if veil is None else _steps_of_showing(game, veil)
    if veil is None or steps is None:
        return None
    shown, compared = steps
    comparing = visit.running and _is_compared(game, veil)
    agrees = None
    if comparing:
        offered = game.ruleset.kinds[veil.counted].offers(game.board, TABLE)
        plain: list[Plain] = msgspec.to_builtins(list(offered))
        agrees = next((each for each in plain if may(visit, "record", seat=TABLE)), None)
    column = veil.columns[0]
    label = words.column_label(game.ruleset.id, column)
    columns, _ = game.figures_at(compared)
    _, marks = game.figures_at(game.parents[shown])
    return ShownFigures(
        shown,
        words.say("Everybody shows {what}", what=label),
        words.marks_label(
            game.ruleset.id, {mark: marks[mark] for mark in game.ruleset.course.periods if mark in marks}
        ),
        label,
        [(seat, words.column_value(game.ruleset.id, column, n)) for seat, n in enumerate(columns[column])],
        comparing,
        agrees,
    )


def _is_compared(game: Game, veil: Veil) -> bool:
    """Check if the table may confirm now that the shown figures are right."""
    kind = game.ruleset.kinds[veil.counted]
    return all(condition(game.board, TABLE) is None for _, condition in kind.conditions_to_call)


def _steps_of_showing(game: Game, veil: Veil) -> tuple[int, int] | None:
    """Return the last step that shows figures, and the last correction or confirmation before play went on."""
    last: int | None = None
    for step in game.line_back():
        event = game.entries[step].event
        if isinstance(event, DecisionRecorded) and any(
            effect["type"] == tag_of(veil.lifted) for effect in event.effects
        ):
            return step, last or step
        if isinstance(event, DecisionRecorded) and event.decision["type"] != tag_of(veil.counted):
            last = None
        elif last is None:
            last = step
    return None
