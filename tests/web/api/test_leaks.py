"""The API does not reveal a hand.

Two games go the same way in everything that everybody sees, and seat 1 draws other cards in each. Whoever may not
see seat 1's hand must be answered the same in both games, whatever is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.web.api.conftest import V1, Caller, Game, headers, wrong

HIDDEN = 1  # the seat whose cards differ
STEPS = 48
CARDS = ("R1", "R2", "M1", "M2")


def step_on(game: Game, number: int, draw: str) -> None:
    """One more decision, the same in every game but for the cards that seat 1 draws."""
    position = game.get("/position").json
    board, seat = position["board"], position["to_act"][0]
    legal = game.get("/legal", seat=seat).json["decisions"]
    if legal[0]["type"] == "drawn":
        choice = {"type": "drawn", "card": draw if board["drawer"] == HIDDEN else CARDS[number % 4]}
    elif seat == HIDDEN:
        open_to_all = [d for d in legal if d["type"] in ("end_turn", "buy_stock", "run", "third_card")]
        choice = sorted(open_to_all, key=lambda d: (d["type"], d.get("claimed", False), d.get("colour", "")))[0]
    else:
        choice = openly(board["actions"] == 2, legal)
    answer = game.decide(seat, choice)
    assert answer.status_code == 201, answer.text


def openly(develop: bool, legal: list[dict[str, Any]]) -> dict[str, Any]:
    """A choice that does not bring seat 1's cards to light, and now and then a development, so that the game goes on."""
    safe = [d for d in legal if d["type"] not in ("sell_add", "sell_done", "sell_resources") and not d.get("claimed")]
    develops = [d for d in safe if d["type"] == "develop"]
    others = [d for d in safe if d not in develops]
    return [*develops, *others][0] if develop else [*others, *develops][0]


@pytest.fixture(scope="module")
def pair(app: Any) -> tuple[Game, Game]:
    """The same game twice, but for seat 1's cards."""
    first, second = (Caller(app.test_client()).open_game() for _ in range(2))
    for number in range(STEPS):
        step_on(first, number, draw="R1" if number % 2 else "R2")
        step_on(second, number, draw="M1" if number % 2 else "M2")
        if number == STEPS // 2:
            for game in (first, second):
                assert game.post("/notes", {"about_step": 3, "text": "a note"}).status_code == 201
    hands = [game.get("/position").json["board"]["players"][HIDDEN]["hand"] for game in (first, second)]
    assert hands[0] != hands[1] and sum(hands[0].values()) == sum(hands[1].values()) > 1
    return first, second


def onlookers(game: Game) -> dict[str, str]:
    return {"reader": game.reader, "seat 0": game.seats[0]}


@pytest.mark.parametrize("who", ["reader", "seat 0"])
def test_every_answer_is_the_same_whatever_the_hand_holds(pair, who):
    asked = 0
    for value, other in zip(*(answers(game, onlookers(game)[who]) for game in pair), strict=True):
        assert value == other
        asked += 1
    assert asked > 150


def test_the_scorekeeper_and_the_seat_itself_do_see_a_difference(pair):
    """The values that this module compares do depend on the cards."""
    for key in ("scorekeeper", "seat 1"):
        keys = [game.scorekeeper if key == "scorekeeper" else game.seats[HIDDEN] for game in pair]
        one, other = (list(answers(game, key)) for game, key in zip(pair, keys, strict=True))
        assert one != other


def answers(game: Game, key: str) -> Iterator[tuple[str, int, Any]]:
    """Return everything that the API answers to this key: request, status and answer."""

    def get(where: str, **query: Any) -> tuple[str, int, Any]:
        return where + str(query), *plain(game, game.get(where, key, **query))

    def post(path: str, body: Any) -> tuple[str, int, Any]:
        return path + str(body), *plain(game, game.post(path, body, key, once="x"))

    yield get("")
    for sight in (None, "all", "spectator", "0", "1", "2"):
        query = {} if sight is None else {"view": sight}
        yield get("/replay", **query)
        yield get("/replay", after=40, **query)
        for step in range(0, STEPS + 2, 4):
            yield get("/position", step=step, **query)
        for path in ("/players/1/hand", "/players/1/hand/R1", "/players/1/hand/?", "/deck/M1", "/players"):
            yield get("/value-history", path=path, **query)
    for seat in (-1, 0, 1):
        for step in range(0, STEPS + 2, 5):
            yield get("/legal", seat=seat, step=step)
        for decision in probes():
            yield post("/preview", {"seat": seat, "decision": decision})
            yield post("/why", {"seat": seat, "decision": decision, "step": 20})
        yield post("/decisions", {"seat": seat, "decision": decision, "at": 3})  # a conflict shows what came since
    for path in ("/record", "/audit", "/scores", "/verify", "/links"):
        yield get(path)
    for text in ("develop", "run; sell; discard", "third card; end the turn", "Ben: develop r1; run", "m1; r1; m2"):
        yield post("/read", {"text": text})
    yield post("/take-backs", {"to_step": 2, "cause": "table", "why": "x", "at": 1})
    yield post("/adjustments", {"values": {"/players/1/hand": {"R1": 9}}, "cause": "table", "why": "x", "at": 1})


def probes() -> Iterator[dict[str, Any]]:
    for card in ("R1", "M1", "?"):
        for type in ("drawn", "develop", "discard_hand"):
            yield {"type": type, "card": card}
        yield {"type": "sell_resources", "cards": [card] * 3}
        yield {"type": "nationalise", "keep": [card] * 2}
    yield {"type": "third_card", "claimed": True}
    for colour in ("red", "blue", "green"):
        yield {"type": "sell_add", "colour": colour}


def plain(game: Game, answer: TestResponse) -> tuple[int, Any]:
    """Status and answer without what differs between any two games: ids, seals, people, times."""
    if answer.status_code >= 400:
        wrong(answer)
    return answer.status_code, without(answer.json, game)


def without(value: Any, game: Game) -> Any:
    if isinstance(value, dict):
        return {
            name: without(part, game)
            for name, part in value.items()
            if name not in ("seal", "person", "at", "opened_at", "id")
        }
    if isinstance(value, list):
        return [without(part, game) for part in value]
    return value.replace(game.id, "this game") if isinstance(value, str) else value


def test_running_record_and_audit_are_for_the_scorekeeper(pair):
    game = pair[0]
    for path in ("/record", "/audit"):
        assert game.get(path).status_code == 200
        for key in onlookers(game).values():
            assert wrong(game.get(path, key)) == (403, "not_your_view")


def test_a_closed_game_lies_open(api):
    game = api.open_game()
    game.play(1000)
    assert game.get("/replay", game.reader).json["view"] == "spectator"
    assert game.post("/close", {"at": game.step}).status_code == 201
    seen = game.get("/replay", game.reader).json
    assert seen["view"] == "all"
    assert seen["steps"] == game.get("/replay").json["steps"]
    assert game.get("/record", game.reader).status_code == 200


def test_a_key_of_one_game_opens_no_other(api, pair):
    other = api.open_game()
    for path in ("", "/replay", "/position", "/legal", "/scores", "/verify", "/audit", "/record", "/links"):
        query = {"seat": 0} if path == "/legal" else {}
        assert wrong(pair[0].get(path, other.scorekeeper, **query)) == (403, "not_this_game")
        nobody = api.client.get(V1 + pair[0].path + path, query_string=query)
        assert wrong(nobody) == (401, "key_missing")
    assert wrong(pair[0].decide(0, {"type": "end_turn"}, other.scorekeeper)) == (403, "not_this_game")
    assert api.client.get(V1 + "/games", headers=headers(other.scorekeeper)).status_code == 200
