"""Corrections by other users: decisions that replace struck ones, and a corrected board."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest

from daybook.domain.kernel.chronicle import place_of
from daybook.domain.kernel.events import BoardAdjusted, DecisionRecorded
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Seat
from daybook.domain.sealed_entries import is_sealed_kind

MAX_STEPS_BACK = 40  # of which a correction is shown
MAX_LATER_DECISIONS = 3  # after a correction that is shown to viewers without a seat


class ReplacedStep(Frozen):
    """A correction: its step, and the struck step; None for a corrected board."""

    step: int
    struck: int | None


def find_replaced_steps(game: Game, places: Collection[str], own: Seat | None) -> list[ReplacedStep]:
    """Return the newest corrections that other users made, in order. A player's next decision ends what it sees.

    Args:
        places: of the viewer at the table, such as "seat:1".
        own: the seat of a viewer who plays with one seat's link.
    """
    replacing, found = _replacing_steps(game), []
    for step in sorted({*_newest_adjustment(game), *replacing}):
        if place_of(game.writers[step]) in places or step <= game.step - MAX_STEPS_BACK:
            continue
        later = [
            event.seat
            for entry in game.entries[step + 1 :]
            if isinstance(event := entry.event, DecisionRecorded)
            and event.copied_from_step is None
            and event.corrects_step is None
        ]
        if own in later if own is not None else len(later) > MAX_LATER_DECISIONS:
            continue
        found.append(ReplacedStep(step, replacing.get(step)))
    return found


def _newest_adjustment(game: Game) -> Iterator[int]:
    """Yield the step of the newest correction of the board, if it stands."""
    for step in game.line_back():
        event = game.entries[step].event
        if isinstance(event, BoardAdjusted) and event.copied_from_step is None:
            yield step
            return
        if step <= game.step - MAX_STEPS_BACK:
            return


def _replacing_steps(game: Game) -> dict[int, int]:
    """Return the decision that differs first after each of the newest take-backs, with the struck one in its place."""
    found = {}
    for back in game.take_backs[-2:]:
        to = getattr(game.entries[back].event, "to_step", 0)
        if game.heads[to] not in {*game.line_back()}:
            continue
        struck, stands = game.line_since(to, back - 1), game.line_since(to)
        for old, new in zip_longest(struck, stands):
            if old is None or new is None:
                break
            was, now = game.entries[old].event, game.entries[new].event
            if not isinstance(was, DecisionRecorded) or not isinstance(now, DecisionRecorded):
                break
            if (was.seat, was.decision) != (now.seat, now.decision):
                if not is_sealed_kind(game, was.decision) and not is_sealed_kind(game, now.decision):
                    found[new] = old
                break
    return found
