"""Data folders of every version so far are opened by this one and by no older one; what breaks off changes none."""

from __future__ import annotations

import shutil
import time
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from daybook import cli
from daybook.domain.commands import TakeBack
from daybook.domain.disputes import claims
from daybook.services.disputes import forks, umpires
from daybook.services.files import receipts
from daybook.services.files.import_export import export_game, import_file, import_link
from daybook.services.files.verify import verify_game
from daybook.services.league import calendars, club_roles, members, own_seats
from daybook.services.operation import backups, doctor
from daybook.services.operation.backup_checks import MANIFEST, BadBackup, content_of, read_manifest
from daybook.services.operation.health import Pulse
from daybook.services.people import access, accounts, anonymise, invitations, photos
from daybook.services.settings import Settings
from daybook.services.store import migrations, set_aside, shapes
from daybook.services.store.database import StoreEngine, kept_engine
from daybook.services.store.daybook import KEPT, Daybook, open_daybook
from daybook.services.store.kept_steps import STEPS
from daybook.services.store.migrations import (
    BusyTables,
    NewerTables,
    OlderTables,
    OtherTables,
    migrate,
    require_newest,
    versions,
)
from daybook.web.app import create_app
from tests import data_folder
from tests.forked import all_sent, running
from tests.played import open_seats, update_games, write
from tests.servers import free_port
from tests.services.files.test_formats import check_whole
from tests.services.files.test_leases import play

pytestmark = pytest.mark.slow

PAGE = (Path(__file__).parent.parent.parent.parent / "docs" / "backup.md").read_text(encoding="utf-8")
FIRST = 1  # of before versions were counted
LEAN = 4  # from which on games are opened in format 2
NEWER = migrations.newest() + 1
Rows = dict[str, set[tuple[Any, ...]]]

every_version = pytest.mark.parametrize("number", data_folder.versions())


@pytest.fixture
def engine(settings: Settings) -> Iterator[StoreEngine]:
    """The kept tables of a data folder of the first version."""
    data_folder.lay_folder(FIRST, settings)
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
        return versions(connection).there


def change(engine: StoreEngine, statement: str) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)


def further(connection: sa.Connection) -> None:
    """A step that a later version may have."""
    connection.exec_driver_sql("ALTER TABLE kept_person ADD COLUMN spoken TEXT")
    connection.exec_driver_sql("UPDATE kept_person SET spoken = name")


def fails(connection: sa.Connection) -> None:
    further(connection)
    raise ZeroDivisionError


def is_known(book: Daybook, invitation: str) -> bool:
    """Whether an invitation opens something, or did until it ran out."""
    try:
        return invitations.read_invitation(book, invitation).club is not None
    except invitations.NoInvitation as no:
        return no.reason.key != "unknown"


# --- every version so far --------------------------------------------------------------------------------------------


@every_version
def test_a_data_folder_of_every_version_is_opened_and_everything_is_there(number, settings):
    known = data_folder.lay_folder(number, settings)
    before = kept_engine(settings)
    old = rows(before)
    before.dispose()
    with closing(open_daybook(settings, create=True)) as book:
        new = rows(book.kept.engine)
        assert all(old[table] == without_new(old[table], new[table]) for table in old.keys() - {"kept_schema"})
        assert number_of(book.kept.engine) == migrations.newest()
        assert accounts.sign_in(book, "anna", known.password, origin="192.0.2.7", device="Firefox")
        key = accounts.read_key(book, known.api_key)
        assert key is not None and key.person == known.anna
        assert calendars.person_of_key(book, known.calendar) == known.anna
        assert anonymise.is_anonymous(book, known.anonymous) and members.portrait(book, known.anna) is not None
        grant = access.read_key(book, known.grant)
        assert grant is not None and (grant.game, grant.role) == (known.game, "scorekeeper")
        fork = forks.get(book, known.fork, club_roles.role_grant_id(known.ben))
        assert len(forks.fold_fork(book, fork).fork.moves) == 2 and not forks.fold_fork(book, fork).broken
        assert book.sheets.get("making_profit", known.sheet).digest() == known.sheet
        kept, game = book.kept.game(known.game), book.games.get(known.game)
        assert kept is not None and kept.names == ("Anna", "Ben") and game.seal == known.seal
        (hash,) = claims(game)[known.claim].raised.photos
        assert photos.photo(book, known.game, hash) is not None and umpires.appeal_hours(book, known.game) == 24
        assert verify_game(book, known.game).whole
        assert receipts.verify_game(book, known.game, receipts.read_receipt(known.receipt.encode())).holds
        assert {*book.clubs.get(known.club).people()} == {known.anna, known.ben}
        assert is_known(book, known.invitation)


@pytest.mark.parametrize("number", [number for number in data_folder.versions() if number < LEAN])
def test_a_folder_of_before_holds_games_of_both_formats(number, settings, tmp_path):
    """Its games go on as they were begun, beside those that are opened now; both are followed, and read elsewhere."""
    known = data_folder.lay_folder(number, settings)
    with closing(open_daybook(settings, create=True)) as book:
        new = open_seats(
            book, ("Anna", "Ben"), title="Saturday", options={"hands": "open"}, public=True, key="opened-on-saturday"
        )
        for id, format in ((known.game, 1), (new, 2)):
            play(book, id, 5)
            write(book, id, TakeBack(book.games.get(id).step - 2))
            check_whole(book, id, format)
        held = receipts.verify_game(book, known.game, receipts.read_receipt(known.receipt.encode()))
        assert (held.state, held.holds) == ("extended", True)
        assert known.seal in [entry.seal for entry in book.games.get(known.game).entries]
        update_games(book)
        assert {*set_aside.of_projection(book.views, "games")} == set()
        exported = {id: export_game(book, id) for id in (known.game, new)}
    with closing(open_daybook(Settings(data=tmp_path / "elsewhere"), create=True)) as other:
        for id, content in exported.items():
            assert import_file(other, content) == id and export_game(other, id) == content
            play(other, id, 1)
            check_whole(other, id, 1 if id == known.game else 2)


@every_version
def test_a_folder_that_was_migrated_is_served(number, tmp_path):
    settings = Settings(data=tmp_path / "data")
    data_folder.lay_folder(number, settings)
    assert CliRunner().invoke(cli.main, ["init", "--data", str(settings.data)]).exit_code == 0
    with closing(open_daybook(settings)) as book:
        assert create_app(book).test_client().get("/").status_code == 200


def test_every_version_has_its_data_folder():
    assert data_folder.versions() == [FIRST, *range(FIRST + 1, len(STEPS) + 1)]


def test_steps_from_nothing_and_from_the_first_version_lead_to_the_same_tables(
    engine, settings, tmp_path, postgres_daybook
):
    """And those are what the code declares, which every opening compares."""
    migrate(engine, KEPT)
    url = postgres_daybook if settings.database_url else None
    fresh = kept_engine(Settings(data=tmp_path / "fresh", database_url=url))
    if url is None:
        (tmp_path / "fresh").mkdir()
        migrate(fresh, KEPT)
    assert shape(fresh) == shape(engine) == shapes.declared_shape(KEPT, engine.dialect)
    fresh.dispose()


def test_a_folder_of_before_versions_that_lacks_later_tables_gets_them(engine):
    for table in ("kept_secret", "kept_receipt_key", "kept_calendar"):
        change(engine, f"DROP TABLE {table}")
    migrate(engine, KEPT)
    require_newest(engine, KEPT)


def test_migrating_again_changes_nothing(engine):
    migrate(engine, KEPT)
    before = rows(engine)
    migrations.remove_copies(engine)
    migrate(engine, KEPT)
    assert rows(engine) == before and migrations.copies(engine) == []


@pytest.mark.parametrize(("number", "seat_is_found"), [(6, True), (7, False)])
def test_a_seat_that_a_record_gives_to_another_person_is_found_in_games_of_before_version_7(
    number, seat_is_found, settings
):
    """There a name that was put right in one game alone made another person of it. Of games since then no record is
    read, however many there are."""
    known = data_folder.lay_folder(number, settings)
    engine = kept_engine(settings)
    change(engine, "INSERT INTO kept_person (id, name) VALUES ('apart', 'Benedict')")
    change(engine, f"UPDATE kept_seat SET person = 'apart' WHERE person = '{known.ben}'")
    engine.dispose()
    with closing(open_daybook(settings, create=True)) as book:
        assert anonymise.anonymise(book, [known.ben], by=known.ben)
        assert (book.kept.names(["apart"])["apart"] != "Benedict") == seat_is_found


# --- what is refused -------------------------------------------------------------------------------------------------


def test_an_older_folder_is_opened_by_nothing_that_does_not_migrate_it(settings):
    data_folder.lay_folder(FIRST, settings)
    with pytest.raises(OlderTables, match=r"before versions were counted, .* run `daybook init`"):
        open_daybook(settings)


@pytest.mark.parametrize("create", [False, True])
def test_an_older_program_refuses_a_newer_folder_and_changes_nothing(settings, engine, create):
    migrate(engine, KEPT)
    change(engine, f"INSERT INTO kept_schema VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    before = rows(engine), shape(engine), migrations.copies(engine)
    with pytest.raises(NewerTables, match=f"knows version {NEWER - 1} at most: install the newer Daybook again"):
        open_daybook(settings, create=create)
    assert (rows(engine), shape(engine), migrations.copies(engine)) == before


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("ALTER TABLE kept_grant DROP COLUMN revoked_at", r"without kept_grant\.revoked_at TEXT"),
        ("ALTER TABLE kept_person ADD COLUMN spoken TEXT", r"with kept_person\.spoken TEXT"),
        ("DROP TABLE kept_photo", r"without kept_photo PRIMARY KEY \(game, hash\)"),
        ("DROP INDEX ix_kept_seat_person", r"without kept_seat INDEX \(person\)"),
        ("CREATE UNIQUE INDEX one_name ON kept_person (name)", r"with kept_person UNIQUE \(name\)"),
    ],
)
@pytest.mark.parametrize("create", [False, True])
def test_tables_that_are_not_what_their_version_says_are_refused(book, statement, says, create):
    change(book.kept.engine, statement)
    before = shape(book.kept.engine)
    with pytest.raises(OtherTables, match=says):
        open_daybook(book.settings, create=create)
    assert shape(book.kept.engine) == before


def test_an_index_or_a_table_that_somebody_added_is_no_reason(book):
    change(book.kept.engine, "CREATE INDEX by_title ON kept_game (title)")
    change(book.kept.engine, "CREATE TABLE replicated (number INTEGER)")
    open_daybook(book.settings).close()


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("ALTER TABLE kept_grant DROP COLUMN revoked_at", r"without kept_grant\.revoked_at TEXT"),
        ("ALTER TABLE kept_seat DROP COLUMN person", r"not what their version says \(.*person"),
    ],
)
def test_an_older_folder_in_which_something_is_missing_is_left_as_it_was(engine, statement, says):
    change(engine, statement)
    before = rows(engine), shape(engine)
    with pytest.raises(OtherTables, match=says):
        migrate(engine, KEPT)
    assert (rows(engine), shape(engine)) == before


def test_kept_tables_that_are_missing_are_not_made_by_looking(tmp_path, empty_data):
    data = Path(shutil.copytree(empty_data, tmp_path / "data"))
    for path in data.glob("kept.db*"):
        path.unlink()
    with pytest.raises(OtherTables, match=r"there is no kept\.db in .*: restore a backup"):
        open_daybook(Settings(data=data))
    assert not (data / "kept.db").exists()
    (found,) = [one for one in doctor.examine(Settings(data=data)) if one.about == "kept tables"]
    assert found.state == "bad" and "kept.db" in found.says and not (data / "kept.db").exists()


def test_every_command_says_so_in_a_sentence(tmp_path):
    settings = Settings(data=tmp_path / "data")
    data_folder.lay_folder(FIRST, settings)
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


def later_tables() -> list[sa.Table]:
    """As `further` leaves them."""
    later = sa.MetaData()
    tables = [table.to_metadata(later) for table in KEPT]
    later.tables["kept_person"].append_column(sa.Column("spoken", sa.Text))
    return tables


@pytest.mark.parametrize("goes_on", [True, False])
def test_an_older_part_goes_on_until_it_is_said_that_none_runs(book, goes_on):
    """On PostgreSQL, and after a step that lets it: what it writes is there for the newer one."""
    steps, tables, engine = (*STEPS, further), later_tables(), book.kept.engine
    allowed = {further: NEWER - 1} if goes_on else {}
    migrate(engine, tables, steps, allowed)
    (copy,) = migrations.copies(engine)
    assert copy in (f"daybook_kept_version_{NEWER - 1}", f"kept-version-{NEWER - 1}.db")
    if goes_on and engine.schema is not None:
        for create in (False, True):
            with closing(open_daybook(book.settings, create=create)) as older:
                anna = accounts.make_account(older, "Anna", sign_in=f"anna-{create}", password="seven looms at dawn")
                assert older.kept.names([anna]) == {anna: "Anna"}
        with pytest.raises(NewerTables):
            migrate(engine, KEPT, alone=True)  # it does not say so of those that are newer
        (told,) = [one for one in doctor.examine(book.settings) if one.about == "upgrade"]
        assert f"kept tables as of version {NEWER - 1}" in told.says and "daybook init --finish" in told.do
        migrate(engine, tables, steps, allowed, alone=True)
    assert number_of(engine) == NEWER
    with pytest.raises(NewerTables, match=f"knows version {NEWER - 1} at most"):
        open_daybook(book.settings)


def test_parts_of_the_release_before_find_their_tables_unchanged(settings):
    """0.2.0 knows version 7, compares every column, and does not start where one is new."""
    data_folder.lay_folder(7, settings)
    engine = kept_engine(settings)
    before, tables = shape(engine), {*rows(engine)}
    migrate(engine, KEPT)
    assert {line for line in shape(engine) if line.split()[0].partition(".")[0] in tables} == before
    if settings.database_url is not None:
        with engine.connect() as connection:
            assert versions(connection) == (7, NEWER - 1)
    engine.dispose()


# --- what breaks off -------------------------------------------------------------------------------------------------


def test_a_step_that_fails_leaves_everything_as_it_was(engine):
    before = rows(engine), shape(engine)
    with pytest.raises(ZeroDivisionError):
        migrate(engine, KEPT, (*STEPS, fails))
    assert (rows(engine), shape(engine)) == before
    migrate(engine, KEPT)


def test_steps_that_do_not_lead_to_what_is_declared_are_not_committed(engine):
    before = rows(engine), shape(engine)
    with pytest.raises(OtherTables, match=rf"not as version {NEWER} has them: with kept_person\.spoken TEXT"):
        migrate(engine, KEPT, (*STEPS, further))
    assert (rows(engine), shape(engine)) == before


def migrates_slowly(settings: Settings, told: Connection) -> None:
    def halts(connection: sa.Connection) -> None:
        further(connection)
        told.send("in the middle of it")
        time.sleep(60)

    migrate(kept_engine(settings), KEPT, (*STEPS, halts))


def test_a_process_that_is_killed_in_the_middle_leaves_everything_as_it_was(engine, settings):
    before = rows(engine), shape(engine)
    with running(migrates_slowly, settings) as (process, told):
        assert told.recv() == "in the middle of it"
        process.kill()
        process.join()
    assert (rows(engine), shape(engine)) == before
    migrate(engine, KEPT)
    assert number_of(engine) == migrations.newest()


def migrates(settings: Settings, start_at: float, told: Connection) -> None:
    time.sleep(max(0.0, start_at - time.monotonic()))
    open_daybook(settings, create=True).close()
    told.send("opened")


def test_processes_that_migrate_at_once_do_it_once(engine, settings):
    start_at = time.monotonic() + 1.0
    with ExitStack() as stack:
        told = [stack.enter_context(running(migrates, settings, start_at))[1] for _ in range(4)]
        assert [list(all_sent(one)) for one in told] == [["opened"]] * 4
    with engine.connect() as connection:
        assert [*connection.scalars(sa.text("SELECT number FROM kept_schema ORDER BY number"))] == [*range(1, NEWER)]
    require_newest(engine, KEPT)


def test_whoever_holds_the_tables_is_told_to_stop(engine, settings, monkeypatch):
    monkeypatch.setattr(migrations, "LOCK_SECONDS", 1)
    monkeypatch.setattr("daybook.services.store.sqlite.LOCK_TIMEOUT_SECONDS", 1)
    other = kept_engine(settings)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE kept_seat SET seat = seat")
        with pytest.raises(BusyTables, match="stop all parts of Daybook"):
            migrate(other, KEPT)
    other.dispose()
    migrate(engine, KEPT)


# --- copies ----------------------------------------------------------------------------------------------------------


def test_the_copy_made_before_is_what_was_there_and_can_be_put_back(engine, settings):
    before = rows(engine), shape(engine)
    migrate(engine, KEPT)
    (copy,) = migrations.copies(engine)
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
    again, tables = rows(engine), shape(engine)
    again.pop("kept_schema", None)
    assert again == before[0] and {line for line in tables if not line.startswith("kept_schema")} == before[1]
    with closing(open_daybook(settings, create=True)) as book:
        assert number_of(engine) == migrations.newest()
        # the numbers of changes go on
        accounts.make_account(book, "Cleo", sign_in="cleo", password="seven looms at dawn")


def test_what_is_new_has_nothing_to_be_copied(book):
    assert migrations.copies(book.kept.engine) == []


def test_a_copy_is_for_this_user_alone(tmp_path):
    settings = Settings(data=tmp_path / "data")
    data_folder.lay_folder(FIRST, settings)
    with closing(open_daybook(settings, create=True)) as book:
        (copy,) = migrations.copies(book.kept.engine)
    assert (settings.data / copy).stat().st_mode & 0o777 == 0o600


def test_whoever_is_made_anonymous_is_in_no_copy(settings):
    known = data_folder.lay_folder(FIRST, settings)
    with closing(open_daybook(settings, create=True)) as book:
        assert len(migrations.copies(book.kept.engine)) == 1
        members.make_anonymous(book, known.ben, by=known.ben)
        assert migrations.copies(book.kept.engine) == []


# --- doctor, health, backups -----------------------------------------------------------------------------------------


def told_by_doctor(settings: Settings) -> list[doctor.CheckResult]:
    return [one for one in doctor.examine(settings) if one.about == "kept tables"]


def test_the_doctor_tells_the_version_and_what_to_do_about_another(engine, settings):
    (older,) = told_by_doctor(settings)
    assert older.state == "bad" and "daybook init" in older.do and number_of(engine) == 0
    open_daybook(settings, create=True).close()
    sound, copy = told_by_doctor(settings)
    assert sound.state == copy.state == "ok" and f"of version {NEWER - 1}" in sound.says and "version" in copy.says
    change(engine, f"INSERT INTO kept_schema VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    (newer,) = told_by_doctor(settings)
    assert newer.state == "bad" and f"knows version {NEWER - 1} at most" in newer.says


def test_health_tells_that_another_host_has_migrated(book):
    client = create_app(book).test_client()
    fares = client.get("/api/v1/health").get_json()
    assert (fares["ok"], fares["kept_tables"], fares["kept_tables_known"]) == (True, NEWER - 1, NEWER - 1)
    change(book.kept.engine, f"INSERT INTO kept_schema VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    assert Pulse(book).feel().kept == NEWER
    fares = client.get("/api/v1/health").get_json()
    assert (fares["ok"], fares["kept_tables"], fares["kept_tables_known"]) == (False, NEWER, NEWER - 1)


@pytest.fixture
def old_copy(tmp_path: Path) -> Path:
    """A backup of a data folder of the first version, as the Daybook of then wrote it."""
    settings = Settings(data=tmp_path / "old")
    data_folder.lay_folder(FIRST, settings)
    copy = tmp_path / "copy"
    assert backups.take(settings, copy).found.kept == 0
    (copy / MANIFEST).write_bytes(content_of(msgspec.structs.replace(read_manifest(copy), backup=1)))
    return copy


def test_an_older_backup_is_restored_and_migrated(old_copy, tmp_path):
    settings = Settings(data=tmp_path / "again")
    assert b'kept":' not in (old_copy / MANIFEST).read_bytes()
    backups.restore(old_copy, settings)
    with pytest.raises(OlderTables):
        open_daybook(settings)
    with closing(open_daybook(settings, create=True)) as book:
        assert accounts.person_of_sign_in(book, "anna") is not None


def test_a_backup_tells_its_version_and_a_newer_one_is_refused(book, tmp_path):
    if book.settings.database_url is not None:
        return  # docs/backup.md has the commands for that
    assert backups.take(book.settings, tmp_path / "copy").found.kept == migrations.newest()
    change(book.kept.engine, f"INSERT INTO kept_schema VALUES ({NEWER}, '2030-01-01T00:00:00.000Z')")
    assert backups.take(book.settings, tmp_path / "newer").found.kept == NEWER
    with pytest.raises(BadBackup, match=rf"made by a newer Daybook .*version {NEWER}.*restore it with that one"):
        backups.restore(tmp_path / "newer", replace(book.settings, data=tmp_path / "again"))
    assert not (tmp_path / "again").exists()


def test_what_was_imported_before_is_known_by_the_importer_s_link_and_names_are_composed(settings):
    """Its people stay, and may get up; a name that was typed apart is found as it is typed now."""
    known = data_folder.lay_folder(6, settings)
    before = kept_engine(settings)
    with before.begin() as c:
        c.execute(
            sa.text("UPDATE kept_person SET name = :name WHERE id = :id"),
            {"name": unicodedata.normalize("NFD", "Zoë"), "id": known.ben},
        )
        c.execute(
            sa.text(
                "INSERT INTO kept_grant (id, game, role, created_at) SELECT :id, game, role, created_at "
                "FROM kept_grant WHERE role = 'scorekeeper'"
            ),
            {"id": import_link(known.game, "x")},
        )
    before.dispose()
    with closing(open_daybook(settings, create=True)) as book:
        kept = book.kept.game(known.game)
        assert kept is not None and kept.brought == ((0, 0),)
        assert kept.people == (known.anna, known.ben) and kept.names == ("Anna", "Zoë")
        own_seats.leave_seat(book, known.game, person=known.ben)
        kept = book.kept.game(known.game)
        assert kept is not None and kept.people[0] == known.anna != kept.people[1] != known.ben
