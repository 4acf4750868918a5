"""The events of a game's record: their fields, encoding and decoding.

Recorded events are permanent: a tag, a field and its meaning never change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, get_args
from uuid import UUID

import msgspec

from daybook.domain.kernel import chronicle
from daybook.domain.kernel.board import Document
from daybook.domain.kernel.chronicle import InvalidLineError
from daybook.domain.kernel.errors import fault, unread
from daybook.domain.kernel.field_types import Decision, SeatOrTable
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import Reason, Seat

Cause = Literal["table", "mistyped", "ruling"]
# table: the players took it back or found a slip; mistyped: the record was wrong about the table;
# ruling: an umpire decided it. They look alike and mean different things.

Pair = Annotated[list[Any], msgspec.Meta(min_length=2, max_length=2)]  # [before, after]


# --- events: their tags and field names are the storage format and never change their meaning ------------------------


class Event(chronicle.ChronicleEvent, kw_only=True):
    """An entry of a game.

    nonce: a seal is public while cards are covered, and the rest of an entry can be guessed. Without this secret,
    anyone could try covered cards until one fits the seal.
    """


OF_WRITING = ("step", "at", "by", "key", "nonce")  # fields about the writing, not about the event


class SeatTaken(Exact):
    """A seat of the game: a person by id (names live outside the record) and a colour."""

    person: str
    colour: str


class PinnedSheet(Exact):
    """The printed numbers of a game. They are complete, so that later corrections of a sheet cannot change the game.

    overrides: numbers in which the group's box differs from the default sheet.
    """

    hash: str
    overrides: dict[str, Any]
    values: dict[str, Any]


class GameOpened(Event, kw_only=True, tag="game_opened"):
    """The opening of a game.

    played_on: the day on which it was played, 2026-11-20, where the table gives it; a later `day_of_play_set` changes it.
    """

    game: str  # the game's id
    format: int
    ruleset: str
    revision: int
    kind: Literal["table", "practice"]  # practice: simulated, for ever
    recorded: Literal["live", "notes", "memory"]
    seats: list[SeatTaken]
    options: dict[str, Any]
    sheet: PinnedSheet
    board: Document
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    played_on: str = ""


class BoardStep(Event, kw_only=True):
    """An entry after which the board may be different, with all columns of the ledger and all marks after it."""

    changes: dict[str, Pair]
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    closed_periods: list[tuple[str, int]] = []  # the periods it ended
    answers_step: int | None = None  # the step of the count or the claim that it answers


class SideEvent(Event, kw_only=True):
    """Side entry: the board does not change, and other players may decide without seeing it first."""


class DecisionRecorded(BoardStep, kw_only=True, tag="decision_recorded"):
    """A decision and its effects.

    copied_from_step: the struck step that held this decision before an earlier step was corrected. corrects_step: the
    wrong, struck step that this one replaces. drawn_by_daybook: Daybook drew this random result at the table's request.
    replaces_drawn_step: the struck step at which Daybook drew the result; the table entered its own here.
    """

    seat: Seat
    decision: dict[str, Any]
    effects: list[dict[str, Any]]
    copied_from_step: int | None = None
    corrects_step: int | None = None
    drawn_by_daybook: bool = False
    replaces_drawn_step: int | None = None


class Objection(Exact, omit_defaults=True):
    """A rule broken by a move that stood at the table, and the reason as data.

    about: the decision, or the board that came of it.
    """

    rule: str
    key: str
    sentence: str
    figures: dict[str, Points | str] = {}
    about: Literal["decision", "board"] = "decision"

    @property
    def reason(self) -> Reason:
        return Reason(self.key, self.sentence, self.figures)


class DecisionAsPlayed(DecisionRecorded, kw_only=True, tag="decision_as_played"):
    """An illegal move that stood at the table: a decision that the rules refuse.

    rules_applied: the rules carried it out in spite of the refusal, and effects and changes begin with the result;
    values: path -> the actual value afterwards, as the table completed it.
    """

    objections: list[Objection]
    rules_applied: bool
    values: dict[str, Any] = {}
    why: str = ""


class DecisionsTakenBack(BoardStep, kw_only=True, tag="decisions_taken_back"):
    """The board returns to its state after step `to_step`."""

    to_step: int
    cause: Cause
    why: str


class BoardAdjusted(BoardStep, kw_only=True, tag="board_adjusted"):
    """confirmed: the other places that the table named, which had this value already: path -> value."""

    cause: Cause
    why: str
    confirmed: dict[str, Any] = {}
    copied_from_step: int | None = None  # as of a decision


class NoteAdded(SideEvent, kw_only=True, tag="note_added"):
    about_step: int  # the step it is about
    text: str


class GameClosed(Event, kw_only=True, tag="game_closed"):
    totals: list[Points]
    ranks: list[int]


class GameAbandoned(Event, kw_only=True, tag="game_abandoned"):
    why: str


class GameReopened(Event, kw_only=True, tag="game_reopened"):
    why: str


class GameRevealed(SideEvent, kw_only=True, tag="game_revealed"):
    """Covered cards of an abandoned game are revealed to all readers, permanently: it cannot be continued."""


class DayOfPlaySet(SideEvent, kw_only=True, tag="day_of_play_set"):
    """The day on which the game was played, if it was not the day of recording.

    previous_day: the day recorded until now; empty: none.
    """

    day: str
    previous_day: str = ""


class TableCounted(SideEvent, kw_only=True, tag="table_counted"):
    """A count of the table, path -> value. differences: from the record, [recorded, counted]."""

    counted: dict[str, Any]
    differences: dict[str, Pair] = {}
    text: str = ""


class CountAccepted(SideEvent, kw_only=True, tag="count_accepted"):
    """The table saw what a count found, and lets the record stand as it is."""

    count_step: int
    why: str


Ruling = Literal["play_on", "adjusted", "rewound"]
# play_on: the play is kept; adjusted: it is kept, and the board is corrected; rewound: back to a step.
# Separate entries, which refer to the claim, change the board as ruled.


class Move(Exact):
    """A decision of a seat inside a proposed ruling; it is not recorded yet."""

    seat: SeatOrTable
    decision: Decision


class UmpireNamed(SideEvent, kw_only=True, tag="umpire_named"):
    """An umpire of the game. umpire: from 0, in the order of naming; person: an id, as of a seat."""

    umpire: int
    person: str


class ClaimRaised(SideEvent, kw_only=True, tag="claim_raised"):
    """A claim that a step is wrong, identified by its own step.

    last_step: the last step of a claim on a whole turn, which begins with about_step; left out: only that step. seat: the
    claimant; left out: the scorekeeper. photos: the SHA-256 of each; they are stored outside the record. The proposal to
    the scorekeeper is one of three. moves: what happened instead of these steps; leaves_out: they never happened; figures:
    the recorded and the right figure of each place, by path.
    """

    about_step: int
    last_step: int | None = None
    statement: str
    rule: str = ""
    why: str = ""
    seat: Seat | None = None
    photos: list[str] = []
    moves: list[Move] = []
    leaves_out: bool = False
    figures: dict[str, list[Any]] = {}


class RulingProposed(SideEvent, kw_only=True, tag="ruling_proposed"):
    """A proposed settlement of a claim.

    to_step, moves: back to that step, and on with these; values: the new values by path.
    """

    claim: int
    ruling: Ruling
    to_step: int | None = None
    moves: list[Move] = []
    values: dict[str, Any] = {}
    why: str = ""


class RulingConsented(SideEvent, kw_only=True, tag="ruling_consented"):
    """A seat's consent to a proposed ruling, which takes effect when all seats have consented."""

    claim: int
    proposal: int
    seat: Seat


AppealedChanges = Literal["kept", "undone"]


class ClaimRuled(SideEvent, kw_only=True, tag="claim_ruled"):
    """A ruling on a claim.

    umpire: the author of the ruling; left out: all seats consented to the proposal. appeal_until: the last moment for an
    appeal. appealed_changes: in the ruling on an appeal: if the first ruling's changes to the board are kept or undone.
    """

    claim: int
    ruling: Ruling
    why: str
    umpire: int | None = None
    to_step: int | None = None
    proposal: int | None = None
    appeal_until: str = ""
    appealed_changes: AppealedChanges | None = None


class RulingAppealed(SideEvent, kw_only=True, tag="ruling_appealed"):
    """An appeal to the next umpire (`umpire`). seat: the appellant; left out: the scorekeeper."""

    claim: int
    umpire: int
    why: str
    seat: Seat | None = None


class ClaimClosed(SideEvent, kw_only=True, tag="claim_closed"):
    """The end of a claim. withdrawn: the claimant gave it up."""

    claim: int
    withdrawn: bool = False
    why: str = ""


DeviceKind = Literal["phone", "tablet", "computer"]


class LeaseTaken(SideEvent, kw_only=True, tag="lease_taken"):
    """The beginning of a lease, identified by its own step: one device records the game without the service."""

    device: DeviceKind


class LeaseEnded(SideEvent, kw_only=True, tag="lease_ended"):
    """The game is recorded in the service again.

    lease: the step that began it; broken: it was ended here, and this line lacks what the device recorded since;
    clock_ahead_seconds: by how many seconds the device's clock was ahead when it handed the game back.
    """

    lease: int
    revoked: bool = False
    clock_ahead_seconds: int = 0
    why: str = ""


AnyEvent = (
    GameOpened
    | DecisionRecorded
    | DecisionAsPlayed
    | DecisionsTakenBack
    | BoardAdjusted
    | NoteAdded
    | DayOfPlaySet
    | TableCounted
    | CountAccepted
    | UmpireNamed
    | ClaimRaised
    | RulingProposed
    | RulingConsented
    | ClaimRuled
    | RulingAppealed
    | ClaimClosed
    | LeaseTaken
    | LeaseEnded
    | GameClosed
    | GameAbandoned
    | GameReopened
    | GameRevealed
)


EVENTS: dict[str, type[Event]] = {tag_of(event): event for event in get_args(AnyEvent)}

DECISION = tag_of(DecisionRecorded)
_decoder = msgspec.json.Decoder(AnyEvent)

Entry = chronicle.Entry[AnyEvent]


def begins_as(line: bytes, tag: str) -> bool:
    """Check if a stored line begins with the tag of an event type."""
    return line.startswith(b'{"type":"' + tag.encode() + b'",')


def write_entry(game_id: UUID, event: AnyEvent, previous: str) -> Entry:
    """Return the next entry of a game, sealed with the seal of the previous one."""
    return chronicle.seal_entry(game_id, event, previous)


def read_line(game_id: UUID, version: int, line: bytes) -> Entry:
    """Return the entry of a game's stored line. Raises InvalidLineError if it is invalid or not at `version`."""
    return chronicle.read_entry_line(_decoder, game_id, version, line)


def stored_entry(game_id: UUID, version: int, line: bytes) -> Entry:
    """Return the entry of a line in the log; its event is decoded when it is needed."""
    return chronicle.Entry(game_id, version, line, None, _decoder)


def stored_entries(game_id: UUID, first: int, lines: Iterable[bytes]) -> list[Entry]:
    """Entries of the stored lines of a game from a version on."""
    return [chronicle.Entry(game_id, version, line, None, _decoder) for version, line in enumerate(lines, first)]


class Outline(Frozen, gc=False):
    """The few fields of a line that folding needs, as in the events."""

    step: int
    key: str
    by: str
    tag: str = msgspec.field(name="type")
    changes: dict[str, tuple[Any, Any]] | None = None
    board: Document | None = None
    drawn_by_daybook: bool = False

    @property
    def kind(self) -> type[Event]:
        return EVENTS[self.tag]


class BoardOutline(Frozen, gc=False):
    """The part of it that tells of the board: to read no more than this is what makes a replay quick."""

    step: int
    tag: str = msgspec.field(name="type")
    changes: dict[str, tuple[Any, Any]] | None = None
    board: Document | None = None


class Glance(Frozen, gc=False):
    """The fields of a line that tell its kind and the periods that ended with it, as in the events."""

    step: int
    tag: str = msgspec.field(name="type")
    closed_periods: list[tuple[str, int]] = []

    @property
    def kind(self) -> type[Event]:
        return EVENTS[self.tag]


_glances = msgspec.json.Decoder(Glance)
_outlines = msgspec.json.Decoder(Outline)
_board_outlines = msgspec.json.Decoder(BoardOutline)


def outline(entry: Entry) -> Outline:
    """Outline of an event, from its line. Raises InvalidLineError."""
    found: Outline = chronicle.decode_event(_outlines, entry.line)
    _check_outline(entry, found)
    return found


def outline_of(event: AnyEvent) -> Outline:
    """Outline of an event that was read; it holds the changes too."""
    changes: Any = event.changes if isinstance(event, BoardStep) else None
    drawn = isinstance(event, DecisionRecorded) and event.drawn_by_daybook
    return Outline(event.step, event.key, event.by, tag_of(type(event)), changes, drawn_by_daybook=drawn)


def board_outlines(entries: Iterable[Entry]) -> Iterator[tuple[Entry, BoardOutline]]:
    """Outlines of the events that change a board. Raises InvalidLineError."""
    decode = _board_outlines.decode
    for entry in entries:
        try:  # as chronicle.decode_event, without a call for each line
            found = decode(entry.line)
        except msgspec.DecodeError as wrong:
            raise InvalidLineError("{wrong}", wrong=unread(wrong)) from wrong
        if found.changes is None or found.tag != DECISION or found.step != entry.originator_version - 1:
            _check_outline(entry, found)
        yield entry, found


def glance(entry: Entry) -> Glance:
    """Glance at an entry, from its line: its kind and little more. Raises InvalidLineError, for an unknown kind too."""
    found: Glance = chronicle.decode_event(_glances, entry.line)
    _check_kind(entry, found)
    return found


def _check_kind(entry: Entry, outline: Outline | BoardOutline | Glance) -> None:
    """Raise InvalidLineError for another place than the entry's, or an unknown kind."""
    if outline.tag not in EVENTS:
        raise InvalidLineError("{wrong}", wrong=fault("it cannot be '{value}'", value=outline.tag))
    chronicle.check_place(outline.step, entry)


def _check_outline(entry: Entry, outline: Outline | BoardOutline) -> None:
    """Raise InvalidLineError if a line is invalid or lacks the board fields of its kind."""
    _check_kind(entry, outline)
    if outline.changes is None and outline.board is None:
        for kind, field in ((BoardStep, "changes"), (GameOpened, "board")):
            if issubclass(EVENTS[outline.tag], kind):
                raise InvalidLineError("{wrong}", wrong=fault("the field '{field}' is missing", field=field))


class Figures(NamedTuple):
    """The columns of the ledger (a figure for each seat) and the marks that say where the game is, by name."""

    columns: dict[str, list[Points]]
    marks: dict[str, int]


class _FiguresOutline(Frozen, gc=False):
    columns: dict[str, list[Points]]
    marks: dict[str, int]


_figures = msgspec.json.Decoder(_FiguresOutline)


def figures_of(entry: Entry) -> Figures:
    """Return the figures after an entry that changes the board or opens the game. Raises InvalidLineError."""
    known = entry.known
    if isinstance(known, BoardStep | GameOpened):
        return Figures(known.columns, known.marks)
    found: _FiguresOutline = chronicle.decode_event(_figures, entry.line)
    return Figures(found.columns, found.marks)
