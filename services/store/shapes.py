"""The shape of tables: their columns, keys and indexes, as they are declared and as a database has them.

Each is one line of text, such as "kept_grant.seat INTEGER" or "kept_account UNIQUE (sign_in)", so that two shapes are
compared as sets. Two queries of our own read them: every command opens the tables, and SQLAlchemy's reflection takes
several times as long.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

import sqlalchemy as sa

SQLITE = (
    """SELECT t.name, c.name, c.type, c."notnull", c.pk
    FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY t.name, c.pk""",
    """SELECT t.name, i.name, i."unique", c.name
    FROM sqlite_schema t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
    WHERE t.type = 'table' AND i.origin <> 'pk' AND i.partial = 0 ORDER BY t.name, i.name, c.seqno""",
)
POSTGRES = (
    """SELECT t.relname, c.attname, format_type(c.atttypid, c.atttypmod), c.attnotnull,
        coalesce(array_position(k.indkey::int2[], c.attnum) + 1, 0) AS pk
    FROM pg_class t JOIN pg_attribute c ON c.attrelid = t.oid
        LEFT JOIN pg_index k ON k.indrelid = t.oid AND k.indisprimary
    WHERE t.relnamespace = to_regnamespace(current_schema()) AND t.relkind = 'r' AND c.attnum > 0
        AND NOT c.attisdropped ORDER BY t.relname, pk""",
    """SELECT t.relname, i.indexrelid, i.indisunique, c.attname
    FROM pg_class t JOIN pg_index i ON i.indrelid = t.oid
        CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS part (number, place)
        JOIN pg_attribute c ON c.attrelid = t.oid AND c.attnum = part.number
    WHERE t.relnamespace = to_regnamespace(current_schema()) AND NOT i.indisprimary AND i.indisvalid
        AND i.indpred IS NULL ORDER BY t.relname, i.indexrelid, part.place""",
)


def table_exists(connection: sa.Connection, table: sa.Table) -> bool:
    """Check if a database has a table of this name, much faster than by SQLAlchemy."""
    if connection.dialect.name == "postgresql":
        return connection.exec_driver_sql("SELECT to_regclass(%s)", (table.name,)).scalar() is not None
    query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    return connection.exec_driver_sql(query, (table.name,)).scalar() is not None


def declared_shape(tables: Iterable[sa.Table], dialect: sa.Dialect) -> set[str]:
    """Return the shape that tables should have in a database."""
    return {line for table in tables for line in _lines_of(table, dialect)}


_declared: dict[tuple[sa.Table, str], list[str]] = {}  # by table and kind of database: every opening needs them


def _lines_of(table: sa.Table, dialect: sa.Dialect) -> list[str]:
    if (known := _declared.get((table, dialect.name))) is None:
        known = _declared[table, dialect.name] = [*_declared_lines(table, dialect)]
    return known


def _declared_lines(table: sa.Table, dialect: sa.Dialect) -> Iterator[str]:
    for column in table.columns:
        yield _column(table.name, column.name, str(column.type.compile(dialect)), not column.nullable)
    yield _columns(table.name, "PRIMARY KEY", [column.name for column in table.primary_key])
    for constraint in table.constraints:
        if isinstance(constraint, sa.UniqueConstraint):
            yield _columns(table.name, "UNIQUE", [column.name for column in constraint.columns])
    for index in table.indexes:
        yield _columns(table.name, "UNIQUE" if index.unique else "INDEX", [column.name for column in index.columns])


_found: dict[tuple[Any, ...], set[str]] = {}  # by the schema of a file


def found_shape(connection: sa.Connection, tables: Collection[str]) -> set[str]:
    """Return the shape of the existing tables of these names."""
    if connection.dialect.name == "postgresql":
        return _read_shape(connection, tables, POSTGRES)
    said = connection.exec_driver_sql("SELECT name, tbl_name, sql FROM sqlite_schema ORDER BY name").all()
    key = (*map(tuple, said), frozenset(tables))
    if key not in _found:
        _found[key] = _read_shape(connection, tables, SQLITE)
    return {*_found[key]}


def _read_shape(connection: sa.Connection, tables: Collection[str], queries: tuple[str, str]) -> set[str]:
    columns, indexes = queries
    shape: set[str] = set()
    keys: dict[str, list[str]] = {}
    for table, column, kind, is_required, place in connection.exec_driver_sql(columns):
        if table in tables:
            shape.add(_column(table, column, kind, is_required))
            keys.setdefault(table, []).extend([column] if place else [])
    parts: dict[tuple[str, str, bool], list[str]] = {}
    for table, index, is_unique, column in connection.exec_driver_sql(indexes):
        if table in tables:
            parts.setdefault((table, index, is_unique), []).append(column)
    return (
        shape
        | {_columns(table, "PRIMARY KEY", key) for table, key in keys.items()}
        | {_columns(table, "UNIQUE" if is_unique else "INDEX", names) for (table, _, is_unique), names in parts.items()}
    )


def list_differences(declared: set[str], actual: set[str]) -> list[str]:
    """Return the differences of a database's tables from their declarations, in words; further indexes are allowed."""
    return [
        *(f"without {line}" for line in sorted(declared - actual)),
        *(f"with {line}" for line in sorted(actual - declared) if " INDEX " not in line),
    ]


def _column(table: str, column: str, kind: str, is_required: bool) -> str:
    return f"{table}.{column} {kind.upper()}{' NOT NULL' if is_required else ''}"


def _columns(table: str, what: str, columns: Iterable[str]) -> str:
    return f"{table} {what} ({', '.join(columns)})"
