"""Record files: a game as JSON Lines, for everyone to read, replay and verify without a server.

A full file is a header line and the game's lines byte for byte as they are stored. A bare file is a header and a
line for each thing that happened, as a person or another program writes it; the rules compute the rest. Both are
read line by line and checked as they come. `docs/record-format.md` describes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, BinaryIO, Literal
from uuid import UUID, uuid5

import msgspec

from domain import claims
from domain.board import plain
from domain.faults import Figure, Unreadable, unread
from domain.games import RULESETS
from domain.record import (
    FORMAT,
    AnyEvent,
    Aside,
    BoardAdjusted,
    BrokenSeal,
    Cause,
    DecisionAsPlayed,
    DecisionRecorded,
    DecisionsTakenBack,
    Entry,
    Game,
    GameAbandoned,
    GameClosed,
    GameOpened,
    GameReopened,
    NoteAdded,
    Place,
    Refused,
    SeatTaken,
    TableCounted,
    Written,
    open_game,
)
from domain.ruleset import Board, IllegalDecision, Reason, Ruleset
from domain.sheet import BadSheet, overridden
from services.integrity import Intake, Misfit, check_plain, check_text, check_time, sheet_fault
from services.misread import misread
from services.printed import printed

LINE_LIMIT = 2_000_000  # bytes; an opening with its sheet and board takes about 10,000
LINES_LIMIT = 10_000  # far above any game; whoever sends more wants to keep the service busy
BY_FILE = UUID("0d2b4a52-6f0c-5a0e-9d0e-3f6c2a1b7e55")  # names games and people that a bare file gives no id
BOM = b"\xef\xbb\xbf"

Title = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]

_encoder = msgspec.json.Encoder(order="deterministic")


class BadFile(Unreadable):
    """A record file that cannot be read: which line, counted from 1, and why. Nothing was taken from it."""

    def __init__(self, line: int, says: str, /, **figures: Figure) -> None:
        super().__init__(says, **figures)
        self.line = line

    @property
    def says(self) -> str:
        return str(self.fault)

    def __str__(self) -> str:
        return f"line {self.line}: {self.fault}"


class RefusedLine(BadFile):
    """A line of a bare file that the rules refuse."""

    def __init__(self, line: int, rule: str, reason: Reason) -> None:
        if rule:
            super().__init__(line, "{rule}: {reason}", rule=rule, reason=reason)
        else:
            super().__init__(line, "{reason}", reason=reason)
        self.step = line - 1
        self.rule = rule
        self.reason = reason


# --- the header ------------------------------------------------------------------------------------------------------


class SeatNamed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits where. The name stands here only: the sealed events know the person's id."""

    name: Name
    colour: str
    person: Id


class SheetUsed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hash: str
    overrides: dict[str, Any]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class BareSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    name: Name
    colour: str
    person: Id | None = None


class BareSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    overrides: dict[str, Any]


class BareHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a bare file.

    game: drawn from the header itself if it is missing. at: when it was written down; if it is missing, when it
    was read.
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


# --- the lines of a bare file ----------------------------------------------------------------------------------------


class TakenBack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The step it went back to. Line 1 is step 0."""

    to: int
    cause: Cause = "table"
    why: str = ""


class Adjusted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What really lies where: path -> value."""

    values: dict[str, Any]
    why: str
    cause: Cause = "table"


class Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    about: int
    text: str


class Closed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing to say: the rules know the totals."""


class Because(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: str


class Stood(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The decision of this line is refused by the rules and stood at the table.

    values: what really lay where afterwards; computed: the rules carry it out first, as far as they can.
    """

    values: dict[str, Any] = {}
    why: str = ""
    computed: bool = True


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What really lies there: path -> value."""

    values: dict[str, Any]
    text: str = ""


class BareLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that happened: `seat` with `decision`, or one of the others.

    as_played: beside a decision. aside: an entry of a claim or a count, its `type` and its fields as in a full file.
    carried_from, corrects, answers: steps, as in a full file. step: the line's number less one, if it is written at
    all. at, by: when and by whom it was written down.
    """

    seat: int | None = None
    decision: dict[str, Any] | None = None
    as_played: Stood | None = None
    takeback: TakenBack | None = None
    adjust: Adjusted | None = None
    note: Noted | None = None
    count: Counted | None = None
    aside: dict[str, Any] | None = None
    close: Closed | None = None
    abandon: Because | None = None
    reopen: Because | None = None
    carried_from: int | None = None
    corrects: int | None = None
    answers: int | None = None
    step: int | None = None
    at: str | None = None
    by: str | None = None

    @property
    def place(self) -> Place:
        return Place(self.carried_from, self.corrects, self.answers)

    @property
    def happened(self) -> BareLine:
        """Only what happened, without who wrote it down and when: equal for equal records."""
        return msgspec.structs.replace(self, step=None, at=None, by=None)


KINDS = ("decision", "takeback", "adjust", "note", "count", "aside", "close", "abandon", "reopen")


class Record(msgspec.Struct, frozen=True):
    """A record file that has been read: the game folded to its end. bare: the rules computed it."""

    header: Header
    game: Game
    bare: bool


# --- reading ---------------------------------------------------------------------------------------------------------


def read(source: BinaryIO, now: str) -> Record:
    """Read a record file of either kind. now: the time for bare lines that give none.

    Raises BadFile; RefusedLine where the rules refuse a bare line.
    """
    lines = numbered_lines(source)
    first = next(lines)[1]
    return _read_full(first, lines) if is_full(first) else _read_bare(first, lines, now)


def is_full(header: bytes) -> bool:
    """Whether a file's first line is the header of a full file: it names the revision of the rules. Raises BadFile."""
    if names_club(header):
        raise BadFile(1, "the file holds the entries of a club, and no game")
    return "revision" in decoded(1, header, dict[str, Any])


def names_club(header: bytes) -> bool:
    """Whether a file's first line says that a club's entries follow. Raises BadFile."""
    return "club" in decoded(1, header, dict[str, Any])


def numbered_lines(source: BinaryIO, after: int = 0, limit: int = LINES_LIMIT) -> Iterator[tuple[int, bytes]]:
    """The lines with their numbers from 1, without line ends. after: so many were read already. Raises BadFile."""
    number = after
    while line := source.readline(LINE_LIMIT + 1):
        number += 1
        yield number, _checked_line(number, line, limit)
    if not number:
        raise BadFile(1, "the file is empty: a record begins with a header")


def _checked_line(number: int, line: bytes, limit: int) -> bytes:
    if number == 1 and line.startswith(BOM):
        raise BadFile(1, "the file begins with a byte order mark: save it as UTF-8 without one")
    if number > limit:
        raise BadFile(number, "a record has at most {limit} lines", limit=limit)
    if len(line) > LINE_LIMIT:
        raise BadFile(number, "the line is longer than {limit} bytes", limit=LINE_LIMIT)
    if line.endswith((b"\r\n", b"\r")):
        raise BadFile(number, "the line ends with a carriage return: save the file with plain line feeds")
    line = line.removesuffix(b"\n")
    if not line.strip():
        raise BadFile(number, "the line is empty")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise BadFile(number, "byte {byte} is not UTF-8", byte=wrong.start + 1) from wrong
    return line


def known_ruleset(id: str) -> Ruleset[Any]:
    """Raises BadFile: the header names a game that Daybook does not know."""
    if id not in RULESETS:
        raise BadFile(
            1, "Daybook does not know the game {given}; it knows {known}", given=repr(id),
            known=", ".join(sorted(RULESETS)))
    return RULESETS[id]


def decoded(number: int, line: bytes, kind: Any) -> Any:
    """What a line holds. Raises BadFile."""
    try:
        value = msgspec.json.decode(line, type=kind)
        check_plain(msgspec.to_builtins(value))
    except msgspec.DecodeError as wrong:
        raise BadFile(number, "{wrong}", wrong=unread(wrong)) from wrong
    except Misfit as wrong:
        raise BadFile(number, "{wrong}", wrong=wrong.fault) from wrong
    except RecursionError as deep:
        raise BadFile(number, "values are nested too deeply") from deep
    return value


def _check_header(header: Header | BareHeader) -> None:
    if header.daybook != FORMAT:
        raise BadFile(
            1, "the file has format {given}; this Daybook reads format {known}", given=header.daybook, known=FORMAT)
    for text in (header.title, *(seat.name for seat in header.seats)):
        if not text.isprintable() or not text.strip():
            raise BadFile(1, "{text} holds characters that cannot be shown", text=repr(text))


# --- full files ---


def read_header(line: bytes) -> Header:
    """The header of a full file. Raises BadFile."""
    if not is_full(line):
        raise BadFile(1, "a bare file: it carries no seals")
    header: Header = decoded(1, line, Header)
    _check_header(header)
    return header


def _read_full(first: bytes, lines: Iterator[tuple[int, bytes]]) -> Record:
    header = read_header(first)
    intake = Intake(header.game, known_ruleset(header.ruleset), printed(header.ruleset))
    for number, line in lines:
        try:
            intake.take(line)
        except BrokenSeal as broken:
            raise BadFile(number, "step {step}: {wrong}", step=broken.step, wrong=broken.fault) from broken
        except Misfit as wrong:
            raise BadFile(number, "step {step}: {wrong}", step=number - 2, wrong=wrong.fault) from wrong
        if number == 2:
            check_agrees(header, intake.game.opening)
    if not intake.game.entries:
        raise BadFile(2, "the line that opens the game is missing")
    return Record(header, intake.game, bare=False)


def check_agrees(header: Header, opening: GameOpened) -> None:
    """Raises BadFile where the header says something else than the sealed opening."""
    for field in msgspec.structs.fields(Header):
        if field.name in ("title", "seats"):
            continue
        if getattr(header, field.name) != getattr(_sealed_header(opening), field.name):
            raise _disagrees(field.name)
    seats = [SeatTaken(seat.person, seat.colour) for seat in header.seats]
    if seats != opening.seats:
        raise _disagrees("seats")


def _disagrees(part: str) -> BadFile:
    return BadFile(1, "{part}: the header does not agree with the sealed opening in line 2", part=part)


def _sealed_header(opening: GameOpened, title: str = "", names: Iterable[str] = ()) -> Header:
    return Header(
        daybook=opening.format, game=UUID(opening.game), ruleset=opening.ruleset, revision=opening.revision,
        title=title, kind=opening.kind, recorded=opening.recorded,
        seats=[SeatNamed(name, seat.colour, seat.person) for name, seat in zip(names, opening.seats, strict=False)],
        options=opening.options, sheet=SheetUsed(opening.sheet.hash, opening.sheet.overrides))


# --- bare files ---


def _read_bare(first: bytes, lines: Iterator[tuple[int, bytes]], now: str) -> Record:
    header = read_bare_header(first)
    game = opened(header, now)
    for number, line in lines:
        add_bare(game, number, read_bare_line(number, line), header.at or now)
    return Record(header_of(game, header.title, [seat.name for seat in header.seats]), game, bare=True)


def read_bare_header(line: bytes) -> BareHeader:
    """The header of a bare file. Raises BadFile."""
    header: BareHeader = decoded(1, line, BareHeader)
    _check_header(header)
    return header


def read_bare_line(number: int, line: bytes) -> BareLine:
    """One line of a bare file. Raises BadFile."""
    bare: BareLine = decoded(number, line, BareLine)
    kinds = [
        name for name in KINDS if getattr(bare, name) is not None
    ]
    if len(kinds) != 1:
        raise BadFile(number, "a line is one of: decision (with seat), {others}", others=", ".join(KINDS[1:]))
    if (bare.seat is None) == (kinds == ["decision"]):
        raise BadFile(number, "a decision has a seat, and nothing else has one")
    if bare.as_played is not None and kinds != ["decision"]:
        raise BadFile(number, "only a decision is as_played")
    if bare.step is not None and bare.step != number - 1:
        raise BadFile(
            number, "it says step {given}; line {line} is step {step}", given=bare.step, line=number, step=number - 1)
    return bare


def bare_id(header: BareHeader) -> UUID:
    """The game's id: the one it names, or one drawn from the header."""
    return header.game or uuid5(BY_FILE, _encoder.encode(header).decode())


def opened(header: BareHeader, now: str) -> Game:
    """The game a bare header opens. Raises BadFile, RefusedLine."""
    ruleset, id = known_ruleset(header.ruleset), bare_id(header)
    people = [
        SeatTaken(seat.person or uuid5(BY_FILE, f"{id} {place}").hex, seat.colour)
        for place, seat in enumerate(header.seats)
    ]
    try:
        if header.at is not None:
            check_time(header.at)
        overrides = header.sheet.overrides if header.sheet else {}
        sheet = overridden(printed(ruleset.id), overrides)
        table = ruleset.table([seat.colour for seat in header.seats], header.options, sheet)
        entry = open_game(
            id, ruleset, table, people, plain(table.options), overrides, header.kind, header.recorded,
            Written(header.at or now, "import", "line-1"))
    except IllegalDecision as no:
        raise RefusedLine(1, no.rule, no.reason) from no
    except BadSheet as wrong:
        raise BadFile(1, "{wrong}", wrong=sheet_fault(wrong)) from wrong
    except Misfit as wrong:
        raise BadFile(1, "{wrong}", wrong=wrong.fault) from wrong
    game = Game(id, ruleset)
    game.apply(entry)
    for breach in ruleset.breaches(game.board):
        raise BadFile(
            1, "with these numbers the game cannot be opened: {rule}: {reason}", rule=breach.rule,
            reason=breach.reason)
    return game


def add_bare(game: Game, number: int, bare: BareLine, now: str) -> Entry:
    """Take a bare line in as the game's next entry. Raises BadFile, RefusedLine."""
    key = f"line-{number}"
    if key in game.keys:
        raise BadFile(number, "step {step} of the game has the key {key} already", step=game.keys[key], key=key)
    try:
        if bare.at is not None:
            check_time(bare.at)
        entry, board = next_entry(game, number, bare, Written(bare.at or now, bare.by or "import", key))
    except IllegalDecision as no:
        raise RefusedLine(number, no.rule, no.reason) from no
    except Refused as no:
        raise RefusedLine(number, no.rule, no.reason) from no
    except Misfit as wrong:
        raise BadFile(number, "{wrong}", wrong=wrong.fault) from wrong
    game.apply(entry, board)
    return entry


def next_entry(game: Game, number: int, bare: BareLine, written: Written) -> tuple[Entry, Board | None]:
    """What a bare line comes to as the game's next entry, and the board after it, if it is at hand.

    Raises IllegalDecision, Refused, Misfit, BadFile.
    """
    match bare:
        case BareLine(takeback=TakenBack(to, cause, why)):
            check_text(why)
            return game.take_back(to, cause, why, written, bare.place), None
        case BareLine(adjust=Adjusted(values, why, cause)):
            return game.adjust(values, cause, why, written, bare.place), None
        case BareLine(note=Noted(about, text)):
            return game.note(about, text, written), game.board
        case BareLine(count=Counted(values, text)):
            return game.count(values, text, written), game.board
        case BareLine(aside=dict()):
            return claims.added(game, _aside(game, number, bare, written)), game.board
        case BareLine(close=Closed()):
            return game.close(written), game.board
        case BareLine(abandon=Because(why)):
            return game.abandon(why, written), game.board
        case BareLine(reopen=Because(why)):
            return game.reopen(why, written), game.board
    assert bare.seat is not None and bare.decision is not None
    if not -1 <= bare.seat < len(game.opening.seats):
        raise BadFile(
            number, "there is no seat {number}: the seats are 0 to {last}, the table is -1", number=bare.seat,
            last=len(game.opening.seats) - 1)
    try:
        decision = game.ruleset.decision(bare.decision)
    except msgspec.ValidationError as wrong:
        raise BadFile(number, "{wrong}", wrong=misread(game.ruleset, bare.decision, wrong)) from wrong
    if bare.as_played is not None:
        stood = bare.as_played
        return game.as_played(bare.seat, decision, stood.values, stood.why, written, bare.place, stood.computed)
    return game.decide(bare.seat, decision, written, bare.place)


def _aside(game: Game, number: int, bare: BareLine, written: Written) -> Aside:
    """The entry beside the game that a bare line holds. Raises BadFile."""
    given = {**msgspec.to_builtins(written), **(bare.aside or {}), "step": game.step + 1}
    try:
        event = msgspec.convert(given, AnyEvent)
    except msgspec.ValidationError as wrong:
        raise BadFile(number, "aside: {wrong}", wrong=unread(wrong)) from wrong
    if not isinstance(event, Aside) or isinstance(event, NoteAdded | TableCounted):
        raise BadFile(number, "aside: an entry of a claim, or a count that is accepted")
    return event


# --- writing ---------------------------------------------------------------------------------------------------------


def header_of(game: Game, title: str, names: Iterable[str]) -> Header:
    """The header of a game; names by seat."""
    return _sealed_header(game.opening, title, names)


def header_line(header: Header | BareHeader) -> bytes:
    return _encoder.encode(header) + b"\n"


def full(header: Header, entries: Iterable[Entry]) -> Iterator[bytes]:
    """A full record file, line by line."""
    yield header_line(header)
    for entry in entries:
        yield entry.line + b"\n"


def bare(header: Header, entries: Iterable[Entry]) -> Iterator[bytes]:
    """The same game as a bare file."""
    yield header_line(bare_header(header))
    for entry in entries:
        if entry.step:
            yield encoded(bare_line(entry.event)) + b"\n"


def encoded(line: BareLine) -> bytes:
    """A bare line as it is written, without a line end."""
    return _encoder.encode(line)


def bare_header(header: Header) -> BareHeader:
    overrides = header.sheet.overrides
    return BareHeader(
        daybook=header.daybook, ruleset=header.ruleset, title=header.title,
        seats=[BareSeat(seat.name, seat.colour, seat.person) for seat in header.seats], options=header.options,
        sheet=BareSheet(overrides) if overrides else None, kind=header.kind, recorded=header.recorded,
        game=header.game)


def bare_line(event: AnyEvent) -> BareLine:
    """What happened at a step other than the opening."""
    match event:
        case DecisionAsPlayed():
            stood = Stood(event.by_hand, event.why, event.computed)
            return BareLine(
                seat=event.seat, decision=event.decision, as_played=stood, carried_from=event.carried_from,
                corrects=event.corrects, answers=event.answers)
        case DecisionRecorded():
            return BareLine(
                seat=event.seat, decision=event.decision, carried_from=event.carried_from, corrects=event.corrects,
                answers=event.answers)
        case DecisionsTakenBack():
            return BareLine(takeback=TakenBack(event.to, event.cause, event.why), answers=event.answers)
        case BoardAdjusted():
            return BareLine(
                adjust=Adjusted(_values(event.changes), event.why, event.cause), carried_from=event.carried_from,
                answers=event.answers)
        case NoteAdded():
            return BareLine(note=Noted(event.about, event.text))
        case TableCounted():
            return BareLine(count=Counted(event.counted, event.text))
        case Aside():
            fields: dict[str, Any] = msgspec.to_builtins(event)
            return BareLine(aside={
                name: value for name, value in fields.items() if name not in ("step", "at", "by", "key")})
        case GameClosed():
            return BareLine(close=Closed())
        case GameAbandoned():
            return BareLine(abandon=Because(event.why))
        case GameReopened():
            return BareLine(reopen=Because(event.why))
    raise AssertionError(f"{event} opens the game")


def _values(changes: Mapping[str, list[Any]]) -> dict[str, Any]:
    return {path: after for path, (_, after) in changes.items()}
