"""Statistics for programs: the measures, answers to questions, and the games behind an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn
from uuid import UUID

import msgspec
from msgspec import Meta

from daybook.domain.kernel.field_types import Day
from daybook.domain.kernel.frozen import Frozen
from daybook.domain.kernel.terms import Seat
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import PLAYERS_LIMIT
from daybook.domain.league.scores import Score
from daybook.services.analysis.reports import (
    costly_moves_table,
    count_analysed,
    luck_and_play_table,
    turning_points_table,
)
from daybook.services.days import time_shown
from daybook.services.paging import ListPage
from daybook.services.permissions.actions import readable_games
from daybook.services.statistics import figure_questions, reports, typed_results, visibility
from daybook.services.statistics.figure_questions import (
    SPLITS,
    Filter,
    InvalidQuestionError,
    Question,
    between_days,
    club_filter,
)
from daybook.services.statistics.queries import ask_once, remember_answers
from daybook.services.statistics.table import FigureTable, Heading, page_of_table
from daybook.services.store.daybook import Daybook
from daybook.web.api.base import book, section
from daybook.web.api.clubs import requested_club
from daybook.web.api.errors import ApiError
from daybook.web.api.keys import games_of_key, holder
from daybook.web.api.pages import fetch_page
from daybook.web.api.requests import GameKey, PersonId, Place, PlainText, TimeZone

statistics = section("Statistics", "Statistics of closed games, with the games behind each figure.")

GAMES = 200
if TYPE_CHECKING:
    from daybook.services.statistics.figure_questions import Split
else:
    Split = Literal[tuple(SPLITS)]
MeasureName = Annotated[str, Meta(min_length=1, max_length=64)]
Splits = Annotated[list[Split], Meta(max_length=2)]


class FiguresQuery(Frozen):
    """A query that selects the games to count."""

    ruleset: GameKey | None = None  # of this game; default: all together
    club: UUID | None = None  # of this club, by its settings; default: all games that the key may read
    # of this season of the club, or `beside` for games outside the seasons
    season: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    person: PersonId | None = None  # of this person of the club: an id
    # games of this number of players; default: all but those played alone
    seats: Annotated[int, Meta(ge=1, le=PLAYERS_LIMIT)] | None = None
    practice: Literal["no", "yes", "only"] = "no"  # practice games; a club's settings decide it themselves
    since: Day | None = None  # games played, or opened if the day is unknown, on this day or later
    until: Day | None = None  # games played, or opened if the day is unknown, on this day or earlier
    tz: TimeZone | None = None  # the time zone of days, months and years; default: the club's, or UTC


class TableQuery(FiguresQuery):
    after: Place = ""  # where the page begins: from `next` of the page before
    limit: Annotated[int, Meta(ge=1, le=5000)] | None = None  # rows per page; default 1000


class AnswerQuery(TableQuery, kw_only=True):
    measure: MeasureName  # what is counted, as GET /statistics/measures lists it
    split: Splits = []  # split by these, at most two


class GamesBehindQuery(FiguresQuery, kw_only=True):
    measure: MeasureName  # as in GET /statistics/answer
    split: Splits = []  # as in GET /statistics/answer
    row: PlainText = ""  # games behind the row with this key; default: behind all rows


class MeasuresQuery(Frozen):
    ruleset: GameKey | None = None  # of this game; default: the measures of all games


class MeasureShown(Frozen):
    measure: str
    title: str
    unit: str
    per_game: bool  # counted once per game, not once per seat
    splits: list[str]  # possible splits, one or two at once


class AskedShown(Frozen):
    """A question in plain words."""

    question: str
    measure: str
    splits: list[str]


class MeasuresShown(Frozen):
    ruleset: str
    measures: list[MeasureShown]
    questions: list[AskedShown]


class RowShown(Frozen):
    key: str  # the `row` of GET /statistics/games
    n: int  # games or seats behind it
    cells: dict[str, Any]
    game: str | None  # null also if this key may not read the game
    step: int | None
    others: list[str]  # people who reached the same record later


class TableOfFigures(Frozen):
    """A table. A rate of fewer than five games is null."""

    table: str
    title: str
    n: int  # games that count
    typed: int  # typed results without a record, of these
    left_out: int  # games that do not count because the rules disagree with their records
    columns: list[Heading]
    rows: list[RowShown]
    names: dict[str, str]  # of people in it, by id
    next: str | None  # the address of the next page; null: this is the last


class LuckShown(Frozen):
    """Estimates by practice players, from games that this key may read; in percentage points."""

    games: int  # games that count
    known: int  # games with known win chances; the tables are about these
    unwanted: int  # games without chances by the groups' choice
    people: TableOfFigures  # by person: luck (drawn), decisions, and what cannot be separated
    moves: TableOfFigures  # the costliest moves, with what was better
    swings: TableOfFigures  # the largest changes of chances


class GameBehind(Frozen):
    """A game behind a figure. A typed result has no game and no step, and may have no seat or score."""

    game: str | None  # null also if this key may not read it
    step: int | None
    seat: Seat | None  # -1: the whole game
    person: str
    value: Score
    place: int
    total: Score | None
    at: str
    season: str | None = None  # of a typed result, as the next
    table: str | None = None


class GamesBehind(Frozen):
    games: list[GameBehind]  # the greatest value first, at most 200
    left_out: int  # games that do not count because the rules disagree with their records
    names: dict[str, str]


# --- which games -----------------------------------------------------------------------------------------------------


def _requested_games(query: FiguresQuery) -> Filter:
    """Return the filter of a query: a club's games, or all that this key may read. Raises ApiError."""
    holder()
    ruleset = query.ruleset or ""
    if query.club is not None:
        games = _of_club(query, query.club, ruleset)
    elif query.season is not None or query.person is not None:
        raise ApiError(422, "club_missing", "`season` and `person` need a club", "send `club` too")
    else:
        games = Filter(ruleset=ruleset, readable=_readable_games(), practice=query.practice)
    games = msgspec.structs.replace(games, seats=query.seats or 0, zone=query.tz or games.zone)
    return between_days(games, query.since or "", query.until or "")


def _readable_games() -> frozenset[UUID]:
    return visibility.private_games(book(), games_of_key())


def _of_club(query: FiguresQuery, club_id: UUID, ruleset_id: str) -> Filter:
    club, season = requested_club(club_id), query.season
    people = [] if query.person is None else [query.person]
    try:
        return club_filter(club, BESIDE if season == "beside" else season, ruleset_id, people)
    except KeyError:
        raise ApiError(
            404, "unknown_season", f"the club has no season {season!a}", "GET /clubs/{club} lists its seasons"
        ) from None


def _question(query: AnswerQuery | GamesBehindQuery) -> Question:
    return Question(query.measure, tuple(query.split), _requested_games(query))


def _no_question(bad: InvalidQuestionError) -> NoReturn:
    raise ApiError(422, "bad_question", str(bad)[:300], "GET /statistics/measures lists the measures") from bad


# --- answers ---------------------------------------------------------------------------------------------------------


@statistics.reads("/statistics/measures", MeasuresShown, "what is counted", query=MeasuresQuery, fails=(400, 422))
def list_measures(query: MeasuresQuery) -> MeasuresShown:
    """List the measures, and the questions in plain words"""
    ruleset = query.ruleset or ""
    return MeasuresShown(
        ruleset,
        [
            MeasureShown(
                measure.key, measure.says, measure.unit, measure.whole, list(figure_questions.splits_of(measure))
            )
            for measure in figure_questions.measures(ruleset)
        ],
        [AskedShown(preset.says, preset.measure, preset.split.split()) for preset in figure_questions.presets(ruleset)],
    )


@statistics.reads("/statistics/answer", TableOfFigures, "the answer", query=AnswerQuery)
def show_answer(query: AnswerQuery) -> TableOfFigures:
    """Ask a question

    A question is a measure of some games, split by at most two properties. Only closed games are counted.
    """
    try:
        question = _question(query)
        return _page_shown(
            query, question.filter, ("answer", question), partial(figure_questions.compute_table, question=question)
        )
    except InvalidQuestionError as bad:
        _no_question(bad)


@statistics.reads("/statistics/games", GamesBehind, "the games", query=GamesBehindQuery)
def show_games(query: GamesBehindQuery) -> GamesBehind:
    """Show the games behind an answer

    The list has the games behind one row, named by its key, or behind the whole answer.
    """
    try:
        question = _question(query)
        behind = figure_questions.games_behind(book(), question, query.row, GAMES)
    except InvalidQuestionError as bad:
        _no_question(bad)
    may = readable_games(book(), {row.game for row in behind if not row.typed}, holder)
    club = None if query.club is None else requested_club(query.club)
    results = {} if club is None else typed_results.typed_tables(book(), club, {row.game for row in behind})
    return GamesBehind(
        [
            GameBehind(
                str(row.game) if row.game in may else None,
                row.step if row.game in may else None,
                row.seat,
                row.person,
                row.value,
                row.place,
                row.total,
                row.at if club is None else time_shown(club, row.at),
                *((results[row.game].season or "beside", results[row.game].id) if row.game in results else ()),
            )
            for row in behind
        ],
        figure_questions.count_left_out(book(), question.filter),
        book().kept.names({row.person for row in behind if row.person}),
    )


@statistics.reads(
    "/statistics/winners", TableOfFigures, "every measure, of winners and of the others", query=TableQuery
)
def show_winners(query: TableQuery) -> TableOfFigures:
    """Show what winners do differently

    The measures are of one game. The most certain difference comes first (Welch's t). Each is in units of the measure's
    standard deviation, with its interval.
    """
    try:
        of = _requested_games(query)
        return _page_shown(query, of, ("winners",), partial(reports.compare_winners, game_filter=of))
    except InvalidQuestionError as bad:
        _no_question(bad)


@statistics.reads("/statistics/records", TableOfFigures, "the records", query=TableQuery)
def show_records(query: TableQuery) -> TableOfFigures:
    """Show records

    The answer has the highest and the lowest figures, each with its game and step.
    """
    of = _requested_games(query)
    return _page_shown(query, of, ("records",), partial(reports.record_values, game_filter=of))


@statistics.reads("/statistics/meetings", TableOfFigures, "each pair that met", query=TableQuery)
def show_meetings(query: TableQuery) -> TableOfFigures:
    """Show results of each pair of players"""
    of = _requested_games(query)
    return _page_shown(query, of, ("meetings",), partial(reports.head_to_head, game_filter=of))


@statistics.reads("/statistics/streaks", TableOfFigures, "each person's longest run of wins", query=TableQuery)
def show_streaks(query: TableQuery) -> TableOfFigures:
    """Show runs of wins"""
    of = _requested_games(query)
    return _page_shown(query, of, ("streaks",), partial(reports.win_streaks, game_filter=of))


@statistics.reads("/statistics/luck", LuckShown, "luck and play", query=TableQuery)
def show_luck(query: TableQuery) -> LuckShown:
    """Show luck and play, and the moves that cost most

    The answer has the means of each person with at least five games, with intervals (Student, 95 %), and 20 moves and 20
    swings.
    """
    of = msgspec.structs.replace(_requested_games(query), readable=_readable_games())
    found, everybody = count_analysed(book(), of), luck_and_play_table(book(), of)
    (people,), more = fetch_page(query, partial(page_of_table, everybody))
    return LuckShown(
        found.games,
        found.known,
        found.unwanted,
        _table_shown(people, of, more),
        _table_shown(costly_moves_table(book(), of), of),
        _table_shown(turning_points_table(book(), of), of),
    )


def _page_shown(
    query: TableQuery, games: Filter, about: Sequence[Any], ask: Callable[[Daybook], FigureTable]
) -> TableOfFigures:
    """Return a page of a table's rows. `about` names the table."""

    def page_after(after: str, limit: int) -> ListPage[FigureTable]:
        return ask_once(
            ["page", about, games, after, limit],
            lambda: page_of_table(ask(book()), after, limit),
            lambda page: len(page.rows[0].rows),
        )

    with remember_answers(book()):
        (table,), more = fetch_page(query, page_after)
        return _table_shown(table, games, more)


def _table_shown(table: FigureTable, games: Filter, more: str | None = None) -> TableOfFigures:
    may = readable_games(book(), {row.game for row in table.rows if row.game is not None}, holder)
    keys = [heading.key for heading in table.headings]
    return TableOfFigures(
        table.key,
        table.says,
        table.n,
        table.typed,
        figure_questions.count_left_out(book(), games),
        list(table.headings),
        [
            RowShown(
                row.key,
                row.n,
                dict(zip(keys, row.cells, strict=True)),
                str(row.game) if row.game in may else None,
                row.step if row.game in may else None,
                [*row.others],
            )
            for row in table.rows
        ],
        book().kept.names(reports.people_in([table])),
        more,
    )
