"""Reports that need more than one question of `services.statistics.figure_questions`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from math import sqrt
from statistics import fmean, median
from typing import Literal, NamedTuple
from uuid import UUID

import msgspec

from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.game_statistics import Added, Greatest, Measure
from daybook.domain.kernel.terms import TABLE
from daybook.domain.league.scores import Score
from daybook.services.certainty import sample_from_sums, welch
from daybook.services.days import day_of
from daybook.services.statistics import month_sums, play_splits
from daybook.services.statistics.collect import WIN, statistics_of
from daybook.services.statistics.figure_questions import (
    IS_COMPETITIVE,
    Filter,
    InvalidQuestionError,
    Question,
    Split,
    competitive,
    count_games,
    count_typed_results,
    counted_seats,
    expression_of,
    facts_of_counted_seats,
    figure_rows,
    has_figures,
    known_condition,
    measures,
    person_of,
    seats_from,
    without_typed_results,
)
from daybook.services.statistics.queries import Query, Rows, ask_once, run, run_uncached
from daybook.services.statistics.runs_of_wins import WinRuns, find_runs
from daybook.services.statistics.table import FEW, FigureRow, FigureTable, Heading, mean, rate
from daybook.services.statistics.typed_results import FIRST_SEAT, LENGTH
from daybook.services.store.daybook import Daybook

# --- what winners do differently -------------------------------------------------------------------------------------

RESULTS = ("score", "place", "margin", "share", "rounds_ahead")  # they follow from winning


DIFFERENCES = (
    Heading("measure", "Measure", "measure"),
    Heading("n_winners", "Winners", "count"),
    Heading("winners", "Average of winners", "mean"),
    Heading("n_others", "Others", "count"),
    Heading("others", "Average of the others", "mean"),
    Heading("difference", "Difference", "mean"),
    Heading("effect", "Relative to how much it varies", "effect"),
    Heading("effect_low", "Likely at least", "effect"),
    Heading("effect_high", "Likely at most", "effect"),
)


def compare_winners(book: Daybook, game_filter: Filter) -> FigureTable:
    """Compare winners with the others in every measure of a game, the most certain difference first (Welch's t).

    A measure with fewer than FEW of either comes last, without a comparison. Raises InvalidQuestionError without a
    game.
    """
    if not game_filter.ruleset:
        raise InvalidQuestionError("what winners do differently is asked about one game")
    rows = []
    for measure in statistics_of(game_filter.ruleset).all:
        if measure.whole or measure.key in RESULTS or not has_figures(book, game_filter, measure):
            continue
        (n_0, total_0, squares_0), (n_1, total_1, squares_1) = _others_and_winners(book, measure, game_filter)
        if not n_0 or not n_1:
            continue
        n, total, squares = n_0 + n_1, total_0 + total_1, squares_0 + squares_1
        spread = sqrt(sample_from_sums(n, total, squares).variance)
        difference = welch(sample_from_sums(n_1, total_1, squares_1), sample_from_sums(n_0, total_0, squares_0))
        compared = (
            (None, None, None)
            if min(n_0, n_1) < FEW or difference is None
            else tuple(round(value / spread, 2) for value in (difference.apart, difference.low, difference.high))
        )
        rows.append(
            (
                0.0 if difference is None or compared[0] is None else difference.sureness,
                FigureRow(
                    (
                        measure.key,
                        n_1,
                        mean(total_1, n_1),
                        n_0,
                        mean(total_0, n_0),
                        round(total_1 / n_1 - total_0 / n_0, 2),
                        *compared,
                    ),
                    n,
                    measure.key,
                ),
            )
        )
    rows.sort(key=lambda entry: (entry[1].cells[6] is None, -entry[0]))
    return FigureTable(
        "winners",
        "What winners do differently",
        DIFFERENCES,
        tuple(row for _, row in rows),
        count_games(book, without_typed_results(game_filter)),
    )


def _others_and_winners(book: Daybook, measure: Measure, game_filter: Filter) -> list[tuple[int, int, int]]:
    """Return (count, sum, sum of squares) of the seats that did not win, and of those that did."""
    sums = [[0, 0, 0], [0, 0, 0]]
    for won, _, *row in figure_rows(book, Question(measure.key, ("won",), game_filter), measure):
        n, _, total, _, _, _, _, squares = row
        sums[won] = [so_far + (more or 0) for so_far, more in zip(sums[won], (n, total, squares), strict=True)]
    return [(n, total, squares) for n, total, squares in sums]


# --- records ---------------------------------------------------------------------------------------------------------

HIGHEST = ("score", "winning_margin", "lead_changes", "steps", "rounds", "length", "taken_back")
LOWEST = ("winning_score", "winning_margin", "lead_settled", "steps", "rounds", "length")
SCORES = {"score", "winning_score"}  # one is in HIGHEST, the other in LOWEST
RECORDS = (
    Heading("measure", "Measure", "measure"),
    Heading("which", "Most or least", "which"),
    Heading("value", "Value", "amount"),
    Heading("person", "Person", "person"),
    Heading("seat", "Seat", "seat"),
    Heading("at", "On", "at"),
)


MAX_EQUAL_SEATS = 100  # that are read of a record that many reached
MAX_EQUAL_MONTHS = 3  # with sums


def record_query(measure: Measure, order: Literal["DESC", "ASC"], game_filter: Filter) -> Query:
    """Build the query for the highest or lowest values of a measure, the earliest of equals first."""
    text, given = facts_of_counted_seats("game_fact", measure, ("person",) if not measure.whole else (), game_filter)
    return Query(
        f"SELECT f.value, s.game, s.seat, {person_of(game_filter)}, s.at, f.step, s.in_order, s.position {text} "
        f"ORDER BY f.value {order}, s.in_order, s.position, ABS(s.seat) LIMIT :limit",
        {**given, "limit": 1 if measure.whole else MAX_EQUAL_SEATS},
    )


def _find_record(book: Daybook, measure: Measure, order: Literal["DESC", "ASC"], game_filter: Filter) -> Rows:
    """Return the rows of `record_query` with the best value. Of months with sums, only the first ones with it are read."""
    divided = month_sums.split_filter(book, game_filter)
    if divided is None:
        rows = run(book, record_query(measure, order, game_filter))
        return [row for row in rows if row[0] == rows[0][0]]
    sign = -1 if order == "DESC" else 1
    filters = [*divided.rest]
    extremes = month_sums.find_extremes(book, game_filter, divided.months).get(measure.key)
    if extremes is not None:
        months = extremes.months_of_most if order == "DESC" else extremes.months_of_least
        filters += [
            msgspec.structs.replace(game_filter, readable=frozenset(), since=month, until=month_sums.next_month(month))
            for month in months[: 1 if measure.whole else MAX_EQUAL_MONTHS]
        ]
    rows = [row for of_part in filters for row in run(book, record_query(measure, order, of_part))]
    rows.sort(key=lambda row: (sign * row[0], row[6], row[7], abs(row[2])))
    return [row for row in rows if row[0] == rows[0][0]]


def is_lowest_best(book: Daybook, ruleset: str) -> bool:
    """Check if the lowest score wins a game, by its results."""
    query = " UNION ALL ".join(
        f"SELECT 1 FROM {table} r WHERE r.ruleset = :ruleset AND r.lowest_wins" for table in ("result_row", "club_play")
    )
    return bool(run(book, Query(f"{query} LIMIT 1", {"ruleset": ruleset})))


def record_values(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return the record values, each with its game and step: the highest, or the lowest where that is rare.

    Where the lowest score wins, the lowest score is the record, and the highest one that won.
    """
    rows = []
    highest, lowest = {*HIGHEST}, {*LOWEST}
    lowest_is_best = bool(game_filter.ruleset) and is_lowest_best(book, game_filter.ruleset)
    if lowest_is_best:
        highest, lowest = highest ^ SCORES, lowest ^ SCORES
    for measure in measures(game_filter.ruleset):
        if not has_figures(book, game_filter, measure):
            continue
        ways: list[Literal["DESC", "ASC"]] = []
        if measure.key in highest:
            ways.append("DESC")
        if isinstance(measure.reading, Added | Greatest):
            ways.append("ASC" if lowest_is_best and measure.unit == "points" else "DESC")
        if measure.key in lowest:
            ways.append("ASC")
        for way in ways:
            equal = _find_record(book, measure, way, game_filter)
            holders = dict.fromkeys(game_filter.counted_id(row[3]) for row in equal)
            for value, game, seat, person, at, step, *_ in equal[:1]:
                if value or way == "ASC":
                    of_whole_game = measure.whole and not game_filter.people
                    rows.append(
                        FigureRow(
                            (
                                measure.key,
                                "most" if way == "DESC" else "least",
                                value,
                                "" if of_whole_game else game_filter.counted_id(person),
                                TABLE if of_whole_game else seat,
                                at,
                            ),
                            1,
                            measure.key,
                            UUID(str(game)),
                            step,
                            others=() if of_whole_game else tuple(holders)[1:],
                        )
                    )
    return FigureTable(
        "records", "Records", RECORDS, tuple(rows), count_games(book, msgspec.structs.replace(game_filter, scored=True))
    )


# --- people ----------------------------------------------------------------------------------------------------------

MEETINGS = (
    Heading("person", "Person", "person"),
    Heading("other", "Other", "person"),
    Heading("n", "Games together", "count"),
    Heading("ahead", "Before the other", "count"),
    Heading("behind", "Behind the other", "count"),
    Heading("level", "Level", "count"),
    Heading("rate", "Share of games before the other", "rate"),
    Heading("wins", "Wins", "wins"),
    Heading("other_wins", "Wins of the other", "wins"),
)
RUNS = (
    Heading("person", "Person", "person"),
    Heading("n", "Games", "count"),
    Heading("longest", "Longest run of wins", "count"),
    Heading("since", "Since", "at"),
    Heading("until", "Until", "at"),
    Heading("now", "Current run of wins", "count"),
    Heading("without", "Most games without a win", "count"),
)


def pairs_query(game_filter: Filter) -> Query:
    """Build the query for pairs of people that met: each pair once, or with `people`, only their pairs."""
    condition, given = counted_seats(competitive(game_filter))
    once = ">" if _is_mutual(game_filter) else "<>"
    return Query(
        f"SELECT {person_of(game_filter)}, {person_of(game_filter, 'o')}, COUNT(*), "
        "CAST(SUM(CASE WHEN s.place < o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(CASE WHEN s.place > o.place THEN 1 ELSE 0 END) AS BIGINT), "
        "CAST(SUM(s.won_60) AS BIGINT), CAST(SUM(o.won_60) AS BIGINT) "
        f"FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat {once} s.seat "
        f"WHERE {condition} GROUP BY 1, 2",
        given,
    )


def _is_mutual(game_filter: Filter) -> bool:
    """Check if both seats of a pair count."""
    return not game_filter.people and not game_filter.scored


def head_to_head(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return each pair of people that met, with their places against each other; with `people`, only their pairs."""
    return FigureTable(
        "head_to_head",
        "Head to head",
        MEETINGS,
        pairs_that_met(book, game_filter),
        count_games(book, competitive(game_filter)),
        typed=count_typed_results(book, competitive(game_filter)),
    )


def pairs_that_met(book: Daybook, game_filter: Filter) -> tuple[FigureRow, ...]:
    """Return the rows of `head_to_head`, the pairs that met most often first."""
    figures_by_pair: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)

    def add(person: str, other: str, *figures: int) -> None:
        pair = game_filter.counted_id(person), game_filter.counted_id(other)
        if pair[0] != pair[1]:
            figures_by_pair[pair] = [so_far + more for so_far, more in zip(figures_by_pair[pair], figures, strict=True)]

    for person, other, n, ahead, behind, won, lost in run(book, pairs_query(game_filter)):
        add(person, other, n, ahead, behind, won, lost)
        if _is_mutual(game_filter):
            add(other, person, n, behind, ahead, lost, won)
    return tuple(
        FigureRow(
            (
                person,
                other,
                n,
                ahead,
                behind,
                n - ahead - behind,
                rate(ahead, n, n),
                round(won / WIN, 2),
                round(lost / WIN, 2),
            ),
            n,
            f"{person}|{other}",
            games=n,
        )
        for (person, other), (n, ahead, behind, won, lost) in sorted(
            figures_by_pair.items(), key=lambda item: (-item[1][0], item[0])
        )
    )


def games_of_pair(book: Daybook, game_filter: Filter, first: str, second: str) -> list[UUID]:
    """Return the games behind a row of `head_to_head`, the earliest first; typed results by their own ids."""
    condition, given = counted_seats(game_filter)
    names: dict[str, int | str] = {}
    lists = []
    for who, member in (("first", first), ("second", second)):
        ids = {f"{who}_{n}": person_id for n, person_id in enumerate(game_filter.ids_of(member))}
        names.update(ids)
        lists.append(", ".join(f":{name}" for name in ids))
    rows = run(
        book,
        Query(
            f"SELECT s.game FROM seat_summary s JOIN seat_summary o ON o.game = s.game AND o.seat <> s.seat "
            f"WHERE {person_of(game_filter)} IN ({lists[0]}) AND {person_of(game_filter, 'o')} IN ({lists[1]}) AND {condition} "
            "GROUP BY s.game, s.in_order, s.position ORDER BY s.in_order, s.position",
            {**given, **names},
        ),
    )
    return [UUID(str(game)) for (game,) in rows]


class Rivals(Frozen):
    """Rows of `head_to_head` about one person; None if there is no such row."""

    companion: FigureRow | None  # met most often
    rival: FigureRow | None  # beaten most often
    nemesis: FigureRow | None  # lost to most often


def find_rivals(pairs: Iterable[FigureRow], person: str) -> Rivals:
    """Return the person's companion, rival and nemesis from the rows of `head_to_head`."""
    rows = [row for row in pairs if row.cells[0] == person]

    def most(place: int) -> FigureRow | None:
        best = max(rows, key=lambda row: (row.cells[place], row.cells[2], row.cells[1]), default=None)
        return best if best is not None and best.cells[place] else None

    return Rivals(most(2), most(3), most(4))


def win_streaks(book: Daybook, game_filter: Filter) -> FigureTable:
    """Return each person's longest and current run of wins, including shared wins."""
    runs = ask_once(["runs", game_filter], lambda: _runs_of_people(book, game_filter))
    rows = [
        FigureRow(
            (run.person, run.n, run.longest, run.since, run.until, run.now, run.without),
            run.n,
            run.person,
            UUID(str(run.game)) if run.game else None,
        )
        for run in sorted(runs, key=lambda run: (-run.longest, run.person))
    ]
    return FigureTable(
        "streaks",
        "Runs of wins",
        RUNS,
        tuple(rows),
        count_games(book, competitive(game_filter)),
        typed=count_typed_results(book, competitive(game_filter)),
    )


def _runs_of_people(book: Daybook, game_filter: Filter) -> list[WinRuns]:
    """Return the runs of each person, across numbers of players and merged ids."""
    condition, given = counted_seats(competitive(game_filter))
    person = person_of(game_filter)
    if game_filter.same:
        merged = {f"merged_{n}": gone for n, gone in enumerate(game_filter.same)}
        kept = {f"kept_{n}": into for n, into in enumerate(game_filter.same.values())}
        cases = " ".join(f"WHEN :{gone} THEN :{into}" for gone, into in zip(merged, kept, strict=True))
        person, given = f"CASE {person} {cases} ELSE {person} END", {**given, **merged, **kept}
    play = "CASE WHEN s.won_60 > 0 THEN '+' ELSE '-' END || CAST(s.game AS TEXT) || '|' || s.at"
    in_order = f"STRING_AGG({play}, ' ' ORDER BY s.in_order, s.position, s.seat)"
    query = Query(f"SELECT {person}, {in_order} FROM seat_summary s WHERE {condition} GROUP BY 1", given)
    return [find_runs(person_id, plays) for person_id, plays in run_uncached(book, query)]


class GamePlayed(Frozen):
    """Plays of one ruleset, with the times of the first and the last."""

    ruleset: str
    n: int
    first_at: str
    last_at: str


class GamesSummary(Frozen):
    """Games of a club: the most played first, and their hours.

    Args:
        seconds: of plays whose length is known.
        timed: the number of such plays.
    """

    games: tuple[GamePlayed, ...]
    seconds: int
    timed: int

    @property
    def h_index(self) -> int:
        return h_index(game.n for game in self.games)

    @property
    def longest_unplayed(self) -> GamePlayed:
        return min(self.games, key=lambda game: (game.last_at, game.ruleset))


def summarize_games(book: Daybook, game_filter: Filter) -> GamesSummary:
    """Return the games of a club or season with their number of plays."""
    condition, given = counted_seats(game_filter)
    query = (
        f"SELECT s.ruleset, COUNT(*), MIN(s.at), MAX(s.at) FROM seat_summary s WHERE {condition} AND {FIRST_SEAT} "
        "GROUP BY 1"
    )
    rows = sorted(run(book, Query(query, given)), key=lambda row: (-row[1], row[0]))
    [(timed, seconds)] = run(book, length_query(game_filter))
    return GamesSummary(tuple(GamePlayed(*row) for row in rows), seconds or 0, timed)


def count_by_day(book: Daybook, game_filter: Filter) -> Counter[date]:
    """Return the number of games on each day, in the filter's time zone."""
    condition, given = counted_seats(game_filter)
    query = f"SELECT s.at, COUNT(*) FROM seat_summary s WHERE {condition} AND {FIRST_SEAT} GROUP BY 1"
    found = Counter[date]()
    for at, n in run(book, Query(query, given)):
        found[date.fromisoformat(day_of(at, game_filter.zone))] += n
    return found


def count_plays_by(book: Daybook, game_filter: Filter, split: Split) -> Counter[str]:
    """Return the number of a club's games for each value of a split by a fact of plays."""
    condition, given = counted_seats(game_filter)
    seats, joined = seats_from([split], game_filter)
    query = (
        f"SELECT {expression_of(split, game_filter)}, COUNT(*) FROM {seats} "
        f"WHERE {condition} AND {FIRST_SEAT}{joined}{known_condition([split])} GROUP BY 1"
    )
    found = Counter[str]()
    for value, n in run(book, Query(query, given)):
        for each in play_splits.expansions_of(value) if split == "expansion" else [value]:
            found[each] += n
    return found


class ScoreSummary(Frozen):
    """Scores of one ruleset. winning: the median of winners."""

    average: float
    median: float
    best: RecordSet
    worst: Score
    winning: float


def summarize_scores(book: Daybook, game_filter: Filter) -> ScoreSummary | None:
    """Return the scores of one ruleset; None without any.

    The lowest score is the best if winners have lower scores than others on average.
    """
    found: list[ScoreSummary | None] = ask_once(["scores", game_filter], lambda: [_summarize_scores(book, game_filter)])
    return found[0]


def _summarize_scores(book: Daybook, game_filter: Filter) -> ScoreSummary | None:
    scored = msgspec.structs.replace(competitive(game_filter), scored=True)
    condition, given = counted_seats(scored)
    query = (
        "SELECT s.total, CASE WHEN s.won_60 > 0 THEN 1 ELSE 0 END, COUNT(*) "
        f"FROM seat_summary s WHERE {condition} GROUP BY 1, 2"
    )
    others, won = list[Score](), list[Score]()
    for total, is_won, n in run_uncached(book, Query(query, given)):
        (won if is_won else others).extend([total] * n)
    if not won or not others:
        return None
    scores, ups = won + others, fmean(won) >= fmean(others)
    best = _first_with_score(book, scored, game_filter.ruleset, (max if ups else min)(scores))
    return (
        ScoreSummary(fmean(scores), median(scores), best[0], (min if ups else max)(scores), median(won))
        if best
        else None
    )


class RecordSet(Frozen):
    """The best score of a ruleset in some games."""

    ruleset: str
    person: str
    score: Score
    game: UUID
    at: str
    others: tuple[str, ...] = ()  # who reached the same score later


MIN_SCORES_OF_RECORD = 20  # of a ruleset, before its best score is called a record


def records_since(book: Daybook, game_filter: Filter, since: str) -> list[RecordSet]:
    """Return the best scores that were reached since a time, newest first.

    The lowest score is the best if winners have lower scores than others on average.
    """
    scored = msgspec.structs.replace(competitive(game_filter), scored=True)
    condition, given = counted_seats(scored)
    rows = run(
        book,
        Query(
            "SELECT s.ruleset, MIN(s.total), MAX(s.total), MIN(CASE WHEN s.at >= :month THEN s.total END), "
            "MAX(CASE WHEN s.at >= :month THEN s.total END), AVG(CASE WHEN s.won_60 > 0 THEN s.total END) - "
            "AVG(CASE WHEN s.won_60 > 0 THEN NULL ELSE s.total END) "
            f"FROM seat_summary s WHERE {condition} GROUP BY 1 HAVING COUNT(*) >= :scores AND MAX(s.at) >= :month",
            {**given, "scores": MIN_SCORES_OF_RECORD, "month": since},
        ),
    )
    best_scores = [
        (ruleset_id, most if ups >= 0 else least)
        for ruleset_id, least, most, new_least, new_most, ups in rows
        if ups is not None and (new_most == most if ups >= 0 else new_least == least)
    ]
    records = [
        record
        for ruleset_id, best in sorted(best_scores)
        for record in _first_with_score(book, scored, ruleset_id, best)
        if record.at >= since
    ]
    return sorted(records, key=lambda record: record.at, reverse=True)


def _first_with_score(book: Daybook, game_filter: Filter, ruleset_id: str, score: Score) -> list[RecordSet]:
    """Return the record of a score; none if it was corrected meanwhile."""
    condition, given = counted_seats(msgspec.structs.replace(game_filter, ruleset=ruleset_id))
    rows = run(
        book,
        Query(
            f"SELECT {person_of(game_filter)}, s.game, s.at FROM seat_summary s WHERE {condition} AND s.total = :score "
            "ORDER BY s.in_order, s.position, ABS(s.seat) LIMIT :limit",
            {**given, "score": float(score), "limit": MAX_EQUAL_SEATS},
        ),
    )
    first, *others = [*dict.fromkeys(game_filter.counted_id(person) for person, _, _ in rows)] or [""]
    return [RecordSet(ruleset_id, first, score, UUID(str(game)), at, tuple(others)) for _, game, at in rows[:1]]


class PersonWins(Frozen):
    """Plays and wins of a person, with shares of shared wins."""

    person: str
    n: int
    wins: float


def most_wins(book: Daybook, game_filter: Filter) -> list[PersonWins]:
    """Return the people of games, the one with most wins first."""
    condition, given = counted_seats(competitive(game_filter))
    query = f"SELECT {person_of(game_filter)}, COUNT(*), CAST(SUM(s.won_60) AS BIGINT) FROM seat_summary s WHERE {condition} GROUP BY 1"
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for person, n, won in run(book, Query(query, given)):
        kept = sums[game_filter.counted_id(person)]
        kept[0], kept[1] = kept[0] + n, kept[1] + won
    found = [PersonWins(person, n, round(won / WIN, 2)) for person, (n, won) in sums.items()]
    return sorted(found, key=lambda row: (-row.wins, -row.n, row.person))


class WonTogether(Frozen):
    """Cooperative plays of a club."""

    won: int
    n: int


def won_together(book: Daybook, game_filter: Filter) -> WonTogether:
    """Return how many cooperative plays were won; with `people`, theirs."""
    together = msgspec.structs.replace(game_filter, cooperative="only")
    if not game_filter.people and not count_games(book, together):  # which the page has counted already
        return WonTogether(0, 0)
    condition, given = counted_seats(together)
    query = (
        f"SELECT COUNT(DISTINCT CASE WHEN s.place = 1 THEN s.game END), COUNT(DISTINCT s.game) "
        f"FROM seat_summary s WHERE {condition}"
    )
    [(won, n)] = run(book, Query(query, given))
    return WonTogether(won, n)


class GameOfPerson(Frozen):
    """A person's plays of one ruleset; wins and places without cooperative plays, wins with shares of shared ones."""

    ruleset: str
    n: int
    wins: float
    expected: float
    place: float | None  # on average; None if all plays were cooperative


class PersonSummary(Frozen):
    """Figures at the top of a person's page.

    Args:
        games: the most played first.
        runs: None if nothing was played.
        seconds: of plays whose length is known.
        timed: the number of such plays.
        left_out: games whose records the rules disagree with.
    """

    games: tuple[GameOfPerson, ...]
    runs: WinRuns | None
    rivals: Rivals
    together: WonTogether
    seconds: int
    timed: int
    left_out: int

    @property
    def played(self) -> int:
        return sum(game.n for game in self.games)

    @property
    def won(self) -> float:
        """Wins, with shares of shared wins."""
        return round(sum(game.wins for game in self.games), 2)

    @property
    def h_index(self) -> int:
        return h_index(game.n for game in self.games)


class PlayOfPerson(NamedTuple):
    """A counted play of one person; won and expected in parts of WIN, seconds: None if unknown."""

    ruleset: str
    game: str
    at: str
    place: int
    won: int
    expected: int
    competes: int
    against_rules: int
    seconds: int | None


def summarize_person(book: Daybook, game_filter: Filter, person: str) -> PersonSummary:
    """Return the figures at the top of a person's page; the filter names the person.

    Their plays are read once, in order of time: a query for each figure would read them six times.
    """
    found: list[PersonSummary] = ask_once(
        ["person", game_filter, person], lambda: [_summarize_person(book, game_filter, person)]
    )
    return found[0]


def _summarize_person(book: Daybook, game_filter: Filter, person: str) -> PersonSummary:
    with_all_records = msgspec.structs.replace(game_filter, against_rules=True)
    rows = [PlayOfPerson(*row) for row in run_uncached(book, _plays_of_person_query(with_all_records))]
    plays = [row for row in rows if game_filter.against_rules or not row.against_rules]
    by_game: dict[str, list[PlayOfPerson]] = defaultdict(list)
    for play in plays:
        by_game[play.ruleset].append(play)
    in_order = " ".join(f"{'+' if play.won else '-'}{play.game}|{play.at}" for play in plays if play.competes)
    together = {play.game: play for play in plays if not play.competes}.values()
    lengths = [play.seconds for play in plays if play.seconds is not None]
    games = [_game_of_person(ruleset_id, of_game) for ruleset_id, of_game in by_game.items()]
    return PersonSummary(
        tuple(sorted(games, key=lambda game: (-game.n, game.ruleset))),
        find_runs(person, in_order) if in_order else None,
        find_rivals(pairs_that_met(book, game_filter), person),
        WonTogether(sum(play.place == 1 for play in together), len(together)),
        sum(lengths),
        len(lengths),
        len({row.game for row in rows}) - len({play.game for play in plays}),
    )


def _plays_of_person_query(game_filter: Filter) -> Query:
    condition, given = counted_seats(game_filter)
    competes = IS_COMPETITIVE if game_filter.club else "1 = 1"
    return Query(
        "SELECT s.ruleset, CAST(s.game AS TEXT), s.at, s.place, s.won_60, s.expected_60, "
        f"CASE WHEN {competes} THEN 1 ELSE 0 END, s.against_rules, f.value "
        "FROM seat_summary s LEFT JOIN game_fact f ON f.ruleset = s.ruleset AND f.measure = :length "
        f"AND f.game = s.game AND f.seat = {TABLE} WHERE {condition} ORDER BY s.in_order, s.position, s.seat",
        {**given, "length": LENGTH},
    )


def _game_of_person(ruleset_id: str, plays: Sequence[PlayOfPerson]) -> GameOfPerson:
    competing = [play for play in plays if play.competes]
    won, expected = sum(play.won for play in competing), sum(play.expected for play in competing)
    return GameOfPerson(
        ruleset_id,
        len(plays),
        round(won / WIN, 2),
        round(expected / WIN, 2),
        mean(sum(play.place for play in competing), len(competing)),
    )


def length_query(
    game_filter: Filter,
    splits: tuple[Split, ...] = (),
    columns: str = "COUNT(*), CAST(SUM(f.value) AS DOUBLE PRECISION)",
) -> Query:
    """Build the query for games with a known length: by default their number and added length in seconds."""
    clauses, given = facts_of_counted_seats("game_fact", statistics_of("").measure("length"), splits, game_filter)
    return Query(f"SELECT {columns} {clauses}", given)


def h_index(plays: Iterable[int]) -> int:
    """Return the largest n for which n games were played n times or more."""
    return sum(n >= rank for rank, n in enumerate(sorted(plays, reverse=True), 1))


def people_in(tables: Iterable[FigureTable]) -> set[str]:
    """Return all people named in these tables."""
    return {
        row.cells[place]
        for table in tables
        for place, heading in enumerate(table.headings)
        if heading.kind == "person"
        for row in table.rows
        for person in (row.cells[place], *row.others)
        if person
    }
