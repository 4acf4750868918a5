"""Words of a game, and the layout of its choices.

Missing words default to the names of decisions, effects and fields (`web.words.plain`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from daybook.domain.kernel.by_hand import is_cause
from daybook.domain.kernel.points import Points
from daybook.domain.kernel.tags import tag_of
from daybook.domain.kernel.terms import ByNumber, Decision, Effect, ScoreLine, Seat
from daybook.web.words import plain
from daybook.web.words.account import AccountWords
from daybook.web.words.decision_words import CLOSES, IN_TURN, OPENS, DecisionWords
from daybook.web.words.figure_terms import FigureTerms
from daybook.web.words.figure_words import FigureWords
from daybook.web.words.say import Names, Plain, Sentence, Sentences, say

Kinds = Collection[type[Decision]]
WITH = "with"  # key for required members of a list: {"with": ["R1", "M2"]}


@dataclass(frozen=True, kw_only=True)
class ChartCell:
    """Cell of a chart, and the decision made by tapping it.

    Args:
        adds: one decision, or several that are made at once.
        kind: of a decision that needs further choices; `chosen` has the fields chosen by the tap.
        aloud: full text for screen readers; by default the last decision in words.
        closed: decision that would be made if it were legal, after `first`; the cell explains why it is not.
        why: that explanation, where it is not a rule.
        confirm: show its effects before it is recorded, since it destroys something.
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
    confirm: bool = False


@dataclass(frozen=True, kw_only=True)
class Lane:
    """A line of a chart. A cell without a decision is None.

    Args:
        replaces: checks if a decision of the turn so far is a choice on this line, which another tap on it replaces.
    """

    heading: str
    cells: Sequence[ChartCell | None]
    note: str = ""
    words: bool = False  # the cells have words, which need more room than figures
    folded: bool = False  # the cells are seldom used: a tap on the heading shows them
    replaces: Callable[[Decision], bool] | None = None


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Decisions arranged as on the table, one tap each.

    Args:
        kinds: kinds of decisions that are all on the chart, so that they need no button.
        columns: headings of the cells; without any, the cells of a lane follow each other.
        heading: "" if its lanes have headings enough.
    """

    heading: str
    lanes: Sequence[Lane]
    kinds: Kinds = ()
    columns: Sequence[str] = ()


Charts = Callable[[Any, Seat, Sequence[Decision], Names], Iterable[Chart]]  # (board, seat, legal decisions, names)


@dataclass(frozen=True, kw_only=True)
class TurnWords:
    """Words and effects of a turn that is composed first and recorded as a whole."""

    decisions: DecisionWords
    scope: Callable[[Any], Any]  # (board): a value that stays the same until the turn is over
    closed: type[Effect]  # effect of a closed part
    over: Callable[[Effect], bool] = lambda effect: False  # (effect): the whole turn is over
    goes_on: Collection[type[Effect]] = ()  # effects of a turn that is over in a game that continues
    figures: tuple[str, ...] = ()  # columns that show the turn's effect; by default all
    unsaid: Collection[type[Effect]] = ()  # effects that follow from others and are not shown while the turn is made
    note: Callable[[Any, Any, Seat, Decision], str] = lambda before, after, seat, decision: (
        ""
    )  # short note on a decision's result; by default the first figure that changes
    # assets that must be given up to pay for the turn
    in_need: Callable[[Any, Any, Seat], str] = lambda before, after, seat: ""
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
    """A line of a grid."""

    key: str
    name: str
    note: str = ""
    choices: Sequence[tuple[Points, str]] = ()  # the possible values with their labels
    calculated: bool = False  # nothing is entered
    once: bool = False  # counted once, after the rounds


@dataclass(frozen=True)
class MissingFigure:
    """An empty cell in which a figure is expected.

    Args:
        seats: a player, or partners.
        line: key of the line.
        is_bare: they have no figure in this round at all.
    """

    seats: tuple[Seat, ...]
    line: str
    name: str
    is_bare: bool


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Table of figures that every player enters, lines by players.

    Args:
        kinds: its decisions.
        decision: (line, figure or None to clear): the decision of a cell.
        parse: (text): the figure that it means, None if it is none.
        round: the shown one of `rounds`; 0 without rounds.
        figures: by seat; so are `round_totals` and `totals`. None: empty, or a formula that lacks a figure.
        added: totals are meaningful.
        teams: by seat, team number and its total, None for single players; empty without teams.
        closed: by seat, the player takes no part in the shown round.
        partners: by seat, the team whose figures are added before they are counted; empty without such teams.
        dealer: of the shown round.
        last_round: number of rounds if it is known, else 0.
        halves: figures can be halves.
        ends: decisions that end the newest round or the game.
        missing: expected figures that the newest round lacks.
        zeros: decisions that enter 0 for what is missing; empty if a line does not take 0.
        away: seats that are not at the table.
        ends_here: the game ends with the shown round.
        asides: decisions next to the play, such as teams and ties; the page folds them.
        warning: says that figures of the shown round cannot be right together; "" for none.
        doubtful: rounds with such figures.
        once_missing: name of each line that is counted once, with the seats without the figure, when the game ends here.
        ends_itself: says when the game ends, if no player may end it earlier; "" if one may.
        by_line: all players enter a line before the next one; otherwise a player enters all lines.
    """

    lines: Sequence[GridLine]
    kinds: tuple[type[Decision], ...]
    decision: Callable[[str, Points | None], Decision]
    parse: Callable[[str], Points | None]
    round: int
    rounds: int
    figures: Sequence[Mapping[str, Points | None]]
    round_totals: Sequence[Points | None]
    totals: Sequence[Points]
    added: bool = True
    teams: Sequence[tuple[int, Points] | None] = ()
    closed: Sequence[bool] = ()
    partners: Sequence[int] = ()
    dealer: Seat | None = None
    last_round: int = 0
    halves: bool = False
    ends: tuple[type[Decision], ...] = ()
    missing: Sequence[MissingFigure] = ()
    zeros: Sequence[tuple[Seat, Decision]] = ()
    away: Sequence[Seat] = ()
    ends_here: bool = False
    asides: tuple[type[Decision], ...] = ()
    warning: str = ""
    doubtful: frozenset[int] = frozenset()
    once_missing: Mapping[str, Sequence[Seat]] = field(default_factory=dict)
    by_line: bool = False
    ends_itself: str = ""

    @property
    def waits(self) -> bool:
        """True if the shown round counts nothing yet for a player with figures in it."""
        return any(
            total is None and any(column[line.key] is not None for line in self.lines if not line.calculated)
            for total, column in zip(self.round_totals, self.figures, strict=True)
        )

    @property
    def is_filled(self) -> bool:
        """True if each player, or a partner, has a figure in all lines of the round."""
        lines = [line.key for line in self.lines if not line.calculated and (self.ends_here or not line.once)]
        sides: dict[object, list[Mapping[str, Points | None]]] = {}
        for seat, column in enumerate(self.figures):
            if not (self.closed and self.closed[seat]) and seat not in self.away:
                team = self.partners[seat] if self.partners else 0
                sides.setdefault(("team", team) if team else seat, []).append(column)
        return all(any(column[key] is not None for column in side) for side in sides.values() for key in lines)

    @property
    def is_older(self) -> bool:
        """True if a newer round exists than the shown one."""
        return self.round < self.rounds


# --- the parts of a vocabulary ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class RefusalWords:
    """Wording of refusals on pages, where it differs from the rules'."""

    numbered: Sequence[ByNumber] = ()  # reasons with a singular; the rules and old records have the plural
    better: Mapping[str, str] = field(default_factory=dict)  # the rules' sentence -> its wording for pages
    figure: Callable[[str, Any, Names], str] | None = None  # formats values in the rules' sentences; by default `value`

    @cached_property
    def reasons(self) -> Mapping[str, str | ByNumber]:
        return {**{reason.many: reason for reason in self.numbered}, **self.better}


@dataclass(frozen=True, kw_only=True)
class SeatWords:
    """Prompts for a seat, and the things in front of it."""

    prompt: Callable[[Any, Seat, Names], str] = plain.prompt
    # (board, seat, names): the seat's next decision, on one line
    holds: Callable[[Any, Seat], Sequence[tuple[str, str]]] = lambda board, seat: ()
    # (board as the seat sees it, seat): (name, text) of what it holds and can expect
    turn_begins: str = ""  # first prompt of a turn
    closes: Callable[[Any, Seat, Names], tuple[str, str] | None] = lambda board, seat, names: None
    # (board as the viewer sees it, seat, names): what the seat's next decision takes away from others, and the rule
    sealed: Callable[[Any, Seat], str] = lambda board, seat: ""  # (board as the seat sees it, seat): what it has sealed
    about_parts: Callable[[Any], Sequence[str]] = lambda board: ()
    # (board): the parts of the drawn board that the present question is about, such as a market with its bars


@dataclass(frozen=True, kw_only=True)
class LaidOut:
    """Form for pieces that the table lays out.

    Args:
        begins: its fields with known values, "" for unknown ones.
        in_all: final number of pieces.
        listed: fields in the order of the rulebook.
    """

    begins: Plain
    in_all: int | None = None
    listed: Plain | None = None


@dataclass(frozen=True, kw_only=True)
class Choosing:
    """Layout of legal choices."""

    charts: Charts = lambda board, seat, legal, names: ()  # legal decisions as charts of the table
    turn: TurnWords | None = None
    seldom_told: Callable[[Any, str, str], bool] = lambda board, kind, path: False
    # (board, kind, path of a field of its form): the field is rarely needed now and folded away
    number_note: Callable[[Any, str, str], str] = lambda board, kind, path: ""  # next to a number of its form
    mixed: Mapping[str, str] = field(default_factory=dict)
    # kind -> warning if several numbers of its form are above 0; the form asks which number first
    laid_out: Callable[[Any, str], LaidOut | None] = lambda board, kind: None  # (board, kind): initial form
    group: Callable[[str, Any], str] = lambda field, value: ""  # groups many values
    order: Callable[[str, Any, Plain], int] = lambda field, value, printed: 0  # order in the box; records keep none
    aside: Callable[[str, Any, Plain], str] = lambda field, value, printed: ""  # explanation of a value in few words
    brings: Callable[[Sequence[Any]], str | None] = lambda effects: None
    # (effects): short result of a decision; None for the first figure that changes
    declines: Callable[[Any, Names], Mapping[str, str]] | None = None
    # (board, names): labels of the kinds that decline what the page asks now
    drawn: frozenset[type[Decision]] = frozenset()  # kinds of set-up facts that Daybook may draw
    in_full: Callable[[Any, str, Names], str] = lambda board, text, names: text
    apart: Callable[[Any, str, Names], list[str]] = lambda board, text, names: [text]
    # (board, typed text, names): the text with what players leave out
    grid: Callable[[Any, int], Grid] | None = None  # (board, round; 0 for the newest): figures that every player enters

    def warning(self, kind: str) -> str:
        """Return the warning about several numbers in the form of a kind; "" if they are usual."""
        return say(self.mixed[kind]) if kind in self.mixed else ""


@dataclass(frozen=True, kw_only=True)
class LedgerWords:
    """The figures of each seat."""

    columns: Mapping[str, str] = field(default_factory=dict)
    money: frozenset[str] = frozenset()  # columns that count money
    shown: tuple[str, ...] = ()  # columns at each step; by default all
    at_hand: tuple[str, ...] = ()  # columns that matter to the deciding player; by default all


@dataclass(frozen=True, kw_only=True)
class MarkWords:
    """Descriptions of the progress of a game."""

    labels: Mapping[str, str | Callable[[int], str]] = field(default_factory=dict)
    # mark -> "round {n}", the longest period first
    told_by_finer: frozenset[str] = frozenset()  # marks that the next finer one includes
    phase: Callable[[Any], str] = lambda board: ""  # current phase, replacing the last mark between turns
    ends_soon: Callable[[Any, Names], tuple[str, str] | None] = lambda board, names: None
    # (board, names): why the game is about to end, and the rule; a round ahead where the rules allow


@dataclass(frozen=True, kw_only=True)
class RevealWords:
    """Moments that every phone shows on a full screen.

    Args:
        heading: of the screen.
        shows: what each seat reveals, in few words, by the effect that has the seat.
        results: effects that say who wins what.
        to_come: such effects that follow for certain from what was revealed, after a choice of the returned seat.
        periods: marks whose end is such a moment too.
    """

    heading: str = ""
    shows: Mapping[type[Effect], Callable[[Any], str]] = field(default_factory=dict)
    results: tuple[type[Effect], ...] = ()
    to_come: Callable[[Any], tuple[Seat, Sequence[Effect]] | None] = lambda board: None
    periods: frozenset[str] = frozenset()

    @cached_property
    def tags(self) -> frozenset[str]:
        """Tags of the effects that a seat reveals."""
        return frozenset(map(tag_of, self.shows))


@dataclass(frozen=True)
class LineOfRound:
    """Points of a calculated score line in a round.

    figures: those that it is calculated from, in words; working: the calculation in numbers, "" if it is not known.
    """

    round: int
    figures: str
    points: Points
    working: str


@dataclass(frozen=True)
class CountedLine:
    """A calculated line that a decision changes.

    figures: those that it is calculated from, in words; points: None while it lacks a figure; working: the calculation
    in numbers, "" if it is not known.
    """

    name: str
    formula: str
    figures: str
    points: Points | None
    working: str


@dataclass(frozen=True, kw_only=True)
class ScoreWords:
    """Lines of a score, and what determines places."""

    lines: Mapping[str, Sentence] = field(default_factory=dict)
    # score line, or its name up to the first dot -> sentence
    explanations: Mapping[str, str] = field(default_factory=dict)  # score line, as in `lines` -> a sentence on its rule
    tiebreaks: Mapping[str, str] = field(default_factory=dict)
    ranked_by: str = ""  # what determines places in a running game, if not the totals
    unranked: str = ""  # why the rules leave a player out of the ranking
    moved_by: tuple[type[Effect], ...] = ()  # effects that explain score changes, most important first
    causes: Mapping[str, tuple[type[Effect], ...]] = field(default_factory=dict)
    # column that no account adds up -> effects that change it
    counts: Callable[[Any, ScoreLine], bool] = lambda board, line: True
    # (board, line): the line can count; False for figures that only other lines read
    rounds: Callable[[Any, Seat, ScoreLine], list[LineOfRound]] = lambda board, seat, line: []
    # (board, seat, line): what a calculated line counts in each round
    formula: Callable[[Any, ScoreLine], str] = lambda board, line: ""
    counted: Callable[[Any, Seat, Decision, Names], list[CountedLine]] = lambda board, seat, decision, names: []
    # (board, seat, decision, names): what the calculated lines of its round count on the board after it
    counted_at: Callable[[Any, str, Names], list[CountedLine]] = lambda board, path, names: []
    # (board, path, names): how a named figure of the board counts, or is calculated
    in_period: Callable[[Any, Seat, int], str] | None = None
    # (board, seat, period): what a seat entered, of a game whose score is whole at the end of a period only


@dataclass(frozen=True, kw_only=True)
class BoardWords:
    """Names of places and figures on the board."""

    paths: Mapping[str, str] = field(default_factory=dict)
    # place on the board, * for one key and @ for a seat -> its name, the keys as {k0}, {k1}; {n0}: counted from 1
    parts: Mapping[str, str] = field(default_factory=dict)  # part that a form folds -> its name; "": that in `paths`
    unseen_places: tuple[str, ...] = ()  # places that no one at a table can see; forms leave them out
    seat_paths: tuple[str, ...] = ()  # places that hold a seat, or none; * for one key
    money_paths: tuple[str, ...] = ()  # places with money whose last key is no column; * for one key
    called: Callable[[Any, str, Names], str | None] | None = None
    # (board, path, names): its name on this board; "" to leave it out of forms; None for the name in `paths`
    formula: Callable[[Any, Sequence[str]], str] = lambda board, keys: ""
    # (board, keys of a place): what its figure is worked out from; "" for a figure that the board holds
    terms: Callable[[Any, Sequence[str]], FigureTerms | None] | None = None
    # (board, keys of a place): what its figure is worked out from; None while there is none. Raises LookupError
    cause: Callable[[Sequence[Effect], int], int | None] = lambda effects, place: None
    # (effects of a step, place of one): the place of the effect from which it follows
    count_line: Callable[[Any, Sequence[str]], tuple[str, str] | None] | None = None
    # (board, keys of a player's place): group and line that list it when counting; None for any other place

    def holds_seat(self, path: str) -> bool:
        return is_cause(path, self.seat_paths)


@dataclass(frozen=True, kw_only=True)
class SetupWords:
    """Questions before a game begins."""

    options: Mapping[str, str] = field(default_factory=dict)  # "hands" -> question; "hands.open" -> answer
    hints: Mapping[str, str] = field(default_factory=dict)  # option -> explanation
    groups: Sequence[tuple[str, Sequence[str]]] = ()  # (heading, options); by default one group
    quickest: Mapping[str, str] = field(default_factory=dict)  # option -> choice with the shortest set-up
    advice: Callable[[int], str | None] = lambda seats: None  # advice for a number of players


@dataclass(frozen=True, kw_only=True, eq=False)
class GameWords:
    """A game's vocabulary. Sentences are filled with fields, each formatted by `value`."""

    title: str = ""  # the game's name if editions in other languages have another; by default the ruleset's
    value: Callable[[str, Any, Names], str] = plain.value  # (field, value, names): a colour, a card, a seat as a word
    coin: str = "{n}"  # how money is written
    points: str = "{n}"  # how a score is written
    seat_fields: frozenset[str] = frozenset({"seat"})  # fields that hold a seat
    decisions: DecisionWords = field(default_factory=DecisionWords)
    effects: Sentences = field(default_factory=dict)
    deed_effects: tuple[type[Effect], ...] = ()  # say what a step did, where its first effect is a payment
    line_sentences: Sentences = field(default_factory=dict)  # shorter ones of effects, for the line of a turn
    line_omits: Mapping[type[Decision], type[Effect]] = field(default_factory=dict)
    # decisions that the line leaves out if a later effect of the turn tells their result
    line_effects: tuple[type[Effect], ...] = ()  # on the player; the line of a turn always names them
    refusals: RefusalWords = field(default_factory=RefusalWords)
    seat: SeatWords = field(default_factory=SeatWords)
    choosing: Choosing = field(default_factory=Choosing)
    ledger: LedgerWords = field(default_factory=LedgerWords)
    marks: MarkWords = field(default_factory=MarkWords)
    reveals: RevealWords = field(default_factory=RevealWords)
    score: ScoreWords = field(default_factory=ScoreWords)
    board: BoardWords = field(default_factory=BoardWords)
    setup: SetupWords = field(default_factory=SetupWords)
    alike: Sequence[str] = ()  # words of the table that mean the same, parted by "=": "certificate = stock = share"
    twins: Sequence[str] = ()  # indistinguishable pieces: "small storehouse A = small storehouse B"
    account: AccountWords | None = None  # of automatic actions; by default the ledger's figures
    # by effect, what the players do with cards, pieces and money: "Anna draws 2 cards"; "" for nothing
    at_table: Sentences = field(default_factory=dict)
    table_begins: Callable[[Any, Names], Sequence[str]] = lambda board, names: ()  # (board): what they do in the set-up
    figures: FigureWords | None = None  # what each effect does to the figures of the board; None: by columns only
    rules: Mapping[str, str] = field(default_factory=dict)  # rule id -> the rule in one sentence of our own words


PLAIN = GameWords()
