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
from daybook.services.files.audit import as_kept, audit
from daybook.services.files.imported_games import note_import
from daybook.services.files.recordfile import BadFile, Header, Record, SeatsSigned
from daybook.services.files.signed_seats import seats_signed
from daybook.services.names import NAME_LIMIT, BadName, checked_name, refuse_lookalikes
from daybook.services.people import access
from daybook.services.people.seated import id_within
from daybook.services.store import disagreements
from daybook.services.store.damage import damaged_step
from daybook.services.store.daybook import Daybook
from daybook.services.store.games import UnknownGame, fold_game
from daybook.services.store.kept import Person
from daybook.services.store.log import AlreadyWritten
from daybook.services.store.stranger_marks import mark


class RecordsDiverge(Exception):
    """Another record of this game is here, and neither goes on where the other ends. step: the first that differs."""

    def __init__(self, game_id: UUID, step: int) -> None:
        super().__init__(f"another record of this game is here already: they part at step {step}")
        self.game = game_id
        self.step = step


class AlreadyHere(Exception):
    """The game is here, and whoever brings a file of it may not write to it: nothing was written."""

    def __init__(self, game_id: UUID) -> None:
        super().__init__(f"the game {game_id} is here already")
        self.game = game_id


def export_game(book: Daybook, game_id: UUID) -> bytes:
    """A game as a record file, with everything in it: for a game that is still running and has hidden cards, the
    caller makes sure that whoever asks may see EVERYTHING. Raises UnknownGame.
    """
    return _file_of(book, game_id, _entries_of(book, game_id))


def export_unsealed(book: Daybook, game_id: UUID) -> bytes:
    """Exports a game up to what lies sealed, which nobody may read yet. Raises UnknownGame."""
    entries = _entries_of(book, game_id)
    return _file_of(book, game_id, entries[: first_sealed(fold_game(game_id, entries))])


def _entries_of(book: Daybook, game_id: UUID) -> list[Entry]:
    entries = book.log.entries(game_id)
    if not entries:
        raise UnknownGame(game_id)
    return list(entries)


def _file_of(book: Daybook, game_id: UUID, entries: Sequence[Entry]) -> bytes:
    game, kept = fold_game(game_id, list(entries)), book.kept.game(game_id)
    title = kept.title if kept else game.title
    names = kept.names if kept else [seat.colour for seat in game.opening.seats]
    return b"".join(recordfile.full_file(recordfile.header_of(game, title, names), entries))


def import_file(
    book: Daybook,
    data: bytes,
    public: bool = False,
    leased: bool = False,
    *,
    adds: bool = True,
    keeper: str | None = None,
    stranger: str = "",
    importer: str = "",
) -> UUID:
    """Take a record file in, of either kind; the game's id.

    A game that is here already gets the entries it lacks. adds: whether whoever brings the file may write to that game
    (`game_id_in` says which it is); who may not is refused, also where another brought it meanwhile. keeper: the id of
    the scorekeeper's link that is theirs once they have brought it (`access.make_first_grants`), should that break off
    before, too. leased: also where a device records it alone: it is that device that asks, and the service that it took
    the game from that says who sits there. stranger: as whom the visitor is counted, if a new game is to be marked as
    brought in (`services.store.stranger_marks`).
    importer: the account or the address that imports it; empty for the operator.
    Raises AlreadyHere, BadFile, RefusedLine, RecordsDiverge; nothing was written then.
    """
    while True:
        record, known = _read_record(book, data)
        if known and not adds and not (keeper and access.is_promised(book, keeper)):
            raise AlreadyHere(record.header.game)
        if not leased and known and len(record.game.entries) > known:
            _refuse_leased(book.games.get(record.header.game))
        if not leased:  # a device's own clock may be late
            recordfile.refuse_future(record.game, known, now(), bare=record.bare)
        if not record.bare and not leased:  # the rules worked a bare one out; a device takes what the service has
            disagreements.keep(book.kept, record.game, as_kept(audit(record.game).findings, known))
        if not known and not leased:
            note_import(book, record.header.game, importer)
        try:
            if stranger and not known:
                with book.kept.engine.begin() as c:
                    mark(c, "game", str(record.header.game), len(data), stranger, record.header.game)
            return keep_record(book, record, known, public, trusted=leased, keeper=keeper)
        except AlreadyWritten:
            continue  # it was imported or recorded meanwhile: look again


def _refuse_leased(stored: Game) -> None:
    if stored.lease is not None:
        raise BadFile(
            stored.step + 3,
            "since step {step} the game is recorded on a device: hand it back from there",
            step=stored.lease,
        )


def import_link(game_id: UUID, key: str) -> str:
    """The id of the scorekeeper's link that whoever imports a game gets: the same again for the same key."""
    return hashlib.sha256(f"import {game_id} {key}".encode()).hexdigest()


def game_id_in(data: bytes) -> UUID:
    """The id of the game that a record file holds. Raises BadFile."""
    first = next(recordfile.numbered_lines(io.BytesIO(data)))[1]
    if recordfile.is_full(first):
        return recordfile.read_header(first).game
    return recordfile.bare_id(recordfile.read_bare_header(first))


def keep_record(
    book: Daybook, record: Record, known: int, public: bool, trusted: bool = False, keeper: str | None = None
) -> UUID:
    """Write the entries of a record after the first `known` ones, which are here already. trusted: its ids are those
    of people here; those of a file are nobody's (`services.people.seated`), but for what this Daybook signed. keeper: as
    for `import_file`. Raises BadFile, AlreadyWritten.
    """
    header, entries = record.header, record.game.entries[known:]
    if known and entries:
        refuse_damaged(book, header.game, known + 2)
    signed = (
        SeatsSigned([seat.person for seat in header.seats], [], "")
        if trusted
        else (seats_signed(book, header, record.game.seal))
    )
    if known == 0:
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
    if known == 0 and keeper is not None:
        access.promise(book, header.game, keeper)
    if entries:
        brought = [(known, record.game.step)] if signed is None else signed.brought
        new = [(max(first, known), last, record.game.entries[last].seal) for first, last in brought if last >= known]
        with book.kept.bringing(header.game, new):
            book.log.append(*entries)
    return header.game


def refuse_damaged(book: Daybook, game_id: UUID, line: int) -> None:
    """Raise BadFile if the stored record that a file continues is damaged. line: the first new one."""
    step = damaged_step(book, game_id)
    if step is not None:
        raise BadFile(line, "step {step} of the stored record is damaged: contact the administrator", step=step)


def _refuse_lookalikes(header: Header) -> None:
    """Raises BadFile."""
    try:
        refuse_lookalikes([checked_name("", seat.name, NAME_LIMIT) for seat in header.seats])
    except BadName as wrong:
        raise BadFile(1, "the names of the seats: {wrong}", wrong=wrong.says) from wrong


def _read_record(book: Daybook, data: bytes) -> tuple[Record, int]:
    """The record in a file, and how many of its entries are here already. Raises BadFile, RefusedLine, Parted."""
    game_id = game_id_in(data)
    if book.log.club_entries(game_id):
        raise RecordsDiverge(game_id, 0)
    stored = book.log.entries(game_id)
    lines = recordfile.numbered_lines(io.BytesIO(data))
    first = next(lines)[1]
    if stored and not recordfile.is_full(first):
        return _extend_record(stored, recordfile.read_bare_header(first), lines), len(stored)
    record = recordfile.read_record_file(io.BytesIO(data), now())
    given = record.game.entries
    for mine, its in zip(stored, given, strict=False):
        if mine.line != its.line:
            raise RecordsDiverge(game_id, its.step)
    return record, min(len(stored), len(given))


def _extend_record(
    stored: Sequence[Entry], header: recordfile.BareHeader, lines: Iterator[tuple[int, bytes]]
) -> Record:
    """A stored game and what a bare file of the same game adds to it; who wrote it down and when may differ."""
    opening = stored[0].event
    assert isinstance(opening, GameOpened)
    game = fold_game(UUID(opening.game), list(stored))
    if access.holds_sealed(game):  # the answer would tell a guess at it from what was sealed
        raise BadFile(game.step + 2, "something lies sealed in this game: add to it after it is revealed")
    if not _same_opening(recordfile.open_bare_game(header, opening.at).opening, opening):
        raise RecordsDiverge(game.id, 0)
    known = recordfile.header_of(game, header.title, [seat.name for seat in header.seats])
    reading = recordfile.BareReading(game)
    for number, line in lines:
        bare, step = recordfile.read_bare_line(number, line), number - 1
        if step >= len(stored):
            reading.add(number, bare, header.at or now())
        elif command_of(stored[step].event) != bare.command and not recordfile.says_again(
            stored[step].event, bare.command
        ):
            raise RecordsDiverge(game.id, step)
    return Record(known, reading.game, bare=True)


def _same_opening(given: GameOpened, stored: GameOpened) -> bool:
    """Whether both open the same game. A file of before may leave out what Daybook prints otherwise by now."""
    ours, theirs = stored.sheet.values, given.sheet.values
    return (
        (given.ruleset, given.kind, given.recorded, given.options)
        == (stored.ruleset, stored.kind, stored.recorded, stored.options)
        and [seat.colour for seat in given.seats] == [seat.colour for seat in stored.seats]
        and (
            given.sheet.overrides == stored.sheet.overrides
            or all(theirs[path] == ours[path] for path in theirs.keys() & ours.keys())
        )
    )
