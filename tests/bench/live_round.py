"""Measure the live page of a round: processor time of a decision, and how long the viewers wait for it.

    python -m tests.bench.live_round --tables 40 --viewers 0 500

Runs `daybook serve` on SQLite with a public club whose first round is played. At each table a program records a decision
every so many seconds. Viewers have the stream of the live page open, each from an address of its own. A wait runs from
the moment at which the decision is sent until the viewer has the table's new drawing.

The clients run on the same machine, and their processor time is printed. Loopback only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import time
import zlib
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID, uuid4

import msgspec

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from daybook.domain.league.club_commands import (
    ChangeClubSettings,
    ClubCommand,
    DrawSchedule,
    EnterPlayers,
    FoundLeague,
    OpenSeason,
)
from daybook.domain.league.seasons import DEFAULTS, Entrant
from daybook.services.league import clubs
from daybook.services.people import accounts
from daybook.services.permissions import access
from daybook.services.play.recording import NewGame, SeatedPerson
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.serving import raise_file_limit
from tests.bench.http import Decided, decisions_of, processor_seconds
from tests.bench.long_games import long_game
from tests.bench.many_tables import PATIENCE_SECONDS, Client, cpu_of_clients, cpu_of_web, in_groups, percentile, serving

STEPS = 260  # of the game that each table plays
SETTLE_SECONDS = 5  # after the last stream was opened
START_STEP = 10  # decisions that are recorded before the clock runs
REGION = re.compile(rb"region table\.(\S+?)\.(\S+?) ")


@dataclass
class LiveTable:
    """A table of the round, and the program that records it."""

    id: str
    game: UUID
    key: str
    step: int = 0
    sent_at: float = 0.0  # of the newest decision


@dataclass
class Club:
    """The club whose round is measured."""

    path: str = ""
    tables: list[LiveTable] = field(default_factory=list)

    def fill(self, settings: Settings, game: Game, number: int, delay_seconds: int) -> None:
        """Found a public club, and open the tables of its first round."""
        book = open_daybook(settings, create=True)
        keeper = accounts.make_account(book, "Olga", sign_in="olga", password=uuid4().hex)
        club = clubs.found_club(book, "Bench", keeper, by=keeper, key=uuid4().hex).record

        def write(command: ClubCommand) -> None:
            clubs.write(book, club, command, by=keeper, key=uuid4().hex)

        write(ChangeClubSettings(msgspec.structs.replace(book.clubs.get(club).settings, public=True)))
        write(FoundLeague("League", (game.game_key,), delay_seconds))
        seats = len(game.opening.seats)
        season_format = msgspec.structs.replace(DEFAULTS["swiss"], table_sizes=(seats,), rounds=3)
        write(OpenSeason("1", "Season", season_format))
        season = next(iter(book.clubs.get(club).seasons))
        guests = {uuid4().hex: f"Player {n}" for n in range(number * seats)}
        write(EnterPlayers(season, tuple(map(Entrant, guests)), guests))
        write(DrawSchedule(season, 1, 0))
        self.path = f"/clubs/{club}/seasons/{season}/rounds/1/live"
        for table in [*book.clubs.get(club).seasons[season].tables.values()]:
            self.tables.append(_open_table(book, club, season, table.id, table.seats, guests, game, keeper))
        book.close()


def _open_table(
    book: Daybook,
    club: UUID,
    season: str,
    table: str,
    people: tuple[str, ...],
    names: dict[str, str],
    game: Game,
    keeper: str,
) -> LiveTable:
    players = [
        SeatedPerson(names[person], seat.colour, person)
        for person, seat in zip(people, game.opening.seats, strict=True)
    ]
    new = NewGame(game.ruleset.id, f"Table {table}", players, options=game.opening.options, public=True)
    opened, _ = clubs.open_table(book, club, season, table, new, by=keeper, key=uuid4().hex)
    return LiveTable(table, opened.record, access.key_of(book, access.make_grant(book, opened.record, "scorekeeper")))


@dataclass
class Measured:
    """Times in seconds: of the recorders' requests, and until each viewer has the drawing."""

    taps: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    bytes_received: int = 0


async def record(client: Client, table: LiveTable, decided: Decided) -> float:
    """Record a table's next decision; return the seconds until the answer."""
    seat, decision = decided
    table.sent_at = time.monotonic()
    status, content = await client.request(
        "POST",
        f"/api/v1/games/{table.game}/decisions",
        json.dumps({"seat": seat, "decision": decision, "at": table.step}),
        Authorization=f"Bearer {table.key}",
        Idempotency_Key=str(uuid4()),
        Content_Type="application/json",
    )
    assert status == 201, content
    table.step += 1
    return time.monotonic() - table.sent_at


async def watch(port: int, number: int, club: Club, token: str, measured: Measured, opened: asyncio.Semaphore) -> None:
    """Open the stream of the live page, and note when drawings arrive."""
    tables = {table.id.encode(): table for table in club.tables}
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    lines = [f"GET {club.path}/events?after={token} HTTP/1.1", "Host: localhost", f"X-Forwarded-For: {address}"]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_SECONDS)
    assert head.split(None, 2)[1] == b"200", head
    opened.release()
    try:
        unpack = zlib.decompressobj(wbits=31)
        while size := int(await reader.readline(), 16):  # of a chunk
            packed = await reader.readexactly(size + 2)
            measured.bytes_received += size
            at = time.monotonic()
            for _, table in REGION.findall(unpack.decompress(packed[:-2])):
                if tables[table].sent_at:
                    measured.waits.append(at - tables[table].sent_at)
    finally:
        writer.close()


async def measure(port: int, server: int, club: Club, game: Game, options: argparse.Namespace, viewers: int) -> str:
    """Let all tables play for a while; return a line of the table."""
    decided = decisions_of(game)
    clients = [Client(port, (1 << 20) + number) for number in range(len(club.tables))]
    for step in range(START_STEP):
        await in_groups([record(*pair, decided[step]) for pair in zip(clients, club.tables, strict=True)])
    for table in club.tables:
        table.sent_at = 0.0
    status, page = await clients[0].request("GET", club.path)
    assert status == 200
    token = page.split(b'data-token="')[1].split(b'"')[0].decode()
    measured = Measured()
    opened = asyncio.Semaphore(0)
    watching = [asyncio.create_task(watch(port, number, club, token, measured, opened)) for number in range(viewers)]
    for _ in watching:
        await asyncio.wait_for(opened.acquire(), PATIENCE_SECONDS)
    await asyncio.sleep(SETTLE_SECONDS)
    used, own, of_web = processor_seconds(server), cpu_of_clients(), cpu_of_web(server)
    begins = time.monotonic()
    ends = begins + options.seconds

    async def play(number: int) -> None:
        due = begins + options.every * number / len(club.tables)
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            table = club.tables[number]
            measured.taps.append(await record(clients[number], table, decided[table.step]))
            due += options.every

    await asyncio.gather(*map(play, range(len(club.tables))))
    await asyncio.sleep(options.delay + 4 if viewers else 0)
    seconds = time.monotonic() - begins
    spent, clients_spent = processor_seconds(server) - used, cpu_of_clients() - own
    pages = cpu_of_web(server) - of_web
    open_streams = sum(not task.done() for task in watching)
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    decisions = len(measured.taps)
    waits = measured.waits or [0.0]
    return (
        f"{decisions:>9} {1000 * spent / decisions:>7.1f} {1000 * pages / decisions:>7.1f} {100 * spent / seconds:>6.0f}%"
        f" {1000 * percentile(measured.taps, 50):>8.0f} {1000 * max(measured.taps):>8.0f}"
        f" {1000 * percentile(waits, 50):>8.0f} {1000 * percentile(waits, 99):>8.0f} {1000 * max(waits):>9.0f}"
        f" {100 * len(measured.waits) / max(1, decisions * viewers):>8.1f}%"
        f" {measured.bytes_received / 1024 / max(1, decisions * viewers):>7.1f} {open_streams:>7}"
        f" {100 * clients_spent / seconds:>7.0f}% {os.getloadavg()[0]:>5.1f}"
    )


HEAD = (
    f"{'viewers':>7} {'decisions':>9} {'CPU ms':>7} {'of web':>7} {'server':>7} {'tap p50':>8} {'longest':>8}"
    f" {'wait p50':>8} {'p99':>8} {'longest':>9} {'arrived':>9} {'KiB':>7} {'streams':>7} {'clients':>8} {'load':>5}"
)


def main() -> None:
    arguments = argparse.ArgumentParser(
        prog="bench.live_round", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--ruleset", default="making_profit", choices=RULESETS)
    arguments.add_argument("--tables", type=int, default=40)
    arguments.add_argument("--viewers", type=int, nargs="+", default=[0, 500], help="in turn")
    arguments.add_argument("--every", type=float, default=20.0, help="seconds between two decisions of a table")
    arguments.add_argument("--seconds", type=float, default=60.0, help="that are measured")
    arguments.add_argument("--web", type=int, default=1, help="web processes of the service")
    arguments.add_argument("--delay", type=int, default=0, help="of the league, in seconds; waits include it")
    options = arguments.parse_args()
    raise_file_limit()
    game = long_game(options.ruleset, STEPS)
    print(HEAD, flush=True)
    for viewers in options.viewers:
        club = Club()
        prepare = partial(club.fill, game=game, number=options.tables, delay_seconds=options.delay)
        with serving(options.web, prepare) as served:
            line = asyncio.run(measure(*served, club, game, options, viewers))
        print(f"{viewers:>7} {line}", flush=True)


if __name__ == "__main__":
    main()
