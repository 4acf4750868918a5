"""The steps of the kept tables, from nothing to the newest version: the first makes version 1, the second 2, and so on.

A step that was released is never changed again: what it did lies in data folders. A new one is added at the end, does
the same on SQLite and PostgreSQL, and leaves what `services.store.kept` and `services.store.sheets` declare; each
version gets its data folder in `fixtures/data_folders`. It is carried out within a transaction, with all that come with
it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping

import sqlalchemy as sa

from daybook.services.names import look_of

Step = Callable[[sa.Connection], object]
ROWS_AT_ONCE = 10_000

TYPES = {
    "sqlite": {"uuid": "CHAR(32)", "bytes": "BLOB", "number": "INTEGER"},
    "postgresql": {"uuid": "UUID", "bytes": "BYTEA", "number": "SERIAL"},
}

FIRST = """
CREATE TABLE {} kept_schema (number INTEGER NOT NULL PRIMARY KEY, at TEXT NOT NULL);
CREATE TABLE {} kept_game (
    id {uuid} NOT NULL PRIMARY KEY, title TEXT NOT NULL, public BOOLEAN NOT NULL, created_at TEXT NOT NULL);
CREATE TABLE {} kept_person (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE {} kept_seat (
    game {uuid} NOT NULL, seat INTEGER NOT NULL, person TEXT NOT NULL, PRIMARY KEY (game, seat));
CREATE TABLE {} kept_grant (
    id TEXT NOT NULL PRIMARY KEY, game {uuid} NOT NULL, role TEXT NOT NULL, seat INTEGER, created_at TEXT NOT NULL,
    revoked_at TEXT);
CREATE INDEX {} ix_kept_grant_game ON kept_grant (game);
CREATE TABLE {} kept_photo (
    game {uuid} NOT NULL, hash TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL, bytes {bytes} NOT NULL,
    kept_at TEXT NOT NULL, PRIMARY KEY (game, hash));
CREATE TABLE {} kept_appeal (game {uuid} NOT NULL PRIMARY KEY, hours INTEGER NOT NULL);
CREATE TABLE {} kept_fork (
    id TEXT NOT NULL PRIMARY KEY, game {uuid} NOT NULL, at INTEGER NOT NULL, owner TEXT NOT NULL, title TEXT NOT NULL,
    moves TEXT NOT NULL, made_at TEXT NOT NULL);
CREATE INDEX {} ix_kept_fork_game ON kept_fork (game);
CREATE INDEX {} ix_kept_fork_owner ON kept_fork (owner);
CREATE TABLE {} kept_account (
    person TEXT NOT NULL PRIMARY KEY, sign_in TEXT UNIQUE, password TEXT, address TEXT NOT NULL, made_at TEXT NOT NULL,
    password_at TEXT);
CREATE TABLE {} kept_session (
    id TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, device TEXT NOT NULL, made_at TEXT NOT NULL,
    seen_at TEXT NOT NULL, ends_at TEXT NOT NULL);
CREATE INDEX {} ix_kept_session_person ON kept_session (person);
CREATE TABLE {} kept_key (
    id TEXT NOT NULL PRIMARY KEY, person TEXT NOT NULL, name TEXT NOT NULL, made_at TEXT NOT NULL, seen_at TEXT);
CREATE INDEX {} ix_kept_key_person ON kept_key (person);
CREATE TABLE {} kept_calendar (
    person TEXT NOT NULL PRIMARY KEY, "key" TEXT NOT NULL UNIQUE, made_at TEXT NOT NULL, seen_at TEXT);
CREATE TABLE {} kept_invitation (
    id TEXT NOT NULL PRIMARY KEY, club {uuid}, person TEXT, roles TEXT NOT NULL, made_by TEXT NOT NULL,
    made_at TEXT NOT NULL, ends_at TEXT NOT NULL, used_at TEXT, used_by TEXT, revoked_at TEXT);
CREATE INDEX {} ix_kept_invitation_club ON kept_invitation (club);
CREATE INDEX {} ix_kept_invitation_person ON kept_invitation (person);
CREATE TABLE {} kept_attempt (
    about TEXT NOT NULL PRIMARY KEY, failures INTEGER NOT NULL, first_at TEXT NOT NULL, last_at TEXT NOT NULL,
    until TEXT NOT NULL);
CREATE TABLE {} kept_change (
    id {number} NOT NULL PRIMARY KEY, at TEXT NOT NULL, person TEXT NOT NULL, "by" TEXT NOT NULL, what TEXT NOT NULL);
CREATE INDEX {} ix_kept_change_person ON kept_change (person);
CREATE TABLE {} kept_portrait (
    person TEXT NOT NULL PRIMARY KEY, hash TEXT NOT NULL, bytes {bytes} NOT NULL, kept_at TEXT NOT NULL);
CREATE TABLE {} kept_anonymous (person TEXT NOT NULL PRIMARY KEY, at TEXT NOT NULL);
CREATE TABLE {} kept_secret (mark TEXT NOT NULL PRIMARY KEY, since TEXT NOT NULL);
CREATE TABLE {} kept_receipt_key (public TEXT NOT NULL PRIMARY KEY, since TEXT NOT NULL, until TEXT);
CREATE TABLE {} kept_sheet (
    hash TEXT NOT NULL PRIMARY KEY, ruleset TEXT NOT NULL, name TEXT NOT NULL, overrides TEXT NOT NULL,
    numbers TEXT NOT NULL, "by" TEXT NOT NULL, at TEXT NOT NULL);
CREATE INDEX {} ix_kept_sheet_ruleset ON kept_sheet (ruleset)
"""


def first_tables(connection: sa.Connection) -> None:
    """The tables as they were when versions began; where a daybook of before that has some of them, those it lacks."""
    statements = FIRST.replace("{}", "IF NOT EXISTS").format(**TYPES[connection.dialect.name])
    for statement in statements.split(";"):
        connection.exec_driver_sql(statement)


def seats_by_person(connection: sa.Connection) -> None:
    """An index for the games of a person, who is looked for in every seat that was ever taken."""
    connection.exec_driver_sql("CREATE INDEX ix_kept_seat_person ON kept_seat (person)")


def leases(connection: sa.Connection) -> None:
    """What a device that took a game from a service needs to hand it back."""
    statement = """
        CREATE TABLE kept_lease (
            game {uuid} NOT NULL PRIMARY KEY, step INTEGER NOT NULL, "key" TEXT NOT NULL, person TEXT NOT NULL,
            taken_at TEXT NOT NULL, ended_at TEXT)"""
    connection.exec_driver_sql(statement.format(**TYPES[connection.dialect.name]))


def records_of_format_2(connection: sa.Connection) -> None:
    """No table is other than before: from here on the log holds records of format 2, and a Daybook of before, which
    cannot read them, refuses the folder."""


def without_chances(connection: sa.Connection) -> None:
    """Games and clubs that want no win chances."""
    statement = "CREATE TABLE kept_without_chances (id {uuid} NOT NULL PRIMARY KEY, at TEXT NOT NULL)"
    connection.exec_driver_sql(statement.format(**TYPES[connection.dialect.name]))


def chances(connection: sa.Connection) -> None:
    """Win chances that are complete."""
    statement = """
        CREATE TABLE kept_chances (
            game {uuid} NOT NULL PRIMARY KEY, step INTEGER NOT NULL, seal TEXT NOT NULL, made_by TEXT NOT NULL,
            pieces TEXT NOT NULL, at TEXT NOT NULL)"""
    connection.exec_driver_sql(statement.format(**TYPES[connection.dialect.name]))


def names_of_games(connection: sa.Connection) -> None:
    """A seat may have a name in its game alone. What came in a file is noted, so that its ids are nobody's here: of
    games that were imported before, who has the importer's link tells. And where the rules disagreed with it.

    What was taken off the public lists, and by whom."""
    statements = """
        ALTER TABLE kept_seat ADD COLUMN name TEXT;
        CREATE INDEX ix_kept_seat_name ON kept_seat (name);
        CREATE TABLE kept_disagreement (
            game {uuid} NOT NULL, step INTEGER NOT NULL, seal TEXT NOT NULL, finding TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, step));
        CREATE TABLE kept_brought (
            game {uuid} NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, first, last));
        CREATE TABLE kept_withheld (
            kind TEXT NOT NULL, about TEXT NOT NULL, why TEXT NOT NULL, "by" TEXT NOT NULL, at TEXT NOT NULL,
            public BOOLEAN NOT NULL, back_why TEXT, back_at TEXT, PRIMARY KEY (kind, about));
        CREATE TABLE kept_operator (person TEXT NOT NULL PRIMARY KEY, at TEXT NOT NULL);
        INSERT INTO kept_brought (game, first, last, at)
            SELECT game, 0, 0, MIN(created_at) FROM kept_grant WHERE role = 'scorekeeper' AND LENGTH(id) = 64
            GROUP BY game"""
    for statement in statements.format(**TYPES[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)
    for table, column in (("kept_person", "name"), ("kept_game", "title")):  # letters put together in one way
        known = sa.table(table, sa.column("id"), sa.column(column))
        for id, text in connection.execute(sa.select(known.c.id, known.c[column])).all():
            if not unicodedata.is_normalized("NFC", text):
                connection.execute(
                    known.update().where(known.c.id == id).values({column: unicodedata.normalize("NFC", text)})
                )


def evenings_apart(connection: sa.Connection) -> None:
    """Two records that look like one evening, of which somebody says that they are two."""
    statements = """
        CREATE TABLE kept_apart (
            id {number} NOT NULL PRIMARY KEY, game {uuid} NOT NULL, other {uuid} NOT NULL, "by" TEXT NOT NULL,
            why TEXT NOT NULL, at TEXT NOT NULL, back_by TEXT, back_at TEXT);
        CREATE INDEX ix_kept_apart_game ON kept_apart (game);
        CREATE INDEX ix_kept_apart_other ON kept_apart (other)"""
    for statement in statements.format(**TYPES[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)


PAIRS = """
CREATE FUNCTION letter_pairs(said TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(
        SELECT DISTINCT substr(lower(said), place, 2) FROM generate_series(1, length(lower(said)) - 1) place) $$;
CREATE INDEX ix_kept_game_title_pairs ON kept_game USING gin (letter_pairs(title)) WITH (fastupdate = off);
CREATE INDEX ix_kept_person_name_pairs ON kept_person USING gin (letter_pairs(name)) WITH (fastupdate = off);
CREATE INDEX ix_kept_seat_name_pairs ON kept_seat USING gin (letter_pairs(name)) WITH (fastupdate = off)
    WHERE name IS NOT NULL
"""


def pairs_of_letters(connection: sa.Connection) -> None:
    """On PostgreSQL titles and names are found by any two letters that follow one another. Not by three, as pg_trgm has
    it: most Korean names have two.

    A record may name somebody who is not kept in that seat: before version 7 a name that was put right in one game made
    another person of it. The games from before are noted, so that nobody looks for that in all of them.

    Photos may lie in a bucket: how often it was marked as ours, and the objects that are to be removed.
    """
    if connection.dialect.name == "postgresql":
        for statement in PAIRS.split(";"):
            connection.exec_driver_sql(statement)
    statements = """
        CREATE TABLE kept_renamed (game {uuid} NOT NULL PRIMARY KEY);
        INSERT INTO kept_renamed (game) SELECT id FROM kept_game
            WHERE created_at < COALESCE((SELECT at FROM kept_schema WHERE number = 7), '9999');
        CREATE TABLE kept_bucket (address TEXT NOT NULL PRIMARY KEY, times INTEGER NOT NULL);
        CREATE TABLE kept_unwanted (object TEXT NOT NULL PRIMARY KEY, after TEXT NOT NULL)"""
    for statement in statements.format(**TYPES[connection.dialect.name]).split(";"):
        connection.exec_driver_sql(statement)


def looks_of_names(connection: sa.Connection) -> None:
    """What people's names look like, so that those who look alike are found. A table of its own: 0.2.0 starts beside no
    new column."""
    connection.exec_driver_sql(
        "CREATE TABLE kept_look (person TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, look TEXT NOT NULL)"
    )
    person, look = (
        sa.table(table, *map(sa.column, names))
        for table, names in (("kept_person", ("id", "name")), ("kept_look", ("person", "name", "look")))
    )
    people = connection.execute(sa.select(person)).all()
    for some in (people[start : start + ROWS_AT_ONCE] for start in range(0, len(people), ROWS_AT_ONCE)):
        connection.execute(
            look.insert(), [{"person": row.id, "name": row.name, "look": look_of(row.name)} for row in some]
        )
    connection.exec_driver_sql("CREATE INDEX ix_kept_look_look ON kept_look (look)")


STEPS: tuple[Step, ...] = (
    first_tables,
    seats_by_person,
    leases,
    records_of_format_2,
    without_chances,
    chances,
    names_of_games,
    evenings_apart,
    pairs_of_letters,
    looks_of_names,
)

# With which steps parts of Daybook go on that do not know them, if they know the version given: they find all that they
# name, what they write stays good, and what they pass over harms nobody. So it is with a table or a column that may be
# empty, and with what goes that nobody has named since that version. With any other step all older parts are stopped.
GO_ON_FROM: Mapping[Step, int] = {evenings_apart: 7, pairs_of_letters: 7, looks_of_names: 7}
