"""Workbooks of spreadsheet programs, .xlsx and .ods, as tables.

A workbook is an archive: its parts are unpacked in pieces and counted before the library builds any table of them, so
that neither a part that unpacks to gigabytes nor a cell that is repeated a million times fills the memory.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from xml.parsers import expat

from daybook.domain.kernel.terms import because
from daybook.services.csv_files import write_csv
from daybook.services.exchange.incoming import Incoming, NotReadableError
from daybook.services.exchange.table import NO_COLUMNS, read_table
from daybook.services.reading_limits import (
    TABLE_COLUMNS,
    TABLE_LINES,
    WORKBOOK_BYTES,
    WORKBOOK_CELLS,
    WORKBOOK_PARTS,
    WORKBOOK_SHEETS,
    LimitError,
    fields_error,
    lines_error,
    values_error,
)

ARCHIVE = b"PK\x03\x04"  # how the file begins
PIECE_BYTES = 1 << 16
# names of elements without their prefixes, which programs choose
SHEETS, ROWS, CELLS = ("sheetData", "table"), ("row", "table-row"), ("c", "table-cell", "covered-table-cell")


def read_workbook(content: bytes, columns: Mapping[str, str] = NO_COLUMNS) -> Incoming:
    """Read the plays of the first sheet that has some. Raises NotReadableError, LimitError. columns: as for a table."""
    refused: NotReadableError | None = None
    for sheet in sheets_of(content):
        try:
            return read_table(sheet, columns)
        except NotReadableError as no:
            refused = refused or no
    raise refused or _no_workbook()


def sheets_of(content: bytes) -> Iterator[bytes]:
    """Yield the sheets of a workbook that are not empty, as tables. Raises NotReadableError, LimitError."""
    from python_calamine import CalamineError, CalamineWorkbook

    _check_parts(content)
    try:
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
        for name in workbook.sheet_names:
            rows = workbook.get_sheet_by_name(name).to_python()
            if rows:
                yield write_csv(map(_text_of, rows[0]), (map(_text_of, row) for row in rows[1:]))
    except CalamineError as wrong:
        raise _no_workbook() from wrong


def _no_workbook() -> NotReadableError:
    return NotReadableError(because("no_workbook", "the file is incomplete, or it is not a workbook (.xlsx or .ods)"))


def _text_of(value: object) -> str:
    """Return a cell as a table has it: whole numbers without a point, days as 2026-11-28."""
    match value:
        case bool():
            return "yes" if value else ""
        case float() if value.is_integer():
            return str(int(value))
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(timespec="seconds")
        case timedelta():
            return str(round(value / timedelta(minutes=1)))
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)


# --- limits ----------------------------------------------------------------------------------------------------------


class _Counter:
    """Count sheets, rows and cells while a parser reports elements."""

    def __init__(self) -> None:
        self.sheets = self.cells = self.rows = self.columns = 0
        self.repeated, self.has_value = 1, False  # of the present row

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        attributes = {key.rpartition(":")[2]: value for key, value in attributes.items()}
        if name in SHEETS:
            self.sheets += 1
            self.rows = 0
            if self.sheets > WORKBOOK_SHEETS:
                raise LimitError(because("sheets_many", "it has more than {most} sheets", most=WORKBOOK_SHEETS))
        elif name in ROWS:
            self.columns = 0
            self.rows = _number(attributes.get("r"), self.rows + 1)
            self.repeated, self.has_value = _number(attributes.get("number-rows-repeated"), 1), False
        elif name in CELLS:
            is_empty = name != "c" and "value-type" not in attributes
            self.columns += 1 if is_empty else _number(attributes.get("number-columns-repeated"), 1)
            reference = attributes.get("r", "")
            column = _column_number(reference) if reference else self.columns
            if is_empty:
                return  # a sheet is filled with repeated empty cells to its end
            self.cells += _number(attributes.get("number-columns-repeated"), 1) * self.repeated
            if not self.has_value:
                self.rows += self.repeated - 1
                self.has_value = True
            if max(column, self.columns) > TABLE_COLUMNS:
                raise fields_error(TABLE_COLUMNS)
            if max(self.rows, _row_number(reference)) > TABLE_LINES:
                raise lines_error(TABLE_LINES)
            if self.cells > WORKBOOK_CELLS:
                raise values_error(WORKBOOK_CELLS)


def _number(text: str | None, missing: int) -> int:
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 10 else missing


def _column_number(reference: str) -> int:
    """Return the number of a column: 1 for A7, 28 for AB7."""
    number = 0
    for letter in reference[:4]:
        if not ("A" <= letter <= "Z"):
            break
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _row_number(reference: str) -> int:
    return _number(reference.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), 0)


def _check_parts(content: bytes) -> None:
    """Check every part of an archive while it is unpacked. Raises NotReadableError, LimitError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
            if len(parts) > WORKBOOK_PARTS:
                raise _too_large()
            counter, unpacked = _Counter(), 0
            for part in parts:
                parser = _parser_of(counter) if part.filename.endswith(".xml") else None
                for piece in _pieces_of(archive, part):
                    unpacked += len(piece)
                    if unpacked > WORKBOOK_BYTES:
                        raise _too_large()
                    if parser is not None:
                        parser.Parse(piece, False)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        RuntimeError,
        OSError,
        expat.ExpatError,
    ) as wrong:
        raise _no_workbook() from wrong


def _too_large() -> LimitError:
    return LimitError(because("file_large", "the file is larger than {most} MB", most=WORKBOOK_BYTES // 1_000_000))


def _pieces_of(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(part) as stream:
        while piece := stream.read(PIECE_BYTES):
            yield piece


def _parser_of(counter: _Counter) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.StartElementHandler = counter.start
    parser.StartDoctypeDeclHandler = _refuse_doctype
    return parser


def _refuse_doctype(*declared: object) -> None:
    raise _no_workbook()
