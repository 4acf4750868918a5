"""Record files: a game as JSON Lines, for everyone to read, replay and verify without a server.

A full file is a header line and the game's lines byte for byte as they are stored. A bare file is a header and a
line for each thing that happened, as a person or another program writes it; the rules compute the rest. Both are
read line by line and checked as they come. `docs/record-format.md` describes them.
"""

from __future__ import annotations

from daybook.services.files.recordfile.bare_lines import Around, BareLine, check_next, encode_line, read_bare_line
from daybook.services.files.recordfile.files import (
    Record,
    bare_file,
    full_file,
    read_on,
    read_record_file,
    refuse_future,
)
from daybook.services.files.recordfile.headers import (
    BARE,
    BareHeader,
    BareSeat,
    Header,
    Id,
    Name,
    SeatNamed,
    SeatsSigned,
    bare_header,
    check_agrees,
    header_line,
    header_of,
    is_full,
    names_club,
    read_bare_header,
    read_header,
)
from daybook.services.files.recordfile.lines import BadFile, RefusedLine, decode_line, numbered_lines
from daybook.services.files.recordfile.playing import BareReading, bare_id, open_bare_game
from daybook.services.files.recordfile.repeated_lines import says_again

__all__ = [
    "BARE",
    "Around",
    "BadFile",
    "BareHeader",
    "BareLine",
    "BareReading",
    "BareSeat",
    "Header",
    "Id",
    "Name",
    "Record",
    "RefusedLine",
    "SeatNamed",
    "SeatsSigned",
    "bare_file",
    "bare_header",
    "bare_id",
    "check_agrees",
    "check_next",
    "decode_line",
    "encode_line",
    "full_file",
    "header_line",
    "header_of",
    "is_full",
    "names_club",
    "numbered_lines",
    "open_bare_game",
    "read_bare_header",
    "read_bare_line",
    "read_header",
    "read_on",
    "read_record_file",
    "refuse_future",
    "says_again",
]
