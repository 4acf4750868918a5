"""A game's vocabulary, and how its decisions are laid out where they are chosen.

A game gives what it has words for; the rest is called by the names of its decisions, effects and fields
(`web.words.plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.terms import ByNumber, Decision, Effect, Seat
from daybook.web.words import plain
from daybook.web.words.account import AccountWords
from daybook.web.words.decision_words import CLOSES, IN_TURN, OPENS, DecisionWords
from daybook.web.words.say import Names, Plain, Sentence, Sentences

Kinds = Collection[type[Decision]]
WITH = "with"  # {"with": ["R1", "M2"]}: of a list it is chosen that it holds these


@dataclass(frozen=True, kw_only=True)
class ChartCell:
    """A place of a chart, and what a tap on it decides.

    adds: one decision, or several that a table says in one. kind, chosen: where one of several is still to be chosen,
    their kind and the fields that the tap has chosen, of a list perhaps a part (WITH). aloud: the whole of it, for who
    does not see where it stands; empty: the last decision in words.
    closed: what would be decided there if it were legal, after `first`: the place says why it is not, with its label
    where it has one. why: the same in words, where no rule is asked.
    """

    label: str
    adds: Sequence[Decision] = ()
    kind: type[Decision] | None = None
    chosen: Plain = field(default_factory=dict)
    note: str = ""
    aloud: str = ""
    closed: Decision | None = None
    first: Sequence[Decision] = ()
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Lane:
    """One line of a chart; a place where nothing can be done is None."""

    heading: str
    cells: Sequence[ChartCell | None]
    note: str = ""
    words: bool = False  # what the cells say is words, which need more room than figures


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Decisions laid out as they lie on the table, one tap each.

    kinds: the decisions that are all on it, so that they need no button of their own. columns: what stands above the
    cells; without any the cells of a lane follow each other.
    """

    heading: str
    lanes: Sequence[Lane]
    kinds: Kinds = ()
    columns: Sequence[str] = ()


Charts = Callable[[Any, Seat, Sequence[Decision], Names], Iterable[Chart]]  # (board, seat, what is legal, names)


@dataclass(frozen=True, kw_only=True)
class TurnWords:
    """A turn that is announced in one breath: its decisions are put together first and written at once."""

    decisions: DecisionWords
    scope: Callable[[Any], Any]  # (board): what stays the same until the turn is over
    closed: type[Effect]  # the effect that says that a part of it is closed
    over: Callable[[Effect], bool] = lambda effect: False  # (effect): the whole of it is
    goes_on: Collection[type[Effect]] = ()  # effects that say that the turn is over and the game goes on
    figures: tuple[str, ...] = ()  # the columns that show what it comes to; none named: all
    unsaid: Collection[type[Effect]] = ()  # effects that follow from others and need not be read while it is made
    note: Callable[[Any, Any, Seat, Decision], str] = lambda before, after, seat, decision: (
        ""
    )  # what a decision brings, in few words; none: the first figure
    in_need: Callable[[Any, Any, Seat], str] = lambda before, after, seat: ""  # what has to be given up to pay for it
    unused: Callable[[Any, Seat], str] = lambda board, seat: ""  # what the turn could still do, in few words

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(self.decisions.tags[IN_TURN])

    @property
    def close(self) -> tuple[str, ...]:
        return self.decisions.tags[CLOSES]

    @property
    def opens(self) -> tuple[str, ...]:
        return self.decisions.tags[OPENS]


@dataclass(frozen=True, kw_only=True)
class GridLine:
    """A line of a grid. least, most: of a number; choices: the values of one that is chosen, each as a word."""

    key: str
    name: str
    note: str = ""
    least: int = 0
    most: int = 0
    choices: Sequence[tuple[int, str]] = ()


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Figures that everybody enters, lines down and players across.

    kinds: the decisions that are all on it; decision: (line, figure; None: none any more), the one that a cell makes. round: the one that is
    shown, of so many `rounds`; 0 where it is not played by rounds. figures, round_totals, totals: by seat; added: whether
    a total says anything; teams: by seat, the number of the team and what it has together, None for who plays alone; empty without teams.
    """

    lines: Sequence[GridLine]
    kinds: tuple[type[Decision], ...]
    decision: Callable[[str, int | None], Decision]
    round: int
    rounds: int
    figures: Sequence[Mapping[str, int | None]]
    round_totals: Sequence[int]
    totals: Sequence[int]
    added: bool = True
    teams: Sequence[tuple[int, int] | None] = ()


# --- the parts of a vocabulary ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RefusalWords:
    """How the reasons of the rules are said on pages: as the rules say them, but for these."""

    numbered: Sequence[ByNumber] = ()  # in two forms by a number, of which the rules and old records have the second
    better: Mapping[str, str] = field(default_factory=dict)  # the rules' sentence -> one that says it better here
    figure: Callable[[str, Any, Names], str] | None = None  # how the rules' sentences put a value; None: as `value`

    @cached_property
    def reasons(self) -> Mapping[str, str | ByNumber]:
        return {**{one.many: one for one in self.numbered}, **self.better}


@dataclass(frozen=True, kw_only=True)
class SeatWords:
    """What a seat is asked, and what lies before it."""

    prompt: Callable[[Any, Seat, Names], str] = plain.prompt
    # (board, seat, names): what that seat has to decide, on one line
    holds: Callable[[Any, Seat], Sequence[tuple[str, str]]] = lambda board, seat: ()
    # (board as the seat sees it, seat): what it holds and has to expect, each with its name
    turn_begins: str = ""  # what is asked first in a turn


@dataclass(frozen=True, kw_only=True)
class LaidOut:
    """A form for what the table lays out. begins: its fields with what lies there, "" where nothing is known yet;
    in_all: how many pieces lie there in the end; listed: the fields as the rulebook's list has them.
    """

    begins: Plain
    in_all: int | None = None
    listed: Plain | None = None


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """How what is legal is laid out to be chosen."""

    charts: Charts = lambda board, seat, legal, names: ()  # what is legal as it lies on the table
    turn: TurnWords | None = None
    seldom_told: Callable[[Any, str, str], bool] = lambda board, kind, path: False
    # (board, kind, path of a field of its form): hardly anybody tells it now, and it is folded away
    laid_out: Callable[[Any, str], LaidOut | None] = lambda board, kind: None  # (board, kind): how its form begins
    group: Callable[[str, Any], str] = lambda field, value: ""  # what values belong together, where there are many
    order: Callable[[str, Any, Plain], int] = lambda field, value, printed: 0  # in the box; a record keeps no order
    aside: Callable[[str, Any, Plain], str] = lambda field, value, printed: ""  # what a value means, in few words
    brings: Callable[[Sequence[Any]], str | None] = lambda effects: None
    # (effects): what a decision comes to, in few words; None: the first figure that it changes
    declines: Callable[[Any, Names], Mapping[str, str]] | None = None
    # (board, names): kinds that answer the question asked now with no, and how their buttons say it
    drawn: frozenset[type[Decision]] = frozenset()  # kinds of the set-up that chance decides, and Daybook may draw
    grid: Callable[[Any, int], Grid] | None = None  # (board, round; 0: the newest): figures that everybody enters


@dataclass(frozen=True, kw_only=True)
class LedgerWords:
    """The figures of each seat."""

    columns: Mapping[str, str] = field(default_factory=dict)
    money: frozenset[str] = frozenset()  # columns that count money
    shown: tuple[str, ...] = ()  # the columns that stand beside each step; none named: all
    at_hand: tuple[str, ...] = ()  # the columns that matter to who decides; none named: all


@dataclass(frozen=True, kw_only=True)
class MarkWords:
    """Where a game is."""

    labels: Mapping[str, str | Callable[[int], str]] = field(default_factory=dict)
    # mark -> "round {n}"; the coarsest first
    told_by_finer: frozenset[str] = frozenset()  # marks that the next finer one tells with itself
    phase: Callable[[Any], str] = lambda board: ""  # what is done now where it is not a turn, in place of the last mark


@dataclass(frozen=True, kw_only=True)
class ScoreWords:
    """What a score is made of, and what places go by."""

    lines: Mapping[str, Sentence] = field(default_factory=dict)
    # score line, or its name up to the first dot -> what it is for
    tiebreaks: Mapping[str, str] = field(default_factory=dict)
    ranked_by: str = ""  # what the places of a running game go by, where it is not the totals
    unranked: str = ""  # why the rules leave somebody out of the ranking, where they do
    moved_by: tuple[type[Effect], ...] = ()  # effects that say why a score has changed, the most telling first


@dataclass(frozen=True, kw_only=True)
class BoardWords:
    """Places on the board: where something is put right or counted."""

    paths: Mapping[str, str] = field(default_factory=dict)
    # place on the board, * for one key -> its name, the keys as {k0}, {k1}
    unasked: tuple[str, ...] = ()  # places that nobody at a table can see; no form asks for them
    seat_paths: tuple[str, ...] = ()  # places that hold a seat, or nobody; * for one key
    called: Callable[[Any, str, Names], str | None] | None = None
    # what this very board calls a place; "": no form of it asks for that; None: as `paths` say

    def holds_seat(self, path: str) -> bool:
        return is_cause(path, self.seat_paths)


@dataclass(frozen=True, kw_only=True)
class SetupWords:
    """What is chosen before a game begins."""

    options: Mapping[str, str] = field(default_factory=dict)  # "hands" -> the question; "hands.open" -> an answer
    hints: Mapping[str, str] = field(default_factory=dict)  # option -> what it does, in a sentence or two
    groups: Sequence[tuple[str, Sequence[str]]] = ()  # heading, its options; none: all of them as they come
    quickest: Mapping[str, str] = field(default_factory=dict)  # option -> the choice with which play begins soonest
    advice: Callable[[int], str | None] = lambda seats: None  # what to know before a game with so many


@dataclass(frozen=True, kw_only=True, eq=False)
class GameWords:
    """A game's vocabulary. Sentences are filled with the fields of what they are about, each as `value` puts it."""

    title: str = ""  # the game's name, where editions in other languages have another; none: the ruleset's
    value: Callable[[str, Any, Names], str] = plain.value  # (field, value, names): a colour, a card, a seat as a word
    coin: str = "{n}"  # how money is written
    points: str = "{n}"  # how a score is written
    seat_fields: frozenset[str] = frozenset({"seat"})  # fields that hold a seat
    decisions: DecisionWords = field(default_factory=DecisionWords)
    effects: Sentences = field(default_factory=dict)
    refusals: RefusalWords = field(default_factory=RefusalWords)
    seat: SeatWords = field(default_factory=SeatWords)
    choosing: Choosing = field(default_factory=Choosing)
    ledger: LedgerWords = field(default_factory=LedgerWords)
    marks: MarkWords = field(default_factory=MarkWords)
    score: ScoreWords = field(default_factory=ScoreWords)
    board: BoardWords = field(default_factory=BoardWords)
    setup: SetupWords = field(default_factory=SetupWords)
    alike: Sequence[str] = ()  # words of the table that mean the same, parted by "=": "certificate = stock = share"
    twins: Sequence[str] = ()  # pieces that nobody at a table tells apart: "small storehouse A = small storehouse B"
    account: AccountWords | None = None  # of what runs by itself; none: what the ledger says of it


PLAIN = GameWords()
