"""The rules of a game as data, and the functions that the kernel derives from them.

A rule is written once, as a condition or a check of a kind of decision. The list of legal decisions, the refusal and its
reason follow from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from typing import Any, Generic, TypeVar

import msgspec

from daybook.domain.kernel.board import Changes, Document, changes_between, difference, fold, plain, value_at
from daybook.domain.kernel.conditions import AskedConditions, Awaits
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_names import key_of_title
from daybook.domain.kernel.invariants import Invariant, invariants_of, rows_from
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.rule_parts import (
    Candidates,
    Check,
    Course,
    DecisionKind,
    Integrity,
    Ledger,
    Scoring,
    Secrecy,
    Types,
)
from daybook.domain.kernel.sheet import Sheet
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import (
    TABLE,
    Board,
    Breach,
    Decision,
    Effect,
    IllegalDecision,
    Reason,
    RulesBrokenError,
    Seat,
    Table,
    Verdict,
    because,
    ranks_of,
)
from daybook.domain.kernel.worked_examples import ComesTo, Refusal, WorkedExample

CANNOT_GO_ON = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    StopIteration,
)
# exceptions of the rules on a board that no legal play leads to

B = TypeVar("B", bound=Board)


class Step(Frozen):
    """The result of one decision, as recorded."""

    effects: list[dict[str, Any]]
    changes: Changes
    columns: dict[str, list[Points]]
    marks: dict[str, int]
    closed: list[tuple[str, int]]  # the periods this step ended: [("round", 3)]


class Reached(Frozen):
    """The state of a game's progress."""

    over: bool
    marks: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class Ruleset(Generic[B]):
    """A game's rules as data. Pure: no clock, no chance, no I/O."""

    id: str  # "making_profit": the folder, and the name in every record
    prefix: str  # "MP": the start of its rule ids
    title: str
    revision: int  # raised when a recorded game would be judged differently
    seats: range  # possible numbers of players
    seats_of: Callable[[Sheet], range] | None = None  # possible numbers of players with a sheet; None: as `seats`
    title_of: Callable[[Sheet], str] | None = None  # title of a sheet's game; None: all sheets are the same game
    colours: Callable[[Sheet], tuple[str, ...]]  # colours to choose from; each once
    former_colours: tuple[str, ...] = ()  # no longer offered, but accepted from files and programs
    catalogue: str  # the rule that lists the decisions; an unlisted decision breaks it
    kinds: Mapping[type[Decision], DecisionKind[B]]  # the table of decisions, most usual kind first
    types: Types[B]
    course: Course[B]
    scoring: Scoring[B]
    ledger: Ledger[B]
    secrecy: Secrecy[B] = field(default_factory=Secrecy)
    integrity: Integrity[B]

    # --- opening -----------------------------------------------------------------------------------------------

    def seats_with(self, sheet: Sheet) -> range:
        """Return the possible numbers of players with a sheet."""
        return self.seats if self.seats_of is None else self.seats_of(sheet)

    def title_with(self, sheet: Sheet) -> str:
        """Return the title of the game that is played with a sheet."""
        return self.title if self.title_of is None else self.title_of(sheet)

    def key_with(self, sheet: Sheet) -> str:
        """Return the key that identifies the game that is played with a sheet."""
        title = self.title_with(sheet)
        return self.id if title == self.title else key_of_title(title)

    def table(self, colours: Sequence[str], options: Mapping[str, Any], sheet: Sheet) -> Table:
        """Return a table to open this game on. Raises IllegalDecision for invalid seats, colours or options."""
        rule = f"{self.prefix}-1"
        seats = self.seats_with(sheet)
        if len(colours) not in seats:
            raise IllegalDecision(
                rule,
                because(
                    "seats",
                    "{title} is for {least} to {most} players, not {given}",
                    title=self.title_with(sheet),
                    least=seats[0],
                    most=seats[-1],
                    given=len(colours),
                ),
            )
        known = self.colours(sheet)
        for colour in colours:
            if colour not in (*known, *self.former_colours) or list(colours).count(colour) > 1:
                raise IllegalDecision(
                    rule,
                    because(
                        "colours",
                        "each player needs a different colour out of {known}; given: {given}",
                        known=", ".join(known),
                        given=", ".join(colours),
                    ),
                )
        try:
            chosen = msgspec.convert(dict(options), self.types.options)
        except msgspec.ValidationError as wrong:
            raise IllegalDecision(rule, because("options", "{wrong}", wrong=str(wrong))) from wrong
        return Table(tuple(colours), chosen, sheet)

    def opening_board(self, table: Table) -> B:
        board = self.course.open(table)
        board.on(table)
        return board

    def typed_board(self, document: Document, table: Table) -> B:
        """Return the typed board of a document. Raises msgspec.ValidationError."""
        board = msgspec.convert(document, self.types.board)
        board.on(table)
        return board

    # --- deciding ----------------------------------------------------------------------------------------------

    def decision(self, plain: Any) -> Decision:
        """Parse a decision from plain JSON values. Raises msgspec.ValidationError."""
        try:
            decision: Decision = msgspec.convert({"said": plain}, self._decision_reader).said
        except msgspec.ValidationError as wrong:
            raise msgspec.ValidationError(str(wrong).replace("$.said", "$")) from None
        return decision

    def make_readers(self) -> None:
        """Make the two Structs that decisions and effects are read by."""
        _ = self._decision_reader, self._effects_reader

    @cached_property
    def by_tag(self) -> dict[str, DecisionKind[B]]:
        """The table of decisions by their tags, as records have them."""
        return {tag_of(kind): row for kind, row in self.kinds.items()}

    @cached_property
    def _decision_reader(self) -> Any:
        """A Struct around the union of decisions: msgspec caches the reader of a Struct, not of a union."""
        return msgspec.defstruct("Said", [("said", self.types.decisions)])

    def effect(self, plain: Any) -> Effect:
        """Parse an effect from plain JSON values. Raises msgspec.ValidationError."""
        try:
            return self.typed_effects([plain])[0]
        except msgspec.ValidationError as wrong:
            raise msgspec.ValidationError(str(wrong).replace("$.effects[0]", "$")) from None

    def typed_effects(self, plain: Sequence[Any]) -> list[Effect]:
        """Parse the effects of a recorded step. Raises msgspec.ValidationError."""
        effects: list[Effect] = msgspec.convert({"effects": plain}, self._effects_reader).effects
        return effects

    @cached_property
    def _effects_reader(self) -> Any:
        """The same, around the list of effects."""
        return msgspec.defstruct("Happened", [("effects", list[self.types.effects])])  # type: ignore[name-defined]

    def legal(self, board: B, seat: Seat) -> list[Decision]:
        """Every legal decision of a seat, most usual kind first; exact."""
        if seat not in self.course.to_act(board):
            return []
        legal: list[Decision] = []
        for place in sorted(self._possible_rows(board, seat)):
            offers, checks = self._rows[place]
            for d in offers(board, seat):
                for check in checks:
                    if check(board, seat, d) is not None:
                        break
                else:
                    legal.append(d)
        return legal

    @cached_property
    def _rows(self) -> list[tuple[Candidates[B], list[Check[B]]]]:
        """Candidates and checks of each row."""
        return [(row.offers, [check for _, check in row.checks_to_call]) for row in self.kinds.values()]

    def _possible_rows(self, board: B, seat: Seat) -> list[int]:
        """Return the positions of the rows with satisfied conditions; common conditions are evaluated once."""
        conditions = self._conditions_while(board.awaits)
        found = [*conditions.rows]
        conditions_left, at = conditions.asked, 0
        while at < len(conditions_left):
            condition, rows, past = conditions_left[at]
            if condition(board, seat) is None:
                found += rows
                at += 1
            else:
                at = past
        return found

    @cached_property
    def _conditions_while(self) -> Callable[[str], AskedConditions[B]]:
        """The conditions, besides `Awaits`, of the rows of an awaited stage."""
        return lru_cache(
            lambda awaited: AskedConditions(
                {
                    place: [condition for _, condition in row.conditions_to_call if not isinstance(condition, Awaits)]
                    for place, row in enumerate(self.kinds.values())
                    if all(awaited in condition.what for _, condition in row.when if isinstance(condition, Awaits))
                }
            )
        )

    def waits_for(self, board: B) -> tuple[Seat, ...]:
        """Return the seats that the game waits for; other acting seats may decide, but need not."""
        course = self.course
        return course.to_act(board) if course.awaited is None else course.awaited(board)

    def facts(self, board: B) -> list[tuple[Decision, int]]:
        """Return the table's possible facts, each with its weight."""
        return [(d, self.kinds[type(d)].weight(board, d)) for d in self.legal(board, TABLE)]

    def as_listed(self, table: Table, seat: Seat, decision: Decision) -> Decision:
        """Return a decision in the form of the lists: for example, with cards in the usual order."""
        meaning = self.kinds[type(decision)].meaning
        return decision if meaning is None else meaning(table, seat, decision)

    def refuse(self, board: B, seat: Seat, decision: Decision) -> None:
        """Raise IllegalDecision with the first rule that forbids a decision, if any."""
        decision = self.as_listed(board.table, seat, decision)
        forbidden = self.first_refusal(board, seat, decision)
        if forbidden:
            raise IllegalDecision(*forbidden)
        kind = self.kinds[type(decision)]
        if not (kind.open_form or kind.exact or decision in kind.offers(board, seat)):
            raise IllegalDecision(self.catalogue, because("not_on_offer", "nothing on the table offers this now"))

    def first_refusal(self, board: B, seat: Seat, decision: Decision) -> tuple[str, Reason] | None:
        """Return the first rule that forbids a decision by a condition or check, with the reason."""
        kind = self.kinds[type(decision)]
        return self._failed_condition(board, seat, kind) or self._failed_check(board, seat, kind, decision)

    def _failed_check(
        self, board: B, seat: Seat, kind: DecisionKind[B], decision: Decision
    ) -> tuple[str, Reason] | None:
        for rule, check in kind.checks_to_call:
            reason = check(board, seat, decision)
            if reason is not None:
                return rule, reason
        return None

    def _failed_condition(self, board: B, seat: Seat, kind: DecisionKind[B]) -> tuple[str, Reason] | None:
        for rule, condition in kind.conditions_to_call:
            reason = condition(board, seat)
            if reason is not None:
                return rule, reason
        return None

    def closed_kinds(self, board: B, seat: Seat) -> list[tuple[str, str, Reason]]:
        """Return the kinds of decisions that are closed to a seat, each as its tag, the rule and the reason.

        Only conditions are evaluated for a seat that waits for its turn, because offers and checks may read parts of the
        board that only the acting seat has.
        """
        acts = seat in self.course.to_act(board)
        closed: list[tuple[str, str, Reason]] = []
        for tag, kind in self.by_tag.items():
            refusal = (
                self._refusal_of_kind(board, seat, kind) if acts else self._refusal_while_waiting(board, seat, kind)
            )
            if refusal is not None:
                closed.append((tag, *refusal))
        return closed

    def _refusal_of_kind(self, board: B, seat: Seat, kind: DecisionKind[B]) -> tuple[str, Reason] | None:
        """Return why an acting seat can make none of a kind's offers; None if one is legal or there are no offers."""
        offers = [*kind.offers(board, seat)]
        if not offers:
            return None
        failed = self._failed_condition(board, seat, kind)  # the same for all offers
        if failed is not None:
            return failed
        refusals = [self._failed_check(board, seat, kind, decision) for decision in offers]
        return refusals[0] if all(refusals) else None

    def _refusal_while_waiting(self, board: B, seat: Seat, kind: DecisionKind[B]) -> tuple[str, Reason] | None:
        """Return the first condition that closes an awaited kind to a waiting seat; None if something else is awaited."""
        if not all(board.awaits in condition.what for _, condition in kind.when if isinstance(condition, Awaits)):
            return None
        return self._failed_condition(board, seat, kind)

    def why(self, board: B, seat: Seat, decision: Decision) -> list[Verdict]:
        """Return every check of a decision with its verdict, for an explain page.

        A later check may depend on one that failed. If it cannot be evaluated, it is left out.
        """
        decision = self.as_listed(board.table, seat, decision)
        kind = self.kinds[type(decision)]
        verdicts: list[Verdict] = []
        failed = False
        checks_to_call = [partial(condition, board, seat) for _, condition in kind.conditions_to_call]
        checks_to_call += [partial(check, board, seat, decision) for _, check in kind.checks_to_call]
        for (rule, name), ask in zip(kind.rules, checks_to_call, strict=True):
            try:
                reason = ask()
            except CANNOT_GO_ON:
                if not failed:
                    raise
                continue
            failed = failed or reason is not None
            verdicts.append(Verdict(rule, name, reason))
        if not failed:
            offered = kind.open_form or decision in kind.offers(board, seat)
            verdicts.append(
                Verdict(
                    self.catalogue,
                    "on_offer",
                    None if offered else because("not_on_offer", "nothing on the table offers this now"),
                )
            )
        return verdicts

    def play(self, board: B, seat: Seat, decision: Decision) -> tuple[B, list[Effect]]:
        """Return the board after a decision and its effects, in order; the given board stays unchanged.

        Raises IllegalDecision.
        """
        decision = self.as_listed(board.table, seat, decision)
        self.refuse(board, seat, decision)
        return self.what_follows(board, seat, decision)

    def what_follows(self, board: B, seat: Seat, decision: Decision) -> tuple[B, list[Effect]]:
        """Play a decision that is legal and in listed form; the caller has checked it."""
        after = board.twin()
        return after, self.carry_out(after, seat, decision)

    def carry_out(self, board: B, seat: Seat, decision: Decision) -> list[Effect]:
        """Carry out a legal decision on the board itself; return its effects."""
        effects: list[Effect] = []
        self.kinds[type(decision)].does(board, seat, decision, effects.append)
        return effects

    def step(
        self,
        board: B,
        seat: Seat,
        decision: Decision,
        before: Document | None = None,
        known_breaches: Sequence[Breach] = (),
        since: Step | None = None,
        played: tuple[B, list[Effect]] | None = None,
    ) -> tuple[B, Step]:
        """Play a decision and return the step with its results.

        Args:
            before: the document to which the changes apply, if it is not the board's.
            known: invariants that the board already broke, after an illegal move that stood.
            since: the step that led to the board by these rules; its unchanged results are reused.
            played: the result of `play` or `what_follows` for the decision.

        Raises:
            IllegalDecision: the rules refuse the decision.
            RulesBrokenError: the game's invariants do not hold afterwards.
        """
        after, effects = played or self.play(board, seat, decision)
        changes = changes_between(board, after) if before is None else difference(before, after.document())
        all_held = since is not None and not known_breaches
        for breach in self.breaches_since(after, changes) if all_held else self.unknown_breaches(after, known_breaches):
            raise RulesBrokenError(f"{breach.rule}: {breach.reason}, after {decision} by seat {seat}")
        was, now = self.marks_reached(board), self.marks_reached(after)
        if since is None:
            figures = self.figures(after)
        else:
            figures = self.updated_figures({name: [*column] for name, column in since.columns.items()}, after, changes)
        return after, Step(plain(effects), changes, figures, now.marks, self.periods_ended(was, now))

    # --- boards that no legal play leads to --------------------------------------------------------------------

    def unknown_breaches(self, board: B, known_breaches: Sequence[Breach]) -> list[Breach]:
        """Return the breaches of a board, without those of a known rule and key."""
        said = {(breach.rule, breach.reason.key) for breach in known_breaches}
        return [breach for breach in self.integrity.breaches(board) if (breach.rule, breach.reason.key) not in said]

    def breaches_since(self, board: B, changes: Changes) -> Iterable[Breach]:
        """Return the breaches of a board after these changes to a board without breaches."""
        if self.integrity.invariants is None:
            return self.integrity.breaches(board)
        invariants, touched = self._invariants_by_path[board.table.seats]
        places = sorted({place for path in changes for place in touched(path)})
        if all(invariants[place].broken(board) is None for place in places):
            return ()
        return self.integrity.breaches(board)

    @cached_property
    def _invariants_by_path(self) -> dict[int, tuple[Sequence[Invariant], Callable[[str], tuple[int, ...]]]]:
        """Map the number of seats to the invariants, and to the positions of those that read a path."""
        assert self.integrity.invariants is not None
        by_seats = {seats: self.integrity.invariants(seats) for seats in self.seats}
        return {seats: (rows, cache(partial(invariants_of, rows))) for seats, rows in by_seats.items()}

    def insist(self, board: B, seat: Seat, decision: Decision) -> tuple[B, list[Effect]] | None:
        """Carry out a decision whatever the checks say; None where that breaks. The board given stays as it is."""
        after = board.twin()
        try:
            effects = self.carry_out(after, seat, decision)
            after = self.typed_board(after.document(), board.table)
            self.ask_all(after)
        except (IllegalDecision, *CANNOT_GO_ON):
            return None
        return after, effects

    def ask_all(self, board: B) -> None:
        """Ask the rules every usual question about a board. Raises one of CANNOT_GO_ON."""
        list(self.integrity.breaches(board))
        self.ask_what_is_shown(board)

    def ask_what_is_shown(self, board: B) -> None:
        """Ask the rules what pages show of a board; the slowest part of `ask_all` without breaches."""
        self.figures(board), self.course.marks(board), self.scoring.standing(board), self.scoring.outcome(board)
        for viewer in (None, *range(board.table.seats)):
            self.secrecy.redact_board(board, viewer)
        for seat in self.course.to_act(board):
            self.legal(board, seat)
        self.waits_for(board)

    # --- the rule text's examples ------------------------------------------------------------------------------

    def work_out(self, example: WorkedExample, sheet: Sheet) -> ComesTo | None:
        """Return the result of a worked example with the numbers of a sheet, or None if it cannot be played."""
        try:
            board = self.opening_board(self.table(self.colours_of(example, sheet), example.options, sheet))
            document = board.document()
            fold(document, {path: [None, value] for path, value in {**example.at, **example.lies}.items()})
            return self._play_example(example, self.typed_board(document, board.table))
        except (IllegalDecision, *CANNOT_GO_ON):
            return None

    def colours_of(self, example: WorkedExample, sheet: Sheet) -> tuple[str, ...]:
        """Return the players of a worked example."""
        return example.colours or self.colours(sheet)[: example.seats]

    def _play_example(self, example: WorkedExample, board: B) -> ComesTo:
        kinds = tuple({type(effect) for effect in example.effects})
        effects: list[Effect] = []
        refused = None
        try:
            for seat, decision in example.decisions:
                board, followed = self.play(board, seat, decision)
                effects += [effect for effect in followed if isinstance(effect, kinds)]
        except IllegalDecision as no:
            refused = Refusal(decision, no.rule, no.reason)
        document = board.document()
        return ComesTo(tuple(effects), {path: value_at(document, path) for path in example.leaves}, refused)

    # --- reading -----------------------------------------------------------------------------------------------

    def ranks(self, board: B) -> tuple[int, ...]:
        """Return each seat's current place; in a finished game, its final place."""
        outcome = self.scoring.outcome(board)
        if outcome is not None:
            return outcome.ranks
        if self.scoring.places is not None:
            return self.scoring.places(board)
        return ranks_of(self.totals(board))

    def totals(self, board: B) -> Sequence[Points]:
        """Return each seat's current total."""
        if self.scoring.totals is not None:
            return self.scoring.totals(board)
        return [score.total for score in self.scoring.standing(board)]

    def so_far(self, board: B) -> B:
        """Return the board that pages count: without what an unfinished period does not count yet."""
        return board if self.scoring.so_far is None else self.scoring.so_far(board)

    def figures(self, board: B) -> dict[str, list[Points]]:
        """Each column's value for each seat."""
        rows = self.ledger.rows(board, range(board.table.seats))
        return dict(zip(self.ledger.columns, map(list, zip(*rows, strict=True)), strict=True))

    def updated_figures(self, figures: dict[str, list[Points]], board: B, changes: Changes) -> dict[str, list[Points]]:
        """Return the ledger's figures after changes. Reuses the given figures, which are overwritten."""
        every, seats = board.table.seats, set[Seat]()
        touched = self._rows_by_path[every]
        for path in changes:
            seats.update(touched(path))
        if len(seats) == every:
            return self.figures(board)
        for seat, row in zip(seats, self.ledger.rows(board, seats) if seats else (), strict=True):
            for column, value in zip(figures.values(), row, strict=True):
                column[seat] = value
        return figures

    @cached_property
    def _rows_by_path(self) -> dict[int, Callable[[str], tuple[Seat, ...]]]:
        """Map the number of seats to a function: path -> seats with ledger rows that may change."""
        return {seats: cache(partial(rows_from, self.ledger.own, self.ledger.shared, seats)) for seats in self.seats}

    def spreads(self, seat: Seat, effects: Sequence[Mapping[str, Any]]) -> bool:
        """Check if a seat's decision with these recorded effects reaches beyond the seat."""
        spread = self.course.spreads
        return spread is None or spread.meets(seat, self.typed_effects(effects))

    def marks_reached(self, board: B) -> Reached:
        return Reached(self.scoring.outcome(board) is not None, self.course.marks(board))

    def periods_ended_between(self, before: B, after: B) -> list[tuple[str, int]]:
        """Return the periods that ended between two boards: their mark changed, or the game is over."""
        return self.periods_ended(self.marks_reached(before), self.marks_reached(after))

    def periods_ended(self, was: Reached, now: Reached) -> list[tuple[str, int]]:
        """Return the periods that ended between two states of progress."""
        if was.over or (was.marks == now.marks and not now.over):
            return []
        return [
            (period, was.marks[period])
            for period in reversed(self.course.periods)
            if period in was.marks and (now.over or now.marks.get(period) != was.marks[period])
        ]


AnyRuleset = Ruleset[Any]  # for code that works with every game
