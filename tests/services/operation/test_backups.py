"""Backups taken while people record, and what becomes of one that is not what was taken."""

from __future__ import annotations

import random
import re
import shlex
import shutil
import stat
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
import sqlalchemy as sa
from click.testing import CliRunner, Result

from daybook import cli
from daybook.domain.commands import Decide
from daybook.domain.kernel.board import plain
from daybook.domain.kernel.chronicle import seal_line, unseal_line
from daybook.services.atomic_files import OccupiedError
from daybook.services.files import receipts
from daybook.services.files.verify import verify_game
from daybook.services.operation import backups
from daybook.services.operation.backup_checks import (
    KEPT,
    LOG,
    MANIFEST,
    NAMES,
    Backup,
    BadBackupError,
    content_of,
    describe_file,
    read_manifest,
)
from daybook.services.operation.backups import UsesPostgresError, restore_backup, take_backup, verify_backup
from daybook.services.operation.doctor import run_checks
from daybook.services.permissions import access
from daybook.services.play.practice import Dealer
from daybook.services.play.recording import NewGame, SeatedPerson, open_game
from daybook.services.settings import Settings
from daybook.services.store.compression import DictionaryCompressor
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.kept import kept_game
from daybook.services.store.log import NoLogError
from daybook.services.store.secret import checked_secret
from daybook.services.store.sqlite import sqlite
from tests.forked import all_sent, running
from tests.played import open_seats, play, write

pytestmark = pytest.mark.slow

ANOTHER_KEY = 'UPDATE games_events SET state = CAST(replace(state, \'"key":"\', \'"key":"x\') AS BLOB)'
SEATS = [SeatedPerson("Anna", "red"), SeatedPerson("Ben", "blue")]


def open_one(book: Daybook) -> UUID:
    return open_game(
        book, NewGame(ruleset_id="making_profit", title="Tuesday", players=SEATS, options={}), key=uuid4().hex
    ).record


@pytest.fixture
def settings(empty_data: Path, tmp_path: Path) -> Settings:
    """A data folder: what is in PostgreSQL is backed up by its own programs."""
    shutil.copytree(empty_data, tmp_path / "data")
    return Settings(data=tmp_path / "data", workers=1)


@pytest.fixture
def game(book: Daybook) -> UUID:
    id = open_one(book)
    play(book, id, 12)
    return id


@pytest.fixture
def backup_folder(book: Daybook, game: UUID, tmp_path: Path) -> Path:
    """A backup of a service with a game, a link and a receipt."""
    access.key_of(book, access.make_grant(book, game, "scorekeeper"))
    receipts.issue_receipt(book, game)
    take_backup(book.settings, tmp_path / "copy")
    return tmp_path / "copy"


def restore_copy(source: Path, **other: Any) -> Settings:
    settings = Settings(data=source.parent / f"restored-{uuid4().hex[:6]}")
    restore_backup(source, settings, **other)
    return settings


# --- nothing acknowledged is lost ------------------------------------------------------------------------------------


def records(settings: Settings, seed: int, connection: Connection) -> None:
    """Records game after game as fast as it can; tells each step when it is acknowledged."""
    book, dealer = open_daybook(settings), Dealer(seed)
    while True:
        id = open_one(book)
        connection.send((id, 0, book.games.get(id).seal))
        while (chosen := dealer.next_decision(book.games.get(id).ruleset, book.games.get(id).board)) is not None:
            at = book.games.get(id).step
            receipt = write(book, id, Decide(chosen[0], plain(chosen[1])), at=at)
            connection.send((id, receipt.step, receipt.seal))


def test_every_decision_acknowledged_before_a_backup_is_in_it(settings, tmp_path):
    acknowledged: list[tuple[UUID, int, str]] = []
    with running(records, settings, 1) as (_, first), running(records, settings, 2) as (_, second):
        for number in range(6):
            for told in (first, second):
                acknowledged.append(told.recv())
                while told.poll():
                    acknowledged.append(told.recv())
            backup = take_backup(settings, tmp_path / f"copy-{number}")
            assert (backup.found.unopened, backup.found.broken) == ([], [])
            with closing(open_daybook(restore_copy(tmp_path / f"copy-{number}"))) as copy:
                for id, step, seal in acknowledged:
                    assert copy.games.get(id).entries[step].seal == seal
                assert {kept.id for kept in copy.kept.games()} == set(copy.log.game_ids())
    assert len(acknowledged) > 20


def opens_games(settings: Settings, connection: Connection) -> None:
    book = open_daybook(settings)
    while True:
        connection.send(open_one(book))


def test_a_backup_names_no_game_that_its_log_lacks(settings, tmp_path):
    with running(opens_games, settings) as (_, told):
        known = {told.recv()}
        for number in range(5):
            while told.poll():
                known.add(told.recv())
            assert take_backup(settings, tmp_path / f"copy-{number}").found.unopened == []
            with closing(open_daybook(restore_copy(tmp_path / f"copy-{number}"))) as copy:
                assert known <= set(copy.log.game_ids())


def test_interrupted_opening_is_told_and_backups_go_on(book, game, tmp_path):
    book.kept.keep(UUID(int=7), "Broken off", False, [])
    backup = take_backup(book.settings, tmp_path / "copy")
    assert backup.found.unopened == [UUID(int=7).hex]
    with closing(open_daybook(restore_copy(tmp_path / "copy"))) as copy:
        assert copy.games.get(game).step == 12


def test_everything_works_as_before_after_restoring(book, game, tmp_path):
    key = access.key_of(book, access.make_grant(book, game, "seat", 1))
    receipt = receipts.issue_receipt(book, game)
    take_backup(book.settings, tmp_path / "copy")
    settings = restore_copy(tmp_path / "copy")
    with closing(open_daybook(settings)) as copy:
        grant = access.read_key(copy, key)
        assert grant is not None and (grant.game, grant.seat) == (game, 1)
        found = receipts.verify_game(copy, game, receipt)
        assert (found.state, found.signed, found.trusted) == ("unchanged", True, True)
        assert copy.kept.games_of([game]) == book.kept.games_of([game])
        play(copy, game, 3)
        assert verify_game(copy, game).intact and copy.games.get(game).step == 15
    assert sorted(
        path.name for path in settings.data.iterdir() if not path.name.endswith((".db-shm", ".db-wal", ".lock"))
    ) == (sorted(NAMES))
    assert {stat.S_IMODE(path.stat().st_mode) for path in settings.data.glob("[rs]*")} == {0o600}
    assert stat.S_IMODE(settings.data.stat().st_mode) == 0o700


def test_a_secret_and_a_key_that_lie_elsewhere_are_in_it_too(book, game, tmp_path):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "secret").write_text("x" * 40)
    receipts.issue_receipt(book, game)
    (book.settings.data / "receipt-key.pem").rename(tmp_path / "etc" / "key")
    elsewhere = Settings(
        data=book.settings.data, secret_file=tmp_path / "etc" / "secret", receipt_key_file=tmp_path / "etc" / "key"
    )
    take_backup(elsewhere, tmp_path / "copy")
    assert (tmp_path / "copy" / "secret").read_text() == "x" * 40
    assert (tmp_path / "copy" / "receipt-key.pem").read_bytes() == (tmp_path / "etc" / "key").read_bytes()


# --- what is there stays ---------------------------------------------------------------------------------------------


def test_nothing_is_overwritten(book, backup_folder, tmp_path):
    before = read_manifest(backup_folder)
    (tmp_path / "file").write_text("mine")
    for to in (backup_folder, tmp_path / "file", book.settings.data):
        with pytest.raises(OccupiedError):
            take_backup(book.settings, to)
        with pytest.raises(OccupiedError):
            restore_backup(backup_folder, Settings(data=to))
    assert read_manifest(backup_folder) == before and (tmp_path / "file").read_text() == "mine"
    (tmp_path / "empty").mkdir()
    restore_backup(backup_folder, Settings(data=tmp_path / "empty"))
    assert (tmp_path / "empty" / LOG).exists()


def test_what_cannot_be_backed_up_says_so(tmp_path):
    with pytest.raises(NoLogError, match="--data"):
        take_backup(Settings(data=tmp_path / "none"), tmp_path / "copy")
    in_postgres = Settings(data=tmp_path / "none", database_url="postgresql:///none")
    with pytest.raises(UsesPostgresError, match="pg_dump"):
        take_backup(in_postgres, tmp_path / "copy")
    with pytest.raises(UsesPostgresError, match="pg_restore"):
        restore_backup(tmp_path / "copy", in_postgres)
    assert list(tmp_path.iterdir()) == []


# --- a copy that is not what was taken -------------------------------------------------------------------------------


def described_anew(folder: Path) -> None:
    """The manifest as a forger writes it: with the files as they are now."""
    backup = read_manifest(folder)
    files = {name: describe_file(folder / name) for name in NAMES if (folder / name).exists()}
    (folder / MANIFEST).write_bytes(content_of(msgspec.structs.replace(backup, files=files)))


def alter_store(folder: Path, *statements: str, store: str = LOG, described: bool = True) -> None:
    """Alter a store against its triggers, and describe it again."""
    with closing(sqlite.connect(folder / store, isolation_level=None)) as store_:
        store_.execute("PRAGMA journal_mode=DELETE")
        triggers = store_.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            store_.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            store_.execute(statement)
        for _, sql in triggers:
            store_.execute(sql)
        store_.execute("PRAGMA journal_mode=WAL")
    if described:
        described_anew(folder)


def lay_plain(folder: Path) -> None:
    """Have a log's lines stored as they are, as those of before there were dictionaries: SQL alone can alter them."""
    with closing(sqlite.connect(folder / LOG)) as log:
        stored = log.execute("SELECT rowid, state FROM games_events").fetchall()
    lines = [DictionaryCompressor(lambda number: None).decompress(state) for _, state in stored]
    alter_store(
        folder,
        *(
            f"UPDATE games_events SET state = x'{line.hex()}' WHERE rowid = {place}"
            for (place, _), line in zip(stored, lines, strict=True)
        ),
    )


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def says_it_has(folder: Path, **found: Any) -> None:
    backup = read_manifest(folder)
    changed = msgspec.structs.replace(backup.found, **found)
    (folder / MANIFEST).write_bytes(content_of(msgspec.structs.replace(backup, found=changed)))


def flipped_and_described(copy: Path) -> None:
    flip(copy / LOG, 104)  # how many things there are in the file
    described_anew(copy)


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "no manifest": (lambda copy: (copy / MANIFEST).unlink(), "no backup.json"),
    "no log": (lambda copy: (copy / LOG).unlink(), "log.db is missing"),
    "no secret": (lambda copy: (copy / "secret").unlink(), "secret is missing"),
    "a write-ahead log beside it": (lambda copy: (copy / "log.db-wal").touch(), "no part of the backup"),
    "a link": (lambda copy: [(copy / "secret").unlink(), (copy / "secret").symlink_to("kept.db")], "no plain file"),
    "cut off": (lambda copy: (copy / LOG).write_bytes((copy / LOG).read_bytes()[:9000]), "not what was written"),
    "a bit of the log": (lambda copy: flip(copy / LOG, 20_000), "not what was written"),
    "a bit of the kept tables": (lambda copy: flip(copy / KEPT, 20_000), "not what was written"),
    "another secret": (lambda copy: (copy / "secret").write_text("y" * 64), "not what was written"),
    "a bit, described anew": (flipped_and_described, "damaged|changed|cannot be read"),
    "a line": (lambda copy: [lay_plain(copy), alter_store(copy, ANOTHER_KEY)], "broken at step 0"),
    "a packed line": (
        lambda copy: alter_store(
            copy, "UPDATE games_events SET state = substr(state, 1, 40) WHERE originator_version = 5"
        ),
        "broken at step 4",
    ),
    "a name for a line": (
        lambda copy: alter_store(copy, "UPDATE games_events SET topic = 'note_added' WHERE originator_version = 5"),
        "broken at step 4",
    ),
    "the end cut off": (
        lambda copy: alter_store(copy, "DELETE FROM games_events WHERE originator_version > 9"),
        "does not hold what the backup says",
    ),
    "a step left out": (
        lambda copy: alter_store(copy, "DELETE FROM games_events WHERE originator_version = 9"),
        "broken at step 8",
    ),
    "all of it left out": (lambda copy: alter_store(copy, "DELETE FROM games_events"), "names games that log.db lacks"),
    "a game under another id": (
        lambda copy: alter_store(copy, f"UPDATE games_events SET originator_id = '{UUID(int=1).hex}'"),
        "names games that log.db lacks",
    ),
    "a log that can be changed": (lambda copy: alter_store(copy, "CREATE TABLE more (x)"), "other tables or triggers"),
    "kept tables that act": (
        lambda copy: alter_store(
            copy, "CREATE TRIGGER t AFTER INSERT ON kept_seat BEGIN DELETE FROM kept_grant; END", store=KEPT
        ),
        "which acts by itself",
    ),
    "another layout": (lambda copy: alter_store(copy, "PRAGMA user_version = 9"), "has layout 9"),
    "a format to come": (lambda copy: (copy / MANIFEST).write_bytes(b'{"backup":4}'), "reads format 3"),
    "a format of before": (lambda copy: (copy / MANIFEST).write_bytes(b'{"backup":2}'), "0.2.0 is the last version"),
    "a manifest that is none": (lambda copy: (copy / MANIFEST).write_bytes(b"[]"), "cannot be read"),
    "fewer games": (lambda copy: says_it_has(copy, games=0), "does not hold what the backup says"),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_copy_that_is_not_what_was_taken_is_refused(backup_folder, tmp_path, bad):
    spoil, says = BAD[bad]
    spoil(backup_folder)
    with pytest.raises(BadBackupError, match=says):
        restore_backup(backup_folder, Settings(data=tmp_path / "new"))
    assert not (tmp_path / "new").exists() and not list(tmp_path.glob(".*"))


def test_a_copy_sealed_anew_is_told_by_its_check_code(book, backup_folder, tmp_path):
    """A forger who rewrites the whole record, seals it and describes it is found by the code alone."""
    code = verify_backup(backup_folder).code
    lay_plain(backup_folder)
    with closing(sqlite.connect(backup_folder / LOG)) as log:
        lines = [line for (line,) in log.execute("SELECT state FROM games_events ORDER BY originator_version")]
    seal, statements = "", []
    for version, line in enumerate(lines, 1):
        anew, seal = seal_line(unseal_line(line)[0].replace(b'"by":"scorekeeper"', b'"by":"nobody"'), seal)
        statements.append(f"UPDATE games_events SET state = x'{anew.hex()}' WHERE originator_version = {version}")
    alter_store(backup_folder, *statements)
    with pytest.raises(BadBackupError, match="check code"):
        restore_backup(backup_folder, Settings(data=tmp_path / "new"), code=code[:12])
    assert verify_backup(backup_folder).code != code


def test_damage_in_the_log_is_told_and_restored_only_on_purpose(book, game, tmp_path):
    with closing(sqlite.connect(book.settings.data / LOG, isolation_level=None)) as log:
        log.execute("DROP TRIGGER games_events_never_changed")
        log.execute("UPDATE games_events SET state = x'00' WHERE originator_version = 4")
    with pytest.raises(BadBackupError, match="other tables or triggers"):
        take_backup(book.settings, tmp_path / "copy")
    with closing(sqlite.connect(book.settings.data / LOG, isolation_level=None)) as log:
        log.execute("""CREATE TRIGGER games_events_never_changed BEFORE UPDATE ON games_events
                       BEGIN SELECT RAISE(ABORT, 'the log is never changed'); END""")
    backup = take_backup(book.settings, tmp_path / "copy")
    assert [(item.id, item.step) for item in backup.found.broken] == [(game.hex, 3)]
    with pytest.raises(BadBackupError, match="--damaged"):
        restore_copy(tmp_path / "copy")
    assert restore_copy(tmp_path / "copy", damaged=True).data.exists()


# --- killed half-way -------------------------------------------------------------------------------------------------


def backs_up(settings: Settings, folder: Path, connection: Connection) -> None:
    for number in range(10_000):
        connection.send(number)
        take_backup(settings, folder / str(number))


def restores(settings: Settings, folder: Path, connection: Connection) -> None:
    for number in range(10_000):
        connection.send(number)
        restore_backup(settings.data, Settings(data=folder / str(number)))


@pytest.mark.parametrize("work", [backs_up, restores])
def test_process_killed_at_any_moment_leaves_no_half_backup(work, book, game, tmp_path):
    source, chance = book.settings, random.Random(work.__name__)
    if work is restores:
        take_backup(book.settings, tmp_path / "copy")
        source = Settings(data=tmp_path / "copy")
    drafts = 0
    for round in range(10):
        folder = tmp_path / f"round-{round}"
        folder.mkdir()
        with running(work, source, folder) as (process, told):
            told.recv()
            time.sleep(chance.uniform(0, 0.15))
            process.kill()
            began = [0, *all_sent(told)][-1]
        whole = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
        drafts += sum(path.name.startswith(".") for path in folder.iterdir())
        assert {str(number) for number in range(began)} <= whole <= {str(number) for number in range(began + 1)}
        for name in sorted(whole, key=int)[-3:]:
            if work is backs_up:
                verify_backup(folder / name)
            with closing(
                open_daybook(restore_copy(folder / name) if work is backs_up else Settings(data=folder / name))
            ) as copy:
                assert verify_game(copy, game).intact and copy.games.get(game).step == 12
    assert drafts > 2  # it was killed in the middle of its work, not between


# --- doctor ----------------------------------------------------------------------------------------------------------


def findings(settings: Settings, about: str) -> list[tuple[str, str]]:
    return [(found.state, found.says) for found in run_checks(settings) if found.about == about]


def test_doctor_reports_a_copy_without_its_write_ahead_log(book, game, tmp_path):
    """Copies made by hand while the service runs lack the file."""
    access.make_first_grants(book, game)
    (tmp_path / "by-hand").mkdir()
    with closing(sqlite.connect(book.settings.data / KEPT)) as kept:
        kept.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the kept tables came along, as they may
    for name in (LOG, KEPT):
        shutil.copy(book.settings.data / name, tmp_path / "by-hand" / name)
    ((state, says),) = findings(Settings(data=tmp_path / "by-hand"), "games")
    assert state == "bad" and "1 game" in says
    assert findings(book.settings, "games") == [("ok", "every one that has a title has its record")]


def test_doctor_tells_an_opening_that_broke_off_from_a_lost_game(book, game):
    book.kept.keep(UUID(int=7), "Broken off", False, [])
    assert findings(book.settings, "games")[0][0] == "ok"  # it may be under way
    with book.kept.engine.begin() as connection:
        connection.execute(kept_game.update().values(created_at="2026-01-01T00:00:00.000Z"))
    ((state, says),) = findings(book.settings, "games")
    assert state == "warn" and "broke off" in says
    access.make_grant(book, UUID(int=7), "reader")
    assert findings(book.settings, "games")[0][0] == "bad"


def test_doctor_tells_an_import_that_broke_off_from_a_lost_game(book, game):
    book.kept.keep(UUID(int=7), "Broken off", False, [])
    access.reserve_keeper_link(book, UUID(int=7), "f" * 64)
    book.kept.engine.write(kept_game.update().values(created_at="2026-01-01T00:00:00.000Z"))
    assert findings(book.settings, "games")[0][0] == "warn"


def test_doctor_tells_of_a_record_that_has_lost_its_title(book, game):
    with book.kept.engine.begin() as connection:
        connection.execute(sa.delete(kept_game))
    ((state, says),) = findings(book.settings, "games")
    assert state == "bad" and "no title" in says


def test_reading_what_a_backup_holds_needs_no_service(backup_folder):
    backup: Backup = verify_backup(backup_folder)
    assert (backup.found.games, backup.found.entries, backup.found.position) == (1, 13, 13)
    assert sorted(backup.files) == sorted(NAMES)


# --- several backups next to one another ---------------------------------------------------------------------------


def run_backup(settings: Settings, to: Path, *more: str) -> Result:
    return CliRunner().invoke(cli.main, ["backup", str(to), "--data", str(settings.data), *more])


def test_keep_removes_the_oldest_of_good_backups(book, game, tmp_path):
    for night in "abcd":
        play(book, game, 1)
        done = run_backup(book.settings, tmp_path / "nights" / night, "--keep", "2")
        assert done.exit_code == 0, done.output
    assert [path.name for path in sorted((tmp_path / "nights").iterdir())] == ["c", "d"]


def test_keep_ignores_strange_folders_and_other_histories(book, game, tmp_path):
    nights = tmp_path / "nights"
    (nights / "notes").mkdir(parents=True)
    (nights / "half").mkdir()
    (nights / "half" / MANIFEST).write_text("{")
    for night in "ab":
        assert run_backup(book.settings, nights / night, "--keep", "1").exit_code == 0
    assert {path.name for path in nights.iterdir()} == {"notes", "half", "b"}


@pytest.mark.parametrize("how", ["empty", "damaged", "older", "clock"])
def test_keep_never_removes_a_better_backup(book, game, tmp_path, how, monkeypatch):
    nights = tmp_path / "nights"
    data = book.settings.data
    shutil.copytree(data, tmp_path / "before")
    play(book, game, 3)
    assert run_backup(book.settings, nights / "a").exit_code == 0
    if how == "empty":
        settings = Settings(data=tmp_path / "fresh")
        open_daybook(settings, create=True).close()
    elif how == "older":
        settings = Settings(data=tmp_path / "before")
    else:
        settings = book.settings
    if how == "damaged":
        book.close()
        alter_store(data, "UPDATE games_events SET state = x'00' WHERE originator_version = 5", described=False)
    if how == "clock":
        monkeypatch.setattr(backups, "now", lambda: "2020-01-01T00:00:00.000Z")
        play(book, game, 1)
    done = run_backup(settings, nights / "b", "--keep", "1")
    if how == "clock":
        assert done.exit_code == 0 and [path.name for path in nights.iterdir()] == ["b"], "the newest entries decide"
        return
    assert done.exit_code == 1 and "keep the earlier backups" in done.stderr, done.output
    assert (nights / "a" / MANIFEST).exists()


def test_copies_of_two_moments_are_no_backup(backup_folder):
    alter_store(backup_folder, "UPDATE kept_history SET log_position = 900", store=KEPT)
    with pytest.raises(BadBackupError, match="older than the kept tables"):
        verify_backup(backup_folder)


def test_commands_of_the_page_on_backups_work(tmp_path, monkeypatch):
    """Each command that docs/backup.md shows is run here, one after the other, in the order of the page."""
    page = (Path(__file__).parents[3] / "docs" / "backup.md").read_text(encoding="utf-8")
    shown = re.findall(r"^ {4,}(daybook .*?)(?:  +#.*)?$", page, re.MULTILINE)
    assert len(shown) == 10 and page.count("```") == 4, "the blocks for PostgreSQL are run by test_backup_postgres"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DAYBOOK_DATA", "data")
    with closing(open_daybook(Settings(data=tmp_path / "data"), create=True)) as book:
        open_seats(book)
        checked_secret(book)
    codes = [""]
    for command in shown:
        command = command.replace("/backups", f"{tmp_path}").replace("$(date +%F)", "2026-11-21")
        command = re.sub(r"--code \w+", f"--code {codes[-1][:12]}", command)
        shutil.rmtree(tmp_path / "data-again", ignore_errors=True)
        done = CliRunner().invoke(cli.main, shlex.split(command)[1:])
        assert done.exit_code == 0, f"{command}: {done.output}"
        codes += re.findall(r"check code (\w+)", done.output)
    assert len({*codes}) == 4 and (tmp_path / "2026-11-21").is_dir()
