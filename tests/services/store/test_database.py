"""Read models and kept tables on SQLite and on PostgreSQL: readers do not write, writers wait their turn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

import pytest
import sqlalchemy as sa

from daybook.services.settings import Settings
from daybook.services.store.database import (
    StoreEngine,
    create_tables,
    insert_missing,
    insert_once,
    kept_engine,
    upsert,
    views_engine,
)
from daybook.services.store.sqlite import sqlite
from tests.forked import all_sent, running

metadata = sa.MetaData()
coins = sa.Table(
    "coins",
    metadata,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("coins", sa.Integer, nullable=False),
    sa.Column("name", sa.Text),
)
seen = sa.Table("seen", metadata, sa.Column("game", sa.Text, primary_key=True))
further = sa.MetaData()
crates = sa.Table(
    "crates", further, sa.Column("id", sa.Integer, primary_key=True), sa.Column("holds", sa.Integer, nullable=False)
)


@pytest.fixture
def engine(settings: Settings) -> Iterator[StoreEngine]:
    settings.folder()
    engine = views_engine(settings, 1)
    create_tables(engine, metadata, further)
    yield engine
    engine.dispose()


def rows(engine: sa.Engine) -> list[tuple[Any, ...]]:
    with engine.connect() as c:
        return [tuple(row) for row in c.execute(sa.select(coins).order_by(coins.c.game, coins.c.seat))]


def row(game: str, seat: int, amount: int, name: str = "Anna") -> dict[str, Any]:
    return {"game": game, "seat": seat, "coins": amount, "name": name}


# --- what other processes do ------------------------------------------------------------------------------------


def adds_one(settings: Settings, times: int, connection: Connection) -> None:
    """Reads, then writes what it has read and one more, as a read-modify-write does."""
    engine = views_engine(settings, 1)
    for _ in range(times):
        with engine.begin() as c:
            held = c.execute(sa.select(crates.c.holds).where(crates.c.id == 1).with_for_update()).scalar_one()
            c.execute(crates.update().where(crates.c.id == 1).values(holds=held + 1))
    connection.send("added")
    engine.dispose()


def creates(settings: Settings, start_at: float, connection: Connection) -> None:
    time.sleep(max(0.0, start_at - time.monotonic()))
    for engine in (views_engine(settings, 1), kept_engine(settings)):
        create_tables(engine, metadata, further)
        engine.dispose()
    connection.send("created")


# --- reading and writing ----------------------------------------------------------------------------------------


def test_any_number_of_ids_may_be_asked_for(engine):
    """More than either database takes in one query."""
    upsert(engine, crates, [{"id": id, "holds": id} for id in (3, 70_000, 70_001)], ["id"])
    found = engine.rows_where_in(sa.select(crates), crates.c.id, range(70_001))
    assert [row.id for row in found] == [3, 70_000]
    assert engine.rows_where_in(sa.select(crates), crates.c.id, ()) == []


def test_what_was_written_is_read_by_another_engine(engine, settings):
    with engine.begin() as c:
        c.execute(coins.insert(), [row("g", 0, 3), row("g", 1, 4)])
    other = views_engine(settings, 1)
    assert rows(other) == [("g", 0, 3, "Anna"), ("g", 1, 4, "Anna")]
    other.dispose()


def test_a_connection_that_reads_cannot_write(engine):
    upsert(engine, coins, [row("g", 0, 3)], ["game", "seat"])
    for statement in (coins.delete(), coins.insert().values(row("g", 1, 4))):
        with engine.connect() as c, pytest.raises(sa.exc.DBAPIError, match=r"read-?only"):
            c.execute(statement)
    assert rows(engine) == [("g", 0, 3, "Anna")]
    upsert(engine, coins, [row("g", 0, 5)], ["game", "seat"])  # the same connection, out of the pool again
    assert rows(engine) == [("g", 0, 5, "Anna")]


def test_what_raises_leaves_nothing_behind(engine):
    with pytest.raises(ZeroDivisionError), engine.begin() as c:
        c.execute(coins.insert(), [row("g", 0, 3)])
        raise ZeroDivisionError
    assert rows(engine) == []


def test_processes_that_read_then_write_wait_for_each_other(engine, settings):
    upsert(engine, crates, [{"id": 1, "holds": 0}], ["id"])
    with ExitStack() as stack:
        told = [stack.enter_context(running(adds_one, settings, 200))[1] for _ in range(2)]
        assert [list(all_sent(value)) for value in told] == [["added"], ["added"]]
    with engine.connect() as c:
        assert c.execute(sa.select(crates.c.holds)).scalar_one() == 400


def test_reading_does_not_wait_for_whoever_writes(engine):
    upsert(engine, coins, [row("g", 0, 3)], ["game", "seat"])
    with engine.begin() as c:
        c.execute(coins.update().values(coins=99))
        assert rows(engine) == [("g", 0, 3, "Anna")]  # the transaction ends after it


def test_threads_may_read_while_others_write(engine):
    def write(seat: int) -> None:
        for amount in range(30):
            upsert(engine, coins, [row("g", seat, amount)], ["game", "seat"])
            assert ("g", seat, amount, "Anna") in rows(engine)

    writers = [Thread(target=write, args=[seat]) for seat in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert rows(engine) == [("g", seat, 29, "Anna") for seat in range(6)]


# --- upsert -----------------------------------------------------------------------------------------------------


def test_upsert_inserts_and_replaces(engine):
    upsert(engine, coins, [row("g", 0, 3, "Anna"), row("g", 1, 4, "Ben")], ["game", "seat"])
    upsert(engine, coins, [row("g", 1, 9, "Cleo"), row("h", 0, 1, "Dan")], ["game", "seat"])
    assert rows(engine) == [("g", 0, 3, "Anna"), ("g", 1, 9, "Cleo"), ("h", 0, 1, "Dan")]


def test_upsert_adds_up_the_columns_that_are_named(engine):
    for _ in range(2):
        upsert(engine, coins, [row("g", 0, 3), row("g", 0, 4, "Ben")], ["game", "seat"], add=["coins"])
    assert rows(engine) == [("g", 0, 14, "Ben")]


def test_upsert_of_keys_alone_keeps_what_is_there(engine):
    for _ in range(2):
        upsert(engine, seen, [{"game": "g"}, {"game": "h"}], ["game"])
    with engine.connect() as c:
        assert c.scalars(sa.select(seen.c.game).order_by(seen.c.game)).all() == ["g", "h"]


def test_upsert_leaves_columns_alone_that_are_not_given(engine):
    upsert(engine, coins, [row("g", 0, 3, "Anna")], ["game", "seat"])
    upsert(engine, coins, [{"game": "g", "seat": 0, "coins": 8}], ["game", "seat"])
    assert rows(engine) == [("g", 0, 8, "Anna")]


def test_upsert_of_nothing_writes_nothing(engine):
    upsert(engine, coins, [], ["game", "seat"])
    assert rows(engine) == []


def test_existing_rows_stay_where_only_missing_ones_are_inserted(engine):
    with engine.begin() as c:
        insert_missing(c, coins, [row("g", 0, 3, "Anna"), row("g", 1, 4, "Ben")])
        insert_missing(c, coins, [row("g", 1, 9, "Cleo"), row("h", 0, 1, "Dan")])
        insert_missing(c, coins, [])
    assert rows(engine) == [("g", 0, 3, "Anna"), ("g", 1, 4, "Ben"), ("h", 0, 1, "Dan")]


def test_insert_once_tells_if_the_row_was_missing(engine):
    with engine.begin() as c:
        assert insert_once(c, coins, row("g", 0, 3, "Anna"))
        assert not insert_once(c, coins, row("g", 0, 9, "Ben"))
    assert rows(engine) == [("g", 0, 3, "Anna")]


def test_upsert_is_part_of_the_transaction_it_is_given(engine):
    with pytest.raises(ZeroDivisionError), engine.begin() as c:
        upsert(c, coins, [row("g", 0, 3)], ["game", "seat"])
        raise ZeroDivisionError
    assert rows(engine) == []


# --- creating, and where it is kept -----------------------------------------------------------------------------


def test_processes_may_make_the_tables_at_the_same_moment(settings):
    settings.folder()
    start_at = time.monotonic() + 1.0
    with ExitStack() as stack:
        told = [stack.enter_context(running(creates, settings, start_at))[1] for _ in range(6)]
        assert [list(all_sent(value)) for value in told] == [["created"]] * 6
    for engine in (views_engine(settings, 1), kept_engine(settings)):
        assert rows(engine) == []
        engine.dispose()


def test_making_the_tables_again_keeps_their_rows(engine):
    upsert(engine, coins, [row("g", 0, 3)], ["game", "seat"])
    create_tables(engine, metadata, further)
    assert rows(engine) == [("g", 0, 3, "Anna")]


def test_read_models_and_kept_tables_do_not_mix(engine, settings):
    upsert(engine, coins, [row("g", 0, 3)], ["game", "seat"])
    kept = kept_engine(settings)
    create_tables(kept, metadata)
    assert rows(kept) == []
    kept.dispose()


def test_sqlite_flushes_kept_tables_and_not_read_models(settings):
    if settings.database_url:
        return  # one server, one way to commit: daybook.services.store.log.durability looks at it
    settings.folder()
    for engine, synchronous in ((kept_engine(settings), 2), (views_engine(settings, 1), 1)):
        create_tables(engine, metadata)
        with engine.connect() as c:
            assert engine.dialect.dbapi is sqlite  # the sound one
            asked = [c.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("synchronous", "journal_mode")]
            assert asked == [synchronous, "wal"]
        engine.dispose()


def test_postgres_random_page_cost_is_about_sequential(engine):
    if engine.schema is None:
        pytest.skip("SQLite does not ask")
    with engine.connect() as c:
        assert float(c.scalar(sa.text("SHOW random_page_cost"))) < 2
    with engine.begin() as c:
        assert float(c.scalar(sa.text("SHOW random_page_cost"))) < 2
