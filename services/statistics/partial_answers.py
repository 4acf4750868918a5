"""Cached partial answers: a query about all games is merged from answers about stretches of the log.

- `cached_rows(book, Additive(text, given, merge))` returns the rows about all games.

- `cached_rows(book, query, Narrowing(seats, since, until))` returns those about some games.

- `with answer_time_limit(seconds):` raises AnswerTimeoutError if an answer takes longer.

The figures of two sets of games can be merged: added, or the greater or earlier one. So the log is cut into stretches
of positions, by the game's opening. Answers about a stretch are cached, and about 16 stretches, 256, and so on. Each
stretch has a counter of changes (`read_models.note_changes`); an answer with an older counter is queried again, for
that stretch only. With a single stretch nothing is cached.

Answers are stored by number of players, so that one number can be selected. Days follow the order of the log
approximately: an answer about a period merges the parts inside it with direct queries of the stretches that it cuts.

Few people play twice within a stretch, so an answer by person is as large as its seats. It is merged from parts of 256
stretches, and does not distinguish numbers of players.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.statistics.queries import Query, Rows, ask_once, run, run_uncached
from daybook.services.store import read_models
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import STRETCH_BITS, counted_stretch, partial_answer

LEVEL_BITS = 4  # 16 stretches of a level are one of the next
ALL_BITS = 62  # shift that puts all positions into one stretch
STRETCHES_PER_QUERY = 16
BY_PERSON = 2  # lowest level of an answer by person
MAX_ROWS_PER_PART = 250_000
MAX_QUERIES = 1_000  # in the cache

STRETCH, PLAYERS = "(s.position >> :bits)", "s.seats"
APART = f"{STRETCH} AS stretch, {PLAYERS} AS seats"  # a query selects and groups by these first
TOGETHER = f"{STRETCH} AS stretch, 0 AS seats"  # without distinguishing numbers of players
WITHIN = "{within}"  # placeholder for the conditions on positions, days and numbers of players

Merge = Callable[[Iterable[tuple[Any, ...]]], Rows]  # rows without stretch and number of players
RowsBySeats = dict[int, Rows]  # by number of players


class Narrowing(NamedTuple):
    """Selection of games by number of players and date."""

    seats: int = 0  # 0: any
    since: str = ""  # when the game was opened; "": any
    until: str = ""

    @property
    def conditions(self) -> Query:
        """SQL conditions on a row `s` of seat_summary; each starts with AND."""
        given = {name: value for name, value in self._asdict().items() if value}
        signs = {"seats": "s.seats =", "since": "s.at >=", "until": "s.at <"}
        return Query("".join(f" AND {signs[name]} :{name}" for name in given), given)


ANY = Narrowing()


class Additive(NamedTuple):
    """Query with answers about parts of the log that can be merged.

    Its rows begin with APART or TOGETHER, and its conditions contain WITHIN.
    """

    text: str
    given: dict[str, int | str]
    merge: Merge  # combines rows of several parts
    fold: Merge | None = None  # reduces queried rows to the stored ones; None: stored unchanged
    lowest: int = 0  # level of the smallest parts

    def whole(self, narrowing: Narrowing = ANY) -> Query:
        """Return the query about all positions at once."""
        return self._where("", {"bits": ALL_BITS}, narrowing)

    def within(self, first: int, until: int, narrowing: Narrowing = ANY) -> Query:
        """Return the query about a range of the smallest parts, with separate rows for each."""
        bits = STRETCH_BITS + self.lowest * LEVEL_BITS
        return self._where(
            " AND s.position >= :first AND s.position < :end",
            {"bits": bits, "first": first << bits, "end": until << bits},
            narrowing,
        )

    def _where(self, positions: str, given: dict[str, int | str], narrowing: Narrowing) -> Query:
        narrowed = narrowing.conditions
        return Query(self.text.replace(WITHIN, positions + narrowed.text), {**self.given, **given, **narrowed.given})

    def merge_apart(self, parts: Iterable[RowsBySeats]) -> RowsBySeats:
        """Merge parts separately for each number of players."""
        found: dict[int, list[Rows]] = {}
        for part in parts:
            for seats, rows in part.items():
                found.setdefault(seats, []).append(rows)
        return {seats: self.merge_rows(several) for seats, several in found.items()}

    def merge_rows(self, parts: Sequence[Rows]) -> Rows:
        return parts[0] if len(parts) == 1 else self.merge(chain.from_iterable(parts))


# --- merging ---------------------------------------------------------------------------------------------------------


Together = Callable[[Sequence[Any]], Any]


def ignoring_none(combine: Together) -> Together:
    """Make a function ignore None; it returns None if there are no other values."""

    def of_known(values: Sequence[Any]) -> Any:
        try:
            return combine(values)
        except TypeError:
            known = [value for value in values if value is not None]
            return combine(known) if known else None

    return of_known


ADDED, LEAST, MOST = ignoring_none(sum), ignoring_none(min), ignoring_none(max)


def merge_sums(keys: int, *figures: Together) -> Merge:
    """Return a merge that combines rows with the same first `keys` columns; `figures` combine the other columns."""

    def merge(rows: Iterable[tuple[Any, ...]]) -> Rows:
        by_key: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for row in rows:
            by_key.setdefault(row[:keys], []).append(row)
        return [
            several[0]
            if len(several) == 1
            else (
                *key,
                *(figure(column) for figure, column in zip(figures, [*zip(*several, strict=True)][keys:], strict=True)),
            )
            for key, several in by_key.items()
        ]

    return merge


def first_by(*columns: int, descending: bool) -> Merge:
    """Return a merge that picks the first row in the order of these columns.

    `descending` reverses the first of them only.
    """
    order, first = itemgetter(*columns[1:]), columns[0]

    def merge(rows: Iterable[tuple[Any, ...]]) -> Rows:
        best = min(rows, key=lambda row: (-row[first] if descending else row[first], order(row)), default=None)
        return [] if best is None else [best]

    return merge


# The first and the last day of a part.
DAYS = Additive(
    f"SELECT {APART}, MIN(s.at), MAX(s.at) FROM seat_summary s WHERE s.seats > 0{WITHIN} GROUP BY 1, 2",
    {},
    merge_sums(0, LEAST, MOST),
)

# --- time limit ------------------------------------------------------------------------------------------------------


class AnswerTimeoutError(Exception):
    """An answer takes longer than allowed. Finished parts are stored, so that a retry continues from there.

    `done` and `total` count stretches of the log for the current query.
    """

    def __init__(self, done: int, of: int) -> None:
        super().__init__(f"{done} of {of} parts are asked")
        self.done, self.of = done, of


@dataclass(slots=True)
class _Allowed:
    until: float
    stored: bool = False  # a part was stored, so that each attempt makes progress


_allowed: ContextVar[_Allowed | None] = ContextVar("allowed", default=None)


@contextmanager
def answer_time_limit(seconds: float) -> Iterator[None]:
    """Raise AnswerTimeoutError inside the block when queries of parts take longer in total."""
    token = _allowed.set(_Allowed(time.monotonic() + seconds))
    try:
        yield
    finally:
        _allowed.reset(token)


# --- an answer -------------------------------------------------------------------------------------------------------


def cached_rows(book: Daybook, query: Additive, narrowing: Narrowing = ANY) -> Rows:
    """Return the rows of a query about all games, or a selection, in any order."""
    return ask_once([query.text, sorted(query.given.items()), narrowing], lambda: _merge_parts(book, query, narrowing))


def _merge_parts(book: Daybook, query: Additive, narrowing: Narrowing) -> Rows:
    changes, newest = _stretches(book)
    if newest == 0:
        return uncached_rows(book, query, narrowing)
    return query.merge_rows(
        [
            rows
            for part in _parts_of(book, query, narrowing, changes, newest)
            for seats, rows in part.items()
            if narrowing.seats in (0, seats)
        ]
    )


def count_changes(book: Daybook) -> int | None:
    """Return the total number of changes; None if there are so few games that nothing is cached."""
    stretches, newest = _stretches(book)
    return sum(stretches.values()) if newest else None


def uncached_rows(book: Daybook, query: Additive, narrowing: Narrowing = ANY) -> Rows:
    """Return the rows of a query with one query of all positions, without the cache."""
    return query.merge_rows(
        [rows for part in _by_stretch(query, run(book, query.whole(narrowing))).values() for rows in part.values()]
    )


def _stretches(book: Daybook) -> tuple[dict[int, int], int]:
    """Return the number of changes of each stretch, and the newest stretch."""
    with book.views.connect() as connection:
        changes = {row.stretch: row.changes for row in connection.execute(sa.select(counted_stretch))}
        newest = connection.scalar(sa.text("SELECT MAX(position) FROM seat_summary")) or 0
    return changes, newest >> STRETCH_BITS


def _parts_of(
    book: Daybook, query: Additive, narrowing: Narrowing, changes: dict[int, int], newest: int
) -> Iterator[RowsBySeats]:
    """Yield answers about parts that together are all games of a period."""
    parts = _Parts(book, query, changes, newest)
    if not narrowing.since and not narrowing.until:
        yield from parts.answers([parts.top])
        return
    within, cut = _Parts(book, DAYS, changes, newest, query.lowest).cover(narrowing, query.lowest)
    yield from parts.answers(within)
    for first, until in _side_by_side(cut, parts.at_once):
        yield from _by_stretch(query, run(book, query.within(first, until, narrowing))).values()


def _by_stretch(query: Additive, queried_rows: Rows) -> dict[int, RowsBySeats]:
    """Group the rows of a query by stretch and number of players, as they are stored."""
    by_stretch: dict[int, RowsBySeats] = {}
    for row in queried_rows:
        by_stretch.setdefault(row[0], {}).setdefault(row[1], []).append(row[2:])
    if query.fold is None:
        return by_stretch
    return {
        stretch: {seats: query.fold(rows) for seats, rows in by_seats.items()}
        for stretch, by_seats in by_stretch.items()
    }


class _Part(NamedTuple):
    level: int
    stretch: int


@dataclass(slots=True)
class _Parts:
    """Cached parts of one query's answer."""

    book: Daybook
    query: Additive
    changes: dict[int, int]
    newest: int
    top_level: int = 0  # minimum
    key: str = field(init=False)
    top: _Part = field(init=False)
    versions: dict[_Part, int] = field(default_factory=dict)  # number of changes of each part
    kept: dict[_Part, int] = field(default_factory=dict)  # number of changes when it was stored
    rows: dict[_Part, RowsBySeats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = [self.query.text, sorted(self.query.given.items())]
        self.key = hashlib.sha256(msgspec.json.encode(given)).hexdigest()[:32]
        level = max(self.top_level, self.query.lowest)
        while self.newest >> level * LEVEL_BITS:
            level += 1
        self.top = _Part(level, 0)
        for stretch, changes in self.changes.items():
            for above in range(level + 1):
                part = _Part(above, stretch >> above * LEVEL_BITS)
                self.versions[part] = self.versions.get(part, 0) + changes
        self._look()

    @property
    def at_once(self) -> int:
        """Number of smallest parts per query."""
        return max(1, STRETCHES_PER_QUERY >> self.query.lowest * LEVEL_BITS)

    def _within(self, part: _Part, lowest: int) -> list[_Part]:
        """Return the parts of a part one level below; none at the lowest level."""
        if part.level == lowest:
            return []
        first = part.stretch << LEVEL_BITS
        last = min(first + (1 << LEVEL_BITS) - 1, self.newest >> (part.level - 1) * LEVEL_BITS)
        return [_Part(part.level - 1, stretch) for stretch in range(first, last + 1)]

    def _parts(self, part: _Part) -> list[_Part]:
        """Return the parts that a part's answer is merged from; none if it is queried."""
        return self._within(part, self.query.lowest)

    def _look(self) -> None:
        """Load which parts are stored."""
        self.kept = {
            _Part(level, stretch): changes
            for level, stretch, changes in self.book.views.rows(
                sa.select(partial_answer.c.level, partial_answer.c.stretch, partial_answer.c.changes).where(
                    partial_answer.c.query == self.key
                )
            )
        }

    def answers(self, parts: Sequence[_Part]) -> list[RowsBySeats]:
        """Return the answers about parts that do not overlap."""
        stale = self._read_kept(parts)
        self._ask([part.stretch for part in stale if part.level == self.query.lowest])
        for part in reversed(stale):  # the parts of each before itself
            if smaller := self._parts(part):
                self.rows[part] = self.query.merge_apart(self.rows[smaller_part] for smaller_part in smaller)
        if wider := [part for part in stale if part.level > self.query.lowest]:
            self._keep(wider)
        return [self.rows[part] for part in parts]

    def cover(self, narrowing: Narrowing, lowest: int) -> tuple[list[_Part], list[int]]:
        """Split a period into the largest parts inside it, and the lowest-level stretches that it cuts.

        The query is DAYS.
        """
        within, cut, todo = list[_Part](), list[int](), [self.top]
        while todo:
            current, todo = todo, []
            for part, by_seats in zip(current, self.answers(current), strict=True):
                for first_day, last_day in DAYS.merge(chain.from_iterable(by_seats.values())):
                    if last_day < narrowing.since or (narrowing.until and first_day >= narrowing.until):
                        continue
                    if first_day >= narrowing.since and (not narrowing.until or last_day < narrowing.until):
                        within.append(part)
                    elif parts := self._within(part, lowest):
                        todo += parts
                    else:
                        cut.append(part.stretch)
        return within, cut

    def _read_kept(self, parts: Sequence[_Part]) -> list[_Part]:
        """Read stored answers; return the parts to query again.

        Another process may have removed some since `_look`.
        """
        while True:
            stale = [part for candidate in parts if not self._is_kept(candidate) for part in self._stale(candidate)]
            wanted = [candidate for part in stale for candidate in self._parts(part) if self._is_kept(candidate)]
            wanted += [part for part in parts if self._is_kept(part)]
            self._read(wanted)
            missing = [part for part in wanted if part not in self.rows]
            if not missing:
                return stale
            for part in missing:
                del self.kept[part]

    def _is_kept(self, part: _Part) -> bool:
        return self.kept.get(part) == self.versions.get(part, 0)

    def _stale(self, part: _Part) -> Iterator[_Part]:
        """Yield a changed part, and its changed parts."""
        yield part
        for smaller_part in self._parts(part):
            if not self._is_kept(smaller_part):
                yield from self._stale(smaller_part)

    def _read(self, parts: Sequence[_Part]) -> None:
        """Read the stored answers of parts."""
        wanted = set(parts)
        with self.book.views.connect() as connection:
            for level in {part.level for part in wanted}:
                numbers = [part.stretch for part in wanted if part.level == level]
                for stretch, rows in connection.execute(
                    sa.select(partial_answer.c.stretch, partial_answer.c.rows).where(
                        partial_answer.c.query == self.key,
                        partial_answer.c.level == level,
                        partial_answer.c.stretch.in_(numbers),
                    )
                ):
                    self.rows[_Part(level, stretch)] = msgspec.json.decode(rows, type=RowsBySeats)

    def _ask(self, stretches: Sequence[int]) -> None:
        """Query the smallest parts, adjacent ones together, and store the answers."""
        for first, until in _side_by_side(sorted(stretches), self.at_once):
            self._raise_if_late()
            by_stretch = _by_stretch(self.query, run_uncached(self.book, self.query.within(first, until)))
            queried = [_Part(self.query.lowest, stretch) for stretch in range(first, until)]
            self.rows |= {part: by_stretch.get(part.stretch, {}) for part in queried}
            self._keep(queried)

    def _raise_if_late(self) -> None:
        allowed = _allowed.get()
        if allowed is not None and allowed.stored and time.monotonic() > allowed.until:
            done, lowest = {*self.rows, *(part for part in self.kept if self._is_kept(part))}, self.query.lowest
            raise AnswerTimeoutError(
                sum(part.level == lowest for part in done), (self.newest >> lowest * LEVEL_BITS) + 1
            )

    def _keep(self, parts: Sequence[_Part]) -> None:
        """Store answers that are not too large. A failed write loses nothing."""
        parts = [part for part in parts if sum(map(len, self.rows[part].values())) <= MAX_ROWS_PER_PART]
        if not parts:
            return
        at = now()
        rows = [
            {
                "query": self.key,
                "level": part.level,
                "stretch": part.stretch,
                "changes": self.versions.get(part, 0),
                "rows": msgspec.json.encode(self.rows[part]).decode(),
                "at": at,
            }
            for part in parts
        ]
        with suppress(*UNAVAILABLE), self.book.views.begin() as connection:
            if not self.kept and parts[0].level == self.query.lowest:
                _make_room(connection)
            read_models.write_rows(connection, {partial_answer: rows})
            if allowed := _allowed.get():
                allowed.stored = True


def _side_by_side(stretches: Sequence[int], limit: int) -> Iterator[tuple[int, int]]:
    """Yield ranges (first, end) of consecutive numbers, each at most `limit` long."""
    first: int | None = None
    for place, stretch in enumerate(stretches):
        first = stretch if first is None else first
        if place + 1 == len(stretches) or stretches[place + 1] != stretch + 1 or stretch + 1 - first == limit:
            yield first, stretch + 1
            first = None


def _make_room(connection: sa.Connection) -> None:
    """Remove the queries that were answered longest ago, if the cache is full."""
    newest = (
        sa.select(partial_answer.c.query)
        .group_by(partial_answer.c.query)
        .order_by(sa.func.max(partial_answer.c.at).desc())
        .offset(MAX_QUERIES - 1)
    )
    connection.execute(partial_answer.delete().where(partial_answer.c.query.in_(newest)))
