"""Following the log: strictly in order, nothing skipped, whatever stops half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from threading import Event, Thread
from typing import Any
from uuid import UUID, uuid4

import msgspec
import psycopg
import pytest
import sqlalchemy as sa
from eventsourcing.persistence import StoredEvent

from daybook.domain.commands import Reopen, TakeBack
from daybook.domain.games import RULESETS
from daybook.domain.kernel import events
from daybook.domain.kernel.events import PinnedSheet
from daybook.domain.kernel.sheet import digest
from daybook.services.following import projections
from daybook.services.following.projections import (
    BatchProjector,
    PositionedEntry,
    Projection,
    catch_up,
    games_projection,
    period_end_rows,
    prepare_read_models,
    rebuild_read_models,
)
from daybook.services.play import period_scores
from daybook.services.settings import Settings
from daybook.services.store import locks, read_models, set_aside
from daybook.services.store.away import UnavailableError
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers.children import start_child
from tests import servers
from tests.forked import Program
from tests.played import open_table_of, play, play_game, update_games, update_results, write
from tests.rows import all_rows
from tests.servers import PATIENCE_SECONDS, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_suffices]

UNKNOWN = "cloth_fair"  # a game that Daybook does not know


def ends(of: Callable[[Sequence[PositionedEntry]], None] = lambda events: None) -> Projection:
    """Keeps the periods that ended."""

    def fold(events: Sequence[PositionedEntry]) -> read_models.Rows:
        of(events)
        return {read_models.unscored_period: period_end_rows(events)}

    return Projection(projections.SCORES, fold)


def poison(book: Daybook) -> UUID:
    """Record the opening of a game whose rules are unknown."""
    opening = book.games.get(book.log.game_ids()[0]).opening
    id, sheet = uuid4(), opening.sheet
    event = msgspec.structs.replace(
        opening, game=str(id), ruleset=UNKNOWN, sheet=PinnedSheet(digest(UNKNOWN, sheet.values), {}, sheet.values)
    )
    book.log.append(events.write_entry(id, event, ""))
    return id


@contextmanager
def following(book: Daybook, *followed: Projection) -> Iterator[None]:
    stop = Event()
    threads = [Thread(target=projections.follow_log, args=(book, value, stop)) for value in followed]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def settle_all(book: Daybook) -> None:
    for page in read_models.periods_without_score(book.views):
        for _, game, step in page:
            period_scores.store_scores(book, game, step)


def health_of(book: Daybook, projection: str) -> read_models.Health | None:
    return next(
        (health for health in read_models.projection_health(book.views) if health.projection == projection), None
    )


def stands(book: Daybook, projection: str, state: str) -> bool:
    health = health_of(book, projection)
    return health is not None and health.state == state


# --- batches ---------------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_batches_of_any_size_come_to_the_same_rows(book):
    play_game(book, 1)
    play(book, open_table_of(book), 30)
    found = []
    for limit in (1, 7, 500):
        with book.views.begin() as connection:
            for table in (*read_models.FROM_LOG, read_models.position):
                connection.execute(table.delete())
        for projection in (games_projection(book), ends()):
            projector = BatchProjector(book, projection, limit=limit)
            while projector.process_batch():
                pass
            assert projector.position == book.log.newest()
        found.append(all_rows(book.views))
    assert found[0] == found[1] == found[2]
    assert len(found[0]["game_row"]) == 2


def steps_of_rows(book: Daybook) -> dict[UUID, int]:
    with book.views.connect() as connection:
        return {row.game: row.step for row in connection.execute(sa.select(read_models.game_row))}


def test_a_row_is_of_the_step_its_projection_stands_at(book):
    """However far the game itself is already: rows and position are one."""
    id = open_table_of(book)
    play(book, id, 9, seed=4)
    BatchProjector(book, games_projection(book), limit=5).process_batch()
    (step,) = steps_of_rows(book).values()
    assert (step, read_models.position_of(book.views, projections.GAMES)) == (4, book.log.since(0, 5)[-1][0])


@pytest.mark.both_databases
def test_rows_and_position_are_written_together_or_not_at_all(book):
    id = open_table_of(book)
    broken = {"game": id, "step": 1, "period": "round", "number": None, "notification_id": 1}
    whole = broken | {"game": uuid4(), "number": 1}
    projection = Projection("p", lambda events: {read_models.unscored_period: [whole, broken]})
    BatchProjector(book, projection, pause=lambda seconds: None).process_batch()
    assert all_rows(book.views)["unscored_period"] == []
    assert read_models.position_of(book.views, "p") == 0
    (aside,) = set_aside.select_all(book.views)
    assert (aside.id, "NULL" in aside.says or "null value" in aside.says) == (id, True)


@pytest.mark.both_databases
def test_batch_of_another_follower_is_not_written_again(book):
    play_game(book, 5)

    def overtake(events: Sequence[PositionedEntry]) -> None:
        if read_models.position_of(book.views, projections.SCORES) == 0:
            catch_up(book, Projection(projections.SCORES, lambda events: {}))

    BatchProjector(book, ends(overtake)).process_batch()
    assert all_rows(book.views)["unscored_period"] == []  # the other one wrote none
    assert read_models.position_of(book.views, projections.SCORES) == book.log.newest()


def test_what_is_recorded_shows_within_a_moment(book):
    with following(book, games_projection(book)):
        id = open_table_of(book)
        wait_until(lambda: bool(read_models.list_games(book.views, book.kept)), "the first row")
        step = play(book, id, 10, seed=6)
        wait_until(lambda: read_models.list_games(book.views, book.kept)[0].step == step, "the row")


# --- an event that cannot be taken in --------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [0, 3, 40])
def test_a_poison_event_sets_its_game_aside_and_no_other(book, before):
    good = open_table_of(book)
    for _ in range(before):
        good = open_table_of(book)
    bad = poison(book)
    place = book.log.newest()
    after = open_table_of(book)
    projector = BatchProjector(book, games_projection(book), pause=lambda seconds: None, limit=16)
    while projector.process_batch():
        pass
    assert read_models.position_of(book.views, projections.GAMES) == book.log.newest()
    there = {row[0] for row in all_rows(book.views)["game_row"]}
    assert {good, after} <= there and bad not in there
    (aside,) = set_aside.select_all(book.views)
    assert (aside.id, aside.projections, aside.position) == (bad, (projections.GAMES,), place)
    assert UNKNOWN in aside.says


def test_unreadable_game_is_set_aside_and_resumed_once_readable(book, monkeypatch, caplog):
    monkeypatch.setattr(projections, "RETRY_SECONDS", (0.01, 0.01))
    monkeypatch.setattr(projections, "RETRY_ASIDE_SECONDS", 0.2)
    good, bad = open_table_of(book), poison(book)
    with following(book, games_projection(book), ends()):
        wait_until(lambda: [item.id for item in set_aside.select_all(book.views)] == [bad], "the poison event")
        wait_until(lambda: f"games: {bad} is set aside" in caplog.text, "the line that tells it, after the row")
        assert UNKNOWN in caplog.text
        whole = play_game(book, 7)  # everything else goes on
        for name in (projections.GAMES, projections.SCORES):
            wait_until(lambda name=name: read_models.position_of(book.views, name) == book.log.newest(), name)  # type: ignore[misc]
            wait_until(lambda name=name: stands(book, name, "running"), name)  # type: ignore[misc]
        assert {row.game for row in read_models.list_games(book.views, book.kept)} == {good, whole}
        monkeypatch.setitem(RULESETS, UNKNOWN, replace(RULESETS["making_profit"], id=UNKNOWN))  # mended
        wait_until(lambda: set_aside.select_all(book.views) == [], "what was set aside")
    assert {row[0] for row in all_rows(book.views)["game_row"]} == {good, bad, whole}


def unreadable(book: Daybook, game_id: UUID) -> None:
    """Write an entry that only another version of Daybook can read."""
    newest = book.games.get(game_id)
    line = b'{"type":"from_the_future","step":%d,"seal":"%s"}' % (newest.step + 1, b"0" * 64)
    book.log.recorder.insert_events([StoredEvent(game_id, newest.step + 2, "from_the_future", line)])
    book.games.cache.clear()


@pytest.mark.both_databases
def test_unreadable_line_sets_its_game_aside_with_what_follows(book):
    bad, good = open_table_of(book), open_table_of(book)
    play(book, bad, 3, seed=1)
    unreadable(book, bad)
    play(book, good, 20, seed=2)
    for projection in (games_projection(book), ends(), projections.results_projection(book)):
        projector = BatchProjector(book, projection, pause=lambda seconds: None)
        while projector.process_batch():
            pass
        projector.retry_aside()  # it cannot be read now either
        assert projector.position == book.log.newest()
    (aside,) = set_aside.select_all(book.views)
    assert (aside.id, sorted(aside.projections)) == (bad, sorted((projections.GAMES, projections.SCORES, "results")))
    steps = steps_of_rows(book)
    assert steps[good] == book.games.get(good).step
    ended = all_rows(book.views)["unscored_period"]
    left_out = rebuild_read_models(book)
    assert [*left_out] == [bad]
    assert {row[0] for row in all_rows(book.views)["game_row"]} == {good}
    rows = all_rows(book.views)
    assert [row[:3] for row in rows["period_score"]] == [row[:3] for row in ended if row[0] == good]
    assert rows["unscored_period"] == []
    assert [item.id for item in set_aside.select_all(book.views)] == [bad]


def test_an_error_that_passes_is_tried_again_and_stops_nothing(book):
    play_game(book, 8)
    pauses: list[float] = []

    def fail_twice(events: Sequence[PositionedEntry]) -> None:
        if len(pauses) < 2:
            raise ValueError("not now")

    BatchProjector(book, ends(fail_twice), pause=pauses.append).process_batch()
    assert pauses == list(projections.RETRY_SECONDS[:2])
    assert read_models.position_of(book.views, projections.SCORES) == book.log.newest()


def test_what_is_away_is_waited_for_however_long(book, monkeypatch, caplog):
    monkeypatch.setattr(locks, "AWAY_PAUSE_SECONDS", 0.02)
    play_game(book, 9)
    tries: list[int] = []

    def away(events: Sequence[PositionedEntry]) -> None:
        tries.append(len(events))
        if len(tries) < 9:
            raise UnavailableError("the queue server: gone")

    with following(book, ends(away)):
        wait_until(lambda: stands(book, projections.SCORES, "waiting") or len(tries) >= 9, "its health")
        wait_until(lambda: read_models.position_of(book.views, projections.SCORES) == book.log.newest(), "its return")
        wait_until(lambda: stands(book, projections.SCORES, "running"), "its health")
    assert len(set(tries)) == 1  # never narrowed down, never skipped
    assert caplog.text.count("waits: the queue server: gone") == 1, "said once, also where it lasts all night"


# --- one at a time ---------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_a_second_follower_waits_until_the_first_has_ended(book, settings, monkeypatch):
    monkeypatch.setattr(locks, "LOCK_POLL_SECONDS", 0.02)
    seen: dict[str, list[int]] = {"first": [], "second": []}
    play_game(book, 10)

    def noting(name: str) -> Projection:
        return ends(lambda events: seen[name].extend(place for place, _ in events))

    other = open_daybook(settings)
    try:
        with following(other, noting("second")):
            wait_until(
                lambda: read_models.position_of(book.views, projections.SCORES) == book.log.newest(), "one of them"
            )
            with following(book, noting("first")):
                play_game(book, 11)
                wait_until(
                    lambda: read_models.position_of(book.views, projections.SCORES) == book.log.newest(), "one of them"
                )
                assert seen["first"] == []
                with_two = len(seen["second"])
        assert with_two == len(seen["second"]) == len(set(seen["second"]))
        with following(book, noting("first")):
            play_game(book, 12)
            wait_until(
                lambda: read_models.position_of(book.views, projections.SCORES) == book.log.newest(), "the first"
            )
        assert len(seen["first"]) + with_two == len(book.log.since(0, 10_000))
    finally:
        other.close()


@pytest.mark.both_databases
def test_a_turn_ends_with_the_process_that_holds_it(book, settings):
    code = (
        "import sys, time; from daybook.services import settings; from daybook.services.store import locks\n"
        "turn = locks.make_lock(settings.read_settings(), 'p'); assert turn.take(); print('held', file=sys.stderr)\n"
        "time.sleep(60)"
    )
    holder = Program(code, os.environ | settings.environ(), stderr=PIPE)
    assert holder.stderr is not None and holder.stderr.readline() == b"held\n"
    turn = locks.make_lock(settings, "p")
    assert not turn.take()
    holder.kill()
    holder.wait()
    holder.stderr.close()
    wait_until(turn.take, "the turn")
    turn.check()
    turn.release()


def test_a_turn_that_was_lost_with_its_connection_is_noticed(postgres_database, tmp_path):
    turn = locks.make_lock(Settings(data=tmp_path, database_url=postgres_database), "p")
    assert turn.take()
    with psycopg.connect(postgres_database) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    with pytest.raises(locks.UNAVAILABLE):
        turn.check()
    turn.release()
    assert turn.take()
    turn.release()


@pytest.mark.both_databases
def test_turns_of_different_names_do_not_hinder_one_another(settings):
    one, other = locks.make_lock(settings, "one"), locks.make_lock(settings, "other")
    assert one.take() and other.take()
    one.release()
    other.release()


# --- everything anew -------------------------------------------------------------------------------------------------


def record_variety(book: Daybook) -> None:
    """Games of every kind: closed, running, with a take-back over a period, reopened."""
    for seed in range(4):
        play_game(book, seed)
    write(book, play_game(book, 20), Reopen("a slip"))
    id = open_table_of(book)
    step = play(book, id, 40, seed=21)
    write(book, id, TakeBack(3, "table", "again"), at=step)
    play(book, id, 30, seed=22)


@pytest.mark.both_databases
def test_rebuilt_read_models_are_the_live_ones_row_for_row(book):
    record_variety(book)
    update_games(book)
    catch_up(book, ends())
    update_results(book)
    settle_all(book)
    live, places = all_rows(book.views), all_rows(book.views, [read_models.position])
    with book.views.begin() as connection:  # spoil everything
        connection.execute(read_models.period_score.update().values(sheet="spoilt"))
        connection.execute(read_models.game_row.update().values(step=9_999))
        connection.execute(
            read_models.unscored_period.insert().values(game=uuid4(), step=1, period="x", number=1, notification_id=1)
        )
        connection.execute(
            read_models.game_row.insert().values(
                {column.name: getattr(read_models.game_row.c, column.name) for column in ()} | _stray_row()
            )
        )
    done: list[tuple[int, int]] = []
    rebuild_read_models(book, lambda so_far, of: done.append((so_far, of)))
    assert all_rows(book.views) == live
    assert all_rows(book.views, [read_models.position]) == places
    assert (done[0], done[-1]) == ((0, len(live["game_row"])), (len(live["game_row"]), len(live["game_row"])))
    assert len(live["period_score"]) > 20 and live["unscored_period"] == []


def _stray_row() -> dict[str, Any]:
    """A row of a game that the log does not have."""
    return {
        "game": uuid4(),
        "ruleset": "x",
        "rules": "x",
        "kind": "table",
        "status": "running",
        "colours": "[]",
        "step": 0,
        "marks": "{}",
        "totals": "[]",
        "over": False,
        "ranks": "[]",
        "revision": 1,
        "as_played": 0,
        "claims_open": 0,
        "revealed": False,
        "against_rules": 0,
        "opened_at": "",
        "last_at": "",
        "played_on": "",
        "list": "running",
        "position": 0,
    }


@pytest.mark.both_databases
def test_a_rebuild_while_recording_goes_on_ends_in_the_live_rows(book, monkeypatch):
    """Readers never see half, and nothing recorded meanwhile is missed."""
    monkeypatch.setattr(projections, "BATCH", 20)
    record_variety(book)
    update_games(book)
    stop, seen = Event(), set[int]()

    def read_on() -> None:
        while not stop.wait(0.005):
            seen.add(len(read_models.list_games(book.views, book.kept)))

    reader = Thread(target=read_on)
    with following(book, games_projection(book), ends()):
        reader.start()
        try:
            for seed in range(100, 102):  # a game is recorded beside each
                recorder = Thread(target=play, args=(book, open_table_of(book)), kwargs={"seed": seed, "close": True})
                recorder.start()
                rebuild_read_models(book)
                recorder.join()
        finally:
            stop.set()
            reader.join()
        for name in (projections.GAMES, projections.SCORES):
            wait_until(lambda name=name: read_models.position_of(book.views, name) == book.log.newest(), name)  # type: ignore[misc]
    settle_all(book)
    live = all_rows(book.views)
    assert min(seen) >= 6  # as many games as there were when it began
    rebuild_read_models(book)
    assert all_rows(book.views) == live


def test_a_rebuild_that_was_killed_leaves_everything_as_it_was(book):
    play_game(book, 1)
    update_games(book)
    live = all_rows(book.views)
    play_game(book, 2)

    def interrupt(done: int, count: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild_read_models(book, interrupt)
    assert all_rows(book.views) == live
    rebuild_read_models(book)
    assert len(all_rows(book.views)["game_row"]) == 2


class Killed(BaseException):
    """A process ended there."""


@contextmanager
def killed_at(engine: sa.Engine, number: int) -> Iterator[list[str]]:
    """End the process after this many statements; return them."""
    asked = list[str]()

    def note(*what: Any) -> None:
        asked.append(what[2].strip())
        if len(asked) == number:
            raise Killed

    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)


@pytest.mark.both_databases
def test_killed_rebuild_leaves_old_rows_or_new_ones(book):
    play_game(book, 1)
    rebuild_read_models(book)
    new = all_rows(book.views)
    with book.views.begin() as connection:
        connection.execute(read_models.game_row.update().values(step=9_999))
        connection.execute(read_models.period_score.delete())
    old, found = all_rows(book.views), list[bool]()
    with killed_at(book.views, 0) as asked:
        rebuild_read_models(book)
    assert all_rows(book.views) == new
    last = next(place for place, text in enumerate(asked) if text.startswith("DROP TABLE game_row"))
    end = len(asked)
    for number in sorted({*range(1, last, 80), *range(last, end, 8), *range(end - 8, end + 1)}):
        with book.views.begin() as connection:
            connection.execute(read_models.game_row.update().values(step=9_999))
            connection.execute(read_models.period_score.delete())
        with pytest.raises(Killed), killed_at(book.views, number):
            rebuild_read_models(book)
        rows = all_rows(book.views)
        assert rows in (old, new), asked[number - 1]
        found.append(rows == new)
    assert found == sorted(found) and set(found) == {False, True}, "the old ones until the new ones are there at once"
    rebuild_read_models(book)
    assert all_rows(book.views) == new


def test_end_of_a_rebuild_costs_the_same_for_any_number_of_rows(book):
    for seed in range(3):
        play_game(book, seed)
    with killed_at(book.views, 0) as asked:
        rebuild_read_models(book)
    last = asked[max(place for place, text in enumerate(asked) if text.startswith("DROP TABLE game_row")) :]
    tables = {table.name for table in read_models.REBUILT}
    touched = [text for text in last if text.startswith(("INSERT", "DELETE", "UPDATE")) and text.split()[2] in tables]
    assert touched == [], "no row is copied"


def test_rebuild_waits_for_readers_and_blocks_no_one(postgres_database, tmp_path, monkeypatch, caplog):
    """It also lets a transaction pass that has read and now writes."""
    monkeypatch.setattr(projections, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(projections, "LOCK_TIMEOUT_SECONDS", 0.2)
    book = open_daybook(Settings(data=tmp_path / "data", database_url=postgres_database), create=True)
    game = play_game(book, 1)
    rebuild_read_models(book)
    for writes in (False, True):
        caplog.clear()
        with book.views.begin() as reading:
            reading.execute(sa.select(read_models.game_row)).all()
            with book.views.begin() as connection:
                connection.execute(read_models.period_score.update().values(sheet="old"))
            thread = Thread(target=rebuild_read_models, args=(book,))
            thread.start()
            wait_until(lambda: "wait for who reads or writes" in caplog.text, "the rebuild")
            assert [row.game for row in read_models.list_games(book.views, book.kept)] == [game]
            if writes:
                reading.execute(read_models.period_score.update().values(sheet="older"))
        thread.join(PATIENCE_SECONDS)
        with book.views.connect() as connection:
            assert not {"old", "older"} & {*connection.scalars(sa.select(read_models.period_score.c.sheet))}
    book.close()


@pytest.mark.both_databases
def test_two_rebuilds_at_once_are_one_too_many(book):
    turn = locks.make_lock(book.settings, "rebuild")
    assert turn.take()
    with pytest.raises(projections.AlreadyRebuildingError):
        rebuild_read_models(book)
    turn.release()
    rebuild_read_models(book)


def test_rebuild_leaves_out_unreadable_games_and_names_them(book, monkeypatch):
    good, bad = play_game(book, 3), poison(book)
    left_out = rebuild_read_models(book)
    assert [*left_out] == [bad] and UNKNOWN in left_out[bad]
    assert {row[0] for row in all_rows(book.views)["game_row"]} == {good}
    (aside,) = set_aside.select_all(book.views)
    assert (aside.id, len(aside.projections)) == (bad, 3)
    assert read_models.position_of(book.views, projections.GAMES) == book.log.newest()
    monkeypatch.setitem(RULESETS, UNKNOWN, replace(RULESETS["making_profit"], id=UNKNOWN))  # mended
    assert rebuild_read_models(book) == {}
    assert set_aside.select_all(book.views) == []
    assert {row[0] for row in all_rows(book.views)["game_row"]} == {good, bad}


def test_a_score_that_cannot_be_worked_out_is_left_to_the_queue(book, monkeypatch, caplog):
    id = open_table_of(book)
    play(book, id, seed=4)
    play_game(book, 5)
    whole = RULESETS["making_profit"]

    def standing(board: Any) -> Any:
        if board.table.seats == 3 and whole.course.marks(board)["round"] == 2 and whole.scoring.outcome(board) is None:
            raise ZeroDivisionError
        return whole.scoring.standing(board)

    broken = replace(whole, scoring=replace(whole.scoring, standing=standing))
    monkeypatch.setitem(RULESETS, "making_profit", broken)
    book.games.cache.clear()
    rebuild_read_models(book)
    missing = [step for page in read_models.periods_without_score(book.views) for _, _, step in page]
    assert missing
    assert "cannot be scored" in caplog.text


# --- versions of the tables ------------------------------------------------------------------------------------------


@pytest.mark.both_databases
def test_read_models_of_another_version_are_made_anew(book, monkeypatch):
    play_game(book, 6)
    projections.require_schema(book)
    prepare_read_models(book)
    first = all_rows(book.views)
    assert len(first["game_row"]) == 1 and first["period_score"]
    with book.views.begin() as connection:
        connection.execute(read_models.game_row.delete())
    prepare_read_models(book)  # the same version: nothing is touched
    assert all_rows(book.views)["game_row"] == []
    monkeypatch.setattr(read_models, "SCHEMA", read_models.SCHEMA + 1)
    with pytest.raises(projections.OtherSchemaError, match="daybook rebuild"):
        projections.require_schema(book)
    sa.Table("former", sa.MetaData(), sa.Column("game", sa.Uuid)).create(book.views)  # that only another version knew
    shards = {read_models.position.c.projection: read_models.position.c.projection + "-0-of-2"}  # as some once stood
    with book.views.begin() as connection:
        connection.execute(read_models.position.update().values(shards))
    prepare_read_models(book)
    projections.require_schema(book)
    assert all_rows(book.views) == first
    assert not sa.inspect(book.views).has_table("former")
    with book.views.connect() as connection:
        names = set(connection.scalars(sa.select(read_models.position.c.projection)))
    assert names == {projections.GAMES, projections.SCORES, projections.results.RESULTS}


def test_a_rebuild_makes_tables_of_this_version(book, monkeypatch):
    play_game(book, 6)
    monkeypatch.setattr(read_models, "SCHEMA", read_models.SCHEMA + 1)
    rebuild_read_models(book)
    projections.require_schema(book)
    assert all_rows(book.views)["game_row"]


def test_read_models_that_were_thrown_away_come_back(book, settings):
    play_game(book, 6)
    prepare_read_models(book)
    first = all_rows(book.views)
    read_models.metadata.drop_all(book.views)
    again = open_daybook(settings, create=True)
    prepare_read_models(again)
    assert all_rows(again.views) == first
    again.close()


def test_unreadable_game_does_not_stop_the_service(book):
    open_table_of(book)
    bad = poison(book)
    prepare_read_models(book)
    projections.require_schema(book)
    assert read_models.position_of(book.views, projections.GAMES) == book.log.newest()
    assert [row.id for row in set_aside.select_all(book.views)] == [bad]


# --- a database that comes and goes ----------------------------------------------------------------------------------


@pytest.mark.server
def test_projections_outlive_a_restart_of_postgresql(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "AWAY_PAUSE_SECONDS", 0.2)
    with servers.postgres() as url:
        book = open_daybook(Settings(data=tmp_path / "data", database_url=url), create=True)
        try:
            play_game(book, 7)
            with following(book, games_projection(book), ends()):
                wait_until(
                    lambda: read_models.position_of(book.views, projections.GAMES) == book.log.newest(),
                    "the first game",
                )
                server = restart_server(url)
                try:
                    id = opened_at_last(book)
                    play(book, id, seed=8)
                    for name in (projections.GAMES, projections.SCORES):
                        wait_until(
                            lambda name=name: read_models.position_of(book.views, name) == book.log.newest(), name
                        )  # type: ignore[misc]
                        wait_until(lambda name=name: stands(book, name, "running"), name)  # type: ignore[misc]
                finally:
                    stopping = server
            settle_all(book)
            live = all_rows(book.views)
            rebuild_read_models(book)
            assert all_rows(book.views) == live
        finally:
            book.close()
            stopping.send_signal(signal.SIGQUIT)
            stopping.wait()


def restart_server(url: str) -> subprocess.Popen[bytes]:
    """Stop a server fast, as an update of the system does, and start it again."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting('data_directory')").fetchone()
    assert row is not None
    data = Path(row[0])
    process = int((data / "postmaster.pid").read_text().splitlines()[0])
    argv = Path(f"/proc/{process}/cmdline").read_text().split("\0")[:-1]
    os.kill(process, signal.SIGINT)
    wait_until(lambda: not (data / "postmaster.pid").exists(), "its end")
    time.sleep(0.5)
    return start_child(argv, last_signal=signal.SIGQUIT, cwd=data.parent, **servers._user())


def opened_at_last(book: Daybook) -> UUID:
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return open_table_of(book)
        except (*locks.UNAVAILABLE, sa.exc.DBAPIError):
            assert time.monotonic() < end
            time.sleep(0.2)
