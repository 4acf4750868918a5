"""Search for slips that explain a count: single mistakes that would leave the counted pieces on the table.

Three kinds are slips of the hand: what a step brought was not taken, was taken twice, or was given to another player.
Three are slips of the record, each a possible correction: a step that never happened, a forgotten one, a wrong one. A
slip of the record counts only if the rest of the record still fits and the counted places match. Earlier matching
counts, and payments that would have been impossible, also rule out slips.

Each slip has a weight to rank the slips of all pieces of a search (`rank_slips`). It is sure only if it outweighs all
others and a plain wrong amount together.

A search runs in pieces with a time limit; each returns its progress and the cursor of the next. It goes back from the
newest step twice: first for slips that show at once, then for those that show only in later steps.
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
from daybook.domain.kernel.points import Points, as_points, is_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Board, Decision, IllegalDecision, RulesBrokenError, Seat, because
from daybook.domain.writing import count_of
from daybook.services.disputes import likelihood
from daybook.services.disputes.likelihood import SlipKind

MAX_PLAYS_PER_PIECE = 6_000  # decisions that one piece of a search plays
SECONDS_PER_PIECE = 1.0
MAX_ALTERNATIVES = 60  # decisions tried instead of one step
MAX_SLIPS_PER_GROUP = 3  # slips of the hand in one line

Moves = list[tuple[Seat, Decision]]


class Explanation(Frozen):
    """One slip that would explain differences.

    Args:
        explains: the explained places.
        all: the slip explains every difference.
        decision: for `forgotten` and `something_else`, the missing decision and its seat.
        weight: likelihood, as a share of all slips at a table.
        alike: equal for slips that the table cannot distinguish; they are shown in one line.
        board: equal for slips that leave the same board.
    """

    kind: SlipKind
    step: int
    explains: list[str]
    all: bool
    decision: events.Move | None = None
    weight: float = 0.0
    alike: str = ""
    board: str = ""

    def to_correction(self, game: Game) -> dict[int, Resolution] | None:
        """Return the input of `services.disputes.corrections`; None for slips of the hand."""
        event = game.entries[self.step].event
        if self.kind == "never_happened":
            return {self.step: Resolution()}
        if self.decision is None or not isinstance(event, events.DecisionRecorded):
            return None
        if self.kind == "something_else":
            return {self.step: Resolution([self.decision])}
        return {self.step: Resolution([self.decision, events.Move(event.seat, event.decision)])}


class SearchCursor(Frozen):
    """Position of a slip search.

    Args:
        late: in the second round.
        place: steps back from the newest.
        tried: candidates of that step already tried.
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
    next: SearchCursor | None
    late: bool
    unexplained: float

    @property
    def round_done(self) -> bool:
        """Check if this piece ends a round."""
        return self.done == self.of


def parse_cursor(text: str) -> SearchCursor:
    """Parse the cursor of a search piece. Raises Refused."""
    match = re.fullmatch(r"(first|late)\.([0-9]{1,6})\.([0-9]{1,6})", text)
    if match is None:
        raise Refused(because("no_such_spot", "a search continues where the last one stopped"))
    return SearchCursor(match[1] == "late", int(match[2]), int(match[3]))


def search_slips(
    game: Game,
    count: int,
    start: SearchCursor | None = None,
    plays: int = MAX_PLAYS_PER_PIECE,
    seconds: float = SECONDS_PER_PIECE,
) -> SearchPiece:
    """Run one piece of the search for the likeliest slips behind a count's differences.

    For viewers with full sight. At least one candidate is tried. Raises Refused.

    Args:
        plays: maximum number of decisions to play.
        seconds: time limit.
    """
    return SlipSearch(game, count_of(game, count)).run_piece(start or SearchCursor(), plays, monotonic() + seconds)


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
        return self.weight >= likelihood.SURE_FROM * (unexplained + sum(group.weight for group in groups))

    def leaves_one_of(self, boards: Set[str]) -> bool:
        return any(slip.board in boards for slip in self.slips)


def rank_slips(slips: Iterable[Explanation]) -> list[AlikeSlips]:
    """Group slips of any pieces of a search that the table cannot distinguish; likeliest groups first."""
    groups: dict[str, list[Explanation]] = {}
    for slip in sorted(slips, key=lambda item: (-item.weight, -item.step)):
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
        self.boards = self._documents_by_step()
        self._laid: dict[int, Board] = {}  # what a step left, for all that is tried on it
        self._said: dict[int, Decision] = {}  # the decision of a step, for all that it is carried on after
        self.recent = likelihood.recency_shares(
            [step for step in self.line if isinstance(game.entries[step].event, events.DecisionRecorded)]
        )
        self.earlier = self._earlier_counts()
        self.agreed = self._places_counted_right()

    def run_piece(self, start: SearchCursor, plays: int, until: float) -> SearchPiece:
        steps = self.line[::-1] if self.counted.differences else []
        if start == SearchCursor():
            for step in steps:
                self._find_hand_slips(step)
            self.found = _group_indistinguishable(self.found)
        place, tried = start.place, start.tried
        while place < len(steps):
            stopped = self._try_step(steps[place], start.late, tried, plays, until)
            if stopped is not None:
                return self._search_piece(steps, SearchCursor(start.late, place, stopped), start.late)
            place, tried = place + 1, 0
        return self._search_piece(
            steps, None if start.late or not steps else SearchCursor(late=True), start.late, over=True
        )

    def _try_step(self, step: int, late: bool, tried: int, plays: int, until: float) -> int | None:
        """Try a step's candidates from number `tried` on.

        Returns:
            the number of tried candidates if the time is up, None if all were tried.
        """
        for number, (kind, moves, share) in enumerate(self._candidates(step)):
            if number >= tried:
                self._try_replacement(kind, step, moves, share, not late)
                if self.plays >= plays or monotonic() >= until:
                    return number + 1
        return None

    def _search_piece(
        self, steps: list[int], following: SearchCursor | None, late: bool, over: bool = False
    ) -> SearchPiece:
        done = len(steps) if over or following is None else following.place
        return SearchPiece(
            [slip for group in rank_slips(self.found) for slip in group.slips],
            done,
            len(steps),
            following,
            late,
            likelihood.unexplained_likelihood(self.counted.differences),
        )

    def _documents_by_step(self) -> dict[int, Document]:
        """Return the document after each step of the line; a step's changes apply to the one before."""
        document = deep_copy(self.game.opening.board)
        boards: dict[int, Document] = {0: deep_copy(document)}
        for step in self.line:
            event = self.game.entries[step].event
            assert isinstance(event, events.BoardStep)
            fold(document, event.changes)
            boards[step] = deep_copy(document)
        return boards

    def _earlier_counts(self) -> dict[int, list[events.TableCounted]]:
        """Return earlier counts by the line's step before them, except recounts of the present board."""
        counts: dict[int, list[events.TableCounted]] = {}
        for entry in self.game.entries[: self.counted.step]:
            head = self.game.heads[entry.step]
            if isinstance(entry.event, events.TableCounted) and head in self.place and head != self.line[-1]:
                counts.setdefault(head, []).append(entry.event)
        return counts

    def _places_counted_right(self) -> dict[int, set[str]]:
        """Return the places known to be correct after steps: by an earlier count or a table check."""
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

    def _add_explanation(
        self,
        kind: SlipKind,
        step: int,
        explains: list[str],
        share: float,
        move: events.Move | None = None,
        alike: str = "",
        document: Document | None = None,
    ) -> None:
        """Add a slip to the results.

        Args:
            document: the board after the slip; None for the recorded board with the counted values.
        """
        rest = {path: pair for path, pair in self.counted.differences.items() if path not in explains}
        weight = likelihood.KINDS[kind] * self.recent[step] * share * likelihood.other_slips_likelihood(rest)
        board = _digest_parts(self._counted_board(explains) if document is None else document)
        self.found.append(Explanation(kind, step, explains, not rest, move, weight, alike, board))

    def _counted_board(self, paths: Iterable[str]) -> Document:
        document: Document = deep_copy(self.boards[self.line[-1]])
        fold(document, {path: self.counted.differences[path] for path in paths})
        return document

    # --- slips of the hand ---

    def _find_hand_slips(self, step: int) -> None:
        """Find slips of the hand at a step with amounts that match the differences."""
        event = self.game.entries[step].event
        if not isinstance(event, events.DecisionRecorded):
            return
        brought_by_path = {
            path: brought for path in self.counted.differences if (brought := self._amount_brought(step, path))
        }
        lacking = {
            path: -brought
            for path, brought in brought_by_path.items()
            if self._could_differ_since(step, path, -brought)
        }
        twice = {
            path: brought for path, brought in brought_by_path.items() if self._could_differ_since(step, path, brought)
        }
        share_per_place = 1 / max(1, sum(is_cause(path, self.rules.integrity.causes) for path in event.changes))
        for kind, paths in (("not_taken", lacking), ("taken_twice", twice)):
            for path in paths:
                self._add_explanation(kind, step, [path], share_per_place)  # type: ignore[arg-type]
            if len(paths) > 1:
                self._add_explanation(kind, step, [*paths], likelihood.one_slip_likelihood([*paths]))  # type: ignore[arg-type]
        for path, less in lacking.items():
            for other in self.counted.differences:
                if likelihood.is_counterpart(path, other) and self._could_differ_since(step, other, -less):
                    self._add_explanation(
                        "laid_elsewhere",
                        step,
                        [path, other],
                        share_per_place / max(1, len(self.game.opening.seats) - 1),
                    )

    def _amount_brought(self, step: int, path: str) -> Points:
        before, after = self.boards[self.game.parents[step]], self.boards[step]
        if not (is_at(before, path) and is_at(after, path)):
            return 0
        was, now = value_at(before, path), value_at(after, path)
        return as_points(now - was) if is_points(was) and is_points(now) else 0

    def _could_differ_since(self, step: int, path: str, amount: Points) -> bool:
        """Check if a place could have differed by an amount since a step.

        It must differ by the amount now, and never have been paid from, corrected or counted otherwise.
        """
        recorded, counted = self.counted.differences[path]
        if type(recorded) is not int or type(counted) is not int or counted - recorded != amount:
            return False
        if self._corrected_since(step, path):
            return False
        for later in self.line[self.place[step] :]:
            if not is_at(self.boards[later], path) or value_at(self.boards[later], path) + amount < 0:
                return False
        return not self._differed_before(step, [path]) and not any(
            path in agreed for head, agreed in self.agreed.items() if self.place[head] >= self.place[step]
        )

    def _corrected_since(self, step: int, path: str) -> bool:
        """Check if the table corrected a place by hand after a step."""
        since = (self.game.entries[later].event for later in self.line[self.place[step] + 1 :])
        return any(touches(event.changes, path) for event in since if isinstance(event, events.BoardAdjusted))

    # --- slips of the record ---

    def _candidates(self, step: int) -> Iterator[tuple[SlipKind, Moves, float]]:
        """Yield replacements of a step in a fixed order, with the share each has of its kind."""
        event = self.game.entries[step].event
        if not isinstance(event, events.DecisionRecorded) or isinstance(event, events.DecisionAsPlayed):
            return
        before, recorded = self._board_after(self.game.parents[step]), self._decision_of(step, event)
        yield "never_happened", [], self._typed_twice(step, event.seat, event.decision)
        for seat in self._possible_seats(before, event):
            legal = [(other, plain(other)) for other in self._legal_decisions(before, seat)]
            if seat == event.seat:
                yield from self._alternatives(event, legal)
            whole = len(legal) + likelihood.REPEATED_FACTOR
            for other, decision in legal[:MAX_ALTERNATIVES]:
                again = likelihood.REPEATED_FACTOR if (seat, decision) == (event.seat, event.decision) else 1.0
                yield "forgotten", [(seat, other), (event.seat, recorded)], again / whole

    def _alternatives(
        self, event: events.DecisionRecorded, legal: list[tuple[Decision, dict[str, Any]]]
    ) -> Iterator[tuple[SlipKind, Moves, float]]:
        """Yield other decisions of the same seat, most easily confused ones first."""
        near = sorted(
            (
                (likelihood.confusion_likelihood(event.decision, tagged), other)
                for other, tagged in legal
                if tagged != event.decision
            ),
            key=lambda pair: -pair[0],
        )
        total = sum(close for close, _ in near)
        for close, other in near[:MAX_ALTERNATIVES]:
            yield "something_else", [(event.seat, other)], close / total

    def _typed_twice(self, step: int, seat: Seat, decision: Mapping[str, Any]) -> float:
        before = self.game.entries[self.game.parents[step]].event
        same = isinstance(before, events.DecisionRecorded) and (before.seat, before.decision) == (seat, decision)
        return likelihood.REPEATED_FACTOR if same else 1.0

    def _possible_seats(self, board: Board, event: events.DecisionRecorded) -> tuple[Seat, ...]:
        seats = self.rules.course.to_act(board)
        return seats if event.seat in seats else (*seats, event.seat)

    def _legal_decisions(self, board: Board, seat: Seat) -> list[Decision]:
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

    def _try_replacement(self, kind: SlipKind, step: int, moves: Moves, share: float, likely: bool) -> None:
        """Record a slip if the rest of the record fits after these moves and the count matches.

        Args:
            share: likelihood of these moves among their kind.
            likely: try only slips that show at once; False: only the others.
        """
        board = self._board_after(self.game.parents[step])
        for seat, decision in moves:
            played = self._play_decision(board, seat, decision)
            if played is None:
                return
            board = played
        if self._differs_as_counted(step, board) != likely or self._was_counted_otherwise(step, board):
            return
        for later in self.line[self.place[step] + 1 :]:
            carried = self._replay_step(board, later)
            if carried is None or self._was_counted_otherwise(later, carried):
                return
            board = carried
        document = board.document()
        resolved = self._resolved_places(document)
        if resolved and not self._differed_before(step, resolved):
            move = None if kind == "never_happened" else events.Move(moves[0][0], plain(moves[0][1]))
            mark = _digest_parts(kind, moves[:1] and moves[0][0], document)
            self._add_explanation(kind, step, resolved, share, move, mark, document)

    def _was_counted_otherwise(self, step: int, board: Board) -> bool:
        """Check if an earlier count after this step contradicts the changed board."""
        if not self.agreed.get(step):
            return False
        varied, recorded = board.document(), self.boards[step]
        return any(
            not is_at(varied, path) or value_at(varied, path) != value_at(recorded, path) for path in self.agreed[step]
        )

    def _differed_before(self, step: int, paths: Iterable[str]) -> bool:
        """Check if one of the places had the same difference in a count before the step."""
        return any(
            self.place[head] < self.place[step]
            and path in count.differences
            and _amount_of_difference(*count.differences[path])
            == _amount_of_difference(*self.counted.differences[path])
            and not self._corrected_since(head, path)
            for head, counts in self.earlier.items()
            for count in counts
            for path in paths
        )

    def _differs_as_counted(self, step: int, board: Board) -> bool:
        """Check if a counted place differs at once as in the count; later steps seldom change owned pieces."""
        varied, recorded = board.document(), self.boards[step]
        return any(
            is_at(varied, path)
            and is_at(recorded, path)
            and _amount_of_difference(value_at(recorded, path), value_at(varied, path)) == _amount_of_difference(*pair)
            for path, pair in self.counted.differences.items()
        )

    def _resolved_places(self, document: Document) -> list[str]:
        """Return the resolved differences; none if a place that was counted right no longer matches."""
        resolved = []
        for path, value in self.counted.counted.items():
            matches = is_at(document, path) and value_at(document, path) == value
            if matches and path in self.counted.differences:
                resolved.append(path)
            elif not matches and path not in self.counted.differences:
                return []
        return resolved

    def _play_decision(self, board: Board, seat: Seat, decision: Decision) -> Board | None:
        self.plays += 1
        try:
            after: Board = self.rules.play(board, seat, decision)[0]
        except (IllegalDecision, RulesBrokenError, *CANNOT_GO_ON):
            return None
        return after

    def _replay_step(self, board: Board, step: int) -> Board | None:
        """Replay a later step on another board; None if it no longer fits."""
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
        return self._play_decision(board, event.seat, self._decision_of(step, event))


def _amount_of_difference(before: Any, after: Any) -> Any:
    """Return the difference of two numbers; for other values the new value."""
    if is_points(before) and is_points(after):
        return as_points(after - before)
    return None if before == after else after


def _group_indistinguishable(slips: Iterable[Explanation]) -> list[Explanation]:
    """Group slips of the hand that leave the same board, a few neighbouring steps each."""
    counts: Counter[str] = Counter()
    together = []
    for slip in slips:
        same = f"{slip.kind} {' '.join(slip.explains)}"
        together.append(msgspec.structs.replace(slip, alike=_digest_parts(same, counts[same] // MAX_SLIPS_PER_GROUP)))
        counts[same] += 1
    return together


def _digest_parts(*parts: Any) -> str:
    """Return a digest of the parts."""
    return blake2b(msgspec.json.encode(parts, order="sorted"), digest_size=8).hexdigest()
