"""Measure a decision over HTTP: the processor time of server and database, and the time until the answer.

`python -m tests.bench.http` records games by the API, and by the form of the record page with the page that follows.
Processor time is that of all processes of the server and of PostgreSQL, by what the system counts. --python: the
interpreters of the installations that are measured, in turn, so that the table holds one beside the other.
--profile: shows instead which functions the time goes to, in this process, by cProfile.
"""

from __future__ import annotations

import argparse
import cProfile
import gzip
import http.client
import json
import os
import pstats
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from html import unescape
from io import BytesIO
from pathlib import Path
from threading import Barrier, Thread
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import psycopg
from flask import Flask

from daybook.domain.games import RULESETS
from daybook.domain.kernel.events import DecisionRecorded
from daybook.domain.kernel.record import Game
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.app import create_app
from daybook.web.server.front import WsgiAnswer, environ_of, run_application
from daybook.workers.children import start_child, stop
from tests.bench import table
from tests.bench.long_games import long_game, title_of
from tests.bench.measuring import Figure, Progress
from tests.servers import free_port, listens, postgres, wait_until

DURABLE = {"fsync": "on", "full_page_writes": "on", "shared_buffers": "128MB"}
WARM = 10  # decisions before the measured ones
KNOWN_EARLIER = ("DAYBOOK_DATA", "DAYBOOK_PORT", "DAYBOOK_DATABASE_URL")  # every version takes these settings
TICKS = os.sysconf("SC_CLK_TCK")
CSRF = re.compile(rb'name="csrf" value="([^"]+)"')
Decided = tuple[int, dict[str, Any]]  # seat, decision


@dataclass(slots=True)
class RecordingCost:
    """The processor seconds of the decisions of one run, and the seconds until each answer."""

    server_seconds: float
    database_seconds: float
    seconds: float
    times: list[float]

    @property
    def cpu_ms(self) -> float:
        return 1000 * (self.server_seconds + self.database_seconds) / len(self.times)

    @property
    def database_ms(self) -> float:
        return 1000 * self.database_seconds / len(self.times)

    @property
    def median_ms(self) -> float:
        return 1000 * statistics.median(self.times)

    @property
    def p95_ms(self) -> float:
        return 1000 * statistics.quantiles(self.times, n=20)[-1]

    @property
    def rate(self) -> float:
        return len(self.times) / self.seconds


# --- who records -----------------------------------------------------------------------------------------------------


class Recorder:
    """A program that records a new game by the API, on one connection."""

    def __init__(self, connection: http.client.HTTPConnection | Direct, game: Game) -> None:
        self.connection = connection
        seats = [{"name": f"Player {n}", "colour": seat.colour} for n, seat in enumerate(game.opening.seats)]
        opened = json.loads(
            self.exchange(
                "POST",
                "/api/v1/games",
                json.dumps(
                    {"ruleset": game.ruleset.id, "title": "Bench", "players": seats, "options": game.opening.options}
                ),
                {"Idempotency-Key": str(uuid4()), "Content-Type": "application/json"},
                201,
            )
        )
        self.game, self.key = opened["game"], opened["links"][0]["key"]
        self.headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}

    def exchange(self, method: str, path: str, body: str | None, headers: dict[str, str], status: int) -> bytes:
        self.connection.request(method, path, body, headers)
        self.answer = self.connection.getresponse()
        content = self.answer.read()
        assert self.answer.status == status, (self.answer.status, content)
        return content

    def record(self, step: int, decided: Decided) -> None:
        seat, decision = decided
        self.exchange(
            "POST",
            f"/api/v1/games/{self.game}/decisions",
            json.dumps({"seat": seat, "decision": decision, "at": step}),
            self.headers | {"Idempotency-Key": str(uuid4())},
            201,
        )


class PageRecorder(Recorder):
    """A browser that records it by the form of the record page, without scripts, and reads the page that follows."""

    def __init__(self, connection: http.client.HTTPConnection | Direct, game: Game) -> None:
        super().__init__(connection, game)
        self.cookie, self.page = "", f"/games/{self.game}/record"
        joining = self.read("/join")
        self.send("/join", {"key": self.key, "csrf": self.token(joining)})
        self.csrf = self.token(self.read(self.page))

    def read(self, path: str) -> bytes:
        content = self.exchange(
            "GET", path, None, {"Cookie": self.cookie, "Accept-Encoding": "gzip", "Sec-Fetch-Site": "same-origin"}, 200
        )
        if kept := self.answer.headers.get("Set-Cookie"):
            self.cookie = kept.partition(";")[0]
        return gzip.decompress(content) if self.answer.headers.get("Content-Encoding") == "gzip" else content

    def send(self, path: str, fields: dict[str, Any]) -> None:
        self.exchange(
            "POST",
            path,
            urlencode(fields),
            {"Cookie": self.cookie, "Content-Type": "application/x-www-form-urlencoded"},
            303,
        )
        if kept := self.answer.headers.get("Set-Cookie"):
            self.cookie = kept.partition(";")[0]

    def token(self, content: bytes) -> str:
        found = CSRF.search(content)
        assert found is not None
        return unescape(found[1].decode())

    def record(self, step: int, decided: Decided) -> None:
        seat, decision = decided
        self.send(
            self.page,
            {"seat": seat, "decision": json.dumps(decision), "at": step, "key": uuid4().hex, "csrf": self.csrf},
        )
        self.read(self.page)


WAYS: dict[str, type[Recorder]] = {"api": Recorder, "page": PageRecorder}


# --- what is measured ------------------------------------------------------------------------------------------------


@contextmanager
def serving(python: str, database: str | None, one_core: bool = False) -> Iterator[tuple[int, int]]:
    """A web server of an installation on a new daybook; its port, and its process."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        settings = Settings(data=Path(folder) / "data", port=free_port(), database_url=database)
        known = {name: settings.environ().get(name) for name in KNOWN_EARLIER}
        environ = os.environ | {name: value for name, value in known.items() if value is not None}
        subprocess.run(
            [python, "-m", "daybook", "init"], env=environ, cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
        server = start_child([python, "-m", "daybook", "web"], environ, cwd=folder, stdout=subprocess.DEVNULL)
        try:
            wait_until(lambda: listens(settings.port), "the web server")
            if one_core:
                os.sched_setaffinity(server.pid, {max(os.sched_getaffinity(0))})
            yield settings.port, server.pid
        finally:
            stop(server)


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a process and of all that it started."""
    parents: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                fields = Path("/proc", name, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(name))
            used[int(name)] = sum(int(part) for part in fields[11:15])  # its children that ended, among it
    family, total = [pid], 0
    while family:
        one = family.pop()
        total += used.get(one, 0)
        family += parents.get(one, [])
    return total / TICKS


def measure_recording(
    way: type[Recorder],
    game: Game,
    decided: Sequence[Decided],
    port: int,
    server: int,
    database: int | None,
    recorders: int = 1,
) -> RecordingCost:
    """Record the same decisions in as many games at once as there are recorders."""
    at_work = [way(http.client.HTTPConnection("127.0.0.1", port), game) for _ in range(recorders)]
    times: list[list[float]] = [[] for _ in at_work]
    for recorder in at_work:
        for step, value in enumerate(decided[:WARM]):
            recorder.record(step, value)
    start, started = Barrier(recorders + 1), Barrier(recorders + 1)

    def record(recorder: Recorder, into: list[float]) -> None:
        start.wait()
        for step, value in enumerate(decided[WARM:], WARM):
            began = time.perf_counter()
            recorder.record(step, value)
            into.append(time.perf_counter() - began)
        recorder.connection.close()
        started.wait()

    threads = [Thread(target=record, args=pair) for pair in zip(at_work, times, strict=True)]
    for thread in threads:
        thread.start()
    before = processor_seconds(server), processor_seconds(database) if database else 0.0
    began = time.perf_counter()
    start.wait()
    started.wait()
    seconds = time.perf_counter() - began
    after = processor_seconds(server), processor_seconds(database) if database else 0.0
    for thread in threads:
        thread.join()
    return RecordingCost(
        after[0] - before[0], after[1] - before[1], seconds, [each for of_one in times for each in of_one]
    )


@dataclass(slots=True)
class RecordingRow:
    """Several runs of one kind."""

    python: str
    database: str
    way: str
    recorders: int
    costs: list[RecordingCost] = field(default_factory=list)

    def figure(self, measure: Callable[[RecordingCost], float]) -> float:
        return statistics.median(measure(cost) for cost in self.costs)

    def line(self) -> str:
        return (
            f"{self.python:<10} {self.database:<9} {self.way:<5} {self.recorders:>4}"
            f" {self.figure(lambda c: c.cpu_ms):>8.2f} {self.figure(lambda c: c.database_ms):>8.2f}"
            f" {self.figure(lambda c: c.median_ms):>8.2f} {self.figure(lambda c: c.p95_ms):>8.2f}"
            f" {self.figure(lambda c: c.rate):>8.0f}"
        )


HEAD = (
    f"{'of':<10} {'database':<9} {'by':<5} {'at':>4}"
    f" {'CPU ms':>8} {'its db':>8} {'median':>8} {'p95 ms':>8} {'per s':>8}"
)


@contextmanager
def database_in(url: str) -> Iterator[str]:
    """The address of an empty database of a PostgreSQL server."""
    name = f"bench_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    yield url.replace("/postgres?", f"/{name}?")


def postmaster(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row is not None
    return int(Path(row[0], "postmaster.pid").read_text().split()[0])


def decisions_of(game: Game) -> list[Decided]:
    return [
        (entry.event.seat, entry.event.decision) for entry in game.entries if isinstance(entry.event, DecisionRecorded)
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.http", description=__doc__)
    arguments.add_argument("--ruleset", default="making_profit", choices=RULESETS)
    arguments.add_argument("--steps", type=int, default=260)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--python", nargs="+", default=[sys.executable], help="PATH or NAME=PATH of each")
    arguments.add_argument("--database", nargs="+", default=["sqlite"], choices=("sqlite", "postgres"))
    arguments.add_argument("--by", nargs="+", default=[*WAYS], choices=WAYS)
    arguments.add_argument("--recorders", type=int, nargs="+", default=[1], help="at once, each in a game of its own")
    arguments.add_argument("--profile", type=int, metavar="LINES", help="show that many functions of the first kind")
    asked = arguments.parse_args()
    game = long_game(asked.ruleset, asked.steps)
    if asked.profile:
        profile_recording(WAYS[asked.by[0]], game, asked.database[0], asked.profile)
        return
    print(HEAD, flush=True)
    for database in asked.database:
        rows = [
            RecordingRow(python, database, way, recorders)
            for recorders in asked.recorders
            for way in asked.by
            for python in asked.python
        ]
        with postgres(DURABLE) if database == "postgres" else nullcontext() as url:
            for _ in range(asked.rounds):
                for row in rows:
                    row.costs.append(run(row, game, url))
        for row in rows:
            row.python = row.python.partition("=")[0] if "=" in row.python else Path(row.python).parents[2].name
            print(row.line(), flush=True)


def run(row: RecordingRow, game: Game, url: str | None) -> RecordingCost:
    with (
        database_in(url) if url else nullcontext() as database,
        serving(row.python.rpartition("=")[2], database, row.recorders > 1) as (port, server),
    ):
        return measure_recording(
            WAYS[row.way], game, decisions_of(game), port, server, postmaster(url) if url else None, row.recorders
        )


# --- as rows of `make bench` ------------------------------------------------------------------------------------------

IN_TABLE = (("sqlite", "page"), ("postgres", "api"), ("postgres", "page"))  # beside `tests.bench.deciding`
SAID = {"api": "API", "page": "page and form", "sqlite": "SQLite", "postgres": "PostgreSQL, its part too"}


def rows(game: Game, rounds: int = 2, progress: Progress = lambda done, total: None) -> list[table.BenchRow]:
    """Return rows for a decision by the form of the record page; on PostgreSQL every commit is flushed."""
    found: dict[tuple[str, str], list[float]] = {}
    with postgres(DURABLE) as url:
        for turn in range(rounds):
            for place, (database, way) in enumerate(IN_TABLE):
                progress(turn * len(IN_TABLE) + place, rounds * len(IN_TABLE))
                cost = run(
                    RecordingRow(sys.executable, database, way, 1), game, url if database == "postgres" else None
                )
                found.setdefault((database, way), []).append(cost.cpu_ms)
    return [
        table.BenchRow(
            f"decision over HTTP ({SAID[way]}, {SAID[database]})",
            "CPU ms",
            "less",
            {title_of(game): Figure.of(of_rounds)},
        )
        for (database, way), of_rounds in found.items()
    ]


# --- where the time goes ---------------------------------------------------------------------------------------------


class DirectAnswer:
    """An answer as `http.client` gives it."""

    def __init__(self, answer: WsgiAnswer) -> None:
        self.status = answer.status
        self.headers = {name.decode().title(): value.decode() for name, value in answer.headers}
        assert isinstance(answer.body, bytes)
        self.body = answer.body

    def read(self) -> bytes:
        return self.body


class Direct:
    """A connection to an application in this process, with a profile of its work."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.profile = cProfile.Profile(time.thread_time)

    def request(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> None:
        path, _, query = path.partition("?")
        content = BytesIO()
        content.write((body or "").encode())
        environ = environ_of(
            {
                "method": method,
                "raw_path": path.encode(),
                "query_string": query.encode(),
                "http_version": "1.1",
                "scheme": "http",
                "client": ("127.0.0.1", 1),
                "server": ("127.0.0.1", 1),
                "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
            },
            content,
        )
        self.profile.enable()
        self.answer = run_application(self.app, environ)
        self.profile.disable()

    def getresponse(self) -> DirectAnswer:
        return DirectAnswer(self.answer)


def profile_recording(way: type[Recorder], game: Game, database: str, lines: int) -> None:
    with (
        tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder,
        postgres(DURABLE) if database == "postgres" else nullcontext() as url,
    ):
        book = open_daybook(Settings(data=Path(folder) / "data", database_url=url), create=True)
        connection = Direct(create_app(book))
        recorder, decided = way(connection, game), decisions_of(game)
        for step, value in enumerate(decided):
            if step == WARM:
                connection.profile = cProfile.Profile(time.thread_time)
            recorder.record(step, value)
        print(f"{len(decided) - WARM} decisions")
        for order in ("cumulative", "tottime"):
            pstats.Stats(connection.profile).sort_stats(order).print_stats(lines)
        book.close()


if __name__ == "__main__":
    main()
