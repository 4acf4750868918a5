"""Decisions as they are sent: plain values of which a game reads its own typed decisions, and the seat they are for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from daybook.domain.kernel.chronicle import unfit_value
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.misread import misread
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import TABLE, Decision, Seat


class NotADecisionError(UnreadableError):
    """Input that is not a decision of this game: send one from its list, with exactly its fields."""


def read_decision(game: Game, decision: Mapping[str, Any] | Decision) -> Decision:
    """Parse a decision of a game from plain values. Raises NotADecisionError."""
    if isinstance(decision, Decision):
        return decision
    if (unfit := unfit_value(dict(decision))) is not None:
        raise NotADecisionError("{wrong}", wrong=unfit)
    try:
        return game.ruleset.decision(dict(decision))
    except msgspec.ValidationError as wrong:
        raise NotADecisionError("{wrong}", wrong=misread(game.ruleset, decision, wrong)) from wrong


def checked_seat(game: Game, seat: Seat) -> Seat:
    """Return the seat, or raise NotADecisionError if the game does not have it."""
    last = len(game.opening.seats) - 1
    if seat != TABLE and not 0 <= seat <= last:
        raise NotADecisionError(
            "there is no seat {number}: the seats are 0 to {last}, the table is -1", number=seat, last=last
        )
    return seat
