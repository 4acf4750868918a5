"""Schemathesis attacks every operation of the OpenAPI document, with values that fit it and values that do not.

The application runs in this process on a running game, and schemathesis finds it as a program would: through the
document alone, with the keys of the game.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from daybook.services.store.daybook import Daybook
from tests.played import play
from tests.web.api.conftest import V1, Caller, Game, headers

if TYPE_CHECKING:
    from schemathesis import BaseSchema, Case, SerializationContext

pytestmark = pytest.mark.slow

EXAMPLES = 2  # for each operation and mode: to make values up takes seven tenths of the time
ENVELOPE = {"bad_fields", "bad_idempotency_key", "name_twice", "wrong_media_type", "not_json"}  # never for what fits
DOCUMENT = V1 + "/openapi.json"
ADDRESSES = itertools.count(1)
PARTS = 12  # run at once by several processes


def beside_path(parameter: dict[str, Any]) -> bool:
    return parameter.get("in") != "path"


def operations_of(document: dict[str, Any]) -> dict[str, bool]:
    """Return the label of every operation, and whether values can be sent that do not fit it."""
    found = {
        f"{method.upper()} {path}": [*item.get("parameters", ()), *operation.get("parameters", ()), operation]
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    }
    return {
        label: "requestBody" in operation or "{game_id}" in label or any(map(beside_path, parameters))
        for label, (*parameters, operation) in found.items()
    }


@pytest.fixture(scope="module")
def document(app: Flask) -> BaseSchema:
    """Loaded once, with the constants of the application's code that it tries as values."""
    import schemathesis

    schemathesis.serializer("application/x-ndjson")(lines)
    return schemathesis.openapi.from_wsgi(DOCUMENT, app)


def running_game(app: Flask, book: Daybook) -> Game:
    """Open a game and play twelve decisions. Each is opened at its own address: an address has a limit of games."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = f"10.0.0.{next(ADDRESSES)}"
    game = Caller(client).open_game(public=True)
    play(book, UUID(game.id), 12, seed=1)
    return game


@pytest.fixture(scope="module")
def read_game(app: Flask, book: Daybook) -> Game:
    """Return a game that no test changes."""
    return running_game(app, book)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("mode", ["fits", pytest.param("reads with what does not fit", marks=pytest.mark.drill)])
def test_the_document_keeps_its_word(part, mode, app, book, document, read_game, monkeypatch):
    monkeypatch.setitem(app.config, "TESTING", False)  # what would be a 500 for others shall be one here
    for label, takes_any in [*operations_of(app.test_client().get(DOCUMENT).json).items()][part::PARTS]:
        only_reads = label.startswith("GET ")
        modes = ["positive"] * (mode == "fits") + ["negative"] * (takes_any and only_reads == (mode != "fits"))
        game = read_game if only_reads else running_game(app, book)
        for generated in modes:
            attack(document, label, generated, game)


def attack(document: BaseSchema, label: str, mode: str, game: Game) -> None:
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    method, path = label.split(" ")
    operation = document[path][method]

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        case=operation.as_strategy(generation_mode=GenerationMode(mode)),
        key=st.sampled_from([None, *keys(game)]),
        real=st.booleans(),
    )
    def sent_once(case: Case, key: str | None, real: bool) -> None:
        if real and is_uuid(case.path_parameters.get("game_id")):
            case.path_parameters["game_id"] = game.id
        if real and mode == "positive" and isinstance(case.body, dict):
            bring_up_to_date(case.body, game)
        sent = {**headers(key), "Accept-Encoding": "identity"}  # in one process nobody unpacks the answers
        answer = case.call(headers=sent)
        case.validate_response(  # whatever fits the document, a game's rules may say no to
            answer, headers=sent, excluded_checks=[positive_data_acceptance]
        )
        if mode == "positive" and answer.status_code in (400, 415, 422):
            assert answer.json()["error"]["code"] not in ENVELOPE, answer.text

    sent_once()


def bring_up_to_date(body: dict[str, Any], game: Game) -> None:
    """Past the checks of the envelope, to those of the game."""
    if "at" in body:
        body["at"] = game.step
    if isinstance(body.get("seat"), int) and body["seat"] > 2:
        body["seat"] %= 3


def is_uuid(text: Any) -> bool:
    """Return whether a generated id is a UUID, so that a real one may replace it."""
    return isinstance(text, str) and re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", text) is not None


def lines(context: SerializationContext, value: Any) -> bytes:
    """Any text, as a record file."""
    return str(value).encode("utf-8", "surrogatepass")


def keys(game: Game) -> list[str]:
    return [game.scorekeeper, game.scorekeeper, game.seats[0], game.reader, "wrong"]
