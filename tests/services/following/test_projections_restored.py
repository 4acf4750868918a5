"""Read models of another log, after a restore of older or newer data."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from uuid import UUID

import pytest

from daybook.domain.commands import Note
from daybook.services.following import projections
from daybook.services.league import results
from daybook.services.operation.backups import restore_backup, take_backup
from daybook.services.operation.doctor import run_checks
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.history import LostDataError
from tests.played import play, update_games, update_results, write
from tests.rows import all_rows
from tests.servers import wait_until
from tests.services.conftest import Opened


@pytest.fixture
def settings(empty_data: Path, tmp_path: Path) -> Settings:
    shutil.copytree(empty_data, tmp_path / "data")
    return Settings(data=tmp_path / "data", workers=1)


@pytest.fixture
def game(book: Daybook, open_table: Opened) -> UUID:
    id = open_table()
    play(book, id, 5)
    return id


def follow_log(book: Daybook) -> None:
    update_games(book)
    update_results(book)


def restored_copy(book: Daybook, to: Path, further: Callable[[], object]) -> Settings:
    """A backup restored; `bring_read_models` brings those of what was recorded after it was taken."""
    take_backup(book.settings, to.with_name("copy"))
    further()
    follow_log(book)
    restore_backup(to.with_name("copy"), Settings(data=to))
    return Settings(data=to)


def bring_read_models(book: Daybook, settings: Settings) -> None:
    with book.views.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(book.settings.database_file("views"), settings.database_file("views"))


def as_made_anew(book: Daybook) -> bool:
    """Return whether the read models equal a rebuild from this log alone."""
    found = all_rows(book.views, (*read_models.FROM_LOG, *read_models.RESULTS))
    projections.rebuild_read_models(book)
    return found == all_rows(book.views, (*read_models.FROM_LOG, *read_models.RESULTS))


def test_read_models_ahead_of_a_log_are_refused_until_accepted(book, game, tmp_path):
    settings = restored_copy(book, tmp_path / "again", lambda: play(book, game, 4))
    bring_read_models(book, settings)
    with pytest.raises(LostDataError, match="read models"):
        open_daybook(settings)
    (found,) = (check for check in run_checks(settings) if check.about == "data")
    assert found.state == "bad" and "--accept-loss" in found.do
    with closing(open_daybook(settings, create=True, accept_loss=True)) as copy:
        projections.prepare_read_models(copy)
        projections.require_schema(copy)
        assert read_models.position_of(copy.views, projections.GAMES) == copy.log.newest() == 6
        assert [row.step for row in read_models.list_games(copy.views, copy.kept)] == [5]
        assert as_made_anew(copy)


def test_read_models_of_another_past_are_refused_until_accepted(book, game, tmp_path):
    """The same positions were given out once more, to other entries."""
    settings = restored_copy(book, tmp_path / "again", lambda: play(book, game, 4))
    with closing(open_daybook(settings)) as copy:
        for number in range(6):
            write(copy, game, Note(1, f"note {number}"))
    bring_read_models(book, settings)
    with pytest.raises(LostDataError, match="read models"):
        open_daybook(settings)
    with closing(open_daybook(settings, create=True, accept_loss=True)) as copy:
        projections.prepare_read_models(copy)
        assert as_made_anew(copy)
        assert read_models.position_of(copy.views, results.RESULTS) == copy.log.newest()


def test_newer_read_models_follow_a_restored_log(book, game, tmp_path):
    follow_log(book)
    with book.views.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(book.settings.database_file("views"), tmp_path / "views.db")
    play(book, game, 4)
    take_backup(book.settings, tmp_path / "copy")
    restore_backup(tmp_path / "copy", Settings(data=tmp_path / "again"))
    shutil.copy(tmp_path / "views.db", tmp_path / "again" / "views.db")
    with closing(open_daybook(Settings(data=tmp_path / "again"))) as copy:
        projections.require_schema(copy)
        follow_log(copy)
        assert as_made_anew(copy)


def test_follower_reports_that_its_log_is_an_older_one(book, game, tmp_path):
    settings = restored_copy(book, tmp_path / "again", lambda: play(book, game, 4))
    with closing(open_daybook(settings)) as copy:
        bring_read_models(book, settings)
        stop = Event()
        thread = Thread(target=projections.follow_log, args=(copy, projections.games_projection(copy), stop))
        thread.start()
        try:
            wait_until(
                lambda: any(health.state == "stopped" for health in read_models.projection_health(copy.views)),
                "the follower's word",
            )
        finally:
            stop.set()
            thread.join()
        assert "another log" in read_models.projection_health(copy.views)[0].message
