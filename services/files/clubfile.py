"""Club files: a club's own chain of entries as JSON Lines, for everyone to verify without a server.

The file has a header line, and then the club's lines exactly as they are stored. The header has the names of people; the
sealed entries have their ids. `docs/record-format.md` describes it. The checks of new entries are not repeated for stored
ones, so a club stays readable when a check is corrected.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import FORMAT, BrokenSealError, format_fault
from daybook.domain.kernel.errors import fault
from daybook.domain.kernel.frozen import Exact
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import AnyEvent, ClubEntry, ClubFounded, read_line
from daybook.services.files.recordfile import BadFileError, Id, Name, decode_line
from daybook.services.files.validate import MisfitError, check_writing_fields, sealed_entry

if TYPE_CHECKING:  # the command line verifies files without a database
    from daybook.services.store.daybook import Daybook


class ClubHeader(Exact):
    """The first line of a club file. people: their names as they are today, by their ids."""

    daybook: int  # the format
    club: UUID
    people: dict[Id, Name]


def export_club(book: Daybook, club_id: UUID) -> bytes:
    """Export a club as a file with the current names. Raises UnknownClubError."""
    club = book.clubs.get(club_id)
    people = book.kept.names({*club.everybody(), *(entry.event.by for entry in club.entries)})
    header = ClubHeader(FORMAT, club_id, dict(sorted(people.items())))
    lines = (msgspec.json.encode(header), *(entry.line for entry in club.entries))
    return b"".join(line + b"\n" for line in lines)


def read_club_header(line: bytes) -> ClubHeader:
    """Parse the header of a club file. Raises BadFileError."""
    header: ClubHeader = decode_line(1, line, ClubHeader)
    if header.daybook != FORMAT:
        raise BadFileError(1, "{wrong}", wrong=format_fault(header.daybook))
    return header


class ClubIntake:
    """Club built from the lines of an untrusted file."""

    def __init__(self, header: ClubHeader) -> None:
        self.club = Club(header.club)

    def apply_line(self, step: int, line: bytes, previous: str) -> str:
        """Apply the next line and return its seal. Raises BrokenSealError."""
        try:
            entry: ClubEntry = sealed_entry(step, line, previous, partial(read_line, self.club.id))
            check_writing_fields(entry.event, self.club.keys)
            self._check_founding(entry.event)
            self._apply(entry)
        except MisfitError as wrong:
            raise BrokenSealError(step, wrong.fault) from wrong
        return entry.seal

    def _check_founding(self, event: AnyEvent) -> None:
        if isinstance(event, ClubFounded) != (event.step == 0):
            raise MisfitError("the first entry founds the club, and no other does")
        if isinstance(event, ClubFounded) and (event.club, event.format) != (str(self.club.id), FORMAT):
            raise MisfitError(
                "it founds club {given} in format {format}, and not the one of the header",
                given=event.club,
                format=event.format,
            )

    def _apply(self, entry: ClubEntry) -> None:
        """Apply an entry; turn a missing id into MisfitError."""
        try:
            self.club.apply(entry)
        except KeyError as missing:
            raise MisfitError(
                "it is about {missing}, which the club does not have", missing=repr(missing.args[0])
            ) from missing


def club_lines(lines: Iterator[tuple[int, bytes]]) -> Iterator[bytes]:
    """Yield the lines after the header. Raises BrokenSealError at an unreadable one."""
    step = 0
    try:
        for _, line in lines:
            yield line
            step += 1
    except BadFileError as wrong:
        raise BrokenSealError(step, fault("line {line}: {wrong}", line=wrong.line, wrong=wrong.fault)) from wrong
