"""Audit: compare a record with today's rules and find every step where they differ.

The record stays as it is. An audit shows where rules have changed since, or where an entry breaks them. Each decision
is judged on the board it was made on, even if taken back later; after a disagreement the audit continues from the
recorded board.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Literal

import msgspec

from daybook.domain.entries import as_played
from daybook.domain.kernel import events
from daybook.domain.kernel.board import (
    Changes,
    Document,
    alike,
    deep_copy,
    difference,
    fold,
    follow,
    holds,
    plain,
    unfold,
)
from daybook.domain.kernel.by_hand import adjusted_amiss, is_cause
from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import NOT_WORKED_OUT, Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset, Reached
from daybook.domain.kernel.terms import Board, IllegalDecision, Reason, because

FindingKind = Literal["refused", "differs", "unreadable", "allowed"]
# refused: the rules forbid it; differs: they let something else follow; unreadable: it is no decision of today's;
# allowed: it stood against the rules, and those of today have nothing against it


class Difference(Frozen):
    """A part of an entry that differs: its recorded value, and its value by today's rules."""

    part: str
    recorded: Any
    today: Any


class Finding(Frozen):
    """One step at which record and rules disagree. rule, reason: of a refusal."""

    step: int
    kind: FindingKind
    rule: str = ""
    reason: Reason | None = None
    differences: tuple[Difference, ...] = ()

    @property
    def says(self) -> str:
        """Sentence without the rule, which is shown next to it."""
        if self.reason is not None:
            return str(self.reason)
        return "the rules come to other " + ", ".join(dict.fromkeys(d.part for d in self.differences))


class AuditResult(Frozen):
    """Result of an audit.

    Args:
        recorded: revision of the rules in the record.
        today: current revision of the rules.
        decisions: number of judged decisions.
    """

    ruleset: str
    recorded: int
    today: int
    decisions: int
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        return not self.findings


def audit(game: Game) -> AuditResult:
    """Compare a record with today's rules; a record that they cannot read has one finding."""
    decisions = sum(isinstance(entry.event, events.DecisionRecorded) for entry in game.entries)
    try:
        found = tuple(iter_findings(game))
    except CANNOT_GO_ON as wrong:
        decisions, found = (
            0,
            (
                Finding(
                    0,
                    "unreadable",
                    reason=because(
                        "cannot_audit",
                        "today’s rules cannot read this record: {wrong}",
                        wrong=f"{type(wrong).__name__} {wrong}",
                    ),
                ),
            ),
        )
    return AuditResult(game.ruleset.id, game.opening.revision, game.ruleset.revision, decisions, found)


def iter_findings(game: Game, since: Game | None = None) -> Iterator[Finding]:
    """Yield every disagreement in order.

    Args:
        since: the game before the first step to judge.
    """
    auditor = _Auditor(game, since)
    for entry in game.entries[since.step + 1 if since else 0 :]:
        finding = auditor.judge_entry(entry)
        if finding is not None:
            yield finding


def encode_findings(findings: Iterable[Finding], first: int) -> Iterator[tuple[int, str]]:
    """Encode findings from a step on for storage (`services.store.disagreements`).

    Left out are moves that were kept against the rules and are legal today.
    """
    for finding in findings:
        if finding.step >= first and finding.kind != "allowed":
            yield finding.step, msgspec.json.encode(finding).decode()


def decode_finding(finding: str) -> Finding:
    return msgspec.json.decode(finding, type=Finding)


class _Auditor:
    """Walk along a record.

    Args:
        board: as recorded so far; rebuilt only if the rules did not lead to it.
        reached: marks of progress on that board.
    """

    def __init__(self, game: Game, since: Game | None) -> None:
        self.ruleset: AnyRuleset = game.ruleset
        self.table = game.table
        self.game = game
        self.opening = game.entries[0]
        # an illegal move that stood may have left a board that the rules do not know
        self.strange = since is not None and since.strange
        self._document: Document = deep_copy(since.document) if since else {}
        self._unfolded: list[Changes] = []  # what the document lacks of the record so far
        self._board: Board | None = None
        self._twin: Board | None = None  # a copy of the board, if the board is exactly the recorded one
        self._reached: Reached | None = None
        self._figures: dict[str, list[Points]] = {}  # of the ledger; none: not known of this board
        self._first: dict[tuple[str, str], int] = {}  # the first step that has a figure, by part and name

    @property
    def recorded_document(self) -> Document:
        """Return the recorded board, folded on demand."""
        for changes in self._unfolded:
            fold(self._document, changes)
        self._unfolded.clear()
        return self._document

    @property
    def board(self) -> Board:
        if self._board is None:
            self._board = self.ruleset.typed_board(self.recorded_document, self.table)
        return self._board

    @property
    def marks_reached(self) -> Reached:
        return self._reached or self.ruleset.marks_reached(self.board)

    def judge_entry(self, entry: events.Entry) -> Finding | None:
        event = entry.event
        match event:
            case events.GameOpened():
                return self._judge_opening(event)
            case events.DecisionAsPlayed():
                return self._judge_as_played(event)
            case events.DecisionRecorded():
                return self._judge_decision(event)
            case events.BoardAdjusted():
                return self._judge_adjustment(event)
            case events.BoardStep():
                self._queue_changes(event)
                return None
            case events.GameClosed():
                return self._judge_closing(event)
        return None

    def _queue_changes(self, event: events.BoardStep) -> None:
        self._unfolded.append(event.changes)
        self._board = self._twin = self._reached = None
        self._figures = {}

    def _step_finding(self, event: events.BoardStep, today: dict[str, Any]) -> Finding | None:
        """Return how today's rules disagree with a step, or None."""
        if all(getattr(event, part) == value for part, value in today.items()):
            return None
        lost = {
            part
            for part in events.Figures._fields
            if any(self._first_step(part, name) < event.step for name in today[part].keys() - getattr(event, part))
        }
        return _compare_with_rules(event, today, lost)

    def _first_step(self, part: str, name: str) -> int:
        """Return the first step with a column or mark; the number of entries if there is none."""
        key = part, name
        if key not in self._first:
            steps = range(len(self.game.entries))
            self._first[key] = next(
                (step for step in steps if name in getattr(self.game.figures_at(step), part)), len(steps)
            )
        return self._first[key]

    def _judge_opening(self, event: events.GameOpened) -> Finding | None:
        self._document = deep_copy(event.board)
        board = self.ruleset.opening_board(self.table)
        today = {
            "board": board.document(),
            "columns": self.ruleset.figures(board),
            "marks": self.ruleset.course.marks(board),
        }
        return _compare_with_rules(event, today)

    def _judge_decision(self, event: events.DecisionRecorded) -> Finding | None:
        """Judge a decision on the board itself, which is faster than a copy; any disagreement rebuilds the board."""
        rules, board, was, twin = self.ruleset, self.board, self.marks_reached, self._twin or self._copy_board()
        figures = self._figures
        self._queue_changes(event)
        try:
            decision = rules.decision(event.decision)
            rules.refuse(board, event.seat, decision)
            effects = rules.carry_out(board, event.seat, decision)
        except msgspec.ValidationError as wrong:
            return Finding(event.step, "unreadable", reason=because("unreadable", "{wrong}", wrong=str(wrong)))
        except IllegalDecision as no:
            return Finding(event.step, "refused", no.rule, no.reason)
        except CANNOT_GO_ON:
            if not self.strange:
                raise
            return Finding(event.step, "refused", rules.catalogue, NOT_WORKED_OUT)
        now = rules.marks_reached(board)
        followed = twin is not None and follow(twin, board, event.changes)
        figures = rules.updated_figures(figures, board, event.changes) if followed and figures else rules.figures(board)
        today = {
            "effects": event.effects if alike(effects, event.effects) else plain(effects),
            "columns": figures,
            "marks": now.marks,
            "closed_periods": rules.periods_ended(was, now),
        }
        if not followed and not holds(board.document(), self.recorded_document):
            before = deep_copy(self.recorded_document)
            unfold(before, event.changes)
            return self._step_finding(event, {**today, "changes": difference(before, board.document())})
        finding = self._step_finding(event, today)
        self._board, self._reached = board, now
        if followed:
            self._twin = twin
            self._figures = {} if finding else figures  # a finding keeps what it tells
        return finding

    def _copy_board(self) -> Board | None:
        """Return a copy of the board; None if the board has newer fields than the record."""
        return self.board.twin() if self.board.document() == self.recorded_document else None

    def _judge_as_played(self, event: events.DecisionAsPlayed) -> Finding | None:
        """Judge a kept illegal move: today's rules have the same objections and the same effects as far as they go."""
        before = self.board
        self._queue_changes(event)
        again = Game(self.opening.originator_id, self.ruleset)
        again.apply(self.opening)
        again.lay(before)
        again.strange = self.strange
        self.strange = True
        try:
            entry, after = as_played(
                again,
                event.seat,
                self.ruleset.decision(event.decision),
                event.values,
                "",
                Written("", "", ""),
                computed=event.rules_applied,
            )
        except msgspec.ValidationError as wrong:
            return Finding(event.step, "unreadable", reason=because("unreadable", "{wrong}", wrong=str(wrong)))
        except Refused as no:
            return Finding(event.step, "allowed" if no.reason.key == "legal" else "refused", no.rule, no.reason)
        today = entry.event
        assert isinstance(today, events.DecisionAsPlayed)
        parts: dict[str, Any] = {part: getattr(today, part) for part in ("effects", "closed_periods", "rules_applied")}
        parts |= {"columns": self.ruleset.figures(after), "marks": self.ruleset.course.marks(after)}
        if _effects_content(today) != _effects_content(event):
            parts["objections"] = today.objections
        if holds(after.document(), self.recorded_document):
            self._board = after
        else:
            parts["changes"] = today.changes
        return self._step_finding(event, parts)

    def _judge_adjustment(self, event: events.BoardAdjusted) -> Finding | None:
        before, causes = self.board, self.ruleset.integrity.causes
        path = next((p for p in event.changes if not is_cause(p, causes)), None)
        self._queue_changes(event)
        if path is not None:
            return Finding(
                event.step,
                "refused",
                reason=because("not_a_cause", "{path} cannot be adjusted: it is worked out", path=path),
            )
        known = list(self.ruleset.integrity.breaches(before)) if self.strange else []
        amiss = adjusted_amiss(self.game, before, self.board, event.step - 1)
        for breach in (*self.ruleset.unknown_breaches(self.board, known), *amiss):
            return Finding(event.step, "refused", breach.rule, breach.reason)
        return self._step_finding(
            event,
            {
                "columns": self.ruleset.figures(self.board),
                "marks": self.ruleset.course.marks(self.board),
                "closed_periods": self.ruleset.periods_ended_between(before, self.board),
            },
        )

    def _judge_closing(self, event: events.GameClosed) -> Finding | None:
        outcome = self.ruleset.scoring.outcome(self.board)
        if outcome is None:
            return Finding(event.step, "refused", reason=because("not_over", "the game is not over"))
        totals = [score.total for score in self.ruleset.scoring.standing(self.board)]
        return _compare_with_rules(event, {"totals": totals, "ranks": list(outcome.ranks)})


def _effects_content(event: events.DecisionAsPlayed) -> set[tuple[str, str, str]]:
    return {(objection.about, objection.rule, objection.key) for objection in event.objections}


def _compare_with_rules(event: Any, today: dict[str, Any], lost: Collection[str] = ()) -> Finding | None:
    """Return how today's rules disagree with an event. Fields newer than the record do not count.

    Args:
        lost: parts that lack something an earlier step has.
    """
    differences: list[Difference] = []
    for part, value in today.items():
        recorded = getattr(event, part)
        if recorded != value and (part in lost or not holds(plain(value), plain(recorded))):
            differences += _iter_differences(part, recorded, value)
    return Finding(event.step, "differs", differences=tuple(differences)) if differences else None


def _iter_differences(part: str, recorded: Any, today: Any) -> Iterator[Difference]:
    """Yield the differing places of two values of a part."""
    if isinstance(recorded, dict) and isinstance(today, dict) and part == "board":
        for path, (was, now) in difference(recorded, today).items():
            yield Difference(f"board{path}", was, now)
    else:
        yield Difference(part, recorded, today)
