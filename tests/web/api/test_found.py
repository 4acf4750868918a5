"""Games found over the API: the same questions, a page at a time, nothing that the key may not read."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from daybook.services.days import today_of
from tests.many_games import lay_games
from tests.played import update_games
from tests.web.api.conftest import Caller, wrong


@pytest.fixture
def api(app) -> Caller:
    return Caller(app.test_client())


def titles(answer) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [game["title"] for game in answer.json["games"]]


def test_a_next_link_leads_through_all_games(api, app):
    book = app.extensions["daybook"]
    lay_games(book, 60, public_of_ten=10)
    answer = api.get("/games", limit="25", q="evening")
    seen = titles(answer)
    while answer.json["next"]:
        link = urlsplit(answer.json["next"])
        answer = api.client.get(f"{link.path}?{link.query}")
        seen += titles(answer)
    assert len(seen) == len({*seen}) == 60 and answer.json["next"] is None


def test_a_key_finds_its_own_game_and_nothing_else(api, app):
    mine, other = api.open_game(title="My secret evening"), api.open_game(title="Another secret evening")
    update_games(app.extensions["daybook"])
    assert titles(api.get("/games", mine.reader, q="secret")) == ["My secret evening"]
    assert titles(api.get("/games", other.reader, q="secret", whose="mine")) == ["Another secret evening"]
    assert titles(api.get("/games", q="secret")) == []


def test_days_are_those_of_a_time_zone(api, app):
    game = api.open_game(title="Where the day is another")
    update_games(app.extensions["daybook"])

    def found_on(day: str, **tz: str) -> bool:
        return titles(api.get("/games", game.reader, q="another", since=day, until=day, **tz)) != []

    ahead, behind = "Pacific/Kiritimati", "Pacific/Pago_Pago"  # never the same day
    for zone, other in ((ahead, behind), (behind, ahead)):
        assert found_on(today_of(zone), tz=zone) and not found_on(today_of(zone), tz=other)
    assert found_on(today_of("UTC")) and found_on(today_of("UTC"), tz="UTC")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"since": "2026-02-30"}, "bad_fields"),
        ({"since": "yesterday"}, "bad_fields"),
        ({"tz": "Mars/Phobos"}, "bad_fields"),
        ({"limit": "201"}, "bad_fields"),
        ({"list": "all"}, "bad_fields"),
        ({"club": "x"}, "bad_fields"),
        ({"after": "x"}, "bad_place"),
        ({"since": "2026-03-01", "until": "2026-02-01"}, "bad_days"),
        ({"title": "x"}, "unknown_parameter"),
    ],
)
def test_what_means_nothing_is_refused(api, query, code):
    assert wrong(api.get("/games", **query)) == (422, code)
