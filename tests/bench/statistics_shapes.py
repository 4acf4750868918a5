"""Measures in which shape figures of many games are best kept: the same questions, asked of four shapes in one run.

    python -m tests.bench.statistics_shapes --games 100000 [--database sqlite postgres] [--data FOLDER] [--measures ...]

    whole      nothing is kept: each question reads all rows of what was counted
    kept       what it answers about stretches of the log is kept (`services.statistics.partial_answers`), as today
    summary    sums by ruleset, measure, players, seat, person, day, and who won; things and periods in a second table
    columns    DuckDB over Parquet files, one for each stretch; it has to be installed

Rows are laid by `tests.bench.counted_games`. A question is asked for the first time, again by a process that remembers
nothing, and once more after another game was counted; times are of processors, this process and PostgreSQL's.
"""

from __future__ import annotations

import argparse
import csv
import gc
import os
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from daybook.services.settings import Settings
from daybook.services.statistics import collect, figure_questions, partial_answers, reports
from daybook.services.statistics.figure_questions import Filter, Question
from daybook.services.statistics.partial_answers import Additive, merged_whole
from daybook.services.statistics.queries import Rows
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.read_models import STRETCH_BITS, game_fact, game_part, partial_answer, seat_summary
from tests.bench import counted_games
from tests.bench.http import postmaster, processor_seconds
from tests.servers import postgres

ONE = "making_profit"
OF = Filter(ruleset=ONE, readable=frozenset())
MEASURES = ("place", "score", "winning_margin", "length", "level", "dividends")
MEMORY = {"shared_buffers": "1GB", "max_wal_size": "1GB", "effective_cache_size": "4GB"}
QUESTIONS = {
    "places by players and seat": Question("place", ("seats", "seat"), OF),
    "scores by person": Question("score", ("person",), OF),
    "scores by month": Question("score", ("month",), OF),
    "scores of winners and others": Question("score", ("won",), OF),
    "margins by players": Question("winning_margin", ("seats",), OF),
    "levels by round": Question("level", ("number",), OF),
    "dividends by colour and round": Question("dividends", ("what", "number"), OF),
    "levels, each value": Question("level", ("value",), OF),
}
RECORD, RUNS = "highest score", "runs of wins"  # what is more than sums
Clock = Callable[[], float]
SUMMARY_KEY = ("ruleset", "measure", "seats", "seat", "person", "day", "won")
SUMS = (
    "COUNT(*) AS n, SUM(f.value) AS total, SUM(f.value * f.value) AS squares, MIN(f.value) AS least, "
    "MAX(f.value) AS most, SUM(s.won_60) AS wins, SUM(s.expected_60) AS expected"
)


class Shape(NamedTuple):
    """ask: a question by its name, KeyError where it cannot; forget: what is kept of answers; add: what a game more
    costs beside counting it; bytes: beside the rows."""

    ask: Callable[[str], Rows]
    forget: Callable[[], None]
    add: Callable[[], None]
    bytes: int


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.statistics_shapes", description=__doc__)
    arguments.add_argument("--games", type=int, default=100_000)
    arguments.add_argument("--database", nargs="+", default=["sqlite"], choices=("sqlite", "postgres"))
    arguments.add_argument("--data", type=Path, help="a folder that holds such games already, or will keep them")
    arguments.add_argument("--measures", nargs="*", default=MEASURES)
    arguments.add_argument("--shapes", nargs="*", default=[*SHAPES], choices=[*SHAPES])
    asked = arguments.parse_args()
    for database in asked.database:
        with (
            tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
            postgres(MEMORY) if database == "postgres" else nullcontext() as url,
        ):
            data = asked.data if asked.data and not url else Path(folder) / "data"
            book = open_daybook(Settings(data=data, database_url=url), create=True)
            server = postmaster(url) if url else None

            def clock(server: int | None = server) -> float:
                return time.process_time() + (processor_seconds(server) if server else 0.0)

            with book.views.connect() as connection:
                is_empty = connection.scalar(sa.text("SELECT COUNT(*) FROM counted_game")) == 0
            if is_empty:
                start = clock()
                counted_games.lay(book, asked.games, measures=asked.measures, several=6)
                print(f"laid in {clock() - start:.0f} s of processors", flush=True)
            print(f"{database}: {counted_games.bytes_of(book) / 1e9:.2f} GB, load {os.getloadavg()[0]:.0f}", flush=True)
            for name in asked.shapes:
                if name == "columns" and url:
                    continue
                measure_shape(name, book, clock, asked.measures)
            book.close()


def measure_shape(name: str, book: Daybook, clock: Clock, measures: Sequence[str]) -> None:
    start = clock()
    with SHAPES[name](book) as shape:
        print(f"\n{name}: made in {clock() - start:.1f} s of processors, {shape.bytes / 1e6:,.0f} MB beside the rows")
        wanted = [each_item for each_item in QUESTIONS if QUESTIONS[each_item].measure in measures] + [RECORD, RUNS]
        found: dict[str, list[str]] = {value: [] for value in wanted}
        for _ in range(2):  # the first time the rows are fetched from disk
            shape.forget()
            found = {item: [cost(shape.ask, item, clock)] for item in wanted}
        for one in wanted:
            found[one].append(cost(shape.ask, one, clock))
        one_more = counted_games.add_one(book, int(time.time()))
        collect.count(book, one_more)
        busy = clock()
        shape.add()
        added = clock() - busy
        for one in wanted:
            found[one].append(cost(shape.ask, one, clock))
        print(f"{'CPU ms':<32}{'first':>10}{'again':>10}{'one more':>10}    (a game more: {1000 * added:.0f} ms)")
        for one, costs in found.items():
            print(f"{one:<32}" + "".join(f"{cost:>10}" for cost in costs), flush=True)


def cost(ask: Callable[[str], Rows], name: str, clock: Clock) -> str:
    gc.collect()
    busy = clock()
    try:
        rows = ask(name)
    except KeyError:
        return "-"
    assert rows, name
    return f"{1000 * (clock() - busy):,.0f}"


def query_of(name: str) -> Additive:
    if name == RECORD:
        return reports.record_query(figure_questions.measure_of(Question("score", (), OF)), "DESC", OF)
    if name == RUNS:
        return reports.runs_query(OF)
    return figure_questions.query_of(QUESTIONS[name], figure_questions.measure_of(QUESTIONS[name]))


# --- shapes ----------------------------------------------------------------------------------------------------------


@contextmanager
def asked_whole(book: Daybook) -> Iterator[Shape]:
    yield Shape(lambda name: merged_whole(book, query_of(name)), lambda: None, lambda: None, 0)


@contextmanager
def kept_by_stretch(book: Daybook) -> Iterator[Shape]:
    def forget() -> None:
        with book.views.begin() as connection:
            connection.execute(partial_answer.delete())

    def ask(name: str) -> Rows:
        return partial_answers.answer(book, query_of(name))

    forget()
    for name in (*QUESTIONS, RECORD, RUNS):
        ask(name)
    with book.views.connect() as connection:
        kept = connection.scalar(sa.text("SELECT SUM(LENGTH(rows)) FROM partial_answer")) or 0
    yield Shape(ask, forget, lambda: None, kept)


@contextmanager
def summed(book: Daybook) -> Iterator[Shape]:
    """A table of sums for figures of games, and one for things and periods."""
    before = counted_games.bytes_of(book) if book.views.file else 0
    with book.views.begin() as connection:
        for table, facts in SUMMED.items():
            connection.execute(sa.text(f"DROP TABLE IF EXISTS {table}"))
            connection.execute(sa.text(f"CREATE TABLE {table} AS {sums_of(table, facts)}"))
            connection.execute(sa.text(f"CREATE INDEX ix_{table} ON {table} ({', '.join(key_of(table))})"))
    with book.views.connect() as connection:
        for table, facts in SUMMED.items():
            rows, of = (connection.scalar(sa.text(f"SELECT COUNT(*) FROM {value}")) for value in (table, facts))
            print(f"{table}: {rows:,} rows of {of:,} figures")
        if book.views.file is None:
            size = sum(connection.scalar(sa.text(f"SELECT pg_total_relation_size('{item}')")) or 0 for item in SUMMED)
        else:
            size = counted_games.bytes_of(book) - before

    def ask(name: str) -> Rows:
        question = QUESTIONS[name]  # KeyError: it is no sum
        with book.views.connect() as connection:
            return [
                tuple(row) for row in connection.execute(sa.text(text_of_sums(question)), {"measure": question.measure})
            ]

    def add() -> None:
        with book.views.begin() as connection:
            newest = connection.execute(
                sa.select(seat_summary.c.game, seat_summary.c.position)
                .order_by(seat_summary.c.position.desc())
                .limit(1)
            ).one()
            for table, facts in SUMMED.items():
                connection.execute(
                    sa.text(f"INSERT INTO {table} {sums_of(table, facts, 's.position = :position')}"),
                    {"position": newest.position},
                )

    yield Shape(ask, lambda: None, add, size)
    with book.views.begin() as connection:
        for table in SUMMED:
            connection.execute(sa.text(f"DROP TABLE {table}"))


FIGURES_OF_SEAT = (  # one of a whole game is the first seat's
    "f.game = s.game AND f.ruleset = s.ruleset AND (f.seat = s.seat OR (f.seat = -1 AND s.seat = 0))"
)
SUMMED = {"figure_sums": "game_fact", "part_sums": "game_part"}


def key_of(table: str) -> tuple[str, ...]:
    return SUMMARY_KEY if table == "figure_sums" else (*SUMMARY_KEY, "what", "number")


def sums_of(table: str, facts: str, condition: str = "1 = 1") -> str:
    """The sums of public games that are no practice. A figure of a whole game is counted once, for its first seat."""
    columns = {
        "ruleset": "f.ruleset",
        "measure": "f.measure",
        "seats": "s.seats",
        "seat": "s.seat",
        "person": "s.person",
        "day": "SUBSTR(s.at, 1, 10)",
        "won": "CASE WHEN s.won_60 > 0 THEN 1 ELSE 0 END",
        "what": "f.what",
        "number": "f.number",
    }
    key = key_of(table)
    selected = ", ".join(f"{columns[name]} AS {name}" for name in key)
    grouped = ", ".join(str(place + 1) for place in range(len(key)))
    return (
        f"SELECT {selected}, {SUMS} FROM seat_summary s CROSS JOIN {facts} f WHERE {FIGURES_OF_SEAT} AND s.public = 1 "
        f"AND s.kind <> 'practice' AND s.against_rules = 0 AND s.seats > 1 AND {condition} GROUP BY {grouped}"
    )


def text_of_sums(question: Question) -> str:
    parts = figure_questions.OF_PARTS & set(question.splits)
    columns = {"month": "SUBSTR(day, 1, 7)"}
    a, b = [*(columns.get(split, split) for split in question.splits), "'-'", "'-'"][:2]
    if "value" in question.splits:
        raise KeyError(question)
    return (
        f"SELECT {a}, {b}, SUM(n), SUM(total), SUM(squares), MIN(least), MAX(most), SUM(wins), SUM(expected) "
        f"FROM {'part_sums' if parts else 'figure_sums'} WHERE ruleset = '{ONE}' AND measure = :measure GROUP BY 1, 2"
    )


@contextmanager
def in_columns(book: Daybook) -> Iterator[Shape]:
    """Parquet files of the three tables, one for each stretch of the log."""
    import duckdb  # type: ignore[import-not-found,unused-ignore]

    tables = {"seat_summary": seat_summary, "game_fact": game_fact, "game_part": game_part}
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        database = duckdb.connect()
        database.execute("SET threads = 1")

        def write(stretch: int) -> None:
            for name, table in tables.items():
                to, lines = Path(folder) / f"{name}-{stretch}.parquet", Path(folder) / "lines.csv"
                query = rows_of_stretch(table, stretch)
                with lines.open("w", newline="") as file, book.views.connect() as connection:
                    csv.writer(file).writerows(connection.execute(sa.text(query)))
                types = {
                    column.name: "BIGINT" if isinstance(column.type, sa.Integer) else "VARCHAR" for column in table.c
                }
                database.execute(
                    f"COPY (SELECT * FROM read_csv('{lines}', header=false, columns={types})) TO '{to}' "
                    "(FORMAT parquet)"
                )

        with book.views.connect() as connection:
            newest = connection.scalar(sa.select(sa.func.max(seat_summary.c.position))) >> STRETCH_BITS
        for stretch in range(newest + 1):
            write(stretch)
        size = sum(file.stat().st_size for file in Path(folder).glob("*.parquet"))
        for name in tables:
            database.execute(f"CREATE VIEW {name} AS SELECT * FROM '{folder}/{name}-*.parquet'")

        def ask(name: str) -> Rows:
            query = query_of(name).whole()
            text = re.sub(r":(\w+)", r"$\1", query.text)
            text = re.sub(r"(?<!\.)\b(at|position)\b", r'"\1"', text)  # words of its own
            return [tuple(row) for row in database.execute(text, query.given).fetchall()]

        yield Shape(ask, lambda: None, partial(write, newest), size)
        database.close()


def rows_of_stretch(table: sa.Table, stretch: int) -> str:
    """The seats of a stretch of the log, or the figures of its games."""
    within = f"s.position >= {stretch << STRETCH_BITS} AND s.position < {(stretch + 1) << STRETCH_BITS}"
    if table is seat_summary:
        return f"SELECT {', '.join(table.c.keys())} FROM seat_summary s WHERE {within}"
    columns = ", ".join(f"f.{column.name}" for column in table.c)
    return f"SELECT {columns} FROM seat_summary s CROSS JOIN {table.name} f WHERE {FIGURES_OF_SEAT} AND {within}"


SHAPES = {"whole": asked_whole, "kept": kept_by_stretch, "summary": summed, "columns": in_columns}


if __name__ == "__main__":
    main()
