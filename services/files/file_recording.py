"""Recording into a record file without a service: one writer at a time, and never half a line.

The new file is written next to the old one, flushed and moved into its place, so that readers and crashes find the
record either before or after a step.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import msgspec

from daybook.domain.commands import Decide, NotAnEntryError, refuse_unexplained
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.decisions import NotADecisionError
from daybook.domain.kernel.errors import UnreadableError
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import IllegalDecision, ReasonedError
from daybook.domain.writing import apply
from daybook.services import atomic_files
from daybook.services.clock import now
from daybook.services.files import recordfile
from daybook.services.files.recordfile import BareHeader, BareLine
from daybook.services.files.validate import MisfitError, check_author
from daybook.services.written import new_nonce, new_written


class RefusedDecisionError(ReasonedError):
    """The rules or the record refuse it, and nothing was written."""


class NotALineError(UnreadableError):
    """The input cannot be recorded in this game."""


class WrittenLine(Frozen):
    """Place of a written line; the seal of a full file."""

    step: int
    seal: str | None


def start_file(path: Path, header: BareHeader, bare: bool) -> WrittenLine:
    """Create a record file. Raises FileExistsError, BadFileError, RefusedDecisionError (seats, colours, options)."""
    header = msgspec.structs.replace(header, game=header.game or uuid4())
    try:
        game = recordfile.open_bare_game(header, now())
    except recordfile.RefusedLineError as no:
        raise RefusedDecisionError(no.reason, no.rule) from no
    if bare:
        lines = [recordfile.header_line(header)]
    else:
        names = [seat.name for seat in header.seats]
        lines = list(recordfile.write_full_file(recordfile.build_header(game, header.title, names), game.entries))
    if not atomic_files.write_once(path, b"".join(lines)):
        raise FileExistsError(path)
    return WrittenLine(0, None if bare else game.seal)


def append_line(path: Path, line: BareLine, by: str) -> WrittenLine:
    """Append a line to a record file; in a full file, the clock sets the time.

    Args:
        by: author, unless the line names one.

    Raises OSError, BadFileError, NotALineError, RefusedDecisionError.
    """
    with _locked_file(path):
        content = path.read_bytes()
        with path.open("rb") as file:
            record = recordfile.read_record_file(file, now())
        game, by = record.game, line.by or by
        try:
            recordfile.check_next(line, game.step + 1, dated=record.bare)
            check_author(by)
            refuse_unexplained(game, line.command)
            if isinstance(line.command, Decide) and line.command.drawn_by_daybook:
                raise NotALineError("drawn: only Daybook records its own draws")
            (entry,), _ = apply(game, line.command, new_written(by, new_nonce(), line.at))
        except (IllegalDecision, Refused) as no:
            raise RefusedDecisionError(no.reason, no.rule) from no
        except (NotADecisionError, NotAnEntryError, MisfitError) as wrong:
            raise NotALineError("{wrong}", wrong=wrong.fault) from wrong
        if not content.endswith(b"\n"):
            content += b"\n"
        added = recordfile.encode_line(line) if record.bare else entry.line
        atomic_files.replace_file(path, content + added + b"\n", path.stat().st_mode & 0o777)
        return WrittenLine(entry.step, None if record.bare else entry.seal)


@contextmanager
def _locked_file(path: Path) -> Iterator[None]:
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
