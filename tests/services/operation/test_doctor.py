"""The doctor: what is not as it should be is named, with what to do."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from daybook.domain.kernel.installed import NotLoaded
from daybook.services.clock import later_time, now
from daybook.services.files.import_export import import_file
from daybook.services.following import projections
from daybook.services.operation import doctor
from daybook.services.operation.doctor import CheckResult, file_system_type, run_checks
from daybook.services.settings import Settings
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers import queue_server
from daybook.workers.children import start_child, stop
from tests.played import update_games
from tests.servers import wait_until
from tests.services.fixture_files import FIXTURES

FRIDAY = (FIXTURES / "friday-four.daybook").read_bytes()


@pytest.fixture
def fresh(tmp_path: Path) -> Settings:
    """A data folder with tables and one game, everything followed; no queue."""
    settings = Settings(data=tmp_path / "data")
    book = open_daybook(settings, create=True)
    projections.prepare_read_models(book)
    import_file(book, FRIDAY)
    update_games(book)
    book.close()
    return settings


def about(results: list[CheckResult], what: str) -> list[str]:
    return [item.state for item in results if item.about == what]


def test_a_sound_installation(fresh):
    found = run_checks(fresh)
    assert [item for item in found if item.state == "bad"] == []
    assert about(found, "SQLite") == about(found, "log") == about(found, "kept tables") == ["ok"]
    assert about(found, "projection games") == ["ok"]
    assert about(found, "sheet of making_profit") == ["ok"]


def test_every_fault_says_what_to_do(tmp_path):
    found = run_checks(Settings(data=tmp_path / "none", redis_url=f"unix://{tmp_path}/none.sock"))
    assert about(found, "data folder") == about(found, "log") == about(found, "queue") == ["bad"]
    assert all(item.do for item in found if item.state != "ok")


def test_nothing_is_made_by_looking(tmp_path):
    run_checks(Settings(data=tmp_path / "none"))
    assert not (tmp_path / "none").exists()


def test_a_game_that_cannot_be_loaded(fresh, monkeypatch):
    broken = NotLoaded("sawmill", "an-old-mill 1.2", "ModuleNotFoundError: No module named 'saw'")
    monkeypatch.setattr(doctor, "NOT_LOADED", [broken])
    [game] = [check for check in run_checks(fresh) if check.about == "game sawmill"]
    assert game.state == "bad" and "an-old-mill 1.2" in game.says and game.do


def test_a_folder_that_others_may_enter_or_nobody_may_write(fresh):
    fresh.data.chmod(0o755)
    assert "warn" in about(run_checks(fresh), "data folder")
    fresh.data.chmod(0o700)
    if os.getuid():
        fresh.data.chmod(0o500)
        assert "bad" in about(run_checks(fresh), "data folder")


def test_a_full_disk(fresh, monkeypatch):
    usage = shutil.disk_usage(fresh.data)
    for free, state in ((10 * 2**20, "bad"), (2**30, "warn"), (2**40, "ok")):
        monkeypatch.setattr(shutil, "disk_usage", lambda path, free=free: usage._replace(free=free))
        assert about(run_checks(fresh), "disk") == [state]


def test_a_secret_that_others_can_read(fresh):
    fresh.make_secret()
    assert about(run_checks(fresh), "secret") == ["ok"]
    (fresh.data / "secret").chmod(0o644)
    assert about(run_checks(fresh), "secret") == ["bad"]


def test_a_queue_that_forgets_or_evicts(fresh, queue_url):
    from redis import Redis

    settings = Settings(data=fresh.data, redis_url=queue_url)
    assert about(run_checks(settings), "queue")[0] == "ok"
    with Redis.from_url(queue_url) as queue:
        was = queue.config_get("maxmemory-policy", "appendonly")
        try:
            queue.config_set("maxmemory-policy", "allkeys-lru")
            assert "bad" in about(run_checks(settings), "queue")
        finally:
            queue.config_set("maxmemory-policy", was["maxmemory-policy"])


@pytest.mark.parametrize(
    ("options", "user", "warns"),
    [
        (["--bind", "127.0.0.1"], "", False),
        ([], "", False),  # in protected mode, which is its default, it answers this machine alone
        (["--protected-mode", "no"], "", True),
        (["--protected-mode", "no", "--bind", "127.0.0.1", "::1"], "", False),
        (["--protected-mode", "no", "--requirepass", "s3cret"], ":s3cret@", False),
        (["--protected-mode", "no"], "default:any@", True),  # a password that is sent, and that nobody asks for
    ],
)
def test_a_queue_that_other_hosts_reach_without_a_password(fresh, tmp_path, options, user, warns):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"redis://{user}127.0.0.1:{port}/0"
    argv = queue_server.command(tmp_path / "queue", tmp_path / "queue.sock")
    server = start_child([*argv, "--port", str(port), *options], stdout=subprocess.DEVNULL)
    try:
        wait_until(lambda: queue_server.server_answers(url), "the queue server")
        found = [check for check in run_checks(replace(fresh, redis_url=url)) if check.about == "queue"]
        assert any("needs no password" in value.says and "requirepass" in value.do for value in found) == warns
        assert ("warn" in [item.state for item in found]) == warns
    finally:
        stop(server)


def test_read_models_that_lag_or_were_made_by_another_version(fresh):
    book = open_daybook(fresh)
    try:
        import_file(book, (FIXTURES / "short-duel.daybook").read_bytes())
        assert about(run_checks(fresh), "projection games") == ["warn"]
        with book.views.begin() as connection:
            connection.execute(read_models.views_schema.update().values(number=read_models.SCHEMA + 1))
        assert about(run_checks(fresh), "read models") == ["bad"]
    finally:
        book.close()


@pytest.mark.parametrize(
    ("state", "beat_at", "expected"),
    [
        ("running", None, "ok"),
        ("waiting", None, "warn"),
        ("failing", None, "bad"),
        ("stopped", None, "bad"),
        ("running", "2020-01-01T00:00:00.000Z", "warn"),
    ],
)
def test_how_a_follower_fares(state, beat_at, expected):
    health = read_models.Health("games", state, 1, "says", beat_at or now())
    assert [item.state for item in doctor._projection_health(health)] == [expected]


def test_a_clock_that_went_back(fresh):
    book = open_daybook(fresh)
    try:
        import_file(book, _later(book))
    finally:
        book.close()
    assert about(run_checks(fresh), "clock") == ["warn"]


def _later(book: Daybook) -> bytes:
    """A bare file of the game that is here, with one more note, written an hour from now."""
    from tests.services.fixture_files import bare_file_of, read_fixture

    note = {"note": {"about_step": 0, "text": "x"}, "at": later_time(now(), hours=1)}
    return bare_file_of(read_fixture(FRIDAY).game) + msgspec.json.encode(note) + b"\n"


def test_the_kind_of_file_system():
    assert file_system_type(Path("/proc")) == "proc"
    assert not file_system_type(Path(__file__).parent).startswith(doctor.REMOTE)


def test_a_translation_that_is_not_compiled(fresh, monkeypatch, tmp_path):
    folder = tmp_path / "translations" / "xx" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    monkeypatch.setattr(doctor, "TRANSLATIONS", tmp_path / "translations")
    assert about(run_checks(fresh), "translations") == []
    (folder / "messages.po").write_text("")
    assert about(run_checks(fresh), "translations") == ["bad"]
    (folder / "messages.mo").write_bytes(b"rubbish")
    assert about(run_checks(fresh), "translations") == ["bad"]
