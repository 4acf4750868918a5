"""Answers that are put together from answers about parts: what was counted since changes one part, the others are kept.

    answer(book, Additive(text, given, merge))              its rows, of all games
    answer(book, query, Narrowing(seats, since, until))     of those with so many players, opened on these days
    with at_most(seconds): ...                              within it StillAsking is raised where it takes longer

The figures of two games are those of one and those of the other, added up, or the greater, or the earlier of the two.
So the log is cut into stretches of positions (a game belongs to the one in which it was opened); what a query answers
about a stretch is kept, and what it answers about sixteen of them, about sixteen times sixteen, and so on to all. A
stretch notes how often something in it was counted (`read_models.note_changes`): what was kept before that is asked
again, of that stretch alone, with the same text. Where there is one stretch only, everything is asked at once.

Numbers of players are kept apart, so that an answer about one of them is picked from what is kept about all. Days
follow one another as the log does, or nearly: an answer about some days is put together from the parts that lie within
them, and from what is asked about those stretches that they cut.

In a stretch hardly anybody sits twice, so that an answer by person is no smaller than its seats. So it is put together
from parts of 256 stretches, each asked at once, and its numbers of players are not kept apart.
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

WIDER_BITS = 4  # sixteen stretches of one level are one of the next
ALL_BITS = 62  # everything is one stretch
AT_ONCE = 16  # stretches that are asked about in one query, and kept before the next
BY_PERSON = 2  # the level of the smallest parts of an answer by person
MOST_ROWS = 250_000  # of a part that is kept
MOST_QUERIES = 1_000  # that are kept

STRETCH, PLAYERS = "(s.position >> :bits)", "s.seats"
APART = f"{STRETCH} AS stretch, {PLAYERS} AS seats"  # what a query selects first, and groups by
TOGETHER = f"{STRETCH} AS stretch, 0 AS seats"  # the same where numbers of players are not kept apart
WITHIN = "{within}"  # where its text has a condition about which positions, days and numbers of players are meant

Merge = Callable[[Iterable[tuple[Any, ...]]], Rows]  # of rows without their stretch and number of players
RowsApart = dict[int, Rows]  # by numbers of players


class Narrowing(NamedTuple):
    """Which games of all are meant. seats: so many players, 0 any; since, until: when they were opened, "" any time."""

    seats: int = 0
    since: str = ""
    until: str = ""

    @property
    def conditions(self) -> Query:
        """The same about `s`, a row of seat_summary; begins with AND, if there is any."""
        given = {name: value for name, value in self._asdict().items() if value}
        signs = {"seats": "s.seats =", "since": "s.at >=", "until": "s.at <"}
        return Query("".join(f" AND {signs[name]} :{name}" for name in given), given)


ANY = Narrowing()


class Additive(NamedTuple):
    """A query whose rows begin with APART or TOGETHER, and that has WITHIN among its conditions.

    merge: puts parts together. fold: makes of what was asked what is kept; None: it is kept as it is. lowest: the level
    of the smallest parts.
    """

    text: str
    given: dict[str, int | str]
    merge: Merge
    fold: Merge | None = None
    lowest: int = 0

    def whole(self, of: Narrowing = ANY) -> Query:
        """About all positions at once."""
        return self._where("", {"bits": ALL_BITS}, of)

    def within(self, first: int, until: int, of: Narrowing = ANY) -> Query:
        """About some of the smallest parts, each for itself."""
        bits = STRETCH_BITS + self.lowest * WIDER_BITS
        return self._where(
            " AND s.position >= :first AND s.position < :end",
            {"bits": bits, "first": first << bits, "end": until << bits},
            of,
        )

    def _where(self, positions: str, given: dict[str, int | str], of: Narrowing) -> Query:
        narrowed = of.conditions
        return Query(self.text.replace(WITHIN, positions + narrowed.text), {**self.given, **given, **narrowed.given})

    def merge_apart(self, parts: Iterable[RowsApart]) -> RowsApart:
        """Put parts together, each number of players for itself."""
        found: dict[int, list[Rows]] = {}
        for part in parts:
            for seats, rows in part.items():
                found.setdefault(seats, []).append(rows)
        return {seats: self.merge_rows(several) for seats, several in found.items()}

    def merge_rows(self, parts: Sequence[Rows]) -> Rows:
        return parts[0] if len(parts) == 1 else self.merge(chain.from_iterable(parts))


# --- putting together ------------------------------------------------------------------------------------------------


Together = Callable[[Sequence[Any]], Any]


def _known(together: Together) -> Together:
    """The same of those values that are not None; None of none."""

    def of_known(values: Sequence[Any]) -> Any:
        try:
            return together(values)
        except TypeError:
            known = [value for value in values if value is not None]
            return together(known) if known else None

    return of_known


ADDED, LEAST, MOST = _known(sum), _known(min), _known(max)


def sums(keys: int, *figures: Together) -> Merge:
    """Rows that begin with so many keys are one where these are the same. figures: what each other column comes to."""

    def merge(rows: Iterable[tuple[Any, ...]]) -> Rows:
        found: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for row in rows:
            found.setdefault(row[:keys], []).append(row)
        return [
            several[0]
            if len(several) == 1
            else (
                *key,
                *(figure(column) for figure, column in zip(figures, [*zip(*several, strict=True)][keys:], strict=True)),
            )
            for key, several in found.items()
        ]

    return merge


def first_by(*columns: int, descending: bool) -> Merge:
    """The one row that comes first by some columns. descending: the greatest of the first of them."""
    order, first = itemgetter(*columns[1:]), columns[0]

    def merge(rows: Iterable[tuple[Any, ...]]) -> Rows:
        best = min(rows, key=lambda row: (-row[first] if descending else row[first], order(row)), default=None)
        return [] if best is None else [best]

    return merge


# The first and the last day of a part.
DAYS = Additive(
    f"SELECT {APART}, MIN(s.at), MAX(s.at) FROM seat_summary s WHERE s.seats > 0{WITHIN} GROUP BY 1, 2",
    {},
    sums(0, LEAST, MOST),
)

# --- for so long -----------------------------------------------------------------------------------------------------


class StillAsking(Exception):
    """An answer takes longer than was allowed; what was asked so far is kept, and the rest is asked next time.

    done, of: stretches of the log, of the question that was being asked.
    """

    def __init__(self, done: int, of: int) -> None:
        super().__init__(f"{done} of {of} parts are asked")
        self.done, self.of = done, of


@dataclass(slots=True)
class _Allowed:
    until: float
    kept: bool = False  # something was: each time it gets further


_allowed: ContextVar[_Allowed | None] = ContextVar("allowed", default=None)


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Within it StillAsking is raised instead of asking about one part of the log after the other for longer."""
    token = _allowed.set(_Allowed(time.monotonic() + seconds))
    try:
        yield
    finally:
        _allowed.reset(token)


# --- an answer -------------------------------------------------------------------------------------------------------


def answer(book: Daybook, query: Additive, of: Narrowing = ANY) -> Rows:
    """What a query answers about all games, or some, whatever order its rows are in."""
    return ask_once([query.text, sorted(query.given.items()), of], lambda: _put_together(book, query, of))


def _put_together(book: Daybook, query: Additive, of: Narrowing) -> Rows:
    changes, newest = _stretches(book)
    if newest == 0:
        return merged_whole(book, query, of)
    return query.merge_rows(
        [
            rows
            for part in _parts_of(book, query, of, changes, newest)
            for seats, rows in part.items()
            if of.seats in (0, seats)
        ]
    )


def changes(book: Daybook) -> int | None:
    """How often anything was counted; None where there are so few games that nothing is kept."""
    stretches, newest = _stretches(book)
    return sum(stretches.values()) if newest else None


def merged_whole(book: Daybook, query: Additive, of: Narrowing = ANY) -> Rows:
    """The same, asked at once of all positions."""
    return query.merge_rows(
        [rows for part in _by_stretch(query, run(book, query.whole(of))).values() for rows in part.values()]
    )


def _stretches(book: Daybook) -> tuple[dict[int, int], int]:
    """How often each stretch has changed, and which is the newest."""
    with book.views.connect() as connection:
        changes = {row.stretch: row.changes for row in connection.execute(sa.select(counted_stretch))}
        newest = connection.scalar(sa.text("SELECT MAX(position) FROM seat_summary")) or 0
    return changes, newest >> STRETCH_BITS


def _parts_of(
    book: Daybook, query: Additive, of: Narrowing, changes: dict[int, int], newest: int
) -> Iterator[RowsApart]:
    """Answers about parts that are all games of some days together."""
    kept = _Parts(book, query, changes, newest)
    if not of.since and not of.until:
        yield from kept.answers([kept.top])
        return
    within, cut = _Parts(book, DAYS, changes, newest, query.lowest).cover(of, query.lowest)
    yield from kept.answers(within)
    for first, until in _side_by_side(cut, kept.at_once):
        yield from _by_stretch(query, run(book, query.within(first, until, of))).values()


def _by_stretch(query: Additive, asked: Rows) -> dict[int, RowsApart]:
    """What is kept of each stretch, from the rows of a query."""
    found: dict[int, RowsApart] = {}
    for row in asked:
        found.setdefault(row[0], {}).setdefault(row[1], []).append(row[2:])
    if query.fold is None:
        return found
    return {stretch: {seats: query.fold(rows) for seats, rows in apart.items()} for stretch, apart in found.items()}


class _Part(NamedTuple):
    level: int
    stretch: int


@dataclass(slots=True)
class _Parts:
    """What is kept of one query's answer, and what has to be asked again."""

    book: Daybook
    query: Additive
    changes: dict[int, int]
    newest: int
    top_level: int = 0  # at least
    key: str = field(init=False)
    top: _Part = field(init=False)
    versions: dict[_Part, int] = field(default_factory=dict)  # how often each part has changed
    kept: dict[_Part, int] = field(default_factory=dict)  # and had, when it was asked
    rows: dict[_Part, RowsApart] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = [self.query.text, sorted(self.query.given.items())]
        self.key = hashlib.sha256(msgspec.json.encode(given)).hexdigest()[:32]
        level = max(self.top_level, self.query.lowest)
        while self.newest >> level * WIDER_BITS:
            level += 1
        self.top = _Part(level, 0)
        for stretch, changes in self.changes.items():
            for above in range(level + 1):
                part = _Part(above, stretch >> above * WIDER_BITS)
                self.versions[part] = self.versions.get(part, 0) + changes
        self._look()

    @property
    def at_once(self) -> int:
        """How many of the smallest parts are asked about in one query."""
        return max(1, AT_ONCE >> self.query.lowest * WIDER_BITS)

    def _within(self, part: _Part, lowest: int) -> list[_Part]:
        """The parts of a part one level below. lowest: of the levels there are."""
        if part.level == lowest:
            return []
        first = part.stretch << WIDER_BITS
        last = min(first + (1 << WIDER_BITS) - 1, self.newest >> (part.level - 1) * WIDER_BITS)
        return [_Part(part.level - 1, stretch) for stretch in range(first, last + 1)]

    def _parts(self, part: _Part) -> list[_Part]:
        """What the answer about a part is put together from; nothing: it is asked."""
        return self._within(part, self.query.lowest)

    def _look(self) -> None:
        """See what is kept."""
        self.kept = {
            _Part(level, stretch): changes
            for level, stretch, changes in self.book.views.rows(
                sa.select(partial_answer.c.level, partial_answer.c.stretch, partial_answer.c.changes).where(
                    partial_answer.c.query == self.key
                )
            )
        }

    def answers(self, parts: Sequence[_Part]) -> list[RowsApart]:
        """About some parts, none of them within another."""
        stale = self._read_kept(parts)
        self._ask([part.stretch for part in stale if part.level == self.query.lowest])
        for part in reversed(stale):  # the parts of each before itself
            if smaller := self._parts(part):
                self.rows[part] = self.query.merge_apart(self.rows[smaller_part] for smaller_part in smaller)
        if wider := [part for part in stale if part.level > self.query.lowest]:
            self._keep(wider)
        return [self.rows[part] for part in parts]

    def cover(self, of: Narrowing, lowest: int) -> tuple[list[_Part], list[int]]:
        """Parts all of whose games were opened on these days, as large as there are; and those of the lowest level of
        which some were. Of DAYS."""
        within, cut, todo = list[_Part](), list[int](), [self.top]
        while todo:
            looked_at, todo = todo, []
            for part, apart in zip(looked_at, self.answers(looked_at), strict=True):
                for least, most in DAYS.merge(chain.from_iterable(apart.values())):
                    if most < of.since or (of.until and least >= of.until):
                        continue
                    if least >= of.since and (not of.until or most < of.until):
                        within.append(part)
                    elif parts := self._within(part, lowest):
                        todo += parts
                    else:
                        cut.append(part.stretch)
        return within, cut

    def _read_kept(self, parts: Sequence[_Part]) -> list[_Part]:
        """Read what is kept; the parts that have to be asked again. Another process may have forgotten some of it since
        this one looked."""
        while True:
            stale = [part for candidate in parts if not self._is_kept(candidate) for part in self._stale(candidate)]
            wanted = [candidate for part in stale for candidate in self._parts(part) if self._is_kept(candidate)]
            wanted += [part for part in parts if self._is_kept(part)]
            self._read(wanted)
            forgotten = [part for part in wanted if part not in self.rows]
            if not forgotten:
                return stale
            for part in forgotten:
                del self.kept[part]

    def _is_kept(self, part: _Part) -> bool:
        return self.kept.get(part) == self.versions.get(part, 0)

    def _stale(self, part: _Part) -> Iterator[_Part]:
        """A part that has changed, and those of its parts that have."""
        yield part
        for smaller_part in self._parts(part):
            if not self._is_kept(smaller_part):
                yield from self._stale(smaller_part)

    def _read(self, parts: Sequence[_Part]) -> None:
        """Read what is kept of some parts."""
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
                    self.rows[_Part(level, stretch)] = msgspec.json.decode(rows, type=RowsApart)

    def _ask(self, stretches: Sequence[int]) -> None:
        """Ask about some of the smallest parts, those that lie side by side at once."""
        for first, until in _side_by_side(sorted(stretches), self.at_once):
            self._raise_if_late()
            found = _by_stretch(self.query, run_uncached(self.book, self.query.within(first, until)))
            asked = [_Part(self.query.lowest, stretch) for stretch in range(first, until)]
            self.rows |= {part: found.get(part.stretch, {}) for part in asked}
            self._keep(asked)

    def _raise_if_late(self) -> None:
        allowed = _allowed.get()
        if allowed is not None and allowed.kept and time.monotonic() > allowed.until:
            done, lowest = {*self.rows, *(part for part in self.kept if self._is_kept(part))}, self.query.lowest
            raise StillAsking(sum(part.level == lowest for part in done), (self.newest >> lowest * WIDER_BITS) + 1)

    def _keep(self, parts: Sequence[_Part]) -> None:
        """Keep what was worked out, where that is not too much; nothing is lost where it cannot be written now."""
        parts = [part for part in parts if sum(map(len, self.rows[part].values())) <= MOST_ROWS]
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
                allowed.kept = True


def _side_by_side(stretches: Sequence[int], at_once: int) -> Iterator[tuple[int, int]]:
    """Runs of numbers that follow one another, no more than so many, from the first until before the last."""
    first: int | None = None
    for place, stretch in enumerate(stretches):
        first = stretch if first is None else first
        if place + 1 == len(stretches) or stretches[place + 1] != stretch + 1 or stretch + 1 - first == at_once:
            yield first, stretch + 1
            first = None


def _make_room(connection: sa.Connection) -> None:
    """Forget the query whose answer was worked out longest ago, if as many are kept as may be."""
    newest = (
        sa.select(partial_answer.c.query)
        .group_by(partial_answer.c.query)
        .order_by(sa.func.max(partial_answer.c.at).desc())
        .offset(MOST_QUERIES - 1)
    )
    connection.execute(partial_answer.delete().where(partial_answer.c.query.in_(newest)))
