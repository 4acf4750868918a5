"""Results that were typed in, in the statistics: in places and wins, told a second time from the club's own lines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any
from uuid import UUID

import pytest

from daybook.domain.commands import Close
from daybook.domain.league.club_commands import EnterResult, RemoveGame, VoidResult
from daybook.domain.league.club_events import BESIDE
from daybook.domain.league.results import Placed
from daybook.services.following import projections
from daybook.services.league import clubs, results
from daybook.services.statistics import explorer, figure_questions, reports, typed_results
from daybook.services.statistics.collect import count_all
from daybook.services.statistics.figure_questions import (
    Filter,
    Question,
    club_filter,
    compute_table,
    count_by_ruleset,
    games_behind,
)
from daybook.services.statistics.table import mean
from daybook.services.statistics.visibility import private_games
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from tests.played import key, play, update_games, update_results, write
from tests.query_plans import plans_of
from tests.rows import all_rows
from tests.services import recount
from tests.services.clubbing import open_club_game
from tests.services.leagues import found_mill, merge, places_of, season
from tests.services.recount import Told

pytestmark = pytest.mark.sqlite_suffices

ROWS = (read_models.seat_summary, read_models.game_fact, read_models.counted_game)


@pytest.fixture
def club(book: Daybook) -> UUID:
    return found_mill(book)


def type_in(book: Daybook, club: UUID, season: str, table: str, people: Sequence[Placed], **how: Any) -> None:
    clubs.write(book, club, EnterResult(season, "making_profit", people, table, **how), by="sam", key=key())


def record(book: Daybook, club: UUID, season: str, table: str, seed: int = 5) -> UUID:
    """The game of a table is played to its end."""
    people = book.clubs.get(club).season(season).tables[table].seats
    game = open_club_game(book, club, people, season, table, by="sam")
    play(book, game, seed=seed)
    write(book, game, Close())
    return game


def story(book: Daybook, club: UUID, spring: str) -> None:
    """Typed results: one with a tie, one changed, one void, one replaced by a record, and one without seats."""
    type_in(book, club, spring, "1", [Placed("anna", 1, 1, 40), Placed("ben", 0, 1, 40), Placed("cleo", 2, 3, 31)])
    type_in(book, club, spring, "2", places_of("finn", "eve", "dan"))
    type_in(book, club, spring, "2", places_of("dan", "eve", "finn"), why="the other way round")
    type_in(book, club, spring, "3", places_of("dan", "ben", "finn"))
    clubs.write(book, club, VoidResult(spring, "3", "it was a rehearsal"), by="ursula", key=key())
    type_in(book, club, spring, "4", places_of("anna", "eve", "cleo"))
    record(book, club, spring, "4")
    clubs.write(
        book,
        club,
        EnterResult(
            BESIDE, "water_frame", [Placed("ben", None, 1), Placed("dan", None, 2)], ended_at="2026-11-01T20:00:00.000Z"
        ),
        by="sam",
        key=key(),
    )


def catch_up(book: Daybook) -> None:
    update_games(book)
    update_results(book)
    count_all(book)


def all_told(book: Daybook, club: UUID) -> list[Told]:
    """Return the club's counted results, recorded and typed, in the order of their days."""
    games = recount.read(book).games + recount.typed_games(book, club)
    return sorted(games, key=lambda game: str(game.opening["at"]))


def of(book: Daybook, club: UUID, **more: object) -> Filter:
    return figure_questions.club_filter(book.clubs.get(club), **more)  # type: ignore[arg-type]


def test_games_of_one_evening_keep_their_typed_order(book, club):
    """All end on one day; the winner of the first four has a run of four, also after a correction."""
    free = season(book, club, "free")
    for number in range(1, 9):
        people = places_of("anna", "ben", "cleo") if number <= 4 else places_of("ben", "anna", "cleo")
        clubs.write(
            book,
            club,
            EnterResult(free, "making_profit", people, ended_at="2026-01-20T20:00:00.000Z"),
            by="sam",
            key=key(),
        )
    clubs.write(
        book,
        club,
        EnterResult(free, "making_profit", places_of("anna", "cleo", "ben"), "2", why="a slip"),
        by="sam",
        key=key(),
    )
    catch_up(book)
    runs = {row.cells[0]: (row.cells[2], row.cells[5]) for row in reports.win_streaks(book, of(book, club)).rows}
    assert runs["anna"] == (4, 0) and runs["ben"] == (4, 4)
    found = results.season_results(book, book.clubs.get(club), free)
    assert [item.table for item in found] == [str(number) for number in range(1, 9)]


# --- against the second computation ----------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_typed_results_count_in_places_and_wins_as_clubs_say(book, club, spring):
    story(book, club, spring)
    catch_up(book)
    games, filter = all_told(book, club), of(book, club)
    assert len(games) == 4

    def cells_of(splits: tuple[figure_questions.Split, ...]) -> dict[object, tuple[object, ...]]:
        table = compute_table(book, Question("place", splits, filter))
        return {
            row.cells[: len(splits)]: tuple(row.cells[len(splits) :][at] for at in (0, 1, 4, 5)) for row in table.rows
        }

    def expected_cells(found: dict[object, tuple[int, int, object, object]]) -> dict[object, tuple[object, ...]]:
        return {
            place: (n, round(sum / n, 2), round(float(won), 2), round(float(due), 2))  # type: ignore[arg-type]
            for place, (n, sum, won, due) in found.items()
        }

    assert cells_of(("person",)) == expected_cells(recount.places(games, lambda game, seat: (game.person(seat),)))
    assert cells_of(("seats",)) == expected_cells(recount.places(games, lambda game, seat: (game.seats,)))
    assert cells_of(("ruleset",)) == expected_cells(
        recount.places(games, lambda game, seat: (game.opening["ruleset"],))
    )
    by_place = compute_table(book, Question("place", ("place",), filter))
    ranks = [rank for game in games for rank in game.closed["ranks"]]
    assert {row.cells[0]: row.n for row in by_place.rows} == {rank: ranks.count(rank) for rank in ranks}
    seated = [game for game in games if game.opening["seats"][0].get("seat", 0) is not None]
    assert cells_of(("seat",)) == expected_cells(
        recount.places(seated, lambda game, seat: (game.opening["seats"][seat].get("seat", seat),))
    )
    assert len(seated) == 3, "of one game nobody said who sat where"

    pairs = reports.head_to_head(book, filter)
    assert {(row.cells[0], row.cells[1]): row.cells[2:5] for row in pairs.rows} == recount.meetings(games)
    runs = reports.win_streaks(book, filter)
    assert {row.cells[0]: (row.cells[1], row.cells[2], row.cells[5]) for row in runs.rows} == {
        person: (len(run.line), run.longest, run.now) for person, run in recount.runs(games).items()
    }
    assert pairs.n == runs.n == 4


def test_the_games_behind_a_figure_name_what_was_typed_in(book, club, spring):
    story(book, club, spring)
    catch_up(book)
    filter = of(book, club)
    results = {item.game for item in games_behind(book, Question("place", (), filter))}
    tables = typed_results.typed_tables(book, book.clubs.get(club), results)
    for split in ("person", "seats", "seat", "won", "place", "month", "ruleset", "value"):
        question = Question("place", (split,), filter)  # type: ignore[arg-type]
        for row in compute_table(book, question).rows:
            behind = games_behind(book, question, row.key)
            assert len(behind) == row.n
            for each_item in behind:
                assert each_item.typed == (each_item.game in tables)
                assert (each_item.step is None) == each_item.typed
    found = games_behind(book, Question("place", ("person",), filter), "ben")
    assert [(value.typed, value.seat, value.total, value.place) for value in found] == [
        (True, None, None, 1),
        (True, 0, 40, 1),
    ]
    assert {tables[item.game].id for item in found} == {"1"}
    assert {tables[game].result_id for game in reports.games_of_pair(book, filter, "anna", "ben")} == {"1.1"}


def test_questions_about_moves_exclude_typed_results(book, club, spring):
    story(book, club, spring)
    catch_up(book)
    filter = of(book, club)
    for measure in figure_questions.measures("making_profit"):
        if measure.key in typed_results.MEASURES:
            continue
        question = Question(
            measure.key, (), figure_questions.club_filter(book.clubs.get(club), ruleset_id="making_profit")
        )
        behind = games_behind(book, question)
        assert len({item.game for item in behind}) <= 1 and not any(value.typed for value in behind), measure.key
        assert compute_table(book, question).n == 1, measure.key
    assert reports.record_values(book, filter).n == 2
    assert reports.compare_winners(book, of(book, club, ruleset_id="making_profit")).n == 1
    assert explorer.find_setups(book, filter).n == 1
    score, place = Question("score", ("person",), filter), Question("place", ("person",), filter)
    tables = [
        compute_table(book, score),
        compute_table(book, place),
        reports.head_to_head(book, filter),
        reports.win_streaks(book, filter),
    ]
    assert [(table.n, table.typed) for table in tables] == [(2, 1), (4, 3), (4, 3), (4, 3)]
    seats = compute_table(book, Question("place", ("seat",), filter))
    assert (seats.n, seats.typed) == (3, 2)
    assert compute_table(book, Question("place", ("colour",), filter)).n == 1


@pytest.mark.both_databases
def test_scores_of_typed_results_equal_a_plain_calculation(book, club):
    random, played = Random(11), list[list[Placed]]()
    for _ in range(12):
        people = random.sample(["anna", "ben", "cleo", "dan"], 3)
        scores = sorted((random.choice([None, 4, 7, 30, 30]) for _ in people), key=lambda score: -(score or 0))
        places = [1 + sum((other or 0) > (score or 0) for other in scores) for score in scores]
        seats = random.choice([(None, None, None), (2, 0, 1), (None, 1, 2)])
        played.append([Placed(*row) for row in zip(people, seats, places, scores, strict=True)])
        type_in(book, club, BESIDE, "", played[-1])
    catch_up(book)
    filter = of(book, club)
    known = [player for game in played for player in game if player.score is not None]
    table = compute_table(book, Question("score", ("person",), filter))
    for row in table.rows:
        own = [player.score for player in known if player.person == row.cells[0]]
        assert (row.n, row.cells[2], row.cells[3], row.cells[4]) == (
            len(own),
            mean(sum(own), len(own)),
            min(own),
            max(own),
        )
    assert sum(row.n for row in table.rows) == len(known)
    whole = [game for game in played if all(player.score is not None for player in game)]
    assert whole and len(whole) < len(played)
    [row] = compute_table(book, Question("winning_score", (), filter)).rows
    best = [max(player.score for player in game) for game in whole]
    assert (row.n, row.cells[1], row.cells[2], row.cells[3]) == (
        len(whole),
        mean(sum(best), len(best)),
        min(best),
        max(best),
    )
    records = {(row.cells[0], row.cells[1]): row.cells[2] for row in reports.record_values(book, filter).rows}
    assert records["score", "most"] == max(player.score for player in known)
    margins = [sorted((player.score for player in game), reverse=True) for game in whole]
    assert records["winning_margin", "most"] == max(scores[0] - scores[1] for scores in margins)


# --- which count -----------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_typed_results_count_in_their_club_alone(book, club, spring):
    story(book, club, spring)
    catch_up(book)

    def n(filters: Filter) -> int:
        return compute_table(book, Question("place", ("person",), filters)).n

    assert n(of(book, club)) == 4
    assert n(of(book, club, season=spring)) == 3 and n(of(book, club, season=BESIDE)) == 1
    assert n(of(book, club, people=["ben"])) == 2
    assert n(Filter(practice="yes")) == 1, "what a club typed in is counted for the club alone"
    assert private_games(book, recorded_games(book)) == set(recorded_games(book)), "and in no list of games"


def recorded_games(book: Daybook) -> list[UUID]:
    return book.log.game_ids()


def test_merged_people_have_their_typed_results_together(book, club, spring):
    type_in(book, club, spring, "1", places_of("anna", "ben", "cleo"))
    book.kept.keep_person("anneke", "Anneke")
    merge(book, club, "anna", "anneke")
    clubs.write(
        book, club, EnterResult(BESIDE, "making_profit", places_of("anneke", "eve", "dan")), by="sam", key=key()
    )
    catch_up(book)
    table = compute_table(book, Question("place", ("person",), of(book, club)))
    assert {row.cells[0]: row.n for row in table.rows}["anna"] == 2
    assert "anneke" not in table.column("person")


# --- rows ------------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_rows_are_equal_event_by_event_in_one_go_and_rebuilt(book, club, spring):
    story(book, club, spring)
    found = []
    for limit in (1, 7, 500):
        with book.views.begin() as connection:
            for table in (*read_models.RESULTS, *ROWS, read_models.position):
                connection.execute(table.delete())
        projector = projections.BatchProjector(book, projections.results_projection(book), limit=limit)
        while projector.process_batch():
            pass
        update_games(book)
        count_all(book)
        found.append(all_rows(book.views, ROWS))
    projections.rebuild_read_models(book)
    found.append(all_rows(book.views, ROWS))
    assert found[0] == found[1] == found[2] == found[3]
    assert sum(row[3] == typed_results.KIND for row in found[0]["seat_summary"]) == 3 + 3 + 2
    assert sum(row[3] == typed_results.KIND for row in found[0]["counted_game"]) == 5, "two of them have no figures"


def test_void_typed_result_goes_and_returns_without_its_record(book, club, spring):
    def people() -> list[str]:
        update_results(book)
        return sorted(
            row[7]
            for row in all_rows(book.views, [read_models.seat_summary])["seat_summary"]
            if row[3] == typed_results.KIND
        )

    type_in(book, club, spring, "1", places_of("anna", "ben", "cleo"))
    assert people() == ["anna", "ben", "cleo"]
    game = record(book, club, spring, "1")
    assert people() == []
    clubs.write(book, club, RemoveGame(spring, "1", str(game), "the wrong record"), by="olga", key=key())
    assert people() == ["anna", "ben", "cleo"]
    clubs.write(book, club, VoidResult(spring, "1", "nobody remembers"), by="ursula", key=key())
    assert people() == [] and book.games.get(game).status == "closed"
    facts = all_rows(book.views, [read_models.game_fact])["game_fact"]
    assert not [fact for fact in facts if fact[1] == typed_results.PLACE and fact[2] != game]


def test_a_result_that_is_typed_anew_leaves_nothing_of_the_first(book, club):
    for ruleset, people in (("making_profit", ("anna", "ben", "cleo")), ("water_frame", ("cleo", "ben"))):
        table = "1" if book.clubs.get(club).beside.tables else None
        clubs.write(
            book, club, EnterResult(BESIDE, ruleset, places_of(*people), table, why="typed anew"), by="sam", key=key()
        )
        update_results(book)
    rows = all_rows(book.views, ROWS)
    assert [(row[2], row[7]) for row in rows["seat_summary"]] == [("water_frame", "cleo"), ("water_frame", "ben")]
    assert [(row[0], row[4]) for row in rows["game_fact"]] == [("water_frame", 1), ("water_frame", 2)]


@pytest.mark.both_databases
def test_events_taken_in_twice_leave_the_same_rows(book, club, spring):
    story(book, club, spring)
    catch_up(book)
    before = all_rows(book.views, ROWS)
    with book.views.begin() as connection:
        results.write_rows(connection, results.fold(book, book.log.since(0, 10_000)))
    assert all_rows(book.views, ROWS) == before


def test_a_table_of_typed_results_is_a_file(book, club, spring):
    story(book, club, spring)
    catch_up(book)
    table = compute_table(book, Question("place", ("person",), of(book, club)))
    told = json.loads(table.json())
    assert (told["n"], told["typed"]) == (4, 3)
    assert len(table.csv().splitlines()) == len(table.rows) + 1


def test_what_was_not_played_is_in_no_statistics(book, club, spring):
    clubs.write(
        book,
        club,
        EnterResult(spring, "making_profit", places_of("anna", "ben", "cleo"), "1", walkover=True),
        by="sam",
        key=key(),
    )
    type_in(
        book,
        club,
        spring,
        "2",
        [Placed(person, seat, 1, dropped=True) for seat, person in enumerate(("dan", "eve", "finn"))],
    )
    catch_up(book)
    assert all_rows(book.views, [read_models.seat_summary])["seat_summary"] == []
    type_in(book, club, spring, "1", places_of("anna", "ben", "cleo"), why="it was played after all")
    catch_up(book)
    assert len(all_rows(book.views, [read_models.seat_summary])["seat_summary"]) == 3


def test_plays_of_person_and_game_are_read_by_index(book):
    club = found_mill(book)
    of = club_filter(book.clubs.get(club), people=["pia"])
    of_person = plans_of(book, lambda: count_by_ruleset(book, of))
    assert any(" t " in plan and "(game=?)" in plan for plan in of_person)
    of_game = plans_of(book, lambda: count_by_ruleset(book, club_filter(book.clubs.get(club), ruleset_id=":Azul")))
    assert any("(ruleset=? AND club=?)" in plan for plan in of_game)
