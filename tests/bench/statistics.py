"""Measures statistics on many games: counting one more, and every figure on SQLite, PostgreSQL and DuckDB.

    daybook simulate --game making_profit --games 40 --fill 4000 --people 40 --data FOLDER
    daybook rebuild --data FOLDER
    python -m tests.bench.statistics --data FOLDER [--postgresql] [--duckdb]

Without a folder a small one is filled first. The texts of SQL are those of `services.statistics.figure_questions`, the
same on each engine; DuckDB reads them over Parquet files that are written from the tables, and has to be installed.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import psycopg
import sqlalchemy as sa

from daybook.domain.games import RULESETS, STATISTICS
from daybook.services.following import projections
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import explorer, figure_questions, openings, queries, reports
from daybook.services.statistics.collect import count, count_all, rows_of
from daybook.services.statistics.figure_questions import Filter, Question, ask
from daybook.services.statistics.queries import Query
from daybook.services.store import read_models
from daybook.services.store.daybook import Daybook, open_daybook
from tests.servers import postgres

ROUNDS = 3
Run = Callable[[Query], Sequence[Sequence[Any]]]


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.statistics", description=__doc__)
    arguments.add_argument("--data", type=Path, help="a folder that `daybook simulate --fill` has filled")
    arguments.add_argument("--postgresql", action="store_true", help="copy the tables to PostgreSQL and ask there too")
    arguments.add_argument("--duckdb", action="store_true", help="write the tables as Parquet and ask DuckDB too")
    arguments.add_argument("--only-asked", action="store_true", help="copy only figures that are asked for")
    asked = arguments.parse_args()
    with folder_of(asked.data) as book:
        sizes = {
            table.name: queries.run(book, Query(f"SELECT COUNT(*) FROM {table.name}", {}))[0][0]
            for table in read_models.COUNTED
        }
        print(", ".join(f"{name} {count:,}" for name, count in sizes.items()))
        counting(book)
        named = dearest(book)
        print_times(
            "SQLite", {name: time_run(lambda query=query: queries.run(book, query)) for name, query in named.items()}
        )
        pages(book)
        for wanted, title, engine in (
            (asked.postgresql, "PostgreSQL", on_postgres),
            (asked.duckdb, "DuckDB over Parquet", on_duckdb),
        ):
            if wanted:
                with engine(book, measures_asked(named) if asked.only_asked else ()) as run:
                    for name, query in named.items():
                        assert comparable_rows(run(query)) == comparable_rows(queries.run(book, query)), (
                            f"{title} answers otherwise: {name}"
                        )
                    print_times(
                        title, {name: time_run(lambda query=query: run(query)) for name, query in named.items()}
                    )


@contextmanager
def folder_of(data: Path | None) -> Iterator[Daybook]:
    """The service on a folder, or on a small one that is filled for it."""
    with tempfile.TemporaryDirectory() as small:
        book = open_daybook(Settings(data=data or Path(small) / "data"), create=True)
        try:
            if data is None:
                games = list(simulate.simulate(RULESETS["making_profit"], 4, 10, 1, {}))
                list(simulate.fill(book, games, 200, simulate.regulars(20, 1), 1))
                projections.catch_up(book, projections.games_projection(book))
                count_all(book)
            yield book
        finally:
            book.close()


def counting(book: Daybook) -> None:
    """What one more game costs: read from the log, counted, written in place of the rows it had."""
    ids = book.log.game_ids()
    some = random.Random(1).sample(ids, min(60, len(ids)))
    whole, computed, read = [], [], []
    for id in some:
        start, busy = time.perf_counter(), time.process_time()
        count(book, id)  # none of them is in the cache
        whole.append(time.perf_counter() - start)
        computed.append(time.process_time() - busy)
        game, position, busy = book.games.get(id), book.log.position(id, 0), time.process_time()
        rows_of(game, position, True)
        read.append(time.process_time() - busy)
    print(
        f"counting one game: {1000 * statistics.median(whole):.1f} ms, at most {1000 * max(whole):.1f} ms; computed "
        f"{1000 * statistics.median(computed):.1f} ms, at most {1000 * max(computed):.1f} ms; of that reading its "
        f"record for figures {1000 * statistics.median(read):.1f} ms"
    )


def dearest(book: Daybook) -> dict[str, Query]:
    """The dearest figures of each kind, of the game there is most of."""
    ruleset = queries.run(
        book, Query("SELECT ruleset, COUNT(*) FROM seat_summary GROUP BY ruleset ORDER BY 2 DESC", {})
    )[0][0]
    of, every = Filter(ruleset=ruleset, practice="yes"), Filter(practice="yes")
    person = queries.run(book, Query("SELECT MIN(person) FROM seat_summary", {}))[0][0]
    declared = STATISTICS[ruleset]
    parts = next(measure for measure in declared.measures if measure.things and measure.by)

    def of_question(question: Question) -> Query:
        return figure_questions.query_of(question, figure_questions.measure_of(question)).whole()

    setup = explorer.setups(book, of).rows[0].key
    return {
        "results by players and seat": of_question(Question("score", ("seats", "seat"), of)),
        "results by person, all games": of_question(Question("score", ("person",), every)),
        "score by month": of_question(Question("score", ("month",), of)),
        "a measure of winners and others": of_question(Question(parts.key, ("won",), of)),
        "a measure by thing and period": of_question(Question(parts.key, ("what", "number"), of)),
        "length of games by players": of_question(Question("length", ("seats",), of)),
        "a record": reports.record_query(declared.measure("score"), "DESC", of).whole(),
        "who met whom, all games": reports.pairs_query(every),
        "one person by ruleset": of_question(Question("score", ("ruleset",), Filter(practice="yes", people=(person,)))),
        "opening: what came next": explorer.next_query(openings.root_of(setup, "seats"), of).whole(),
        "opening: how the seats fared": explorer.seats_query(setup, "seats", "", of).whole(),
    }


def pages(book: Daybook) -> None:
    """Whole pages, as a visitor waits for them."""
    ruleset = queries.run(
        book, Query("SELECT ruleset, COUNT(*) FROM seat_summary GROUP BY ruleset ORDER BY 2 DESC", {})
    )[0][0]
    person = queries.run(book, Query("SELECT MIN(person) FROM seat_summary", {}))[0][0]
    of = Filter(ruleset=ruleset, practice="yes")
    season = frozenset(
        UUID(str(game))
        for (game,) in queries.run(
            book, Query("SELECT s.game FROM seat_summary s WHERE s.seat = 0 ORDER BY s.at DESC LIMIT 60", {})
        )
    )
    questions = [
        figure_questions.question_of_preset(preset, of)
        for preset in figure_questions.presets(ruleset)
        if not figure_questions.OF_PARTS & set(preset.split.split())
    ]

    def game_again() -> None:
        with queries.remember_answers(book):
            for question in questions:
                ask(book, question)

    print_times(
        "pages on SQLite",
        {
            "a game's page, asked first": time_run(lambda: [ask(book, question) for question in questions]),
            "a game's page, asked again": time_run(game_again),
            "a person's page": time_run(lambda: reports.of_person(book, Filter(practice="yes", people=(person,)))),
            "a season's page, 60 games": time_run(lambda: reports.of_games(book, Filter(practice="yes", games=season))),
            "records of a game": time_run(lambda: reports.records(book, of)),
            "what winners do differently": time_run(lambda: reports.winners(book, of)),
            "runs of wins, all games": time_run(lambda: reports.streaks(book, Filter(practice="yes"))),
        },
    )


def comparable_rows(rows: Sequence[Sequence[Any]]) -> list[tuple[str, ...]]:
    """Rows so that those of two engines can be compared: their order among equals, and how an id looks, is free."""
    return sorted(tuple(str(cell).replace("-", "") for cell in row) for row in rows)


def time_run(run: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds that pass, and those of them that this process computes; the medians of a few."""
    passed, computed = [], []
    for _ in range(ROUNDS):
        start, busy = time.perf_counter(), time.process_time()
        run()
        passed.append(1000 * (time.perf_counter() - start))
        computed.append(1000 * (time.process_time() - busy))
    return statistics.median(passed), statistics.median(computed)


def print_times(title: str, times: dict[str, tuple[float, float]]) -> None:
    """On a busy machine compare what is computed; PostgreSQL computes elsewhere."""
    print(f"\n{title + ', ms':<42}{'passed':>10}{'computed':>10}")
    for name, (passed, computed) in times.items():
        print(f"  {name:<40}{passed:>10.1f}{computed:>10.1f}")


# --- other engines ---------------------------------------------------------------------------------------------------


def measures_asked(queries_asked: dict[str, Query]) -> list[str]:
    return sorted({str(query.given["measure"]) for query in queries_asked.values() if "measure" in query.given})


def rows_in(book: Daybook, table: sa.Table, measures: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """All rows of a table, or those of some measures."""
    listed = ", ".join(f"'{measure}'" for measure in measures)
    some = f" WHERE measure IN ({listed})" if measures and "measure" in table.c else ""
    with book.views.connect() as connection:
        yield from map(
            tuple,
            connection.execute(
                sa.text(f"SELECT {', '.join(table.c.keys())} FROM {table.name}{some}"),
                execution_options={"yield_per": 10_000},
            ),
        )


@contextmanager
def on_postgres(book: Daybook, measures: Sequence[str]) -> Iterator[Run]:
    """The tables copied to a PostgreSQL of their own."""
    with tempfile.TemporaryDirectory() as folder, postgres() as url:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute("CREATE DATABASE bench")
        there = open_daybook(
            Settings(data=Path(folder), database_url=urlsplit(url)._replace(path="/bench").geturl()), create=True
        )
        with there.views.begin() as connection:
            raw: Any = connection.connection.driver_connection
            for table in read_models.COUNTED:
                with raw.cursor().copy(f"COPY {table.name} ({', '.join(table.c.keys())}) FROM STDIN") as copy:
                    for row in rows_in(book, table, measures):
                        copy.write_row(row)
                connection.execute(sa.text(f"ANALYZE {table.name}"))
        yield lambda query: queries.run(there, query)
        there.close()


@contextmanager
def on_duckdb(book: Daybook, measures: Sequence[str]) -> Iterator[Run]:
    """The tables as Parquet files."""
    import duckdb  # type: ignore[import-not-found,unused-ignore]

    with tempfile.TemporaryDirectory() as folder:
        database = duckdb.connect()
        for table in read_models.COUNTED:
            lines, parquet = Path(folder) / f"{table.name}.csv", Path(folder) / f"{table.name}.parquet"
            with lines.open("w", newline="") as file:
                csv.writer(file).writerows(
                    ["none" if cell is None else cell for cell in row] for row in rows_in(book, table, measures)
                )
            types = {
                name: "BIGINT" if isinstance(column.type, sa.Integer) else "VARCHAR" for name, column in table.c.items()
            }
            start = time.perf_counter()
            database.execute(
                f"COPY (SELECT * FROM read_csv('{lines}', header=false, columns={types}, nullstr='none')) "
                f"TO '{parquet}' (FORMAT parquet)"
            )
            print(
                f"{table.name}: {parquet.stat().st_size / 1e6:.1f} MB of Parquet in {time.perf_counter() - start:.1f} s"
            )
            database.execute(f"CREATE VIEW {table.name} AS SELECT * FROM '{parquet}'")

        def run(query: Query) -> list[tuple[Any, ...]]:
            text = re.sub(r":(\w+)", r"$\1", query.text)
            found: list[tuple[Any, ...]] = database.execute(text, query.given).fetchall()
            return found

        yield run
        database.close()


if __name__ == "__main__":
    main()
