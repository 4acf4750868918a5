"""Read models: rows of games, in tables that can be rebuilt."""

from __future__ import annotations

from threading import Thread
from uuid import UUID

import pytest
import sqlalchemy as sa
from eventsourcing.persistence import Tracking

from daybook.domain.commands import Abandon, Note, Reopen, TakeBack
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook
from daybook.services.store.read_models import list_games
from daybook.services.store.tracking import OvertakenError, ProjectionTracking
from tests.played import open_table_of, play, play_game, update_games, write


def rows(book: Daybook) -> dict[UUID, read_models.GameRow]:
    update_games(book)
    return {row.game: row for row in list_games(book.views, book.kept)}


def test_a_game_is_listed_as_it_stands(book):
    id = open_table_of(book, "Anna Ben", title="Friday night")
    step = play(book, id, 8, seed=1)
    game, row = book.games.get(id), rows(book)[id]
    assert (row.title, row.names, row.colours) == ("Friday night", ("Anna", "Ben"), ("red", "blue"))
    assert (row.ruleset, row.kind, row.status, row.over) == ("making_profit", "table", "running", False)
    assert (row.step, row.marks) == (step, game.ruleset.course.marks(game.board))
    assert row.totals == tuple(score.total for score in game.ruleset.scoring.standing(game.board))
    assert (row.opened_at, row.last_at) == (game.opening.at, game.entries[-1].event.at)


def test_a_row_follows_the_game_through_closing_and_reopening(book):
    id = play_game(book, 2)
    assert (rows(book)[id].status, rows(book)[id].over) == ("closed", True)
    write(book, id, Reopen("a slip"))
    assert rows(book)[id].status == "running"
    write(book, id, Abandon("no time"))
    write(book, id, Note(0, "a pity"))
    assert rows(book)[id].status == "abandoned"


def test_after_a_take_back_the_row_shows_the_earlier_board(book):
    id = open_table_of(book)
    play(book, id, 6)
    before = rows(book)[id]
    play(book, id, 9)
    write(book, id, TakeBack(6, "table", "sorry"), at=15)
    after = rows(book)[id]
    assert (after.marks, after.totals, after.step) == (before.marks, before.totals, 16)


def test_a_row_of_an_earlier_step_does_not_know_the_present(book):
    id = open_table_of(book)
    play(book, id, 10, seed=4)
    then = read_models.build_game_row(book.games.get(id), 10, 11)
    play(book, id, seed=4)
    write(book, id, Abandon("it is late"))
    assert read_models.build_game_row(book.games.get(id), 10, 11) == then


def test_the_game_recorded_in_last_comes_first(book, monkeypatch):
    ids = [open_table_of(book) for _ in range(5)]
    play(book, ids[1], 1, seed=5)
    expected = [ids[1], *(id for id in reversed(ids) if id != ids[1])]
    assert list(rows(book)) == expected
    monkeypatch.setattr(read_models, "PAGE", 2)  # the same, page by page
    assert [row.game for row in list_games(book.views, book.kept)] == expected
    assert [row.game for row in list_games(book.views, book.kept, limit=3)] == expected[:3]


def test_games_are_listed_by_their_ids(book):
    hidden, shown = open_table_of(book), open_table_of(book, public=True)
    assert set(rows(book)) == {hidden, shown}
    assert [row.game for row in list_games(book.views, book.kept, ids=[hidden])] == [hidden]
    assert list_games(book.views, book.kept, ids=[]) == []


def test_a_game_that_is_not_kept_any_more_is_not_listed(book):
    id = open_table_of(book)
    with book.kept.engine.begin() as connection:
        connection.execute(sa.text("DELETE FROM kept_seat"))
        connection.execute(sa.text("DELETE FROM kept_game"))
    assert id not in rows(book)


def test_a_projection_moves_on_from_exactly_where_it_is(book):
    def move(start: int, end: int) -> None:
        with book.views.begin() as connection:
            ProjectionTracking(book.views, "p").advance(connection, start, Tracking("games", end))

    assert read_models.position_of(book.views, "p") == 0
    move(0, 10)
    for start, end in ((0, 5), (5, 20), (11, 12)):
        with pytest.raises(OvertakenError):
            move(start, end)
    move(10, 11)
    assert read_models.position_of(book.views, "p") == 11
    tracking = ProjectionTracking(book.views, "p")
    tracking.insert_tracking(Tracking("games", 12))
    assert tracking.max_tracking_id("games") == 12 and tracking.has_tracking_id("games", 12)
    assert ProjectionTracking(book.views, "q").max_tracking_id("games") is None


def test_read_then_write_in_a_transaction_waits_for_writers(book):
    """SQLite refuses a transaction that begins with a read once another has written."""
    errors: list[BaseException] = []

    def count_up() -> None:
        try:
            for _ in range(100):
                with book.views.begin() as connection:
                    if book.views.dialect.name == "postgresql":
                        connection.execute(sa.text("LOCK TABLE position IN EXCLUSIVE MODE"))
                    at = connection.scalar(sa.select(read_models.position.c.notification_id))
                    connection.execute(read_models.position.update().values(notification_id=at + 1))
        except sa.exc.DBAPIError as wrong:
            errors.append(wrong)

    with book.views.begin() as connection:
        read_models.write_rows(connection, {read_models.position: [{"projection": "p", "notification_id": 0}]})
    threads = [Thread(target=count_up) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert read_models.position_of(book.views, "p") == 400


def test_rows_inserted_where_missing_leave_what_is_there(book):
    def insert(at: int) -> None:
        with book.views.begin() as connection:
            read_models.insert_missing(connection, read_models.position, [{"projection": "p", "notification_id": at}])

    insert(1)
    insert(2)
    assert read_models.position_of(book.views, "p") == 1


def test_how_each_projection_fares_is_told(book):
    read_models.write_health(book.views, "b", "running", 3)
    read_models.write_health(book.views, "a", "waiting", 1, "the queue server: gone")
    read_models.write_health(book.views, "b", "stopped", 4, "no such game")
    a, b = read_models.projection_health(book.views)
    assert (a.projection, a.state, a.at, a.message) == ("a", "waiting", 1, "the queue server: gone")
    assert (b.projection, b.state, b.at, b.message) == ("b", "stopped", 4, "no such game")
    assert a.beat_at <= b.beat_at
