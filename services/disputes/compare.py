"""Side by side: two steps of a game, or two records of the same evening kept by two people.

Records are compared as their viewers see them, so that nothing is told that one of them hides.
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
from daybook.domain.kernel.errors import Unreadable
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.services.people.access import EVERYTHING, Sight
from daybook.services.play import replay
from daybook.services.play.replay import StepShown
from daybook.services.store.daybook import Daybook

Kind = Literal["differs", "only_one", "only_other"]

LOOKS = 3_000_000  # about a second; two records of a whole evening take a few ten thousand
KEPT = 500  # games of which is known what their steps say
_contents: LRUCache[tuple[UUID, str], list[str]] = LRUCache(KEPT)
_lock = Lock()


class BoundedMatcher(SequenceMatcher[str]):
    """Finds what is alike in two lists, as the standard library does, but for what it takes where few different texts
    stand again and again: that grows with the third power, and two records of a thousand steps took minutes. Where so
    much has been looked at, what both begin and end with is alike, and all between is not.
    """

    def __init__(self, one: Sequence[str], other: Sequence[str]) -> None:
        super().__init__(None, one, other, autojunk=False)
        self.one, self.other, self.places = one, other, Counter(other)
        self.looks = LOOKS  # at pairs of texts that are the same, as many as are left

    def find_longest_match(self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None) -> Match:
        self.looks -= sum(self.places[text] for text in self.one[alo:ahi])
        if self.looks < 0:
            raise _TooMany
        return super().find_longest_match(alo, ahi, blo, bhi)

    def get_matching_blocks(self) -> list[Match]:
        try:
            return super().get_matching_blocks()
        except _TooMany:
            self.matching_blocks = _alike_at_the_ends(self.one, self.other)
            return self.matching_blocks


class _TooMany(Exception):
    """More has to be looked at than is."""


def _alike_at_the_ends(one: Sequence[str], other: Sequence[str]) -> list[Match]:
    shorter = min(len(one), len(other))
    first = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    last = next((at for at in range(shorter - first) if one[-1 - at] != other[-1 - at]), shorter - first)
    blocks = [Match(0, 0, first), Match(len(one) - last, len(other) - last, last), Match(len(one), len(other), 0)]
    return [block for block in blocks[:2] if block.size] + blocks[2:]


class NotComparable(Unreadable):
    """The two are records of different games, or of different tables."""


class StepsCompared(Frozen):
    """Two steps of one game. changes: every place that lies differently, [at one, at other]."""

    one: int
    other: int
    changes: dict[str, list[Any]]
    columns_one: dict[str, list[int]]
    columns_other: dict[str, list[int]]
    marks_one: dict[str, int]
    marks_other: dict[str, int]


class Part(Frozen):
    """A place at which two records differ: the steps of one against those of the other.

    only_one, only_other: the other has nothing there; after: the last steps before it that say the same in both.
    """

    kind: Kind
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
    columns_one: dict[str, list[int]]
    columns_other: dict[str, list[int]]

    @property
    def first(self) -> Part | None:
        return self.parts[0] if self.parts else None

    @property
    def same(self) -> bool:
        return not self.parts and self.figures is None


def compare_steps(game: Game, one: int, other: int, sight: Sight) -> StepsCompared:
    """Raises Refused."""
    at, then = (replay.position(game, step, sight) for step in (one, other))
    return StepsCompared(one, other, difference(at.board, then.board), at.columns, then.columns, at.marks, then.marks)


def games(book: Daybook, one: UUID, other: UUID, sight_one: Sight, sight_other: Sight) -> Compared:
    """Two games of the service, each as far as the viewer sees it. Raises UnknownGame, NotComparable."""
    return records(book.games.get(one), book.games.get(other), sight_one, sight_other)


def records(one: Game, other: Game, sight_one: Sight = EVERYTHING, sight_other: Sight = EVERYTHING) -> Compared:
    """Two records, such as those of two files. Raises NotComparable."""
    if one.game_key != other.game_key:
        raise NotComparable("one is a game of {game}, the other of {other}", game=one.title, other=other.title)
    seats = [seat.colour for seat in one.opening.seats], [seat.colour for seat in other.opening.seats]
    if len(seats[0]) != len(seats[1]):
        raise NotComparable("one has {seats} seats, the other {others}", seats=len(seats[0]), others=len(seats[1]))
    return lines(replay.steps(one, sight_one), replay.steps(other, sight_other))


def lines(one: Iterable[StepShown], other: Iterable[StepShown]) -> Compared:
    """Two lists of steps, each from the opening on: what stands of them is compared."""
    mine, its = list(one), list(other)
    left, right = list(_standing_steps(mine)), list(_standing_steps(its))
    matcher = BoundedMatcher([_step_content(step) for step in left], [_step_content(step) for step in right])
    parts: list[Part] = []
    alike, figures = 0, None
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            alike += b - a
            if figures is None and not parts:
                figures = _first_other_figures(left[a:b], right[c:d])
            continue
        after = (left[a - 1].step if a else 0, right[c - 1].step if c else 0)
        which: Kind = "differs" if b > a and d > c else "only_one" if b > a else "only_other"
        parts.append(Part(which, [step.step for step in left[a:b]], [step.step for step in right[c:d]], after))
    return Compared(alike, parts, figures, mine[-1].columns, its[-1].columns)


def contents(game: Game) -> list[str]:
    """What the steps of a record say that stand, one text each, as everybody sees them: a record of guesses is not to
    find out what is covered by being like this one. Do not change what is handed out: it is kept, since a page of a club
    compares the games of a whole year.
    """
    key = game.id, game.seal
    with _lock:
        known = _contents.get(key)
    if known is None:
        known = [_step_content(step) for step in _standing_steps(replay.steps(game, None))]
        with _lock:
            _contents[key] = known
    return known


def are_alike(one: Sequence[str], other: Sequence[str], steps: float) -> bool:
    """Whether so many steps at least say the same in both, in the same order. one, other: of `contents`."""
    matcher = BoundedMatcher(one, other)
    if matcher.quick_ratio() * (len(one) + len(other)) < 2 * steps:  # no more than this many, and known soon
        return False
    return sum(block.size for block in matcher.get_matching_blocks()) >= steps


def _standing_steps(shown: Iterable[StepShown]) -> Iterator[StepShown]:
    for step in shown:
        if step.struck_by is None and step.type in ("decision_recorded", "decision_as_played", "board_adjusted"):
            yield step


def _step_content(step: StepShown) -> str:
    """What a step says, whoever wrote it down, and when."""
    if step.type == "board_adjusted":
        said: Any = {path: after for path, (_, after) in step.changes.items()}
    else:
        said = [step.seat, step.decision, step.by_hand]
    return msgspec.json.encode(said, order="deterministic").decode()


def _first_other_figures(one: Sequence[StepShown], other: Sequence[StepShown]) -> tuple[int, int] | None:
    for mine, its in zip(one, other, strict=True):
        if mine.columns != its.columns:
            return mine.step, its.step
    return None
