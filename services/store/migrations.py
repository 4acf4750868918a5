"""Bring the kept tables to the newest version, and refuse tables of any other.

The kept tables cannot be rebuilt, so they carry their version (`kept_version`). Every opening compares the version, the
columns, the keys and the indexes with what this Daybook declares.

All pending steps (`services.store.kept_steps`) run in one transaction, in one process while others wait. The result is
compared with the declarations before the commit, so a failed or killed step changes nothing. Before the first step the
tables are copied: on SQLite to a file in the data folder, on PostgreSQL to a schema in the same transaction, because the
server's own programs may be missing on this machine.

On PostgreSQL, parts of the previous version keep running during a rolling upgrade if the steps allow it
(`kept_steps.GO_ON_FROM`). Such steps are noted in `kept_ahead` until `daybook init --finish` says that no older part
runs; `kept_version` has the version that every part must know.

This is not Alembic: only the loop over the steps would come from there. The lock, the copy and the comparison would stay
ours (Alembic compares by reflection, which takes several times as long), and downgrades and branches do not apply.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from daybook.domain.kernel.chronicle import LAST_OF_0
from daybook.services.atomic_files import flush_to_disk
from daybook.services.clock import now
from daybook.services.store import shapes
from daybook.services.store.database import StoreEngine, creating
from daybook.services.store.kept import kept_version
from daybook.services.store.kept_steps import GO_ON_FROM, STEPS, Step
from daybook.services.store.sqlite import connect, copy_database, is_busy, sqlite

LOCK_SECONDS = 10  # a step waits for users of a table, and later users wait behind it
COPY = "version"  # in the names of copies, followed by their version
LOCKED = "55P03"  # the error of PostgreSQL after that time
MEND = "restore a backup, or undo what was changed by hand"

kept_ahead = sa.Table(  # steps that older parts ignore; exists only during an upgrade
    "kept_ahead",
    sa.MetaData(),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", sa.Text, nullable=False),
)

logger = logging.getLogger(__name__)


class UnfitTablesError(Exception):
    """The kept tables cannot be used as they are, and nothing was changed. do: the way out."""

    def __init__(self, message: str, do: str) -> None:
        super().__init__(f"{message}: {do}")
        self.says, self.do = message, do


class OlderTablesError(UnfitTablesError):
    """The kept tables have an older version than this Daybook works with."""


class NewerTablesError(UnfitTablesError):
    """The kept tables were made by a newer Daybook."""


class OtherTablesError(UnfitTablesError):
    """The kept tables differ from their version, or are missing."""


class BusyTablesError(UnfitTablesError):
    """Other processes use the kept tables, so that no step can run."""


# --- opening ---------------------------------------------------------------------------------------------------------


def newest_version() -> int:
    """Return the version that this Daybook works with."""
    return len(STEPS)


class Versions(NamedTuple):
    """Versions of the kept tables: the one that every part of Daybook must know, and the newest that exists."""

    needed: int
    there: int


def read_versions(connection: sa.Connection) -> Versions:
    """Return both versions; 0 if there are no tables. Raises UnfitTablesError for tables of Daybook 0.x."""
    needed = stored_version(connection)
    if connection.dialect.name != "postgresql" or not shapes.table_exists(connection, kept_ahead):
        return Versions(needed, needed)
    return Versions(needed, connection.scalar(sa.select(sa.func.max(kept_ahead.c.number))) or needed)


def stored_version(connection: sa.Connection) -> int:
    """Return the version that every part must know; 0 if there are no tables."""
    if not shapes.table_exists(connection, kept_version):
        if _has_tables(connection):
            raise UnfitTablesError(
                "the kept tables were made by Daybook 0.x",
                f"begin with a new data folder ({LAST_OF_0} is the last version that reads them)",
            )
        return 0
    return connection.scalar(sa.select(sa.func.max(kept_version.c.number))) or 0


def require_newest(engine: StoreEngine, tables: Sequence[sa.Table]) -> None:
    """Check that the kept tables have the version of this Daybook. Raises UnfitTablesError."""
    if (file := _file(engine)) is not None and not file.exists():
        raise _missing_tables_error(f"no {file.name} in {file.parent}")
    with engine.connect() as connection:
        needed, there = read_versions(connection)
        if there == 0:
            raise _missing_tables_error("no table")
        if needed > newest_version():
            raise _newer(needed, newest_version())
        if there < newest_version():
            raise OlderTablesError(
                f"the kept tables have version {there}, and this Daybook works with version {newest_version()}",
                ("" if _go_on(engine, needed, STEPS[there:], GO_ON_FROM) else "stop all parts of Daybook, then ")
                + "run `daybook init`, which copies them before it begins",
            )
        _require_shape(connection, tables, newest_version(), there)


def _go_on(engine: StoreEngine, needed: int, steps: Sequence[Step], go_on_from: Mapping[Step, int]) -> bool:
    """Check if parts of Daybook that know the needed version may keep running after these steps."""
    return (
        engine.schema is not None and needed > 0 and all(go_on_from.get(step, needed + 1) <= needed for step in steps)
    )


def _has_tables(connection: sa.Connection) -> bool:
    return bool(sa.inspect(connection).get_table_names())


def _missing_tables_error(what: str) -> OtherTablesError:
    return OtherTablesError(
        f"names, links and accounts are missing: there is {what}",
        "restore a backup with `daybook restore`, or begin without them with `daybook init`",
    )


def _newer(version: int, newest_known: int) -> NewerTablesError:
    return NewerTablesError(
        f"the kept tables have version {version}, and this Daybook knows version {newest_known} at most",
        "install the newer Daybook again, or restore a backup that was made before it",
    )


def _require_shape(connection: sa.Connection, tables: Sequence[sa.Table], number: int, stored: int) -> None:
    """Check that tables are as this program declares them; if their stored version is newer, they may have more."""
    declared = shapes.declared_shape(tables, connection.dialect)
    found = shapes.found_shape(connection, {table.name for table in tables})
    wrong = shapes.list_differences(declared, found & declared if stored > number else found)
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        raise OtherTablesError(
            f"the kept tables are not as version {number} has them: {', '.join(wrong[:3])}{more}", MEND
        )


# --- migrating -------------------------------------------------------------------------------------------------------


def migrate(
    engine: StoreEngine,
    tables: Sequence[sa.Table],
    steps: Sequence[Step] | None = None,
    go_on_from: Mapping[Step, int] = GO_ON_FROM,
    *,
    alone: bool = False,
) -> None:
    """Create the kept tables, or bring them to the newest version; several processes may call it at once.

    Args:
        alone: no part of an older Daybook runs any more.

    Raises UnfitTablesError. The tables are then as they were, also if the process is killed.
    """
    steps = STEPS if steps is None else steps
    copy = ""
    with _refuse_on_error(), creating(engine) as connection:
        needed, there = read_versions(connection)
        if needed > len(steps) or (alone and there > len(steps)):
            raise _newer(there, len(steps))
        if needed == len(steps) or (there >= len(steps) and not alone):
            _require_shape(connection, tables, len(steps), there)
            return
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        go_on = not alone and _go_on(engine, needed, steps[there:], go_on_from)
        if 0 < there < len(steps):
            copy = _make_copy(connection, engine, steps[:there])
        for step in steps[there:]:
            step(connection)
        _note_steps(connection, needed, len(steps), go_on)
        _require_shape(connection, tables, len(steps), len(steps))
    if copy:
        logger.warning("the kept tables have version %s now; as they were before they are in %s", len(steps), copy)


def _note_steps(connection: sa.Connection, needed: int, to: int, ahead: bool) -> None:
    """Record migration steps after `needed` up to `to`; `ahead`: as steps that older running parts need not know."""
    kept_ahead.drop(connection, checkfirst=True)
    if ahead:
        kept_ahead.create(connection)
    noted = [{"number": number, "at": now()} for number in range(needed + 1, to + 1)]
    connection.execute((kept_ahead if ahead else kept_version).insert(), noted)


@contextmanager
def _refuse_on_error() -> Iterator[None]:
    """Raise BusyTablesError for locked tables, and OtherTablesError for a step that does not fit them."""
    try:
        yield
    except sa.exc.DBAPIError as wrong:
        raw = wrong.orig
        code = getattr(raw, "sqlite_errorcode", None)
        if getattr(raw, "sqlstate", None) == LOCKED or (code is not None and is_busy(raw)):
            raise BusyTablesError(
                "others use the kept tables", "stop all parts of Daybook, then do this again"
            ) from wrong
        if code == sqlite.SQLITE_ERROR or isinstance(wrong, (sa.exc.ProgrammingError, sa.exc.IntegrityError)):
            says = str(raw).splitlines()[0]
            raise OtherTablesError(f"the kept tables are not what their version says ({says})", MEND) from wrong
        raise


# --- copies ----------------------------------------------------------------------------------------------------------


def _make_copy(connection: sa.Connection, engine: StoreEngine, made_by: Sequence[Step]) -> str:
    """Copy the kept tables while no other process can write them; return the name of the copy. made_by: their steps."""
    file = _file(engine)
    if file is None:
        copy = f"{engine.schema}_{COPY}_{len(made_by)}"
        _copy_schema(connection, str(engine.schema), copy, made_by)
        return f"the schema {copy}"
    copy_file = file.with_name(f"{file.stem}-{COPY}-{len(made_by)}{file.suffix}")
    draft = copy_file.with_suffix(".part")
    draft.unlink(missing_ok=True)
    with closing(connect(file, "FULL")) as reader:
        copy_database(reader, draft)
    flush_to_disk(draft)
    os.replace(draft, copy_file)
    flush_to_disk(copy_file.parent)
    return copy_file.name


def _copy_schema(connection: sa.Connection, source: str, to: str, made_by: Sequence[Step]) -> None:
    """Create the tables of that version in another schema, and copy all rows."""
    columns: dict[str, list[str]] = {}
    for table, column in connection.exec_driver_sql(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = %s", (source,)
    ):
        columns.setdefault(table, []).append(f'"{column}"')
    connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {to} CASCADE")
    connection.exec_driver_sql(f"CREATE SCHEMA {to}")
    connection.exec_driver_sql(f"SET LOCAL search_path TO {to}")
    for step in made_by:
        step(connection)
    for table in columns.keys() & {*sa.inspect(connection).get_table_names()}:
        named = ", ".join(columns[table])
        connection.exec_driver_sql(f"INSERT INTO {table} ({named}) SELECT {named} FROM {source}.{table}")
    for table, column in connection.exec_driver_sql(
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = %s AND column_default LIKE 'nextval(%%'",
        (to,),
    ).all():
        connection.exec_driver_sql(
            f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'), max({column})) FROM {table}"
        )
    connection.exec_driver_sql(f"SET LOCAL search_path TO {source}")


def list_copies(engine: StoreEngine) -> list[str]:
    """Return the copies that were made before migrations: names of files in the data folder, or of schemas."""
    if (file := _file(engine)) is not None:
        return sorted(path.name for path in file.parent.glob(f"{file.stem}-{COPY}-*"))
    with engine.connect() as connection:
        begins = f"{engine.schema}_{COPY}_"
        return [name for name in sorted(sa.inspect(connection).get_schema_names()) if name.startswith(begins)]


def remove_copies(engine: StoreEngine) -> None:
    """Remove the copies: they may contain erased data."""
    if (file := _file(engine)) is not None:
        for name in list_copies(engine):
            file.with_name(name).unlink(missing_ok=True)
        return
    for name in list_copies(engine):
        with engine.begin() as connection:
            connection.exec_driver_sql(f"DROP SCHEMA IF EXISTS {name} CASCADE")


def _file(engine: StoreEngine) -> Path | None:
    """Return the file of the tables; None on PostgreSQL."""
    return None if engine.schema is not None else Path(str(engine.url.database))
