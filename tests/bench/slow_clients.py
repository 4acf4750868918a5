"""Hold slow connections and open streams against a server of our own, and print how long everybody else waits.

    python -m tests.bench.slow_clients --connections 1000 --streams 1000 --minutes 10

A third of the connections send half a head, a third half a body, a third nothing; what the server gives up is opened
again at once. Ordinary requests are timed all the while, a page and a note written over the API, in turns with the same
requests to a second server that nobody holds anything of. The streams follow twenty games, one of them the one that is
written to. Loopback only; at most 4,000 connections and 30 minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from uuid import UUID, uuid4

from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.serving import raise_file_limit
from daybook.workers.children import start_child, stop
from daybook.workers.watch import members
from tests.bench.drill.writers import TRUSTED
from tests.played import open_seats
from tests.servers import free_port, listens, wait_until

HALVES = (
    b"GET /help HTTP/1.1\r\nHost: he",
    b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 1000\r\n\r\ncsrf=",
    b"",
)
PAUSE_SECONDS = 0.2  # between two ordinary requests
TURN_SECONDS = 2.0  # at one server, then at the other
GAMES = 20  # that the streams follow
CONNECTIONS_LIMIT, MINUTES_LIMIT = 4000, 30.0


@dataclass
class Waited:
    """The durations of ordinary requests in seconds."""

    page: list[float] = field(default_factory=list)
    note: list[float] = field(default_factory=list)
    failed: int = 0

    def report(self) -> str:
        return ", ".join(
            f"{name} {1000 * statistics.median(times):.1f} ms (1 of 100 over {1000 * percentile(times, 99):.1f})"
            for name, times in (("page", self.page), ("note written", self.note))
        )


def percentile(times: list[float], of_hundred: int) -> float:
    return sorted(times)[min(len(times) - 1, len(times) * of_hundred // 100)]


class Slow:
    """Clients that hold connections, in an event loop of their own."""

    def __init__(self, port: int, connections: int, streams: int, games: list[str]) -> None:
        self.port, self.connections, self.streams, self.games = port, connections, streams, games
        self.held = self.reopened = self.streaming = self.told = 0
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_until_complete, args=(self._run(),), daemon=True)
        self.stop = asyncio.Event()

    async def _run(self) -> None:
        tasks = [asyncio.ensure_future(self._hold(HALVES[n % len(HALVES)])) for n in range(self.connections)]
        tasks += [
            asyncio.ensure_future(self._listen(self.games[n % len(self.games)], f"198.51.{n // 250}.{n % 250 + 1}"))
            for n in range(self.streams)
        ]
        await self.stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _hold(self, half: bytes) -> None:
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(half)
                self.held += 1
                try:
                    await reader.read()
                finally:
                    self.held -= 1
                    writer.close()
            except OSError:
                await asyncio.sleep(0.5)
            self.reopened += 1

    async def _listen(self, game: str, address: str) -> None:
        """Follow a game from an address of its own: a browser at one address may hold few streams."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            head = f"GET /games/{game}/events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: {address}\r\n\r\n"
            writer.write(head.encode())
            open_now = (await reader.readline()).split()[1:2] == [b"200"]
            self.streaming += open_now
            while line := await reader.readline():
                self.told += line.startswith(b"data:")
            self.streaming -= open_now
            writer.close()
            await asyncio.sleep(1)


def measure(waited: Waited, port: int, game: str, key: str) -> None:
    """Ask for ordinary things for one turn."""
    end = time.monotonic() + TURN_SECONDS
    note = json.dumps({"about_step": 0, "text": "a note"})
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    while time.monotonic() < end:
        for times, asked in (
            (waited.page, ("GET", "/help")),
            (waited.note, ("POST", f"/api/v1/games/{game}/notes", note)),
        ):
            asks = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            start = time.perf_counter()
            try:
                asks.request(*asked, headers=headers | {"Idempotency-Key": uuid4().hex})
                answer = asks.getresponse()
                answer.read()
                waited.failed += answer.status >= 400
            except OSError:
                waited.failed += 1
            times.append(time.perf_counter() - start)
            asks.close()
        time.sleep(PAUSE_SECONDS)


def processor_seconds(session: int) -> float:
    """Return the processor seconds of all processes of a session so far."""
    ticks = 0
    for process in members([session]):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_megabytes(session: int) -> float:
    return (
        sum(
            int(line.split()[1])
            for process in members([session])
            for line in Path(f"/proc/{process}/status").read_text().splitlines()
            if line.startswith("VmRSS")
        )
        / 1024
    )


@dataclass
class ServerProcess:
    """A server of our own, with public games on it and the scorekeeper's key of the first."""

    process: int
    port: int
    games: list[str]
    key: str
    waited: Waited = field(default_factory=Waited)
    used_before: float = 0.0

    def measure(self) -> None:
        measure(self.waited, self.port, self.games[0], self.key)

    def begin(self) -> None:
        self.waited, self.used_before = Waited(), processor_seconds(self.process)

    def report(self, seconds: float) -> str:
        used = (processor_seconds(self.process) - self.used_before) / seconds
        return (
            f"{self.waited.report()}; {self.waited.failed} failed; {used:.0%} of a processor, "
            f"{memory_megabytes(self.process):.0f} MB"
        )


@contextmanager
def serve_games() -> Iterator[ServerProcess]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder) / "data", port=free_port())
        book = open_daybook(settings, create=True)
        games = [opened_game(book) for _ in range(GAMES)]
        key = access.key_of(book, access.make_first_grants(book, games[0])[0])
        book.close()
        server = start_child(
            [sys.executable, "-m", "daybook", "web"],
            os.environ | settings.environ() | TRUSTED,
            stdout=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: listens(settings.port), "the server")
            yield ServerProcess(server.pid, settings.port, [str(game) for game in games], key)
        finally:
            stop(server)


def opened_game(book: Daybook) -> UUID:
    return open_seats(book, title="Bench", public=True)


def main() -> None:
    asked = argparse.ArgumentParser(prog="slow_clients", description=__doc__.partition("\n")[0])
    asked.add_argument("--connections", type=int, default=1000, help="slow ones, held all the while")
    asked.add_argument("--streams", type=int, default=1000)
    asked.add_argument("--minutes", type=float, default=1.0)
    given = asked.parse_args()
    if given.connections + given.streams > CONNECTIONS_LIMIT or given.minutes > MINUTES_LIMIT:
        asked.error(f"at most {CONNECTIONS_LIMIT} connections and streams together, and {MINUTES_LIMIT:.0f} minutes")
    raise_file_limit()
    with serve_games() as quiet, serve_games() as beset:
        for server in (quiet, beset):
            server.measure()  # warm
        slow = Slow(beset.port, given.connections, given.streams, beset.games)
        slow.thread.start()
        wait_until(lambda: slow.held >= given.connections and slow.streaming >= given.streams, "the slow ones")
        for server in (quiet, beset):
            server.begin()
        start, least = time.monotonic(), [slow.held, slow.streaming]
        while time.monotonic() - start < given.minutes * 60:
            for server in (quiet, beset):
                server.measure()
            least = [min(least[0], slow.held), min(least[1], slow.streaming)]
        seconds = time.monotonic() - start
        print(f"nobody else: {quiet.report(seconds)}")
        print(f"beside them: {beset.report(seconds)}")
        print(
            f"{slow.held} slow connections (never under {least[0]}; {slow.reopened} opened again), "
            f"{slow.streaming} streams (never under {least[1]}) told {slow.told} times, {seconds:.0f} s"
        )
        for name, now, usual in (
            ("page", beset.waited.page, quiet.waited.page),
            ("note", beset.waited.note, quiet.waited.note),
        ):
            times = statistics.median(now) / statistics.median(usual)
            print(f"{name}: {times:.2f} times as long as usual (at most 2): {'reached' if times <= 2 else 'MISSED'}")
        slow.loop.call_soon_threadsafe(slow.stop.set)
        slow.thread.join(30)


if __name__ == "__main__":
    main()
