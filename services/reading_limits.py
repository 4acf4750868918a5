"""Limits of everything that is read from users: files, pasted tables, sheets, typed text and the bodies of requests.

Every reader takes its limits from this module and checks them while it reads, before any work that grows with what was
sent. Size, nesting, fields, values and lines have separate limits: each of them alone can fill the memory.

    check_json(content, PLAYS_JSON)
    for number, row in read_rows(content, ","): ...
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from daybook.domain.kernel.chronicle import DEPTH_LIMIT, ENTRIES_LIMIT
from daybook.domain.kernel.terms import ReasonedError, because

# --- sizes -----------------------------------------------------------------------------------------------------------

PLAYS_FILE_BYTES = 40_000_000
RECORD_FILE_BYTES = 16 * 1024 * 1024  # a record of SIZE_LIMIT, its header, and what a form says around it
RECORD_LINE_BYTES = 2_000_000  # an opening with its sheet and board takes about 10,000
HEADER_LINE_BYTES = 20_000_000  # of a club file: it has the results of the club's records
RECORD_LINES = ENTRIES_LIMIT + 1  # the header
CLUB_FILE_LINES = 1_000_000  # a large club writes some thousand entries a year
CLUB_FILE_BYTES = 40_000_000  # of a club that is imported
MOVED_CLUB_LINES = 50_001  # of a club that is imported: the header and its entries
SHEET_FILE_BYTES = 256 * 1024
COMMAND_BYTES = 64 * 1024  # the body of a request that writes a command

TYPED_LETTERS = 60_000  # of a long game, written out
TYPED_BYTES_OF_A_TAP = 4_000  # of a form; a longer text is read by a process of the pool

PHOTO_BYTES = 15_000_000  # of one file as it is sent
PHOTOS_BYTES = 40 * 1024**2  # of all photos of a claim together
PHOTO_PIXELS = 60_000_000  # more than a telephone's camera has
PHOTO_SIDE_PIXELS = 20_000  # making a long side short takes memory by itself
DECODED_PIXELS = 24_000_000  # of a JPEG fewer than it has, of others all, in four bytes each

PLAYS = 20_000  # of one file
LISTED = 100  # names of expansions in one field

# --- structure -------------------------------------------------------------------------------------------------------

SMALL_BYTES = 16 * 1024  # JSON of this size cannot hold much: only its depth is limited, by its decoder


class JsonLimits(NamedTuple):
    """Limits for parsing JSON.

    Args:
        depth: of nested lists and objects.
        fields: of one object.
        values: in total.
        text: bytes of one text.
        deep_key: key of the reason for excessive depth.
    """

    depth: int = DEPTH_LIMIT
    fields: int = 20_000
    values: int = 200_000
    text: int = PLAYS_FILE_BYTES
    deep_key: str = "too_deep"


COMMAND_JSON = JsonLimits()
PLAYS_JSON = JsonLimits(depth=12, fields=200, values=3_000_000, text=100_000, deep_key="no_json")

XML_DEPTH = 12
XML_ATTRIBUTES = 50
XML_ELEMENT_BYTES = 100_000  # from one "<" to the next: a tag with its attributes and the text after it

TABLE_LINES = PLAYS * 12 + 1
TABLE_COLUMNS = 100
TABLE_ROW_LETTERS = 100_000

WORKBOOK_BYTES = 100_000_000  # of all parts, unpacked
WORKBOOK_PARTS = 500
WORKBOOK_SHEETS = 50
WORKBOOK_CELLS = 1_000_000  # that are not empty

TOML_LINES = 5_000
TOML_DOTS = 16  # in the names of one line
TOML_DEPTH = 8  # brackets within each other
TOML_VALUES = 50_000


class LimitError(ReasonedError):
    """The input exceeds a limit of this module; nothing of it was used."""


def check_size(content: bytes, limit: int) -> None:
    """Check the size of a file. Raises LimitError."""
    if len(content) > limit >= 1_000_000:
        raise LimitError(because("file_large", "the file is larger than {most} MB", most=limit // 1_000_000))
    if len(content) > limit:
        raise LimitError(because("file_large", "the file is larger than {most} kB", most=limit // 1_000))


def nested_error(limit: int, key: str = "too_deep") -> LimitError:
    return LimitError(because(key, "the file is nested too deeply: at most {most} levels are read", most=limit))


def fields_error(limit: int) -> LimitError:
    return LimitError(because("fields_many", "an entry has more than {most} fields", most=limit))


def values_error(limit: int) -> LimitError:
    return LimitError(because("values_many", "the file has more than {most} values", most=limit))


def lines_error(limit: int) -> LimitError:
    return LimitError(because("lines_many", "the file has more than {most} lines", most=limit))


def text_error(limit: int) -> LimitError:
    return LimitError(because("text_long", "a text in the file is longer than {most} bytes", most=limit))


# --- JSON ------------------------------------------------------------------------------------------------------------

_JSON = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[{]|[\]}]|,|[0-9]{400,}', re.DOTALL)
_OPEN_LIST, _OPEN_OBJECT, _CLOSE_LIST, _CLOSE_OBJECT, _COMMA, _QUOTE = b'[{]},"'


def check_json(content: bytes, limits: JsonLimits = COMMAND_JSON) -> None:
    """Check a JSON text without building any of its values; what else is wrong is left to its decoder.

    Raises LimitError.
    """
    if len(content) <= SMALL_BYTES:
        return
    outer = list[int]()  # the fields so far of each open object; below 0: the items of a list, which have no limit
    fields = values = 0
    for token in _JSON.finditer(content):
        start = token.start()
        sign = content[start]
        if sign == _QUOTE:
            if token.end() - start > limits.text:
                raise text_error(limits.text)
            continue
        if sign in (_CLOSE_LIST, _CLOSE_OBJECT):
            fields = outer.pop() if outer else 0
            continue
        if sign == _COMMA:
            fields += 1
        elif sign in (_OPEN_LIST, _OPEN_OBJECT):
            outer.append(fields)
            fields = 1 if sign == _OPEN_OBJECT else -limits.values
        else:
            raise LimitError(because("digits_many", "a number in the file has too many digits"))
        values += 1
        if len(outer) > limits.depth:
            raise nested_error(limits.depth, limits.deep_key)
        if fields > limits.fields:
            raise fields_error(limits.fields)
        if values > limits.values:
            raise values_error(limits.values)


# --- XML -------------------------------------------------------------------------------------------------------------

_LONG_ELEMENT = re.compile(rb"<[^<]{%d}" % XML_ELEMENT_BYTES)


class XmlLimits:
    """Count nesting and attributes while a parser reports elements."""

    def __init__(self, content: bytes) -> None:
        """Check for elements that a parser would have to build first. Raises LimitError."""
        if _LONG_ELEMENT.search(content):
            raise text_error(XML_ELEMENT_BYTES)
        self.depth = 0

    def start(self, attributes: dict[str, str]) -> None:
        """Count an element that begins. Raises LimitError."""
        self.depth += 1
        if self.depth > XML_DEPTH:
            raise nested_error(XML_DEPTH)
        if len(attributes) > XML_ATTRIBUTES:
            raise fields_error(XML_ATTRIBUTES)

    def end(self) -> None:
        self.depth -= 1


# --- tables ----------------------------------------------------------------------------------------------------------


def read_rows(content: bytes, delimiter: str) -> Iterator[list[str]]:
    """Yield the rows of a table in UTF-8, one at a time.

    Raises LimitError, UnicodeDecodeError, csv.Error.
    """
    lines = _LimitedLines(content)
    csv.field_size_limit(TABLE_ROW_LETTERS)
    for row in csv.reader(lines, delimiter=delimiter):
        lines.letters = 0
        if len(row) > TABLE_COLUMNS:
            raise fields_error(TABLE_COLUMNS)
        yield row


class _LimitedLines:
    """The lines of a text, with a limit of lines and of the letters read since a row was complete."""

    def __init__(self, content: bytes) -> None:
        self._source = io.TextIOWrapper(io.BytesIO(content), "utf-8-sig", newline="")
        self.letters = 0
        self.lines = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._source.readline(TABLE_ROW_LETTERS + 1)
        if not line:
            raise StopIteration
        self.lines += 1
        self.letters += len(line)
        if self.lines > TABLE_LINES:
            raise lines_error(TABLE_LINES)
        if self.letters > TABLE_ROW_LETTERS:
            raise text_error(TABLE_ROW_LETTERS)
        return line


def split_few(separator: re.Pattern[str], text: str, limit: int) -> list[str]:
    """Split a text into at most `limit` parts plus the rest."""
    return separator.split(text, maxsplit=limit)


# --- TOML ------------------------------------------------------------------------------------------------------------

_TOML_TEXT = re.compile(rb"""\"(?:[^"\\\n]|\\.)*+"|'[^'\n]*'|#[^\n]*""")
_TOML_SIGN = re.compile(rb"[\[\]{},]")


def check_toml(content: bytes) -> None:
    """Check a TOML text before its parser, which takes a time that grows with the square of a name's parts.

    Raises LimitError.
    """
    check_size(content, SHEET_FILE_BYTES)
    plain = _TOML_TEXT.sub(b"", content)
    lines = plain.split(b"\n")
    if len(lines) > TOML_LINES:
        raise lines_error(TOML_LINES)
    if max(line.count(b".") for line in lines) > TOML_DOTS:
        raise nested_error(TOML_DEPTH)
    signs = _TOML_SIGN.findall(plain)
    if len(signs) > TOML_VALUES:
        raise values_error(TOML_VALUES)
    depth = 0
    for sign in signs:
        depth += (sign in b"[{") - (sign in b"]}")
        if depth > TOML_DEPTH:
            raise nested_error(TOML_DEPTH)
