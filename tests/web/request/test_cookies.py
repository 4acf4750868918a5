"""The cookie: of this installation alone, read by all its hosts, and left alone where it is another's."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from shutil import copytree

import pytest
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import TimestampSigner
from werkzeug.test import Client

from daybook.services.settings import Settings, read_settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import create_app
from daybook.web.request.sessions import CookieSessions
from tests.web.conftest import Opened, Visitor, open_table

pytestmark = pytest.mark.sqlite_suffices

HTTPS = "https://daybook.example.org"
DAY = 24 * 3600


class FormerSessions(SecureCookieSessionInterface):
    """Cookies as Daybook signed them before its cookie had a name of its own."""

    digest_method = staticmethod(hashlib.sha1)


def former_cookie(app: Flask, **held: object) -> str:
    signing = FormerSessions().get_signing_serializer(app)
    assert signing is not None
    written = signing.dumps({"_permanent": True, **held})
    assert isinstance(written, str)
    return written


def signed(app: Flask, content: dict[str, object]) -> str:
    sessions = app.session_interface
    assert isinstance(sessions, CookieSessions)
    written = sessions.signing.dumps(content)
    assert isinstance(written, str)
    return written


def names_set(client: Client, path: str, **asked: str) -> set[str]:
    """The names of the cookies that an answer sets or removes."""
    return {item.partition("=")[0] for item in client.get(path, **asked).headers.getlist("Set-Cookie")}


@pytest.fixture
def secure(tmp_path: Path, empty_data: Path) -> Iterator[Opened]:
    """A game of a Daybook that is reached over https alone."""
    book = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "secure")), base_url=HTTPS))
    yield open_table(book, create_app(book))
    book.close()


@pytest.fixture
def neighbour(tmp_path: Path, empty_data: Path) -> Iterator[Daybook]:
    """Another Daybook of the same host, behind another port."""
    book = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "neighbour"))))
    yield book
    book.close()


def test_daybooks_of_one_host_leave_each_others_cookies_alone(friday, neighbour):
    keeper, other = friday.visitor(), open_table(neighbour, create_app(neighbour))
    keeper.client.application = other.app  # the same browser at the other port: it sends what it has
    keeper.join(other.key("scorekeeper"))
    assert keeper.get(f"{other.path}/links").status == 200
    keeper.client.application = friday.app
    assert keeper.get(f"{friday.path}/links").status == 200


def test_a_cookie_of_the_former_name_that_is_anothers_stays(friday, neighbour):
    somebody = Visitor(friday.app)
    theirs = former_cookie(create_app(neighbour), grants=["x"])
    for value in (theirs, "nonsense", ""):
        somebody.client.set_cookie("daybook", value)
        assert "daybook" not in names_set(somebody.client, "/join")
        kept = somebody.client.get_cookie("daybook")
        assert kept is not None and kept.value == value


def test_earlier_visitor_stays_signed_in_and_keeps_links(friday):
    grants = [grant.partition(".")[0] for grant in [friday.key("scorekeeper")]]
    somebody = Visitor(friday.app)
    somebody.client.set_cookie("daybook", former_cookie(friday.app, grants=grants))
    assert somebody.get(f"{friday.path}/links").status == 200
    assert somebody.client.get_cookie("daybook") is None, "moved once, so that what is forgotten does not come back"
    assert somebody.get(f"{friday.path}/links").status == 200
    assert somebody.cookie


def test_an_answer_that_everybody_may_keep_moves_nobodys_cookie(friday):
    somebody = Visitor(friday.app)
    somebody.client.set_cookie("daybook", former_cookie(friday.app, grants=[]))
    assert names_set(somebody.client, "/static/page.js") == set()


def test_a_former_signature_is_taken_of_the_former_name_alone(friday):
    somebody = Visitor(friday.app)
    somebody.cookie = former_cookie(friday.app, grants=[friday.key("scorekeeper").partition(".")[0]])
    assert somebody.get(f"{friday.path}/links").status == 403


@pytest.mark.parametrize(
    ("ahead", "names"), [(0, True), (1, True), (DAY, True), (-399 * DAY, True), (-401 * DAY, False)]
)
def test_clocks_of_two_hosts_may_differ(friday, monkeypatch, ahead, names):
    """The other host's clock is ahead of this one's, or the cookie is old."""
    keeper, at = friday.visitor(), int(datetime.now(UTC).timestamp()) + ahead
    with keeper.client.session_transaction() as session:
        held = dict(session)
    with monkeypatch.context() as there:
        there.setattr(TimestampSigner, "get_timestamp", lambda signer: at)
        keeper.cookie = signed(friday.app, held)
    assert (keeper.get(f"{friday.path}/links").status == 200) == names


def test_over_https_nobody_below_the_same_domain_can_set_it(secure):
    client = Visitor(secure.app).client
    (cookie,) = client.get("/join", base_url=HTTPS).headers.getlist("Set-Cookie")
    name, _, rest = cookie.partition("=")
    assert name.startswith("__Host-daybook-")
    assert "; Secure;" in rest and "; Path=/" in rest and "Domain" not in rest


def test_a_path_of_its_own_changes_nothing_of_that(tmp_path, empty_data):
    book = open_daybook(Settings(data=Path(copytree(empty_data, tmp_path / "d")), base_url=f"{HTTPS}/daybook"))
    (cookie,) = create_app(book).test_client().get("/daybook/join", base_url=HTTPS).headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-") and cookie.endswith("; Path=/; SameSite=Lax")
    book.close()


def test_a_proxy_of_ours_says_that_it_was_asked_for_over_https(friday):
    settings = read_settings({}, data=str(friday.book.settings.data), trusted_proxies="127.0.0.1")
    book = open_daybook(settings)
    client = create_app(book).test_client()
    for told, begins in (("https", "__Host-daybook-"), ("http", "daybook-")):
        (name,) = names_set(client, "/join", headers={"X-Forwarded-Proto": told, "X-Forwarded-For": "192.0.2.1"})
        assert name.startswith(begins)
    book.close()


def test_links_survive_a_certificate_and_http_sign_ins_do_not(secure):
    plain = secure.app.config["SESSION_COOKIE_NAME"]
    somebody = Visitor(secure.app).client
    held = {"_permanent": True, "grants": [secure.key("scorekeeper").partition(".")[0]], "signed_in": "sniffed"}
    somebody.set_cookie(plain, signed(secure.app, held), domain="daybook.example.org")
    assert somebody.get(f"{secure.path}/links", base_url=HTTPS).status_code == 200
    with somebody.session_transaction(base_url=HTTPS) as session:
        assert "signed_in" not in session and session["grants"]
