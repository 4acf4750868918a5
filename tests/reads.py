"""Counts what is really read: statements on the log and on the tables, while something is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from daybook.services.store.daybook import Daybook

NO_QUERY = ("BEGIN", "PRAGMA", "SET", "COMMIT", "ROLLBACK")  # how a connection is made ready


class Reads:
    """Statements in the order in which they were executed."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.tables: list[str] = []


@contextmanager
def count_reads(book: Daybook) -> Iterator[Reads]:
    """Count the reads of a daybook by any thread."""
    reads = Reads()

    def query(connection: Any, cursor: Any, statement: str, *rest: Any) -> None:
        if not statement.lstrip().upper().startswith(NO_QUERY):
            reads.tables.append(statement)

    def note_call(name: str, read: Callable[..., Any]) -> Callable[..., Any]:
        def reading(*values: Any, **named: Any) -> Any:
            reads.log.append(str(values[0]) if name == "_rows" else name)
            return read(*values, **named)

        return reading

    engines = (book.kept.engine, book.views)
    for engine in engines:
        sa.event.listen(engine, "before_cursor_execute", query)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("select_events", "select_notifications", "max_notification_id", "_rows"):  # every read is one
            patch.setattr(book.log.recorder, name, note_call(name, getattr(book.log.recorder, name)))
        try:
            yield reads
        finally:
            for engine in engines:
                sa.event.remove(engine, "before_cursor_execute", query)
