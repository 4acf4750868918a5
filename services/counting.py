"""Count now: what really lies in front of the players, where the record has something else, and what may explain it.

A count changes nothing. The table then corrects the step that explains a difference, puts the board right as it was
counted, or lets it be; the count stays in the record.

Explanations are searched over single slips, the newest first. Two are slips of the hand, that no rule knows of: what a
step brought was never taken, or was taken twice. Three are slips of the record, each a correction that can be planned:
a step that never happened, one that was forgotten, one that was something else. Of these only those are told with which
the whole rest of the record still fits and the counted places come out as they were counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal
from uuid import UUID

import msgspec

from domain.board import Document, copied, fold, is_at, plain, touches, value_at
from domain.claims import aside
from domain.record import (
    BoardAdjusted,
    BoardStep,
    CountAccepted,
    DecisionAsPlayed,
    DecisionRecorded,
    Entry,
    Game,
    Move,
    Place,
    Refused,
    TableCounted,
    Written,
    is_cause,
)
from domain.ruleset import CANNOT_GO_ON, Board, Decision, IllegalDecision, RulesBroken, Seat, because
from services import record
from services.access import EVERYTHING, Sight, hides_nothing
from services.corrections import Resolution, sealed_since
from services.covering import open_places
from services.daybook import Daybook
from services.record import Receipt

PLAYS_LIMIT = 6_000  # decisions that one search plays; some seconds
SIBLINGS_LIMIT = 60  # other decisions that are tried at one step
FOUND_LIMIT = 24

Kind = Literal["not_taken", "taken_twice", "never_happened", "forgotten", "something_else"]
# not_taken, taken_twice: slips of the hand, at the table; the others: slips of the record

Progress = Callable[[int, int], object]  # plays done, plays at most


class Countable(msgspec.Struct, frozen=True):
    """A place that can be counted, and what the record has there. seat: in front of whom, where it is somebody's."""

    path: str
    value: Any
    seat: Seat | None


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


class Counted(msgspec.Struct, frozen=True):
    """A count of a game. settled: by an adjustment or correction that answers it, or because the table let it be."""

    step: int
    at: str
    by: str
    counted: dict[str, Any]
    differences: dict[str, list[Any]]
    text: str
    settled: list[int]


# --- counting --------------------------------------------------------------------------------------------------------


def countable(game: Game, sight: Sight = EVERYTHING) -> list[Countable]:
    """Every place with one value that can be counted, as far as it lies open to a viewer."""
    causes = [path for path in _leaves("", game.document) if is_cause(path, game.ruleset.causes)]
    values = {path: value_at(game.document, path) for path in causes}
    if not hides_nothing(game, sight):
        values = open_places(game, game.document, values, sight)
    return [Countable(path, value, _seat_of(game, path)) for path, value in values.items()]


def _leaves(path: str, part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _leaves(f"{path}/{key}", value)
    elif isinstance(part, list) and any(isinstance(value, dict) for value in part):
        for index, value in enumerate(part):
            yield from _leaves(f"{path}/{index}", value)
    else:
        yield path


def _seat_of(game: Game, path: str) -> Seat | None:
    """A place in front of a player lies in a list with one part for each seat."""
    keys = path.split("/")
    if len(keys) < 4 or not keys[2].isdigit():
        return None
    part = game.document.get(keys[1])
    return int(keys[2]) if isinstance(part, list) and len(part) == len(game.opening.seats) else None


def count(
    book: Daybook, game_id: UUID, values: Mapping[str, Any], text: str = "", *, at: int, by: str, key: str,
) -> Receipt:
    """Write a count down: path -> what really lies there. at: the step that was counted after; a game that went on
    since is a Conflict. Raises Refused, UnknownGame, BadKey."""
    return record.write(
        book, game_id, lambda game, written: ([game.count(values, text, written)], None), at, by, key)


def accept(book: Daybook, game_id: UUID, count: int, why: str, *, by: str, key: str) -> Receipt:
    """The table lets the record stand although it counted something else. Raises Refused."""

    def accepted(game: Game, written: Written) -> tuple[list[Entry], None]:
        return [aside(game, CountAccepted, written, count=count, why=why.strip())], None

    return record.write(book, game_id, accepted, None, by, key)


def adjust(
    book: Daybook, game_id: UUID, count: int, why: str, paths: list[str] | None = None, *, at: int, by: str, key: str,
) -> Receipt:
    """Put the board right as it was counted. paths: only there. Raises Refused (key "stale" where one of the places
    has changed since the count), Conflict, UnknownGame, BadKey."""

    def adjusted(game: Game, written: Written) -> tuple[list[Entry], None]:
        counted = _count_of(game, count)
        wanted = counted.differences if paths is None else [path for path in paths if path in counted.differences]
        for entry in game.entries[count + 1 :]:
            if isinstance(entry.event, BoardStep) and any(touches(entry.event.changes, path) for path in wanted):
                raise Refused(because("stale", "step {step} changed what was counted: count again", step=entry.step))
        values = {path: counted.counted[path] for path in wanted}
        return [game.adjust(values, "table", why or "as counted", written, Place(answers=count))], None

    return record.write(book, game_id, adjusted, at, by, key)


def counts(game: Game, sight: Sight = EVERYTHING) -> list[Counted]:
    """Every count, the newest first, as far as a viewer may know it."""
    found = []
    for entry in reversed(game.entries):
        event = entry.event
        if isinstance(event, TableCounted):
            counted, differences = event.counted, event.differences
            if not hides_nothing(game, sight):
                document = game.document_at(entry.step)
                counted = open_places(game, document, counted, sight)
                recorded = {path: value_at(document, path) for path in counted}
                counted = {path: counted[path] for path in open_places(game, document, recorded, sight)}
                differences = {path: pair for path, pair in differences.items() if path in counted}
            found.append(Counted(
                entry.step, event.at, event.by, counted, differences, event.text, _settled(game, entry.step)))
    return found


def _settled(game: Game, count: int) -> list[int]:
    return [
        entry.step for entry in game.entries[count + 1 :]
        if (isinstance(entry.event, BoardStep) and entry.event.answers == count)
        or (isinstance(entry.event, CountAccepted) and entry.event.count == count)]


def _count_of(game: Game, step: int) -> TableCounted:
    """Raises Refused."""
    game.check_step(step)
    event = game.entries[step].event
    if not isinstance(event, TableCounted):
        raise Refused(because("not_a_count", "step {step} is no count", step=step))
    return event


# --- what may explain it ---------------------------------------------------------------------------------------------


def explanations(
    book: Daybook, game_id: UUID, count: int, progress: Progress = lambda done, of: None, plays: int = PLAYS_LIMIT,
) -> list[Explanation]:
    """The slips that most likely explain a count's differences, the likeliest first.

    For who sees everything. plays: how many decisions are played at most, so that it ends in time; a search that is
    cut short has looked at the newest steps. Raises Refused, UnknownGame.
    """
    game = book.games.get(game_id)
    return Search(game, _count_of(game, count), progress, plays).found()


class Search:
    """One search. wanted: by how much each counted number differs, or its value where it is none."""

    def __init__(self, game: Game, counted: TableCounted, progress: Progress, plays: int) -> None:
        self.game, self.counted, self.progress, self.limit = game, counted, progress, plays
        self.rules = game.ruleset
        self.plays = 0
        self.explanations: list[Explanation] = []
        self.unlikely: list[tuple[Kind, int, list[tuple[Seat, Decision]]]] = []  # tried when all likely ones were
        sealed = sealed_since(game)
        line = game.line(counted.step)
        self.line = [step for step in line if step and (sealed is None or step < sealed)]
        self.document = game.document_at(counted.step)
        self.boards = self._boards()

    def found(self) -> list[Explanation]:
        if self.counted.differences:
            for step in reversed(self.line):
                self._by_hand(step)
            for step in reversed(self.line):
                if self.plays >= self.limit:
                    break
                self._in_record(step)
                self.progress(min(self.plays, self.limit), self.limit)
            while self.unlikely and self.plays < self.limit:
                self._try(*self.unlikely.pop(0), thorough=True)
                self.progress(min(self.plays, self.limit), self.limit)
        self.progress(self.limit, self.limit)
        order: tuple[Kind, ...] = ("something_else", "never_happened", "forgotten", "not_taken", "taken_twice")
        unlike = {each: place for place, each in enumerate(order)}
        found = sorted(self.explanations, key=lambda one: (
            not one.all, -len(one.explains), -one.step, unlike[one.kind]))
        return found[:FOUND_LIMIT]

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
            self.explanations.append(Explanation("not_taken", step, not_taken, len(not_taken) == every))
        if twice:
            self.explanations.append(Explanation("taken_twice", step, twice, len(twice) == every))

    def _brought(self, step: int, path: str) -> int:
        before, after = self.boards[self.game.parents[step]], self.boards[step]
        if not (is_at(before, path) and is_at(after, path)):
            return 0
        was, now = value_at(before, path), value_at(after, path)
        return now - was if type(was) is int and type(now) is int else 0

    # --- slips of the record ---

    def _in_record(self, step: int) -> None:
        event = self.game.entries[step].event
        if not isinstance(event, DecisionRecorded) or isinstance(event, DecisionAsPlayed):
            return
        before = self._laid(self.game.parents[step])
        self._try("never_happened", step, [])
        for seat in self._seats(before, event):
            for other in self.rules.legal(before, seat)[:SIBLINGS_LIMIT]:
                said = plain(other)
                if seat == event.seat and said != event.decision:
                    self._try("something_else", step, [(seat, other)])
                self._try("forgotten", step, [(seat, other), (event.seat, self._said(event))])

    def _seats(self, board: Board, event: DecisionRecorded) -> tuple[Seat, ...]:
        seats = self.rules.to_act(board)
        return seats if event.seat in seats else (*seats, event.seat)

    def _said(self, event: DecisionRecorded) -> Decision:
        return self.rules.decision(event.decision)

    def _laid(self, step: int) -> Board:
        board: Board = self.rules.laid(copied(self.boards[step]), self.game.table)
        return board

    def _try(self, kind: Kind, step: int, moves: list[tuple[Seat, Decision]], thorough: bool = False) -> None:
        """Whether the rest of the record fits after these moves in the place of a step, and the count comes out.

        What does not look like it at once is tried last, and then for good: thorough.
        """
        board = self._laid(self.game.parents[step])
        for seat, decision in moves:
            played = self._played(board, seat, decision)
            if played is None:
                return
            board = played
        if not thorough and not self._promising(step, board):
            self.unlikely.append((kind, step, moves))
            return
        for later in self.line[self.line.index(step) + 1 :]:
            carried = self._carried(board, later)
            if carried is None:
                return
            board = carried
        resolved = self._resolved(board.document())
        if resolved:
            move = None if kind == "never_happened" else Move(moves[0][0], plain(moves[0][1]))
            self.explanations.append(Explanation(
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

