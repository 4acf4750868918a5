"""TLS of our own: links and cookies use https, and a stalled handshake delays no one else."""

from __future__ import annotations

import http.client
import os
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from daybook.cli import main
from daybook.services.operation import certificates, network
from daybook.services.operation.certificates import (
    BadCertificateError,
    certificate_warnings,
    make_certificate,
    tls_context,
)
from daybook.services.settings import BadSettingError, Settings, read_settings
from daybook.services.store.daybook import open_daybook
from daybook.workers.children import stop
from daybook.workers.welcome import welcome
from tests.forked import Program
from tests.servers import PATIENCE_SECONDS, free_port, listens, wait_until

PROGRAM = """
from daybook import processes
from daybook.services.settings import read_settings
from daybook.web import serving
serving.CERTIFICATE_SECONDS = 0.05
processes.serve_pages(read_settings())
"""
STALLED = 200  # each of the threads that answer would be held many times over
HALF_A_HELLO = b"\x16\x03\x01\x02\x00\x01\x00"  # a record of 512 bytes, of which two come


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    make_certificate(tmp_path / "tls.pem", tmp_path / "tls-key.pem")
    return tmp_path / "tls.pem", tmp_path / "tls-key.pem"


@pytest.fixture
def port(tmp_path: Path, pair: tuple[Path, Path]) -> Iterator[int]:
    """Return the port of a server with TLS."""
    settings = Settings(data=tmp_path / "data", port=free_port(), tls_certificate=pair[0], tls_key=pair[1])
    open_daybook(settings, create=True).close()
    with (tmp_path / "log").open("wb") as log:
        server = Program(PROGRAM, os.environ | settings.environ(), log=log)
        try:
            wait_until(lambda: listens(settings.port), "the server")
            yield settings.port
        finally:
            stop(server)


def answer_of(port: int, certificate: Path, path: str) -> http.client.HTTPResponse:
    """Return the whole answer to a client that trusts this certificate alone."""
    trusted = ssl.create_default_context(cafile=str(certificate))
    with closing(http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS, context=trusted)) as asking:
        asking.request("GET", path, headers={"Connection": "close"})
        answer = asking.getresponse()
        answer.read()
        return answer


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False


@pytest.mark.slow
def test_stalled_tls_handshake_holds_no_one_up(port, pair):
    with ExitStack() as held:
        stalled = [held.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(STALLED)]
        for item in stalled:
            item.sendall(HALF_A_HELLO)
        plain = held.enter_context(closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)))
        with pytest.raises((http.client.HTTPException, OSError)):
            plain.request("GET", "/")
            plain.getresponse()
        answer = answer_of(port, pair[0], "/join")
        assert answer.status == 200
        assert "; Secure;" in answer.headers["Set-Cookie"]
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
        assert [value for value in stalled if is_closed(value)] == [], "nobody waited until the others were given up"


@pytest.mark.slow
def test_a_certificate_that_is_renewed_is_served_from_then_on(port, pair, tmp_path):
    """An authority renews a certificate every few weeks, by the clock; an evening allows no restart."""
    before = tmp_path / "before.pem"
    before.write_bytes(pair[0].read_bytes())
    assert answer_of(port, before, "/join").status == 200
    make_certificate(tmp_path / "new.pem", tmp_path / "new-key.pem")
    for file, new in zip(pair, ("new.pem", "new-key.pem"), strict=True):
        os.replace(tmp_path / new, file)

    def trusts(certificate: Path) -> bool:
        try:
            return answer_of(port, certificate, "/join").status == 200
        except ssl.SSLCertVerificationError:
            return False

    wait_until(lambda: trusts(pair[0]), "the new certificate")
    assert not trusts(before)


@pytest.mark.parametrize(("days", "message"), [(-30, "expired on"), (10, "is valid until"), (60, "")])
def test_expiring_certificate_is_reported_ahead_of_the_phones(monkeypatch, tmp_path, days, message):
    monkeypatch.setattr(certificates, "VALIDITY_DAYS", days + 1)
    if days < 0:
        monkeypatch.setattr(certificates, "BACKDATED_DAYS", 60)
    make_certificate(tmp_path / "tls.pem", tmp_path / "tls-key.pem")
    found = [*certificate_warnings(tmp_path / "tls.pem", network.local_addresses())]
    assert len(found) == bool(message)
    assert all(message in value and "`daybook certificate CERTIFICATE KEY`" in value for value in found)


def test_certificate_for_another_network_is_reported(pair):
    (found,) = certificate_warnings(pair[0], ["192.0.2.7", "127.0.0.1"])
    assert "is not for 192.0.2.7, where phones reach this machine now" in found
    assert [*certificate_warnings(pair[0], ["127.0.0.1", "192.0.2.7"])] == []


def test_addresses_begin_with_https(pair, tmp_path):
    settings = Settings(data=tmp_path, port=4711, tls_certificate=pair[0], tls_key=pair[1])
    assert welcome(settings).startswith("open https://127.0.0.1:4711 ")
    assert read_settings(settings.environ()) == settings


def test_a_certificate_goes_with_its_key(pair, tmp_path):
    assert tls_context(*pair).minimum_version == ssl.TLSVersion.TLSv1_2
    with pytest.raises(BadSettingError, match="a certificate goes with its key"):
        read_settings({"DAYBOOK_TLS_KEY": str(pair[1])})
    make_certificate(tmp_path / "other.pem", tmp_path / "other-key.pem")
    for certificate, key in [(pair[0], tmp_path / "other-key.pem"), (pair[1], pair[1])]:
        with pytest.raises(BadCertificateError, match="no certificate in PEM with its key"):
            tls_context(certificate, key)


def test_a_certificate_is_made_once_and_its_key_is_its_own_users(tmp_path):
    files = [str(tmp_path / "tls.pem"), str(tmp_path / "tls-key.pem")]
    made = CliRunner().invoke(main, ["certificate", *files])
    assert made.exit_code == 0 and "for localhost, 127.0.0.1" in made.output
    assert (tmp_path / "tls-key.pem").stat().st_mode & 0o077 == 0
    again = CliRunner().invoke(main, ["certificate", *files])
    assert again.exit_code == 2 and "already exists" in again.output
    both = CliRunner().invoke(main, ["certificate", str(tmp_path / "one.pem"), str(tmp_path / "one.pem")])
    assert both.exit_code == 2 and "cannot be both" in both.output and not (tmp_path / "one.pem").exists()


def test_installed_authority_vouches_only_for_this_machine(port, pair):
    """A thief of this machine's files cannot make a certificate that a device trusts."""
    authority = x509.load_pem_x509_certificate(pair[0].with_name("tls-ca.pem").read_bytes())
    served, vouching = x509.load_pem_x509_certificates(pair[0].read_bytes())
    key = load_pem_private_key(pair[1].read_bytes(), None)
    assert vouching == authority
    assert served.public_key() == key.public_key() != authority.public_key(), "the key of what is served alone is kept"
    assert not served.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    name, *addresses = [str(item.value) for item in constraints.value.permitted_subtrees or []]
    assert name == "localhost" and "127.0.0.1/32" in addresses
    assert all(address.endswith(("/32", "/128")) for address in addresses)
    assert answer_of(port, pair[0].with_name("tls-ca.pem"), "/help").status == 200, "a device that has it does not warn"


def test_serve_says_what_is_wrong_with_a_certificate(tmp_path):
    refused = CliRunner().invoke(
        main,
        [
            "serve",
            "--no-lan",
            "--port",
            str(free_port()),
            "--data",
            str(tmp_path / "data"),
            "--tls",
            "none.pem",
            "none-key.pem",
        ],
    )
    assert refused.exit_code == 2 and "none.pem is not there" in refused.output
    assert "daybook certificate" in refused.output
