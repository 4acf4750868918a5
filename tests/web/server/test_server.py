"""The running server: a slow client holds no thread, the log has no secrets, and it stops in order."""

from __future__ import annotations

import http.client
import io
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import pytest

from daybook.services.settings import Settings
from daybook.services.store.daybook import open_daybook
from daybook.web.server import connection, front
from daybook.web.serving import Server, raise_file_limit
from daybook.workers.children import stop
from tests.forked import Program
from tests.servers import PATIENCE_SECONDS, free_port, listens, wait_until

pytestmark = pytest.mark.slow

PROGRAM = (
    "from daybook.services.settings import read_settings; from daybook import processes; "
    "processes.serve_pages(read_settings())"
)
SLOW = 300  # half requests; each thread that answers would be held many times over
STREAMS = 100  # as many as one link holds: `limits.STREAMS_PER_HOLDER`


@contextmanager
def running(tmp_path: Path) -> Iterator[tuple[Program, int]]:
    """A server as a process of its own, and its port; what it prints is in the file `log`."""
    port = free_port()
    settings = Settings(data=tmp_path / "data", port=port)
    open_daybook(settings, create=True).close()
    with (tmp_path / "log").open("wb") as log:
        server = Program(PROGRAM, os.environ | settings.environ(), log=log)
        try:
            wait_until(lambda: listens(port), "the server")
            yield server, port
        finally:
            stop(server)


def connect_to(served: str) -> socket.socket:
    at = urlsplit(served)
    return socket.create_connection((at.hostname or "", at.port or 0), timeout=PATIENCE_SECONDS)


def answer_to(served: str, request: bytes) -> bytes:
    """The whole answer to what is sent on a connection of its own."""
    with connect_to(served) as there:
        there.sendall(request)
        return b"".join(iter(lambda: there.recv(65536), b""))


def help_page(served: str) -> float:
    """Asks for an ordinary page; the seconds it took."""
    start = time.monotonic()
    answer = answer_to(served, b"GET /help HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200")
    return time.monotonic() - start


# --- as a process ---------------------------------------------------------------------------------------------------


def test_pages_are_served_and_logs_keep_no_query_or_header(tmp_path):
    with running(tmp_path) as (server, port):
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        asked.request("GET", "/help?secret=one", headers={"Authorization": "Bearer two", "Referer": "three"})
        assert asked.getresponse().status == 200
        asked.close()
        assert stop(server, patience_seconds=PATIENCE_SECONDS) == 0
    written = (tmp_path / "log").read_text()
    assert '"GET /help" 200' in written
    assert not [secret for secret in ("secret", "two", "three") if secret in written]


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.drill)])
def test_server_stops_on_request_despite_open_connections(tmp_path, number):
    with running(tmp_path) as (server, port), ExitStack() as held:
        for half in (b"GET /help HT", b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf", b""):
            there = held.enter_context(socket.create_connection(("127.0.0.1", port)))
            there.sendall(half)
        assert stop(server, number, PATIENCE_SECONDS) == 0
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_taken_port_is_said_so(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "-m", "daybook", "web", "--create", "--data", str(tmp_path / "data"), "--port", str(port)],
            capture_output=True,
            text=True,
        )
    assert done.returncode == 2
    assert f"cannot listen on 127.0.0.1:{port} (Address already in use)" in done.stderr


def test_it_may_open_as_many_files_as_the_system_lets_it():
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "from resource import RLIMIT_NOFILE, getrlimit, setrlimit\n"
            "from daybook.web.serving import raise_file_limit\n"
            "setrlimit(RLIMIT_NOFILE, (256, getrlimit(RLIMIT_NOFILE)[1]))\n"
            "print(raise_file_limit(), getrlimit(RLIMIT_NOFILE)[0])",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert said[0] == said[1]
    assert int(said[0]) > 256
    assert raise_file_limit() == raise_file_limit()


def test_an_answer_under_way_is_finished_when_the_server_stops(app, monkeypatch):
    begun, stopping, usual = Event(), Event(), app.wsgi_app

    def slow(environ: Any, start_response: Any) -> Any:
        begun.set()
        assert stopping.wait(PATIENCE_SECONDS)
        time.sleep(0.3)
        return usual(environ, start_response)

    monkeypatch.setattr(app, "wsgi_app", slow)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = Server(app)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        with socket.create_connection(listening.getsockname(), timeout=PATIENCE_SECONDS) as asks:
            asks.sendall(b"GET /help HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert begun.wait(PATIENCE_SECONDS)
            server.should_exit = True
            stopping.set()
            answer = b"".join(iter(lambda: asks.recv(65536), b""))
        thread.join()
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"</html>")


# --- slow clients ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "half",
    [
        b"GET /help HTTP/1.1\r\nHost: he",
        b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        b"Content-Length: 100\r\n\r\ncsrf=",
        b"",
    ],
)
def test_half_requests_hold_nobody_up(site, half):
    with ExitStack() as held:
        for _ in range(SLOW):
            held.enter_context(connect_to(site)).sendall(half)
        assert help_page(site) < 10


def test_open_streams_hold_no_thread(open_game, site, app):
    public = open_game(public=True)
    public.deal()
    reader = f"Authorization: Bearer {public.key('reader')}"  # without a link one browser holds few
    with ExitStack() as held:
        streams = [held.enter_context(connect_to(site)) for _ in range(STREAMS)]
        for stream in streams:
            request = f"GET {public.path}/events?after=7 HTTP/1.1\r\nHost: localhost\r\n{reader}\r\n\r\n"
            stream.sendall(request.encode())
        wait_until(lambda: app.extensions["streams"].count_open() == STREAMS, "the streams")
        assert help_page(site) < 10
        public.decide(0, type="run")
        for stream in streams:
            told = b""
            while b'data: {"step": 8}' not in told:
                told += stream.recv(4096)
    wait_until(lambda: app.extensions["streams"].count_open() == 0, "the streams to be let go")


def test_a_head_that_does_not_come_in_time_is_given_up(site, monkeypatch):
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.2)
    assert answer_to(site, b"GET /help HTTP/1.1\r\nHost: he").startswith(b"HTTP/1.1 408")
    assert answer_to(site, b"").startswith(b"HTTP/1.1 408")
    with connect_to(site) as there:
        there.sendall(b"HEAD /help HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert there.recv(65536).startswith(b"HTTP/1.1 200")
        there.sendall(b"GET /he")
        assert there.recv(65536).startswith(b"HTTP/1.1 408"), "nor does the next one"


def test_a_body_that_does_not_come_in_time_is_given_up(site, monkeypatch):
    monkeypatch.setattr(front, "BODY_PAUSE_SECONDS", 0.2)
    answer = answer_to(site, b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ncsrf=")
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"send it again" in answer


def test_connections_beyond_the_limit_are_closed_and_leave_room(site, monkeypatch):
    monkeypatch.setattr(connection.Connection, "max_connections", 3)
    monkeypatch.setattr(connection.Connection, "_find_address", lambda self: "")
    is_full_with_three(site)


def test_one_address_has_a_quarter_of_the_connections(site, monkeypatch):
    """A named proxy speaks for many."""
    monkeypatch.setattr(connection.Connection, "max_connections", 12)
    monkeypatch.setattr(connection.Connection, "_find_address", lambda self: "")
    with ExitStack() as held:
        for _ in range(6):
            held.enter_context(connect_to(site))
        assert help_page(site) < 10
    wait_until(lambda: not connection.Connection.by_address, "room")
    monkeypatch.setattr(connection.Connection, "_find_address", lambda self: "198.51.100.7")
    with ExitStack() as held:
        first, *_ = [held.enter_context(connect_to(site)) for _ in range(4)]
        first.settimeout(10)
        with suppress(ConnectionResetError):  # the oldest idle one makes room
            assert first.recv(1) == b""


def is_full_with_three(served: str) -> None:
    with ExitStack() as held:
        for _ in range(3):
            held.enter_context(connect_to(served))
        refused = held.enter_context(connect_to(served))
        with pytest.raises(ConnectionError):
            while refused.recv(100) == b"":
                refused.sendall(b"GET /help HTTP/1.1\r\n")
    wait_until(lambda: answered_again(served), "room")


def answered_again(served: str) -> bool:
    try:
        answer = answer_to(served, b"HEAD /help HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    except ConnectionError:
        return False
    return answer.startswith(b"HTTP/1.1 200")


def test_a_head_without_end_is_refused(site):
    endless = b"GET /help HTTP/1.1\r\n" + b"X-Long: " + b"x" * connection.HEAD_BYTES
    assert answer_to(site, endless).startswith(b"HTTP/1.1 431")
    whole = b"GET /help HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"x" * 100_000 + b"\r\n\r\n"
    assert answer_to(site, whole).startswith(b"HTTP/1.1 431"), "also where all of it comes at once"


def test_an_answer_that_nobody_reads_is_given_up(site, monkeypatch):
    """A thread made it; writing it holds none."""
    with ExitStack() as held:
        for _ in range(front.THREADS * 2):
            there = held.enter_context(socket.socket())
            there.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            at = urlsplit(site)
            there.connect((at.hostname, at.port))
            there.sendall(b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10)
        assert help_page(site) < 10


# --- requests as they come in ---------------------------------------------------------------------------------------


def test_a_turn_put_together_in_a_long_address_is_read(site):
    assert answer_to(
        site, b"GET /help?turn=" + b"x" * 8000 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    ).startswith(b"HTTP/1.1 200")
    longer = answer_to(
        site, b"GET /help?turn=" + b"x" * 8190 + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert longer.startswith(b"HTTP/1.1 414")
    assert b"8190 are read" in longer


def test_a_body_longer_than_any_view_takes_is_not_read(site):
    form = b"POST /join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    answer = answer_to(site, form + b"Content-Length: %d\r\n\r\n" % (front.BODY_LIMIT + 1))
    assert answer.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in answer.lower()


def test_a_body_in_chunks_is_read(site):
    asks = http.client.HTTPConnection(urlsplit(site).netloc, timeout=PATIENCE_SECONDS)
    asks.request(
        "POST",
        "/join",
        iter([b"csrf=", b"x" * 100_000]),
        {"Content-Type": "application/x-www-form-urlencoded"},
        encode_chunked=True,
    )
    assert asks.getresponse().status == 403, "a token of nobody's, and it was read"
    asks.close()


def test_those_who_send_much_leave_room_for_others(site, monkeypatch):
    taken, usual = Event(), front.Front._large_body

    @contextmanager
    def noticed(self: front.Front, scope: Any, end: Any) -> Iterator[None]:
        self.large.size = 1
        with usual(self, scope, end):
            taken.set()
            yield

    monkeypatch.setattr(front.Front, "_large_body", noticed)
    head = (
        b"POST /join HTTP/1.1\r\nHost: localhost\r\n"
        b"Connection: close\r\nContent-Length: 200000\r\n\r\n" + b"x" * 100_000
    )
    with connect_to(site) as first:
        first.sendall(head)
        assert taken.wait(PATIENCE_SECONDS)
        refused = answer_to(site, head)
        assert refused.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 60" in refused
        first.sendall(b"x" * 100_000)
        assert first.recv(100).startswith(b"HTTP/1.1 4"), "who was first is answered"


PATHS = ("/help", "/", "/api/v1/health", "/api/v1/games", "/static/0/daybook.css", "/nowhere", "/metrics", "/here/")
BAD_HOSTS = (  # head lines of a request
    b"Host: localhost\r\nHost: localhost\r\n",
    b"Host: localhost\r\nHost: evil.example\r\n",
    b"Host: localhost\r\nX-More: 1\r\nhOST: evil.example\r\n",
    b"Host: localhost\r\nHost:\r\n",
    b"Host: localhost,evil.example\r\n",
    b"Host: local host\r\n",
    b"Host: evil_name.example\r\n",
    b"Host: user@localhost\r\n",
    b"Host: localhost/help\r\n",
    b"Host: localhost#\r\n",
    b"Host: http://localhost\r\n",
    b"Host: [::1\r\n",
    b"Host: [::1]]\r\n",
    b"Host: [1:2:3]\r\n",
    b"Host: [::1%25eth0]\r\n",
    b"Host: ::1\r\n",
    b"Host: localhost:\r\n",
    b"Host: localhost:0\r\n",
    b"Host: localhost:65536\r\n",
    b"Host: localhost:http\r\n",
    b"Host: localhost:80:80\r\n",
    b"Host: local..host\r\n",
    b"Host: .localhost\r\n",
    b"Host: .\r\n",
    b"Host: local%68ost\r\n",
    b"Host: l\xc3\xb6calhost\r\n",
    b"Host: loc\xff\r\n",
    b"Host: local\thost\r\n",
    b"Host: " + b"a" * 64 + b".localhost\r\n",
    b"Host: " + b"a." * 125 + b"localhost\r\n",
    b"Host:\r\n",
    b"",
)


def test_bad_host_gets_400_at_every_path(site):
    request = b"%s %s HTTP/1.1\r\n%sConnection: close\r\nContent-Length: 0\r\n\r\n"
    for head in BAD_HOSTS:
        for path in PATHS:
            for method in (b"GET", b"POST", b"HEAD"):
                answer = answer_to(site, request % (method, path.encode(), head))
                assert answer.startswith(b"HTTP/1.1 400 "), (head, path, method, answer[:200])


def test_valid_hosts_and_http_1_0_without_a_host_are_answered(site):
    for host in (b"localhost", b"LOCALHOST.:8000", b"127.0.0.1:65535", b"[::1]", b"[0::1]:80", b"a-b.localhost"):
        request = b"GET /help HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % host
        assert answer_to(site, request).startswith(b"HTTP/1.1 200"), host
    assert answer_to(site, b"GET /help HTTP/1.0\r\n\r\n").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("target", [b"http://evil.example/help", b"http://user@localhost/help", b"https://localhost:1"])
def test_first_line_with_another_host_gets_400(site, target):
    request = b"GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert answer_to(site, request % target).startswith(b"HTTP/1.1 400")
    assert answer_to(site, request % b"http://LOCALHOST/help?a=://").startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("version", [b"", b" HTTP/0.9", b" HTTP/2.0"])
def test_other_versions_of_http_get_505(site, version):
    answer = answer_to(site, b"GET /help%s\r\nHost: localhost\r\nConnection: close\r\n\r\n" % version)
    assert answer.startswith(b"HTTP/1.1 505")


def test_trailers_pass_for_no_headers(site):
    """They come after the body: what they say of a host, an address or a key was not checked."""
    head = b"POST /api/v1/games HTTP/1.1\r\nHost: localhost\r\n"
    head += b"Idempotency-Key: 6f9619ff-8b86-4011-b42d-00c04fc964ff\r\n"
    trailers = b"0\r\nHost: evil.example\r\nContent-Type: application/json\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
    answer = answer_to(site, head + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n" + trailers)
    assert answer.startswith(b"HTTP/1.1 415"), "as without a content type"


def test_headers_with_an_underscore_pass_for_no_other(site):
    answer = answer_to(
        site, b"GET /help HTTP/1.1\r\nHost: localhost\r\nX_Forwarded_Proto: https\r\nConnection: close\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 200")
    scope = {
        "method": "GET",
        "raw_path": b"/a%20b%ff",
        "query_string": b"q=1",
        "http_version": "1.1",
        "scheme": "http",
        "client": ("192.0.2.1", 5),
        "server": ("127.0.0.1", 80),
        "headers": [
            (b"x_forwarded_for", b"192.0.2.9"),
            (b"cookie", b"a=1"),
            (b"cookie", b"b=2"),
            (b"accept", b"x"),
            (b"x-forwarded-proto", b"https"),
        ],
    }
    made = front.environ_of(scope, io.BytesIO())
    assert made["wsgi.url_scheme"] == "http"  # whose word on that is taken, the pages know
    assert "HTTP_X_FORWARDED_FOR" not in made
    assert made["HTTP_COOKIE"] == "a=1; b=2"
    assert made["PATH_INFO"].encode("latin-1") == b"/a b\xff"
    assert (made["REMOTE_ADDR"], made["QUERY_STRING"]) == ("192.0.2.1", "q=1")
