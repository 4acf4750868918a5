"""Recording into a record file, without a service: one writer at a time, and never half a line.

The file is written beside itself, flushed to the disk and put in its place, so that whoever reads it, and whatever
ends the process, finds the record before a step or after it.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import msgspec

from daybook.domain.kernel.errors import Unreadable
from daybook.domain.kernel.record import Refused
from daybook.domain.kernel.ruleset import IllegalDecision, Reason
from daybook.services.clock import now
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BadFile, BareHeader, BareLine
from daybook.services.files.validate import Misfit
from daybook.services.play.writing import written


class RefusedDecision(Exception):
    """The rules or the record refuse it, and nothing was written."""

    def __init__(self, rule: str, reason: Reason) -> None:
        super().__init__(f"{rule}: {reason}" if rule else str(reason))
        self.rule = rule
        self.reason = reason


class NotALine(Unreadable):
    """What was given is nothing a record of this game can take."""


class Placed(msgspec.Struct, frozen=True):
    """Where it was written down. seal: of a full file."""

    step: int
    seal: str | None


def start(path: Path, header: BareHeader, bare: bool) -> Placed:
    """Begin a record file. Raises FileExistsError, BadFile, RefusedDecision (seats, colours, options)."""
    header = msgspec.structs.replace(header, game=header.game or uuid4())
    try:
        game = recordfile.opened(header, now())
    except recordfile.RefusedLine as no:
        raise RefusedDecision(no.rule, no.reason) from no
    if bare:
        lines = [recordfile.header_line(header)]
    else:
        names = [seat.name for seat in header.seats]
        lines = list(recordfile.full(recordfile.header_of(game, header.title, names), game.entries))
    with _draft(path, b"".join(lines)) as draft:
        os.link(draft, path)  # refuses where there is a file already
    return Placed(0, None if bare else game.seal)


def add(path: Path, line: BareLine, by: str) -> Placed:
    """Write the next thing down. Raises OSError, BadFile, NotALine, RefusedDecision."""
    with _held(path):
        content = path.read_bytes()
        with path.open("rb") as file:
            record = recordfile.read(file, now())
        game = record.game
        number = game.step + (2 if record.bare else 3)
        try:
            entry, _ = recordfile.next_entry(game, number, line, written(by, uuid4().hex))
        except (IllegalDecision, Refused) as no:
            raise RefusedDecision(no.rule, no.reason) from no
        except (BadFile, Misfit) as wrong:
            raise NotALine("{wrong}", wrong=wrong.fault) from wrong
        if not content.endswith(b"\n"):
            content += b"\n"
        added = recordfile.encoded(line) if record.bare else entry.line
        _put(path, content + added + b"\n")
        return Placed(entry.step, None if record.bare else entry.seal)


@contextmanager
def _held(path: Path) -> Iterator[None]:
    """Hold the file against other writers. It is replaced at every step: what was waited for may be the one before."""
    while True:
        handle = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                yield
                return
        finally:
            os.close(handle)


def _put(path: Path, content: bytes) -> None:
    """Replace a file by new content, whole or not at all, on disk when this returns."""
    with _draft(path, content) as draft:
        os.chmod(draft, os.stat(path).st_mode & 0o777)
        os.replace(draft, path)


@contextmanager
def _draft(path: Path, content: bytes) -> Iterator[Path]:
    """The content in a file beside `path`, on disk; afterwards the folder is on disk and the draft gone."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        yield draft
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    finally:
        draft.unlink(missing_ok=True)
