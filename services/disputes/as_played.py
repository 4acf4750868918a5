"""Illegal moves that stood: the rules refuse a decision, and the table insists that it was played.

Only the scorekeeper may record one, because values completed by hand can concern every seat. Preview it first, then
write it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from daybook.domain import entries
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.chronicle import Written
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.events import DecisionAsPlayed, Objection
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.clock import now
from daybook.services.permissions.sights import EVERYTHING, Sight, hides_nothing
from daybook.services.store.daybook import Daybook


class AsPlayedPreview(Frozen):
    """Preview of an entry for an illegal move.

    Args:
        board: the board after it; any part may be corrected by hand.
        rules_applied: the rules could carry the move out.
        to_act: the seats that decide next.
        stuck: those seats have no legal decision.
    """

    objections: list[Objection]
    rules_applied: bool
    effects: list[dict[str, Any]]
    changes: dict[str, list[Any]]
    values: dict[str, Any]
    columns_before: dict[str, list[Points]]
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    to_act: list[Seat]
    stuck: bool
    board: Document


def preview_as_played(
    book: Daybook,
    game_id: UUID,
    seat: Seat,
    decision: Mapping[str, Any] | Decision,
    values: Mapping[str, Any] | None = None,
    *,
    computed: bool = True,
    sight: Sight = EVERYTHING,
) -> AsPlayedPreview:
    """Preview an illegal move that the table keeps; nothing is written.

    Args:
        values: true values by path.
        computed: let the rules carry the move out first, as far as they can.

    A viewer with limited sight gets a preview of the redacted board. Raises Refused (key "legal" if the rules allow the
    move), NotADecisionError, UnknownGameError.
    """
    return try_as_played(game_as_seen(book.games.get(game_id), sight), seat, decision, values or {}, computed=computed)


def try_as_played(
    game: Game, seat: Seat, decision: Mapping[str, Any] | Decision, values: Mapping[str, Any], *, computed: bool = True
) -> AsPlayedPreview:
    """Try a kept illegal move on the board of a loaded game. Raises Refused, NotADecisionError."""
    entry, board = entries.as_played(
        game,
        checked_seat(game, seat),
        read_decision(game, decision),
        values,
        "",
        Written(now(), "", ""),
        computed=computed,
    )
    event = entry.event
    assert isinstance(event, DecisionAsPlayed)
    rules, seats = game.ruleset, game.ruleset.course.to_act(board)
    return AsPlayedPreview(
        event.objections,
        event.rules_applied,
        event.effects,
        event.changes,
        event.values,
        rules.figures(rules.so_far(game.board)),
        rules.figures(rules.so_far(board)),
        rules.course.marks(board),
        list(seats),
        bool(seats) and not any(rules.legal(board, seat) for seat in seats),
        board.document(),
    )


def game_as_seen(game: Game, sight: Sight) -> Game:
    """Return a copy of the game on the board as a viewer sees it, for trials that reveal nothing more."""
    if hides_nothing(game, sight):
        return game
    seen = game.twin()
    seen.lay(game.ruleset.secrecy.redact_board(game.board, sight))
    seen.strange = True  # checks of a whole board (every card is somewhere) are skipped
    return seen
