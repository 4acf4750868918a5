"""The names and addresses at which Daybook answers, and its message at others."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest
from flask import Flask

from daybook.services.operation import network
from daybook.services.settings import BadSettingError, read_settings
from daybook.services.store.daybook import Daybook
from daybook.web.app import begin
from tests.web.conftest import Visitor

pytestmark = pytest.mark.sqlite_suffices

OTHERS = ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "203.0.113.9", "[2001:db8::7]", "10")


def served(app: Flask, book: Daybook, **more: str) -> Visitor:
    given = read_settings({}, data=str(book.settings.data), **more)
    begin(app, replace(book, settings=given))
    return Visitor(app)


@pytest.mark.parametrize("host", OTHERS)
def test_unknown_host_reads_and_writes_nothing_and_gets_advice(friday, host):
    keeper, step = friday.visitor(), friday.step
    form = keeper.get(f"{friday.path}/record").form("Save the note")
    for asked in (f"http://{host}", f"http://{host}:8000"):
        page = keeper.client.get(friday.path, base_url=asked)
        assert page.status_code == 421
        assert "Daybook does not answer at this address" in page.text and "DAYBOOK_ALLOWED_HOSTS" in page.text
        assert "/join#" not in page.text and f"http://{host}" not in page.text
        sent = keeper.client.post(form.action, data=form.fields | {"text": "x"}, base_url=asked)
        assert (sent.status_code, friday.step) == (421, step)
        answer = keeper.client.get("/api/v1/games", base_url=asked)
        assert (answer.status_code, answer.json["error"]["code"]) == (421, "wrong_host")
        assert keeper.client.get("/api/v1/health", base_url=asked).status_code == 200, "a watch has names of its own"


def test_this_machine_answers_at_its_own_addresses_and_names(app):
    client = app.test_client()
    own = socket.gethostname().lower()
    for host in (own, f"{own.partition('.')[0]}.local", f"{own.partition('.')[0]}.lan"):
        assert client.get("/help", base_url=f"http://{host}").status_code == 200, host
        assert client.get("/help", base_url=f"http://{host}.evil.example").status_code == 421, host
    for host in (
        "localhost",
        "ours.localhost",
        "LOCALHOST",
        "localhost.",
        "127.0.0.1",
        "[::1]",
        *network.local_addresses(),
    ):
        assert client.get("/help", base_url=f"http://{host}:8000").status_code == 200, host


def test_windows_are_kept_apart_where_a_browser_heeds_it(app):
    """The header causes an error on a page over http from another machine."""
    client, policy = app.test_client(), "Cross-Origin-Opener-Policy"
    for address in ("http://localhost:8000", "http://127.0.0.1", "http://[::1]:8000", "https://localhost"):
        assert client.get("/help", base_url=address).headers[policy] == "same-origin", address
    for address in network.local_addresses():
        assert policy not in client.get("/help", base_url=f"http://{address}:8000").headers
        assert client.get("/help", base_url=f"https://{address}").headers[policy] == "same-origin"
    for host in ("", "[::1", "one,[::1]", "a:b:c"):
        assert client.get("/api/v1/health", headers={"Host": host}).status_code in (200, 400), host


def test_public_address_and_named_hosts_are_answered(app, book):
    client = served(
        app, book, base_url="https://daybook.example.org", allowed_hosts="Daybook.lan, 203.0.113.9,[2001:db8::7]"
    ).client
    for host in ("daybook.example.org", "daybook.lan", "203.0.113.9", "[2001:db8::7]", "localhost"):
        assert client.get("/help", base_url=f"http://{host}").status_code == 200, host
    assert client.get("/help", base_url="http://example.org").status_code == 421


def test_own_proxy_answers_for_its_name_without_public_address(app, book):
    for more, peer, status in (
        ({"trusted_proxies": "10.0.0.5"}, "10.0.0.5", 200),
        ({"trusted_proxies": "10.0.0.5"}, "10.0.0.6", 421),
        ({"trusted_proxies": "10.0.0.5", "base_url": "https://daybook.example.org"}, "10.0.0.5", 421),
    ):
        client = served(app, book, **more).client
        answer = client.get("/help", base_url="http://games.example.org", environ_base={"REMOTE_ADDR": peer})
        assert answer.status_code == status, (more, peer)


@pytest.mark.parametrize("host", ["evil_name.example", "localhost,evil.example", "local host", "localhost:0", "a..b"])
def test_invalid_host_is_refused_without_the_server_too(app, host):
    client = app.test_client()
    for path in ("/help", "/api/v1/health", "/nowhere"):
        assert client.get(path, headers={"Host": host}).status_code == 400, path


def test_request_without_a_host_is_not_refused(app):
    assert app.test_client().get("/help", headers={"Host": ""}).status_code == 200


@pytest.mark.parametrize("hosts", ["https://daybook.lan", "*", "*.lan", "a b", "our_games.lan", "büro.lan"])
def test_what_is_no_name_is_refused_when_it_is_set(hosts):
    with pytest.raises(BadSettingError, match="DAYBOOK_ALLOWED_HOSTS"):
        read_settings({"DAYBOOK_ALLOWED_HOSTS": hosts})


def test_a_part_of_its_own_has_the_same_names():
    settings = read_settings({"DAYBOOK_ALLOWED_HOSTS": "daybook.lan,192.0.2.7"})
    assert read_settings(settings.environ()) == settings


def test_no_name_that_a_stranger_makes_up_is_remembered(app):
    """There are as many names of this machine as anybody likes, and each may be as long as a header."""
    client, known = app.test_client(), app.extensions["own_hosts"]
    before = len(known)
    for number in range(20):
        for host in (f"{'x' * 40}{number}.localhost", f"127.1.2.{number}"):
            assert client.get("/help", base_url=f"http://{host}:8000").status_code == 200, host
    assert len(known) == before
