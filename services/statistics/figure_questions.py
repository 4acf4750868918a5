"""Figures: what was counted of many games, asked as a measure split by something, of some games.

    ask(book, Question(measure, splits, filter))        one table: a row for each value of the splits
    games_behind(book, question, key)                   the games behind one row of it, the greatest value first
    presets(ruleset), asked(preset, filter)             questions in plain words, and the Question each stands for
    measures(ruleset), splits_of(measure)               what the builder offers

What is more than one question (winners and others, records, meetings, runs, whole pages) is
`services.statistics.reports`.

Filter says which games count: `ruleset` ("" for all of them), `games` (a season's), `readable` (those that everybody
may read, and these; None: all), `people` (one person, under every id that was merged into it), seats, dates; and what a
group leaves out: practice games, games with illegal moves that stood, results that a claim may change. `same` has ids
of people that were merged: what it maps is counted for whom it is mapped to. `sat` says who sat, by seat, in games in
which others sat than their records say. Games played alone count only where
`seats` is 1. `of_club` makes the filter of a club or a season.
`typed` lets results count that were typed in (`services.statistics.typed_results`): they have places and wins, and no
other figure.

A rate that rests on fewer than `tables.FEW` games is None. Wins stand beside expected wins, one by the number of
seats for each game; shared wins count in part.

Every figure is one text of SQL for SQLite and PostgreSQL: sums and counts of whole numbers, nothing else; see
`services.statistics.queries`. What divides is done here.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.statistics import Added, First, Measure, PresetQuestion
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.league.club import Club
from daybook.services.certainty import sample_from_sums
from daybook.services.days import first_moment, last_moment
from daybook.services.statistics import partial_answers, typed_results
from daybook.services.statistics.collect import WIN, statistics_of
from daybook.services.statistics.partial_answers import (
    ADDED,
    APART,
    BY_PERSON,
    LEAST,
    MOST,
    PLAYERS,
    STRETCH,
    TOGETHER,
    WITHIN,
    Additive,
    Narrowing,
    sums,
)
from daybook.services.statistics.queries import Query, Rows, run
from daybook.services.statistics.table import FigureRow, FigureTable, Heading, mean, rate
from daybook.services.store.daybook import Daybook

Split = Literal[
    "seat", "seats", "person", "won", "place", "colour", "year", "month", "ruleset", "value", "what", "number"
]
Counts = Literal["no", "yes", "only"]


class Filter(Frozen):
    """Which games count; see above. since, until: of when a game was played, or opened where nobody said it, as records
    write it; until is left out. zone: whose months and years are meant."""

    ruleset: str = ""
    games: frozenset[UUID] | None = None
    readable: frozenset[UUID] | None = None
    people: tuple[str, ...] = ()
    seats: int = 0
    practice: Counts = "no"
    typed: Counts = "no"
    as_played: bool = True
    provisional: bool = True
    against_rules: bool = False
    since: str = ""
    until: str = ""
    same: dict[str, str] = {}
    sat: dict[UUID, tuple[str, ...]] = {}
    zone: str = "UTC"

    def whole(self, person: str) -> str:
        """Who an id is counted for."""
        return self.same.get(person, person)

    def ids_of(self, person: str) -> list[str]:
        """All ids that are counted for somebody."""
        return [person, *(gone for gone, kept in self.same.items() if kept == person)]

    @property
    def narrowing(self) -> Narrowing:
        """To which of the games it comes down, where those played alone are left out."""
        return Narrowing(self.seats if self.seats > 1 else 0, self.since, self.until)

    @property
    def wide(self) -> Filter:
        """The same without `narrowing`."""
        return msgspec.structs.replace(self, seats=1 if self.seats == 1 else 0, since="", until="")


def person_of(of: Filter, row: str = "s") -> str:
    """Who sat in a seat, as an expression about a row of seat_summary beside those of `counted_seats`."""
    if not of.sat:
        return f"{row}.person"
    seats = " ".join(
        f"WHEN {row}.game = '{game_id.hex}' AND {row}.seat = {seat} THEN :{name}"
        for game_id, people in sorted(of.sat.items())
        for seat, name in enumerate(_sat_names(game_id, people))
    )
    return f"CASE {seats} ELSE {row}.person END"


def _sat_names(game_id: UUID, people: tuple[str, ...]) -> list[str]:
    return [f"sat_{game_id.hex}_{seat}" for seat in range(len(people))]


def between_days(of: Filter, since: str, until: str) -> Filter:
    """The same games, those alone that were played from one day to the end of another, in the filter's time zone; empty:
    any."""
    if of.zone == "UTC":  # the same answers are kept for everybody
        return msgspec.structs.replace(of, since=since, until=f"{until}T24" if until else "")
    return msgspec.structs.replace(
        of,
        since=first_moment(since, of.zone) if since else "",
        until=f"{last_moment(until, of.zone)}~" if until else "",
    )


def of_club(club: Club, season: str | None = None, ruleset_id: str = "", people: Iterable[str] = ()) -> Filter:
    """The games of a club, or of one of its seasons (BESIDE: of none), of these people, if any.

    Its recorded games and typed results, without practice games and those against the rules. Raises KeyError for a season
    that it does not have.
    """
    seasons = list(club.all_seasons()) if season is None else [club.season(season)]
    merged = {id for merge in club.merges.values() for id in (merge.gone, merge.kept)}
    results = typed_results.tables(club, seasons)
    tables = [table for season in seasons for table in season.tables.values() if table.game and not table.voided]
    return Filter(
        ruleset=ruleset_id,
        games=frozenset(UUID(table.game) for table in tables).union(results),
        people=tuple(id for person in people for id in club.ids_of(person)),
        practice="yes" if club.settings.simulated else "no",
        typed="yes" if results else "no",
        same={id: club.person(id) for id in sorted(merged) if club.person(id) != id},
        sat={UUID(table.game): table.played for table in tables if club.is_put_right(table)},
        zone=club.zone,
    )


class Question(Frozen):
    """A measure, split by nothing, one or two things, of some games."""

    measure: str
    splits: tuple[Split, ...] = ()
    filter: Filter = Filter()


class BadQuestion(ValueError):
    """There is no such measure, or it cannot be split like that; the message says why."""


# --- questions -------------------------------------------------------------------------------------------------------

QUESTIONS = (
    PresetQuestion("first_seat", "Does the first seat win more often?", "place", "seats seat"),
    PresetQuestion("who_wins", "Who wins more often than expected?", "place", "person"),
    PresetQuestion("seat_scores", "What does each seat score?", "score", "seats seat"),
    PresetQuestion("who_scores", "Who scores how much?", "score", "person"),
    PresetQuestion("enough", "How much does it take to win?", "winning_score", "seats"),
    PresetQuestion("close", "How close are games?", "winning_margin", "seats"),
    PresetQuestion("how_long", "How long does a game take?", "length", "seats"),
    PresetQuestion("how_many", "How many rounds does a game last?", "rounds", "seats"),
    PresetQuestion("settled", "When is a game decided?", "lead_settled", "seats"),
    PresetQuestion("lead", "How often does the lead change?", "lead_changes", "seats"),
    PresetQuestion("colour", "Does a colour win more often?", "score", "colour"),
    PresetQuestion("better", "Do scores rise from month to month?", "score", "month"),
)

OF_ONE_GAME = (
    PresetQuestion("pull_ahead", "When do winners pull ahead?", "score", "number won"),
    PresetQuestion("seat_course", "How do the seats' scores grow, round by round?", "score", "number seat"),
)

ALWAYS = "'-'"
VALUE = "f.value"
EXPRESSIONS: dict[Split, str] = {
    "seat": "s.seat",
    "seats": "s.seats",
    "person": "s.person",
    "place": "s.place",
    "colour": "s.colour",
    "won": "CASE WHEN s.won_60 > 0 THEN 1 ELSE 0 END",
    "year": "SUBSTR(s.at, 1, 4)",
    "month": "SUBSTR(s.at, 1, 7)",
    "ruleset": "s.ruleset",
    "value": VALUE,
    "what": "f.what",
    "number": "f.number",
}
MONTHS_OF = range(2000, 2041)  # years whose months may be those of another time zone than UTC
WHOLE_NUMBERS = {"seat", "seats", "place", "won", "value", "number"}
OF_PARTS = {"what", "number"}
OF_SEATS = {"seat", "person", "won", "place", "colour"}  # by these a figure of a game counts for each seat
SAID: dict[Split, str] = {"seat": "s.seat >= 0", "colour": "s.colour <> ''"}  # a typed result may not say it
SPLITS = {  # in the order in which they are offered
    question.key: question
    for question in (
        Heading("seats", "Players", "seats"),
        Heading("seat", "Seat", "seat"),
        Heading("person", "Person", "person"),
        Heading("won", "Winner", "won"),
        Heading("place", "Place", "place"),
        Heading("colour", "Colour", "colour"),
        Heading("value", "Value", "value"),
        Heading("what", "Of what", "what"),
        Heading("number", "When", "number"),
        Heading("month", "Month", "month"),
        Heading("year", "Year", "year"),
        Heading("ruleset", "Game", "ruleset"),
    )
}


def measures(ruleset_id: str) -> tuple[Measure, ...]:
    """What can be asked about a game; "": about any."""
    return statistics_of(ruleset_id).all


def splits_of(measure: Measure) -> tuple[Split, ...]:
    """By what a measure can be split."""
    no = {
        *(() if measure.things else ("what",)),
        *(() if measure.by else ("number",)),
        *(("seat", "colour", "place") if measure.whole else ()),
    }
    return tuple(split for split in EXPRESSIONS if split in SPLITS and split not in no)


def splits_of_parts(measure: Measure) -> tuple[Split, ...]:
    """What a measure counts apart in one game, things and periods; () where it counts the game as a whole."""
    return tuple(split for split in splits_of(measure) if split in OF_PARTS)


def presets(ruleset_id: str) -> tuple[PresetQuestion, ...]:
    """Questions in plain words about a game; "": about any."""
    return (*QUESTIONS, *(OF_ONE_GAME if ruleset_id else ()), *statistics_of(ruleset_id).questions)


def question_of_preset(preset: PresetQuestion, of: Filter) -> Question:
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


def counted_seats(of: Filter) -> Query:
    """Which seats count, as a condition about `s`, a row of seat_summary."""
    conditions, given = ["s.seats = 1" if of.seats == 1 else "s.seats > 1"], dict[str, int | str]()
    if of.ruleset:
        conditions.append("s.ruleset = :ruleset")
        given["ruleset"] = of.ruleset
    if of.people:
        names = {f"person_{place}": person for place, person in enumerate(of.people)}
        conditions.append(f"{person_of(of)} IN ({', '.join(':' + name for name in names)})")
        given.update(names)
    for game_id, people in of.sat.items():
        given.update(zip(_sat_names(game_id, people), people, strict=True))
    for kind, counts in (("practice", of.practice), (typed_results.KIND, of.typed)):
        if counts != "yes":
            conditions.append(f"s.kind {'=' if counts == 'only' else '<>'} '{kind}'")
    if not of.as_played:
        conditions.append("s.as_played = 0")
    if not of.against_rules:
        conditions.append("s.against_rules = 0")
    if not of.provisional:
        conditions.append("s.provisional = 0")
    if of.games is not None:
        conditions.append(_is_one_of(of.games))
    if of.readable is not None:
        conditions.append(f"(s.public = 1 OR {_is_one_of(of.readable)})" if of.readable else "s.public = 1")
    narrowed = of.narrowing.conditions
    return Query(" AND ".join(conditions) + narrowed.text, {**given, **narrowed.given})


def _is_one_of(games: frozenset[UUID]) -> str:
    """Written out: databases take only so many given values."""
    listed = ", ".join(f"'{game_id.hex}'" for game_id in sorted(games))
    return f"s.game IN ({listed})" if listed else "1 = 0"


def answer(book: Daybook, of: Filter, query: Callable[[Filter], Additive], apart: bool = True) -> Rows:
    """What a query answers about the games that count. What is kept about all games is not asked again about some
    days or one number of players, and what is kept for everybody not for who may read some games more: these are added.
    Of some people's games nothing is kept: their seats are looked up.

    apart: its rows know their numbers of players; else each of these is a question of its own.
    """
    if of.games is not None or of.people:
        return partial_answers.merged_whole(book, query(of))
    narrowing = of.narrowing if apart else of.narrowing._replace(seats=0)
    wide = of.wide if apart else msgspec.structs.replace(of.wide, seats=of.seats)
    if not of.readable:
        return partial_answers.answer(book, query(wide), narrowing)
    public = query(msgspec.structs.replace(wide, readable=frozenset()))
    own = query(msgspec.structs.replace(of, readable=None, games=of.readable))
    return public.merge([*partial_answers.answer(book, public, narrowing), *partial_answers.merged_whole(book, own)])


def about_seats(question: Question) -> bool:
    """Whether a figure of a game is asked of those who played it, and counts for each of them."""
    return bool(question.filter.people or OF_SEATS & set(question.splits))


def facts_of_counted_seats(table: str, measure: Measure, splits: Iterable[Split], of: Filter) -> Query:
    """Facts of a measure beside the seats that count."""
    condition, given = counted_seats(of)
    seat = f"f.seat = {TABLE}" if measure.whole else "f.seat = s.seat"
    if measure.whole and not about_seats(Question(measure.key, tuple(splits), of)):
        seat += " AND s.seat = 0"
    condition += _known_condition(splits)
    ruleset_id = ":ruleset" if of.ruleset else "s.ruleset"
    return Query(
        # CROSS: so that SQLite begins with the seats, whatever it knows of sizes
        f"FROM seat_summary s CROSS JOIN {table} f "
        f"WHERE f.game = s.game AND {seat} AND f.ruleset = {ruleset_id} AND f.measure = :measure AND {condition}",
        {**given, "measure": measure.key},
    )


def _known_condition(splits: Iterable[Split]) -> str:
    """The condition that what seats are split by is known of them."""
    return "".join(f" AND {SAID[split]}" for split in splits if split in SAID)


def without_typed_results(of: Filter) -> Filter:
    """The same games without results that were typed in."""
    return msgspec.structs.replace(of, typed="no")


OF_EACH_SEAT = {"place": "s.place", "score": "s.total"}  # figures that a row of seat_summary has itself


def figures_of_counted_seats(measure: Measure, splits: Iterable[Split], of: Filter) -> tuple[Query, str]:
    """Figures of whole games beside the seats that count, and what the figure is called there."""
    value = OF_EACH_SEAT.get(measure.key, VALUE)
    if value == VALUE:
        return facts_of_counted_seats("game_fact", measure, splits, of), value
    condition, given = counted_seats(of)
    condition += _known_condition(splits)
    if measure.key != typed_results.PLACE:
        condition += f" AND s.kind <> '{typed_results.KIND}'"
    return Query(f"FROM seat_summary s WHERE {condition}", given), value


SUMS = sums(2, ADDED, ADDED, ADDED, LEAST, MOST, ADDED, ADDED, ADDED)


def query_of(question: Question, measure: Measure) -> Additive:
    """What `ask` asks: for each value of the splits how many, in how many games, the sum, the least, the most, wins,
    expected wins, the sum of squares."""
    a, b = _expressions(question)
    by_person = "person" in question.splits
    lowest = BY_PERSON if by_person else 0
    parts, apart = OF_PARTS & set(question.splits), OF_PARTS & set(splits_of(measure))
    if parts:
        (of, given), value = facts_of_counted_seats("game_part", measure, question.splits, question.filter), VALUE
    else:
        (of, given), value = figures_of_counted_seats(measure, question.splits, question.filter)
    if parts == apart or not parts:  # a row is what is counted: nothing has to be added up first
        # of a game there is one such row of each seat; to tell games apart takes the database to sort all of them
        once = "seat" in question.splits or (measure.whole and not about_seats(question))
        a, b = (part.replace(VALUE, value) for part in (a, b))
        return Additive(
            f"SELECT {TOGETHER if by_person else APART}, {a}, {b}, COUNT(*), "
            f"{'COUNT(*)' if once else 'COUNT(DISTINCT s.game)'}, CAST(SUM({value}) AS BIGINT), "
            f"MIN({value}), MAX({value}), CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(s.expected_60) AS BIGINT), "
            f"CAST(SUM({value} * {value}) AS BIGINT) {of}{WITHIN} GROUP BY 1, 2, 3, 4",
            given,
            SUMS,
            lowest=lowest,
        )
    players = "0" if by_person else f"MIN({PLAYERS})"
    return Additive(
        "SELECT stretch, seats, a, b, COUNT(*), COUNT(DISTINCT game), CAST(SUM(v) AS BIGINT), CAST(MIN(v) AS BIGINT), "
        "CAST(MAX(v) AS BIGINT), CAST(SUM(won) AS BIGINT), CAST(SUM(expected) AS BIGINT), CAST(SUM(v * v) AS BIGINT) "
        f"FROM (SELECT MIN({STRETCH}) AS stretch, {players} AS seats, s.game AS game, s.seat AS seat, "
        f"{a} AS a, {b} AS b, SUM(f.value) AS v, MIN(s.won_60) AS won, MIN(s.expected_60) AS expected "
        f"{of}{WITHIN} GROUP BY 3, 4, 5, 6) AS one GROUP BY 1, 2, 3, 4",
        given,
        SUMS,
        lowest=lowest,
    )


def base_of(question: Question, measure: Measure) -> Additive:
    """Of how many seats parts are the parts: of those counted, in a period of those that reached it."""
    score = statistics_of("").measure("score")
    rest = [split for split in question.splits if split != "what"]
    if "number" in rest:
        return query_of(msgspec.structs.replace(question, splits=tuple(rest)), score)
    return query_of(msgspec.structs.replace(question, splits=tuple(rest)), measure)


def _expressions(question: Question) -> tuple[str, str]:
    a, b = [*(_expression(split, question.filter) for split in question.splits), ALWAYS, ALWAYS][:2]
    return a, b


def _expression(split: Split, of: Filter) -> str:
    if split == "person":
        return person_of(of)
    if of.zone == "UTC" or split not in ("month", "year"):
        return EXPRESSIONS[split]
    month = month_in(of.zone)
    return month if split == "month" else f"SUBSTR({month}, 1, 4)"


@cache
def month_in(zone: str) -> str:
    """The month of a time zone in which `s.at` lies, as every engine understands it: looked up among the moments at
    which months begin there, by halves. Before and after these years those of UTC do."""
    months = [f"{year}-{month:02}" for year in MONTHS_OF for month in range(1, 13)]
    begins = [first_moment(f"{month}-01", zone)[:16] for month in months]

    def among(first: int, last: int) -> str:
        if last - first == 1:
            return f"'{months[first]}'"
        middle = (first + last) // 2
        return f"CASE WHEN s.at < '{begins[middle]}' THEN {among(first, middle)} ELSE {among(middle, last)} END"

    utc = EXPRESSIONS["month"]
    return f"CASE WHEN s.at < '{begins[0]}' OR s.at >= '{begins[-1]}' THEN {utc} ELSE {among(0, len(months) - 1)} END"


# --- a question's answer ---------------------------------------------------------------------------------------------


class _Sum:
    """What rows come to together, where several ids are one person."""

    __slots__ = ("expected", "games", "least", "most", "n", "squares", "total", "won")

    def __init__(self) -> None:
        self.n, self.games, self.total, self.won, self.expected, self.squares = 0, 0, 0, 0, 0, 0
        self.least: int | None = None
        self.most: int | None = None

    def add(
        self,
        n: int,
        games: int,
        total: int | None,
        least: int | None,
        most: int | None,
        won: int | None,
        expected: int | None,
        squares: int | None,
    ) -> None:
        self.n += n
        self.games += games
        self.total += total or 0
        self.won += won or 0
        self.expected += expected or 0
        self.squares += squares or 0
        if least is not None and most is not None:
            self.least = least if self.least is None else min(self.least, least)
            self.most = most if self.most is None else max(self.most, most)


Place = tuple[Any, ...]


def ask(book: Daybook, question: Question) -> FigureTable:
    """The answer to a question. Raises BadQuestion."""
    measure = measure_of(question)
    found = _sum_rows(answers(book, question, measure), question)
    parts = bool(OF_PARTS & set(question.splits))
    of_all = parts and isinstance(measure.reading, Added | First)
    base = _sum_rows(answers(book, question, measure, base_of), question, leave_out="what") if of_all else {}
    won = not {"won", "place"} & set(question.splits) and (not measure.whole or about_seats(question))
    rows = []
    for place, one in sorted(found.items(), key=lambda item: [_sort_key(value) for value in item[0]]):
        of_these = base.get(_without_split(place, question, "what"), one)
        n = of_these.n
        cells: list[Any] = [*place, n, *([one.n] if of_all else []), mean(one.total, n), one.least, one.most]
        if won:
            cells += [round(one.won / WIN, 2), round(one.expected / WIN, 2), rate(one.won / WIN, one.n, one.games)]
        if one.n:
            rows.append(
                FigureRow(
                    tuple(cells),
                    one.n,
                    key_of(place),
                    games=of_these.games,
                    variance=sample_from_sums(max(n, 1), one.total, one.squares).variance,
                )
            )
    of = question.filter if measure.key == typed_results.PLACE else without_typed_results(question.filter)
    return FigureTable(
        question.measure,
        measure.says,
        (
            *(_heading(split, measure) for split in question.splits),
            GAMES if measure.whole and not won else SEATS,
            *([WITH_ANY] if of_all else []),
            *_amounts(measure.unit),
            *(WINS if won else ()),
        ),
        tuple(rows),
        count_games(book, of, question.splits),
        measure.key,
        count_typed_results(book, of, question.splits),
    )


def answers(
    book: Daybook, question: Question, measure: Measure, query: Callable[[Question, Measure], Additive] = query_of
) -> Rows:
    """The rows of `query_of`, or of another query of the same question."""
    return answer(
        book,
        question.filter,
        lambda of: query(msgspec.structs.replace(question, filter=of), measure),
        apart="person" not in question.splits,
    )


GAMES = Heading("n", "Games", "count")
SEATS = Heading("n", "Seats", "count")
WITH_ANY = Heading("with", "Of these, with any", "count")
WINS = (Heading("wins", "Wins", "wins"), Heading("expected", "Expected wins", "wins"), Heading("rate", "Won", "rate"))


def _amounts(unit: str) -> tuple[Heading, ...]:
    return (
        Heading("mean", "Average", "mean", unit),
        Heading("least", "Lowest", "amount", unit),
        Heading("most", "Highest", "amount", unit),
    )


def _heading(split: Split, measure: Measure) -> Heading:
    """A period's column says which period it is; what a measure is told apart by has its own name as unit."""
    units = {"what": measure.things, "number": measure.by, "value": measure.unit}
    return msgspec.structs.replace(SPLITS[split], unit=units.get(split, ""))


def count_games(book: Daybook, of: Filter, splits: Iterable[Split] = ()) -> int:
    """How many games count; splits: of those of which these are known."""
    return sum(n for (n,) in answer(book, of, lambda some: _games_query(some, splits)))


def first_games(book: Daybook, of: Filter) -> dict[str, str]:
    """When everybody played the first of the games that count: asked of some people, or of some games."""
    found: dict[str, str] = {}
    for person, at in partial_answers.merged_whole(book, _first_games_query(of)):
        found[of.whole(person)] = min(at, found.get(of.whole(person), at))
    return found


def _first_games_query(of: Filter) -> Additive:
    condition, given = counted_seats(of)
    return Additive(
        f"SELECT {APART}, {person_of(of)}, MIN(s.at) FROM seat_summary s WHERE {condition}{WITHIN} GROUP BY 1, 2, 3",
        given,
        sums(1, LEAST),
    )


def count_left_out(book: Daybook, of: Filter) -> int:
    """How many games do not count because the rules disagree with their records."""
    return 0 if of.against_rules else count_games(book, _with_all_records(of)) - count_games(book, of)


def games_left_out(book: Daybook, of: Filter) -> list[UUID]:
    """These games, the newest first."""
    if of.against_rules:
        return []
    condition, given = counted_seats(_with_all_records(of))
    found = run(
        book,
        Query(
            f"SELECT s.game FROM seat_summary s WHERE {condition} AND s.against_rules > 0 "
            "GROUP BY s.game, s.at, s.position ORDER BY s.at DESC, s.position DESC",
            given,
        ),
    )
    return [UUID(str(game)) for (game,) in found]


def _with_all_records(of: Filter) -> Filter:
    return msgspec.structs.replace(of, against_rules=True)


def _games_query(of: Filter, splits: Iterable[Split]) -> Additive:
    condition, given = counted_seats(of)
    condition += _known_condition(splits)
    games = "COUNT(DISTINCT s.game)"
    if of.typed == "no" and not of.people and not SAID.keys() & {*splits}:  # each has one row of its first seat
        games, condition = "COUNT(*)", f"{condition} AND s.seat = 0"
    return Additive(
        f"SELECT {APART}, {games} FROM seat_summary s WHERE {condition}{WITHIN} GROUP BY 1, 2", given, sums(0, ADDED)
    )


def count_typed_results(book: Daybook, of: Filter, splits: Iterable[Split] = ()) -> int:
    """How many of those that count were typed in."""
    return 0 if of.typed == "no" else count_games(book, msgspec.structs.replace(of, typed="only"), splits)


def _sum_rows(rows: Iterable[tuple[Any, ...]], question: Question, leave_out: str = "") -> dict[Place, _Sum]:
    splits = [split for split in question.splits if split != leave_out]
    found: dict[Place, _Sum] = defaultdict(_Sum)
    for a, b, *figures in rows:
        place = tuple(
            question.filter.whole(value) if split == "person" else value
            for split, value in zip(splits, (a, b), strict=False)
        )
        found[place].add(*figures)
    return found


def _without_split(place: Place, question: Question, split: str) -> Place:
    return tuple(value for one, value in zip(question.splits, place, strict=True) if one != split)


def _sort_key(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def about_person(question: Question, key: str) -> Question:
    """The same about the games of the person alone whom a row's key names, where it names one."""
    for split, value in zip(question.splits, key.split("|"), strict=False):
        if split == "person" and not question.filter.people:
            of = msgspec.structs.replace(question.filter, people=tuple(question.filter.ids_of(value)))
            return msgspec.structs.replace(question, filter=of)
    return question


def key_of(place: Place) -> str:
    """A row's key: its values of the splits."""
    return "|".join(str(value) for value in place)


class FigureSource(Frozen):
    """A game behind a figure: the seat and the person it is about (TABLE and "": nobody in particular), the value, and
    the step at which it came about.

    typed: no game, but a result that was typed in, which `services.statistics.typed_results.tables` knows; it may say
    neither who sat where nor scores, and has no step.
    """

    game: UUID
    seat: Seat | None
    person: str
    place: int
    total: int | None
    value: int
    step: int | None
    at: str
    typed: bool = False


def games_behind(book: Daybook, question: Question, key: str = "", limit: int = 200) -> list[FigureSource]:
    """The games behind a row of the question's table, or, without a key, behind all of it. Raises BadQuestion."""
    measure = measure_of(question)
    table = "game_part" if OF_PARTS & set(question.splits) else "game_fact"
    of, given = facts_of_counted_seats(table, measure, question.splits, question.filter)
    conditions = []
    values = key.split("|") if key else []
    if values and len(values) != len(question.splits):
        raise BadQuestion(f"{key!r} is no row of this table")
    for number, (split, value) in enumerate(zip(question.splits, values, strict=False)):
        several = question.filter.ids_of(value) if split == "person" else [value]
        names = {f"key_{number}_{place}": _typed_value(split, one) for place, one in enumerate(several)}
        conditions.append(f" AND {_expression(split, question.filter)} IN ({', '.join(':' + name for name in names)})")
        given.update(names)
    nobody = measure.whole and not about_seats(question)
    found = run(
        book,
        Query(
            f"SELECT s.game, s.seat, {person_of(question.filter)}, s.place, s.total, CAST(SUM(f.value) AS BIGINT), "
            f"MAX(f.step), s.at, s.kind {of}{''.join(conditions)} GROUP BY 1, 2, 3, 4, 5, 8, 9, s.position "
            "ORDER BY 6 DESC, s.at, s.position, s.seat LIMIT :limit",
            {**given, "limit": limit},
        ),
    )
    return [
        FigureSource(
            UUID(str(game)),
            TABLE if nobody else seat if seat >= 0 else None,
            "" if nobody else question.filter.whole(person),
            place,
            total,
            value,
            None if kind == typed_results.KIND else step,
            at,
            kind == typed_results.KIND,
        )
        for game, seat, person, place, total, value, step, at, kind in found
    ]


def _typed_value(split: Split, value: str) -> int | str:
    if split not in WHOLE_NUMBERS:
        return value
    if not re.fullmatch(r"-?[0-9]{1,18}", value):
        raise BadQuestion(f"{value!r} is no {split}")
    return int(value)
