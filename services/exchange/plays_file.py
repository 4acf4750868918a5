"""A file of plays from any of the programs that Daybook can read."""

from __future__ import annotations

from daybook.services import reading_limits
from daybook.services.exchange import bgg, bgstats_file, table, workbook
from daybook.services.exchange.incoming import Incoming, NotReadableError, refuse_many
from daybook.services.reading_limits import LimitError


def read_plays(content: bytes) -> Incoming:
    """Read the plays of a file. Its first character tells which program wrote it. Raises NotReadableError."""
    readers = {b"{": bgstats_file.read_bgstats, b"<": bgg.read_bgg}
    try:
        reading_limits.check_size(content, reading_limits.PLAYS_FILE_BYTES)
        if content.startswith(workbook.ARCHIVE):
            found = workbook.read_workbook(content)
        else:
            found = readers.get(content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1], table.read_table)(content)
    except LimitError as limit:
        raise NotReadableError(limit.reason) from limit
    refuse_many(len(found.plays))
    return found
