"""Illegal moves that stood, corrections, counts and comparisons through the API."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from werkzeug.test import TestResponse

from tests.played import play, update_games
from tests.web.api.conftest import Caller, Game, headers, wrong


@pytest.fixture
def game(api: Caller) -> Game:
    """Return a dealt game of three; the drawn player starts."""
    game = api.open_game(options={"hands": "open"})
    for card in ("R2", "M1", "R2", "M2", "M1", "M2"):
        record(game, -1, {"type": "drawn", "card": card})
    record(game, -1, {"type": "start_player_drawn", "seat": 0})
    return game


def newest(game: Game) -> int:
    return int(game.get("").json["game"]["newest_step"])  # type: ignore[index]


def post(game: Game, where: str, body: dict[str, Any], key: str | None = None, once: str | None = None) -> Any:
    return game.caller.post(game.path + where, body, key or game.scorekeeper, once)


def record(game: Game, seat: int, decision: dict[str, Any]) -> None:
    answer = post(game, "/decisions", {"seat": seat, "decision": decision, "at": newest(game)})
    assert answer.status_code == 201, answer.text


STOOD = {"seat": 1, "decision": {"type": "end_turn"}, "values": {"/players/1/money": 9}}


def test_an_illegal_move_is_previewed_and_written(game):
    preview = post(game, "/as-played/preview", STOOD)
    assert preview.status_code == 200 and preview.json["objections"] and preview.json["values"] == STOOD["values"]
    body = STOOD | {"why": "nobody saw it", "at": newest(game)}
    first, again = (post(game, "/as-played", body, once="stood-once") for _ in range(2))
    assert (first.status_code, again.json["repeated"]) == (201, True)
    step = game.get("/replay").json["steps"][-1]  # type: ignore[index]
    assert (step["type"], step["values"]) == ("decision_as_played", STOOD["values"])
    assert post(game, "/as-played", body | {"seat": 2}, once="stood-once").status_code in (409, 422)
    legal = game.get("/legal", seat=0).json["decisions"]  # type: ignore[index]
    if legal:
        allowed = post(game, "/as-played/preview", {"seat": 0, "decision": legal[0]})
        assert allowed.status_code == 422 and allowed.json["error"]["code"] == "legal"


def test_a_correction_is_planned_and_written(game):
    at = newest(game)
    instead = {str(at): {"moves": [{"seat": -1, "decision": {"type": "start_player_drawn", "seat": 2}}]}}
    plan = post(game, "/corrections/plan", {"replacements": instead})
    assert plan.status_code == 200 and plan.json["stop"] is None and plan.json["carried"][0]["fate"] == "new"
    assert newest(game) == at
    body = {"replacements": instead, "why": "it was Cleo", "digest": plan.json["digest"], "at": at}
    wrong = post(game, "/corrections", body | {"digest": "x"})
    assert wrong.status_code == 422 and wrong.json["error"]["code"] == "plan_changed"
    first, again = (post(game, "/corrections", body, once="correct-once") for _ in range(2))
    assert (first.status_code, again.json["repeated"]) == (201, True)
    assert game.get("/replay").json["steps"][-1]["corrects_step"] == at  # type: ignore[index]
    bad = post(game, "/corrections/plan", {"replacements": {"one": {}}})
    assert bad.status_code == 422


def test_a_count_is_written_explained_and_settled(game):
    counted = post(game, "/counts", {"values": {"/players/0/money": 4}, "at": newest(game)})
    assert counted.status_code == 201
    step = counted.json["step"]
    shown = game.get("/counts").json
    assert shown is not None and shown["counts"][0]["differences"] and shown["countable"]
    found = game.get(f"/counts/{step}/explanations", plays=50)
    assert found.status_code == 200, found.text
    pieces = [found.json]
    while pieces[-1]["next"]:
        pieces.append(game.get(f"/counts/{step}/explanations", **{"plays": 50, "from": pieces[-1]["next"]}).json)
    assert len(pieces) > 2 and pieces[-1]["late"] and pieces[-1]["done"] == pieces[-1]["of"]
    assert game.get(f"/counts/{step}/explanations", **{"from": "first"}).status_code == 422
    adjusted = post(game, f"/counts/{step}/adjust", {"why": "as counted", "at": newest(game)})
    assert adjusted.status_code == 201
    again = post(game, "/counts", {"values": {"/players/0/money": 8}, "at": newest(game)}).json["step"]
    assert post(game, f"/counts/{again}/accept", {"why": "let it be"}).status_code == 201
    assert game.get("/counts").json["counts"][0]["settled"]  # type: ignore[index]
    assert game.get("/counts/1/explanations").status_code == 404


def test_steps_and_records_are_compared(game, api):
    steps = game.get("/compare", one=2, other=7)
    assert steps.status_code == 200 and steps.json["changes"]  # type: ignore[index]
    assert game.get("/compare", one=2, other=70).status_code == 422
    other = api.open_game(public=True)
    compared = game.get(f"/compare/{other.id}")
    assert compared.status_code == 200 and compared.json["parts"]  # type: ignore[index]
    closed = api.open_game()
    assert game.get(f"/compare/{closed.id}").status_code == 403


def test_records_of_one_evening_are_compared_by_a_keeper_of_one(book, api):
    one, other = (api.open_game(public=True, options={"hands": "open"}) for _ in range(2))
    for game in (one, other):
        play(book, UUID(game.id), 40, seed=1)
    update_games(book)
    assert one.get("/similar-games").json == {"games": []}, "this key holds nothing in the other"
    (found,) = one.get("/similar-games", other.scorekeeper).json["games"]  # type: ignore[index]
    assert (found["game"], found["said"], found["apart"]) == (other.id, [], False)
    where = f"/similar-games/{other.id}/separate"
    assert wrong(one.post(where, {"why": "x"})) == (404, "not_alike")
    assert wrong(one.post(where, {"why": "x"}, other.reader)) == (403, "not_this_game")
    assert wrong(one.post(where, {"why": " "}, other.scorekeeper)) == (422, "why_missing")
    (found,) = one.post(where, {"why": "a rematch"}, other.scorekeeper).json["games"]
    (said,) = found["said"]
    assert found["apart"] and (said["game"], said["by"], said["why"]) == (other.id, "scorekeeper", "a rematch")
    (found,) = one.post(f"{where}/undo", {}, other.scorekeeper).json["games"]
    assert not found["apart"] and found["said"][0]["back_by"] == "scorekeeper"


@pytest.mark.parametrize(
    ("where", "body"),
    [
        ("/as-played/preview", STOOD),
        ("/as-played", STOOD | {"why": "x", "at": 7}),
        ("/corrections/plan", {"replacements": {"7": {}}}),
        ("/corrections", {"replacements": {"7": {}}, "why": "x", "digest": "x", "at": 7}),
        ("/counts", {"values": {"/players/0/money": 4}, "at": 7}),
        ("/counts/3/adjust", {"why": "x", "at": 7}),
        ("/counts/3/accept", {"why": "x"}),
    ],
)
def test_only_the_scorekeeper_puts_the_record_right(game, where, body):
    for key in (game.seats[0], game.reader):
        assert post(game, where, body, key).status_code == 403
    assert game.caller.post(game.path + where, body).status_code == 401


def test_a_record_file_of_the_same_evening_is_compared(game):
    game.play(4)
    file = game.get("/record").data
    game.play(3)

    def compare_with(sent: bytes, key: str = game.scorekeeper, kind: str = "application/x-ndjson") -> TestResponse:
        where = f"/api/v1{game.path}/compare"
        return game.caller.client.post(where, data=sent, content_type=kind, headers=headers(key))

    told = compare_with(file).json
    assert [(part["kind"], len(part["one"])) for part in told["parts"]] == [("only_one", 3)]
    assert compare_with(game.get("/record").data).json["parts"] == []
    assert compare_with(file, game.reader).status_code == 200
    assert wrong(compare_with(b"{}\n"))[0] == 422
    assert wrong(compare_with(file, kind="application/json")) == (415, "wrong_media_type")
    assert wrong(compare_with(file, key="nobody's")) == (401, "wrong_key")
    other = game.caller.open_game(
        title="Another", players=[{"name": "A", "colour": "red"}, {"name": "B", "colour": "blue"}]
    )
    assert wrong(compare_with(other.get("/record").data)) == (422, "not_comparable")
