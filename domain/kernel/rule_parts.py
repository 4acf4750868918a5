"""The parts of a game's rules: decisions, course, scoring, ledger, secrecy, integrity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType
from typing import Any, Generic, TypeVar

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.invariants import Invariant
from daybook.domain.kernel.naming import NamedThings
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.sampling import Choice
from daybook.domain.kernel.sheet import Expectation
from daybook.domain.kernel.terms import (
    Board,
    Breach,
    Decision,
    Effect,
    LedgerRow,
    Options,
    Outcome,
    Reason,
    Score,
    Seat,
    Table,
    Tell,
    Veil,
    Viewer,
    WhyNot,
)
from daybook.domain.kernel.worked_examples import WorkedExample

B = TypeVar("B", bound=Board)
Condition = Callable[[B, Seat], WhyNot]
Check = Callable[[B, Seat, Any], WhyNot]
WrittenCheck = Callable[..., WhyNot]  # takes what it reads of `b` (the board), `seat` and `d` (the decision)
Conditions = tuple[tuple[str, WrittenCheck], ...]
Checks = tuple[tuple[str, WrittenCheck], ...]
Action = Callable[[B, Seat, Any, Tell], None]
Candidates = Callable[[B, Seat], Iterable[Decision]]
Ever = Callable[[str], Iterable[Any]]  # path -> the values there at all steps that led to the board


ADAPTERS: Mapping[tuple[str, ...], Callable[[Any], Any]] = {
    ("b",): lambda check: lambda b, seat, d=None: check(b),
    ("seat",): lambda check: lambda b, seat, d=None: check(seat),
    ("d",): lambda check: lambda b, seat, d: check(d),
    ("b", "seat"): lambda check: lambda b, seat, d=None: check(b, seat),
    ("b", "d"): lambda check: lambda b, seat, d: check(b, d),
    ("seat", "d"): lambda check: lambda b, seat, d: check(seat, d),
}  # by the arguments that a check takes; any other check gets all


@cache
def as_condition(check: WrittenCheck) -> Condition[Any]:
    """Return a condition as a function of board and seat."""
    names = argument_names(check)
    return check if names == ("b", "seat") else as_check(check)  # type: ignore[return-value]


@cache
def as_check(check: WrittenCheck) -> Check[Any]:
    """Return a check as a function of board, seat and decision."""
    adapter = ADAPTERS.get(argument_names(check))
    return adapter(check) if adapter else check


def argument_names(check: WrittenCheck) -> tuple[str, ...]:
    """Return the names of a check's positional arguments."""
    if isinstance(check, FunctionType):
        return check.__code__.co_varnames[: check.__code__.co_argcount]
    called = type(check).__call__
    return argument_names(called)[1:] if isinstance(called, FunctionType) else ()


def any_fact(board: Board, fact: Any) -> int:
    """Return the weight of a fact that is as likely as every other of its kind."""
    return 1


def always(*decisions: Decision) -> Candidates[Any]:
    """Offers these decisions on every board."""
    return lambda board, seat: decisions


def never_drawn(board: Board, fact: Any) -> int:
    """Return the weight of a fact that the table chooses or enters, and never draws."""
    return 0


def board_in_full(board: B, viewer: Viewer) -> B:
    """Return a copy of a board on which nothing is hidden."""
    return board.twin()


def board_as_seen(board: B, viewer: Viewer, choose: Choice) -> B:
    """Return a copy of a board on which nothing is hidden, so that nothing is drawn."""
    return board.twin()


def step_in_full(
    board: Board, seat: Seat, decision: Any, effects: Sequence[Any], viewer: Viewer
) -> tuple[Any, Sequence[Any]]:
    """Return a decision and its effects, nothing hidden."""
    return decision, effects


@dataclass(frozen=True, kw_only=True)
class DecisionKind(Generic[B]):
    """One row of a game's table: what offers a kind of decision, what forbids it, what it does."""

    offers: Candidates[B]  # everything a seat might try
    when: Conditions = ()  # conditions of all its decisions, evaluated once before the checks
    checks: Checks = ()  # on the decision itself; with their rules, in order
    does: Action[B]
    weight: Callable[[B, Any], int] = any_fact  # (board, fact of TABLE): how likely it is, in whole shares
    meaning: Callable[[Table, Seat, Any], Decision] | None = None
    # (table, seat, decision): the one way to write it, of several that mean the same
    exact: bool = False  # every decision that passes the checks is also offered, so judging need not list the offers
    open_form: bool = False  # too many to list: only the checks decide, and the offers are examples
    most: Callable[[B, Seat], Mapping[str, int]] | None = None
    # (board, seat): of an open form, the greatest number of a field, by its path: {"offers.0.silk": 4}
    covered_fact: bool = False  # the fact has hidden information
    seen_by: Callable[[B], Seat | None] | None = None  # the seat that sees the covered fact and may record it
    sealed: bool = False  # seats decide separately; it stays sealed until all have decided

    @cached_property
    def conditions_to_call(self) -> tuple[tuple[str, Condition[B]], ...]:
        """The conditions with their rules, as functions of board and seat."""
        return tuple((rule, as_condition(check)) for rule, check in self.when)

    @cached_property
    def checks_to_call(self) -> tuple[tuple[str, Check[B]], ...]:
        """The checks with their rules, as functions of board, seat and decision."""
        return tuple((rule, as_check(check)) for rule, check in self.checks)

    @property
    def rules(self) -> tuple[tuple[str, str], ...]:
        """The rules of a row, each with the name of what asks it."""
        return tuple((rule, condition.__name__) for rule, condition in (*self.when, *self.checks))

    @property
    def held(self) -> dict[str, str]:
        """The requirements of the checks in words (`terms.holds`), by the check's name."""
        all_checks = [check for _, check in (*self.when, *self.checks)]
        return {check.__name__: check.holds for check in all_checks if hasattr(check, "holds")}


@dataclass(frozen=True, kw_only=True)
class Types(Generic[B]):
    """The types in the records of a game."""

    decisions: Any  # the union of its decisions
    effects: Any  # the union of its effects
    board: type[B]
    options: type[Options] = Options


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The effects that reach beyond the acting seat.

    Others pay, are paid or give something up, a period or the game ends, or something covered is shown.
    """

    always: Mapping[type[Effect], Mapping[str, Any]]  # effects with these values in the named fields, for every seat
    others: tuple[type[Effect], ...] = ()  # effects with another `seat` than the deciding one
    others_but: tuple[type[Effect], ...] = ()  # of those, the ones that bring another seat nothing

    def meets(self, seat: Seat, effects: Iterable[Effect]) -> bool:
        """Check if a seat's decision with these effects reaches beyond the seat."""
        return any(self._always(effect) or self._of_others(seat, effect) for effect in effects)

    def _always(self, effect: Effect) -> bool:
        fields = self.always.get(type(effect))
        return fields is not None and all(getattr(effect, name) == value for name, value in fields.items())

    def _of_others(self, seat: Seat, effect: Effect) -> bool:
        return (
            isinstance(effect, self.others)
            and not isinstance(effect, self.others_but)
            and (getattr(effect, "seat", seat) != seat)
        )


@dataclass(frozen=True, kw_only=True)
class LateSeat(Generic[B]):
    """Rules by which a player without a seat joins: the game continues with one more seat, behind all others.

    fault: the rule and the reason why no one can join; None: a player can. before, joins: the decisions of the new
    seat, after the opening and after the last decision so far; points: agreed to begin with.
    """

    fault: Callable[[B], tuple[str, Reason] | None]
    before: tuple[Decision, ...]
    joins: Callable[[Points], Decision]


Cell = tuple[Seat, int, str]  # of a table of figures: its column, the round (0: counted once), and the key of its line


@dataclass(frozen=True, kw_only=True)
class Course(Generic[B]):
    """The course of a game from its opening, and the seats that decide."""

    open: Callable[[Table], B]
    to_act: Callable[[B], tuple[Seat, ...]]  # several at once; (TABLE,) when a fact is awaited; () when over
    awaited: Callable[[B], tuple[Seat, ...]] | None = None  # the seats for which the game waits; None: all to act
    marks: Callable[[B], dict[str, int]]  # the progress of the game: {"round": 3, "turn": 7}
    periods: tuple[str, ...]  # the marks that are scored when they end, coarsest first
    by_itself: Callable[[B, Seat, Any, Sequence[Any]], int] | None = None
    # (board, seat, decision, effects that led there): how often they carried such a decision out
    apart: Callable[[Any, Sequence[Any]], bool] | None = None
    # (decision, effects): it leaves what the other seats may decide as it was, so that theirs need not be thought over
    figure: Callable[[Any], tuple[Cell, Points | None] | None] | None = None
    # (effect): the cell that it fills or empties, which a later decision may fill with another figure, and its figure
    redundant: tuple[str, ...] = ()
    # keys of refusals: the board is so already, and a correction leaves such a decision out
    before_turns: tuple[type[Decision], ...] = ()
    # decisions of several seats before the first action; with the facts that they lead to they belong to no turn
    spreads: Spread | None = None  # effects to preview before they are recorded; None: all
    late_seat: LateSeat[B] | None = None  # None: only the players of the opening take part


@dataclass(frozen=True, kw_only=True)
class Scoring(Generic[B]):
    """The score of a game and its outcome."""

    standing: Callable[[B], tuple[Score, ...]]  # as if the game ended now
    outcome: Callable[[B], Outcome | None]
    totals: Callable[[B], Sequence[Points]] | None = (
        None  # totals of the standing, if they can be computed without its lines
    )
    places: Callable[[B], tuple[int, ...]] | None = None  # ranks as it stands, where the totals of seats do not tell
    beside_one: tuple[str, Callable[[Table], int]] | None = None
    # the rule by which one player is placed, and the number of neutral players
    about: Callable[[B], AboutPlay] | None = None  # if the board itself names the starting player and the roles
    so_far: Callable[[B], B] | None = None
    # (board): the board that pages count, without what an unfinished period does not count yet; None: all counts
    by_period: Callable[[B], list[list[Points]]] | None = None
    # (board): the points of each seat in each period so far, of a game whose finished periods can still be changed

    def lowest_wins(self, board: B) -> bool:
        """Check if the lowest total wins."""
        return self.about is not None and self.about(board).least


class AboutPlay(Frozen):
    """Facts about a play besides its ranks, in the players' own words.

    start: the starting player; roles: by seat, empty where unknown; least: the lowest total wins; points: the totals are
    meaningful; teams: by seat, empty for a player without one. left_early: by seat; uncompared: by seat, a player who
    left early, and whose total is not compared with those of the others; absent: players who never came;
    tie_settled: the table decided a tie.
    """

    start: Seat | None = None
    roles: tuple[str, ...] = ()
    expansions: tuple[str, ...] = ()
    least: bool = False
    points: bool = True
    teams: tuple[str, ...] = ()
    left_early: tuple[bool, ...] = ()
    uncompared: tuple[bool, ...] = ()
    absent: tuple[Seat, ...] = ()
    tie_settled: bool = False


@dataclass(frozen=True, kw_only=True)
class Ledger(Generic[B]):
    """The few figures of each seat that ledgers and charts show."""

    columns: tuple[str, ...]
    # In their order. Every entry seals the figures of all columns: a new column is in every entry from then on, and
    # records written before do not have it.
    rows: Callable[[B, Iterable[Seat]], Iterable[LedgerRow]]  # these seats'; the same on a masked board
    own: tuple[str, ...] = ()  # parts of the board that a seat's row reads: "/players/*", `*` the seat
    shared: tuple[str, ...] = ("",)  # parts of the board that every row reads, `*` any key; "": the whole board


@dataclass(frozen=True, kw_only=True)
class Secrecy(Generic[B]):
    """The hidden parts of a game; by default, everyone sees everything."""

    redact_board: Callable[[B, Viewer], B] = board_in_full  # a copy without what the viewer may not see
    redact_step: Callable[[B, Seat, Any, Sequence[Any], Viewer], tuple[Any, Sequence[Any]]] = step_in_full
    # (board after, seat, decision, effects, viewer): both without what the viewer may not see
    sample_board: Callable[[B, Viewer, Choice], B] = board_as_seen
    # (board as the viewer sees it, viewer, choices): one that looks like it to them, with what may lie there covered
    seals: bool = False  # boards may contain sealed parts: both then support the KEEPER, too
    veil: Veil | None = None  # totals that pages hide in a running game until the viewer requests them

    @property
    def hides_something(self) -> bool:
        """True if viewers may see different boards or steps."""
        return self.redact_board is not board_in_full or self.redact_step is not step_in_full

    @property
    def covers_something(self) -> bool:
        """True if a spectator does not see everything while the game is played: hands, offers, or totals under a veil."""
        return self.hides_something or self.veil is not None


@dataclass(frozen=True, kw_only=True)
class Integrity(Generic[B]):
    """Requirements on every board, also on one changed by hand, and on a sheet."""

    breaches: Callable[[B], Iterable[Breach]]
    invariants: Callable[[int], Sequence[Invariant]] | None = None
    # (number of seats): the same by parts of the board, so that a step asks only what it may have broken; None: all
    causes: tuple[str, ...]  # paths that an adjustment may change: "/players/*/money"
    supplies: tuple[tuple[str, str], ...] = ()
    # a cause, and the supply that its pieces come from: ("/players/*/shares", "/players/{0}/bank"), the *s by number
    adjustable: Callable[[B, B, Ever], Iterable[Breach]] | None = None
    # (board, adjusted, ever): what forbids an adjustment although such a board could be
    names: tuple[
        NamedThings, ...
    ] = ()  # names of goods, cards and spaces on a board, with all that may be placed by hand
    consistency: tuple[Expectation, ...] = ()  # what the rules expect of a sheet's numbers
    examples: tuple[WorkedExample, ...] = ()  # of the rule text, which the rules play on a sheet
