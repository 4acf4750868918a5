"""A file of plays from any of the programs that Daybook can read."""

from __future__ import annotations

from collections.abc import Mapping

from daybook.services import reading_limits
from daybook.services.exchange import bgg, bgstats_file, table, workbook
from daybook.services.exchange.incoming import Incoming, NotReadableError, refuse_many
from daybook.services.exchange.table import NO_COLUMNS
from daybook.services.reading_limits import LimitError


def read_plays(content: bytes, columns: Mapping[str, str] = NO_COLUMNS) -> Incoming:
    """Read the plays of a file. Its first character tells which program wrote it. Raises NotReadableError.

    columns: meanings of the headings of a table, as for `read_table`.
    """
    try:
        reading_limits.check_size(content, reading_limits.PLAYS_FILE_BYTES)
        match _first_character(content):
            case b"{":
                found = bgstats_file.read_bgstats(content)
            case b"<":
                found = bgg.read_bgg(content)
            case _ if content.startswith(workbook.ARCHIVE):
                found = workbook.read_workbook(content, columns)
            case _:
                found = table.read_table(content, columns)
    except LimitError as limit:
        raise NotReadableError(limit.reason) from limit
    refuse_many(len(found.plays))
    return found


def _first_character(content: bytes) -> bytes:
    return content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]


def read_headings(content: bytes, columns: Mapping[str, str] = NO_COLUMNS) -> list[tuple[str, str]]:
    """Return the headings of a table or of the first sheet, with their meanings; empty for another or a faulty file."""
    if _first_character(content) in (b"{", b"<"):
        return []
    try:
        first = next(workbook.sheets_of(content)) if content.startswith(workbook.ARCHIVE) else content
        return table.read_headings(first, columns)
    except (NotReadableError, LimitError, StopIteration):
        return []
