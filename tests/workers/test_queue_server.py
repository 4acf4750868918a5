from __future__ import annotations

import signal
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from rq import Queue
from rq.serializers import JSONSerializer

from daybook.services.settings import Settings
from daybook.workers import queue_server
from daybook.workers.children import start_child, stop
from tests.servers import wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Settings]:
    settings = Settings(data=tmp_path / "a folder's 100%")
    settings.folder()
    yield settings


def start(settings: Settings):  # type: ignore[no-untyped-def]
    server = start_child(queue_server.command(settings.data / "queue", settings.queue_socket))
    wait_until(lambda: queue_server.server_answers(settings.queue_url), "the queue server")
    return server


def test_queue_has_our_configuration_and_its_socket_only(place):
    server = start(place)
    try:
        with Redis.from_url(place.queue_url, decode_responses=True) as queue:
            kept = queue.config_get("port", "appendonly", "appendfsync", "save", "maxmemory-policy", "unixsocketperm")
            assert kept == {
                "port": "0",
                "appendonly": "yes",
                "appendfsync": "everysec",
                "save": "",
                "maxmemory-policy": "noeviction",
                "unixsocketperm": "700",
            }
            assert queue.info("server")["tcp_port"] == 0
        assert stat.S_IMODE(place.queue_socket.stat().st_mode) == 0o700
        assert stat.S_IMODE((place.data / "queue").stat().st_mode) == 0o700
    finally:
        assert stop(server) == 0
    assert not queue_server.server_answers(place.queue_url)


def test_a_killed_server_has_every_job_it_acknowledged(place):
    server = start(place)
    acknowledged = []
    with Redis.from_url(place.queue_url) as connection:
        jobs = Queue("games", connection=connection, serializer=JSONSerializer)
        for number in range(300):
            acknowledged.append(jobs.enqueue("workers.jobs.none", number, job_id=f"job-{number}").id)
    stop(server, signal.SIGKILL)
    server = start(place)
    try:
        with Redis.from_url(place.queue_url) as connection:
            assert Queue("games", connection=connection, serializer=JSONSerializer).get_job_ids() == acknowledged
    finally:
        stop(server)


def test_no_server_where_nobody_listens(tmp_path):
    assert not queue_server.server_answers(f"unix://{tmp_path}/none.sock")
    assert not queue_server.server_answers("redis://127.0.0.1:1/0")


def test_machine_without_a_queue_server_gets_advice(monkeypatch):
    monkeypatch.setattr(queue_server, "machine", lambda: "riscv64")
    with pytest.raises(queue_server.NoQueueServerError, match=r"no server for linux-riscv64: .*DAYBOOK_REDIS_URL"):
        queue_server.binary()


def test_two_fixtures_ask_for_an_empty_queue(queue_url):
    with Redis.from_url(queue_url) as queue:
        assert queue.dbsize() == 0
        queue.set("left", "behind")
