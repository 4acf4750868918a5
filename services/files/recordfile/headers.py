"""The header of a record file. A full file repeats the sealed opening; a bare file has what its author knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.chronicle import FORMAT, format_fault
from daybook.domain.kernel.events import GameOpened, PinnedSheet, SeatTaken
from daybook.domain.kernel.frozen import Exact
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import AnyRuleset
from daybook.domain.kernel.texts import is_displayable, seen_of
from daybook.services.files.recordfile.lines import BadFileError, decode_line
from daybook.services.store.printed_sheets import printed_sheet

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
BARE_FORMAT = 1  # format number of bare files
ENCODER = msgspec.json.Encoder(order="deterministic")


class SeatNamed(Exact):
    """Player of a seat. Only the header has the name; sealed events have the person's id."""

    name: Name
    colour: str
    person: Id


class SheetUsed(Exact):
    hash: str
    overrides: dict[str, Any]


class SeatsSigned(Exact):
    """Statement of players and imported steps, signed by the exporting Daybook (`services.files.signed_seats`)."""

    people: list[str]
    imported_steps: list[tuple[int, int]]
    public_key: str
    signature: str = ""


class Header(Exact, omit_defaults=True):
    """The first line of a full file."""

    daybook: int  # the format
    game: UUID
    ruleset: str
    revision: int
    title: Title
    kind: Literal["table", "practice"]
    recorded: Literal["live", "notes", "memory"]
    seats: list[SeatNamed]
    options: dict[str, Any]
    sheet: SheetUsed
    signed: SeatsSigned | None = None
    played_on: str = ""  # the day, as the opening has it


class BareSeat(Exact, omit_defaults=True):
    name: Name
    colour: str
    person: Id | None = None


class BareSheet(Exact):
    overrides: dict[str, Any]


class BareHeader(Exact, omit_defaults=True):
    """First line of a bare file.

    Args:
        game: computed from the header if missing.
        at: time of writing; the time of reading if missing.
        played_on: day of play (2026-11-20), if known.
    """

    daybook: int
    ruleset: str
    title: Title
    seats: list[BareSeat]
    options: dict[str, Any] = {}
    sheet: BareSheet | None = None
    kind: Literal["table", "practice"] = "table"
    recorded: Literal["live", "notes", "memory"] = "notes"
    game: UUID | None = None
    at: str | None = None
    played_on: str = ""


def is_full(header: bytes) -> bool:
    """Check if a file's first line is the header of a full file: it names the rules revision. Raises BadFileError."""
    if is_club_header(header):
        raise BadFileError(1, "the file contains the entries of a club, not a game")
    return "revision" in decode_line(1, header, dict[str, Any])


def is_club_header(header: bytes) -> bool:
    """Check if a file's first line is the header of a club file. Raises BadFileError."""
    return "club" in decode_line(1, header, dict[str, Any])


def known_ruleset(ruleset_id: str) -> AnyRuleset:
    """Return the ruleset that a header names. Raises BadFileError for an unknown game."""
    if ruleset_id not in RULESETS:
        raise BadFileError(
            1,
            "Daybook does not know the game {given}; it knows {known}",
            given=repr(ruleset_id),
            known=", ".join(sorted(RULESETS)),
        )
    return RULESETS[ruleset_id]


def read_header(line: bytes) -> Header:
    """Parse the header of a full file. Raises BadFileError."""
    if not is_full(line):
        raise BadFileError(1, "a bare file: it carries no seals")
    header: Header = decode_line(1, line, Header)
    _check_header(header, FORMAT)
    return header


def read_bare_header(line: bytes) -> BareHeader:
    """Parse the header of a bare file. Raises BadFileError."""
    header: BareHeader = decode_line(1, line, BareHeader)
    _check_header(header, BARE_FORMAT)
    return header


def _check_header(header: Header | BareHeader, expected_format: int) -> None:
    if header.daybook != expected_format:
        if expected_format == FORMAT:
            raise BadFileError(1, "{wrong}", wrong=format_fault(header.daybook))
        raise BadFileError(
            1,
            "the file has format {given}; this Daybook reads format {known}",
            given=header.daybook,
            known=expected_format,
        )
    for text in (header.title, *(seat.name for seat in header.seats)):
        if not is_displayable(text) or not seen_of(text):
            raise BadFileError(1, "{text} contains characters that cannot be shown", text=repr(text))


def check_header_agrees(header: Header, opening: GameOpened) -> None:
    """Check a header against the sealed opening. Raises BadFileError if they differ."""
    for field in msgspec.structs.fields(Header):
        if field.name in ("title", "seats", "signed"):
            continue
        if getattr(header, field.name) != getattr(_sealed_header(opening), field.name):
            raise _header_mismatch(field.name)
    seats = [SeatTaken(seat.person, seat.colour) for seat in header.seats]
    if seats != opening.seats:
        raise _header_mismatch("seats")


def _header_mismatch(part: str) -> BadFileError:
    return BadFileError(1, "{part}: the header does not agree with the sealed opening in line 2", part=part)


def _sealed_header(opening: GameOpened, title: str = "", names: Iterable[str] = ()) -> Header:
    return Header(
        daybook=opening.format,
        game=UUID(opening.game),
        ruleset=opening.ruleset,
        revision=opening.revision,
        title=title,
        kind=opening.kind,
        recorded=opening.recorded,
        seats=[SeatNamed(name, seat.colour, seat.person) for name, seat in zip(names, opening.seats, strict=False)],
        options=opening.options,
        sheet=SheetUsed(opening.sheet.hash, opening.sheet.overrides),
        played_on=opening.played_on,
    )


def build_header(game: Game, title: str, names: Iterable[str]) -> Header:
    """Build the header of a game; `names` are by seat."""
    return _sealed_header(game.opening, title, names)


def header_line(header: Header | BareHeader) -> bytes:
    return ENCODER.encode(header) + b"\n"


def build_bare_header(header: Header, sheet: PinnedSheet | None = None) -> BareHeader:
    """Build the header of a bare file.

    Args:
        sheet: the game's numbers; those that differ from today's printed sheet become overrides.
    """
    printed = printed_sheet(header.ruleset).values()
    values = {} if sheet is None else sheet.values
    overrides = header.sheet.overrides | {
        path: value for path, value in values.items() if path in printed and printed[path] != value
    }
    return BareHeader(
        daybook=BARE_FORMAT,
        ruleset=header.ruleset,
        title=header.title,
        seats=[BareSeat(seat.name, seat.colour, seat.person) for seat in header.seats],
        options=header.options,
        sheet=BareSheet(overrides) if overrides else None,
        kind=header.kind,
        recorded=header.recorded,
        game=header.game,
        played_on=header.played_on,
    )
