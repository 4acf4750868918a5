"""Club files: a club's own chain of entries as JSON Lines, for everyone to verify without a server.

The file has a header line, and then the club's lines exactly as they are stored. The header has the names of people; the
sealed entries have their ids. `docs/record-format.md` describes it. The checks of new entries are not repeated for stored
ones, so a club stays readable when a check is corrected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, BinaryIO
from uuid import UUID

import msgspec

from daybook.domain.kernel.chronicle import FORMAT, BrokenSealError, Refused, format_fault
from daybook.domain.kernel.errors import fault
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.terms import WhyNot
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import AnyEvent, ClubEntry, ClubFounded, read_line
from daybook.domain.league.moving import RecordResult, moving_fault
from daybook.services.clock import later_time, now
from daybook.services.files.recordfile import BadFileError, Id, Name, decode_line, is_club_header, numbered_lines
from daybook.services.files.validate import MisfitError, check_time, check_writing_fields, sealed_entry
from daybook.services.reading_limits import MOVED_CLUB_LINES

if TYPE_CHECKING:  # the command line verifies files without a database
    from daybook.services.store.daybook import Daybook


NO_RECORDS: Mapping[str, RecordResult] = {}


class ClubHeader(Exact, omit_defaults=True):
    """The first line of a club file.

    people: their names as they are today, by their ids. records: the results of recorded games, by the ids of the games.
    """

    daybook: int  # the format
    club: UUID
    people: dict[Id, Name]
    records: dict[str, RecordResult] = {}


def write_club(book: Daybook, club: Club, records: Mapping[str, RecordResult] = NO_RECORDS) -> bytes:
    """Return a club as a file with the current names. records: the results of its recorded games."""
    people = book.kept.names({*club.everybody(), *(entry.event.by for entry in club.entries)})
    header = ClubHeader(FORMAT, club.id, dict(sorted(people.items())), dict(sorted(records.items())))
    lines = (msgspec.json.encode(header), *(entry.line for entry in club.entries))
    return b"".join(line + b"\n" for line in lines)


def read_club_header(line: bytes) -> ClubHeader:
    """Parse the header of a club file. Raises BadFileError."""
    header: ClubHeader = decode_line(1, line, ClubHeader)
    if header.daybook != FORMAT:
        raise BadFileError(1, "{wrong}", wrong=format_fault(header.daybook))
    return header


def read_club(source: BinaryIO) -> tuple[ClubHeader, Club]:
    """Read a club file to import it: seals, and every check of new entries. Raises BadFileError.

    Nothing is later than tomorrow.
    """
    lines = numbered_lines(source)
    first = next(lines)[1]
    if not is_club_header(first):
        raise BadFileError(1, "this is the record of a game, not the entries of a club")
    header = read_club_header(first)
    latest = later_time(now(), days=1)
    for record in header.records.values():
        _check_record_time(record, latest)
    intake, seal = ClubIntake(header, moving_fault), ""
    for number, line in numbered_lines(source, after=1, limit=MOVED_CLUB_LINES):
        step = number - 2
        try:
            seal = intake.apply_line(step, line, seal)
        except BrokenSealError as broken:
            raise BadFileError(number, "{wrong}", wrong=broken.fault) from broken
        event = intake.club.entries[step].event
        if (at := max(event.at, getattr(event, "ended_at", ""))) > latest:
            raise BadFileError(number, "step {step}: {at} is later than tomorrow", step=step, at=at)
    if not intake.club.entries:
        raise BadFileError(1, "there is no entry")
    return header, intake.club


def _check_record_time(record: RecordResult, latest: str) -> None:
    try:
        check_time(record.ended_at)
    except MisfitError as wrong:
        raise BadFileError(1, "the results of records: {wrong}", wrong=wrong.fault) from wrong
    if record.ended_at > latest:
        raise BadFileError(1, "the results of records: {at} is later than tomorrow", at=record.ended_at)


class ClubIntake:
    """Club built from the lines of an untrusted file.

    fault_of: returns why an entry cannot be the next one.
    """

    def __init__(
        self, header: ClubHeader, fault_of: Callable[[Club, AnyEvent], WhyNot] = lambda club, event: None
    ) -> None:
        self.club = Club(header.club)
        self._fault_of = fault_of

    def apply_line(self, step: int, line: bytes, previous: str) -> str:
        """Apply the next line and return its seal. Raises BrokenSealError."""
        try:
            entry: ClubEntry = sealed_entry(step, line, previous, partial(read_line, self.club.id))
            check_writing_fields(entry.event, self.club.keys)
            self._check_founding(entry.event)
            if (reason := self._fault_of(self.club, entry.event)) is not None:
                raise Refused(reason)
            self._apply(entry)
        except MisfitError as wrong:
            raise BrokenSealError(step, wrong.fault) from wrong
        except Refused as refused:
            raise BrokenSealError(step, fault("{reason}", reason=refused.reason)) from refused
        return entry.seal

    def _check_founding(self, event: AnyEvent) -> None:
        if isinstance(event, ClubFounded) != (event.step == 0):
            raise MisfitError("the first entry founds the club, and no other does")
        if isinstance(event, ClubFounded) and (event.club, event.format) != (str(self.club.id), FORMAT):
            raise MisfitError(
                "the entry founds club {given} in format {format}, which differs from the header",
                given=event.club,
                format=event.format,
            )

    def _apply(self, entry: ClubEntry) -> None:
        """Apply an entry; turn a missing id into MisfitError."""
        try:
            self.club.apply(entry)
        except KeyError as missing:
            raise MisfitError(
                "the entry is about {missing}, which the club does not have", missing=repr(missing.args[0])
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
