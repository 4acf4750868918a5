"""PostgreSQL goes away and comes back: the answers meanwhile, their delay, and the stored data."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from redis import Redis

from daybook.services.permissions import access
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.workers.children import start_child
from tests import servers
from tests.played import open_seats
from tests.servers import wait_until
from tests.web.conftest import Opened, Visitor

pytestmark = pytest.mark.slow


@dataclass
class Database:
    """A PostgreSQL that can be stopped and started again."""

    url: str
    again: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.data = Path(parse_qs(urlsplit(self.url).query)["host"][0]) / "data"
        self.argv: list[str] = []

    def stop(self) -> None:
        process = int((self.data / "postmaster.pid").read_text().splitlines()[0])
        self.argv = Path(f"/proc/{process}/cmdline").read_text().split("\0")[:-1]
        os.kill(process, signal.SIGINT)
        wait_until(lambda: not (self.data / "postmaster.pid").exists(), "its end")

    def start(self) -> None:
        self.again = start_child(self.argv, last_signal=signal.SIGQUIT, cwd=self.data.parent, **servers._user())
        wait_until(lambda: servers._connects(self.url), "PostgreSQL")

    def end(self) -> None:
        if self.again is not None:
            self.again.send_signal(signal.SIGQUIT)
            self.again.wait()


@contextmanager
def service(tmp_path: Path, **more: str) -> Iterator[tuple[Database, Daybook, Flask]]:
    with servers.postgres({"fsync": "on", "full_page_writes": "on"}) as url:
        database = Database(url)
        book = open_daybook(Settings(data=tmp_path / "data", database_url=url, **more), create=True)  # type: ignore[arg-type]
        try:
            yield database, book, create_app(book)  # not `testing`: what is raised is answered
        finally:
            database.end()
            book.close()


def test_postgresql_goes_away_and_comes_back(tmp_path, queue_url, caplog):
    with service(tmp_path, redis_url=queue_url) as (database, book, app):
        game = Opened(book, app, open_seats(book, ("Anna", "Ben")))
        access.make_first_grants(book, game.id)
        keeper = game.visitor()
        health = keeper.client.get("/api/v1/health")
        assert (health.status_code, health.json["ok"], health.json["away"]) == (200, True, [])
        form = keeper.get(f"{game.path}/links").form_to(f"{game.path}/names#names")
        visitor = Visitor(app)
        signing_in = visitor.get("/sign-in").form_to("/sign-in")
        database.stop()
        caplog.clear()

        def seconds_to_refusal(path: str) -> float:
            start = time.monotonic()
            answer = keeper.client.get(path)
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5"), path
            return time.monotonic() - start

        for path in (f"{game.path}/record", "/api/v1/games"):
            assert seconds_to_refusal(path) < 10, f"{path}: about two, where nobody tries ten times"
        assert "The record cannot be reached just now" in keeper.get(game.path).text
        assert keeper.client.get(f"/api/v1{game.path}").json["error"]["code"] == "database_away"
        ours = [record for record in caplog.records if record.name == "daybook.web.request.outage"]
        assert len(ours) == 4
        assert all(our.levelno == logging.WARNING and "\n" not in our.getMessage() for our in ours)
        assert "Traceback" not in caplog.text
        health = keeper.client.get("/api/v1/health")
        assert (health.status_code, health.json["ok"], health.json["away"]) == (503, False, ["database"])

        page = keeper.send(form, title="While it was away")
        assert (page.status, "Your entry is kept here" in page.text) == (503, True)
        kept = page.form("Send it again")
        assert kept.fields["title"] == "While it was away"
        page = visitor.send(signing_in, sign_in="anna", password="seven looms at dawn")
        assert (page.status, "Go back in a moment" in page.text) == (503, True)
        assert "seven looms" not in page.html, "a password is not kept on the page"
        database.start()
        wait_until(lambda: keeper.get(game.path).status == 200, "its return")
        assert "The names are changed" in keeper.send(kept).text
        assert "While it was away" in keeper.get(game.path).text
        assert keeper.client.get("/api/v1/health").json["ok"]


def test_health_names_a_queue_that_is_away_and_recording_goes_on(app, visitor, queue_url):
    health = visitor.client.get("/api/v1/health")
    assert (health.status_code, health.json["ok"], health.json["away"]) == (200, True, ["queue"])
    with Redis.from_url(queue_url) as there:
        assert there.ping()


def test_health_answers_although_the_queue_hangs(tmp_path):
    """A server that takes connections and says nothing."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        settings = Settings(data=tmp_path / "data", redis_url=f"redis://127.0.0.1:{silent.getsockname()[1]}/0")
        book = open_daybook(settings, create=True)
        try:
            client = create_app(book).test_client()
            for _ in range(2):
                assert client.get("/api/v1/health").json["away"] == ["queue"]
        finally:
            book.close()
