"""Figures: what was counted of many games, asked as a measure split by something, of some games.

    ask(book, Question(measure, splits, filter))        one table: a row for each value of the splits
    games_behind(book, question, key)                   the games behind one row of it, the greatest value first
    presets(ruleset), asked(preset, filter)             questions in plain words, and the Question each stands for
    measures(ruleset), splits_of(measure)               what the builder offers

    winners(book, filter)                               what winners do differently, the greatest difference first
    records(book, filter)                               highest and lowest figures, each with its game and step
    head_to_head(book, filter, people)                  each pair of people: who came before whom; people: only theirs
    rivals(table, person)                               of that table: whom one met, beat and lost to most often
    streaks(book, filter)                               the longest run of wins of each person, and the running one
    of_person(book, filter), of_games(book, filter)     the tables of a person's page and of a season's

Filter says which games count: `ruleset` ("" for all of them), `games` (a season's), `people` (one person, under every
id that was merged into it), seats, dates; and what a group leaves out: practice games, games with illegal moves that
stood, results that a claim may change. `same` has ids of people that were merged: what it maps is counted for whom it
is mapped to. Games played alone count only where `seats` is 1.

A rate that rests on fewer than `tables.FEW` games is None. Wins stand beside expected wins, one by the number of
seats for each game; shared wins count in part.

Every figure is one text of SQL for SQLite, PostgreSQL and DuckDB: sums and counts of whole numbers, nothing else; see
`Query`. What divides is done here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, Literal, NamedTuple
from uuid import UUID

import msgspec
import sqlalchemy as sa

from domain.ruleset import TABLE, Seat
from domain.statistics import Added, Asked, First, Greatest, Measure
from services.daybook import Daybook
from services.statistics import WIN, statistics_of
from services.tables import FEW, Heading, Row, Table, mean, rate

Split = Literal[
    "seat", "seats", "person", "won", "place", "colour", "year", "month", "ruleset", "value", "what", "number"]
Counts = Literal["no", "yes", "only"]


class Filter(msgspec.Struct, frozen=True):
    """Which games count; see above. since, until: of when a game was opened, as records write it; until is left out."""

    ruleset: str = ""
    games: frozenset[UUID] | None = None
    people: tuple[str, ...] = ()
    seats: int = 0
    practice: Counts = "no"
    as_played: bool = True
    provisional: bool = True
    since: str = ""
    until: str = ""
    same: dict[str, str] = {}


class Question(msgspec.Struct, frozen=True):
    """A measure, split by nothing, one or two things, of some games."""

    measure: str
    splits: tuple[Split, ...] = ()
    filter: Filter = Filter()


class BadQuestion(ValueError):
    """There is no such measure, or it cannot be split like that; the message says why."""


class Query(NamedTuple):
    """A text of SQL with named places for what is given, `:name`."""

    text: str
    given: dict[str, int | str]


# --- questions -------------------------------------------------------------------------------------------------------

QUESTIONS = (
    Asked("first_seat", "Does the first seat win more often?", "score", "seats seat"),
    Asked("who_wins", "Who wins more often than expected?", "score", "person"),
    Asked("enough", "How much does it take to win?", "winning_score", "seats"),
    Asked("close", "How close are games?", "winning_margin", "seats"),
    Asked("how_long", "How long does a game take?", "length", "seats"),
    Asked("how_many", "How many rounds does a game last?", "rounds", "seats"),
    Asked("settled", "When is a game decided?", "lead_settled", "seats"),
    Asked("lead", "How often does the lead change?", "lead_changes", "seats"),
    Asked("colour", "Does a colour win more often?", "score", "colour"),
    Asked("better", "Do scores rise from month to month?", "score", "month"),
)

ALWAYS = "'-'"
EXPRESSIONS: dict[Split, str] = {
    "seat": "s.seat", "seats": "s.seats", "person": "s.person", "place": "s.place", "colour": "s.colour",
    "won": "CASE WHEN s.won_60 > 0 THEN 1 ELSE 0 END", "year": "SUBSTR(s.at, 1, 4)", "month": "SUBSTR(s.at, 1, 7)",
    "ruleset": "s.ruleset", "value": "f.value", "what": "f.what", "number": "f.number",
}
WHOLE_NUMBERS = {"seat", "seats", "place", "won", "value", "number"}
OF_PARTS = {"what", "number"}
OF_SEATS = {"seat", "person", "won", "place", "colour"}  # by these a figure of a game counts for each seat
SPLITS = {  # in the order in which they are offered
    one.key: one for one in (
        Heading("seats", "Players", "seats"), Heading("seat", "Seat", "seat"), Heading("person", "Person", "person"),
        Heading("won", "Winner", "won"), Heading("place", "Place", "place"), Heading("colour", "Colour", "colour"),
        Heading("value", "Value", "value"), Heading("what", "Of what", "what"), Heading("number", "When", "number"),
        Heading("month", "Month", "month"), Heading("year", "Year", "year"), Heading("ruleset", "Game", "ruleset"))}


def measures(ruleset: str) -> tuple[Measure, ...]:
    """What can be asked about a game; "": about any."""
    return statistics_of(ruleset).all


def splits_of(measure: Measure) -> tuple[Split, ...]:
    """By what a measure can be split."""
    no = {
        *(() if measure.things else ("what",)), *(() if measure.by else ("number",)),
        *(("seat", "colour", "place") if measure.whole else ())}
    return tuple(split for split in EXPRESSIONS if split in SPLITS and split not in no)


def presets(ruleset: str) -> tuple[Asked, ...]:
    """Questions in plain words about a game; "": about any."""
    return (*QUESTIONS, *statistics_of(ruleset).questions)


def asked(preset: Asked, of: Filter) -> Question:
    return Question(preset.measure, tuple(preset.split.split()), of)  # type: ignore[arg-type]


def measure_of(question: Question) -> Measure:
    """Raises BadQuestion."""
    try:
        measure = statistics_of(question.filter.ruleset).measure(question.measure)
    except KeyError:
        raise BadQuestion(f"nothing is counted as {question.measure!r} in {question.filter.ruleset!r}") from None
    possible = splits_of(measure)
    for split in question.splits:
        if split not in possible:
            raise BadQuestion(f"{measure.key} cannot be split by {split!r}, but by {', '.join(possible)}")
    if len(question.splits) > 2 or len(set(question.splits)) < len(question.splits):
        raise BadQuestion("a question is split by at most two things, which differ")
    return measure


# --- texts -----------------------------------------------------------------------------------------------------------


def counting(of: Filter) -> Query:
    """Which seats count, as a condition about `s`, a row of seat_summary."""
    conditions, given = ["s.seats = 1" if of.seats == 1 else "s.seats > 1"], dict[str, int | str]()
    if of.ruleset:
        conditions.append("s.ruleset = :ruleset")
        given["ruleset"] = of.ruleset
    if of.seats > 1:
        conditions.append("s.seats = :seats")
        given["seats"] = of.seats
    if of.people:
        names = {f"person_{place}": person for place, person in enumerate(of.people)}
        conditions.append(f"s.person IN ({', '.join(':' + name for name in names)})")
        given.update(names)
    if of.practice != "yes":
        conditions.append(f"s.kind {'=' if of.practice == 'only' else '<>'} 'practice'")
    if not of.as_played:
        conditions.append("s.as_played = 0")
    if not of.provisional:
        conditions.append("s.provisional = 0")
    for bound, sign in (("since", ">="), ("until", "<")):
        if getattr(of, bound):
            conditions.append(f"s.at {sign} :{bound}")
            given[bound] = getattr(of, bound)
    if of.games is not None:  # written out: databases take only so many given values
        listed = ", ".join(f"'{game.hex}'" for game in sorted(of.games))
        conditions.append(f"s.game IN ({listed})" if listed else "1 = 0")
    return Query(" AND ".join(conditions), given)


def about_seats(question: Question) -> bool:
    """Whether a figure of a game is asked of those who played it, and counts for each of them."""
    return bool(question.filter.people or OF_SEATS & set(question.splits))


def joined(table: str, measure: Measure, splits: Iterable[Split], of: Filter) -> Query:
    """Facts of a measure beside the seats that count."""
    condition, given = counting(of)
    seat = f"f.seat = {TABLE}" if measure.whole else "f.seat = s.seat"
    if measure.whole and not about_seats(Question(measure.key, tuple(splits), of)):
        seat += " AND s.seat = 0"
    ruleset = ":ruleset" if of.ruleset else "s.ruleset"
    return Query(
        f"FROM seat_summary s JOIN {table} f ON f.game = s.game AND {seat} "
        f"WHERE f.ruleset = {ruleset} AND f.measure = :measure AND {condition}",
        {**given, "measure": measure.key})


def query_of(question: Question, measure: Measure) -> Query:
    """What `ask` asks: for each value of the splits how many, the sum, the least, the most, wins, expected wins."""
    a, b = _expressions(question.splits)
    by = ", ".join(EXPRESSIONS[split] for split in question.splits)
    if not OF_PARTS & set(question.splits):
        of, given = joined("game_fact", measure, question.splits, question.filter)
        return Query(
            f"SELECT {a}, {b}, COUNT(*), CAST(SUM(f.value) AS BIGINT), MIN(f.value), MAX(f.value), "
            f"CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(s.expected_60) AS BIGINT) {of}{f' GROUP BY {by}' if by else ''}",
            given)
    of, given = joined("game_part", measure, question.splits, question.filter)
    return Query(
        "SELECT a, b, COUNT(*), CAST(SUM(v) AS BIGINT), CAST(MIN(v) AS BIGINT), CAST(MAX(v) AS BIGINT), "
        "CAST(SUM(won) AS BIGINT), CAST(SUM(expected) AS BIGINT) "
        f"FROM (SELECT {a} AS a, {b} AS b, SUM(f.value) AS v, MIN(s.won_60) AS won, MIN(s.expected_60) AS expected "
        f"{of} GROUP BY s.game, s.seat, {by}) AS one GROUP BY a, b",
        given)


def base_of(question: Question, measure: Measure) -> Query:
    """Of how many seats parts are the parts: of those counted, in a period of those that reached it."""
    score = statistics_of("").measure("score")
    rest = [split for split in question.splits if split != "what"]
    if "number" in rest:
        return query_of(msgspec.structs.replace(question, splits=tuple(rest)), score)
    return query_of(msgspec.structs.replace(question, splits=tuple(rest)), measure)


def _expressions(splits: Sequence[Split]) -> tuple[str, str]:
    a, b = [*(EXPRESSIONS[split] for split in splits), ALWAYS, ALWAYS][:2]
    return a, b


def run(book: Daybook, query: Query) -> list[tuple[Any, ...]]:
    with book.views.connect() as connection:
        return [tuple(row) for row in connection.execute(sa.text(query.text), query.given)]


# --- a question's answer ---------------------------------------------------------------------------------------------


class _Sum:
    """What rows come to together, where several ids are one person."""

    __slots__ = ("expected", "least", "most", "n", "total", "won")

    def __init__(self) -> None:
        self.n, self.total, self.won, self.expected = 0, 0, 0, 0
        self.least: int | None = None
        self.most: int | None = None

    def add(self, n: int, total: int | None, least: int | None, most: int | None, won: int | None,
            expected: int | None) -> None:
        self.n += n
        self.total += total or 0
        self.won += won or 0
        self.expected += expected or 0
        if least is not None and most is not None:
            self.least = least if self.least is None else min(self.least, least)
            self.most = most if self.most is None else max(self.most, most)


Place = tuple[Any, ...]


def ask(book: Daybook, question: Question) -> Table:
    """The answer to a question. Raises BadQuestion."""
    measure = measure_of(question)
    found = _summed(run(book, query_of(question, measure)), question)
    parts = bool(OF_PARTS & set(question.splits))
    of_all = parts and isinstance(measure.reading, Added | First)
    base = _summed(run(book, base_of(question, measure)), question, leave_out="what") if of_all else {}
    won = not {"won", "place"} & set(question.splits) and (not measure.whole or about_seats(question))
    rows = []
    for place, one in sorted(found.items(), key=lambda item: [_order(value) for value in item[0]]):
        n = base[_without(place, question, "what")].n if _without(place, question, "what") in base else one.n
        cells: list[Any] = [*place, n, *([one.n] if of_all else []), mean(one.total, n), one.least, one.most]
        if won:
            cells += [round(one.won / WIN, 2), round(one.expected / WIN, 2), rate(one.won / WIN, one.n)]
        if one.n:
            rows.append(Row(tuple(cells), one.n, key_of(place)))
    unit = measure.unit
    return Table(
        question.measure, measure.says, (
            *(_heading(split, measure) for split in question.splits),
            Heading("n", "Games" if measure.whole and not won else "Seats", "count"),
            *([Heading("with", "Of these with any", "count")] if of_all else []),
            Heading("mean", "Average", "mean", unit), Heading("least", "Lowest", "amount", unit),
            Heading("most", "Highest", "amount", unit),
            *(WINS if won else ())),
        tuple(rows), _counted(book, question), measure.key)


WINS = (
    Heading("wins", "Wins", "wins"), Heading("expected", "Expected wins", "wins"), Heading("rate", "Won", "rate"))


def _heading(split: Split, measure: Measure) -> Heading:
    """A period's column says which period it is; what a measure is told apart by has its own name as unit."""
    units = {"what": measure.things, "number": measure.by, "value": measure.unit}
    return msgspec.structs.replace(SPLITS[split], unit=units.get(split, ""))


def _counted(book: Daybook, question: Question) -> int:
    """How many games count."""
    condition, given = counting(question.filter)
    return int(run(book, Query(
        f"SELECT COUNT(*) FROM (SELECT s.game FROM seat_summary s WHERE {condition} GROUP BY s.game) AS one",
        given))[0][0])


def _summed(rows: Iterable[tuple[Any, ...]], question: Question, leave_out: str = "") -> dict[Place, _Sum]:
    splits = [split for split in question.splits if split != leave_out]
    found: dict[Place, _Sum] = defaultdict(_Sum)
    for a, b, *figures in rows:
        place = tuple(
            question.filter.same.get(value, value) if split == "person" else value
            for split, value in zip(splits, (a, b), strict=False))
        found[place].add(*figures)
    return found


def _without(place: Place, question: Question, split: str) -> Place:
    return tuple(value for one, value in zip(question.splits, place, strict=True) if one != split)


def _order(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def key_of(place: Place) -> str:
    """A row's key: its values of the splits."""
    return "|".join(str(value) for value in place)


class Behind(msgspec.Struct, frozen=True):
    """A game behind a figure: the seat and the person it is about (TABLE and "": nobody in particular), the value, and
    the step at which it came about."""

    game: UUID
    seat: Seat
    person: str
    place: int
    total: int
    value: int
    step: int
    at: str


def games_behind(book: Daybook, question: Question, key: str = "", limit: int = 200) -> list[Behind]:
    """The games behind a row of the question's table, or, without a key, behind all of it. Raises BadQuestion."""
    measure = measure_of(question)
    table = "game_part" if OF_PARTS & set(question.splits) else "game_fact"
    of, given = joined(table, measure, question.splits, question.filter)
    conditions = []
    values = key.split("|") if key else []
    if values and len(values) != len(question.splits):
        raise BadQuestion(f"{key!r} is no row of this table")
    for number, (split, value) in enumerate(zip(question.splits, values, strict=False)):
        several = [value]
        if split == "person":
            several += [gone for gone, kept in question.filter.same.items() if kept == value]
        names = {f"key_{number}_{place}": _typed(split, one) for place, one in enumerate(several)}
        conditions.append(f" AND {EXPRESSIONS[split]} IN ({', '.join(':' + name for name in names)})")
        given.update(names)
    nobody = measure.whole and not about_seats(question)
    found = run(book, Query(
        f"SELECT s.game, s.seat, s.person, s.place, s.total, CAST(SUM(f.value) AS BIGINT), MAX(f.step), s.at {of}"
        f"{''.join(conditions)} GROUP BY s.game, s.seat, s.person, s.place, s.total, s.at "
        "ORDER BY 6 DESC, s.at, s.game, s.seat LIMIT :limit", {**given, "limit": limit}))
    return [
        Behind(UUID(str(game)), TABLE if nobody else seat, "" if nobody else question.filter.same.get(person, person),
               place, total, value, step, at)
        for game, seat, person, place, total, value, step, at in found]


def _typed(split: Split, value: str) -> int | str:
    if split not in WHOLE_NUMBERS:
        return value
    try:
        return int(value)
    except ValueError:
        raise BadQuestion(f"{value!r} is no {split}") from None


# --- what winners do differently -------------------------------------------------------------------------------------

RESULTS = ("score", "place", "margin", "share", "rounds_ahead")  # they say that somebody won, not how


def winners_query(of: Filter) -> Query:
    condition, given = counting(of)
    won = EXPRESSIONS["won"]
    return Query(
        f"SELECT f.measure, {won}, COUNT(*), CAST(SUM(f.value) AS BIGINT), CAST(SUM(f.value * f.value) AS BIGINT) "
        f"FROM seat_summary s JOIN game_fact f ON f.game = s.game AND f.seat = s.seat "
        f"WHERE f.ruleset = :ruleset AND {condition} GROUP BY f.measure, {won}", given)


def winners(book: Daybook, of: Filter) -> Table:
    """Every measure of a game, of winners and of the others; those far apart first. Raises BadQuestion for no game."""
    if not of.ruleset:
        raise BadQuestion("what winners do differently is asked about one game")
    found: dict[str, dict[int, tuple[int, int, int]]] = defaultdict(dict)
    for key, won, n, total, squares in run(book, winners_query(of)):
        found[key][won] = (n, total, squares)
    rows = []
    for measure in statistics_of(of.ruleset).all:
        if measure.whole or measure.key in RESULTS or set(found[measure.key]) != {0, 1}:
            continue
        (n_0, total_0, squares_0), (n_1, total_1, squares_1) = found[measure.key][0], found[measure.key][1]
        apart, spread = total_1 / n_1 - total_0 / n_0, _spread(n_0 + n_1, total_0 + total_1, squares_0 + squares_1)
        enough = min(n_0, n_1) >= FEW and spread > 0
        rows.append(Row(
            (measure.key, n_1, mean(total_1, n_1), n_0, mean(total_0, n_0), round(apart, 2),
             round(apart / spread, 2) if enough else None), n_0 + n_1, measure.key))
    table = Table("winners", "What winners do differently", (
        Heading("measure", "Measure", "measure"), Heading("n_winners", "Winners", "count"),
        Heading("winners", "Average of winners", "mean"), Heading("n_others", "Others", "count"),
        Heading("others", "Average of the others", "mean"), Heading("difference", "Difference", "mean"),
        Heading("effect", "Compared with how much it varies", "effect")), tuple(rows),
        _counted(book, Question("score", (), of)))
    place = len(table.headings) - 1
    return msgspec.structs.replace(table, rows=tuple(sorted(table.rows, key=lambda row: -abs(row.cells[place] or 0))))


def _spread(n: int, total: int, squares: int) -> float:
    """The standard deviation."""
    return sqrt(max(squares / n - (total / n) ** 2, 0.0))


# --- records ---------------------------------------------------------------------------------------------------------

HIGHEST = ("score", "winning_margin", "lead_changes", "steps", "rounds", "length", "taken_back")
LOWEST = ("winning_score", "winning_margin", "lead_settled", "steps", "rounds", "length")


def record_query(measure: Measure, of: Filter, order: Literal["DESC", "ASC"]) -> Query:
    """The most, or the least, of a measure; of several the one that came first."""
    text, given = joined("game_fact", measure, ("person",) if not measure.whole else (), of)
    return Query(
        f"SELECT f.value, s.game, s.seat, s.person, s.at, f.step {text} "
        f"ORDER BY f.value {order}, s.at, s.game, s.seat LIMIT 1", given)


def records(book: Daybook, of: Filter) -> Table:
    """Records, each with its game and step: the highest of what can be had much of, the lowest where little is rare."""
    rows = []
    for measure in measures(of.ruleset):
        ways: list[Literal["DESC", "ASC"]] = []
        if measure.key in HIGHEST or isinstance(measure.reading, Added | Greatest):
            ways.append("DESC")
        if measure.key in LOWEST:
            ways.append("ASC")
        for way in ways:
            for value, game, seat, person, at, step in run(book, record_query(measure, of, way)):
                if value or way == "ASC":
                    nobody = measure.whole and not of.people
                    rows.append(Row(
                        (measure.key, "most" if way == "DESC" else "least", value,
                         "" if nobody else of.same.get(person, person), TABLE if nobody else seat, at),
                        1, measure.key, UUID(str(game)), step))
    return Table("records", "Records", (
        Heading("measure", "Measure", "measure"), Heading("which", "Most or least", "which"),
        Heading("value", "Value", "amount"), Heading("person", "Person", "person"), Heading("seat", "Seat", "seat"),
        Heading("at", "On", "at")), tuple(rows), _counted(book, Question("score", (), of)))


# --- people ----------------------------------------------------------------------------------------------------------


def pairs_query(of: Filter) -> Query:
    condition, given = counting(of)
    return Query(
        "SELECT s.person, o.person, COUNT(*), "
        "CAST(SUM(CASE WHEN s.place < o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(CASE WHEN s.place > o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(o.won_60) AS BIGINT) "
        "FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
        f"WHERE {condition} GROUP BY s.person, o.person", given)


def head_to_head(book: Daybook, of: Filter) -> Table:
    """Each pair of people that met: how often, and who came before whom. With `of.people`: their meetings alone."""
    found: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    for one, other, *figures in run(book, pairs_query(of)):
        pair = of.same.get(one, one), of.same.get(other, other)
        if pair[0] != pair[1]:
            found[pair] = [so_far + more for so_far, more in zip(found[pair], figures, strict=True)]
    rows = [
        Row((one, other, n, ahead, behind, n - ahead - behind, rate(ahead, n), round(won / WIN, 2),
             round(lost / WIN, 2)), n, f"{one}|{other}")
        for (one, other), (n, ahead, behind, won, lost) in sorted(
            found.items(), key=lambda item: (-item[1][0], item[0]))]
    return Table("head_to_head", "Head to head", (
        Heading("person", "Person", "person"), Heading("other", "Other", "person"),
        Heading("n", "Games together", "count"), Heading("ahead", "Before the other", "count"),
        Heading("behind", "Behind the other", "count"), Heading("level", "Level", "count"),
        Heading("rate", "Before the other, of all", "rate"), Heading("wins", "Wins", "wins"),
        Heading("other_wins", "Wins of the other", "wins")), tuple(rows), _counted(book, Question("score", (), of)))


def meetings(book: Daybook, of: Filter, one: str, other: str) -> list[UUID]:
    """The games in which two people met, the first ones first: what is behind a row of `head_to_head`."""
    condition, given = counting(of)
    names: dict[str, int | str] = {}
    lists = []
    for who, person in (("one", one), ("other", other)):
        ids = {f"{who}_{n}": id for n, id in enumerate([person, *(a for a, b in of.same.items() if b == person)])}
        names.update(ids)
        lists.append(", ".join(f":{name}" for name in ids))
    found = run(book, Query(
        f"SELECT s.game FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
        f"WHERE s.person IN ({lists[0]}) AND o.person IN ({lists[1]}) AND {condition} "
        "GROUP BY s.game, s.at ORDER BY s.at, s.game", {**given, **names}))
    return [UUID(str(game)) for game, in found]


class Rivals(msgspec.Struct, frozen=True):
    """Rows of `head_to_head` about one person: met, beaten and lost to most often; None where there is nobody."""

    companion: Row | None
    rival: Row | None
    nemesis: Row | None


def rivals(table: Table, person: str) -> Rivals:
    """rival: whom one beat most often; nemesis: whom one lost to most often; companion: whom one met most often."""
    rows = [row for row in table.rows if row.cells[0] == person]

    def most(place: int) -> Row | None:
        best = max(rows, key=lambda row: (row.cells[place], row.cells[2], row.cells[1]), default=None)
        return best if best is not None and best.cells[place] else None

    return Rivals(most(2), most(3), most(4))


def streaks(book: Daybook, of: Filter) -> Table:
    """Runs of games won one after the other, shared wins included; the longest, from when to when, and the running."""
    condition, given = counting(of)
    runs: dict[str, _Run] = defaultdict(_Run)
    for person, game, at, won in run(book, Query(
            f"SELECT s.person, s.game, s.at, s.won_60 FROM seat_summary s WHERE {condition} "
            "ORDER BY s.at, s.game, s.seat", given)):
        runs[of.same.get(person, person)].take(UUID(str(game)), at, won > 0)
    rows = [
        Row((person, one.n, one.longest, one.since, one.until, one.now, one.without), one.n, person, one.game)
        for person, one in sorted(runs.items(), key=lambda item: (-item[1].longest, item[0]))]
    return Table("streaks", "Runs of wins", (
        Heading("person", "Person", "person"), Heading("n", "Games", "count"),
        Heading("longest", "Most wins one after the other", "count"), Heading("since", "From", "at"),
        Heading("until", "To", "at"), Heading("now", "Running now", "count"),
        Heading("without", "Most games without a win", "count")), tuple(rows),
        _counted(book, Question("score", (), of)))


class _Run:
    """One person's games in order. game: the last of the longest run."""

    __slots__ = ("_begun", "_dry", "game", "longest", "n", "now", "since", "until", "without")

    def __init__(self) -> None:
        self.n, self.now, self.longest, self.without, self._dry = 0, 0, 0, 0, 0
        self.since, self.until, self._begun = "", "", ""
        self.game: UUID | None = None

    def take(self, game: UUID, at: str, won: bool) -> None:
        self.n += 1
        if not won:
            self.now, self._dry = 0, self._dry + 1
            self.without = max(self.without, self._dry)
            return
        self.now, self._dry, self._begun = self.now + 1, 0, at if self.now == 0 else self._begun
        if self.now > self.longest:
            self.longest, self.since, self.until, self.game = self.now, self._begun, at, game


# --- whole pages -----------------------------------------------------------------------------------------------------


def of_person(book: Daybook, of: Filter) -> list[Table]:
    """What a person's page shows: `of.people` are all ids of one person."""
    splits: tuple[tuple[str, tuple[Split, ...]], ...] = (
        ("score", ("ruleset",)), ("place", ("ruleset", "seats")), ("score", ("colour",)), ("score", ("seats", "seat")))
    return [
        *(ask(book, Question(measure, by, of)) for measure, by in splits),
        head_to_head(book, of), streaks(book, of), records(book, of)]


def of_games(book: Daybook, of: Filter) -> list[Table]:
    """What a season's page shows: `of.games` are its games."""
    splits: tuple[tuple[str, tuple[Split, ...]], ...] = (
        ("score", ("person",)), ("score", ("seats", "seat")), ("winning_score", ("ruleset",)),
        ("winning_margin", ("ruleset",)), ("length", ("ruleset",)), ("lead_changes", ("ruleset",)))
    return [
        *(ask(book, Question(measure, by, of)) for measure, by in splits),
        head_to_head(book, of), streaks(book, of), records(book, of)]


def people_in(tables: Iterable[Table]) -> set[str]:
    """Everybody whose name these tables need."""
    return {
        row.cells[place] for table in tables for place, heading in enumerate(table.headings)
        if heading.kind == "person" for row in table.rows if row.cells[place]}
