"""Addresses, forwarded headers, and limits by account, link, browser and address."""

from __future__ import annotations

import io
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from msgspec import structs
from werkzeug.test import EnvironBuilder

from daybook.services.limits import LIMITS, Caller, Counts, LimitExceededError
from daybook.services.operation import doctor, unnamed_proxy
from daybook.web.app import begin
from daybook.web.request.origin import origin_of
from daybook.workers.welcome import welcome
from tests.web.conftest import Visitor
from tests.web.people.test_sign_in import PASSWORD, signed_up

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
        ("127.0.0.1", [], [], "127.0.0.1"),
        ("::1", [], [], "::/64"),
        ("", [], [], ""),  # a device, which has no network
        ("192.0.2.7", ["198.51.100.1"], [], "192.0.2.7"),  # no proxy is named
        ("127.0.0.1", ["198.51.100.1"], [], "127.0.0.1"),
        ("192.0.2.7", ["198.51.100.1"], [NEAR], "192.0.2.7"),  # not the named proxy
        ("10.0.0.5", ["198.51.100.1"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", ["203.0.113.9, 198.51.100.1"], [NEAR], "198.51.100.1"),  # anyone can write what is before it
        ("10.0.0.5", ["203.0.113.9", "198.51.100.1, 10.0.0.6"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", ["198.51.100.1:4711"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", ["[2001:db8:1:2::7]:4711"], [NEAR], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:3::7", [], [], "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", [], [], "192.0.2.7"),
        ("::ffff:10.0.0.5", ["198.51.100.1"], [NEAR], "198.51.100.1"),
        ("10.0.0.5", [], [NEAR], "10.0.0.5"),  # the proxy does not say
        ("10.0.0.5", ["10.0.0.6"], [NEAR], "10.0.0.5"),
        ("10.0.0.5", ["unknown"], [NEAR], "10.0.0.5"),
        ("127.0.0.1", ["198.51.100.1"], [ip_network("127.0.0.1")], "198.51.100.1"),
        ("127.0.0.1", ["127.0.0.1"], [NEAR], "127.0.0.1"),
    ],
)
def test_a_request_is_from(peer, forwarded, proxies, is_from):
    assert origin_of(peer, forwarded, proxies) == is_from


def at(somebody: Visitor, peer: str, forwarded: str = "") -> Visitor:
    somebody.client.environ_base["REMOTE_ADDR"] = peer
    if forwarded:
        somebody.client.environ_base["HTTP_X_FORWARDED_FOR"] = forwarded
    return somebody


def sign_up(somebody: Visitor, name: str) -> int:
    form = somebody.get("/sign-up").form("Create the account")
    return somebody.send(form, name=name, sign_in=name, password=PASSWORD, again=PASSWORD).status


FORWARDED = {
    "X-Forwarded-For": "198.51.100.1",
    "X-Forwarded-Host": "games.example.org",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Port": "443",
    "X-Forwarded-Prefix": "/elsewhere",
    "Forwarded": "for=198.51.100.1;proto=https;host=games.example.org",
    "X-Real-IP": "198.51.100.1",
}


@pytest.mark.parametrize(
    ("peer", "seen"),
    [("192.0.2.7", set()), ("127.0.0.1", set()), ("10.0.0.5", {"HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO"})],
)
def test_forwarded_headers_count_from_a_named_proxy_only(app, book, peer, seen):
    begin(app, replace(book, settings=replace(book.settings, trusted_proxies=(NEAR,))))
    environ = EnvironBuilder("/help", headers=FORWARDED, environ_base={"REMOTE_ADDR": peer}).get_environ()
    app.wsgi_app(environ, lambda *_: None)
    assert {name for name in environ if "FORWARDED" in name or "REAL_IP" in name} == seen


def test_forwarded_header_lifts_no_limit(app, monkeypatch):
    limited(monkeypatch, "game", browser=3, address=6)
    statuses = [
        opened_by_api(at(Visitor(app), "192.0.2.7"), **dict.fromkeys(FORWARDED, f"198.51.100.{n}"))[0] for n in range(5)
    ]
    assert statuses == [201, 201, 201, 429, 429]


def test_unnamed_proxy_is_reported_at_start_health_and_doctor(app, book):
    health = app.test_client().get("/api/v1/health").get_json()
    assert health["advice"] == [] and "name your proxy" not in welcome(book.settings)
    app.test_client().get("/help", headers=FORWARDED, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert not unnamed_proxy.is_unnamed(book.settings), "it comes from elsewhere"
    app.test_client().get("/help", headers={"X-Real-IP": "198.51.100.1"})
    [advice] = app.test_client().get("/api/v1/health").get_json()["advice"]
    assert advice.startswith("name your proxy") and advice in welcome(book.settings)
    [found] = [found for found in doctor.run_checks(book.settings) if found.about == "proxy"]
    assert (found.state, found.do.startswith("name your proxy")) == ("warn", True)
    assert not unnamed_proxy.is_unnamed(replace(book.settings, trusted_proxies=(NEAR,)))


def limited(monkeypatch: pytest.MonkeyPatch, name: str, **numbers: int) -> None:
    """Make one limit small."""
    monkeypatch.setitem(LIMITS, name, structs.replace(LIMITS[name], **numbers))


def test_one_browser_uses_up_its_own_count_of_accounts(app, monkeypatch):
    limited(monkeypatch, "account", browser=3)
    hostile = at(Visitor(app), "192.0.2.7")
    statuses = []
    for n in range(5):
        statuses.append(sign_up(hostile, f"guest{n}"))
        hostile.post("/sign-out")
    assert statuses == [200, 200, 200, 429, 429]
    page = hostile.press(
        "/sign-up", "Create the account", name="One more", sign_in="onemore", password=PASSWORD, again=PASSWORD
    )
    assert "Too many accounts were created from here. Try again in" in page.text
    assert sign_up(at(Visitor(app), "192.0.2.7"), "somebodyelse") == 200, "another phone of the club"


def test_browsers_without_a_link_share_an_address(app, monkeypatch):
    limited(monkeypatch, "account", browser=3, address=12)
    assert [sign_up(at(Visitor(app), "192.0.2.7"), f"guest{n}") for n in range(7)] == [*[200] * 6, 429]
    assert sign_up(at(Visitor(app), "192.0.2.8"), "another") == 200


def test_networks_of_ipv6_share_a_48(app, monkeypatch):
    limited(monkeypatch, "account", browser=1, address=2)
    statuses = [sign_up(at(Visitor(app), f"2001:db8:1:{n}::7"), f"guest{n}") for n in range(6)]
    assert statuses == [200, 200, 200, 200, 429, 429]
    assert sign_up(at(Visitor(app), "2001:db8:2:1::7"), "another") == 200


def test_behind_a_named_proxy_each_address_has_its_own_count(app, book, monkeypatch):
    limited(monkeypatch, "account", browser=2, address=4)
    begin(app, replace(book, settings=replace(book.settings, trusted_proxies=(NEAR,))))
    for n in range(2):
        assert sign_up(at(Visitor(app), "10.0.0.5", "198.51.100.1"), f"guest{n}") == 200, n
    assert sign_up(at(Visitor(app), "10.0.0.5", "203.0.113.9, 198.51.100.1"), "onemore") == 429
    assert sign_up(at(Visitor(app), "10.0.0.5", "198.51.100.2"), "somebodyelse") == 200


def test_wrong_keys_are_limited_and_the_right_one_opens(friday, app):
    wrong = at(Visitor(app), "192.0.2.7")
    answers = [wrong.client.post("/join", data={"key": f"wrong{n}", "csrf": wrong.token()}) for n in range(32)]
    assert (answers[0].status_code, answers[-1].status_code) == (403, 429)
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
    assert wrong.join(friday.key("scorekeeper")).status == 200, "the right key opens even then"
    assert at(Visitor(app), "192.0.2.7").post("/join", key="wrong").status == 403, "another phone of the club"


# --- games without a key ---------------------------------------------------------------------------------------------


def opened_by_api(somebody: Visitor, key: str = "", **headers: str) -> tuple[int, dict[str, object]]:
    answer = somebody.client.post(
        "/api/v1/games", json=GAME, headers={"Idempotency-Key": key or uuid4().hex * 2, **headers}
    )
    return answer.status_code, answer.get_json()


def test_one_address_opens_so_many_games_without_a_key(app, book, monkeypatch):
    limited(monkeypatch, "game", browser=3)
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


def test_pages_and_files_count_and_the_form_keeps_typed_values(app, book, friday, monkeypatch):
    limited(monkeypatch, "game", browser=1)
    somebody = at(Visitor(app), "192.0.2.7")
    page = somebody.get("/new?game=making_profit")
    form = next(form for form in page.forms if "title" in form.fields)
    assert somebody.send(form, **{"title": "The first", "name.0": "Anna", "name.1": "Ben"}).status == 200
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


def test_games_of_an_account_count_by_account_at_any_address(app, book, monkeypatch):
    limited(monkeypatch, "game", browser=1)
    limited(monkeypatch, "game", account=2)
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


def write_note(visitor: Visitor, game: Any) -> int:
    note = {"about_step": "0", "text": "x", "key": uuid4().hex, "csrf": visitor.token()}
    return visitor.client.post(f"{game.path}/note", data=note).status_code


def test_writes_are_counted_by_link_and_not_by_address(friday, open_game, app, monkeypatch):
    """The issue's case: one table writes all it may, and another at the same address goes on."""
    limited(monkeypatch, "write", link=5, browser=5, address=5)
    other = open_game()
    hostile, ann = at(friday.visitor(), "192.0.2.7"), at(other.visitor(), "192.0.2.7")
    assert [write_note(hostile, friday) for _ in range(8)] == [303] * 5 + [429] * 3
    assert [write_note(ann, other) for _ in range(4)] == [303] * 4
    ben = at(Visitor(app), "192.0.2.7")
    ben.join(friday.key("seat", 0))
    assert write_note(ben, friday) == 303, "another link to the same game"
    assert write_note(hostile, friday) == 429
    elsewhere = at(Visitor(app), "198.51.100.1")
    elsewhere.join(friday.key("scorekeeper"))
    assert write_note(elsewhere, friday) == 429, "the same link from another address"


def test_writes_over_the_api_are_counted_by_link(friday, open_game, app, monkeypatch):
    limited(monkeypatch, "write", link=3, browser=3, address=3)
    other = open_game()

    def write(game: Any) -> int:
        headers = {"Authorization": f"Bearer {game.key('scorekeeper')}", "Idempotency-Key": uuid4().hex * 2}
        note = {"about_step": 0, "text": "x"}
        return app.test_client().post(f"/api/v1{game.path}/notes", json=note, headers=headers).status_code

    assert [write(friday) for _ in range(5)] == [201] * 3 + [429] * 2
    assert [write(other) for _ in range(3)] == [201] * 3


def test_writes_of_an_account_are_counted_by_it(friday, app, monkeypatch):
    limited(monkeypatch, "write", account=3, browser=3, address=3)
    anna, ben = (at(signed_up(app, name, name.lower()), "192.0.2.7") for name in ("Anna", "Ben"))

    def rename(somebody: Visitor) -> int:
        return somebody.press("/me", "Change it", name="Somebody", address="").status

    assert [rename(anna) for _ in range(4)] == [200, 200, 200, 429]
    assert rename(ben) == 200


def test_two_processes_share_their_counts(book):
    """Each process has its own memory; the kept tables are one."""
    caller, processes = Caller(link="a link"), (Counts(book), Counts(book))
    admitted = 0
    for n in range(800):
        try:
            processes[n % 2].take("write", caller)
        except LimitExceededError:
            continue
        admitted += 1
    assert 600 <= admitted <= 605
    for _ in range(60):
        processes[0].take("game", Caller(address="192.0.2.7", browser="one"))
    with pytest.raises(LimitExceededError):
        Counts(book).take("game", Caller(address="192.0.2.7", browser="one"))


@pytest.mark.parametrize(
    ("peer", "proxies", "begins"),
    [
        ("10.0.0.5", (NEAR,), "https://localhost/join#"),
        ("192.0.2.7", (NEAR,), "http://localhost/join#"),  # past the proxy
        ("10.0.0.5", (), "http://localhost/join#"),
        ("127.0.0.1", (), "http://localhost/join#"),
    ],
)
def test_only_our_own_proxy_may_say_that_tls_was_used(friday, app, book, peer, proxies, begins):
    begin(app, replace(book, settings=replace(book.settings, trusted_proxies=proxies)))
    scorekeeper = at(Visitor(app), peer)
    scorekeeper.join(friday.key("scorekeeper"))
    scorekeeper.client.environ_base["HTTP_X_FORWARDED_PROTO"] = "https"
    assert begins in scorekeeper.get(f"/games/{friday.id}/links").html
