"""Record files in and out of the running service."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from uuid import UUID

from daybook.domain.commands import command_of
from daybook.domain.kernel.events import Entry, GameOpened
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.texts import composed
from daybook.domain.sealed_entries import first_sealed
from daybook.services.clock import now
from daybook.services.files import recordfile
from daybook.services.files.audit import audit, encode_findings
from daybook.services.files.imported_games import note_import
from daybook.services.files.recordfile import BadFileError, Header, Record, SeatsSigned
from daybook.services.files.signed_seats import verify_seats
from daybook.services.names import NAME_LIMIT, BadNameError, clean_name, refuse_lookalikes
from daybook.services.people.seated import id_within
from daybook.services.permissions import access
from daybook.services.permissions.sights import holds_sealed
from daybook.services.store import disagreements
from daybook.services.store.damage import damaged_step
from daybook.services.store.daybook import Daybook
from daybook.services.store.game_cache import UnknownGameError, fold_game
from daybook.services.store.kept import Person
from daybook.services.store.log import AlreadyWrittenError
from daybook.services.store.stranger_marks import mark_import


class RecordsDivergeError(Exception):
    """Another record of this game is stored here, and neither extends the other. Has the first differing step."""

    def __init__(self, game_id: UUID, step: int) -> None:
        super().__init__(f"another record of this game is here already: they part at step {step}")
        self.game = game_id
        self.step = step


class AlreadyStoredError(Exception):
    """The game is stored here and the importer may not write to it; nothing was written."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__(f"the game {game_id} is here already")
        self.game = game_id


def export_game(book: Daybook, game_id: UUID) -> bytes:
    """Export a game as a complete record file. Raises UnknownGameError.

    For a running game with hidden cards, the caller checks that the viewer may see EVERYTHING.
    """
    return _file_of(book, game_id, _entries_of(book, game_id))


def export_unsealed(book: Daybook, game_id: UUID) -> bytes:
    """Export a game up to its first sealed entry. Raises UnknownGameError."""
    entries = _entries_of(book, game_id)
    return _file_of(book, game_id, entries[: first_sealed(fold_game(game_id, entries))])


def _entries_of(book: Daybook, game_id: UUID) -> list[Entry]:
    entries = book.log.entries(game_id)
    if not entries:
        raise UnknownGameError(game_id)
    return list(entries)


def _file_of(book: Daybook, game_id: UUID, entries: Sequence[Entry]) -> bytes:
    game, kept = fold_game(game_id, list(entries)), book.kept.game(game_id)
    title = kept.title if kept else game.title
    names = kept.names if kept else [seat.colour for seat in game.opening.seats]
    return b"".join(recordfile.write_full_file(recordfile.build_header(game, title, names), entries))


def import_file(
    book: Daybook,
    data: bytes,
    public: bool = False,
    leased: bool = False,
    *,
    may_extend: bool = True,
    keeper: str | None = None,
    stranger: str = "",
    importer: str = "",
) -> UUID:
    """Import a record file of either kind and return the game's id.

    A game that is stored here gets the entries it lacks.

    Args:
        leased: import even if a device holds the lease: for that device, and for the service that leased it.
        may_extend: the importer may write to the stored game (`game_id_in` tells which); otherwise it is refused.
        keeper: id of the importer's scorekeeper link (`access.make_first_grants`), also after an interruption.
        stranger: how the visitor is counted if a new game is marked as a stranger's.
        importer: account or address of the importer; empty for the operator.

    Raises AlreadyStoredError, BadFileError, RefusedLineError, RecordsDivergeError; nothing is written then.
    """
    while True:
        record, stored_entries = _read_record(book, data)
        if stored_entries and not may_extend and not (keeper and access.is_reserved(book, keeper)):
            raise AlreadyStoredError(record.header.game)
        if not leased and stored_entries and len(record.game.entries) > stored_entries:
            _refuse_leased(book.games.get(record.header.game))
        if not leased:  # a device's own clock may be late
            recordfile.refuse_future(record.game, stored_entries, now(), bare=record.bare)
        if not record.bare and not leased:  # the rules worked a bare one out; a device takes what the service has
            disagreements.store(book.kept, record.game, encode_findings(audit(record.game).findings, stored_entries))
        if not stored_entries and not leased:
            note_import(book, record.header.game, importer)
        try:
            if stranger and not stored_entries:
                with book.kept.engine.begin() as c:
                    mark_import(c, "game", str(record.header.game), len(data), stranger, record.header.game)
            return store_record(book, record, stored_entries, public, trusted=leased, keeper=keeper)
        except AlreadyWrittenError:
            continue  # it was imported or recorded meanwhile: look again


def _refuse_leased(stored: Game) -> None:
    if stored.lease is not None:
        raise BadFileError(
            stored.step + 3,
            "since step {step} the game is recorded on a device: hand it back from there",
            step=stored.lease,
        )


def import_link_id(game_id: UUID, key: str) -> str:
    """Return the id of the importer's scorekeeper link: the same for the same key."""
    return hashlib.sha256(f"import {game_id} {key}".encode()).hexdigest()


def game_id_in(data: bytes) -> UUID:
    """Return the id of the game in a record file. Raises BadFileError."""
    first = next(recordfile.numbered_lines(io.BytesIO(data)))[1]
    if recordfile.is_full(first):
        return recordfile.read_header(first).game
    return recordfile.bare_game_id(recordfile.read_bare_header(first))


def store_record(
    book: Daybook, record: Record, stored_entries: int, public: bool, trusted: bool = False, keeper: str | None = None
) -> UUID:
    """Write the entries of a record after the first `stored_entries` ones.

    Args:
        trusted: its ids are people of this service; other files bring no people (`services.people.seated`), except
            signed ones.
        keeper: as for `import_file`.

    Raises BadFileError, AlreadyWrittenError.
    """
    header, entries = record.header, record.game.entries[stored_entries:]
    if stored_entries and entries:
        refuse_damaged(book, header.game, stored_entries + 2)
    signed = (
        SeatsSigned([seat.person for seat in header.seats], [], "")
        if trusted
        else (verify_seats(book, header, record.game.seal))
    )
    if stored_entries == 0:
        if signed is None:
            _refuse_lookalikes(header)
        people = signed.people if signed else [""] * len(header.seats)
        book.kept.keep(
            header.game,
            composed(header.title),
            public,
            [
                Person(person or id_within(header.game, number), composed(seat.name))
                for number, (seat, person) in enumerate(zip(header.seats, people, strict=True))
            ],
        )
    if stored_entries == 0 and keeper is not None:
        access.reserve_keeper_link(book, header.game, keeper)
    if entries:
        brought = [(stored_entries, record.game.step)] if signed is None else signed.imported_steps
        new = [
            (max(first, stored_entries), last, record.game.entries[last].seal)
            for first, last in brought
            if last >= stored_entries
        ]
        with book.kept.announcing_import(header.game, new):
            book.log.append(*entries)
    return header.game


def refuse_damaged(book: Daybook, game_id: UUID, line: int) -> None:
    """Raise BadFileError if the stored record that a file continues is damaged. line: the first new one."""
    step = damaged_step(book, game_id)
    if step is not None:
        raise BadFileError(line, "step {step} of the stored record is damaged: contact the administrator", step=step)


def _refuse_lookalikes(header: Header) -> None:
    """Raise BadFileError if two seats have confusable names."""
    try:
        refuse_lookalikes([clean_name("", seat.name, NAME_LIMIT) for seat in header.seats])
    except BadNameError as wrong:
        raise BadFileError(1, "the names of the seats: {wrong}", wrong=wrong.says) from wrong


def _read_record(book: Daybook, data: bytes) -> tuple[Record, int]:
    """Return the record in a file and how many of its entries are stored.

    Raises BadFileError, RefusedLineError, RecordsDivergeError.
    """
    game_id = game_id_in(data)
    if book.log.club_entries(game_id):
        raise RecordsDivergeError(game_id, 0)
    stored = book.log.entries(game_id)
    lines = recordfile.numbered_lines(io.BytesIO(data))
    first = next(lines)[1]
    if stored and not recordfile.is_full(first):
        return _extend_record(stored, recordfile.read_bare_header(first), lines), len(stored)
    record = recordfile.read_record_file(io.BytesIO(data), now())
    given = record.game.entries
    for stored_entry, its in zip(stored, given, strict=False):
        if stored_entry.line != its.line:
            raise RecordsDivergeError(game_id, its.step)
    return record, min(len(stored), len(given))


def _extend_record(
    stored: Sequence[Entry], header: recordfile.BareHeader, lines: Iterator[tuple[int, bytes]]
) -> Record:
    """Return a stored game with the additions of a bare file; times and authors may differ."""
    opening = stored[0].event
    assert isinstance(opening, GameOpened)
    game = fold_game(UUID(opening.game), list(stored))
    if holds_sealed(game):  # the answer would reveal whether a guess matches the sealed content
        raise BadFileError(game.step + 2, "something is sealed in this game: add to it after it is revealed")
    if not _same_opening(recordfile.open_bare_game(header, opening.at).opening, opening):
        raise RecordsDivergeError(game.id, 0)
    known = recordfile.build_header(game, header.title, [seat.name for seat in header.seats])
    reading = recordfile.BareReading(game)
    for number, line in lines:
        bare, step = recordfile.read_bare_line(number, line), number - 1
        if step >= len(stored):
            reading.add_line(number, bare, header.at or now())
        elif command_of(stored[step].event) != bare.command and not recordfile.is_repetition_note(
            stored[step].event, bare.command
        ):
            raise RecordsDivergeError(game.id, step)
    return Record(known, reading.game, bare=True)


def _same_opening(given: GameOpened, stored: GameOpened) -> bool:
    """Check if both open the same game; older files may omit numbers that are printed differently today."""
    stored_values, given_values = stored.sheet.values, given.sheet.values
    return (
        (given.ruleset, given.kind, given.recorded, given.options)
        == (stored.ruleset, stored.kind, stored.recorded, stored.options)
        and [seat.colour for seat in given.seats] == [seat.colour for seat in stored.seats]
        and (
            given.sheet.overrides == stored.sheet.overrides
            or all(given_values[path] == stored_values[path] for path in given_values.keys() & stored_values.keys())
        )
    )
