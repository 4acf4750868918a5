"""Read models and kept tables: one SQLAlchemy Core code on SQLite files or in schemas of PostgreSQL.

On every engine from here `engine.connect()` reads and refuses to write, and `engine.begin()` writes. On SQLite a
transaction that reads first and writes later fails as soon as another process has written in between, so `begin`
takes the write lock at once; if reading took it too, a page would wait for every projection.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite as sqlite_dialect

from daybook.services.settings import Settings
from daybook.services.store.byte_meter import count_statements_of
from daybook.services.store.disk import CannotWrite, why_unwritten
from daybook.services.store.sqlite import connect, sqlite

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


CREATION_LOCK = 7_305_808_869_229_534_581  # any number that is ours
SQLITE_POOL = {"pool_size": 5, "max_overflow": 60}  # a thread of the web server each
POSTGRES_POOL = {"pool_size": 2, "max_overflow": 8, "pool_timeout": 5}

AT_ONCE = 10_000  # ids in a query: both databases take some ten thousand, and no more

T = TypeVar("T")
AnyRow = sa.Row[*tuple[Any, ...]]


class StoreEngine(sa.Engine):
    """An engine whose `connect` reads and whose `begin` writes."""

    schema: str | None = None  # on PostgreSQL
    file: Path | None = None  # on SQLite

    def rows(self, query: sa.Executable, given: Mapping[str, Any] | None = None) -> Sequence[AnyRow]:
        """All rows of one query."""
        with self.connect() as connection:
            return connection.execute(query, given).all()

    def row(self, query: sa.Executable, given: Mapping[str, Any] | None = None) -> AnyRow | None:
        """The first row of one query, if there is any."""
        with self.connect() as connection:
            return connection.execute(query, given).first()

    def values(self, query: sa.Select[T]) -> Sequence[T]:
        """What one query finds, of one column."""
        with self.connect() as connection:
            return connection.scalars(query).all()

    def value(self, query: sa.Select[T]) -> T | None:
        """The first of it, if there is any."""
        with self.connect() as connection:
            return connection.scalar(query)

    def among(self, query: sa.Select[Any], column: sa.ColumnElement[Any], asked: Iterable[Any]) -> list[AnyRow]:
        """The rows of one query in which a column is one of those that are asked for, however many these are."""
        every, found = [*asked], list[AnyRow]()
        if every:
            with self.connect() as connection:
                for start in range(0, len(every), AT_ONCE):
                    found += connection.execute(query.where(column.in_(every[start : start + AT_ONCE])))
        return found

    def write(self, statement: sa.Executable) -> int:
        """Write one statement, in a transaction of its own; how many rows it is about."""
        with self.begin() as connection:
            return connection.execute(statement).rowcount

    def is_empty(self, table: sa.Table) -> bool:
        """Whether a file's table is known to hold nothing, for a fraction of what a query costs."""
        if self.file is None:
            return False
        connection = self.raw_connection()
        try:
            return not connection.cursor().execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchall()
        finally:
            connection.close()  # gives it back

    @contextmanager
    def begin(self) -> Iterator[sa.Connection]:
        """One transaction that may write; committed at the end, rolled back if anything raises."""
        with self.connect().execution_options(writes=True) as connection, connection.begin():
            yield connection


def views_engine(settings: Settings, number: int) -> StoreEngine:
    """The read models: disposable, so a power cut may cost their newest rows, with the position they stand at.

    number: what their tables are like (`read_models.SCHEMA`). On PostgreSQL each has a schema of its own, so that parts
    of two versions of Daybook run side by side, each on the read models that it knows.
    """
    return _engine(settings, "views", "NORMAL", f"_{number}")


def schemas_of_others(views: StoreEngine) -> list[str]:
    """On PostgreSQL the schemas with read models of other versions of Daybook."""
    if views.schema is None:
        return []
    begins = _schema_of("views")  # alone it was that of 0.2.0
    with views.connect() as connection:
        there = sorted(sa.inspect(connection).get_schema_names())
    return [name for name in there if re.fullmatch(rf"{begins}(_\d+)?", name) and name != views.schema]


def kept_engine(settings: Settings) -> StoreEngine:
    """Engine of the kept tables, which cannot be rebuilt from the log. A commit is on disk when it returns."""
    engine = _engine(settings, "kept", "FULL")
    count_statements_of(engine)
    return engine


def search_engine(settings: Settings, views: StoreEngine) -> StoreEngine:
    """The read models, and as the schema "kept" what is kept beside the log: for queries that need both.

    On SQLite on connections of its own: who writes to one of two files that stand side by side locks the other too.
    """
    if views.schema is not None:
        from daybook.services.store import postgres

        return _with_events(views, views.schema, postgres.begin, schema_translate_map={"kept": _schema_of("kept")})
    files = settings.sqlite_file("views"), settings.sqlite_file("kept")
    return _with_events(
        sa.create_engine(
            sa.URL.create("sqlite", database=str(files[0])),
            module=sqlite,
            creator=partial(_sqlite_beside, *files),
            **SQLITE_POOL,
        ),
        None,
        _begin_sqlite,
    )


def create_tables(engine: StoreEngine, *tables: sa.MetaData) -> None:
    """Make the tables that are missing. Safe when several processes do it at once."""
    with creating(engine) as connection:
        for metadata in tables:
            metadata.create_all(connection)


@contextmanager
def creating(engine: StoreEngine) -> Iterator[sa.Connection]:
    """A transaction that makes or changes tables, in one process at a time: the others wait for its end."""
    if engine.file is not None:
        connect(engine.file, "NORMAL", create=True).close()
    with engine.begin() as connection:
        if engine.schema is not None:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(CREATION_LOCK)))
            connection.execute(sa.schema.CreateSchema(engine.schema, if_not_exists=True))
        yield connection


def hold(c: sa.Connection, *subject: Any) -> None:
    """Until this transaction ends nobody else holds the same: what is counted and then written is counted one by one. On
    SQLite whoever writes is alone already."""
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
    """Insert rows, or where their keys are taken, replace the columns given; those in `add` are added up instead.

    All rows give the same columns. The same key may occur several times: the rows are taken in order.
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
    """Insert rows; where a key is taken, what is there stays."""
    if rows:
        connection.execute(_unless_taken(connection, table), list(rows))


def insert_once(connection: sa.Connection, table: sa.Table, row: Mapping[str, Any]) -> bool:
    """Insert a row, unless its key is taken; whether it came in."""
    insert = _unless_taken(connection, table).execution_options(preserve_rowcount=True)
    return connection.execute(insert, dict(row)).rowcount == 1


def _unless_taken(connection: sa.Connection, table: sa.Table) -> sa.Insert:
    return _insert(connection.dialect, table).on_conflict_do_nothing()


def _insert(dialect: sa.Dialect, table: sa.Table) -> sqlite_dialect.Insert | postgresql.Insert:
    if dialect.name == "sqlite":
        return sqlite_dialect.insert(table)
    from sqlalchemy.dialects import postgresql

    return postgresql.insert(table)


def _engine(
    settings: Settings, name: Literal["views", "kept"], synchronous: Literal["FULL", "NORMAL"], of: str = ""
) -> StoreEngine:
    """of: what the schema's name ends with on PostgreSQL."""
    if settings.database_url:
        from daybook.services.store import postgres

        schema, begin = _schema_of(name) + of, postgres.begin
        made = _postgres_engine(settings.database_url, schema)
    else:
        schema, begin, file = None, _begin_sqlite, settings.sqlite_file(name)
        made = sa.create_engine(
            sa.URL.create("sqlite", database=str(file)),
            module=sqlite,
            creator=partial(_sqlite, file, synchronous, create=name == "views"),
            **SQLITE_POOL,
        )
    engine = _with_events(made, schema, begin)
    engine.file = None if settings.database_url else settings.sqlite_file(name)
    return engine


def _postgres_engine(url: str, schema: str) -> sa.Engine:
    from daybook.services.store import postgres

    made = sa.create_engine(
        "postgresql+psycopg://",
        creator=partial(postgres.connect_in, url, schema),
        use_native_hstore=False,  # nothing here is one: it asks the catalogue at each start
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


def _sqlite_beside(file: Path, kept: Path) -> Any:
    connection = _sqlite(file, "NORMAL")
    connection.execute("ATTACH ? AS kept", (f"{kept.absolute().as_uri()}?mode=rw",))
    return connection


def _sqlite(file: Path, synchronous: Literal["FULL", "NORMAL"], *, create: bool = True) -> Any:
    """create: what can be rebuilt may be missing; kept tables that are missing are not replaced by empty ones."""
    connection = connect(file, synchronous, create)
    connection.execute("PRAGMA foreign_keys=ON")  # as PostgreSQL always does
    return connection


def _begin_sqlite(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("writes", False):
        connection.exec_driver_sql("PRAGMA query_only=False")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:  # touches no file yet, so nothing can go wrong that would have to be translated
        raw: Any = connection.connection.driver_connection
        raw.execute("PRAGMA query_only=True")
        raw.execute("BEGIN")


def _translate_disk_error(context: sa.engine.ExceptionContext) -> None:
    """A disk that takes nothing is told as that. Who only reads is refused writing by us, which is another matter."""
    writes = context.connection is None or context.connection.get_execution_options().get("writes", False)
    if writes and (why := why_unwritten(context.original_exception)) is not None:
        raise CannotWrite(why) from context.original_exception
