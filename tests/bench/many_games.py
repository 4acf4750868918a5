"""Measures what a great many games cost: `python -m tests.bench.many_games --games 1000000 --entries 100000`.

Without --entries, rows of the lists and of who sat where are laid by `tests.many_games`, on PostgreSQL or SQLite, with no
log behind them, and what anybody can ask for is asked: every address that names nothing, searches, pages far down a
list. With --entries, games are laid by `tests.bench.copied_games` on PostgreSQL, so many of them with all their entries,
and all parts below are measured, or those named with --only. --data: a folder that holds them already, or will keep them.

Times are of the clock, and of processors: this process, what it started, and PostgreSQL's. Pages are those of eight
kilobytes that the database looked at for an answer, found in its memory or not: they do not depend on what else runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
import sqlalchemy as sa
from flask import Flask

from daybook.domain.kernel.events import Entry
from daybook.services.analysis import win_chances
from daybook.services.files import audits
from daybook.services.following import projections
from daybook.services.following.game_rows import insert_games as lay_rows_anew
from daybook.services.people import anonymise
from daybook.services.play import simulate
from daybook.services.settings import Settings
from daybook.services.statistics import collect
from daybook.services.store import read_models
from daybook.services.store.database import create_tables
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.services.store.game_cache import Games
from daybook.services.store.log_postgres import SCHEMA as LOG
from daybook.services.store.sharing_out import run_in_pieces
from daybook.web.app import create_app
from daybook.web.serving import collect_less
from daybook.workers.children import start_child, stop
from tests import servers
from tests.bench import copied_games, statistics_pages
from tests.bench.following import processor_seconds as of_this_process
from tests.bench.http import postmaster, processor_seconds
from tests.bench.statistics_pages import MEMORY, PageCost, cost
from tests.many_games import lay_games
from tests.query_plans import statements_of
from tests.servers import free_port, listens, postgres, postgres_programs, wait_until

GAMES = 100_000
SLOW = 100  # milliseconds that nobody should wait longer
DURABLE = {"fsync": "on", "full_page_writes": "on"}  # without them no part starts
KEPT_MEMORY = {**MEMORY, **DURABLE, "max_wal_size": "4GB", "maintenance_work_mem": "1GB", "work_mem": "64MB"}
SOME = (1_000, 4_000)  # games that are rebuilt and audited: what a game costs is to be the same
A_SECOND = 200  # decisions, of a whole hobby
SECONDS = 60  # for which they are followed
TRIES = 5


class Service(NamedTuple):
    """The service that is measured. clock: processor seconds so far; games: a sample of the games that have entries."""

    book: Daybook
    url: str
    clock: Callable[[], float]
    games: Sequence[UUID]
    asked: argparse.Namespace


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.many_games", description=__doc__)
    arguments.add_argument("--games", type=int, default=GAMES)
    arguments.add_argument("--entries", type=int, default=0, help="games that have all their entries")
    arguments.add_argument("--public", type=int, default=5, help="of ten games so many are public")
    arguments.add_argument("--database", default="postgres", choices=("sqlite", "postgres"))
    arguments.add_argument("--all", action="store_true", help="print also what is quick")
    arguments.add_argument("--data", type=Path)
    arguments.add_argument("--only", nargs="+", default=[*PARTS], choices=[*PARTS])
    arguments.add_argument("--seconds", type=int, default=SECONDS, help="that decisions are followed")
    arguments.add_argument("--minutes", type=int, default=60, help="that vacuum is watched")
    arguments.add_argument("--a-second", type=int, default=A_SECOND, help="decisions that are written")
    asked = arguments.parse_args()
    with serve(asked) as service:
        for name in asked.only if asked.entries else ["lists"]:
            print(f"\n{name}; load {os.getloadavg()[0]:.1f}; ms passed (and computed), pages", flush=True)
            PARTS[name](service)


@contextmanager
def serve(arguments: argparse.Namespace) -> Iterator[Service]:
    kept = arguments.data / "pg" if arguments.data else None
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
        postgres(KEPT_MEMORY, kept=kept) if arguments.database == "postgres" else nullcontext() as url,
    ):
        data = (arguments.data or Path(folder)) / "data"
        book = open_daybook(Settings(data=data, database_url=url, win_chances_seconds_per_day=60), create=True)
        server = postmaster(url) if url else None

        def clock() -> float:
            return time.process_time() + (processor_seconds(server) if server else 0.0)

        with book.kept.engine.connect() as c:
            is_empty = c.scalar(sa.text("SELECT COUNT(*) FROM kept_game")) == 0
        if is_empty and arguments.entries:
            lay = partial(
                copied_games.lay,
                book,
                arguments.games,
                arguments.entries,
                people=arguments.games // 5,
                public_of_ten=arguments.public,
            )
        else:
            lay = partial(lay_games, book, arguments.games, public_of_ten=arguments.public)
        if is_empty:
            print(f"{arguments.games:,} games on {arguments.database} laid in {cost(lay, clock).passed / 1000:.0f} s")
        yield Service(book, url or "", clock, some_games(url, 50) if arguments.entries else [], arguments)
        book.close()


def some_games(url: str | None, number: int) -> list[UUID]:
    """Games that have entries, spread evenly over the log."""
    with psycopg.connect(str(url)) as c:
        first, last = c.execute(
            f"SELECT (SELECT notification_id FROM {LOG}.games_events WHERE notification_id > 100000 LIMIT 1),"
            f" max(notification_id) FROM {LOG}.games_events"
        ).fetchone() or (0, 0)
        found = [
            c.execute(
                f"SELECT originator_id FROM {LOG}.games_events WHERE originator_version = 1 AND notification_id > %s"
                " ORDER BY notification_id LIMIT 1",
                [first + (last - first) * place // number],
            ).fetchone()
            for place in range(number)
        ]
    return [row[0] for row in found if row]


# --- what is asked for -----------------------------------------------------------------------------------------------


def lists(service: Service) -> None:
    """Measure lists, searches without a result, and pages from the middle, each requested twice."""
    app, quick = create_app(service.book), 0
    for address in (*searches(service.asked.games), *unnamed(app)):
        again = [cost(partial(ask, app, address), service.clock) for _ in range(2)][-1]
        quick += again.passed < SLOW
        if again.passed >= SLOW or service.asked.all:
            show(service, address, [again], partial(ask, app, address))
    print(f"{quick} others in less than {SLOW} ms")


def one_game(service: Service) -> None:
    """Measure replays of games that are not in the cache: the first request and the second."""
    app = create_app(service.book)
    for address in ("/games/{}/replay", "/games/{}", "/api/v1/games/{}/replay", "/games/{}/score"):
        for place, game in enumerate(public_of(service)[:TRIES]):
            named = address.format(game)
            costs = [cost(partial(ask, app, named), service.clock) for _ in range(2)]
            if place == TRIES - 1:
                show(service, named, costs)
    for game in service.games[:TRIES]:
        pages = f"SELECT state FROM {LOG}.games_events WHERE originator_id = '{game}' ORDER BY originator_version"
        print(f"  entries of {game}: {explained(service, [(pages, None)])}", flush=True)


def one_person(service: Service) -> None:
    """Measure the pages of the busiest player and of a player with few games."""
    app = create_app(service.book)
    for person in ("r0", "r100", f"r{service.asked.games // 5 - 1}"):
        own = f"/statistics/all/ask?measure=place&split=person&person={person}"
        meetings = f"/statistics/all/meetings?one={person}&other=r1"
        for address in (own, meetings, f"/people/{person}"):
            show(
                service,
                address,
                [cost(partial(ask, app, address), service.clock) for _ in range(2)],
                partial(ask, app, address),
            )
        seats = cost(partial(anonymise.find_mentions, service.book, [person], 50), service.clock)
        print(f"  {f'where records name {person}':<70}{seats!s:>24}", flush=True)


def statistics(service: Service) -> None:
    """Every kind of page and of question, first and again, with the server's way of collecting garbage."""
    app = create_app(service.book)
    collect_less()
    for page in statistics_pages.addresses(service.book):
        show(service, page, [cost(partial(statistics_pages.ask, app, page), service.clock) for _ in range(2)])


def due(service: Service) -> None:
    """Measure what the follower checks every ten seconds."""
    for name, look in {
        "games to count": partial(collect.games_due, service.book),
        "games to audit": partial(audits.games_due, service.book),
        "periods without a score": partial(lambda: list(read_models.periods_without_score(service.book.views))),
        "games to analyse": partial(win_chances.games_due, service.book),
    }.items():
        show(service, name, [cost(look, service.clock) for _ in range(2)], look)


def closing(service: Service) -> None:
    """A game that is played and closed: its entries taken in, then counted."""
    for number in range(TRIES):
        start = time.perf_counter()
        one = statistics_pages.counted_games.add_one(service.book, number)
        wrote = 1000 * (time.perf_counter() - start)
        for name in (projections.games_projection, projections.results_projection):
            show(
                service,
                name.__name__,
                [cost(partial(projections.catch_up, service.book, name(service.book)), service.clock)],
            )
        show(
            service,
            f"written in {wrote:.0f} ms; counted",
            [cost(partial(collect.count_game, service.book, one), service.clock)],
        )


def lag(service: Service) -> None:
    """Measure how long after a decision's acknowledgement the list shows it, at this many decisions a second."""
    with servers.queue() as queue_url:
        settings = replace(service.book.settings, redis_url=queue_url, win_chances_seconds_per_day=0)
        follower = start_child([sys.executable, "-m", "daybook", "follow"], os.environ | settings.environ())
        try:
            newest = service.book.log.newest()
            wait_until(lambda: read_models.position_of(service.book.views, projections.GAMES) >= newest, "the follower")
            waits = list[float]()
            write = partial(write_steadily, service, service.asked.a_second * service.asked.seconds)
            before = processor_seconds(follower.pid)
            busy = cost(lambda: waits.extend(followed(service, write)), service.clock)
            used = processor_seconds(follower.pid) - before
        finally:
            stop(follower)
    waits.sort()
    print(
        f"  {service.asked.a_second} a second wanted for {service.asked.seconds} s, it took {busy.passed / 1000:.0f}; {len(waits)} looks; "
        f"lag {1000 * waits[len(waits) // 2]:.0f} ms, p95 {1000 * waits[len(waits) * 95 // 100]:.0f}, most "
        f"{1000 * waits[-1]:.0f}; follower {used:.1f} s of a processor, {1000 * used / (service.asked.a_second * service.asked.seconds):.2f} "
        "ms a decision",
        flush=True,
    )


def write_steadily(service: Service, number: int, seconds: float = float("inf")) -> int:
    """Write entries of concurrent games one after the other at the wanted rate while time is left.

    Return their number.
    """
    entries, start = new_entries(), time.monotonic()
    for place in range(number):
        time.sleep(max(0.0, start + place / service.asked.a_second - time.monotonic()))
        if time.monotonic() > start + seconds:
            return place
        service.book.log.append(next(entries))
    return number


def new_entries() -> Iterator[Entry]:
    """Entries of games that begin and end, forty of them at a time."""
    random, played = Random(time.time_ns()), list(copied_games.play_every_kind(1))

    def one_after_the_other() -> Iterator[Entry]:
        while True:
            source = random.choice(played)
            people = [f"r{random.randrange(2000)}" for _ in source.opening.seats]
            yield from simulate.copy_entries(source, uuid4(), people, source.opening.at, random)

    return chain.from_iterable(zip(*(one_after_the_other() for _ in range(40)), strict=True))


def followed(service: Service, write: Callable[[], None]) -> Iterator[float]:
    """Seconds from an entry's being there to the follower's having taken it in, looked at again and again."""
    writer = Thread(target=write)
    writer.start()
    while writer.is_alive():
        newest, start = service.book.log.newest(), time.monotonic()
        while read_models.position_of(service.book.views, projections.GAMES) < newest:
            time.sleep(0.002)
        yield time.monotonic() - start


# --- what is done with all of them -----------------------------------------------------------------------------------


def remaking(service: Service) -> None:
    """Rebuilding rows and auditing, of some games and of more, by two processes."""
    book = replace(service.book, games=Games(service.book.log))
    for number in SOME:
        games = spread(service.url, number)
        entries = sum(len(book.log.positions(game)) for game in games)
        read_models.rebuilding.drop_all(book.views)
        create_tables(book.views, read_models.rebuilding)
        for name, work in {
            "rebuilt": partial(rebuild_some, book, games),
            "audited": partial(audits.audit_all, book, games, workers=2),
        }.items():
            server = service.clock() - time.process_time()
            start, used = time.perf_counter(), of_this_process(work)
            server = service.clock() - time.process_time() - server
            print(
                f"  {name} {number:,} games, {entries:,} entries, 2 workers: {time.perf_counter() - start:.0f} s passed, "
                f"{used:.0f} of processors, {server:.0f} of the database's; {entries / (used + server):,.0f} entries a "
                "processor second",
                flush=True,
            )
        read_models.rebuilding.drop_all(book.views)


def rebuild_some(book: Daybook, games: Sequence[UUID]) -> None:
    for _ in run_in_pieces(book, partial(lay_rows_anew, end=book.log.newest()), games, 2):
        pass


def replacing(service: Service) -> None:
    """Measure the last step of a rebuild: as many rows as there are take the place of the present ones."""
    book = service.book
    read_models.rebuilding.drop_all(book.views)
    read_models.rename_rebuilt_indexes()
    create_tables(book.views, read_models.rebuilding)
    for table, beside in read_models.REBUILT.items():
        with book.views.begin() as c:
            c.execute(beside.insert().from_select(list(table.c.keys()), sa.select(table)))
    last = projections.Rebuild(book, lambda done, total: None)
    last.position = book.log.newest()
    show(service, "new tables in place of the present ones", [cost(last.switch_tables, service.clock)])


def spread(url: str, number: int) -> list[UUID]:
    """Return this many games with entries, spread over time."""
    with psycopg.connect(url) as c:
        return [
            row[0]
            for row in c.execute(
                f"SELECT originator_id FROM {LOG}.games_events WHERE originator_version = 1 AND notification_id > 100000"
                " ORDER BY notification_id LIMIT %s",
                [number],
            )
        ]


def backup(service: Service) -> None:
    """Make a backup as in docs/backup.md; without compression where only the first line is measured."""
    with tempfile.TemporaryDirectory(dir=service.asked.data) as folder:
        to = Path(folder) / "daybook.dump"
        dump = [postgres_programs() / "pg_dump", "--format=custom", "--schema=daybook_log", "--schema=daybook_kept"]
        passed = cost(lambda: subprocess.run([*dump, f"--file={to}", service.url], check=True), service.clock)
        print(f"  pg_dump: {passed.passed / 1000:.0f} s, {to.stat().st_size / 1e9:.2f} GB", flush=True)


def sizes(service: Service) -> None:
    """Rows and bytes of each table."""
    with psycopg.connect(service.url) as c:
        total = 0
        for name, rows, table, indexes in c.execute(
            "SELECT n.nspname || '.' || t.relname, t.reltuples::bigint, pg_table_size(t.oid), pg_indexes_size(t.oid)"
            " FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace"
            " WHERE t.relkind = 'r' AND n.nspname LIKE 'daybook%' ORDER BY pg_total_relation_size(t.oid) DESC"
        ):
            total += table + indexes
            if table + indexes > 1e7:
                each = (table + indexes) / max(rows, 1)
                print(
                    f"  {name:<40}{rows:>14,}{table / 1e6:>10,.0f} MB{indexes / 1e6:>10,.0f} MB of indexes{each:>8.0f} a row"
                )
        print(f"  all: {total / 1e9:.1f} GB")


def vacuum(service: Service) -> None:
    """Measure what an hour of writing leaves to PostgreSQL's own autovacuum, while follower and worker run."""
    with servers.queue() as queue_url:
        settings = replace(service.book.settings, redis_url=queue_url, win_chances_seconds_per_day=0)
        environ = os.environ | settings.environ()
        parts = [start_child([sys.executable, "-m", "daybook", name], environ) for name in ("follow", "work")]
        try:
            show_dead(service)
            written = 0
            for minute in range(service.asked.minutes):
                written += write_steadily(service, service.asked.a_second * 60, 60)
                if minute % 10 == 9 or minute == service.asked.minutes - 1:
                    behind = service.book.log.newest() - read_models.position_of(service.book.views, projections.GAMES)
                    print(f"  after {minute + 1} minutes: {written:,} entries, {behind} behind", flush=True)
                    show_dead(service)
        finally:
            for part in parts:
                stop(part)


def show_dead(service: Service) -> None:
    with psycopg.connect(service.url) as c:
        for row in c.execute(
            "SELECT relname, n_live_tup, n_dead_tup, autovacuum_count, total_autovacuum_time, pg_total_relation_size(relid)"
            " FROM pg_stat_user_tables WHERE n_dead_tup > 1000 OR autovacuum_count > 0 ORDER BY n_dead_tup DESC"
        ):
            name, live, dead, count, took, size = row
            print(
                f"    {name:<24}{live:>12,} rows{dead:>10,} dead, vacuumed {count} times in {took / 1000:.1f} s, "
                f"{size / 1e6:,.0f} MB",
                flush=True,
            )


def starts(service: Service) -> None:
    """Measure the seconds from the start of each part until it does its work."""
    port = free_port()
    with servers.queue() as queue_url:
        settings = replace(service.book.settings, redis_url=queue_url, port=port, win_chances_seconds_per_day=0)
        environ = os.environ | settings.environ()

        def until(command: Sequence[str], ready: Callable[[], bool]) -> PageCost:
            child = start_child([sys.executable, "-m", "daybook", *command], environ)
            try:
                return cost(
                    lambda: wait_until(ready, command[0]), lambda: service.clock() + processor_seconds(child.pid)
                )
            finally:
                stop(child)

        def follows() -> bool:
            return any(
                health.projection == projections.GAMES and health.beat_at > begun
                for health in read_models.projection_health(service.book.views)
            )

        print(f"  web: {until(['web'], lambda: listens(port))}", flush=True)
        begun = projections.read_models.now()
        print(f"  follow: {until(['follow'], follows)}", flush=True)
        print(f"  init: {cost(lambda: open_daybook(settings, create=True).close(), service.clock)}", flush=True)


def show(service: Service, name: str, costs: Sequence[PageCost], again: Callable[[], object] | None = None) -> None:
    """again: what is done once more to count pages."""
    pages = ""
    if again is not None and service.url:
        with statements_of(service.book.views) as one, statements_of(service.book.search) as other:
            again()
        pages = explained(service, [*one, *other])
    print(f"  {name[:88]:<90}" + "".join(f"{item!s:>20}" for item in costs) + f"  {pages}", flush=True)


def explained(service: Service, queries: Sequence[tuple[str, Any]]) -> str:
    """Pages that statements look at, in memory or not."""
    looked = fetched = 0
    with service.book.search.connect() as c:
        for text, given in queries:
            if text.lstrip().upper().startswith(("SELECT", "WITH")):
                (plan,) = c.exec_driver_sql(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {text}", given).scalar_one()
                looked += plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]
                fetched += plan["Plan"]["Shared Read Blocks"]
    return f"{looked:,} pages, {fetched:,} of them fetched"


def public_of(service: Service) -> list[UUID]:
    public = service.book.kept.public_of(service.games)
    return [game for game in service.games if game in public]


def unnamed(app: Flask) -> Iterator[str]:
    """Every address that is read and names nothing."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.arguments and "events" not in rule.rule:
            yield rule.rule


def searches(games: int) -> Iterator[str]:
    deep = games // 2
    for place in ("/", "/api/v1/games"):
        yield f"{place}?q=Evening+{games - 1}"
        yield f"{place}?q=Evening+7"
        yield f"{place}?q=Anna"
        yield f"{place}?q=Anna+14"
        yield f"{place}?q=Anna+Cleo+Dora"
        yield f"{place}?q=민지"
        yield f"{place}?q=nobody-is-called-so"
        yield f"{place}?q=making&since=2017-01-01&until=2017-02-01"
        yield f"{place}?list=finished&after={deep}"
        yield f"{place}?list=running"
        yield f"{place}?list=practice"
        yield f"{place}?game=london_markets&after={deep}"


def ask(app: Flask, address: str) -> None:
    answer = app.test_client().get(address)
    if answer.status_code >= 500:
        print(f"  {address}: {answer.status_code}")


PARTS: dict[str, Callable[[Service], None]] = {
    "sizes": sizes,
    "lists": lists,
    "game": one_game,
    "person": one_person,
    "due": due,
    "closing": closing,
    "starts": starts,
    "remaking": remaking,
    "replacing": replacing,
    "lag": lag,
    "statistics": statistics,
    "backup": backup,
    "vacuum": vacuum,
}


if __name__ == "__main__":
    main()
