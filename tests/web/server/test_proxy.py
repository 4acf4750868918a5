"""Behind nginx with the configuration of docs/deploy, over TLS."""

from __future__ import annotations

import datetime
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from flask import Flask

from daybook.web.server import front
from daybook.workers.children import start_child, stop
from tests.servers import PATIENCE_SECONDS, free_port, listens, wait_until

pytestmark = pytest.mark.slow

NAME = "daybook.example.org"
CONFIGURATION = Path(__file__).parents[3] / "docs" / "deploy" / "nginx.conf"
MAIN = """
daemon off;
worker_processes 1;
{user}
pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
    {temporary}
    include {folder}/daybook.conf;
}}
"""


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


def certificate(folder: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


@pytest.fixture
def proxy(site: str, app: Flask, tmp_path: Path) -> Iterator[Proxy]:
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        pytest.fail("there is no nginx: run `make proxy`, or apt-get install nginx-light", pytrace=False)
    book = app.extensions["daybook"]
    settings = replace(book.settings, trusted_proxies=(ip_network("127.0.0.0/8"),))
    app.extensions["daybook"] = replace(book, settings=settings)
    port, redirects = free_port(), free_port()
    certificate(tmp_path)
    text = CONFIGURATION.read_text()
    for theirs, ours in (
        ("127.0.0.1:8000", urlsplit(site).netloc),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("listen 80;", f"listen 127.0.0.1:{redirects};"),
        (f"/etc/letsencrypt/live/{NAME}", str(tmp_path)),
        ("/var/log/nginx/daybook.log", str(tmp_path / "access.log")),
    ):
        assert theirs in text
        text = text.replace(theirs, ours)
    (tmp_path / "daybook.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    (tmp_path / "nginx.conf").write_text(
        MAIN.format(
            folder=tmp_path,
            user="user root;" if os.getuid() == 0 else "",
            temporary=" ".join(f"{kind}_temp_path {tmp_path}/{kind};" for kind in kinds),
        )
    )
    arguments = [program, "-e", "stderr", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    checked = subprocess.run([*arguments, "-t"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr
    with (tmp_path / "error.log").open("wb") as log:
        running = start_child(arguments, stdout=log, stderr=log)
        try:
            wait_until(lambda: listens(port), "nginx")
            yield Proxy(port, tmp_path)
        finally:
            stop(running)


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
