"""Daily backups: due once a day, sharing what has not changed, copied onward, and restored."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from uuid import UUID

import pytest
from click.testing import CliRunner

from daybook import cli
from daybook.services.operation import automatic_backups
from daybook.services.operation.automatic_backups import (
    KEPT_IN_OWN_FOLDER,
    NoSpaceError,
    Retention,
    kept_times,
    take_automatic_backup,
)
from daybook.services.operation.backup_checks import BadBackupError
from daybook.services.operation.backup_pieces import PIECES
from daybook.services.operation.backup_state import NAME, folder_of, is_due, stored_backups, summarise
from daybook.services.operation.backups import restore_backup
from daybook.services.operation.doctor import run_checks
from daybook.services.operation.health import Pulse
from daybook.services.operation.metrics import Metrics
from daybook.services.operation.rehearsal import rehearse_restore
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.workers import daily_backup
from tests.played import play
from tests.servers import wait_until
from tests.services.operation.test_backups import open_one
from tests.small_disk import close_for_writing, disk, fill, unmount

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_suffices]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def settings(empty_data: Path, tmp_path: Path) -> Settings:
    shutil.copytree(empty_data, tmp_path / "data")
    return Settings(data=tmp_path / "data", workers=1)


@pytest.fixture
def game(settings: Settings) -> UUID:
    with closing(open_daybook(settings)) as book:
        game_id = open_one(book)
        play(book, game_id, 12)
    return game_id


def age(backup: Path, **by: float) -> Path:
    """Let a backup be older than it is."""
    older = backup.with_name((datetime.strptime(backup.name, NAME) - timedelta(**by)).strftime(NAME))
    backup.rename(older)
    return older


def created(settings: Settings) -> Path:
    path = take_automatic_backup(settings)
    assert path is not None
    return path


def piece_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / PIECES).glob("*/*"))


def test_backup_is_due_once_a_day(settings, game):
    assert is_due(settings)
    backup = created(settings)
    assert not is_due(settings)
    assert take_automatic_backup(settings, only_if_due=True) is None
    age(backup, hours=25)
    assert is_due(settings)
    assert not is_due(replace(settings, automatic_backups=False))
    assert not is_due(replace(settings, database_url="postgresql://localhost/daybook"))


def test_restored_backup_has_every_step_until_it_was_taken(settings, game, tmp_path):
    first = age(created(settings), hours=30)
    with closing(open_daybook(settings)) as book:
        play(book, game, 20)
        newest = book.games.get(game).step
    second = created(settings)
    for source, steps in ((first, 12), (second, newest)):
        restored = replace(settings, data=tmp_path / f"again-{steps}")
        restore_backup(source, restored)
        with closing(open_daybook(restored, create=True)) as book:
            assert book.games.get(game).step == steps


def test_backups_share_what_has_not_changed(settings, game):
    with closing(open_daybook(settings)) as book:
        for _ in range(12):
            play(book, open_one(book), 40)
    age(created(settings), hours=30)
    folder = settings.data / "backups"
    first = piece_bytes(folder)
    with closing(open_daybook(settings)) as book:
        play(book, game, 20)
    created(settings)
    assert len(stored_backups(folder)) == 2
    assert piece_bytes(folder) < 2 * first


def test_unused_pieces_go_with_their_backup(settings, game):
    for days in range(6, 0, -1):
        with closing(open_daybook(settings)) as book:
            play(book, game, 12 + 7 - days)
        age(created(settings), days=days)
    newest = created(settings)
    folder = settings.data / "backups"
    assert len(stored_backups(folder)) == 3, "three daily ones in the data folder"
    for stored in stored_backups(folder).values():
        rehearse_restore(stored, settings)
    for stored in stored_backups(folder).values():
        if stored != newest:
            shutil.rmtree(stored)
    created(settings)
    whole = sum((settings.data / name).stat().st_size for name in ("log.db", "kept.db"))
    assert piece_bytes(folder) <= 2 * whole


def test_days_weeks_and_months_are_kept():
    times = [NOON - timedelta(hours=12 * half_days) for half_days in range(2 * 800)]
    kept = sorted(kept_times(times, KEPT_IN_OWN_FOLDER), reverse=True)
    assert kept[0] == NOON
    assert [at.date() for at in kept[:7]] == [(NOON - timedelta(days=days)).date() for days in range(7)]
    assert len({(at.year, at.month) for at in kept}) == 12
    assert 7 + 11 <= len(kept) <= 7 + 4 + 12
    assert kept_times(times, Retention(days=3)) == {times[0], times[2], times[4]}
    assert kept_times([NOON], KEPT_IN_OWN_FOLDER) == {NOON}


def test_backup_needs_a_quarter_of_the_free_space_at_most(settings, game, monkeypatch):
    monkeypatch.setattr(automatic_backups, "FREE_SPACE_SHARE", 1e-9)
    with pytest.raises(NoSpaceError, match="more than a quarter"):
        created(settings)
    monkeypatch.undo()
    assert not stored_backups(settings.data / "backups")
    assert "more than a quarter" in summarise(settings).state.error
    assert not is_due(settings), "the next try is in an hour"
    [finding] = [found for found in run_checks(settings) if found.about == "backups" and found.state == "bad"]
    assert "more than a quarter" in finding.says


def test_command_gets_the_folder_of_a_whole_backup(settings, game, tmp_path):
    command = tmp_path / "copy onward"
    command.write_text(f'#!/bin/sh\n[ $# = 1 ] && cp -r "$1" "{tmp_path}/elsewhere; false"\n')
    command.chmod(0o755)
    created(replace(settings, backup_command=command))
    restored = replace(settings, data=tmp_path / "again")
    restore_backup(tmp_path / "elsewhere; false", restored)
    with closing(open_daybook(restored, create=True)) as book:
        assert book.games.get(game).step == 12
    assert summarise(settings).state.copied_at
    assert not (settings.data / "backups" / ".whole").exists()


def test_command_that_fails_is_reported_and_the_backup_stays(settings, game, tmp_path):
    command = tmp_path / "copy"
    command.write_text("#!/bin/sh\necho no route to host >&2\nexit 3\n")
    command.chmod(0o755)
    environ = {"DAYBOOK_DATA": str(settings.data), "DAYBOOK_BACKUP_COMMAND": str(command)}
    result = CliRunner().invoke(cli.main, ["automatic-backup"], env=environ)
    assert (result.exit_code, "exit code 3: no route to host" in result.output) == (1, True)
    assert len(stored_backups(settings.data / "backups")) == 1
    told = {found.about: found for found in run_checks(replace(settings, backup_command=command))}
    assert told["backup copies"].state == "bad"
    listed = CliRunner().invoke(cli.main, ["backups"], env=environ)
    assert (listed.exit_code, "no route to host" in listed.output) == (0, True)


def test_damaged_piece_is_refused(settings, game, tmp_path):
    backup = created(settings)
    piece = max((settings.data / "backups" / PIECES).glob("*/*"), key=lambda path: path.stat().st_size)
    content = bytearray(piece.read_bytes())
    content[len(content) // 2] ^= 1
    piece.write_bytes(content)
    with pytest.raises(BadBackupError, match=rf"{backup}/\S+ is not .* damaged or changed .* another backup"):
        rehearse_restore(backup, settings)
    piece.unlink()
    result = CliRunner().invoke(cli.main, ["rehearse-restore", "--data", str(settings.data)])
    assert (result.exit_code, "is not whole" in result.output) == (2, True)
    with pytest.raises(BadBackupError):
        restore_backup(backup, replace(settings, data=tmp_path / "again"))
    assert not (tmp_path / "again").exists()


def test_list_that_names_a_file_elsewhere_is_refused(settings, game, tmp_path):
    backup = created(settings)
    (backup / "pieces.json").write_text('{"files": {"log.db": ["../../../../etc/passwd"], "kept.db": []}}')
    with pytest.raises(BadBackupError, match="names other files"):
        restore_backup(backup, replace(settings, data=tmp_path / "again"))


def test_rehearsal_leaves_nothing_and_counts_the_games(settings, game):
    created(settings)
    before = sorted(os.listdir(settings.data / "backups"))
    result = CliRunner().invoke(cli.main, ["rehearse-restore", "--data", str(settings.data)])
    assert result.exit_code == 0, result.output
    assert "1 game, 13 entries, every seal verified" in result.output
    assert sorted(os.listdir(settings.data / "backups")) == before


@pytest.mark.parametrize(
    ("spoil", "says"),
    [(close_for_writing, "Read-only file system"), (fill, "that are free in"), (unmount, "lost with it")],
)
def test_second_disk_that_fails_is_reported(settings, game, tmp_path, spoil, says):
    with disk(tmp_path / "second", "100m") as second:
        settings = replace(settings, backup_folder=second)
        created(settings)
        findings = [found for found in run_checks(settings) if found.about == "backups"]
        assert [found.state for found in findings] == ["ok"]
        spoil(second)
        argv = ["automatic-backup", "--data", str(settings.data)]
        result = CliRunner().invoke(cli.main, argv, env={"DAYBOOK_BACKUP_FOLDER": str(second)})
        findings = [found for found in run_checks(settings) if found.about == "backups"]
        assert any(says in text for text in (result.output, *(found.says for found in findings)))
        fails = spoil is not unmount  # without the disk, its folder is on the disk of the data
        assert (result.exit_code != 0, findings[0].state == "bad") == (fails, fails)


def test_metrics_and_doctor_tell_the_age(settings, game):
    age(created(settings), hours=50)
    with closing(open_daybook(settings)) as book:
        text = Metrics(Pulse(book)).render_text().decode()
    [told] = [line for line in text.splitlines() if line.startswith("daybook_backup_age_seconds")]
    assert float(told.split()[1]) == pytest.approx(50 * 3600, abs=60)
    assert "daybook_backup_failed 0.0" in text
    findings = [found for found in run_checks(settings) if found.about == "backups"]
    assert [found.state for found in findings] == ["bad", "warn"]
    assert "lost with it" in findings[1].says


def test_follower_creates_a_backup_when_one_is_due(settings, game, monkeypatch):
    monkeypatch.setattr(daily_backup, "LOOK_SECONDS", 0.1)
    stopping = Event()
    thread = Thread(target=daily_backup.back_up_daily, args=(settings, stopping))
    thread.start()
    try:
        wait_until(lambda: bool(stored_backups(folder_of(settings))), "a backup")
    finally:
        stopping.set()
        thread.join()
    assert len(stored_backups(folder_of(settings))) == 1
