"""Read and check the lines of a record file one by one, and describe the faults of a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import msgspec

from daybook.domain.kernel.errors import Figure, UnreadableError, unread
from daybook.domain.kernel.terms import Reason
from daybook.domain.kernel.unique_keys import decode_json
from daybook.services.files.validate import MisfitError, check_plain
from daybook.services.reading_limits import HEADER_LINE_BYTES, RECORD_LINE_BYTES, RECORD_LINES

BOM = b"\xef\xbb\xbf"


class BadFileError(UnreadableError):
    """A record file that cannot be read: which line, counted from 1, and why. Nothing was taken from it."""

    def __init__(self, line: int, message: str, /, **figures: Figure) -> None:
        super().__init__(message, **figures)
        self.line = line

    @property
    def says(self) -> str:
        return str(self.fault)

    def __str__(self) -> str:
        return f"line {self.line}: {self.fault}"


class RefusedLineError(BadFileError):
    """A line of a bare file that the rules refuse."""

    def __init__(self, line: int, rule: str, reason: Reason) -> None:
        if rule:
            super().__init__(line, "{rule}: {reason}", rule=rule, reason=reason)
        else:
            super().__init__(line, "{reason}", reason=reason)
        self.step = line - 1
        self.rule = rule
        self.reason = reason


def numbered_lines(source: BinaryIO, after: int = 0, limit: int = RECORD_LINES) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers from 1, without line ends. Raises BadFileError.

    Args:
        after: number of lines that were read already.
    """
    number = after
    while line := source.readline((RECORD_LINE_BYTES if number else HEADER_LINE_BYTES) + 1):
        number += 1
        yield number, _checked_line(number, line, limit)
    if not number:
        raise BadFileError(1, "the file is empty: a record begins with a header")


def _checked_line(number: int, line: bytes, limit: int) -> bytes:
    if number == 1 and line.startswith(BOM):
        raise BadFileError(1, "the file begins with a byte order mark: save it as UTF-8 without one")
    if number > limit:
        raise BadFileError(number, "a record has at most {limit} lines", limit=limit)
    if len(line) > (most := RECORD_LINE_BYTES if number > 1 else HEADER_LINE_BYTES):
        raise BadFileError(number, "the line is longer than {limit} bytes", limit=most)
    if line.endswith((b"\r\n", b"\r")):
        raise BadFileError(number, "the line ends with a carriage return: save the file with plain line feeds")
    line = line.removesuffix(b"\n")
    if not line.strip():
        raise BadFileError(number, "the line is empty")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise BadFileError(number, "byte {byte} is not UTF-8", byte=wrong.start + 1) from wrong
    return line


def decode_line(number: int, line: bytes, kind: Any) -> Any:
    """Decode a line of a record file. Raises BadFileError."""
    with line_errors(number):
        value = decode_json(line, kind)
        check_plain(msgspec.to_builtins(value))
    return value


@contextmanager
def line_errors(number: int) -> Iterator[None]:
    """Convert decoding errors inside the block to BadFileError with the line's number."""
    try:
        yield
    except msgspec.DecodeError as wrong:
        raise BadFileError(number, "{wrong}", wrong=unread(wrong)) from wrong
    except MisfitError as wrong:
        raise BadFileError(number, "{wrong}", wrong=wrong.fault) from wrong
    except RecursionError as deep:
        raise BadFileError(number, "values are nested too deeply") from deep
