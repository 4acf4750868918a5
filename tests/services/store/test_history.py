"""Missing data is never taken for a first start."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from daybook import cli
from daybook.services.operation import doctor
from daybook.services.operation.queue_connection import claim_queue
from daybook.services.settings import BadSettingError, Settings, read_settings
from daybook.services.store import history
from daybook.services.store.away import UNAVAILABLE
from daybook.services.store.daybook import open_daybook
from daybook.services.store.history import LostDataError
from daybook.services.store.kept import kept_history
from daybook.services.store.log import NoLogError, open_log
from daybook.services.store.sqlite import sqlite
from tests.played import open_seats, play, update_games
from tests.servers import free_port

BOTH_WAYS = ("restore", "daybook init --accept-loss")
PORT = str(free_port())  # where nothing comes to listen


def run(settings: Settings, *words: str) -> Result:
    return CliRunner().invoke(cli.main, [*words, "--data", str(settings.data)], env=settings.environ())


def remove(settings: Settings, store: str) -> None:
    """Lose the log or the kept tables, as a disk that is not mounted does."""
    if settings.database_url is None:
        for path in settings.data.glob(f"{store}.db*"):
            path.unlink()
    else:
        with psycopg.connect(settings.database_url, autocommit=True) as shell:
            shell.execute(f"DROP SCHEMA daybook_{store} CASCADE")  # type: ignore[call-overload]


@contextmanager
def reopened(settings: Settings, **how: bool) -> Iterator[object]:
    with closing(open_daybook(settings, **how)) as again:
        yield again


@pytest.fixture
def used(book, settings) -> Settings:
    """A data folder, or a database, in which something was recorded; its id."""
    open_seats(book)
    update_games(book)
    history.take_note(book.log, book.kept)
    history.mark_folder(settings, book.log)
    book.close()
    return settings


@pytest.mark.parametrize("store", ["log", "kept"])
def test_missing_half_is_refused_by_every_command(used, store):
    remove(used, store)
    before = sorted(path.name for path in used.data.iterdir())
    for words in (
        ["init"],
        ["serve", "--port", PORT],
        ["web", "--create"],
        ["web"],
        ["follow"],
        ["work"],
        ["rebuild"],
        ["audit"],
    ):
        refused = run(used, *words)
        assert refused.exit_code == 2, (words, refused.output, refused.exception)
        assert all(way in refused.stderr for way in BOTH_WAYS), (words, refused.stderr)
    (found,) = [check for check in doctor.run_checks(used) if check.about == "data"]
    assert found.state == "bad" and all(way in found.do for way in BOTH_WAYS)
    if used.database_url is None:
        refused = run(used, "backup", str(used.data.parent / "copy"))
        assert refused.exit_code == 2 and not (used.data.parent / "copy").exists()
    after = {path.name for path in used.data.iterdir()} - {"serve.lock", "timelines.json"}
    assert after <= {*before}, "nothing was created"


@pytest.mark.parametrize("store", ["log", "kept"])
def test_accepted_loss_goes_on_with_what_is_left(used, store):
    remove(used, store)
    done = run(used, "init", "--accept-loss")
    assert done.exit_code == 0, done.output
    with closing(open_daybook(used)) as book:
        assert len(book.log.game_ids()) == (store == "kept")
    assert run(used, "init").exit_code == 0
    if store == "log":
        assert "earlier" in done.stdout, "what was left is kept"


def test_both_missing_with_any_trace_is_no_first_start(used):
    for store in ("log", "kept"):
        remove(used, store)
    with pytest.raises(LostDataError, match="this is not a first start"):
        open_daybook(used, create=True)
    for path in used.data.glob("views.db*"):
        path.unlink()
    with pytest.raises(LostDataError, match=r"history\.json"):
        open_daybook(used, create=True)


@pytest.mark.parametrize(
    "trace",
    [
        "secret",
        "receipt-key.pem",
        "views.db",
        "queue/dump.rdb",
        "kept-version-1.db",
        "views-damaged.db",
        "log.db-wal",
        "kept.db-wal",
    ],
)
def test_trace_without_log_is_refused(tmp_path, trace):
    file = tmp_path / "data" / trace
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x" * 40)
    settings = Settings(data=tmp_path / "data")
    with pytest.raises(LostDataError, match="the log is missing"):
        open_daybook(settings, create=True)
    with pytest.raises(LostDataError, match="the log is missing"):
        open_daybook(settings)
    assert not (tmp_path / "data" / "log.db").exists()


def test_emptied_files_are_missing_ones(used):
    if used.database_url is not None:
        return
    for store in ("log", "kept"):
        copy = replace(used, data=Path(shutil.copytree(used.data, used.data.parent / store)))
        remove(copy, store)
        copy.database_file(store).touch()
        with pytest.raises(LostDataError, match="missing"):
            open_daybook(copy, create=True)


def test_interrupted_first_start_is_taken_up(settings):
    open_log(settings, create=True).close()
    with pytest.raises(Exception, match="daybook init"):
        open_daybook(settings)
    with closing(open_daybook(settings, create=True)) as book:
        open_seats(book)
    open_daybook(settings).close()


def test_folder_without_anything_says_init(tmp_path):
    with pytest.raises(NoLogError, match="daybook init"):
        open_daybook(Settings(data=tmp_path / "none"))


def test_halves_of_two_daybooks_are_refused(used, elsewhere):
    if used.database_url is None:
        open_seats(elsewhere)
        elsewhere.close()
        with closing(open_daybook(Settings(data=used.data.parent / "third"), create=True)):
            pass
        shutil.copy(used.data.parent / "third" / "kept.db", used.data / "kept.db")
    else:
        with psycopg.connect(used.database_url, autocommit=True) as shell:
            shell.execute("UPDATE daybook_kept.kept_history SET history = 'another'")
    with pytest.raises(LostDataError, match="two different Daybooks"):
        open_daybook(used, create=True)
    assert run(used, "init", "--accept-loss").exit_code == 0
    open_daybook(used).close()


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("log", "log_position = 900", "older than the kept tables"),
        ("kept", "notes = notes - 1", "the kept tables are older than the log"),
    ],
)
def test_older_part_is_refused(used, part, change, message):
    if used.database_url is not None:
        with psycopg.connect(used.database_url, autocommit=True) as shell:
            shell.execute(f"UPDATE daybook_kept.kept_history SET {change}")
    else:
        older = {path.name: path.read_bytes() for path in used.data.glob(f"{part}.db*")}
        with closing(open_daybook(used)) as book:
            open_seats(book)
            history.take_note(book.log, book.kept)
        remove(used, part)
        for name, content in older.items():
            (used.data / name).write_bytes(content)
    with pytest.raises(LostDataError, match=message):
        open_daybook(used, create=part == "kept")
    if part == "log":
        refused = run(used, "serve", "--port", PORT)
        assert refused.exit_code == 2 and all(way in refused.stderr for way in BOTH_WAYS)
    assert run(used, "init", "--accept-loss").exit_code == 0
    open_daybook(used).close()


def test_read_models_of_lost_entries_are_refused(used):
    """The log and the kept tables are both of yesterday, and the read models of today."""
    with closing(open_daybook(used)) as book:
        book.views.write(sa.text("UPDATE read_from SET notification_id = notification_id + 100"))
    for words in (["serve", "--port", PORT], ["init"]):
        refused = run(used, *words)
        assert refused.exit_code == 2 and "read models" in refused.stderr, refused.output
    assert run(used, "init", "--accept-loss").exit_code == 0
    open_daybook(used).close()


def test_damaged_newest_entry_is_not_another_log(book, settings):
    game = open_seats(book)
    update_games(book)
    book.close()
    position = "rowid" if settings.database_url is None else "notification_id"
    change = f"UPDATE games_events SET state = {{}} WHERE {position} = (SELECT max({position}) FROM games_events)"
    if settings.database_url is None:
        with closing(sqlite.connect(settings.database_file("log"))) as shell:
            shell.execute("DROP TRIGGER games_events_never_changed")
            shell.execute(change.format("x'00112233'"))
            shell.commit()
    else:
        with psycopg.connect(settings.database_url, autocommit=True, options="-c search_path=daybook_log") as shell:
            shell.execute("DROP TRIGGER games_events_only_grow ON games_events")
            shell.execute(change.format(r"'\x00112233'"))  # type: ignore[call-overload]
    with closing(open_daybook(settings, create=True)) as again:
        assert again.log.game_ids() == [game]


def test_wrong_database_is_refused(used, tmp_path, postgres_database):
    """An empty database, where the data folder has worked with another: the settings name the wrong one."""
    wrong = replace(used, database_url=postgres_database)
    for words in (["init"], ["web", "--create"], ["serve", "--port", PORT]):
        refused = run(wrong, *words)
        assert refused.exit_code == 2 and "DAYBOOK_DATABASE_URL" in refused.stderr, refused.output
    with psycopg.connect(postgres_database) as shell:
        assert shell.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'daybook%'").fetchone() == (0,)


def test_settings_without_the_database_are_refused(used):
    if used.database_url is None:
        return
    alone = replace(used, database_url=None)
    refused = run(alone, "serve", "--port", PORT)
    assert refused.exit_code == 2 and "set DAYBOOK_DATABASE_URL" in refused.stderr
    assert not (used.data / "log.db").exists()


def test_another_daybooks_database_is_refused(used, postgres_database, tmp_path):
    open_daybook(Settings(data=tmp_path / "other", database_url=postgres_database), create=True).close()
    with pytest.raises(LostDataError, match="has worked with another log until now"):
        open_daybook(replace(used, database_url=postgres_database))


def test_second_host_with_its_own_folder_is_welcome(used, tmp_path):
    if used.database_url is not None:
        open_daybook(replace(used, data=tmp_path / "second")).close()
        open_daybook(replace(used, data=tmp_path / "second"), create=True).close()


def test_folder_on_an_unmounted_disk_is_refused(tmp_path, monkeypatch):
    fstab = tmp_path / "fstab"
    fstab.write_text(f"# disks\nUUID=1 / ext4 defaults 0 1\nUUID=2 {tmp_path}/mnt ext4 defaults 0 2\n\n")
    monkeypatch.setattr(history, "FSTAB", fstab)
    with pytest.raises(LostDataError, match="nothing is mounted at"):
        open_daybook(Settings(data=tmp_path / "mnt" / "data"), create=True)
    open_daybook(Settings(data=tmp_path / "else"), create=True).close()


def test_links_that_lead_nowhere_are_refused(used, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "unmounted")
    with pytest.raises(BadSettingError, match="which is not there"):
        read_settings({}, data=tmp_path / "link")
    if used.database_url is None:
        remove(used, "log")
        (used.data / "log.db").symlink_to(tmp_path / "unmounted" / "log.db")
        with pytest.raises(LostDataError, match="which is not there"):
            open_daybook(used, create=True)


def make_folder(file: Path, _data: Path) -> None:
    file.mkdir()


def make_loop(file: Path, _data: Path) -> None:
    file.symlink_to(file.name)


def make_link_to_log(file: Path, data: Path) -> None:
    (data / "log.db").touch()
    file.symlink_to(data / "log.db")


def make_pipe(file: Path, _data: Path) -> None:
    os.mkfifo(file)


@pytest.mark.parametrize("name", ["log.db", "kept.db", "views.db", "secret", "receipt-key.pem", history.HISTORY_FILE])
@pytest.mark.parametrize("make", [make_folder, make_loop, make_link_to_log, make_pipe])
def test_what_is_not_a_file_is_refused_by_name(tmp_path, name, make):
    settings = Settings(data=tmp_path / "data")
    open_daybook(settings, create=True).close()
    file = settings.data / name
    if name == "log.db" and make is make_link_to_log:
        return
    file.unlink(missing_ok=True)
    make(file, settings.data)
    for words in (["init", "--accept-loss"], ["backup", f"{tmp_path / 'copy'}"], ["doctor"]):
        done = run(settings, *words)
        assert isinstance(done.exception, SystemExit) and done.exit_code in (1, 2), (words, done.exception)
        assert f"{file} " in done.output and "remove it" in done.output, (words, done.output)
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("store", ["log", "kept"])
def test_file_with_other_tables_is_refused(tmp_path, store):
    settings = Settings(data=tmp_path / "data")
    open_daybook(settings, create=True).close()
    remove(settings, store)
    with closing(sqlite.connect(settings.database_file(store))) as other:
        other.execute("CREATE TABLE recipes (title)")
    for words in (["init", "--accept-loss"], ["backup", f"{tmp_path / 'copy'}"], ["doctor"]):
        done = run(settings, *words)
        assert isinstance(done.exception, SystemExit) and done.exit_code in (1, 2), (words, done.exception)
        assert f"{store}.db holds other tables than Daybook's" in done.output, (words, done.output)


@pytest.mark.parametrize("marked", [b"[1, 2]", b"7", b"null", b"\xff", b""])
def test_unreadable_note_in_the_folder_is_written_again(tmp_path, marked):
    settings = Settings(data=tmp_path / "data")
    open_daybook(settings, create=True).close()
    (settings.data / history.HISTORY_FILE).write_bytes(marked)
    open_daybook(settings, create=True).close()
    assert b'"history"' in (settings.data / history.HISTORY_FILE).read_bytes()


def test_backup_of_another_daybooks_stores_is_refused(used, tmp_path):
    if used.database_url is not None:
        return
    other = Settings(data=tmp_path / "other")
    open_daybook(other, create=True).close()
    for store in ("log", "kept"):
        remove(used, store)
        shutil.copy(other.database_file(store), used.database_file(store))
    done = run(used, "backup", f"{tmp_path / 'copy'}")
    assert done.exit_code == 2 and "has worked with another log until now" in done.output
    assert not (tmp_path / "copy").exists()


def test_log_removed_while_open_acknowledges_nothing(book, settings):
    game = open_seats(book)
    if settings.database_url is not None:
        return
    remove(settings, "log")
    with pytest.raises(UNAVAILABLE, match="was removed or replaced"):
        play(book, game, seed=1)
    assert not (settings.data / "log.db").exists()


def test_kept_tables_removed_while_open_are_not_made_again(book, settings):
    if settings.database_url is not None:
        return
    book.kept.engine.pool.dispose()
    remove(settings, "kept")
    with pytest.raises(UNAVAILABLE):
        book.kept.engine.rows(sa.select(kept_history))
    assert not (settings.data / "kept.db").exists()


def test_notes_are_taken_when_something_changes(book):
    def notes() -> int:
        return int(book.kept.engine.value(sa.select(kept_history.c.notes)))

    history.take_note(book.log, book.kept)
    before = notes()
    history.take_note(book.log, book.kept)
    assert notes() == before, "nothing to note"
    open_seats(book)
    history.take_note(book.log, book.kept)
    assert notes() == before + 1
    assert book.log.recorder.state().kept_notes == before + 1


def test_clock_that_went_back_is_noted(book):
    open_seats(book)
    history.take_note(book.log, book.kept)
    assert history.clock_steps(book.kept) == []
    ahead = "2099-01-04T12:00:00.000Z"
    book.kept.engine.write(kept_history.update().values(clock=ahead))
    (step,) = history.clock_steps(book.kept)
    assert step.before == ahead, "told before anyone noted it"
    history.take_note(book.log, book.kept)
    assert [item.before for item in history.clock_steps(book.kept)] == [ahead]
    history.take_note(book.log, book.kept)
    assert [value.before for value in history.clock_steps(book.kept)] == [ahead], "once"


def test_queue_of_another_history_is_refused(used, queue_url):
    if used.database_url is not None:
        return  # the tests' PostgreSQL flushes nothing, so no part starts on it
    with_queue = replace(used, redis_url=queue_url)
    claim_queue(queue_url, "another")
    assert "another Daybook" in run(with_queue, "follow").stderr
    assert "another Daybook" in run(replace(with_queue, data=used.data.parent / "new"), "init").stderr
    assert run(with_queue, "init", "--accept-loss").exit_code == 0
    with closing(open_daybook(used)) as book:
        claim_queue(queue_url, book.log.recorder.state().history)
