"""Write a command to a record, a game or a club: all of its entries or none, and once per idempotency key.

`RecordKind` says how a kind of record is read, checked and appended to. Games: `services.play.recording`; clubs:
`services.league.clubs.writing`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID

from daybook.domain.kernel.chronicle import Refused, Written
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import because
from daybook.services.permissions.access import Grant
from daybook.services.permissions.actions import MayNotError
from daybook.services.play.repetition import Chronicle, MovedOnError, check_key, mark_of, repeated_step
from daybook.services.store.damage import refuse_damaged
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import AlreadyWrittenError
from daybook.services.written import new_written

R = TypeVar("R", bound=Chronicle)  # a game or a club
Draft = tuple[Sequence[Any], Any]  # the next entries, and what the kind of record keeps with them


class Receipt(Frozen):
    """Result of a command: the entry that it wrote."""

    record: UUID  # of the game or club
    step: int
    seal: str
    repeated: bool = False  # the same request wrote it before, under the same key


class Conflict(MovedOnError):
    """The record has newer entries. Read them, and decide again at step `step`."""

    def __init__(self, kind: str, record: Chronicle, new_entries: Sequence[Any]) -> None:
        step = len(record.entries) - 1
        super().__init__(
            record.id, step, f"the {kind} is at step {step} now: look at what was written meanwhile and decide again"
        )
        self.meanwhile = list(new_entries)


class Writer(Frozen):
    """A writer, checked against the record that the command is applied to.

    Args:
        by: the name in the record.
        grants: those of the links that the writer holds; in a game, all that they hold.
        own_session: the owner of the account signed in, and not another person's link.
    """

    by: str
    grants: Sequence[Grant] = ()
    own_session: bool = True


class RecordKind(NamedTuple, Generic[R]):
    """Functions that differ between commands to games and to clubs."""

    name: str
    read: Callable[[Daybook, UUID], R]
    permit: Callable[[Daybook, R, Any, Writer], None]  # raises MayNotError for a command that its writer may not write
    bears: Callable[[R, Any, Any], bool]  # checks if an unseen entry affects the command
    draft: Callable[[Daybook, R, Any, Written], Draft]
    append: Callable[[Daybook, R, Draft], object]  # raises AlreadyWrittenError


def write(
    kind: RecordKind[R],
    book: Daybook,
    record_id: UUID,
    command: Any,
    *,
    by: str | Writer,
    key: str,
    at: int | None = None,
    before_write: Callable[[], object] = lambda: None,
) -> Receipt:
    """Apply a command and append its entries atomically; retry if another writer was quicker.

    Args:
        by: the writer; of a game, a name without grants is Daybook itself and is not checked.
        key: the writer's idempotency key; the same key again answers the same step.
        at: the newest step that the writer has seen; None: the command stands whatever was written since.
        before_write: stores what the command names, just before it is written; what it raises stops that.

    Raises:
        MayNotError: the writer lacks the permission.
        Conflict: something was written since step `at` that bears on the command.
        Refused: the record is damaged.
        KeyUsedError: the key wrote something else.
        BadKeyError: the key is malformed.
    """
    check_key(key)
    writer = Writer(by) if isinstance(by, str) else by
    mark = mark_of(book, key, record_id, command)
    while True:
        record = kind.read(book, record_id)
        try:
            kind.permit(book, record, command, writer)
        except MayNotError as no:
            if no.missing == "fact" and at is not None:  # it may have been theirs to enter at step `at`
                refuse_stale(kind, record, command, at)
            raise
        if (step := repeated_step(record, key, mark)) is not None:
            return _receipt_of(record, step)
        refuse_damaged(book, record_id)
        if at is not None:
            refuse_stale(kind, record, command, at)
        draft = kind.draft(book, record, command, new_written(writer.by, key, mark=mark))
        if not draft[0]:  # the record says so already
            return _receipt_of(record, len(record.entries) - 1)
        before_write()
        try:
            kind.append(book, record, draft)
        except AlreadyWrittenError:
            continue
        entry = next(entry for entry in draft[0] if entry.event.key == key)
        return Receipt(record_id, entry.step, entry.seal)


def find_receipt(book: Daybook, record: Chronicle, command: Any, key: str) -> Receipt | None:
    """Return where this very command was written before under its key, if it was. Raises KeyUsedError."""
    step = repeated_step(record, key, mark_of(book, key, record.id, command))
    return None if step is None else _receipt_of(record, step)


def _receipt_of(record: Chronicle, step: int) -> Receipt:
    return Receipt(record.id, step, record.entries[step].seal, repeated=True)


def refuse_stale(kind: RecordKind[R], record: R, command: Any, at: int) -> None:
    """Raise Conflict if something was written since step `at` that bears on a command, Refused for an unknown step."""
    last = len(record.entries) - 1
    if not 0 <= at <= last:
        raise Refused(because("unknown_step", "the record has steps 0 to {last}, not {step}", last=last, step=at))
    meanwhile = record.entries[at + 1 :]
    if any(kind.bears(record, command, entry) for entry in meanwhile):
        raise Conflict(kind.name, record, meanwhile)
