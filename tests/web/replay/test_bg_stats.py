"""A finished game is offered to BG Stats, with the names that stand in the address said before."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import unquote

from daybook.domain.commands import Abandon
from daybook.services.exchange.bgstats import CREATE
from tests.web.conftest import Visitor


def test_finished_game_is_offered_with_its_address_and_players(open_game):
    game = open_game(public=True)
    game.play(400, 3)
    for page in ("", "/score"):
        assert f'href="{game.path}/bg-stats"' in Visitor(game.app).get(f"{game.path}{page}").html
    page = Visitor(game.app).get(f"{game.path}/bg-stats")
    assert "Daybook sends nothing" in page.text and "all players’ names" in page.text
    (address,) = re.findall(f'href="({re.escape(CREATE)}[^"]*)"', page.html)
    said = json.loads(unquote(unescape(address).removeprefix(CREATE)))
    assert [value["name"] for value in said["players"]] == ["Anna", "Ben", "Cleo"]
    assert said["sourcePlayId"] == str(game.id)
    assert Visitor(game.app).client.get(f"/api/v1{game.path}/bg-stats").json == {
        "play": said,
        "address": unescape(address),
    }
    assert page.text.count("began") == 1
    assert "<svg" in page.html.partition("Or scan this")[2]


def test_running_abandoned_or_private_game_is_not_offered(friday):
    assert friday.visitor().get(f"{friday.path}/bg-stats").status == 404
    friday.write(Abandon("late"))
    assert friday.visitor().get(f"{friday.path}/bg-stats").status == 404
    assert "bg-stats" not in friday.visitor().get(friday.path).html
    assert Visitor(friday.app).get(f"{friday.path}/bg-stats").status in (401, 403, 404)
