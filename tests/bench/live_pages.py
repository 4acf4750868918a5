"""Measure a decision with the phones of its table: processor time of the server, and bytes to the phones.

`python -m tests.bench.live_pages` records games on four phones, as browsers do: a scorekeeper's and three players'. Each
phone has a page of the game and an event stream open. After each decision every phone fetches what it shows. The time is
that of the web server's processes.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import re
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from daybook.domain.games import RULESETS
from daybook.domain.kernel.record import Game
from tests.bench.http import Decided, PageRecorder, decisions_of, processor_seconds, serving
from tests.bench.long_games import long_game
from tests.bench.measuring import Figure

STEPS, ROUNDS, WARM = 200, 3, 10
PLAYERS = 3
PATIENCE_SECONDS = 20
REGION = re.compile(r"<!--region (\S+) (\S+?)(?: same)?-->")


@dataclass
class LiveCost:
    """Cost of a decision, on average over a game."""

    cpu_ms: float
    kilobytes: float


class Phone(PageRecorder):
    """A phone with a page of the game and its event stream."""

    def __init__(self, port: int, game: str, key: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        self.game, self.key, self.received = game, key, 0
        self.cookie, self.page = "", f"/games/{game}/record"
        joining = self.read("/join")
        self.send("/join", {"key": key, "csrf": self.token(joining)})
        self.csrf = self.token(self.read(self.page))
        self.regions = ""
        self.stream = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        self.stream.sendall(
            f"GET /events?game={game}.0 HTTP/1.1\r\nHost: localhost\r\nCookie: {self.cookie}\r\n\r\n".encode()
        )
        self.events = self.stream.makefile("rb")

    def exchange(self, *request: Any) -> bytes:
        content = super().exchange(*request)
        self.received += len(content)
        return content

    def hear_of(self, step: int) -> None:
        """Read the stream until it announces a step."""
        for line in self.events:
            if line.startswith(b"data: ") and json.loads(line[6:])["steps"].get(self.game, -1) >= step:
                return
        raise AssertionError("the stream ended")

    def record(self, step: int, decided: Decided) -> None:
        seat, decision = decided
        fields = {"seat": seat, "decision": json.dumps(decision), "at": step, "key": uuid4().hex, "csrf": self.csrf}
        self.fetch("POST", urlencode(fields))

    def renew(self) -> None:
        self.fetch("GET")

    def fetch(self, method: str, body: str | None = None) -> None:
        """Fetch what has changed, as the page's script does."""
        headers = {
            "Cookie": self.cookie,
            "Accept-Encoding": "gzip",
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Desk": "bare",
            "X-Regions": self.regions,
        }
        content = self.exchange(method, self.page, body, headers, 200)
        if self.answer.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        self.regions = " ".join(f"{name}.{digest}" for name, digest in REGION.findall(content.decode()))


def measure(port: int, server: int, game: Game) -> LiveCost:
    """Record a game with its phones."""
    keeper, *others = phones = [Phone(port, id, key) for id, key in links_of_new_game(port, game)]
    seated = dict(enumerate(others))
    decided, before, received = decisions_of(game), 0.0, 0
    for step, decision in enumerate(decided):
        if step == WARM:
            before, received = processor_seconds(server), sum(phone.received for phone in phones)
        recorder = seated.get(decision[0], keeper)
        recorder.record(step, decision)
        for phone in phones:
            phone.hear_of(step + 1)
            if phone is not recorder:
                phone.renew()
    spent = processor_seconds(server) - before
    bytes_received = sum(phone.received for phone in phones) - received
    for phone in phones:
        phone.stream.close()
        phone.connection.close()
    measured = len(decided) - WARM
    return LiveCost(1000 * spent / measured, bytes_received / measured / 1024)


def links_of_new_game(port: int, game: Game) -> Sequence[tuple[str, str]]:
    """Open a game by the API; its id with the keys of the scorekeeper and of each seat."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    seats = [{"name": f"Player {n}", "colour": seat.colour} for n, seat in enumerate(game.opening.seats)]
    connection.request(
        "POST",
        "/api/v1/games",
        json.dumps({"ruleset": game.ruleset.id, "title": "Bench", "players": seats, "options": game.opening.options}),
        {"Idempotency-Key": str(uuid4()), "Content-Type": "application/json"},
    )
    answer = connection.getresponse()
    opened = json.loads(answer.read())
    assert answer.status == 201, opened
    connection.close()
    return [(opened["game"], link["key"]) for link in opened["links"] if link["role"] in ("scorekeeper", "seat")][
        : 1 + PLAYERS
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(prog="bench.live_pages", description=__doc__)
    arguments.add_argument("--ruleset", nargs="+", default=[*RULESETS], choices=RULESETS)
    arguments.add_argument("--steps", type=int, default=STEPS)
    arguments.add_argument("--rounds", type=int, default=ROUNDS)
    asked = arguments.parse_args()
    print(f"{'game':<18} {'CPU ms a decision':>18} {'KiB to phones':>14}", flush=True)
    for ruleset in asked.ruleset:
        game = long_game(ruleset, asked.steps)
        with serving(sys.executable, None) as (port, server):
            costs = [measure(port, server, game) for _ in range(asked.rounds)]
        cpu, size = (Figure.of([getattr(cost, name) for cost in costs]).value for name in ("cpu_ms", "kilobytes"))
        print(f"{ruleset:<18} {cpu:>18.1f} {size:>14.1f}", flush=True)


if __name__ == "__main__":
    main()
