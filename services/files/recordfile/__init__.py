"""Record files: a game as JSON Lines, for everyone to read, replay and verify without a server.

A full file is a header line and the game's lines byte for byte as they are stored. A bare file is a header and a
line for each thing that happened, as a person or another program writes it; the rules compute the rest. Both are
read line by line and checked as they come. `docs/record-format.md` describes them.
"""

from __future__ import annotations

from daybook.services.files.recordfile.bare_lines import BareLine, LineFields, check_next, encode_line, read_bare_line
from daybook.services.files.recordfile.files import (
    Record,
    bare_file,
    extend_game,
    read_record_file,
    refuse_future,
    write_full_file,
)
from daybook.services.files.recordfile.headers import (
    BARE_FORMAT,
    BareHeader,
    BareSeat,
    Header,
    Id,
    Name,
    SeatNamed,
    SeatsSigned,
    build_bare_header,
    build_header,
    check_header_agrees,
    header_line,
    is_club_header,
    is_full,
    read_bare_header,
    read_header,
)
from daybook.services.files.recordfile.lines import BadFileError, RefusedLineError, decode_line, numbered_lines
from daybook.services.files.recordfile.playing import BareReading, bare_game_id, open_bare_game
from daybook.services.files.recordfile.repeated_lines import is_repetition_note

__all__ = [
    "BARE_FORMAT",
    "BadFileError",
    "BareHeader",
    "BareLine",
    "BareReading",
    "BareSeat",
    "Header",
    "Id",
    "LineFields",
    "Name",
    "Record",
    "RefusedLineError",
    "SeatNamed",
    "SeatsSigned",
    "bare_file",
    "bare_game_id",
    "build_bare_header",
    "build_header",
    "check_header_agrees",
    "check_next",
    "decode_line",
    "encode_line",
    "extend_game",
    "header_line",
    "is_club_header",
    "is_full",
    "is_repetition_note",
    "numbered_lines",
    "open_bare_game",
    "read_bare_header",
    "read_bare_line",
    "read_header",
    "read_record_file",
    "refuse_future",
    "write_full_file",
]
