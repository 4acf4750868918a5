"""Behind nginx with the configuration of docs/deploy, over TLS."""

from __future__ import annotations

import http.client
import re
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from flask import Flask

from daybook.web.request.long_work import long_views
from daybook.web.server import front
from tests.bench.drill.hosts import can_be_cut
from tests.bench.drill.proxy import scene
from tests.proxies import CONFIGURATION, NAME, find_nginx, nginx
from tests.servers import PATIENCE_SECONDS, free_port, wait_until

pytestmark = pytest.mark.slow


@dataclass
class Proxy:
    port: int
    folder: Path

    def connection(self) -> socket.socket:
        """A TLS connection that trusts nothing but the proxy's own certificate."""
        trusted = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_SECONDS)
        return trusted.wrap_socket(plain, server_hostname=NAME)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> http.client.HTTPResponse:
        """An answer, read whole."""
        connection = http.client.HTTPConnection(NAME)
        connection.sock = self.connection()
        with closing(connection):
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            answer.read()
            return answer


@pytest.fixture
def proxy(site: str, app: Flask, tmp_path: Path) -> Iterator[Proxy]:
    if find_nginx() is None:
        pytest.fail("nginx is missing: run `make proxy`, or apt-get install nginx-light", pytrace=False)
    book = app.extensions["daybook"]
    settings = replace(book.settings, trusted_proxies=(ip_network("127.0.0.0/8"),))
    app.extensions["daybook"] = replace(book, settings=settings)
    with nginx(tmp_path, [urlsplit(site).netloc]) as (port, _):
        yield Proxy(port, tmp_path)


def test_pages_come_through_and_the_log_keeps_no_query(proxy):
    answer = proxy.ask("GET", "/help?secret=one", **{"Referer": "https://two.example", "Authorization": "Bearer three"})
    assert answer.status == 200
    assert "max-age" in answer.headers["Strict-Transport-Security"]
    assert answer.headers["Content-Security-Policy"]
    wait_until((proxy.folder / "access.log").exists, "the log")
    wait_until(lambda: "/help" in (proxy.folder / "access.log").read_text(), "its line")
    written = (proxy.folder / "access.log").read_text()
    assert not [secret for secret in ("secret", "one", "two", "three") if secret in written]


def test_a_live_page_hears_at_once(proxy, open_game, app):
    public = open_game(public=True)
    public.deal()
    with proxy.connection() as stream:
        stream.sendall(f"GET {public.path}/events?after=7 HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
        told = b""
        while b"retry:" not in told:
            told += stream.recv(4096)
        assert app.extensions["streams"].count_open() == 1
        public.decide(0, type="run")
        while b'data: {"step": 8}' not in told:
            told += stream.recv(4096)


def test_what_the_proxy_lets_through_daybook_reads(proxy):
    assert proxy.ask("GET", "/help?turn=" + "x" * 8000).status == 200
    [limit] = re.findall(r"client_max_body_size (\d+)m;", CONFIGURATION.read_text())
    assert int(limit) * 1024**2 == front.BODY_LIMIT
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert proxy.ask("POST", "/join", b"csrf=" + b"x" * 200_000, **form).status == 403, "read, and nobody's token"
    with proxy.connection() as sends:
        sends.sendall(f"POST /join HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: {front.BODY_LIMIT + 1}\r\n\r\n".encode())
        assert sends.recv(100).startswith(b"HTTP/1.1 413")


def test_half_requests_at_the_proxy_hold_nobody_up(proxy):
    with ExitStack() as held:
        for number in range(300):
            there = held.enter_context(socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_SECONDS))
            there.sendall(b"\x16\x03\x01" if number % 2 else b"")
        assert proxy.ask("GET", "/help").status == 200


def test_another_name_is_not_answered(proxy):
    trusting = ssl._create_unverified_context()
    with (
        socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_SECONDS) as plain,
        pytest.raises(ssl.SSLError),
    ):
        trusting.wrap_socket(plain, server_hostname="evil.example")


def test_what_is_asked_for_without_tls_is_led_to_it(proxy):
    [port] = re.findall(r"listen 127\.0\.0\.1:(\d+);", (proxy.folder / "daybook.conf").read_text())
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE_SECONDS)
    connection.request("GET", "/help?a=1", headers={"Host": NAME})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (308, f"https://{NAME}/help?a=1")
    connection.close()


def test_browsers_get_http2_and_no_version(proxy):
    answer = proxy.ask("GET", "/help")
    assert "nginx/" not in (answer.headers["Server"] or "")
    offered = ssl.create_default_context(cafile=str(proxy.folder / "fullchain.pem"))
    offered.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection(("127.0.0.1", proxy.port), timeout=PATIENCE_SECONDS) as plain,
        offered.wrap_socket(plain, server_hostname=NAME) as secured,
    ):
        assert secured.selected_alpn_protocol() == "h2"


def test_log_has_duration_web_host_and_request_id(proxy):
    answer = proxy.ask("GET", "/help")
    log = proxy.folder / "access.log"
    wait_until(lambda: log.exists() and "/help" in log.read_text(), "its line")
    line = log.read_text().splitlines()[-1]
    assert re.search(r'"GET /help" 200 \d+ [\d.]+ upstream="127\.0\.0\.1:\d+" 200 [\d.]+ \w{16}$', line), line
    assert line.endswith(answer.headers["X-Request-Id"])


def test_every_long_request_has_its_location(app):
    """Requests that may take longer than the read timeout must be in the location with the longer one."""
    [pattern] = re.findall(r'location ~ "(\(\?x\)[^"]+)"', CONFIGURATION.read_text())
    values = {"game_id": UUID(int=1), "other_id": UUID(int=2), "club_id": UUID(int=3), "share": "A" * 22, "kind": "csv"}
    names = [*long_views(app), "sign_in.sign_in", "merging.merge"]
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint in names]
    assert len(rules) > 60
    adapter = app.url_map.bind(NAME)
    addresses = {
        rule.rule: adapter.build(rule.endpoint, {name: values.get(name, 5) for name in rule.arguments}).split("?")[0]
        for rule in rules
    }
    assert [rule for rule, address in addresses.items() if not re.search(pattern, address)] == []
    short = ("/", "/help", f"/games/{UUID(int=1)}", f"/games/{UUID(int=1)}/record", "/clubs", "/api/v1/health")
    assert [address for address in short if re.search(pattern, address)] == []


def test_without_a_web_host_the_proxy_shows_its_own_page(tmp_path):
    with nginx(tmp_path, [f"127.0.0.1:{free_port()}"]) as (port, _):
        proxy = Proxy(port, tmp_path)
        with closing(http.client.HTTPConnection(NAME)) as connection:
            connection.sock = proxy.connection()
            connection.request("GET", "/clubs")
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
            assert "What was recorded is safe" in answer.read().decode()


@pytest.mark.drill
@pytest.mark.parametrize("stage", ["freeze", "cut", "kill"])
def test_one_of_two_web_hosts_is_away_and_recording_goes_on(stage, tmp_path):
    apart = can_be_cut()
    if stage == "cut" and not apart:
        pytest.skip("a host can be cut only as root on Linux")
    with scene(tmp_path, writers=2, players=1, separate=apart) as running:
        silence, lost, twice = running.run(stage, 10)
    assert silence < 7.5 and (lost, twice) == (0, 0)
