"""Queries about what was counted, and what they answered before.

    run(book, Query(text, given))    its rows
    with remember_answers(book): ... within it, what was asked before is not asked again

A query is one text of SQL for SQLite and PostgreSQL.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import msgspec
import sqlalchemy as sa

from daybook.services.store.daybook import Daybook

Rows = list[tuple[Any, ...]]
Answer = TypeVar("Answer")


class Query(NamedTuple):
    """A text of SQL with named places for what is given, `:name`."""

    text: str
    given: dict[str, int | str]


def run(book: Daybook, query: Query) -> Rows:
    return ask_once([query.text, sorted(query.given.items())], lambda: run_uncached(book, query))


def ask_once(question: Sequence[Any], ask: Callable[[], Answer], rows: Callable[[Any], int] = len) -> Answer:
    """Asks, where the answer is not remembered. question: which it is, in what JSON can say; rows: how many it has."""
    memory = _memory.get()
    return ask() if memory is None else memory.of(question, ask, rows)


def run_uncached(book: Daybook, query: Query) -> Rows:
    text = _read_text(query.text) if len(query.text) < LONG else sa.text(query.text)
    return [*map(tuple, book.views.rows(text, query.given))]


LONG = 10_000  # characters: a text may list the thousands of games of a club
_read_text = lru_cache(400)(sa.text)


ANSWERS = 400  # remembered in a process
ANSWER_ROWS = 2_000  # of one that is remembered, at most
STAND = Query("SELECT COUNT(*), CAST(SUM(c.changes) AS BIGINT) FROM counted_stretch c", {})  # goes up with each change


class _Memory:
    """What queries answered while the counted games stood as they do."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._stand: Rows | None = None
        self._answers: dict[bytes, Any] = {}  # by hashes: a query may list the thousands of games of a club

    def look(self, book: Daybook) -> None:
        """Forget everything if something was counted since."""
        stand = run_uncached(book, STAND)
        with self._lock:
            if stand != self._stand:
                self._stand, self._answers = stand, {}

    def of(self, question: Sequence[Any], ask: Callable[[], Answer], rows: Callable[[Answer], int]) -> Answer:
        text = msgspec.json.encode(question, order="deterministic")
        answers, key = self._answers, hashlib.sha256(text).digest()
        if key in answers:
            known: Answer = answers[key]
            return known
        answer = ask()
        if rows(answer) <= ANSWER_ROWS:
            with self._lock:
                if len(answers) >= ANSWERS:
                    answers.pop(next(iter(answers)))
                answers[key] = answer  # of the stand that was looked at, also if there is another one by now
        return answer


_memories: WeakKeyDictionary[sa.Engine, _Memory] = WeakKeyDictionary()
_memory: ContextVar[_Memory | None] = ContextVar("memory", default=None)


@contextmanager
def remember_answers(book: Daybook) -> Iterator[None]:
    """Within it, what was asked before is not asked again, as long as nothing was counted since it began. Within
    another it is a part of that."""
    if _memory.get() is not None:
        yield
        return
    memory = _memories.setdefault(book.views, _Memory())
    memory.look(book)
    token = _memory.set(memory)
    try:
        yield
    finally:
        _memory.reset(token)
