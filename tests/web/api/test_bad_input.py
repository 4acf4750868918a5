"""Requests of careless or hostile clients: each is refused with a clear error, and the record is unchanged."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from flask import Flask

from daybook.services.store.daybook import Daybook
from tests.web.api.conftest import V1, Caller, Game, headers, wrong

FIRST = {"type": "drawn", "card": "R1"}


@pytest.fixture(scope="module")
def game(app: Flask) -> Game:
    """One for all that is sent to it: nothing of that is taken."""
    return Caller(app.test_client()).open_game()


@pytest.fixture(scope="module")
def begun(app: Flask) -> Game:
    """One under way, which stays where it is as well."""
    game = Caller(app.test_client()).open_game()
    game.play(9)
    return game


def decision(**changes: Any) -> dict[str, Any]:
    return {"seat": -1, "decision": FIRST, "at": 0} | changes


def everything(book: Daybook) -> tuple[int, int]:
    """Return the numbers of entries in the log and of kept games."""
    return book.log.newest(), len(book.kept.games())


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "not_json"),
        (b"{", "not_json"),
        (b'{"seat": -1,}', "not_json"),
        (b"\xef\xbb\xbf{}", "not_json"),
        (b'{"seat": "\xff"}', "not_utf8"),
        (b'{"seat": -1, "seat": 0, "at": 0, "decision": {"type": "drawn", "card": "R1"}}', "name_twice"),
        (b'{"seat": -1, "at": 0, "decision": {"type": "drawn", "card": "R1", "card": "R2"}}', "name_twice"),
        (b'{"seat": -1, "at": 0.0, "decision": {}}', "not_whole"),
        (b'{"seat": -1, "at": 1e2, "decision": {}}', "not_whole"),
        (b'{"seat": -1, "at": NaN, "decision": {}}', "not_whole"),
        (b'{"seat": -1, "at": Infinity, "decision": {}}', "not_whole"),
        (b'{"seat": -1, "at": 9223372036854775808, "decision": {}}', "number_too_large"),
        (b'{"seat": -1, "at": ' + b"9" * 5000 + b', "decision": {}}', "number_too_large"),
        (b'{"decision": ' + b"[" * 40 + b"]" * 40 + b"}", "too_deep"),
        (b'{"decision": ' + b"[" * 20000 + b"]" * 20000 + b"}", "too_deep"),
        (b'{"seat": -1, "at": 0, "decision": {"type": "\\ud800"}}', "not_text"),
        (b'{"seat": -1, "at": 0, "decision": {"type": "\\u0000"}}', "not_text"),
        (b'{"seat": -1, "at": 0, "decision": {"\\u0000": 1}}', "not_text"),
    ],
)
def test_a_body_that_is_no_plain_json_is_refused(game, body, code):
    answer = game.caller.client.post(
        V1 + game.path + "/decisions",
        data=body,
        headers=headers(game.scorekeeper, "1"),
        content_type="application/json",
    )
    assert wrong(answer) == (400, code)
    assert game.step == 0


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        1,
        "text",
        True,
        {},
        decision(seat=-2),
        decision(at="0"),
        decision(decision="drawn"),
        decision(more=1),
        {"seat": -1, "at": 0},
    ],
)
def test_an_envelope_that_does_not_fit_is_refused_by_field(game, body):
    answer = game.caller.client.post(
        V1 + game.path + "/decisions",
        data=json.dumps(body),
        content_type="application/json",
        headers=headers(game.scorekeeper, "1"),
    )
    assert wrong(answer) == (422, "bad_fields")
    assert answer.json["error"]["details"]["fields"]
    assert game.step == 0


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"type": None},
        {"type": 1},
        {"type": "no_such_decision"},
        {"type": "drawn"},
        {"type": "drawn", "card": 7},
        {"type": "drawn", "card": None},
        {"type": "drawn", "card": ["R1"]},
        {"type": "drawn", "card": "R9"},
        {"type": "drawn", "card": "R1", "more": 1},
        {"type": "drawn", "card": {"deep": {"er": 1}}},
        {"type": "start_player_drawn", "seat": "0"},
        {"type": "start_player_drawn", "seat": True},
        {"type": "sell_resources", "cards": "R1"},
        {"type": "sell_resources", "cards": [1]},
        {"type": "drawn", "card": "R1'; DROP TABLE stored_events; --"},
        {"type": "buy_stock", "colour": 2**53 - 1},
    ],
)
def test_what_is_no_decision_of_the_game_is_refused(game, bad):
    assert wrong(game.post("/decisions", decision(decision=bad))) == (422, "not_a_decision")
    assert wrong(game.post("/preview", {"seat": -1, "decision": bad})) == (422, "not_a_decision")
    assert wrong(game.post("/why", {"seat": -1, "decision": bad})) == (422, "not_a_decision")
    assert game.step == 0


@pytest.mark.parametrize(
    ("seat", "bad"),
    [
        (0, FIRST),
        (-1, {"type": "end_turn"}),
        (-1, {"type": "start_player_drawn", "seat": 2**53 - 1}),
        (-1, {"type": "start_player_drawn", "seat": -(2**53 - 1)}),
        (0, {"type": "buy_stock", "colour": "<b>"}),
        (0, {"type": "sell_resources", "cards": ["R1"] * 5000}),
        (0, {"type": "sell_resources", "cards": []}),
        (0, {"type": "nationalise", "keep": ["R1"] * 5000}),
        (0, {"type": "develop", "card": "R1", "factory": "x" * 9999}),
        (1, {"type": "discard_hand", "card": "?"}),
    ],
)
def test_what_the_rules_forbid_names_the_rule(game, begun, seat, bad):
    for item, step in ((game, 0), (begun, 9)):
        answer = item.post("/decisions", decision(seat=seat, decision=bad, at=step))
        assert answer.status_code == 422, answer.text
        assert answer.json["error"]["rule"].startswith("MP-")
        assert wrong(item.post("/preview", {"seat": seat, "decision": bad}))[0] == 422
        assert item.post("/why", {"seat": seat, "decision": bad}).json["legal"] is False
        assert item.step == step


def test_a_seat_that_nobody_has_is_refused(game):
    assert wrong(game.post("/decisions", decision(seat=3))) == (422, "not_a_decision")
    assert wrong(game.get("/legal", seat=99)) == (422, "not_a_decision")
    assert wrong(game.get("/legal", seat=-2)) == (422, "bad_fields")
    assert wrong(game.get("/position", view="7")) == (403, "not_your_view")


@pytest.mark.parametrize(
    "query",
    [
        {"step": ""},
        {"step": ["0", "1"]},
        {"steps": "0"},
        {"view": ""},
        {"view": "ALL"},
        {"view": "-2"},
        {"view": "0\n"},
        {"view": "00"},
        {"view": "'; --"},
    ],
)
def test_a_query_that_does_not_fit_is_refused(game, query):
    assert wrong(game.get("/position", **query))[0] == 422


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("", "this address takes no parameters"),
        ("/position", "the parameters here are view, step"),
        ("/legal", "the parameters here are"),
    ],
)
def test_an_unknown_parameter_is_refused_with_those_there_are(game, path, names):
    answer = game.get(path, limit="5")
    assert wrong(answer) == (422, "unknown_parameter")
    assert names in answer.json["error"]["reason"] and "'limit'" in answer.json["error"]["reason"]


@pytest.mark.parametrize("where", ["/games", "/clubs", "/rulesets", "/health", "/statistics/measures"])
def test_no_list_takes_a_parameter_that_it_does_not_know(game, where):
    assert wrong(game.caller.get(where, game.scorekeeper, most="1"))[1] == "unknown_parameter"
    assert game.caller.get(where, game.scorekeeper).status_code in (200, 503)


def test_a_step_that_is_not_there_is_refused(game):
    assert wrong(game.get("/position", step=1)) == (422, "unknown_step")
    assert wrong(game.get("/legal", seat=0, step=1)) == (422, "unknown_step")
    assert wrong(game.post("/notes", {"about_step": 1, "text": "?"})) == (422, "unknown_step")
    assert wrong(game.post("/take-backs", {"to_step": 1, "cause": "table", "at": 0})) == (422, "unknown_step")
    assert wrong(game.post("/decisions", decision(at=1))) == (422, "unknown_step")


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Bearer x.y"}, 401),
        ({"Authorization": "Basic YTpi"}, 401),
        ({"Authorization": "Bearer ü"}, 401),
        ({"Authorization": "Bearer " + "x" * 5000}, 401),
        ({"Authorization": "Bearer ' OR 1=1 --"}, 401),
        ({"Cookie": "daybook=x"}, 401),
    ],
)
def test_a_wrong_key_opens_nothing(game, header, status):
    client = game.caller.client
    for answer in (
        client.get(V1 + game.path, headers=header),
        client.post(V1 + game.path + "/decisions", json=decision(), headers={**header, "Idempotency-Key": "k"}),
    ):
        assert wrong(answer)[0] == status
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert game.step == 0


@pytest.mark.parametrize("key", ["", " ", "a b", "ü", "x" * 65, "a/b", "'; DROP TABLE kept_game; --", "<b>"])
def test_a_malformed_idempotency_key_is_refused(game, key):
    answer = game.caller.client.post(
        V1 + game.path + "/decisions",
        json=decision(),
        headers={"Authorization": f"Bearer {game.scorekeeper}", "Idempotency-Key": key},
    )
    assert wrong(answer) == (400, "bad_idempotency_key")
    assert game.step == 0


def test_a_write_without_an_idempotency_key_is_told_to_send_one(game):
    answer = game.caller.client.post(V1 + game.path + "/decisions", json=decision(), headers=headers(game.scorekeeper))
    assert wrong(answer) == (400, "bad_idempotency_key")
    assert "Idempotency-Key" in answer.json["error"]["next"]


@pytest.mark.parametrize(
    "kind",
    [
        None,
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "x" * 300,
    ],
)
def test_a_body_of_another_kind_is_refused(game, kind):
    answer = game.caller.client.post(
        V1 + game.path + "/decisions",
        data=json.dumps(decision()),
        content_type=kind,
        headers=headers(game.scorekeeper, "k"),
    )
    assert wrong(answer) == (415, "wrong_media_type")


def test_a_body_that_is_too_long_is_refused(game):
    answer = game.post("/notes", {"about_step": 0, "text": "x" * 70_000})
    assert wrong(answer) == (413, "too_large")
    assert game.step == 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("POST", "/nothing", 404),
        ("GET", "/games/7", 404),
        ("DELETE", "/games", 405),
        ("PUT", "/games", 405),
        ("TRACE", "/games", 405),
        ("GET", "/games/", 404),
        ("GET", "/games/%00", 400),
        ("GET", "/games/%FF", 400),
        ("GET", "/x%0A", 404),
        ("POST", "/x%0A", 404),
        ("GET", "/rulesets/..%2f..", 404),
        ("GET", "/browse/../base.py", 404),
        ("GET", "/browse/..%2fbase.py", 404),
        ("GET", "/rulesets/chess", 404),
        ("GET", "/rulesets/making_profit/sheets/0", 404),
        ("GET", "/games/5f0d9a8e-54f0-4d4f-9c3e-6f6b1c1c7d11", 404),
    ],
)
def test_an_address_that_is_not_there_says_so_in_the_same_shape(api, method, path, status):
    answer = api.client.open(V1 + path, method=method)
    assert wrong(answer)[0] == status
    assert ("Allow" in answer.headers) == (status == 405)


@pytest.mark.parametrize(
    "changes",
    [
        {"ruleset": "chess"},
        {"title": ""},
        {"title": "   "},
        {"title": "x" * 121},
        {"title": "a\u202eb"},
        {"title": "a\nb\x07"},
        {"players": []},
        {"players": [{"name": "A", "colour": "red"}]},
        {"players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "red"}]},
        {"players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "pink"}]},
        {"players": [{"name": "A", "colour": "red"}, {"name": "", "colour": "blue"}]},
        {"players": [{"name": str(seat), "colour": str(seat)} for seat in range(7)]},
        {"options": {"hands": "sideways"}},
        {"options": {"unknown": 1}},
        {"options": {"hands": None}},
        {"sheet": "0" * 64},
        {"public": "yes"},
        {"kind": "practice"},
    ],
)
def test_a_game_that_cannot_be_is_not_opened(api, book, changes):
    body = {
        "ruleset": "making_profit",
        "title": "T",
        "players": [{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}],
    }
    before = everything(book)
    assert wrong(api.post("/games", body | changes))[0] in (404, 422)
    assert everything(book) == before


NASTY = [
    "'; DROP TABLE kept_game; --",
    '<script>alert("x")</script>',
    "{{ 7 * 7 }}",
    "{figures}",
    "%s%n",
    "../../etc/passwd",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 🔬 ʇxǝʇ",
    "עברית",
    "null",
    "-1",
    "\\u0000",
    "a" * 60,
]


@pytest.mark.parametrize("text", NASTY)
def test_any_printable_text_is_kept_as_it_is(api, text):
    game = api.open_game(title=text, players=[{"name": text, "colour": "red"}, {"name": "B", "colour": "blue"}])
    game.post("/notes", {"about_step": 0, "text": text})
    shown = game.get("/replay").json
    assert (shown["game"]["title"], shown["game"]["seats"][0]["name"], shown["steps"][1]["text"]) == (text, text, text)
    assert api.get("/games", game.scorekeeper).status_code == 200


@pytest.mark.parametrize(
    ("values", "why", "code"),
    [
        ({"/players/0/money": None}, "x", "wrong_type"),
        ({"/players/0/money": "7"}, "x", "wrong_type"),
        ({"/players/0/money": True}, "x", "wrong_type"),
        ({"/players/0/money": [1]}, "x", "wrong_type"),
        ({"/players/9/money": 1}, "x", "not_a_cause"),
        ({"/players/-1/money": 1}, "x", "not_a_cause"),
        ({"/turn": 4}, "x", "not_a_cause"),
        ({"": {}}, "x", "not_a_cause"),
        ({"/": 1}, "x", "not_a_cause"),
        ({"/players/٠/money": 1}, "x", "not_a_cause"),
        ({"/players/0/money/deeper": 1}, "x", "not_a_cause"),
        ({"/players/0/money": 5}, " ", "why_missing"),
        ({}, "x", "bad_fields"),
        ({"/players/0/money": 5}, "", "bad_fields"),
        ({"/players/0/hand": {"R1": -5}}, "x", None),
        ({"/players/0/hand/R1": 2**52}, "x", None),
        ({"/players/0/money": -(2**52)}, "x", None),
        ({"/bank/red": -1}, "x", None),
        ({"/deck": {}}, "x", None),
        ({"/players/0/factory": ["?"] * 50}, "x", None),
        ({"/players/0/hand": {"<b>": 1}}, "x", None),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused(game, values, why, code):
    answer = game.post("/adjustments", {"values": values, "cause": "table", "why": why, "at": 0})
    status, found = wrong(answer)
    assert status in (409, 422) and code in (None, found)
    assert game.step == 0


def test_nothing_of_all_this_was_executed(api, book):
    game = api.open_game()
    for text in NASTY:
        game.post("/notes", {"about_step": 0, "text": text})
    assert game.get("/verify").json["intact"]
    assert book.kept.game(uuid.UUID(game.id)) is not None


@pytest.mark.parametrize(
    "file",
    [
        b"",
        b"\n",
        b"{}",
        b"not json",
        b"\xff\xfe",
        b"[]",
        b'{"daybook":1}',
        b'{"daybook":' + b"9" * 400 + b"}",
        b'{"daybook":1,"ruleset":"chess","title":"T","seats":[]}',
        b"[" * 10000,
        b'{"daybook":1.5}',
        b'{"daybook":1,"ruleset":"making_profit","title":"T","seats":[]}',
        b'{"daybook":1,"ruleset":"making_profit","title":"T","seats":[{"name":"A","colour":"red"},'
        b'{"name":"B","colour":"blue"}]}\n{"seat":0,"decision":{"type":"end_turn"}}\n',
        b'{"daybook":1,"ruleset":"making_profit","title":"T\\u0000","seats":[{"name":"A","colour":"red"},'
        b'{"name":"B","colour":"blue"}]}\n',
    ],
)
def test_a_record_file_that_is_none_is_refused(api, book, file):
    before = everything(book)
    answer = api.client.post(
        V1 + "/games/import", data=file, content_type="application/x-ndjson", headers=headers(once="x" * 20)
    )
    assert wrong(answer)[0] == 422
    assert everything(book) == before
