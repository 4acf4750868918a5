"""Measure a service with many tables: processor time of a decision, how long taps wait, and open streams.

    python -m tests.bench.many_tables --tables 50 --every 20 --web 1 2 --watchers 0 500

Runs `daybook serve` on SQLite. Each table has four phones as browsers are: a scorekeeper's and three players', each with a
page of the game and an event stream. In each table a decision is recorded every so many seconds, at its own moment; every phone
then fetches what has changed. Watchers follow one of the tables and fetch its page after each decision, without a link. A tap's
time runs from the moment at which it is due, so it includes what it waited for the tap before it.

The clients run on the same machine, and their processor time is printed. Loopback only; at most 4,500 streams.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.services.settings import Settings
from daybook.web.serving import raise_file_limit
from daybook.workers.children import start_child, stop
from tests.bench.drill.writers import TRUSTED
from tests.bench.http import CSRF, Decided, decisions_of, processor_seconds
from tests.bench.live_pages import REGION
from tests.bench.long_games import long_game
from tests.servers import free_port, listens, wait_until

MAX_STREAMS = 4500
PLAYERS = 3
STEPS = 260  # of the game that each table plays
START_STEP = 10  # decisions that are recorded before the clock runs, one after the other
PATIENCE_SECONDS = 60.0
OPENED_AT_ONCE = 8  # tables and watchers that get ready at the same time
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
COOKIE = re.compile(rb"set-cookie: *([^;\r]+)", re.IGNORECASE)
ENCODED = re.compile(rb"content-encoding: *gzip", re.IGNORECASE)


@dataclass
class Waits:
    """Times in seconds: of taps, and until the last phone of the table has what changed."""

    taps: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    watched: list[float] = field(default_factory=list)
    failed: int = 0

    def line(self) -> str:
        return "".join(
            f"{1000 * percentile(times, 50):>9.0f} {1000 * percentile(times, 99):>8.0f}" if times else " " * 18
            for times in (self.taps, self.shown, self.watched)
        )


def percentile(times: Sequence[float], of_hundred: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * of_hundred // 100)]


class Client:
    """A browser at an address of its own: one connection for requests, one for the stream."""

    def __init__(self, port: int, number: int) -> None:
        self.port = port
        self.address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        self.cookie = self.csrf = self.regions = ""
        self.pipe: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.step, self.stepped = 0, asyncio.Event()

    async def request(self, method: str, path: str, body: str = "", **headers: str) -> tuple[int, bytes]:
        """Send a request; open the connection again if the server has closed it meanwhile."""
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", f"X-Forwarded-For: {self.address}"]
        lines += [f"{name.replace('_', '-')}: {text}" for name, text in headers.items()]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        lines += ["Accept-Encoding: gzip", "Sec-Fetch-Site: same-origin", f"Content-Length: {len(body.encode())}"]
        message = ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
        while True:
            is_new = self.pipe is None
            self.pipe = self.pipe or await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self.pipe
            try:
                writer.write(message)
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)
                break
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.close()
                self.pipe = None
                if is_new:
                    raise
        length = LENGTH.search(head)
        content = await reader.readexactly(int(length[1])) if length and method != "HEAD" else b""
        if kept := COOKIE.search(head):
            self.cookie = kept[1].decode()
        return int(head.split(None, 2)[1]), gzip.decompress(content) if ENCODED.search(head) else content

    async def follow(self, game: str) -> asyncio.Task[None]:
        """Open the stream of a game. Raises ConnectionError if it is refused."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [f"GET /events?game={game}.0 HTTP/1.1", "Host: localhost", f"X-Forwarded-For: {self.address}"]
        lines += [f"Cookie: {self.cookie}"] if self.cookie else []
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)
        if head.split(None, 2)[1] != b"200":
            raise ConnectionError(head.decode("latin-1"))
        return asyncio.create_task(self._hear(reader, writer, game))

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, game: str) -> None:
        try:
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    self.step = max(self.step, json.loads(line[6:])["steps"].get(game, -1))
                    self.stepped.set()
        finally:
            writer.close()

    async def fetch(self, method: str, page: str, body: str = "") -> None:
        """Fetch what has changed on the record page, as its script does."""
        status, content = await self.request(
            method, page, body, Content_Type="application/x-www-form-urlencoded", X_Desk="bare", X_Regions=self.regions
        )
        if status != 200:
            raise ConnectionError(f"{status} {content[:300]!r}")
        self.regions = " ".join(f"{name}.{digest}" for name, digest in REGION.findall(content.decode()))


class Table:
    """A table: the game, its phones, and when its next decision is due."""

    def __init__(self, port: int, number: int, decided: Sequence[Decided]) -> None:
        self.port, self.number, self.decided = port, number, decided
        self.phones = [Client(port, number * 8 + phone) for phone in range(1 + PLAYERS)]
        self.step = 0
        self.game = ""

    async def open(self, game: Game) -> None:
        """Open the game by the API, and every phone's page and stream."""
        seats = [{"name": f"Player {n}", "colour": seat.colour} for n, seat in enumerate(game.opening.seats)]
        fields = {"ruleset": game.ruleset.id, "title": "Bench", "players": seats, "options": game.opening.options}
        fields["public"] = True
        status, content = await self.phones[0].request(
            "POST", "/api/v1/games", json.dumps(fields), Idempotency_Key=str(uuid4()), Content_Type="application/json"
        )
        assert status == 201, content
        opened = json.loads(content)
        self.game, self.page = opened["game"], f"/games/{opened['game']}/record"
        keys = [link["key"] for link in opened["links"] if link["role"] in ("scorekeeper", "seat")]
        for phone, key in zip(self.phones, keys, strict=False):
            await self._join(phone, key)

    async def _join(self, phone: Client, key: str) -> None:
        _, joining = await phone.request("GET", "/join")
        form = urlencode({"key": key, "csrf": token_of(joining)})
        await phone.request("POST", "/join", form, Content_Type="application/x-www-form-urlencoded")
        _, page = await phone.request("GET", self.page)
        phone.csrf = token_of(page)
        self.streams = [*getattr(self, "streams", []), await phone.follow(self.game)]

    async def decide(self, waits: Waits | None, due: float) -> None:
        """Record the next decision, and have every other phone fetch what changed."""
        seat, decision = self.decided[self.step]
        keeper, *others = self.phones
        recorder = others[seat] if 0 <= seat < PLAYERS else keeper
        fields = {"seat": seat, "decision": json.dumps(decision), "at": self.step, "key": uuid4().hex}
        await recorder.fetch("POST", self.page, urlencode({**fields, "csrf": recorder.csrf}))
        tapped = time.monotonic()
        self.step += 1
        await asyncio.gather(*(self._renew(phone) for phone in self.phones if phone is not recorder))
        if waits is not None:
            waits.taps.append(tapped - due)
            waits.shown.append(time.monotonic() - due)

    async def _renew(self, phone: Client) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while phone.step < self.step:
                phone.stepped.clear()
                await phone.stepped.wait()
        await phone.fetch("GET", self.page)

    async def play(self, waits: Waits, begins: float, ends: float, every: float) -> None:
        """Record a decision every few seconds until the time is over or the game ends."""
        due = begins
        while due < ends and self.step < len(self.decided):
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            try:
                await self.decide(waits, due)
            except (ConnectionError, TimeoutError, asyncio.IncompleteReadError) as wrong:
                waits.failed += 1
                print(f"table {self.number}: {wrong}"[:300], file=sys.stderr)
                return
            due += every


def token_of(page: bytes) -> str:
    found = CSRF.search(page)
    assert found is not None, page[:500]
    return unescape(found[1].decode())


async def watch(client: Client, game: str, waits: Waits, ends: float) -> None:
    """Follow a game without a link: read its page after each step."""
    seen = client.step
    while time.monotonic() < ends:
        client.stepped.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, ends - time.monotonic())):
                await client.stepped.wait()
        if client.step > seen:
            seen, began = client.step, time.monotonic()
            try:
                status, _ = await client.request("GET", f"/games/{game}")
                waits.failed += status != 200
            except (ConnectionError, TimeoutError, asyncio.IncompleteReadError):
                waits.failed += 1
            waits.watched.append(time.monotonic() - began)


@contextmanager
def serving(
    web_processes: int, prepare: Callable[[Settings], None] = lambda settings: None
) -> Iterator[tuple[int, int]]:
    """Run `daybook serve` on a new data folder, without a supervisor's terminal; yield its port and its process.

    Args:
        prepare: called with the data folder before it is served.
    """
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        settings = Settings(
            data=Path(folder) / "data",
            port=free_port(),
            web_processes=web_processes,
            win_chances_seconds_per_day=0,
            automatic_backups=False,
        )
        prepare(settings)
        with (Path(folder) / "log").open("wb") as log:
            server = start_child(
                [sys.executable, "-m", "daybook", "serve", "--no-examples"],
                os.environ | settings.environ() | TRUSTED,
                stdout=log,
                stderr=log,
            )
            try:
                wait_until(lambda: listens(settings.port), "the service", 120)
                yield settings.port, server.pid
            finally:
                stop(server, patience_seconds=60)


async def in_groups(works: Sequence[Any]) -> None:
    for start in range(0, len(works), OPENED_AT_ONCE):
        await asyncio.gather(*works[start : start + OPENED_AT_ONCE])


async def measure(port: int, server: int, game: Game, options: argparse.Namespace, watchers: int) -> str:
    """Let all tables play for a while; return a line of the table."""
    decided = decisions_of(game)
    tables = [Table(port, number, decided) for number in range(options.tables)]
    await in_groups([table.open(game) for table in tables])
    for _ in range(START_STEP):
        await in_groups([table.decide(None, 0.0) for table in tables])
    eyes = [Client(port, (1 << 20) + number) for number in range(watchers)]
    for number, eye in enumerate(eyes):
        eye.step = tables[number % options.watched].step
    hearing: list[asyncio.Task[None]] = []
    for start in range(0, len(eyes), OPENED_AT_ONCE):
        group = range(start, min(start + OPENED_AT_ONCE, len(eyes)))
        hearing += await asyncio.gather(*(eyes[n].follow(tables[n % options.watched].game) for n in group))
    waits = Waits()
    begins, own, used, of_web = time.monotonic() + 0.5, cpu_of_clients(), processor_seconds(server), cpu_of_web(server)
    ends = begins + options.seconds
    looking = [
        asyncio.create_task(watch(eye, tables[n % options.watched].game, waits, ends)) for n, eye in enumerate(eyes)
    ]
    await asyncio.gather(
        *(
            table.play(waits, begins + options.every * table.number / options.tables, ends, options.every)
            for table in tables
        )
    )
    await asyncio.gather(*looking)
    seconds = time.monotonic() - begins
    spent, clients = processor_seconds(server) - used, cpu_of_clients() - own
    pages = cpu_of_web(server) - of_web
    streams = sum(not task.done() for table in tables for task in table.streams) + sum(not t.done() for t in hearing)
    for task in [*hearing, *(task for table in tables for task in table.streams)]:
        task.cancel()
    decisions = len(waits.taps)
    return (
        f"{decisions:>9} {1000 * spent / max(decisions, 1):>7.1f} {1000 * pages / max(decisions, 1):>7.1f}"
        f" {100 * spent / seconds:>6.0f}% {waits.line()}"
        f" {streams:>7} {waits.failed:>6} {100 * clients / seconds:>7.0f}% {os.getloadavg()[0]:>5.0f}"
    )


def cpu_of_web(server: int) -> float:
    """Return the processor seconds of the web processes of a service."""
    used = 0.0
    for task in Path(f"/proc/{server}/task").iterdir():
        for pid in (task / "children").read_text().split():
            if Path(f"/proc/{pid}/cmdline").read_text().startswith("daybook web"):
                used += processor_seconds(int(pid))
    return used


def cpu_of_clients() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


HEAD = (
    f"{'web':>3} {'watchers':>8} {'decisions':>9} {'CPU ms':>7} {'of web':>7} {'server':>7} {'tap p50':>9} {'p99 ms':>8}"
    f" {'shown p50':>8} {'p99 ms':>8} {'watch p50':>8} {'p99 ms':>8} {'streams':>7} {'failed':>6} {'clients':>8} {'load':>5}"
)


def main() -> None:
    arguments = argparse.ArgumentParser(
        prog="bench.many_tables", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--ruleset", default="making_profit", choices=RULESETS)
    arguments.add_argument("--tables", type=int, default=50)
    arguments.add_argument("--every", type=float, default=20.0, help="seconds between two decisions of a table")
    arguments.add_argument("--seconds", type=float, default=60.0, help="that are measured")
    arguments.add_argument("--web", type=int, nargs="+", default=[1, 2], help="web processes of the service, in turn")
    arguments.add_argument("--watchers", type=int, nargs="+", default=[0])
    arguments.add_argument("--watched", type=int, default=10, help="tables that the watchers follow")
    arguments.add_argument("--rounds", type=int, default=1)
    options = arguments.parse_args()
    options.watched = min(options.watched, options.tables)
    if options.tables * (1 + PLAYERS) + max(options.watchers) > MAX_STREAMS:
        arguments.error(f"at most {MAX_STREAMS} streams")
    raise_file_limit()
    game = long_game(options.ruleset, STEPS)
    print(HEAD, flush=True)
    for _ in range(options.rounds):
        for watchers in options.watchers:
            for web_processes in options.web:
                with serving(web_processes) as (port, server):
                    line = asyncio.run(measure(port, server, game, options, watchers))
                print(f"{web_processes:>3} {watchers:>8} {line}", flush=True)


if __name__ == "__main__":
    main()
