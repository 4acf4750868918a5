"""Illegal moves that stood: the rules refuse a decision, and the table insists that it was played.

For the scorekeeper, as adjustments are: what is completed by hand may be anybody's. Look first, then write down.
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
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Decision, Seat
from daybook.services.clock import now
from daybook.services.people.access import EVERYTHING, Sight, hides_nothing
from daybook.services.store.daybook import Daybook


class StoodPreview(Frozen):
    """What would be written down of an illegal move.

    board: as it would lie then; places: what may be put right by hand is any part of it. computed: the rules could
    carry it out. to_act: who is to decide then; stuck: they could decide nothing that the rules allow.
    """

    objections: list[Objection]
    computed: bool
    effects: list[dict[str, Any]]
    changes: dict[str, list[Any]]
    by_hand: dict[str, Any]
    columns_before: dict[str, list[int]]
    columns: dict[str, list[int]]
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
) -> StoodPreview:
    """What an illegal move that stood would come to; nothing is written. values: path -> what really lies there.

    computed: the rules carry it out first, as far as they can. Whoever does not see everything is answered from the
    board as they see it. Raises Refused (key "legal" where the rules allow it), NotADecision, UnknownGame.
    """
    return try_as_played(game_as_seen(book.games.get(game_id), sight), seat, decision, values or {}, computed=computed)


def try_as_played(
    game: Game, seat: Seat, decision: Mapping[str, Any] | Decision, values: Mapping[str, Any], *, computed: bool = True
) -> StoodPreview:
    """Tries an illegal move that stood on the board of a game that is at hand. Raises Refused, NotADecision."""
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
    return StoodPreview(
        event.objections,
        event.computed,
        event.effects,
        event.changes,
        event.by_hand,
        rules.figures(game.board),
        rules.figures(board),
        rules.course.marks(board),
        list(seats),
        bool(seats) and not any(rules.legal(board, one) for one in seats),
        board.document(),
    )


def game_as_seen(game: Game, sight: Sight) -> Game:
    """The game on the board as a viewer sees it, to try out what may not tell them more."""
    if hides_nothing(game, sight):
        return game
    seen = game.twin()
    seen.lay(game.ruleset.secrecy.redact_board(game.board, sight))
    seen.strange = True  # what holds of a whole board (all cards are somewhere) is not asked of it
    return seen
