"""Answers that are put together from answers about parts: what was counted since changes one part, the others are kept.

    answer(book, Additive(text, given, merge))      its rows, of all games

The figures of two games are those of one and those of the other, added up, or the greater, or the earlier of the two.
So the log is cut into stretches of positions (a game belongs to the one in which it was opened); what a query answers
about a stretch is kept, and what it answers about sixteen of them, about sixteen times sixteen, and so on to all. A
stretch notes how often something in it was counted (`read_models.note_changes`): what was kept before that is asked
again, of that stretch alone, with the same text. Where there is one stretch only, everything is asked at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from daybook.services.clock import now
from daybook.services.statistics.queries import Query, Rows, run, run_uncached
from daybook.services.store import read_models
from daybook.services.store.away import AWAY
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import STRETCH_BITS, counted_stretch, partial_answer

WIDER_BITS = 4  # sixteen stretches of one level are one of the next
ALL_BITS = 62  # everything is one stretch
AT_ONCE = 64  # stretches that are asked about in one query, and kept before the next
MOST_ROWS = 200_000  # of what is kept about one query
MOST_QUERIES = 500  # that are kept

STRETCH = "(s.position >> :bits)"  # the first thing that the query of an answer about parts selects, and groups by
WITHIN = "{within}"  # where its text has a condition about which positions are meant
_WITHIN = " AND s.position >= :first AND s.position < :until"

Merge = Callable[[Iterable[tuple[Any, ...]]], Rows]  # of rows without their stretch


class Additive(NamedTuple):
    """A query whose rows begin with STRETCH, and have WITHIN among their conditions. merge: puts parts together."""

    text: str
    given: dict[str, int | str]
    merge: Merge

    @property
    def whole(self) -> Query:
        """About all positions at once."""
        return Query(self.text.replace(WITHIN, ""), {**self.given, "bits": ALL_BITS})

    def within(self, first: int, until: int) -> Query:
        """About some stretches, each for itself."""
        return Query(self.text.replace(WITHIN, _WITHIN), {
            **self.given, "bits": STRETCH_BITS, "first": first << STRETCH_BITS, "until": until << STRETCH_BITS})


# --- putting together ------------------------------------------------------------------------------------------------


def _add(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else one + other


def _least(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else min(one, other)


def _most(one: Any, other: Any) -> Any:
    return other if one is None else one if other is None else max(one, other)


ADDED, LEAST, MOST = _add, _least, _most
Together = Callable[[Any, Any], Any]


def sums(keys: int, *figures: Together) -> Merge:
    """Rows that begin with so many keys are one where these are the same. figures: how each other column is added."""

    def merge(rows: Iterable[tuple[Any, ...]]) -> Rows:
        found: dict[tuple[Any, ...], list[Any]] = {}
        for row in rows:
            key, given = row[:keys], row[keys:]
            if (there := found.get(key)) is None:
                found[key] = list(given)
            else:
                found[key] = [add(a, b) for add, a, b in zip(figures, there, given, strict=True)]
        return [(*key, *row) for key, row in found.items()]

    return merge


def first_by(*columns: int, descending: bool) -> Merge:
    """The one row that comes first by some columns. descending: the greatest of the first of them."""
    order, first = itemgetter(*columns[1:]), columns[0]

    def merge(rows: Iterable[tuple[Any, ...]]) -> Rows:
        best = min(rows, key=lambda row: (-row[first] if descending else row[first], order(row)), default=None)
        return [] if best is None else [best]

    return merge


# --- an answer -------------------------------------------------------------------------------------------------------


def answer(book: Daybook, query: Additive) -> Rows:
    """What a query answers about all games, whatever order its rows are in."""
    changes, newest = _stretches(book)
    if newest == 0:
        return merged_whole(book, query)
    return _Parts(book, query, changes, newest).all()


def changes(book: Daybook) -> int | None:
    """How often anything was counted; None where there are so few games that nothing is kept."""
    stretches, newest = _stretches(book)
    return sum(stretches.values()) if newest else None


def merged_whole(book: Daybook, query: Additive) -> Rows:
    """The same, asked at once of all positions."""
    return query.merge(row[1:] for row in run(book, query.whole))


def _stretches(book: Daybook) -> tuple[dict[int, int], int]:
    """How often each stretch has changed, and which is the newest."""
    with book.views.connect() as connection:
        changes = {row.stretch: row.changes for row in connection.execute(sa.select(counted_stretch))}
        newest = connection.scalar(sa.text("SELECT MAX(position) FROM seat_summary")) or 0
    return changes, newest >> STRETCH_BITS


class _Part(NamedTuple):
    level: int
    stretch: int

    def parts(self, newest: int) -> list[_Part]:
        """The parts one level below. newest: of the lowest level."""
        first = self.stretch << WIDER_BITS
        last = min(first + (1 << WIDER_BITS) - 1, newest >> (self.level - 1) * WIDER_BITS)
        return [_Part(self.level - 1, stretch) for stretch in range(first, last + 1)]


ALL_OF_ONE = _Part(0, 0)


@dataclass(slots=True)
class _Parts:
    """What is kept of one query's answer, and what has to be asked again."""

    book: Daybook
    query: Additive
    changes: dict[int, int]
    newest: int
    key: str = ""
    top: _Part = ALL_OF_ONE
    versions: dict[_Part, int] = field(default_factory=dict)  # how often each part has changed
    kept: dict[_Part, int] = field(default_factory=dict)  # and had, when it was asked
    rows: dict[_Part, Rows] = field(default_factory=dict)

    def all(self) -> Rows:
        self._look()
        stale = self._read_kept()
        self._ask([part.stretch for part in stale if not part.level])
        for part in reversed(stale):  # the parts of each before itself
            if part.level:
                self.rows[part] = self.query.merge(row for one in part.parts(self.newest) for row in self.rows[one])
        if stale:
            self._keep([part for part in stale if part.level])
        return self.rows[self.top]

    def _read_kept(self) -> list[_Part]:
        """Read what is kept; the parts that have to be asked again. Another process may have forgotten some of it since
        this one looked."""
        while True:
            stale = [] if self._is_kept(self.top) else list(self._stale(self.top))
            wanted = [part for one in stale if one.level for part in one.parts(self.newest) if self._is_kept(part)]
            wanted = wanted if stale else [self.top]
            self._read(wanted)
            forgotten = [part for part in wanted if part not in self.rows]
            if not forgotten:
                return stale
            for part in forgotten:
                del self.kept[part]

    def _look(self) -> None:
        given = [self.query.text, sorted(self.query.given.items())]
        self.key = hashlib.sha256(msgspec.json.encode(given)).hexdigest()[:32]
        level = 0
        while self.newest >> level * WIDER_BITS:
            level += 1
        self.top = _Part(level, 0)
        for stretch, changes in self.changes.items():
            for above in range(level + 1):
                part = _Part(above, stretch >> above * WIDER_BITS)
                self.versions[part] = self.versions.get(part, 0) + changes
        with self.book.views.connect() as connection:
            self.kept = {_Part(level, stretch): changes for level, stretch, changes in connection.execute(
                sa.select(partial_answer.c.level, partial_answer.c.stretch, partial_answer.c.changes)
                .where(partial_answer.c.query == self.key))}

    def _is_kept(self, part: _Part) -> bool:
        return self.kept.get(part) == self.versions.get(part, 0)

    def _stale(self, part: _Part) -> Iterator[_Part]:
        """A part that has changed, and those of its parts that have."""
        yield part
        for one in part.parts(self.newest) if part.level else ():
            if not self._is_kept(one):
                yield from self._stale(one)

    def _read(self, parts: Sequence[_Part]) -> None:
        """Read what is kept of some parts."""
        wanted = set(parts)
        with self.book.views.connect() as connection:
            for level in {part.level for part in wanted}:
                numbers = [part.stretch for part in wanted if part.level == level]
                for stretch, rows in connection.execute(
                        sa.select(partial_answer.c.stretch, partial_answer.c.rows).where(
                            partial_answer.c.query == self.key, partial_answer.c.level == level,
                            partial_answer.c.stretch.in_(numbers))):
                    self.rows[_Part(level, stretch)] = [tuple(row) for row in msgspec.json.decode(rows)]

    def _ask(self, stretches: Sequence[int]) -> None:
        """Ask about some stretches, those that lie side by side at once."""
        for first, until in _side_by_side(sorted(stretches)):
            asked = [_Part(0, stretch) for stretch in range(first, until)]
            self.rows |= {part: [] for part in asked}
            for stretch, *row in run_uncached(self.book, self.query.within(first, until)):
                self.rows[_Part(0, stretch)].append(tuple(row))
            self._keep(asked)

    def _keep(self, parts: Sequence[_Part]) -> None:
        """Keep what was worked out, where that is not too much; nothing is lost where it cannot be written now."""
        if sum(len(self.rows[part]) for part in parts) > MOST_ROWS:
            return
        at = now()
        rows = [{"query": self.key, "level": part.level, "stretch": part.stretch,
                 "changes": self.versions.get(part, 0), "rows": msgspec.json.encode(self.rows[part]).decode(), "at": at}
                for part in parts]
        with suppress(*AWAY), self.book.views.begin() as connection:
            if not self.kept and parts[0].level == 0:
                _make_room(connection)
            read_models.write_rows(connection, {partial_answer: rows})


def _side_by_side(stretches: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Runs of numbers that follow one another, no more than AT_ONCE, from the first until before the last."""
    first: int | None = None
    for place, stretch in enumerate(stretches):
        first = stretch if first is None else first
        if place + 1 == len(stretches) or stretches[place + 1] != stretch + 1 or stretch + 1 - first == AT_ONCE:
            yield first, stretch + 1
            first = None


def _make_room(connection: sa.Connection) -> None:
    """Forget the query whose answer was worked out longest ago, if as many are kept as may be."""
    newest = sa.select(partial_answer.c.query).group_by(partial_answer.c.query).order_by(
        sa.func.max(partial_answer.c.at).desc()).offset(MOST_QUERIES - 1)
    connection.execute(partial_answer.delete().where(partial_answer.c.query.in_(newest)))
