"""Corrections of steps far back, worked out to be looked at (`domain.corrections`)."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from daybook.domain.commands import Resolution
from daybook.domain.corrections import Correction, Plan
from daybook.domain.kernel.chronicle import Written
from daybook.services.clock import now
from daybook.services.store.daybook import Daybook


def compute_correction_plan(book: Daybook, game_id: UUID, instead: Mapping[int, Resolution]) -> Plan:
    """Plan a correction.

    Args:
        instead: replacements of recorded steps, the mistyped one first.

    For viewers with full sight. Sealed decisions stay sealed and are not carried over. Raises Refused, NotADecisionError,
    UnknownGameError.
    """
    game = book.games.get(game_id)
    return Correction(game, instead, "", Written(now(), "", "plan")).plan()
