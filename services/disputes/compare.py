"""Comparison of two steps of a game, or of two records of the same evening.

Records are compared as the viewer sees them, so nothing hidden is revealed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from threading import Lock
from typing import Any, Literal
from uuid import UUID

import msgspec
from cachetools import LRUCache

from daybook.domain.kernel.board import difference
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.services.permissions.sights import EVERYTHING, Sight
from daybook.services.play import replay
from daybook.services.play.replay import StepShown

DifferenceKind = Literal["differs", "only_one", "only_other"]

MAX_TEXT_COMPARISONS = 3_000_000  # about a second; two records of a whole evening take a few ten thousand
CONTENT_CACHE_SIZE = 500  # games
_contents: LRUCache[tuple[UUID, str], list[str]] = LRUCache(CONTENT_CACHE_SIZE)
_lock = Lock()


class BoundedMatcher(SequenceMatcher[str]):
    """SequenceMatcher with bounded work.

    Lists with few different, often repeated texts take cubic time: two records of a thousand steps took minutes. Above
    the bound, only equal beginnings and ends match.
    """

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        super().__init__(None, first, second, autojunk=False)
        self.one, self.other, self.places = first, second, Counter(second)
        self.looks = MAX_TEXT_COMPARISONS  # comparisons of equal texts that are left

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        self.looks -= sum(self.places[text] for text in self.one[alo:ahi])
        if self.looks < 0:
            raise _TooManyComparisonsError
        return super().find_longest_match(alo, ahi, blo, bhi)

    def get_matching_blocks(self) -> list[Match]:
        try:
            return super().get_matching_blocks()
        except _TooManyComparisonsError:
            self.matching_blocks = _match_ends(self.one, self.other)
            return self.matching_blocks


class _TooManyComparisonsError(Exception):
    """The bound on comparisons is exceeded."""


def _match_ends(steps: Sequence[str], other_steps: Sequence[str]) -> list[Match]:
    shorter = min(len(steps), len(other_steps))
    first = next((at for at in range(shorter) if steps[at] != other_steps[at]), shorter)
    last = next((at for at in range(shorter - first) if steps[-1 - at] != other_steps[-1 - at]), shorter - first)
    blocks = [
        Match(0, 0, first),
        Match(len(steps) - last, len(other_steps) - last, last),
        Match(len(steps), len(other_steps), 0),
    ]
    return [block for block in blocks[:2] if block.size] + blocks[2:]


class NotComparableError(UnreadableError):
    """The two are records of different games, or of different tables."""


class StepsCompared(Frozen):
    """Two steps of one game. changes: every place that differs, [at one, at other]."""

    one: int
    other: int
    changes: dict[str, list[Any]]
    columns_one: dict[str, list[Points]]
    columns_other: dict[str, list[Points]]
    marks_one: dict[str, int]
    marks_other: dict[str, int]


class Part(Frozen):
    """A place at which two records differ: the steps of one against those of the other.

    only_one, only_other: the other has nothing there; after: the last steps before it that say the same in both.
    """

    kind: DifferenceKind
    one: list[int]
    other: list[int]
    after: tuple[int, int]


class Compared(Frozen):
    """Two records. alike: how many steps say the same; parts: every difference, in order.

    figures: the first steps that say the same and leave other columns, though nothing differed before: other printed
    numbers, or other rules. columns: at the end of either.
    """

    alike: int
    parts: list[Part]
    figures: tuple[int, int] | None
    columns_one: dict[str, list[Points]]
    columns_other: dict[str, list[Points]]

    @property
    def first(self) -> Part | None:
        return self.parts[0] if self.parts else None

    @property
    def same(self) -> bool:
        return not self.parts and self.figures is None


def compare_steps(game: Game, first_step: int, second_step: int, sight: Sight) -> StepsCompared:
    """Compare the positions after two steps. Raises Refused."""
    at, then = (replay.position_at(game, step, sight) for step in (first_step, second_step))
    return StepsCompared(
        first_step, second_step, difference(at.board, then.board), at.columns, then.columns, at.marks, then.marks
    )


def compare_records(
    first: Game, second: Game, sight_one: Sight = EVERYTHING, sight_other: Sight = EVERYTHING
) -> Compared:
    """Compare two records, such as those of two files. Raises NotComparableError."""
    if first.game_key != second.game_key:
        raise NotComparableError("one game is {game}, the other is {other}", game=first.title, other=second.title)
    seats = [seat.colour for seat in first.opening.seats], [seat.colour for seat in second.opening.seats]
    if len(seats[0]) != len(seats[1]):
        raise NotComparableError(
            "one game has {seats} seats, the other has {others}", seats=len(seats[0]), others=len(seats[1])
        )
    return compare_lines(replay.iter_steps(first, sight_one), replay.iter_steps(second, sight_other))


def compare_lines(left_steps: Iterable[StepShown], right_steps: Iterable[StepShown]) -> Compared:
    """Compare the standing steps of two lists that each begin at the opening."""
    left_list, right_list = list(left_steps), list(right_steps)
    left, right = list(_standing_steps(left_list)), list(_standing_steps(right_list))
    matcher = BoundedMatcher([_step_content(step) for step in left], [_step_content(step) for step in right])
    parts: list[Part] = []
    alike, figures = 0, None
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            alike += b - a
            if figures is None and not parts:
                figures = _first_different_figures(left[a:b], right[c:d])
            continue
        after = (left[a - 1].step if a else 0, right[c - 1].step if c else 0)
        which: DifferenceKind = "differs" if b > a and d > c else "only_one" if b > a else "only_other"
        parts.append(Part(which, [step.step for step in left[a:b]], [step.step for step in right[c:d]], after))
    return Compared(alike, parts, figures, left_list[-1].columns, right_list[-1].columns)


def step_contents(game: Game) -> list[str]:
    """Return one text per standing step, as any reader sees it: similarity must not reveal covered facts.

    The list is cached because club pages compare the games of a year; do not modify it.
    """
    key = game.id, game.seal
    with _lock:
        cached = _contents.get(key)
    if cached is None:
        cached = [_step_content(step) for step in _standing_steps(replay.iter_steps(game, None))]
        with _lock:
            _contents[key] = cached
    return cached


def share_steps(first: Sequence[str], second: Sequence[str], steps: float) -> bool:
    """Check if at least `steps` texts of `step_contents` match in order."""
    matcher = BoundedMatcher(first, second)
    if matcher.quick_ratio() * (len(first) + len(second)) < 2 * steps:  # an upper bound that is computed quickly
        return False
    return sum(block.size for block in matcher.get_matching_blocks()) >= steps


def _standing_steps(shown: Iterable[StepShown]) -> Iterator[StepShown]:
    for step in shown:
        if step.taken_back_by is None and step.type in ("decision_recorded", "decision_as_played", "board_adjusted"):
            yield step


def _step_content(step: StepShown) -> str:
    """Return what a step records, without author and time."""
    if step.type == "board_adjusted":
        content: Any = {path: after for path, (_, after) in step.changes.items()}
    else:
        content = [step.seat, step.decision, step.values]
    return msgspec.json.encode(content, order="deterministic").decode()


def _first_different_figures(
    left_steps: Sequence[StepShown], right_steps: Sequence[StepShown]
) -> tuple[int, int] | None:
    for left, right in zip(left_steps, right_steps, strict=True):
        if left.columns != right.columns:
            return left.step, right.step
    return None
