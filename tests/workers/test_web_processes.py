"""Several web processes of one `serve`: one address, one log, one sum of metrics; one of them may be lost."""

from __future__ import annotations

import http.client
import json
import os
import re
import secrets
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from daybook.processes import parts_of_service
from daybook.services.limits import LIMITS
from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.workers import start_checks
from daybook.workers.children import stop
from daybook.workers.start_checks import CannotListenError, CannotServeError, refuse_taken
from tests.forked import Program
from tests.servers import PATIENCE_SECONDS, free_port, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.sqlite_suffices]

SCRIPT = """
from daybook import processes
from daybook.services.settings import read_settings

processes.serve_all(read_settings(), examples=False)
"""
PROGRAMS, NOTES = 8, 10
CONNECTIONS = 24  # so many that each of two processes gets some


@dataclass
class Service:
    settings: Settings
    process: Program
    log: Path
    token: str

    def started(self, part: str) -> list[int]:
        return [int(pid) for pid in re.findall(rf"^{part} +\| started, process (\d+)$", self.log.read_text(), re.M)]

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Send a request on a connection of its own."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.settings.port, timeout=PATIENCE_SECONDS)) as link:
            words = {"Idempotency-Key": str(uuid4()), "Content-Type": "application/json", **headers}
            link.request(method, path, None if body is None else json.dumps(body), words)
            answer = link.getresponse()
            return answer.status, answer.read()

    def open_game(self) -> tuple[str, str]:
        players = [{"name": name, "colour": colour} for name, colour in (("Anna", "red"), ("Ben", "blue"))]
        opening = {"ruleset": "making_profit", "title": "Tuesday", "players": players, "public": True}
        status, content = self.send("POST", "/api/v1/games", opening)
        assert status == 201, content
        opened = json.loads(content)
        return opened["game"], opened["links"][0]["key"]

    def note(self, game: str, key: str, text: str) -> int:
        bearer = {"Authorization": f"Bearer {key}"}
        return self.send("POST", f"/api/v1/games/{game}/notes", {"about_step": 0, "text": text}, **bearer)[0]

    def metric(self, name: str) -> float:
        _, text = self.send("GET", "/metrics", Authorization=f"Bearer {self.token}")
        return sum(float(line.split()[-1]) for line in text.decode().splitlines() if line.startswith(name))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    token = secrets.token_hex(32)
    (folder / "token").write_text(token)
    settings = Settings(
        data=folder / "data",
        port=free_port(),
        workers=0,
        web_processes=2,
        win_chances_seconds_per_day=0,
        automatic_backups=False,
        metrics_token_file=folder / "token",
    )
    with (folder / "log").open("wb") as log:
        process = Program(SCRIPT, os.environ | settings.environ(), log)
    running = Service(settings, process, folder / "log", token)
    wait_until(lambda: "open http://" in running.log.read_text() or process.poll() is not None, "the service")
    yield running
    stop(process, patience_seconds=PATIENCE_SECONDS)


def test_parts_of_several_web_processes_are_numbered(tmp_path):
    settings = Settings(data=tmp_path, workers=0, web_processes=2, win_chances_seconds_per_day=0)
    assert [part.name for part in parts_of_service(settings)] == ["queue", "follow", "web-1", "web-2"]


def test_several_web_processes_are_refused_without_linux(tmp_path, monkeypatch):
    monkeypatch.setattr(start_checks.sys, "platform", "darwin")
    start_checks.refuse_several_web_processes(Settings(data=tmp_path))
    with pytest.raises(CannotServeError, match="need Linux"):
        start_checks.refuse_several_web_processes(Settings(data=tmp_path, web_processes=2))


def test_programs_record_through_both_processes_at_once(service):
    games = [service.open_game() for _ in range(PROGRAMS)]

    def record(opened: tuple[str, str]) -> list[int]:
        return [service.note(*opened, f"note {number}") for number in range(NOTES)]

    with ThreadPoolExecutor(PROGRAMS) as programs:
        assert [*programs.map(record, games)] == [[201] * NOTES] * PROGRAMS
    with closing(open_daybook(service.settings)) as book:
        assert [len(book.games.get(UUID(game)).entries) for game, _ in games] == [1 + NOTES] * PROGRAMS


def test_streams_of_both_processes_get_entries_of_either(service):
    game, key = service.open_game()
    streams = [
        socket.create_connection(("127.0.0.1", service.settings.port), PATIENCE_SECONDS)
        for _ in range(CONNECTIONS // 2)
    ]
    files = [stream.makefile("rb") for stream in streams]
    for stream, file in zip(streams, files, strict=True):
        stream.sendall(f"GET /events?game={game}.0 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert file.readline().split()[1] == b"200"
    assert service.note(game, key, "what both announce") == 201
    for stream, file in zip(streams, files, strict=True):
        assert any(line.startswith(b"data: ") and json.loads(line[6:])["steps"].get(game) == 1 for line in file)
        file.close()
        stream.close()


def test_scrape_of_one_process_counts_requests_of_both(service):
    pages = 'daybook_requests_total{kind="page"'  # a stream of the test before may be counted as late as now
    expected = service.metric(pages) + CONNECTIONS
    for _ in range(CONNECTIONS):
        assert service.send("GET", "/help")[0] == 200
    wait_until(lambda: service.metric(pages) == expected, "every request counted")
    counted = [*(service.settings.data / "metrics").glob("counter_*.db")]
    assert len(counted) >= 2


def test_processes_count_wrong_keys_together(service):
    limit, wrong = LIMITS["wrong_key"].browser, f"Bearer {secrets.token_hex(32)}"
    with ThreadPoolExecutor(PROGRAMS) as programs:
        tries = [programs.submit(service.send, "GET", "/metrics", Authorization=wrong) for _ in range(2 * limit)]
        answers = [attempt.result()[0] for attempt in tries]
    assert answers.count(429) == limit and 200 not in answers
    assert service.metric("daybook_requests_total") > 0


def test_port_of_several_web_processes_is_refused_to_others(service):
    with pytest.raises(CannotListenError, match="Address already in use"):
        refuse_taken(service.settings)


def test_killed_web_process_returns_while_the_other_answers(service):
    before = len(service.started("web-1"))
    os.kill(service.started("web-1")[-1], signal.SIGKILL)
    answered = 0
    for _ in range(CONNECTIONS):
        with suppress(OSError, http.client.HTTPException):  # a connection that the killed one had accepted
            answered += service.send("GET", "/help")[0] == 200
    assert answered >= CONNECTIONS - 2
    wait_until(lambda: len(service.started("web-1")) > before, "web-1")
    wait_until(lambda: service.metric("daybook_requests_total") > 0, "the metrics")
