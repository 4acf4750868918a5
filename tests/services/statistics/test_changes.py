"""Answers follow games that are counted, reopened, hidden, shown and rebuilt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import groupby
from random import Random
from uuid import UUID

import msgspec
import pytest
import sqlalchemy as sa

from daybook.domain.commands import Reopen
from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.domain.kernel.times import moment_of_play
from daybook.services.days import moment_in_order
from daybook.services.following import projections
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import collect, explorer, figure_questions, queries, reports, visibility
from daybook.services.statistics.figure_questions import Filter, Question, compute_table
from daybook.services.statistics.table import FigureTable
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.filled import Filled, filled_once
from tests.played import update_games, write

MP = "making_profit"
EVERYBODYS = Filter(ruleset=MP, practice="yes", readable=frozenset())
GAMES = 14
SOME = ("score", "dividends", "winning_margin")  # measures

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture(scope="module")
def filled() -> Iterator[Filled[list[UUID]]]:
    with filled_once(fill) as filled:
        yield filled


@pytest.fixture
def settings(settings: Settings, request: pytest.FixtureRequest, filled: Filled[list[UUID]]) -> Iterator[Settings]:
    with filled.copied(settings, request) as copied:
        yield copied


@pytest.fixture
def games(settings: Settings, filled: Filled[list[UUID]]) -> list[UUID]:
    """Closed public games of three people each, counted."""
    return [*filled.told(settings)]


def fill(settings: Settings) -> list[UUID]:
    with closing(open_daybook(settings)) as book:
        return games_filled(book, 3, GAMES, 1)


@cache
def games_played(players: int, several: int, seed: int) -> list[Game]:
    """A few, of which every daybook is filled with copies."""
    return list(simulate.simulate_games(RULESETS[MP], players, several, seed, {}))


def games_filled(book: Daybook, players: int, several: int, seed: int) -> list[UUID]:
    """Make closed, public and counted games of this many people each."""
    ids = list(
        simulate.insert_copies(
            book, games_played(players, 3, seed), several, simulate.demonstration_players(5, 1), seed
        )
    )
    update_games(book)
    collect.count_all(book)
    return ids


def runs_read_in_order(book: Daybook, game_filter: Filter) -> dict[str, tuple[object, ...]]:
    """Count for each person: games, most wins one after the other, since, until, running now, most games without a win."""
    condition, given = figure_questions.counted_seats(game_filter)
    found: dict[str, list[tuple[str, bool]]] = {}
    for person, at, won in queries.run_uncached(
        book,
        queries.Query(
            f"SELECT s.person, s.at, s.won_60 FROM seat_summary s WHERE {condition} ORDER BY s.in_order, s.position",
            given,
        ),
    ):
        found.setdefault(person, []).append((at, won > 0))
    told = {}
    for person, played in found.items():
        runs = [(won, [at for at, _ in run]) for won, run in groupby(played, key=lambda one: one[1])]
        won_runs = [run for won, run in runs if won] or [[]]
        longest = max(won_runs, key=len)
        told[person] = (
            len(played),
            len(longest),
            longest[0] if longest else "",
            longest[-1] if longest else "",
            len(runs[-1][1]) if runs[-1][0] else 0,
            max([len(run) for won, run in runs if not won], default=0),
        )
    return told


@pytest.mark.both_databases
def test_win_streaks_follow_the_days_of_games(book, games):
    games_filled(book, 2, 8, 2)
    play_on(book, games[2], "2026-01-12T19:00:00.000Z")  # a notebook was typed in later
    first = min(visibility.days_played(book, games).values())
    play_on(book, games[5], moment_of_play(first[:10]))  # only its day is known
    days = sorted(visibility.days_played(book, book.log.game_ids()).values())
    for narrowed in ({}, {"seats": 2}, {"since": days[3]}, {"seats": 3, "since": days[2], "until": days[-4]}):
        of = msgspec.structs.replace(EVERYBODYS, **narrowed)
        table = reports.win_streaks(book, of)
        assert {row.cells[0]: row.cells[1:] for row in table.rows} == runs_read_in_order(book, of), narrowed


def play_on(book: Daybook, game: UUID, at: str) -> None:
    """Have a game be counted as played at another time."""
    summary = read_models.seat_summary
    with book.views.begin() as connection:
        connection.execute(summary.update().where(summary.c.game == game).values(at=at, in_order=moment_in_order(at)))
        read_models.note_change(connection)


@pytest.mark.both_databases
def test_answer_is_cached_until_something_is_counted(book, games):
    question, asked = Question("score", ("seat",), EVERYBODYS), list[str]()

    def note(*of: object) -> None:
        asked.append(str(of[2]))

    with queries.remember_answers(book):
        first = compute_table(book, question)
        sa.event.listen(book.views, "before_cursor_execute", note)
        assert compute_table(book, question) == first and not asked
        assert compute_table(book, Question("score", ("seats",), EVERYBODYS)) != first and asked
        sa.event.remove(book.views, "before_cursor_execute", note)
    games_filled(book, 2, 5, 9)
    with queries.remember_answers(book):
        assert compute_table(book, question).n == first.n + 5


@pytest.mark.both_databases
def test_every_answer_changes_with_its_games(book, games):
    """Adding, reopening, hiding and showing games leads to the same answers as counting them all at the end."""
    random = Random(1)
    for turn in range(6):
        game = random.choice(games)
        match turn % 3:
            case 0:
                games += simulate.insert_copies(
                    book, games_played(3, 2, 9), 2, simulate.demonstration_players(5, 1), turn
                )
            case 1:
                write(book, game, Reopen("again"), at=book.games.get(game).step, by="Anna")
            case _:
                visibility.show_game(book, game, not book.kept.public_of([game]))
        update_games(book)
        collect.count_all(book)
        with queries.remember_answers(book):
            found = answers(book)
        projections.rebuild_read_models(book)
        assert answers(book) == found


def answers(book: Daybook) -> list[FigureTable]:
    """Answers of every kind about public games."""
    questions = [
        Question(measure.key, splits, EVERYBODYS)  # type: ignore[arg-type]
        for measure in figure_questions.measures(MP)
        if measure.key in SOME
        for splits in ((), ("seats", "seat"), ("person",), ("won",), ("month",), ("what",), ("number", "what"))
        if set(splits) <= set(figure_questions.splits_of(measure))
    ]
    found = [compute_table(book, question) for question in questions]
    found += [ask(book, EVERYBODYS) for ask in (reports.record_values, reports.compare_winners, reports.win_streaks)]
    found.append(explorer.find_setups(book, EVERYBODYS))
    nodes = [explorer.explore_opening(book, row.key, "seats", "", EVERYBODYS) for row in found[-1].rows]
    return [*found, *(table for node in nodes for table in (node.seats, node.next))]


def test_hidden_game_is_in_figures_only_for_its_readers(book, games):
    def n(filters: Filter) -> int:
        return sum(row.n for row in compute_table(book, Question("score", ("seat",), filters)).rows)

    assert n(EVERYBODYS) == 3 * GAMES
    visibility.show_game(book, games[0], False)
    assert n(EVERYBODYS) == 3 * (GAMES - 1)
    theirs = visibility.private_games(book, games[:2])
    assert theirs == {games[0]}
    assert n(Filter(ruleset=MP, practice="yes", readable=theirs)) == 3 * GAMES
    visibility.show_game(book, games[0], True)
    assert n(EVERYBODYS) == 3 * GAMES


@pytest.mark.both_databases
def test_rebuild_adopts_who_may_read(book, games):
    book.kept.show(games[0], False)  # as where the other half was lost with a process
    projections.rebuild_read_models(book)
    assert compute_table(book, Question("score", ("seat",), EVERYBODYS)).n == GAMES - 1


def test_a_game_that_is_hidden_while_it_is_counted_is_not_shown(book, games, monkeypatch):
    write_rows = collect.write_rows

    def hidden_meanwhile(connection: sa.Connection, *given: object) -> None:
        book.kept.show(games[0], False)
        write_rows(connection, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(collect, "write_rows", hidden_meanwhile)
    collect.count_game(book, games[0])
    assert compute_table(book, Question("score", ("seat",), EVERYBODYS)).n == GAMES - 1
