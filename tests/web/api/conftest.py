"""The API in this process on a fresh SQLite daybook, and a client."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from daybook.services.play.practice import Dealer
from daybook.services.settings import Settings
from daybook.services.store.daybook import Daybook, open_daybook
from daybook.web.app import begin

V1 = "/api/v1"


class Caller:
    """A program that calls the API."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client

    def get(self, where: str, key: str | None = None, **query: Any) -> TestResponse:
        return self.client.get(V1 + where, query_string=query, headers=headers(key))

    def post(self, path: str, body: Any, key: str | None = None, once: str | None = None) -> TestResponse:
        """once: the idempotency key; a fresh one by default."""
        return self.client.post(V1 + path, json=body, headers=headers(key, once or uuid.uuid4().hex))

    def open_game(self, **more: Any) -> Game:
        body = {
            "ruleset": "making_profit",
            "title": "Friday",
            "players": [
                {"name": "Anna", "colour": "red"},
                {"name": "Ben", "colour": "blue"},
                {"name": "Cleo", "colour": "green"},
            ],
        }
        answer = self.post("/games", body | more)
        assert answer.status_code == 201, answer.text
        return Game(self, answer.json)


class Game:
    """One open game, with the keys of its links."""

    def __init__(self, caller: Caller, opened: dict[str, Any]) -> None:
        self.caller = caller
        self.id = opened["game"]
        self.path = f"/games/{self.id}"
        self.scorekeeper = self._key(opened, "scorekeeper", None)
        self.reader = self._key(opened, "reader", None)
        seats = sum(link["role"] == "seat" for link in opened["links"])
        self.seats = [self._key(opened, "seat", seat) for seat in range(seats)]

    @staticmethod
    def _key(opened: dict[str, Any], role: str, seat: int | None) -> str:
        return next(link["key"] for link in opened["links"] if (link["role"], link["seat"]) == (role, seat))

    def get(self, where: str, key: str | None = None, **query: Any) -> TestResponse:
        return self.caller.get(self.path + where, key or self.scorekeeper, **query)

    def post(self, path: str, body: Any, key: str | None = None, once: str | None = None) -> TestResponse:
        return self.caller.post(self.path + path, body, key or self.scorekeeper, once)

    @property
    def step(self) -> int:
        newest: int = self.get("").json["game"]["newest_step"]
        return newest

    def decide(self, seat: int, decision: dict[str, Any], key: str | None = None) -> TestResponse:
        return self.post("/decisions", {"seat": seat, "decision": decision, "at": self.step}, key)

    def play(self, decisions: int, seed: int = 1) -> None:
        """Play legal decisions over the API alone until the game is over, or this many."""
        dealer = Dealer(seed)
        for _ in range(decisions):
            to_act = self.get("").json["to_act"]
            if not to_act:
                return
            legal = self.get("/legal", seat=to_act[0]).json
            choice = dealer.random.choices(legal["decisions"], legal["weights"])[0]
            assert self.decide(to_act[0], choice).status_code == 201


def headers(key: str | None = None, once: str | None = None) -> dict[str, str]:
    found = {} if key is None else {"Authorization": f"Bearer {key}"}
    return found if once is None else found | {"Idempotency-Key": once}


def wrong(answer: TestResponse) -> tuple[int, str]:
    """Return status and code of a failure, after a check of its shape."""
    assert answer.mimetype == "application/json", answer.text
    error = answer.json["error"]
    assert list(error) == ["code", "rule", "reason", "next", "details"]
    assert error["code"] and error["reason"] and error["next"]
    assert isinstance(error["details"], dict)
    return answer.status_code, error["code"]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daybook]:
    """One daybook for a module; each test opens games of its own in it."""
    book = open_daybook(Settings(data=tmp_path_factory.mktemp("book") / "data"), create=True)
    yield book
    book.close()


@pytest.fixture(scope="module")
def app(built_app: Flask, book: Daybook) -> Flask:
    begin(built_app, book)
    built_app.testing = True
    return built_app


@pytest.fixture
def api(app: Flask) -> Caller:
    return Caller(app.test_client())


@pytest.fixture
def game(api: Caller) -> Game:
    return api.open_game()
