"""Validation of entries from untrusted sources before they are applied.

Checked are seals, places, types, that changes fit the board, and that the resulting board is possible. Decisions are
not judged, so that a record stays readable after a rule is corrected (`services.files.audit` judges them).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

from daybook.domain import disputes
from daybook.domain.draws import draw_fields
from daybook.domain.kernel import chronicle, events
from daybook.domain.kernel.board import (
    Document,
    deep_copy,
    fold,
    holds,
    is_at,
    mismatches,
    plain,
    touches,
    unfold,
    value_at,
)
from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.chronicle import FORMAT, KEY, TEXT_LIMIT, InvalidLineError, Refused, check_seal, unfit_value
from daybook.domain.kernel.errors import Fault, UnreadableError, fault, unread
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset
from daybook.domain.kernel.sheet import InvalidSheetError, Sheet, overridden, takes
from daybook.domain.kernel.terms import TABLE, Board, Breach, IllegalDecision
from daybook.domain.kernel.times import day_of_play_fault

COUNTER_LIMIT = 2**31  # exclusive, of rounds and revisions: PostgreSQL integers hold no more

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")

_encoder = msgspec.json.Encoder(order="deterministic")


class MisfitError(UnreadableError):
    """An entry that is none of this record."""


E = TypeVar("E", bound=chronicle.ChronicleEvent)


def sealed_entry(
    step: int, line: bytes, previous: str, read: Callable[[int, bytes], chronicle.Entry[E]]
) -> chronicle.Entry[E]:
    """Parse the line of a step in canonical form.

    Args:
        read: (version, line) -> entry.

    Raises BrokenSealError, MisfitError.
    """
    body, _ = check_seal(step, line, previous)
    try:
        entry = read(step + 1, line)
    except InvalidLineError as wrong:
        raise MisfitError("{wrong}", wrong=wrong.fault) from wrong
    except UnicodeDecodeError as wrong:
        raise MisfitError("byte {byte} is not UTF-8", byte=wrong.start + 1) from wrong
    except RecursionError as deep:
        raise MisfitError("values are nested too deeply") from deep
    check_plain(msgspec.to_builtins(entry.event))
    if chronicle.body_of(entry.event) != body:
        raise MisfitError("the line is not in canonical form: fields in order, keys sorted, no spaces, nothing twice")
    return entry


def check_writing_fields(event: chronicle.ChronicleEvent, keys: Mapping[str, int]) -> None:
    """Check time, author and key of an entry.

    Args:
        keys: of the entries before it.

    Raises MisfitError.
    """
    check_time(event.at)
    if not KEY.fullmatch(event.key):
        raise MisfitError("key: 1 to 64 letters, digits, '_', '.', ':' or '-'")
    if event.key in keys:
        raise MisfitError("key: step {step} has the same one", step=keys[event.key])
    if event.nonce and not KEY.fullmatch(event.nonce):
        raise MisfitError("nonce: 1 to 64 letters, digits, '_', '.', ':' or '-'")
    check_author(event.by)


class GameIntake:
    """Game built from the lines of an untrusted file. A refused line leaves it unchanged."""

    def __init__(self, game: Game, printed: Sheet) -> None:
        """Begin with a game that will be modified.

        Args:
            printed: the printed sheet, whose numbers a record must name.
        """
        self.game = game
        self._printed = printed
        self._lays: dict[int, bytes] = {}  # cached digests of the board after a step

    def apply_line(self, line: bytes) -> events.Entry:
        """Apply the next line. Raises BrokenSealError, MisfitError."""
        entry: events.Entry = sealed_entry(
            len(self.game.entries), line, self.game.seal, partial(events.read_line, self.game.id)
        )
        event = entry.event
        check_writing_fields(event, self.game.keys)
        if isinstance(event, events.GameOpened):
            self._take_opening(event, entry)
        elif not self.game.entries:
            raise MisfitError("the first entry opens the game; this one does not")
        elif isinstance(event, events.BoardStep):
            self._take_step(event, entry)
        else:
            self._check_aside(event)
            lay = self._lay_of(self.game.step)
            self.game.apply(entry, self.game.board)
            self._lays[event.step] = lay
        return entry

    def _lay_of(self, step: int) -> bytes:
        if step not in self._lays:
            self._lays[step] = _digest_document(self.game.document_at(step))
        return self._lays[step]

    # --- the opening ---

    def _take_opening(self, event: events.GameOpened, entry: events.Entry) -> None:
        ruleset = self.game.ruleset
        if event.step:
            raise MisfitError("only the first entry opens the game")
        if event.format != FORMAT:
            raise MisfitError("{wrong}", wrong=chronicle.format_fault(event.format))
        if (event.game, event.ruleset) != (str(self.game.id), ruleset.id):
            raise MisfitError(
                "it opens game {given} of {other}, not {game} of {ruleset}",
                given=event.game,
                other=event.ruleset,
                game=str(self.game.id),
                ruleset=ruleset.id,
            )
        if not 0 <= event.revision < COUNTER_LIMIT:
            raise MisfitError("revision: {given} is none", given=event.revision)
        for seat in event.seats:
            if not 1 <= len(seat.person) <= 64 or not seat.person.isprintable():
                raise MisfitError("seats: a person's id is 1 to 64 characters that can be shown")
        if event.played_on and (wrong := day_of_play_fault(event.played_on, event.at)) is not None:
            raise MisfitError("played_on: {reason}", reason=wrong)
        self._check_numbers(event.sheet.values, event.sheet.overrides)
        opened = Game(self.game.id, ruleset)
        opened.apply(entry)
        try:
            board = opened.board
        except InvalidLineError as wrong:
            raise MisfitError("{wrong}", wrong=wrong.fault) from wrong
        except IllegalDecision as no:
            raise MisfitError("{rule}: {reason}", rule=no.rule, reason=no.reason) from no
        except msgspec.ValidationError as wrong:
            raise MisfitError("{wrong}", wrong=unread(wrong)) from wrong
        self._check_fields_known(board.document(), event.board)
        self._check_board(board, list(board_breaches(ruleset, board)))
        self._check_columns(event.columns, len(event.seats))
        self._check_marks(event.marks)
        self.game.apply(entry)
        self._lays[0] = _digest_document(event.board)

    def _check_numbers(self, values: Mapping[str, Any], overrides: Mapping[str, Any]) -> None:
        """Check that no number of the sheet is missing; unknown numbers do no harm."""
        try:
            sheet = overridden(
                self._printed, {path: value for path, value in values.items() if takes(self._printed, path)}
            )
        except InvalidSheetError as wrong:
            raise MisfitError("sheet: {wrong}", wrong=sheet_fault(wrong)) from wrong
        optional = {path for path, number in self._printed.numbers.items() if number.optional}
        missing = sheet.numbers.keys() - values.keys() - optional
        if missing:
            raise MisfitError("sheet: the number {path} is missing", path=min(missing))
        for path, value in overrides.items():
            if path not in values or values[path] != value:
                raise MisfitError("sheet: {path} is not {value} among the values", path=path, value=repr(value))

    # --- entries after which the board may lie differently ---

    def _take_step(self, event: events.BoardStep, entry: events.Entry) -> None:
        game = self.game
        self._check_running()
        self._check_columns(event.columns, len(game.opening.seats))
        self._check_marks(event.marks)
        if isinstance(event, events.DecisionRecorded):
            self._check_decision(event)
        elif isinstance(event, events.DecisionsTakenBack | events.BoardAdjusted):
            check_text(event.why)
        document = self._changed_document(event)
        if isinstance(event, events.BoardAdjusted):
            self._check_confirmed(event, document)
        lay = _digest_document(document)
        if isinstance(event, events.DecisionAsPlayed):
            for path, value in event.values.items():
                if not is_at(document, path) or value_at(document, path) != value:
                    raise MisfitError("values: {path} is not {value} afterwards", path=path, value=repr(value))
        if isinstance(event, events.DecisionsTakenBack):
            if not 0 <= event.to_step < event.step:
                raise MisfitError("to_step: step {step} is not before this one", step=event.to_step)
            if lay != self._lay_of(event.to_step):
                raise MisfitError("changes: they do not lead back to the board of step {step}", step=event.to_step)
            if (event.columns, event.marks) != game.figures_at(event.to_step):
                raise MisfitError("columns: they are not those of step {step}", step=event.to_step)
        try:
            board = game.ruleset.typed_board(document, game.table)
        except msgspec.ValidationError as wrong:
            raise MisfitError(
                "changes: the board after them is not a board of this game: {wrong}", wrong=unread(wrong)
            ) from wrong
        self._check_fields_known(board.document(), document)
        self._check_board(board, self._unannounced_breaches(event, board))
        self._check_references(event)
        game.apply(entry, board)
        self._lays[event.step] = lay

    def _changed_document(self, event: events.BoardStep) -> Document:
        """Return the board's document after the changes. Raises MisfitError if they do not fit the board before."""
        before = self.game.document
        for path in mismatches(before, event.changes):
            raise MisfitError("changes: {path} was not {value}", path=path, value=repr(event.changes[path][0]))
        document: Document = deep_copy(before)
        try:
            fold(document, event.changes)
            back: Document = deep_copy(document)
            unfold(back, event.changes)
        except (LookupError, TypeError) as overlapping:
            raise MisfitError("changes: they overlap") from overlapping
        if _digest_document(back) != self._lay_of(self.game.step):
            raise MisfitError("changes: stepping back from them does not lead to the board before")
        return document

    def _check_decision(self, event: events.DecisionRecorded) -> None:
        ruleset = self.game.ruleset
        if event.seat != TABLE and not 0 <= event.seat < len(self.game.opening.seats):
            raise MisfitError("seat: there is no seat {number}", number=event.seat)
        for what, given, read in (
            ("decision", event.decision, ruleset.decision),
            *(("effects", e, ruleset.effect) for e in event.effects),
        ):
            try:
                typed = read(given)
            except msgspec.ValidationError as wrong:
                raise MisfitError(
                    "{part}: {given} is not as {ruleset} has it: {wrong}",
                    part=what,
                    given=repr(given.get("type")),
                    ruleset=ruleset.id,
                    wrong=unread(wrong),
                ) from wrong
            if not holds(plain(typed), given):
                raise MisfitError(
                    "{part}: {given} has a part that {ruleset} does not know",
                    part=what,
                    given=repr(given),
                    ruleset=ruleset.id,
                )
            named = getattr(typed, "seat", None)
            if isinstance(named, int) and not TABLE <= named < len(self.game.opening.seats):
                raise MisfitError("{part}: there is no seat {number}", part=what, number=named)
        if isinstance(event, events.DecisionAsPlayed):
            check_text(event.why)
            if not event.objections:
                raise MisfitError("objections: there are none, and what the rules allow is recorded as it is")

    def _check_board(self, board: Board, breaches: Iterable[Breach]) -> None:
        """Check that no piece appeared or vanished, and that the rules can display the board."""
        for breach in breaches:
            raise MisfitError("the board cannot be: {rule}: {reason}", rule=breach.rule, reason=breach.reason)
        try:
            self.game.ruleset.ask_what_is_shown(board)
        except CANNOT_GO_ON as wrong:
            raise impossible_board(wrong) from wrong

    def _unannounced_breaches(self, event: events.BoardStep, board: Board) -> list[Breach]:
        """Return breaches of the board that neither the board before nor the entry itself explains."""
        if isinstance(event, events.DecisionsTakenBack):
            return []  # the board of that step was checked there
        ruleset, game = self.game.ruleset, self.game
        earlier = (
            {(breach.rule, breach.reason.key) for breach in board_breaches(ruleset, game.board)}
            if game.strange
            else set()
        )
        breaches = [
            breach for breach in board_breaches(ruleset, board) if (breach.rule, breach.reason.key) not in earlier
        ]
        if not isinstance(event, events.DecisionAsPlayed):
            return breaches
        said = {(objection.rule, objection.key) for objection in event.objections if objection.about == "board"}
        return [breach for breach in breaches if (breach.rule, breach.reason.key) not in said]

    def _check_confirmed(self, event: events.BoardAdjusted, document: Document) -> None:
        for path, value in event.confirmed.items():
            named = is_cause(path, self.game.ruleset.integrity.causes) and not touches(event.changes, path)
            if not named or not is_at(document, path) or value_at(document, path) != value:
                raise MisfitError("confirmed: {path} is not {value}", path=path, value=repr(value))

    def _check_references(self, event: events.BoardStep) -> None:
        """Check that an entry refers only to earlier steps."""
        places = (event.answers_step, getattr(event, "copied_from_step", None), getattr(event, "corrects_step", None))
        for place in places:
            if place is not None and not 0 <= place < event.step:
                raise MisfitError("it names step {step}, which is not before this one", step=place)
        if isinstance(event, events.DecisionRecorded):
            self._check_draw(event)

    def _check_draw(self, event: events.DecisionRecorded) -> None:
        """Check an entry's marks of draws against the entries before it."""
        if event.drawn_by_daybook and (event.seat != TABLE or isinstance(event, events.DecisionAsPlayed)):
            raise MisfitError("drawn_by_daybook: only facts of the table are drawn")
        fields = draw_fields(self.game, event.seat, event.decision, event.drawn_by_daybook, event.copied_from_step)
        if not isinstance(event, events.DecisionAsPlayed) and event.drawn_by_daybook != fields.get(
            "drawn_by_daybook", False
        ):
            raise MisfitError("drawn_by_daybook: step {step} says something else", step=str(event.copied_from_step))
        if event.replaces_drawn_step != fields.get("replaces_drawn_step"):
            raise MisfitError(
                "replaces_drawn_step: {given} is not the step whose draw this fact replaces",
                given=str(event.replaces_drawn_step),
            )

    @staticmethod
    def _check_fields_known(board: Document, document: Document) -> None:
        """Raise MisfitError if the document has a field or an item that the board read from it lacks."""
        if board != document and not holds(board, document):
            raise MisfitError("the board has a part that this game does not know")

    def _check_columns(self, columns: Mapping[str, list[Points]], seats: int) -> None:
        if self.game.entries and columns.keys() != self.game.opening.columns.keys():
            raise MisfitError("columns: they are not those of the opening")
        for name, values in columns.items():
            if len(values) != seats:
                raise MisfitError(
                    "columns: {name} has {n} values for {seats} seats", name=name, n=len(values), seats=seats
                )

    def _check_marks(self, marks: Mapping[str, int]) -> None:
        for name, value in marks.items():
            if not -COUNTER_LIMIT < value < COUNTER_LIMIT:
                raise MisfitError("marks: {name} is not {value}", name=name, value=value)

    # --- entries outside the board ---

    def _check_aside(self, event: events.AnyEvent) -> None:
        match event:
            case events.NoteAdded():
                check_text(event.text)
                if not 0 <= event.about_step < event.step:
                    raise MisfitError("about_step: step {step} is not before this one", step=event.about_step)
            case events.TableCounted():
                self._check_count(event)
            case events.SideEvent():
                try:
                    disputes.check(self.game, event)
                except Refused as no:
                    raise MisfitError("{reason}", reason=no.reason) from no
            case events.GameClosed():
                self._check_running()
                seats = len(self.game.opening.seats)
                if len(event.totals) != seats or len(event.ranks) != seats:
                    raise MisfitError("totals and ranks: one for each of {seats} seats", seats=seats)
                rule = ""
                if seats == 1 and (beside := self.game.ruleset.scoring.beside_one) is not None:
                    rule, seats = beside[0], seats + beside[1](self.game.table)
                for rank in event.ranks:
                    if not 1 <= rank <= seats:
                        if rule:
                            raise MisfitError(
                                "ranks: {given} is not a place among {seats} ({rule})",
                                given=rank,
                                seats=seats,
                                rule=rule,
                            )
                        raise MisfitError("ranks: {given} is not a place among {seats}", given=rank, seats=seats)
            case events.GameAbandoned():
                self._check_running()
                check_text(event.why)
            case events.GameReopened():
                check_text(event.why)
                if self.game.status == "running":
                    raise MisfitError("the game is open; it cannot be reopened")

    def _check_count(self, event: events.TableCounted) -> None:
        check_text(event.text)
        document = self.game.document
        for path, value in event.counted.items():
            if not is_at(document, path):
                raise MisfitError("counted: the board has no place {path}", path=path)
            lies = value_at(document, path)
            if event.differences.get(path) != (None if lies == value else [lies, value]):
                raise MisfitError(
                    "differences: for {path} they do not say what was counted and what the record has", path=path
                )
        if not event.differences.keys() <= event.counted.keys():
            raise MisfitError("differences: they name a place that was not counted")

    def _check_running(self) -> None:
        if self.game.status != "running":
            raise MisfitError("the game is {status} and was not reopened", status=self.game.status)


def board_breaches(ruleset: AnyRuleset, board: Board) -> list[Breach]:
    """Return breaches of the rules by a board. Raises MisfitError if the rules cannot check it."""
    try:
        return list(ruleset.integrity.breaches(board))
    except CANNOT_GO_ON as wrong:
        raise impossible_board(wrong) from wrong


def impossible_board(error: Exception) -> MisfitError:
    """Return the error for a board that the rules cannot handle."""
    return MisfitError("the board cannot be: {wrong}", wrong=f"{type(error).__name__}: {error}")


def sheet_fault(error: InvalidSheetError) -> Fault:
    """Return why a sheet cannot be used, with the number concerned."""
    why = Fault(error.says, {name: str(value) for name, value in error.figures.items()})
    return fault("{path}: {wrong}", path=error.path, wrong=why) if error.path else why


def check_plain(value: Any) -> None:
    """Only what every reader of a record holds exactly. Raises MisfitError."""
    reason = unfit_value(value)
    if reason is not None:
        raise MisfitError("{reason}", reason=reason)


def check_time(at: str) -> None:
    """Check the time of an entry. Raises MisfitError."""
    try:
        if TIME.fullmatch(at):
            datetime.fromisoformat(at)
            return
    except ValueError:
        pass
    raise MisfitError("at: {given} is not a time such as 2026-11-20T19:30:00.000Z", given=repr(at))


def check_author(by: str) -> None:
    """Check the author of an entry. Raises MisfitError."""
    if not 1 <= len(by) <= 64 or not by.isprintable():
        raise MisfitError("by: 1 to 64 characters that can be shown")


def check_text(text: str) -> None:
    """Check the length of a text. Raises MisfitError."""
    if len(text) > TEXT_LIMIT:
        raise MisfitError("a text of {n} characters; at most {limit}", n=len(text), limit=TEXT_LIMIT)


def _digest_document(document: Document) -> bytes:
    return blake2b(_encoder.encode(document), digest_size=16).digest()
