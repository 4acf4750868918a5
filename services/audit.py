"""Today's rules over a record: every step at which they say something else than was written down.

A record is what happened and stays as it is; an audit shows where the rules have changed since, or where somebody
wrote what the rules do not allow. Each decision is judged on the board it was made on, taken back or not; after a
disagreement the audit goes on from the recorded board.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from domain.board import Document, copied, difference, fold, plain
from domain.record import (
    BoardAdjusted,
    BoardStep,
    DecisionRecorded,
    Entry,
    Game,
    GameClosed,
    GameOpened,
    is_cause,
)
from domain.ruleset import Board, IllegalDecision, Reason, Ruleset, because

Kind = Literal["refused", "differs", "unreadable"]
# refused: the rules forbid it; differs: they let something else follow; unreadable: it is no decision of today's


class Difference(msgspec.Struct, frozen=True):
    """One part of an entry: what the record says, and what the rules say today."""

    part: str
    recorded: Any
    today: Any


class Finding(msgspec.Struct, frozen=True):
    """One step at which record and rules disagree. rule, reason: of a refusal."""

    step: int
    kind: Kind
    rule: str = ""
    reason: Reason | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def says(self) -> str:
        """The sentence alone; the rule stands beside it."""
        if self.reason is not None:
            return str(self.reason)
        return "the rules come to other " + ", ".join(dict.fromkeys(d.part for d in self.differences))


class Audited(msgspec.Struct, frozen=True):
    """What an audit came to. decisions: how many were judged. recorded, today: the revisions of the rules."""

    ruleset: str
    recorded: int
    today: int
    decisions: int
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        return not self.findings


def audit(game: Game) -> Audited:
    decisions = sum(isinstance(entry.event, DecisionRecorded) for entry in game.entries)
    return Audited(
        game.ruleset.id, game.opening.revision, game.ruleset.revision, decisions, tuple(findings(game)))


def findings(game: Game) -> Iterator[Finding]:
    """Every step that disagrees, in order."""
    auditor = _Auditor(game)
    for entry in game.entries:
        finding = auditor.judge(entry)
        if finding is not None:
            yield finding


class _Auditor:
    """Walks along a record. board: as recorded so far; laid anew only where the rules did not lead to it."""

    def __init__(self, game: Game) -> None:
        self.ruleset: Ruleset[Any] = game.ruleset
        self.table = game.table
        self.document: Document = {}
        self._board: Board | None = None

    @property
    def board(self) -> Board:
        if self._board is None:
            self._board = self.ruleset.laid(self.document, self.table)
        return self._board

    def judge(self, entry: Entry) -> Finding | None:
        event = entry.event
        match event:
            case GameOpened():
                return self._opening(event)
            case DecisionRecorded():
                return self._decision(event)
            case BoardAdjusted():
                return self._adjustment(event)
            case BoardStep():
                self._fold(event)
                return None
            case GameClosed():
                return self._closing(event)
        return None

    def _fold(self, event: BoardStep) -> None:
        fold(self.document, event.changes)
        self._board = None

    def _opening(self, event: GameOpened) -> Finding | None:
        self.document = copied(event.board)
        board = self.ruleset.opened(self.table)
        today = {
            "board": board.document(), "columns": self.ruleset.figures(board), "marks": self.ruleset.marks(board)}
        return _finding(event, today)

    def _decision(self, event: DecisionRecorded) -> Finding | None:
        before = self.board
        self._fold(event)
        try:
            after, effects = self.ruleset.play(before, event.seat, self.ruleset.decision(event.decision))
        except msgspec.ValidationError as wrong:
            return Finding(event.step, "unreadable", reason=because("unreadable", "{wrong}", wrong=str(wrong)))
        except IllegalDecision as no:
            return Finding(event.step, "refused", no.rule, no.reason)
        today = {
            "effects": plain(effects), "columns": self.ruleset.figures(after), "marks": self.ruleset.marks(after),
            "closed": self.ruleset.closed(before, after)}
        if after.document() == self.document:  # much quicker than working out the changes
            self._board = after
        else:
            today["changes"] = difference(before.document(), after.document())
        return _finding(event, today)

    def _adjustment(self, event: BoardAdjusted) -> Finding | None:
        before, path = self.board, next((p for p in event.changes if not is_cause(p, self.ruleset.causes)), None)
        self._fold(event)
        if path is not None:
            return Finding(event.step, "refused", reason=because(
                "not_a_cause", "{path} cannot be adjusted: it is worked out", path=path))
        for breach in self.ruleset.breaches(self.board):
            return Finding(event.step, "refused", breach.rule, breach.reason)
        return _finding(event, {
            "columns": self.ruleset.figures(self.board), "marks": self.ruleset.marks(self.board),
            "closed": self.ruleset.closed(before, self.board)})

    def _closing(self, event: GameClosed) -> Finding | None:
        outcome = self.ruleset.outcome(self.board)
        if outcome is None:
            return Finding(event.step, "refused", reason=because("not_over", "the game is not over"))
        totals = [score.total for score in self.ruleset.standing(self.board)]
        return _finding(event, {"totals": totals, "ranks": list(outcome.ranks)})


def _finding(event: Any, today: dict[str, Any]) -> Finding | None:
    differences = [
        found for part, value in today.items() if getattr(event, part) != value
        for found in _differences(part, getattr(event, part), value)
    ]
    return Finding(event.step, "differs", differences=tuple(differences)) if differences else None


def _differences(part: str, recorded: Any, today: Any) -> Iterator[Difference]:
    """The places at which two values of a part differ; of two boards, only those."""
    if isinstance(recorded, dict) and isinstance(today, dict) and part == "board":
        for path, (was, now) in difference(recorded, today).items():
            yield Difference(f"board{path}", was, now)
    else:
        yield Difference(part, recorded, today)
