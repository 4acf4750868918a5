"""Draft of a turn: preview its decisions one after the other before it is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import Board, Decision, IllegalDecision, Seat, because
from daybook.services.permissions.sights import Sight, hides_nothing
from daybook.services.play.redaction import redacted_board

MAX_PARTS = 3  # of a turn, closed one after the other

Scope = Callable[[Any], Any]  # (board): what stays the same until the turn is over


class DraftPart(Frozen):
    """One decision of a draft and what would follow from it. ends: the turn is over with it."""

    decision: dict[str, Any]
    effects: list[dict[str, Any]]
    ends: bool


class Draft(Frozen, dict=True):
    """A seat's decisions so far, and the board as it would lie after them, as far as the viewer may know."""

    game: Game
    seat: Seat
    scope: Scope
    began: Board
    board: Board
    parts: tuple[DraftPart, ...] = ()

    @property
    def decisions(self) -> list[dict[str, Any]]:
        return [part.decision for part in self.parts]

    @property
    def effects(self) -> list[dict[str, Any]]:
        """Effects of all parts."""
        return [effect for part in self.parts for effect in part.effects]

    @cached_property
    def columns_before(self) -> dict[str, list[Points]]:
        return self.game.ruleset.figures(self.began)

    @cached_property
    def columns(self) -> dict[str, list[Points]]:
        return self.game.ruleset.figures(self.board)

    @cached_property
    def is_over(self) -> bool:
        """Check if the turn is over: another seat is to decide, or this one decides outside of the turn."""
        return self.seat not in self.game.ruleset.course.to_act(self.board) or (
            self.scope(self.board) != self.scope(self.began)
        )

    @cached_property
    def composed(self) -> Draft:
        """The draft before the decision that ends the turn, which automatic actions may follow at once."""
        return self.empty.with_decisions(self.decisions[:-1]) if self.is_over else self

    @property
    def spreads(self) -> bool:
        """Check if the effects reach beyond the seat that decides."""
        return self.game.ruleset.spreads(self.seat, self.effects)

    @cached_property
    def legal(self) -> list[dict[str, Any]]:
        """Legal next decisions of the seat in this turn, most usual kind first."""
        if self.is_over:
            return []
        decisions: list[dict[str, Any]] = msgspec.to_builtins(self.game.ruleset.legal(self.board, self.seat))
        return decisions

    def with_decision(self, decision: Mapping[str, Any] | Decision) -> Draft:
        """Return the draft with another decision. Raises IllegalDecision, NotADecisionError."""
        if self.is_over:
            raise IllegalDecision(self.game.ruleset.catalogue, because("turn_over", "the turn is already over"))
        typed = read_decision(self.game, decision)
        after, effects = self.game.ruleset.play(self.board, self.seat, typed)
        grown = Draft(self.game, self.seat, self.scope, self.began, after, self.parts)
        part = DraftPart(msgspec.to_builtins(typed), plain(effects), grown.is_over)
        return msgspec.structs.replace(grown, parts=(*self.parts, part))

    def with_decisions(self, decisions: Sequence[Mapping[str, Any]]) -> Draft:
        """Return the draft with further decisions. Raises IllegalDecision, NotADecisionError."""
        draft = self
        for decision in decisions:
            draft = draft.with_decision(decision)
        return draft

    def with_closings(self, close: Sequence[str]) -> list[Draft]:
        """Return the draft and its versions after each `close` decision; last the turn's end, if these reach it.

        Args:
            close: tags of the decisions that end a part of a turn.
        """
        drafts = [self]
        while len(drafts) <= MAX_PARTS:
            ends = [{"type": tag} for tag in close if {"type": tag} in drafts[-1].legal]
            if not ends:
                break
            drafts.append(drafts[-1].with_decision(ends[0]))
        return drafts

    def without_closings(self, close: Sequence[str]) -> Draft:
        """Return the draft without closings at its end: a part stays open until the next decision."""
        remaining = self.decisions
        while remaining and remaining[-1]["type"] in close:
            remaining.pop()
        return self if len(remaining) == len(self.parts) else self.empty.with_decisions(remaining)

    @property
    def empty(self) -> Draft:
        return Draft(self.game, self.seat, self.scope, self.began, self.began)


def begin_draft(game: Game, seat: Seat, sight: Sight, scope: Scope) -> Draft:
    """Return an empty draft on the present board as `sight` sees it. Raises Refused, NotADecisionError."""
    if game.status != "running":
        raise Refused(because("game_closed", "the game is {status}; reopen it first", status=game.status))
    board = redacted_present_board(game, sight)
    return Draft(game, checked_seat(game, seat), scope, board, board)


def redacted_present_board(game: Game, sight: Sight) -> Board:
    """Return the present board as `sight` sees it."""
    return game.board if hides_nothing(game, sight) else redacted_board(game, game.step, sight)[0]
