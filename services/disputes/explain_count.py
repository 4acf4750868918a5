"""What may explain a count: single slips that would leave on the table what was counted there.

Three are slips of the hand, that no rule knows of: what a step brought was never taken, was taken twice, or lies in
front of somebody else. Three are slips of the record, each a correction that can be planned: a step that never
happened, one that was forgotten, one that was something else. Of these only those are told with which the whole rest
of the record still fits and the counted places come out as they were counted. What earlier counts found right, and
that nobody can pay what is not there, speaks against slips as well.

Each slip has a weight, by which the slips of all pieces of a search are put in order (`rank_slips`); it is sure only if
it outweighs all others and a plain wrong amount, that no step tells of, together.

A search can take long, so it is done in pieces, each within a time; each says how far it has come, and where the next
one begins. It goes back from the newest step twice: first for slips that show at once, then for those that show only
in what came of them later.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from hashlib import blake2b
from time import monotonic
from typing import Any

import msgspec

from daybook.domain.commands import Resolution
from daybook.domain.corrections import sealed_since
from daybook.domain.kernel import events
from daybook.domain.kernel.board import Document, deep_copy, fold, is_at, plain, touches, value_at
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Board, Decision, IllegalDecision, RulesBroken, Seat, because
from daybook.domain.writing import count_of
from daybook.services.disputes import likelihood
from daybook.services.disputes.likelihood import Kind

PLAYS_LIMIT = 6_000  # decisions that one piece of a search plays
SECONDS = 1.0  # that one piece of a search takes
SIBLINGS_LIMIT = 60  # other decisions that are tried at one step
ALIKE_LIMIT = 3  # slips of the hand that are named together

Moves = list[tuple[Seat, Decision]]


class Explanation(Frozen):
    """One slip that would explain differences. explains: the places; all: every difference there is.

    decision: for `forgotten` and `something_else` what would have been decided, and by whom. weight: how likely it is,
    as a share of all slips that a table makes. alike: the same for slips that nothing on the table tells apart, and that
    are told in one line. board: the same for slips that leave the same on the table.
    """

    kind: Kind
    step: int
    explains: list[str]
    all: bool
    decision: events.Move | None = None
    weight: float = 0.0
    alike: str = ""
    board: str = ""

    def correction(self, game: Game) -> dict[int, Resolution] | None:
        """What `services.disputes.corrections` is asked for; None for slips of the hand, which leave the record as it
        is.
        """
        event = game.entries[self.step].event
        if self.kind == "never_happened":
            return {self.step: Resolution()}
        if self.decision is None or not isinstance(event, events.DecisionRecorded):
            return None
        if self.kind == "something_else":
            return {self.step: Resolution([self.decision])}
        return {self.step: Resolution([self.decision, events.Move(event.seat, event.decision)])}


class Spot(Frozen):
    """Where a search is: at a step, counted back from the newest, with so many of its candidates tried. late: in the
    second round.
    """

    late: bool = False
    place: int = 0
    tried: int = 0

    def __str__(self) -> str:
        return f"{'late' if self.late else 'first'}.{self.place}.{self.tried}"


class SearchPiece(Frozen):
    """One piece of a search. slips: found in it, the likeliest first; done, of: the steps looked at in this round.

    next: where the next piece begins; none: everything was looked at. late: this piece is of the second round.
    unexplained: the weight of a wrong amount that no step tells of.
    """

    slips: list[Explanation]
    done: int
    of: int
    next: Spot | None
    late: bool
    unexplained: float

    @property
    def round_done(self) -> bool:
        """Whether this piece ends a round."""
        return self.done == self.of


def read_spot(text: str) -> Spot:
    """The place that a piece of a search named. Raises Refused."""
    found = re.fullmatch(r"(first|late)\.([0-9]{1,6})\.([0-9]{1,6})", text)
    if found is None:
        raise Refused(because("no_such_spot", "a search continues where the last one stopped"))
    return Spot(found[1] == "late", int(found[2]), int(found[3]))


def explain(
    game: Game, count: int, start: Spot | None = None, plays: int = PLAYS_LIMIT, seconds: float = SECONDS
) -> SearchPiece:
    """One piece of the search for the slips that most likely explain a count's differences.

    For who sees everything. plays, seconds: what the piece may take; one candidate is always tried. Raises Refused.
    """
    return SlipSearch(game, count_of(game, count)).piece(start or Spot(), plays, monotonic() + seconds)


class AlikeSlips(Frozen):
    """Slips that nothing on the table tells apart, the likeliest first: one of them is the explanation, or none is."""

    slips: list[Explanation]

    @property
    def weight(self) -> float:
        return sum(slip.weight for slip in self.slips)

    @property
    def steps(self) -> list[int]:
        return sorted({slip.step for slip in self.slips})

    def is_sure(self, among: Iterable[AlikeSlips], unexplained: float) -> bool:
        """Check if it is far likelier than all that was found with it and a wrong amount together.

        Never if another slip leaves the same on the table: then nothing there speaks for the one or the other.
        """
        groups = list(among)
        boards = {slip.board for slip in self.slips}
        if any(group.slips[0].alike != self.slips[0].alike and group.leaves_one_of(boards) for group in groups):
            return False
        return self.weight >= likelihood.SURE * (unexplained + sum(group.weight for group in groups))

    def leaves_one_of(self, boards: Set[str]) -> bool:
        return any(slip.board in boards for slip in self.slips)


def rank_slips(slips: Iterable[Explanation]) -> list[AlikeSlips]:
    """The slips of any pieces of a search, those together that nothing tells apart, and the likeliest first."""
    groups: dict[str, list[Explanation]] = {}
    for slip in sorted(slips, key=lambda one: (-one.weight, -one.step)):
        groups.setdefault(slip.alike, []).append(slip)
    return sorted(map(AlikeSlips, groups.values()), key=lambda group: -group.weight)


class SlipSearch:
    """One piece of a search. found: the slips so far; plays: decisions played."""

    def __init__(self, game: Game, counted: events.TableCounted) -> None:
        self.game, self.counted = game, counted
        self.rules = game.ruleset
        self.plays = 0
        self.found: list[Explanation] = []
        sealed = sealed_since(game)
        line = game.line(counted.step)
        self.line = [step for step in line if step and (sealed is None or step < sealed)]
        self.place = {step: place for place, step in enumerate(self.line)}
        self.boards = self._boards()
        self._laid: dict[int, Board] = {}  # what a step left, for all that is tried on it
        self._said: dict[int, Decision] = {}  # the decision of a step, for all that it is carried on after
        self.recent = likelihood.recency(
            [step for step in self.line if isinstance(game.entries[step].event, events.DecisionRecorded)]
        )
        self.earlier = self._earlier_counts()
        self.agreed = self._places_counted_right()

    def piece(self, start: Spot, plays: int, until: float) -> SearchPiece:
        steps = self.line[::-1] if self.counted.differences else []
        if start == Spot():
            for step in steps:
                self._by_hand(step)
            self.found = _neighbours(self.found)
        place, tried = start.place, start.tried
        while place < len(steps):
            stopped = self._at(steps[place], start.late, tried, plays, until)
            if stopped is not None:
                return self._search_piece(steps, Spot(start.late, place, stopped), start.late)
            place, tried = place + 1, 0
        return self._search_piece(steps, None if start.late or not steps else Spot(late=True), start.late, over=True)

    def _at(self, step: int, late: bool, tried: int, plays: int, until: float) -> int | None:
        """Try a step's candidates from that one on; how many are tried when there is no time left, None: all are."""
        for number, (kind, moves, share) in enumerate(self._candidates(step)):
            if number >= tried:
                self._try(kind, step, moves, share, not late)
                if self.plays >= plays or monotonic() >= until:
                    return number + 1
        return None

    def _search_piece(self, steps: list[int], following: Spot | None, late: bool, over: bool = False) -> SearchPiece:
        done = len(steps) if over or following is None else following.place
        return SearchPiece(
            [slip for group in rank_slips(self.found) for slip in group.slips],
            done,
            len(steps),
            following,
            late,
            likelihood.unexplained_likelihood(self.counted.differences),
        )

    def _boards(self) -> dict[int, Document]:
        """The document after each step of the line; the changes of a line follow one another."""
        document = deep_copy(self.game.opening.board)
        boards: dict[int, Document] = {0: deep_copy(document)}
        for step in self.line:
            event = self.game.entries[step].event
            assert isinstance(event, events.BoardStep)
            fold(document, event.changes)
            boards[step] = deep_copy(document)
        return boards

    def _earlier_counts(self) -> dict[int, list[events.TableCounted]]:
        """Counts before this one, by the step of the line that they were made after. One of the same board is none of
        them: then it is counted once more because something was wrong with it.
        """
        counts: dict[int, list[events.TableCounted]] = {}
        for entry in self.game.entries[: self.counted.step]:
            head = self.game.heads[entry.step]
            if isinstance(entry.event, events.TableCounted) and head in self.place and head != self.line[-1]:
                counts.setdefault(head, []).append(entry.event)
        return counts

    def _places_counted_right(self) -> dict[int, set[str]]:
        """The places that were found right, by the step of the line after which they were: by an earlier count, or as
        the table compared with the record what it showed by the rules.
        """
        agreed = {
            head: {path for count in counts for path in count.counted if path not in count.differences}
            for head, counts in self.earlier.items()
        }
        veil = self.rules.secrecy.veil
        if veil is None:
            return agreed
        tag = tag_of(veil.agreed)
        shown = {path for path in self.counted.counted if is_cause(path, veil.places)}
        for step in self.line[:-1]:
            event = self.game.entries[step].event
            if isinstance(event, events.DecisionRecorded) and any(effect["type"] == tag for effect in event.effects):
                agreed[step] = agreed.get(step, set()) | shown
        return agreed

    def _find(
        self,
        kind: Kind,
        step: int,
        explains: list[str],
        share: float,
        move: events.Move | None = None,
        alike: str = "",
        document: Document | None = None,
    ) -> None:
        """document: what the slip leaves on the table; None: the recorded board, but for the places it explains."""
        rest = {path: pair for path, pair in self.counted.differences.items() if path not in explains}
        weight = likelihood.KINDS[kind] * self.recent[step] * share * likelihood.other_slips_likelihood(rest)
        board = _new_mark(self._counted_board(explains) if document is None else document)
        self.found.append(Explanation(kind, step, explains, not rest, move, weight, alike, board))

    def _counted_board(self, paths: Iterable[str]) -> Document:
        document: Document = deep_copy(self.boards[self.line[-1]])
        fold(document, {path: self.counted.differences[path] for path in paths})
        return document

    # --- slips of the hand ---

    def _by_hand(self, step: int) -> None:
        """What a step brought was not taken, was taken twice, or lies elsewhere: the amounts match."""
        event = self.game.entries[step].event
        if not isinstance(event, events.DecisionRecorded):
            return
        by = {path: brought for path in self.counted.differences if (brought := self._amount_brought(step, path))}
        lacking = {path: -brought for path, brought in by.items() if self._lies_by(step, path, -brought)}
        twice = {path: brought for path, brought in by.items() if self._lies_by(step, path, brought)}
        alone = 1 / max(1, sum(is_cause(path, self.rules.integrity.causes) for path in event.changes))
        for kind, paths in (("not_taken", lacking), ("taken_twice", twice)):
            for path in paths:
                self._find(kind, step, [path], alone)  # type: ignore[arg-type]
            if len(paths) > 1:
                self._find(kind, step, [*paths], likelihood.one_slip_likelihood([*paths]))  # type: ignore[arg-type]
        for path, less in lacking.items():
            for other in self.counted.differences:
                if likelihood.is_counterpart(path, other) and self._lies_by(step, other, -less):
                    self._find("laid_elsewhere", step, [path, other], alone / max(1, len(self.game.opening.seats) - 1))

    def _amount_brought(self, step: int, path: str) -> int:
        before, after = self.boards[self.game.parents[step]], self.boards[step]
        if not (is_at(before, path) and is_at(after, path)):
            return 0
        was, now = value_at(before, path), value_at(after, path)
        return now - was if type(was) is int and type(now) is int else 0

    def _lies_by(self, step: int, path: str, by: int) -> bool:
        """Whether a place can have held so much more or less since a step: it differs by that now, and nobody paid
        what was not there, put it right, or counted something else.
        """
        recorded, counted = self.counted.differences[path]
        if type(recorded) is not int or type(counted) is not int or counted - recorded != by:
            return False
        if self._put_right_since(step, path):
            return False
        for later in self.line[self.place[step] :]:
            if not is_at(self.boards[later], path) or value_at(self.boards[later], path) + by < 0:
                return False
        return not self._differed_before(step, [path]) and not any(
            path in agreed for head, agreed in self.agreed.items() if self.place[head] >= self.place[step]
        )

    def _put_right_since(self, step: int, path: str) -> bool:
        """Whether the table put a place right by hand after a step."""
        since = (self.game.entries[later].event for later in self.line[self.place[step] + 1 :])
        return any(touches(event.changes, path) for event in since if isinstance(event, events.BoardAdjusted))

    # --- slips of the record ---

    def _candidates(self, step: int) -> Iterator[tuple[Kind, Moves, float]]:
        """What may stand in the place of a step, always in the same order, and which share of its kind each is."""
        event = self.game.entries[step].event
        if not isinstance(event, events.DecisionRecorded) or isinstance(event, events.DecisionAsPlayed):
            return
        before, said = self._board_after(self.game.parents[step]), self._decision_of(step, event)
        yield "never_happened", [], self._typed_twice(step, event.seat, event.decision)
        for seat in self._seats(before, event):
            legal = [(other, plain(other)) for other in self._legal(before, seat)]
            if seat == event.seat:
                yield from self._instead(event, legal)
            whole = len(legal) + likelihood.REPEATED
            for other, told in legal[:SIBLINGS_LIMIT]:
                again = likelihood.REPEATED if (seat, told) == (event.seat, event.decision) else 1.0
                yield "forgotten", [(seat, other), (event.seat, said)], again / whole

    def _instead(
        self, event: events.DecisionRecorded, legal: list[tuple[Decision, dict[str, Any]]]
    ) -> Iterator[tuple[Kind, Moves, float]]:
        """Other decisions of who decided, those first that are easily taken for one another."""
        near = sorted(
            ((likelihood.closeness(event.decision, told), other) for other, told in legal if told != event.decision),
            key=lambda one: -one[0],
        )
        whole = sum(close for close, _ in near)
        for close, other in near[:SIBLINGS_LIMIT]:
            yield "something_else", [(event.seat, other)], close / whole

    def _typed_twice(self, step: int, seat: Seat, decision: Mapping[str, Any]) -> float:
        before = self.game.entries[self.game.parents[step]].event
        same = isinstance(before, events.DecisionRecorded) and (before.seat, before.decision) == (seat, decision)
        return likelihood.REPEATED if same else 1.0

    def _seats(self, board: Board, event: events.DecisionRecorded) -> tuple[Seat, ...]:
        seats = self.rules.course.to_act(board)
        return seats if event.seat in seats else (*seats, event.seat)

    def _legal(self, board: Board, seat: Seat) -> list[Decision]:
        try:
            return list(self.rules.legal(board, seat))
        except CANNOT_GO_ON:  # after an illegal move that stood the rules may not know what is possible
            return []

    def _decision_of(self, step: int, event: events.DecisionRecorded) -> Decision:
        if step not in self._said:
            self._said[step] = self.rules.decision(event.decision)
        return self._said[step]

    def _board_after(self, step: int) -> Board:
        """Not to be changed: playing leaves it as it is."""
        if step not in self._laid:
            self._laid[step] = self.rules.typed_board(deep_copy(self.boards[step]), self.game.table)
        return self._laid[step]

    def _try(self, kind: Kind, step: int, moves: Moves, share: float, likely: bool) -> None:
        """Whether the rest of the record fits after these moves in the place of a step, and the count comes out.

        share: of its kind, how likely these moves are. likely: try what shows at once; else try what does not.
        """
        board = self._board_after(self.game.parents[step])
        for seat, decision in moves:
            played = self._play(board, seat, decision)
            if played is None:
                return
            board = played
        if self._promising(step, board) != likely or self._was_counted_otherwise(step, board):
            return
        for later in self.line[self.place[step] + 1 :]:
            carried = self._carry_on(board, later)
            if carried is None or self._was_counted_otherwise(later, carried):
                return
            board = carried
        document = board.document()
        resolved = self._resolved_places(document)
        if resolved and not self._differed_before(step, resolved):
            move = None if kind == "never_happened" else events.Move(moves[0][0], plain(moves[0][1]))
            mark = _new_mark(kind, moves[:1] and moves[0][0], document)
            self._find(kind, step, resolved, share, move, mark, document)

    def _was_counted_otherwise(self, step: int, board: Board) -> bool:
        """Whether an earlier count after this step found the record right where this would have lain otherwise."""
        if not self.agreed.get(step):
            return False
        varied, recorded = board.document(), self.boards[step]
        return any(
            not is_at(varied, path) or value_at(varied, path) != value_at(recorded, path) for path in self.agreed[step]
        )

    def _differed_before(self, step: int, paths: Iterable[str]) -> bool:
        """Whether one of the places had been counted before a step, and differed then as it still does."""
        return any(
            self.place[head] < self.place[step]
            and path in count.differences
            and _amount_of_difference(*count.differences[path])
            == _amount_of_difference(*self.counted.differences[path])
            and not self._put_right_since(head, path)
            for head, counts in self.earlier.items()
            for count in counts
            for path in paths
        )

    def _promising(self, step: int, board: Board) -> bool:
        """The counted places differ at once as they do at the end: what is owned seldom changes what comes later."""
        varied, recorded = board.document(), self.boards[step]
        return any(
            is_at(varied, path)
            and is_at(recorded, path)
            and _amount_of_difference(value_at(recorded, path), value_at(varied, path)) == _amount_of_difference(*pair)
            for path, pair in self.counted.differences.items()
        )

    def _resolved_places(self, document: Document) -> list[str]:
        """The differences that are gone; none where what was counted right is right no longer."""
        resolved = []
        for path, value in self.counted.counted.items():
            right = is_at(document, path) and value_at(document, path) == value
            if right and path in self.counted.differences:
                resolved.append(path)
            elif not right and path not in self.counted.differences:
                return []
        return resolved

    def _play(self, board: Board, seat: Seat, decision: Decision) -> Board | None:
        self.plays += 1
        try:
            after: Board = self.rules.play(board, seat, decision)[0]
        except (IllegalDecision, RulesBroken, *CANNOT_GO_ON):
            return None
        return after

    def _carry_on(self, board: Board, step: int) -> Board | None:
        """A later step of the record on another board; None where it no longer fits."""
        event = self.game.entries[step].event
        if isinstance(event, events.BoardAdjusted | events.DecisionAsPlayed):
            document = board.document()
            for path, (_, after) in event.changes.items():
                if not is_at(document, path):
                    return None
                fold(document, {path: [None, after]})
            laid: Board = self.rules.typed_board(document, self.game.table)
            return laid
        assert isinstance(event, events.DecisionRecorded)
        return self._play(board, event.seat, self._decision_of(step, event))


def _amount_of_difference(before: Any, after: Any) -> Any:
    """By how much two numbers differ; of anything else what it has become."""
    if type(before) is int and type(after) is int:
        return after - before
    return None if before == after else after


def _neighbours(slips: Iterable[Explanation]) -> list[Explanation]:
    """Slips of the hand that leave the same on the table, a few neighbours of them together."""
    found: Counter[str] = Counter()
    together = []
    for slip in slips:
        same = f"{slip.kind} {' '.join(slip.explains)}"
        together.append(msgspec.structs.replace(slip, alike=_new_mark(same, found[same] // ALIKE_LIMIT)))
        found[same] += 1
    return together


def _new_mark(*parts: Any) -> str:
    """The same mark for the same parts."""
    return blake2b(msgspec.json.encode(parts, order="sorted"), digest_size=8).hexdigest()
