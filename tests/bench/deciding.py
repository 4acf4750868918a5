"""A decision over HTTP: processor time of the server, in its own process, for each that is recorded."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from daybook.domain.kernel.record import Game
from daybook.services.permissions.access import key_of, make_first_grants
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.workers.children import start_child, stop
from tests.bench.long_games import opened_again, replayed_decisions, title_of
from tests.bench.measuring import Figure, Progress, milliseconds
from tests.bench.slow_clients import processor_seconds
from tests.bench.table import BenchRow
from tests.servers import free_port, listens, wait_until

DECISIONS, ROUNDS = 200, 3


def rows(played: Sequence[Game], progress: Progress = lambda done, total: None) -> list[BenchRow]:
    """Through the JSON API of a server on SQLite, on one connection, as a program uses it."""
    figures = dict[str, Figure]()
    for done, game in enumerate(played):
        progress(done, len(played))
        with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
            book = open_daybook(Settings(data=Path(folder) / "data", port=free_port()), create=True)
            with start_server(book.settings) as process:
                _record(book, game, process)  # to warm up
                figures[title_of(game)] = milliseconds(_record(book, game, process) for _ in range(ROUNDS))
            book.close()
    return [BenchRow("decision over HTTP (API, SQLite)", "CPU ms", "less", figures)]


@contextmanager
def start_server(settings: Settings) -> Iterator[int]:
    """A server; its process."""
    server = start_child(
        [sys.executable, "-m", "daybook", "web"],
        os.environ | settings.environ(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: listens(settings.port), "the web server")
        yield server.pid
    finally:
        stop(server)


def _record(book: Daybook, game: Game, process: int) -> float:
    """Seconds of the server's processor for each decision."""
    id, decisions = opened_again(book, game), replayed_decisions(game, DECISIONS)
    key = key_of(book, make_first_grants(book, id)[0])
    connection = http.client.HTTPConnection("127.0.0.1", book.settings.port)
    start = processor_seconds(process)
    for step, event in enumerate(decisions):
        connection.request(
            "POST",
            f"/api/v1/games/{id}/decisions",
            json.dumps({"seat": event.seat, "decision": event.decision, "at": step}),
            {
                "Authorization": f"Bearer {key}",
                "Idempotency-Key": f"bench-http-{step}",
                "Content-Type": "application/json",
            },
        )
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == 201, content
    connection.close()
    return (processor_seconds(process) - start) / len(decisions)
