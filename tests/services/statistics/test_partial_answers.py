"""Answers put together from stretches of the log are those of the same query asked of everything at once."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from functools import cache, partial
from itertools import groupby
from random import Random
from uuid import UUID

import msgspec
import pytest
import sqlalchemy as sa

from daybook.domain.commands import Reopen
from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.following import projections
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import (
    collect,
    explorer,
    figure_questions,
    openings,
    partial_answers,
    queries,
    reports,
    visibility,
)
from daybook.services.statistics.figure_questions import Filter, Question, compute_table
from daybook.services.statistics.partial_answers import Additive, Narrowing, cached_rows, uncached_rows
from daybook.services.statistics.runs_of_wins import WinRuns
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.read_models import partial_answer
from tests.filled import Filled, filled_once
from tests.played import update_games, write

MP = "making_profit"
EVERYBODYS = Filter(ruleset=MP, practice="yes", readable=frozenset())
GAMES = 14
SOME = ("score", "dividends", "winning_margin")  # measures

pytestmark = pytest.mark.sqlite_suffices


@pytest.fixture(autouse=True)
def short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stretch holds a game or two, and four of them are one of the next level."""
    for module in (read_models, partial_answers):
        monkeypatch.setattr(module, "STRETCH_BITS", 8)
    monkeypatch.setattr(partial_answers, "LEVEL_BITS", 2)


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
    """Games of so many people each, closed, public and counted."""
    ids = list(
        simulate.insert_copies(
            book, games_played(players, 3, seed), several, simulate.demonstration_players(5, 1), seed
        )
    )
    update_games(book)
    collect.count_all(book)
    return ids


def standing(book: Daybook, of: Filter = EVERYBODYS, measures: Collection[str] = ()) -> Iterator[Additive]:
    """A query of every kind; of these measures, or of all."""
    for measure in figure_questions.measures(MP):
        if measures and measure.key not in measures:
            continue
        for splits in ((), ("seats", "seat"), ("person",), ("won",), ("month",), ("what",), ("number", "what")):
            if set(splits) <= set(figure_questions.splits_of(measure)):
                question = Question(measure.key, splits, of)  # type: ignore[arg-type]
                yield figure_questions.query_of(question, measure)
        if not measure.things:
            yield from (reports.record_query(measure, way, of) for way in ("DESC", "ASC"))  # type: ignore[arg-type]
    yield explorer.setups_query(of)
    for setup in (row.key for row in explorer.find_setups(book, EVERYBODYS).rows):
        yield explorer.seats_query(setup, "seats", "", of)
        yield explorer.next_query(openings.root_key(setup, "seats"), of)


def rows(found: queries.Rows) -> list[str]:
    """In any order; an id is written in several ways."""
    return sorted(str([str(cell).replace("-", "") for cell in row]) for row in found)


def assert_right(book: Daybook, measures: Collection[str] = ()) -> None:
    for query in standing(book, EVERYBODYS, measures):
        assert rows(cached_rows(book, query)) == rows(uncached_rows(book, query)), query.text


@pytest.mark.slow
@pytest.mark.both_databases
def test_answers_stay_right_while_games_change_and_hide(book, games):
    random = Random(1)
    assert_right(book)  # what is kept of every query from now on
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
        assert_right(book, SOME)
    assert_right(book)


@pytest.mark.both_databases
def test_filtered_answers_equal_the_question_about_those_games(book, games):
    games_filled(book, 2, 5, 2)
    days = sorted(visibility.days_played(book, book.log.game_ids()).values())
    for since, until, seats in (
        ("", "", 2),
        (days[4], "", 0),
        ("", days[-4], 2),
        (days[2], days[-3], 3),
        (days[5], days[6], 0),
        ("3000", "", 0),
        ("", "1900", 2),
        ("", "", 4),
    ):
        of = msgspec.structs.replace(EVERYBODYS, seats=seats, since=since, until=until)
        of_days = msgspec.structs.replace(of.wide, seats=seats)
        for wide, by_person, narrowed in zip(
            *(standing(book, some, SOME) for some in (of.wide, of_days, of)), strict=True
        ):
            if wide.lowest:  # of people each number of players is a question of its own
                found = cached_rows(book, by_person, of.narrowing._replace(seats=0))
            else:
                found = cached_rows(book, wide, of.narrowing)
            assert rows(found) == rows(uncached_rows(book, narrowed)), (of, wide.text)


def test_answers_about_all_games_are_reused_for_some_of_them(book, games, monkeypatch):
    games_filled(book, 2, 5, 2)
    question = Question("score", ("seat",), EVERYBODYS)
    compute_table(book, question)
    compute_table(book, msgspec.structs.replace(question, filter=msgspec.structs.replace(EVERYBODYS, since="3000")))
    asked = list[queries.Query]()

    def run_noted(of: Daybook, query: queries.Query) -> queries.Rows:
        asked.append(query)
        return queries.run_uncached(of, query)

    for name in ("run", "run_uncached"):
        monkeypatch.setattr(partial_answers, name, run_noted)
    days = sorted(visibility.days_played(book, book.log.game_ids()).values())
    for narrowed in ({"seats": 2}, {"since": days[3]}, {"seats": 3, "since": days[3], "until": days[-3]}):
        asked.clear()
        compute_table(book, msgspec.structs.replace(question, filter=msgspec.structs.replace(EVERYBODYS, **narrowed)))
        positions = sum(int(query.given["end"]) - int(query.given["first"]) for query in asked)
        cut = sum(bound in narrowed for bound in ("since", "until"))
        assert positions >> read_models.STRETCH_BITS <= 2 * 2 * cut, narrowed  # of the question, and of how many games


def test_merged_answer_is_cached_until_something_is_counted(book, games):
    games_filled(book, 2, 5, 2)
    question, asked = Question("score", ("seat",), EVERYBODYS), list[str]()
    measure = figure_questions.measure_of(question)
    query = figure_questions.query_of(question, measure)

    def note(*of: object) -> None:
        asked.append(str(of[2]))

    with queries.remember_answers(book):
        first = cached_rows(book, query)
        sa.event.listen(book.views, "before_cursor_execute", note)
        assert cached_rows(book, query) == first and not asked
        assert rows(cached_rows(book, query, Narrowing(seats=2))) != rows(first) and asked
        sa.event.remove(book.views, "before_cursor_execute", note)
    games_filled(book, 2, 5, 9)
    with queries.remember_answers(book):
        assert rows(cached_rows(book, query)) == rows(uncached_rows(book, query)) != rows(first)


def runs_read_in_order(book: Daybook, of: Filter) -> dict[str, tuple[object, ...]]:
    """Of each person: games, most wins one after the other, since, until, running now, most games without a win."""
    condition, given = figure_questions.counted_seats(of)
    found: dict[str, list[tuple[str, bool]]] = {}
    for person, at, won in queries.run_uncached(
        book,
        queries.Query(
            f"SELECT s.person, s.at, s.won_60 FROM seat_summary s WHERE {condition} ORDER BY s.at, s.position", given
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
def test_win_streaks_merged_from_parts_equal_those_in_order(book, games, monkeypatch):
    games_filled(book, 2, 8, 2)
    again = list[set[str]]()
    read = reports._runs_read_in_order

    def read_noted(of_book: Daybook, of: Filter, people: Collection[str]) -> list[WinRuns]:
        again.append(set(people))
        return read(of_book, of, people)

    monkeypatch.setattr(reports, "BY_PERSON", 0)  # parts of a game or two
    monkeypatch.setattr(reports, "_runs_read_in_order", read_noted)

    def assert_right() -> None:
        days = sorted(visibility.days_played(book, book.log.game_ids()).values())
        for narrowed in ({}, {"seats": 2}, {"since": days[3]}, {"seats": 3, "since": days[2], "until": days[-4]}):
            of = msgspec.structs.replace(EVERYBODYS, **narrowed)
            table = reports.win_streaks(book, of)
            assert {row.cells[0]: row.cells[1:] for row in table.rows} == runs_read_in_order(book, of), narrowed

    for place, game in enumerate(sorted(book.log.game_ids(), key=lambda id: book.log.position(id, 0))):
        play_on(book, game, f"2026-01-{place + 1:02}T18:00:00.000Z")  # as they follow one another in the log
    assert_right()
    assert not again, "nobody's seats had to be read again"
    play_on(book, games[2], "2026-01-12T19:00:00.000Z")  # a notebook was typed in later
    assert_right()
    assert again and all(people <= set(people_of(book, games[2])) for people in again)


def play_on(book: Daybook, game: UUID, at: str) -> None:
    """Have a game be counted as played at another time."""
    summary = read_models.seat_summary
    with book.views.begin() as connection:
        connection.execute(summary.update().where(summary.c.game == game).values(at=at))
        read_models.note_changes(connection, [book.log.position(game, 0)])


def people_of(book: Daybook, game: UUID) -> list[str]:
    return [seat.person for seat in book.games.get(game).opening.seats]


def test_slow_answer_gets_further_on_each_request(book, games, monkeypatch):
    monkeypatch.setattr(partial_answers, "STRETCHES_PER_QUERY", 1)
    query, done = next(standing(book)), list[int]()
    for _ in range(3 * GAMES):
        try:
            with partial_answers.answer_time_limit(-1.0):
                assert rows(cached_rows(book, query)) == rows(uncached_rows(book, query))
            break
        except partial_answers.AnswerTimeoutError as asking:
            done.append(asking.done)
            assert asking.done < asking.of
    assert len(done) > 2 and done == sorted({*done}), "it never ended, or stood still"
    assert rows(cached_rows(book, query)) == rows(uncached_rows(book, query))


def test_only_the_changed_stretch_of_many_games_is_asked_again(book, games):
    query = next(standing(book))
    cached_rows(book, query)
    with book.views.begin() as connection:  # what is kept says that there is nothing, so that it shows
        connection.execute(sa.update(partial_answer).values(rows="{}"))
    assert cached_rows(book, query) == []
    collect.count_game(book, games[0])
    stretch = book.log.position(games[0], 0) >> read_models.STRETCH_BITS
    same = [game for game in games if book.log.position(game, 0) >> read_models.STRETCH_BITS == stretch]
    assert len(same) < GAMES
    assert [row[2] for row in cached_rows(book, query)] == [3 * len(same)]


def test_hidden_game_is_in_figures_only_for_its_readers(book, games):
    def n(of: Filter) -> int:
        return sum(row.n for row in compute_table(book, Question("score", ("seat",), of)).rows)

    assert n(EVERYBODYS) == 3 * GAMES
    visibility.show_game(book, games[0], False)
    assert n(EVERYBODYS) == 3 * (GAMES - 1)
    theirs = visibility.private_games(book, games[:2])
    assert theirs == {games[0]}
    assert n(Filter(ruleset=MP, practice="yes", readable=theirs)) == 3 * GAMES
    visibility.show_game(book, games[0], True)
    assert n(EVERYBODYS) == 3 * GAMES


@pytest.mark.both_databases
def test_rebuild_forgets_answers_and_adopts_who_may_read(book, games):
    assert_right(book, SOME)
    book.kept.show(games[0], False)  # as where the other half was lost with a process
    projections.rebuild_read_models(book)
    with book.views.connect() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(partial_answer)) == 0
    assert compute_table(book, Question("score", ("seat",), EVERYBODYS)).n == GAMES - 1
    assert_right(book, SOME)


def test_a_game_that_is_hidden_while_it_is_counted_is_not_shown(book, games, monkeypatch):
    write_rows = collect.write_rows

    def hidden_meanwhile(connection: sa.Connection, *given: object) -> None:
        book.kept.show(games[0], False)
        write_rows(connection, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(collect, "write_rows", hidden_meanwhile)
    collect.count_game(book, games[0])
    assert compute_table(book, Question("score", ("seat",), EVERYBODYS)).n == GAMES - 1


def test_no_more_queries_are_kept_than_may_be(book, games, monkeypatch):
    monkeypatch.setattr(partial_answers, "MAX_QUERIES", 3)
    measure = figure_questions.measure_of(Question("score"))
    for split in ("seats", "seat", "person", "won", "place", "month"):
        query = partial(figure_questions.query_of, measure=measure)(Question("score", (split,), EVERYBODYS))  # type: ignore[arg-type]
        cached_rows(book, query)
    with book.views.connect() as connection:
        assert len(set(connection.scalars(sa.select(partial_answer.c.query)))) == 3


@pytest.mark.parametrize("forgotten", [sa.true(), partial_answer.c.level > 0, partial_answer.c.level == 0])
@pytest.mark.both_databases
def test_what_another_process_forgets_meanwhile_is_asked_again(book, games, monkeypatch, forgotten):
    query = next(standing(book))
    cached_rows(book, query)
    look = partial_answers._Parts._look

    def look_while_others_forget(parts: partial_answers._Parts) -> None:
        look(parts)
        with book.views.begin() as connection:
            connection.execute(partial_answer.delete().where(forgotten))

    monkeypatch.setattr(partial_answers._Parts, "_look", look_while_others_forget)
    for game in (None, games[3]):  # as it was, and with one stretch that has changed
        if game is not None:
            collect.count_game(book, game)
        assert rows(cached_rows(book, query)) == rows(uncached_rows(book, query))
