"""Correct an earlier step: strike the mistyped step, and play the later decisions again under the rules.

A plan is computed first. It shows the result of each later step, the step that no longer fits, and the difference in
every column. Only a plan that the user has seen is written. At a step that does not fit, the user leaves it out, replaces
it, or keeps it as played. Steps after the end of the plan have to be recorded again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from uuid import UUID

import msgspec

from daybook.domain.commands import Adjust, Close, Reopen, Resolution, TakeBack
from daybook.domain.entries import adjust, as_played, close, decide, reopen, take_back
from daybook.domain.kernel import events
from daybook.domain.kernel.board import difference, is_at, plain, value_at
from daybook.domain.kernel.chronicle import Refused, Written, body_of
from daybook.domain.kernel.decisions import checked_seat, read_decision
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.terms import KEEPER, Board, IllegalDecision, Reason, Seat, because

AT_ONCE = 2_000  # maximum of steps that one correction writes

DecisionSeen = tuple[Seat | None, dict[str, Any] | None]
Comes = Literal["new", "same", "differs", "left_out", "already_so"]
# new: the table put it here; same, differs: carried over, and the same follows from it or something else; left_out:
# the table says so; already_so: what it says is on the board already


class Carried(Frozen):
    """A step of the corrected line. old: the recorded step that it replaces; step: its new number, if it has one.

    columns_recorded, columns: after it, in either world.
    """

    old: int
    fate: Comes
    step: int | None
    seat: Seat | None
    decision: dict[str, Any] | None
    columns_recorded: dict[str, list[Points]]
    columns: dict[str, list[Points]]
    marks: dict[str, int]


class FirstMisfit(Frozen):
    """The recorded step that no longer fits, and why. rule: empty where no rule but the record itself refuses it."""

    old: int
    seat: Seat | None
    decision: dict[str, Any] | None
    rule: str
    reason: Reason


class ContradictedCount(Frozen):
    """A count that found these places as recorded, and a correction would have something else there."""

    count: int
    places: list[str]


class Plan(Frozen):
    """Preview of a correction; nothing is written yet.

    at: the newest step it was computed for; step: the first that is corrected; back_to: the last step whose board is
    kept. left: recorded steps that are not carried over, the one it stops at first. columns_recorded: as in the
    record, columns: after the correction; changes: all differences of the board. digest: identifies this plan.
    """

    game: UUID
    at: int
    step: int
    back_to: int
    carried: list[Carried]
    stop: FirstMisfit | None
    left: list[int]
    columns_recorded: dict[str, list[Points]]
    columns: dict[str, list[Points]]
    changes: dict[str, list[Any]]
    marks: dict[str, int]
    to_act: list[Seat]
    over: bool
    digest: str
    contradicted: list[ContradictedCount]

    @property
    def column_changes(self) -> dict[str, list[Points]]:
        """The change of every seat's columns."""
        return {
            name: [now - was for was, now in zip(self.columns_recorded[name], values, strict=True)]
            for name, values in self.columns.items()
        }


def correctable(game: Game) -> list[int]:
    """Return the steps that can be corrected: standing decisions and adjustments."""
    return [
        step
        for step in game.line()
        if isinstance(game.entries[step].event, events.DecisionRecorded | events.BoardAdjusted)
    ]


class Correction:
    """One correction worked out on a copy of the game; a closed game is reopened for it, and closed again.

    entries: all it writes, by one writing; begins: the place of the take-back in them.
    """

    def __init__(
        self, game: Game, instead: Mapping[int, Resolution], why: str, written: Written, digest: str = ""
    ) -> None:
        """Prepare a correction.

        digest: of the plan that this must be. Raises Refused (key "plan_changed") if the result is another plan.
        """
        if not instead:
            raise Refused(because("nothing_corrected", "the correction changes nothing"))
        line, self.first = game.line(), min(instead)
        for step in instead:
            game.check_step(step)
            if step not in line or not isinstance(
                game.entries[step].event, events.DecisionRecorded | events.BoardAdjusted
            ):
                raise Refused(
                    because(
                        "not_correctable", "step {step} is not a decision or adjustment that still counts", step=step
                    )
                )
        self.game, self.instead, self.written = game, instead, written
        self.entries: list[events.Entry] = []
        self.carried: list[Carried] = []
        self.stop: FirstMisfit | None = None
        self.contradicted: list[ContradictedCount] = []
        self.counts = _counts_by_step(game)
        self.twin = game.twin()
        self.sealed = sealed_since(game)
        self.back_to = game.parents[self.first]
        reopens = game.status == "closed"
        if reopens:
            self._write(reopen(game, Reopen(why.strip() or "mistyped"), written), None)
        self.begins = len(self.entries)
        self._write(take_back(self.twin, TakeBack(self.back_to, "mistyped", why), written), None)
        self.rest = line[line.index(self.first) :]
        self._carry_all()
        if reopens and not self.rest and game.ruleset.scoring.outcome(self.twin.board) is not None:
            self._write(close(self.twin, Close(), written), None)
        if digest and self.digest != digest:
            raise Refused(
                because("plan_changed", "this correction would have another result than the preview: look again")
            )

    # --- computing the plan ---

    def _carry_all(self) -> None:
        for place, old in enumerate(self.rest):
            try:
                if self._is_sealed(old) and not self._told_anew(old):
                    raise Refused(because("sealed", "a sealed decision has to be sealed again"))
                if len(self.entries) >= AT_ONCE:
                    raise Refused(because("too_many", "at most {limit} steps at once", limit=AT_ONCE))
                self._carry(old)
                self._compare_counts(old)
            except (IllegalDecision, Refused) as no:
                seat, decision = self._decision_shown(old)
                self.stop = FirstMisfit(old, seat, decision, no.rule, no.reason)
                self.rest = self.rest[place:]
                return
        self.rest = []

    def _compare_counts(self, old: int) -> None:
        """Note the counts after a step that the corrected board contradicts."""
        for count, agreed in self.counts.get(_first_recorded(self.game, old), ()):
            document = self.twin.document
            places = [
                path for path, value in agreed.items() if not is_at(document, path) or value_at(document, path) != value
            ]
            if places:
                self.contradicted.append(ContradictedCount(count, places))

    def _is_sealed(self, old: int) -> bool:
        return self.sealed is not None and old >= self.sealed

    def _told_anew(self, old: int) -> bool:
        """Check if a step is replaced by a fact of the table that reveals nothing sealed.

        While something sealed is on the board, the rules' answer to other decisions could reveal it.
        """
        resolution = self.instead.get(old)
        if resolution is None:
            return False
        if resolution.moves:
            return self.sealed is not None and self.first <= self.sealed
        return not resolution.as_played

    def _carry(self, old: int) -> None:
        """Carry over a recorded step, or its replacement. Raises IllegalDecision, Refused; then nothing is carried."""
        event, resolution = self.game.entries[old].event, self.instead.get(old)
        if resolution is not None and (resolution.moves or not resolution.as_played):
            self._replace(old, resolution)
        elif isinstance(event, events.BoardAdjusted) and resolution is None:
            self._adjust(old, event)
        elif not isinstance(event, events.DecisionRecorded):
            raise Refused(because("not_a_decision", "step {step} is not a decision", step=old))
        elif resolution is not None:
            self._insist(old, event, resolution.values)
        elif isinstance(event, events.DecisionAsPlayed):
            self._insist(old, event, event.values)
        else:
            decision, links = read_decision(self.game, event.decision), _links(old, event)
            if (decided := self._decide_unless_so(old, event.seat, decision, links)) is not None:
                self._take_in(old, *decided)

    def _decide_unless_so(
        self, old: int, seat: Seat, decision: Any, links: Mapping[str, Any]
    ) -> tuple[events.Entry, Board] | None:
        """Return the entry of a decision and its board; None, noted, if the corrected board is so already."""
        try:
            return decide(self.twin, seat, decision, self.written, **links)
        except IllegalDecision as no:
            if no.reason.key not in self.game.ruleset.course.redundant:
                raise
        self._note_carried(old, "already_so", None, events.Move(seat, plain(decision)))
        return None

    def _replace(self, old: int, resolution: Resolution) -> None:
        """Other decisions in the place of a step. Among them may be the step itself: another was forgotten."""
        before, written, noted = self.twin, len(self.entries), len(self.carried)
        self.twin = before.twin()
        try:
            for place, move in enumerate(resolution.moves, 1):
                stood = resolution.as_played and place == len(resolution.moves)
                self._decide_again(old, move, resolution.values if stood else None)
        except (IllegalDecision, Refused):
            self.twin = before
            del self.entries[written:], self.carried[noted:]
            raise
        if not resolution.moves:
            self._note_carried(old, "left_out", None)

    def _decide_again(self, old: int, move: events.Move, values: Mapping[str, Any] | None) -> None:
        """One decision in the place of a step. values: it stood although the rules refuse it, and lay so afterwards."""
        event = self.game.entries[old].event
        same = (
            not self._is_sealed(old)
            and isinstance(event, events.DecisionRecorded)
            and (move.seat, move.decision) == (event.seat, event.decision)
        )  # so that the answer does not confirm a guess
        links: dict[str, Any] = {"copied_from_step" if same else "corrects_step": old}
        seat, decision = checked_seat(self.game, move.seat), read_decision(self.game, move.decision)
        if values is not None:
            entry, board = as_played(self.twin, seat, decision, values, "", self.written, **links)
        elif (decided := self._decide_unless_so(old, seat, decision, links)) is not None:
            entry, board = decided
        else:
            return
        if same:
            self._take_in(old, entry, board)
        else:
            self._write(entry, board)
            self._note_carried(old, "new", entry)

    def _insist(self, old: int, event: events.DecisionRecorded, values: Mapping[str, Any]) -> None:
        """Repeat a decision that the rules refuse, or refused then, but that stood."""
        decision, links = read_decision(self.game, event.decision), _links(old, event)
        if not values and not self.twin.objections(event.seat, decision):
            self._take_in(old, *decide(self.twin, event.seat, decision, self.written, **links))
            return
        why, computed = "", True
        if isinstance(event, events.DecisionAsPlayed):
            why, computed = event.why, event.rules_applied
        self._take_in(old, *as_played(self.twin, event.seat, decision, values, why, self.written, computed, **links))

    def _adjust(self, old: int, event: events.BoardAdjusted) -> None:
        """Apply an adjustment of the record to the corrected board."""
        values = event.confirmed | {path: after for path, (_, after) in event.changes.items()}
        try:
            adjusted = Adjust(values, event.why, event.cause, old, event.answers_step)
            entry = adjust(self.twin, adjusted, self.written)
        except Refused as no:
            if no.reason.key != "nothing_adjusted":
                raise
            self._note_carried(old, "already_so", None)
            return
        self._take_in(old, entry, None)

    def _write(self, entry: events.Entry, board: Board | None) -> None:
        self.entries.append(entry)
        self.twin.apply(entry, board)

    def _take_in(self, old: int, entry: events.Entry, board: Board | None) -> None:
        before, after = self.game.entries[old].event, entry.event
        self._write(entry, board)
        assert isinstance(before, events.BoardStep) and isinstance(after, events.BoardStep)
        same = before.changes == after.changes and getattr(before, "effects", []) == getattr(after, "effects", [])
        self._note_carried(old, "same" if same else "differs", entry)

    def _note_carried(
        self, old: int, comes: Comes, entry: events.Entry | None, already: events.Move | None = None
    ) -> None:
        """Note the fate of a step. already: the decision that the board is like already."""
        if already is not None:
            shown: DecisionSeen = already.seat, already.decision
        elif entry is None:
            shown = self._decision_shown(old)
        else:
            shown = seen_by_keeper(self.game, entry, self.twin.board)
        seat, decision = shown
        self.carried.append(
            Carried(
                old,
                comes,
                None if entry is None else entry.step,
                seat,
                decision,
                self.game.figures_at(old)[0],
                *self.twin.figures_at(self.twin.step),
            )
        )

    def _decision_shown(self, old: int) -> DecisionSeen:
        rules, game = self.game.ruleset, self.game
        board = rules.typed_board(game.document_at(old), game.table) if rules.secrecy.seals else None
        return seen_by_keeper(game, game.entries[old], board)

    # --- result ---

    @property
    def count_settled(self) -> int | None:
        """Step of the last count, if it found differences and the corrected board agrees with it; else None."""
        document = self.twin.document
        for entry in reversed(self.game.entries):
            event = entry.event
            if isinstance(event, events.BoardStep | events.CountAccepted):
                return None
            if isinstance(event, events.TableCounted) and event.differences:
                right = all(
                    is_at(document, path) and value_at(document, path) == value for path, value in event.counted.items()
                )
                return entry.step if right else None
        return None

    def entries_to_write(self) -> list[events.Entry]:
        """Return the new entries; the take-back answers the count that the correction settles."""
        at = self.begins
        back = self.entries[at].event
        assert isinstance(back, events.DecisionsTakenBack)
        answer = self.game.entry(msgspec.structs.replace(back, answers_step=self.count_settled))
        return [*self.entries[:at], answer, *self.entries[at + 1 :]]

    @property
    def digest(self) -> str:
        """Hash of the new entries without author, time and reason."""
        whole = hashlib.sha256(f"{self.game.id} {self.game.step}".encode())
        for entry in self.entries[self.begins + 1 :]:
            whole.update(body_of(msgspec.structs.replace(entry.event, at="", by="", key="", nonce="")))
        whole.update(str(self.stop).encode())
        return whole.hexdigest()[:32]

    def plan(self) -> Plan:
        game, twin = self.game, self.twin
        before, after = game.board, twin.board
        if game.may_hold_sealed:
            before, after = (game.ruleset.secrecy.redact_board(board, KEEPER) for board in (before, after))
        columns, marks = twin.figures_at(twin.step)
        return Plan(
            game=game.id,
            at=game.step,
            step=self.first,
            back_to=self.back_to,
            carried=self.carried,
            stop=self.stop,
            left=self.rest,
            columns_recorded=game.figures_at(game.step)[0],
            columns=columns,
            changes=difference(before.document(), after.document()),
            marks=marks,
            to_act=list(game.ruleset.course.to_act(after)),
            over=game.ruleset.scoring.outcome(after) is not None,
            digest=self.digest,
            contradicted=self.contradicted,
        )


def _counts_by_step(game: Game) -> dict[int, list[tuple[int, dict[str, Any]]]]:
    """Return the counts by the step they were made after, each with the places that were as recorded."""
    counts: dict[int, list[tuple[int, dict[str, Any]]]] = {}
    for step in game.side_steps:
        event = game.entries[step].event
        if isinstance(event, events.TableCounted):
            agreed = {path: value for path, value in event.counted.items() if path not in event.differences}
            counts.setdefault(_first_recorded(game, game.heads[step]), []).append((step, agreed))
    return counts


def _first_recorded(game: Game, step: int) -> int:
    """Return the step that was recorded first of those that corrections carried over to this one."""
    event = game.entries[step].event
    while isinstance(event, events.DecisionRecorded | events.BoardAdjusted) and event.copied_from_step is not None:
        step = event.copied_from_step
        event = game.entries[step].event
    return step


# --- sealed entries --------------------------------------------------------------------------------------------------


def sealed_since(game: Game) -> int | None:
    """Return the first step of the current sealed stretch, or None if nothing is sealed."""
    if not game.may_hold_sealed:
        return None
    first = None
    for step, board in _boards_back(game):
        if game.ruleset.secrecy.redact_board(board, KEEPER).document() == board.document():
            break
        first = step
    return first


def _boards_back(game: Game) -> Iterator[tuple[int, Board]]:
    """Yield the boards of the standing line, the newest first."""
    for step in game.line_back():
        yield step, game.ruleset.typed_board(game.document_at(step), game.table)


def seen_by_keeper(game: Game, entry: events.Entry, board: Board | None) -> DecisionSeen:
    """Return the seat and the decision of an entry as the scorekeeper may see them.

    board: the board after it.
    """
    event = entry.event
    if not isinstance(event, events.DecisionRecorded):
        return None, None
    if board is None or not game.may_hold_sealed or isinstance(event, events.DecisionAsPlayed):
        return event.seat, event.decision
    rules = game.ruleset
    decision, _ = rules.secrecy.redact_step(
        board, event.seat, rules.decision(event.decision), rules.typed_effects(event.effects), KEEPER
    )
    return event.seat, msgspec.to_builtins(decision)


def _links(old: int, event: events.DecisionRecorded) -> dict[str, Any]:
    """Return the links of a carried-over decision to other steps."""
    return {"copied_from_step": old, "answers_step": event.answers_step}
