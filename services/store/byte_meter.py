"""Bytes that a request stores: counted where they are written, so that no kind of data can be forgotten.

The engine of the kept tables and the log add what they write to the meter of the current request, if it has one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the command line folds record files without a database
    import sqlalchemy as sa

RECORDS = "records"  # the kind of bytes in the log; other kinds are names of kept tables without "kept_"
UNCOUNTED = frozenset({"attempt", "change", "session", "stored", "secret", "version"})  # notes of Daybook itself
LIMITED_TOPICS = frozenset(  # entries of free text and imports; decisions are always accepted
    {"note_added", "claim_raised", "ruling_proposed", "ruling_appealed", "season_plays_imported"}
)


class ByteMeter:
    """Bytes stored so far, by kind.

    Args:
        require_room: raises if a number of bytes is more than the client may store now.
    """

    def __init__(self, require_room: Callable[[int], None]) -> None:
        self.bytes = Counter[str]()
        self.require_room = require_room

    def add(self, kind: str, size: int, *, is_limited: bool) -> None:
        """Count bytes that are about to be written. Raises what `require_room` raises."""
        if is_limited:
            self.require_room(self.bytes.total() + size)
        self.bytes[kind] += size


_meter: ContextVar[ByteMeter | None] = ContextVar("byte_meter", default=None)


def use_meter(meter: ByteMeter | None) -> None:
    """Count what the current request stores from now on; None: count nothing."""
    _meter.set(meter)


def current_meter() -> ByteMeter | None:
    return _meter.get()


def count_entry(topic: str, size: int) -> None:
    """Count an entry that is about to be appended to the log."""
    if (meter := _meter.get()) is not None:
        meter.add(RECORDS, size, is_limited=topic in LIMITED_TOPICS)


def count_statements_of(engine: sa.Engine) -> None:
    """Count what the statements of an engine insert and update."""
    from sqlalchemy import event

    event.listen(engine, "before_cursor_execute", _meter_written_values)


def _meter_written_values(_c: Any, _cursor: Any, _statement: str, _parameters: Any, context: Any, _many: bool) -> None:
    """Add the size of the values of an INSERT or UPDATE to the request's meter."""
    meter = _meter.get()
    if meter is None or context is None or not (context.isinsert or context.isupdate) or context.compiled is None:
        return
    kind = context.compiled.statement.table.name.removeprefix("kept_")
    if kind not in UNCOUNTED:
        values = context.compiled_parameters  # before the driver converts them
        meter.add(kind, _size_of(values), is_limited=context.isinsert)


def _size_of(parameters: Any) -> int:
    if isinstance(parameters, str | bytes):
        return len(parameters)
    if isinstance(parameters, dict):
        return sum(map(_size_of, parameters.values()))
    if isinstance(parameters, list | tuple):
        return sum(map(_size_of, parameters))
    return 8
