"""Whole games over HTTP: opened, recorded, corrected, closed, exported."""

from __future__ import annotations

from tests.web.api.conftest import Game


def test_a_game_is_played_to_its_end_over_the_api_alone(game: Game):
    game.play(1000)
    position = game.get("/position").json
    assert position["outcome"]["ranks"]
    closed = game.post("/close", {"at": position["step"]})
    assert (closed.status_code, closed.json["step"]) == (201, position["step"] + 1)
    assert game.get("", game.reader).json["game"]["status"] == "closed"
