"""Return how SQLite runs queries: what it scans, and what it looks up in an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from daybook.services.store.daybook import Daybook


@contextmanager
def statements_of(engine: sa.Engine) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are carried out meanwhile, with what they are given."""
    asked = list[tuple[str, Any]]()

    def note(*of: Any) -> None:
        asked.append((of[2], of[3]))

    sa.event.listen(engine, "before_cursor_execute", note)
    yield asked
    sa.event.remove(engine, "before_cursor_execute", note)


def plans_of(book: Daybook, work: Callable[[], object]) -> list[str]:
    """Return the query plans of some work."""
    with statements_of(book.views) as asked:
        work()
    with book.views.connect() as connection:
        return [
            str(row[3])
            for text, given in asked
            for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", given)
        ]
