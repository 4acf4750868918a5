"""Questions about figures of many games: a measure, split by one or two properties, of filtered games.

- `compute_table(book, Question(measure, splits, filter))` returns a table with a row for each value of the splits.

- `games_behind(book, question, key)` returns the games behind a row, the greatest value first.

- `presets(ruleset)` and `question_of_preset` are questions in plain words.

- `measures(ruleset)` and `splits_of(measure)` are what the question builder offers.

Answers that need several questions (records, meetings, whole pages) are in `services.statistics.reports`.

A rate of fewer than `table.FEW` games is None. Each game has WIN units of wins to share, and its expected wins depend
on the number of seats. Every figure is one SQL text for SQLite and PostgreSQL that sums and counts integers; divisions
happen here (see `services.statistics.queries`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_statistics import Added, First, Measure, PresetQuestion
from daybook.domain.kernel.terms import TABLE, Seat
from daybook.domain.league.club import Club
from daybook.domain.league.scores import Score
from daybook.services.certainty import sample_from_sums
from daybook.services.days import first_moment, last_moment
from daybook.services.statistics import month_sums, person_sums, play_splits, typed_results
from daybook.services.statistics.collect import WIN, statistics_of
from daybook.services.statistics.filters import Filter as Filter  # with these two, for callers
from daybook.services.statistics.filters import Question as Question
from daybook.services.statistics.filters import Split as Split
from daybook.services.statistics.queries import Query, Rows, run
from daybook.services.statistics.table import FigureRow, FigureTable, Heading, mean, rate
from daybook.services.store.daybook import Daybook


def person_of(game_filter: Filter, row: str = "s") -> str:
    """Build the SQL expression for the person in a seat, given a row of seat_summary."""
    if not game_filter.sat:
        return f"{row}.person"
    seats = " ".join(
        f"WHEN {row}.game = '{game_id.hex}' AND {row}.seat = {seat} THEN :{name}"
        for game_id, people in sorted(game_filter.sat.items())
        for seat, name in enumerate(_sat_names(game_id, people))
    )
    return f"CASE {seats} ELSE {row}.person END"


def _sat_names(game_id: UUID, people: tuple[str, ...]) -> list[str]:
    return [f"sat_{game_id.hex}_{seat}" for seat in range(len(people))]


def between_days(game_filter: Filter, since: str, until: str) -> Filter:
    """Limit a filter to games between two days (inclusive) in its time zone; "" means open-ended."""
    if game_filter.zone == "UTC":
        return msgspec.structs.replace(game_filter, since=since, until=f"{until}T24" if until else "")
    return msgspec.structs.replace(
        game_filter,
        since=first_moment(since, game_filter.zone) if since else "",
        until=f"{last_moment(until, game_filter.zone)}~" if until else "",
    )


def club_filter(club: Club, season: str | None = None, ruleset_id: str = "", people: Iterable[str] = ()) -> Filter:
    """Return the filter of a club or a season (BESIDE: games of no season), optionally for some people.

    It includes recorded games and typed results, but no games against the rules, and practice games only if the club
    counts them. Raises KeyError for an unknown season.
    """
    merged = {person_id for merge in club.merges.values() for person_id in (merge.merged, merge.kept)}
    seasons = [*club.all_seasons()] if season is None else [club.season(season)]
    return Filter(
        ruleset=ruleset_id,
        club=club.id,
        season=season,
        people=tuple(person_id for person in people for person_id in club.ids_of(person)),
        practice="yes" if club.settings.simulated else "no",
        typed="yes",
        same={person_id: club.person(person_id) for person_id in sorted(merged) if club.person(person_id) != person_id},
        sat={
            UUID(table.game): table.played
            for of_season in seasons
            for table in of_season.tables.values()
            if table.game and not table.voided and club.is_put_right(table)
        },
        zone=club.zone,
        shows_days_only=club.shows_days_only,
    )


class InvalidQuestionError(ValueError):
    """The measure does not exist or cannot be split like that; the message says why."""


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

# a win is expected of everyone who plays against others (`typed_results`)
IS_COMPETITIVE = "(s.expected_60 > 0 OR s.seats = 1)"
IS_COOPERATIVE = "s.expected_60 = 0 AND s.seats > 1"
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
YEARS_WITH_ZONES = range(2000, 2041)  # months of other years are in UTC
NUMBER_SPLITS = {"seat", "seats", "place", "won", "value", "number"} | play_splits.INTEGERS
OF_PARTS = {"what", "number"}
OF_SEATS = {
    "seat",
    "person",
    "won",
    "place",
    "colour",
} | play_splits.OF_PLAYERS  # splits that count a game's figure once per seat
IS_KNOWN: dict[Split, str] = {"seat": "s.seat >= 0", "colour": "s.colour <> ''"}  # typed results may lack them
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
        *(split.heading for split in play_splits.SPLITS.values()),  # of a club only
    )
}


def measures(ruleset_id: str) -> tuple[Measure, ...]:
    """Return the measures of a game; of "": those that all games have."""
    return statistics_of(ruleset_id).all


def splits_of(measure: Measure, game_filter: Filter | None = None) -> tuple[Split, ...]:
    """Return the splits that a measure allows; with a club's filter, also those by facts of its plays."""
    excluded = {
        *(() if measure.things else ("what",)),
        *(() if measure.by else ("number",)),
        *(("seat", "colour", "place") if measure.whole else ()),
    }
    of_plays: Iterable[Any] = (
        () if game_filter is None else play_splits.offered(game_filter.club, game_filter.shows_days_only)
    )
    if measure.whole:
        of_plays = [split for split in of_plays if split not in play_splits.OF_PLAYERS]
    return tuple(split for split in (*EXPRESSIONS, *of_plays) if split in SPLITS and split not in excluded)


def presets(ruleset_id: str) -> tuple[PresetQuestion, ...]:
    """Return the preset questions about a game; of "": those about all games."""
    return (*QUESTIONS, *(OF_ONE_GAME if ruleset_id else ()), *statistics_of(ruleset_id).questions)


def question_of_preset(preset: PresetQuestion, game_filter: Filter) -> Question:
    return Question(preset.measure, tuple(preset.split.split()), game_filter)  # type: ignore[arg-type]


def measure_of(question: Question) -> Measure:
    """Return the measure of a question. Raises InvalidQuestionError."""
    try:
        measure = statistics_of(question.filter.ruleset).measure(question.measure)
    except KeyError:
        raise InvalidQuestionError(
            f"nothing is counted as {question.measure!r} in {question.filter.ruleset!r}"
        ) from None
    possible = splits_of(measure, question.filter)
    for split in question.splits:
        if split not in possible:
            raise InvalidQuestionError(f"{measure.key} cannot be split by {split!r}, but by {', '.join(possible)}")
    if len(question.splits) > 2 or len(set(question.splits)) < len(question.splits):
        raise InvalidQuestionError("a question is split by at most two things, which differ")
    return measure


# --- texts -----------------------------------------------------------------------------------------------------------


def counted_seats(game_filter: Filter) -> Query:
    """Build the SQL condition for the rows `s` of seat_summary that count."""
    conditions, given = [] if game_filter.seats else ["s.seats > 1"], dict[str, int | str]()
    equal = {"ruleset": "s.ruleset =", "seats": "s.seats =", "since": "s.at >=", "until": "s.at <"}
    for name, compared in equal.items():
        if value := getattr(game_filter, name):
            conditions.append(f"{compared} :{name}")
            given[name] = value
    if game_filter.without_rulesets:
        names = {f"without_{place}": ruleset_id for place, ruleset_id in enumerate(game_filter.without_rulesets)}
        conditions.append(f"s.ruleset NOT IN ({', '.join(':' + name for name in names)})")
        given.update(names)
    if game_filter.people:
        names = {f"person_{place}": person for place, person in enumerate(game_filter.people)}
        conditions.append(f"{person_of(game_filter)} IN ({', '.join(':' + name for name in names)})")
        given.update(names)
    for game_id, people in game_filter.sat.items():
        given.update(zip(_sat_names(game_id, people), people, strict=True))
    for kind, counts in (("practice", game_filter.practice), (typed_results.KIND, game_filter.typed)):
        if counts != "yes":
            conditions.append(f"s.kind {'=' if counts == 'only' else '<>'} '{kind}'")
    if game_filter.cooperative != "yes":
        wanted = game_filter.cooperative == "only"
        conditions.append(IS_COOPERATIVE if wanted else IS_COMPETITIVE)
    if game_filter.scored:
        conditions.append("s.total IS NOT NULL")
    if not game_filter.as_played:
        conditions.append("s.as_played = 0")
    if not game_filter.against_rules:
        conditions.append("s.against_rules = 0")
    if not game_filter.provisional:
        conditions.append("s.provisional = 0")
    if game_filter.games is not None:
        conditions.append(_is_one_of(game_filter.games))
    if game_filter.club is not None:
        plays = f"SELECT t.game FROM counted_table t WHERE t.club = '{game_filter.club.hex}'"
        if game_filter.season is not None:
            plays += " AND t.season = :season"
            given["season"] = game_filter.season
        if game_filter.ruleset:
            plays += " AND t.ruleset IN (:ruleset, '')"
        # of one person, a lookup for each play of theirs; else all plays of the club
        of_person = bool(game_filter.people) and not game_filter.sat
        conditions.append(f"EXISTS ({plays} AND t.game = s.game)" if of_person else f"s.game IN ({plays})")
    if game_filter.readable is not None:
        conditions.append(
            f"(s.public = 1 OR {_is_one_of(game_filter.readable)})" if game_filter.readable else "s.public = 1"
        )
    return Query(" AND ".join(conditions), given)


def _is_one_of(games: frozenset[UUID]) -> str:
    """Build a SQL condition with literal ids, since databases limit the number of parameters."""
    listed = ", ".join(f"'{game_id.hex}'" for game_id in sorted(games))
    return f"s.game IN ({listed})" if listed else "1 = 0"


def about_seats(question: Question) -> bool:
    """Check if a game's figure counts once for each player, not once for the game."""
    return bool(question.filter.people or OF_SEATS & set(question.splits))


def facts_of_counted_seats(table: str, measure: Measure, splits: Iterable[Split], game_filter: Filter) -> Query:
    """Build the FROM and WHERE clauses that join facts of a measure to the seats that count."""
    condition, given = counted_seats(filter_of_measure(game_filter, measure))
    seat = f"f.seat = {TABLE}" if measure.whole else "f.seat = s.seat"
    if measure.whole and not about_seats(Question(measure.key, tuple(splits), game_filter)):
        seat += f" AND {typed_results.FIRST_SEAT}"
    seats, joined = seats_from(splits, game_filter)
    condition += joined + known_condition(splits)
    ruleset_id = ":ruleset" if game_filter.ruleset else "s.ruleset"
    return Query(
        # CROSS: so that SQLite begins with the seats, whatever it knows of sizes
        f"FROM {seats} CROSS JOIN {table} f "
        f"WHERE f.game = s.game AND {seat} AND f.ruleset = {ruleset_id} AND f.measure = :measure AND {condition}",
        {**given, "measure": measure.key},
    )


def known_condition(splits: Iterable[Split]) -> str:
    """Build the SQL condition that the properties to split by have values."""
    wanted = [*splits]
    known = "".join(f" AND {IS_KNOWN[split]}" for split in wanted if split in IS_KNOWN)
    return known + play_splits.known_condition(wanted)


def seats_from(splits: Iterable[Split], game_filter: Filter) -> tuple[str, str]:
    """Build the tables of the seats `s`, with the plays of a club if a split needs them, and their conditions."""
    of_person = bool(game_filter.people) and not game_filter.sat
    return play_splits.seats_with_plays(splits, game_filter.club, game_filter.season is not None, of_person)


def without_typed_results(game_filter: Filter) -> Filter:
    """Return the filter without typed results."""
    return msgspec.structs.replace(game_filter, typed="no")


def competitive(game_filter: Filter) -> Filter:
    """Return the filter without cooperative plays, which have figures of their own (`reports.won_together`)."""
    return game_filter if game_filter.club is None else msgspec.structs.replace(game_filter, cooperative="no")


def filter_of_measure(game_filter: Filter, measure: Measure) -> Filter:
    """Return the filter without typed results that do not have the measure, and without cooperative plays."""
    if measure.key == typed_results.LENGTH:
        return game_filter
    if measure.key == typed_results.PLACE:
        return competitive(game_filter)
    if measure.key in typed_results.OF_SCORES:
        return msgspec.structs.replace(competitive(game_filter), scored=True)
    return without_typed_results(game_filter)


COLUMNS_OF_SEATS = {"place": "s.place", "score": "s.total"}  # measures that are columns of seat_summary


def figures_of_counted_seats(measure: Measure, splits: Iterable[Split], game_filter: Filter) -> tuple[Query, str]:
    """Build the clauses for figures of whole games, and the SQL expression for the figure."""
    value = COLUMNS_OF_SEATS.get(measure.key, VALUE)
    if value == VALUE:
        return facts_of_counted_seats("game_fact", measure, splits, game_filter), value
    condition, given = counted_seats(filter_of_measure(game_filter, measure))
    seats, joined = seats_from(splits, game_filter)
    condition += joined + known_condition(splits)
    return Query(f"FROM {seats} WHERE {condition}", given), value


def query_of(question: Question, measure: Measure) -> Query:
    """Build the query of a question.

    For each value of the splits it selects: rows, games, sum, minimum, maximum, wins, expected wins, sum of squares.
    """
    a, b = _expressions(question)
    parts, all_parts = OF_PARTS & set(question.splits), OF_PARTS & set(splits_of(measure))
    if parts:
        (clauses, given), value = facts_of_counted_seats("game_part", measure, question.splits, question.filter), VALUE
    else:
        (clauses, given), value = figures_of_counted_seats(measure, question.splits, question.filter)
    if parts == all_parts or not parts:  # each row is one count: no inner sum is needed
        # a game has one such row per seat, and COUNT(DISTINCT) would sort all of them
        once = "seat" in question.splits or (measure.whole and not about_seats(question))
        once = once or ("person" in question.splits and question.filter.club is not None)
        a, b = (part.replace(VALUE, value) for part in (a, b))
        return Query(
            f"SELECT {a}, {b}, COUNT(*), {'COUNT(*)' if once else 'COUNT(DISTINCT s.game)'}, "
            f"CAST(SUM({value}) AS DOUBLE PRECISION), MIN({value}), MAX({value}), CAST(SUM(s.won_60) AS BIGINT), "
            f"CAST(SUM(s.expected_60) AS BIGINT), CAST(SUM({value} * {value}) AS DOUBLE PRECISION) {clauses} GROUP BY 1, 2",
            given,
        )
    return Query(
        "SELECT a, b, COUNT(*), COUNT(DISTINCT game), CAST(SUM(v) AS DOUBLE PRECISION), MIN(v), "
        "MAX(v), CAST(SUM(won) AS BIGINT), CAST(SUM(expected) AS BIGINT), CAST(SUM(v * v) AS DOUBLE PRECISION) "
        f"FROM (SELECT s.game AS game, s.seat AS seat, {a} AS a, {b} AS b, CAST(SUM(f.value) AS DOUBLE PRECISION) AS v, MIN(s.won_60) AS won, "
        f"MIN(s.expected_60) AS expected {clauses} GROUP BY 1, 2, 3, 4) AS counted GROUP BY 1, 2",
        given,
    )


def figure_rows(book: Daybook, question: Question, measure: Measure) -> Rows:
    """Return the rows of `query_of`, those with sums from these. A value of the splits may have several rows."""
    rows: Rows = []
    for of_rulesets in month_sums.divide_by_ruleset(book, question.filter):
        sums, rest = _divide(book, msgspec.structs.replace(question, filter=of_rulesets), measure)
        rows += [] if sums is None else run(book, sums)
        for game_filter in rest:
            rows += run(book, query_of(msgspec.structs.replace(question, filter=game_filter), measure))
    return rows


def _divide(book: Daybook, question: Question, measure: Measure) -> tuple[Query | None, Sequence[Filter]]:
    """Return the query to sums, if they help, and filters of the games to read one by one."""
    if month_sums.can_answer(question) and (of_months := month_sums.split_filter(book, question.filter)):
        return month_sums.query_sums(question, measure, about_seats(question), of_months.months), of_months.rest
    if person_sums.can_answer(question) and (of_people := person_sums.split_filter(book, question.filter)):
        return person_sums.query_sums(question, measure, of_people.stale), of_people.rest
    return None, [question.filter]


def _base_rows(book: Daybook, question: Question, measure: Measure) -> Rows:
    """Return the rows of the seats that parts refer to: all that count, or that reached the period."""
    rest = tuple(split for split in question.splits if split != "what")
    base = statistics_of("").measure("score") if "number" in rest else measure
    return figure_rows(book, msgspec.structs.replace(question, splits=rest), base)


def _expressions(question: Question) -> tuple[str, str]:
    a, b = [*(expression_of(split, question.filter) for split in question.splits), ALWAYS, ALWAYS][:2]
    return a, b


def expression_of(split: Split, game_filter: Filter) -> str:
    if split == "person":
        return person_of(game_filter)
    if split in play_splits.SPLITS:
        return play_splits.expression(split, game_filter.zone)
    if game_filter.zone == "UTC" or split not in ("month", "year"):
        return EXPRESSIONS[split]
    month = month_in(game_filter.zone)
    return month if split == "month" else f"SUBSTR({month}, 1, 4)"


@cache
def month_in(zone: str) -> str:
    """Build the SQL expression for the month of `s.at` in a time zone.

    It is a binary search among the moments at which months begin there; outside YEARS_WITH_ZONES the months are in UTC.
    """
    months = [f"{year}-{month:02}" for year in YEARS_WITH_ZONES for month in range(1, 13)]
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
    """Sums of rows, since several ids can be one person."""

    __slots__ = ("expected", "games", "least", "most", "n", "squares", "total", "won")

    def __init__(self) -> None:
        self.n, self.games, self.won, self.expected = 0, 0, 0, 0
        self.total: Score = 0
        self.squares: Score = 0
        self.least: Score | None = None
        self.most: Score | None = None

    def add(
        self,
        n: int,
        games: int,
        total: Score | None,
        minimum: Score | None,
        maximum: Score | None,
        won: int | None,
        expected: int | None,
        squares: Score | None,
    ) -> None:
        self.n += n
        self.games += games
        self.total += total or 0
        self.won += won or 0
        self.expected += expected or 0
        self.squares += squares or 0
        if minimum is not None and maximum is not None:
            self.least = minimum if self.least is None else min(self.least, minimum)
            self.most = maximum if self.most is None else max(self.most, maximum)


Place = tuple[Any, ...]


def compute_table(book: Daybook, question: Question) -> FigureTable:
    """Answer a question as a table. Raises InvalidQuestionError."""
    measure = measure_of(question)
    sums_by_place = (
        _sum_rows(figure_rows(book, question, measure), question) if has_figures(book, question.filter, measure) else {}
    )
    parts = bool(OF_PARTS & set(question.splits))
    of_all = parts and isinstance(measure.reading, Added | First)
    base = _sum_rows(_base_rows(book, question, measure), question, leave_out="what") if of_all else {}
    won = not {"won", "place"} & set(question.splits) and (not measure.whole or about_seats(question))
    rows = []
    for place, sum_of_place in sorted(sums_by_place.items(), key=lambda item: [_sort_key(value) for value in item[0]]):
        of_these = base.get(_without_split(place, question, "what"), sum_of_place)
        n = of_these.n
        cells: list[Any] = [
            *place,
            n,
            *([sum_of_place.n] if of_all else []),
            mean(sum_of_place.total, n),
            sum_of_place.least,
            sum_of_place.most,
        ]
        if won:
            cells += [
                round(sum_of_place.won / WIN, 2),
                round(sum_of_place.expected / WIN, 2),
                rate(sum_of_place.won / WIN, sum_of_place.n, sum_of_place.games),
            ]
        if sum_of_place.n:
            rows.append(
                FigureRow(
                    tuple(cells),
                    sum_of_place.n,
                    key_of(place),
                    games=of_these.games,
                    variance=sample_from_sums(max(n, 1), sum_of_place.total, sum_of_place.squares).variance,
                )
            )
    counted = filter_of_measure(question.filter, measure)
    is_none = not sums_by_place and not parts and measure.key in COLUMNS_OF_SEATS  # every game has these figures
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
        0 if is_none else count_games(book, counted, question.splits),
        measure.key,
        0 if is_none else count_typed_results(book, counted, question.splits),
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
    """Return the column of a split, with the measure's names for things, periods and values as its unit."""
    units = {"what": measure.things, "number": measure.by, "value": measure.unit}
    return msgspec.structs.replace(SPLITS[split], unit=units.get(split, ""))


def count_games(book: Daybook, game_filter: Filter, splits: Iterable[Split] = ()) -> int:
    """Count the games; with splits, only games that have these properties."""
    return sum(n for _, n in count_by_ruleset(book, game_filter, splits))


def count_by_ruleset(book: Daybook, game_filter: Filter, splits: Iterable[Split] = ()) -> list[tuple[str, int]]:
    """Count the games of each ruleset among those that count.

    One query counts every ruleset and kind of game, so that a page asks once. In a club, the plays of one ruleset are
    counted faster on their own.
    """
    wide = msgspec.structs.replace(
        game_filter,
        ruleset="" if game_filter.club is None else game_filter.ruleset,
        practice="yes",
        cooperative="yes",
        typed="no" if game_filter.typed == "no" and game_filter.club is None else "yes",
        against_rules=True,
    )
    found: dict[str, int] = {}
    for ruleset_id, kind, against_rules, together, n in run(book, _games_query(wide, splits)):
        counts = (
            (game_filter.practice, kind == "practice"),
            (game_filter.typed, kind == typed_results.KIND),
            (game_filter.cooperative, bool(together)),
        )
        if (
            game_filter.ruleset in ("", ruleset_id)
            and all(wanted == "yes" or (wanted == "only") == is_kind for wanted, is_kind in counts)
            and (game_filter.against_rules or not against_rules)
        ):
            found[ruleset_id] = found.get(ruleset_id, 0) + n
    return list(found.items())


def has_figures(book: Daybook, game_filter: Filter, measure: Measure) -> bool:
    """Check if a measure can have figures: most have none in clubs without records."""
    return game_filter.club is None or count_games(book, filter_of_measure(game_filter, measure)) > 0


def first_games(book: Daybook, game_filter: Filter) -> dict[str, str]:
    """Return the time of each person's first game among those that count; the filter names people or games."""
    first_times: dict[str, str] = {}
    condition, given = counted_seats(game_filter)
    person_id = person_of(game_filter)
    query = Query(f"SELECT {person_id}, MIN(s.at) FROM seat_summary s WHERE {condition} GROUP BY 1", given)
    for person, at in run(book, query):
        first_times[game_filter.counted_id(person)] = min(at, first_times.get(game_filter.counted_id(person), at))
    return first_times


def count_left_out(book: Daybook, game_filter: Filter) -> int:
    """Count the games that are excluded because the rules disagree with their records."""
    return (
        0
        if game_filter.against_rules
        else count_games(book, _with_all_records(game_filter)) - count_games(book, game_filter)
    )


def games_left_out(book: Daybook, game_filter: Filter) -> list[UUID]:
    """Return the games that `count_left_out` counts, the newest first."""
    if game_filter.against_rules:
        return []
    condition, given = counted_seats(_with_all_records(game_filter))
    rows = run(
        book,
        Query(
            f"SELECT s.game FROM seat_summary s WHERE {condition} AND s.against_rules > 0 "
            "GROUP BY s.game, s.in_order, s.position ORDER BY s.in_order DESC, s.position DESC",
            given,
        ),
    )
    return [UUID(str(game)) for (game,) in rows]


def _with_all_records(game_filter: Filter) -> Filter:
    return msgspec.structs.replace(game_filter, against_rules=True)


def _games_query(game_filter: Filter, splits: Iterable[Split]) -> Query:
    condition, given = counted_seats(game_filter)
    typed = game_filter.typed != "no"
    splits = [*splits]
    known = {split for split in splits if split in IS_KNOWN and (typed or split != "seat")}  # a record has its seats
    known |= play_splits.OF_PLAYERS & set(splits)  # type: ignore[arg-type]
    by_seat = bool(game_filter.people or known or (typed and game_filter.scored))
    if not by_seat:
        condition = f"{condition} AND {typed_results.FIRST_SEAT}"  # one row of a game
    known |= {split for split in splits if split in play_splits.SPLITS}
    seats, joined = seats_from(known, game_filter)
    condition += joined + known_condition(sorted(known))
    columns = (
        "s.ruleset AS ruleset, s.kind AS kind, CASE WHEN s.against_rules > 0 THEN 1 ELSE 0 END AS against_rules, "
        f"CASE WHEN {IS_COOPERATIVE} THEN 1 ELSE 0 END AS together"
    )
    if by_seat:  # COUNT(DISTINCT) would sort all seats
        rows = f"(SELECT {columns} FROM {seats} WHERE {condition} GROUP BY s.game, 1, 2, 3, 4) AS counted"
        return Query(f"SELECT ruleset, kind, against_rules, together, COUNT(*) FROM {rows} GROUP BY 1, 2, 3, 4", given)
    return Query(f"SELECT {columns}, COUNT(*) FROM {seats} WHERE {condition} GROUP BY 1, 2, 3, 4", given)


def count_typed_results(book: Daybook, game_filter: Filter, splits: Iterable[Split] = ()) -> int:
    """Count the typed results among the games that count."""
    return (
        0
        if game_filter.typed == "no"
        else count_games(book, msgspec.structs.replace(game_filter, typed="only"), splits)
    )


def _sum_rows(rows: Iterable[tuple[Any, ...]], question: Question, leave_out: str = "") -> dict[Place, _Sum]:
    splits = [split for split in question.splits if split != leave_out]
    sums_by_place: dict[Place, _Sum] = defaultdict(_Sum)
    for a, b, *figures in rows:
        values = [_values_of(split, value, question.filter) for split, value in zip(splits, (a, b), strict=False)]
        for place in product(*values):
            sums_by_place[place].add(*figures)
    return sums_by_place


def _values_of(split: Split, value: Any, game_filter: Filter) -> list[Any]:
    """Return the rows in which a value counts: each expansion of a play has its own."""
    if split == "expansion":
        return play_splits.expansions_of(value)
    return [game_filter.counted_id(value) if split == "person" else value]


def _without_split(place: Place, question: Question, split: str) -> Place:
    return tuple(value for question_split, value in zip(question.splits, place, strict=True) if question_split != split)


def _sort_key(value: Any) -> tuple[bool, Any]:
    return isinstance(value, str), value


def about_person(question: Question, key: str) -> Question:
    """Limit a question to the games of the person in a row's key, if the key has one."""
    for split, value in zip(question.splits, key.split("|"), strict=False):
        if split == "person" and not question.filter.people:
            game_filter = msgspec.structs.replace(question.filter, people=tuple(question.filter.ids_of(value)))
            return msgspec.structs.replace(question, filter=game_filter)
    return question


def key_of(place: Place) -> str:
    """Return the key of a row, made of its values of the splits."""
    return "|".join(str(value) for value in place)


class FigureSource(Frozen):
    """Game behind a figure, with the seat and person that the figure is about."""

    game: UUID  # or the id of a typed result
    seat: Seat | None  # TABLE: the figure is about the whole game; None: not known
    person: str  # empty: the figure is about the whole game
    place: int
    total: Score | None
    value: Score
    step: int | None  # at which the value was reached
    at: str
    typed: bool = False  # a typed result (`services.statistics.typed_results.typed_tables`)


def games_behind(book: Daybook, question: Question, key: str = "", limit: int = 200) -> list[FigureSource]:
    """Return the games behind a row of a question's table, or behind all of it. Raises InvalidQuestionError."""
    measure = measure_of(question)
    table = "game_part" if OF_PARTS & set(question.splits) else "game_fact"
    clauses, given = facts_of_counted_seats(table, measure, question.splits, question.filter)
    conditions = []
    values = key.split("|", max(0, len(question.splits) - 1)) if key else []
    if values and len(values) != len(question.splits):
        raise InvalidQuestionError(f"{key!r} is no row of this table")
    for number, (split, value) in enumerate(zip(question.splits, values, strict=False)):
        ids = question.filter.ids_of(value) if split == "person" else [value]
        names = {f"key_{number}_{place}": _typed_value(split, member) for place, member in enumerate(ids)}
        if split == "expansion":
            name = f"key_{number}_0"
            conditions.append(f" AND {play_splits.has_expansion(name)}")
            given[name] = play_splits.json_of(value)
            continue
        conditions.append(
            f" AND {expression_of(split, question.filter)} IN ({', '.join(':' + name for name in names)})"
        )
        given.update(names)
    of_whole_game = measure.whole and not about_seats(question)
    rows = run(
        book,
        Query(
            f"SELECT s.game, s.seat, {person_of(question.filter)}, s.place, s.total, CAST(SUM(f.value) AS DOUBLE PRECISION), "
            f"MAX(f.step), s.at, s.kind {clauses}{''.join(conditions)} GROUP BY 1, 2, 3, 4, 5, 8, 9, s.in_order, s.position "
            "ORDER BY 6 DESC, s.in_order, s.position, s.seat LIMIT :limit",
            {**given, "limit": limit},
        ),
    )
    return [
        FigureSource(
            UUID(str(game)),
            TABLE if of_whole_game else seat if seat >= 0 else None,
            "" if of_whole_game else question.filter.counted_id(person),
            place,
            total,
            value,
            None if kind == typed_results.KIND else step,
            at,
            kind == typed_results.KIND,
        )
        for game, seat, person, place, total, value, step, at, kind in rows
    ]


def _typed_value(split: Split, value: str) -> Score | str:
    if split not in NUMBER_SPLITS:
        return value
    if re.fullmatch(r"-?[0-9]{1,18}", value):
        return int(value)
    if split == "value" and re.fullmatch(r"-?[0-9]{1,12}\.[0-9]{1,3}", value):
        return float(value)
    raise InvalidQuestionError(f"{value!r} is no {split}")
