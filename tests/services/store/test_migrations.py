"""Every released version of the kept tables opens; a failed or killed step changes nothing."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from daybook import cli
from daybook.domain.disputes import claims
from daybook.services.disputes import forks, umpires
from daybook.services.files import receipts
from daybook.services.files.verify import verify_game
from daybook.services.league import anonymity, calendars, portraits
from daybook.services.operation import backups, doctor, upgrade
from daybook.services.operation.backup_checks import BadBackupError
from daybook.services.operation.health import Pulse
from daybook.services.people import accounts, anonymise, invitations, photos
from daybook.services.permissions import access, club_roles
from daybook.services.settings import Settings
from daybook.services.store import daybook, migrations, shapes
from daybook.services.store.database import StoreEngine, kept_engine
from daybook.services.store.daybook import KEPT, Daybook, open_daybook
from daybook.services.store.history import LostDataError
from daybook.services.store.kept_steps import STEPS
from daybook.services.store.migrations import (
    BusyTablesError,
    NewerTablesError,
    OlderTablesError,
    OtherTablesError,
    UnfitTablesError,
    migrate,
    read_versions,
    require_newest,
)
from daybook.web.app import create_app
from tests import data_folder
from tests.forked import all_sent, running
from tests.servers import free_port

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parent.parent.parent.parent / "docs" / "backup.md").read_text(encoding="utf-8")
NEWEST = migrations.newest_version()
NEWER = NEWEST + 1
PASSWORD = "seven looms at dawn"
Rows = dict[str, set[tuple[Any, ...]]]


@pytest.fixture
def engine(settings: Settings) -> Iterator[StoreEngine]:
    """The kept tables of the newest version, with an account."""
    with closing(open_daybook(settings, create=True)) as book:
        accounts.make_account(book, "Anna", sign_in="anna", password=PASSWORD)
    engine = kept_engine(settings)
    yield engine
    engine.dispose()


def rows(engine: StoreEngine) -> Rows:
    """All that is in the kept tables, by table; of each row the columns by name."""
    with engine.connect() as connection:
        return {
            name: {
                tuple(zip(row._fields, row, strict=True))
                for row in connection.exec_driver_sql(f'SELECT * FROM "{name}"')
            }
            for name in sa.inspect(connection).get_table_names()
        }


def without_new(old: set[tuple[Any, ...]], new: set[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """Rows without the columns that tables have got since."""
    known = {name for row in old for name, _ in row}
    return {tuple((name, value) for name, value in row if name in known) for row in new} if old else new


def shape(engine: StoreEngine) -> set[str]:
    with engine.connect() as connection:
        return shapes.found_shape(connection, {*sa.inspect(connection).get_table_names()})


def number_of(engine: StoreEngine) -> int:
    with engine.connect() as connection:
        return read_versions(connection).there


def change(engine: StoreEngine, statement: str) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)


def further(connection: sa.Connection) -> None:
    """A step that a later version may have."""
    connection.exec_driver_sql("ALTER TABLE kept_person ADD COLUMN spoken TEXT")
    connection.exec_driver_sql("UPDATE kept_person SET spoken = name")


@pytest.fixture
def next_program(monkeypatch) -> list[sa.Table]:
    """Turn this process into a Daybook whose kept tables are one step newer; return those tables."""
    later = sa.MetaData()
    tables = [table.to_metadata(later) for table in KEPT]
    later.tables["kept_person"].append_column(sa.Column("spoken", sa.Text))
    monkeypatch.setattr(migrations, "STEPS", (*STEPS, further))
    for module in (daybook, upgrade):
        monkeypatch.setattr(module, "KEPT", tables)
    return tables


def fails(connection: sa.Connection) -> None:
    further(connection)
    raise ZeroDivisionError


def is_known(book: Daybook, invitation: str) -> bool:
    """Return whether an invitation opens something, or did until it expired."""
    try:
        return invitations.read_invitation(book, invitation).club is not None
    except invitations.InvalidInvitationError as no:
        return no.reason.key != "unknown"


# --- every version so far --------------------------------------------------------------------------------------------


def test_every_version_has_its_data_folder():
    assert data_folder.versions() == [*range(1, NEWER)]


@pytest.mark.parametrize("number", range(1, NEWER))
def test_data_folder_of_each_version_opens_with_everything(number, settings):
    known = data_folder.lay_folder(number, settings)
    before = kept_engine(settings)
    old = rows(before)
    before.dispose()
    with closing(open_daybook(settings, create=True)) as book:
        new = rows(book.kept.engine)
        assert all(old[table] == without_new(old[table], new[table]) for table in old.keys() - {"kept_version"})
        assert number_of(book.kept.engine) == NEWEST
        assert accounts.sign_in(book, "anna", known.password, origin="192.0.2.7", device="Firefox")
        key = accounts.read_key(book, known.api_key)
        assert key is not None and key.person == known.anna
        assert calendars.person_of_key(book, known.calendar) == known.anna
        assert anonymise.is_anonymous(book, known.anonymous) and portraits.read_portrait(book, known.anna) is not None
        grant = access.read_key(book, known.grant)
        assert grant is not None and (grant.game, grant.role) == (known.game, "scorekeeper")
        fork = forks.get_fork(book, known.fork, club_roles.role_grant_id(known.ben))
        assert len(forks.fold_fork(book, fork).fork.moves) == 2 and not forks.fold_fork(book, fork).broken
        assert book.sheets.get("making_profit", known.sheet).digest() == known.sheet
        kept, game = book.kept.game(known.game), book.games.get(known.game)
        assert kept is not None and kept.names == ("Anna", "Ben") and game.seal == known.seal
        (hash,) = claims(game)[known.claim].raised.photos
        assert (
            photos.read_photo_of_game(book, known.game, hash) is not None
            and umpires.appeal_hours(book, known.game) == 24
        )
        assert verify_game(book, known.game).intact
        assert receipts.verify_game(book, known.game, receipts.read_receipt(known.receipt.encode())).holds
        assert {*book.clubs.get(known.club).people()} == {known.anna, known.ben}
        assert is_known(book, known.invitation)
        assert create_app(book).test_client().get("/").status_code == 200


def test_migrating_again_changes_nothing(engine):
    migrate(engine, KEPT)
    before = rows(engine)
    migrations.remove_copies(engine)
    migrate(engine, KEPT)
    assert rows(engine) == before and migrations.list_copies(engine) == []


# --- what is refused -------------------------------------------------------------------------------------------------


def test_older_folder_without_init_is_refused(settings, engine, next_program):
    with pytest.raises(OlderTablesError, match=f"have version {NEWEST}, .* run `daybook init`"):
        open_daybook(settings)


@pytest.mark.parametrize("create", [False, True])
def test_folder_of_daybook_0_is_refused(settings, engine, create):
    change(engine, "ALTER TABLE kept_version RENAME TO kept_schema")
    with pytest.raises(UnfitTablesError, match=r"made by Daybook 0\.x: .*0\.2\.0 is the last version that reads them"):
        open_daybook(settings, create=create)


@pytest.mark.parametrize("create", [False, True])
def test_older_program_refuses_a_newer_folder_and_leaves_it(settings, engine, create):
    change(engine, f"INSERT INTO kept_version VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    before = rows(engine), shape(engine), migrations.list_copies(engine)
    with pytest.raises(NewerTablesError, match=f"knows version {NEWER - 1} at most: install the newer Daybook again"):
        open_daybook(settings, create=create)
    assert (rows(engine), shape(engine), migrations.list_copies(engine)) == before


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("ALTER TABLE kept_grant DROP COLUMN revoked_at", r"without kept_grant\.revoked_at TEXT"),
        ("ALTER TABLE kept_person ADD COLUMN spoken TEXT", r"with kept_person\.spoken TEXT"),
        ("DROP TABLE kept_photo", r"without kept_photo PRIMARY KEY \(game, hash\)"),
        ("DROP INDEX ix_kept_seat_person", r"without kept_seat INDEX \(person\)"),
        ("CREATE UNIQUE INDEX one_name ON kept_person (name)", r"with kept_person UNIQUE \(name\)"),
    ],
)
@pytest.mark.parametrize("create", [False, True])
def test_tables_that_are_not_what_their_version_says_are_refused(book, statement, message, create):
    change(book.kept.engine, statement)
    before = shape(book.kept.engine)
    with pytest.raises(OtherTablesError, match=message):
        open_daybook(book.settings, create=create)
    assert shape(book.kept.engine) == before


def test_an_index_or_a_table_that_somebody_added_is_no_reason(book):
    change(book.kept.engine, "CREATE INDEX by_title ON kept_game (title)")
    change(book.kept.engine, "CREATE TABLE replicated (number INTEGER)")
    open_daybook(book.settings).close()


def test_step_on_damaged_tables_changes_nothing(engine, next_program):
    change(engine, "ALTER TABLE kept_grant DROP COLUMN revoked_at")
    before = rows(engine), shape(engine)
    with pytest.raises(OtherTablesError, match=r"without kept_grant\.revoked_at TEXT"):
        migrate(engine, next_program)
    assert (rows(engine), shape(engine)) == before


def test_kept_tables_that_are_missing_are_not_made_by_looking(tmp_path, empty_data):
    data = Path(shutil.copytree(empty_data, tmp_path / "data"))
    for path in data.glob("kept.db*"):
        path.unlink()
    with pytest.raises(LostDataError, match=r"has the log, but no kept tables: .*restore a backup"):
        open_daybook(Settings(data=data))
    assert not (data / "kept.db").exists()
    (found,) = [check for check in doctor.run_checks(Settings(data=data)) if check.about == "data"]
    assert found.state == "bad" and "no kept tables" in found.says and not (data / "kept.db").exists()


def test_every_command_refuses_an_older_folder(tmp_path, empty_data, next_program):
    settings = Settings(data=Path(shutil.copytree(empty_data, tmp_path / "data")))
    for command in (
        ["web", "--port", str(free_port())],
        ["follow"],
        ["work"],
        ["analyse"],
        ["rebuild"],
        ["club", "list"],
    ):
        refused = CliRunner().invoke(cli.main, [*command, "--data", str(settings.data)])
        assert refused.exit_code == 2 and "run `daybook init`" in refused.stderr, (command, refused.output)


# --- while older parts run ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("goes_on", [True, False])
def test_an_older_part_goes_on_until_it_is_said_that_none_runs(book, goes_on, next_program, monkeypatch):
    """A migration step on PostgreSQL allows it: the newer part has what the older one writes."""
    steps, tables, engine = migrations.STEPS, next_program, book.kept.engine
    monkeypatch.undo()
    allowed = {further: NEWER - 1} if goes_on else {}
    migrate(engine, tables, steps, allowed)
    (copy,) = migrations.list_copies(engine)
    assert copy in (f"daybook_kept_version_{NEWER - 1}", f"kept-version-{NEWER - 1}.db")
    if goes_on and engine.schema is not None:
        for create in (False, True):
            with closing(open_daybook(book.settings, create=create)) as older:
                anna = accounts.make_account(older, "Anna", sign_in=f"anna-{create}", password="seven looms at dawn")
                assert older.kept.names([anna]) == {anna: "Anna"}
        with pytest.raises(NewerTablesError):
            migrate(engine, KEPT, alone=True)  # it does not say so of those that are newer
        (told,) = [check for check in doctor.run_checks(book.settings) if check.about == "upgrade"]
        assert f"kept tables as of version {NEWER - 1}" in told.says and "daybook init --finish" in told.do
        migrate(engine, tables, steps, allowed, alone=True)
    assert number_of(engine) == NEWER
    with pytest.raises(NewerTablesError, match=f"knows version {NEWER - 1} at most"):
        open_daybook(book.settings)


# --- what breaks off -------------------------------------------------------------------------------------------------


def test_a_step_that_fails_leaves_everything_as_it_was(engine):
    before = rows(engine), shape(engine)
    with pytest.raises(ZeroDivisionError):
        migrate(engine, KEPT, (*STEPS, fails))
    assert (rows(engine), shape(engine)) == before


def test_migration_steps_that_miss_the_declaration_roll_back(engine):
    before = rows(engine), shape(engine)
    with pytest.raises(OtherTablesError, match=rf"not as version {NEWER} has them: with kept_person\.spoken TEXT"):
        migrate(engine, KEPT, (*STEPS, further))
    assert (rows(engine), shape(engine)) == before


def migrates_slowly(settings: Settings, told: Connection) -> None:
    def halts(connection: sa.Connection) -> None:
        further(connection)
        told.send("in the middle of it")
        time.sleep(60)

    migrate(kept_engine(settings), KEPT, (*STEPS, halts))


def test_killed_migration_leaves_everything_as_it_was(engine, settings):
    before = rows(engine), shape(engine)
    with running(migrates_slowly, settings) as (process, told):
        assert told.recv() == "in the middle of it"
        process.kill()
        process.join()
    assert (rows(engine), shape(engine)) == before and number_of(engine) == NEWEST


def migrates(settings: Settings, start_at: float, connection: Connection) -> None:
    time.sleep(max(0.0, start_at - time.monotonic()))
    open_daybook(settings, create=True).close()
    connection.send("opened")


def test_processes_that_create_tables_at_once_do_it_once(settings):
    start_at = time.monotonic() + 1.0
    with ExitStack() as stack:
        told = [stack.enter_context(running(migrates, settings, start_at))[1] for _ in range(4)]
        assert [list(all_sent(sent)) for sent in told] == [["opened"]] * 4
    engine = kept_engine(settings)
    assert {dict(row)["number"] for row in rows(engine)["kept_version"]} == {*range(1, NEWER)}
    require_newest(engine, KEPT)
    engine.dispose()


def test_whoever_holds_the_tables_is_told_to_stop(engine, settings, monkeypatch, next_program):
    monkeypatch.setattr(migrations, "LOCK_SECONDS", 1)
    monkeypatch.setattr("daybook.services.store.sqlite.LOCK_TIMEOUT_SECONDS", 1)
    other = kept_engine(settings)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE kept_person SET name = name")
        with pytest.raises(BusyTablesError, match="stop all parts of Daybook"):
            migrate(other, next_program)
    other.dispose()
    migrate(engine, next_program)


# --- copies ----------------------------------------------------------------------------------------------------------


def test_copy_made_before_a_step_can_be_put_back(engine, settings, next_program):
    before = rows(engine), shape(engine)
    migrate(engine, next_program)
    (copy,) = migrations.list_copies(engine)
    assert copy in PAGE
    engine.dispose()
    if settings.database_url is None:  # as docs/backup.md says
        for path in settings.data.glob("kept.db*"):
            path.unlink()
        (settings.data / copy).rename(settings.data / "kept.db")
    else:
        with psycopg.connect(settings.database_url) as connection:
            connection.execute("DROP SCHEMA daybook_kept CASCADE")
            connection.execute(f"ALTER SCHEMA {copy} RENAME TO daybook_kept".encode())
    assert (rows(engine), shape(engine)) == before
    with closing(open_daybook(settings, create=True)) as book:
        assert number_of(engine) == NEWER
        accounts.make_account(book, "Cleo", sign_in="cleo", password=PASSWORD)  # the numbers of changes continue


def test_what_is_new_has_nothing_to_be_copied(book):
    assert migrations.list_copies(book.kept.engine) == []


def test_copy_is_readable_by_its_user_only(tmp_path, empty_data, next_program):
    settings = Settings(data=Path(shutil.copytree(empty_data, tmp_path / "data")))
    with closing(open_daybook(settings, create=True)) as book:
        (copy,) = migrations.list_copies(book.kept.engine)
    assert (settings.data / copy).stat().st_mode & 0o777 == 0o600


def test_copies_go_when_a_person_becomes_anonymous(settings, engine, next_program):
    with closing(open_daybook(settings, create=True)) as book:
        assert len(migrations.list_copies(book.kept.engine)) == 1
        anna = accounts.person_of_sign_in(book, "anna")
        anonymity.make_anonymous(book, anna, by=anna)
        assert migrations.list_copies(book.kept.engine) == []


# --- doctor, health, backups -----------------------------------------------------------------------------------------


def told_by_doctor(settings: Settings) -> list[doctor.CheckResult]:
    return [check for check in doctor.run_checks(settings) if check.about == "kept tables"]


def test_doctor_names_the_version_and_what_to_do(engine, settings, next_program):
    (older,) = told_by_doctor(settings)
    assert older.state == "bad" and "daybook init" in older.do and number_of(engine) == NEWEST
    open_daybook(settings, create=True).close()
    sound, copy = told_by_doctor(settings)
    assert sound.state == copy.state == "ok" and f"of version {NEWER}" in sound.says and "version" in copy.says
    change(engine, f"INSERT INTO kept_version VALUES ({NEWER + 1}, '2030-01-01T00:00:00.000Z')")
    (newer,) = told_by_doctor(settings)
    assert newer.state == "bad" and f"knows version {NEWER} at most" in newer.says


def test_health_tells_that_another_host_has_migrated(book):
    client = create_app(book).test_client()
    fares = client.get("/api/v1/health").get_json()
    assert (fares["ok"], fares["kept_tables"], fares["kept_tables_known"]) == (True, NEWER - 1, NEWER - 1)
    change(book.kept.engine, f"INSERT INTO kept_version VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    assert Pulse(book).check_reachability().kept == NEWER
    fares = client.get("/api/v1/health").get_json()
    assert (fares["ok"], fares["kept_tables"], fares["kept_tables_known"]) == (False, NEWER, NEWER - 1)


def test_backup_of_an_older_version_restores_and_migrates(tmp_path, settings, engine, next_program):
    if settings.database_url is not None:
        return  # docs/backup.md has the commands for that
    backups.take_backup(settings, tmp_path / "copy")
    again = Settings(data=tmp_path / "again")
    backups.restore_backup(tmp_path / "copy", again)
    with pytest.raises(OlderTablesError):
        open_daybook(again)
    with closing(open_daybook(again, create=True)) as book:
        assert accounts.person_of_sign_in(book, "anna") is not None


def test_a_backup_tells_its_version_and_a_newer_one_is_refused(book, tmp_path):
    if book.settings.database_url is not None:
        return  # docs/backup.md has the commands for that
    assert backups.take_backup(book.settings, tmp_path / "copy").found.kept == migrations.newest_version()
    change(book.kept.engine, f"INSERT INTO kept_version VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    assert backups.take_backup(book.settings, tmp_path / "newer").found.kept == NEWER
    with pytest.raises(BadBackupError, match=rf"made by a newer Daybook .*version {NEWER}.*restore it with that one"):
        backups.restore_backup(tmp_path / "newer", replace(book.settings, data=tmp_path / "again"))
    assert not (tmp_path / "again").exists()
