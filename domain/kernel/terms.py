"""The terms in which a game's rules are written: seats, decisions, effects, boards, reasons, scores.

A decision is the smallest choice a person announces at the table; what the table itself decides (a card turned over, a
shuffle) is recorded as a decision by the seat `TABLE`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar, Self, TypeVar, get_args

import msgspec

from daybook.domain.kernel.board import Document
from daybook.domain.kernel.frozen import Exact, Frozen
from daybook.domain.kernel.sheet import Sheet

C = TypeVar("C")
T = TypeVar("T")
Seat = int
TABLE: Seat = -1  # the physical table: cards turned over, markers drawn
Viewer = Seat | None  # None: a spectator, who sees what everybody may see
KEEPER: Seat = -2  # who keeps the record: a viewer from whom only what is sealed is kept


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
    """What a game is opened with: a colour for each seat in clockwise order, options and printed numbers.

    A game may keep what it worked out of the sheet in `__dict__`; it never changes, and is no part of the table.
    """

    colours: tuple[str, ...]
    options: Any
    sheet: Sheet

    @property
    def seats(self) -> int:
        return len(self.colours)

    def printed(self, read: Callable[[Table], T]) -> T:
        """The sheet as the rules of the game read it, read once. Raises IllegalDecision where it cannot be read."""
        numbers: T | None = self.__dict__.get("printed_numbers")
        if numbers is None:
            try:
                numbers = self.__dict__["printed_numbers"] = read(self)
            except msgspec.ValidationError as wrong:
                raise unplayable(self.sheet.game, "{wrong}", wrong=str(wrong)) from wrong
        return numbers


class Board(msgspec.Struct, dict=True):
    """Base of a game's boards: what lies on the table, and what the record does not know about it.

    The table it was opened with (and with it the printed numbers) rides along; it never changes in a game,
    so it is not part of the document.
    """

    table: ClassVar[Table]  # set where the board is laid on it

    def on(self, table: Table) -> None:
        """Lay this board on its table."""
        self.__dict__["table"] = table

    @property
    def awaits(self) -> str:
        """What is to be decided now, in a game whose decisions belong to stages: see `ruleset.Awaits`."""
        return ""

    def twin(self) -> Self:
        """A copy that shares nothing that can change."""
        other = msgspec.msgpack.decode(msgspec.msgpack.encode(self), type=type(self))
        other.__dict__.update(self.__dict__)  # the table, and what is read off it
        return other

    def document(self) -> Document:
        document: Document = msgspec.to_builtins(self)
        return document


class ByNumber(Frozen):
    """A sentence in two forms. figure: the one that decides between them. Records hold the second."""

    figure: str
    one: str
    many: str


def by_number(figure: str, one: str, many: str) -> ByNumber:
    return ByNumber(figure, one, many)


class Reason(Frozen):
    """Why not: states what is. `key` is the specification's word for it, `says` an English sentence to fill.

    "seat {seat}" in it is a seat by its number, which is told by its name where names are known. forms: of a sentence
    that has two, of which `says` is the second.
    """

    key: str
    says: str
    figures: dict[str, int | str] = {}
    forms: ByNumber | None = None

    def __str__(self) -> str:
        one = self.forms is not None and self.figures[self.forms.figure] == 1
        return (self.forms.one if self.forms and one else self.says).format(**self.figures)


WhyNot = Reason | None  # None: nothing stands against it


def because(key: str, says: str | ByNumber, **figures: int | str) -> Reason:
    return Reason(key, says, figures) if isinstance(says, str) else Reason(key, says.many, figures, says)


def holds(what: str) -> Callable[[C], C]:
    """Says beside a check what it holds a decision to, as a player would: "an action is left"."""

    def said(check: C) -> C:
        check.holds = what  # type: ignore[attr-defined]
        return check

    return said


class Reasoned(Exception):
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


def unplayable(rule: str, says: str, **figures: int | str) -> IllegalDecision:
    """What a sheet is refused with whose numbers contradict each other."""
    return IllegalDecision(rule, Reason("sheet", says, figures))


class RulesBroken(Exception):
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
    """One line of a score: what it is for, the amount, the rule, and the figures that made it.

    paths: the parts of the board it is worked out from, so that it can be opened to the steps that made it.
    """

    name: str
    amount: int
    rule: str
    figures: dict[str, int | str] = {}
    paths: tuple[str, ...] = ()


class Score(Frozen):
    seat: Seat
    lines: tuple[ScoreLine, ...]

    @property
    def total(self) -> int:
        return sum([line.amount for line in self.lines])


class Tiebreak(Frozen):
    """One step of deciding equal totals: a value for each seat; the higher is better."""

    name: str
    rule: str
    values: tuple[int, ...]


class Outcome(Frozen):
    """How a finished game ended. ranks: 1 is best; shared ranks use up places (1, 1, 3).

    reason: why the game ended, as a sentence to fill. unranked: the seats that the rules leave out of the ranking; they
    share the last rank.
    """

    rule: str
    reason: Reason
    ranks: tuple[int, ...]
    tiebreaks: tuple[Tiebreak, ...] = ()
    unranked: tuple[Seat, ...] = ()

    def place(self, seat: Seat) -> int | None:
        """A seat's rank; None if the rules leave it out of the ranking."""
        return None if seat in self.unranked else self.ranks[seat]


class Veil(Frozen):
    """What the table keeps covered while it plays, although everybody could work it out from what is public.

    It is secret in presentation alone: pages do not show it unless they are asked to, or to the seat it belongs to;
    the record, the API and the streams hold it like everything else, and when the game is over all is shown.
    columns: of the ledger; places: of the board, "/players/*/money", the `*` being the seat it belongs to; lifted: the
    effect by which the table itself shows it, so that a standing taken then is official; agreed: the one by which the
    table finds that the record has it right.
    """

    rule: str
    columns: tuple[str, ...]
    places: tuple[str, ...]
    lifted: type[Effect]
    agreed: type[Effect]


@cache
def clockwise(first: Seat, seats: int) -> tuple[Seat, ...]:
    """All seats, from the first on."""
    return tuple(seat % seats for seat in range(first, first + seats))


def ranks_of(values: Sequence[Any]) -> tuple[int, ...]:
    """Ranks of values, the highest first; equal values share a rank, which uses up places."""
    best_first = sorted(values, reverse=True)
    return tuple([1 + best_first.index(value) for value in values])


def kinds_in(union: Any) -> tuple[type[Any], ...]:
    """The kinds that a game's decisions or effects are one of; of a game with a single kind it is that one."""
    return get_args(union) or (union,)


Row = tuple[int, ...]  # of the ledger: a seat's columns
Tell = Callable[[Effect], None]
