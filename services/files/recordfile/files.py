"""Whole record files, read and written."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import BinaryIO

from daybook.domain.commands import command_of
from daybook.domain.kernel.chronicle import BrokenSealError
from daybook.domain.kernel.events import Entry, GameOpened
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.times import later_time
from daybook.services.files.recordfile.bare_lines import BareLine, encode_line, read_bare_line
from daybook.services.files.recordfile.headers import (
    Header,
    build_bare_header,
    build_header,
    check_header_agrees,
    header_line,
    is_full,
    known_ruleset,
    read_bare_header,
    read_header,
)
from daybook.services.files.recordfile.lines import BadFileError, numbered_lines
from daybook.services.files.recordfile.playing import BareReading, open_bare_game
from daybook.services.files.validate import GameIntake, MisfitError
from daybook.services.store.printed_sheets import printed_sheet


class Record(Frozen):
    """A record file that has been read: the game folded to its end. bare: the rules computed it."""

    header: Header
    game: Game
    bare: bool


def read_record_file(source: BinaryIO, now: str) -> Record:
    """Read a record file of either kind. now: the time for bare lines that give none.

    Raises BadFileError; RefusedLineError where the rules refuse a bare line.
    """
    lines = numbered_lines(source)
    first = next(lines)[1]
    return _read_full(first, lines) if is_full(first) else _read_bare(first, lines, now)


def refuse_future(game: Game, first_new: int, now: str, *, bare: bool = False) -> None:
    """Raise BadFileError for entries dated later than tomorrow, which would sort first permanently.

    Args:
        first_new: number of entries that are not checked.
        bare: the entries come from a bare file.
    """
    latest = later_time(now, days=1)
    for entry in game.entries[first_new:]:
        if entry.event.at > latest:
            raise BadFileError(
                entry.step + (1 if bare else 2),
                "step {step}: {at} is later than tomorrow",
                step=entry.step,
                at=entry.event.at,
            )


def extend_game(game: Game, lines: Iterable[bytes]) -> Game:
    """Return a copy of the game with the next lines of its full file. Raises BadFileError."""
    intake = GameIntake(game.twin(), printed_sheet(game.ruleset.id))
    content = io.BytesIO(b"".join(line + b"\n" for line in lines))
    for number, line in numbered_lines(content, after=game.step + 2):
        _apply_line(intake, number, line)
    return intake.game


def _read_full(first: bytes, lines: Iterator[tuple[int, bytes]]) -> Record:
    header = read_header(first)
    intake = GameIntake(Game(header.game, known_ruleset(header.ruleset)), printed_sheet(header.ruleset))
    for number, line in lines:
        _apply_line(intake, number, line)
        if number == 2:
            check_header_agrees(header, intake.game.opening)
    if not intake.game.entries:
        raise BadFileError(2, "the line that opens the game is missing")
    return Record(header, intake.game, bare=False)


def _apply_line(intake: GameIntake, number: int, line: bytes) -> None:
    try:
        intake.apply_line(line)
    except BrokenSealError as broken:
        raise BadFileError(number, "step {step}: {wrong}", step=broken.step, wrong=broken.fault) from broken
    except MisfitError as wrong:
        raise BadFileError(number, "step {step}: {wrong}", step=number - 2, wrong=wrong.fault) from wrong


def _read_bare(first: bytes, lines: Iterator[tuple[int, bytes]], now: str) -> Record:
    header = read_bare_header(first)
    reading = BareReading(open_bare_game(header, now))
    for number, line in lines:
        reading.add_line(number, read_bare_line(number, line), header.at or now)
    game = reading.game
    return Record(build_header(game, header.title, [seat.name for seat in header.seats]), game, bare=True)


def write_full_file(header: Header, entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the lines of a full record file."""
    yield header_line(header)
    for entry in entries:
        yield entry.line + b"\n"


def bare_file(header: Header, entries: Iterable[Entry]) -> Iterator[bytes]:
    """Bare file of a game: its decisions alone, line by line."""
    for entry in entries:
        if isinstance(entry.event, GameOpened):
            yield header_line(build_bare_header(header, entry.event.sheet))
        else:
            yield encode_line(BareLine(command_of(entry.event))) + b"\n"
