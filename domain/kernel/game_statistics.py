"""Statistics: figures of a finished game, read from its record only.

Each game declares its measures as data: the effects, decisions or ledger columns from which they are read. One reader
turns a record into facts. No rule is run, so an old game counts as it was played, even if the rules have changed. Steps
that were taken back do not count.

A fact is a whole number about a seat, or about the whole game (then its seat is TABLE), with the step that caused it.
Measures can also be split by things (the good that was sold) and by periods (the decade).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal

from daybook.domain.kernel.events import DecisionRecorded, DecisionsTakenBack, GameClosed
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.period_points import SCORE, corrected_columns
from daybook.domain.kernel.points import Points, as_points
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.rule_parts import AboutPlay
from daybook.domain.kernel.terms import TABLE, Seat

Unit = Literal["count", "money", "points", "goods", "cards", "spaces", "rounds", "steps", "seconds", "percent"]
TURN = "turn"  # the mark for the leader; games without it or a score have no leads
FIGURE_LIMIT = 10_000_000  # absolute value, because databases add up the figures of all games and their squares
PAUSE_SECONDS = 900  # a longer interval between entries is a break and not thinking time


# --- sources of measures ---------------------------------------------------------------------------------------------


class From(Frozen):
    """Source of a measure: the effects, or the decisions, of one tag.

    amount: the fields that hold how much, added up; none: each counts one. A field may hold a figure for each thing,
    {"food": 3}, or, if `seat` is empty, a figure for each seat. seat: the field that names the seat, or several seats;
    of a decision it is the one that decided. where: what other fields hold, one of several values. each: the field by
    which it is told apart; thing: what it is, where no field says so. setup: only in the set-up, or only after it.
    period: the field with the number of its period, if that may be an earlier one than the step's.
    """

    tag: str
    amount: tuple[str, ...] = ()
    seat: str = "seat"
    where: tuple[tuple[str, tuple[Any, ...]], ...] = ()
    each: str = ""
    thing: str = ""
    setup: bool | None = None
    decision: bool = False
    period: str = ""


class Added(Frozen, tag="added"):
    """Everything together; 0 where there was nothing."""

    parts: tuple[From, ...]


class Greatest(Frozen, tag="greatest"):
    """The greatest single one, and its step; no fact where there was none."""

    parts: tuple[From, ...]


class First(Frozen, tag="first"):
    """The round in which it happened first, and what it was; 0: in the set-up; no fact where it never did."""

    parts: tuple[From, ...]


class Column(Frozen, tag="column"):
    """A column of the ledger as the game ended, and, told apart by periods, as each of them ended."""

    name: str


class Common(Frozen, tag="common"):
    """Worked out alike for every game; see COMMON."""

    name: str


Reading = Added | Greatest | First | Column | Common


class Measure(Frozen):
    """A measure. says: its name in English, for a heading.

    by: the period by which it is split, as in the ruleset's `periods`; "*": the coarsest one. things: the heading of the
    things by which it is split. whole: it is about the game and not about a seat.
    """

    key: str
    says: str
    unit: Unit
    reading: Reading
    by: str = ""
    things: str = ""
    whole: bool = False


def sum_of(key: str, label: str, unit: Unit, *parts: From, by: str = "", things: str = "") -> Measure:
    """Everything together; 0 where there was nothing."""
    return Measure(key, label, unit, Added(parts), by, things)


def greatest_of(key: str, label: str, unit: Unit, *parts: From) -> Measure:
    """Measure the greatest single amount."""
    return Measure(key, label, unit, Greatest(parts))


def first_round_of(key: str, label: str, *parts: From, things: str = "") -> Measure:
    """Measure the first round of an event, and the thing it was about."""
    return Measure(key, label, "rounds", First(parts), things=things)


def column_of(key: str, label: str, unit: Unit, by: str) -> Measure:
    """Measure the ledger's column of the same name, at the end of periods and of the game."""
    return Measure(key, label, unit, Column(key), by)


class PresetQuestion(Frozen):
    """A question in plain words: a measure and what to split it by."""

    key: str
    says: str
    measure: str
    split: str


class Statistics(Frozen):
    """The figures of one game besides COMMON. clock: the marks that together identify the round."""

    clock: tuple[str, ...] = ()
    measures: tuple[Measure, ...] = ()
    questions: tuple[PresetQuestion, ...] = ()

    @property
    def all(self) -> tuple[Measure, ...]:
        return (*COMMON, *self.measures)

    def measure(self, key: str) -> Measure:
        """Return the measure of a key. Raises KeyError."""
        return next((measure for measure in self.all if measure.key == key), None) or _unknown(key)


def _unknown(key: str) -> Measure:
    raise KeyError(key)


COMMON = (
    Measure("score", "Final score", "points", Common("score"), by="*"),
    Measure("place", "Place", "count", Common("place")),
    Measure("margin", "Ahead of the best other seat", "points", Common("margin")),
    Measure("share", "Share of the winner's score", "percent", Common("share")),
    Measure("thinking", "Time spent on decisions", "seconds", Common("thinking")),
    Measure("decisions", "Decisions", "steps", Common("decisions")),
    Measure("rounds_ahead", "Rounds ended in the lead", "rounds", Common("rounds_ahead")),
    Measure("winning_score", "Winning score", "points", Common("winning_score"), whole=True),
    Measure("winning_margin", "Winner's margin over the second", "points", Common("winning_margin"), whole=True),
    Measure("steps", "Decisions in the game", "steps", Common("steps"), whole=True),
    Measure("rounds", "Rounds played", "rounds", Common("rounds"), whole=True),
    Measure("length", "Length of the game", "seconds", Common("length"), whole=True),
    Measure("lead_changes", "Times the lead changed", "count", Common("lead_changes"), whole=True),
    Measure(
        "lead_settled",
        "Part of the game after which the lead no longer changed",
        "percent",
        Common("lead_settled"),
        whole=True,
    ),
    Measure("taken_back", "Decisions the table took back", "steps", Common("taken_back"), whole=True),
)


# --- facts -----------------------------------------------------------------------------------------------------------


class Fact(Frozen):
    """One figure. what, period, number: its subdivisions; all empty for the whole game.

    step: the step that caused it, or the last one if several steps add up.
    """

    seat: Seat
    measure: str
    value: Points
    step: int
    what: str = ""
    period: str = ""
    number: int = 0

    @property
    def is_part(self) -> bool:
        return bool(self.what or self.period)


class Moment(Frozen):
    """A step of the current line, with its marks and its round."""

    step: int
    marks: Mapping[str, int]
    round: int  # from 1; 0 in the set-up
    columns: Mapping[str, list[Points]]  # afterwards
    ended: tuple[tuple[str, int], ...]


class NotClosedError(Exception):
    """Only a closed game has statistics."""


def facts(game: Game, statistics: Statistics) -> list[Fact]:
    """Everything that is counted of a closed game. Raises NotClosedError."""
    closed = closing(game)
    moments = list(_moments(game, statistics.clock))
    reader = _Reader(game, statistics, closed, moments)
    return [*reader.common(), *reader.measured_facts(), *reader.columns()]


def is_countable(facts: Iterable[Fact]) -> bool:
    """Check if the figures of a game are possible at a table.

    Figures of a forged record, or mistyped numbers of ten digits, would distort every comparison of games.
    """
    sizes = defaultdict[tuple[Seat, str, bool], float](float)
    for fact in facts:
        sizes[fact.seat, fact.measure, fact.is_part] += abs(fact.value)
    return all(size <= FIGURE_LIMIT for size in sizes.values())


def closing(game: Game) -> GameClosed:
    """Return the event that closed the game. Raises NotClosedError."""
    if game.status == "closed":
        for entry in reversed(game.entries):
            if isinstance(entry.event, GameClosed):
                return entry.event
    raise NotClosedError(game.id)


def _moments(game: Game, clock: tuple[str, ...]) -> Iterator[Moment]:
    """Yield the standing line of play, the opening first, with the marks before each step."""
    rounds: dict[tuple[int, ...], int] = {}
    before: Mapping[str, int] = {}
    for step in game.line():
        event = game.entries[step].event
        columns, marks = game.figures_at(step)
        ended = tuple((period, number) for period, number in getattr(event, "closed_periods", ()))
        yield Moment(step, before, _round(rounds, before, clock), columns, ended)
        before = marks


def _round(rounds: dict[tuple[int, ...], int], marks: Mapping[str, int], clock: tuple[str, ...]) -> int:
    """Return the number of a round; steps after the last cycle of a decade belong to that cycle."""
    if not clock or clock[0] not in marks:
        return 0
    if any(mark not in marks for mark in clock):
        return len(rounds)
    return rounds.setdefault(tuple(marks[mark] for mark in clock), len(rounds) + 1)


def seconds_at(at: str) -> int | None:
    """Seconds since 1970 of a time as a record has it; None if it is written otherwise."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", at):
        return None
    try:
        return int(datetime.fromisoformat(at).timestamp() // 1)
    except ValueError:  # there is no such day
        return None


# --- reading ---------------------------------------------------------------------------------------------------------

Key = tuple[Seat, str]  # a seat and a measure


@dataclass(slots=True)
class _Reader:
    game: Game
    statistics: Statistics
    closed: GameClosed
    moments: list[Moment]
    totals: dict[Key, tuple[Points, int]] = field(default_factory=dict)  # value and step
    parts: dict[tuple[Seat, str, str, str, int], tuple[Points, int]] = field(default_factory=dict)

    @property
    def seats(self) -> range:
        return range(len(self.closed.totals))

    # --- effects and decisions

    def measured_facts(self) -> Iterator[Fact]:
        """Yield the sums of effects and decisions."""
        effects, decisions = _index(self.statistics.measures)
        for measure in self.statistics.measures:
            if isinstance(measure.reading, Added):
                self.totals.update({(seat, measure.key): (0, self.closed.step) for seat in self.seats})
        for moment in self.moments:
            event = self.game.entries[moment.step].event
            if not isinstance(event, DecisionRecorded):
                continue
            for effect in event.effects:
                for measure, part in effects.get(effect["type"], ()):
                    self._take_amounts(moment, measure, part, effect)
            for measure, part in decisions.get(event.decision["type"], ()):
                self._take_amounts(moment, measure, part, {**event.decision, "seat": event.seat})
        for (seat, key), (value, step) in self.totals.items():
            yield Fact(seat, key, value, step)
        for (seat, key, what, period, number), (value, step) in self.parts.items():
            yield Fact(seat, key, value, step, what, period, number)

    def _take_amounts(self, moment: Moment, measure: Measure, part: From, fields: Mapping[str, Any]) -> None:
        if part.setup is not None and part.setup != (moment.round == 0):
            return
        if any(fields.get(name) not in values for name, values in part.where):
            return
        for seat, what, value in _amounts(part, fields):
            if seat in self.seats:
                number = (fields.get(part.period) if part.period else 0) or moment.marks.get(measure.by, 0)
                self._note(moment, measure, seat, what, value, number if measure.by in moment.marks else 0)

    def _note(self, moment: Moment, measure: Measure, seat: Seat, what: str, value: Points, number: int) -> None:
        key = (seat, measure.key)
        match measure.reading:
            case Added():
                self.totals[key] = (
                    as_points(self.totals[key][0] + value),
                    moment.step if value else self.totals[key][1],
                )
                if value and (what or measure.by):
                    place = (*key, what, measure.by, number)
                    self.parts[place] = (as_points(self.parts.get(place, (0, 0))[0] + value), moment.step)
            case Greatest():
                if key not in self.totals or value > self.totals[key][0]:
                    self.totals[key] = (value, moment.step)
            case First():
                if key not in self.totals:
                    self.totals[key] = (moment.round, moment.step)
                    if what:
                        self.parts[(*key, what, "", 0)] = (1, moment.step)

    # --- columns

    def columns(self) -> Iterator[Fact]:
        """Columns of the ledger as periods and the game ended."""
        last = self.moments[-1]
        for measure in self.statistics.measures:
            if isinstance(measure.reading, Column) and measure.reading.name in last.columns:
                for seat, value in enumerate(last.columns[measure.reading.name]):
                    yield Fact(seat, measure.key, value, last.step)
                yield from self._by_period(measure.key, measure.reading.name, measure.by)

    def _by_period(self, key: str, column: str, by: str) -> Iterator[Fact]:
        for moment in self.moments:
            for period, number in moment.ended:
                if period == by:
                    columns = corrected_columns(self.game, moment.step, moment.columns, self.game.board)
                    for seat, value in enumerate(columns[column]):
                        yield Fact(seat, key, value, moment.step, "", period, number)

    # --- what is counted of every game

    def common(self) -> Iterator[Fact]:
        totals, last = self.closed.totals, self.moments[-1].step
        alone, about = len(totals) == 1, self.game.ruleset.scoring.about
        known = about(self.game.board) if about is not None else AboutPlay()
        least = known.least  # wins
        compared = [seat for seat in range(len(totals)) if not (known.uncompared and known.uncompared[seat])]
        for seat, total in enumerate(totals):
            yield Fact(seat, "place", self.closed.ranks[seat], last)
            if seat not in compared:
                continue
            others = [totals[other] for other in compared if other != seat]
            yield Fact(seat, "score", total, last)
            if others:
                yield Fact(seat, "margin", as_points(min(others) - total if least else total - max(others)), last)
            best = max(totals[other] for other in compared)
            if best > 0 and not least:
                yield Fact(seat, "share", round(100 * max(total, 0) / best), last)
        if SCORE in self.moments[-1].columns:
            for by in self.game.ruleset.course.periods[:1]:
                yield from self._by_period("score", SCORE, by)
        yield from self._thinking()
        first, *others_by_place = sorted(self.seats, key=lambda seat: self.closed.ranks[seat])
        if self.closed.ranks[first] == 1:
            yield Fact(TABLE, "winning_score", totals[first], last)
            for second in [seat for seat in others_by_place[:1] if seat in compared]:
                ahead = as_points(totals[first] - totals[second])
                yield Fact(TABLE, "winning_margin", -ahead if least else ahead, last)
        yield Fact(TABLE, "rounds", max(moment.round for moment in self.moments), last)
        if not alone and SCORE in self.moments[-1].columns and any(TURN in moment.marks for moment in self.moments):
            yield from self._lead()
        yield from self._taken_back()

    def _thinking(self) -> Iterator[Fact]:
        """Yield the number of decisions, and the time before each, charged to the seat that decides."""
        decisions, spent = dict.fromkeys(self.seats, 0), dict.fromkeys(self.seats, 0)
        timed = self.game.opening.recorded == "live"
        for moment in self.moments:
            event = self.game.entries[moment.step].event
            if isinstance(event, DecisionRecorded) and event.seat in decisions:
                decisions[event.seat] += 1
                first = self._first_recorded(moment.step)
                seconds = _between(self.game.entries[first - 1].event.at, self.game.entries[first].event.at)
                if seconds is None:
                    timed = False
                elif 0 <= seconds <= PAUSE_SECONDS:
                    spent[event.seat] += seconds
        last = self.moments[-1].step
        for seat in self.seats:
            yield Fact(seat, "decisions", decisions[seat], last)
            if timed:
                yield Fact(seat, "thinking", spent[seat], last)
        yield Fact(TABLE, "steps", sum(decisions.values()), last)
        length = _between(self.game.opening.at, self.game.entries[self._first_recorded(last)].event.at)
        if timed and length is not None and 0 <= length <= FIGURE_LIMIT:
            yield Fact(TABLE, "length", length, last)

    def _first_recorded(self, step: int) -> int:
        """Return the step at which a decision was first recorded: a correction copies those after it."""
        while isinstance(event := self.game.entries[step].event, DecisionRecorded):
            original = event.copied_from_step if event.corrects_step is None else event.corrects_step
            if original is None or not 0 < original < step:
                break
            step = original
        return step

    def _lead(self) -> Iterator[Fact]:
        """Yield the leaders at the end of each turn; a lead changes when another seat has it alone."""
        leader: Seat | None = None
        changes, since, turns = 0, 0, 0
        settled = self.moments[0]
        ahead = dict.fromkeys(self.seats, 0)
        for moment, after in zip(self.moments, [*self.moments[1:], None], strict=True):
            if not moment.marks.get(TURN) or (after is not None and after.marks[TURN] == moment.marks[TURN]):
                continue
            turns += 1
            first = _alone_first(self.closed.totals if after is None else moment.columns[SCORE])
            if first is not None and first != leader:
                changes += leader is not None
                leader, since, settled = first, turns, moment
            if leader is not None and (after is None or after.round != moment.round):
                ahead[leader] += 1
        yield Fact(TABLE, "lead_changes", changes, settled.step)
        if turns:
            yield Fact(TABLE, "lead_settled", round(100 * since / turns), settled.step)
        for seat in self.seats:
            yield Fact(seat, "rounds_ahead", ahead[seat], settled.step)

    def _taken_back(self) -> Iterator[Fact]:
        """Yield the players' take-backs; corrections of the record do not count."""
        taken, last, stands = 0, self.moments[-1].step, set(self.game.line())
        for at in self.game.take_backs:
            event = self.game.entries[at].event
            if isinstance(event, DecisionsTakenBack) and event.cause == "table":
                back = [step for step in self.game.line_since(at, at - 1) if step not in stands]  # else it was redone
                taken += sum(isinstance(self.game.entries[step].event, DecisionRecorded) for step in back)
                last = at
        yield Fact(TABLE, "taken_back", taken, last)


Index = dict[str, list[tuple[Measure, From]]]


@lru_cache
def _index(measures: tuple[Measure, ...]) -> tuple[Index, Index]:
    """Return the measures by the tags of the effects and of the decisions that they count."""
    effects: Index = {}
    decisions: Index = {}
    for measure in measures:
        if isinstance(measure.reading, Added | Greatest | First):
            for part in measure.reading.parts:
                (decisions if part.decision else effects).setdefault(part.tag, []).append((measure, part))
    return effects, decisions


def _amounts(part: From, fields: Mapping[str, Any]) -> Iterator[tuple[Seat, str, Points]]:
    """Yield the amounts of an effect or a decision: seat, thing, number."""
    if not part.seat:
        yield from ((seat, "", value) for seat, value in enumerate(fields[part.amount[0]]) if value is not None)
        return
    named_thing = fields.get(part.each) if part.each else None
    what = part.thing if named_thing is None else str(named_thing)
    named = fields.get(part.seat)
    seats: list[Seat | None] = named if isinstance(named, list) else [named]
    for seat in seats:
        if seat is not None:
            yield from ((seat, thing, value) for thing, value in _values(part, fields, what))


def _values(part: From, fields: Mapping[str, Any], what: str) -> Iterator[tuple[str, Points]]:
    """Yield what an effect adds to a measure: thing and amount."""
    if not part.amount:
        yield what, 1
    for name in part.amount:
        amount = fields.get(name, 0)
        if isinstance(amount, dict):
            yield from ((thing, value) for thing, value in amount.items() if value)
        else:
            yield what, amount


def _between(earlier: str, later: str) -> int | None:
    """Seconds from one time to another; None if either is not written as usual."""
    start, end = seconds_at(earlier), seconds_at(later)
    return None if start is None or end is None else end - start


def _alone_first(scores: Iterable[Points]) -> Seat | None:
    """Return the seat with the highest score, or None if several have it."""
    values = list(scores)
    most = max(values)
    return values.index(most) if values.count(most) == 1 else None
