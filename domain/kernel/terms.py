"""The terms in which a game's rules are written: seats, decisions, effects, boards, reasons, scores.

A decision is the smallest choice that a player announces. Random results of the table, such as a card turned over or a
shuffle, are recorded as decisions of the seat `TABLE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, ClassVar, Self, TypeVar, get_args

import msgspec

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.sheet import Sheet

C = TypeVar("C")
T = TypeVar("T")
Seat = int
TABLE: Seat = -1  # the physical table: cards turned over, markers drawn
Viewer = Seat | None  # None: a spectator, with the public view
KEEPER: Seat = -2  # the record's keeper as a viewer: sees all but sealed parts


class Decision(Exact):
    """Base of a game's decisions. The tag is what the record stores, so it never changes."""


class Effect(Exact):
    """Base of a game's effects: a fact in the game's own words, and the rule that caused it."""

    rule: str


class SeatEffect(Effect):
    """Base of the effects that are about one seat."""

    seat: Seat


class Options(Exact):
    """Base of a game's options; every field has a default."""


class Table(Frozen, dict=True):
    """The table of a game: a colour for each seat in clockwise order, options and printed numbers.

    A game may keep what it worked out of the sheet in `__dict__`; it never changes, and is no part of the table.
    """

    colours: tuple[str, ...]
    options: Any
    sheet: Sheet

    @property
    def seats(self) -> int:
        return len(self.colours)

    def printed(self, read: Callable[[Table], T]) -> T:
        """Return the sheet as the game's rules read it; it is read once. Raises IllegalDecision."""
        numbers: T | None = self.__dict__.get("printed_numbers")
        if numbers is None:
            try:
                numbers = self.__dict__["printed_numbers"] = read(self)
            except msgspec.ValidationError as wrong:
                raise unplayable(self.sheet.game, "{wrong}", wrong=str(wrong)) from wrong
        return numbers


class Board(msgspec.Struct, dict=True):
    """Base of a game's boards: the state of the table, including what the record does not know about it.

    A board also refers to the table that opened the game, with the printed numbers. That table never changes in a game,
    so it is not part of the document.
    """

    table: ClassVar[Table]  # the board's table

    def on(self, table: Table) -> None:
        """Lay this board on its table."""
        self.__dict__["table"] = table

    @property
    def awaits(self) -> str:
        """Awaited decision, in a game with stages: see `conditions.Awaits`."""
        return ""

    def twin(self) -> Self:
        """Return a copy that shares nothing mutable."""
        other = msgspec.msgpack.decode(msgspec.msgpack.encode(self), type=type(self))
        other.__dict__.update(self.__dict__)  # the table, and values cached from it
        return other

    def document(self) -> Document:
        document: Document = msgspec.to_builtins(self)
        return document


class ByNumber(Frozen):
    """A sentence in two forms. figure: the one that decides between them. Records hold the second."""

    figure: str
    one: str
    many: str


def by_number(figure: str, singular: str, plural: str) -> ByNumber:
    return ByNumber(figure, singular, plural)


class Reason(Frozen):
    """The reason of a refusal, as a statement of fact.

    key: the specification's word for it. says: an English sentence to fill; its "seat {seat}" becomes the seat's name
    where names are known. forms: both forms of a sentence that has two; `says` is the second.
    """

    key: str
    sentence: str
    figures: dict[str, Points | str] = {}
    forms: ByNumber | None = None

    def __str__(self) -> str:
        one = self.forms is not None and self.figures[self.forms.figure] == 1
        return (self.forms.one if self.forms and one else self.sentence).format(**self.figures)


WhyNot = Reason | None  # None: no objection


def because(key: str, sentence: str | ByNumber, **figures: Points | str) -> Reason:
    return (
        Reason(key, sentence, figures) if isinstance(sentence, str) else Reason(key, sentence.many, figures, sentence)
    )


def refuse_unless(condition: object, key: str, sentence: str | ByNumber, **figures: Points | str | None) -> WhyNot:
    """Return why a decision is refused, or None if the condition holds. Chain several with `or`.

    A figure may be None only while the condition holds.

    `refuse_unless(d.trees <= b.forest, "trees_left", "the forest holds {trees} trees", trees=b.forest)`
    """
    if condition:
        return None
    if isinstance(sentence, str):
        return Reason(key, sentence, figures)  # type: ignore[arg-type]
    return Reason(key, sentence.many, figures, sentence)  # type: ignore[arg-type]


def first_reason(reasons: Iterable[WhyNot]) -> WhyNot:
    """Return the first refusal of several, or None if there is none."""
    return next(filter(None, reasons), None)


def holds(what: str) -> Callable[[C], C]:
    """Decorate a check with what it requires, in a player's words: "an action is left"."""

    def decorate(check: C) -> C:
        check.holds = what  # type: ignore[attr-defined]
        return check

    return decorate


class ReasonedError(Exception):
    """Something cannot be: the reason states why, and the rule, where one forbids it."""

    def __init__(self, reason: Reason, rule: str = "") -> None:
        super().__init__(f"{rule}: {reason}" if rule else str(reason))
        self.rule = rule
        self.reason = reason


class IllegalDecision(Exception):
    """The only way a game says no."""

    def __init__(self, rule: str, reason: Reason) -> None:
        super().__init__(f"{rule}: {reason}")
        self.rule = rule
        self.reason = reason


def unplayable(rule: str, sentence: str, **figures: Points | str) -> IllegalDecision:
    """Return the refusal of a sheet with contradictory numbers."""
    return IllegalDecision(rule, Reason("sheet", sentence, figures))


class RulesBrokenError(Exception):
    """A decision led to a board that cannot be (pieces appeared or vanished): a fault in the rules' code."""


class Breach(Frozen):
    """One invariant of the game that a board does not hold."""

    rule: str
    reason: Reason


class Verdict(Frozen):
    """One check of a decision and what it said; no reason: it holds."""

    rule: str
    check: str
    reason: Reason | None


class ScoreLine(Frozen):
    """A line of a score: its name, the amount, the rule, and the figures behind it.

    paths: the parts of the board that it reads, so that pages can show the steps behind it.
    """

    name: str
    amount: Points
    rule: str
    figures: dict[str, Points | str] = {}
    paths: tuple[str, ...] = ()


class Score(Frozen):
    seat: Seat
    lines: tuple[ScoreLine, ...]

    @property
    def total(self) -> Points:
        return as_points(sum([line.amount for line in self.lines]))


class Tiebreak(Frozen):
    """One step of deciding equal totals: a value for each seat; the higher is better."""

    name: str
    rule: str
    values: tuple[Points, ...]


class Outcome(Frozen):
    """The end of a finished game. ranks: 1 is best; shared ranks use up places (1, 1, 3).

    reason: why the game ended, as a sentence to fill. unranked: the seats that the rules leave out of the ranking; they
    share the last rank.
    """

    rule: str
    reason: Reason
    ranks: tuple[int, ...]
    tiebreaks: tuple[Tiebreak, ...] = ()
    unranked: tuple[Seat, ...] = ()

    def place(self, seat: Seat) -> int | None:
        """Return a seat's rank, or None if the rules leave it out of the ranking."""
        return None if seat in self.unranked else self.ranks[seat]


class Veil(Frozen):
    """Totals that players keep covered during the game, although they follow from public facts.

    Only pages hide them, except from their owner and from viewers who request them. The record, the API and the streams
    show everything, and pages do so when the game is over. columns: of the ledger; places: of the board, "/players/*/money", the `*` being
    the owner's seat; lifted: the effect by which the table itself shows them, so that a standing computed then is
    official; agreed: the effect by which the table confirms that the record is right; counted: its decision.
    """

    rule: str
    columns: tuple[str, ...]
    places: tuple[str, ...]
    lifted: type[Effect]
    agreed: type[Effect]
    counted: type[Decision]


@cache
def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats, from the first on."""
    return tuple(seat % seats for seat in range(first, first + seats))


def ranks_of(values: Sequence[Any]) -> tuple[int, ...]:
    """Ranks of values, the highest first; equal values share a rank, which uses up places."""
    best_first = sorted(values, reverse=True)
    return tuple([1 + best_first.index(value) for value in values])


def kinds_in(union: Any) -> tuple[type[Any], ...]:
    """Return the types of a game's union of decisions or effects, also if it is a single type."""
    return get_args(union) or (union,)


LedgerRow = tuple[Points, ...]  # of the ledger: a seat's columns
Tell = Callable[[Effect], None]
