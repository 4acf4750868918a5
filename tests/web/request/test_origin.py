"""Where requests come from: a proxy's address is everybody's, and nobody shuts others out."""

from __future__ import annotations

import io
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from threading import Event, Semaphore, Thread
from uuid import uuid4

import pytest

from daybook.services.people import sign_in_limits
from daybook.web.app import begin
from daybook.web.request import origin
from daybook.web.request.origin import Unhurried, origin_of
from daybook.web.request.security import Tries
from tests.servers import PATIENCE_SECONDS
from tests.web.conftest import Visitor
from tests.web.people.test_signin import OTHER, PASSWORD, sign_in, signed_up

NEAR = ip_network("10.0.0.0/24")
GAME = {
    "ruleset": "making_profit",
    "title": "Monday",
    "options": {},
    "players": [{"name": "Anna", "colour": "red"}, {"name": "Ben", "colour": "blue"}],
}


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "is_from"),
    [
        ("192.0.2.7", [], [], "192.0.2.7"),
        ("127.0.0.1", [], [], ""),
        ("::1", [], [], ""),
        ("", [], [], ""),  # a socket in the file system
        ("192.0.2.7", ["198.51.100.1"], [], ""),  # no proxy is named: it may be one
        ("192.0.2.7", ["198.51.100.1"], [NEAR], "192.0.2.7"),  # it is none of ours, so its word is not taken
        ("10.0.0.5", ["198.51.100.1"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", ["203.0.113.9, 198.51.100.1"], [NEAR], "198.51.100.1"),  # what stands before it anybody can write
        ("10.0.0.5", ["203.0.113.9", "198.51.100.1, 10.0.0.6"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", ["198.51.100.1:4711"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", ["[2001:db8:1:2::7]:4711"], [NEAR], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3::7", [], [], "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", [], [], "192.0.2.7"),
        ("::ffff:10.0.0.5", ["198.51.100.1"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", [], [NEAR], ""),  # it does not say
        ("10.0.0.5", ["10.0.0.6"], [NEAR], ""),
        ("10.0.0.5", ["unknown"], [NEAR], ""),
        ("127.0.0.1", ["198.51.100.1"], [ip_network("127.0.0.1")], "198.51.100.1"),
        ("127.0.0.1", ["127.0.0.1"], [NEAR], ""),
    ],
)
def test_a_request_is_from(peer, forwarded, proxies, is_from):
    assert origin_of(peer, forwarded, proxies) == is_from


@pytest.fixture
def short_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wait is real, and short."""
    monkeypatch.setattr(origin, "WAIT_SECONDS", 0.01)


def at(somebody: Visitor, peer: str, forwarded: str = "") -> Visitor:
    somebody.client.environ_base["REMOTE_ADDR"] = peer
    if forwarded:
        somebody.client.environ_base["HTTP_X_FORWARDED_FOR"] = forwarded
    return somebody


def sign_up(somebody: Visitor, name: str) -> int:
    form = somebody.get("/sign-up").form("Create the account")
    return somebody.send(form, name=name, sign_in=name, password=PASSWORD, again=PASSWORD).status


@pytest.mark.parametrize("peer", ["127.0.0.1", "10.0.0.5"])
def test_many_accounts_through_one_proxy_close_signing_up_for_nobody(app, short_wait, peer):
    for n in range(sign_in_limits.ACCOUNTS_FREE + 5):
        assert sign_up(at(Visitor(app), peer, f"198.51.100.{n}"), f"guest{n}") == 200, n


def test_behind_a_named_proxy_each_address_has_its_own_measure(app, book):
    begin(app, replace(book, settings=replace(book.settings, trusted_proxies=(NEAR,))))
    for n in range(sign_in_limits.ACCOUNTS_FREE):
        assert sign_up(at(Visitor(app), "10.0.0.5", "198.51.100.1"), f"guest{n}") == 200, n
    visitor = at(Visitor(app), "10.0.0.5", "203.0.113.9, 198.51.100.1")
    page = visitor.press(
        "/sign-up", "Create the account", name="One more", sign_in="onemore", password=PASSWORD, again=PASSWORD
    )
    assert page.status == 429
    assert "Too many accounts were created from here. Try again in" in page.text
    assert sign_up(at(Visitor(app), "10.0.0.5", "198.51.100.2"), "somebodyelse") == 200


def test_wrong_keys_through_one_proxy_shut_nobody_out(friday, app, short_wait):
    wrong = at(Visitor(app), "10.0.0.5", "198.51.100.1")
    for path, key in (("/join", "key"), ("/invited", "key")):
        assert {wrong.post(path, **{key: f"wrong{n}"}).status for n in range(origin.HURRIED + 5)} == {403}
    assert at(Visitor(app), "10.0.0.5", "198.51.100.2").join(friday.key("scorekeeper")).status == 200


def test_an_address_that_is_known_is_locked_out_of_guessing_alone(friday, app):
    wrong = at(Visitor(app), "192.0.2.7")
    statuses = [wrong.post("/join", key=f"wrong{n}").status for n in range(32)]
    assert (statuses[0], statuses[-1]) == (403, 429)
    assert wrong.join(friday.key("scorekeeper")).status == 200, "the right key opens even then"
    assert at(Visitor(app), "192.0.2.8").post("/join", key="wrong").status == 403


def test_wrong_passwords_of_unknown_origin_are_slowed_down(app, monkeypatch):
    pauses: list[float] = []
    monkeypatch.setattr(origin, "WAIT_SECONDS", 2.0)
    signed_up(app)
    app.extensions["unknown_origins"] = Unhurried(pauses.append)
    visitor = Visitor(app)
    for n in range(origin.HURRIED):
        assert sign_in(visitor, f"nobody{n}", OTHER).status == 422
    assert pauses == []
    assert sign_in(visitor, "nobody", OTHER).status == 422
    assert pauses == [2.0]
    assert "Anna" in sign_in(Visitor(app)).text, "and who knows theirs comes in"


def test_so_many_wait_at_once_and_one_more_is_told_to_come_again(app):
    wait, end = Semaphore(0), Event()
    app.extensions["unknown_origins"] = Unhurried(lambda seconds: (wait.release(), end.wait(PATIENCE_SECONDS)))
    visitor = Visitor(app)
    for _ in range(origin.HURRIED):
        visitor.post("/join", key="wrong")
    threads = [Thread(target=lambda: Visitor(app).post("/join", key="wrong")) for _ in range(origin.WAITING + 6)]
    for thread in threads:
        thread.start()
    try:
        assert all(wait.acquire(timeout=PATIENCE_SECONDS) for _ in range(origin.WAITING))
        page = visitor.post("/join", key="wrong")
        assert (page.status, "Too many requests right now" in page.text) == (503, True)
    finally:
        end.set()
        for thread in threads:
            thread.join()
    assert visitor.post("/join", key="wrong").status == 403


# --- games without a key ---------------------------------------------------------------------------------------------


def opened_by_api(somebody: Visitor, key: str = "", **headers: str) -> tuple[int, dict[str, object]]:
    answer = somebody.client.post(
        "/api/v1/games", json=GAME, headers={"Idempotency-Key": key or uuid4().hex * 2, **headers}
    )
    return answer.status_code, answer.get_json()


def test_one_address_opens_so_many_games_without_a_key(app, book, monkeypatch):
    monkeypatch.setattr(sign_in_limits, "GAMES_FREE", 3)
    somebody, key = at(Visitor(app), "192.0.2.7"), uuid4().hex * 2
    assert opened_by_api(somebody, key)[0] == 201
    assert [opened_by_api(somebody)[0] for _ in range(4)] == [201, 201, 429, 429]
    assert len(book.log.game_ids()) == 3
    answer = somebody.client.post("/api/v1/games", json=GAME, headers={"Idempotency-Key": uuid4().hex * 2})
    error = answer.get_json()["error"]
    assert (error["code"], 3500 < int(answer.headers["Retry-After"]) <= 3600) == ("too_many", True)
    assert opened_by_api(somebody, key)[0] == 201, "what was opened is answered again"
    answer = somebody.client.post(
        "/api/v1/practice",
        json={"ruleset": "making_profit", "seats": 2, "seed": 1, "options": {}},
        headers={"Idempotency-Key": uuid4().hex * 2},
    )
    assert answer.status_code == 429
    assert opened_by_api(at(Visitor(app), "192.0.2.8"))[0] == 201


def test_pages_and_files_count_too_and_the_form_keeps_what_was_typed(app, book, friday, monkeypatch):
    monkeypatch.setattr(sign_in_limits, "GAMES_FREE", 1)
    somebody = at(Visitor(app), "192.0.2.7")
    assert opened_by_api(somebody)[0] == 201
    page = somebody.get("/new?game=making_profit")
    form = next(form for form in page.forms if "title" in form.fields)
    typed = {"title": "The evening", "name.0": "Anna", "name.1": "Ben"}
    page = somebody.send(form, **typed)
    assert page.status == 429
    assert "Too many games were opened from here without an account. Sign in, or try again in" in page.text
    assert next(form for form in page.forms if "title" in form.fields).fields["title"] == "The evening"
    record = (Path(__file__).parents[3] / "fixtures" / "short-duel.daybook").read_bytes()
    answer = somebody.client.post(
        "/import",
        data={"csrf": somebody.token(), "record": (io.BytesIO(record), "a.daybook")},
        content_type="multipart/form-data",
    )
    assert answer.status_code == 429, answer.get_data(as_text=True)
    assert len(book.log.game_ids()) == 2


def test_games_of_an_account_are_counted_by_the_account_wherever_it_is(app, book, monkeypatch):
    monkeypatch.setattr(sign_in_limits, "GAMES_FREE", 1)
    monkeypatch.setattr(sign_in_limits, "GAMES_OF_PERSON", 2)
    assert opened_by_api(at(Visitor(app), "192.0.2.7"))[0] == 201
    somebody, said = at(signed_up(app), "192.0.2.7"), list[tuple[int, bool]]()
    for address in ("192.0.2.7", "192.0.2.8", "192.0.2.9"):
        page = at(somebody, address).get("/new?game=making_profit")
        form = next(form for form in page.forms if "title" in form.fields)
        page = somebody.send(form, **{"title": "The evening", "name.0": "Anna", "name.1": "Ben"})
        said.append((page.status, "You have opened many games. Try again in" in page.text))
    assert said == [(200, False), (200, False), (429, True)]
    assert len(book.log.game_ids()) == 3
    begin(app, book)
    assert somebody.send(form, **{"title": "Another", "name.0": "Anna", "name.1": "Ben"}).status == 429, "for a while"


def test_what_is_written_from_nobody_knows_where_is_counted_together(friday, app):
    """After very much of it each write waits, or is told to come again; whose address is known goes on."""
    unhurried: Unhurried = app.extensions["unknown_origins"]
    for _ in range(origin.HURRIED):
        assert unhurried.one_more("write")
    for _ in range(origin.WAITING):
        unhurried._places.acquire()  # so many wait
    keeper = friday.visitor()
    app.extensions["writes"] = Tries(2, seconds=60)

    def write(address: str) -> int:
        note = {"about": "0", "text": "x", "key": uuid4().hex, "csrf": keeper.token()}
        return at(keeper, address).client.post(f"{friday.path}/note", data=note).status_code

    entries = len(friday.game.entries)
    assert [write("127.0.0.1") for _ in range(4)] == [303, 303, 503, 503]
    assert write("192.0.2.7") == 303
    assert len(friday.game.entries) == entries + 3


def test_games_of_unknown_origin_are_opened_however_many(app, short_wait):
    somebody = at(Visitor(app), "10.0.0.5", "198.51.100.1")
    assert {opened_by_api(somebody)[0] for _ in range(sign_in_limits.GAMES_FREE + 10)} == {201}


@pytest.mark.parametrize(
    ("peer", "proxies", "begins"),
    [
        ("10.0.0.5", (NEAR,), "https://localhost/join#"),
        ("192.0.2.7", (NEAR,), "http://localhost/join#"),  # past the proxy
        ("10.0.0.5", (), "http://localhost/join#"),
        ("127.0.0.1", (), "http://localhost/join#"),
    ],
)
def test_that_a_page_was_asked_for_with_tls_only_our_own_proxy_may_say(friday, app, book, peer, proxies, begins):
    begin(app, replace(book, settings=replace(book.settings, trusted_proxies=proxies)))
    scorekeeper = at(Visitor(app), peer)
    scorekeeper.join(friday.key("scorekeeper"))
    scorekeeper.client.environ_base["HTTP_X_FORWARDED_PROTO"] = "https"
    assert begins in scorekeeper.get(f"/games/{friday.id}/links").html
