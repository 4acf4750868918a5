"""Read models and kept tables: one SQLAlchemy Core code on SQLite files or in schemas of PostgreSQL.

On every engine, `engine.connect()` reads and refuses to write, and `engine.begin()` writes. On SQLite a transaction that
reads first and writes later fails if another process has written in between, so `begin` takes the write lock at once. If
reading took it, too, pages would wait for projections.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite as sqlite_dialect

from daybook.services.settings import Settings
from daybook.services.store.byte_meter import count_statements_of
from daybook.services.store.disk import CannotWriteError, why_unwritten
from daybook.services.store.sqlite import connect, sqlite
from daybook.services.store.writer_turns import WriterTurns

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


CREATION_LOCK = 7_305_808_869_229_534_581  # an arbitrary number, for an advisory lock
SQLITE_POOL = {"pool_size": 5, "max_overflow": 60}  # a connection for each thread of the web server
POSTGRES_POOL = {"pool_size": 2, "max_overflow": 8, "pool_timeout": 5}

MAX_IDS_PER_QUERY = 10_000  # both databases take little more

T = TypeVar("T")
AnyRow = sa.Row[*tuple[Any, ...]]


class StoreEngine(sa.Engine):
    """Engine with `connect` for reading and `begin` for writing."""

    schema: str | None = None  # on PostgreSQL
    file: Path | None = None  # on SQLite
    turns: WriterTurns | None = None  # on SQLite

    def rows(self, query: sa.Executable, given: Mapping[str, Any] | None = None) -> Sequence[AnyRow]:
        """Return all rows of a query."""
        with self.connect() as connection:
            return connection.execute(query, given).all()

    def row(self, query: sa.Executable, given: Mapping[str, Any] | None = None) -> AnyRow | None:
        """Return the first row of a query; None if there is none."""
        with self.connect() as connection:
            return connection.execute(query, given).first()

    def values(self, query: sa.Select[T]) -> Sequence[T]:
        """Return all values of a query of one column."""
        with self.connect() as connection:
            return connection.scalars(query).all()

    def value(self, query: sa.Select[T]) -> T | None:
        """Return the first value of a query of one column; None if there is none."""
        with self.connect() as connection:
            return connection.scalar(query)

    def rows_where_in(
        self, query: sa.Select[Any], column: sa.ColumnElement[Any], values: Iterable[Any]
    ) -> list[AnyRow]:
        """Return the rows of a query in which a column has one of any number of values."""
        every, found = [*values], list[AnyRow]()
        if every:
            with self.connect() as connection:
                for start in range(0, len(every), MAX_IDS_PER_QUERY):
                    found += connection.execute(query.where(column.in_(every[start : start + MAX_IDS_PER_QUERY])))
        return found

    def write(self, statement: sa.Executable) -> int:
        """Execute a statement in its own transaction; return the number of rows that it changed."""
        with self.begin() as connection:
            return connection.execute(statement).rowcount

    def is_empty(self, table: sa.Table) -> bool:
        """Check if a table of an SQLite file is empty or missing, much faster than by SQLAlchemy; False on PostgreSQL."""
        if self.file is None:
            return False
        if not self.file.exists():  # opening it would create it
            return True
        connection = self.raw_connection()
        try:
            return not connection.cursor().execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchall()
        except sqlite.OperationalError as error:
            if not str(error).startswith("no such table"):
                raise
            return True
        finally:
            connection.close()  # returns it to the pool

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """Open a transaction that may write; it is committed at the end, or rolled back on an error."""
        with (
            nullcontext() if self.turns is None else self.turns.turn(),
            self.connect().execution_options(writes=True) as connection,
            connection.begin(),
        ):
            yield connection


def views_engine(settings: Settings, number: int) -> StoreEngine:
    """Return the engine of the read models: a power cut may lose their newest rows, together with their position.

    number: the version of the tables (`read_models.SCHEMA`). On PostgreSQL each version has its own schema, so that parts
    of two versions of Daybook can run at the same time.
    """
    return _engine(settings, "views", "NORMAL", f"_{number}")


def schemas_of_others(views: StoreEngine) -> list[str]:
    """Return the schemas of PostgreSQL with read models of other versions of Daybook."""
    if views.schema is None:
        return []
    prefix = _schema_of("views")
    with views.connect() as connection:
        there = sorted(sa.inspect(connection).get_schema_names())
    return [name for name in there if re.fullmatch(rf"{prefix}(_\d+)?", name) and name != views.schema]


def kept_engine(settings: Settings) -> StoreEngine:
    """Return the engine of the kept tables, which cannot be rebuilt. A commit is on disk when it returns."""
    engine = _engine(settings, "kept", "FULL")
    count_statements_of(engine)
    return engine


def search_engine(settings: Settings, views: StoreEngine) -> StoreEngine:
    """Return an engine for queries on the read models and the kept tables; the latter are in the schema "kept".

    It has its own connections on SQLite: a write to one of two attached files locks the other, too.
    """
    if views.schema is not None:
        from daybook.services.store import postgres

        return _with_events(views, views.schema, postgres.begin, schema_translate_map={"kept": _schema_of("kept")})
    files = settings.database_file("views"), settings.database_file("kept")
    return _with_events(
        sa.create_engine(
            sa.URL.create("sqlite", database=str(files[0])),
            module=sqlite,
            creator=partial(_sqlite_with_kept, *files),
            **SQLITE_POOL,
        ),
        None,
        _begin_sqlite,
    )


def create_tables(engine: StoreEngine, *tables: sa.MetaData) -> None:
    """Create missing tables. Safe in several processes at once."""
    with creating(engine) as connection:
        for metadata in tables:
            metadata.create_all(connection)


@contextmanager
def creating(engine: StoreEngine) -> Iterator[sa.Connection]:
    """Open a transaction that creates or changes tables, in one process at a time; the others wait."""
    if engine.file is not None:
        connect(engine.file, "NORMAL", create=True).close()
    with engine.begin() as connection:
        if engine.schema is not None:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CREATION_LOCK)))
            connection.execute(sa.schema.CreateSchema(engine.schema, if_not_exists=True))
        yield connection


def lock_subject(c: sa.Connection, *subject: Any) -> None:
    """Lock a subject until the end of the transaction, so that counting and then writing is atomic.

    On SQLite a transaction that writes has the only lock already.
    """
    if c.dialect.name != "sqlite":
        number = hashlib.sha256(f"hold {subject}".encode()).digest()[:8]
        c.execute(sa.select(sa.func.pg_advisory_xact_lock(int.from_bytes(number, "big", signed=True))))


def upsert(
    to: sa.Engine | sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, Any]],
    keys: Sequence[str],
    add: Sequence[str] = (),
) -> None:
    """Insert rows; where a key exists, replace the columns of the row, or add to those in `add`.

    All rows have the same columns. A key may occur several times: rows are applied in order.
    """
    if not rows:
        return
    if isinstance(to, sa.Engine):
        with to.begin() as connection:
            return upsert(connection, table, rows, keys, add)
    insert = _insert(to.dialect, table)
    given = insert.excluded
    new = {name: table.c[name] + given[name] if name in add else given[name] for name in rows[0] if name not in keys}
    statement = (
        insert.on_conflict_do_update(index_elements=keys, set_=new)
        if new
        else insert.on_conflict_do_nothing(index_elements=keys)
    )
    to.execute(statement, list(rows))


def insert_missing(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows with new keys."""
    if rows:
        connection.execute(_insert_or_ignore(connection, table), list(rows))


def insert_once(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> bool:
    """Insert a row unless its key exists; return if it was inserted."""
    insert = _insert_or_ignore(connection, table).execution_options(preserve_rowcount=True)
    return connection.execute(insert, dict(row)).rowcount == 1


def _insert_or_ignore(connection: sa.Connection, table: sa.Table) -> sa.Insert:
    return _insert(connection.dialect, table).on_conflict_do_nothing()


def _insert(dialect: sa.Dialect, table: sa.Table) -> sqlite_dialect.Insert | postgresql.Insert:
    if dialect.name == "sqlite":
        return sqlite_dialect.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


def _engine(
    settings: Settings, name: Literal["views", "kept"], synchronous: Literal["FULL", "NORMAL"], suffix: str = ""
) -> StoreEngine:
    """suffix: of the schema's name on PostgreSQL."""
    if settings.database_url:
        from daybook.services.store import postgres

        schema, begin = _schema_of(name) + suffix, postgres.begin
        made = _postgres_engine(settings.database_url, schema)
    else:
        schema, begin, file = None, _begin_sqlite, settings.database_file(name)
        made = sa.create_engine(
            sa.URL.create("sqlite", database=str(file)),
            module=sqlite,
            creator=partial(_sqlite, file, synchronous, create=name == "views"),
            **SQLITE_POOL,
        )
    engine = _with_events(made, schema, begin)
    if not settings.database_url:
        engine.file = settings.database_file(name)
        engine.turns = WriterTurns(engine.file)
    return engine


def _postgres_engine(url: str, schema: str) -> sa.Engine:
    from daybook.services.store import postgres

    made = sa.create_engine(
        "postgresql+psycopg://",
        creator=partial(postgres.connect_in, url, schema),
        use_native_hstore=False,  # it would query the catalogue at each start
        **POSTGRES_POOL,
    )
    sa.event.listen(made, "checkout", postgres.refuse_cut)
    return made


def _with_events(
    made: sa.Engine, schema: str | None, begin: Callable[[sa.Connection], None], **options: Any
) -> StoreEngine:
    engine = StoreEngine(made.pool, made.dialect, made.url, execution_options=options)
    engine.schema = schema
    sa.event.listen(engine, "begin", begin)
    sa.event.listen(engine, "handle_error", _translate_disk_error)
    return engine


def _schema_of(name: str) -> str:
    return f"daybook_{name}"


def _sqlite_with_kept(file: Path, kept_file: Path) -> Any:
    connection = _sqlite(file, "NORMAL")
    connection.execute("ATTACH ? AS kept", (f"{kept_file.absolute().as_uri()}?mode=rw",))
    return connection


def _sqlite(file: Path, synchronous: Literal["FULL", "NORMAL"], *, create: bool = True) -> Any:
    """create: if the file may be missing. Missing kept tables are never replaced by empty ones."""
    connection = connect(file, synchronous, create)
    connection.execute("PRAGMA foreign_keys=ON")  # as PostgreSQL always does
    return connection


def _begin_sqlite(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes", False):
        connection.exec_driver_sql("PRAGMA query_only=False")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:  # does not touch the file yet, so it cannot fail
        raw: Any = connection.connection.driver_connection
        raw.execute("PRAGMA query_only=True")
        raw.execute("BEGIN")


def _translate_disk_error(context: sa.engine.ExceptionContext) -> None:
    """Raise CannotWriteError for an error of the disk; a reading connection refuses writes for another reason."""
    writes = context.connection is None or context.connection.get_execution_options().get("writes", False)
    if writes and (why := why_unwritten(context.original_exception)) is not None:
        raise CannotWriteError(why) from context.original_exception
