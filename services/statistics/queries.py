"""SQL queries about counted games, with a cache of their answers.

`run(book, Query(text, given))` returns the rows. Inside `with remember_answers(book):` equal queries are answered from
memory. A query is one SQL text for SQLite and PostgreSQL.
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
    """SQL text with named parameters (`:name`) and their values."""

    text: str
    given: dict[str, Any]


def run(book: Daybook, query: Query) -> Rows:
    return ask_once([query.text, sorted(query.given.items())], lambda: run_uncached(book, query))


def ask_once(question: Sequence[Any], ask: Callable[[], Answer], rows: Callable[[Any], int] = len) -> Answer:
    """Return the remembered answer to a question, or compute it.

    Args:
        question: identifies the answer; encoded as JSON.
        rows: returns the size of an answer.
    """
    memory = _memory.get()
    return ask() if memory is None else memory.of(question, ask, rows)


def run_uncached(book: Daybook, query: Query) -> Rows:
    text = _read_text(query.text) if len(query.text) < MAX_PARSED_LENGTH else sa.text(query.text)
    return [tuple([_plain_number(value) for value in row]) for row in book.views.rows(text, query.given)]


def _plain_number(value: Any) -> Any:
    """Return a whole number as int: columns of scores have decimals."""
    return int(value) if type(value) is float and value.is_integer() else value


MAX_PARSED_LENGTH = 10_000  # characters of cached statements; a text may list thousands of games
_read_text = lru_cache(400)(sa.text)


MAX_ANSWERS = 400  # remembered per process
MAX_ANSWER_ROWS = 2_000  # of a remembered answer
VERSION = Query("SELECT v.changes FROM figures_version v", {})


class _Memory:
    """Answers to queries since the counted games changed last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._version: Rows | None = None
        self._answers: dict[bytes, Any] = {}  # by hash: a query may list thousands of games

    def look(self, book: Daybook) -> None:
        """Forget all answers if a game was counted since."""
        version = run_uncached(book, VERSION)
        with self._lock:
            if version != self._version:
                self._version, self._answers = version, {}

    def of(self, question: Sequence[Any], ask: Callable[[], Answer], rows: Callable[[Answer], int]) -> Answer:
        text = msgspec.json.encode(question, order="deterministic")
        answers, key = self._answers, hashlib.sha256(text).digest()
        if key in answers:
            remembered: Answer = answers[key]
            return remembered
        answer = ask()
        if rows(answer) <= MAX_ANSWER_ROWS:
            with self._lock:
                if len(answers) >= MAX_ANSWERS:
                    answers.pop(next(iter(answers)))
                answers[key] = answer  # of the version in `look`, even if a newer one exists
        return answer


_memories: WeakKeyDictionary[sa.Engine, _Memory] = WeakKeyDictionary()
_memory: ContextVar[_Memory | None] = ContextVar("memory", default=None)


@contextmanager
def remember_answers(book: Daybook) -> Iterator[None]:
    """Answer equal queries from memory inside the block, until a game is counted. Blocks can be nested."""
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
