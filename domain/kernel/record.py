"""The record of a game: its entries, and the board that results from them. `domain.entries` makes the next entry.

This module knows no rules. A record is a list of entries with permanent numbers: step 0 opens the game, and every later
entry is a step. Each event has its changes of the board, so the board at any step is a fold of the changes, and
reversed changes lead back. A take-back ends a line and begins another one from an earlier step. No step is rewritten,
renumbered or removed.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal
from uuid import UUID

from daybook.domain.kernel import events
from daybook.domain.kernel.board import Document, deep_copy, fold, fold_own, unfold, way
from daybook.domain.kernel.chronicle import Refused
from daybook.domain.kernel.opening import opening_of_entry, table_of
from daybook.domain.kernel.practice_seats import Level, practice_levels
from daybook.domain.kernel.ruleset import CANNOT_GO_ON, AnyRuleset, Step
from daybook.domain.kernel.terms import Board, Breach, Effect, IllegalDecision, RulesBrokenError, Seat, Table, because

Status = Literal["running", "closed", "abandoned"]
STATUS: dict[type[events.Event], Status] = {
    events.GameClosed: "closed",
    events.GameAbandoned: "abandoned",
    events.GameReopened: "running",
}
# state of a game after such an entry

UNFOLDED_APART = 64  # a copy of a game carries the changes of up to this many steps before its document is folded
KEYS_APART = 64  # a copy carries the newest keys; a long record has thousands

NOT_WORKED_OUT = because("not_worked_out", "the rules cannot work out what follows from this on such a board")


class Game:
    """A game folded from its entries.

    `apply` adds an entry to this object. `then` returns a copy with the entry, so that concurrent readers of this object
    never see a change.

    Args:
        writers: the writer of each step.
        heads: for each step, the step whose board is current after it: the step itself, the target of a take-back, or
            the step before a note.
        parents: for each step, the step on whose board it was played.
        strange: an illegal move was recorded, so the rules may not know the board.
        leases: first and last step of each time in which only one device recorded the game; None: until now.
        revealed_at: the step that revealed an abandoned game; None: it is not revealed.
        asides: the steps of entries that do not change the board.
        take_backs: the steps of take-backs.
        draws: the steps of facts that Daybook drew.
        size: bytes of all lines.
    """

    def __init__(self, game_id: UUID, ruleset: AnyRuleset) -> None:
        self.id = game_id
        self.ruleset = ruleset
        self.entries: list[events.Entry] = []
        self._keys: dict[str, int] = {}  # shared with copies, and so never changed after one was made
        self._newer_keys: dict[str, int] = {}
        self.writers: list[str] = []
        self.heads: list[int] = []
        self.parents: list[int] = []
        self._recorded: tuple[Document, list[Mapping[str, Any]]] = {}, []  # a document, and changes that it lacks
        self._document_shared = False  # shared with copies, and therefore never changed
        self.status: Status = "running"
        self.strange = False
        self.leases: list[tuple[int, int | None]] = []
        self.revealed_at: int | None = None
        self.side_steps: list[int] = []
        self.take_backs: list[int] = []
        self.draws: list[int] = []
        self.side_state: tuple[int, Any] | None = None  # (number of asides, result of `domain.disputes`)
        self.size = 0
        self._board: Board | None = None
        self._table: Table | None = None
        self._practice_levels: Mapping[Seat, Level] | None = None
        self._judged: tuple[Board, Step] | None = None  # result of the newest judgement in this process
        self._since: Step | None = None  # the step that led to the board, if it was judged in this process
        self._lies_as_recorded: bool | None = None  # the board's document equals the recorded one; None: unknown

    # --- reading ---

    @property
    def keys(self) -> Mapping[str, int]:
        """The step that each idempotency key wrote."""
        return ChainMap(self._newer_keys, self._keys)

    @property
    def step(self) -> int:
        """The newest step."""
        return len(self.entries) - 1

    @property
    def seal(self) -> str:
        return self.entries[-1].seal if self.entries else ""

    @property
    def lease(self) -> int | None:
        """The step since which the game is recorded on one device alone; None: it is not."""
        return self.leases[-1][0] if self.leases and self.leases[-1][1] is None else None

    def is_by_device(self, step: int) -> bool:
        """Check if a step was recorded on a leased device, with that device's time."""
        return any(taken < step and (ended is None or step < ended) for taken, ended in self.leases)

    @property
    def opening(self) -> events.GameOpened:
        return opening_of_entry(self.entries[0])

    @property
    def table(self) -> Table:
        if self._table is None:
            self._table = table_of(self.opening, self.ruleset)
        return self._table

    @property
    def title(self) -> str:
        """The title of the game that is played."""
        return self.ruleset.title if self.ruleset.title_of is None else self.ruleset.title_with(self.table.sheet)

    @property
    def game_key(self) -> str:
        """The key of the game that is played (`Ruleset.key_with`)."""
        return self.ruleset.id if self.ruleset.title_of is None else self.ruleset.key_with(self.table.sheet)

    @property
    def document(self) -> Document:
        """The recorded document of the board. Do not change it."""
        document, unfolded = self._recorded
        if unfolded:  # fold into a copy and replace both attributes at once, because other threads may read them
            document = deep_copy(document)
            for changes in unfolded:
                fold(document, changes)
            self._recorded = document, []
        return document

    @property
    def board(self) -> Board:
        """The current board. Do not change it: copy it."""
        if self._board is None:
            self._board = self.ruleset.typed_board(self.document, self.table)
        return self._board

    def document_at(self, step: int) -> Document:
        """Return the board's document after a step, computed from the present or the opening, the nearer one."""
        document: Document
        if step < self.step - step:
            document = deep_copy(self.opening.board)
            for _, what in events.board_outlines(self.entries[1 : step + 1]):
                fold_own(document, what.changes or {})
            return document
        document = deep_copy(self.document)
        for _, what in events.board_outlines(reversed(self.entries[step + 1 :])):
            unfold(document, what.changes or {})
        return document

    def board_at(self, step: int) -> Board:
        """Return the board after a step. It must not be changed."""
        if self.heads[step] == self.heads[-1]:
            return self.board
        board: Board = self.ruleset.typed_board(self.document_at(step), self.table)
        return board

    @property
    def is_at_table(self) -> bool:
        """True while people play the game."""
        return self.status == "running" and self.is_of_people

    @property
    def is_of_people(self) -> bool:
        """True for a game of people: no practice game, or one against practice players."""
        return self.opening.kind != "practice" or 0 < len(self.practice_levels) < len(self.opening.seats)

    @property
    def is_revealed(self) -> bool:
        """True if nothing in the game is hidden from its readers.

        A table game is open once it is over by its rules and closed. An abandoned game can be reopened, so it stays
        hidden until a separate step reveals it. After that it cannot be reopened.
        """
        return self.status == "closed" or self.revealed_at is not None or not self.is_of_people

    def was_revealed_at(self, step: int) -> bool:
        """Check if the game lay open after a step."""
        return (
            self.status_at(step) == "closed"
            or not self.is_of_people
            or (self.revealed_at is not None and self.revealed_at <= step)
        )

    @property
    def practice_levels(self) -> Mapping[Seat, Level]:
        """The seats that play by themselves, and how well."""
        if self._practice_levels is None:
            people = [seat.person for seat in self.opening.seats] if self.opening.kind == "practice" else ()
            self._practice_levels = practice_levels(self.id, people)
        return self._practice_levels

    @property
    def may_hold_sealed(self) -> bool:
        """True if the board may have cards that no one may read before the game is open."""
        return self.ruleset.secrecy.seals and not self.is_revealed

    def day_of_play(self, step: int | None = None) -> str:
        """Return the day of play as recorded up to a step, or "". Default: the newest."""
        told = (
            event.day
            for aside in reversed(self.side_steps)
            if (step is None or aside <= step) and isinstance(event := self.entries[aside].event, events.DayOfPlaySet)
        )
        return next(told, self.opening.played_on)

    def status_at(self, step: int) -> Status:
        """Return the status of the game after a step."""
        kinds = (type(entry.event) for entry in reversed(self.entries[: step + 1]))
        return next((STATUS[kind] for kind in kinds if kind in STATUS), "running")

    def line(self, step: int | None = None) -> list[int]:
        """Return the steps that made the board after a step, the opening first. Default: the newest."""
        head = self.heads[-1 if step is None else step]
        found = [head]
        while head:
            head = self.parents[head]
            found.append(head)
        return found[::-1]

    def line_back(self, step: int | None = None) -> Iterator[int]:
        """Yield the steps of `line`, the newest first, for callers that need the last of a long record."""
        head = self.heads[-1 if step is None else step]
        yield head
        while head:
            head = self.parents[head]
            yield head

    def line_since(self, base: int, step: int | None = None) -> list[int]:
        """Return the steps in the line of a step that are not in the line of `base`, in order.

        A take-back from the step to `base` strikes them out. Default: the newest step.
        """
        head, other = self.heads[-1 if step is None else step], self.heads[base]
        since = []
        while head != other:
            if head > other:
                since.append(head)
                head = self.parents[head]
            else:
                other = self.parents[other]
        return since[::-1]

    def struck_steps(self, at: int | None = None) -> dict[int, int]:
        """Return the steps that do not stand after a step, each with the step that took it back. Default: the newest."""
        backs = [back for back in self.take_backs if at is None or back <= at]
        stands = set(self.line(at)) if backs else set()
        return {step: back for back in backs for step in self.line_since(back, back - 1) if step not in stands}

    def figures_at(self, step: int) -> events.Figures:
        """Return the columns and marks after a step. Not to be changed."""
        return events.figures_of(self.entries[self.heads[step]])

    def figures_so_far(self, step: int) -> events.Figures:
        """Return the columns and marks after a step as pages show them (`Ruleset.so_far`). Not to be changed."""
        recorded = self.figures_at(step)
        if self.ruleset.scoring.so_far is None:
            return recorded
        board = self.board_at(step)
        counted = self.ruleset.so_far(board)
        return recorded if counted is board else events.Figures(self.ruleset.figures(counted), recorded.marks)

    # --- applying entries ---

    def apply(self, entry: events.Entry, board: Board | None = None) -> None:
        """Apply the next entry. board: the typed board after it, if it is cached."""
        known = entry.known
        what = events.outline(entry) if known is None else events.outline_of(known)
        assert what.step == len(self.entries), f"step {what.step} does not follow step {self.step}"
        head = self.heads[-1] if self.heads else 0
        self.parents.append(head)
        self.entries.append(entry)
        self.size += len(entry.line)
        self._newer_keys[what.key] = what.step
        self.writers.append(what.by)
        if what.kind is events.GameOpened:
            self._recorded = deep_copy(self.opening.board), []
        elif what.changes is not None:
            self._fold(what.changes, own=known is None)
            back = entry.event if what.kind is events.DecisionsTakenBack else None
            head = self.heads[back.to_step] if isinstance(back, events.DecisionsTakenBack) else what.step
            self._lay(board)
            self.strange = self.strange or what.kind is events.DecisionAsPlayed
        elif what.kind in STATUS:
            self.status = STATUS[what.kind]
        if what.drawn_by_daybook:
            self.draws.append(what.step)
        if what.kind is events.DecisionsTakenBack:
            self.take_backs.append(what.step)
        elif issubclass(what.kind, events.SideEvent):
            self.side_steps.append(what.step)
        if what.kind is events.LeaseTaken:
            self.leases.append((what.step, None))
        elif what.kind is events.LeaseEnded:
            self.leases[-1] = self.leases[-1][0], what.step
        elif what.kind is events.GameRevealed:
            self.revealed_at = what.step
        self.heads.append(head)

    def _fold(self, changes: Mapping[str, Any], own: bool) -> None:
        """Apply an entry's changes to the document, or store them until the document is needed.

        own: the caller no longer uses the changes.
        """
        document, unfolded = self._recorded
        if own and not unfolded and not self._document_shared:
            fold_own(document, changes)
        else:
            unfolded.append(changes)

    def _lay(self, board: Board | None) -> None:
        """Set the cached board after an entry; None: it has to be computed."""
        judged = self._judged
        self._board, self._judged = board, None
        if board is not None and judged is not None and judged[0] is board:
            self._since, self._lies_as_recorded = judged[1], True
        else:
            self._since = self._lies_as_recorded = None

    def then(self, entry: events.Entry, board: Board | None = None) -> Game:
        """Return the game with one more entry; this one stays as it is."""
        game = self.twin()
        game.apply(entry, board)
        return game

    def lay(self, board: Board, document: Document | None = None) -> None:
        """Set another board, for a game that only tries something. document: if it is cached."""
        self._recorded = board.document() if document is None else document, []
        self._document_shared = True
        self._lay(board)

    def twin(self) -> Game:
        """Return a copy that shares nothing mutable."""
        game = Game(self.id, self.ruleset)
        if len(self._newer_keys) > KEYS_APART:
            game._keys = {**self._keys, **self._newer_keys}
        else:
            game._keys, game._newer_keys = self._keys, {**self._newer_keys}
        game.entries, game.writers = [*self.entries], [*self.writers]
        game.heads, game.parents = [*self.heads], [*self.parents]
        document, unfolded = self._recorded
        game._recorded = (document, [*unfolded]) if len(unfolded) <= UNFOLDED_APART else (self.document, [])
        game._document_shared = self._document_shared = True
        game.status, game.strange = self.status, self.strange
        game.leases, game.revealed_at, game.size = [*self.leases], self.revealed_at, self.size
        game.side_steps, game.take_backs, game.draws = [*self.side_steps], [*self.take_backs], [*self.draws]
        game.side_state = self.side_state
        game._board, game._table = self._board, self._table
        game._judged, game._since, game._lies_as_recorded = self._judged, self._since, self._lies_as_recorded
        return game

    # --- what the next entry may be ---

    def judge(self, seat: Seat, decision: Any, played: tuple[Board, list[Effect]] | None = None) -> tuple[Board, Step]:
        """Return the result of a decision. Raises IllegalDecision.

        Raises Refused if the rules fail on a board that an illegal move left behind.
        """
        try:
            board, step = self.ruleset.step(
                self.board, seat, decision, self._document_before(), self.known_breaches(), self._since, played
            )
            if self.strange:
                self.ruleset.ask_all(board)
        except (RulesBrokenError, *CANNOT_GO_ON) as wrong:
            if not self.strange:
                raise
            raise Refused(NOT_WORKED_OUT, self.ruleset.catalogue) from wrong
        self._judged = board, step
        return board, step

    def _document_before(self) -> Document | None:
        """Return the recorded document if the board has more, later fields; else None."""
        if self._lies_as_recorded is None:
            self._lies_as_recorded = self.board.document() == self.document
        return None if self._lies_as_recorded else self.document

    def known_breaches(self) -> list[Breach]:
        """Return the breaches of the current board, left by an illegal move that stood."""
        return list(self.ruleset.integrity.breaches(self.board)) if self.strange else []

    def objections(self, seat: Seat, decision: Any) -> list[events.Objection]:
        """All that the rules have against a decision now; nothing: they allow it."""
        try:
            self.judge(seat, decision)
            return []
        except IllegalDecision as no:
            refused = [(no.rule, no.reason)]
        except Refused as no:
            refused = [(no.rule, no.reason)]
        except (RulesBrokenError, *CANNOT_GO_ON):
            refused = [(self.ruleset.catalogue, NOT_WORKED_OUT)]
        try:
            verdicts = self.ruleset.why(self.board, seat, decision)
        except CANNOT_GO_ON:
            verdicts = []
        failed = [(verdict.rule, verdict.reason) for verdict in verdicts if verdict.reason is not None]
        return [
            events.Objection(rule, reason.key, reason.sentence, reason.figures)
            for place, (rule, reason) in enumerate(failed or refused)
            if (rule, reason) not in (failed or refused)[:place]
        ]

    def entry(self, event: events.AnyEvent) -> events.Entry:
        """Return the next entry, sealed with the previous one."""
        return events.write_entry(self.id, event, self.seal)

    def check_running(self) -> None:
        """Raise Refused for a game that has ended."""
        if self.status != "running":
            raise Refused(because("game_closed", "the game is {status}; reopen it first", status=self.status))

    def check_step(self, step: int) -> None:
        """Raise Refused for a step that the record does not have."""
        if not 0 <= step <= self.step:
            raise Refused(
                because("unknown_step", "the record has steps 0 to {last}, not {step}", last=self.step, step=step)
            )


def documents_after(entries: Iterable[events.Entry]) -> Iterator[tuple[events.Entry, Document]]:
    """Each entry with the board's document after it. The document is one object that moves along."""
    document: Document = {}
    for entry, what in events.board_outlines(entries):
        if what.changes is not None:
            for path, (_, value) in what.changes.items():  # as fold_own, without a call for each line
                around, key, index = way(path)
                part: Any = document
                for name, place in around:
                    part = part[place] if type(part) is list else part[name]
                part[index if type(part) is list else key] = value
        elif what.board is not None:
            document.update(what.board)
        yield entry, document
