"""What may explain a count: single slips that would leave on the table what was counted there.

Two are slips of the hand, that no rule knows of: what a step brought was never taken, or was taken twice. Three are
slips of the record, each a correction that can be planned: a step that never happened, one that was forgotten, one that
was something else. Of these only those are told with which the whole rest of the record still fits and the counted
places come out as they were counted.

A search can take long, so it is done in pieces, each within a time; each says how far it has come, and where the next
one begins. It goes back from the newest step twice: first for slips that show at once, then, if it is asked to go on,
for those that show only in what came of them later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import monotonic
from typing import Any, Literal
from uuid import UUID

import msgspec

from domain.board import Document, copied, fold, is_at, plain, value_at
from domain.record import (
    BoardAdjusted,
    BoardStep,
    DecisionAsPlayed,
    DecisionRecorded,
    Game,
    Move,
    Refused,
    TableCounted,
)
from domain.ruleset import CANNOT_GO_ON, Board, Decision, IllegalDecision, RulesBroken, Seat, because
from services.corrections import Resolution, sealed_since
from services.counting import count_of
from services.daybook import Daybook

PLAYS_LIMIT = 6_000  # decisions that one piece of a search plays
SECONDS = 1.0  # that one piece of a search takes
SIBLINGS_LIMIT = 60  # other decisions that are tried at one step

Kind = Literal["not_taken", "taken_twice", "never_happened", "forgotten", "something_else"]
# not_taken, taken_twice: slips of the hand, at the table; the others: slips of the record


class Explanation(msgspec.Struct, frozen=True):
    """One slip that would explain differences. explains: the places; all: every difference there is.

    decision: for `forgotten` and `something_else` what would have been decided, and by whom.
    """

    kind: Kind
    step: int
    explains: list[str]
    all: bool
    decision: Move | None = None

    def correction(self, game: Game) -> dict[int, Resolution] | None:
        """What `services.corrections` is asked for; None for slips of the hand, which leave the record as it is."""
        event = game.entries[self.step].event
        if self.kind == "never_happened":
            return {self.step: Resolution()}
        if self.decision is None or not isinstance(event, DecisionRecorded):
            return None
        if self.kind == "something_else":
            return {self.step: Resolution([self.decision])}
        return {self.step: Resolution([self.decision, Move(event.seat, event.decision)])}


class Spot(msgspec.Struct, frozen=True):
    """Where a search is: at a step, counted back from the newest, with so many of its candidates tried. late: in the
    second round."""

    late: bool = False
    place: int = 0
    tried: int = 0

    def __str__(self) -> str:
        return f"{'late' if self.late else 'first'}.{self.place}.{self.tried}"


class Looked(msgspec.Struct, frozen=True):
    """One piece of a search. slips: found in it, the likeliest first; done, of: the steps looked at in this round.

    next: where the next piece begins; none: everything was looked at. late: this piece is of the second round.
    """

    slips: list[Explanation]
    done: int
    of: int
    next: Spot | None
    late: bool

    @property
    def round_done(self) -> bool:
        """Whether this piece ends a round."""
        return self.done == self.of


def spot(text: str) -> Spot:
    """The place that a piece of a search named. Raises Refused."""
    found = re.fullmatch(r"(first|late)\.([0-9]{1,6})\.([0-9]{1,6})", text)
    if found is None:
        raise Refused(because("no_such_spot", "a search begins where the piece before it ended"))
    return Spot(found[1] == "late", int(found[2]), int(found[3]))


def explain(
    book: Daybook, game_id: UUID, count: int, start: Spot | None = None, plays: int = PLAYS_LIMIT,
    seconds: float = SECONDS,
) -> Looked:
    """One piece of the search for the slips that most likely explain a count's differences.

    For who sees everything. plays, seconds: what the piece may take; one candidate is always tried. Raises Refused,
    UnknownGame.
    """
    game = book.games.get(game_id)
    return Search(game, count_of(game, count)).piece(start or Spot(), plays, monotonic() + seconds)


class Search:
    """One piece of a search. found: the slips so far; plays: decisions played."""

    def __init__(self, game: Game, counted: TableCounted) -> None:
        self.game, self.counted = game, counted
        self.rules = game.ruleset
        self.plays = 0
        self.found: list[Explanation] = []
        sealed = sealed_since(game)
        line = game.line(counted.step)
        self.line = [step for step in line if step and (sealed is None or step < sealed)]
        self.boards = self._boards()

    def piece(self, start: Spot, plays: int, until: float) -> Looked:
        steps = self.line[::-1] if self.counted.differences else []
        if start == Spot():
            for step in steps:
                self._by_hand(step)
        place, tried = start.place, start.tried
        while place < len(steps):
            stopped = self._at(steps[place], start.late, tried, plays, until)
            if stopped is not None:
                return self._looked(steps, Spot(start.late, place, stopped), start.late)
            place, tried = place + 1, 0
        return self._looked(steps, None if start.late or not steps else Spot(late=True), start.late, over=True)

    def _at(self, step: int, late: bool, tried: int, plays: int, until: float) -> int | None:
        """Try a step's candidates from that one on; how many are tried when there is no time left, None: all are."""
        for number, (kind, moves) in enumerate(self._candidates(step)):
            if number >= tried:
                self._try(kind, step, moves, not late)
                if self.plays >= plays or monotonic() >= until:
                    return number + 1
        return None

    def _looked(self, steps: list[int], following: Spot | None, late: bool, over: bool = False) -> Looked:
        done = len(steps) if over or following is None else following.place
        return Looked(self._likeliest_first(), done, len(steps), following, late)

    def _likeliest_first(self) -> list[Explanation]:
        order: tuple[Kind, ...] = ("something_else", "never_happened", "forgotten", "not_taken", "taken_twice")
        return sorted(self.found, key=lambda one: (
            not one.all, -len(one.explains), -one.step, order.index(one.kind)))

    def _boards(self) -> dict[int, Document]:
        """The document after each step of the line; the changes of a line follow one another."""
        document = copied(self.game.opening.board)
        boards: dict[int, Document] = {0: copied(document)}
        for step in self.line:
            event = self.game.entries[step].event
            assert isinstance(event, BoardStep)
            fold(document, event.changes)
            boards[step] = copied(document)
        return boards

    # --- slips of the hand ---

    def _by_hand(self, step: int) -> None:
        """What a step brought was not taken, or taken twice: the amounts match."""
        event = self.game.entries[step].event
        if not isinstance(event, DecisionRecorded):
            return
        not_taken, twice = [], []
        for path, (recorded, counted) in self.counted.differences.items():
            by = self._brought(step, path)
            if type(recorded) is int and type(counted) is int and by:
                if counted - recorded == -by:
                    not_taken.append(path)
                elif counted - recorded == by:
                    twice.append(path)
        every = len(self.counted.differences)
        if not_taken:
            self.found.append(Explanation("not_taken", step, not_taken, len(not_taken) == every))
        if twice:
            self.found.append(Explanation("taken_twice", step, twice, len(twice) == every))

    def _brought(self, step: int, path: str) -> int:
        before, after = self.boards[self.game.parents[step]], self.boards[step]
        if not (is_at(before, path) and is_at(after, path)):
            return 0
        was, now = value_at(before, path), value_at(after, path)
        return now - was if type(was) is int and type(now) is int else 0

    # --- slips of the record ---

    def _candidates(self, step: int) -> Iterator[tuple[Kind, list[tuple[Seat, Decision]]]]:
        """What may stand in the place of a step, always in the same order."""
        event = self.game.entries[step].event
        if not isinstance(event, DecisionRecorded) or isinstance(event, DecisionAsPlayed):
            return
        before = self._laid(self.game.parents[step])
        yield "never_happened", []
        for seat in self._seats(before, event):
            for other in self._legal(before, seat)[:SIBLINGS_LIMIT]:
                if seat == event.seat and plain(other) != event.decision:
                    yield "something_else", [(seat, other)]
                yield "forgotten", [(seat, other), (event.seat, self._said(event))]

    def _seats(self, board: Board, event: DecisionRecorded) -> tuple[Seat, ...]:
        seats = self.rules.to_act(board)
        return seats if event.seat in seats else (*seats, event.seat)

    def _legal(self, board: Board, seat: Seat) -> list[Decision]:
        try:
            return list(self.rules.legal(board, seat))
        except CANNOT_GO_ON:  # after an illegal move that stood the rules may not know what is possible
            return []

    def _said(self, event: DecisionRecorded) -> Decision:
        return self.rules.decision(event.decision)

    def _laid(self, step: int) -> Board:
        board: Board = self.rules.laid(copied(self.boards[step]), self.game.table)
        return board

    def _try(self, kind: Kind, step: int, moves: list[tuple[Seat, Decision]], likely: bool) -> None:
        """Whether the rest of the record fits after these moves in the place of a step, and the count comes out.

        likely: try what shows at once; else try what does not.
        """
        board = self._laid(self.game.parents[step])
        for seat, decision in moves:
            played = self._played(board, seat, decision)
            if played is None:
                return
            board = played
        if self._promising(step, board) != likely:
            return
        for later in self.line[self.line.index(step) + 1 :]:
            carried = self._carried(board, later)
            if carried is None:
                return
            board = carried
        resolved = self._resolved(board.document())
        if resolved:
            move = None if kind == "never_happened" else Move(moves[0][0], plain(moves[0][1]))
            self.found.append(Explanation(
                kind, step, resolved, len(resolved) == len(self.counted.differences), move))

    def _promising(self, step: int, board: Board) -> bool:
        """The counted places differ at once as they do at the end: what is owned seldom changes what comes later."""
        varied, recorded = board.document(), self.boards[step]
        return any(
            is_at(varied, path) and is_at(recorded, path) and _differ(
                value_at(recorded, path), value_at(varied, path)) == _differ(*pair)
            for path, pair in self.counted.differences.items())

    def _resolved(self, document: Document) -> list[str]:
        """The differences that are gone; none where what was counted right is right no longer."""
        resolved = []
        for path, value in self.counted.counted.items():
            right = is_at(document, path) and value_at(document, path) == value
            if right and path in self.counted.differences:
                resolved.append(path)
            elif not right and path not in self.counted.differences:
                return []
        return resolved

    def _played(self, board: Board, seat: Seat, decision: Decision) -> Board | None:
        self.plays += 1
        try:
            after: Board = self.rules.play(board, seat, decision)[0]
        except (IllegalDecision, RulesBroken, *CANNOT_GO_ON):
            return None
        return after

    def _carried(self, board: Board, step: int) -> Board | None:
        """A later step of the record on another board; None where it no longer fits."""
        event = self.game.entries[step].event
        if isinstance(event, BoardAdjusted | DecisionAsPlayed):
            document = board.document()
            for path, (_, after) in event.changes.items():
                if not is_at(document, path):
                    return None
                fold(document, {path: [None, after]})
            laid: Board = self.rules.laid(document, self.game.table)
            return laid
        assert isinstance(event, DecisionRecorded)
        return self._played(board, event.seat, self._said(event))


def _differ(before: Any, after: Any) -> Any:
    """By how much two numbers differ; of anything else what it has become."""
    if type(before) is int and type(after) is int:
        return after - before
    return None if before == after else after

