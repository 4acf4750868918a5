"""Move a club to another Daybook: export it with the results of its records, and import it there as a new club."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any
from uuid import UUID, uuid5

import msgspec

from daybook.domain.kernel.chronicle import Refused, seal_of
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.league.blanking import blank_event, find_texts, texts_of
from daybook.domain.league.club import Club
from daybook.domain.league.club_events import ClubEntry
from daybook.domain.league.moving import Move, RecordResult
from daybook.services.files import clubfile
from daybook.services.files.recordfile import BadFileError
from daybook.services.league import results
from daybook.services.names import NAME_LIMIT, BadNameError, clean_name
from daybook.services.people.anonymise import anonymous_name, anonymous_of
from daybook.services.people.blanking import find_names
from daybook.services.people.forgotten import digest_of_name, forgotten_among, forgotten_in_texts
from daybook.services.play.repetition import new_key
from daybook.services.reading_limits import CLUB_FILE_BYTES, check_size
from daybook.services.store.daybook import Daybook
from daybook.services.store.log import AlreadyWrittenError
from daybook.services.written import new_written

MOVED = UUID("c2f3a1d4-51f7-5f43-8a5e-0d5a6a0be2b7")  # a file imported twice by one person is one club


class MovedClub(Frozen):
    """An imported club. repeated: the same person imported this file before, and nothing was written."""

    club: UUID
    repeated: bool


def export_club(book: Daybook, club_id: UUID) -> bytes:
    """Export a club as a file that another Daybook can import. Raises UnknownClubError."""
    club = book.clubs.get(club_id)
    return clubfile.write_club(book, club, dict(_record_results(book, club)))


def _record_results(book: Daybook, club: Club) -> Iterator[tuple[str, RecordResult]]:
    """Yield the result of each closed record of a club."""
    tables = [table for season in club.all_seasons() for table in season.tables.values() if table.game]
    for result in results.results_of_tables(book, club, tables).values():
        last = book.log.last_event(UUID(result.game)) if result.game else None
        if last is not None:
            yield (
                str(result.game),
                RecordResult(
                    result.ruleset,
                    result.at,
                    result.placed,
                    seal_of(book.log.line_of(last)),
                    result.marks,
                    result.lowest_wins,
                    result.accepted,
                ),
            )


def import_club(book: Daybook, content: bytes, importer: str) -> MovedClub:
    """Import a club file as a new club that the importer organises.

    Its people are guests with new ids, and its records are results. Raises BadFileError, LimitError, RecordErasedError;
    nothing is written then.
    """
    check_size(content, CLUB_FILE_BYTES)
    header, origin = clubfile.read_club(io.BytesIO(content))
    club_id = uuid5(MOVED, f"{importer} {origin.id} {origin.seal}")
    if book.log.club_entries(club_id):
        return MovedClub(club_id, repeated=True)
    origin = _without_forgotten(book, origin)
    try:
        move = Move(origin, club_id, header.records)
        club = move.run(new_written(importer, new_key()))
    except Refused as refused:
        raise BadFileError(1, "the results of records: {reason}", reason=refused.reason) from refused
    book.kept.keep_people(_names(book, header, origin, move))
    try:
        book.clubs.append(club.entries)
    except AlreadyWrittenError:  # the same file was imported at the same time
        return MovedClub(club_id, repeated=True)
    return MovedClub(club_id, repeated=False)


def _names(book: Daybook, header: clubfile.ClubHeader, origin: Club, move: Move) -> dict[str, str]:
    """Return the names of people by their new ids. Anonymous people of this Daybook stay anonymous."""
    people = {*origin.everybody(), *origin.people_left(), *(entry.event.by for entry in origin.entries)}
    gone, names = anonymous_of(book, people), dict[str, str]()
    digests = {name: digest_of_name(book, origin.id, name) for name in header.people.values()}
    forgotten = forgotten_among(book, {*digests.values()})
    for person in sorted(people):
        if " " in person:  # the administrator of the other Daybook
            continue
        name = header.people.get(person, "")
        if not name or person in gone or digests[name] in forgotten:
            names[move.person(person)] = anonymous_name(move.person(person))
            continue
        try:
            names[move.person(person)] = clean_name("name", name, NAME_LIMIT)
        except BadNameError as wrong:
            raise BadFileError(1, "the names of people: {wrong}", wrong=wrong.says) from wrong
    return names


def _without_forgotten(book: Daybook, club: Club) -> Club:
    """Return a club without the names of its forgotten people."""
    texts = {text for entry in club.entries for _, text in texts_of(entry.event)}
    names = forgotten_in_texts(book, club.id, texts)
    if names:
        club.entries = [_blanked(entry, names) for entry in club.entries]
    return club


def _blanked(entry: ClubEntry, names: set[str]) -> ClubEntry:
    blanked = [*find_texts(entry.event, lambda text: find_names(text, names))]
    known: Any = blank_event(entry.event, blanked) if blanked else entry.event
    return msgspec.structs.replace(entry, known=known)
