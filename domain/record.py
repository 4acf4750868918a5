"""The record of one game: its events, the seal chain, and the commands that write the next event.

Nothing here knows a rule of a game. A record is a list of entries, numbered once for ever: step 0 opens the
game, every later entry is one step, whatever it is. Each event carries the changes it made to the board, so the
board at any step is a fold, and the fold reversed steps back. Taking back ends a line and begins another from
an earlier step; no step is rewritten, renumbered or removed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

import msgspec
from eventsourcing.domain import DomainEventProtocol

from domain.board import Changes, Document, copied, difference, fold, is_at, plain, unfold
from domain.ruleset import Board, Breach, Reason, Ruleset, Seat, Step, Table, because
from domain.sheet import Number, Sheet, digest

FORMAT = 1
TEXT_LIMIT = 2000  # characters of a note or a reason

Cause = Literal["table", "mistyped", "ruling"]
# table: the players took it back or found a slip; mistyped: the record was wrong about the table;
# ruling: an umpire decided it. They look alike and mean different things.

Pair = Annotated[list[Any], msgspec.Meta(min_length=2, max_length=2)]  # [before, after]


# --- events: their tags and field names are the storage format and never change their meaning ------------------------


class Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One entry of the record.

    at: when it was written down, UTC, "2026-11-20T19:30:00.000Z"; by: who wrote it; key: the client's
    idempotency key, unique in the game.
    """

    step: int
    at: str
    by: str
    key: str


class SeatTaken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of the game: a person by id (names live outside the record) and a colour."""

    person: str
    colour: str


class PinnedSheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed numbers a game is played with, whole, so that no later correction can change them.

    overrides: what the group's box prints differently from the sheet Daybook came with.
    """

    hash: str
    overrides: dict[str, Any]
    values: dict[str, Any]


class GameOpened(Event, frozen=True, kw_only=True, tag="game_opened"):
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
    columns: dict[str, list[int]]
    marks: dict[str, int]


class BoardStep(Event, frozen=True, kw_only=True):
    """An entry after which the board may lie differently, with the ledger's columns and the marks as they then are."""

    changes: dict[str, Pair]
    columns: dict[str, list[int]]
    marks: dict[str, int]
    closed: list[tuple[str, int]] = []  # the periods it ended


class DecisionRecorded(BoardStep, frozen=True, kw_only=True, tag="decision_recorded"):
    seat: Seat
    decision: dict[str, Any]
    effects: list[dict[str, Any]]


class DecisionsTakenBack(BoardStep, frozen=True, kw_only=True, tag="decisions_taken_back"):
    """The board lies again as it did after step `to`."""

    to: int
    cause: Cause
    why: str


class BoardAdjusted(BoardStep, frozen=True, kw_only=True, tag="board_adjusted"):
    cause: Cause
    why: str


class NoteAdded(Event, frozen=True, kw_only=True, tag="note_added"):
    about: int  # the step it is about
    text: str


class GameClosed(Event, frozen=True, kw_only=True, tag="game_closed"):
    totals: list[int]
    ranks: list[int]


class GameAbandoned(Event, frozen=True, kw_only=True, tag="game_abandoned"):
    why: str


class GameReopened(Event, frozen=True, kw_only=True, tag="game_reopened"):
    why: str


AnyEvent = (
    GameOpened | DecisionRecorded | DecisionsTakenBack | BoardAdjusted | NoteAdded | GameClosed | GameAbandoned
    | GameReopened
)


# --- lines and seals -------------------------------------------------------------------------------------------------

_SEAL_BEGINS = b',"seal":"'
_SEAL_LENGTH = len(_SEAL_BEGINS) + 64 + len(b'"}')
_decoder = msgspec.json.Decoder(AnyEvent)
_encoder = msgspec.json.Encoder(order="deterministic")


class BadLine(ValueError):
    """A line that is no sealed event; the message says why."""


def body_of(event: Event) -> bytes:
    """The event's canonical JSON: fields in their order, dict keys sorted, no spaces, UTF-8."""
    return _encoder.encode(event)


def sealed(body: bytes, previous: str) -> tuple[bytes, str]:
    """A body with its seal as last member, and the seal: SHA-256 of the previous seal's 64 characters and the body.

    The first event's previous seal is the empty text.
    """
    seal = hashlib.sha256(previous.encode() + body).hexdigest()
    return body[:-1] + _SEAL_BEGINS + seal.encode() + b'"}', seal


def unsealed(line: bytes) -> tuple[bytes, str]:
    """The body and the seal of a line. Raises BadLine."""
    start = len(line) - _SEAL_LENGTH
    if start < 1 or line[start : start + len(_SEAL_BEGINS)] != _SEAL_BEGINS or line[-2:] != b'"}':
        raise BadLine("the line does not end with its seal")
    return line[:start] + b"}", line[-66:-2].decode("ascii", "replace")


class Entry(DomainEventProtocol[UUID]):
    """One event in its place: of which game, which version, and the line exactly as it is stored."""

    __slots__ = ("_event", "line", "originator_id", "originator_version", "seal")

    originator_id: UUID
    originator_version: int  # the step + 1

    def __init__(self, game: UUID, event: AnyEvent, line: bytes, seal: str) -> None:
        self.originator_id = game
        self.originator_version = event.step + 1
        self._event = event
        self.line = line
        self.seal = seal

    @property
    def event(self) -> AnyEvent:
        return self._event

    @property
    def step(self) -> int:
        return self._event.step

    @property
    def topic(self) -> str:
        """The event's tag; it names the event's type in the log."""
        return str(self._event.__struct_config__.tag)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entry) and (self.originator_id, self.line) == (other.originator_id, other.line)

    __hash__: ClassVar[None]  # type: ignore[assignment]


def write(game: UUID, event: AnyEvent, previous: str) -> Entry:
    line, seal = sealed(body_of(event), previous)
    return Entry(game, event, line, seal)


def read_line(game: UUID, version: int, line: bytes) -> Entry:
    """The entry of a stored line. Raises BadLine if it is none, or has another place than `version`."""
    body, seal = unsealed(line)
    try:
        event = _decoder.decode(body)
    except msgspec.DecodeError as wrong:
        raise BadLine(str(wrong)) from wrong
    if event.step + 1 != version:
        raise BadLine(f"it says step {event.step} and stands in the place of step {version - 1}")
    return Entry(game, event, line, seal)


class BrokenSeal(Exception):
    """A step whose line is not what was sealed."""

    def __init__(self, step: int, says: str) -> None:
        super().__init__(f"step {step}: {says}")
        self.step = step
        self.says = says


def checked(step: int, line: bytes, previous: str) -> tuple[bytes, str]:
    """The body and the seal of the line of a step. Raises BrokenSeal if it is not what was sealed after `previous`."""
    try:
        body, seal = unsealed(line)
    except BadLine as wrong:
        raise BrokenSeal(step, str(wrong)) from wrong
    if sealed(body, previous)[1] != seal:
        raise BrokenSeal(step, "its seal does not fit: this line or the one before it was altered")
    return body, seal


# --- the game --------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """The record cannot take this entry; the reason states what is. Nothing has changed."""

    def __init__(self, reason: Reason, rule: str = "") -> None:
        super().__init__(f"{rule}: {reason}" if rule else str(reason))
        self.rule = rule
        self.reason = reason


class Written(msgspec.Struct, frozen=True):
    """Who writes an entry, when, and under which idempotency key."""

    at: str
    by: str
    key: str


class Game:
    """A game folded from its entries. Commands return the next entry and change nothing.

    `apply` takes an entry in, in place, for whoever folds; `then` gives the game with it and leaves this one as it
    is, so that a game that others are reading never changes under them.

    heads: for each step the step whose board lies on the table after it (itself, the step that a take-back
    went to, the one before a note). parents: for each step the one its board was played from.
    """

    def __init__(self, id: UUID, ruleset: Ruleset[Any]) -> None:
        self.id = id
        self.ruleset = ruleset
        self.entries: list[Entry] = []
        self.keys: dict[str, int] = {}
        self.heads: list[int] = []
        self.parents: list[int] = []
        self.document: Document = {}
        self.status: Literal["running", "closed", "abandoned"] = "running"
        self._board: Board | None = None
        self._table: Table | None = None

    # --- reading ---

    @property
    def step(self) -> int:
        """The newest step."""
        return len(self.entries) - 1

    @property
    def seal(self) -> str:
        return self.entries[-1].seal if self.entries else ""

    @property
    def opening(self) -> GameOpened:
        opened = self.entries[0].event
        assert isinstance(opened, GameOpened)
        return opened

    @property
    def table(self) -> Table:
        if self._table is None:
            self._table = table_of(self.opening, self.ruleset)
        return self._table

    @property
    def board(self) -> Board:
        """The board as it lies now. Not to be changed: copy it."""
        if self._board is None:
            self._board = self.ruleset.laid(self.document, self.table)
        return self._board

    def document_at(self, step: int) -> Document:
        """The board's document after a step, by stepping back from the present."""
        document: Document = copied(self.document)
        for entry in reversed(self.entries[step + 1 :]):
            if isinstance(entry.event, BoardStep):
                unfold(document, entry.event.changes)
        return document

    def line(self, step: int | None = None) -> list[int]:
        """The steps that made the board as it lay after a step, the opening first. Default: the newest."""
        head = self.heads[-1 if step is None else step]
        line = [head]
        while head:
            head = self.parents[head]
            line.append(head)
        return line[::-1]

    def struck(self) -> dict[int, int]:
        """Steps that no longer stand, each with the step that took it back."""
        stands = set(self.line())
        struck: dict[int, int] = {}
        for entry in self.entries:
            if isinstance(entry.event, DecisionsTakenBack):
                gone = set(self.line(entry.step - 1)) - set(self.line(entry.step))
                struck.update((step, entry.step) for step in gone if step not in stands)
        return struck

    def figures_at(self, step: int) -> tuple[dict[str, list[int]], dict[str, int]]:
        """The columns and marks after a step."""
        event = self.entries[self.heads[step]].event
        assert isinstance(event, BoardStep | GameOpened)
        return event.columns, event.marks

    # --- taking entries in ---

    def apply(self, entry: Entry, board: Board | None = None) -> None:
        """Take the next entry in. board: the typed board after it, if it is at hand."""
        event = entry.event
        assert event.step == len(self.entries), f"step {event.step} does not follow step {self.step}"
        head = self.heads[-1] if self.heads else 0
        self.parents.append(head)
        self.entries.append(entry)
        self.keys[event.key] = event.step
        match event:
            case GameOpened():
                self.document = copied(event.board)
            case BoardStep():
                fold(self.document, event.changes)
                head = self.heads[event.to] if isinstance(event, DecisionsTakenBack) else event.step
                self._board = board
            case GameClosed():
                self.status = "closed"
            case GameAbandoned():
                self.status = "abandoned"
            case GameReopened():
                self.status = "running"
        self.heads.append(head)

    def then(self, entry: Entry, board: Board | None = None) -> Game:
        """The game with one more entry; this one stays as it is."""
        game = Game(self.id, self.ruleset)
        game.entries, game.keys = [*self.entries], {**self.keys}
        game.heads, game.parents = [*self.heads], [*self.parents]
        game.document, game.status = copied(self.document), self.status
        game._board, game._table = self._board, self._table
        game.apply(entry, board)
        return game

    # --- commands: each returns the next entry ---

    def decide(self, seat: Seat, decision: Any, written: Written) -> tuple[Entry, Board]:
        """Raises IllegalDecision, Refused."""
        self._is_running()
        board, step = self.ruleset.step(self.board, seat, decision, self.document)
        return self._write(decision_event(self.step + 1, seat, decision, step, written)), board

    def take_back(self, to: int, cause: Cause, why: str, written: Written) -> Entry:
        """Back to the board as it lay after step `to`, any earlier step. Raises Refused."""
        self._is_running()
        self.check_step(to)
        if self.heads[to] == self.heads[-1]:
            raise Refused(because("nothing_to_take_back", "the board already lies as after step {to}", to=to))
        columns, marks = self.figures_at(to)
        return self._write(DecisionsTakenBack(
            step=self.step + 1, at=written.at, by=written.by, key=written.key, to=to, cause=cause, why=_text(why),
            changes=difference(self.document, self.document_at(to)), columns=columns, marks=marks))

    def adjust(self, values: Mapping[str, Any], cause: Cause, why: str, written: Written) -> Entry:
        """Put causes right: path -> what really lies there. Raises Refused naming the rule it would break."""
        self._is_running()
        if not why.strip():
            raise Refused(because("why_missing", "an adjustment says why"))
        board, changes = self._adjusted(values)
        return self._write(BoardAdjusted(
            step=self.step + 1, cause=cause, why=_text(why), changes=changes,
            columns=self.ruleset.figures(board), marks=self.ruleset.marks(board),
            closed=self.ruleset.closed(self.board, board), **_of(written)))

    def note(self, about: int, text: str, written: Written) -> Entry:
        self.check_step(about)
        if not text.strip():
            raise Refused(because("text_missing", "the note is empty"))
        return self._write(NoteAdded(step=self.step + 1, about=about, text=_text(text), **_of(written)))

    def close(self, written: Written) -> Entry:
        self._is_running()
        outcome = self.ruleset.outcome(self.board)
        if outcome is None:
            raise Refused(because("not_over", "the game is not over; it can be abandoned, with a reason"))
        totals = [score.total for score in self.ruleset.standing(self.board)]
        return self._write(GameClosed(
            step=self.step + 1, totals=totals, ranks=list(outcome.ranks), **_of(written)))

    def abandon(self, why: str, written: Written) -> Entry:
        self._is_running()
        if not why.strip():
            raise Refused(because("why_missing", "abandoning a game says why"))
        return self._write(GameAbandoned(step=self.step + 1, why=_text(why), **_of(written)))

    def reopen(self, why: str, written: Written) -> Entry:
        if self.status == "running":
            raise Refused(because("not_closed", "the game is open"))
        if not why.strip():
            raise Refused(because("why_missing", "reopening a game says why"))
        return self._write(GameReopened(step=self.step + 1, why=_text(why), **_of(written)))

    def _write(self, event: AnyEvent) -> Entry:
        return write(self.id, event, self.seal)

    def _is_running(self) -> None:
        if self.status != "running":
            raise Refused(because("game_closed", "the game is {status}; reopen it first", status=self.status))

    def check_step(self, step: int) -> None:
        """Raises Refused for a step that the record does not have."""
        if not 0 <= step <= self.step:
            raise Refused(because("unknown_step", "the record has steps 0 to {last}, not {step}", last=self.step,
                                  step=step))

    def _adjusted(self, values: Mapping[str, Any]) -> tuple[Board, Changes]:
        document: Document = copied(self.document)
        for path, value in values.items():
            if not is_cause(path, self.ruleset.causes) or not is_at(document, path):
                raise Refused(because(
                    "not_a_cause", "{path} cannot be adjusted: it is worked out, or the board has no such place",
                    path=path))
            fold(document, {path: [None, value]})
        try:
            board = self.ruleset.laid(document, self.table)
        except msgspec.ValidationError as wrong:
            raise Refused(because("wrong_type", "{wrong}", wrong=str(wrong))) from wrong
        changes = difference(self.document, board.document())
        if board.document() != document:
            raise Refused(because("wrong_type", "the board has no place for a part of what was given"))
        if not changes:
            raise Refused(because("nothing_adjusted", "everything lies like that already"))
        _refuse_breaches(self.ruleset.breaches(board))
        return board, changes


def _refuse_breaches(breaches: Iterable[Breach]) -> None:
    for breach in breaches:
        raise Refused(breach.reason, breach.rule)


def is_cause(path: str, patterns: Iterable[str]) -> bool:
    """Whether a path is one of the patterns or lies below one; `*` stands for one key."""
    keys = path.split("/")
    return any(
        len(keys) >= len(parts) and all(part in ("*", key) for part, key in zip(parts, keys, strict=False))
        for parts in (pattern.split("/") for pattern in patterns)
    )


def open_game(
    id: UUID, ruleset: Ruleset[Any], table: Table, seats: list[SeatTaken], options: dict[str, Any],
    overrides: dict[str, Any], kind: Literal["table", "practice"], recorded: Literal["live", "notes", "memory"],
    written: Written,
) -> Entry:
    """The first entry of a game."""
    board = ruleset.opened(table)
    return write(id, GameOpened(
        step=0, game=str(id), format=FORMAT, ruleset=ruleset.id, revision=ruleset.revision, kind=kind,
        recorded=recorded, seats=seats, options=options,
        sheet=PinnedSheet(table.sheet.digest(), overrides, table.sheet.values()), board=board.document(),
        columns=ruleset.figures(board), marks=ruleset.marks(board), **_of(written)), "")


def table_of(opening: GameOpened, ruleset: Ruleset[Any]) -> Table:
    """The table a recorded game was opened on, with the numbers pinned in its record."""
    sheet = Sheet(opening.ruleset, {
        path: Number(value, "box", "the record") for path, value in opening.sheet.values.items()})
    if digest(opening.ruleset, opening.sheet.values) != opening.sheet.hash:
        raise BadLine("the component sheet in the record is not the one its hash names")
    return ruleset.table([seat.colour for seat in opening.seats], opening.options, sheet)


def decision_event(step: int, seat: Seat, decision: Any, came: Step, written: Written) -> DecisionRecorded:
    return DecisionRecorded(
        step=step, seat=seat, decision=plain(decision), effects=came.effects, changes=came.changes,
        columns=came.columns, marks=came.marks, closed=came.closed, **_of(written))


def folded(entries: Iterable[Entry]) -> Iterator[tuple[Entry, Document]]:
    """Each entry with the board's document after it. The document is one object that moves along."""
    document: Document = {}
    for entry in entries:
        event = entry.event
        if isinstance(event, BoardStep):
            fold(document, event.changes)
        elif isinstance(event, GameOpened):
            document.update(copied(event.board))
        yield entry, document


def _text(text: str) -> str:
    if len(text) > TEXT_LIMIT:
        raise Refused(because("too_long", "{length} characters; at most {limit}", length=len(text), limit=TEXT_LIMIT))
    return text.strip()


def _of(written: Written) -> dict[str, str]:
    return {"at": written.at, "by": written.by, "key": written.key}
